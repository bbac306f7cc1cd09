//! Every message on the wire, types only.
//!
//! What a client may say is [`ClientMessage`], what it may hear is [`ServerMessage`]; all other types
//! are their parts and the bodies of the HTTP resources. `static/protocol.d.ts` is generated from these files and
//! `docs/protocol.md` explains them message by message with an example of each.
//!
//! Three counters never mix: an *action* counts within a turn, a *turn* is the rules' own number (RULES 0.4), a
//! *version* counts the events of one game's log.

mod client;
mod convert;
mod event;
mod flaw;
mod lists;
mod player;
mod refusal;
pub(crate) mod replay;
mod resources;
mod server;
mod snapshot;
mod terms;
#[cfg(test)]
mod tests;
mod turn;
pub(crate) mod view;

pub(crate) use self::client::Addressed;
pub use self::{
    client::{ClientMessage, Known},
    event::{Event, EventKind, WrittenEvent},
    flaw::{Expected, Flaw},
    lists::{GamePage, GameSummary, Status},
    player::{Player, Seats},
    refusal::{Fault, Nack, Problem},
    resources::{Blocks, GameDocument, NewRoom, NewTable, Rename, Replay, Session, Trial},
    server::{ChatLine, ClaimOffer, ServerMessage, SpectatorCount},
    snapshot::{ClaimKind, Clock, OfferKind, Outcome, Reason, Snapshot, StandingOffer, Times},
    terms::{
        Bonus, ClockRule, Drafts, Pool, RealTime, RealTimeParts, SeatChoice, Terms, Visibility, Watching,
    },
    turn::{
        ActionKind, Allowance, Barred, Capture, Cards, Draft, Jump, LegalAction, Overflow, Owed, OwedKind,
        Pack, Quiet, Reserves, SetUp, SetUps, Step, Threats, Turn,
    },
};
pub use crate::game::InvalidTime;

/// The version of this protocol. A client with another one is told so and asked to reload.
pub const PROTOCOL: u32 = 1;
