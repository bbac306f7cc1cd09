//! Matches and drafts: turns, their texts, and the history. The code is generic over the games.

mod deck;
mod perft;

use std::{
    fmt::{Display, Write},
    sync::Arc,
};

use self::deck::Deck;
#[cfg(feature = "cards")]
use crate::Seed;
use crate::{
    ActionView, Allowance, Budget, BySide, Card, CardError, Cards, CellName, Choices, Describe, GameHistory,
    History, IllegalAction, KoForbidden, LegalAction, Line, Outcome, Overflow, Present, Progress, Rule,
    Rules, Side, TooCostly, TurnError, TurnErrorKind, TurnNumber, Unlisted, core::TextError,
};

/// A game that can be played in a [`Match`]: its rules, its views, and errors that convert to a [`TurnError`].
pub trait Playable: Rules<IllegalMove: Into<IllegalAction>> + Describe {}

impl<P: Rules<IllegalMove: Into<IllegalAction>> + Describe> Playable for P {}

/// A game being played: a position, and the history since the start.
///
/// It is always between two turns, or in the middle of one that began before its start text. A copy is cheap, however
/// many turns were played.
#[derive(Clone, Debug)]
pub struct Match<P: Playable> {
    start: P,
    start_text: Arc<str>,
    position: P,
    history: GameHistory<P>,
    turns: History<TurnRecord>,
    /// Total length of the texts of `turns` in bytes.
    n_text: usize,
    /// `None` if and only if `turns` is empty.
    last_turn: Option<Arc<LastTurn<P>>>,
    outcome: Option<Outcome>,
    deck: Deck,
}

/// The last turn of a match, of which its steps are made when they are asked for.
#[derive(Debug)]
struct LastTurn<P: Playable> {
    before: P,
    actions: Vec<P::Action>,
}

/// A turn that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnRecord {
    pub turn: TurnNumber,
    /// The side whose turn it was.
    pub side: Side,
    /// The card that set its allowance; `None` in a game without cards.
    pub card: Option<Card>,
    /// The texts of its actions, separated by spaces.
    actions: Arc<str>,
}

impl TurnRecord {
    /// The canonical texts of its actions, in order, at least one.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        self.actions.split(' ')
    }
}

/// An action that was played, and its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedAction {
    /// Its canonical text.
    pub action: String,
    /// The text of the position after it. If the action completed the turn, this has the next turn, with `0/0` until
    /// the card of that turn is turned over.
    pub position: String,
    /// The route of the action, both ends included. With groups, a shortest chain through the group as it was before.
    /// In Fenix, the squares on which the piece stood. With stacks, the cells of the straight line, the cell of a drop
    /// or the two cells of a switch. Empty for `end`.
    pub route: Vec<CellName>,
    /// Whether two pieces changed places.
    pub swap: bool,
    /// Number of men that moved; `None` in a game without stacks, and for a switch.
    pub count: Option<u8>,
    /// The men that the target stack lost; `None` if it lost none.
    pub overflow: Option<Overflow>,
    /// The cells of the captured pieces, in the order of the jumps over them.
    pub taken: Vec<CellName>,
    /// The threats in the position after it: see [`Present::threats`].
    pub threats: Option<BySide<Vec<CellName>>>,
}

impl PlayedAction {
    /// Plays a legal action, and returns it with its result.
    fn of<P: Playable>(position: &mut P, action: P::Action) -> Self {
        let ActionView { route, swap, count, overflow, taken } = position.view(action);
        position.play(action);
        let (text, threats) = (position.to_string(), position.threats());
        Self { action: action.to_string(), position: text, route, swap, count, overflow, taken, threats }
    }

    /// Plays the legal actions of one turn from `position`, and returns each with its result.
    fn all_of<P: Playable>(mut position: P, actions: &[P::Action]) -> Vec<Self> {
        actions.iter().map(|action| Self::of(&mut position, *action)).collect()
    }
}

/// The legal beginning of a turn, which may be empty or complete.
///
/// `P` is the type of the resulting position. Code that does not know the game need not name it.
///
/// ```
/// use engine::{AnyMatch, Ruleset};
/// // The first turn of Fibonacci is one move, the second one up to two.
/// let mut game = AnyMatch::new(Ruleset::Fibonacci);
/// assert!(game.draft(&["f11-c6"])?.complete);
/// game.play(&["f11-c6"])?;
///
/// let draft = game.draft(&["g2-i6"])?;
/// assert!(!draft.complete && draft.may_end);
/// assert!(draft.legal().iter().any(|action| action.text == "i6-k6"));
/// // A draft changes nothing.
/// assert_eq!(game.turns().len(), 1);
/// # Ok::<(), engine::TurnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Draft<P = crate::any::AnyPosition> {
    /// The drafted actions, in order.
    pub steps: Vec<PlayedAction>,
    /// The position after the drafted actions, with the number, side and allowance of the drafted turn even if
    /// that turn is complete.
    pub present: Present,
    /// Whether `end` is legal now.
    pub may_end: bool,
    /// Whether the drafted actions are a complete turn.
    pub complete: bool,
    /// The outcome of the game, if playing the draft would end it.
    pub outcome: Option<Outcome>,
    /// The actions that only ko forbids next (RULES 4.4), in the bytewise order of their texts.
    pub ko_forbidden: Vec<KoForbidden>,
    /// The position from which the turn continues, unless it is complete.
    open: Option<P>,
}

impl<P: Choices> Draft<P> {
    /// The legal next actions, in the bytewise order of their texts; none if the draft is complete. There can be
    /// millions: see [`Draft::legal_within`].
    #[must_use]
    pub fn legal(&self) -> Vec<LegalAction> {
        self.legal_within(usize::MAX).expect("no list is longer")
    }

    /// Like [`Draft::legal`], but returns `None` if there are more than `limit`, without listing them all.
    #[must_use]
    pub fn legal_within(&self, limit: usize) -> Option<Vec<LegalAction>> {
        self.list(limit, &mut Budget::unlimited()).ok()
    }

    /// Like [`Draft::legal_within`], but within a budget.
    ///
    /// # Errors
    /// There are more than `limit` actions, or the search exceeds the budget.
    pub fn list(&self, limit: usize, budget: &mut Budget) -> Result<Vec<LegalAction>, Unlisted> {
        let Some(open) = &self.open else { return Ok(Vec::new()) };
        let mut legal = open.list(limit.saturating_add(self.ko_forbidden.len()), budget)?;
        legal.retain(|action| self.ko_forbidden.iter().all(|forbidden| forbidden.text != action.text));
        if legal.len() <= limit { Ok(legal) } else { Err(Unlisted::TooMany { limit }) }
    }

    /// The groups that the pieces of the side to move belong to; none if the draft is
    /// complete.
    #[must_use]
    pub fn groups(&self) -> Vec<Vec<CellName>> {
        self.open.as_ref().map(Choices::groups).unwrap_or_default()
    }

    /// Number of discs that each legal capture takes (RULES 2.7). Smaller captures, and moves, are then illegal. `None`
    /// if there is no capture to make.
    #[must_use]
    pub fn best_capture(&self) -> Option<u8> {
        self.open.as_ref().and_then(Choices::best_capture)
    }
}

impl<P> Draft<P> {
    pub(crate) fn map<Q>(self, into: impl FnOnce(P) -> Q) -> Draft<Q> {
        let Self { steps, present, may_end, complete, outcome, ko_forbidden, open } = self;
        Draft { steps, present, may_end, complete, outcome, ko_forbidden, open: open.map(into) }
    }
}

impl<P: Playable> Match<P> {
    /// Creates a match from the start of the ruleset. With cards, it waits for its first card.
    #[must_use]
    pub fn new(variant: P::Variant) -> Self {
        Self::from_position(P::start(variant))
    }

    /// Creates a match from a position, with an empty history (RULES 0.3).
    ///
    /// # Errors
    /// The text is not the canonical text of a valid position in which the game is not over (RULES 0.9).
    pub fn from_text(variant: P::Variant, text: &str) -> Result<Self, TextError<P::InvalidPosition>> {
        P::parse(variant, text).map(Self::from_position)
    }

    fn from_position(position: P) -> Self {
        Self {
            start: position,
            start_text: position.to_string().into(),
            history: GameHistory::from_start(&position),
            turns: History::default(),
            n_text: 0,
            last_turn: None,
            outcome: None,
            deck: Deck::from_start(&position),
            position,
        }
    }

    /// Creates a line of play from here, for a search.
    #[must_use]
    pub fn line(&self) -> Line<P> {
        Line::from_history(self.position, self.outcome, self.history.clone())
    }

    /// The history that legality and the end of the game still depend on.
    #[must_use]
    pub const fn history(&self) -> &GameHistory<P> {
        &self.history
    }

    /// Sets the seed that fixes the cards to come, and turns over the first one if the match waits for it. A card in
    /// the start text stays, whatever the seed has (RULES 1.5). A game without cards ignores the seed.
    #[cfg(feature = "cards")]
    #[must_use]
    pub fn with_seed(mut self, seed: Seed) -> Self {
        self.set_seed(seed);
        self
    }

    #[cfg(feature = "cards")]
    pub(crate) fn set_seed(&mut self, seed: Seed) {
        if self.position.has_cards() {
            self.deck.set_seed(seed);
            self.deal();
        }
    }

    /// The canonical text of the position that the match started from. Until the first card of a game with cards is
    /// turned over, it has `0/0` instead.
    #[must_use]
    pub fn start_text(&self) -> &str {
        &self.start_text
    }

    /// The current position.
    #[must_use]
    pub const fn position(&self) -> &P {
        &self.position
    }

    /// The outcome of the game; `None` while it is not over.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The turns played since the start text, without skipped ones.
    #[must_use]
    pub const fn turns(&self) -> &History<TurnRecord> {
        &self.turns
    }

    /// The steps of the last turn played; empty if no turn was played. They are made at each call.
    #[must_use]
    pub fn last_steps(&self) -> Vec<PlayedAction> {
        let Some(last_turn) = &self.last_turn else { return Vec::new() };
        let mut steps = PlayedAction::all_of(last_turn.before, &last_turn.actions);
        if let Some(last) = steps.last_mut() {
            // With the card that has been turned over since.
            last.position = self.position.to_string();
        }
        steps
    }

    /// Approximate memory use of the match in bytes. Memory shared between copies counts for each of them.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        // The two reference counts before each text.
        let texts = self.n_text + self.turns.len() * 2 * size_of::<usize>();
        let last_turn = self
            .last_turn
            .as_ref()
            .map_or(0, |last| size_of::<LastTurn<P>>() + last.actions.capacity() * size_of::<P::Action>());
        let histories = self.history.n_bytes() + self.turns.n_bytes();
        size_of::<Self>()
            + self.start_text.len()
            + histories
            + self.deck.turned_over().n_bytes()
            + texts
            + last_turn
    }

    /// The view of the current position, also when the game is over.
    #[must_use]
    pub fn present(&self) -> Present {
        Present {
            position: self.position.to_string(),
            turn: self.position.turn(),
            side: self.position.to_move(),
            allowance: self.position.allowance(&[]),
            reserves: self.position.reserves(),
            threats: self.position.threats(),
            counts: self.position.counts(),
            cards: self.public_cards(),
        }
    }

    /// Drafts the beginning of a turn without playing it.
    ///
    /// # Errors
    /// The first action that is illegal after those before it, or comes after the end of the turn.
    pub fn draft<A: AsRef<str>>(&self, actions: &[A]) -> Result<Draft<P>, TurnError> {
        let walk = self.walk(actions, P::check)?;
        let complete = walk.progress != Progress::SameTurn;
        let outcome = self.outcome_of(&walk);
        let allowance = self.position.allowance(&walk.actions);
        let present = Present {
            position: walk.position.to_string(),
            turn: self.position.turn(),
            side: self.position.to_move(),
            allowance: if complete { allowance.map(|all| Allowance { left: 0, ..all }) } else { allowance },
            reserves: walk.position.reserves(),
            threats: walk.position.threats(),
            counts: walk.position.counts(),
            cards: self.public_cards(),
        };
        Ok(Draft {
            steps: PlayedAction::all_of(self.position, &walk.actions),
            present,
            may_end: !complete && walk.position.may_end(),
            complete,
            outcome,
            ko_forbidden: if complete { Vec::new() } else { self.show_ko_forbidden(&walk.position) },
            open: (!complete).then_some(walk.position),
        })
    }

    /// Plays one complete turn. A match with a seed then turns over the next card. A match without a seed waits for
    /// `turn_over`.
    ///
    /// # Errors
    /// The errors of `draft`, and an incomplete turn. The match is then unchanged.
    pub fn play<A: AsRef<str>>(&mut self, actions: &[A]) -> Result<(), TurnError> {
        self.play_checked(actions, P::check)
    }

    /// Replays a turn that was played before in the same game. Skips the costly part of the legality check.
    ///
    /// # Errors
    /// The turn cannot have been played here. The match is then unchanged.
    pub fn replay<A: AsRef<str>>(&mut self, actions: &[A]) -> Result<(), TurnError> {
        self.play_checked(actions, P::check_played)
    }

    /// Runs the costly search of the current position and keeps its results: see [`Rules::prepare`].
    ///
    /// # Errors
    /// The search exceeds the budget.
    pub fn prepare(&mut self, budget: &mut Budget) -> Result<(), TooCostly> {
        if self.outcome.is_none() { self.position.prepare(budget) } else { Ok(()) }
    }

    fn play_checked<A: AsRef<str>>(&mut self, actions: &[A], check: Check<P>) -> Result<(), TurnError> {
        let walk = self.walk(actions, check)?;
        if walk.progress == Progress::SameTurn {
            let kind = TurnErrorKind::Incomplete { may_end: walk.position.may_end() };
            return Err(TurnError { index: actions.len(), rule: P::WHOLE_TURN, kind });
        }
        let outcome = self.outcome_of(&walk);
        let Walk { position, actions, progress, ko_record, .. } = walk;
        let text = joined(&actions);
        self.n_text += text.len();
        self.turns.push(TurnRecord {
            turn: self.position.turn(),
            side: self.position.to_move(),
            card: self.position.card(),
            actions: text.into(),
        });
        if progress == Progress::NewTurn {
            self.history.settle(ko_record, &position);
        }
        self.last_turn = Some(Arc::new(LastTurn { before: self.position, actions }));
        self.position = position;
        self.outcome = outcome;
        self.deal();
        Ok(())
    }

    /// The match as it was after its first `turns` turns, or a copy of it if it has fewer.
    #[must_use]
    pub fn rewound(&self, turns: usize) -> Self {
        let mut game = Self::from_position(self.start);
        #[cfg(feature = "cards")]
        if let Some(seed) = self.seed() {
            game.set_seed(seed.clone());
        }
        game.deal_as_in(self);
        for record in self.turns.iter().take(turns) {
            let actions: Vec<&str> = record.actions().collect();
            game.replay(&actions).expect("a turn that was played is legal in a replay");
            game.deal_as_in(self);
        }
        game
    }

    /// A match that begins where the side to move passes, to draw up a turn of the other side in advance. Ko forbids in
    /// it what it forbids in this one. `None` if that turn cannot be known: the game is over, the turn waits for its
    /// card, or it comes after the last one or is skipped (RULES 1.8).
    #[must_use]
    pub fn passed(&self) -> Option<Self> {
        let position = self.position.passed();
        let begins = self.outcome.is_none()
            && !position.awaits_card()
            && position.turn() <= TurnNumber::LAST
            && position.to_move() != self.position.to_move();
        begins.then(|| Self { history: self.history.clone(), ..Self::from_position(position) })
    }

    /// Turns over the card of this turn in `other`, if the match waits for one.
    fn deal_as_in(&mut self, other: &Self) {
        let turn = self.position.turn();
        if let Some((_, card)) = other.cards().iter().find(|(dealt, _)| *dealt == turn && self.awaits_card())
        {
            self.turn_over(*card).expect("the match waits for it");
        }
    }

    /// Whether the turn that begins waits for its card. So does the turn after the last one of a game drawn by the turn
    /// limit (RULES 0.8).
    #[must_use]
    pub fn awaits_card(&self) -> bool {
        self.position.awaits_card()
    }

    /// Turns over the card that the match waits for. Only [`Seed::verify`] checks that it is the seed's card.
    ///
    /// # Errors
    /// The match waits for no card, or the pack cannot contain the card any more, whatever the seed. The match is then
    /// unchanged.
    pub fn turn_over(&mut self, card: Card) -> Result<(), CardError> {
        if !self.awaits_card() {
            return Err(CardError::NoneDue);
        }
        if !self.deck.may_have(self.position.turn(), card) {
            return Err(CardError::NoneLeft { card });
        }
        self.place_card(card);
        Ok(())
    }

    fn place_card(&mut self, card: Card) {
        self.position.deal(card);
        self.deck.note(self.position.turn(), card);
        if self.last_turn.is_none() {
            self.start_text = self.position.to_string().into();
        }
    }

    /// The public knowledge of the cards in the current position; `None` in a game without cards.
    #[must_use]
    pub fn public_cards(&self) -> Option<Cards> {
        self.deck.show(&self.position)
    }

    /// The cards turned over so far, with their turns, without the one in the text that the match started from.
    #[must_use]
    pub const fn cards(&self) -> &History<(TurnNumber, Card)> {
        self.deck.turned_over()
    }

    #[cfg(feature = "cards")]
    pub(crate) const fn seed(&self) -> Option<&Seed> {
        self.deck.seed()
    }

    /// Turns over the next card, if the match has a seed.
    fn deal(&mut self) {
        if let Some(card) = self.deck.coming(&self.position) {
            self.place_card(card);
        }
    }

    fn walk(&self, actions: &[impl AsRef<str>], check: Check<P>) -> Result<Walk<'_, P>, TurnError> {
        if self.outcome.is_some() {
            return Err(TurnError { index: 0, rule: Rule::END, kind: TurnErrorKind::GameOver });
        }
        let mut walk = Walk {
            position: self.position,
            actions: Vec::with_capacity(actions.len()),
            progress: Progress::SameTurn,
            ko_record: None,
            check,
            game: self,
        };
        for (index, action) in actions.iter().enumerate() {
            walk.step(index, action.as_ref())?;
        }
        Ok(walk)
    }

    fn outcome_of(&self, walk: &Walk<'_, P>) -> Option<Outcome> {
        match walk.progress {
            Progress::SameTurn => None,
            Progress::NewTurn => walk.position.outcome_at_turn_start(&self.history),
            Progress::Over(outcome) => Some(outcome),
        }
    }

    fn show_ko_forbidden(&self, position: &P) -> Vec<KoForbidden> {
        let mut ko_forbidden: Vec<KoForbidden> = self
            .history
            .ko_forbidden(position)
            .into_iter()
            .map(|(action, turn)| {
                let mut route = position.view(action).route;
                let to = route.pop();
                KoForbidden { text: action.to_string(), from: route.into_iter().next(), to, turn }
            })
            .collect();
        ko_forbidden.sort_unstable_by(|a, b| a.text.cmp(&b.text));
        ko_forbidden
    }
}

/// A function that decides whether an action is legal, without regard to ko.
type Check<P> = fn(&P, <P as Rules>::Action) -> Result<(), <P as Rules>::IllegalMove>;

/// State while the actions of one turn are tried out.
struct Walk<'a, P: Playable> {
    position: P,
    actions: Vec<P::Action>,
    progress: Progress,
    /// The record of an action that may not be repeated.
    ko_record: Option<(P::KoRecord, TurnNumber)>,
    check: Check<P>,
    game: &'a Match<P>,
}

impl<P: Playable> Walk<'_, P> {
    fn step(&mut self, index: usize, text: &str) -> Result<(), TurnError> {
        let refuse = |rule, kind| TurnError { index, rule, kind };
        match self.progress {
            Progress::SameTurn => {}
            Progress::NewTurn => return Err(refuse(Rule::TURN, TurnErrorKind::TurnOver)),
            Progress::Over(_) => return Err(refuse(Rule::END, TurnErrorKind::GameOver)),
        }
        let action = self
            .position
            .read(text)
            .map_err(|unreadable| refuse(unreadable.rule, TurnErrorKind::Unreadable(unreadable)))?;
        self.check(action).map_err(|illegal| refuse(illegal.rule(), TurnErrorKind::Illegal(illegal)))?;
        self.play(action);
        Ok(())
    }

    fn check(&self, action: P::Action) -> Result<(), IllegalAction> {
        (self.check)(&self.position, action).map_err(Into::into)?;
        match self.game.history.ko_turn(&self.position, action) {
            Some(turn) => Err(IllegalAction::Ko { turn }),
            None => Ok(()),
        }
    }

    fn play(&mut self, action: P::Action) {
        let before = self.position;
        self.progress = self.position.play(action);
        self.ko_record = before.ko_record(action, &self.position).map(|record| (record, before.turn()));
        self.actions.push(action);
    }
}

/// The texts of actions, separated by spaces.
fn joined(actions: &[impl Display]) -> String {
    let mut text = String::with_capacity(actions.len() * 8);
    for action in actions {
        if !text.is_empty() {
            text.push(' ');
        }
        write!(text, "{action}").expect("a string takes every text");
    }
    text
}
