use super::{Card, GameHistory, Outcome, Progress, Rules, TurnNumber};

/// A line of play for a search: a position, and the actions that led to it, which can be popped again.
///
/// It has the history that repetition and ko need, including that of its match, and ends by the same rules. Actions are
/// typed; pushed actions must be legal.
///
/// ```
/// use engine::{Match, Progress, Rules, fibonacci::{Fibonacci, Variant}};
///
/// let game = Match::<Fibonacci>::new(Variant::Original);
/// let mut line = game.line();
/// let mut actions = Vec::new();
/// line.actions_into(&mut actions);
/// let hash = line.position().hash();
/// assert_eq!(line.push(actions[0]), Progress::NewTurn);
/// assert_eq!((line.ply(), line.position().turn().get()), (1, 2));
/// assert_eq!(line.pop(), Some(actions[0]));
/// assert_eq!((line.ply(), line.position().hash()), (0, hash));
/// ```
#[derive(Clone, Debug)]
pub struct Line<R: Rules> {
    /// The start position, and the position after each ply.
    positions: Vec<R>,
    plies: Vec<Ply<R>>,
    outcome: Option<Outcome>,
    history: GameHistory<R>,
    scratch: R::Scratch,
}

/// An action or a card that was pushed.
#[derive(Clone, Copy, Debug)]
struct Ply<R: Rules> {
    /// `None` if a card was turned over.
    action: Option<R::Action>,
    has_ko_record: bool,
    has_turn_key: bool,
}

impl<R: Rules> Line<R> {
    /// Creates a line from a position, with an empty history.
    #[must_use]
    pub fn from_position(position: R) -> Self {
        Self::from_history(position, None, GameHistory::from_start(&position))
    }

    pub(crate) fn from_history(position: R, outcome: Option<Outcome>, history: GameHistory<R>) -> Self {
        let (history, scratch) = (history.indexed(), R::Scratch::default());
        Self { positions: vec![position], plies: Vec::new(), outcome, history, scratch }
    }

    /// The current position.
    #[must_use]
    #[inline]
    pub fn position(&self) -> &R {
        &self.positions[self.plies.len()]
    }

    /// The outcome of the game; `None` while it is not over.
    #[must_use]
    #[inline]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The number of actions and cards that were pushed and not popped.
    #[must_use]
    #[inline]
    pub const fn ply(&self) -> usize {
        self.plies.len()
    }

    /// The history of the game, including the line.
    #[must_use]
    pub const fn history(&self) -> &GameHistory<R> {
        &self.history
    }

    /// The actions that were pushed and not popped, in order.
    pub fn actions(&self) -> impl DoubleEndedIterator<Item = R::Action> {
        self.plies.iter().filter_map(|ply| ply.action)
    }

    /// Plays an action, which must be legal here. The game must not be over, nor wait for a card.
    #[inline]
    pub fn push(&mut self, action: R::Action) -> Progress {
        debug_assert!(self.outcome.is_none(), "{action} after the end of the game");
        let before = *self.position();
        self.positions.push(before);
        let position = &mut self.positions[self.plies.len() + 1];
        let progress = position.play(action);
        let ko_record = before.ko_record(action, position);
        let mut ply = Ply { action: Some(action), has_ko_record: ko_record.is_some(), has_turn_key: false };
        if let Some(record) = ko_record {
            self.history.push_ko_record(record, before.turn());
        }
        let outcome = match progress {
            Progress::SameTurn => None,
            Progress::NewTurn => position.outcome_at_turn_start(&self.history),
            Progress::Over(outcome) => Some(outcome),
        };
        if progress == Progress::NewTurn
            && outcome.is_none()
            && let Some(key) = position.turn_key()
        {
            self.history.push_turn_key(position.hash(), key);
            ply.has_turn_key = true;
        }
        self.outcome = outcome;
        self.plies.push(ply);
        outcome.map_or(progress, Progress::Over)
    }

    /// Turns over a card, which the position must wait for.
    pub fn push_card(&mut self, card: Card) {
        let mut position = *self.position();
        position.deal(card);
        self.positions.push(position);
        self.plies.push(Ply { action: None, has_ko_record: false, has_turn_key: false });
    }

    /// Undoes the last push, and returns it if it was an action.
    #[inline]
    pub fn pop(&mut self) -> Option<R::Action> {
        let Ply { action, has_ko_record, has_turn_key } = self.plies.pop()?;
        self.positions.pop();
        self.outcome = None;
        if has_ko_record {
            self.history.pop_ko_record();
        }
        if has_turn_key {
            self.history.pop_turn_key();
        }
        action
    }

    /// Replaces the contents of the buffer with the legal actions; none after the end of the game.
    #[inline]
    pub fn actions_into(&mut self, buffer: &mut Vec<R::Action>) {
        buffer.clear();
        if self.outcome.is_some() {
            return;
        }
        self.positions[self.plies.len()].actions_into(&mut self.scratch, buffer);
        if self.history.n_ko_records() > 0 {
            let forbidden = self.history.ko_forbidden(self.position());
            if !forbidden.is_empty() {
                buffer.retain(|action| forbidden.iter().all(|(forbidden, _)| forbidden != action));
            }
        }
    }

    /// The number of legal actions; 0 after the end of the game.
    #[must_use]
    #[inline]
    pub fn count(&mut self) -> u64 {
        if self.outcome.is_some() {
            return 0;
        }
        let n_actions = self.positions[self.plies.len()].count(&mut self.scratch);
        n_actions - self.history.n_ko_forbidden(self.position())
    }

    /// The turn in which the side to move played the same action with the same result, so that ko forbids it here
    /// (RULES 4.4). The action must be legal apart from ko.
    #[must_use]
    pub fn ko_turn(&self, action: R::Action) -> Option<TurnNumber> {
        self.history.ko_turn(self.position(), action)
    }
}
