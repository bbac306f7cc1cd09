//! The rules of the games of Towers: pure, synchronous, deterministic. Nothing here depends on a network, a clock, a
//! database or a thread, and the same actions from the same start always give the same game.
//!
//! Numbers such as 1.12, and RULES 1.12, are clauses of `docs/rules.md`. The code follows them, and every error
//! names the clause that was broken.
//!
//! - A [`Ruleset`] is a game with its options fixed.
//! - [`Rules`] are a game's positions: the text, the legal actions, the effect of an action, the hash. There is no
//!   illegal position, since reading a text checks it. [`Describe`] adds the views for boards.
//! - A [`Match`] is a position with its history; legality and the end of the game depend on the part that is the
//!   [`GameHistory`]. It plays a complete **turn**, or refuses it with the index of the first bad action and the broken
//!   clause, and is then unchanged.
//! - A [`Draft`] is the beginning of a turn: its actions so far, the rest of the allowance and the legal next actions.
//! - A [`Line`] is for a search: typed actions are pushed and popped, with the history of the match.
//! - A [`Record`](record::Record) is a written record of a game, to be stored, sent and replayed.
//! - [`AnyMatch`] is a match whose game is known only at run time. It costs one branch per call.
//!
//! No card of a game with cards is known to anyone before it is turned over: see [`Seed`].
//!
//! The modules depend on each other in one direction. `core` depends on no game. `fibonacci`, `fenix` and `stacks`
//! depend only on `core` and implement its traits. `play`, `any`, `text` and `record` depend on the games. A new game
//! is a folder of its own, one variant of [`AnyMatch`] and its rulesets.
//!
//! Features, all on by default: `cards`, the [`Seed`] that shuffles cards (without it, the caller supplies each card);
//! `record`, game records in text and JSON; `serde`, serialisation of rulesets and sides.
//!
//! ```
//! use engine::{AnyMatch, Ruleset, Side};
//!
//! let mut game = AnyMatch::new("fibonacci".parse::<Ruleset>()?);
//! assert_eq!(game.draft::<&str>(&[])?.legal().len(), 132);
//!
//! game.play(&["b7-c7"])?;
//! assert_eq!(game.last_steps()[0].route, ["b7", "c7"]);
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

/// Version of the rules in this crate, and of the views that are made of its answers. It is raised when the same actions
/// may lead to other ones: a page with an older engine is then sent everything by the server.
pub const RULES: u32 = 1;
