//! What is deleted by and by: games that ended before anybody played, and guests who never played and stay away.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;
use tracing::info;

use crate::{
    game::{Event, Recorded},
    ids::{GameId, PlayerId},
    store::{Log, Store, StoreError},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Milliseconds for which a cancelled room, or an aborted game in which nobody made a turn, is kept.
const UNPLAYED_KEPT_MS: i64 = DAY_MS;

/// Milliseconds for which a guest without games is kept who does not come.
const GUESTS_KEPT_MS: i64 = 30 * DAY_MS;

/// Games, and guests, that are looked at with one beat. While there are as many, the next beat looks at more.
const BATCH: u32 = 50;

/// How often it is looked whether there is something to delete, and noted who was here.
const EVERY: Duration = Duration::from_secs(60);

/// Visits that wait to be noted. The next visit of one that finds no place is noted.
const MAX_VISITS: usize = 10_000;

/// The players who used their sessions lately.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visits(Arc<Mutex<HashSet<PlayerId>>>);

impl Visits {
    /// Takes note of a player with a session.
    pub(crate) fn note(&self, player: PlayerId) {
        let mut players = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if players.len() < MAX_VISITS {
            players.insert(player);
        }
    }

    fn take(&self) -> Vec<PlayerId> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect()
    }
}

/// Looks for what is to be deleted, a bounded batch with each beat.
#[derive(Debug)]
pub(crate) struct Housekeeping {
    visits: Visits,
    /// When there may be something to do.
    next: Instant,
}

impl Housekeeping {
    pub(crate) fn new(visits: Visits) -> Self {
        Self { visits, next: Instant::now() }
    }

    /// Notes who was here and, if this is the node that sweeps, deletes a batch.
    ///
    /// # Errors
    /// The store cannot be read or written: the next beat tries again.
    pub(crate) async fn beat(
        &mut self,
        store: &dyn Store,
        sweeps: bool,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let now = Instant::now();
        if now < self.next {
            return Ok(());
        }
        // First: whoever has just come is not to be deleted.
        let visits = self.visits.take();
        if !visits.is_empty() {
            store.note_seen(&visits, now_ms).await?;
        }
        let is_more = sweeps && delete(store, now_ms).await?;
        if !is_more {
            self.next = now + EVERY;
        }
        Ok(())
    }
}

/// Deletes a batch of games and a batch of guests. Tells whether there may be more.
async fn delete(store: &dyn Store, now_ms: i64) -> Result<bool, StoreError> {
    let games = store.unplayed_games(now_ms - UNPLAYED_KEPT_MS, BATCH).await?;
    let (mut deleted, mut spared) = (Vec::<GameId>::new(), Vec::new());
    for game in &games {
        match store.log(*game).await? {
            Some(log) if was_played(&log) => spared.push(*game),
            Some(_) | None => deleted.push(*game),
        }
    }
    if !games.is_empty() {
        store.clear_games(&deleted, &spared).await?;
    }
    let guests = store.clear_guests(now_ms - GUESTS_KEPT_MS, BATCH).await?;
    if !deleted.is_empty() || guests.deleted > 0 {
        let (games, guests) = (deleted.len(), guests.deleted);
        info!(games, guests, "deleted unplayed games and absent guests");
    }
    Ok(games.len() == BATCH as usize || guests.looked_at == BATCH)
}

/// Whether anybody made a turn. An event that cannot be read may be one.
fn was_played(log: &Log) -> bool {
    log.events.iter().any(|stored| match Recorded::read(stored.at_ms, &stored.body) {
        Ok(recorded) => matches!(recorded.event, Event::TurnPlayed { .. }),
        Err(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use engine::Ruleset;
    use tempfile::TempDir;
    use tokio::runtime::Handle;
    use tokio_util::{sync::CancellationToken, task::TaskTracker};
    use uuid::Uuid;

    use super::*;
    use crate::{
        address::Address,
        bus::Bus,
        clock,
        compute::Asker,
        game::Command,
        ids::{CommandId, PlayerName, Version},
        live::{Beginner, Games, Parts, Request},
        lobby::Lobby,
        presence::Presence,
        protocol::{NewRoom, Player, SeatChoice, Terms, Visibility},
        store::{self, TokenHash, Write, Written},
    };

    const ADA: u128 = 1;
    const BLAISE: u128 = 2;

    fn player(number: u128) -> Player {
        let name = PlayerName::try_from(format!("Player {number}")).unwrap();
        Player { id: PlayerId::new(Uuid::from_u128(number)), name }
    }

    /// Games on a database of their own.
    struct Scene {
        games: Games,
        store: Arc<dyn Store>,
        _directory: TempDir,
    }

    impl Scene {
        async fn begin() -> Self {
            let directory = TempDir::new().unwrap();
            let url = format!("sqlite:{}/towers.db", directory.path().display());
            let store = store::open(&url).await.unwrap();
            let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
            let (writer, writing) = store::writer(store.clone(), Handle::current());
            tasks.spawn(writing);
            let lobby = Lobby::load(&*store, Bus::alone(), Presence::new(Bus::alone())).await.unwrap();
            let games = Games::new(Parts::alone(store.clone(), writer, lobby, tasks, stop));
            Self { games, store, _directory: directory }
        }

        /// Ada's room, and what follows.
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
                let received_ms = clock::now_ms();
                let request = Request { id, who, asker, command, received_ms };
                self.games.command(game, request).await.unwrap();
            }
            game
        }

        async fn has(&self, game: GameId) -> bool {
            self.store.log(game).await.unwrap().is_some()
        }
    }

    #[tokio::test]
    async fn what_nobody_played_is_deleted_after_a_day_and_nothing_that_has_a_turn() {
        let scene = Scene::begin().await;
        let join = || (BLAISE, Command::Join { coin: true });
        let turn = || {
            let actions = ["b7-c7"].map(|action| action.to_owned().try_into().unwrap()).to_vec();
            (ADA, Command::Turn { base: Version::new(2), actions, lag_ms: 0 })
        };
        let abort = || (BLAISE, Command::Abort);
        let open = scene.game([]).await;
        let cancelled = scene.game([(ADA, Command::Cancel)]).await;
        let playing = scene.game([join()]).await;
        let aborted = scene.game([join(), abort()]).await;
        let played = scene.game([join(), turn(), abort()]).await;
        let resigned = scene.game([join(), (ADA, Command::Resign)]).await;

        let soon_ms = clock::now_ms() + UNPLAYED_KEPT_MS - 60_000;
        assert!(!delete(&*scene.store, soon_ms).await.unwrap());
        assert!(scene.has(cancelled).await && scene.has(aborted).await);
        let later_ms = clock::now_ms() + UNPLAYED_KEPT_MS + 1;
        assert!(!delete(&*scene.store, later_ms).await.unwrap());
        assert!(!scene.has(cancelled).await && !scene.has(aborted).await);
        for kept in [open, playing, played, resigned] {
            assert!(scene.has(kept).await);
        }
        let candidates = scene.store.unplayed_games(later_ms, BATCH).await.unwrap();
        assert_eq!(candidates, [], "what is spared is not looked at again");
    }

    #[tokio::test]
    async fn many_are_deleted_beat_by_beat_by_the_node_that_sweeps() {
        let scene = Scene::begin().await;
        let n_guests = 2 * BATCH + 1;
        for number in 0..n_guests {
            let (guest, token) = (player(1000 + u128::from(number)), TokenHash::of(&number.to_be_bytes()));
            let new = Write::NewPlayer { player: guest, token, now_ms: 1 };
            assert_eq!(scene.store.commit(&[new]).await.unwrap(), [Ok(Written::Done)]);
        }
        let n_left = async || {
            let mut n_left = 0;
            for number in 0..n_guests {
                let token = TokenHash::of(&number.to_be_bytes());
                n_left += u32::from(scene.store.session(&token, 0).await.unwrap().is_some());
            }
            n_left
        };
        let visits = Visits::default();
        visits.note(player(1000).id);
        let mut housekeeping = Housekeeping::new(visits.clone());
        let now_ms = GUESTS_KEPT_MS + DAY_MS;
        housekeeping.beat(&*scene.store, false, now_ms).await.unwrap();
        assert_eq!(n_left().await, n_guests, "another node sweeps");

        let mut housekeeping = Housekeeping::new(visits);
        for left in [BATCH + 1, 1, 1] {
            housekeeping.beat(&*scene.store, true, now_ms).await.unwrap();
            assert_eq!(n_left().await, left);
        }
        assert!(scene.store.session(&TokenHash::of(&0_u32.to_be_bytes()), 0).await.unwrap().is_some());
    }
}
