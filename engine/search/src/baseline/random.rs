use engine::{Line, Progress};

use super::material::{Material, choices_into};
use crate::{
    player::{Player, Task},
    random::Random,
    report::Report,
};

/// A player whose every action is a random one.
#[derive(Debug)]
pub(crate) struct RandomPlayer;

impl<R: Material> Player<R> for RandomPlayer {
    fn search(&mut self, task: &mut Task<'_, R>) -> Report {
        let mut line = task.game.line();
        let turn = random_turn(&mut line, &mut Random::new(task.settings.seed));
        Report::of_turn(&turn, 0.5, turn.len() as u64, 0)
    }
}

/// Pushes a random turn onto the line, and returns it. The game must not be over.
pub(crate) fn random_turn<R: Material>(line: &mut Line<R>, random: &mut Random) -> Vec<R::Action> {
    let (mut turn, mut actions, mut scratch) = (Vec::new(), Vec::new(), R::Scratch::default());
    loop {
        choices_into(line, &mut scratch, &mut actions);
        let action = actions[random.below(actions.len())];
        turn.push(action);
        if line.push(action) != Progress::SameTurn {
            return turn;
        }
    }
}
