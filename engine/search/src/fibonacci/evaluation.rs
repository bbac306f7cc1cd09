use engine::{Rules, Side, fibonacci::Fibonacci};

use super::{
    estimate::Attack,
    features::{Features, Needed, Role, add_meeting, add_own, moves_left},
    network::{Network, Row},
};

/// The part of the evaluation that depends on a side's own pieces and on the other side's centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    needed: Needed,
    sum: Row,
}

impl Summary {
    /// Summarises the pieces of a side.
    pub(super) fn new(position: &Fibonacci, side: Side, role: Role, network: &Network) -> Self {
        let attack = Attack::new(position, side);
        Self::of(&attack, Needed::new(&attack), (position, side, role), network)
    }

    /// The summary after a move of a support of the side onto an empty cell.
    pub(super) fn after_support(
        &self,
        position: &Fibonacci,
        side: Side,
        role: Role,
        network: &Network,
    ) -> Self {
        let attack = Attack::new(position, side);
        let needed = self.needed.after_support(&attack, position.variant());
        Self::of(&attack, needed, (position, side, role), network)
    }

    fn of(
        attack: &Attack,
        needed: Needed,
        (position, side, role): (&Fibonacci, Side, Role),
        network: &Network,
    ) -> Self {
        let mut features = Features::NONE;
        add_own(attack, position.centre(side), needed, role, &mut features);
        Self { needed, sum: network.sum(Row::ZERO, &features) }
    }
}

/// A position between two turns, or as if it were.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation<'a> {
    pub(super) position: &'a Fibonacci,
    /// The side that has moved last.
    pub(super) mover: Side,
    /// The number of the turn of `mover`.
    pub(super) turn: u16,
    /// The summary of `mover`.
    pub(super) own: &'a Summary,
    /// The summary of the other side, whose turn comes next.
    pub(super) other: &'a Summary,
}

impl Situation<'_> {
    /// The values for the side that has moved last, in hundredths of a logit: if its turn is over, and if it has some moves left.
    pub(super) fn values(&self, left: u8, network: &Network) -> [i32; 2] {
        let Self { position, mover, turn, own, other } = *self;
        let mut features = Features::NONE;
        add_meeting(position, mover, turn + 2, own.needed, Role::Waiting, &mut features);
        add_meeting(position, mover.other(), turn + 1, other.needed, Role::Ready, &mut features);
        let mut sum = network.start();
        sum.add(&own.sum);
        sum.add(&other.sum);
        let mut sum = network.sum(sum, &features);
        let ended = network.value(&sum);
        let Some(left) = moves_left(left) else { return [ended; 2] };
        sum.add(network.row(left));
        [ended, network.value(&sum)]
    }
}

/// All features of a position, in which `mover` has made its turn with the number `turn`.
#[cfg(feature = "cli")]
pub(super) fn features(position: &Fibonacci, mover: Side, turn: u16) -> Vec<usize> {
    let mut all = Vec::new();
    for (side, role, turn) in [(mover, Role::Waiting, turn + 2), (mover.other(), Role::Ready, turn + 1)] {
        let attack = Attack::new(position, side);
        let needed = Needed::new(&attack);
        let mut features = Features::NONE;
        add_own(&attack, position.centre(side), needed, role, &mut features);
        all.extend(features.iter());
        features = Features::NONE;
        add_meeting(position, side, turn, needed, role, &mut features);
        all.extend(features.iter());
    }
    let left = if position.to_move() == mover { position.actions_left() } else { 0 };
    all.extend(moves_left(left));
    all
}

/// The chance to win of a value in hundredths of a logit.
pub(super) fn chance(value: i32) -> f32 {
    1.0 / (1.0 + (-value as f32 / 100.0).exp())
}

/// The value of a chance to win, in hundredths of a logit.
pub(super) fn value_of(chance: f32) -> i32 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    ((chance / (1.0 - chance)).ln() * 100.0) as i32
}

/// The number of the turn of a position.
pub(super) fn turn_of(position: &Fibonacci) -> u16 {
    position.turn().get()
}
