//! Time of a turn that is not charged: outages of the server, and vacations of the player to move.

use game::{
    Away, Decision, Phase, State, Vacation, credit, falls_after_ms,
    ids::{BotLevel, PlayerId},
};
use store::StoreError;

use super::shared::Shared;

impl Shared {
    /// Decides to credit the time of the turn under way that is not charged, or to take back what was credited of a
    /// vacation that has ended early. Returns `None` if there is neither.
    pub(super) async fn decide_credit(&self, state: &State) -> Result<Option<Decision>, StoreError> {
        let Phase::Playing { turn, .. } = state.phase() else { return Ok(None) };
        let (outages, began_ms) = (&self.dependencies.outages, turn.began_ms);
        let vacations = match may_be_on_vacation(state) {
            None => Vec::new(),
            Some(player) => {
                let known = self.dependencies.store.vacations(player).await?;
                known.map(|known| known.taken).unwrap_or_default()
            }
        };
        let away = match falls_after_ms(state) {
            Some(allowed_ms) if !vacations.is_empty() => {
                let vacations: Vec<_> = vacations.iter().map(Vacation::period).collect();
                Away::in_turn(began_ms, allowed_ms, &outages.since(began_ms), &vacations)
            }
            Some(_) | None => Away::of_outages(outages.away_ms(began_ms)),
        };
        Ok(credit(state, away, self.now_ms()))
    }
}

/// Returns the player to move, if the game has a clock of days and the player is a person with an opponent.
pub(super) fn may_be_on_vacation(state: &State) -> Option<PlayerId> {
    let Phase::Playing { seats, .. } = state.phase() else { return None };
    let player = seats[state.play().to_move()];
    let is_credited =
        state.terms().clock.is_by_days() && !state.is_at_one_table() && BotLevel::of(player).is_none();
    is_credited.then_some(player)
}
