//! Deletion of games that ended before they were played, of absent guests without games, of unused sessions, and of links
//! that do not count any more. Each write is bounded and gives way to those of games. Housekeeping has a task of its own: the heartbeat never waits for
//! it.

use std::{error::Error, sync::Arc, time::Duration};

use game::{Event, Recorded, ids::GameId};
use store::{
    ABORTED_KEPT_MS, Cleared, Clearing, GIVEN_UP_KEPT_MS, GameRow, Log, MAILS_KEPT_MS, NOTICES_KEPT_MS,
    PLAYED_TURNS, SEEKS_KEPT_MS, SETTLED_KEPT_MS, Store, StoreError, WriteError, Writer,
};
use tokio::time::Instant;
use tracing::{info, warn};

use crate::{cluster::lease::Lease, env::Env, identity, live::Games, presence::Presence};

/// Retention of an absent guest without games, in milliseconds.
const GUESTS_KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Time for which a closed account can be opened again, in milliseconds.
const CLOSED_KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// Maximum number of closed accounts whose games are left in one pass.
const LEAVING: u32 = 100;

/// Maximum number of aborted games, of games that were given up, of guests, and of accounts, in one pass.
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
    pub(crate) games: Games,
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
        let aborted = self.store.aborted_games(now_ms - ABORTED_KEPT_MS, BATCH).await?;
        let given_up = self.store.given_up_games(now_ms - GIVEN_UP_KEPT_MS, BATCH).await?;
        let is_more_found = [&aborted, &given_up].iter().any(|found| found.len() == BATCH as usize);
        let games = self.delete_games([aborted, given_up].concat(), now_ms).await?;
        let before_ms = now_ms - GUESTS_KEPT_MS;
        let guests = self.clear(Clearing::Guests { before_ms, at_most: BATCH }).await?;
        for player in self.store.closed_with_games(LEAVING).await? {
            self.games.leave_all(player).await?;
        }
        let closed_before_ms = now_ms - CLOSED_KEPT_MS;
        let accounts = self.clear(Clearing::Accounts { closed_before_ms, at_most: BATCH }).await?;
        let unused_since_ms = identity::unused_since_ms(now_ms);
        let sessions = self.clear(Clearing::Sessions { unused_since_ms }).await?;
        let links = self.clear(Clearing::Links { expired_ms: now_ms }).await?;
        let mails = self.clear(Clearing::Mails { created_ms: now_ms - MAILS_KEPT_MS }).await?;
        let reports = self.clear(Clearing::Reports { settled_ms: now_ms - SETTLED_KEPT_MS }).await?;
        let notices = self.clear(Clearing::Notices { at_ms: now_ms - NOTICES_KEPT_MS }).await?;
        let seen_ms = now_ms - SEEKS_KEPT_MS;
        let left = self.store.left_seeks(seen_ms, BATCH).await?;
        let is_more_found = is_more_found || left.len() == BATCH as usize;
        let seeks = self.clear(Clearing::Seeks { left, seen_ms }).await?;
        let ceremonies = self.clear(Clearing::Ceremonies { expired_ms: now_ms }).await?;
        let [n_games, n_guests, n_accounts, n_sessions] =
            [games, guests, accounts, sessions].map(|cleared| cleared.deleted);
        if n_games + n_guests + n_accounts + n_sessions > 0 {
            info!(
                n_games,
                n_guests,
                n_accounts,
                n_sessions,
                "deleted unplayed games, absent guests, closed accounts and unused sessions"
            );
        }
        let is_more = [games, guests, accounts, sessions, links, mails, reports, notices, seeks, ceremonies]
            .iter()
            .any(|cleared| cleared.is_more);
        Ok(is_more || is_more_found)
    }

    /// Deletes those among some games that were not played, and spares the others.
    async fn delete_games(
        &self,
        found: Vec<GameId>,
        now_ms: i64,
    ) -> Result<Cleared, Box<dyn Error + Send + Sync>> {
        let (mut unplayed, mut spared) = (Vec::new(), Vec::new());
        for game in found {
            match self.unplayed(game, now_ms).await? {
                Some(row) => unplayed.push(row),
                None => spared.push(game),
            }
        }
        if unplayed.is_empty() && spared.is_empty() {
            return Ok(Cleared::default());
        }
        let deleted = unplayed.iter().map(|row| row.id).collect();
        let cleared = self.clear(Clearing::Games { deleted, spared }).await?;
        if cleared.deleted > 0 {
            self.games.forget(&unplayed);
        }
        Ok(cleared)
    }

    /// Returns the row of a game that is to be deleted. A game that cannot be decoded stays.
    async fn unplayed(&self, game: GameId, now_ms: i64) -> Result<Option<GameRow>, StoreError> {
        let decoded = async {
            let row = self.store.game(game).await?.filter(|row| row.may_be_deleted(now_ms));
            let Some(row) = row else { return Ok(None) };
            let log = self.store.log(game).await?;
            Ok(log.is_none_or(|log| has_few_turns(&log)).then_some(row))
        };
        decoded.await.or_else(|error: StoreError| if error.is_unreadable() { Ok(None) } else { Err(error) })
    }

    /// Deletes, unless the lease has ended while the calls before this one were waited for.
    async fn clear(&self, clearing: Clearing) -> Result<Cleared, WriteError> {
        if self.lease.is_held() { self.writer.clear(clearing).await } else { Ok(Cleared::default()) }
    }
}

/// Whether fewer than [`PLAYED_TURNS`] turns stand at the end of a log. Not if an event cannot be decoded: it may be a turn.
fn has_few_turns(log: &Log) -> bool {
    let mut n_turns = 0_u16;
    for stored in &log.events {
        match Recorded::read(stored.at_ms, &stored.body).map(|recorded| recorded.event) {
            Ok(Event::TurnPlayed { .. }) => n_turns = n_turns.saturating_add(1),
            Ok(Event::TurnsTakenBack { turns, .. }) => n_turns = n_turns.saturating_sub(turns),
            Ok(Event::Reopened { .. }) => n_turns = 0,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    n_turns < PLAYED_TURNS
}

#[cfg(test)]
mod tests {
    use engine::{AnyMatch, Ruleset};
    use game::{
        Command, OfferKind, Outcome, Phase, Player, Reason, State, Status,
        ids::{ActionText, CommandId, PlayerId, PlayerName, SessionId, Version},
    };
    use protocol::{Nack, NewRoom, SeatChoice, Terms, Visibility};
    use store::{Append, DraftIs, Games as _, Memory, Players, StoredEvent, TokenHash};
    use tokio_util::task::TaskTracker;
    use uuid::Uuid;

    use super::*;
    use crate::{
        cluster::bus::Bus,
        compute::Requester,
        live::{Beginner, Dependencies, FollowPolicy, Games, Request},
        lobby::Lobby,
        net::{address::Address, outbox::Outbox},
    };

    const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

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
        lobby: Lobby,
        presence: Presence,
        lease: Lease,
    }

    impl Scene {
        async fn begin() -> Self {
            let store = Arc::new(Memory::default());
            let presence = Presence::new(Bus::alone());
            let dependencies = Dependencies::alone(store.clone(), presence.clone()).await;
            let (writer, lobby) = (dependencies.writer.clone(), dependencies.lobby.clone());
            let games = Games::new(dependencies);
            let lease = Lease::new(games.env().clone());
            lease.hold_until(i64::MAX);
            Self { games, store, writer, lobby, presence, lease }
        }

        fn housekeeping(&self) -> Housekeeping {
            Housekeeping {
                env: self.games.env().clone(),
                store: self.store.clone(),
                writer: self.writer.clone(),
                games: self.games.clone(),
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

        /// Makes Ada's room, or after the word "pool" begins a game of Ada and Blaise as a pool does, and does in it what
        /// the other words of a text say.
        async fn game(&self, words: &str, start: Option<String>) -> GameId {
            let (game, words) = match words.strip_prefix("pool ") {
                Some(words) => (self.begun().await, words),
                None => (self.room(start).await, words),
            };
            for word in words.split_whitespace() {
                self.act(game, word).await;
            }
            game
        }

        async fn room(&self, start: Option<String>) -> GameId {
            let room = NewRoom {
                ruleset: Ruleset::Fibonacci,
                seat: SeatChoice::First,
                visibility: Visibility::Public,
                challenged: None,
                answers: None,
                start,
                terms: Terms::default(),
            };
            let maker = Beginner { player: player(ADA), address: Address::of_tests(1) };
            self.games.create(room, maker, engine::Seed::new([0; 32])).await.unwrap().id
        }

        async fn begun(&self) -> GameId {
            let sides =
                [ADA, BLAISE].map(|who| Beginner { player: player(who), address: Address::of_tests(1) });
            let (id, seed) = (GameId::new(self.games.env().id()), engine::Seed::new([0; 32]));
            self.games.begin(id, Ruleset::Fibonacci, game::Terms::default(), sides, seed).await.unwrap();
            id
        }

        async fn act(&self, game: GameId, word: &str) {
            let rematch = GameId::new(Uuid::nil());
            let offers = |what| {
                let accept = true;
                [(BLAISE, Command::Offer { what, rematch }), (ADA, Command::Answer { what, accept, rematch })]
            };
            let commands = match word {
                "join" => vec![(BLAISE, Command::Join { coin: true })],
                "turn" => vec![self.turn(game).await],
                "back" => offers(OfferKind::Takeback).to_vec(),
                "draw" => offers(OfferKind::Draw).to_vec(),
                "resign" => vec![(ADA, Command::Resign)],
                "abort" => vec![(ADA, Command::Abort { gone_ms: None })],
                "leave" => vec![(BLAISE, Command::Abort { gone_ms: None })],
                "cancel" => vec![(ADA, Command::Cancel)],
                "rules" => return self.end_by_the_rules(game).await,
                "nonsense" => return self.add_nonsense(game).await,
                _ => panic!("{word}"),
            };
            for (who, command) in commands {
                let id = CommandId::try_from(self.games.env().id().to_string()).unwrap();
                let received_ms = self.games.env().now_ms();
                let (who, requester) = (player(who), Requester::SERVER);
                let request = Request { id, who, requester, command, received_ms, over_budget: None };
                let done = self.games.command(game, request).await;
                assert!(done.is_ok(), "{word}: {done:?}");
            }
        }

        /// The first turn that is legal, and its player.
        async fn turn(&self, game: GameId) -> (u128, Command) {
            let log = self.store.log(game).await.unwrap().unwrap();
            let state =
                State::of_log(log.events.iter().map(|event| (event.at_ms, event.body.as_str()))).unwrap();
            let who = state.seats().unwrap()[state.play().to_move()].uuid().as_u128();
            let actions = first_turn(state.play());
            (who, Command::Turn { base: state.version(), actions, lag_ms: 0 })
        }

        /// Changes the row of a finished game to that of one that ended by the rules.
        async fn end_by_the_rules(&self, game: GameId) {
            let row = self.row(game).await;
            let outcome = Some(Outcome { winner: None, reason: Reason::Repetition });
            self.store.go_back(GameRow { outcome, ..row });
        }

        /// Adds an event that cannot be decoded.
        async fn add_nonsense(&self, game: GameId) {
            let row = self.row(game).await;
            let (version, body) = (row.version.next(), "nonsense".to_owned());
            let event = StoredEvent { version, at_ms: row.updated_ms, command: None, body };
            let append = Append::new(vec![event], GameRow { version, ..row }, DraftIs::Kept);
            self.writer.append(append).await.unwrap();
        }

        async fn row(&self, game: GameId) -> GameRow {
            self.store.game(game).await.unwrap().unwrap()
        }

        async fn has(&self, game: GameId) -> bool {
            self.store.log(game).await.unwrap().is_some()
        }
    }

    fn first_turn(play: &AnyMatch) -> Vec<ActionText> {
        let mut actions: Vec<String> = Vec::new();
        while let draft = play.draft(&actions).unwrap()
            && !draft.complete
        {
            actions.push(draft.legal()[0].text.clone());
        }
        actions.into_iter().map(|action| action.try_into().unwrap()).collect()
    }

    /// The text of a position in the fifth turn.
    fn later_position() -> String {
        let mut play = AnyMatch::new(Ruleset::Fibonacci);
        for _ in 0..4 {
            let turn = first_turn(&play);
            play.play(&turn).unwrap();
        }
        play.position_text()
    }

    #[tokio::test(start_paused = true)]
    async fn games_that_nobody_played_on_are_deleted_a_time_after_their_end_and_others_never() {
        let (day, month) = (Some(DAY_MS), Some(30 * DAY_MS));
        let own = Some(later_position());
        for (words, start, kept_ms) in [
            ("", None, None),
            ("join turn", None, None),
            ("cancel", None, day),
            ("pool abort", None, day),
            ("pool turn abort", None, day),
            ("join turn leave cancel", None, day),
            ("join resign", None, month),
            ("join turn turn turn resign", None, month),
            ("join turn turn turn resign", own.clone(), month),
            ("join turn turn draw", None, month),
            ("join turn turn turn turn back resign", None, month),
            ("join turn turn turn turn resign", None, None),
            ("join turn turn turn turn resign", own.clone(), None),
            ("join turn turn turn turn draw", None, None),
            ("join turn turn resign rules", None, None),
            ("join turn turn resign nonsense", None, None),
        ] {
            let scene = Scene::begin().await;
            let what = format!("{words}, from a position of its own: {}", start.is_some());
            let game = scene.game(words, start).await;
            let ended_ms = scene.row(game).await.updated_ms;
            let housekeeping = scene.housekeeping();
            let Some(kept_ms) = kept_ms else {
                let later_ms = ended_ms + 1_000 * DAY_MS;
                assert!(!housekeeping.delete(later_ms).await.unwrap(), "{what}");
                assert!(scene.has(game).await, "{what}");
                let found = [
                    scene.store.aborted_games(later_ms, BATCH).await.unwrap(),
                    scene.store.given_up_games(later_ms, BATCH).await.unwrap(),
                ];
                assert_eq!(found.concat(), [], "it is not examined again: {what}");
                continue;
            };
            housekeeping.delete(ended_ms + kept_ms).await.unwrap();
            assert!(scene.has(game).await, "{what}");
            housekeeping.delete(ended_ms + kept_ms + 1).await.unwrap();
            assert!(!scene.has(game).await, "{what}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_deleted_game_is_unknown_to_its_readers_and_no_longer_in_the_lobby() {
        let scene = Scene::begin().await;
        let game = scene.game("join turn turn resign", None).await;
        let (outbox, mut outgoing) = Outbox::open();
        let watch = async || {
            let (who, from) = (player(ADA).id, Version::NONE);
            scene.games.watch(game, &outbox, who, from, FollowPolicy::All, Requester::SERVER).await
        };
        watch().await.unwrap();
        while outgoing.next_waiting().is_some() {}
        assert!(scene.lobby.last_changes().contains_key(&game));
        tokio::time::advance(Duration::from_millis(30 * DAY_MS as u64 + 1)).await;
        scene.housekeeping().delete(scene.games.env().now_ms()).await.unwrap();
        assert_eq!(watch().await, Err(Nack::UnknownGame));
        let last = std::iter::from_fn(|| outgoing.next_waiting()).last().unwrap();
        assert!(last.contains("unavailable"), "its readers ask again: {last}");
        assert!(scene.lobby.last_changes().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_room_that_nobody_joins_is_closed_by_the_sweep_and_then_deleted() {
        let scene = Scene::begin().await;
        let rooms = [scene.game("", None).await, scene.game("join leave", None).await];
        let opened_ms = scene.row(rooms[0]).await.updated_ms;
        let until = |ms| Duration::from_millis((opened_ms + ms - scene.games.env().now_ms()) as u64);
        tokio::time::advance(until(30 * DAY_MS - 1)).await;
        assert_eq!(scene.games.due(9).await.unwrap(), []);
        tokio::time::advance(until(30 * DAY_MS)).await;
        assert_eq!(scene.games.due(9).await.unwrap(), [rooms[0]], "the other one opened again later");
        // A game waits for commands on their way through the server.
        tokio::time::advance(until(30 * DAY_MS + 500)).await;
        scene.games.wake(rooms[0]);
        let state = scene.games.state(rooms[0], player(ADA).id).await.unwrap();
        assert_eq!(state.phase(), &Phase::Cancelled);
        assert_eq!(scene.row(rooms[0]).await.status, Status::Cancelled);
        assert!(!scene.lobby.last_changes().contains_key(&rooms[0]));
        scene.housekeeping().delete(scene.games.env().now_ms() + DAY_MS + 1).await.unwrap();
        assert!(!scene.has(rooms[0]).await && scene.has(rooms[1]).await);
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
        let here = scene.presence.enter(
            player(1000),
            SessionId::new(Uuid::nil()),
            Address::of_tests(1),
            Outbox::open().0,
        );
        let mut seen_at = Instant::now();
        scene.housekeeping().run_pass(&mut seen_at, GUESTS_KEPT_MS + DAY_MS).await.unwrap();
        assert_eq!((scene.n_guests(0..1).await, scene.n_guests(1..2).await), (1, 0));
        drop(here);
        assert!(seen_at > Instant::now(), "the use is recorded once a day");
        scene.housekeeping().run_pass(&mut seen_at, 2 * GUESTS_KEPT_MS + 2 * DAY_MS).await.unwrap();
        assert_eq!(scene.n_guests(0..1).await, 0);
    }
}
