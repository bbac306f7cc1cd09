//! The judgement of an attempt.

use engine::{AnyMatch, Match, Rules, Ruleset, TurnError, stacks::Stacks};
use serde::Serialize;

use super::{Puzzle, win_in_two::Exhaustion};

/// The judgement of an attempt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    Solved,
    /// The turns do not solve it. In a task of two turns, `reply` refutes the first turn.
    Failed {
        reply: Option<Vec<String>>,
    },
    /// The first of two turns is right. The reply to it is played, and the second turn is asked for.
    Continues {
        reply: Vec<String>,
    },
}

/// The reason for which an attempt is not judged.
#[derive(Debug)]
pub enum Refused {
    /// A turn is illegal.
    Turn { index: usize, error: TurnError },
    /// There are no turns, or more than the task asks for.
    NumberOfTurns,
}

impl Puzzle {
    /// The match after some own turns and the replies to them, in which the next own turn is to be found.
    ///
    /// # Errors
    /// A turn is illegal, or there are more than the task asks for.
    pub fn game_after(&self, ruleset: Ruleset, turns: &[Vec<String>]) -> Result<AnyMatch, Refused> {
        let mut game = self.game(ruleset).map_err(|_| Refused::NumberOfTurns)?;
        for (index, turn) in turns.iter().enumerate() {
            if index + 1 >= n_turns(ruleset) {
                return Err(Refused::NumberOfTurns);
            }
            game.play(turn).map_err(|error| Refused::Turn { index, error })?;
            let reply = reply_to(&game).ok_or(Refused::NumberOfTurns)?;
            game.play(&reply.turn).map_err(|_| Refused::NumberOfTurns)?;
        }
        Ok(game)
    }

    /// Judges the own turns of an attempt. The other side's replies are chosen here, and the same every time.
    ///
    /// # Errors
    /// A turn is illegal, or there are none or too many.
    pub fn judge(&self, ruleset: Ruleset, turns: &[Vec<String>]) -> Result<Verdict, Refused> {
        let (last, before) = turns.split_last().ok_or(Refused::NumberOfTurns)?;
        if turns.len() > n_turns(ruleset) {
            return Err(Refused::NumberOfTurns);
        }
        let mut game = self.game_after(ruleset, before)?;
        let side = game.to_move();
        game.play(last).map_err(|error| Refused::Turn { index: before.len(), error })?;
        let has_won = game.outcome().is_some_and(|outcome| outcome.winner == Some(side));
        if has_won || self.gain.is_some() && self.is_solution(ruleset, &game) {
            return Ok(Verdict::Solved);
        }
        let reply = if turns.len() < n_turns(ruleset) { reply_to(&game) } else { None };
        Ok(match reply {
            Some(reply) if reply.n_answers > 0 => Verdict::Continues { reply: reply.turn },
            reply => Verdict::Failed { reply: reply.map(|reply| reply.turn) },
        })
    }

    /// Whether the position after the first turn of the solution was reached. Several captures may lead to it.
    fn is_solution(&self, ruleset: Ruleset, after: &AnyMatch) -> bool {
        let first = self.solution.first().zip(self.game(ruleset).ok());
        first.is_some_and(|(turn, mut game)| {
            game.play(turn).is_ok() && game.position_text() == after.position_text()
        })
    }
}

/// Number of own turns that a task asks for.
const fn n_turns(ruleset: Ruleset) -> usize {
    match ruleset {
        Ruleset::Fibonacci | Ruleset::FibonacciMixed | Ruleset::FibonacciCards | Ruleset::Fenix => 1,
        Ruleset::Focus | Ruleset::FocusClassic | Ruleset::Crossfire => 2,
    }
}

struct ReplyTurn {
    turn: Vec<String>,
    /// Number of answers that win.
    n_answers: usize,
}

/// The best reply to the first of two turns; `None` if the task has only one, or the game is over.
fn reply_to(game: &AnyMatch) -> Option<ReplyTurn> {
    match game {
        AnyMatch::Stacks(game) if game.outcome().is_none() => reply_in(game),
        AnyMatch::Stacks(_) | AnyMatch::Fibonacci(_) | AnyMatch::Fenix(_) => None,
    }
}

fn reply_in(game: &Match<Stacks>) -> Option<ReplyTurn> {
    let mut line = game.line();
    let side = game.position().to_move().other();
    let reply = Exhaustion::new(&mut line, side).best_reply()?;
    Some(ReplyTurn { turn: vec![reply.action.to_string()], n_answers: reply.n_answers })
}
