//! Conversions between games, rows of the store, and messages on the wire.

use game::{
    State, flag_falls_at_ms,
    ids::{GameId, PlayerId, Version},
};
use protocol::{GameSummary, Names};
use store::{ChatLine, GameRow};

/// The row of a game.
pub(crate) fn row(id: GameId, state: &State) -> GameRow {
    GameRow {
        id,
        ruleset: state.ruleset(),
        status: state.status(),
        visibility: state.visibility(),
        creator: state.creator(),
        challenged: state.challenged(),
        seat: state.seat(),
        clock: state.terms().clock,
        watching: state.terms().watching,
        delay: state.terms().delay,
        custom_start: state.start().is_some(),
        seats: state.seats().copied(),
        version: state.version(),
        turn: state.play().turn().get(),
        to_move: state.play().to_move(),
        outcome: state.outcome(),
        created_ms: state.created_ms(),
        updated_ms: state.updated_ms(),
        deadline_ms: flag_falls_at_ms(state),
        position: Some(state.position_text().to_owned()),
        offers: state.offers().to_vec(),
    }
}

/// The players whom a row mentions, some of them perhaps twice.
pub(crate) fn mentioned(row: &GameRow) -> impl Iterator<Item = PlayerId> {
    let seats = row.seats.iter().flat_map(|seats| [seats.first, seats.second]);
    [row.creator].into_iter().chain(row.challenged).chain(seats)
}

/// A row in full, for readers who may see all of the game.
pub(crate) fn summary(row: GameRow, names: &impl Names) -> GameSummary {
    GameSummary {
        id: row.id,
        ruleset: row.ruleset,
        status: row.status.into(),
        visibility: row.visibility.into(),
        creator: names.player(row.creator),
        challenged: row.challenged.map(|player| names.player(player)),
        seat: row.seat.into(),
        clock: row.clock.into(),
        watching: row.watching.into(),
        delay: row.delay,
        custom_start: row.custom_start,
        seats: row.seats.map(|seats| names.seats(&seats)),
        version: row.version,
        turn: Some(row.turn),
        to_move: Some(row.to_move),
        outcome: row.outcome.map(Into::into),
        created_ms: row.created_ms,
        updated_ms: row.updated_ms,
        deadline_ms: row.deadline_ms,
        position: row.position,
        offers: row.offers.into_iter().map(Into::into).collect(),
    }
}

/// A row that does not reveal the progress of the game.
pub(crate) fn summary_without_progress(row: GameRow, names: &impl Names) -> GameSummary {
    GameSummary {
        version: Version::NONE,
        turn: None,
        to_move: None,
        updated_ms: row.created_ms,
        deadline_ms: None,
        position: None,
        offers: Vec::new(),
        ..summary(row, names)
    }
}

/// The row of a complete summary; `None` if the summary leaves something out.
pub(crate) fn row_in_full(summary: GameSummary) -> Option<GameRow> {
    Some(GameRow {
        id: summary.id,
        ruleset: summary.ruleset,
        status: summary.status.into(),
        visibility: summary.visibility.into(),
        creator: summary.creator.id,
        challenged: summary.challenged.map(|player| player.id),
        seat: summary.seat.into(),
        clock: summary.clock.into(),
        watching: summary.watching.into(),
        delay: summary.delay,
        custom_start: summary.custom_start,
        seats: summary.seats.map(Into::into),
        version: summary.version,
        turn: summary.turn?,
        to_move: summary.to_move?,
        outcome: summary.outcome.map(Into::into),
        created_ms: summary.created_ms,
        updated_ms: summary.updated_ms,
        deadline_ms: summary.deadline_ms,
        position: summary.position,
        offers: summary.offers.into_iter().map(Into::into).collect(),
    })
}

/// A line of the chat of a game with these seats, if it has begun, as its readers see it.
pub(crate) fn line(
    ChatLine { id, at_ms, turn, who, text }: ChatLine,
    seats: Option<&game::Seats>,
    names: &impl Names,
) -> protocol::ChatLine {
    protocol::ChatLine { id, at_ms, turn, who: names.player_among(seats, who), text }
}

/// A line of a chat as the store keeps it.
pub(crate) fn stored_line(protocol::ChatLine { id, at_ms, turn, who, text }: protocol::ChatLine) -> ChatLine {
    ChatLine { id, at_ms, turn, who: who.id, text }
}

#[cfg(test)]
mod tests {
    use engine::{Ruleset, Side};
    use game::{
        ClockRule, Event, OfferKind, Outcome, Player, PlayerKind, Reason, Recorded, SeatChoice, Seats,
        StandingOffer, Status, Terms, Visibility, Watching,
        ids::{Delay, PlayerId, PlayerName},
    };
    use uuid::Uuid;

    use super::*;

    fn player(number: u128, name: &str) -> Player {
        let name = PlayerName::try_from(name.to_owned()).unwrap();
        Player { id: PlayerId::new(Uuid::from_u128(number)), name }
    }

    /// The rows of a game before and after its end.
    fn rows() -> [GameRow; 2] {
        let (first, second) = (player(1, "Ada").id, player(2, "Blaise").id);
        let delay = Delay::try_from(3).unwrap();
        let created = Event::Created {
            ruleset: Ruleset::Fenix,
            visibility: Visibility::Public,
            creator: second,
            challenged: None,
            seat: SeatChoice::Second,
            terms: Terms { delay, ..Terms::default() },
            start: None,
            seed: None,
        };
        let mut state = State::begin(&Recorded { at_ms: 5, event: created }).unwrap();
        let outcome = Outcome { winner: Some(Side::First), reason: Reason::Resign };
        let id = GameId::new(Uuid::from_u128(9));
        state
            .apply(&Recorded {
                at_ms: 7,
                event: Event::Started { seats: Seats { first, second }, joined: true },
            })
            .unwrap();
        let offered = Event::Offered { what: OfferKind::Draw, side: Side::First };
        state.apply(&Recorded { at_ms: 7, event: offered }).unwrap();
        let playing = row(id, &state);
        for event in [Event::Resigned { side: Side::Second }, Event::Ended { outcome }] {
            state.apply(&Recorded { at_ms: 9, event }).unwrap();
        }
        [playing, row(id, &state)]
    }

    #[test]
    fn a_row_matches_its_log() {
        let [playing, finished] = rows();
        let position = playing.position.clone();
        let seats = Seats { first: player(1, "Ada").id, second: player(2, "Blaise").id };
        let expected = GameRow {
            id: GameId::new(Uuid::from_u128(9)),
            ruleset: Ruleset::Fenix,
            status: Status::Playing,
            visibility: Visibility::Public,
            creator: player(2, "Blaise").id,
            challenged: None,
            seat: SeatChoice::Second,
            clock: ClockRule::None,
            watching: Watching::Everybody,
            delay: Delay::try_from(3).unwrap(),
            custom_start: false,
            seats: Some(seats),
            version: Version::new(3),
            turn: 1,
            to_move: Side::First,
            outcome: None,
            created_ms: 5,
            updated_ms: 7,
            deadline_ms: Some(7 + 7 * 24 * 3_600_000),
            position,
            offers: vec![StandingOffer { what: OfferKind::Draw, side: Side::First }],
        };
        assert_eq!(playing, expected);
        let outcome = Some(Outcome { winner: Some(Side::First), reason: Reason::Resign });
        let (status, version) = (Status::Finished, Version::new(5));
        let over = GameRow { updated_ms: 9, deadline_ms: None, offers: Vec::new(), ..expected };
        let ended = GameRow { status, version, outcome, ..over };
        assert_eq!(finished, ended);
    }

    #[test]
    fn a_summary_in_full_is_the_row_again_and_one_without_progress_is_none() {
        let names = |id| {
            let (ada, blaise) = (player(1, "Ada"), player(2, "Blaise"));
            (if id == ada.id { ada } else { blaise }, PlayerKind::Guest).into()
        };
        for row in rows() {
            assert_eq!(row_in_full(summary(row.clone(), &names)), Some(row.clone()));
            let shown = summary_without_progress(row.clone(), &names);
            assert_eq!((shown.version, shown.turn, shown.to_move), (Version::NONE, None, None));
            assert_eq!((shown.updated_ms, shown.deadline_ms, &shown.position), (row.created_ms, None, &None));
            assert_eq!(row_in_full(shown), None);
        }
    }
}
