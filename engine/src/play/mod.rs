//! Matches and drafts: whole turns, their texts, and the past. The same code for all games.

mod deck;
mod perft;

use std::sync::Arc;

use self::deck::Deck;
#[cfg(feature = "cards")]
use crate::Seed;
use crate::{
    ActionView, Allowance, Budget, BySide, Card, CardError, Cards, CellName, Choices, Describe, GameHistory,
    History, IllegalAction, KoForbidden, LegalAction, Line, Outcome, Overflow, Present, Progress, Rule,
    Rules, Side, TooCostly, TurnError, TurnErrorKind, TurnNumber, Unlisted, core::TextError,
};

/// A game that can be played in a [`Match`]: its rules, its views, and refusals that a [`TurnError`] can tell.
pub trait Playable: Rules<IllegalMove: Into<IllegalAction>> + Describe {}

impl<P: Rules<IllegalMove: Into<IllegalAction>> + Describe> Playable for P {}

/// A game being played: a position, and what happened since the start.
///
/// It always stands between two turns, or in the middle of one whose beginning came before its start text. A copy of it
/// costs little, however many turns were played.
#[derive(Clone, Debug)]
pub struct Match<P: Playable> {
    start: P,
    start_text: String,
    position: P,
    history: GameHistory<P>,
    turns: History<TurnRecord>,
    /// Bytes of the texts of `turns`.
    n_text: usize,
    /// None exactly if `turns` has none.
    last_steps: Arc<[PlayedAction]>,
    outcome: Option<Outcome>,
    deck: Deck,
}

/// A turn that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnRecord {
    pub turn: TurnNumber,
    /// Whose turn it was.
    pub side: Side,
    /// The card that gave it its allowance; `None` in a game without cards.
    pub card: Option<Card>,
    /// The texts of its actions, a space between two.
    actions: Arc<str>,
}

impl TurnRecord {
    /// The canonical texts of its actions, in order; never none.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        self.actions.split(' ')
    }
}

/// An action that was played, and where it led.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PlayedAction {
    /// Its canonical text.
    pub action: String,
    /// The text of the position after it, in which the turn has passed on if the action completed it. As long
    /// as the card of the next turn is not turned over, it has `0/0` in its place.
    pub position: String,
    /// The cells of a shortest chain from where the piece stood to where it went, both included, through its
    /// group as it stood before; in a game without groups the cells where it stood on its way, of stacks all
    /// those of the straight line; of a drop its cell alone, of a switch its two; empty for `end`.
    pub route: Vec<CellName>,
    /// Whether two pieces changed places.
    pub swap: bool,
    /// The number of men that went; `None` in a game without stacks, and for a switch.
    pub count: Option<u8>,
    /// The men that the stack that they came to lost; `None` if nothing.
    pub overflow: Option<Overflow>,
    /// The cells of the pieces that it captured, in the order of the jumps over them.
    pub taken: Vec<CellName>,
    /// See [`Present::threats`]: those of the position after it.
    pub threats: Option<BySide<Vec<CellName>>>,
}

impl PlayedAction {
    fn n_bytes(&self) -> usize {
        let threats = self.threats.as_ref().map_or(0, |threats| threats.first.len() + threats.second.len());
        let cells = self.route.len() + self.taken.len() + threats;
        size_of::<Self>() + self.action.len() + self.position.len() + cells * size_of::<CellName>()
    }
}

/// A turn begun: legal as far as it goes, which may be nowhere yet or to its end.
///
/// `P` is the type of the position that it leads to; code that does not know the game need not name it.
#[derive(Clone, Debug)]
pub struct Draft<P = crate::any::AnyPosition> {
    /// The drafted actions, in order.
    pub steps: Vec<PlayedAction>,
    /// The position after the drafted actions, with the number, side and allowance of the drafted turn even if
    /// that turn is complete.
    pub present: Present,
    /// Whether `end` is legal now.
    pub may_end: bool,
    /// Whether the drafted actions are a whole turn, so that no further action belongs to it.
    pub complete: bool,
    /// The end of the game, if the draft as it is would end it.
    pub outcome: Option<Outcome>,
    /// The actions that would be legal next if the side had not done the same before, in the bytewise order of the texts.
    pub ko_forbidden: Vec<KoForbidden>,
    /// The position that the turn goes on from, unless it is complete.
    open: Option<P>,
}

impl<P: Choices> Draft<P> {
    /// The legal next actions, in the bytewise order of their texts; none if the draft is complete. They can be
    /// millions: see [`Draft::legal_within`].
    #[must_use]
    pub fn legal(&self) -> Vec<LegalAction> {
        self.legal_within(usize::MAX).expect("no list is longer")
    }

    /// The same; `None` if they are more than `limit`, which is found out without listing them all.
    #[must_use]
    pub fn legal_within(&self, limit: usize) -> Option<Vec<LegalAction>> {
        self.list(limit, &mut Budget::unlimited()).ok()
    }

    /// The same, within a budget.
    ///
    /// # Errors
    /// They are more than `limit`, or to find them takes more than the budget.
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

    /// The discs that each legal capture takes (RULES 2.7): the reason for which smaller ones, and moves, are not legal; `None`
    /// if nothing must be captured.
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
    /// A game from the start of the ruleset; with cards, one that waits for its first card.
    #[must_use]
    pub fn new(variant: P::Variant) -> Self {
        Self::from_position(P::start(variant))
    }

    /// A game from a position, with an empty history (RULES 0.3).
    ///
    /// # Errors
    /// Anything but the canonical text of a valid position in which the game is not over (RULES 0.9).
    pub fn from_text(variant: P::Variant, text: &str) -> Result<Self, TextError<P::InvalidPosition>> {
        P::parse(variant, text).map(Self::from_position)
    }

    fn from_position(position: P) -> Self {
        Self {
            start: position,
            start_text: position.to_string(),
            history: GameHistory::from_start(&position),
            turns: History::default(),
            n_text: 0,
            last_steps: Arc::default(),
            outcome: None,
            deck: Deck::from_start(&position),
            position,
        }
    }

    /// A line of play from here, for a search.
    #[must_use]
    pub fn line(&self) -> Line<P> {
        Line::from_history(self.position, self.outcome, self.history.clone())
    }

    /// The past that still decides about what is legal and how the game ends.
    #[must_use]
    pub const fn history(&self) -> &GameHistory<P> {
        &self.history
    }

    /// The match with the seed that fixes its cards to come, the first of which is turned over if it waits for
    /// one. A card that lies face up in the start text stays, whatever the seed has (RULES 1.5). A game without
    /// cards has no use for a seed.
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

    /// The canonical text of the position that the match started from. As long as the first card of a game
    /// with cards is not turned over, it has `0/0` in its place.
    #[must_use]
    pub fn start_text(&self) -> &str {
        &self.start_text
    }

    /// The position as it stands.
    #[must_use]
    pub const fn position(&self) -> &P {
        &self.position
    }

    /// The end of the game; `None` while it goes on.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The turns played since the start text, skipped ones left out.
    #[must_use]
    pub const fn turns(&self) -> &History<TurnRecord> {
        &self.turns
    }

    /// The steps of the turn played last; none if no turn was played.
    #[must_use]
    pub fn last_steps(&self) -> &[PlayedAction] {
        &self.last_steps
    }

    /// Bytes of memory that the match takes, a few hundred more or less. What copies share counts for each.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        // Of each text the two counts before it.
        let texts = self.n_text + self.turns.len() * 2 * size_of::<usize>();
        let steps: usize = self.last_steps.iter().map(PlayedAction::n_bytes).sum();
        let histories = self.history.n_bytes() + self.turns.n_bytes();
        size_of::<Self>()
            + self.start_text.len()
            + histories
            + self.deck.turned_over().n_bytes()
            + texts
            + steps
    }

    /// The position as its readers need it, also when the game is over.
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

    /// Looks at the beginning of a turn without playing it.
    ///
    /// # Errors
    /// The first action that is not legal after those before it, or lies beyond the end of the turn.
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
            steps: walk.steps,
            present,
            may_end: !complete && walk.position.may_end(),
            complete,
            outcome,
            ko_forbidden: if complete { Vec::new() } else { self.show_ko_forbidden(&walk.position) },
            open: (!complete).then_some(walk.position),
        })
    }

    /// Plays one whole turn and gives its steps. A match with the seed then turns over the next card; a match without
    /// it waits for `turn_over`.
    ///
    /// # Errors
    /// The refusals of `draft`, and a turn that stops too soon. The match is then unchanged.
    pub fn play<A: AsRef<str>>(&mut self, actions: &[A]) -> Result<&[PlayedAction], TurnError> {
        self.play_checked(actions, P::check)
    }

    /// Plays a turn that was played once in the same game. What is costly to find out about it is taken for granted.
    ///
    /// # Errors
    /// A turn that cannot have been played here. The match is then unchanged.
    pub fn replay<A: AsRef<str>>(&mut self, actions: &[A]) -> Result<&[PlayedAction], TurnError> {
        self.play_checked(actions, P::check_played)
    }

    /// Finds out, and keeps, what is costly to find out about the position as it stands: see [`Rules::prepare`].
    ///
    /// # Errors
    /// It takes more than the budget.
    pub fn prepare(&mut self, budget: &mut Budget) -> Result<(), TooCostly> {
        if self.outcome.is_none() { self.position.prepare(budget) } else { Ok(()) }
    }

    fn play_checked<A: AsRef<str>>(
        &mut self,
        actions: &[A],
        check: Check<P>,
    ) -> Result<&[PlayedAction], TurnError> {
        let walk = self.walk(actions, check)?;
        if walk.progress == Progress::SameTurn {
            let kind = TurnErrorKind::Incomplete { may_end: walk.position.may_end() };
            return Err(TurnError { index: actions.len(), rule: P::WHOLE_TURN, kind });
        }
        let outcome = self.outcome_of(&walk);
        let Walk { position, steps, progress, ko_record, .. } = walk;
        let actions: Vec<&str> = steps.iter().map(|step| step.action.as_str()).collect();
        let actions: Arc<str> = actions.join(" ").into();
        self.n_text += actions.len();
        self.turns.push(TurnRecord {
            turn: self.position.turn(),
            side: self.position.to_move(),
            card: self.position.card(),
            actions,
        });
        if progress == Progress::NewTurn {
            self.history.settle(ko_record, &position);
        }
        self.position = position;
        self.last_steps = steps.into();
        self.outcome = outcome;
        self.deal();
        Ok(&self.last_steps)
    }

    /// The match as it was after its first `turns` turns, as far as there are that many.
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
            game.replay(&actions).expect("what was played once is legal again");
            game.deal_as_in(self);
        }
        game
    }

    /// Turns over the card that `other` has had in this turn, if one is waited for.
    fn deal_as_in(&mut self, other: &Self) {
        let turn = self.position.turn();
        if let Some((_, card)) = other.cards().iter().find(|(dealt, _)| *dealt == turn && self.awaits_card())
        {
            self.turn_over(*card).expect("the match waits for it");
        }
    }

    /// Whether the turn that begins waits for its card. The last turn of a game drawn by the turn limit has one
    /// behind it too (RULES 0.8).
    #[must_use]
    pub fn awaits_card(&self) -> bool {
        self.position.awaits_card()
    }

    /// Turns over the card that the match waits for. Whether it is the right one is for
    /// [`Seed::verify`] to say.
    ///
    /// # Errors
    /// A match that waits for none, and a card that the pack cannot have any more, whatever the seed. The match is then
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
        let text = self.position.to_string();
        match Arc::make_mut(&mut self.last_steps).last_mut() {
            Some(last) => last.position = text,
            None => self.start_text = text,
        }
    }

    /// The public knowledge of the cards as the position stands; `None` in a game without cards.
    #[must_use]
    pub fn public_cards(&self) -> Option<Cards> {
        self.deck.show(&self.position)
    }

    /// The cards turned over so far, with their turns. The one of the text that the match started from is not
    /// among them.
    #[must_use]
    pub const fn cards(&self) -> &History<(TurnNumber, Card)> {
        self.deck.turned_over()
    }

    #[cfg(feature = "cards")]
    pub(crate) const fn seed(&self) -> Option<&Seed> {
        self.deck.seed()
    }

    /// Turns over the next card, if the seed tells it.
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
            actions: Vec::new(),
            steps: Vec::new(),
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

/// The function that decides whether an action is legal, the past aside.
type Check<P> = fn(&P, <P as Rules>::Action) -> Result<(), <P as Rules>::IllegalMove>;

/// Actions of one turn, tried out.
struct Walk<'a, P: Playable> {
    position: P,
    actions: Vec<P::Action>,
    steps: Vec<PlayedAction>,
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
        let ActionView { route, swap, count, overflow, taken } = self.position.view(action);
        let before = self.position;
        self.progress = self.position.play(action);
        self.ko_record = before.ko_record(action, &self.position).map(|record| (record, before.turn()));
        self.actions.push(action);
        self.steps.push(PlayedAction {
            action: action.to_string(),
            position: self.position.to_string(),
            route,
            swap,
            count,
            overflow,
            taken,
            threats: self.position.threats(),
        });
    }
}
