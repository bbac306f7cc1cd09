//! A million random interleavings of all commands of two players and a watcher, against the [`Model`] of what is promised.
//!
//! An interleaving is twelve commands, each from anybody, and the time, the sweeps and the outages between them. It begins
//! at a room or at a game some turns old, of a ruleset and a clock. All time is virtual.

use std::{
    mem,
    sync::{Arc, LazyLock},
    thread,
};

use engine::AnyMatch;

use super::{
    model::{Ask, Clocks, KINDS, Model, Script, ScriptedTurn, Stage, TurnKind, place, place_of},
    *,
};
use crate::{
    ids::Days,
    protocol::{Bonus, ClaimKind, Present, RealTime, RealTimeParts, StandingOffer, Times},
};

const INTERLEAVINGS: u64 = 1_000_000;
const COMMANDS: usize = 12;

/// One in so many has its clocks read as players are shown them, and its log printed, read and folded.
const READ_BACK: u64 = 16;

/// A choice like chance's, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn ms(&mut self, below: u32) -> i64 {
        i64::try_from(self.below(below as usize)).unwrap()
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// One thing that happens, and what passed before it.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Milliseconds; less than none if the server's clock was set back.
    passes_ms: i64,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// Somebody gives a command, which waits for so many milliseconds and then takes as many to be stored.
    Give { who: usize, ask: Ask, waits_ms: i64, stored_in_ms: i64 },
    /// The server looks at the deadlines.
    Sweep,
    /// The server learns that it was away for so many milliseconds of the turn under way.
    Outage { away_ms: i64 },
}

/// A game and its model, side by side.
#[derive(Clone)]
struct Table {
    state: State,
    model: Model,
    now_ms: i64,
    /// What was appended since the beginning, with the time of its commit.
    log: Vec<(Vec<Recorded>, i64)>,
}

impl Table {
    fn room(script: &Arc<Script>, rule: ClockRule) -> Self {
        let event = Event::Created {
            ruleset: script.ruleset,
            visibility: Visibility::Public,
            creator: PEOPLE[model::MAKER].clone(),
            seat: SeatChoice::First,
            terms: Terms { clock: rule, ..Terms::default() },
            start: script.start.clone(),
            seed: script.ruleset.has_cards().then(seed),
        };
        let made = Recorded { at_ms: MADE_MS, event };
        let (state, model) = (State::begin(&made).unwrap(), Model::room(script.clone(), rule, MADE_MS));
        Self { state, model, now_ms: MADE_MS, log: Vec::new() }
    }

    /// Does the same to both, and compares them.
    fn step(&mut self, Step { passes_ms, what }: Step) -> Result<(), String> {
        self.now_ms += passes_ms;
        let (decided, stored_in_ms) = match what {
            What::Sweep => {
                let (decided, expected) = (strike(&self.state, self.now_ms), self.model.strike(self.now_ms));
                same("a flag falls", &decided.is_some(), &expected)?;
                (decided, 0)
            }
            What::Outage { away_ms } => {
                let decided = credit(&self.state, away_ms, self.now_ms);
                same("time is given back", &decided.is_some(), &self.model.credit(away_ms, self.now_ms))?;
                (decided, 0)
            }
            What::Give { who, ask, waits_ms, stored_in_ms } => {
                let when = When { received_ms: self.now_ms - waits_ms, now_ms: self.now_ms };
                let decided = decide(&self.state, &self.command(ask), &PEOPLE[who], when);
                let expected = self.model.give(who, ask, (when.received_ms, when.now_ms));
                (answered_alike(decided, expected)?, stored_in_ms)
            }
        };
        let Some(Decision { events, next, .. }) = decided else { return self.compare() };
        let n_events = u32::try_from(events.len()).unwrap();
        same("versions are without gaps", &next.version.get(), &(self.state.version.get() + n_events))?;
        let before = mem::replace(&mut self.state, next);
        self.now_ms += stored_in_ms;
        self.state.committed(self.now_ms);
        self.model.committed(self.now_ms);
        clocks_do_not_jump(&before, &self.state, &events)?;
        nothing_happens_after_the_end(&before, &self.state, &events)?;
        self.log.push((events, self.now_ms));
        self.compare()
    }

    /// A command as the server has it.
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
            Ask::Abort => Command::Abort,
            Ask::Offer(what) => Command::Offer { what, rematch },
            Ask::Answer(what, accept) => Command::Answer { what, accept, rematch },
            Ask::Claim(what, gone_ms) => Command::Claim { what, gone_ms },
        }
    }

    fn compare(&self) -> Result<(), String> {
        let Self { state, model, .. } = self;
        same("version", &state.version.get(), &model.version)?;
        let stand = Clocks {
            left_ms: state.stand.left_ms.map(|left| [left.first, left.second]),
            quota_ms: Side::ALL.map(|side| state.stand.lag[side].left_ms()),
        };
        same("clocks", &stand, &model.clocks)?;
        same("turns that stand", &state.play.turns().len(), &model.turns.len())?;
        same("deadline", &strikes_at_ms(state), &model.strikes_at_ms())?;
        let (stage, offers, rematch) = match &state.phase {
            Phase::Open => (Stage::Open, None, false),
            Phase::Cancelled => (Stage::Closed, None, false),
            Phase::Aborted { .. } => (Stage::Aborted, None, false),
            Phase::Finished { outcome, offers, rematch, .. } => {
                (Stage::Over(outcome.clone()), Some(offers), rematch.is_some())
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

    /// What a player is shown of the clock whose time is running.
    fn shows_the_clock(&self) -> Result<(), String> {
        let Present::Playing { clock: Some(clock), .. } = view::present(&self.state, self.now_ms) else {
            return Ok(());
        };
        let mut left_ms = self.model.clocks.left_ms.unwrap();
        let elapsed_ms = self.now_ms - self.model.began_ms - self.model.credited_ms;
        if let (true, Some(side)) = (self.model.has_begun(), self.model.to_move()) {
            let counted_ms = (elapsed_ms.max(0) - delay_ms(self.model.rule)).max(0);
            left_ms[place(side)] = (left_ms[place(side)] - counted_ms).max(0);
        }
        same("clocks as shown", &clock.left, &Times { first_ms: left_ms[0], second_ms: left_ms[1] })
    }

    /// Folds the log after `beginning` as it is written, and gets the game.
    fn folds(&self, beginning: &Self) -> Result<(), String> {
        let mut folded = beginning.state.clone();
        for (events, committed_ms) in &self.log {
            for recorded in events {
                let read =
                    Recorded::read(recorded.at_ms, &recorded.body()).map_err(|error| error.to_string())?;
                same("an event as it is read", &read, recorded)?;
                folded.apply(&read).map_err(|corrupt| corrupt.to_string())?;
            }
            folded.committed(*committed_ms);
        }
        let parts = |state: &State| {
            let position = state.play.position_text();
            (
                (state.version, state.updated_ms, state.stand),
                state.phase.clone(),
                state.played.clone(),
                position,
            )
        };
        same("the fold of the log", &parts(&folded), &parts(&self.state))
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: &T, expected: &T) -> Result<(), String> {
    if is == expected { Ok(()) } else { Err(format!("{what}: it is {is:?}, promised is {expected:?}")) }
}

/// Accepted both, or refused both for the same reason.
fn answered_alike(
    decided: Result<Decision, Refusal>,
    expected: Result<(), Refusal>,
) -> Result<Option<Decision>, String> {
    match (decided, expected) {
        (Ok(decision), Ok(())) => Ok(Some(decision)),
        (Err(Refusal::Illegal { .. }), Err(Refusal::Illegal { .. }))
        | (Err(Refusal::Incomplete { .. }), Err(Refusal::Incomplete { .. })) => Ok(None),
        (Err(refusal), Err(expected)) => same("refusal", &refusal, &expected).map(|()| None),
        (Ok(decision), Err(expected)) => Err(format!("{:?} and not {expected:?}", decision.events)),
        (Err(refusal), Ok(())) => Err(format!("it is refused as {refusal:?}")),
    }
}

/// A clock goes up only by what a turn of its side earns and by turns taken back, never down to nothing, and a deadline
/// moves within a turn only by time given back.
fn clocks_do_not_jump(before: &State, after: &State, events: &[Recorded]) -> Result<(), String> {
    let is_back = events.iter().any(|one| matches!(one.event, Event::TurnsTakenBack { .. }));
    if let (Some(was), Some(is), false) = (before.stand.left_ms, after.stand.left_ms, is_back) {
        let earned_ms = |side: Side| match &events[0].event {
            Event::TurnPlayed { actions, .. } if side == before.play.to_move() => earned_ms(before, actions),
            _ => 0,
        };
        for side in Side::ALL {
            if is[side] > was[side] + earned_ms(side) || is[side] <= 0 {
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
    same("the deadline's move", &moved_ms.unwrap_or(credited_ms), &credited_ms)
}

/// The most that a turn adds to its side's clock.
fn earned_ms(state: &State, actions: &[ActionText]) -> i64 {
    let ClockRule::RealTime(time) = state.terms.clock else { return 0 };
    let bonus_ms = i64::from(time.bonus_s()) * 1_000;
    match time.bonus() {
        Bonus::PerTurn => bonus_ms,
        Bonus::PerAction => bonus_ms * i64::try_from(actions.len()).unwrap(),
        Bonus::Delay | Bonus::Bronstein => 0,
    }
}

fn delay_ms(rule: ClockRule) -> i64 {
    match rule {
        ClockRule::RealTime(time) if time.bonus() == Bonus::Delay => i64::from(time.bonus_s()) * 1_000,
        ClockRule::None | ClockRule::RealTime(_) | ClockRule::Correspondence { .. } => 0,
    }
}

/// Behind the end there is talk of a rematch and nothing else, and the game stays as it is.
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
        return Err(format!("after the end there is {events:?}"));
    }
    let parts = |state: &State| (state.play.turns().len(), state.stand, state.updated_ms);
    same("the finished game", &parts(after), &parts(before))
}

/// The next thing to happen at a table, to which the command before it may happen again.
fn next_step(dice: &mut Dice, table: &Table, last: Option<(usize, Ask)>) -> Step {
    let passes_ms = passes_ms(dice, table);
    let what = match dice.below(20) {
        0 => What::Sweep,
        1 => What::Outage { away_ms: dice.one_of(&[0, 1, 3_000, 20_000, 90_000_000, -5]) },
        _ => {
            let again = last.filter(|_| dice.one_in(12));
            let (who, ask) = again.unwrap_or_else(|| next_command(dice, table));
            What::Give { who, ask, waits_ms: dice.one_of(&[0, 0, 0, 15, 900]), stored_in_ms: dice.ms(20) }
        }
    };
    Step { passes_ms, what }
}

/// Nothing, a moment, up to the very deadline, beyond all deadlines, or a clock that is set back.
fn passes_ms(dice: &mut Dice, table: &Table) -> i64 {
    match (dice.below(32), table.model.strikes_at_ms()) {
        (0..10, _) => 0,
        (10..24, _) => dice.ms(1_500),
        (24..28, _) => dice.ms(12_000),
        (28 | 29, Some(at_ms)) => {
            let off_ms = dice.one_of(&[-1_001, -1_000, -999, -1, 0, 1]);
            (at_ms + off_ms - table.now_ms).max(0)
        }
        (30, _) => -dice.ms(2_000),
        _ => dice.one_of(&[61_000, 130_000, 90_000_000]),
    }
}

fn next_command(dice: &mut Dice, table: &Table) -> (usize, Ask) {
    let model = &table.model;
    let who = dice.one_of(&[0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
    let is_over = matches!(model.stage, Stage::Over(_));
    match dice.below(64) {
        0 => (who, Ask::Resign),
        1 | 2 => (who, Ask::Cancel),
        3..8 => (who, Ask::Join),
        8..10 => (who, Ask::Abort),
        10..14 => (who, Ask::Claim(dice.one_of(&[ClaimKind::Win, ClaimKind::Draw]), gone_ms(dice))),
        14..26 => (who, Ask::Offer(kind(dice, is_over))),
        26..38 => (who, Ask::Answer(kind(dice, is_over), !dice.one_in(3))),
        38..41 if model.stage == Stage::Open => (who, Ask::Join),
        _ => {
            let mover =
                (0..3).find(|who| model.to_move().is_some() && model.side_of(*who) == model.to_move());
            (mover.filter(|_| !dice.one_in(6)).unwrap_or(who), turn(dice, model))
        }
    }
}

fn kind(dice: &mut Dice, is_over: bool) -> OfferKind {
    if is_over && !dice.one_in(4) { OfferKind::Rematch } else { dice.one_of(&KINDS) }
}

/// Around the times after which a side may be claimed to have left.
fn gone_ms(dice: &mut Dice) -> Option<i64> {
    let after_ms = dice.one_of(&[30_000, 120_000, 1_800_000, i64::MAX - 1]);
    dice.one_of(&[None, Some(-1), Some(0), Some(after_ms - 1), Some(after_ms), Some(after_ms + 1)])
}

fn turn(dice: &mut Dice, model: &Model) -> Ask {
    let Model { since, version, .. } = *model;
    let kind = dice.one_of(&[
        TurnKind::Whole,
        TurnKind::Whole,
        TurnKind::Whole,
        TurnKind::Beginning,
        TurnKind::Wrong,
    ]);
    let base =
        dice.one_of(&[version, version, version, since, since, since.saturating_sub(1), version + 1, 0]);
    let lag_ms = dice.one_of(&[0, 0, 40, 300, 2_000, i64::MAX, -7_000, i64::MIN]);
    Ask::Turn { base, kind, lag_ms }
}

/// Two players and a watcher; in a room the watcher may be the one who joins.
static PEOPLE: LazyLock<[Player; 3]> = LazyLock::new(|| [ada(), blaise(), stranger()]);

fn seed() -> engine::Seed {
    engine::Seed::new([7; 32])
}

/// Turns of a game of this ruleset that is played by chance: its first ones and, if it comes to an end, its last ones
/// from the text before them.
fn scripts(dice: &mut Dice, ruleset: Ruleset) -> Vec<Arc<Script>> {
    const FIRST: usize = 8;
    const LAST: usize = 6;
    /// A game that goes on for longer has no end here.
    const LONGEST: usize = 300;
    let mut game = AnyMatch::new(ruleset).with_seed(seed());
    let mut texts = Vec::new();
    while game.outcome().is_none() && texts.len() < LONGEST {
        texts.push(game.position_text());
        play_by_chance(dice, &mut game);
    }
    let beginning = AnyMatch::new(ruleset).with_seed(seed());
    let mut scripts = vec![script(beginning, None, &game.turns()[..FIRST])];
    if game.outcome().is_some() && !ruleset.has_cards() {
        let last = game.turns().len() - LAST;
        let near_the_end = AnyMatch::from_text(ruleset, &texts[last]).unwrap();
        scripts.push(script(near_the_end, Some(texts[last].clone()), &game.turns()[last..]));
    }
    scripts
}

fn play_by_chance(dice: &mut Dice, game: &mut AnyMatch) {
    let mut actions: Vec<String> = Vec::new();
    loop {
        let draft = game.draft(&actions).unwrap();
        if draft.complete {
            break;
        }
        let mut legal = draft.legal();
        actions.push(legal.swap_remove(dice.below(legal.len())).text);
    }
    game.play(&actions).unwrap();
}

fn script(mut game: AnyMatch, start: Option<String>, turns: &[Arc<engine::TurnRecord>]) -> Arc<Script> {
    let written = turns.iter().map(|turn| {
        let texts = turn.steps.iter().map(|step| step.action.clone());
        let actions: Vec<_> = texts.map(|text| ActionText::try_from(text).unwrap()).collect();
        let side = game.play(&actions).unwrap().side;
        ScriptedTurn { side, actions, ends: game.outcome().map(view::outcome) }
    });
    let turns = written.collect();
    let then = game.outcome().is_none().then(|| game.to_move());
    Arc::new(Script { ruleset: game.ruleset(), start, turns, then })
}

fn clocks() -> Vec<ClockRule> {
    let real_time = |base_s, bonus_s, bonus| {
        ClockRule::RealTime(RealTime::try_from(RealTimeParts { base_s, bonus_s, bonus }).unwrap())
    };
    vec![
        ClockRule::None,
        ClockRule::Correspondence { days: Days::try_from(1).unwrap() },
        real_time(20, 3, Bonus::PerTurn),
        real_time(0, 10, Bonus::PerTurn),
        real_time(600, 1, Bonus::PerAction),
        real_time(15, 2, Bonus::Delay),
        real_time(15, 4, Bonus::Bronstein),
    ]
}

/// Where interleavings begin: rooms, and games some turns old.
fn beginnings() -> Vec<Table> {
    let mut dice = Dice(1);
    let mut tables = Vec::new();
    for script in Ruleset::ALL.into_iter().flat_map(|ruleset| scripts(&mut dice, ruleset)) {
        for rule in clocks() {
            let mut table = Table::room(&script, rule);
            tables.push(table.clone());
            let mut follow = |who, ask| {
                let what = What::Give { who, ask, waits_ms: 0, stored_in_ms: 1 };
                table.step(Step { passes_ms: 700, what }).unwrap();
                table.log.clear();
                tables.push(table.clone());
                table.model.clone()
            };
            let mut model = follow(1, Ask::Join);
            while model.turns.len() < 5 {
                let who = (0..2).find(|who| model.side_of(*who) == model.to_move()).unwrap();
                model = follow(who, Ask::Turn { base: model.version, kind: TurnKind::Whole, lag_ms: 50 });
            }
        }
    }
    tables
}

/// Plays one interleaving. What went wrong, with all the steps to it.
fn interleave(dice: &mut Dice, beginning: &Table, is_read_back: bool) -> Result<Stage, (Vec<Step>, String)> {
    let mut table = beginning.clone();
    let (mut steps, mut n_commands, mut last) = (Vec::new(), 0, None);
    while n_commands < COMMANDS {
        let step = next_step(dice, &table, last);
        steps.push(step);
        if let What::Give { who, ask, .. } = step.what {
            (n_commands, last) = (n_commands + 1, Some((who, ask)));
        }
        let compared = table.step(step);
        let shown = compared.and_then(|()| if is_read_back { table.shows_the_clock() } else { Ok(()) });
        shown.map_err(|wrong| (steps.clone(), wrong))?;
    }
    if is_read_back {
        table.folds(beginning).map_err(|wrong| (steps, wrong))?;
    }
    Ok(table.model.stage)
}

/// The steps that are left when those are taken out without which it goes wrong all the same.
fn cut(beginning: &Table, mut steps: Vec<Step>) -> Vec<Step> {
    let goes_wrong = |steps: &[Step]| {
        let mut table = beginning.clone();
        steps.iter().any(|step| table.step(*step).is_err()) || table.folds(beginning).is_err()
    };
    let mut place = 0;
    while place < steps.len() {
        let taken = steps.remove(place);
        if !goes_wrong(&steps) {
            steps.insert(place, taken);
            place += 1;
        }
    }
    steps
}

/// Says which interleaving it was if the code itself panics.
struct Underway(u64);

impl Drop for Underway {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("it was the interleaving of seed {}", self.0);
        }
    }
}

#[test]
fn a_million_interleavings_of_all_commands_keep_what_is_promised() {
    let beginnings = beginnings();
    let run = |seeds: std::ops::Range<u64>| {
        let mut ends = Vec::new();
        for seed in seeds {
            let _underway = Underway(seed);
            let beginning = &beginnings[usize::try_from(seed).unwrap() % beginnings.len()];
            match interleave(&mut Dice(seed), beginning, seed.is_multiple_of(READ_BACK)) {
                Ok(stage) => ends.push(stage),
                Err((steps, wrong)) => {
                    let Model { script, rule, version, .. } = &beginning.model;
                    let steps = cut(beginning, steps);
                    panic!(
                        "seed {seed}, {} with {rule:?} from version {version}: {wrong}; {steps:#?}",
                        script.ruleset
                    );
                }
            }
        }
        ends
    };
    let half = INTERLEAVINGS / 2;
    let ends = thread::scope(|scope| {
        let halves = [0..half, half..INTERLEAVINGS].map(|seeds| scope.spawn(|| run(seeds)));
        halves.map(|half| half.join().unwrap()).concat()
    });
    // What was not reached was not tried.
    let n_ended =
        |reason| ends.iter().filter(|end| matches!(end, Stage::Over(over) if over.reason == reason)).count();
    for reason in [Reason::Resign, Reason::Time, Reason::Agreement, Reason::Abandon] {
        assert!(n_ended(reason) > 1_000, "{reason:?}: {}", n_ended(reason));
    }
    let by_the_rules = [
        Reason::Surround,
        Reason::King,
        Reason::Blocked,
        Reason::Repetition,
        Reason::Quiet,
        Reason::TurnLimit,
    ];
    assert!(by_the_rules.into_iter().map(n_ended).sum::<usize>() > 1_000);
    for stage in [Stage::Open, Stage::Playing, Stage::Aborted, Stage::Closed] {
        assert!(ends.iter().filter(|end| **end == stage).count() > 1_000, "{stage:?}");
    }
}
