//! The weights of the evaluation: samples from games, and the network that fits them.

use std::io::{self, BufRead, Write};

use engine::{
    Card, Match, Progress, Rules, Side,
    fibonacci::{Action, Fibonacci, Variant},
};

use super::{
    FibonacciPlayer,
    beam::{Beam, Turn},
    evaluation::{chance, features, turn_of, value_of},
    fit::{Sample, fitted},
    tree::{RootTurn, SURE},
};
use crate::{Limit, Random, Settings, limit::Meter, player::Task};

/// Maximum number of turns of an opening, at random; at least one.
const OPENING_TURNS: usize = 4;

/// Chance of a turn that is not the best one, in percent.
const DETOUR_PERCENT: u32 = 10;

/// The best turns among which a detour is chosen.
const DETOURS: usize = 12;

/// Maximum number of turns of a game, which is a draw after them.
const MAX_TURNS: u16 = 60;

/// How much of what the game came to replaces what the search thought of a position.
const HINDSIGHT: f32 = 0.7;

/// How much of what a game came to is left a turn before, so that a win that is near is worth more than one that is far.
const PATIENCE: f32 = 0.98;

/// The chances that hindsight corrects, so that no correction is endless.
const UNSURE: (f32, f32) = (0.01, 0.99);

/// Number of turns of each search that become samples, besides the one that is played.
const TRIED_TURNS: usize = 8;

/// Chance that boards within the turn of a position become samples, in percent.
const WITHIN_PERCENT: u32 = 12;

/// Boards that are kept by the beam that values boards within a turn.
const BOARDS_WITHIN: usize = 250;

/// Number of boards within a turn that become samples for each number of moves left.
const SAMPLED_WITHIN: usize = 8;

/// The games from which samples come.
#[derive(Clone, Copy, Debug)]
pub struct Games {
    pub variant: Variant,
    /// Nodes of a search.
    pub nodes: u64,
    pub seed: u64,
}

/// A game by another player: its turns, and the side that won.
#[derive(Clone, Debug)]
pub struct Played {
    /// The texts of the actions of each turn.
    pub turns: Vec<Vec<String>>,
    pub winner: Option<Side>,
}

/// A position with the chance that its evaluation should give the side that has moved last.
#[derive(Clone, Debug)]
struct Reached {
    position: Fibonacci,
    mover: Side,
    /// The number of the mover's turn.
    turn: u16,
    chance: f32,
    by: By,
}

/// How a position was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    /// By a turn of the game.
    Play,
    /// By a turn that was searched instead.
    Search,
    /// Within a turn.
    Beam,
}

/// The player with whose searches games are played or looked at.
#[derive(Debug)]
pub struct Sampler {
    games: Games,
    player: FibonacciPlayer,
    beam: Beam,
    random: Random,
}

impl Sampler {
    #[must_use]
    pub fn new(games: Games) -> Self {
        let random = Random::new(games.seed);
        Self { games, player: FibonacciPlayer::new(), beam: Beam::new(), random }
    }

    /// Plays a game against itself, and writes a line for each position that becomes a sample: the mover (0 or 1), the number
    /// of its turn, its chance, and the position.
    ///
    /// # Errors
    /// The lines cannot be written.
    pub fn play(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let n_opening = 1 + self.random.below(OPENING_TURNS);
        let (reached, winner) = self.go_through(|sampler, position, n_turns| {
            if n_turns < n_opening {
                return Some((random_turn(position, &mut sampler.random), Vec::new()));
            }
            let turns = sampler.search(position);
            let is_detour = sampler.random.percent(DETOUR_PERCENT);
            let chosen = if is_detour { sampler.random.below(turns.len().min(DETOURS)) } else { 0 };
            Some((turns[chosen].turn, turns))
        });
        write_samples(reached, winner, out)
    }

    /// Goes through a game of other players, and writes lines as [`play`](Self::play) does.
    ///
    /// # Errors
    /// A turn cannot be read, or the lines cannot be written.
    pub fn replay(&mut self, played: &Played, out: &mut dyn Write) -> io::Result<()> {
        let mut unreadable = None;
        let (reached, _) = self.go_through(|sampler, position, n_turns| {
            let texts = played.turns.get(n_turns)?;
            let mut turn = Turn::EMPTY;
            for text in texts {
                match position.read(text) {
                    Ok(action) => turn.push(action),
                    Err(error) => {
                        unreadable = Some(io::Error::other(format!("{text}: {error}")));
                        return None;
                    }
                }
            }
            Some((turn, sampler.search(position)))
        });
        match unreadable {
            Some(error) => Err(error),
            None => write_samples(reached, played.winner, out),
        }
    }

    /// Goes through a game whose turns `next` returns, with what a search found. Returns its samples and the winner.
    fn go_through(
        &mut self,
        mut next: impl FnMut(&mut Self, &Fibonacci, usize) -> Option<(Turn, Vec<RootTurn>)>,
    ) -> (Vec<Reached>, Option<Side>) {
        let mut position = Fibonacci::start(self.games.variant);
        let mut reached: Vec<Reached> = Vec::new();
        for n_turns in 0.. {
            if position.awaits_card() {
                position.deal(Card::ALL[self.random.below(6)]);
            }
            let (mover, turn) = (position.to_move(), turn_of(&position));
            if turn > MAX_TURNS {
                break;
            }
            let Some((chosen, found)) = next(self, &position, n_turns) else { break };
            if let Some(best) = found.first() {
                if let Some(last) = reached.iter_mut().rfind(|reached| reached.by == By::Play) {
                    let chance = chance(best.value);
                    // The turn of the other side may have been skipped (RULES 1.8).
                    last.chance = if last.mover == mover { chance } else { 1.0 - chance };
                }
                self.add_tried(&position, &found, &mut reached);
                self.add_within(&position, &mut reached);
            }
            for action in chosen.actions() {
                if let Progress::Over(outcome) = position.play(*action) {
                    return (reached, outcome.winner);
                }
            }
            reached.push(Reached { position, mover, turn, chance: 0.5, by: By::Play });
        }
        (reached, None)
    }

    /// Adds some of the turns whose replies were searched. Without them the evaluation would know good positions only, and
    /// overrate others.
    fn add_tried(&mut self, position: &Fibonacci, found: &[RootTurn], reached: &mut Vec<Reached>) {
        // A win in the turn is the solver's to see.
        if found[0].value > SURE {
            return;
        }
        let (mover, turn) = (position.to_move(), turn_of(position));
        let mut tried: Vec<&RootTurn> = found.iter().filter(|root| root.visits > 0).collect();
        for _ in 0..TRIED_TURNS.min(tried.len()) {
            let root = tried.swap_remove(self.random.below(tried.len()));
            let mut after = *position;
            let is_over =
                root.turn.actions().iter().any(|action| matches!(after.play(*action), Progress::Over(_)));
            if !is_over {
                let chance = chance(root.value);
                reached.push(Reached { position: after, mover, turn, chance, by: By::Search });
            }
        }
    }

    /// Adds some boards within the turn.
    fn add_within(&mut self, position: &Fibonacci, reached: &mut Vec<Reached>) {
        if !self.random.percent(WITHIN_PERCENT) {
            return;
        }
        let network = &self.player.networks[self.games.variant as usize];
        let promises = self.beam.promises(position, BOARDS_WITHIN, network);
        let (mover, turn) = (position.to_move(), turn_of(position));
        for left in 1..position.actions_left() {
            // The best come first, and two of them are taken.
            let mut boards: Vec<_> = promises.iter().filter(|(at, _)| at.actions_left() == left).collect();
            for n in 0..SAMPLED_WITHIN.min(boards.len()) {
                let at = if n < 2 { 0 } else { self.random.below(boards.len()) };
                let (position, promise) = *boards.remove(at);
                reached.push(Reached { position, mover, turn, chance: chance(promise), by: By::Beam });
            }
        }
    }

    /// The turns of a search, the best one first.
    fn search(&mut self, position: &Fibonacci) -> Vec<RootTurn> {
        let limit = Limit { nodes: Some(self.games.nodes), ..Limit::default() };
        let settings = Settings { seed: self.random.bits(), ..Settings::default() };
        let text = position.to_string();
        let game = Match::from_text(position.variant(), &text).expect("positions of play can be read");
        let mut task =
            Task { game: &game, settings: &settings, meter: Meter::new(&limit), improved: &mut |_| {} };
        self.player.turns(&mut task).0
    }
}

/// Corrects the chances by what the game came to, and writes the samples.
fn write_samples(mut reached: Vec<Reached>, winner: Option<Side>, out: &mut dyn Write) -> io::Result<()> {
    let for_first = |side: Side, chance: f32| if side == Side::First { chance } else { 1.0 - chance };
    let logit = |chance: f32| value_of(chance.clamp(UNSURE.0, UNSURE.1));
    let mut came_to = winner.map_or(0.5, |side| for_first(side, 1.0));
    let mut correction = 0;
    for Reached { mover, chance: found, by, .. } in reached.iter_mut().rev() {
        match by {
            By::Play => {
                let thought = for_first(*mover, *found);
                came_to = 0.5 + PATIENCE * (came_to - 0.5);
                came_to = HINDSIGHT * came_to + (1.0 - HINDSIGHT) * thought;
                correction = logit(came_to) - logit(thought);
                *found = for_first(*mover, came_to);
            }
            By::Search => {
                let correction = if *mover == Side::First { correction } else { -correction };
                *found = chance(logit(*found) + correction);
            }
            By::Beam => {}
        }
    }
    for Reached { position, mover, turn, chance, .. } in reached {
        writeln!(out, "{} {turn} {chance:.4} {position}", mover as usize)?;
    }
    Ok(())
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

/// Returns the file of the network that fits lines of a [`Sampler`] best.
///
/// # Errors
/// A line cannot be read.
pub fn fit(variant: Variant, lines: impl BufRead, progress: &mut dyn FnMut(&str)) -> io::Result<Vec<u8>> {
    let mut samples = Vec::new();
    for line in lines.lines() {
        let line = line?;
        let sample = read_sample(variant, &line);
        samples.push(sample.ok_or_else(|| io::Error::other(format!("the line is no sample: {line}")))?);
    }
    Ok(fitted(&samples, progress))
}

fn read_sample(variant: Variant, line: &str) -> Option<Sample> {
    let mut words = line.splitn(4, ' ');
    let mover = if words.next()? == "0" { Side::First } else { Side::Second };
    let turn = words.next()?.parse().ok()?;
    let target = words.next()?.parse().ok()?;
    let position = Fibonacci::parse(variant, words.next()?).ok()?;
    Some(Sample { features: features(&position, mover, turn), target })
}
