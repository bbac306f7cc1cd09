//! The rules of the games of Towers: pure, synchronous, deterministic. Nothing here knows a network, a clock,
//! a database or a thread, and the same actions from the same start give the same game for ever.
//!
//! Numbers such as 1.12, and RULES 1.12, are clauses of `docs/rules.md`. The code follows them, and every error
//! names the clause that was broken.
//!
//! - A [`Ruleset`] is a game with its options settled.
//! - A [`Position`] is all that a position's text says. There is no illegal one: reading a text checks it.
//! - A [`Match`] is a position with its history; of that, the [`GameHistory`] is what still decides about what is legal
//!   and how the game ends. It takes a **turn** as a whole, or refuses it with the index of the first bad action
//!   and the clause it breaks, and is then unchanged.
//! - A [`Draft`] is a turn begun: what it did so far, what is left of the turn and what is legal next.
//! - A [`Record`](record::Record) is a game written down, to be kept, sent and replayed.
//! - [`AnyMatch`] is a match whose game is known only at run time. It costs one branch a call.
//!
//! No card of a game with cards is known to anyone before it is turned over: see [`Seed`].
//!
//! Code that is the same for all games (`play`, `perft`, `any`) never asks which game it has; a game is one
//! implementation of [`Position`] in a folder of its own, one variant of `AnyMatch` and its rulesets.
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
mod budget;
mod cell_name;
mod deck;
pub mod fenix;
pub mod fibonacci;
mod game_history;
mod history;
mod outcome;
mod perft;
mod play;
mod position;
pub mod record;
mod rule;
mod ruleset;
mod side;
pub mod stacks;
mod text;
mod turn;

pub use any::{AnyMatch, AnyPosition};
pub use budget::{Budget, TooCostly, Unlisted};
pub use cell_name::{CellName, NotACellName};
pub use fibonacci::{Card, CardError, NotASeed, Seed, SeedHash, Unfair};
pub use game_history::GameHistory;
pub use history::History;
pub use outcome::{Outcome, Reason};
pub use play::{Draft, Match, PlayedAction, TurnRecord};
pub use position::{
    ActionKind, ActionView, Allowance, Capture, Cards, Choices, Counts, Jump, KoForbidden, LegalAction,
    Overflow, Owed, Pack, Position, Present, Progress, QuietTurns, SetUp,
};
pub use rule::Rule;
pub use ruleset::{Ruleset, UnknownRuleset};
pub use side::{BySide, Side, UnknownSide};
pub use text::{IllegalAction, TextError, TextErrorKind, TurnError, TurnErrorKind, Unreadable};
pub use turn::TurnNumber;
