//! Client addresses: their discovery behind proxies, and the limits that apply to each of them.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::{
    metrics::{self, METRICS},
    net::limits::{AddressLimits, TokenBucket},
    recent::Recent,
};

/// Capacity of each of the two generations of rate-limit state. Under heavy churn an entry may expire early; memory
/// stays bounded.
const REMEMBERED: usize = 8192;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// A client address: an IPv4 address, or the /64 prefix of IPv6 that one subscriber has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Address(IpAddr);

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
            address @ IpAddr::V4(_) => address,
        })
    }
}

#[cfg(test)]
impl Address {
    /// An address of its own for each number.
    pub(crate) fn of_tests(number: u32) -> Self {
        IpAddr::V4(std::net::Ipv4Addr::from_bits(number)).into()
    }
}

/// The sender of a request, as far as it is known without a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) address: Address,
    /// Whether the request came over HTTPS, according to a trusted proxy.
    pub(crate) is_https: bool,
}

/// The trusted proxies: their forwarding headers are believed.
#[derive(Clone, Debug)]
pub(crate) struct Proxies(Arc<[IpNet]>);

impl Proxies {
    /// Returns the trusted proxies with addresses in these networks.
    pub(crate) fn new(networks: &[IpNet]) -> Self {
        Self(networks.into())
    }

    /// Whether a peer is a trusted proxy.
    pub(crate) fn are_trusted_at(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Returns the client of a request: the last address in the forwarding headers that is named by a trusted proxy and
    /// is not one itself. Each proxy appends the address that it received the request from; anything before the
    /// client's own address may be forged by the client.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> Client {
        if !self.are_trusted_at(peer) {
            return Client { address: peer.into(), is_https: false };
        }
        let named = headers.get_all(FORWARDED_FOR).iter().rev();
        // The part before the client's own address may be arbitrary bytes.
        let named = named.flat_map(|value| value.as_bytes().rsplit(|byte| *byte == b','));
        let mut address = peer;
        for named in named.map(named_address) {
            let Some(named) = named else { break };
            address = named;
            if !self.are_trusted_at(address) {
                break;
            }
        }
        let protocol = headers.get_all(FORWARDED_PROTO).iter().next_back();
        let is_https = protocol.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"https"));
        Client { address: address.into(), is_https }
    }

    /// Whether a request seems to come through an untrusted proxy.
    pub(crate) fn are_missing(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        headers.contains_key(FORWARDED_FOR) && !self.are_trusted_at(peer)
    }
}

/// An address in `X-Forwarded-For`; some proxies add the port.
fn named_address(bytes: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(bytes).ok()?.trim();
    text.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

/// A rate-limited action of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitedAction {
    /// Opening a connection.
    Connection,
    Request,
    Session,
    /// Making a room, or beginning a game by joining a room, in a pool, or as a rematch.
    Room,
    Name,
    /// Blocking or unblocking a player.
    Block,
    /// Sending a message over a socket.
    Message,
    /// Saying a line in a chat.
    Line,
    /// Reading a page of a list of games.
    List,
    /// Asking for a picture.
    Picture,
    /// Beginning to follow a game; the events sent for it are [charged](Addresses::charge).
    Follow,
}

/// A resource of which an address may hold a limited number at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LimitedResource {
    Connection,
    /// A request that a trusted proxy carries. The client decides how long it lasts, as with a connection of its own.
    Carried,
    Socket,
    /// A list that is being read, or is waiting to be read.
    List,
    /// A game or a record that is being read over HTTP.
    Document,
    /// A game that a socket follows.
    Watch,
    /// A review of a game that is being computed.
    Review,
}

/// The address holds the maximum number of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany {
    pub(crate) limit: u32,
}

/// Rate limits and held resources of all client addresses.
#[derive(Clone, Debug)]
pub(crate) struct Addresses(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limits: AddressLimits,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    /// Token buckets of recently active addresses.
    buckets: Recent<Address, TokenBuckets>,
    /// Number of resources held; entries are never 0.
    open: HashMap<(Address, LimitedResource), u32>,
    /// Slots of the addresses with work in progress.
    slots: HashMap<(Address, SlottedWork), Arc<Semaphore>>,
}

#[derive(Debug)]
struct TokenBuckets {
    connections: TokenBucket,
    requests: TokenBucket,
    sessions: TokenBucket,
    rooms: TokenBucket,
    names: TokenBucket,
    blocks: TokenBucket,
    messages: TokenBucket,
    lines: TokenBucket,
    lists: TokenBucket,
    pictures: TokenBucket,
    events: TokenBucket,
}

impl TokenBuckets {
    fn new(limits: &AddressLimits, now: Instant) -> Self {
        Self {
            connections: TokenBucket::new(limits.new_connections, now),
            requests: TokenBucket::new(limits.requests, now),
            sessions: TokenBucket::new(limits.sessions, now),
            rooms: TokenBucket::new(limits.rooms, now),
            names: TokenBucket::new(limits.names, now),
            blocks: TokenBucket::new(limits.blocks, now),
            messages: TokenBucket::new(limits.messages, now),
            lines: TokenBucket::new(limits.lines, now),
            lists: TokenBucket::new(limits.lists, now),
            pictures: TokenBucket::new(limits.pictures, now),
            events: TokenBucket::new(limits.events, now),
        }
    }
}

impl Addresses {
    /// Returns the state of all addresses, none of them known yet.
    pub(crate) fn new(limits: AddressLimits) -> Self {
        let known = Known { buckets: Recent::new(REMEMBERED), open: HashMap::new(), slots: HashMap::new() };
        Self(Arc::new(Shared { limits, known: Mutex::new(known) }))
    }

    /// Takes a token for an action of an address.
    ///
    /// # Errors
    /// Returns the time until a token is available.
    pub(crate) fn take(&self, address: Address, action: LimitedAction, now: Instant) -> Result<(), Duration> {
        self.with_bucket(address, action, now, |bucket| bucket.take(now)).inspect_err(|_| {
            count_refused(match action {
                LimitedAction::Connection => "new_connection",
                LimitedAction::Request => "request",
                LimitedAction::Session => "session",
                LimitedAction::Room => "room",
                LimitedAction::Name => "name",
                LimitedAction::Block => "block",
                LimitedAction::Message => "message",
                LimitedAction::Line => "line",
                LimitedAction::List => "list",
                LimitedAction::Picture => "picture",
                LimitedAction::Follow => "events",
            });
        })
    }

    /// Returns the time until an address may perform an action; zero if it may now.
    pub(crate) fn wait(&self, address: Address, action: LimitedAction, now: Instant) -> Duration {
        self.with_bucket(address, action, now, |bucket| bucket.wait(now))
    }

    /// Returns the token that [`take`](Self::take) took: the action was not performed.
    pub(crate) fn give_back(&self, address: Address, action: LimitedAction, now: Instant) {
        self.with_bucket(address, action, now, TokenBucket::give_back)
    }

    fn with_bucket<T>(
        &self,
        address: Address,
        action: LimitedAction,
        now: Instant,
        act: impl FnOnce(&mut TokenBucket) -> T,
    ) -> T {
        let mut known = self.0.known();
        let buckets = known.buckets.get(address, || TokenBuckets::new(&self.0.limits, now));
        act(match action {
            LimitedAction::Connection => &mut buckets.connections,
            LimitedAction::Request => &mut buckets.requests,
            LimitedAction::Session => &mut buckets.sessions,
            LimitedAction::Room => &mut buckets.rooms,
            LimitedAction::Name => &mut buckets.names,
            LimitedAction::Block => &mut buckets.blocks,
            LimitedAction::Message => &mut buckets.messages,
            LimitedAction::Line => &mut buckets.lines,
            LimitedAction::List => &mut buckets.lists,
            LimitedAction::Picture => &mut buckets.pictures,
            LimitedAction::Follow => &mut buckets.events,
        })
    }

    /// Charges further tokens for something already done: the events that an address was sent when it began to follow a
    /// game, or large answers.
    pub(crate) fn charge(&self, address: Address, action: LimitedAction, n_actions: usize, now: Instant) {
        let n_actions = u32::try_from(n_actions).unwrap_or(u32::MAX);
        self.with_bucket(address, action, now, |bucket| bucket.charge(n_actions, now));
    }

    /// Counts a resource that an address holds until the returned guard is dropped.
    ///
    /// # Errors
    /// The address holds the maximum number already.
    pub(crate) fn open(&self, address: Address, kind: LimitedResource) -> Result<Open, TooMany> {
        let (limit, name) = match kind {
            LimitedResource::Connection => (self.0.limits.connections, "connection"),
            LimitedResource::Carried => (self.0.limits.connections, "carried"),
            LimitedResource::Socket => (self.0.limits.sockets, "socket"),
            LimitedResource::List => (self.0.limits.reads, "list"),
            LimitedResource::Document => (self.0.limits.documents, "document"),
            LimitedResource::Watch => (self.0.limits.watches, "watch"),
            LimitedResource::Review => (self.0.limits.reviews, "review"),
        };
        let mut known = self.0.known();
        let open = known.open.entry((address, kind)).or_default();
        if *open == limit {
            count_refused(name);
            return Err(TooMany { limit });
        }
        *open += 1;
        Ok(Open { shared: self.0.clone(), place: (address, kind) })
    }
}

/// Work of which a bounded number of pieces of one address is in progress. Further pieces wait: however many connections
/// an address has, only a few of its tasks compete with those of other addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SlottedWork {
    /// An HTTP request.
    Request,
    /// The start of following a game.
    Follow,
    /// A message of a socket.
    Message,
}

impl Addresses {
    /// Waits until a piece of work of an address may be processed. The number of waiting pieces is bounded by the number
    /// of its connections and [carried requests](LimitedResource::Carried).
    pub(crate) async fn slot(&self, address: Address, work: SlottedWork) -> Slot {
        let slots = self.slots(address, work);
        Slot { _permit: slots.acquire().await, _slots: slots }
    }

    /// Returns the slots of an address for some work, for a client that needs one again and again.
    pub(crate) fn slots(&self, address: Address, work: SlottedWork) -> Slots {
        let n_slots = match work {
            SlottedWork::Request => self.0.limits.requests_at_once,
            SlottedWork::Follow => self.0.limits.follows_at_once,
            SlottedWork::Message => self.0.limits.messages_at_once,
        };
        let place = (address, work);
        let slots =
            self.0.known().slots.entry(place).or_insert_with(|| Arc::new(Semaphore::new(n_slots))).clone();
        Slots { shared: self.0.clone(), place, slots: Some(slots) }
    }
}

/// The slot of a piece of work in progress. The permit is released before the slots, which are forgotten with the last
/// owner.
#[derive(Debug)]
pub(crate) struct Slot {
    _permit: Option<OwnedSemaphorePermit>,
    _slots: Slots,
}

/// The slots of an address for some work.
#[derive(Debug)]
pub(crate) struct Slots {
    shared: Arc<Shared>,
    place: (Address, SlottedWork),
    /// Taken on drop only.
    slots: Option<Arc<Semaphore>>,
}

impl Slots {
    /// Waits for a slot, which is free again when the permit is dropped. The permit must be dropped before these slots, or
    /// their entry is never removed.
    pub(crate) async fn acquire(&self) -> Option<OwnedSemaphorePermit> {
        self.slots.clone()?.acquire_owned().await.ok()
    }
}

impl Drop for Slots {
    fn drop(&mut self) {
        let mut known = self.shared.known();
        drop(self.slots.take());
        if known.slots.get(&self.place).is_some_and(|slots| Arc::strong_count(slots) == 1) {
            known.slots.remove(&self.place);
        }
    }
}

fn count_refused(kind: &'static str) {
    METRICS.refused.get_or_create(&metrics::KindLabel { kind }).inc();
}

impl Shared {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Guard of a resource that an address holds.
#[derive(Debug)]
pub(crate) struct Open {
    shared: Arc<Shared>,
    place: (Address, LimitedResource),
}

impl Drop for Open {
    fn drop(&mut self) {
        let mut known = self.shared.known();
        if let Some(open) = known.open.get_mut(&self.place) {
            *open -= 1;
            if *open == 0 {
                known.open.remove(&self.place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use futures_util::FutureExt;

    use super::*;

    const LIMITS: AddressLimits = AddressLimits::times(1);

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn client(peer: &str, forwarded_for: &[&str]) -> Address {
        let proxies = Proxies::new(&["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        let mut headers = HeaderMap::new();
        for value in forwarded_for {
            headers.append(FORWARDED_FOR, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        proxies.client(ip(peer), &headers).address
    }

    #[test]
    fn the_client_is_the_last_address_that_a_trusted_proxy_names() {
        for (peer, forwarded_for, expected) in [
            ("192.0.2.1", &[][..], "192.0.2.1"),
            ("192.0.2.1", &["198.51.100.7"], "192.0.2.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.7"], "198.51.100.7"),
            ("::ffff:10.0.0.1", &["198.51.100.7:4711"], "198.51.100.7"),
            ("10.0.0.1", &["203.0.113.9, 198.51.100.7,10.0.0.2"], "198.51.100.7"),
            ("10.0.0.1", &["203.0.113.9", "198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["203.0.113.9, nonsense"], "10.0.0.1"),
            ("10.0.0.1", &["\u{e9}, 198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", &["203.0.113.9, nonsense, 10.0.0.2"], "10.0.0.2"),
            ("fd00::1", &["[2001:db8::1]:80"], "2001:db8::1"),
        ] {
            assert_eq!(client(peer, forwarded_for), ip(expected).into(), "{peer} {forwarded_for:?}");
        }
    }

    #[test]
    fn only_a_trusted_proxy_can_report_https() {
        let proxies = Proxies::new(&["10.0.0.0/8".parse().unwrap()]);
        let headers = HeaderMap::from_iter([(FORWARDED_PROTO, HeaderValue::from_static("https"))]);
        assert!(proxies.client(ip("10.0.0.1"), &headers).is_https);
        assert!(!proxies.client(ip("192.0.2.1"), &headers).is_https);
        assert!(!proxies.client(ip("10.0.0.1"), &HeaderMap::new()).is_https);
    }

    #[test]
    fn a_subscriber_of_ipv6_is_one_client_whatever_address_is_used() {
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
        assert_eq!(addresses.take(Address::of_tests(1), LimitedAction::Follow, now), Ok(()));
        addresses.charge(Address::of_tests(1), LimitedAction::Follow, n_events + 3_999, now);
        assert_eq!(
            addresses.take(Address::of_tests(1), LimitedAction::Follow, now),
            Err(Duration::from_micros(2_000_500))
        );
        assert_eq!(addresses.take(Address::of_tests(2), LimitedAction::Follow, now), Ok(()));
        assert_eq!(
            addresses.take(
                Address::of_tests(1),
                LimitedAction::Follow,
                now + Duration::from_micros(2_000_500)
            ),
            Ok(())
        );
    }

    #[test]
    fn a_closed_resource_makes_room_for_another() {
        let addresses = Addresses::new(LIMITS);
        let mut open: Vec<Open> = (0..LIMITS.sockets)
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
        assert!(addresses.0.known().open.is_empty(), "nothing is remembered of clients that are gone");
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
        assert!(addresses.0.known().slots.is_empty(), "nothing is remembered of clients that are gone");
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
        assert!(addresses.0.known().buckets.len() <= 2 * REMEMBERED);
    }
}
