//! Random operations on a table.

use super::{
    super::*,
    model::{Ask, KINDS, Model, Stage, TurnKind},
    table::Table,
};

/// A deterministic random number generator.
pub(in super::super) struct Dice(pub(in super::super) u64);

impl Dice {
    pub(in super::super) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 33) as usize % n
    }

    fn ms(&mut self, below: u32) -> i64 {
        i64::try_from(self.below(below as usize)).unwrap()
    }

    pub(in super::super) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// An operation, and the time that passes before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    /// Milliseconds; negative if the server's clock is set back.
    pub passes_ms: i64,
    pub what: OperationKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum OperationKind {
    /// A command, decided `waits_ms` after its receipt and committed `stored_in_ms` after its decision.
    Give { who: usize, ask: Ask, waits_ms: i64, stored_in_ms: i64 },
    /// The server checks the deadlines.
    Sweep,
    /// The server learns of outages of `away_ms` in all in the turn under way.
    Outage { away_ms: i64 },
}

/// Returns the next operation on a table, which may repeat the last command.
pub(super) fn next_step(dice: &mut Dice, table: &Table, last: Option<(usize, Ask)>) -> Operation {
    let passes_ms = passes_ms(dice, table);
    let what = match dice.below(20) {
        0 => OperationKind::Sweep,
        1 => OperationKind::Outage { away_ms: dice.one_of(&[0, 1, 3_000, 20_000, 90_000_000, -5]) },
        _ => {
            let again = last.filter(|_| dice.one_in(12));
            let (who, ask) = again.unwrap_or_else(|| next_command(dice, table));
            OperationKind::Give {
                who,
                ask,
                waits_ms: dice.one_of(&[0, 0, 0, 15, 900]),
                stored_in_ms: dice.ms(20),
            }
        }
    };
    Operation { passes_ms, what }
}

/// Returns the time that passes: none, a short time, up to about the deadline, or beyond all deadlines. Negative if the
/// clock is set back.
fn passes_ms(dice: &mut Dice, table: &Table) -> i64 {
    match (dice.below(32), table.model.flag_falls_at_ms()) {
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
        8..10 => (who, Ask::Abort(gone_ms(dice))),
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

/// Returns an absence near one of the durations after which a game can be claimed.
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
