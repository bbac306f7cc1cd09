//! A million random interleavings of all commands of two players and a spectator, compared with the [`model`].
//!
//! An interleaving is twelve commands, each from any of the three, with time, sweeps and outages between them. It
//! begins with a room or with a game a few turns old, of any ruleset and clock. All time is virtual.

mod beginnings;
mod model;
mod steps;
mod table;

use std::{ops::Range, thread};

pub(super) use self::steps::Dice;
use self::{
    model::{Model, Stage},
    steps::{Operation, OperationKind, next_step},
    table::Table,
};
use super::*;

const INTERLEAVINGS: u64 = 1_000_000;
const COMMANDS: usize = 12;

/// One interleaving in this many also compares the clocks that players are shown, and writes, reads and folds its log.
const READ_BACK: u64 = 16;

/// Plays one interleaving and returns its last stage. On failure, returns the steps up to it and a description.
fn interleave(
    dice: &mut Dice,
    beginning: &Table,
    is_read_back: bool,
) -> Result<Stage, (Vec<Operation>, String)> {
    let mut table = beginning.clone();
    let (mut steps, mut n_commands, mut last) = (Vec::new(), 0, None);
    while n_commands < COMMANDS {
        let step = next_step(dice, &table, last);
        steps.push(step);
        if let OperationKind::Give { who, ask, .. } = step.what {
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

/// Minimises a failing interleaving: removes every step without which it still fails.
fn cut(beginning: &Table, mut steps: Vec<Operation>) -> Vec<Operation> {
    let goes_wrong = |steps: &[Operation]| {
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

/// Prints the seed of the running interleaving if the code panics.
struct Underway(u64);

impl Drop for Underway {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("panic in the interleaving of seed {}", self.0);
        }
    }
}

#[test]
fn a_million_interleavings_of_all_commands_agree_with_the_model() {
    let beginnings = beginnings::beginnings();
    let run = |seeds: Range<u64>| {
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
    // Reasons and stages must be reached often enough to count as tested.
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
