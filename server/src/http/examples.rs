//! Example games: a complete one for each ruleset, shipped with the program as a record.

use std::sync::LazyLock;

use axum::{extract::State, http::HeaderMap, response::Response};
use engine::{Ruleset, record::Record};
use game::ids::{Delay, GameId};
use protocol::{
    ClockRule, EventKind, GameDocument, GameSummary, ProblemCode::NoSuchResource, Replay, SeatChoice,
    Snapshot, Standing, Status, Text, Turn, Visibility, Watching, replay, schema,
};
use uuid::Uuid;

use super::{
    Problem,
    cached::CachedAnswer,
    describe::{OF_DOCUMENTS, problems},
    document::Recipient,
    extract::Path,
};
use crate::state::App;

static ANSWERS: LazyLock<Vec<(Ruleset, CachedAnswer)>> = LazyLock::new(|| {
    Ruleset::ALL.into_iter().map(|ruleset| (ruleset, CachedAnswer::json(&document(ruleset)))).collect()
});

problems!(ReadProblems: OF_DOCUMENTS, &[NoSuchResource]);

/// The document of a ruleset's example game.
#[utoipa::path(
    get,
    path = "/examples/{ruleset}",
    tag = "learning",
    operation_id = "read_example",
    params(("ruleset" = inline(schema::Ruleset), Path, description = "Id of the ruleset.")),
    responses(
        (status = 200, description = "The game.", body = GameDocument),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        ReadProblems,
    ),
)]
pub(super) async fn read(
    State(app): State<App>,
    recipient: Recipient,
    headers: HeaderMap,
    Path(Text(ruleset)): Path<Text<Ruleset>>,
) -> Result<Response, Problem> {
    let (_, answer) = ANSWERS.iter().find(|(of, _)| *of == ruleset).expect("each ruleset has an example");
    answer.clone().answer(&app, recipient, &headers).await
}

const fn text(ruleset: Ruleset) -> &'static str {
    match ruleset {
        Ruleset::Fibonacci => include_str!("../../examples/fibonacci.txt"),
        Ruleset::FibonacciMixed => include_str!("../../examples/fibonacci-mixed.txt"),
        Ruleset::FibonacciCards => include_str!("../../examples/fibonacci-cards.txt"),
        Ruleset::Fenix => include_str!("../../examples/fenix.txt"),
        Ruleset::Focus => include_str!("../../examples/focus.txt"),
        Ruleset::FocusClassic => include_str!("../../examples/focus-classic.txt"),
        Ruleset::Crossfire => include_str!("../../examples/crossfire.txt"),
    }
}

/// Converts the record of the example game to a document.
fn document(ruleset: Ruleset) -> GameDocument {
    let record = Record::parse_text(text(ruleset)).expect("an example is a record");
    let Replay { events, snapshot } = replay::replay(&record).expect("an example keeps the rules");
    let seats = events.iter().find_map(|event| match &event.what {
        EventKind::Started { seats } => Some(seats.clone()),
        _ => None,
    });
    let seats = seats.expect("the game of a record has players");
    let Snapshot { version, turn, standing: Standing::Finished { outcome, .. } } = &snapshot else {
        panic!("an example is over")
    };
    let Turn { number, side, position, .. } = turn;
    let summary = GameSummary {
        id: GameId::new(Uuid::nil()),
        ruleset,
        status: Status::Finished,
        visibility: Visibility::Link,
        creator: seats.first.clone(),
        challenged: None,
        seat: SeatChoice::First,
        clock: ClockRule::None {},
        watching: Watching::Everybody,
        delay: Delay::default(),
        custom_start: record.start.is_some(),
        seats: Some(seats),
        version: *version,
        turn: Some(*number),
        to_move: Some(*side),
        outcome: Some(outcome.clone()),
        created_ms: 0,
        updated_ms: events.last().map_or(0, |last| last.at_ms),
        deadline_ms: None,
        position: Some(position.clone()),
        offers: Vec::new(),
    };
    GameDocument { summary, events, snapshot }
}

#[cfg(test)]
mod tests {
    use engine::record::EndReason;

    use super::*;

    #[test]
    fn every_ruleset_has_a_whole_game_that_ends_by_its_rules() {
        for ruleset in Ruleset::ALL {
            let record = Record::parse_text(text(ruleset)).unwrap();
            assert_eq!((record.ruleset, &record.start), (ruleset, &None));
            let ending = record.ending.unwrap();
            assert!(matches!(ending.reason, EndReason::Rules(_)) && ending.winner.is_some(), "{ruleset}");
            assert_eq!(record.to_text(), text(ruleset), "byte for byte");
            let document = document(ruleset);
            assert_eq!(document.events.len(), record.turns.len() + 3, "{ruleset}");
            assert_eq!(document.summary.position.as_deref(), Some(record.final_text.as_str()));
        }
    }
}
