//! What players are told in their inboxes about slow games. About games with a clock for all turns nobody is told anything:
//! their players are present.

use game::{
    ClosedBy, Event, GameEnd, InboxEvent, Outcome, Recorded, SlowGame,
    ids::{BotLevel, PlayerId},
};
use store::{GameRow, NewNotice};

/// Returns the notices about events, after which the game has this row. `by` is the player whose own command caused them.
pub(super) fn notices(row: &GameRow, events: &[Recorded], by: Option<PlayerId>) -> Vec<NewNotice> {
    let Some(last) = events.last().filter(|_| !row.clock.is_live()) else { return Vec::new() };
    let notice = |player, event| NewNotice { player, event, at_ms: last.at_ms };
    let slow_game = |other| SlowGame { id: row.id, ruleset: row.ruleset, other };
    match (&last.event, row.challenged) {
        (Event::Created { .. }, Some(challenged)) => {
            vec![notice(challenged, InboxEvent::Challenged(slow_game(row.creator)))]
        }
        (Event::Started { .. }, Some(challenged)) => {
            vec![notice(row.creator, InboxEvent::ChallengeAccepted(slow_game(challenged)))]
        }
        (Event::Cancelled { by: ClosedBy::Challenged }, Some(challenged)) => {
            vec![notice(row.creator, InboxEvent::ChallengeDeclined(slow_game(challenged)))]
        }
        (Event::Ended { .. } | Event::Aborted { .. }, _) => ends(row, by)
            .map(|(player, other, end)| notice(player, InboxEvent::GameOver { game: slow_game(other), end }))
            .collect(),
        _ => Vec::new(),
    }
}

/// The players who are told of a game's end, each with the other player and the end as they see it.
fn ends(row: &GameRow, by: Option<PlayerId>) -> impl Iterator<Item = (PlayerId, PlayerId, GameEnd)> {
    let seats = row.seats.filter(|seats| !seats.are_of_one_player());
    let sides = seats.into_iter().flat_map(|seats| engine::Side::ALL.map(|side| (side, seats)));
    let outcome = row.outcome;
    sides
        .map(move |(side, seats)| {
            let end = match outcome {
                None => GameEnd::Aborted,
                Some(Outcome { winner: None, reason }) => GameEnd::Drawn(reason),
                Some(Outcome { winner: Some(winner), reason }) if winner == side => GameEnd::Won(reason),
                Some(Outcome { winner: Some(_), reason }) => GameEnd::Lost(reason),
            };
            (seats[side], seats[side.other()], end)
        })
        .filter(move |(player, ..)| Some(*player) != by && BotLevel::of(*player).is_none())
}
