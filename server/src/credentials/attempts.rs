//! Attempts to sign in to each account, so that nobody tries many passwords, and no stranger uses up the attempts of an
//! account's own browsers.

use std::{sync::Arc, time::Duration};

use game::ids::PlayerId;
use parking_lot::Mutex;
use store::TokenHash;
use tokio::time::Instant;

use crate::{
    net::limits::{ATTEMPTS, TokenBucket},
    recent::Recent,
};

/// Capacity of each of the two generations of attempts.
const REMEMBERED: usize = 7168;

/// The attempts that count together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Attempted {
    /// A name that no account has.
    Name(String),
    /// An account, by all browsers that it does not know.
    Account(PlayerId),
    /// An account, by one browser that it knows.
    Browser(PlayerId, TokenHash),
}

/// Recent attempts on this node.
#[derive(Clone, Debug)]
pub(crate) struct Attempts(Arc<Mutex<Recent<Attempted, TokenBucket>>>);

impl Default for Attempts {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Recent::new(REMEMBERED))))
    }
}

impl Attempts {
    /// Counts an attempt before its secret is checked, so that those under way count too.
    ///
    /// # Errors
    /// Returns the time until there may be another one.
    pub(crate) fn begin(&self, attempted: &Attempted, now: Instant) -> Result<(), Duration> {
        let mut recent = self.0.lock();
        recent.get(attempted.clone(), || TokenBucket::new(ATTEMPTS, now)).take(now)
    }

    /// Counts an attempt no longer: its secret was the right one, or was not checked.
    pub(crate) fn forgive(&self, attempted: Attempted, now: Instant) {
        self.0.lock().get(attempted, || TokenBucket::new(ATTEMPTS, now)).give_back();
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn strangers_use_up_no_attempts_of_a_browser_that_is_known() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        let ada = PlayerId::new(Uuid::from_u128(1));
        let (strangers, own) = (Attempted::Account(ada), Attempted::Browser(ada, TokenHash::of(b"own")));
        for attempted in [&strangers, &Attempted::Name("nobody".to_owned())] {
            for _ in 0..ATTEMPTS.burst {
                assert_eq!(attempts.begin(attempted, now), Ok(()));
            }
            assert_eq!(
                attempts.begin(attempted, now),
                Err(ATTEMPTS.each),
                "a name that exists, and one that does not"
            );
        }
        for _ in 0..3 * ATTEMPTS.burst {
            assert_eq!(attempts.begin(&own, now), Ok(()));
            attempts.forgive(own.clone(), now);
        }
        assert_eq!(attempts.begin(&strangers, now + ATTEMPTS.each), Ok(()));
    }
}
