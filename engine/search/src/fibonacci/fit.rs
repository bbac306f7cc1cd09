//! The fit of a network to samples.

use super::{
    features::N_FEATURES,
    network::{HIDDEN, ONE},
};
use crate::Random;

/// A position by its features, with the chance that it should have.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) features: Vec<usize>,
    pub(super) target: f32,
}

const N_EPOCHS: usize = 20;
const BATCH: usize = 512;
const RATE: f32 = 0.003;

/// The greatest weight of the hidden layer, as large as its file holds.
const MOST: f32 = 0.99;

/// How fast weights of the hidden layer that do little become 0, which makes the file smaller.
const SHRINKAGE: f32 = 0.03;

/// One sample in this many is held back, to see how well the network does on others.
const HELD_BACK: usize = 20;

/// Consecutive samples that are held back together, since those of one search are alike.
const ALIKE: usize = 1000;

// Where the parameters stand in their list.
const DIRECT: usize = 0;
const START: usize = N_FEATURES;
const OUTPUT: usize = START + HIDDEN;
const ROWS: usize = OUTPUT + HIDDEN;
const N_PARAMETERS: usize = ROWS + N_FEATURES * HIDDEN;

/// Fits a network to samples by the method of Adam. Returns its file.
pub(super) fn fitted(samples: &[Sample], progress: &mut dyn FnMut(&str)) -> Vec<u8> {
    let is_held_back = |index: usize| (index / ALIKE).is_multiple_of(HELD_BACK);
    let (held, mut order): (Vec<usize>, Vec<usize>) =
        (0..samples.len()).partition(|index| is_held_back(*index));
    let mut random = Random::new(1);
    let mut parameters = Parameters::new(&mut random);
    let n_steps = N_EPOCHS * order.len().div_ceil(BATCH);
    let mut step = 0;
    for epoch in 0..N_EPOCHS {
        for index in (1..order.len()).rev() {
            order.swap(index, random.below(index + 1));
        }
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![0.0; N_PARAMETERS];
            for sample in batch.iter().map(|index| &samples[*index]) {
                loss += parameters.learn(sample, &mut gradient);
            }
            step += 1;
            parameters.step(&gradient, 1.0 / batch.len() as f32, RATE * (1.0 - step as f32 / n_steps as f32));
        }
        let of_held: f64 = held.iter().map(|index| parameters.loss(&samples[*index])).sum();
        progress(&format!(
            "epoch {epoch}: {:.4} nats above the samples, {:.4} above those held back",
            loss / order.len().max(1) as f64,
            of_held / held.len().max(1) as f64
        ));
    }
    parameters.file()
}

struct Parameters {
    values: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    n_steps: i32,
}

/// The sums of the hidden layer, and the logit.
struct Pass {
    hidden: [f32; HIDDEN],
    logit: f32,
}

impl Parameters {
    fn new(random: &mut Random) -> Self {
        let mut small = |size: f32| (random.below(2001) as f32 / 1000.0 - 1.0) * size;
        let mut values = vec![0.0; N_PARAMETERS];
        values[START..OUTPUT].fill(0.3);
        values[OUTPUT..ROWS].iter_mut().for_each(|value| *value = small(0.5));
        values[ROWS..].iter_mut().for_each(|value| *value = small(0.1));
        Self { values, mean: vec![0.0; N_PARAMETERS], square: vec![0.0; N_PARAMETERS], n_steps: 0 }
    }

    fn pass(&self, sample: &Sample) -> Pass {
        let mut hidden: [f32; HIDDEN] = std::array::from_fn(|at| self.values[START + at]);
        let mut logit = 0.0;
        for feature in sample.features.iter().copied() {
            logit += self.values[DIRECT + feature];
            let row = &self.values[ROWS + feature * HIDDEN..][..HIDDEN];
            for (sum, weight) in hidden.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        let output = &self.values[OUTPUT..ROWS];
        logit += hidden.iter().zip(output).map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight).sum::<f32>();
        Pass { hidden, logit }
    }

    fn loss(&self, sample: &Sample) -> f64 {
        excess(sample.target, logistic(self.pass(sample).logit))
    }

    /// Adds the gradient of a sample, and returns its loss.
    fn learn(&self, sample: &Sample, gradient: &mut [f32]) -> f64 {
        let Pass { mut hidden, logit } = self.pass(sample);
        let chance = logistic(logit);
        let error = chance - sample.target;
        for (at, sum) in hidden.iter_mut().enumerate() {
            gradient[OUTPUT + at] += error * sum.clamp(0.0, 1.0);
            *sum = if (0.0..1.0).contains(sum) { error * self.values[OUTPUT + at] } else { 0.0 };
            gradient[START + at] += *sum;
        }
        for feature in sample.features.iter().copied() {
            gradient[DIRECT + feature] += error;
            let row = &mut gradient[ROWS + feature * HIDDEN..][..HIDDEN];
            for (to, slope) in row.iter_mut().zip(&hidden) {
                *to += slope;
            }
        }
        excess(sample.target, chance)
    }

    fn step(&mut self, gradient: &[f32], scale: f32, rate: f32) {
        self.n_steps += 1;
        let (first, second) = (1.0 - 0.9f32.powi(self.n_steps), 1.0 - 0.999f32.powi(self.n_steps));
        for (at, slope) in gradient.iter().map(|slope| slope * scale).enumerate() {
            self.mean[at] = 0.9 * self.mean[at] + 0.1 * slope;
            self.square[at] = 0.999 * self.square[at] + 0.001 * slope * slope;
            self.values[at] -= rate * (self.mean[at] / first) / ((self.square[at] / second).sqrt() + 1e-8);
        }
        for weight in &mut self.values[ROWS..] {
            *weight = (weight.abs() - rate * SHRINKAGE).clamp(0.0, MOST).copysign(*weight);
        }
    }

    /// The file, as [`Network::read`](super::network::Network::read) reads it.
    fn file(&self) -> Vec<u8> {
        let one = f32::from(ONE);
        let hidden = self.values[ROWS..].iter().map(|weight| (weight * one).round() as i8 as u8);
        let direct = self.values[..START].iter().map(|weight| weight * 100.0);
        let start = self.values[START..OUTPUT].iter().map(|weight| weight * one);
        let output = self.values[OUTPUT..ROWS].iter().map(|weight| weight * 100.0);
        let words = direct.chain(start).chain(output).flat_map(|word| (word.round() as i16).to_le_bytes());
        hidden.chain(words).collect()
    }
}

fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The relative entropy of a predicted chance to its target, in nats: 0 if the two are equal.
pub(super) fn excess(target: f32, chance: f32) -> f64 {
    let [target, chance] = [target, chance].map(|value| f64::from(value).clamp(1e-6, 1.0 - 1e-6));
    target * (target / chance).ln() + (1.0 - target) * ((1.0 - target) / (1.0 - chance)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fibonacci::{evaluation::chance, features::Features, network::Network};

    /// Of two features, one alone is good: no weights without a hidden layer say so.
    #[test]
    fn a_network_learns_what_features_mean_together() {
        let mut random = Random::new(1);
        let samples: Vec<Sample> = (0..200_000)
            .map(|_| {
                let features: Vec<usize> = [3, 150].into_iter().filter(|_| random.percent(50)).collect();
                let target = if features.len() == 1 { 0.9 } else { 0.2 };
                Sample { features, target }
            })
            .collect();
        let file = fitted(&samples, &mut |_| {});
        let network = Network::read(file.as_slice().try_into().unwrap());
        for (features, target) in [(vec![], 0.2), (vec![3], 0.9), (vec![150], 0.9), (vec![3, 150], 0.2)] {
            let sum = network.sum(network.start(), &Features::of(&features));
            let found = chance(network.value(&sum));
            assert!((found - target).abs() < 0.05, "{features:?}: {found}, not {target}");
        }
    }
}
