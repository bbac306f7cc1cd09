use engine::{Line, Progress};

use super::material::{Material, choices_into};
use crate::{
    player::{Player, Task},
    random::Random,
    report::Report,
};

/// Value of a win, beyond any material.
const WON: i32 = 1 << 20;

/// A player that takes a win, else the action with the best material; ties are broken at random.
#[derive(Debug)]
pub(crate) struct GreedyPlayer;

impl<R: Material> Player<R> for GreedyPlayer {
    fn search(&mut self, task: &mut Task<'_, R>) -> Report {
        let mut random = Random::new(task.settings.seed);
        let mut line = task.game.line();
        let (mut turn, mut actions, mut scratch) = (Vec::new(), Vec::new(), R::Scratch::default());
        loop {
            choices_into(&line, &mut scratch, &mut actions);
            let mut best = (i32::MIN, actions[0]);
            let mut n_best = 0;
            for &action in &actions {
                task.meter.count();
                let value = value_after(&mut line, action);
                n_best = if value > best.0 { 1 } else { n_best + usize::from(value == best.0) };
                if value > best.0 || value == best.0 && random.below(n_best) == 0 {
                    best = (value, action);
                }
            }
            turn.push(best.1);
            if line.push(best.1) != Progress::SameTurn {
                return Report::of_turn(&turn, 0.5, task.meter.nodes(), 1);
            }
        }
    }
}

/// Value of the position after an action for the side whose action it is.
fn value_after<R: Material>(line: &mut Line<R>, action: R::Action) -> i32 {
    let side = line.position().to_move();
    line.push(action);
    let value = match line.outcome() {
        Some(outcome) if outcome.winner == Some(side) => WON,
        Some(outcome) if outcome.winner.is_some() => -WON,
        _ => line.position().material(side) - line.position().material(side.other()),
    };
    line.pop();
    value
}
