//! One game, pure: what can happen ([`Event`]), what has come of it ([`State`], the fold of the log), what may
//! happen next ([`decide`]), and what each kind of reader sees ([`view`]).
//!
//! Nothing here knows the network, a database, a clock or chance: time and coins are arguments.

mod command;
mod decide;
mod event;
pub(crate) mod record;
mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

pub(crate) use command::Command;
pub(crate) use decide::{Decision, Refusal, decide};
pub(crate) use decide::{may_act, refuse_turn};
pub(crate) use event::{Event, Recorded, Unreadable};
pub(crate) use state::{Corrupt, Phase, State};
