//! Records of games.

use engine::{
    BySide,
    record::{Date, EndReason, Ending, LineText, Record},
};

use super::{Bonus, ClockRule, Outcome, Phase, Reason, Seats, State};
use crate::ids::{PlayerId, PlayerName};

/// Returns the record of a game, with the turns that stand and the names of its players.
pub fn of(state: &State, name: impl Fn(PlayerId) -> PlayerName) -> Record {
    let mut record = Record::from_match(state.play());
    if let Some(Seats { first, second }) = state.seats() {
        record.players = BySide { first: line_of(&name(*first)), second: line_of(&name(*second)) };
    }
    record.date = Date::from_unix_ms(state.created_ms);
    record.clock = clock_line(state.terms.clock);
    record.card_hash = state.seed.as_ref().map(|seed| seed.hash());
    match &state.phase {
        Phase::Finished { outcome, .. } => {
            record.seed = state.seed.clone();
            record.ending = record.ending.or_else(|| ending(outcome));
        }
        Phase::Open | Phase::Playing { .. } | Phase::Aborted { .. } | Phase::Cancelled => {}
    }
    for (turn, played) in record.turns.iter_mut().zip(state.played.iter()) {
        turn.took_ms = u64::try_from(played.took_ms).ok();
    }
    record
}

/// Returns the ending of a game that was not ended by its rules; `None` if the rules ended it.
fn ending(outcome: &Outcome) -> Option<Ending> {
    let reason = match outcome.reason {
        Reason::Resign => EndReason::Resign,
        Reason::Time => EndReason::Time,
        Reason::Agreement => EndReason::Agreement,
        Reason::Abandon => EndReason::Abandon,
        Reason::Surround
        | Reason::King
        | Reason::Blocked
        | Reason::Repetition
        | Reason::Quiet
        | Reason::TurnLimit => return None,
    };
    Some(Ending { winner: outcome.winner, reason })
}

/// Returns the clock as a record writes it (`docs/records.md`); `None` if time is not measured.
fn clock_line(rule: ClockRule) -> Option<LineText> {
    let text = match rule {
        ClockRule::None => return None,
        ClockRule::Correspondence { days } => format!("{} days a turn", days.get()),
        ClockRule::Bank { base_days, bonus_hours } => {
            format!("{} days + {} h increment a turn, at most {0} days", base_days.get(), bonus_hours.get())
        }
        ClockRule::RealTime(time) => {
            let bonus = match time.bonus() {
                Bonus::PerTurn => "increment a turn",
                Bonus::PerAction => "increment an action",
                Bonus::Delay => "delay",
                Bonus::Bronstein => "Bronstein",
            };
            format!("{} s + {} s {bonus}", time.base_s(), time.bonus_s())
        }
    };
    text.parse().ok()
}

/// Returns a name as a line of a record. Every valid name is a valid line.
fn line_of(name: &PlayerName) -> Option<LineText> {
    name.as_str().parse().ok()
}
