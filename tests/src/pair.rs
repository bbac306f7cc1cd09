//! Two players at one game.

use serde_json::{Value, json};

use crate::{game::Game, player::Player, server::Server, socket::Socket};

/// A game that has begun, and both its players, connected and following it.
#[derive(Debug)]
pub struct Pair {
    pub game: String,
    pub first: Seat,
    pub second: Seat,
}

/// A player with a connection.
#[derive(Debug)]
pub struct Seat {
    pub player: Player,
    pub socket: Socket,
}

impl Pair {
    /// Two new guests begin a public game.
    pub async fn open(server: &Server, ruleset: &str) -> Self {
        Self::open_from(server, ruleset, None).await
    }

    /// Two new guests begin a public game from a position's text, or from the usual start.
    pub async fn open_from(server: &Server, ruleset: &str, start: Option<&str>) -> Self {
        Self::open_room([server; 2], json!({"ruleset": ruleset, "start": start})).await
    }

    /// Two new guests begin a game on terms.
    pub async fn open_on(server: &Server, ruleset: &str, terms: Value) -> Self {
        Self::open_room([server; 2], json!({"ruleset": ruleset, "terms": terms})).await
    }

    /// Two new guests begin a game on terms, each on a server of their own.
    pub async fn open_across(servers: [&Server; 2], ruleset: &str, terms: Value) -> Self {
        Self::open_room(servers, json!({"ruleset": ruleset, "terms": terms})).await
    }

    async fn open_room([one, other]: [&Server; 2], room: Value) -> Self {
        Self::begin([Player::enter(one).await, Player::enter(other).await], room).await
    }

    /// Two players begin a public game.
    pub async fn between(players: [Player; 2], ruleset: &str) -> Self {
        Self::begin(players, json!({"ruleset": ruleset})).await
    }

    async fn begin([first, second]: [Player; 2], mut room: Value) -> Self {
        room["seat"] = json!("first");
        room["visibility"] = json!("public");
        let summary = first.post("/api/v1/rooms", &room).await.ok();
        let game = summary["id"].as_str().expect("a room has an id").to_owned();
        second.join(&game).await.ok();
        let first = Seat { socket: first.follow(&game).await, player: first };
        let second = Seat { socket: second.follow(&game).await, player: second };
        Self { game, first, second }
    }

    /// The seat to move, and the other one.
    pub fn by_turn(&mut self) -> (&mut Seat, &mut Seat) {
        match self.first.socket.record(&self.game).side() {
            "first" => (&mut self.first, &mut self.second),
            _ => (&mut self.second, &mut self.first),
        }
    }

    /// The version that both players have.
    pub fn version(&self) -> u64 {
        self.first.socket.record(&self.game).version()
    }

    /// The side to move plays a turn; both players have it when this returns.
    pub async fn play(&mut self, actions: &[impl AsRef<str>]) -> Value {
        let game = self.game.clone();
        let (mover, other) = self.by_turn();
        let answer = mover.socket.turn(&game, actions).await;
        assert_eq!(answer["type"], "ack", "{answer}");
        let version = answer["version"].as_u64().expect("an ack has a version");
        mover.socket.until_version(&game, version).await;
        other.socket.until_version(&game, version).await;
        answer
    }

    /// Plays some of a game's turns, by their index.
    pub async fn play_turns(&mut self, game: &Game, turns: std::ops::Range<usize>) {
        for actions in &game.turns[turns] {
            self.play(actions).await;
        }
    }

    /// Both players reconnect with their records, as after a loss of the network or of the server.
    pub async fn reconnect(self) -> Self {
        Self { first: self.first.reconnect().await, second: self.second.reconnect().await, game: self.game }
    }
}

impl Seat {
    /// Moves to another server of the same database, with the records.
    pub async fn move_to(self, server: &Server) -> Self {
        Self { player: self.player.at(server.address()), socket: self.socket }.reconnect().await
    }

    /// Reconnects with the records, and waits until the server has sent the missing events.
    pub async fn reconnect(self) -> Self {
        let mut socket = self.player.connect().await;
        socket.resume(self.socket.into_records()).await;
        socket.settle().await;
        Self { player: self.player, socket }
    }
}
