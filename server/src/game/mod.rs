//! One game, pure: what can happen ([`Event`]), what has come of it ([`State`], the fold of the log), what may
//! happen next ([`decide`]), and what each kind of reader sees ([`view`]).
//!
//! Nothing here knows the network, a database, a clock or chance: time and coins are arguments.

mod clock;
mod command;
mod decide;
mod event;
mod flaw;
mod log;
mod offers;
pub(crate) mod record;
mod state;
pub(crate) mod view;

#[cfg(test)]
mod tests;

pub(crate) use command::{Command, Effect};
pub(crate) use decide::{Decision, Refusal, When, decide};
pub(crate) use decide::{
    credit, flag_fall, flag_falls_at_ms, is_seated, may_act, may_claim, refuse_turn, rematch_of,
};
pub(crate) use event::{Event, Recorded, Unreadable};
pub(crate) use log::BadLog;
pub(crate) use state::{Cause, Corrupt, Phase, State, TurnUnderWay};
