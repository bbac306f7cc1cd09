use std::collections::BTreeSet;

use game::{
    Seats, Status,
    ids::{GameId, NodeId, Version},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use store::{GameRow, LastChange, open};
use uuid::Uuid;

use crate::{
    database::{Database, contract},
    sample::{append, player, room},
    verbs::Verbs,
};

contract! {
    rooms_and_games_under_way_are_due_at_their_deadline_the_most_overdue_first
    an_append_replaces_the_deadline_of_its_game
    a_moved_deadline_holds_with_and_without_sweeps
    games_are_due_at_their_deadlines_whatever_is_committed_together
    only_one_of_several_nodes_sweeps
    last_changes_are_those_of_the_last_events
}

async fn rooms_and_games_under_way_are_due_at_their_deadline_the_most_overdue_first(database: Database) {
    let mut games = vec![];
    for (status, deadline_ms) in [
        (Status::Playing, Some(300)),
        (Status::Playing, Some(100)),
        (Status::Playing, None),
        (Status::Open, Some(200)),
        (Status::Open, Some(100)),
    ] {
        games.push(stored(&database, status, deadline_ms).await);
    }
    for status in [Status::Finished, Status::Aborted, Status::Cancelled] {
        stored(&database, status, Some(50)).await;
    }
    let [third, first, _, second, also_first] = games[..] else { unreachable!("five games") };
    // Ids sort by their time of creation.
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

async fn an_append_replaces_the_deadline_of_its_game(database: Database) {
    let mut game = GameRow { status: Status::Playing, deadline_ms: Some(100), ..room("Ada") };
    database.write(append(&game, 1..=1)).await;
    game.deadline_ms = Some(200);
    database.write(append(&game, 2..=2)).await;
    assert_eq!(database.store.due_games(199, 10).await.unwrap(), []);
    assert_eq!(database.store.due_games(200, 10).await.unwrap(), [game.id]);
    game.deadline_ms = None;
    database.write(append(&game, 3..=3)).await;
    assert_eq!(database.store.due_games(i64::MAX, 10).await.unwrap(), []);
}

async fn a_moved_deadline_holds_with_and_without_sweeps(database: Database) {
    let node = NodeId::new(Uuid::from_u128(1));
    let seats = Some(Seats { first: player("Ada").id, second: player("Blaise").id });
    let mut game = GameRow { status: Status::Playing, seats, deadline_ms: Some(100), ..room("Ada") };
    database.write(append(&game, 1..=1)).await;
    let mut version = 1;
    // The deadline that a turn sets, and the times of the sweeps before the next turn.
    for (deadline_ms, sweeps_ms) in [
        (Some(500), vec![50, 150]),
        (Some(300), vec![200]),
        (Some(400), vec![]),
        (None, vec![350]),
        (Some(900), vec![360]),
        (Some(600), vec![500, 599, 700]),
    ] {
        version += 1;
        game.deadline_ms = deadline_ms;
        database.write(append(&game, version..=version)).await;
        for now_ms in sweeps_ms {
            assert!(database.store.may_sweep(node, now_ms, now_ms + 10).await);
            let due = deadline_ms.is_some_and(|deadline_ms| deadline_ms <= now_ms);
            assert_eq!(
                database.store.due_games(now_ms, 10).await.unwrap().len(),
                usize::from(due),
                "{now_ms}"
            );
        }
        if let Some(deadline_ms) = deadline_ms {
            assert_eq!(database.store.due_games(deadline_ms - 1, 10).await.unwrap(), []);
            assert_eq!(database.store.due_games(deadline_ms, 10).await.unwrap(), [game.id]);
        }
    }
}

/// Commits random batches, with several turns of a game and games that start, move and end together, and sweeps between.
async fn games_are_due_at_their_deadlines_whatever_is_committed_together(database: Database) {
    let mut chance = StdRng::seed_from_u64(5);
    let seats = Some(Seats { first: player("Ada").id, second: player("Blaise").id });
    let mut games: Vec<(GameRow, u32)> = Vec::new();
    for now_ms in (0..3_000).step_by(50) {
        games.push((GameRow { status: Status::Playing, seats, ..room("Ada") }, 0));
        let mut writes = Vec::new();
        for _ in 0..8 {
            let index = chance.random_range(0..games.len());
            let (game, version) = &mut games[index];
            if game.status == Status::Playing {
                let after_ms = chance.random_range(-200..600);
                game.deadline_ms = chance.random_ratio(4, 5).then_some(now_ms + after_ms);
                if *version > 0 && chance.random_ratio(1, 10) {
                    (game.status, game.deadline_ms) = (Status::Finished, None);
                }
                *version += 1;
                writes.push(append(game, *version..=*version));
            }
        }
        database.commit(&writes).await;
        if chance.random_bool(0.5) {
            assert!(database.store.may_sweep(NodeId::new(Uuid::from_u128(1)), now_ms, now_ms).await);
        }
        let is_due = |game: &GameRow| game.deadline_ms.is_some_and(|deadline_ms| deadline_ms <= now_ms);
        let due = games.iter().filter(|(game, version)| *version > 0 && is_due(game));
        let expected: BTreeSet<GameId> = due.map(|(game, _)| game.id).collect();
        let found = database.store.due_games(now_ms, 1_000).await.unwrap().into_iter().collect();
        assert_eq!(expected, found, "at {now_ms}");
    }
}

async fn stored(database: &Database, status: Status, deadline_ms: Option<i64>) -> GameId {
    let game = GameRow { status, deadline_ms, ..room("Ada") };
    database.write(append(&game, 1..=1)).await;
    game.id
}

async fn only_one_of_several_nodes_sweeps(database: Database) {
    let [here, there] = [1, 2].map(|id| NodeId::new(Uuid::from_u128(id)));
    let other = database.other_node().await;
    for (now_ms, asks, may) in [
        (1000, here, true),
        (1000, there, false),
        (1500, here, true),
        // The three seconds count from its last request.
        (4499, there, false),
        (4500, there, true),
        (4500, here, false),
    ] {
        let store = if asks == here { &database.store } else { &other };
        assert_eq!(store.may_sweep(asks, now_ms, now_ms + 3000).await, may, "{asks} at {now_ms}");
    }
}

async fn last_changes_are_those_of_the_last_events(database: Database) {
    let (one, other, unknown) = (room("Ada"), room("Blaise"), room("Charles"));
    database.write(append(&one, 1..=1)).await;
    database.write(append(&other, 1..=2)).await;
    let other = GameRow { updated_ms: other.updated_ms + 5, ..other };
    database.write(append(&other, 3..=3)).await;
    let mut changes = database.store.last_changes(&[one.id, other.id, unknown.id]).await.unwrap();
    changes.sort();
    let last = |game: &GameRow, version| {
        let version = Version::new(version);
        (game.id, LastChange { version, at_ms: game.updated_ms })
    };
    assert_eq!(changes, [last(&one, 1), last(&other, 3)]);
    assert_eq!(database.store.last_changes(&[]).await.unwrap(), []);
}

#[tokio::test]
async fn checks_that_another_program_has_spoilt_are_repaired_when_a_server_starts() {
    for mut database in [Database::sqlite().await, Database::postgres().await] {
        let games = [100, 200].map(|deadline_ms| GameRow {
            status: if deadline_ms == 100 { Status::Open } else { Status::Playing },
            deadline_ms: Some(deadline_ms),
            ..room("Ada")
        });
        for game in &games {
            database.write(append(game, 1..=1)).await;
        }
        database.execute("update game set check_ms = null where deadline_ms = 100").await;
        database.execute("update game set check_ms = 900 where deadline_ms = 200").await;
        assert_eq!(database.store.due_games(800, 10).await.unwrap(), []);
        database.store.close().await;
        database.store = open(&database.url).await.unwrap();
        assert_eq!(database.store.due_games(800, 10).await.unwrap(), games.map(|game| game.id));
    }
}
