//! Time that is not charged: outages of the server, and vacations of the player to move.

use game::{
    Away, Decision, Phase, Vacation, credit, falls_after_ms,
    ids::{BotLevel, PlayerId, Version},
};
use protocol::Nack;
use store::{VacationChange, VacationStep, WriteError};

use super::{Actor, StateLost, deciding::MAX_DECISIONS};

impl Actor {
    /// Credits the vacations of the player to move as they are stored now, in the game as it is at a stored version or
    /// later: another node may have stored a turn of which this one was not told yet. Refuses while outages are unknown,
    /// since time in both counts once.
    pub(super) async fn credit_vacations(&mut self, version: Version) -> Result<Result<(), Nack>, StateLost> {
        if self.game.state.version() < version {
            self.catch_up("behind").await?;
        }
        if !self.shared.dependencies.outages.get_known().await {
            return Ok(Err(Nack::Unavailable));
        }
        self.credit().await.map(Ok)
    }

    /// Credits the time of the turn under way that is not charged, and takes back what was credited of a vacation that has
    /// ended early. Returns once nothing is left to be credited: another node may be first, and the vacations may change
    /// meanwhile.
    pub(super) async fn credit(&mut self) -> Result<(), StateLost> {
        for _ in 0..MAX_DECISIONS {
            let Some(decision) = self.decide_credit().await? else { return Ok(()) };
            self.carry_out(None, decision).await?;
        }
        Err(StateLost)
    }

    async fn decide_credit(&self) -> Result<Option<Decision>, StateLost> {
        let Phase::Playing { turn, .. } = self.game.state.phase() else { return Ok(None) };
        let (outages, began_ms) = (&self.shared.dependencies.outages, turn.began_ms);
        let vacations = match self.may_be_on_vacation() {
            None => Vec::new(),
            Some(player) => {
                let known = self.shared.dependencies.store.vacations(player).await.map_err(|_| StateLost)?;
                known.map(|known| known.taken).unwrap_or_default()
            }
        };
        let away = match falls_after_ms(&self.game.state) {
            Some(allowed_ms) if !vacations.is_empty() => {
                let vacations: Vec<_> = vacations.iter().map(Vacation::period).collect();
                Away::in_turn(began_ms, allowed_ms, &outages.since(began_ms), &vacations)
            }
            Some(_) | None => Away::of_outages(outages.away_ms(began_ms)),
        };
        Ok(credit(&self.game.state, away, self.shared.now_ms()))
    }

    /// Uses a day of vacation of the player to move, whose time has run out. Returns whether a vacation covers that time now.
    /// In a game that is not yet under way, the player may not have come at all.
    pub(super) async fn use_vacation(&self) -> Result<bool, StateLost> {
        let state = &self.game.state;
        let player = self.may_be_on_vacation().filter(|_| state.is_under_way());
        let (Some(player), Some(deadline_ms)) = (player, state.deadline_ms()) else { return Ok(false) };
        let (now_ms, what) = (self.shared.now_ms(), VacationStep::Used { deadline_ms });
        match self.shared.dependencies.writer.change_vacation(VacationChange { player, now_ms, what }).await {
            Ok(()) => Ok(true),
            Err(WriteError::Refused(_)) => Ok(false),
            Err(WriteError::Unknown(_) | WriteError::Full | WriteError::Ended) => Err(StateLost),
        }
    }

    /// Returns the player to move, if the game has a clock of days and the player is a person with an opponent.
    pub(super) fn may_be_on_vacation(&self) -> Option<PlayerId> {
        let state = &self.game.state;
        let Phase::Playing { seats, .. } = state.phase() else { return None };
        let player = seats[state.play().to_move()];
        let is_credited =
            state.terms().clock.is_by_days() && !state.is_at_one_table() && BotLevel::of(player).is_none();
        is_credited.then_some(player)
    }
}
