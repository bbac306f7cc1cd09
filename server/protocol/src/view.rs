//! Projection of a game into messages for its readers. In all present rulesets all readers see the same game; anything
//! that some of them may not see must be left out here and nowhere else.

use engine::{AnyMatch, Seed};
use game::{ClosedBy, Event, Offers, Phase, Recorded, State, TurnUnderWay, ids::Version};

use super::{Clock, EventKind, Names, Snapshot, Standing, StandingOffer, Times};

/// Returns an event with everything that a board needs to show it. `state` includes the event, and no later turn.
pub fn event(state: &State, version: Version, recorded: &Recorded, names: &impl Names) -> super::Event {
    let what = match &recorded.event {
        Event::Created { ruleset, visibility, creator, challenged, seat, terms, start, seed } => {
            EventKind::Created {
                ruleset: *ruleset,
                visibility: (*visibility).into(),
                creator: names.player(*creator),
                challenged: challenged.map(|player| names.player(player)),
                seat: (*seat).into(),
                terms: terms.clone().into(),
                start: start.clone().unwrap_or_else(|| AnyMatch::new(*ruleset).start_text().to_owned()),
                seed_hash: hash_of(seed.as_ref()),
            }
        }
        Event::Started { seats, .. } => EventKind::Started { seats: names.seats(seats) },
        Event::TurnPlayed { took_ms, time, .. } => turn_played(state.play(), *took_ms, time.map(Into::into)),
        Event::Offered { what, side } => EventKind::Offered { what: (*what).into(), side: *side },
        Event::Declined { what, side } => EventKind::Declined { what: (*what).into(), side: *side },
        Event::DrawAgreed { side } => EventKind::DrawAgreed { side: *side },
        Event::TurnsTakenBack { turns, side } => EventKind::TurnsTakenBack { turns: *turns, side: *side },
        Event::TimeCredited { side, ms, vacation_until_ms } => {
            EventKind::TimeCredited { side: *side, ms: *ms, vacation_until_ms: *vacation_until_ms }
        }
        Event::Resigned { side } => EventKind::Resigned { side: *side },
        Event::Flagged { side } => EventKind::Flagged { side: *side },
        Event::Claimed { side } => EventKind::Claimed { side: *side },
        Event::Aborted { side } => EventKind::Aborted { side: *side },
        Event::Reopened { side } => EventKind::Reopened { side: *side, seed_hash: hash_of(state.seed()) },
        Event::RematchStarted { rematch, side } => {
            EventKind::RematchStarted { rematch: *rematch, side: *side }
        }
        Event::Cancelled { by: ClosedBy::Challenged { counter } } => {
            EventKind::Cancelled { declined: true, counter: *counter }
        }
        Event::Cancelled { by: ClosedBy::Maker | ClosedBy::Time } => {
            EventKind::Cancelled { declined: false, counter: None }
        }
        Event::Ended { outcome } => {
            EventKind::Ended { outcome: (*outcome).into(), seed: state.seed().map(Seed::reveal) }
        }
    };
    super::Event { version, at_ms: recorded.at_ms, what }
}

fn hash_of(seed: Option<&Seed>) -> Option<String> {
    seed.map(|seed| seed.hash().to_string())
}

/// Returns the event of the latest turn of a match.
pub(super) fn turn_played(game: &AnyMatch, took_ms: i64, time: Option<Times>) -> EventKind {
    let played = game.turns().last().expect("a turn was played");
    EventKind::TurnPlayed {
        turn: played.turn.get(),
        side: played.side,
        card: played.card.map(engine::Card::get),
        steps: game.last_steps().iter().map(Into::into).collect(),
        took_ms,
        time,
    }
}

/// Returns the snapshot of a game, with its clocks at `now_ms`.
pub fn snapshot(state: &State, now_ms: i64) -> Snapshot {
    let standing = standing(state, now_ms);
    Snapshot { version: state.version(), turn: state.play().present().into(), standing }
}

/// Returns the part of a snapshot that does not follow from the turns, with its clocks at `now_ms`.
pub fn standing(state: &State, now_ms: i64) -> Standing {
    match state.phase() {
        Phase::Open => Standing::Open,
        Phase::Playing { turn: under_way, offers, .. } => Standing::Playing {
            at_ms: now_ms,
            clock: clock(state, under_way, now_ms),
            first_turn_ms: first_turn_ms(state, now_ms),
            vacation_until_ms: Some(under_way.vacation_until_ms).filter(|until_ms| *until_ms > now_ms),
            offers: all_standing(offers),
        },
        Phase::Finished { outcome, offers, rematch, .. } => Standing::Finished {
            outcome: (*outcome).into(),
            time: state.clocks_ms().map(Into::into),
            offers: all_standing(offers),
            rematch: *rematch,
        },
        Phase::Aborted { .. } => Standing::Aborted,
        Phase::Cancelled => Standing::Cancelled,
    }
}

fn all_standing(offers: &Offers) -> Vec<StandingOffer> {
    offers.standing().iter().map(|offer| (*offer).into()).collect()
}

/// Returns the clocks at `now_ms`; `None` in a game without a clock.
fn clock(state: &State, turn: &TurnUnderWay, now_ms: i64) -> Option<Clock> {
    let left = state.left_ms(turn, now_ms)?.into();
    let running = state.is_under_way().then_some(state.play().to_move());
    let gone_ms = if running.is_some() { turn.elapsed_ms(now_ms) } else { 0 };
    let free_ms = (state.terms().clock.delay_ms() - gone_ms).max(turn.vacation_until_ms - now_ms).max(0);
    Some(Clock { left, running, free_ms })
}

/// Returns the time until the game aborts itself; `None` once both sides have made a turn.
fn first_turn_ms(state: &State, now_ms: i64) -> Option<i64> {
    let deadline_ms = state.deadline_ms().filter(|_| !state.is_under_way())?;
    Some((deadline_ms - now_ms).max(0))
}
