//! Whole games as lists of actions, from the engine's tests.

use std::{fs, path::Path};

use serde_json::Value;

/// A game from its start to its end.
#[derive(Clone, Debug)]
pub struct Game {
    pub ruleset: String,
    /// Text of the start position, unless it is the ruleset's own.
    pub start: Option<String>,
    /// The actions of each turn.
    pub turns: Vec<Vec<String>>,
    /// Winner and reason, as in the protocol.
    pub outcome: Value,
    /// The text of the last position.
    pub last_position: String,
}

impl Game {
    /// A whole game of `fibonacci`, won by surrounding the centre.
    pub fn fibonacci() -> Self {
        Self::read("fibonacci")
    }

    /// A whole game of `fibonacci-mixed`, won by surrounding the centre.
    pub fn fibonacci_mixed() -> Self {
        Self::read("fibonacci-mixed")
    }

    /// The game in a file of that name.
    pub fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../engine/tests/games/{name}.json"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let game: Value = serde_json::from_str(&text).expect("the game is JSON");
        Self {
            ruleset: game["ruleset"].as_str().expect("a game has a ruleset").to_owned(),
            start: game["start"].as_str().map(str::to_owned),
            turns: serde_json::from_value(game["turns"].clone()).expect("a game has lists of actions"),
            outcome: game["outcome"].clone(),
            last_position: game["final"].as_str().expect("a game has a last position").to_owned(),
        }
    }
}
