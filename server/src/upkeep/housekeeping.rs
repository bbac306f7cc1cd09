//! Deletion of games that ended before any turn, of absent guests without games, and of unused sessions. Each
//! write is bounded and gives way to those of games. Housekeeping has a task of its own: the heartbeat never waits for
//! it.

use std::{error::Error, sync::Arc, time::Duration};

use game::{Event, Recorded, ids::GameId};
use store::{Cleared, Clearing, Log, Store, WriteError, Writer};
use tokio::time::Instant;
use tracing::{info, warn};

use crate::{cluster::lease::Lease, env::Env, identity, presence::Presence};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Retention of a cancelled room, or of an aborted game without turns, in milliseconds.
const UNPLAYED_KEPT_MS: i64 = DAY_MS;

/// Retention of an absent guest without games, in milliseconds.
const GUESTS_KEPT_MS: i64 = 30 * DAY_MS;

/// Maximum number of games, and of guests, in one pass.
const BATCH: u32 = 50;

/// Interval between passes.
const EVERY: Duration = Duration::from_secs(60);

/// Interval between passes while there is more to delete.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Interval at which players with open sockets are recorded as present.
const SEEN_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Maximum number of players recorded in one write.
const SEEN_AT_ONCE: usize = 500;

/// The housekeeping task and its dependencies.
#[derive(Debug)]
pub(crate) struct Housekeeping {
    pub(crate) env: Env,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    pub(crate) presence: Presence,
    /// Only the node that holds it deletes.
    pub(crate) lease: Lease,
}

impl Housekeeping {
    /// Runs for ever: records present players, and deletes while this node sweeps.
    pub(crate) async fn run(self) {
        // Recently connected players were recorded with their sessions.
        let mut seen_at = Instant::now() + SEEN_EVERY;
        loop {
            let is_more = self.run_pass(&mut seen_at, self.env.now_ms()).await.unwrap_or_else(|error| {
                warn!(error = &*error, "housekeeping failed: {error}");
                false
            });
            tokio::time::sleep(if is_more { AGAIN_AFTER } else { EVERY }).await;
        }
    }

    /// Runs one pass. Returns whether there may be more to delete.
    async fn run_pass(
        &self,
        seen_at: &mut Instant,
        now_ms: i64,
    ) -> Result<bool, Box<dyn Error + Send + Sync>> {
        if *seen_at <= Instant::now() {
            for players in self.presence.players().chunks(SEEN_AT_ONCE) {
                self.writer.record_seen(players.to_vec(), now_ms).await?;
            }
            *seen_at = Instant::now() + SEEN_EVERY;
        }
        if self.lease.is_held() { self.delete(now_ms).await } else { Ok(false) }
    }

    async fn delete(&self, now_ms: i64) -> Result<bool, Box<dyn Error + Send + Sync>> {
        let found = self.store.unplayed_games(now_ms - UNPLAYED_KEPT_MS, BATCH).await?;
        let (mut deleted, mut spared) = (Vec::<GameId>::new(), Vec::new());
        for game in &found {
            match self.store.log(*game).await? {
                Some(log) if was_played(&log) => spared.push(*game),
                Some(_) | None => deleted.push(*game),
            }
        }
        let mut games = Cleared::default();
        if !found.is_empty() {
            games = self.clear(Clearing::Games { deleted, spared }).await?;
        }
        let before_ms = now_ms - GUESTS_KEPT_MS;
        let guests = self.clear(Clearing::Guests { before_ms, at_most: BATCH }).await?;
        let unused_since_ms = identity::unused_since_ms(now_ms);
        let sessions = self.clear(Clearing::Sessions { unused_since_ms }).await?;
        let [n_games, n_guests, n_sessions] = [games, guests, sessions].map(|cleared| cleared.deleted);
        if n_games + n_guests + n_sessions > 0 {
            info!(n_games, n_guests, n_sessions, "deleted unplayed games, absent guests and unused sessions");
        }
        let is_more = [games, guests, sessions].iter().any(|cleared| cleared.is_more);
        Ok(is_more || found.len() == BATCH as usize)
    }

    /// Deletes, unless the lease has ended while the calls before this one were waited for.
    async fn clear(&self, clearing: Clearing) -> Result<Cleared, WriteError> {
        if self.lease.is_held() { self.writer.clear(clearing).await } else { Ok(Cleared::default()) }
    }
}

/// Whether a turn was played. An event that cannot be decoded may be one.
fn was_played(log: &Log) -> bool {
    log.events.iter().any(|stored| match Recorded::read(stored.at_ms, &stored.body) {
        Ok(recorded) => matches!(recorded.event, Event::TurnPlayed { .. }),
        Err(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use engine::Ruleset;
    use game::{
        Command, Player,
        ids::{CommandId, PlayerId, PlayerName, Version},
    };
    use protocol::{NewRoom, SeatChoice, Terms, Visibility};
    use store::{Games as _, Memory, Players, TokenHash};
    use tokio_util::task::TaskTracker;
    use uuid::Uuid;

    use super::*;
    use crate::{
        cluster::bus::Bus,
        compute::Asker,
        live::{Beginner, Games, Parts, Request},
        net::{address::Address, outbox::Outbox},
    };

    const ADA: u128 = 1;
    const BLAISE: u128 = 2;

    fn player(number: u128) -> Player {
        let name = PlayerName::try_from(format!("Player {number}")).unwrap();
        Player { id: PlayerId::new(Uuid::from_u128(number)), name }
    }

    fn token(number: u32) -> TokenHash {
        TokenHash::of(&number.to_be_bytes())
    }

    /// Games in a store of their own.
    struct Scene {
        games: Games,
        store: Arc<Memory>,
        writer: Writer,
        presence: Presence,
        lease: Lease,
    }

    impl Scene {
        async fn begin() -> Self {
            let store = Arc::new(Memory::default());
            let presence = Presence::new(Bus::alone());
            let parts = Parts::alone(store.clone(), presence.clone()).await;
            let (writer, games) = (parts.writer.clone(), Games::new(parts));
            let lease = Lease::new(games.env().clone());
            lease.hold_until(i64::MAX);
            Self { games, store, writer, presence, lease }
        }

        fn housekeeping(&self) -> Housekeeping {
            Housekeeping {
                env: self.games.env().clone(),
                store: self.store.clone(),
                writer: self.writer.clone(),
                presence: self.presence.clone(),
                lease: self.lease.clone(),
            }
        }

        /// Guests who were last present at a given time.
        async fn guests(&self, numbers: std::ops::Range<u32>, now_ms: i64) {
            for number in numbers {
                let guest = player(1000 + u128::from(number));
                self.writer.create_player(guest, token(number), now_ms).await.unwrap();
            }
        }

        async fn n_guests(&self, numbers: std::ops::Range<u32>) -> u32 {
            let mut n_guests = 0;
            for number in numbers {
                n_guests += u32::from(self.store.session(&token(number), i64::MIN).await.unwrap().is_some());
            }
            n_guests
        }

        /// Makes Ada's room and carries out commands in it.
        async fn game(&self, commands: impl IntoIterator<Item = (u128, Command)>) -> GameId {
            let room = NewRoom {
                ruleset: Ruleset::Fibonacci,
                seat: SeatChoice::First,
                visibility: Visibility::Link,
                start: None,
                terms: Terms::default(),
            };
            let maker = Beginner { player: player(ADA), address: Address::of_tests(1) };
            let game = self.games.create(room, maker, engine::Seed::new([0; 32])).await.unwrap().id;
            for (place, (who, command)) in commands.into_iter().enumerate() {
                let id = CommandId::try_from(format!("command-{place}")).unwrap();
                let (who, asker) = (player(who), Asker::SERVER);
                let received_ms = self.games.env().now_ms();
                let request = Request { id, who, asker, command, received_ms, over_budget: None };
                self.games.command(game, request).await.unwrap();
            }
            game
        }

        async fn has(&self, game: GameId) -> bool {
            self.store.log(game).await.unwrap().is_some()
        }
    }

    #[tokio::test]
    async fn unplayed_games_are_deleted_after_a_day_and_played_ones_never() {
        let scene = Scene::begin().await;
        let join = || (BLAISE, Command::Join { coin: true });
        let turn = || {
            let actions = ["b7-c7"].map(|action| action.to_owned().try_into().unwrap()).to_vec();
            (ADA, Command::Turn { base: Version::new(2), actions, lag_ms: 0 })
        };
        let abort = || (ADA, Command::Abort);
        let open = scene.game([]).await;
        let cancelled = scene.game([(ADA, Command::Cancel)]).await;
        let playing = scene.game([join()]).await;
        let aborted = scene.game([join(), abort()]).await;
        let played = scene.game([join(), turn(), abort()]).await;
        let resigned = scene.game([join(), (ADA, Command::Resign)]).await;

        let housekeeping = scene.housekeeping();
        let soon_ms = scene.games.env().now_ms() + UNPLAYED_KEPT_MS - 60_000;
        assert!(!housekeeping.delete(soon_ms).await.unwrap());
        assert!(scene.has(cancelled).await && scene.has(aborted).await);
        let later_ms = scene.games.env().now_ms() + UNPLAYED_KEPT_MS + 1;
        assert!(!housekeeping.delete(later_ms).await.unwrap());
        assert!(!scene.has(cancelled).await && !scene.has(aborted).await);
        for kept in [open, playing, played, resigned] {
            assert!(scene.has(kept).await);
        }
        let candidates = scene.store.unplayed_games(later_ms, BATCH).await.unwrap();
        assert_eq!(candidates, [], "spared rows are not examined again");
    }

    #[tokio::test]
    async fn many_are_deleted_batch_by_batch_by_the_node_that_sweeps() {
        let scene = Scene::begin().await;
        let all = 0..2 * BATCH + 1;
        scene.guests(all.clone(), 1).await;
        let (mut seen_at, now_ms) = (Instant::now() + SEEN_EVERY, GUESTS_KEPT_MS + DAY_MS);
        let housekeeping = scene.housekeeping();
        scene.lease.end();
        assert!(!housekeeping.run_pass(&mut seen_at, now_ms).await.unwrap());
        assert_eq!(scene.n_guests(all.clone()).await, all.end, "another node sweeps");

        scene.lease.hold_until(i64::MAX);
        for (left, is_more) in [(BATCH + 1, true), (1, true), (0, false)] {
            assert_eq!(housekeeping.run_pass(&mut seen_at, now_ms).await.unwrap(), is_more);
            assert_eq!(scene.n_guests(all.clone()).await, left);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn after_an_error_the_next_pass_comes_at_the_usual_interval() {
        let scene = Scene::begin().await;
        let all = 0..2 * BATCH;
        scene.guests(all.clone(), 1).await;
        scene.store.fail_clearings(true);
        let running = TaskTracker::new().spawn(scene.housekeeping().run());
        tokio::time::sleep(EVERY * 10 + AGAIN_AFTER).await;
        assert_eq!(scene.n_guests(all.clone()).await, all.end);
        assert_eq!(scene.store.n_failures(), 11, "once a minute");
        scene.store.fail_clearings(false);
        tokio::time::sleep(EVERY).await;
        assert_eq!(scene.n_guests(all).await, 0, "and then one batch a second");
        running.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn a_guest_whose_page_stays_open_stays() {
        let scene = Scene::begin().await;
        scene.guests(0..2, 1).await;
        let here = scene.presence.enter(player(1000), Address::of_tests(1), Outbox::open().0);
        let mut seen_at = Instant::now();
        scene.housekeeping().run_pass(&mut seen_at, GUESTS_KEPT_MS + DAY_MS).await.unwrap();
        assert_eq!((scene.n_guests(0..1).await, scene.n_guests(1..2).await), (1, 0));
        drop(here);
        assert!(seen_at > Instant::now(), "the use is recorded once a day");
        scene.housekeeping().run_pass(&mut seen_at, 2 * GUESTS_KEPT_MS + 2 * DAY_MS).await.unwrap();
        assert_eq!(scene.n_guests(0..1).await, 0);
    }
}
