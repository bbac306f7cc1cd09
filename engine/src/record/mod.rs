//! Game records in text and in JSON. `docs/records.md` describes both formats.
//!
//! ```
//! use engine::{AnyMatch, Ruleset, record::Record};
//!
//! let mut game = AnyMatch::new(Ruleset::Crossfire);
//! game.play(&["h8-f8"])?;
//! let mut record = Record::from_match(&game);
//! record.players.first = Some("Ada".parse()?);
//! record.turns[0].took_ms = Some(2_500);
//!
//! let text = record.to_text();
//! assert!(text.contains("\n1 h8-f8 2.500s\n"));
//! assert_eq!(Record::parse_text(&text)?, record);
//! assert_eq!(Record::from_json(&record.to_json())?, record);
//! assert_eq!(record.replay()?.position_text(), game.position_text());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod date;
mod ending;
mod error;
mod json;
mod plain;
mod replay;
mod text;
mod words;

pub use date::Date;
pub use ending::{EndReason, Ending};
pub use error::{RecordError, RecordErrorKind};
pub use plain::in_plain_words;
pub use words::{ActionText, LineText, Misfit};

use crate::{AnyMatch, BySide, Card, Ruleset, Seed, SeedHash, TurnNumber};

/// The version of the format.
const VERSION: u32 = 1;

/// Mark that some editors put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A game record.
///
/// A record is a claim about a game. [`Record::replay`] checks it against the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    pub ruleset: Ruleset,
    /// The players' names.
    pub players: BySide<Option<LineText>>,
    /// The day on which the game began.
    pub date: Option<Date>,
    /// The clock, as free text.
    pub clock: Option<LineText>,
    /// The end of the game; `None` if it is not over.
    pub ending: Option<Ending>,
    /// The text of the position that the game started from; `None` for the ruleset's own start.
    pub start: Option<LineText>,
    /// SHA-256 of the seed of the cards (RULES 1.18).
    pub card_hash: Option<SeedHash>,
    /// The seed of the cards, once it is known (RULES 1.18).
    pub seed: Option<Seed>,
    /// The turns in order, without skipped ones.
    pub turns: Vec<Turn>,
    /// The text of the final position.
    pub final_text: LineText,
}

/// A turn of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The number of the turn (RULES 0.4).
    pub number: TurnNumber,
    /// The card that set its allowance (RULES 1.16).
    pub card: Option<Card>,
    /// Its actions. Only the last turn can have none, if its card was turned over and nothing else happened.
    pub actions: Vec<ActionText>,
    pub took_ms: Option<u64>,
}

impl Record {
    /// Creates the record of a match, without names, day, clock, times, and ends outside the rules. For a match with a
    /// seed, it has the hash, and the seed itself if the match is over.
    #[must_use]
    pub fn from_match(game: &AnyMatch) -> Self {
        let is_over = game.outcome().is_some();
        Self {
            ruleset: game.ruleset(),
            players: BySide::default(),
            date: None,
            clock: None,
            ending: game.outcome().map(Ending::from),
            start: (!is_usual_start(game)).then(|| LineText::from_engine(game.start_text())),
            card_hash: game.seed().map(Seed::hash),
            seed: game.seed().filter(|_| is_over).cloned(),
            turns: game.turns().iter().map(Turn::from_played).chain(begun(game)).collect(),
            final_text: LineText::from_engine(&game.position_text()),
        }
    }
}

/// Whether the match started from the ruleset's own start, with any first card.
fn is_usual_start(game: &AnyMatch) -> bool {
    let mut usual = AnyMatch::new(game.ruleset());
    if let Some((TurnNumber::FIRST, card)) = game.cards().iter().next() {
        usual.turn_over(*card).expect("a match that turned a card over has cards");
    }
    game.start_text() == usual.start_text()
}

/// The turn whose card was turned over and in which no action was played.
fn begun(game: &AnyMatch) -> Option<Turn> {
    let (number, card) = *game.cards().last()?;
    let is_played = game.turns().last().is_some_and(|turn| turn.turn == number);
    (!is_played).then_some(Turn { number, card: Some(card), actions: Vec::new(), took_ms: None })
}

impl Turn {
    fn from_played(turn: &crate::TurnRecord) -> Self {
        Self {
            number: turn.turn,
            card: turn.card,
            actions: turn.actions().map(ActionText::from_engine).collect(),
            took_ms: None,
        }
    }
}
