//! Client addresses, the networks around them, and the limits of both.

mod client;
mod held;
mod rates;
mod slots;

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use self::rates::TokenBuckets;
pub(crate) use self::{
    client::{Client, Misconfigured, Proxies},
    held::{LimitedResource, ResourceGuard, TooMany},
    rates::{LimitedAction, WriteKind},
    slots::{Slot, Slots, SlottedWork},
};
use crate::{
    metrics::{self, METRICS},
    net::limits::AddressLimits,
    recent::Recent,
};

/// Capacity of each of the two generations of rate-limit state for the networks of one size: as many entries as a table
/// of 8192 slots takes. Under heavy churn an entry may expire early; memory stays bounded.
const REMEMBERED: usize = 7168;

/// A client address: an IPv4 address, or a /64 of IPv6, of which every host uses as many addresses as it likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Address(IpAddr);

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            address @ IpAddr::V6(_) => NetworkSize::Slash64.prefix(address),
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// The sizes of the networks that have limits. One subscriber of IPv6 usually has a /56, that is 256 addresses, and at
/// most a /48, that is 65,536; but a mobile network has a subscriber in each /64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NetworkSize {
    /// An address of IPv4, which is one [`Address`].
    Ipv4,
    /// A /64 of IPv6, which is one [`Address`].
    Slash64,
    Slash56,
    Slash48,
}

impl NetworkSize {
    const ALL: [Self; 4] = [Self::Ipv4, Self::Slash64, Self::Slash56, Self::Slash48];

    /// The sizes of the networks of an address of IPv6, smallest first.
    const OF_IPV6: [Self; 3] = [Self::Slash64, Self::Slash56, Self::Slash48];

    /// Number by which the limits of one address are multiplied for such a network.
    pub(crate) const fn multiple(self) -> u32 {
        match self {
            Self::Ipv4 | Self::Slash64 => 1,
            Self::Slash56 => 4,
            Self::Slash48 => 16,
        }
    }

    /// Number of bits that distinguish the hosts of such a network.
    const fn n_host_bits(self) -> u32 {
        match self {
            Self::Ipv4 => 0,
            Self::Slash64 => 64,
            Self::Slash56 => 72,
            Self::Slash48 => 80,
        }
    }

    fn prefix(self, address: IpAddr) -> IpAddr {
        let n_cut = self.n_host_bits();
        match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> n_cut << n_cut)),
        }
    }
}

/// A network whose clients share limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Network {
    prefix: IpAddr,
    pub(crate) size: NetworkSize,
}

impl Address {
    /// Returns the networks whose limits hold for the address, smallest first: of IPv4 the address alone, of IPv6 also
    /// the /56 and the /48 around it.
    pub(crate) fn networks(self) -> impl DoubleEndedIterator<Item = Network> {
        let sizes: &[NetworkSize] = match self.0 {
            IpAddr::V4(_) => &[NetworkSize::Ipv4],
            IpAddr::V6(_) => &NetworkSize::OF_IPV6,
        };
        sizes.iter().map(move |&size| Network { prefix: size.prefix(self.0), size })
    }

    /// Returns the largest network that may be one subscriber's: where addresses share something equally, it has one
    /// share.
    pub(crate) fn subscriber(self) -> Network {
        self.networks().next_back().expect("an address is a network")
    }
}

#[cfg(test)]
impl Address {
    /// An address of its own for each number.
    pub(crate) fn of_tests(number: u32) -> Self {
        IpAddr::V4(std::net::Ipv4Addr::from_bits(number)).into()
    }

    /// A /64 of its own for each number; each 256 are in one /56, and each 65,536 in one /48.
    pub(crate) fn of_slash_32(number: u32) -> Self {
        let bits = u128::from(0x2001_0db8_u32) << 96 | u128::from(number) << 64;
        IpAddr::V6(Ipv6Addr::from_bits(bits)).into()
    }
}

/// Rate limits and held resources of all client addresses, and of the networks around them.
#[derive(Clone, Debug)]
pub(crate) struct Addresses(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// The limits of a network of each size.
    limits: [AddressLimits; NetworkSize::ALL.len()],
    known: Mutex<AddressTable>,
}

#[derive(Debug)]
struct AddressTable {
    /// Token buckets of recently active networks, those of each size apart: whoever uses thousands of small networks
    /// displaces neither the larger ones around them nor the addresses of IPv4.
    buckets: [Recent<Network, TokenBuckets>; NetworkSize::ALL.len()],
    /// Number of resources held; entries are never 0.
    open: HashMap<(Network, LimitedResource), u32>,
    /// Slots of the networks with work in progress.
    slots: HashMap<(Network, SlottedWork), Arc<Semaphore>>,
}

impl Addresses {
    /// Returns the state of all addresses, none of them known yet. `limits` are those of one address.
    pub(crate) fn new(limits: AddressLimits) -> Self {
        let buckets = NetworkSize::ALL.map(|_| Recent::new(REMEMBERED));
        let known = AddressTable { buckets, open: HashMap::new(), slots: HashMap::new() };
        let limits = NetworkSize::ALL.map(|size| limits.times_again(size.multiple()));
        Self(Arc::new(Shared { limits, known: Mutex::new(known) }))
    }
}

fn count_refused(kind: &'static str) {
    METRICS.refused.get_or_create(&metrics::KindLabel { kind }).inc();
}

impl Shared {
    const fn limits(&self, network: Network) -> &AddressLimits {
        &self.limits[network.size as usize]
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt;
    use tokio::time::Instant;

    use super::*;
    use crate::net::limits::price;

    const LIMITS: AddressLimits = AddressLimits::times(1);

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// The address of a /64 of a /56 of one /48.
    fn of_slash_48(slash_56: u8, slash_64: u8) -> Address {
        Address::of_slash_32(u32::from_be_bytes([0, 1, slash_56, slash_64]))
    }

    #[tokio::test(start_paused = true)]
    async fn all_addresses_of_a_slash_56_and_of_a_slash_48_have_a_multiple_of_the_rate_of_one() {
        let (addresses, now) = (Addresses::new(LIMITS), Instant::now());
        let take = |address| addresses.take(address, LimitedAction::Session, now);
        let n_taken = |slash_56: u8| {
            (0..=u8::MAX)
                .map(|slash_64| {
                    let address = of_slash_48(slash_56, slash_64);
                    (0..=LIMITS.sessions.burst).take_while(|_| take(address).is_ok()).count()
                })
                .sum::<usize>()
        };
        let of_one = LIMITS.sessions.burst as usize;
        assert_eq!(n_taken(0), 4 * of_one);
        assert_eq!((1..=u8::MAX).map(n_taken).sum::<usize>(), 12 * of_one);
        assert!(!addresses.wait(of_slash_48(7, 7), LimitedAction::Session, now).is_zero());
        assert_eq!(take(ip("2001:db8:2::").into()), Ok(()), "another /48");
        addresses.give_back(of_slash_48(9, 9), LimitedAction::Session, now);
        assert_eq!(take(of_slash_48(10, 10)), Ok(()), "its /56 had tokens left, and now its /48 has one");
        assert_eq!(take(of_slash_48(10, 10)), Err(Duration::from_micros(62_500)));
    }

    #[tokio::test]
    async fn all_addresses_of_a_slash_56_and_of_a_slash_48_hold_a_multiple_of_what_one_may() {
        let addresses = Addresses::new(LIMITS);
        let hold =
            |slash_56, slash_64| addresses.open(of_slash_48(slash_56, slash_64), LimitedResource::Review);
        let mut held = Vec::new();
        for slash_64 in 0..4 {
            held.push(hold(0, slash_64).unwrap());
        }
        assert_eq!(hold(0, 4).unwrap_err(), TooMany { limit: 4 * LIMITS.reviews }, "the /56 is full");
        for slash_56 in 1..13 {
            held.push(hold(slash_56, 0).unwrap());
        }
        assert_eq!(hold(13, 0).unwrap_err(), TooMany { limit: 16 * LIMITS.reviews }, "the /48 is full");
        held.pop();
        assert!(hold(13, 0).is_ok());
        assert!(hold(0, 4).is_err(), "the /56 is still full");
        drop(held);
        assert!(addresses.0.known.lock().open.is_empty(), "nothing is remembered of clients that are gone");
    }

    #[tokio::test]
    async fn work_of_all_addresses_of_a_slash_48_beyond_a_multiple_of_the_slots_of_one_waits() {
        let addresses = Addresses::new(LIMITS);
        let slot = |slash_56, slash_64| addresses.slot(of_slash_48(slash_56, slash_64), SlottedWork::Request);
        let mut under_way = Vec::new();
        for number in 0..16 * LIMITS.requests_at_once as u8 {
            under_way.push(slot(number, number).await);
        }
        let mut next = Box::pin(slot(255, 255));
        assert!(next.as_mut().now_or_never().is_none());
        under_way.pop();
        drop(next.await);
        drop(under_way);
        assert!(addresses.0.known.lock().slots.is_empty(), "nothing is remembered of clients that are gone");
    }

    #[test]
    fn a_subscriber_has_an_address_of_ipv4_or_a_slash_48() {
        assert_eq!(of_slash_48(1, 2).subscriber(), of_slash_48(255, 255).subscriber());
        assert_ne!(of_slash_48(1, 2).subscriber(), Address::from(ip("2001:db8:2::")).subscriber());
        assert_ne!(Address::from(ip("192.0.2.1")).subscriber(), Address::from(ip("192.0.2.2")).subscriber());
    }

    #[test]
    fn a_host_of_ipv6_is_one_client_whatever_address_it_uses() {
        assert_eq!(Address::from(ip("2001:db8:1:2::3")), ip("2001:db8:1:2:ffff::").into());
        assert_ne!(Address::from(ip("2001:db8:1:2::3")), ip("2001:db8:1:3::3").into());
        assert_eq!(Address::from(ip("::ffff:192.0.2.1")), ip("192.0.2.1").into());
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_is_held_to_its_rates_and_the_others_are_not() {
        let (addresses, now) = (Addresses::new(LIMITS), Instant::now());
        for _ in 0..LIMITS.sessions.burst {
            assert_eq!(addresses.take(Address::of_tests(1), LimitedAction::Session, now), Ok(()));
        }
        assert_eq!(
            addresses.take(Address::of_tests(1), LimitedAction::Session, now),
            Err(Duration::from_secs(1))
        );
        assert_eq!(
            addresses.take(Address::of_tests(1), LimitedAction::Room, now),
            Ok(()),
            "each action has a rate of its own"
        );
        assert_eq!(addresses.take(Address::of_tests(2), LimitedAction::Session, now), Ok(()));
        let later = now + Duration::from_secs(1);
        assert_eq!(addresses.take(Address::of_tests(1), LimitedAction::Session, later), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_was_sent_many_events_waits_for_its_next_game() {
        let (addresses, now) = (Addresses::new(LIMITS), Instant::now());
        let n_events = LIMITS.events.burst as usize;
        assert_eq!(addresses.take(Address::of_tests(1), LimitedAction::Events, now), Ok(()));
        addresses.charge(Address::of_tests(1), LimitedAction::Events, n_events + 3_999, now);
        assert_eq!(
            addresses.take(Address::of_tests(1), LimitedAction::Events, now),
            Err(Duration::from_micros(2_000_500))
        );
        assert_eq!(addresses.take(Address::of_tests(2), LimitedAction::Events, now), Ok(()));
        assert_eq!(
            addresses.take(
                Address::of_tests(1),
                LimitedAction::Events,
                now + Duration::from_micros(2_000_500)
            ),
            Ok(())
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_spent_budget_of_stored_bytes_refuses_new_things_first_and_turns_only_beyond_its_rate() {
        let (addresses, mut now) = (Addresses::new(LIMITS), Instant::now());
        let (address, all) = (Address::of_tests(1), LIMITS.stored.burst as usize);
        let may_store = |what, now| addresses.may_store(address, what, now);
        let counted = METRICS.stored_bytes.get();
        // A club of ten on one address: a hundred games of sixty turns for each of them, all at once.
        addresses.charge(address, LimitedAction::Store, 1_000 * (price::GAME + 60 * 200), now);
        assert_eq!(may_store(WriteKind::Other, now), Ok(()));
        addresses.charge(address, LimitedAction::Store, all / 2, now);
        assert!(METRICS.stored_bytes.get() >= counted + (all / 2) as u64);
        assert!(may_store(WriteKind::Other, now).is_err());
        assert_eq!(may_store(WriteKind::InGame, now), Ok(()));
        assert_eq!(addresses.may_store(Address::of_tests(2), WriteKind::Other, now), Ok(()));
        addresses.charge(address, LimitedAction::Store, all / 2, now);
        let (mut n_bytes, end) = (0, now + Duration::from_secs(24 * 60 * 60));
        while now < end {
            if let Err(wait) = may_store(WriteKind::InGame, now) {
                now += wait;
                continue;
            }
            addresses.charge(address, LimitedAction::Store, 20_000, now);
            n_bytes += 20_000;
        }
        assert!((all * 7 / 10..=all + 20_000).contains(&n_bytes), "{n_bytes} in a day");
        assert!(may_store(WriteKind::Other, now + Duration::from_secs(11 * 60 * 60)).is_err());
        assert_eq!(may_store(WriteKind::Other, now + Duration::from_secs(13 * 60 * 60)), Ok(()));
    }

    #[test]
    fn a_closed_resource_makes_room_for_another() {
        let addresses = Addresses::new(LIMITS);
        let mut open: Vec<ResourceGuard> = (0..LIMITS.sockets)
            .map(|_| addresses.open(Address::of_tests(1), LimitedResource::Socket).unwrap())
            .collect();
        let refused = || METRICS.refused.get_or_create(&metrics::KindLabel { kind: "socket" }).get();
        let before = refused();
        let too_many = addresses.open(Address::of_tests(1), LimitedResource::Socket).unwrap_err();
        assert!(refused() > before, "the log reports it");
        assert_eq!(too_many, TooMany { limit: LIMITS.sockets });
        drop(addresses.open(Address::of_tests(2), LimitedResource::Socket).unwrap());
        drop(addresses.open(Address::of_tests(1), LimitedResource::Connection).unwrap());
        open.pop();
        open.push(addresses.open(Address::of_tests(1), LimitedResource::Socket).unwrap());
        drop(open);
        assert!(addresses.0.known.lock().open.is_empty(), "nothing is remembered of clients that are gone");
    }

    #[tokio::test]
    async fn requests_of_one_address_beyond_its_slots_wait() {
        let addresses = Addresses::new(LIMITS);
        let slot = |number| addresses.slot(Address::of_tests(number), SlottedWork::Request);
        let mut under_way = Vec::new();
        for _ in 0..LIMITS.requests_at_once {
            under_way.push(slot(1).await);
        }
        let mut next = Box::pin(slot(1));
        assert!(next.as_mut().now_or_never().is_none());
        drop(addresses.slot(Address::of_tests(1), SlottedWork::Follow).await);
        drop(slot(2).await);
        under_way.pop();
        under_way.push(next.await);
        let given_up = Box::pin(slot(1)).as_mut().now_or_never();
        assert!(given_up.is_none());
        drop(under_way);
        assert!(addresses.0.known.lock().slots.is_empty(), "nothing is remembered of clients that are gone");
    }

    #[tokio::test(start_paused = true)]
    async fn a_returning_address_is_still_known_when_the_memory_is_full() {
        let (addresses, now) = (Addresses::new(LIMITS), Instant::now());
        for _ in 0..LIMITS.rooms.burst {
            assert_eq!(addresses.take(Address::of_tests(0), LimitedAction::Room, now), Ok(()));
        }
        for number in 1..2 * REMEMBERED as u32 {
            assert_eq!(addresses.take(Address::of_tests(number), LimitedAction::Room, now), Ok(()));
        }
        assert!(addresses.take(Address::of_tests(0), LimitedAction::Room, now).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn of_many_addresses_the_latest_are_remembered() {
        let (addresses, now) = (Addresses::new(LIMITS), Instant::now());
        for _ in 0..LIMITS.rooms.burst {
            assert_eq!(addresses.take(Address::of_tests(0), LimitedAction::Room, now), Ok(()));
        }
        for number in 1..=10 * REMEMBERED as u32 {
            assert_eq!(addresses.take(Address::of_tests(number), LimitedAction::Room, now), Ok(()));
            if number % 1000 == 0 {
                assert!(
                    addresses.take(Address::of_tests(0), LimitedAction::Room, now).is_err(),
                    "who goes on asking is remembered"
                );
            }
        }
        assert!(addresses.0.known.lock().buckets.iter().all(|buckets| buckets.len() <= 2 * REMEMBERED));
    }

    #[tokio::test(start_paused = true)]
    async fn a_subscriber_of_ipv6_displaces_no_address_of_ipv4_and_no_other_subscriber() {
        let (addresses, now) = (Addresses::new(LIMITS), Instant::now());
        let take = |address| addresses.take(address, LimitedAction::Room, now);
        let of_ipv4 = Address::of_tests(1);
        while take(of_ipv4).is_ok() {}
        for number in 0..=u8::MAX {
            while take(of_slash_48(number, number)).is_ok() {}
        }
        for number in 0..3 * REMEMBERED as u32 {
            addresses.charge(Address::of_slash_32(number), LimitedAction::Room, 0, now);
        }
        assert!(take(of_ipv4).is_err());
        assert!(take(of_slash_48(7, 77)).is_err(), "its /64 is new, its /56 and its /48 are known");
    }
}
