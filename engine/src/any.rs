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

/// A match of any ruleset, for those who do not know the game at compile time.
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

/// Does the same with the match of each game.
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
    /// A game from the start of the ruleset; with cards, one that waits for its first card.
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

    /// A game from a position, with an empty history (RULES 0.3).
    ///
    /// # Errors
    /// Anything but the canonical text of a valid position in which the game is not over (RULES 0.9).
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

    /// The match with the seed that fixes its cards to come, the first of which is turned over if it waits for
    /// one. A game without cards has no use for it.
    #[cfg(feature = "cards")]
    #[must_use]
    pub fn with_seed(mut self, seed: Seed) -> Self {
        each!(&mut self, game => game.set_seed(seed));
        self
    }

    /// The ruleset that it is played by.
    #[must_use]
    pub fn ruleset(&self) -> Ruleset {
        match self {
            Self::Fibonacci(game) => game.position().variant().into(),
            Self::Fenix(_) => Ruleset::Fenix,
            Self::Stacks(game) => game.position().game().into(),
        }
    }

    /// The canonical text of the position that the match started from. As long as the first card of a game
    /// with cards is not turned over, it has `0/0` in its place.
    #[must_use]
    pub fn start_text(&self) -> &str {
        each!(self, game => game.start_text())
    }

    /// The canonical text of the position as it stands (RULES 0.3).
    #[must_use]
    pub fn position_text(&self) -> String {
        each!(self, game => game.position().to_string())
    }

    /// The turn to be played; after the end of the game the one that its position's text names (RULES 0.8).
    #[must_use]
    pub fn turn(&self) -> TurnNumber {
        each!(self, game => game.position().turn())
    }

    /// The side whose turn that is.
    #[must_use]
    pub fn to_move(&self) -> Side {
        each!(self, game => game.position().to_move())
    }

    /// The end of the game; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        each!(self, game => game.outcome())
    }

    /// The turns played since the start text, skipped ones left out.
    #[must_use]
    pub fn turns(&self) -> &History<TurnRecord> {
        each!(self, game => game.turns())
    }

    /// Bytes of memory that the match takes, a few hundred more or less. What copies share counts for each.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        each!(self, game => game.n_bytes())
    }

    /// The steps of the turn played last; none if no turn was played.
    #[must_use]
    pub fn last_steps(&self) -> &[PlayedAction] {
        each!(self, game => game.last_steps())
    }

    /// The position as its readers need it, also when the game is over.
    #[must_use]
    pub fn present(&self) -> Present {
        each!(self, game => game.present())
    }

    /// Looks at the beginning of a turn without playing it.
    ///
    /// # Errors
    /// The first action that is not legal after those before it, or lies beyond the end of the turn.
    pub fn draft<A: AsRef<str>>(&self, actions: &[A]) -> Result<Draft, TurnError> {
        match self {
            Self::Fibonacci(game) => game.draft(actions).map(|draft| draft.map(AnyPosition::Fibonacci)),
            Self::Fenix(game) => game.draft(actions).map(|draft| draft.map(AnyPosition::Fenix)),
            Self::Stacks(game) => game.draft(actions).map(|draft| draft.map(AnyPosition::Stacks)),
        }
    }

    /// Plays one whole turn and gives its steps. A match with a seed then turns over the next card; a match without
    /// it waits for `turn_over`.
    ///
    /// # Errors
    /// The refusals of `draft`, and a turn that stops too soon. The match is then unchanged.
    pub fn play<A: AsRef<str>>(&mut self, actions: &[A]) -> Result<&[PlayedAction], TurnError> {
        each!(self, game => game.play(actions))
    }

    /// Plays a turn that was played once in the same game, as when a log is read. What is costly to find out about it is
    /// taken for granted.
    ///
    /// # Errors
    /// A turn that cannot have been played here. The match is then unchanged.
    pub fn replay<A: AsRef<str>>(&mut self, actions: &[A]) -> Result<&[PlayedAction], TurnError> {
        each!(self, game => game.replay(actions))
    }

    /// Finds out, and keeps, what is costly to find out about the position as it stands: then `draft` and `play` are cheap.
    /// Without it they find it out each time, whatever that costs.
    ///
    /// # Errors
    /// It takes more than the budget.
    pub fn prepare(&mut self, budget: &mut Budget) -> Result<(), TooCostly> {
        each!(self, game => game.prepare(budget))
    }

    /// Finds out what `prepare` does, for both sides as if either were to move, and keeps nothing.
    ///
    /// # Errors
    /// It takes more than the budget.
    pub fn appraise(&self, budget: &mut Budget) -> Result<(), TooCostly> {
        each!(self, game => game.position().appraise(budget))
    }

    /// The match as it was after its first `turns` turns, as far as there are that many.
    #[must_use]
    pub fn rewound(&self, turns: usize) -> Self {
        match self {
            Self::Fibonacci(game) => Self::Fibonacci(game.rewound(turns)),
            Self::Fenix(game) => Self::Fenix(game.rewound(turns)),
            Self::Stacks(game) => Self::Stacks(game.rewound(turns)),
        }
    }

    /// Whether the turn that begins waits for its card. The last turn of a game drawn by the turn limit has one
    /// behind it too (RULES 0.8).
    #[must_use]
    pub fn awaits_card(&self) -> bool {
        each!(self, game => game.awaits_card())
    }

    /// Turns over the card that the match waits for. Whether it is the right one is for [`Seed::verify`] to say.
    ///
    /// # Errors
    /// A match that waits for none, and a card that the pack cannot have any more, whatever the seed. The match is then
    /// unchanged.
    pub fn turn_over(&mut self, card: Card) -> Result<(), CardError> {
        each!(self, game => game.turn_over(card))
    }

    /// The cards turned over so far, with their turns. The one of the text that the match started from is not
    /// among them.
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

    /// The number of sequences of `depth` actions from here, those that meet the end of the game early not
    /// counted (RULES 0.10). Without a seed there is none that goes on behind a card to come.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        each!(self, game => game.perft(depth))
    }

    /// The same number, found by playing the last actions too, as a search would.
    #[must_use]
    pub fn perft_played(&self, depth: u32) -> u64 {
        each!(self, game => game.perft_played(depth))
    }
}

/// The same result, its error told in the words of any game.
fn told<T, I: Into<InvalidPosition>>(result: Result<T, core::TextError<I>>) -> Result<T, TextError> {
    result.map_err(|error| error.map(Into::into))
}

/// A position of any game: the one that an erased [`Draft`] leads to.
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
