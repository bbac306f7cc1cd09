use std::{fmt, hash::Hash, ops::ControlFlow};

use super::{Budget, Card, GameHistory, Outcome, Rule, Side, TextError, TooCostly, TurnNumber, Unreadable};

/// The rules of a game, as needed to play and search. [`Describe`](super::Describe) adds the views for boards.
///
/// A position has the same content as its text. It is always legal, since only `start`, `parse`, `play` and `deal`
/// create one. It is a small value, so an action is undone by keeping a copy: see [`Line`](super::Line). It is printed
/// as its canonical text.
pub trait Rules: Copy + Eq + fmt::Debug + fmt::Display {
    /// The options that a ruleset of the game fixes.
    type Variant: Copy;
    /// The smallest unit of play (RULES 0.2), printed as its canonical text.
    type Action: Copy + Eq + Hash + fmt::Debug + fmt::Display;
    /// The part of a position that must be equal for a turn to count as a repetition (RULES 0.6).
    type PositionKey: Clone + Eq + fmt::Debug + 'static;
    /// An action with its resulting position, which a side may not repeat (RULES 4.4). In a game without ko, this type
    /// has no values.
    type KoRecord: Clone + Eq + fmt::Debug + 'static;
    /// The reason for which an action is illegal, apart from ko.
    type IllegalMove: fmt::Display;
    /// The flaw of a well-formed text that is not a valid position.
    type InvalidPosition: fmt::Display;
    /// Memory that generation reuses, to avoid allocations for each position.
    type Scratch: Clone + Default + fmt::Debug;

    /// The clause that defines when a turn is complete.
    const WHOLE_TURN: Rule;

    /// The start position of the ruleset.
    fn start(variant: Self::Variant) -> Self;

    /// # Errors
    /// The text is not the canonical text of a valid position in which the game is not over (RULES 0.9).
    fn parse(variant: Self::Variant, text: &str) -> Result<Self, TextError<Self::InvalidPosition>>;

    /// The number in the position's text (RULES 0.4).
    fn turn(&self) -> TurnNumber;

    /// The side whose turn it is.
    #[inline]
    fn to_move(&self) -> Side {
        self.turn().side()
    }

    /// A hash of everything in the position that legality in this and later turns depends on. It does not cover the
    /// game's history, quiet turns, or the number of the turn as far as it only concerns the turn limit. Turns with the
    /// same key have the same hash.
    ///
    /// It is updated incrementally, and is the same in every build.
    fn hash(&self) -> u64;

    /// The key of the turn that begins here; `None` in the middle of a turn and where repetition does not count.
    fn turn_key(&self) -> Option<Self::PositionKey>;

    /// # Errors
    /// The text is not the canonical text of an action of this game.
    fn read(&self, action: &str) -> Result<Self::Action, Unreadable>;

    /// Verifies that an action is legal, without generating the others.
    ///
    /// # Errors
    /// The action is illegal here, apart from ko.
    fn check(&self, action: Self::Action) -> Result<(), Self::IllegalMove>;

    /// Like `check`, for an action that was played here before and so was legal. Skips the costly part of the check.
    ///
    /// # Errors
    /// The action cannot have been played here.
    fn check_played(&self, action: Self::Action) -> Result<(), Self::IllegalMove> {
        self.check(action)
    }

    /// Runs the costly search that `check` depends on and keeps its results. Otherwise `check` searches each time,
    /// without a budget.
    ///
    /// # Errors
    /// It takes more than the budget.
    fn prepare(&mut self, _budget: &mut Budget) -> Result<(), TooCostly> {
        Ok(())
    }

    /// Runs the search of `prepare` for each side, as if it were to move, and discards the results.
    ///
    /// # Errors
    /// It takes more than the budget.
    fn appraise(&self, _budget: &mut Budget) -> Result<(), TooCostly> {
        Ok(())
    }

    /// Plays an action, which must be legal: see `check`. If it completes the turn, the next turn begins.
    fn play(&mut self, action: Self::Action) -> Progress;

    /// The position in which the next turn begins if the side to move passes, which no rule allows. It shows what the
    /// other side could do now, and need not be a valid start.
    #[must_use]
    fn passed(&self) -> Self;

    /// Visits each legal action once, without regard to ko, until `visit` breaks.
    fn try_for_each_action<B>(
        &self,
        scratch: &mut Self::Scratch,
        visit: impl FnMut(Self::Action) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Visits each legal action once, without regard to ko.
    #[inline]
    fn for_each_action(&self, mut visit: impl FnMut(Self::Action)) {
        let _: ControlFlow<()> = self.try_for_each_action(&mut Self::Scratch::default(), |action| {
            visit(action);
            ControlFlow::Continue(())
        });
    }

    /// Replaces the contents of the buffer with the legal actions, without regard to ko.
    #[inline]
    fn actions_into(&self, scratch: &mut Self::Scratch, buffer: &mut Vec<Self::Action>) {
        buffer.clear();
        let _: ControlFlow<()> = self.try_for_each_action(scratch, |action| {
            buffer.push(action);
            ControlFlow::Continue(())
        });
    }

    /// Like `try_for_each_action`, but visits only one of several actions that lead to the same position.
    #[inline]
    fn try_for_each_result<B>(
        &self,
        scratch: &mut Self::Scratch,
        visit: impl FnMut(Self::Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.try_for_each_action(scratch, visit)
    }

    /// The number of legal actions, without regard to ko.
    fn count(&self, scratch: &mut Self::Scratch) -> u64;

    /// The ko record of an action that leads to `after`; `None` if the side to move may repeat it.
    ///
    /// In a game with ko a turn is one action, so an action never forbids another one in the same turn.
    #[inline]
    fn ko_record(&self, _action: Self::Action, _after: &Self) -> Option<Self::KoRecord> {
        None
    }

    /// A hash of a ko record. Equal records have equal hashes.
    fn ko_hash(record: &Self::KoRecord) -> u64;

    /// The action that would repeat the record here, and is therefore forbidden (RULES 4.4).
    fn repeats(&self, _record: &Self::KoRecord) -> Option<Self::Action> {
        None
    }

    /// The outcome of the game, if it ends as this turn begins. The history does not yet contain the beginning of this
    /// turn.
    #[inline]
    fn outcome_at_turn_start(&self, history: &GameHistory<Self>) -> Option<Outcome> {
        history.draw(self)
    }

    /// Whether the turn may be ended here before it is complete.
    fn may_end(&self) -> bool {
        false
    }

    /// Whether the allowance of a turn is a card (RULES 1.16).
    fn has_cards(&self) -> bool {
        false
    }

    /// The card of the turn (RULES 1.16); `None` in a game without cards and until the card is turned over.
    fn card(&self) -> Option<Card> {
        None
    }

    /// Whether the turn that begins here waits for its card. No action is legal before it is turned over.
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
    /// The turn continues.
    SameTurn,
    /// The turn is over, and the next one that is not skipped begins.
    NewTurn,
    /// The game is over, whichever side won (RULES 0.8).
    Over(Outcome),
}
