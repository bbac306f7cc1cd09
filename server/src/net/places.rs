//! The places of all connections. When they get scarce, those who hold most of them lose idle connections, so that a new
//! client finds a place whoever holds the others.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    sync::{Notify, OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::{
    metrics::{Counted, METRICS},
    net::{
        address::{Address, Network, NetworkSize},
        outbox::{CloseReason, Outbox},
    },
};

/// Part of the places that is kept free: connections are displaced while fewer than one in this many are left. They
/// serve new clients until the displaced connections are closed.
const KEPT_PART: usize = 16;

/// Part of the places that is freed at once, so that not every further connection has to search all others.
const FREED_PART: usize = 128;

/// Time in which the first request of a new connection may arrive before the connection counts as idle.
const ARRIVAL: Duration = Duration::from_secs(2);

/// Number of connections that an address always finds a place for, with the [multiples](NetworkSize::multiple) of larger
/// networks: those of a browser's page. A request or a player of an address with no more than these is displaced last.
pub(super) const FEW: u32 = 8;

/// The places of this node's connections. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Places(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    n_places: usize,
    free: Arc<Semaphore>,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    places: HashMap<u64, Arc<Occupant>>,
    /// Number of places taken so far, which numbers them.
    n_numbered: u64,
    /// Number of occupants that are displaced and not yet gone.
    n_leaving: usize,
}

/// The connection at a place.
#[derive(Debug)]
struct Occupant {
    state: Mutex<State>,
    /// Notified when an HTTP connection has to close.
    displaced: Notify,
}

#[derive(Debug)]
struct State {
    /// The client that the place counts for; `None` for a proxy's connection that carries no request.
    holder: Option<Address>,
    activity: Activity,
    /// Time of the last request or message.
    since: Instant,
    is_leaving: bool,
}

#[derive(Debug)]
enum Activity {
    /// No request has come yet.
    New,
    /// No request has come after the last answer.
    Idle,
    Request,
    Socket(Outbox),
}

/// The rank of a connection for displacement within its address, first to last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Idle,
    Socket,
    /// A request, or a connection that has just arrived.
    Request,
    /// A socket whose client plays in a game under way that it follows.
    Player,
}

impl State {
    fn rank(&self, now: Instant) -> Use {
        match &self.activity {
            Activity::New if now < self.since + ARRIVAL => Use::Request,
            Activity::New | Activity::Idle => Use::Idle,
            Activity::Request => Use::Request,
            Activity::Socket(outbox) if outbox.is_playing() => Use::Player,
            Activity::Socket(_) => Use::Socket,
        }
    }
}

impl Occupant {
    /// Asks the connection to end.
    fn displace(&self) {
        let mut state = self.state.lock();
        state.is_leaving = true;
        match &state.activity {
            Activity::New | Activity::Idle | Activity::Request => self.displaced.notify_one(),
            Activity::Socket(outbox) => outbox.end(CloseReason::Displaced),
        }
    }
}

impl Places {
    /// Returns `n_places` free places.
    pub(crate) fn new(n_places: usize) -> Self {
        let (free, taken) = (Arc::new(Semaphore::new(n_places)), Mutex::default());
        Self(Arc::new(Shared { n_places, free, taken }))
    }

    /// Number of all places.
    pub(super) fn number(&self) -> usize {
        self.0.n_places
    }

    /// Number of free places.
    #[cfg(test)]
    pub(super) fn n_free(&self) -> usize {
        self.0.free.available_permits()
    }

    /// Waits for a free place, for a connection that is still to come.
    pub(super) async fn free(&self) -> OwnedSemaphorePermit {
        self.0.free.clone().acquire_owned().await.expect("the permits are never closed")
    }

    /// Whether the last free places are reserved for addresses that hold only a [`FEW`].
    pub(super) fn are_reserved(&self) -> bool {
        self.0.free.available_permits() < self.0.kept() / 2
    }

    /// Gives a place to a new connection of an address; `None` for that of a proxy. If too few places are left then,
    /// others are displaced; their number is returned too.
    pub(super) fn take(&self, place: OwnedSemaphorePermit, holder: Option<Address>) -> (Place, usize) {
        let state = State { holder, activity: Activity::New, since: Instant::now(), is_leaving: false };
        let occupant = Arc::new(Occupant { state: Mutex::new(state), displaced: Notify::new() });
        let mut taken = self.0.taken.lock();
        let number = taken.n_numbered;
        taken.n_numbered += 1;
        taken.places.insert(number, occupant.clone());
        let n_staying = taken.places.len() - taken.n_leaving;
        let n_allowed = self.0.n_places - self.0.kept();
        let n_displaced = match n_staying.checked_sub(n_allowed) {
            None | Some(0) => 0,
            Some(n_surplus) => taken.displace(n_surplus + self.0.n_places / FREED_PART),
        };
        drop(taken);
        let counted = Counted::in_gauge(&METRICS.connections);
        let shared = self.0.clone();
        (Place { number, shared, occupant, home: holder, _free: place, _counted: counted }, n_displaced)
    }

    /// Takes a free place at once, for an imaginary connection.
    #[cfg(any(test, fuzzing))]
    pub(super) fn try_take(&self) -> Option<Place> {
        let free = self.0.free.clone().try_acquire_owned().ok()?;
        Some(self.take(free, None).0)
    }

    /// Displaces some connections, when the system has no file for another one. Returns their number.
    pub(super) fn make_room(&self) -> usize {
        self.0.taken.lock().displace(self.0.n_places.div_ceil(FREED_PART))
    }
}

impl Shared {
    const fn kept(&self) -> usize {
        self.n_places / KEPT_PART
    }
}

/// The connections of an address, and their numbers in the networks around it.
struct Holder<'t> {
    address: Address,
    /// Those to be displaced first are last.
    occupants: Vec<(Order, &'t Occupant)>,
}

/// The order of an address's connections for displacement: the least used first, then the one that was silent for
/// longest, then the oldest.
type Order = (Use, Instant, u64);

/// How soon an address loses its next connection; that of the largest is displaced first.
type Turn = (IsExposed, u32, usize);

/// Whether an address loses its next connection before others lose their last idle ones: it is idle, or the address holds
/// more than a [`FEW`].
type IsExposed = bool;

impl Holder<'_> {
    fn turn(&self, held: &HashMap<Network, u32>) -> Option<Turn> {
        let ((rank, ..), _) = self.occupants.last()?;
        // In units of the smallest network, so that a /48 with sixteen connections is as large as an address with one.
        let weight = |network: Network| NetworkSize::Slash48.multiple() / network.size.multiple();
        let shares = self.address.networks().map(|network| held[&network] * weight(network));
        let largest = shares.max().unwrap_or_default();
        let is_exposed =
            matches!(rank, Use::Idle | Use::Socket) || largest > FEW * NetworkSize::Slash48.multiple();
        Some((is_exposed, largest, self.occupants.len()))
    }
}

impl Taken {
    /// Displaces connections, one after the other: each time the next one of the address that holds most, alone or with
    /// its neighbours. Returns their number.
    fn displace(&mut self, n_wanted: usize) -> usize {
        let now = Instant::now();
        let mut held: HashMap<Network, u32> = HashMap::new();
        let mut holders: HashMap<Address, Holder<'_>> = HashMap::new();
        for (&number, occupant) in &self.places {
            let state = occupant.state.lock();
            let Some(address) = state.holder.filter(|_| !state.is_leaving) else { continue };
            for network in address.networks() {
                *held.entry(network).or_default() += 1;
            }
            let holder = holders.entry(address).or_insert_with(|| Holder { address, occupants: Vec::new() });
            holder.occupants.push(((state.rank(now), state.since, number), occupant));
        }
        let mut holders: Vec<Holder<'_>> = holders.into_values().collect();
        for Holder { occupants, .. } in &mut holders {
            occupants.sort_unstable_by_key(|(order, _)| Reverse(*order));
        }
        let turns = holders.iter().enumerate();
        let mut turns: BinaryHeap<(Turn, usize)> =
            turns.filter_map(|(index, holder)| Some((holder.turn(&held)?, index))).collect();
        let mut n_displaced = 0;
        while n_displaced < n_wanted
            && let Some((turn, index)) = turns.pop()
        {
            let holder = &mut holders[index];
            // A turn only gets later, when connections of the same network are displaced.
            if holder.turn(&held) == Some(turn)
                && let Some((_, occupant)) = holder.occupants.pop()
            {
                occupant.displace();
                n_displaced += 1;
                for network in holder.address.networks() {
                    held.entry(network).and_modify(|n_held| *n_held -= 1);
                }
            }
            turns.extend(holder.turn(&held).map(|turn| (turn, index)));
        }
        self.n_leaving += n_displaced;
        METRICS.connections_displaced.inc_by(n_displaced as u64);
        n_displaced
    }
}

/// A connection's place, which is free again when it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    number: u64,
    shared: Arc<Shared>,
    occupant: Arc<Occupant>,
    /// The holder while no request is carried.
    home: Option<Address>,
    _free: OwnedSemaphorePermit,
    _counted: Counted,
}

impl Place {
    /// Waits until an HTTP connection has to close for others.
    pub(super) async fn displaced(&self) {
        self.occupant.displaced.notified().await;
    }

    /// Counts the place as busy with a request of a client, until the returned guard is dropped.
    pub(super) fn begin_request(self: &Arc<Self>, client: Address) -> Busy {
        self.set(Some(client), Activity::Request);
        Busy(self.clone())
    }

    /// Counts the place for a client's socket from now on.
    pub(crate) fn become_socket(&self, client: Address, outbox: &Outbox) {
        if self.set(Some(client), Activity::Socket(outbox.clone())) {
            outbox.end(CloseReason::Displaced);
        }
    }

    /// Records a message of the socket.
    pub(crate) fn record_message(&self, now: Instant) {
        self.occupant.state.lock().since = now;
    }

    /// Returns whether the connection was displaced already.
    fn set(&self, holder: Option<Address>, activity: Activity) -> bool {
        let mut state = self.occupant.state.lock();
        (state.holder, state.activity, state.since) = (holder, activity, Instant::now());
        state.is_leaving
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.shared.taken.lock();
        taken.places.remove(&self.number);
        if self.occupant.state.lock().is_leaving {
            taken.n_leaving -= 1;
        }
    }
}

/// A request under way at a place.
#[derive(Debug)]
pub(crate) struct Busy(Arc<Place>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.set(self.0.home, Activity::Idle);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use tokio::time::advance;

    use super::*;
    use crate::net::outbox::{Outboxes, Outgoing, Playing, WAITING_IN_ALL};

    const PLACES: usize = 160;
    /// Number of connections that nobody has to give way for.
    const ALLOWED: usize = PLACES - PLACES / KEPT_PART;
    const FREED: usize = PLACES / FREED_PART;

    struct Scene {
        places: Places,
        outboxes: Outboxes,
    }

    fn scene() -> Scene {
        Scene { places: Places::new(PLACES), outboxes: Outboxes::new(WAITING_IN_ALL) }
    }

    impl Scene {
        async fn connect(&self, address: Address) -> Arc<Place> {
            Arc::new(self.places.take(self.places.free().await, Some(address)).0)
        }

        async fn connect_many(&self, address: Address, number: usize) -> Vec<Arc<Place>> {
            let mut places = Vec::new();
            for _ in 0..number {
                places.push(self.connect(address).await);
            }
            places
        }

        async fn open_socket(&self, address: Address) -> Socket {
            let place = self.connect(address).await;
            let (outbox, outgoing) = self.outboxes.open(address);
            place.become_socket(address, &outbox);
            Socket { place, outbox, outgoing }
        }
    }

    struct Socket {
        place: Arc<Place>,
        outbox: Outbox,
        outgoing: Outgoing,
    }

    impl Socket {
        fn is_displaced(&self) -> bool {
            self.outgoing.ending.get() == Some(&CloseReason::Displaced)
        }
    }

    fn is_displaced(place: &Arc<Place>) -> bool {
        place.occupant.state.lock().is_leaving
    }

    fn n_displaced(places: &[Arc<Place>]) -> usize {
        places.iter().filter(|place| is_displaced(place)).count()
    }

    #[tokio::test(start_paused = true)]
    async fn the_address_that_holds_most_gives_way_to_a_newcomer() {
        let scene = scene();
        let [many, some, newcomer] = [1, 2, 3].map(Address::of_tests);
        let some = scene.connect_many(some, ALLOWED / 3).await;
        let many = scene.connect_many(many, ALLOWED - some.len()).await;
        assert_eq!(n_displaced(&many), 0, "there is a place for each");
        let one = scene.connect(newcomer).await;
        assert_eq!((n_displaced(&many), n_displaced(&some)), (1 + FREED, 0));
        assert!(!is_displaced(&one));
        assert!(many[0].displaced().now_or_never().is_some(), "the longest idle one");
    }

    #[tokio::test(start_paused = true)]
    async fn connections_that_are_leaving_count_no_longer_and_nobody_else_has_to_leave_for_them() {
        let scene = scene();
        let mut many = scene.connect_many(Address::of_tests(1), ALLOWED + 1).await;
        assert_eq!(n_displaced(&many), 1 + FREED);
        many.extend(scene.connect_many(Address::of_tests(1), FREED).await);
        assert_eq!(n_displaced(&many), 1 + FREED, "that many were freed");
        many.retain(|place| !is_displaced(place));
        assert_eq!(scene.places.0.taken.lock().n_leaving, 0);
        many.extend(scene.connect_many(Address::of_tests(1), 1).await);
        assert_eq!(n_displaced(&many), 1 + FREED);
        drop(many);
        assert!(scene.places.0.taken.lock().places.is_empty());
        assert_eq!(scene.places.0.free.available_permits(), PLACES);
    }

    #[tokio::test(start_paused = true)]
    async fn many_addresses_of_one_slash_48_are_one_large_holder() {
        let scene = scene();
        let mut spread = Vec::new();
        for number in 0..ALLOWED - 8 {
            spread.push(scene.connect(Address::of_slash_32(256 * number as u32)).await);
        }
        let household = scene.connect_many(Address::of_tests(1), 8).await;
        let newcomer = scene.connect(Address::of_tests(2)).await;
        assert_eq!(n_displaced(&spread), 1 + FREED, "sixteen of them are as much as one of another address");
        assert_eq!(n_displaced(&household), 0);
        assert!(!is_displaced(&newcomer));
    }

    #[tokio::test(start_paused = true)]
    async fn a_player_is_displaced_only_after_all_idle_connections_unless_the_address_holds_many() {
        let scene = scene();
        let [home, crowd, other] = [1, 2, 3].map(Address::of_tests);
        let (players, watching) = (scene.open_socket(home).await, scene.open_socket(other).await);
        let _playing = players.outbox.begin_playing();
        let mut at_home = scene.connect_many(home, FEW as usize - 1).await;
        advance(Duration::from_secs(60)).await;
        let mut crowded = Vec::new();
        for _ in 0..ALLOWED - at_home.len() - 2 {
            let socket = scene.open_socket(crowd).await;
            crowded.push((socket.outbox.begin_playing(), socket));
        }
        let displaced_of_crowd = |crowded: &[(Playing, Socket)]| {
            crowded.iter().filter(|(_, socket)| socket.is_displaced()).count()
        };
        let displaced = || scene.places.0.taken.lock().displace(1);
        while displaced_of_crowd(&crowded) < crowded.len() - FEW as usize {
            assert_eq!(displaced(), 1);
            assert_eq!(
                (n_displaced(&at_home), watching.is_displaced(), players.is_displaced()),
                (0, false, false)
            );
        }
        // Now nobody holds more than a few, and what is idle goes first.
        for _ in 0..at_home.len() + 1 {
            assert_eq!(displaced(), 1);
        }
        assert_eq!(n_displaced(&at_home), at_home.len());
        assert!(watching.is_displaced());
        assert!(!players.is_displaced());
        assert_eq!(displaced_of_crowd(&crowded), crowded.len() - FEW as usize);
        at_home.clear();
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_has_just_arrived_stays_until_its_request_may_be_there() {
        let scene = scene();
        let mut sockets = Vec::new();
        for number in 0..20 {
            sockets.push(scene.open_socket(Address::of_tests(number)).await);
        }
        advance(ARRIVAL).await;
        let newcomer = scene.connect(Address::of_tests(20)).await;
        assert_eq!(scene.places.0.taken.lock().displace(sockets.len()), sockets.len());
        assert!(!is_displaced(&newcomer), "everybody holds one connection, and the others send nothing");
        let silent = scene.connect(Address::of_tests(21)).await;
        advance(ARRIVAL).await;
        let newcomer = scene.connect(Address::of_tests(22)).await;
        assert_eq!(scene.places.0.taken.lock().displace(2), 2);
        assert!(is_displaced(&silent) && !is_displaced(&newcomer));
    }

    #[tokio::test(start_paused = true)]
    async fn of_one_address_the_connection_goes_first_that_was_silent_for_longest() {
        let scene = scene();
        let address = Address::of_tests(1);
        let [first, second] = [scene.open_socket(address).await, scene.open_socket(address).await];
        advance(Duration::from_secs(1)).await;
        first.place.record_message(Instant::now());
        assert_eq!(scene.places.make_room(), 2);
        assert!(first.is_displaced() && second.is_displaced());
        let [first, second] = [scene.open_socket(address).await, scene.open_socket(address).await];
        advance(Duration::from_secs(1)).await;
        first.place.record_message(Instant::now());
        assert_eq!(scene.places.0.taken.lock().displace(1), 1);
        assert_eq!((first.is_displaced(), second.is_displaced()), (false, true));
        let http = scene.connect(address).await;
        advance(ARRIVAL).await;
        assert_eq!(scene.places.0.taken.lock().displace(1), 1);
        assert!(is_displaced(&http), "an idle connection before a socket");
        let request = scene.connect(address).await;
        let _busy = request.begin_request(address);
        assert_eq!(scene.places.0.taken.lock().displace(1), 1);
        assert!(first.is_displaced(), "a socket before a request under way");
    }

    #[tokio::test(start_paused = true)]
    async fn the_connections_of_a_proxy_count_for_the_clients_that_they_carry() {
        let scene = scene();
        let [client, other] = [1, 2].map(Address::of_tests);
        let mut carried = Vec::new();
        for number in 0..4 {
            let place = Arc::new(scene.places.take(scene.places.free().await, None).0);
            let client = if number == 0 { other } else { client };
            carried.push((place.begin_request(client), place));
        }
        let idle = Arc::new(scene.places.take(scene.places.free().await, None).0);
        assert_eq!(scene.places.0.taken.lock().displace(2), 2);
        let leaving = |carried: &[(Busy, Arc<Place>)]| -> Vec<bool> {
            carried.iter().map(|(_, place)| is_displaced(place)).collect()
        };
        assert_eq!(leaving(&carried).iter().filter(|leaves| **leaves).count(), 2);
        assert!(!leaving(&carried)[0], "the other client holds least");
        drop(carried);
        assert_eq!(scene.places.0.taken.lock().displace(1), 0, "the proxy itself needs its connection");
        assert!(!is_displaced(&idle));
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_becomes_a_socket_when_it_has_to_go_is_told_so() {
        let scene = scene();
        let address = Address::of_tests(1);
        let place = scene.connect(address).await;
        drop(place.begin_request(address));
        assert_eq!(scene.places.0.taken.lock().displace(1), 1);
        let (outbox, outgoing) = scene.outboxes.open(address);
        place.become_socket(address, &outbox);
        assert_eq!(outgoing.ending.get(), Some(&CloseReason::Displaced));
    }
}
