//! Admission of new games: their rate for each player and each address, and the number of games that one player has
//! under way.
//!
//! Every game passes through here: rooms when they are made, and again when they are joined; pairings of the pools;
//! rematches.

use std::{sync::Arc, time::Duration};

use game::{
    ClockRule,
    ids::{BotLevel, PlayerId},
};
use parking_lot::Mutex;
use store::{GameCounts, Store, StoreError};
use tokio::{
    sync::{self, OwnedMutexGuard},
    time::Instant,
};

use crate::{
    metrics::{self, METRICS},
    net::{
        address::{Address, Addresses, LimitedAction, Network, WriteKind},
        limits::{
            AddressLimits, MAX_OPEN_ROOMS, MAX_REAL_TIME, MAX_SLOW_AT_FIRST, MAX_UNDER_WAY, RateLimit,
            TokenBucket, price,
        },
    },
    recent::Recent,
    space::Space,
};

/// Capacity of each of the two generations of rate-limit state of players.
const REMEMBERED: usize = 8192;

/// Number of lock stripes shared by all players. Two players of one stripe wait for each other's commits, nothing more.
const LOCKS: usize = 64;

/// A player who requests a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Applicant {
    pub(crate) player: PlayerId,
    /// Address of the request; `None` for a player who agreed to the game earlier.
    pub(crate) address: Option<Address>,
}

/// The reason why an applicant is denied a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Why {
    /// The player or the address begins games too fast; the next one is possible after this time.
    #[error("too many new games of this player or this address: wait a moment")]
    TooFast(Duration),
    /// The player has the maximum number of games under way, open rooms included.
    #[error("{limit} such games are under way or wait in open rooms: finish one, or close a room")]
    TooManyUnderWay { limit: u32 },
    /// The address has had so much stored that it begins no games until this time has passed.
    #[error("this address has had as much stored as it may for now")]
    StoredTooMuch(Duration),
    /// The disk is nearly full.
    #[error("the server's disk is nearly full")]
    NoSpace,
}

/// The game does not begin, since this player may not have another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Denied {
    pub(crate) player: PlayerId,
    pub(crate) why: Why,
}

/// The reason why a room is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoRoom {
    #[error("you have {MAX_OPEN_ROOMS} open rooms: close one, or wait until one is joined")]
    TooManyRooms,
    #[error("nobody challenges themselves")]
    OwnChallenge,
    #[error("no such player can be challenged")]
    NoOpponent,
    #[error("one of the players has blocked the other")]
    Blocked,
    #[error("the player has made too many challenges, or too many wait for the challenged player")]
    TooManyChallenges,
    #[error(transparent)]
    Denied(#[from] Why),
}

/// Permission to begin one game. It is held until the game is stored: until then no other admission counts the games of
/// its players.
#[derive(Debug)]
pub(crate) struct AdmissionPermit {
    admission: Admission,
    applicants: Vec<Applicant>,
    _locks: Vec<OwnedMutexGuard<()>>,
}

impl AdmissionPermit {
    /// Charges the addresses for the game, which is stored.
    pub(crate) fn charge_stored(&self) {
        let Admission { addresses, .. } = &self.admission;
        for address in self.applicants.iter().filter_map(|applicant| applicant.address) {
            addresses.charge(address, LimitedAction::Store, price::GAME, Instant::now());
        }
    }

    /// Gives the tokens back, for a game that is decided on again.
    pub(crate) fn give_back(self) {
        self.admission.give_back(&self.applicants);
    }
}

/// Decides on all games that begin on this node.
#[derive(Clone, Debug)]
pub(crate) struct Admission {
    store: Arc<dyn Store>,
    addresses: Addresses,
    space: Space,
    players: Arc<Mutex<Recent<PlayerId, TokenBucket>>>,
    player_rate_limit: RateLimit,
    /// Challenges of each network to each player.
    challenges: Arc<Mutex<Recent<(Network, PlayerId), TokenBucket>>>,
    challenge_rate_limit: RateLimit,
    locks: Arc<[Arc<sync::Mutex<()>>]>,
}

impl Admission {
    /// Returns the admission of a node, with the rate limit of a player from `limits`.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        addresses: Addresses,
        space: Space,
        limits: &AddressLimits,
    ) -> Self {
        Self {
            store,
            addresses,
            space,
            players: Arc::new(Mutex::new(Recent::new(REMEMBERED))),
            player_rate_limit: limits.rooms_of_player,
            challenges: Arc::new(Mutex::new(Recent::new(REMEMBERED))),
            challenge_rate_limit: limits.challenges_to_one,
            locks: (0..LOCKS).map(|_| Arc::default()).collect(),
        }
    }

    /// Returns the time until an applicant may begin a game, by the rate limits alone; zero if it may now.
    pub(crate) fn wait(&self, applicant: Applicant, now: Instant) -> Duration {
        let of_player = self.players.lock().get(applicant.player, || self.bucket(now)).wait(now);
        let of_address = applicant.address.map(|address| {
            let stored = self.addresses.store_wait(address, WriteKind::Other, now);
            self.addresses.wait(address, LimitedAction::Room, now).max(stored)
        });
        of_player.max(of_address.unwrap_or_default())
    }

    /// Admits all applicants of a game, or none. Bots are always admitted: the people that they play against are
    /// counted. The maker of a room was admitted when the room was made. Denied applicants lose a token, so store
    /// queries stay rate-limited; the others are refunded.
    ///
    /// # Errors
    /// The store cannot be read. No token is then taken.
    pub(crate) async fn admit(
        &self,
        applicants: &[Applicant],
        clock: ClockRule,
    ) -> Result<Result<AdmissionPermit, Denied>, StoreError> {
        let is_person = |applicant: &Applicant| BotLevel::of(applicant.player).is_none();
        let applicants: Vec<_> = applicants.iter().copied().filter(is_person).collect();
        for (place, applicant) in applicants.iter().enumerate() {
            if let Err(why) = self.take(*applicant, Instant::now()) {
                self.give_back(&applicants[..place]);
                return Ok(Err(Denied { player: applicant.player, why }));
            }
        }
        let _locks = self.lock(&applicants).await;
        for Applicant { player, .. } in applicants.iter().copied() {
            let checked = self.check(player, clock).await;
            if let Err(why) = checked.inspect_err(|_| self.give_back(&applicants))? {
                // Who asked for nothing now loses nothing.
                let keeps = |other: &&Applicant| other.player != player || other.address.is_none();
                let others: Vec<_> = applicants.iter().filter(keeps).copied().collect();
                self.give_back(&others);
                return Ok(Err(Denied { player, why }));
            }
        }
        Ok(Ok(AdmissionPermit { admission: self.clone(), applicants, _locks }))
    }

    /// Takes a token of the player and one of the address, or neither.
    fn take(&self, applicant: Applicant, now: Instant) -> Result<(), Why> {
        if self.space.is_low() {
            return Err(Why::NoSpace);
        }
        let Applicant { player, address } = applicant;
        let may_store = |address| self.addresses.may_store(address, WriteKind::Other, now);
        address.map_or(Ok(()), may_store).map_err(Why::StoredTooMuch)?;
        self.players.lock().get(player, || self.bucket(now)).take(now).map_err(|wait| {
            METRICS.refused.get_or_create(&metrics::KindLabel { kind: "player" }).inc();
            Why::TooFast(wait)
        })?;
        let taken = address.map_or(Ok(()), |address| self.addresses.take(address, LimitedAction::Room, now));
        taken.map_err(|wait| {
            self.players.lock().get(player, || self.bucket(now)).give_back();
            Why::TooFast(wait)
        })
    }

    /// Counts a challenge of an address to a player.
    ///
    /// # Errors
    /// The players of the address have challenged this player too often.
    pub(crate) fn challenge(
        &self,
        address: Address,
        challenged: PlayerId,
        now: Instant,
    ) -> Result<(), NoRoom> {
        let key = (address.subscriber(), challenged);
        let bucket = || TokenBucket::new(self.challenge_rate_limit, now);
        self.challenges.lock().get(key, bucket).take(now).map_err(|_| NoRoom::TooManyChallenges)
    }

    /// Takes back the count of a challenge that was not stored.
    pub(crate) fn unchallenge(&self, address: Address, challenged: PlayerId, now: Instant) {
        let key = (address.subscriber(), challenged);
        self.challenges.lock().get(key, || TokenBucket::new(self.challenge_rate_limit, now)).give_back();
    }

    /// Whether a player may have one more game with this clock. An open room counts as a game, since it may become one at
    /// any moment; joining it then need not check its maker.
    async fn check(&self, player: PlayerId, clock: ClockRule) -> Result<Result<(), Why>, StoreError> {
        let GameCounts { real_time, under_way, .. } = self.store.count_games(player).await?;
        let is_full = |limit| Ok(Err(Why::TooManyUnderWay { limit }));
        if under_way >= MAX_UNDER_WAY {
            return is_full(MAX_UNDER_WAY);
        }
        if clock.is_live() {
            return if real_time >= MAX_REAL_TIME { is_full(MAX_REAL_TIME) } else { Ok(Ok(())) };
        }
        let slow = under_way - real_time;
        if slow < MAX_SLOW_AT_FIRST {
            return Ok(Ok(()));
        }
        let finished = self.store.count_finished_slow_games(player, MAX_UNDER_WAY).await?;
        let limit = MAX_SLOW_AT_FIRST + finished;
        if slow >= limit { is_full(limit) } else { Ok(Ok(())) }
    }

    fn give_back(&self, applicants: &[Applicant]) {
        let now = Instant::now();
        for Applicant { player, address } in applicants {
            self.players.lock().get(*player, || self.bucket(now)).give_back();
            if let Some(address) = address {
                self.addresses.give_back(*address, LimitedAction::Room, now);
            }
        }
    }

    /// Locks in the order of the stripes, which prevents deadlocks.
    async fn lock(&self, applicants: &[Applicant]) -> Vec<OwnedMutexGuard<()>> {
        let place = |applicant: &Applicant| (applicant.player.uuid().as_u128() % LOCKS as u128) as usize;
        let mut places: Vec<usize> = applicants.iter().map(place).collect();
        places.sort_unstable();
        places.dedup();
        let mut locks = Vec::with_capacity(places.len());
        for place in places {
            locks.push(self.locks[place].clone().lock_owned().await);
        }
        locks
    }

    /// Holds a player's lock, as an admission in progress does.
    #[cfg(test)]
    pub(crate) async fn hold(&self, player: PlayerId) -> Vec<OwnedMutexGuard<()>> {
        self.lock(&[Applicant { player, address: None }]).await
    }

    fn bucket(&self, now: Instant) -> TokenBucket {
        TokenBucket::new(self.player_rate_limit, now)
    }
}

#[cfg(test)]
mod tests {
    use store::MAX_CHALLENGES_TO;
    use tempfile::TempDir;
    use uuid::Uuid;

    use super::*;

    async fn admission() -> (Admission, Applicant, TempDir) {
        let directory = TempDir::new().unwrap();
        let store = store::open(&format!("sqlite://{}/towers.db", directory.path().display())).await.unwrap();
        let limits = AddressLimits::times(1);
        let admission = Admission::new(store, Addresses::new(limits), Space::default(), &limits);
        let player = PlayerId::new(Uuid::from_u128(1));
        (admission, Applicant { player, address: Some(Address::of_tests(1)) }, directory)
    }

    #[tokio::test]
    async fn a_game_that_is_not_begun_for_want_of_the_store_or_is_decided_on_again_costs_no_token() {
        let (admission, applicant, _directory) = admission().await;
        let is_free = || admission.wait(applicant, Instant::now()).is_zero();
        for _ in 0..2 * admission.player_rate_limit.burst {
            admission.admit(&[applicant], ClockRule::None).await.unwrap().unwrap().give_back();
            assert!(is_free());
        }
        admission.store.close().await;
        for _ in 0..2 * admission.player_rate_limit.burst {
            admission.admit(&[applicant], ClockRule::None).await.unwrap_err();
            assert!(is_free());
        }
    }

    #[tokio::test]
    async fn the_challenges_of_one_address_leave_places_for_others_while_they_wait_for_an_answer() {
        let (admission, applicant, _directory) = admission().await;
        let (ada, address) = (PlayerId::new(Uuid::from_u128(2)), applicant.address.unwrap());
        let mut now = Instant::now();
        let mut n_made = 0;
        for _ in 0..14 * 24 {
            n_made += std::iter::repeat_with(|| admission.challenge(address, ada, now))
                .take_while(Result::is_ok)
                .count();
            now += Duration::from_secs(60 * 60);
        }
        assert!((14..=MAX_CHALLENGES_TO as usize - 5).contains(&n_made), "{n_made}");
        let bob = PlayerId::new(Uuid::from_u128(3));
        assert_eq!(admission.challenge(address, bob, now), Ok(()), "to another player");
        assert_eq!(admission.challenge(Address::of_tests(2), ada, now), Ok(()), "from another address");
    }

    #[tokio::test]
    async fn asking_when_a_game_may_begin_counts_as_no_refusal() {
        let (admission, applicant, _directory) = admission().await;
        let (address, now) = (applicant.address.unwrap(), Instant::now());
        let n_bytes = AddressLimits::times(1).stored.burst as usize;
        admission.addresses.charge(address, LimitedAction::Store, n_bytes, now);
        let n_refused = || METRICS.refused.get_or_create(&metrics::KindLabel { kind: "stored" }).get();
        // Other tests count a few thousand refusals meanwhile.
        let (before, n_questions) = (n_refused(), 100_000);
        for _ in 0..n_questions {
            assert!(!admission.wait(applicant, now).is_zero());
        }
        assert!(n_refused() - before < n_questions / 2);
    }
}
