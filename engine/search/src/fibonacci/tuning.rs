//! Weights of the evaluation from games of the player against itself.

use engine::{
    Match, Progress, Rules, Side,
    fibonacci::{Action, Fibonacci, Variant},
};

use super::{
    FibonacciPlayer,
    beam::Turn,
    evaluation::{Situation, Summary, chance, turn_of},
    tree::RootTurn,
    weights::{N_WEIGHTS, Weights},
};
use crate::{Limit, Random, Settings, limit::Meter, player::Task};

/// Options of a tuning.
#[derive(Clone, Debug)]
pub struct Tuning {
    pub variant: Variant,
    pub n_rounds: u32,
    /// Games of a round.
    pub n_games: u32,
    /// Nodes of a search.
    pub nodes: u64,
    pub seed: u64,
    /// Share of the game's result in the target, in percent; the rest is the score of the next search.
    pub result_percent: u32,
}

/// Turns of an opening, at random.
const OPENING_TURNS: usize = 3;

/// Chance of a turn that is not the best one, in percent.
const DETOUR_PERCENT: u32 = 15;

/// Number of turns of each search that become samples, besides the one that is played.
const SAMPLED_TURNS: usize = 6;

/// Maximum number of turns of a game, which is a draw after them.
const MAX_TURNS: u16 = 60;

/// Indices of weights, those of both roles in one list, with their counts.
type Features = Vec<(u16, i16)>;

/// A position with the features of its evaluation and the chance that it should have.
#[derive(Clone, Debug)]
struct Sample {
    features: Features,
    target: f32,
}

/// Plays games and fits the weights to them, several times over. Returns the source of the last weights.
#[must_use]
pub fn tune(tuning: &Tuning, progress: &mut dyn FnMut(&str)) -> String {
    let mut samples = Vec::new();
    let mut player = FibonacciPlayer::new();
    let at = tuning.variant as usize;
    for round in 0..tuning.n_rounds {
        let (mut n_turns, mut results) = (0, [0; 3]);
        for game in 0..tuning.n_games {
            let seed = tuning.seed.wrapping_add(u64::from(round * tuning.n_games + game) << 32);
            let (turns, result) = play(&mut player, tuning, seed, &mut samples);
            n_turns += turns;
            results[result] += 1;
        }
        player.weights[at] = fit(&player.weights[at], &samples, progress);
        progress(&format!(
            "round {round}: {} samples, {:.1} turns, first/second/draw {results:?}, {}",
            samples.len(),
            f64::from(n_turns) / f64::from(tuning.n_games),
            source(&player.weights[at])
        ));
    }
    source(&player.weights[at])
}

/// Plays one game. Returns its number of turns and its result: 0 and 1 for the sides, 2 for a draw.
fn play(player: &mut FibonacciPlayer, tuning: &Tuning, seed: u64, samples: &mut Vec<Sample>) -> (u32, usize) {
    let mut random = Random::new(seed);
    let mut position = Fibonacci::start(tuning.variant);
    let mut states: Vec<(Features, Side)> = Vec::new();
    let (mut n_turns, mut scores) = (0, Vec::new());
    let result = loop {
        if position.awaits_card() {
            position.deal(engine::Card::ALL[random.below(6)]);
        }
        if turn_of(&position) > MAX_TURNS {
            break 2;
        }
        let side = position.to_move();
        let turn = if n_turns < OPENING_TURNS {
            random_turn(&position, &mut random)
        } else {
            let turns = search(player, &position, tuning, &mut random);
            scores.push((states.len(), side, chance(turns[0].value)));
            sample_turns(&position, &turns, &mut random, samples);
            let is_detour = random.percent(DETOUR_PERCENT);
            turns[if is_detour { random.below(turns.len().min(12)) } else { 0 }].turn
        };
        n_turns += 1;
        let mut end = None;
        for action in turn.actions() {
            if let Progress::Over(outcome) = position.play(*action) {
                end = Some(outcome);
            }
        }
        if let Some(outcome) = end {
            break outcome.winner.map_or(2, |side| side as usize);
        }
        if n_turns > OPENING_TURNS {
            states.push((features(&position, side, turn_of(&position) - 1), side));
        }
    };
    for (index, (features, side)) in states.into_iter().enumerate() {
        let of_result = match result {
            2 => 0.5,
            winner => f32::from(u8::from(winner == side as usize)),
        };
        let of_search = scores
            .iter()
            .find(|(at, ..)| *at == index + 1)
            .map_or(of_result, |(_, mover, score)| if *mover == side { *score } else { 1.0 - score });
        let share = tuning.result_percent as f32 / 100.0;
        samples.push(Sample { features, target: share * of_result + (1.0 - share) * of_search });
    }
    (n_turns as u32, result)
}

/// The turns of a search, the best one first.
fn search(
    player: &mut FibonacciPlayer,
    position: &Fibonacci,
    tuning: &Tuning,
    random: &mut Random,
) -> Vec<RootTurn> {
    let limit = Limit { nodes: Some(tuning.nodes), ..Limit::default() };
    let settings = Settings { seed: random.bits(), ..Settings::default() };
    let text = position.to_string();
    let game = Match::from_text(tuning.variant, &text).expect("positions of play can be read");
    let mut task =
        Task { game: &game, settings: &settings, meter: Meter::new(&limit), improved: &mut |_| {} };
    player.turns(&mut task).0
}

/// Adds some of the turns whose replies were searched, with the values that it found. Without them the evaluation would
/// know good positions only, and overrate others.
fn sample_turns(position: &Fibonacci, turns: &[RootTurn], random: &mut Random, samples: &mut Vec<Sample>) {
    let mut visited: Vec<&RootTurn> = turns.iter().filter(|root| root.visits > 0).collect();
    for _ in 0..SAMPLED_TURNS.min(visited.len()) {
        let RootTurn { turn, value, .. } = visited.swap_remove(random.below(visited.len()));
        let mut after = *position;
        let is_over = turn.actions().iter().any(|action| matches!(after.play(*action), Progress::Over(_)));
        if !is_over {
            let features = features(&after, position.to_move(), turn_of(position));
            samples.push(Sample { features, target: chance(*value) });
        }
    }
}

fn random_turn(position: &Fibonacci, random: &mut Random) -> Turn {
    let (mut position, mut turn) = (*position, Turn::EMPTY);
    loop {
        let mut actions = Vec::new();
        position.for_each_action(|action| actions.push(action));
        actions.retain(|action| *action != Action::End);
        let action = actions[random.below(actions.len())];
        turn.push(action);
        if position.play(action) != Progress::SameTurn {
            return turn;
        }
    }
}

/// The features for the side that has moved last, with the weights of both roles in one list.
fn features(position: &Fibonacci, mover: Side, turn: u16) -> Features {
    let own = Summary::new(position, mover);
    let other = Summary::new(position, mover.other());
    let mut features = Vec::new();
    Situation { position, mover, turn, own: &own, other: &other }.visit_features(|role, index, count| {
        let sign = if role == super::evaluation::WAITING { 1 } else { -1 };
        features.push(((role * N_WEIGHTS + index) as u16, (sign * count) as i16));
    });
    features
}

/// Logistic regression by the method of Adam, from the weights of before.
fn fit(before: &Weights, samples: &[Sample], progress: &mut dyn FnMut(&str)) -> Weights {
    const N_EPOCHS: u32 = 60;
    const BATCH: usize = 256;
    const RATE: f32 = 0.01;
    const DECAY: f32 = 1e-5;
    let start: Vec<f32> = before.roles.iter().flatten().map(|weight| *weight as f32 / 100.0).collect();
    let mut weights = start.clone();
    let (mut mean, mut square) = (vec![0.0f32; weights.len()], vec![0.0f32; weights.len()]);
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let mut random = Random::new(1);
    let mut step = 0;
    for epoch in 0..N_EPOCHS {
        for index in (1..order.len()).rev() {
            order.swap(index, random.below(index + 1));
        }
        let mut loss = 0.0f64;
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![0.0f32; weights.len()];
            for sample in batch.iter().map(|index| &samples[*index]) {
                let logit: f32 =
                    sample.features.iter().map(|(at, n)| weights[*at as usize] * f32::from(*n)).sum();
                let predicted = 1.0 / (1.0 + (-logit).exp());
                let clamped = predicted.clamp(1e-6, 1.0 - 1e-6);
                loss -=
                    f64::from(sample.target * clamped.ln() + (1.0 - sample.target) * (1.0 - clamped).ln());
                for (at, n) in &sample.features {
                    gradient[*at as usize] +=
                        (predicted - sample.target) * f32::from(*n) / batch.len() as f32;
                }
            }
            step += 1;
            let rate = RATE * (1.0 - epoch as f32 / N_EPOCHS as f32);
            for at in 0..weights.len() {
                mean[at] = 0.9 * mean[at] + 0.1 * gradient[at];
                square[at] = 0.999 * square[at] + 0.001 * gradient[at] * gradient[at];
                let (first, second) = (1.0 - 0.9f32.powi(step), 1.0 - 0.999f32.powi(step));
                weights[at] -= rate * (mean[at] / first) / ((square[at] / second).sqrt() + 1e-8);
                weights[at] -= DECAY * (weights[at] - start[at]);
            }
        }
        if epoch % 10 == 0 || epoch + 1 == N_EPOCHS {
            progress(&format!("epoch {epoch}: loss {:.4}", loss / samples.len() as f64));
        }
    }
    let mut fitted = before.clone();
    for (to, from) in fitted.roles.iter_mut().flatten().zip(&weights) {
        *to = (from * 100.0).round() as i32;
    }
    fitted
}

fn source(weights: &Weights) -> String {
    let role = |weights: &[i32]| {
        let texts: Vec<String> = weights.iter().map(ToString::to_string).collect();
        format!("[{}]", texts.join(", "))
    };
    let roles: Vec<String> = weights.roles.iter().map(|weights| role(weights)).collect();
    format!("Weights {{ roles: [{}] }}", roles.join(", "))
}
