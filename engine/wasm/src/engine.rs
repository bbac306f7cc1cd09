use engine::{AnyMatch, Budget, Card, Ruleset};
use serde::Serialize;

use super::{Choices, Refusal, State};

/// Maximum number of legal actions that are listed. It is that of the server.
const MAX_LISTED: usize = 5_000;

/// Maximum number of search steps for a list. A position of Fenix that takes more is left to the server.
const LIST_STEPS: u64 = 1_000_000;

/// The matches of a page, each with a number.
#[derive(Default, Debug)]
pub struct Engine {
    matches: Vec<Option<AnyMatch>>,
}

impl Engine {
    /// Begins a match at the text of a position, or for an empty text at the start of the ruleset. The text of that
    /// start is one too, though it has no card yet where the ruleset has cards.
    ///
    /// # Errors
    /// There is no such ruleset, or no game can begin from the text.
    pub fn open(&mut self, ruleset: &str, start: &str) -> Result<State, Refusal> {
        let ruleset: Ruleset = ruleset.parse().map_err(|_| Refusal::UnknownRuleset)?;
        let fresh = AnyMatch::new(ruleset);
        let game = if start.is_empty() || start == fresh.start_text() {
            fresh
        } else {
            AnyMatch::from_text(ruleset, start).map_err(Refusal::from)?
        };
        Ok(self.add(game))
    }

    /// Copies a match, for a line of play beside it.
    ///
    /// # Errors
    /// There is no such match.
    pub fn copy(&mut self, id: usize) -> Result<State, Refusal> {
        let copy = self.get(id)?.clone();
        Ok(self.add(copy))
    }

    /// Begins a match where the side to move of another one passes: see [`AnyMatch::passed`].
    ///
    /// # Errors
    /// There is no such match, or the next turn cannot be known.
    pub fn passed(&mut self, id: usize) -> Result<State, Refusal> {
        let passed = self.get(id)?.passed().ok_or(Refusal::UnknownTurn)?;
        Ok(self.add(passed))
    }

    /// Forgets a match. Its number is used again.
    pub fn close(&mut self, id: usize) {
        if let Some(place) = self.matches.get_mut(id) {
            *place = None;
        }
    }

    /// The present state of a match.
    ///
    /// # Errors
    /// There is no such match.
    pub fn show(&mut self, id: usize) -> Result<State, Refusal> {
        Ok(State::of(id, self.get(id)?))
    }

    /// The actions that may follow the beginning of a turn.
    ///
    /// # Errors
    /// There is no such match, an action is illegal, or there are too many to be listed.
    pub fn choices(&mut self, id: usize, actions: &[&str]) -> Result<Choices, Refusal> {
        let draft = self.get(id)?.draft(actions)?;
        let choices = views::Choices::of(&draft, MAX_LISTED, &mut Budget::steps(LIST_STEPS))
            .map_err(|_| Refusal::TooMany { limit: MAX_LISTED })?;
        Ok(Choices { choices, outcome: draft.outcome.map(Into::into) })
    }

    /// Plays a whole turn.
    ///
    /// # Errors
    /// There is no such match, or the actions are no legal turn.
    pub fn play(&mut self, id: usize, actions: &[&str]) -> Result<State, Refusal> {
        let game = self.get(id)?;
        game.play(actions)?;
        Ok(State::of(id, game))
    }

    /// Turns over the card that a match waits for.
    ///
    /// # Errors
    /// There is no such match, or it waits for no such card.
    pub fn turn_over(&mut self, id: usize, card: u8) -> Result<State, Refusal> {
        let game = self.get(id)?;
        let card = Card::from_value(card).ok_or(Refusal::InvalidCard)?;
        game.turn_over(card).map_err(|_| Refusal::InvalidCard)?;
        Ok(State::of(id, game))
    }

    /// Takes back all turns of a match after the first `turns`.
    ///
    /// # Errors
    /// There is no such match.
    pub fn rewind(&mut self, id: usize, turns: usize) -> Result<State, Refusal> {
        let game = self.get(id)?;
        *game = game.rewound(turns);
        Ok(State::of(id, game))
    }

    /// Counts the sequences of `depth` actions (RULES 0.10).
    ///
    /// # Errors
    /// There is no such match.
    pub fn perft(&mut self, id: usize, depth: u32) -> Result<u64, Refusal> {
        Ok(self.get(id)?.perft(depth))
    }

    fn get(&mut self, id: usize) -> Result<&mut AnyMatch, Refusal> {
        self.matches.get_mut(id).and_then(Option::as_mut).ok_or(Refusal::UnknownMatch)
    }

    fn add(&mut self, game: AnyMatch) -> State {
        let id = self.matches.iter().position(Option::is_none).unwrap_or(self.matches.len());
        let state = State::of(id, &game);
        if id == self.matches.len() {
            self.matches.push(Some(game));
        } else {
            self.matches[id] = Some(game);
        }
        state
    }
}

/// The JSON of an answer: its own, or `{"refused":{"code":…}}`.
#[must_use]
pub fn json<T: Serialize>(answer: Result<T, Refusal>) -> Vec<u8> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Answer<T> {
        Given(T),
        Refused { refused: Refusal },
    }
    let answer = answer.map_or_else(|refused| Answer::Refused { refused }, Answer::Given);
    serde_json::to_vec(&answer).expect("answers have string keys only")
}
