use std::{fmt, hash::Hash, ops::ControlFlow};

use super::{Budget, Card, GameHistory, Outcome, Rule, Side, TextError, TooCostly, TurnNumber, Unreadable};

/// The rules of a game: all that playing and searching need. Boards need [`Describe`](super::Describe) besides.
///
/// A position is all that its text says, and is legal: the only ways to one are `start`, `parse`, `play` and `deal`. It is
/// a small value, so that the way to take an action back is to keep a copy: see [`Line`](super::Line). It is printed as
/// its canonical text.
pub trait Rules: Copy + Eq + fmt::Debug + fmt::Display {
    /// The options that a ruleset of the game settles.
    type Variant: Copy;
    /// The smallest thing that a player does (RULES 0.2), printed as its canonical text.
    type Action: Copy + Eq + Hash + fmt::Debug + fmt::Display;
    /// The part of a position that must be the same for a turn to count as begun once more (RULES 0.6).
    type PositionKey: Clone + Eq + fmt::Debug + 'static;
    /// An action with its resulting position, which a side may not repeat (RULES 4.4); no value at all in a game without
    /// ko.
    type KoRecord: Clone + Eq + fmt::Debug + 'static;
    /// The reason for which an action is not legal, ko aside.
    type IllegalMove: fmt::Display;
    /// The flaw of a well written text that is no valid position.
    type InvalidPosition: fmt::Display;
    /// Memory that generation uses again and again, so that it need not be allocated anew for each position.
    type Scratch: Clone + Default + fmt::Debug;

    /// The clause that says when a turn is whole.
    const WHOLE_TURN: Rule;

    /// The position that a game of the ruleset starts from.
    fn start(variant: Self::Variant) -> Self;

    /// # Errors
    /// Anything but the canonical text of a valid position in which the game is not over (RULES 0.9).
    fn parse(variant: Self::Variant, text: &str) -> Result<Self, TextError<Self::InvalidPosition>>;

    /// The number in the position's text (RULES 0.4).
    fn turn(&self) -> TurnNumber;

    /// The side whose turn that is.
    #[inline]
    fn to_move(&self) -> Side {
        self.turn().side()
    }

    /// A hash of all that decides what is legal in this turn and in those to come. The game's past, the number of the turn as
    /// far as it only nears the turn limit, and quiet turns are left out. Turns with the same key have the same hash.
    ///
    /// It is kept up to date action by action, and the same in every build.
    fn hash(&self) -> u64;

    /// The key of the turn that begins here; `None` in the middle of a turn and where repetition does not count.
    fn turn_key(&self) -> Option<Self::PositionKey>;

    /// # Errors
    /// Anything but the canonical text of an action of this game.
    fn read(&self, action: &str) -> Result<Self::Action, Unreadable>;

    /// Decides about this one action only.
    ///
    /// # Errors
    /// An action that is not legal here, ko aside.
    fn check(&self, action: Self::Action) -> Result<(), Self::IllegalMove>;

    /// The same of an action that was played here once, and so was legal: the costly part of the question is taken for
    /// granted.
    ///
    /// # Errors
    /// An action that cannot have been played here.
    fn check_played(&self, action: Self::Action) -> Result<(), Self::IllegalMove> {
        self.check(action)
    }

    /// Finds out, and keeps, what `check` needs to know and may be costly to find. Without it `check` finds it out each
    /// time, whatever that costs.
    ///
    /// # Errors
    /// It takes more than the budget.
    fn prepare(&mut self, _budget: &mut Budget) -> Result<(), TooCostly> {
        Ok(())
    }

    /// Finds out what `prepare` does, for both sides as if either were to move, and keeps nothing.
    ///
    /// # Errors
    /// It takes more than the budget.
    fn appraise(&self, _budget: &mut Budget) -> Result<(), TooCostly> {
        Ok(())
    }

    /// Plays an action, which must be legal: see `check`. The turn passes on when it is over.
    fn play(&mut self, action: Self::Action) -> Progress;

    /// Visits each legal action once, ko aside, until `visit` breaks.
    fn try_for_each_action<B>(
        &self,
        scratch: &mut Self::Scratch,
        visit: impl FnMut(Self::Action) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Visits each legal action once, ko aside.
    #[inline]
    fn for_each_action(&self, mut visit: impl FnMut(Self::Action)) {
        let _: ControlFlow<()> = self.try_for_each_action(&mut Self::Scratch::default(), |action| {
            visit(action);
            ControlFlow::Continue(())
        });
    }

    /// Replaces what is in the buffer by the legal actions, ko aside.
    #[inline]
    fn actions_into(&self, scratch: &mut Self::Scratch, buffer: &mut Vec<Self::Action>) {
        buffer.clear();
        let _: ControlFlow<()> = self.try_for_each_action(scratch, |action| {
            buffer.push(action);
            ControlFlow::Continue(())
        });
    }

    /// Like `try_for_each_action`, but of several actions that lead to the same position only one is visited.
    #[inline]
    fn try_for_each_result<B>(
        &self,
        scratch: &mut Self::Scratch,
        visit: impl FnMut(Self::Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.try_for_each_action(scratch, visit)
    }

    /// The number of legal actions, ko aside.
    fn count(&self, scratch: &mut Self::Scratch) -> u64;

    /// The record of an action that leads to `after`; `None` where the side to move may repeat it.
    ///
    /// In a game with ko a turn is one action, so no action of a turn forbids another one of it.
    #[inline]
    fn ko_record(&self, _action: Self::Action, _after: &Self) -> Option<Self::KoRecord> {
        None
    }

    /// A hash of a record. Equal records have the same.
    fn ko_hash(record: &Self::KoRecord) -> u64;

    /// The action that would repeat the record here, and is therefore forbidden (RULES 4.4).
    fn repeats(&self, _record: &Self::KoRecord) -> Option<Self::Action> {
        None
    }

    /// The end of the game, if it ends as this turn begins. The beginning of this turn is no part of the history.
    #[inline]
    fn outcome_at_turn_start(&self, history: &GameHistory<Self>) -> Option<Outcome> {
        history.draw(self)
    }

    /// Whether the turn may be ended here, though more actions could belong to it.
    fn may_end(&self) -> bool {
        false
    }

    /// Whether the allowance of a turn is a card (RULES 1.16).
    fn has_cards(&self) -> bool {
        false
    }

    /// The card that lies face up (RULES 1.16); `None` in a game without cards and as long as the card of the turn
    /// is not turned over.
    fn card(&self) -> Option<Card> {
        None
    }

    /// Whether the turn that begins here waits for its card: nothing is legal before it is turned over.
    #[inline]
    fn awaits_card(&self) -> bool {
        false
    }

    /// Turns over the card that the position waits for: see `awaits_card`.
    fn deal(&mut self, _card: Card) {}
}

/// The effect of an action on the turn and the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The turn goes on.
    SameTurn,
    /// The turn is over, and the next one that is not skipped begins.
    NewTurn,
    /// The game is over, whichever side won (RULES 0.8).
    Over(Outcome),
}
