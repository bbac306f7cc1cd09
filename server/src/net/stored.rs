//! Bytes stored for the turns and offers of a socket, when its address is over its budget.

use std::time::Duration;

use tokio::time::Instant;

use crate::net::{
    address::{Address, Addresses, WriteKind},
    limits::{ALWAYS_STORED, TokenBucket},
};

/// The budget that a turn or an offer of a socket is stored from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payer {
    /// That of the address, which its sockets share.
    Address,
    /// The socket's own: the address is over its budget.
    Socket,
}

/// The budget of stored bytes of a socket. While its address is over its budget, the socket has [`ALWAYS_STORED`]: the
/// games that its player plays go on, whatever its neighbours store.
#[derive(Debug)]
pub(crate) struct StoreBudget {
    addresses: Addresses,
    address: Address,
    own: TokenBucket,
}

impl StoreBudget {
    /// Returns the budget of a new socket, whose own one is empty: opening many sockets gains nothing.
    pub(crate) fn new(addresses: Addresses, address: Address) -> Self {
        let mut own = TokenBucket::new(ALWAYS_STORED, Instant::now());
        own.charge(ALWAYS_STORED.burst, Instant::now());
        Self { addresses, address, own }
    }

    /// Returns the budget from which a turn or an offer of this many bytes may be stored.
    ///
    /// # Errors
    /// Both budgets are spent. Returns the time until one of them suffices.
    pub(crate) fn payer(&self, n_bytes: usize) -> Result<Payer, Duration> {
        let now = Instant::now();
        let of_address = self.addresses.store_wait(self.address, WriteKind::InGame, now);
        if of_address.is_zero() {
            return Ok(Payer::Address);
        }
        let of_own = self.own.wait_for(n_tokens(n_bytes), now);
        if of_own.is_zero() { Ok(Payer::Socket) } else { Err(of_own.min(of_address)) }
    }

    /// Charges the socket for a turn or an offer that was stored from this budget. The game itself charges the address.
    pub(crate) fn charge(&mut self, payer: Payer, n_bytes: usize) {
        match payer {
            Payer::Address => {}
            Payer::Socket => self.own.charge(n_tokens(n_bytes), Instant::now()),
        }
    }
}

/// The tokens for a command of this many bytes. A longer one than the whole budget waits for all of it.
fn n_tokens(n_bytes: usize) -> u32 {
    u32::try_from(n_bytes).map_or(ALWAYS_STORED.burst, |n_bytes| n_bytes.min(ALWAYS_STORED.burst))
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;
    use crate::net::{
        address::LimitedAction,
        limits::{AddressLimits, STORED_DEBT},
    };

    const LIMITS: AddressLimits = AddressLimits::times(1);
    /// Bytes of a turn.
    const TURN: usize = 200;

    /// Spends the budget of an address, as its neighbours do, and owes as much as it may.
    fn spend(addresses: &Addresses, address: Address) {
        addresses.charge(address, LimitedAction::Store, LIMITS.stored.burst as usize, Instant::now());
        while addresses.wait(address, LimitedAction::Store, Instant::now()) <= STORED_DEBT {
            addresses.charge(address, LimitedAction::Store, 1 << 20, Instant::now());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn turns_of_a_socket_go_on_at_a_rate_of_its_own_when_neighbours_have_spent_the_budget() {
        let addresses = Addresses::new(LIMITS);
        let address = Address::of_tests(1);
        let mut socket = StoreBudget::new(addresses.clone(), address);
        for _ in 0..1_000 {
            assert_eq!(socket.payer(TURN), Ok(Payer::Address));
            socket.charge(Payer::Address, TURN);
        }
        spend(&addresses, address);
        let (began, mut n_turns) = (Instant::now(), 0);
        while began.elapsed() < Duration::from_secs(60 * 60) {
            match socket.payer(TURN) {
                Err(wait) => {
                    assert!(wait <= Duration::from_secs(25), "{wait:?}");
                    advance(wait).await;
                }
                Ok(payer) => {
                    assert_eq!(payer, Payer::Socket);
                    socket.charge(payer, TURN);
                    n_turns += 1;
                }
            }
        }
        assert!((140..=144).contains(&n_turns), "{n_turns} an hour");
        advance(Duration::from_secs(10 * 60)).await;
        let at_once = std::iter::repeat_with(|| socket.payer(TURN).map(|payer| socket.charge(payer, TURN)));
        assert_eq!(at_once.take_while(Result::is_ok).count(), 10, "a rest is saved up");
        assert!(socket.payer(1 << 20).is_err(), "a turn longer than all of it waits for all");
        advance(Duration::from_secs(5 * 60)).await;
        assert_eq!(socket.payer(1 << 20), Ok(Payer::Socket));
    }

    #[tokio::test(start_paused = true)]
    async fn opening_sockets_again_and_again_stores_no_more() {
        let addresses = Addresses::new(LIMITS);
        let address = Address::of_tests(1);
        spend(&addresses, address);
        for _ in 0..100 {
            let socket = StoreBudget::new(addresses.clone(), address);
            assert!(socket.payer(TURN).is_err());
            advance(Duration::from_secs(24)).await;
            assert!(socket.payer(TURN).is_err());
        }
    }
}
