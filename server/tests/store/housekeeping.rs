use towers::{
    protocol::{GameSummary, Player, Seats, Status, Visibility},
    store::{Audience::Players, GameCounts, Swept, TokenHash, Write},
};

use crate::{
    chat::line,
    database::{Database, contract},
    sample::{append, draft, player, room},
    verbs::Verbs,
};

contract! {
    the_games_of_a_player_are_counted_at_either_seat_with_the_open_rooms
    games_over_before_they_began_are_found_the_oldest_first_and_deleted_with_all_that_is_theirs
    a_line_of_a_deleted_game_goes_with_it_and_hinders_no_other_write
    guests_without_games_are_deleted_with_their_sessions_and_blocks
    a_guest_who_comes_is_noted_once_a_day
}

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

fn real_time() -> towers::protocol::ClockRule {
    let clock = r#"{"kind": "real_time", "base_s": 300, "bonus_s": 3, "bonus": "per_turn"}"#;
    serde_json::from_str(clock).unwrap()
}

async fn the_games_of_a_player_are_counted_at_either_seat_with_the_open_rooms(database: Database) {
    let [ada, bob, cleo] = ["Ada", "Bob", "Cleo"].map(player);
    let between = |first: &Player, second: &Player| GameSummary {
        status: Status::Playing,
        creator: first.clone(),
        seats: Some(Seats { first: first.clone(), second: second.clone() }),
        ..room("Ada")
    };
    let open = GameSummary { creator: ada.clone(), ..room("Ada") };
    for game in [
        open.clone(),
        GameSummary {
            visibility: Visibility::Link,
            clock: real_time(),
            ..GameSummary { id: room("Ada").id, ..open }
        },
        between(&ada, &bob),
        GameSummary { clock: real_time(), ..between(&bob, &ada) },
        GameSummary { clock: real_time(), ..between(&cleo, &ada) },
    ] {
        database.write(append(&game, 1..=1)).await;
    }
    for status in [Status::Finished, Status::Aborted, Status::Cancelled] {
        database.write(append(&GameSummary { status, ..between(&ada, &bob) }, 1..=1)).await;
    }
    let counts = async |player: &Player| database.store.count_games(player.id).await.unwrap();
    assert_eq!(counts(&ada).await, GameCounts { open_rooms: 2, real_time: 3, under_way: 5 });
    assert_eq!(counts(&bob).await, GameCounts { open_rooms: 0, real_time: 1, under_way: 2 });
    database.write(append(&between(&bob, &bob), 1..=1)).await;
    let with_both_seats = GameCounts { open_rooms: 0, real_time: 1, under_way: 3 };
    assert_eq!(counts(&bob).await, with_both_seats, "one game, whose player has both seats");
    assert_eq!(counts(&player("Dora")).await, GameCounts::default());
}

/// A game of this status that last changed at a time.
async fn ended(database: &Database, status: Status, updated_ms: i64) -> GameSummary {
    let game = GameSummary { status, updated_ms, ..room("Ada") };
    database.write(append(&game, 1..=2)).await;
    game
}

async fn games_over_before_they_began_are_found_the_oldest_first_and_deleted_with_all_that_is_theirs(
    database: Database,
) {
    let old = ended(&database, Status::Aborted, 10).await;
    let older = ended(&database, Status::Cancelled, 5).await;
    let spared = ended(&database, Status::Aborted, 7).await;
    let young = ended(&database, Status::Aborted, 20).await;
    let mut others = vec![young.clone()];
    for status in [Status::Open, Status::Playing, Status::Finished] {
        others.push(ended(&database, status, 1).await);
    }
    database.write(draft(&old, 2, "a draft")).await;
    database.write(Write::Line(line(&old, Players, &player("Ada"), "hello"))).await;
    let store = &database.store;
    assert_eq!(store.unplayed_games(20, 10).await.unwrap(), [older.id, spared.id, old.id]);
    assert_eq!(store.unplayed_games(20, 1).await.unwrap(), [older.id]);

    let all: Vec<_> = [&old, &older].into_iter().chain(&others[1..]).map(|game| game.id).collect();
    store.clear_games(&all, &[spared.id]).await.unwrap();
    for game in [&old, &older] {
        assert_eq!(store.log(game.id).await.unwrap(), None);
        assert!(store.game(game.id).await.unwrap().is_none());
    }
    for game in others.iter().chain([&spared]) {
        assert_eq!(database.log(game.id).await.events.len(), 2, "{:?}", game.status);
    }
    assert_eq!(store.unplayed_games(20, 10).await.unwrap(), [], "what is spared is not looked at again");
    assert_eq!(store.unplayed_games(21, 10).await.unwrap(), [young.id]);
    store.clear_games(&[], &[]).await.unwrap();
}

async fn a_line_of_a_deleted_game_goes_with_it_and_hinders_no_other_write(database: Database) {
    let deleted = ended(&database, Status::Aborted, 10).await;
    let other = room("Bob");
    database.store.clear_games(&[deleted.id], &[]).await.unwrap();
    let writes = [
        Write::Line(line(&deleted, Players, &player("Ada"), "too late")),
        append(&other, 1..=1),
        Write::Line(line(&other, Players, &player("Ada"), "hello")),
    ];
    assert_eq!(database.commit(&writes).await, [Ok(()), Ok(()), Ok(())]);
    assert_eq!(database.store.chat(deleted.id, Players, 10).await.unwrap().len(), 0);
    assert_eq!(database.store.chat(other.id, Players, 10).await.unwrap().len(), 1);
}

fn token(player: &Player) -> TokenHash {
    TokenHash::of(player.id.uuid().as_bytes())
}

async fn guest(database: &Database, name: &str, seen_ms: i64) -> Player {
    let guest = player(name);
    database.store.create_player(&guest, &token(&guest), seen_ms).await.unwrap();
    guest
}

async fn is_here(database: &Database, guest: &Player) -> bool {
    database.store.session(&token(guest), -1).await.unwrap().is_some()
}

async fn guests_without_games_are_deleted_with_their_sessions_and_blocks(database: Database) {
    let mut players = vec![];
    for (name, seen_ms) in
        [("First", 1), ("Second", 2), ("Maker", 3), ("Idle", 4), ("Closed", 5), ("Young", 100)]
    {
        players.push(guest(&database, name, seen_ms).await);
    }
    let [first, second, maker, idle, closed, young] = &players[..] else { unreachable!("six were made") };
    let played = GameSummary {
        status: Status::Finished,
        seats: Some(Seats { first: first.clone(), second: second.clone() }),
        ..room("Ada")
    };
    let open = GameSummary { creator: maker.clone(), ..room("Ada") };
    let cancelled = GameSummary { status: Status::Cancelled, creator: closed.clone(), ..room("Ada") };
    for game in [&played, &open, &cancelled] {
        database.write(append(game, 1..=1)).await;
    }
    let store = &database.store;
    for (one, other) in [(first, idle), (idle, young), (young, second)] {
        store.block(one.id, other.id, 1).await.unwrap();
    }
    assert_eq!(store.clear_guests(100, 2).await.unwrap(), Swept { looked_at: 2, deleted: 0 });
    assert_eq!(store.clear_guests(100, 10).await.unwrap(), Swept { looked_at: 3, deleted: 2 });
    assert_eq!(store.clear_guests(100, 10).await.unwrap(), Swept::default(), "nobody is looked at twice");
    for kept in [first, second, maker, young] {
        assert!(is_here(&database, kept).await, "{}", kept.name);
    }
    assert!(!is_here(&database, idle).await && !is_here(&database, closed).await);
    assert_eq!(store.blocks_of(first.id).await.unwrap(), []);
    assert_eq!(store.blocks_of(young.id).await.unwrap(), std::slice::from_ref(second));
}

async fn a_guest_who_comes_is_noted_once_a_day(database: Database) {
    let (comes, stays_away) = (guest(&database, "Ada", 0).await, guest(&database, "Bob", 0).await);
    let store = &database.store;
    store.note_seen(&[comes.id, player("Nobody").id], DAY_MS - 1).await.unwrap();
    assert_eq!(store.clear_guests(0, 10).await.unwrap(), Swept::default());
    store.note_seen(&[comes.id], DAY_MS + 1).await.unwrap();
    store.note_seen(&[], DAY_MS + 2).await.unwrap();
    assert_eq!(store.clear_guests(DAY_MS, 10).await.unwrap(), Swept { looked_at: 1, deleted: 1 });
    assert!(is_here(&database, &comes).await && !is_here(&database, &stays_away).await);
    assert_eq!(store.clear_guests(DAY_MS + 2, 10).await.unwrap(), Swept { looked_at: 1, deleted: 1 });
}
