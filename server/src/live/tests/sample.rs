//! A node with games, and generated long games.

use engine::{AnyMatch, Ruleset, Side};
use game::{Outcome, Reason, ids::PlayerName};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use store::StoredEvent;
use tempfile::TempDir;

use super::*;
use crate::{convert, presence::Presence};

/// Time of the first event, milliseconds since 1970.
const BEGAN_MS: i64 = 1_790_000_000_000;

pub(in crate::live) fn player(number: u128) -> Player {
    let name = PlayerName::try_from("Ada".to_owned()).unwrap();
    Player { id: PlayerId::new(Uuid::from_u128(number)), name }
}

/// Games on a database. One of their own is deleted with the directory.
pub(in crate::live) struct Node {
    pub(in crate::live) games: Games,
    pub(in crate::live) writer: Writer,
    _directory: Option<TempDir>,
}

pub(in crate::live) async fn node(memory: usize) -> Node {
    let directory = TempDir::new().unwrap();
    let store = store::open(&format!("sqlite:{}/towers.db", directory.path().display())).await.unwrap();
    Node { _directory: Some(directory), ..node_on(store, memory).await }
}

pub(in crate::live) async fn node_on(store: Arc<dyn Store>, memory: usize) -> Node {
    let dependencies =
        Dependencies { memory, ..Dependencies::alone(store, Presence::new(Bus::alone())).await };
    Node { writer: dependencies.writer.clone(), games: Games::new(dependencies), _directory: None }
}

/// Returns the log of a game of `fibonacci` between players 1 and 2, of a number of random turns that do not end it.
pub(in crate::live) fn log(terms: Terms, n_turns: usize) -> Vec<Recorded> {
    drawn_log(1, terms, n_turns)
}

/// Returns such a log with the turns drawn from a seed.
pub(in crate::live) fn drawn_log(seed: u64, terms: Terms, n_turns: usize) -> Vec<Recorded> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut game = AnyMatch::new(Ruleset::Fibonacci);
    let seats = Seats { first: player(1).id, second: player(2).id };
    let created = Event::Created {
        ruleset: Ruleset::Fibonacci,
        visibility: Visibility::Public,
        creator: player(1).id,
        challenged: None,
        seat: SeatChoice::First,
        terms,
        start: None,
        seed: None,
    };
    let mut log = vec![];
    let mut add = |event| {
        let at_ms = BEGAN_MS + 1_234 * i64::try_from(log.len()).unwrap();
        log.push(Recorded { at_ms, event });
    };
    add(created);
    add(Event::Started { seats, joined: true });
    for _ in 0..n_turns {
        let actions = std::iter::repeat_with(|| turn(&game, &mut random)).flatten().next().unwrap();
        game.play(&actions).unwrap();
        let actions = actions.into_iter().map(|action| ActionText::try_from(action).unwrap()).collect();
        add(Event::TurnPlayed { actions, took_ms: 1_234, lag_ms: 0, time: None });
    }
    log
}

/// Ends such a log with a resignation of the second side.
pub(in crate::live) fn resigned(mut log: Vec<Recorded>) -> Vec<Recorded> {
    let at_ms = log.last().unwrap().at_ms + 1;
    let outcome = Outcome { winner: Some(Side::First), reason: Reason::Resign };
    let end = [Event::Resigned { side: Side::Second }, Event::Ended { outcome }];
    log.extend(end.map(|event| Recorded { at_ms, event }));
    log
}

/// Returns a random turn that does not end the game; `None` if there is none.
fn turn(game: &AnyMatch, random: &mut StdRng) -> Option<Vec<String>> {
    let mut actions: Vec<String> = Vec::new();
    loop {
        let draft = game.draft(&actions).unwrap();
        if draft.complete {
            return draft.outcome.is_none().then_some(actions);
        }
        let legal = draft.legal();
        actions.push(legal[random.random_range(..legal.len())].text.clone());
    }
}

impl Node {
    /// Stores a game with a command for each of its events.
    pub(in crate::live) async fn store(&self, log: &[Recorded]) -> GameRow {
        let id = GameId::new(self.games.env().id());
        let mut state = State::begin(&log[0]).unwrap();
        log[1..].iter().for_each(|recorded| state.apply(recorded).unwrap());
        let row = convert::row(id, &state);
        let append = Append::new(stored(log), row.clone(), DraftIs::Gone);
        self.writer.append(append).await.unwrap();
        row
    }
}

/// Returns events in their stored form, with a command for each.
pub(in crate::live) fn stored(log: &[Recorded]) -> Vec<StoredEvent> {
    let mut stored = append::stored(Version::NONE, None, log);
    for event in &mut stored {
        event.command = Some(command(event.version));
    }
    stored
}

/// The command of a version of a game.
pub(in crate::live) fn command(version: Version) -> CommandId {
    Uuid::from_u128(u128::from(version.get())).to_string().try_into().unwrap()
}
