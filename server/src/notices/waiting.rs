use std::collections::HashMap;

use game::{
    Event, Recorded,
    ids::{GameId, PlayerId},
};
use store::{GameRow, Store, StoreError, TurnEvent, warnings_ms};

use crate::under_way::waiting;

/// A turn that waits for its player.
#[derive(Clone, Debug)]
pub(crate) struct WaitingTurn {
    pub(super) game: GameRow,
    pub(super) time: TurnTime,
}

/// Times of a turn under way, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnTime {
    /// When it began. Offers and credits move the time of the game's last change, and not this one.
    pub(super) began_ms: i64,
    /// Time added for outages and vacations.
    pub(super) credited_ms: i64,
}

impl WaitingTurn {
    /// Returns the times at which the player is told that the deadline comes near, by the time that the clock alone gives the turn;
    /// `None` without a deadline.
    pub(super) fn warnings_ms(&self) -> Option<[i64; 2]> {
        let (deadline_ms, TurnTime { began_ms, credited_ms }) = (self.game.deadline_ms?, self.time);
        Some(warnings_ms(deadline_ms, deadline_ms - began_ms - credited_ms))
    }
}

/// Returns the turns that wait for a player, in the order of [`waiting`].
///
/// # Errors
/// The store cannot be read.
pub(super) async fn waiting_turns(
    store: &dyn Store,
    player: PlayerId,
) -> Result<Vec<WaitingTurn>, StoreError> {
    let games = waiting(store, player).await?;
    let ids: Vec<GameId> = games.iter().map(|game| game.id).collect();
    let times = times(&store.turn_events(&ids).await?);
    // A game without a time is over meanwhile.
    let turn = |game: GameRow| Some(WaitingTurn { time: *times.get(&game.id)?, game });
    Ok(games.into_iter().filter_map(turn).collect())
}

/// Returns the times of the turns that events are of.
fn times(events: &[TurnEvent]) -> HashMap<GameId, TurnTime> {
    let mut times = HashMap::new();
    for TurnEvent { game, at_ms, body } in events {
        let time = times.entry(*game).or_insert(TurnTime { began_ms: *at_ms, credited_ms: 0 });
        // An event that only a newer server understands adds no time here.
        if let Ok(Recorded { event: Event::TimeCredited { ms, .. }, .. }) = Recorded::read(*at_ms, body) {
            time.credited_ms += ms;
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use engine::Side;
    use game::OfferKind;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_turn_keeps_its_beginning_over_offers_and_credits_which_are_added_up() {
        let [one, other] = [1, 2].map(|number| GameId::new(Uuid::from_u128(number)));
        let event = |game, at_ms, event| TurnEvent { game, at_ms, body: Recorded { at_ms, event }.body() };
        let side = Side::First;
        let credit = |ms| Event::TimeCredited { side, ms, vacation_until_ms: None };
        let events = [
            event(one, 10, Event::TurnsTakenBack { turns: 1, side }),
            event(one, 20, Event::Offered { what: OfferKind::Draw, side }),
            event(one, 30, credit(700)),
            TurnEvent { game: one, at_ms: 40, body: "{}".to_owned() },
            event(one, 50, credit(-200)),
            event(other, 60, Event::TurnsTakenBack { turns: 1, side }),
        ];
        let expected = [
            (one, TurnTime { began_ms: 10, credited_ms: 500 }),
            (other, TurnTime { began_ms: 60, credited_ms: 0 }),
        ];
        assert_eq!(times(&events), HashMap::from(expected));
    }
}
