//! Stored events: JSON in versioned schemas. Turns are written in schema 2, events that mention players in schema 3, all others
//! in schema 1. Earlier builds wrote all of them in schema 1, players with their names, which nobody reads any more.
//!
//! A stored body stays readable forever. The reader is tolerant. It ignores unknown fields, so that a node can read the
//! events of a later release as long as the known fields keep their meaning. Fields that were added later may be
//! missing. A change that an older reader would misread requires a new schema version.

mod turn;

use std::borrow::Cow;

use engine::{BySide, Ruleset, Seed, Side};
use serde::{Deserialize, Serialize};

use self::turn::StoredTurn;
use super::{
    Bonus, ClockRule, ClosedBy, Drafts, Event, InvalidTime, OfferKind, Outcome, RealTime, Reason, Recorded,
    SeatChoice, Seats, Terms, Visibility, Watching, event::MAX_MS, words::Word,
};
use crate::ids::{ActionText, BankDays, BankHours, Days, Delay, GameId, PlayerId};

/// Version of the schema of events that mention nobody, apart from turns.
const SCHEMA: u32 = 1;

/// Version of the schema of events that mention players, by their ids alone.
const SCHEMA_OF_PLAYERS: u32 = 3;

/// The part of a body that all schemas have.
#[derive(Deserialize)]
struct Versioned {
    v: u32,
}

/// A body in the schema in which it is written.
#[derive(Serialize)]
#[serde(untagged)]
enum Body<'e> {
    Turn(StoredTurn<'e>),
    Other {
        v: u32,
        #[serde(flatten)]
        event: StoredEvent<'e>,
    },
}

/// An event in schema 1 or 3.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum StoredEvent<'e> {
    Created {
        ruleset: Word<Ruleset>,
        visibility: Word<Visibility>,
        creator: StoredPlayer,
        #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
        challenged: Option<StoredPlayer>,
        seat: Word<SeatChoice>,
        /// Missing in logs that are older than the terms.
        #[serde(default)]
        terms: StoredTerms,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<Cow<'e, str>>,
        #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::ids::secret_seed")]
        seed: Option<Seed>,
    },
    Started {
        seats: StoredSeats,
        /// Missing in logs that are older than reopened rooms.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        joined: bool,
    },
    #[serde(skip_serializing)]
    TurnPlayed {
        actions: Vec<ActionText>,
        took_ms: i64,
        #[serde(default)]
        lag_ms: i64,
        #[serde(default)]
        time: Option<StoredTimes>,
    },
    Offered {
        what: Word<OfferKind>,
        side: Word<Side>,
    },
    Declined {
        what: Word<OfferKind>,
        side: Word<Side>,
    },
    DrawAgreed {
        side: Word<Side>,
    },
    TurnsTakenBack {
        turns: u16,
        side: Word<Side>,
    },
    TimeCredited {
        side: Word<Side>,
        ms: i64,
        /// Missing if the time is that of an outage, and in logs that are older than vacations.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        vacation_until_ms: Option<i64>,
    },
    Flagged {
        side: Word<Side>,
    },
    Claimed {
        side: Word<Side>,
    },
    Aborted {
        side: Option<Word<Side>>,
    },
    Reopened {
        side: Option<Word<Side>>,
    },
    RematchStarted {
        rematch: GameId,
        side: Word<Side>,
    },
    Resigned {
        side: Word<Side>,
    },
    Cancelled {
        /// Missing in logs that are older than the field.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_time: bool,
        /// Missing in logs that are older than challenges.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        declined: bool,
        /// The challenge that answers a declined one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        counter: Option<GameId>,
    },
    Ended {
        outcome: StoredOutcome,
    },
}

/// A player's id.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(from = "MentionedPlayer")]
struct StoredPlayer(PlayerId);

/// A player as any schema writes one.
#[derive(Deserialize)]
#[serde(untagged)]
enum MentionedPlayer {
    Id(PlayerId),
    Named { id: PlayerId },
}

impl From<MentionedPlayer> for StoredPlayer {
    fn from(player: MentionedPlayer) -> Self {
        let (MentionedPlayer::Id(id) | MentionedPlayer::Named { id }) = player;
        Self(id)
    }
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct StoredSeats {
    first: StoredPlayer,
    second: StoredPlayer,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredTerms {
    clock: StoredClock,
    watching: Word<Watching>,
    drafts: Word<Drafts>,
    delay: Delay,
}

/// A clock rule in stored JSON, in events and in the rows of games.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum StoredClock {
    #[default]
    None,
    RealTime {
        base_s: u32,
        bonus_s: u32,
        bonus: Word<Bonus>,
    },
    Correspondence {
        days: Days,
    },
    Bank {
        base_days: BankDays,
        bonus_hours: BankHours,
    },
}

#[derive(Clone, Copy, Deserialize)]
struct StoredTimes {
    first_ms: i64,
    second_ms: i64,
}

#[derive(Serialize, Deserialize)]
struct StoredOutcome {
    winner: Option<Word<Side>>,
    reason: Word<Reason>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(ms: &i64) -> bool {
    *ms == 0
}

impl Recorded {
    /// Returns the event's body for the store: JSON with the version of its schema.
    pub fn body(&self) -> String {
        serde_json::to_string(&Body::from(&self.event)).expect("events have string keys only")
    }

    /// Reads a stored body.
    ///
    /// # Errors
    /// The body is not a valid event, has another schema version, or has a time out of range.
    pub fn read(at_ms: i64, body: &str) -> Result<Self, Unreadable> {
        let event = match parse(body)? {
            Versioned { v: SCHEMA | SCHEMA_OF_PLAYERS } => Event::try_from(parse::<StoredEvent<'_>>(body)?)?,
            Versioned { v: turn::SCHEMA } => parse::<StoredTurn<'_>>(body)?.into(),
            Versioned { v } => return Err(Unreadable::Schema(v)),
        };
        let recorded = Self { at_ms, event };
        if recorded.times_ms().iter().all(|ms| (-MAX_MS..=MAX_MS).contains(ms)) {
            Ok(recorded)
        } else {
            Err(Unreadable::Time)
        }
    }
}

fn parse<'b, T: Deserialize<'b>>(text: &'b str) -> Result<T, Unreadable> {
    serde_json::from_str(text).map_err(|error| Unreadable::Json(error.to_string()))
}

/// Returns the players whom a stored body mentions.
pub fn players_in(body: &str) -> Vec<PlayerId> {
    let Mentioned { creator, challenged, seats } = parse(body).unwrap_or_default();
    let seats = seats.into_iter().flat_map(|seats| [seats.first, seats.second]);
    creator.into_iter().chain(challenged).chain(seats).map(|StoredPlayer(id)| id).collect()
}

/// The fields of a body that mention players.
#[derive(Default, Deserialize)]
struct Mentioned {
    creator: Option<StoredPlayer>,
    #[serde(rename = "for")]
    challenged: Option<StoredPlayer>,
    seats: Option<StoredSeats>,
}

/// A stored body that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("the body is not an event: {0}")]
    Json(String),
    #[error("the body has schema {0}; this server reads schemas {SCHEMA}, {turn} and {SCHEMA_OF_PLAYERS}", turn = turn::SCHEMA)]
    Schema(u32),
    #[error("a time is out of range: expected -{MAX_MS} to {MAX_MS} ms")]
    Time,
    #[error("the clock is invalid: {0}")]
    Clock(#[from] InvalidTime),
}

impl<'e> From<&'e Event> for Body<'e> {
    fn from(event: &'e Event) -> Self {
        use StoredEvent as Stored;
        let event = match event {
            Event::TurnPlayed { actions, took_ms, lag_ms, time } => {
                return Self::Turn(StoredTurn::new(actions, *took_ms, *lag_ms, *time));
            }
            Event::Created { ruleset, visibility, creator, challenged, seat, terms, start, seed } => {
                Stored::Created {
                    ruleset: Word(*ruleset),
                    visibility: Word(*visibility),
                    creator: StoredPlayer(*creator),
                    challenged: challenged.map(StoredPlayer),
                    seat: Word(*seat),
                    terms: terms.into(),
                    start: start.as_deref().map(Cow::Borrowed),
                    seed: seed.clone(),
                }
            }
            Event::Started { seats, joined } => Stored::Started {
                seats: StoredSeats { first: StoredPlayer(seats.first), second: StoredPlayer(seats.second) },
                joined: *joined,
            },
            Event::Offered { what, side } => Stored::Offered { what: Word(*what), side: Word(*side) },
            Event::Declined { what, side } => Stored::Declined { what: Word(*what), side: Word(*side) },
            Event::DrawAgreed { side } => Stored::DrawAgreed { side: Word(*side) },
            Event::TurnsTakenBack { turns, side } => {
                Stored::TurnsTakenBack { turns: *turns, side: Word(*side) }
            }
            Event::TimeCredited { side, ms, vacation_until_ms } => {
                Stored::TimeCredited { side: Word(*side), ms: *ms, vacation_until_ms: *vacation_until_ms }
            }
            Event::Flagged { side } => Stored::Flagged { side: Word(*side) },
            Event::Claimed { side } => Stored::Claimed { side: Word(*side) },
            Event::Aborted { side } => Stored::Aborted { side: side.map(Word) },
            Event::Reopened { side } => Stored::Reopened { side: side.map(Word) },
            Event::RematchStarted { rematch, side } => {
                Stored::RematchStarted { rematch: *rematch, side: Word(*side) }
            }
            Event::Resigned { side } => Stored::Resigned { side: Word(*side) },
            Event::Cancelled { by } => {
                let (by_time, declined, counter) = match by {
                    ClosedBy::Maker => (false, false, None),
                    ClosedBy::Challenged { counter } => (false, true, *counter),
                    ClosedBy::Time => (true, false, None),
                };
                Stored::Cancelled { by_time, declined, counter }
            }
            Event::Ended { outcome: Outcome { winner, reason } } => {
                Stored::Ended { outcome: StoredOutcome { winner: winner.map(Word), reason: Word(*reason) } }
            }
        };
        let v = match event {
            Stored::Created { .. } | Stored::Started { .. } => SCHEMA_OF_PLAYERS,
            _ => SCHEMA,
        };
        Self::Other { v, event }
    }
}

impl TryFrom<StoredEvent<'_>> for Event {
    type Error = InvalidTime;

    fn try_from(event: StoredEvent<'_>) -> Result<Self, InvalidTime> {
        use StoredEvent as Stored;
        Ok(match event {
            Stored::Created { ruleset, visibility, creator, challenged, seat, terms, start, seed } => {
                Self::Created {
                    ruleset: ruleset.0,
                    visibility: visibility.0,
                    creator: creator.0,
                    challenged: challenged.map(|player| player.0),
                    seat: seat.0,
                    terms: terms.try_into()?,
                    start: start.map(Cow::into_owned),
                    seed,
                }
            }
            Stored::Started { seats: StoredSeats { first, second }, joined } => {
                Self::Started { seats: Seats { first: first.0, second: second.0 }, joined }
            }
            Stored::TurnPlayed { actions, took_ms, lag_ms, time } => Self::TurnPlayed {
                actions,
                took_ms,
                lag_ms,
                time: time
                    .map(|StoredTimes { first_ms, second_ms }| BySide { first: first_ms, second: second_ms }),
            },
            Stored::Offered { what, side } => Self::Offered { what: what.0, side: side.0 },
            Stored::Declined { what, side } => Self::Declined { what: what.0, side: side.0 },
            Stored::DrawAgreed { side } => Self::DrawAgreed { side: side.0 },
            Stored::TurnsTakenBack { turns, side } => Self::TurnsTakenBack { turns, side: side.0 },
            Stored::TimeCredited { side, ms, vacation_until_ms } => {
                Self::TimeCredited { side: side.0, ms, vacation_until_ms }
            }
            Stored::Flagged { side } => Self::Flagged { side: side.0 },
            Stored::Claimed { side } => Self::Claimed { side: side.0 },
            Stored::Aborted { side } => Self::Aborted { side: side.map(|side| side.0) },
            Stored::Reopened { side } => Self::Reopened { side: side.map(|side| side.0) },
            Stored::RematchStarted { rematch, side } => Self::RematchStarted { rematch, side: side.0 },
            Stored::Resigned { side } => Self::Resigned { side: side.0 },
            Stored::Cancelled { by_time: true, .. } => Self::Cancelled { by: ClosedBy::Time },
            Stored::Cancelled { declined: true, counter, .. } => {
                Self::Cancelled { by: ClosedBy::Challenged { counter } }
            }
            Stored::Cancelled { .. } => Self::Cancelled { by: ClosedBy::Maker },
            Stored::Ended { outcome: StoredOutcome { winner, reason } } => {
                Self::Ended { outcome: Outcome { winner: winner.map(|side| side.0), reason: reason.0 } }
            }
        })
    }
}

impl From<&Terms> for StoredTerms {
    fn from(terms: &Terms) -> Self {
        let Terms { clock, watching, drafts, delay } = *terms;
        Self { clock: clock.into(), watching: Word(watching), drafts: Word(drafts), delay }
    }
}

impl TryFrom<StoredTerms> for Terms {
    type Error = InvalidTime;

    fn try_from(StoredTerms { clock, watching, drafts, delay }: StoredTerms) -> Result<Self, InvalidTime> {
        Ok(Self { clock: clock.try_into()?, watching: watching.0, drafts: drafts.0, delay })
    }
}

impl From<ClockRule> for StoredClock {
    fn from(rule: ClockRule) -> Self {
        match rule {
            ClockRule::None => Self::None,
            ClockRule::RealTime(time) => {
                Self::RealTime { base_s: time.base_s(), bonus_s: time.bonus_s(), bonus: Word(time.bonus()) }
            }
            ClockRule::Correspondence { days } => Self::Correspondence { days },
            ClockRule::Bank { base_days, bonus_hours } => Self::Bank { base_days, bonus_hours },
        }
    }
}

impl TryFrom<StoredClock> for ClockRule {
    type Error = InvalidTime;

    fn try_from(clock: StoredClock) -> Result<Self, InvalidTime> {
        Ok(match clock {
            StoredClock::None => Self::None,
            StoredClock::RealTime { base_s, bonus_s, bonus } => {
                Self::RealTime(RealTime::new(base_s, bonus_s, bonus.0)?)
            }
            StoredClock::Correspondence { days } => Self::Correspondence { days },
            StoredClock::Bank { base_days, bonus_hours } => Self::Bank { base_days, bonus_hours },
        })
    }
}

/// Returns the stored text of a clock rule.
pub fn clock_to_db(rule: ClockRule) -> String {
    serde_json::to_string(&StoredClock::from(rule)).expect("clock rules have string keys only")
}

/// Reads a clock rule from its stored text.
///
/// # Errors
/// The text is not a valid clock rule.
pub fn clock_from_db(text: &str) -> Result<ClockRule, Unreadable> {
    Ok(ClockRule::try_from(parse::<StoredClock>(text)?)?)
}
