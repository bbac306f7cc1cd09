//! Events without anything that the engine computes, for clients that have it, and the full events that follow from
//! them.

use engine::{AnyMatch, Card, Side, TextError, TurnError};
use game::{Recorded, State, ids::Version, unplayed};
use serde::{Deserialize, Serialize};

use super::{Clock, Event, EventKind, Standing, Times, view};

/// Event as clients with the engine are sent it. A turn is without its steps; all other events are the same.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ThinEvent {
    Turn(ThinTurn),
    Other(Dealing),
}

/// Turn that a side played.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ThinTurn {
    /// Time of the event by the server's clock, milliseconds since 1970.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub at_ms: i64,
    /// Actions of the turn, in order, separated by spaces.
    pub actions: String,
    pub ms: TurnTimes,
    /// Card that was turned over for the next turn, 1 to 6; missing if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
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
pub struct Dealing {
    #[serde(flatten)]
    pub event: Event,
    /// Card that was turned over for the first turn, 1 to 6; missing if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub dealt: Option<u8>,
}

impl TurnTimes {
    fn new(took_ms: i64, time: Option<Times>) -> Self {
        match time {
            Some(Times { first_ms, second_ms }) => Self::Timed([took_ms, first_ms, second_ms]),
            None => Self::Untimed([took_ms]),
        }
    }

    /// The milliseconds charged for the turn.
    const fn took_ms(self) -> i64 {
        match self {
            Self::Timed([took_ms, ..]) | Self::Untimed([took_ms]) => took_ms,
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

impl ThinEvent {
    /// The event as a turn that was just played; `None` if it is no turn.
    pub const fn last_turn(&self) -> Option<LastTurn> {
        match self {
            Self::Turn(turn) => Some(LastTurn { at_ms: turn.at_ms, times: turn.ms }),
            Self::Other(_) => None,
        }
    }

    /// Returns an event of a version. `state` includes the event, and no later turn.
    pub fn of(state: &State, version: Version, recorded: &Recorded) -> Self {
        let at_ms = recorded.at_ms;
        match &recorded.event {
            game::Event::TurnPlayed { took_ms, time, .. } => {
                let turn = state.play().turns().last();
                let actions: Vec<&str> = turn.iter().flat_map(|turn| turn.actions()).collect();
                let ms = TurnTimes::new(*took_ms, time.map(Into::into));
                Self::Turn(ThinTurn { at_ms, actions: actions.join(" "), ms, dealt: card_of(state.play()) })
            }
            event => {
                let dealt = match event {
                    game::Event::Started { .. } => card_of(state.play()),
                    _ => None,
                };
                Self::Other(Dealing { event: view::event(state, version, recorded), dealt })
            }
        }
    }
}

/// Returns the card of the present turn, if it was turned over since the start of the match.
fn card_of(game: &AnyMatch) -> Option<u8> {
    game.cards().last().filter(|(turn, _)| *turn == game.turn()).map(|(_, card)| card.get())
}

/// A log that no game has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGame {
    #[error("the log does not begin with a `created` event")]
    NotCreated,
    #[error("the start position is invalid: {0}")]
    BadStart(#[from] TextError),
    #[error("event {version} is a turn that the rules refuse: {error}")]
    IllegalTurn { version: Version, error: TurnError },
}

/// Makes the full events of a game from thin ones, in order.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    version: Version,
    /// `None` before the first event.
    game: Option<AnyMatch>,
    /// The game before each turn of this expansion that was not taken back.
    past: Vec<AnyMatch>,
}

impl Expansion {
    /// Returns an expansion of the events after a state.
    pub fn after(state: &State) -> Self {
        Self { version: state.version(), game: Some(state.play().clone()), past: Vec::new() }
    }

    /// The version of the last event.
    pub const fn version(&self) -> Version {
        self.version
    }

    /// Returns the full form of the next event.
    ///
    /// # Errors
    /// The event cannot follow those before it.
    pub fn next(&mut self, thin: ThinEvent) -> Result<Event, NoGame> {
        self.version = self.version.next();
        let (event, dealt) = match thin {
            ThinEvent::Turn(turn) => return self.turn(&turn),
            ThinEvent::Other(Dealing { event, dealt }) => (event, dealt),
        };
        match &event.what {
            EventKind::Created { ruleset, start, .. } => self.game = Some(unplayed(*ruleset, Some(start))?),
            EventKind::Reopened { .. } => {
                let game = self.game.as_ref().ok_or(NoGame::NotCreated)?;
                self.game = Some(unplayed(game.ruleset(), Some(game.start_text()))?);
                self.past.clear();
            }
            EventKind::TurnsTakenBack { turns, .. } => {
                self.take_back(usize::from(*turns))?;
            }
            _ => {}
        }
        deal(self.game.as_mut().ok_or(NoGame::NotCreated)?, dealt);
        Ok(event)
    }

    /// Takes back the last turns. Only those before this expansion are replayed.
    fn take_back(&mut self, turns: usize) -> Result<(), NoGame> {
        let game = self.game.as_mut().ok_or(NoGame::NotCreated)?;
        let kept = self.past.len().checked_sub(turns).and_then(|kept| self.past.drain(kept..).next());
        *game = kept.unwrap_or_else(|| {
            self.past.clear();
            game.rewound(game.turns().len().saturating_sub(turns))
        });
        Ok(())
    }

    fn turn(&mut self, turn: &ThinTurn) -> Result<Event, NoGame> {
        let (version, game) = (self.version, self.game.as_mut().ok_or(NoGame::NotCreated)?);
        let actions: Vec<&str> = turn.actions.split(' ').collect();
        self.past.push(game.clone());
        game.replay(&actions).map_err(|error| NoGame::IllegalTurn { version, error })?;
        deal(game, turn.dealt);
        let what = view::turn_played(game, turn.ms.took_ms(), turn.ms.time());
        Ok(Event { version, at_ms: turn.at_ms, what })
    }
}

/// Turns over a card, if the match waits for one. A match with the seed never does.
fn deal(game: &mut AnyMatch, card: Option<u8>) {
    if let Some(card) = card.and_then(Card::from_value)
        && game.awaits_card()
    {
        // A card that no pack has left leaves the match waiting; the next turn is then refused.
        let _ = game.turn_over(card);
    }
}

/// Maximum time from a turn to the moment from which the next one is charged, if a client may take the former for the
/// latter. A slow commit takes longer.
const UNSEEN_MS: i64 = 100;

/// Returns what a client with the engine has to be sent of the standing of a game with `to_move` to move. `last` is the
/// last event, if it is a turn. `None` if the game goes on, nothing is offered, and the clock stands as after that turn,
/// with the time of the side to move running since then.
pub fn standing(standing: Standing, to_move: Side, last: Option<LastTurn>) -> Option<Standing> {
    let is_usual = |last: LastTurn| match &standing {
        Standing::Playing { at_ms, clock, first_turn_ms: None, offers } => {
            let usual = last.times.time().map(|left| Clock { left, running: Some(to_move), free_ms: 0 });
            let is_at_once = clock.is_none() || at_ms - last.at_ms <= UNSEEN_MS;
            *clock == usual && is_at_once && offers.is_empty()
        }
        _ => false,
    };
    (!last.is_some_and(is_usual)).then_some(standing)
}
