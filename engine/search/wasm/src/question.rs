use engine::{AnyMatch, Card, Ruleset};
use search::{Clock, Level, Limit, Searcher, Settings, Time};
use serde::{Deserialize, de::DeserializeOwned};

use super::{Answer, Refusal};

/// A search that is asked for: a game, and the level that plays its next turn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub ruleset: String,
    /// The text of the position that the game started from; null for the start of the ruleset.
    pub start: Option<String>,
    pub turns: Vec<Turn>,
    /// The card of the turn to be found, where the ruleset has cards. The search knows no other card than those that
    /// have been turned over.
    pub card: Option<u8>,
    /// Strength, 1 to 8.
    pub level: u8,
    /// The seed of choices among equals and of the errors of lower levels.
    pub seed: u64,
    /// Number of lines of the answer.
    pub lines: usize,
    /// Number of positions to visit, in place of the time of the level.
    pub nodes: Option<u64>,
}

/// A turn that was played.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Null in rulesets without cards, and where the start text has the card.
    pub card: Option<u8>,
    pub actions: Vec<String>,
}

impl Question {
    /// Reads a question from its JSON.
    ///
    /// # Errors
    /// The text is no question.
    pub fn read(json: &[u8]) -> Result<Self, Refusal> {
        read(json)
    }

    /// Searches for the turn, within the time of the level or the given number of positions.
    ///
    /// # Errors
    /// There is no such ruleset, level or game, or the game is over or waits for a card.
    pub fn answer(&self, searcher: &mut Searcher, clock: &dyn Clock) -> Result<Answer, Refusal> {
        let level = Level::new(self.level).ok_or(Refusal::UnknownLevel)?;
        let game = self.game()?;
        let time = self.nodes.is_none().then(|| Time { clock, limit: level.time() });
        let limit = Limit { time, nodes: self.nodes, ..Limit::default() };
        let settings = Settings { level, seed: self.seed, lines: self.lines, ..Settings::default() };
        let report = searcher.search(&game, &limit, &settings, &mut |_| {});
        report.map(Answer::from).ok_or(Refusal::NoTurn)
    }

    /// The game after its turns, with the card of the next one.
    fn game(&self) -> Result<AnyMatch, Refusal> {
        let ruleset: Ruleset = self.ruleset.parse().map_err(|_| Refusal::UnknownRuleset)?;
        let mut game = match &self.start {
            None => AnyMatch::new(ruleset),
            Some(text) => AnyMatch::from_text(ruleset, text)
                .map_err(|error| Refusal::InvalidPosition { detail: error.to_string() })?,
        };
        for (index, Turn { card, actions }) in self.turns.iter().enumerate() {
            turn_over(&mut game, *card)?;
            game.replay(actions).map_err(|_| Refusal::IllegalTurn { index })?;
        }
        turn_over(&mut game, self.card)?;
        Ok(game)
    }
}

/// Reads a question of any kind from its JSON.
pub(super) fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(json).map_err(|error| Refusal::InvalidQuestion { detail: error.to_string() })
}

/// Turns over the card of a turn, if it has one.
fn turn_over(game: &mut AnyMatch, card: Option<u8>) -> Result<(), Refusal> {
    let Some(value) = card else { return Ok(()) };
    let card = Card::from_value(value).ok_or(Refusal::InvalidCard)?;
    game.turn_over(card).map_err(|_| Refusal::InvalidCard)
}
