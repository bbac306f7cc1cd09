//! One game, pure: what can happen ([`Event`]), what has come of it ([`State`], the fold of the log), what may
//! happen next ([`decide`]), and how events are stored (`stored`).
//!
//! Nothing here knows the wire, the network, a database, a clock or chance: time and coins are arguments.

mod clock;
mod command;
mod decide;
mod event;
mod log;
mod offers;
mod outcome;
mod player;
pub(crate) mod record;
mod refusal;
mod state;
mod stored;
mod terms;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use self::{
    command::{Command, Effect},
    decide::{
        Decision, When, credit, decide, flag_fall, flag_falls_at_ms, is_seated, may_act, may_claim,
        rematch_of,
    },
    event::{Event, Recorded},
    log::BadLog,
    offers::Offers,
    state::{Cause, Corrupt, Phase, State, TurnUnderWay},
    stored::{Unreadable, clock_from_db, clock_to_db},
};
pub use self::{
    outcome::{ClaimKind, OfferKind, Outcome, Reason, StandingOffer, Status},
    player::{Player, Seats},
    refusal::Refusal,
    terms::{Bonus, ClockRule, Drafts, InvalidTime, RealTime, SeatChoice, Terms, Visibility, Watching},
    words::{StoredWord, UnknownWord},
};
