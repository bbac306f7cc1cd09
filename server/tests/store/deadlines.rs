use towers::{
    ids::GameId,
    protocol::{GameSummary, Status},
};

use crate::{
    database::{Database, contract},
    sample::{append, room},
};

contract! {
    games_under_way_are_due_at_their_deadline_the_longest_due_first
    a_game_that_went_on_is_due_by_its_new_deadline
}

async fn games_under_way_are_due_at_their_deadline_the_longest_due_first(database: Database) {
    let mut games = vec![];
    for deadline_ms in [Some(300), Some(100), None, Some(200), Some(100)] {
        games.push(stored(&database, Status::Playing, deadline_ms).await);
    }
    for status in [Status::Open, Status::Finished, Status::Aborted, Status::Cancelled] {
        stored(&database, status, Some(50)).await;
    }
    let [third, first, _, second, also_first] = games[..] else { unreachable!("five were made") };
    // Ids sort by the time they were made.
    for (now_ms, limit, due) in [
        (99, 10, vec![]),
        (100, 10, vec![first, also_first]),
        (299, 10, vec![first, also_first, second]),
        (300, 10, vec![first, also_first, second, third]),
        (i64::MAX, 3, vec![first, also_first, second]),
    ] {
        assert_eq!(database.store.due_games(now_ms, limit).await.unwrap(), due, "at {now_ms}");
    }
}

async fn a_game_that_went_on_is_due_by_its_new_deadline(database: Database) {
    let mut game = GameSummary { status: Status::Playing, deadline_ms: Some(100), ..room("Ada") };
    database.write(append(&game, 1..=1)).await;
    game.deadline_ms = Some(200);
    database.write(append(&game, 2..=2)).await;
    assert_eq!(database.store.due_games(199, 10).await.unwrap(), []);
    assert_eq!(database.store.due_games(200, 10).await.unwrap(), [game.id]);
    game.deadline_ms = None;
    database.write(append(&game, 3..=3)).await;
    assert_eq!(database.store.due_games(i64::MAX, 10).await.unwrap(), []);
}

async fn stored(database: &Database, status: Status, deadline_ms: Option<i64>) -> GameId {
    let game = GameSummary { status, deadline_ms, ..room("Ada") };
    database.write(append(&game, 1..=1)).await;
    game.id
}
