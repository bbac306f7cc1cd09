use engine::{BySide, Side, TurnError, TurnErrorKind};

use super::{Command, Corrupt, Event, Phase, Recorded, State, view};
use crate::{
    ids::{ActionText, Version},
    protocol::{Nack, Outcome, Player, Reason, SeatChoice, Seats},
};

/// Why a command is refused; on the wire a [`Nack`].
pub(crate) type Refusal = Nack;

/// What follows from a command: events to append, and the game as it is once they are.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    /// At least one.
    pub events: Vec<Recorded>,
    pub next: State,
}

/// What follows from `command`, given by `who` at `now_ms`. Changes nothing.
///
/// # Errors
/// Why the game, as it stands, does not allow it.
pub(crate) fn decide(
    state: &State,
    command: &Command,
    who: &Player,
    now_ms: i64,
) -> Result<Decision, Refusal> {
    // A clock that was set back does not reach into the log.
    let now_ms = now_ms.max(state.updated_ms);
    let mut decision = Decision { events: Vec::new(), next: state.clone() };
    match command {
        Command::Join { coin } => decision.fold(now_ms, join(state, who, *coin)?)?,
        Command::Cancel => decision.fold(now_ms, cancel(state, who)?)?,
        Command::Turn { base, actions } => {
            decision.fold(now_ms, turn(state, who, *base, actions, now_ms)?)?;
            if let Some(outcome) = decision.next.play.outcome() {
                decision.fold(now_ms, Event::Ended { outcome: view::outcome(outcome) })?;
            }
        }
        Command::Resign => {
            let side = resign(state, who)?;
            let outcome = Outcome { winner: Some(side.other()), reason: Reason::Resign };
            decision.fold(now_ms, Event::Resigned { side })?;
            decision.fold(now_ms, Event::Ended { outcome })?;
        }
    }
    Ok(decision)
}

impl Decision {
    fn fold(&mut self, at_ms: i64, event: Event) -> Result<(), Refusal> {
        let recorded = Recorded { at_ms, event };
        self.next.apply(&recorded).map_err(|corrupt| match corrupt {
            Corrupt::IllegalTurn { error, .. } => refuse_turn(error),
            Corrupt::NotCreated | Corrupt::BadStart(_) | Corrupt::OutOfPlace { .. } => {
                unreachable!("what is decided fits the state that it was decided on")
            }
        })?;
        self.events.push(recorded);
        Ok(())
    }
}

fn join(state: &State, who: &Player, coin: bool) -> Result<Event, Refusal> {
    match &state.phase {
        Phase::Cancelled => Err(Refusal::RoomCancelled),
        Phase::Playing { .. } | Phase::Finished { .. } => Err(Refusal::RoomTaken),
        Phase::Open if state.creator.id == who.id => Err(Refusal::OwnRoom),
        Phase::Open => {
            let makers_side = match state.seat {
                SeatChoice::First => Side::First,
                SeatChoice::Second => Side::Second,
                SeatChoice::Random if coin => Side::First,
                SeatChoice::Random => Side::Second,
            };
            let BySide { first, second } =
                BySide::from_fn(|side| if side == makers_side { state.creator.clone() } else { who.clone() });
            Ok(Event::Started { seats: Seats { first, second } })
        }
    }
}

fn cancel(state: &State, who: &Player) -> Result<Event, Refusal> {
    if state.creator.id != who.id {
        return Err(Refusal::NotYours);
    }
    match state.phase {
        Phase::Open => Ok(Event::Cancelled),
        Phase::Cancelled => Err(Refusal::RoomCancelled),
        Phase::Playing { .. } | Phase::Finished { .. } => Err(Refusal::RoomTaken),
    }
}

fn turn(
    state: &State,
    who: &Player,
    base: Version,
    actions: &[ActionText],
    now_ms: i64,
) -> Result<Event, Refusal> {
    let turn_began_ms = may_act(state, who, base)?;
    Ok(Event::TurnPlayed { actions: actions.to_vec(), took_ms: now_ms - turn_began_ms })
}

/// Whether `who` may play or draft a turn on `base`; tells when the turn began.
///
/// # Errors
/// It is not theirs to play, or not on this version.
pub(crate) fn may_act(state: &State, who: &Player, base: Version) -> Result<i64, Refusal> {
    let turn_began_ms = match &state.phase {
        Phase::Open => return Err(Refusal::NotStarted),
        Phase::Cancelled => return Err(Refusal::RoomCancelled),
        Phase::Finished { .. } => return Err(Refusal::GameOver),
        Phase::Playing { turn_began_ms, .. } => *turn_began_ms,
    };
    let side = state.side_of(who.id).ok_or(Refusal::NotSeated)?;
    if base != state.version {
        return Err(Refusal::Stale { version: state.version });
    }
    if side != state.play.to_move() {
        return Err(Refusal::NotYourTurn);
    }
    Ok(turn_began_ms)
}

/// The engine's refusal of a turn or draft in the words of the wire.
pub(crate) fn refuse_turn(error: TurnError) -> Refusal {
    let TurnError { index, rule, kind } = error;
    let rule = rule.to_string();
    match kind {
        TurnErrorKind::Incomplete { .. } => Refusal::Incomplete { index, rule },
        TurnErrorKind::GameOver => Refusal::GameOver,
        TurnErrorKind::Unreadable(_) | TurnErrorKind::Illegal(_) | TurnErrorKind::TurnOver => {
            Refusal::Illegal { index, rule }
        }
    }
}

fn resign(state: &State, who: &Player) -> Result<Side, Refusal> {
    match state.phase {
        Phase::Open => Err(Refusal::NotStarted),
        Phase::Cancelled => Err(Refusal::RoomCancelled),
        Phase::Finished { .. } => Err(Refusal::GameOver),
        Phase::Playing { .. } => state.side_of(who.id).ok_or(Refusal::NotSeated),
    }
}
