//! The weights of the evaluation: a network with one hidden layer, beside which each feature counts for itself.

use super::features::{Features, N_FEATURES};

/// Number of units of the hidden layer.
pub(super) const HIDDEN: usize = 16;

/// The activation of a hidden unit that counts as 1, and the most it has.
pub(super) const ONE: i16 = 128;

/// A network, from the bytes of its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Network {
    rows: Vec<Row>,
    start: Row,
    /// In hundredths of a logit for an activation of [`ONE`].
    output: [i16; HIDDEN],
}

/// The weights of a feature, or the sum of those of several features.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Row {
    pub(super) hidden: [i16; HIDDEN],
    /// In hundredths of a logit.
    pub(super) direct: i16,
}

impl Row {
    pub(super) const ZERO: Self = Self { hidden: [0; HIDDEN], direct: 0 };

    /// Adds another row. Sums of the features of a position stay far below the bounds of the numbers.
    #[inline]
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, weight) in self.hidden.iter_mut().zip(&other.hidden) {
            *sum = sum.wrapping_add(*weight);
        }
        self.direct = self.direct.wrapping_add(other.direct);
    }
}

/// Number of bytes of a file of weights: those of the features, the start of the hidden layer and the output.
pub(super) const N_BYTES: usize = N_FEATURES * (HIDDEN + 2) + 4 * HIDDEN;

impl Network {
    /// Reads a file of weights: for each feature the weights of the hidden layer, one byte each, and then the direct ones, the
    /// start and the output, two bytes each, the lower first.
    pub(super) fn read(bytes: &[u8; N_BYTES]) -> Self {
        let (hidden, words) = bytes.split_at(N_FEATURES * HIDDEN);
        let mut words = words.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut word = || words.next().unwrap_or_default();
        let mut rows: Vec<Row> = hidden
            .chunks_exact(HIDDEN)
            .map(|weights| Row { hidden: std::array::from_fn(|at| i16::from(weights[at] as i8)), direct: 0 })
            .collect();
        for row in &mut rows {
            row.direct = word();
        }
        let mut words = || std::array::from_fn(|_| word());
        Self { rows, start: Row { hidden: words(), direct: 0 }, output: words() }
    }

    /// The row of a feature.
    #[inline]
    pub(super) fn row(&self, feature: usize) -> &Row {
        &self.rows[feature]
    }

    /// Adds the rows of features to a sum.
    #[inline]
    pub(super) fn sum(&self, mut sum: Row, features: &Features) -> Row {
        for feature in features.iter() {
            sum.add(self.row(feature));
        }
        sum
    }

    /// The sum before any feature.
    pub(super) const fn start(&self) -> Row {
        self.start
    }

    /// The value of a sum in hundredths of a logit.
    #[inline]
    pub(super) fn value(&self, sum: &Row) -> i32 {
        let outputs = sum.hidden.iter().zip(&self.output);
        let hidden: i32 = outputs
            .map(|(sum, output)| i32::from((*sum).clamp(0, ONE)).wrapping_mul(i32::from(*output)))
            .fold(0, i32::wrapping_add);
        i32::from(sum.direct) + hidden / i32::from(ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fibonacci::NETWORKS;

    /// The number of features of a position: for each side 6 strikes and 6 supports at two distances and 12 others, and the moves
    /// left.
    const N_OF_POSITION: i32 = 2 * (2 * 12 + 12) + 1;

    #[test]
    fn sums_stay_within_their_numbers() {
        for network in NETWORKS.map(Network::read) {
            // A feature may occur several times.
            let most = |of: &dyn Fn(&Row) -> i16| {
                let largest = network.rows.iter().map(|row| i32::from(of(row)).abs()).max().unwrap();
                i32::from(of(&network.start())).abs() + N_OF_POSITION * largest
            };
            for at in 0..HIDDEN {
                assert!(most(&|row| row.hidden[at]) <= i16::MAX.into());
            }
            assert!(most(&|row| row.direct) <= i16::MAX.into());
        }
    }
}
