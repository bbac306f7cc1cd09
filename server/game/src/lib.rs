//! One game, pure: its events ([`Event`]), its state as the fold of the log ([`State`]), the decision on a command
//! ([`decide`]), and the schema of stored events (`stored`).
//!
//! This crate knows no wire, network, database, clock or randomness: times and coin flips are arguments.

mod away;
mod bot;
mod clock;
mod command;
mod decide;
mod event;
pub mod ids;
mod inbox;
mod log;
mod mail_address;
mod name_keys;
mod notices;
mod offers;
mod outcome;
mod player;
pub mod record;
mod refusal;
mod state;
mod stored;
mod terms;
mod vacation;
mod visible;
mod words;
mod zone;

#[cfg(test)]
mod tests;

pub use self::{
    away::{Away, Period},
    command::{Command, Effect},
    decide::{
        Decision, When, credit, decide, falls_after_ms, flag_fall, flag_falls_at_ms, is_seated, may_act,
        may_claim, no_show, rematch_of,
    },
    event::{ClosedBy, Event, Recorded},
    inbox::{GameEnd, InboxEvent, SecurityEvent, SlowGame, StoredNotice, UnreadableNotice},
    log::BadLog,
    mail_address::{InvalidAddress, MailAddress},
    notices::{Language, NoticeChannel, NoticePurpose, NoticeSettings, QuietHours, TurnMails},
    offers::Offers,
    state::{Cause, Corrupt, PATIENCE_MS, Phase, State, TurnUnderWay, unplayed},
    stored::{Unreadable, clock_from_db, clock_to_db, players_in},
};
pub use self::{
    outcome::{ClaimKind, OfferKind, Outcome, Reason, StandingOffer, Status},
    player::{Player, PlayerKind, ReportKind, Role, Seats},
    refusal::Refusal,
    terms::{Bonus, ClockRule, Drafts, InvalidTime, RealTime, SeatChoice, Terms, Visibility, Watching},
    vacation::{NoVacation, Vacation, Vacations},
    words::{StoredWord, UnknownWord},
    zone::{InvalidZone, Zone},
};
