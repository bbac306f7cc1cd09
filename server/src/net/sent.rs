//! Bytes sent to an address: counted over its sockets and answers, and the budget of each socket when they are too many.

use std::time::Duration;

use tokio::time::Instant;

use crate::net::{
    address::{Address, Addresses, LimitedAction},
    limits::{ALWAYS_SENT, TokenBucket},
};

/// Bytes that a connection counts by itself before it charges them, so that small frames touch no shared state.
const SETTLED_AT: usize = 16 * 1024;

const KIB: usize = 1024;

/// Charges an address for the bytes sent over one connection, the last ones on drop.
#[derive(Debug)]
pub(crate) struct SentBytes {
    addresses: Addresses,
    address: Address,
    unsettled: usize,
}

impl SentBytes {
    pub(crate) fn new(addresses: Addresses, address: Address) -> Self {
        Self { addresses, address, unsettled: 0 }
    }

    /// Counts bytes that are being sent.
    pub(crate) fn add(&mut self, n_bytes: usize) {
        self.unsettled += n_bytes;
        if self.unsettled >= SETTLED_AT {
            self.charge(self.unsettled / KIB);
            self.unsettled %= KIB;
        }
    }

    /// Returns the time until the address is within its budget; zero if it is.
    fn wait(&self, now: Instant) -> Duration {
        self.addresses.wait(self.address, LimitedAction::Receive, now)
    }

    fn charge(&self, n_kib: usize) {
        self.addresses.charge(self.address, LimitedAction::Receive, n_kib, Instant::now());
    }
}

impl Drop for SentBytes {
    fn drop(&mut self) {
        if self.unsettled > 0 {
            self.charge(self.unsettled.div_ceil(KIB));
        }
    }
}

/// The budget of bytes sent to a socket. While its address is over its budget, the socket is sent [`ALWAYS_SENT`] and no more: the games
/// that its player plays go on, whatever its neighbours read.
#[derive(Debug)]
pub(crate) struct SendBudget {
    sent: SentBytes,
    /// Bytes that the socket is sent whatever its address has been sent.
    own: TokenBucket,
}

impl SendBudget {
    pub(crate) fn new(addresses: Addresses, address: Address) -> Self {
        let own = TokenBucket::new(ALWAYS_SENT, Instant::now());
        Self { sent: SentBytes::new(addresses, address), own }
    }

    /// Counts bytes that are being sent.
    pub(crate) fn add(&mut self, n_bytes: usize) {
        let now = Instant::now();
        // A long frame delays the next one by the time of a burst at most.
        if self.own.wait(now).is_zero() {
            self.own
                .charge(u32::try_from(n_bytes).map_or(ALWAYS_SENT.burst, |n| n.min(ALWAYS_SENT.burst)), now);
        }
        self.sent.add(n_bytes);
    }

    /// Returns how long the next frame has to wait; `None` if it may be sent now.
    pub(crate) fn pause(&self) -> Option<Duration> {
        let now = Instant::now();
        let of_own = self.own.wait(now);
        if of_own.is_zero() {
            return None;
        }
        Some(of_own.min(self.sent.wait(now))).filter(|wait| !wait.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;
    use crate::net::limits::AddressLimits;

    const LIMITS: AddressLimits = AddressLimits::times(1);

    fn all_of_it() -> usize {
        LIMITS.sent_kib.burst as usize * KIB
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_count_over_all_connections_of_an_address_and_of_no_other() {
        let addresses = Addresses::new(LIMITS);
        let [spent, other] = [1, 2].map(Address::of_tests);
        let may_receive = |address| addresses.may_receive(address, Instant::now());
        let mut connections = [(); 2].map(|()| SentBytes::new(addresses.clone(), spent));
        for _ in 0..all_of_it() / 2 / 500 {
            connections.iter_mut().for_each(|connection| connection.add(500));
        }
        assert_eq!(may_receive(spent), Ok(()), "the last of them are not counted yet");
        drop(connections);
        let wait = may_receive(spent).unwrap_err();
        assert!(wait <= Duration::from_millis(1), "{wait:?}");
        assert_eq!(may_receive(other), Ok(()));
        advance(wait).await;
        assert_eq!(may_receive(spent), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn one_long_answer_is_paid_off_before_the_next() {
        let addresses = Addresses::new(LIMITS);
        let address = Address::of_tests(1);
        SentBytes::new(addresses.clone(), address).add(all_of_it() + 50 * KIB * KIB);
        let wait = addresses.may_receive(address, Instant::now()).unwrap_err();
        assert!((9_990..10_010).contains(&wait.as_millis()), "{wait:?}: 50 MiB at 5 MiB a second");
    }

    #[tokio::test(start_paused = true)]
    async fn a_socket_of_an_address_over_its_budget_is_slowed_to_a_rate_that_all_its_sockets_have() {
        let addresses = Addresses::new(LIMITS);
        let address = Address::of_tests(1);
        let mut socket = SendBudget::new(addresses.clone(), address);
        for _ in 0..1_000 {
            assert_eq!(socket.pause(), None, "an address within its budget is sent everything at once");
            socket.add(10 * KIB);
        }
        SentBytes::new(addresses.clone(), address).add(all_of_it());
        let began = Instant::now();
        let mut n_bytes = 0;
        while began.elapsed() < Duration::from_secs(100) {
            match socket.pause() {
                Some(pause) => {
                    assert!(pause <= Duration::from_secs(2), "{pause:?}");
                    // The neighbours go on.
                    addresses.charge(address, LimitedAction::Receive, 50_000, Instant::now());
                    advance(pause).await;
                }
                None => {
                    socket.add(KIB);
                    n_bytes += KIB;
                }
            }
        }
        let rate = n_bytes / 100;
        assert!((15 * KIB..=17 * KIB).contains(&rate), "{rate} bytes a second");
    }

    #[test]
    fn what_all_sockets_of_an_address_are_always_sent_fits_into_its_budget() {
        let second = Duration::from_secs(1);
        let of_sockets = f64::from(LIMITS.sockets) * second.div_duration_f64(ALWAYS_SENT.each);
        let of_address = second.div_duration_f64(LIMITS.sent_kib.each) * KIB as f64;
        assert!(of_sockets < of_address, "{of_sockets} {of_address}");
    }
}
