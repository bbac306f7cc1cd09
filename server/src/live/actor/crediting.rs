//! Time that is not charged: outages of the server, and vacations of the player to move.

use game::ids::Version;
use protocol::Nack;
use store::{VacationChange, VacationStep, WriteError};

use super::{Actor, StateLost, deciding::MAX_DECISIONS};
use crate::live::credit::may_be_on_vacation;

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
            let decision = self.shared.decide_credit(&self.game.state).await.map_err(|_| StateLost)?;
            let Some(decision) = decision else { return Ok(()) };
            self.carry_out(None, decision).await?;
        }
        Err(StateLost)
    }

    /// Uses a day of vacation of the player to move, whose time has run out. Returns whether a vacation covers that time now.
    /// In a game that is not yet under way, the player may not have come at all.
    pub(super) async fn use_vacation(&self) -> Result<bool, StateLost> {
        let state = &self.game.state;
        let player = may_be_on_vacation(state).filter(|_| state.is_under_way());
        let (Some(player), Some(deadline_ms)) = (player, state.deadline_ms()) else { return Ok(false) };
        let (now_ms, what) = (self.shared.now_ms(), VacationStep::Used { deadline_ms });
        match self.shared.dependencies.writer.change_vacation(VacationChange { player, now_ms, what }).await {
            Ok(()) => Ok(true),
            Err(WriteError::Refused(_)) => Ok(false),
            Err(WriteError::Unknown(_) | WriteError::Full | WriteError::Ended) => Err(StateLost),
        }
    }
}
