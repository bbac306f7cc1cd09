use super::{EndReason, Record, RecordError, RecordErrorKind, Turn};
use crate::{AnyMatch, Budget};

impl Record {
    /// Replays the record by the rules.
    ///
    /// # Errors
    /// The first flaw of the record, with its line in the canonical text.
    pub fn replay(&self) -> Result<AnyMatch, RecordError> {
        self.replay_within(&mut Budget::unlimited(), |_, _| {})
    }

    /// Like [`Record::replay`], but within a budget. Calls `played` after each turn that has actions, with the match,
    /// in which the next card is turned over if the record has it, and with that turn.
    ///
    /// # Errors
    /// The first flaw of the record, with its line in the canonical text, or the turn at which the budget for the whole
    /// record is used up.
    pub fn replay_within(
        &self,
        budget: &mut Budget,
        played: impl FnMut(&AnyMatch, &Turn),
    ) -> Result<AnyMatch, RecordError> {
        self.check_card_headers()?;
        self.replay_with(budget, |game, turn| self.turn_over(game, turn), played)
    }

    /// Like [`Record::replay_within`], but `begin` supplies the cards. It is called when a turn begins and turns over
    /// the recorded card, or refuses it.
    ///
    /// # Errors
    /// The first flaw of the record, with its line in the canonical text.
    pub fn replay_with(
        &self,
        budget: &mut Budget,
        mut begin: impl FnMut(&mut AnyMatch, &Turn) -> Result<(), RecordErrorKind>,
        mut played: impl FnMut(&AnyMatch, &Turn),
    ) -> Result<AnyMatch, RecordError> {
        let mut game = self.opening()?;
        let mut last = None;
        for (index, turn) in self.turns.iter().enumerate() {
            let refuse = |kind| {
                let (line, turn) = (Some(self.line_of_turn(index)), Some(turn.number.get()));
                RecordError { line, turn, kind }
            };
            let only_begins = index + 1 == self.turns.len() && turn.actions.is_empty() && turn.card.is_some();
            if only_begins || game.outcome().is_none() {
                turn.check_number(&game).and_then(|()| begin(&mut game, turn)).map_err(refuse)?;
            }
            if let Some(last) = last.take() {
                played(&game, last);
            }
            if !only_begins {
                game.prepare(budget).map_err(|error| refuse(RecordErrorKind::TooCostly(error)))?;
                game.play(&turn.actions).map_err(|error| refuse(RecordErrorKind::Turn(error)))?;
                last = Some(turn);
            }
        }
        if let Some(last) = last {
            played(&game, last);
        }
        self.check_ending(&game)?;
        self.check_final_text(&game)?;
        Ok(game)
    }

    /// Verifies that a game may begin from the record's start: see [`Budget::for_start`].
    ///
    /// # Errors
    /// The start is not a valid position, or the search for its captures exceeds that budget.
    pub fn check_start(&self) -> Result<(), RecordError> {
        let too_costly = |error| self.refuse(self.line_of_header("start"), RecordErrorKind::TooCostly(error));
        self.opening()?.appraise(&mut Budget::for_start()).map_err(too_costly)
    }

    fn check_card_headers(&self) -> Result<(), RecordError> {
        let refuse = |header, kind| Err(self.refuse(self.line_of_header(header), kind));
        match (&self.card_hash, &self.seed) {
            (Some(_), _) if !self.ruleset.has_cards() => refuse("card_hash", RecordErrorKind::NoCards),
            (None, Some(_)) if !self.ruleset.has_cards() => refuse("seed", RecordErrorKind::NoCards),
            (Some(hash), Some(seed)) => {
                seed.verify(*hash, &[]).or_else(|unfair| refuse("seed", RecordErrorKind::Unfair(unfair)))
            }
            (_, None) | (None, Some(_)) => Ok(()),
        }
    }

    /// Turns over the card of a turn, which must be the seed's card if the seed is known. A card in the start text need
    /// not be (RULES 1.5).
    fn turn_over(&self, game: &mut AnyMatch, turn: &Turn) -> Result<(), RecordErrorKind> {
        let card = match (self.ruleset.has_cards(), turn.card) {
            (false, None) => return Ok(()),
            (false, Some(_)) => return Err(RecordErrorKind::NoCards),
            (true, None) => return Err(RecordErrorKind::CardMissing),
            (true, Some(card)) => card,
        };
        if let (Some(expected), false) = (game.card(), turn.actions.is_empty()) {
            return if card == expected { Ok(()) } else { Err(RecordErrorKind::WrongCard { expected }) };
        }
        game.turn_over(card)?;
        if let Some(seed) = &self.seed {
            seed.verify(seed.hash(), &[(turn.number, card)])?;
        }
        Ok(())
    }

    fn opening(&self) -> Result<AnyMatch, RecordError> {
        let usual = AnyMatch::new(self.ruleset);
        let Some(start) = &self.start else { return Ok(usual) };
        let refuse = |kind| self.refuse(self.line_of_header("start"), kind);
        if start.as_str() == usual.start_text() {
            return Err(refuse(RecordErrorKind::UsualStart));
        }
        AnyMatch::from_text(self.ruleset, start.as_str())
            .map_err(|error| refuse(RecordErrorKind::Start(error)))
    }

    /// Verifies the end of the record. An end by the rules must be that of the match; any other requires that the match
    /// is not over.
    fn check_ending(&self, game: &AnyMatch) -> Result<(), RecordError> {
        let by_rules = game.outcome();
        let refuse = |kind| Err(self.refuse(self.line_of_header("result"), kind));
        let claimed = self.ending.map(|ending| (ending.reason, ending.winner));
        match (by_rules, claimed) {
            (None, Some((EndReason::Resign, None) | (EndReason::Agreement, Some(_)))) => {
                refuse(RecordErrorKind::WrongWinner)
            }
            (None, Some((EndReason::Rules(_), _))) => refuse(RecordErrorKind::WrongEnding(None)),
            (None, _) => Ok(()),
            (Some(outcome), _) if self.ending == Some(outcome.into()) => Ok(()),
            (Some(outcome), _) => refuse(RecordErrorKind::WrongEnding(Some(outcome))),
        }
    }

    fn check_final_text(&self, game: &AnyMatch) -> Result<(), RecordError> {
        let expected = game.position_text();
        if self.final_text.as_str() == expected {
            return Ok(());
        }
        Err(self.refuse(self.last_line(), RecordErrorKind::WrongFinalText { expected }))
    }

    const fn refuse(&self, line: usize, kind: RecordErrorKind) -> RecordError {
        RecordError { line: Some(line), turn: None, kind }
    }
}

impl Turn {
    fn check_number(&self, game: &AnyMatch) -> Result<(), RecordErrorKind> {
        let expected = game.turn();
        if self.number == expected { Ok(()) } else { Err(RecordErrorKind::WrongNumber { expected }) }
    }
}
