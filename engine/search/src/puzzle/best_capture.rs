//! Fenix: find the capture that gains the most.

use engine::{
    Budget, Choices, GameHistory, Progress, Rules, Side,
    fenix::{Action, CaptureScratch, Due, Fenix, PieceKind},
};

use super::{Proof, Unfit};
use crate::report::texts;

/// Number of turns that are searched: two of each side.
const N_TURNS: usize = 4;

/// Minimum number of nodes of the proof. With fewer there is little to think about.
const MIN_NODES: u64 = 400;

/// Discs by which the solution is better than every other turn.
const MARGIN: i32 = 2;

/// The balance of a won game, beyond all discs.
const WON: i32 = 1000;

/// Steps of the search for captures in one position.
const CAPTURE_STEPS: u64 = 20_000;

/// A search of all turns, with the balance of discs at its end.
struct Exchange {
    scratch: CaptureScratch,
    /// An empty history: repetition cannot come within four turns of a capture.
    no_history: GameHistory<Fenix>,
    n_nodes: u64,
    max_nodes: u64,
}

pub(super) fn prove(position: &Fenix, max_nodes: u64) -> Result<Proof, Unfit> {
    let mut exchange = Exchange {
        scratch: CaptureScratch::default(),
        no_history: GameHistory::from_start(position),
        n_nodes: 0,
        max_nodes,
    };
    let turns = exchange.turns(position)?;
    let n_captures = turns.iter().filter(|action| matches!(action, Action::Capture(_))).count();
    if n_captures < 2 {
        return Err(Unfit::TooSimple);
    }
    let before = balance(position, position.to_move());
    let mut values = Vec::with_capacity(turns.len());
    for action in &turns {
        let value = exchange.value_after(position, *action, N_TURNS, -WON, WON)?;
        values.push((value - before, *action));
    }
    values.sort_by_cached_key(|(value, action)| (-value, action.to_string()));
    let [(best, action), (second, _), ..] = values[..] else { return Err(Unfit::TooSimple) };
    if !(1..WON / 2).contains(&best) || best - second < MARGIN || !matches!(action, Action::Capture(_)) {
        return Err(Unfit::NoSolution);
    }
    if exchange.n_nodes < MIN_NODES {
        return Err(Unfit::TooSimple);
    }
    Ok(Proof {
        gain: u8::try_from(best).ok(),
        nodes: exchange.n_nodes,
        n_solutions: 1,
        n_legal: turns.len(),
        solution: exchange.solution(position, action)?,
        is_pull: false,
    })
}

/// Discs of a side less those of the other side.
fn balance(position: &Fenix, side: Side) -> i32 {
    let n_discs = |side| -> i32 {
        PieceKind::ALL
            .into_iter()
            .map(|kind| (position.pieces(side, kind).len() * u32::from(kind.n_discs())) as i32)
            .sum()
    };
    n_discs(side) - n_discs(side.other())
}

impl Exchange {
    /// One legal turn for each result.
    fn turns(&mut self, position: &Fenix) -> Result<Vec<Action>, Unfit> {
        let mut turns = Vec::new();
        let mut budget = Budget::steps(CAPTURE_STEPS);
        position.results_into(&mut self.scratch, &mut budget, &mut turns).map_err(|_| Unfit::TooLong)?;
        Ok(turns)
    }

    /// The balance of the side to move after `n_turns` turns, of which an action is the first one.
    fn value_after(
        &mut self,
        position: &Fenix,
        action: Action,
        n_turns: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Unfit> {
        self.n_nodes += 1;
        if self.n_nodes > self.max_nodes {
            return Err(Unfit::TooLong);
        }
        let side = position.to_move();
        let mut after = *position;
        let outcome = match after.play(action) {
            Progress::Over(outcome) => Some(outcome),
            Progress::SameTurn | Progress::NewTurn => after.outcome_at_turn_start(&self.no_history),
        };
        match outcome {
            Some(outcome) => Ok(match outcome.winner {
                Some(winner) if winner == side => WON,
                Some(_) => -WON,
                None => 0,
            }),
            None => Ok(-self.value(&after, n_turns - 1, -beta, -alpha)?),
        }
    }

    /// The balance of the side to move after `n_turns` turns.
    fn value(&mut self, position: &Fenix, n_turns: usize, alpha: i32, beta: i32) -> Result<i32, Unfit> {
        match n_turns {
            0 => return Ok(balance(position, position.to_move())),
            1 => return Ok(balance(position, position.to_move()) + capturable(position)),
            _ => {}
        }
        let (mut best, mut alpha) = (-WON, alpha);
        for action in self.turns(position)? {
            best = best.max(self.value_after(position, action, n_turns, alpha, beta)?);
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// A capture and the best turns after it.
    fn solution(&mut self, position: &Fenix, first: Action) -> Result<Vec<Vec<String>>, Unfit> {
        let (mut position, mut action) = (*position, first);
        let mut line = vec![texts(&[action])];
        for n_turns in (1..N_TURNS).rev() {
            let is_over = matches!(position.play(action), Progress::Over(_));
            if is_over || position.outcome_at_turn_start(&self.no_history).is_some() {
                break;
            }
            let mut best = None;
            for next in self.turns(&position)? {
                let value = self.value_after(&position, next, n_turns, -WON, WON)?;
                if best.is_none_or(|(most, _)| value > most) {
                    best = Some((value, next));
                }
            }
            let Some((_, next)) = best else { break };
            action = next;
            line.push(texts(&[action]));
        }
        Ok(line)
    }
}

/// Discs that the side to move can capture in this turn.
fn capturable(position: &Fenix) -> i32 {
    if position.due() == Some(Due::King) || !position.can_capture(position.to_move()) {
        return 0;
    }
    position.best_capture().map_or(0, i32::from)
}
