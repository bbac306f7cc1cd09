//! A game beside its model: each operation is applied to both, and they are compared.

use std::{
    mem,
    sync::{Arc, LazyLock},
};

use super::{
    super::*,
    beginnings::seed,
    model::{self, Ask, Clocks, Model, Script, Stage, place_of},
    steps::{Operation, OperationKind},
};

/// Two players and a spectator. The spectator may also be the one who joins a room.
static PEOPLE: LazyLock<[Player; 3]> = LazyLock::new(|| [ada(), blaise(), stranger()]);

/// Returns a room that was just made.
fn created(script: &Script, rule: ClockRule) -> State {
    let event = Event::Created {
        ruleset: script.ruleset,
        visibility: Visibility::Public,
        creator: PEOPLE[model::MAKER].id,
        challenged: None,
        seat: SeatChoice::First,
        terms: Terms { clock: rule, ..Terms::default() },
        start: script.start.clone(),
        seed: script.ruleset.has_cards().then(seed),
    };
    State::begin(&Recorded { at_ms: MADE_MS, event }).unwrap()
}

/// A game and its model.
#[derive(Clone)]
pub(super) struct Table {
    pub state: State,
    pub model: Model,
    pub now_ms: i64,
    /// The events of each decision since the beginning, with the time of their commit.
    pub log: Vec<(Vec<Recorded>, i64)>,
}

impl Table {
    pub(super) fn room(script: &Arc<Script>, rule: ClockRule) -> Self {
        let (state, model) = (created(script, rule), Model::room(script.clone(), rule, MADE_MS));
        Self { state, model, now_ms: MADE_MS, log: Vec::new() }
    }

    /// Returns a game of two people at one screen.
    pub(super) fn shared(script: &Arc<Script>) -> Self {
        let mut state = created(script, ClockRule::None);
        let [first, second] = [(); 2].map(|()| PEOPLE[model::MAKER].id);
        let event = Event::Started { seats: Seats { first, second }, joined: false };
        state.apply(&Recorded { at_ms: MADE_MS, event }).unwrap();
        Self { state, model: Model::table(script.clone(), MADE_MS), now_ms: MADE_MS, log: Vec::new() }
    }

    /// Applies an operation to the game and its model, and compares them.
    pub(super) fn step(&mut self, Operation { passes_ms, what }: Operation) -> Result<(), String> {
        self.now_ms += passes_ms;
        let (decided, stored_in_ms) = match what {
            OperationKind::Sweep => {
                let (decided, expected) =
                    (flag_fall(&self.state, self.now_ms), self.model.flag_fall(self.now_ms));
                same("flag falls", &decided.is_some(), &expected)?;
                (decided, 0)
            }
            OperationKind::Outage { away_ms } => {
                let decided = credit(&self.state, Away::of_outages(away_ms), self.now_ms);
                same("outage credited", &decided.is_some(), &self.model.credit(away_ms, self.now_ms))?;
                (decided, 0)
            }
            OperationKind::Give { who, ask, waits_ms, stored_in_ms } => {
                let when = When { received_ms: self.now_ms - waits_ms, now_ms: self.now_ms };
                let decided = decide(&self.state, &self.command(ask), &PEOPLE[who], when);
                let expected = self.model.give(who, ask, (when.received_ms, when.now_ms));
                (answered_alike(decided, expected)?, stored_in_ms)
            }
        };
        let Some(Decision { events, next, .. }) = decided else { return self.compare() };
        let n_events = u32::try_from(events.len()).unwrap();
        same("version after events", &next.version.get(), &(self.state.version.get() + n_events))?;
        let before = mem::replace(&mut self.state, *next);
        self.now_ms += stored_in_ms;
        self.state.committed(self.now_ms);
        self.model.committed(self.now_ms);
        clocks_do_not_jump(&before, &self.state, &events)?;
        nothing_happens_after_the_end(&before, &self.state, &events)?;
        self.log.push((events, self.now_ms));
        self.compare()
    }

    /// Converts a command of the model into one of the game.
    fn command(&self, ask: Ask) -> Command {
        let rematch = GameId::new(Uuid::from_u128(99));
        match ask {
            Ask::Join => Command::Join { coin: true },
            Ask::Cancel => Command::Cancel,
            Ask::Turn { base, kind, lag_ms } => {
                let actions = self.model.script.actions(self.model.turns.len(), kind);
                Command::Turn { base: Version::new(base), actions, lag_ms }
            }
            Ask::Resign => Command::Resign,
            Ask::Abort(gone_ms) => Command::Abort { gone_ms },
            Ask::Offer(what) => Command::Offer { what, rematch },
            Ask::Answer(what, accept) => Command::Answer { what, accept, rematch },
            Ask::Claim(what, gone_ms) => Command::Claim { what, gone_ms },
        }
    }

    fn compare(&self) -> Result<(), String> {
        let Self { state, model, .. } = self;
        same("version", &state.version.get(), &model.version)?;
        let stand = Clocks {
            left_ms: state.clocks.left_ms.map(|left| [left.first, left.second]),
            quota_ms: Side::ALL.map(|side| state.clocks.lag[side].left_ms()),
        };
        same("clocks", &stand, &model.clocks)?;
        same("turns that stand", &state.play.turns().len(), &model.turns.len())?;
        same("deadline", &flag_falls_at_ms(state), &model.flag_falls_at_ms())?;
        let (stage, offers, rematch) = match &state.phase {
            Phase::Open => (Stage::Open, None, false),
            Phase::Cancelled => (Stage::Closed, None, false),
            Phase::Aborted { .. } => (Stage::Aborted, None, false),
            Phase::Finished { outcome, offers, rematch, .. } => {
                (Stage::Over(*outcome), Some(offers), rematch.is_some())
            }
            Phase::Playing { turn, offers, .. } => {
                let turn = (turn.since.get(), turn.began_ms, turn.credited_ms);
                same("turn under way", &turn, &(model.since, model.began_ms, model.credited_ms))?;
                same("side to move", &Some(state.play.to_move()), &model.to_move())?;
                (Stage::Playing, Some(offers), false)
            }
        };
        same("stage", &stage, &model.stage)?;
        same("rematch", &rematch, &model.has_rematch)?;
        let standing = offers.map_or(&[][..], |offers| offers.standing());
        let mut by_kind = [None; 3];
        for StandingOffer { what, side } in standing {
            by_kind[place_of(*what)] = Some(*side);
        }
        same("offers", &by_kind, &model.offers)?;
        same("one offer of a kind", &standing.len(), &by_kind.iter().flatten().count())
    }

    /// Compares the clocks that players are shown.
    pub(super) fn shows_the_clock(&self) -> Result<(), String> {
        let Phase::Playing { turn, .. } = &self.state.phase else { return Ok(()) };
        let Some(left_ms) = self.state.left_ms(turn, self.now_ms) else { return Ok(()) };
        let [first, second] = self.model.shows_ms(self.now_ms).unwrap();
        same("clocks as shown", &left_ms, &BySide { first, second })
    }

    /// Checks that the log after `beginning`, written and read back, folds to the game.
    pub(super) fn folds(&self, beginning: &Self) -> Result<(), String> {
        let mut folded = beginning.state.clone();
        for (events, committed_ms) in &self.log {
            for recorded in events {
                let read =
                    Recorded::read(recorded.at_ms, &recorded.body()).map_err(|error| error.to_string())?;
                same("event read back", &read, recorded)?;
                folded.apply(&read).map_err(|corrupt| corrupt.to_string())?;
            }
            folded.committed(*committed_ms);
        }
        let parts = |state: &State| {
            let position = state.play.position_text();
            (
                (state.version, state.updated_ms, state.clocks),
                state.phase.clone(),
                state.played.clone(),
                position,
            )
        };
        same("fold of the log", &parts(&folded), &parts(&self.state))
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: &T, expected: &T) -> Result<(), String> {
    if is == expected { Ok(()) } else { Err(format!("{what}: got {is:?}, expected {expected:?}")) }
}

/// Checks that both accepted the command, or that both refused it for the same reason.
fn answered_alike(
    decided: Result<Decision, Refusal>,
    expected: Result<(), Refusal>,
) -> Result<Option<Decision>, String> {
    match (decided, expected) {
        (Ok(decision), Ok(())) => Ok(Some(decision)),
        (Err(Refusal::Illegal { .. }), Err(Refusal::Illegal { .. }))
        | (Err(Refusal::Incomplete { .. }), Err(Refusal::Incomplete { .. })) => Ok(None),
        (Err(refusal), Err(expected)) => same("refusal", &refusal, &expected).map(|()| None),
        (Ok(decision), Err(expected)) => Err(format!("got {:?}, expected {expected:?}", decision.events)),
        (Err(refusal), Ok(())) => Err(format!("refused: {refusal:?}")),
    }
}

/// Checks the changes of clocks and deadlines. A clock gains at most what a turn of its side earns, unless turns are
/// taken back or the room opens again. It reaches 0 only at the end. Within a turn, the deadline moves only by credited time.
fn clocks_do_not_jump(before: &State, after: &State, events: &[Recorded]) -> Result<(), String> {
    let is_back =
        events.iter().any(|one| matches!(one.event, Event::TurnsTakenBack { .. } | Event::Reopened { .. }));
    if let (Some(was), Some(is), false) = (before.clocks.left_ms, after.clocks.left_ms, is_back) {
        let earned_ms = |side: Side| match &events[0].event {
            Event::TurnPlayed { actions, .. } if side == before.play.to_move() => earned_ms(before, actions),
            _ => 0,
        };
        let least_ms = if matches!(after.phase, Phase::Finished { .. }) { 0 } else { 1 };
        for side in Side::ALL {
            let is_too_much = is[side] > was[side] + earned_ms(side)
                || matches!(after.terms.clock, ClockRule::Bank { .. })
                    && Some(is[side]) > after.terms.clock.beginning_ms();
            if is_too_much || is[side] < least_ms {
                return Err(format!("the clock of {side} jumps from {} to {}", was[side], is[side]));
            }
        }
    }
    let (Phase::Playing { turn: was, .. }, Phase::Playing { turn: is, .. }) = (&before.phase, &after.phase)
    else {
        return Ok(());
    };
    if was.since != is.since {
        return Ok(());
    }
    let credited_ms: i64 =
        events.iter().map(|one| if let Event::TimeCredited { ms, .. } = one.event { ms } else { 0 }).sum();
    let moved_ms = before.deadline_ms().zip(after.deadline_ms()).map(|(was, is)| is - was);
    same("change of deadline", &moved_ms.unwrap_or(credited_ms), &credited_ms)
}

/// Returns the maximum time that a turn adds to its side's clock.
fn earned_ms(state: &State, actions: &[ActionText]) -> i64 {
    let time = match state.terms.clock {
        ClockRule::RealTime(time) => time,
        ClockRule::Bank { bonus_hours, .. } => return i64::from(bonus_hours.get()) * 3_600_000,
        ClockRule::None | ClockRule::Correspondence { .. } => return 0,
    };
    let bonus_ms = i64::from(time.bonus_s()) * 1_000;
    match time.bonus() {
        Bonus::PerTurn => bonus_ms,
        Bonus::PerAction => bonus_ms * i64::try_from(actions.len()).unwrap(),
        Bonus::Delay | Bonus::Bronstein => 0,
    }
}

/// Checks that only rematch events follow the end, and that they leave the game unchanged.
fn nothing_happens_after_the_end(before: &State, after: &State, events: &[Recorded]) -> Result<(), String> {
    if !matches!(before.phase, Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled) {
        return Ok(());
    }
    let is_talk = |one: &Recorded| {
        matches!(
            one.event,
            Event::Offered { what: OfferKind::Rematch, .. }
                | Event::Declined { what: OfferKind::Rematch, .. }
                | Event::RematchStarted { .. }
        )
    };
    if !events.iter().all(is_talk) {
        return Err(format!("events after the end: {events:?}"));
    }
    let parts = |state: &State| (state.play.turns().len(), state.clocks, state.updated_ms);
    same("finished game", &parts(after), &parts(before))
}
