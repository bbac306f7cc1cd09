//! Fits the weights of an evaluation to games of the player with itself.
//!
//! A position is worth what the searches of the rest of its game say, the nearest most, and its result at the end. These
//! values are the data of a logistic regression, which starts from the present weights and is held to them by a penalty.
//! The same options give the same weights. The output is for the file of weights.

use clap::Parser;
use engine::{AnyMatch, Ruleset, Side};
use search::{Baseline, Features, Level, Limit, Opponent, Random, Searcher, Settings};

/// Memory of the tables of the player in bytes.
const TABLE_BYTES: usize = 8 << 20;

/// Score at which the odds are e to 1, which is that of all games with such an evaluation.
const SCALE: f64 = 256.0;

/// The part of a position's value that is that of the next one, in place of the search of the next one.
const PATIENCE: f64 = 0.97;

/// One turn of this many is by lot, so that games do not follow the same lines.
const N_OWN_TURNS: usize = 40;

/// Largest change of a weight in an iteration, for a feature whose usual count is 1, in parts of [`SCALE`].
const STEP: f64 = 0.05;

/// Decay of the two running means of the gradient.
const DECAY: (f64, f64) = (0.9, 0.999);

/// Fits the weights of an evaluation.
#[derive(Parser)]
#[command(version)]
struct Options {
    #[arg(long, value_parser = ruleset_with_weights)]
    ruleset: Ruleset,
    #[arg(long, default_value_t = 4000)]
    games: u32,
    /// Nodes per turn.
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Steps of the regression, each over all the data.
    #[arg(long, default_value_t = 200)]
    passes: u32,
    /// Penalty on the square of the change of a weight, for a feature whose usual count is 1, in parts of the data.
    #[arg(long, default_value_t = 0.0001)]
    penalty: f64,
}

/// A position with its value for the side to move, from 0 to 1.
struct Sample {
    features: Vec<(u16, f32)>,
    value: f32,
    /// How much it counts. Many positions of a long game tell less than as many of several games.
    share: f32,
}

/// A turn of the player in a game.
struct Searched {
    side: Side,
    /// The chance of the side to win, as the search has it.
    score: f64,
    features: Option<Features>,
}

fn main() {
    let options = Options::parse();
    let mut samples = Vec::new();
    let mut weights: Vec<f64> = Vec::new();
    let mut searcher = Searcher::new(TABLE_BYTES);
    for number in 0..options.games {
        let (turns, winner) = play(&options, &mut searcher, number);
        if let (true, Some(features)) =
            (weights.is_empty(), turns.iter().find_map(|turn| turn.features.as_ref()))
        {
            weights.extend(features.weights.iter().map(|weight| f64::from(*weight)));
        }
        add_samples(&turns, winner, &mut samples);
        if number % 200 == 199 {
            eprintln!("{} games, {} positions", number + 1, samples.len());
        }
    }
    fit(&options, &samples, &mut weights);
    print(&weights);
}

/// Reads the name of a ruleset whose evaluation has weights.
fn ruleset_with_weights(name: &str) -> Result<Ruleset, String> {
    let ruleset: Ruleset = name.parse().map_err(|error| format!("{error}"))?;
    match AnyMatch::new(ruleset) {
        AnyMatch::Fibonacci(_) => Err("the games of Fibonacci have a network: use `tune`".into()),
        AnyMatch::Fenix(_) | AnyMatch::Stacks(_) => Ok(ruleset),
    }
}

/// Plays a game from a random opening. Returns the turns of the player and the winner.
fn play(options: &Options, searcher: &mut Searcher, number: u32) -> (Vec<Searched>, Option<Side>) {
    let mut random = Random::new(options.seed ^ u64::from(number) << 24);
    let n_set_up = if options.ruleset == Ruleset::Fenix { 10 } else { 2 };
    let n_opening = n_set_up + random.below(8);
    let mut game = AnyMatch::new(options.ruleset);
    let mut turns = Vec::new();
    while game.outcome().is_none() {
        let is_by_lot = game.turns().len() < n_opening || random.below(N_OWN_TURNS) == 0;
        let opponent =
            if is_by_lot { Opponent::Baseline(Baseline::Random) } else { Opponent::Level(Level::FULL) };
        let limit = Limit { nodes: Some(options.nodes), ..Limit::default() };
        let settings = Settings { seed: random.bits(), ..Settings::default() };
        let Some(report) = searcher.search_as(opponent, &game, &limit, &settings, &mut |_| {}) else { break };
        if !is_by_lot {
            let (score, features) = (report.score.into(), Features::of_match(&game));
            turns.push(Searched { side: game.to_move(), score, features });
        }
        if game.play(&report.turn).is_err() {
            break;
        }
    }
    (turns, game.outcome().and_then(|outcome| outcome.winner))
}

/// Adds the positions of a game to the samples.
fn add_samples(turns: &[Searched], winner: Option<Side>, samples: &mut Vec<Sample>) {
    let share = 1.0 / (turns.len() as f32).sqrt();
    let of_first = |side, chance: f64| if side == Side::First { chance } else { 1.0 - chance };
    let mut value = winner.map_or(0.5, |winner| of_first(winner, 1.0));
    for Searched { side, score, features } in turns.iter().rev() {
        if let Some(Features { counts, .. }) = features {
            let features = counts.iter().map(|(index, count)| (*index as u16, *count as f32)).collect();
            samples.push(Sample { features, value: of_first(*side, value) as f32, share });
        }
        value = PATIENCE * value + (1.0 - PATIENCE) * of_first(*side, *score);
    }
}

/// Logistic regression by gradient steps of adapted size, over all samples at a time.
fn fit(options: &Options, samples: &[Sample], weights: &mut [f64]) {
    let total: f64 = samples.iter().map(|sample| f64::from(sample.share)).sum();
    let usual = usual_counts(samples, weights.len());
    let start = weights.to_vec();
    let (mut mean, mut square) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
    for pass in 1..=options.passes {
        let mut gradient = vec![0.0; weights.len()];
        let mut loss = 0.0;
        for Sample { features, value, share } in samples {
            let score: f64 =
                features.iter().map(|(index, count)| weights[usize::from(*index)] * f64::from(*count)).sum();
            let error = 1.0 / (1.0 + (-score / SCALE).exp()) - f64::from(*value);
            let part = f64::from(*share) / total;
            loss += part * error * error;
            for (index, count) in features {
                gradient[usize::from(*index)] += part * error * f64::from(*count);
            }
        }
        let step = STEP * (1.0 - f64::from(pass - 1) / f64::from(options.passes));
        for index in 0..weights.len() {
            let change = (weights[index] - start[index]) * usual[index] / SCALE;
            let slope = gradient[index] / usual[index] + options.penalty * change;
            mean[index] = DECAY.0 * mean[index] + (1.0 - DECAY.0) * slope;
            square[index] = DECAY.1 * square[index] + (1.0 - DECAY.1) * slope.powi(2);
            let unbiased = (
                mean[index] / (1.0 - DECAY.0.powi(pass as i32)),
                square[index] / (1.0 - DECAY.1.powi(pass as i32)),
            );
            weights[index] -= step * SCALE / usual[index] * unbiased.0 / (unbiased.1.sqrt() + 1e-9);
        }
        if pass % 50 == 0 {
            eprintln!("pass {pass}: mean square error {loss:.5}");
        }
    }
}

/// The root mean square of each feature's counts.
fn usual_counts(samples: &[Sample], n_weights: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n_weights];
    for (index, count) in samples.iter().flat_map(|sample| &sample.features) {
        sums[usize::from(*index)] += f64::from(*count).powi(2);
    }
    sums.into_iter().map(|sum| (sum / samples.len().max(1) as f64).sqrt() + 0.001).collect()
}

#[expect(clippy::print_stdout, reason = "the output of the program")]
fn print(weights: &[f64]) {
    for row in weights.chunks(16) {
        let row: Vec<String> = row.iter().map(|weight| format!("{},", weight.round())).collect();
        println!("    {} //", row.join(" "));
    }
}
