//! Fits the weights of an evaluation to games of the player with itself.
//!
//! The positions of the games and their results are the data of a logistic regression, which starts from the present
//! weights and is held to them by a penalty. The same options give the same weights. The output is for the file of
//! weights.

use clap::Parser;
use engine::{AnyMatch, Ruleset};
use search::{Features, Level, Limit, Opponent, Random, Searcher, Settings};

/// Memory of the tables of the player in bytes.
const TABLE_BYTES: usize = 8 << 20;

/// Score at which the odds are e to 1, which is that of all games with such an evaluation.
const SCALE: f64 = 256.0;

/// Step of a weight in an iteration.
const STEP: f64 = 2.0;

/// Decay of the two running means of the gradient.
const DECAY: (f64, f64) = (0.9, 0.999);

/// Fits the weights of an evaluation.
#[derive(Parser)]
#[command(version)]
struct Options {
    #[arg(long)]
    ruleset: Ruleset,
    #[arg(long, default_value_t = 2000)]
    games: u32,
    /// Nodes per turn.
    #[arg(long, default_value_t = 300)]
    nodes: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Steps of the regression, each over all the data.
    #[arg(long, default_value_t = 300)]
    passes: u32,
    /// Penalty on the square of the change of a weight, in positions.
    #[arg(long, default_value_t = 20.0)]
    penalty: f64,
}

/// A position with the result for the side to move: 0, ½ or 1.
struct Sample {
    features: Vec<(u16, f32)>,
    result: f32,
}

fn main() {
    let options = Options::parse();
    let mut samples = Vec::new();
    let mut weights: Vec<f64> = Vec::new();
    let mut searcher = Searcher::new(TABLE_BYTES);
    for number in 0..options.games {
        play(&options, &mut searcher, number, &mut samples, &mut weights);
        if number % 200 == 199 {
            eprintln!("{} games, {} positions", number + 1, samples.len());
        }
    }
    fit(&options, &samples, &mut weights);
    print(&weights);
}

/// Plays a game from a random opening, and adds its positions to the samples.
fn play(
    options: &Options,
    searcher: &mut Searcher,
    number: u32,
    samples: &mut Vec<Sample>,
    weights: &mut Vec<f64>,
) {
    let mut random = Random::new(options.seed ^ u64::from(number) << 24);
    let n_set_up = if options.ruleset == Ruleset::Fenix { 10 } else { 2 };
    let n_opening = n_set_up + random.below(8);
    let mut game = AnyMatch::new(options.ruleset);
    let first = samples.len();
    let mut sides = Vec::new();
    while game.outcome().is_none() {
        let is_opening = game.turns().len() < n_opening;
        let opponent = if is_opening { Opponent::Random } else { Opponent::Level(Level::FULL) };
        let limit = Limit { nodes: Some(options.nodes), ..Limit::default() };
        let settings = Settings { seed: random.bits(), ..Settings::default() };
        if let (false, Some(Features { counts, weights: present })) = (is_opening, Features::of_match(&game))
        {
            if weights.is_empty() {
                weights.extend(present.iter().map(|weight| f64::from(*weight)));
            }
            let features = counts.into_iter().map(|(index, count)| (index as u16, count as f32)).collect();
            samples.push(Sample { features, result: 0.5 });
            sides.push(game.to_move());
        }
        let Some(report) = searcher.search_as(opponent, &game, &limit, &settings, &mut |_| {}) else { break };
        if game.play(&report.turn).is_err() {
            break;
        }
    }
    if let Some(winner) = game.outcome().and_then(|outcome| outcome.winner) {
        for (sample, side) in samples[first..].iter_mut().zip(sides) {
            sample.result = f32::from(u8::from(side == winner));
        }
    }
}

/// Logistic regression by gradient steps of adapted size, over all samples at a time.
fn fit(options: &Options, samples: &[Sample], weights: &mut [f64]) {
    let start = weights.to_vec();
    let (mut mean, mut square) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
    for pass in 1..=options.passes {
        let mut gradient: Vec<f64> = weights
            .iter()
            .zip(&start)
            .map(|(weight, start)| options.penalty * (weight - start) / (SCALE * SCALE))
            .collect();
        let mut loss = 0.0;
        for sample in samples {
            let score: f64 = sample
                .features
                .iter()
                .map(|(index, count)| weights[usize::from(*index)] * f64::from(*count))
                .sum();
            let chance = 1.0 / (1.0 + (-score / SCALE).exp());
            let error = chance - f64::from(sample.result);
            loss += error * error;
            for (index, count) in &sample.features {
                gradient[usize::from(*index)] += error * f64::from(*count) / SCALE;
            }
        }
        let step = STEP * (1.0 - f64::from(pass - 1) / f64::from(options.passes));
        for index in 0..weights.len() {
            mean[index] = DECAY.0 * mean[index] + (1.0 - DECAY.0) * gradient[index];
            square[index] = DECAY.1 * square[index] + (1.0 - DECAY.1) * gradient[index].powi(2);
            let unbiased = (
                mean[index] / (1.0 - DECAY.0.powi(pass as i32)),
                square[index] / (1.0 - DECAY.1.powi(pass as i32)),
            );
            weights[index] -= step * unbiased.0 / (unbiased.1.sqrt() + 1e-9);
        }
        if pass % 50 == 0 {
            eprintln!("pass {pass}: mean square error {:.5}", loss / samples.len().max(1) as f64);
        }
    }
}

#[expect(clippy::print_stdout, reason = "the output of the program")]
fn print(weights: &[f64]) {
    for row in weights.chunks(16) {
        let row: Vec<String> = row.iter().map(|weight| format!("{},", weight.round())).collect();
        println!("    {} //", row.join(" "));
    }
}
