//! The rules of the games of Towers: pure, synchronous, deterministic. Nothing here knows a network, a clock,
//! a database or a thread, and the same actions from the same start give the same game for ever.
//!
//! Numbers such as 1.12, and RULES 1.12, are clauses of `docs/rules.md`. The code follows them, and every error
//! names the clause that was broken.
//!
//! - A [`Ruleset`] is a game with its options settled.
//! - [`Rules`] are a game's positions: the text, what is legal, the effect of an action, the hash. There is no illegal
//!   position: reading a text checks it. [`Describe`] adds what boards show.
//! - A [`Match`] is a position with its past; of that, the [`GameHistory`] still decides about what is legal and how the
//!   game ends. It takes a **turn** as a whole, or refuses it with the index of the first bad action and the clause it
//!   breaks, and is then unchanged.
//! - A [`Draft`] is a turn begun: its actions so far, what is left of the turn and what is legal next.
//! - A [`Line`] is for a search: typed actions are pushed and popped, with the past of the match.
//! - A [`Record`](record::Record) is a game written down, to be kept, sent and replayed.
//! - [`AnyMatch`] is a match whose game is known only at run time. It costs one branch a call.
//!
//! No card of a game with cards is known to anyone before it is turned over: see [`Seed`].
//!
//! The modules know each other in one direction. `core` knows no game; `fibonacci`, `fenix` and `stacks` know `core` alone,
//! and implement its traits; matches (`play`), `any`, `text` and `record` know the games. A new game is a folder of its own,
//! one variant of [`AnyMatch`] and its rulesets.
//!
//! Features, all on by default: `cards`, the [`Seed`] that shuffles cards (without it a match is told each card);
//! `record`, game records in text and JSON; `serde`, serialisation of what boards show.
//!
//! ```
//! use engine::{AnyMatch, Ruleset, Side};
//!
//! let mut game = AnyMatch::new("fibonacci".parse::<Ruleset>()?);
//! assert_eq!(game.draft::<&str>(&[])?.legal().len(), 132);
//!
//! let steps = game.play(&["b7-c7"])?;
//! assert_eq!(steps[0].route, ["b7", "c7"]);
//! assert_eq!(game.to_move(), Side::Second);
//!
//! let error = game.play(&["j5-i5", "a1-a2"]).unwrap_err();
//! assert_eq!((error.index, error.rule.as_str()), (1, "1.10"));
//! assert_eq!(game.turns().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
mod core;
pub mod fenix;
pub mod fibonacci;
mod play;
#[cfg(feature = "record")]
pub mod record;
mod ruleset;
pub mod stacks;
mod text;

pub use self::{
    any::{AnyMatch, AnyPosition},
    core::{
        ActionKind, ActionView, Allowance, BitCell, BitSet, Bits, Budget, BySide, Capture, Card, Cards,
        CellName, Choices, Counts, Describe, GameHistory, History, Jump, KoForbidden, LegalAction, Line,
        NotACellName, Outcome, Overflow, Owed, OwedPiece, Pack, Present, Progress, QuietTurns, Reason, Rule,
        Rules, SetUp, Side, TextError as TypedTextError, TextErrorKind as TypedTextErrorKind, TooCostly,
        TurnNumber, UnknownSide, Unlisted, Unreadable,
    },
    fibonacci::CardError,
    play::{Draft, Match, Playable, PlayedAction, TurnRecord},
    ruleset::{Ruleset, UnknownRuleset},
    text::{IllegalAction, InvalidPosition, TextError, TextErrorKind, TurnError, TurnErrorKind},
};
#[cfg(feature = "cards")]
pub use fibonacci::{NotASeed, Seed, SeedHash, Unfair};
