#[cfg(feature = "cards")]
use crate::Seed;
use crate::{
    Budget, Card, CardError, CellName, Choices, Draft, History, InvalidPosition, LegalAction, Match, Outcome,
    PlayedAction, Present, Rules, Ruleset, Side, TextError, TooCostly, TurnError, TurnNumber, TurnRecord,
    Unlisted, core,
    fenix::Fenix,
    fibonacci::{Fibonacci, Variant},
    stacks::{Game, Stacks},
};

/// A match of any ruleset, for callers that do not know the game at compile time.
///
/// ```
/// use engine::{AnyMatch, Ruleset};
/// let mut game = AnyMatch::new(Ruleset::Fibonacci);
/// game.play(&["b7-c7"])?;
/// let draft = game.draft(&["j5-i5"])?;
/// assert!(draft.may_end && !draft.complete);
/// assert_eq!(game.play(&["j5-i5"]).unwrap_err().rule.as_str(), "1.9");
/// game.play(&["j5-i5", "end"])?;
/// assert_eq!(game.turn().get(), 3);
/// # Ok::<(), engine::TurnError>(())
/// ```
#[derive(Clone, Debug)]
pub enum AnyMatch {
    /// `fibonacci`, `fibonacci-mixed` and `fibonacci-cards`.
    Fibonacci(Match<Fibonacci>),
    /// `fenix`.
    Fenix(Match<Fenix>),
    /// `focus`, `focus-classic` and `crossfire`.
    Stacks(Match<Stacks>),
}

/// Dispatches to the match of each game.
macro_rules! each {
    ($any:expr, $game:ident => $body:expr) => {
        match $any {
            AnyMatch::Fibonacci($game) => $body,
            AnyMatch::Fenix($game) => $body,
            AnyMatch::Stacks($game) => $body,
        }
    };
}

impl AnyMatch {
    /// Creates a match from the start of the ruleset. With cards, it waits for its first card.
    #[must_use]
    pub fn new(ruleset: Ruleset) -> Self {
        match ruleset {
            Ruleset::Fibonacci => Self::Fibonacci(Match::new(Variant::Original)),
            Ruleset::FibonacciMixed => Self::Fibonacci(Match::new(Variant::Mixed)),
            Ruleset::FibonacciCards => Self::Fibonacci(Match::new(Variant::Cards)),
            Ruleset::Fenix => Self::Fenix(Match::new(())),
            Ruleset::Focus => Self::Stacks(Match::new(Game::Focus)),
            Ruleset::FocusClassic => Self::Stacks(Match::new(Game::FocusClassic)),
            Ruleset::Crossfire => Self::Stacks(Match::new(Game::Crossfire)),
        }
    }

    /// Creates a match from a position, with an empty history (RULES 0.3).
    ///
    /// # Errors
    /// The text is not the canonical text of a valid position in which the game is not over (RULES 0.9).
    pub fn from_text(ruleset: Ruleset, text: &str) -> Result<Self, TextError> {
        match ruleset {
            Ruleset::Fibonacci => told(Match::from_text(Variant::Original, text).map(Self::Fibonacci)),
            Ruleset::FibonacciMixed => told(Match::from_text(Variant::Mixed, text).map(Self::Fibonacci)),
            Ruleset::FibonacciCards => told(Match::from_text(Variant::Cards, text).map(Self::Fibonacci)),
            Ruleset::Fenix => told(Match::from_text((), text).map(Self::Fenix)),
            Ruleset::Focus => told(Match::from_text(Game::Focus, text).map(Self::Stacks)),
            Ruleset::FocusClassic => told(Match::from_text(Game::FocusClassic, text).map(Self::Stacks)),
            Ruleset::Crossfire => told(Match::from_text(Game::Crossfire, text).map(Self::Stacks)),
        }
    }

    /// Sets the seed that fixes the cards to come, and turns over the first one if the match waits for it. A game
    /// without cards ignores the seed.
    #[cfg(feature = "cards")]
    #[must_use]
    pub fn with_seed(mut self, seed: Seed) -> Self {
        each!(&mut self, game => game.set_seed(seed));
        self
    }

    /// The ruleset of the match.
    #[must_use]
    pub fn ruleset(&self) -> Ruleset {
        match self {
            Self::Fibonacci(game) => game.position().variant().into(),
            Self::Fenix(_) => Ruleset::Fenix,
            Self::Stacks(game) => game.position().game().into(),
        }
    }

    /// The canonical text of the position that the match started from. Until the first card of a game with cards is
    /// turned over, it has `0/0` instead.
    #[must_use]
    pub fn start_text(&self) -> &str {
        each!(self, game => game.start_text())
    }

    /// The canonical text of the current position (RULES 0.3).
    #[must_use]
    pub fn position_text(&self) -> String {
        each!(self, game => game.position().to_string())
    }

    /// The turn to be played. After the end of the game, the turn in the position's text (RULES 0.8).
    #[must_use]
    pub fn turn(&self) -> TurnNumber {
        each!(self, game => game.position().turn())
    }

    /// The side whose turn it is.
    #[must_use]
    pub fn to_move(&self) -> Side {
        each!(self, game => game.position().to_move())
    }

    /// The outcome of the game; `None` while it is not over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        each!(self, game => game.outcome())
    }

    /// The turns played since the start text, without skipped ones.
    #[must_use]
    pub fn turns(&self) -> &History<TurnRecord> {
        each!(self, game => game.turns())
    }

    /// Approximate memory use of the match in bytes. Memory shared between copies counts for each of them.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        each!(self, game => game.n_bytes())
    }

    /// The steps of the last turn played; empty if no turn was played. They are made at each call.
    #[must_use]
    pub fn last_steps(&self) -> Vec<PlayedAction> {
        each!(self, game => game.last_steps())
    }

    /// The view of the current position, also when the game is over.
    #[must_use]
    pub fn present(&self) -> Present {
        each!(self, game => game.present())
    }

    /// Drafts the beginning of a turn without playing it.
    ///
    /// # Errors
    /// The first action that is illegal after those before it, or comes after the end of the turn.
    pub fn draft<A: AsRef<str>>(&self, actions: &[A]) -> Result<Draft, TurnError> {
        match self {
            Self::Fibonacci(game) => game.draft(actions).map(|draft| draft.map(AnyPosition::Fibonacci)),
            Self::Fenix(game) => game.draft(actions).map(|draft| draft.map(AnyPosition::Fenix)),
            Self::Stacks(game) => game.draft(actions).map(|draft| draft.map(AnyPosition::Stacks)),
        }
    }

    /// Plays one complete turn. A match with a seed then turns over the next card. A match without a seed waits for
    /// `turn_over`.
    ///
    /// # Errors
    /// The errors of `draft`, and an incomplete turn. The match is then unchanged.
    pub fn play<A: AsRef<str>>(&mut self, actions: &[A]) -> Result<(), TurnError> {
        each!(self, game => game.play(actions))
    }

    /// Replays a turn that was played before in the same game, as when a log is read. Skips the costly part of the
    /// legality check.
    ///
    /// # Errors
    /// The turn cannot have been played here. The match is then unchanged.
    pub fn replay<A: AsRef<str>>(&mut self, actions: &[A]) -> Result<(), TurnError> {
        each!(self, game => game.replay(actions))
    }

    /// Runs the costly search of the current position and keeps its results, so that `draft` and `play` are cheap.
    /// Otherwise they search each time, without a budget.
    ///
    /// # Errors
    /// The search exceeds the budget.
    pub fn prepare(&mut self, budget: &mut Budget) -> Result<(), TooCostly> {
        each!(self, game => game.prepare(budget))
    }

    /// Runs the search of `prepare` for each side, as if it were to move, and discards the results.
    ///
    /// # Errors
    /// The search exceeds the budget.
    pub fn appraise(&self, budget: &mut Budget) -> Result<(), TooCostly> {
        each!(self, game => game.position().appraise(budget))
    }

    /// The match as it was after its first `turns` turns, or a copy of it if it has fewer.
    #[must_use]
    pub fn rewound(&self, turns: usize) -> Self {
        match self {
            Self::Fibonacci(game) => Self::Fibonacci(game.rewound(turns)),
            Self::Fenix(game) => Self::Fenix(game.rewound(turns)),
            Self::Stacks(game) => Self::Stacks(game.rewound(turns)),
        }
    }

    /// A match that begins where the side to move passes, to draw up a turn of the other side in advance. Ko forbids in
    /// it what it forbids in this one. `None` if that turn cannot be known: the game is over, the turn waits for its
    /// card, or it comes after the last one or is skipped (RULES 1.8).
    #[must_use]
    pub fn passed(&self) -> Option<Self> {
        match self {
            Self::Fibonacci(game) => game.passed().map(Self::Fibonacci),
            Self::Fenix(game) => game.passed().map(Self::Fenix),
            Self::Stacks(game) => game.passed().map(Self::Stacks),
        }
    }

    /// Whether the turn that begins waits for its card. So does the turn after the last one of a game drawn by the turn
    /// limit (RULES 0.8).
    #[must_use]
    pub fn awaits_card(&self) -> bool {
        each!(self, game => game.awaits_card())
    }

    /// Turns over the card that the match waits for. Only [`Seed::verify`] checks that it is the seed's card.
    ///
    /// # Errors
    /// The match waits for no card, or the pack cannot contain the card any more, whatever the seed. The match is then
    /// unchanged.
    pub fn turn_over(&mut self, card: Card) -> Result<(), CardError> {
        each!(self, game => game.turn_over(card))
    }

    /// The cards turned over so far, with their turns, without the one in the text that the match started from.
    #[must_use]
    pub fn cards(&self) -> &History<(TurnNumber, Card)> {
        each!(self, game => game.cards())
    }

    /// See [`Rules::card`].
    #[cfg(feature = "record")]
    pub(crate) fn card(&self) -> Option<Card> {
        each!(self, game => game.position().card())
    }

    #[cfg(feature = "record")]
    pub(crate) fn seed(&self) -> Option<&Seed> {
        each!(self, game => game.seed())
    }

    /// Counts the sequences of `depth` actions from here. Sequences cut short by the end of the game do not count
    /// (RULES 0.10), nor do those that continue after an unknown card, for lack of a seed.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        each!(self, game => game.perft(depth))
    }

    /// Like `perft`, but also plays the last actions, as a search would.
    #[must_use]
    pub fn perft_played(&self, depth: u32) -> u64 {
        each!(self, game => game.perft_played(depth))
    }
}

/// Converts the error of a game's result.
fn told<T, I: Into<InvalidPosition>>(result: Result<T, core::TextError<I>>) -> Result<T, TextError> {
    result.map_err(|error| error.map(Into::into))
}

/// A position of any game, to which a type-erased [`Draft`] leads.
#[derive(Clone, Debug)]
pub enum AnyPosition {
    /// `fibonacci`, `fibonacci-mixed` and `fibonacci-cards`.
    Fibonacci(Fibonacci),
    /// `fenix`.
    Fenix(Fenix),
    /// `focus`, `focus-classic` and `crossfire`.
    Stacks(Stacks),
}

impl Choices for AnyPosition {
    fn list(&self, limit: usize, budget: &mut Budget) -> Result<Vec<LegalAction>, Unlisted> {
        match self {
            Self::Fibonacci(position) => position.list(limit, budget),
            Self::Fenix(position) => position.list(limit, budget),
            Self::Stacks(position) => position.list(limit, budget),
        }
    }

    fn groups(&self) -> Vec<Vec<CellName>> {
        match self {
            Self::Fibonacci(position) => position.groups(),
            Self::Fenix(position) => position.groups(),
            Self::Stacks(position) => position.groups(),
        }
    }

    fn best_capture(&self) -> Option<u8> {
        match self {
            Self::Fibonacci(position) => position.best_capture(),
            Self::Fenix(position) => position.best_capture(),
            Self::Stacks(position) => position.best_capture(),
        }
    }
}
