use engine::{Rules, Side, fibonacci::Fibonacci};

#[cfg(any(test, feature = "cli"))]
use super::{
    estimate::Attack,
    features::{add_needed, add_strikes, add_supports},
};
use super::{
    features::{Features, Role, add_meeting, moves_left},
    network::Network,
    summaries::Summary,
};

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
#[cfg(any(test, feature = "cli"))]
pub(super) fn features(position: &Fibonacci, mover: Side, turn: u16) -> Vec<usize> {
    let mut all = Vec::new();
    for (side, role, turn) in [(mover, Role::Waiting, turn + 2), (mover.other(), Role::Ready, turn + 1)] {
        let attack = Attack::new(position, side);
        let (needed, centre) = (attack.needed(), position.centre(side));
        let mut parts = [Features::NONE; 4];
        add_needed(needed, role, &mut parts[0]);
        add_strikes(&attack, centre, role, &mut parts[1]);
        add_supports(&attack, centre, role, &mut parts[2]);
        add_meeting(position, side, turn, needed, role, &mut parts[3]);
        all.extend(parts.iter().flat_map(Features::iter));
    }
    let left = if turn_of(position) == turn { position.actions_left() } else { 0 };
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
