//! Attempts to sign in to each name, so that nobody tries many passwords, and no stranger uses up the attempts of an
//! account's own browsers; and exports of each player.

use std::{sync::Arc, time::Duration};

use game::ids::PlayerId;
use parking_lot::Mutex;
use store::TokenHash;
use tokio::time::Instant;

use crate::{
    net::{
        address::Address,
        limits::{ATTEMPTS, ATTEMPTS_OF_STRANGERS, EXPORTS, RateLimit, TokenBucket},
    },
    recent::Recent,
};

/// Capacity of each of the two generations of attempts.
const REMEMBERED: usize = 16_384;

/// What an attempt is counted against. A name is kept as the hash of its key, whose size is fixed, and is counted whether
/// or not an account has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Counted {
    /// A name, by the browsers of one address that its account does not know.
    Address(Address, TokenHash),
    /// A name, by all browsers that its account does not know.
    Strangers(TokenHash),
    /// An account, by one browser that it knows.
    Browser(PlayerId, TokenHash),
    /// An account, by all of its sessions.
    Sessions(PlayerId),
    /// An account, by those who know its recovery code.
    Recoveries(PlayerId),
    /// A player, by what was exported.
    Exports(PlayerId),
}

impl Counted {
    const fn limit(self) -> RateLimit {
        match self {
            Self::Strangers(_) => ATTEMPTS_OF_STRANGERS,
            Self::Exports(_) => EXPORTS,
            Self::Address(..) | Self::Browser(..) | Self::Sessions(_) | Self::Recoveries(_) => ATTEMPTS,
        }
    }
}

/// Recent attempts on this node.
#[derive(Clone, Debug)]
pub(crate) struct Attempts(Arc<Mutex<Recent<Counted, TokenBucket>>>);

/// An attempt whose secret is being checked. It counts until it is dropped, and beyond that if it is [kept](Self::keep).
#[derive(Debug)]
pub(crate) struct Attempt {
    attempts: Attempts,
    counted: Vec<Counted>,
}

impl Default for Attempts {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Recent::new(REMEMBERED))))
    }
}

impl Attempts {
    /// Begins an attempt of a browser that the account of a name does not know, or of any browser if there is no account.
    ///
    /// # Errors
    /// Returns the time until there may be another one.
    pub(crate) fn of_stranger(&self, key: &str, by: Address, now: Instant) -> Result<Attempt, Duration> {
        let name = TokenHash::of(key.as_bytes());
        self.begin([Counted::Address(by, name), Counted::Strangers(name)], now)
    }

    /// Begins an attempt of a browser that the account knows.
    ///
    /// # Errors
    /// Returns the time until there may be another one.
    pub(crate) fn of_device(
        &self,
        account: PlayerId,
        device: TokenHash,
        now: Instant,
    ) -> Result<Attempt, Duration> {
        self.begin([Counted::Browser(account, device)], now)
    }

    /// Begins an attempt of a session of the account, or a change of its password or its code.
    ///
    /// # Errors
    /// Returns the time until there may be another one.
    pub(crate) fn of_session(&self, account: PlayerId, now: Instant) -> Result<Attempt, Duration> {
        self.begin([Counted::Sessions(account)], now)
    }

    /// Begins a recovery of the account, whose code was right.
    ///
    /// # Errors
    /// Returns the time until there may be another one.
    pub(crate) fn of_recovery(&self, account: PlayerId, now: Instant) -> Result<Attempt, Duration> {
        self.begin([Counted::Recoveries(account)], now)
    }

    /// Begins an export of a player.
    ///
    /// # Errors
    /// Returns the time until there may be another one.
    pub(crate) fn of_export(&self, player: PlayerId, now: Instant) -> Result<Attempt, Duration> {
        self.begin([Counted::Exports(player)], now)
    }

    fn begin<const N: usize>(&self, counted: [Counted; N], now: Instant) -> Result<Attempt, Duration> {
        let mut recent = self.0.lock();
        let mut attempt = Attempt { attempts: self.clone(), counted: Vec::with_capacity(N) };
        for counted in counted {
            let taken = recent.get(counted, || TokenBucket::new(counted.limit(), now)).take(now);
            if let Err(wait) = taken {
                // The attempt puts back what it took, for which it needs the lock.
                drop(recent);
                return Err(wait);
            }
            attempt.counted.push(counted);
        }
        Ok(attempt)
    }
}

impl Attempt {
    /// Keeps count of the attempt after its secret was checked. Of a stranger who knew it, nothing is kept; browsers and
    /// sessions that an account knows have no other limit than this one.
    pub(crate) fn keep(mut self, was_right: bool) {
        let is_stranger = |counted: &Counted| matches!(counted, Counted::Address(..) | Counted::Strangers(_));
        self.counted.retain(|counted| was_right && is_stranger(counted));
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        let mut recent = self.attempts.0.lock();
        for counted in self.counted.drain(..) {
            recent.get(counted, || TokenBucket::new(counted.limit(), Instant::now())).give_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const ADA: PlayerId = PlayerId::new(Uuid::from_u128(1));

    #[tokio::test(start_paused = true)]
    async fn one_address_uses_up_no_attempts_of_another_one() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        let [one, other] = [1, 2].map(Address::of_tests);
        for name in ["ada", "nobody"] {
            for _ in 0..ATTEMPTS.burst {
                attempts.of_stranger(name, one, now).unwrap().keep(false);
            }
            assert_eq!(attempts.of_stranger(name, one, now).map(drop), Err(ATTEMPTS.each), "{name}");
            attempts.of_stranger(name, other, now).unwrap().keep(false);
        }
        assert!(attempts.of_stranger("ada", one, now + ATTEMPTS.each).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn many_addresses_use_up_no_attempts_of_a_browser_that_is_known_and_of_a_session() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        for number in 0..ATTEMPTS_OF_STRANGERS.burst {
            attempts.of_stranger("ada", Address::of_tests(number), now).unwrap().keep(false);
        }
        let another = Address::of_tests(250);
        for _ in 0..2 * ATTEMPTS.burst {
            let refused = attempts.of_stranger("ada", another, now).map(drop);
            assert_eq!(refused, Err(ATTEMPTS_OF_STRANGERS.each));
        }
        for _ in 0..ATTEMPTS.burst {
            attempts.of_stranger("blaise", another, now).unwrap().keep(false);
        }
        let device = TokenHash::of(b"own");
        for _ in 0..3 * ATTEMPTS.burst {
            assert!(attempts.of_device(ADA, device, now).is_ok(), "one that was not checked does not count");
        }
        for number in 0..ATTEMPTS.burst {
            attempts.of_device(ADA, device, now).unwrap().keep(number % 2 == 0);
            attempts.of_session(ADA, now).unwrap().keep(number % 2 == 0);
        }
        assert!(attempts.of_device(ADA, device, now).is_err() && attempts.of_session(ADA, now).is_err());
    }
}
