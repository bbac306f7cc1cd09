//! A lobby with its readers, and games.

use engine::{Ruleset, Side};
use game::{
    ClockRule, Outcome, Player, Reason, SeatChoice, Seats, Watching,
    ids::{Delay, PlayerName, SessionId, Version},
};
use serde_json::Value;
use store::Memory;
use tokio::{task::JoinHandle, time::advance};
use uuid::Uuid;

use crate::{lobby::*, net::outbox::Outgoing, presence::PresenceGuard};

pub(super) const GONE_AFTER: Duration = Duration::from_secs(30);

pub(super) const ADA: u128 = 1;
pub(super) const BLAISE: u128 = 2;
pub(super) const CHARLES: u128 = 3;
pub(super) const READER: u128 = 9;

/// The session of all players.
pub(super) fn session() -> SessionId {
    SessionId::new(Uuid::nil())
}

pub(super) fn player(number: u128) -> Player {
    let name = PlayerName::try_from(format!("Player {number}")).unwrap();
    Player { id: PlayerId::new(Uuid::from_u128(number)), name }
}

/// A directory that learns the names of players from nobody but the test.
pub(super) fn directory() -> Directory {
    Directory::new(Arc::new(Memory::default()))
}

pub(super) fn game(number: u128) -> GameId {
    GameId::new(Uuid::from_u128(number))
}

/// A public room of Ada's.
pub(super) fn room(number: u128) -> GameRow {
    GameRow {
        id: game(number),
        ruleset: Ruleset::Fenix,
        status: Status::Open,
        visibility: Visibility::Public,
        creator: player(ADA).id,
        challenged: None,
        seat: SeatChoice::First,
        clock: ClockRule::None,
        watching: Watching::Everybody,
        delay: Delay::default(),
        custom_start: false,
        seats: None,
        version: Version::new(1),
        turn: 1,
        to_move: Side::First,
        outcome: None,
        created_ms: 0,
        updated_ms: 0,
        deadline_ms: None,
        position: Some("CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1".to_owned()),
        offers: Vec::new(),
    }
}

/// A public room of a player without others.
pub(super) fn of_stranger(number: u128) -> GameRow {
    GameRow { creator: player(1_000_000 + number).id, ..room(number) }
}

/// A game under way of two players without others.
pub(super) fn of_strangers(number: u128) -> GameRow {
    between(number, 1_000_000 + number, 2_000_000 + number)
}

/// A game under way.
pub(super) fn between(number: u128, first: u128, second: u128) -> GameRow {
    let seats = Some(Seats { first: player(first).id, second: player(second).id });
    GameRow { creator: player(first).id, seats, ..begun(room(number)) }
}

/// The room, joined by Blaise.
pub(super) fn begun(room: GameRow) -> GameRow {
    let seats = Some(Seats { first: player(ADA).id, second: player(BLAISE).id });
    GameRow { status: Status::Playing, seats, version: room.version.next(), ..room }
}

/// The game, a turn later.
pub(super) fn moved(game: GameRow) -> GameRow {
    GameRow { turn: game.turn + 1, version: game.version.next(), ..game }
}

pub(super) fn over(game: GameRow) -> GameRow {
    let outcome = Some(Outcome { winner: Some(Side::First), reason: Reason::Resign });
    GameRow { status: Status::Finished, outcome, version: game.version.next(), ..game }
}

/// A lobby whose task runs.
pub(super) struct Scene {
    pub(super) lobby: Lobby,
    stop: CancellationToken,
    running: JoinHandle<()>,
}

/// A player's connection that follows the lobby.
pub(super) struct Tab {
    pub(super) outgoing: Outgoing,
    pub(super) _here: PresenceGuard,
}

impl Scene {
    pub(super) async fn begin() -> Self {
        let presence = Presence::new(Bus::alone());
        let (lobby, stop) = (Lobby::new(Bus::alone(), presence, directory()), CancellationToken::new());
        #[expect(clippy::disallowed_methods, reason = "a test has no server whose drain would wait for it")]
        let running = tokio::spawn(lobby.clone().run(stop.clone()));
        advance(Duration::ZERO).await;
        Self { lobby, stop, running }
    }

    pub(super) fn come(&self, number: u128) -> PresenceGuard {
        self.lobby.presence.enter(player(number), session(), Address::of_tests(1), Outbox::open().0)
    }

    /// Opens the lobby with these games of the player's in the store.
    pub(super) fn open(&self, number: u128, stored: &[GameRow]) -> (Tab, Value) {
        let (outbox, outgoing) = Outbox::open();
        let here = self.lobby.presence.enter(player(number), session(), Address::of_tests(1), outbox.clone());
        let reading = self.lobby.inner.lock().readings.begin(player(number).id);
        self.lobby.show(player(number).id, &outbox, &reading, stored);
        let mut tab = Tab { outgoing, _here: here };
        let shown = tab.received().remove(0);
        (tab, shown)
    }

    /// Lets the time of a tick pass.
    pub(super) async fn tick(&self) {
        self.wait(TICK).await;
    }

    /// Lets time pass tick by tick, so that the lobby's task keeps up.
    pub(super) async fn wait(&self, time: Duration) {
        for _ in 0..time.as_millis() / TICK.as_millis() {
            advance(TICK).await;
            tokio::task::yield_now().await;
        }
    }

    pub(super) async fn end(self) {
        self.stop.cancel();
        self.running.await.unwrap();
    }
}

impl Tab {
    /// All received messages.
    pub(super) fn received(&mut self) -> Vec<Value> {
        let frames = std::iter::from_fn(|| self.outgoing.next_waiting());
        frames.map(|frame| serde_json::from_str(&frame).unwrap()).collect()
    }

    /// Received updates of games: number and status, or none if the game is gone.
    pub(super) fn news(&mut self) -> Vec<(u128, Option<String>)> {
        let number = |id: &Value| id.as_str().unwrap().parse::<GameId>().unwrap().uuid().as_u128();
        let mut news = Vec::new();
        for message in self.messages() {
            for game in message["games"].as_array().unwrap() {
                news.push((number(&game["id"]), Some(game["status"].as_str().unwrap().to_owned())));
            }
            news.extend(message["gone"].as_array().unwrap().iter().map(|id| (number(id), None)));
        }
        news
    }

    /// All received updates.
    pub(super) fn messages(&mut self) -> Vec<Value> {
        self.received().into_iter().filter(|message| message["type"] == "lobby_changed").collect()
    }
}

pub(super) fn changed(number: u128, status: &str) -> (u128, Option<String>) {
    (number, Some(status.to_owned()))
}

pub(super) fn gone(number: u128) -> (u128, Option<String>) {
    (number, None)
}

pub(super) fn numbers(rows: &Value) -> Vec<u128> {
    let id = |row: &Value| row["id"].as_str().unwrap().parse::<GameId>().unwrap();
    rows.as_array().unwrap().iter().map(|row| id(row).uuid().as_u128()).collect()
}
