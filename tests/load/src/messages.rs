//! Messages of honest clients, as the protocol defines them.

use engine::Ruleset;
use game::ids::{ActionText, CommandId, GameId, Version};
use protocol::{
    Bonus, ClientMessage, ClockRule, Known, NewRoom, PROTOCOL, Pool, RealTime, RealTimeParts, SeatChoice,
    Terms, Visibility,
};

/// Returns the first message of a connection, with the versions of the games that the client has.
pub fn hello(known: &[(&str, u64)], lobby: bool) -> String {
    let known =
        known.iter().map(|(game, version)| Known { game: id(game), version: self::version(*version) });
    text(&ClientMessage::Hello { protocol: PROTOCOL, games: known.collect(), lobby, turns: false })
}

/// Subscribes to a game of which the client has a version.
pub fn watch(game: &str, version: u64) -> String {
    text(&ClientMessage::Watch { game: id(game), version: self::version(version) })
}

/// Requests the legal actions at the beginning of a turn.
pub fn options(name: String, game: &str, version: u64) -> String {
    let version = self::version(version);
    text(&ClientMessage::Options { command: command(name), game: id(game), version, actions: Vec::new() })
}

/// Shows an unfinished turn.
pub fn draft(name: String, game: &str, version: u64, actions: &[String]) -> String {
    let version = self::version(version);
    let action = |action: &String| ActionText::try_from(action.clone()).expect("an action is a short text");
    let actions = actions.iter().map(action).collect();
    text(&ClientMessage::Draft { command: command(name), game: id(game), version, actions })
}

/// Aborts a game.
pub fn abort(name: String, game: &str) -> String {
    text(&ClientMessage::Abort { command: command(name), game: id(game) })
}

/// Resigns a game.
pub fn resign(name: String, game: &str) -> String {
    text(&ClientMessage::Resign { command: command(name), game: id(game) })
}

/// Seeks in a pool.
pub fn seek(ruleset: Ruleset, clock: ClockRule) -> String {
    text(&ClientMessage::Seek { pool: Pool { ruleset, clock } })
}

/// Returns a clock with a base time and a bonus for each turn, both in seconds.
pub fn clock(base_s: u32, bonus_s: u32) -> ClockRule {
    let parts = RealTimeParts { base_s, bonus_s, bonus: Bonus::PerTurn };
    ClockRule::RealTime(RealTime::try_from(parts).expect("the times are in their ranges"))
}

/// Returns a public room whose maker has the first seat, for games without a clock.
pub fn room(ruleset: Ruleset) -> NewRoom {
    let terms = Terms::default();
    let (seat, visibility) = (SeatChoice::First, Visibility::Public);
    NewRoom { ruleset, seat, visibility, challenged: None, answers: None, start: None, terms }
}

/// Returns such a room of `fibonacci` with the longest clock of real time.
pub fn live_room() -> NewRoom {
    let terms = Terms { clock: clock(180 * 60, 180), ..Terms::default() };
    NewRoom { terms, ..room(Ruleset::Fibonacci) }
}

fn text(message: &ClientMessage) -> String {
    serde_json::to_string(message).expect("messages have string keys only")
}

fn id(game: &str) -> GameId {
    game.parse().expect("the server sent the id")
}

fn command(name: String) -> CommandId {
    CommandId::try_from(name).expect("a short name is a command id")
}

fn version(version: u64) -> Version {
    Version::new(u32::try_from(version).expect("the versions of a game are few"))
}
