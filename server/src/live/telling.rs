//! The notices about slow games, for the inboxes of their players. Games in real time have none, since their players are
//! present.

use game::{
    ClosedBy, Event, GameEnd, InboxEvent, Outcome, Recorded, Seats, SlowGame,
    ids::{BotLevel, PlayerId},
};
use store::{Append, GameRow, NewNotice};

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
        (Event::Cancelled { by: ClosedBy::Challenged { counter: None } }, Some(challenged)) => {
            vec![notice(row.creator, InboxEvent::ChallengeDeclined(slow_game(challenged)))]
        }
        (Event::Ended { .. } | Event::Aborted { .. }, _) => ends(row, by)
            .map(|(player, other, end)| notice(player, InboxEvent::GameOver { game: slow_game(other), end }))
            .collect(),
        _ => Vec::new(),
    }
}

/// Makes the notice of an append about a challenge one about a counter-offer: the challenge answers another one of the challenged
/// player's, by other terms.
pub(super) fn countered(append: Append) -> Append {
    let row = append.row();
    let told = row.challenged.filter(|_| !row.clock.is_live());
    let notice = |player| beginning(row, player, row.creator, InboxEvent::ChallengeCountered);
    let notices = told.map(notice).into_iter().collect();
    append.telling(notices)
}

/// Adds the notice about a new game to the player who sought it, and who may be away.
pub(super) fn sought(append: Append, seeker: PlayerId) -> Append {
    let row = append.row();
    let seats = row.seats.filter(|_| !row.clock.is_live());
    let other = |seats: Seats| if seats.first == seeker { seats.second } else { seats.first };
    let notice = |seats| beginning(row, seeker, other(seats), InboxEvent::SeekAccepted);
    let notices = seats.map(notice).into_iter().collect();
    append.telling(notices)
}

/// A notice about a game that has just been made.
fn beginning(
    row: &GameRow,
    player: PlayerId,
    other: PlayerId,
    event: impl FnOnce(SlowGame) -> InboxEvent,
) -> NewNotice {
    let about = SlowGame { id: row.id, ruleset: row.ruleset, other };
    NewNotice { player, event: event(about), at_ms: row.created_ms }
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

#[cfg(test)]
mod tests {
    use engine::{Ruleset, Side};
    use game::{
        Bonus, ClockRule, OfferKind, RealTime, Reason, SeatChoice, Status, Terms, Visibility, Watching,
        ids::{Days, Delay, GameId, Version},
    };
    use uuid::Uuid;

    use super::*;

    fn player(number: u128) -> PlayerId {
        PlayerId::new(Uuid::from_u128(number))
    }

    /// A challenge of Ada, who is 1, to Blaise, who is 2, and who plays the second side.
    fn row(status: Status, outcome: Option<Outcome>) -> GameRow {
        GameRow {
            id: GameId::new(Uuid::from_u128(9)),
            ruleset: Ruleset::Fenix,
            status,
            visibility: Visibility::Link,
            creator: player(1),
            challenged: Some(player(2)),
            seat: SeatChoice::First,
            clock: ClockRule::Correspondence { days: Days::try_from(3).unwrap() },
            watching: Watching::Everybody,
            delay: Delay::default(),
            custom_start: false,
            seats: Some(Seats { first: player(1), second: player(2) }),
            version: Version::new(3),
            turn: 3,
            to_move: Side::First,
            outcome,
            created_ms: 1,
            updated_ms: 2,
            deadline_ms: None,
            position: None,
            offers: Vec::new(),
        }
    }

    fn ended(outcome: Outcome) -> (GameRow, Event) {
        (row(Status::Finished, Some(outcome)), Event::Ended { outcome })
    }

    fn created() -> (GameRow, Event) {
        let event = Event::Created {
            ruleset: Ruleset::Fenix,
            visibility: Visibility::Link,
            creator: player(1),
            challenged: Some(player(2)),
            seat: SeatChoice::First,
            terms: Terms::default(),
            start: None,
            seed: None,
        };
        (GameRow { seats: None, ..row(Status::Open, None) }, event)
    }

    fn started() -> (GameRow, Event) {
        let seats = Seats { first: player(1), second: player(2) };
        (row(Status::Playing, None), Event::Started { seats, joined: true })
    }

    fn declined() -> (GameRow, Event) {
        let event = Event::Cancelled { by: ClosedBy::Challenged { counter: None } };
        (GameRow { seats: None, ..row(Status::Cancelled, None) }, event)
    }

    /// The numbers of the players who are told, with what.
    fn told((row, event): &(GameRow, Event), by: Option<u128>) -> Vec<(u128, InboxEvent)> {
        let events = [Recorded { at_ms: 7, event: event.clone() }];
        let told = notices(row, &events, by.map(player));
        told.into_iter().map(|notice| (notice.player.uuid().as_u128(), notice.event)).collect()
    }

    fn over(other: u128, end: GameEnd) -> InboxEvent {
        InboxEvent::GameOver { game: about(other), end }
    }

    fn about(other: u128) -> SlowGame {
        SlowGame { id: GameId::new(Uuid::from_u128(9)), ruleset: Ruleset::Fenix, other: player(other) }
    }

    #[test]
    fn an_end_is_told_to_those_who_did_not_cause_it() {
        let won = |reason| ended(Outcome { winner: Some(Side::First), reason });
        let (on_time, resigned) = (won(Reason::Time), won(Reason::Resign));
        let both = [(1, over(2, GameEnd::Won(Reason::Time))), (2, over(1, GameEnd::Lost(Reason::Time)))];
        assert_eq!(told(&on_time, None), both);
        assert_eq!(told(&resigned, Some(2)), [(1, over(2, GameEnd::Won(Reason::Resign)))]);
        let agreed = ended(Outcome { winner: None, reason: Reason::Agreement });
        assert_eq!(told(&agreed, Some(1)), [(2, over(1, GameEnd::Drawn(Reason::Agreement)))]);
        let aborted = (row(Status::Aborted, None), Event::Aborted { side: Some(Side::First) });
        assert_eq!(told(&aborted, Some(1)), [(2, over(1, GameEnd::Aborted))]);
    }

    #[test]
    fn bots_and_players_of_both_seats_are_told_nothing() {
        let (row, event) = ended(Outcome { winner: None, reason: Reason::Repetition });
        let with =
            |first, second| (GameRow { seats: Some(Seats { first, second }), ..row.clone() }, event.clone());
        let bot = BotLevel::try_from(3).unwrap().player().id;
        let told_of_bot = told(&with(player(1), bot), None);
        assert_eq!(told_of_bot.iter().map(|(player, _)| *player).collect::<Vec<_>>(), [1]);
        assert_eq!(told(&with(player(1), player(1)), None), []);
    }

    #[test]
    fn challenges_and_their_answers_are_told_to_the_other_player() {
        assert_eq!(told(&created(), None), [(2, InboxEvent::Challenged(about(1)))]);
        assert_eq!(told(&started(), Some(2)), [(1, InboxEvent::ChallengeAccepted(about(2)))]);
        assert_eq!(told(&declined(), Some(2)), [(1, InboxEvent::ChallengeDeclined(about(2)))]);
        for (row, event) in [created(), started(), declined()] {
            assert_eq!(told(&(GameRow { challenged: None, ..row }, event), None), [], "no challenge");
        }
        let (row, _) = declined();
        for by in [ClosedBy::Maker, ClosedBy::Time] {
            assert_eq!(told(&(row.clone(), Event::Cancelled { by }), None), [], "{by:?}");
        }
    }

    #[test]
    fn nothing_is_told_of_other_events_and_of_games_with_a_clock_for_all_turns() {
        let end = ended(Outcome { winner: None, reason: Reason::Agreement });
        let offered = Event::Offered { what: OfferKind::Rematch, side: Side::First };
        assert_eq!(told(&(end.0.clone(), offered), None), []);
        let clock = ClockRule::RealTime(RealTime::new(60, 1, Bonus::PerTurn).unwrap());
        for (row, event) in [end, created(), started(), declined()] {
            assert_eq!(told(&(GameRow { clock, ..row }, event), None), []);
        }
    }
}
