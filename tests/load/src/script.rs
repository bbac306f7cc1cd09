//! A long game, generated before it is played.

use engine::{AnyMatch, Ruleset, Side};
use rand::{RngExt, SeedableRng, rngs::StdRng};

/// Number of random turns tried where a turn must not end the game. Few end it.
const TRIES: usize = 1000;

/// The turns of one random legal game; at most the last one ends it.
#[derive(Debug)]
pub struct Script {
    ruleset: Ruleset,
    turns: Vec<Turn>,
}

/// A turn, with the end of its message.
#[derive(Debug)]
pub struct Turn {
    pub side: Side,
    pub actions: Vec<String>,
    /// The message from behind the game's id on, which is equal in every game.
    tail: String,
}

impl Script {
    /// Returns a game of `fibonacci` of a seed and a number of turns; the rules end it after 1,000 (RULES 0.7).
    pub fn random(seed: u64, turns: usize) -> Self {
        Self::of(Ruleset::Fibonacci, seed, turns)
    }

    /// Returns a game of a ruleset, of a seed and at most a number of turns. Rulesets with cards have none, since the
    /// server draws the cards.
    pub fn of(ruleset: Ruleset, seed: u64, turns: usize) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let mut game = AnyMatch::new(ruleset);
        let mut script = Self { ruleset, turns: Vec::with_capacity(turns) };
        while script.turns.len() < turns && game.outcome().is_none() {
            let side = game.to_move();
            let Some(actions) = (0..TRIES).find_map(|_| quiet_turn(&game, &mut random)) else { break };
            let version = version_before(script.turns.len());
            let tail = tail(version, &actions);
            game.play(&actions).expect("the drafted actions are legal");
            script.turns.push(Turn { side, actions, tail });
        }
        script
    }

    /// The ruleset of the game.
    pub fn ruleset(&self) -> Ruleset {
        self.ruleset
    }

    /// The turns, in order.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Returns the turn to play on a version of the game; `None` when all are played.
    pub fn next(&self, version: u64) -> Option<&Turn> {
        self.turns.get(usize::try_from(version).ok()?.checked_sub(FIRST)?)
    }
}

impl Turn {
    /// Returns the message of this turn.
    pub fn message(&self, command: &str, game: &str) -> String {
        message(command, game, &self.tail)
    }
}

/// Returns the message of a turn that is played on a version of a game.
pub fn turn_message(command: &str, game: &str, version: u64, actions: &[String]) -> String {
    message(command, game, &tail(version, actions))
}

fn message(command: &str, game: &str, tail: &str) -> String {
    format!(r#"{{"type":"turn","command":"{command}","game":"{game}{tail}"#)
}

/// Returns the end of the message of a turn, from behind the game's id on.
fn tail(version: u64, actions: &[String]) -> String {
    format!(r#"","version":{version},"actions":{}}}"#, serde_json::json!(actions))
}

/// Number of events before the first turn: the room was made, and the game started.
const FIRST: usize = 2;

/// Returns the version of the game on which a turn is played, by its index.
pub fn version_before(turn: usize) -> u64 {
    (FIRST + turn) as u64
}

/// Returns a random whole turn that does not end the game, except by the turn limit.
fn quiet_turn(game: &AnyMatch, random: &mut StdRng) -> Option<Vec<String>> {
    let actions = random_turn(game, random);
    let outcome = game.draft(&actions).expect("each action was one of the legal ones").outcome;
    outcome.is_none_or(|outcome| outcome.winner.is_none()).then_some(actions)
}

/// Returns a random whole turn of a game that is not over.
pub fn random_turn(game: &AnyMatch, random: &mut StdRng) -> Vec<String> {
    let mut actions: Vec<String> = Vec::new();
    loop {
        let draft = game.draft(&actions).expect("each action was one of the legal ones");
        if draft.complete {
            return actions;
        }
        let legal = draft.legal();
        actions.push(legal[random.random_range(..legal.len())].text.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_a_game_that_goes_on_and_the_same_for_the_same_seed() {
        let (script, again) = (Script::random(1, 20), Script::random(1, 20));
        let mut game = AnyMatch::new(Ruleset::Fibonacci);
        for (turn, same) in script.turns().iter().zip(again.turns()) {
            assert_eq!((game.to_move(), &turn.actions), (turn.side, &same.actions));
            game.play(&turn.actions).unwrap();
        }
        assert_eq!((script.turns().len(), game.outcome()), (20, None));
        assert!(script.turns().iter().any(|turn| turn.actions.len() == 6), "turns of several actions");
    }

    #[test]
    fn a_turn_is_sent_on_the_version_that_it_is_played_on() {
        let script = Script::random(1, 2);
        let message = script.next(3).unwrap().message("c-1", "g");
        let message: serde_json::Value = serde_json::from_str(&message).unwrap();
        let actions = &script.turns()[1].actions;
        let expected = serde_json::json!({"type": "turn", "command": "c-1", "game": "g", "version": 3, "actions": actions});
        assert_eq!(message, expected);
        assert!(script.next(1).is_none() && script.next(4).is_none());
    }
}
