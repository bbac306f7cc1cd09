use engine::Side;
use game::{Bonus, ClockRule, Outcome, Player, RealTime, Reason, Seats, Status, Visibility, ids::GameId};
use sqlx::PgPool;
use store::{
    AccountChange, Audience::Players, CHAT_LINES, CLEARED_ROWS, Ceremony, CeremonyStep, Cleared, Clearing,
    FirstCredential, GameCounts, GameRow, SessionChange, SignIn, TokenHash, Write, Written,
};

use crate::{
    chat::line,
    database::{Database, contract},
    sample::{append, draft, player, room},
    verbs::Verbs,
};

contract! {
    open_rooms_and_games_of_a_player_in_either_seat_are_counted
    aborted_games_are_found_oldest_first_and_deleted_with_their_data
    games_that_were_given_up_are_found_by_their_end_and_those_that_ended_by_the_rules_stay
    the_players_of_a_deleted_game_are_examined_again
    a_line_of_a_deleted_game_is_dropped_and_fails_no_other_write
    guests_without_games_are_deleted_with_their_sessions_and_blocks
    a_guest_seen_in_the_same_transaction_is_not_deleted
    a_large_game_is_deleted_in_parts_and_its_row_with_the_last_part
    a_guest_with_many_blocks_is_deleted_in_parts
    accounts_are_never_deleted
    unused_sessions_end_the_longest_unused_first
    ceremonies_that_have_expired_are_deleted
}

fn real_time() -> ClockRule {
    ClockRule::RealTime(RealTime::new(300, 3, Bonus::PerTurn).unwrap())
}

async fn open_rooms_and_games_of_a_player_in_either_seat_are_counted(database: Database) {
    let [ada, bob, cleo] = ["Ada", "Bob", "Cleo"].map(player);
    let between = |first: &Player, second: &Player| GameRow {
        status: Status::Playing,
        creator: first.id,
        seats: Some(Seats { first: first.id, second: second.id }),
        ..room("Ada")
    };
    let open = GameRow { creator: ada.id, ..room("Ada") };
    for game in [
        open.clone(),
        GameRow {
            visibility: Visibility::Link,
            clock: real_time(),
            ..GameRow { id: room("Ada").id, ..open }
        },
        between(&ada, &bob),
        GameRow { clock: real_time(), ..between(&bob, &ada) },
        GameRow { clock: real_time(), ..between(&cleo, &ada) },
    ] {
        database.write(append(&game, 1..=1)).await;
    }
    for status in [Status::Finished, Status::Aborted, Status::Cancelled] {
        database.write(append(&GameRow { status, ..between(&ada, &bob) }, 1..=1)).await;
    }
    let counts = async |player: &Player| database.store.count_games(player.id).await.unwrap();
    assert_eq!(counts(&ada).await, GameCounts { open_rooms: 2, real_time: 3, under_way: 5 });
    assert_eq!(counts(&bob).await, GameCounts { open_rooms: 0, real_time: 1, under_way: 2 });
    database.write(append(&between(&bob, &bob), 1..=1)).await;
    let with_both_seats = GameCounts { open_rooms: 0, real_time: 1, under_way: 3 };
    assert_eq!(counts(&bob).await, with_both_seats, "a game with one player in both seats counts once");
    assert_eq!(counts(&player("Dora")).await, GameCounts::default());

    let finished = GameRow { status: Status::Finished, ..between(&bob, &cleo) };
    for game in [
        GameRow { clock: real_time(), ..GameRow { id: room("Bob").id, ..finished.clone() } },
        GameRow { id: room("Bob").id, seats: between(&bob, &bob).seats, ..finished.clone() },
        finished,
    ] {
        database.write(append(&game, 1..=1)).await;
    }
    let finished_slow = async |player: &Player, at_most| {
        database.store.count_finished_slow_games(player.id, at_most).await.unwrap()
    };
    assert_eq!(finished_slow(&bob, 10).await, 3, "one against Ada, one against Cleo, one on both seats");
    assert_eq!(finished_slow(&cleo, 10).await, 1);
    assert_eq!(finished_slow(&bob, 2).await, 2);
}

fn games(deleted: &[GameId]) -> Clearing {
    Clearing::Games { deleted: deleted.to_vec(), spared: Vec::new() }
}

/// Stores a game with this status and time of last change.
async fn ended(database: &Database, status: Status, updated_ms: i64) -> GameRow {
    let game = GameRow { status, created_ms: updated_ms - 5, updated_ms, ..room("Ada") };
    database.write(append(&game, 1..=2)).await;
    game
}

async fn aborted_games_are_found_oldest_first_and_deleted_with_their_data(database: Database) {
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
    assert_eq!(store.aborted_games(20, 10).await.unwrap(), [older.id, spared.id, old.id]);
    assert_eq!(store.aborted_games(20, 1).await.unwrap(), [older.id]);

    let all: Vec<_> = [&old, &older].into_iter().chain(&others[1..]).map(|game| game.id).collect();
    let cleared = store.clear(Clearing::Games { deleted: all, spared: vec![spared.id] }).await;
    assert_eq!(cleared, Cleared { deleted: 2, is_more: false });
    for game in [&old, &older] {
        assert_eq!(store.log(game.id).await.unwrap(), None);
        assert!(store.game(game.id).await.unwrap().is_none());
    }
    for game in others.iter().chain([&spared]) {
        assert_eq!(database.log(game.id).await.events.len(), 2, "{:?}", game.status);
    }
    assert_eq!(store.aborted_games(20, 10).await.unwrap(), [], "a spared game is not found again");
    assert_eq!(store.aborted_games(21, 10).await.unwrap(), [young.id]);
    assert_eq!(store.clear(games(&[])).await, Cleared::default());
}

/// Stores a finished game with its reason and its times of creation and end.
async fn finished(database: &Database, reason: Reason, created_ms: i64, ended_ms: i64) -> GameRow {
    let outcome = Some(Outcome { winner: Some(Side::First), reason });
    let status = Status::Finished;
    let seats = Some(Seats { first: player("Ada").id, second: player("Bob").id });
    let game = GameRow { status, seats, outcome, created_ms, updated_ms: ended_ms, ..room("Ada") };
    database.write(append(&game, 1..=2)).await;
    game
}

async fn games_that_were_given_up_are_found_by_their_end_and_those_that_ended_by_the_rules_stay(
    database: Database,
) {
    let given_up = [Reason::Resign, Reason::Time, Reason::Agreement, Reason::Abandon];
    let mut found = Vec::new();
    for (reason, ended_ms) in given_up.into_iter().zip([9, 8, 7, 6]) {
        found.insert(0, finished(&database, reason, 1, ended_ms).await.id);
    }
    let by_the_rules = [
        Reason::Surround,
        Reason::King,
        Reason::Blocked,
        Reason::Repetition,
        Reason::Quiet,
        Reason::TurnLimit,
    ];
    let mut others = Vec::new();
    for reason in by_the_rules {
        others.push(finished(&database, reason, 1, 2).await.id);
    }
    for status in [Status::Open, Status::Playing, Status::Aborted, Status::Cancelled] {
        others.push(ended(&database, status, 1).await.id);
    }
    let young = finished(&database, Reason::Resign, 1, 10).await.id;
    let store = &database.store;
    assert_eq!(store.given_up_games(10, 9).await.unwrap(), found);
    assert_eq!(store.given_up_games(10, 1).await.unwrap(), found[..1]);

    let (spared, deleted) = found.split_first().unwrap();
    let both = [deleted, &others[..by_the_rules.len()]].concat();
    let cleared = store.clear(Clearing::Games { deleted: both, spared: vec![*spared] }).await;
    assert_eq!(cleared, Cleared { deleted: 3, is_more: false });
    for game in deleted {
        assert!(store.log(*game).await.unwrap().is_none() && store.game(*game).await.unwrap().is_none());
    }
    for game in others.iter().chain([spared, &young]) {
        assert_eq!(database.log(*game).await.events.len(), 2);
    }
    assert_eq!(store.given_up_games(11, 9).await.unwrap(), [young], "a spared game is not found again");
}

async fn the_players_of_a_deleted_game_are_examined_again(database: Database) {
    let [ada, bob, maker, elsewhere] = [
        guest(&database, "Ada", 1).await,
        guest(&database, "Bob", 1).await,
        guest(&database, "Maker", 1).await,
        guest(&database, "Elsewhere", 1).await,
    ];
    let between = |status, first: &Player, second: &Player| {
        let seats = Some(Seats { first: first.id, second: second.id });
        GameRow { status, creator: first.id, seats, ..room("Ada") }
    };
    let last = between(Status::Aborted, &ada, &bob);
    let other = between(Status::Playing, &bob, &elsewhere);
    let mut closed = GameRow { creator: maker.id, ..room("Ada") };
    for game in [&last, &other, &closed] {
        database.write(append(game, 1..=1)).await;
    }
    let store = &database.store;
    let guests = || Clearing::Guests { before_ms: 100, at_most: 10 };
    assert_eq!(store.clear(guests()).await, Cleared::default(), "each has a game");
    closed.status = Status::Cancelled;
    database.write(append(&closed, 2..=2)).await;
    assert_eq!(store.clear(guests()).await, Cleared::default());
    assert_eq!(store.clear(games(&[last.id, closed.id])).await, Cleared { deleted: 2, is_more: false });
    assert_eq!(store.clear(guests()).await, Cleared { deleted: 2, is_more: false });
    for (guest, stays) in [(&ada, false), (&maker, false), (&bob, true), (&elsewhere, true)] {
        assert_eq!(is_here(&database, guest).await, stays, "{}", guest.name);
    }
}

async fn a_line_of_a_deleted_game_is_dropped_and_fails_no_other_write(database: Database) {
    let deleted = ended(&database, Status::Aborted, 10).await;
    let other = room("Bob");
    database.store.clear(games(&[deleted.id])).await;
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
    let [first, second, maker, idle, closed, young] = &players[..] else { unreachable!("six guests") };
    let played = GameRow {
        status: Status::Finished,
        seats: Some(Seats { first: first.id, second: second.id }),
        ..room("Ada")
    };
    let open = GameRow { creator: maker.id, ..room("Ada") };
    let cancelled = GameRow { status: Status::Cancelled, creator: closed.id, ..room("Ada") };
    for game in [&played, &open, &cancelled] {
        database.write(append(game, 1..=1)).await;
    }
    let store = &database.store;
    for (one, other) in [(first, idle), (idle, young), (young, second)] {
        store.block(one.id, other.id, 1).await.unwrap();
    }
    let guests = |at_most| Clearing::Guests { before_ms: 100, at_most };
    assert_eq!(store.clear(guests(2)).await, Cleared { deleted: 0, is_more: true });
    assert_eq!(store.clear(guests(10)).await, Cleared { deleted: 2, is_more: false });
    assert_eq!(store.clear(guests(3)).await, Cleared::default(), "spared guests are not examined again");
    for kept in [first, second, maker, young] {
        assert!(is_here(&database, kept).await, "{}", kept.name);
    }
    assert!(!is_here(&database, idle).await && !is_here(&database, closed).await);
    assert_eq!(store.blocks_of(first.id).await.unwrap(), []);
    assert_eq!(store.blocks_of(young.id).await.unwrap(), std::slice::from_ref(second));
}

async fn a_guest_seen_in_the_same_transaction_is_not_deleted(database: Database) {
    let [comes, is_here_all_the_time, stays_away] = [
        guest(&database, "Ada", 1).await,
        guest(&database, "Bob", 1).await,
        guest(&database, "Cleo", 1).await,
    ];
    let store = &database.store;
    let used = SessionChange::Used { token: token(&comes), player: comes.id, now_ms: 100, ending_ms: 0 };
    let seen = Write::Seen { players: vec![player("Nobody").id, is_here_all_the_time.id], now_ms: 100 };
    // The clearing sees the writes of its own transaction, even later ones.
    let clearing = Clearing::Guests { before_ms: 100, at_most: 10 };
    let written = store.commit(&[Write::Clear(clearing.clone()), Write::Session(used), seen]).await.unwrap();
    let cleared = Written::Cleared(Cleared { deleted: 1, is_more: false });
    assert_eq!(written, [Ok(cleared), Ok(Written::Done), Ok(Written::Done)]);
    for (guest, stays) in [(&comes, true), (&is_here_all_the_time, true), (&stays_away, false)] {
        assert_eq!(is_here(&database, guest).await, stays, "{}", guest.name);
    }
    let earlier = Write::Seen { players: vec![comes.id], now_ms: 50 };
    assert_eq!(store.one(earlier).await.unwrap(), Ok(Written::Done));
    assert_eq!(store.clear(clearing).await, Cleared::default(), "an earlier time is ignored");
    let later = Clearing::Guests { before_ms: 101, at_most: 10 };
    assert_eq!(store.clear(later).await, Cleared { deleted: 2, is_more: false });
}

async fn a_large_game_is_deleted_in_parts_and_its_row_with_the_last_part(database: Database) {
    let game = GameRow { status: Status::Cancelled, ..room("Ada") };
    let other = ended(&database, Status::Aborted, 1).await;
    database.write(append(&game, 1..=2 * CLEARED_ROWS + 2)).await;
    let lines: Vec<_> = (0..CHAT_LINES)
        .map(|number| Write::Line(line(&game, Players, &player("Ada"), &number.to_string())))
        .collect();
    database.commit(&lines).await;
    let store = &database.store;
    let n_lines = async || store.chat(game.id, Players, u32::MAX).await.unwrap().len() as u32;
    assert_eq!(n_lines().await, CHAT_LINES);

    let both = games(&[game.id, other.id]);
    let mut n_left = Vec::new();
    while store.clear(both.clone()).await.is_more {
        let log = database.log(game.id).await;
        assert!(store.game(game.id).await.unwrap().is_some());
        assert!(log.events.iter().map(|event| event.version.get()).eq(1..=log.events.len() as u32));
        n_left.push((n_lines().await, log.events.len() as u32));
        assert!(n_left.len() < 10);
    }
    assert_eq!(
        n_left,
        [(0, CLEARED_ROWS + CHAT_LINES + 2), (0, CHAT_LINES + 2)],
        "chats are deleted first, and the first events of each game last"
    );
    for game in [&game, &other] {
        assert!(store.log(game.id).await.unwrap().is_none() && store.game(game.id).await.unwrap().is_none());
    }
}

async fn a_guest_with_many_blocks_is_deleted_in_parts(database: Database) {
    let unloved = guest(&database, "Bob", 1).await;
    let others: Vec<_> = (0..CLEARED_ROWS + 1).map(|_| player("Ada")).collect();
    let new = others
        .iter()
        .map(|other| Write::NewPlayer { player: other.clone(), token: token(other), now_ms: 1_000 })
        .collect::<Vec<_>>();
    database.commit(&new).await;
    let blocks: Vec<_> = others
        .iter()
        .map(|other| Write::Block { player: other.id, blocked: unloved.id, now_ms: 1 })
        .collect();
    database.commit(&blocks).await;
    let clearing = Clearing::Guests { before_ms: 100, at_most: 10 };
    assert_eq!(database.store.clear(clearing.clone()).await, Cleared { deleted: 0, is_more: true });
    assert_eq!(database.store.clear(clearing).await, Cleared { deleted: 1, is_more: false });
    assert!(!is_here(&database, &unloved).await);
    assert_eq!(database.store.blocks_of(others[0].id).await.unwrap(), []);
}

async fn accounts_are_never_deleted(database: Database) {
    let (ada, bob) = (guest(&database, "Ada", 1).await, guest(&database, "Bob", 1).await);
    let by = SignIn {
        token: token(&ada),
        label: None,
        device: TokenHash::of(b"device"),
        device_until_ms: 2,
        now_ms: 1,
        reopens: false,
    };
    let registered = AccountChange::Registered {
        player: ada.clone(),
        session: token(&ada).session(),
        credential: FirstCredential::Password("hash".to_owned()),
        recovery: TokenHash::of(b"code"),
        by,
    };
    database.write(Write::Account(Box::new(registered))).await;
    let clearing = Clearing::Guests { before_ms: 100, at_most: 10 };
    assert_eq!(database.store.clear(clearing).await, Cleared { deleted: 1, is_more: false });
    assert!(is_here(&database, &ada).await && !is_here(&database, &bob).await);
}

async fn ceremonies_that_have_expired_are_deleted(database: Database) {
    for number in 0..CLEARED_ROWS + 2 {
        let challenge = TokenHash::of(&number.to_be_bytes());
        let expires_ms = i64::from(number);
        let ceremony = Ceremony { player: None, state: "{}".to_owned(), expires_ms };
        database.write(Write::Ceremony(CeremonyStep::Begin { challenge, ceremony })).await;
    }
    let clearing = Clearing::Ceremonies { expired_ms: i64::from(CLEARED_ROWS) };
    let all = Cleared { deleted: CLEARED_ROWS, is_more: true };
    assert_eq!(database.store.clear(clearing.clone()).await, all);
    assert_eq!(database.store.clear(clearing).await, Cleared { deleted: 1, is_more: false });
    let last = TokenHash::of(&(CLEARED_ROWS + 1).to_be_bytes());
    let taken = database.store.one(Write::Ceremony(CeremonyStep::Take { challenge: last, now_ms: 0 })).await;
    assert!(matches!(taken.unwrap(), Ok(Written::Taken(_))));
}

async fn unused_sessions_end_the_longest_unused_first(database: Database) {
    let guests: Vec<_> = (0..CLEARED_ROWS + 1).map(|_| player("Ada")).collect();
    let new = guests.iter().zip(0..).map(|(guest, now_ms)| Write::NewPlayer {
        player: guest.clone(),
        token: token(guest),
        now_ms,
    });
    database.commit(&new.collect::<Vec<_>>()).await;
    let clearing = Clearing::Sessions { unused_since_ms: i64::from(CLEARED_ROWS) };
    let all = Cleared { deleted: CLEARED_ROWS, is_more: true };
    assert_eq!(database.store.clear(clearing.clone()).await, all);
    assert!(!is_here(&database, &guests[0]).await && is_here(&database, guests.last().unwrap()).await);
    assert_eq!(database.store.clear(clearing).await, Cleared { deleted: 1, is_more: false });
}

/// Rows that another node has locked are left for the next pass, so neither node waits for the other.
#[tokio::test]
async fn clearing_skips_rows_locked_by_another_node() {
    let database = Database::postgres().await;
    let (game, held) =
        (ended(&database, Status::Aborted, 1).await, ended(&database, Status::Aborted, 1).await);
    let (guest, held_guest) = (guest(&database, "Ada", 1).await, guest(&database, "Bob", 1).await);
    let other_node = PgPool::connect(&database.url).await.unwrap();
    let mut tx = other_node.begin().await.unwrap();
    for (locking, id) in [
        ("select id from game where id = $1 for key share", held.id.uuid()),
        ("select id from player where id = $1 for no key update", held_guest.id.uuid()),
    ] {
        sqlx::query(locking).bind(id).execute(&mut *tx).await.unwrap();
    }
    let clearings = [games(&[game.id, held.id]), Clearing::Guests { before_ms: 100, at_most: 10 }];
    for clearing in &clearings {
        assert_eq!(database.store.clear(clearing.clone()).await, Cleared { deleted: 1, is_more: false });
    }
    assert!(!is_here(&database, &guest).await && is_here(&database, &held_guest).await);
    tx.commit().await.unwrap();
    for clearing in &clearings {
        assert_eq!(database.store.clear(clearing.clone()).await, Cleared { deleted: 1, is_more: false });
    }
}
