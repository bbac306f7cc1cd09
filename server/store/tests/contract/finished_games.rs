use engine::{Ruleset, Side};
use game::{Outcome, Reason, Seats, Status, Visibility, Watching, ids::PlayerId};
use store::{GameFilter, GameResult, GameRow, List, Paging};
use uuid::Uuid;

use crate::{
    database::{Database, contract},
    sample::{append, ids, room},
};

contract! {
    finished_games_are_found_by_every_filter
    a_player_filter_finds_only_listed_games
    filtered_games_come_in_pages
}

async fn finished_games_are_found_by_every_filter(database: Database) {
    let win = |side, reason| Outcome { winner: Some(side), reason };
    let draw = |reason| Outcome { winner: None, reason };
    let games = [
        finished(Ruleset::Fibonacci, ["Ada", "Bob"], win(Side::First, Reason::Surround), 10),
        finished(Ruleset::Fibonacci, ["Bob", "Ada"], win(Side::Second, Reason::Time), 20),
        finished(Ruleset::Fenix, ["Ada", "Cleo"], draw(Reason::Agreement), 30),
        finished(Ruleset::Fenix, ["Cleo", "Bob"], win(Side::First, Reason::Resign), 40),
        finished(Ruleset::Crossfire, ["Cleo", "Ada"], draw(Reason::Repetition), 50),
    ];
    store(&database, &games).await;
    let any = GameFilter::default;
    let cases = [
        (any(), vec![4, 3, 2, 1, 0]),
        (GameFilter { player: Some(called("Ada")), ..any() }, vec![4, 2, 1, 0]),
        (GameFilter { player: Some(called("Dora")), ..any() }, vec![]),
        (GameFilter { ruleset: Some(Ruleset::Fenix), ..any() }, vec![3, 2]),
        (GameFilter { ruleset: Some(Ruleset::Focus), ..any() }, vec![]),
        (GameFilter { result: Some(GameResult::WonBy(Side::First)), ..any() }, vec![3, 0]),
        (GameFilter { result: Some(GameResult::WonBy(Side::Second)), ..any() }, vec![1]),
        (GameFilter { result: Some(GameResult::Draw), ..any() }, vec![4, 2]),
        (GameFilter { reason: Some(Reason::Time), ..any() }, vec![1]),
        (GameFilter { since_ms: Some(30), ..any() }, vec![4, 3, 2]),
        (GameFilter { until_ms: Some(30), ..any() }, vec![1, 0]),
        (GameFilter { since_ms: Some(20), until_ms: Some(40), ..any() }, vec![2, 1]),
        (GameFilter { since_ms: Some(40), until_ms: Some(20), ..any() }, vec![]),
        (
            GameFilter {
                player: Some(called("Ada")),
                result: Some(GameResult::Draw),
                until_ms: Some(50),
                ..any()
            },
            vec![2],
        ),
        (GameFilter { ruleset: Some(Ruleset::Crossfire), reason: Some(Reason::Agreement), ..any() }, vec![]),
    ];
    for (filter, expected) in cases {
        let expected: Vec<_> = expected.into_iter().map(|i: usize| games[i].id).collect();
        assert_eq!(database.first_page(List::FinishedGames(filter.clone())).await, expected, "{filter:?}");
    }
}

async fn a_player_filter_finds_only_listed_games(database: Database) {
    let seen = finished(Ruleset::Fibonacci, ["Ada", "Bob"], drawn(), 10);
    let hidden = [
        GameRow { visibility: Visibility::Link, ..seen.clone() },
        GameRow { watching: Watching::Nobody, ..seen.clone() },
        GameRow { status: Status::Playing, outcome: None, ..seen.clone() },
        GameRow { status: Status::Aborted, outcome: None, ..seen.clone() },
    ];
    store(&database, &hidden.map(|game| GameRow { id: room("Ada").id, ..game })).await;
    store(&database, std::slice::from_ref(&seen)).await;
    assert_eq!(database.first_page(of("Ada")).await, [seen.id]);
    assert_eq!(database.first_page(of("Bob")).await, [seen.id]);
}

async fn filtered_games_come_in_pages(database: Database) {
    let games: Vec<_> = (0..25)
        .map(|i| {
            let seats = if i % 3 == 0 { ["Ada", "Bob"] } else { ["Bob", "Ada"] };
            // Many games end in the same millisecond.
            finished([Ruleset::Fenix, Ruleset::Focus][i % 2], seats, drawn(), i as i64 / 10)
        })
        .collect();
    store(&database, &games).await;
    let fenix = GameFilter { ruleset: Some(Ruleset::Fenix), ..GameFilter::default() };
    let by_name = GameFilter { player: Some(called("Ada")), ..fenix.clone() };
    let between = GameFilter { since_ms: Some(1), until_ms: Some(2), ..GameFilter::default() };
    for (filter, count) in [(fenix, 13), (by_name, 13), (between, 10)] {
        let list = List::FinishedGames(filter);
        let whole = database.first_page(list.clone()).await;
        assert_eq!(whole.len(), count);
        let mut walked = vec![];
        let mut before = None;
        loop {
            let page = database.store.list(list.clone(), Paging { before, limit: 4 }).await.unwrap();
            walked.extend(ids(&page));
            before = page.next;
            if before.is_none() {
                break;
            }
        }
        assert_eq!(walked, whole, "{list:?}");
    }
}

/// The player of this name in all games of a test.
fn called(name: &str) -> PlayerId {
    let number = name.bytes().fold(0, |number, byte| number << 8 | u128::from(byte));
    PlayerId::new(Uuid::from_u128(number))
}

fn of(text: &str) -> List {
    List::FinishedGames(GameFilter { player: Some(called(text)), ..GameFilter::default() })
}

fn drawn() -> Outcome {
    Outcome { winner: None, reason: Reason::Agreement }
}

fn finished(ruleset: Ruleset, names: [&str; 2], outcome: Outcome, ended_ms: i64) -> GameRow {
    let [first, second] = names.map(called);
    GameRow {
        ruleset,
        status: Status::Finished,
        seats: Some(Seats { first, second }),
        outcome: Some(outcome),
        updated_ms: ended_ms,
        ..room("Ada")
    }
}

async fn store(database: &Database, games: &[GameRow]) {
    let writes: Vec<_> = games.iter().map(|game| append(game, 1..=1)).collect();
    assert!(database.commit(&writes).await.iter().all(Result::is_ok));
}
