//! Events as the socket sends them: with what an engine cannot compute, and nothing else.

use engine::{AnyMatch, Side};
use game::{Recorded, State, ids::Version};
use serde::{Deserialize, Serialize};

use super::{Clock, Event, Names, Standing, Times, view};

/// Event as the socket sends it: a turn is without its steps, and all others are as in a game's document.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum CompactEvent {
    Turn(CompactTurn),
    Other(OtherEvent),
}

/// Turn that a side played.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CompactTurn {
    /// Time of the event by the server's clock, milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub at_ms: i64,
    /// Actions of the turn, in order, separated by spaces.
    pub actions: String,
    /// Milliseconds charged for the turn; in a game with a clock followed by the time of the first and the second side after
    /// it.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<i64>))]
    pub ms: TurnTimes,
    /// Card that was turned over for the next turn, 1 to 6; missing if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = u8))]
    pub dealt: Option<u8>,
}

/// Milliseconds charged for a turn; in a game with a clock followed by the time of the first and the second side after
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum TurnTimes {
    #[cfg_attr(feature = "ts", ts(type = "[number, number, number]"))]
    Timed([i64; 3]),
    #[cfg_attr(feature = "ts", ts(type = "[number]"))]
    Untimed([i64; 1]),
}

/// Any other event, with the card that was turned over at it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OtherEvent {
    #[serde(flatten)]
    pub event: Event,
    /// Card that was turned over for the first turn, 1 to 6; missing if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = u8))]
    pub dealt: Option<u8>,
}

impl TurnTimes {
    fn new(took_ms: i64, time: Option<Times>) -> Self {
        match time {
            Some(Times { first_ms, second_ms }) => Self::Timed([took_ms, first_ms, second_ms]),
            None => Self::Untimed([took_ms]),
        }
    }

    /// The time of both sides after the turn.
    fn time(self) -> Option<Times> {
        match self {
            Self::Timed([_, first_ms, second_ms]) => Some(Times { first_ms, second_ms }),
            Self::Untimed(_) => None,
        }
    }
}

/// Times of the turn that is the last event of a message.
#[derive(Clone, Copy, Debug)]
pub struct LastTurn {
    at_ms: i64,
    times: TurnTimes,
}

impl LastTurn {
    /// Returns the times of an event; `None` if it is no turn.
    pub fn of(recorded: &Recorded) -> Option<Self> {
        match &recorded.event {
            game::Event::TurnPlayed { took_ms, time, .. } => {
                let times = TurnTimes::new(*took_ms, time.map(Into::into));
                Some(Self { at_ms: recorded.at_ms, times })
            }
            _ => None,
        }
    }
}

impl CompactEvent {
    /// The event as a turn that was just played; `None` if it is no turn.
    pub const fn last_turn(&self) -> Option<LastTurn> {
        match self {
            Self::Turn(turn) => Some(LastTurn { at_ms: turn.at_ms, times: turn.ms }),
            Self::Other(_) => None,
        }
    }

    /// Returns an event of a version. `state` includes the event, and no later turn.
    pub fn of(state: &State, version: Version, recorded: &Recorded, names: &impl Names) -> Self {
        let at_ms = recorded.at_ms;
        match &recorded.event {
            game::Event::TurnPlayed { took_ms, time, .. } => {
                let turn = state.play().turns().last();
                let actions: Vec<&str> = turn.iter().flat_map(|turn| turn.actions()).collect();
                let ms = TurnTimes::new(*took_ms, time.map(Into::into));
                Self::Turn(CompactTurn {
                    at_ms,
                    actions: actions.join(" "),
                    ms,
                    dealt: card_of(state.play()),
                })
            }
            event => {
                let dealt = match event {
                    game::Event::Started { .. } => card_of(state.play()),
                    _ => None,
                };
                Self::Other(OtherEvent { event: view::event(state, version, recorded, names), dealt })
            }
        }
    }
}

/// Returns the card of the present turn, if it was turned over since the start of the match.
fn card_of(game: &AnyMatch) -> Option<u8> {
    game.cards().last().filter(|(turn, _)| *turn == game.turn()).map(|(_, card)| card.get())
}

/// Maximum time from a turn to the start of the next charge for which the standing is left out, in milliseconds. After a
/// slower commit it is sent.
const UNREPORTED_DELAY_MS: i64 = 100;

/// Returns the part of a game's standing that a client cannot tell from its events. `last` is the last event, if it is a
/// turn. `None` if the game goes on, nothing is offered, and the clock stands as after that turn, with the time of the
/// side to move running since then.
pub fn standing(standing: Standing, to_move: Side, last: Option<LastTurn>) -> Option<Standing> {
    let is_usual = |last: LastTurn| match &standing {
        Standing::Playing { at_ms, clock, first_turn_ms: None, vacation_until_ms: None, offers } => {
            let usual = last.times.time().map(|left| Clock { left, running: Some(to_move), free_ms: 0 });
            let is_at_once = clock.is_none() || at_ms - last.at_ms <= UNREPORTED_DELAY_MS;
            *clock == usual && is_at_once && offers.is_empty()
        }
        _ => false,
    };
    (!last.is_some_and(is_usual)).then_some(standing)
}
