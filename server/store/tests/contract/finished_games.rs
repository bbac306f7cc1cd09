use engine::{Ruleset, Side};
use game::{Outcome, Player, Reason, Seats, Status, Visibility, Watching};
use store::{GameFilter, GameResult, GameRow, List, Paging};

use crate::{
    database::{Database, contract},
    sample::{append, ids, name, player, room},
};

contract! {
    finished_games_are_found_by_every_filter
    a_name_filter_matches_whole_names_in_either_seat_and_any_case
    a_name_filter_finds_only_listed_games
    a_name_filter_matches_the_name_recorded_in_the_game
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
        (GameFilter { player: Some(name("Ada")), ..any() }, vec![4, 2, 1, 0]),
        (GameFilter { player: Some(name("Dora")), ..any() }, vec![]),
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
                player: Some(name("Ada")),
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

async fn a_name_filter_matches_whole_names_in_either_seat_and_any_case(database: Database) {
    let games = [
        finished(Ruleset::Fibonacci, ["Åsa ÖBERG", "Bob"], drawn(), 10),
        finished(Ruleset::Fibonacci, ["Bob", "åSA öberg"], drawn(), 20),
        finished(Ruleset::Fibonacci, ["Asa Oberg", "Bobby"], drawn(), 30),
        finished(Ruleset::Fibonacci, ["b%", "B_b"], drawn(), 40),
    ];
    store(&database, &games).await;
    for (text, expected) in
        [("ÅSA Öberg", vec![1, 0]), ("BOB", vec![1, 0]), ("Bo", vec![]), ("B%", vec![3]), ("b_B", vec![3])]
    {
        let expected: Vec<_> = expected.into_iter().map(|i: usize| games[i].id).collect();
        assert_eq!(database.first_page(of(text)).await, expected, "{text}");
    }
}

async fn a_name_filter_finds_only_listed_games(database: Database) {
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

async fn a_name_filter_matches_the_name_recorded_in_the_game(database: Database) {
    let mut game = room("Ada");
    database.write(append(&game, 1..=1)).await;
    game.seats = Some(Seats { first: player("Bob"), second: player("Ada") });
    game.status = Status::Finished;
    game.outcome = Some(drawn());
    database.write(append(&game, 2..=2)).await;
    assert_eq!(database.first_page(of("bob")).await, [game.id], "the names were added later");
}

async fn filtered_games_come_in_pages(database: Database) {
    let ada = player("Ada");
    let games: Vec<_> = (0..25)
        .map(|i| {
            let seats = if i % 3 == 0 { ["Ada", "Bob"] } else { ["Bob", "Ada"] };
            // Many games end in the same millisecond.
            finished([Ruleset::Fenix, Ruleset::Focus][i % 2], seats, drawn(), i as i64 / 10)
        })
        .collect();
    store(&database, &games).await;
    let fenix = GameFilter { ruleset: Some(Ruleset::Fenix), ..GameFilter::default() };
    let by_name = GameFilter { player: Some(ada.name), ..fenix.clone() };
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

fn of(text: &str) -> List {
    List::FinishedGames(GameFilter { player: Some(name(text)), ..GameFilter::default() })
}

fn drawn() -> Outcome {
    Outcome { winner: None, reason: Reason::Agreement }
}

fn finished(ruleset: Ruleset, names: [&str; 2], outcome: Outcome, ended_ms: i64) -> GameRow {
    let [first, second]: [Player; 2] = names.map(player);
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
