//! What the store promises, held against both databases.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use engine::{Ruleset, Side};
use sqlx::{Connection, PgConnection, SqliteConnection};
use system_tests::postgres::Postgres;
use tempfile::TempDir;
use tokio::task::JoinSet;
use towers::{
    ids::{CommandId, GameId, PlayerId, PlayerName, Version},
    protocol::{
        Bonus, ClockRule, GameSummary, Outcome, Player, RealTimeParts, Reason, SeatChoice, Seats, Status,
        Visibility, Watching,
    },
    store::{
        Append, Conflict, Cursor, DraftIs, DraftRow, List, Log, Page, Paging, Store, StoreError, StoredEvent,
        TokenHash, Write, WriteError, open, writer,
    },
};
use uuid::Uuid;

/// An empty database.
struct Database {
    url: String,
    store: Arc<dyn Store>,
    /// Where the SQLite file is.
    _directory: Option<TempDir>,
}

impl Database {
    async fn sqlite() -> Self {
        let directory = TempDir::new().unwrap();
        let url = format!("sqlite://{}/towers.db", directory.path().display());
        Self { store: open(&url).await.unwrap(), url, _directory: Some(directory) }
    }

    async fn postgres() -> Self {
        let url = Postgres::shared().database();
        Self { store: open(&url).await.unwrap(), url, _directory: None }
    }

    /// The store as another node has it.
    async fn other_node(&self) -> Arc<dyn Store> {
        open(&self.url).await.unwrap()
    }

    /// Runs SQL behind the store's back.
    async fn execute(&self, sql: &'static str) {
        if self.url.starts_with("sqlite") {
            let mut connection = SqliteConnection::connect(&self.url).await.unwrap();
            sqlx::query(sql).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        } else {
            let mut connection = PgConnection::connect(&self.url).await.unwrap();
            sqlx::query(sql).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
        }
    }

    async fn commit(&self, writes: &[Write]) -> Vec<Result<(), Conflict>> {
        self.store.commit(writes).await.unwrap()
    }

    /// Commits what cannot be in conflict.
    async fn write(&self, write: Write) {
        assert_eq!(self.commit(&[write]).await, [Ok(())]);
    }

    async fn log(&self, game: GameId) -> Log {
        self.store.log(game).await.unwrap().expect("the game is stored")
    }

    async fn bodies(&self, game: GameId) -> Vec<String> {
        self.log(game).await.events.into_iter().map(|event| event.body).collect()
    }

    async fn draft(&self, game: GameId) -> Option<String> {
        self.log(game).await.draft.map(|draft| draft.body)
    }

    async fn first_page(&self, list: List) -> Vec<GameId> {
        let paging = Paging { before: None, limit: 100 };
        ids(&self.store.list(list, paging).await.unwrap())
    }
}

/// Runs each test of the contract on both databases.
macro_rules! contract {
    ($($name:ident)*) => {
        mod on_sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Database::sqlite().await).await;
            })*
        }

        mod on_postgres {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Database::postgres().await).await;
            })*
        }
    };
}

contract! {
    a_log_comes_back_byte_for_byte
    an_unknown_game_is_none
    an_append_that_does_not_follow_is_in_conflict_alone
    of_two_appends_with_the_same_version_one_is_stored
    appends_of_one_game_may_follow_each_other_in_one_transaction
    of_two_nodes_that_append_the_same_version_one_wins
    of_two_nodes_that_make_the_same_game_one_wins
    two_nodes_that_write_to_the_same_games_do_not_block_each_other
    a_command_id_is_used_once_in_a_game
    an_append_is_stored_whole_or_not_at_all
    the_last_draft_is_kept_until_it_is_taken
    an_append_takes_the_draft_away
    an_append_that_changes_no_turn_keeps_the_draft
    a_draft_builds_on_any_version_of_the_turn_under_way
    a_late_draft_does_not_come_back
    a_game_row_comes_back_as_it_was
    public_lists_hold_public_games_of_their_status_newest_first
    paging_has_no_gap_and_no_double
    a_players_games_are_theirs_by_any_seat
    open_rooms_are_counted_by_their_maker
    a_session_is_found_by_its_token_alone
    the_database_holds_no_token
    a_player_is_renamed_and_games_keep_the_old_name
    opening_again_keeps_everything
    every_migration_is_applied
    what_the_writer_acknowledges_another_node_reads
    the_writer_commits_together_what_waits
    the_writer_tells_each_its_own_conflict
    a_refused_write_does_not_fail_those_with_it
    the_writer_ends_when_its_handles_are_gone_and_its_work_is_done
    a_writer_that_has_ended_says_so
}

async fn a_log_comes_back_byte_for_byte(database: Database) {
    let game = room("Ada");
    let bodies = [
        "{\"a\" : 1,\n\t\"b\":1.0e+2 , \"a\":\"twice\"}",
        "{\"text\":\"\\u0000 \\ud83d\\ude00 😀 é e\u{301} \u{202e} ' '' \\\\ $1 ?1\"}",
        "",
        &"x".repeat(100_000),
    ];
    let events: Vec<_> = bodies
        .iter()
        .zip(1..)
        .map(|(body, version)| StoredEvent {
            version: Version::new(version),
            at_ms: i64::from(version) * 1_700_000_000_000,
            command: (version == 2).then(|| command("c-2")),
            body: (*body).to_owned(),
        })
        .collect();

    database.write(write(events[..1].to_vec(), &game)).await;
    database.write(write(events[1..].to_vec(), &game)).await;

    assert_eq!(database.log(game.id).await, Log { events, draft: None });
}

async fn an_unknown_game_is_none(database: Database) {
    let game = room("Ada").id;
    assert_eq!(database.store.log(game).await.unwrap(), None);
    assert!(database.store.game(game).await.unwrap().is_none());
}

async fn an_append_that_does_not_follow_is_in_conflict_alone(database: Database) {
    let [stored, new, bystander] = [room("Ada"), room("Bob"), room("Cleo")];
    database.write(append(&stored, 1..=2)).await;

    let results = database
        .commit(&[
            append(&stored, 2..=3),
            append(&stored, 4..=4),
            append(&new, 2..=2),
            append(&bystander, 1..=1),
        ])
        .await;

    let version = |count| Err(Conflict::Version(Version::new(count)));
    assert_eq!(results, [version(2), version(2), version(0), Ok(())]);
    assert_eq!(database.bodies(stored.id).await, ["1", "2"]);
    assert_eq!(database.store.game(stored.id).await.unwrap().unwrap().version, Version::new(2));
    assert_eq!(database.store.log(new.id).await.unwrap(), None);
    assert_eq!(database.bodies(bystander.id).await, ["1"]);
}

async fn of_two_appends_with_the_same_version_one_is_stored(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=1)).await;
    let other = StoredEvent { body: "other".to_owned(), ..event(2) };

    let results = database.commit(&[append(&game, 2..=2), write(vec![other], &game)]).await;

    assert_eq!(results, [Ok(()), Err(Conflict::Version(Version::new(2)))]);
    assert_eq!(database.bodies(game.id).await, ["1", "2"]);
}

async fn appends_of_one_game_may_follow_each_other_in_one_transaction(database: Database) {
    let game = room("Ada");
    let results = database.commit(&[append(&game, 1..=2), append(&game, 3..=3), append(&game, 4..=5)]).await;
    assert_eq!(results, [Ok(()); 3]);
    assert_eq!(database.bodies(game.id).await, ["1", "2", "3", "4", "5"]);
    assert_eq!(database.store.game(game.id).await.unwrap().unwrap().version, Version::new(5));
}

async fn of_two_nodes_that_append_the_same_version_one_wins(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=1)).await;
    let other = database.other_node().await;
    for version in 2..20 {
        let mine = [append(&game, version..=version)];
        let theirs = [write(vec![StoredEvent { body: "other".to_owned(), ..event(version) }], &game)];

        let (mine, theirs) = tokio::join!(database.store.commit(&mine), other.commit(&theirs));

        let (mine, theirs) = (mine.unwrap()[0], theirs.unwrap()[0]);
        let lost = Err(Conflict::Version(Version::new(version)));
        assert!([(Ok(()), lost), (lost, Ok(()))].contains(&(mine, theirs)), "{mine:?} {theirs:?}");
        let body = if mine.is_ok() { version.to_string() } else { "other".to_owned() };
        assert_eq!(database.bodies(game.id).await.last(), Some(&body));
    }
}

async fn of_two_nodes_that_make_the_same_game_one_wins(database: Database) {
    let (here, work_here) = writer(Arc::clone(&database.store));
    let (there, work_there) = writer(database.other_node().await);
    let mut tasks = JoinSet::new();
    tasks.spawn(work_here);
    tasks.spawn(work_there);
    for _ in 0..20 {
        let [game, bystander] = [room("Ada"), room("Bob")];
        let (mine, theirs, bystander) = tokio::join!(
            here.append(appended(vec![event(1)], &game)),
            there.append(appended(vec![event(1)], &game)),
            there.append(appended(vec![event(1)], &bystander)),
        );
        let conflicts = [mine, theirs].into_iter().filter_map(Result::err).collect::<Vec<_>>();
        assert!(
            matches!(conflicts[..], [WriteError::Conflict(Conflict::Version(version))] if version.get() == 1),
            "{conflicts:?}"
        );
        assert!(bystander.is_ok());
    }
}

async fn two_nodes_that_write_to_the_same_games_do_not_block_each_other(database: Database) {
    let games: Vec<_> = (0..20).map(|_| room("Ada")).collect();
    let makings: Vec<_> = games.iter().map(|game| append(game, 1..=1)).collect();
    database.commit(&makings).await;
    let other = database.other_node().await;
    for version in 2..10 {
        let forwards: Vec<_> = games.iter().map(|game| append(game, version..=version)).collect();
        let backwards: Vec<_> = forwards.iter().rev().cloned().collect();

        let (here, there) = tokio::join!(database.store.commit(&forwards), other.commit(&backwards));

        let there: Vec<_> = there.unwrap().into_iter().rev().collect();
        assert!(here.unwrap().iter().zip(&there).all(|(here, there)| here.is_ok() != there.is_ok()));
    }
}

async fn a_command_id_is_used_once_in_a_game(database: Database) {
    let [game, other] = [room("Ada"), room("Bob")];
    let with = |version, id| StoredEvent { command: Some(command(id)), ..event(version) };

    let results = database
        .commit(&[
            write(vec![with(1, "a"), event(2)], &game),
            write(vec![with(3, "a")], &game),
            write(vec![with(3, "b")], &game),
            write(vec![with(1, "a")], &other),
        ])
        .await;
    assert_eq!(results, [Ok(()), Err(Conflict::Command), Ok(()), Ok(())]);

    let results = database
        .commit(&[
            write(vec![with(4, "b")], &game),
            write(vec![with(4, "c")], &game),
            write(vec![with(2, "b")], &other),
        ])
        .await;
    assert_eq!(results, [Err(Conflict::Command), Ok(()), Ok(())]);
    assert_eq!(database.bodies(game.id).await, ["1", "2", "3", "4"]);
}

async fn an_append_is_stored_whole_or_not_at_all(database: Database) {
    let game = room("Ada");
    let used = StoredEvent { command: Some(command("used")), ..event(1) };
    database.write(write(vec![used], &game)).await;
    let before = database.store.game(game.id).await.unwrap().unwrap();

    let again = StoredEvent { command: Some(command("used")), ..event(3) };
    let results = database.commit(&[write(vec![event(2), again], &game)]).await;

    assert_eq!(results, [Err(Conflict::Command)]);
    assert_eq!(database.bodies(game.id).await, ["1"]);
    assert_same(&database.store.game(game.id).await.unwrap().unwrap(), &before);
}

async fn the_last_draft_is_kept_until_it_is_taken(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=1)).await;
    assert_eq!(database.draft(game.id).await, None);

    database.write(draft(&game, 1, "{ \"first\" : 1 }")).await;
    assert_eq!(database.draft(game.id).await.unwrap(), "{ \"first\" : 1 }");

    let results = database.commit(&[draft(&game, 1, "second"), draft(&game, 1, "third")]).await;
    assert_eq!(results, [Ok(()), Ok(())]);
    assert_eq!(database.draft(game.id).await.unwrap(), "third");

    database.write(Write::TakeDraft(game.id)).await;
    assert_eq!(database.draft(game.id).await, None);
    database.write(Write::TakeDraft(game.id)).await;

    let results = database.commit(&[draft(&game, 1, "fourth"), Write::TakeDraft(game.id)]).await;
    assert_eq!(results, [Ok(()), Ok(())]);
    assert_eq!(database.draft(game.id).await, None);
}

async fn an_append_takes_the_draft_away(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=1)).await;
    database.write(draft(&game, 1, "stored")).await;
    database.write(append(&game, 2..=2)).await;
    assert_eq!(database.draft(game.id).await, None);

    let results = database.commit(&[draft(&game, 2, "before"), append(&game, 3..=3)]).await;
    assert_eq!(results, [Ok(()), Ok(())]);
    assert_eq!(database.draft(game.id).await, None);

    let results = database.commit(&[append(&game, 4..=4), draft(&game, 4, "after")]).await;
    assert_eq!(results, [Ok(()), Ok(())]);
    assert_eq!(database.draft(game.id).await.unwrap(), "after");
}

async fn an_append_that_changes_no_turn_keeps_the_draft(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=2)).await;
    database.write(draft(&game, 2, "made on 2")).await;

    let results = database.commit(&[keeping(&game, 3..=3), keeping(&game, 4..=5)]).await;

    assert_eq!(results, [Ok(()), Ok(())]);
    assert_eq!(database.bodies(game.id).await.len(), 5);
    let kept = DraftRow { game: game.id, version: Version::new(2), body: "made on 2".to_owned() };
    assert_eq!(database.log(game.id).await.draft, Some(kept));

    let results =
        database.commit(&[keeping(&game, 6..=6), append(&game, 7..=7), keeping(&game, 8..=8)]).await;
    assert_eq!(results, [Ok(()); 3]);
    assert_eq!(database.draft(game.id).await, None);
}

async fn a_draft_builds_on_any_version_of_the_turn_under_way(database: Database) {
    let [game, new] = [room("Ada"), room("Bob")];
    database.write(append(&game, 1..=3)).await;
    database.write(keeping(&game, 4..=5)).await;
    let stale = Err(Conflict::Version(Version::new(5)));
    for (version, result) in [(0, stale), (2, stale), (3, Ok(())), (4, Ok(())), (5, Ok(())), (6, stale)] {
        let body = format!("made on {version}");
        assert_eq!(database.commit(&[draft(&game, version, &body)]).await, [result], "{body}");
    }
    assert_eq!(database.draft(game.id).await.unwrap(), "made on 5");

    let results = database
        .commit(&[
            append(&game, 6..=7),
            keeping(&game, 8..=8),
            draft(&game, 6, "late"),
            draft(&game, 7, "good"),
        ])
        .await;
    assert_eq!(results, [Ok(()), Ok(()), Err(Conflict::Version(Version::new(8))), Ok(())]);
    assert_eq!(database.draft(game.id).await.unwrap(), "good");

    database.write(keeping(&new, 1..=2)).await;
    let results = database.commit(&[draft(&new, 0, "on nothing"), draft(&new, 2, "on the first")]).await;
    assert_eq!(results, [Err(Conflict::Version(Version::new(2))), Ok(())]);
}

async fn a_late_draft_does_not_come_back(database: Database) {
    let [game, unknown] = [room("Ada"), room("Bob")];
    database.write(append(&game, 1..=2)).await;

    let results = database
        .commit(&[
            draft(&game, 1, "late"),
            draft(&game, 3, "early"),
            draft(&unknown, 1, "lost"),
            append(&game, 3..=3),
            draft(&game, 2, "late"),
        ])
        .await;

    let version = |count| Err(Conflict::Version(Version::new(count)));
    assert_eq!(results, [version(2), version(2), version(0), Ok(()), version(3)]);
    assert_eq!(database.draft(game.id).await, None);
}

async fn a_game_row_comes_back_as_it_was(database: Database) {
    let outcome = |winner, reason| Some(Outcome { winner, reason });
    let ends = [
        outcome(Some(Side::First), Reason::Surround),
        outcome(Some(Side::Second), Reason::Resign),
        outcome(None, Reason::Repetition),
        outcome(None, Reason::TurnLimit),
        None,
    ];
    let choices = [SeatChoice::First, SeatChoice::Second, SeatChoice::Random];
    let real_time = |base_s, bonus_s, bonus| {
        ClockRule::RealTime(RealTimeParts { base_s, bonus_s, bonus }.try_into().unwrap())
    };
    let clocks = [
        ClockRule::None,
        real_time(10_800, 180, Bonus::PerTurn),
        real_time(0, 5, Bonus::PerAction),
        real_time(300, 0, Bonus::Bronstein),
        ClockRule::Correspondence { days: 14.try_into().unwrap() },
    ];
    for (end, i) in ends.into_iter().zip(0..) {
        let mut game = room("Åsa B.");
        game.ruleset = Ruleset::ALL[i % 2];
        game.visibility = [Visibility::Link, Visibility::Public][i % 2];
        game.seat = choices[i % 3];
        game.clock = clocks[i];
        game.watching = [Watching::Everybody, Watching::Nobody][i % 2];
        game.custom_start = i % 2 == 1;
        database.write(append(&game, 1..=1)).await;
        let stored = GameSummary { version: Version::new(1), ..game.clone() };
        assert_same(&database.store.game(game.id).await.unwrap().unwrap(), &stored);

        game.status = if end.is_some() { Status::Finished } else { Status::Aborted };
        game.deadline_ms = (i % 2 == 0).then_some(1_800_000_000_000);
        game.outcome = end;
        game.seats = Some(Seats { first: player("Zoë"), second: game.creator.clone() });
        game.version = Version::new(2);
        game.turn = 1001;
        game.to_move = Side::Second;
        game.updated_ms += 5;
        database.write(append(&game, 2..=2)).await;
        assert_same(&database.store.game(game.id).await.unwrap().unwrap(), &game);

        game.deadline_ms = game.deadline_ms.xor(Some(1_900_000_000_000));
        game.version = Version::new(3);
        database.write(append(&game, 3..=3)).await;
        assert_same(&database.store.game(game.id).await.unwrap().unwrap(), &game);
    }
}

async fn public_lists_hold_public_games_of_their_status_newest_first(database: Database) {
    let mut listed = [vec![], vec![], vec![]];
    let statuses = [Status::Open, Status::Playing, Status::Finished, Status::Aborted, Status::Cancelled];
    for i in 0..60_usize {
        let mut game = room("Ada");
        // Made in another order than their ids have.
        game.created_ms = [3, 1, 2][i % 3];
        game.updated_ms = 100 - i as i64;
        game.status = statuses[i % 5];
        game.visibility = [Visibility::Public, Visibility::Link][i / 5 % 2];
        game.watching = [Watching::Everybody, Watching::Nobody][i / 10 % 2];
        database.write(append(&game, 1..=1)).await;
        // A game that nobody may watch can still be joined.
        let may_be_seen = game.watching == Watching::Everybody || game.status == Status::Open;
        if let (Visibility::Public, true, Some(list)) = (game.visibility, may_be_seen, listed.get_mut(i % 5))
        {
            list.push(game);
        }
    }
    let [mut open, mut live, mut finished] = listed;
    for list in [&mut open, &mut live] {
        list.sort_by_key(|game| std::cmp::Reverse((game.created_ms, game.id)));
    }
    finished.sort_by_key(|game| std::cmp::Reverse((game.updated_ms, game.id)));
    let ids = |games: &[GameSummary]| games.iter().map(|game| game.id).collect::<Vec<_>>();
    assert_eq!([open.len(), live.len(), finished.len()], [6, 3, 3]);
    assert_eq!(database.first_page(List::OpenRooms).await, ids(&open));
    assert_eq!(database.first_page(List::LiveGames).await, ids(&live));
    assert_eq!(database.first_page(List::FinishedGames).await, ids(&finished));
}

async fn paging_has_no_gap_and_no_double(database: Database) {
    let ada = player("Ada");
    let games: Vec<_> = (0..25)
        .map(|i| GameSummary {
            creator: ada.clone(),
            // Many were made in the same millisecond.
            created_ms: i / 10,
            updated_ms: i / 10,
            ..room("Ada")
        })
        .collect();
    let makings: Vec<_> = games.iter().map(|game| append(game, 1..=1)).collect();
    database.commit(&makings).await;
    walk(&database, List::OpenRooms).await;
    walk(&database, List::GamesOf(ada.id)).await;

    for (status, list) in [(Status::Playing, List::LiveGames), (Status::Finished, List::FinishedGames)] {
        let version = if status == Status::Playing { 2 } else { 3 };
        let changes: Vec<_> = games
            .iter()
            .map(|game| GameSummary {
                status,
                seats: Some(Seats { first: ada.clone(), second: player("Bob") }),
                ..game.clone()
            })
            .map(|game| append(&game, version..=version))
            .collect();
        database.commit(&changes).await;
        walk(&database, list).await;
        walk(&database, List::GamesOf(ada.id)).await;
    }
}

/// Goes through a list of 25 games by pages of different sizes, as a client does that gives cursors back as text.
async fn walk(database: &Database, list: List) {
    let whole = database.first_page(list).await;
    assert_eq!(whole.len(), 25);
    for limit in [1, 4, 5, 24, 25, 26] {
        let mut walked = vec![];
        let mut before = None;
        loop {
            let page = database.store.list(list, Paging { before, limit }).await.unwrap();
            assert!(page.games.len() <= limit as usize);
            walked.extend(ids(&page));
            let Some(next) = page.next else { break };
            assert_eq!(page.games.len(), limit as usize, "only the last page is short");
            // A game that is made meanwhile is newer than all pages to come.
            let cursor: Cursor = next.to_string().parse().unwrap();
            assert_eq!(cursor, next);
            before = Some(cursor);
        }
        assert_eq!(walked, whole, "{list:?} by {limit}");
    }
}

async fn a_players_games_are_theirs_by_any_seat(database: Database) {
    let [ada, bob] = [player("Ada"), player("Bob")];
    let made = |created_ms, creator: &Player| GameSummary {
        creator: creator.clone(),
        created_ms,
        visibility: Visibility::Link,
        ..room("Ada")
    };
    let seated = |game: GameSummary, first: &Player, second: &Player| GameSummary {
        status: Status::Playing,
        seats: Some(Seats { first: first.clone(), second: second.clone() }),
        ..game
    };
    let open = made(1, &ada);
    let as_first = seated(made(4, &ada), &ada, &bob);
    let as_second = seated(made(3, &ada), &bob, &ada);
    let joined = seated(made(2, &bob), &bob, &ada);
    let cancelled = GameSummary { status: Status::Cancelled, ..made(5, &ada) };
    let foreign = made(6, &bob);
    for game in [&open, &as_first, &as_second, &joined, &cancelled, &foreign] {
        database.write(append(game, 1..=1)).await;
    }
    let adas = database.first_page(List::GamesOf(ada.id)).await;
    assert_eq!(adas, [as_first.id, as_second.id, joined.id, open.id]);
    let bobs = database.first_page(List::GamesOf(bob.id)).await;
    assert_eq!(bobs, [foreign.id, as_first.id, as_second.id, joined.id]);
    assert_eq!(database.first_page(List::GamesOf(player("Ada").id)).await, []);
}

async fn open_rooms_are_counted_by_their_maker(database: Database) {
    let ada = player("Ada");
    let statuses = [Status::Open, Status::Open, Status::Playing, Status::Cancelled, Status::Finished];
    for (status, i) in statuses.into_iter().zip(0..) {
        let visibility = if i == 0 { Visibility::Link } else { Visibility::Public };
        let game = GameSummary { status, visibility, creator: ada.clone(), ..room("Ada") };
        database.write(append(&game, 1..=1)).await;
        database.write(append(&room("Bob"), 1..=1)).await;
    }
    assert_eq!(database.store.count_open_rooms(ada.id).await.unwrap(), 2);
    assert_eq!(database.store.count_open_rooms(player("Cleo").id).await.unwrap(), 0);
}

async fn a_session_is_found_by_its_token_alone(database: Database) {
    let [ada, bob] = [player("Ada"), player("Ада 🗼")];
    for (player, token) in [(&ada, b"token of Ada"), (&bob, b"token of Bob")] {
        database.store.create_player(player, &TokenHash::of(token), 1).await.unwrap();
    }
    let found = |token: &'static [u8]| {
        let store = Arc::clone(&database.store);
        async move { store.player_by_token(&TokenHash::of(token)).await.unwrap() }
    };
    assert_eq!(found(b"token of Ada").await, Some(ada.clone()));
    assert_eq!(found(b"token of Bob").await, Some(bob));
    assert_eq!(found(b"token of Ad").await, None);
    assert_eq!(found(b"").await, None);

    let again = database.store.create_player(&player("Cleo"), &TokenHash::of(b"token of Ada"), 1).await;
    assert!(again.unwrap_err().is_refusal(), "a token is one player's");
    assert_eq!(found(b"token of Ada").await, Some(ada));
}

async fn the_database_holds_no_token(database: Database) {
    let hash = TokenHash::of(b"an unmistakable token");
    database.store.create_player(&player("Ada"), &hash, 1).await.unwrap();
    assert!(!format!("{hash:?}").contains(char::is_numeric), "it is not to be logged: {hash:?}");
    let stored: Vec<u8> = if database.url.starts_with("sqlite") {
        let mut connection = SqliteConnection::connect(&database.url).await.unwrap();
        sqlx::query_scalar("select token_hash from session").fetch_one(&mut connection).await.unwrap()
    } else {
        let mut connection = PgConnection::connect(&database.url).await.unwrap();
        sqlx::query_scalar("select token_hash from session").fetch_one(&mut connection).await.unwrap()
    };
    let sha256 = "d7b52fb64eda23e70122411230be46bf3f2db849130e62813e047e4466327f04";
    assert_eq!(stored.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), sha256);
}

async fn a_player_is_renamed_and_games_keep_the_old_name(database: Database) {
    let ada = player("Ada");
    let token = TokenHash::of(b"token");
    database.store.create_player(&ada, &token, 1).await.unwrap();
    let game = GameSummary { creator: ada.clone(), ..room("Ada") };
    database.write(append(&game, 1..=1)).await;

    let renamed = Player { name: name("Countess"), ..ada.clone() };
    let answer = database.store.rename(ada.id, &renamed.name).await.unwrap();

    assert_eq!(answer, Some(renamed.clone()));
    assert_eq!(database.store.player_by_token(&token).await.unwrap(), Some(renamed));
    assert_eq!(database.store.game(game.id).await.unwrap().unwrap().creator, ada);
    assert_eq!(database.store.rename(player("Bob").id, &name("Robert")).await.unwrap(), None);
}

async fn opening_again_keeps_everything(database: Database) {
    let game = room("Ada");
    database.write(append(&game, 1..=3)).await;
    let other = database.other_node().await;
    other.ping().await.unwrap();
    assert_eq!(other.log(game.id).await.unwrap(), Some(database.log(game.id).await));
}

async fn every_migration_is_applied(database: Database) {
    let (kind, applied): (_, i64) = if database.url.starts_with("sqlite") {
        let mut connection = SqliteConnection::connect(&database.url).await.unwrap();
        let count = sqlx::query_scalar("select count(*) from _sqlx_migrations");
        ("sqlite", count.fetch_one(&mut connection).await.unwrap())
    } else {
        let mut connection = PgConnection::connect(&database.url).await.unwrap();
        let count = sqlx::query_scalar("select count(*) from _sqlx_migrations");
        ("postgres", count.fetch_one(&mut connection).await.unwrap())
    };
    let files = std::fs::read_dir(format!("{}/../migrations/{kind}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert_eq!(usize::try_from(applied).unwrap(), files.count());
}

async fn what_the_writer_acknowledges_another_node_reads(database: Database) {
    let other = database.other_node().await;
    let (writer, work) = writer(Arc::clone(&database.store));
    let mut tasks = JoinSet::new();
    tasks.spawn(work);
    let game = room("Ada");
    for version in 1..10 {
        let row = GameSummary { version: Version::new(version), ..game.clone() };
        let committed = writer.append(Append::new(vec![event(version)], row, DraftIs::Gone)).await.unwrap();
        assert_eq!(committed.game(), game.id);
        assert_eq!(committed.events(), [event(version)]);
        assert_eq!(committed.row().version, Version::new(version));
        let events = other.log(game.id).await.unwrap().unwrap().events;
        assert_eq!(events.last(), Some(&event(version)));

        let draft = DraftRow { game: game.id, version: Version::new(version), body: "draft".to_owned() };
        writer.save_draft(draft.clone()).await.unwrap();
        assert_eq!(other.log(game.id).await.unwrap().unwrap().draft, Some(draft));
        if version % 2 == 0 {
            writer.take_draft(game.id).await.unwrap();
            assert_eq!(other.log(game.id).await.unwrap().unwrap().draft, None);
        }
    }
}

async fn the_writer_commits_together_what_waits(database: Database) {
    let counting = Arc::new(Counting::of(&database));
    let (writer, work) = writer(Arc::clone(&counting) as Arc<dyn Store>);
    let games: Vec<_> = (0..600).map(|_| room("Ada")).collect();
    let mut appends = JoinSet::new();
    for game in &games {
        let (writer, append) = (writer.clone(), appended(vec![event(1)], game));
        appends.spawn(async move { writer.append(append).await });
    }
    drop(writer);
    // The appends have their turn first, so that they wait when the writer begins.
    tokio::task::yield_now().await;
    work.await;
    assert!(appends.join_all().await.iter().all(Result::is_ok));
    assert_eq!(counting.writes.load(Ordering::Relaxed), 600);
    let commits = counting.commits.load(Ordering::Relaxed);
    assert!((2..=3).contains(&commits), "{commits} transactions, none of more than 512 writes");
    assert_eq!(database.bodies(games[599].id).await, ["1"]);
}

async fn the_writer_tells_each_its_own_conflict(database: Database) {
    let (writer, work) = writer(Arc::clone(&database.store));
    let game = room("Ada");
    let used = |version| StoredEvent { command: Some(command("used")), ..event(version) };
    let late = DraftRow { game: game.id, version: Version::NONE, body: String::new() };
    let asking = async {
        let answers = tokio::join!(
            writer.append(appended(vec![used(1)], &game)),
            writer.append(appended(vec![event(1)], &game)),
            writer.append(appended(vec![used(2)], &game)),
            writer.save_draft(late),
            writer.append(appended(vec![event(2)], &game)),
        );
        drop(writer);
        answers
    };
    let ((first, second, third, draft, fourth), ()) = tokio::join!(asking, work);
    assert!(first.is_ok());
    assert!(matches!(second, Err(WriteError::Conflict(Conflict::Version(version))) if version.get() == 1));
    assert!(matches!(third, Err(WriteError::Conflict(Conflict::Command))));
    assert!(matches!(draft, Err(WriteError::Conflict(Conflict::Version(version))) if version.get() == 1));
    assert!(fourth.is_ok());
}

async fn a_refused_write_does_not_fail_those_with_it(database: Database) {
    let [broken, whole, other] = [room("Ada"), room("Bob"), room("Cleo")];
    database.write(append(&broken, 1..=1)).await;
    // An event that the game's row knows nothing of: the unique key alone keeps the next one out.
    database
        .execute("insert into event (game, version, at_ms, body) select id, version + 1, 0, 'x' from game")
        .await;
    let (writer, work) = writer(Arc::clone(&database.store));
    let asking = async {
        let answers = tokio::join!(
            writer.append(appended(vec![event(1)], &whole)),
            writer.append(appended(vec![event(2)], &broken)),
            writer.append(appended(vec![event(1)], &other)),
        );
        drop(writer);
        answers
    };
    let ((before, refused, after), ()) = tokio::join!(asking, work);
    assert!(before.is_ok() && after.is_ok());
    assert!(matches!(refused, Err(WriteError::Unknown(error)) if error.is_refusal()));
    assert_eq!(database.bodies(broken.id).await, ["1", "x"]);
    assert_eq!(database.bodies(whole.id).await, ["1"]);
}

async fn the_writer_ends_when_its_handles_are_gone_and_its_work_is_done(database: Database) {
    let (writer, work) = writer(Arc::clone(&database.store));
    let game = room("Ada");
    let mut asking = JoinSet::new();
    let append = appended(vec![event(1)], &game);
    asking.spawn(async move { writer.append(append).await.map(drop) });
    tokio::task::yield_now().await;
    // Who asked is gone, what was asked for is done.
    asking.shutdown().await;
    work.await;
    assert_eq!(database.bodies(game.id).await, ["1"]);
}

async fn a_writer_that_has_ended_says_so(database: Database) {
    let (writer, work) = writer(Arc::clone(&database.store));
    drop(work);
    let game = room("Ada");
    let answer = writer.append(appended(vec![event(1)], &game)).await;
    assert!(matches!(answer, Err(WriteError::Ended)));
    assert_eq!(database.store.log(game.id).await.unwrap(), None);
}

#[tokio::test]
async fn a_stopped_postgresql_is_an_error_and_a_started_one_is_used_again() {
    let server = Postgres::start().unwrap();
    let store = open(&server.database()).await.unwrap();
    let (writer, work) = writer(Arc::clone(&store));
    let mut tasks = JoinSet::new();
    tasks.spawn(work);
    let game = room("Ada");
    writer.append(appended(vec![event(1)], &game)).await.unwrap();

    server.stop();
    let answer = writer.append(appended(vec![event(2)], &game)).await;
    assert!(matches!(answer, Err(WriteError::Unknown(_))), "{answer:?}");
    assert!(store.log(game.id).await.is_err());
    assert!(store.ping().await.is_err());

    server.restart();
    store.ping().await.unwrap();
    assert_eq!(store.log(game.id).await.unwrap().unwrap().events, [event(1)]);
    writer.append(appended(vec![event(2)], &game)).await.unwrap();
}

#[tokio::test]
async fn a_url_of_no_known_form_is_an_error_that_tells_the_forms() {
    let urls = [
        "",
        "towers.db",
        "mysql://root:hunter2@localhost/towers",
        "sqlite::memory:",
        "postgres://u:hunter2@:x",
    ];
    for url in urls {
        let error = open(url).await.unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, StoreError::Url), "{url}: {text}");
        assert!(text.contains("sqlite://") && text.contains("postgres://"), "{text}");
    }
}

#[tokio::test]
async fn no_error_and_no_debug_text_tells_the_password() {
    let urls = [
        "postgres://towers:hunter2@localhost/towers?host=/no/such/directory",
        "postgres://towers:hunter2@[/towers",
        "mysql://towers:hunter2@localhost/towers",
    ];
    for url in urls {
        let error = anyhow::Error::new(open(url).await.unwrap_err());
        let texts = format!("{error} {error:#} {error:?}");
        assert!(!texts.contains("hunter2"), "{texts}");
    }
    let url = Postgres::shared().database().replace("postgres@", "postgres:hunter2@");
    let store = open(&url).await.unwrap();
    assert!(!format!("{store:?}").contains("hunter2"));
}

#[tokio::test]
async fn a_sqlite_file_that_cannot_be_made_is_an_error() {
    let directory = TempDir::new().unwrap();
    let url = format!("sqlite://{}/no/such/directory/towers.db", directory.path().display());
    let error = open(&url).await.unwrap_err();
    assert_eq!(error.to_string(), "cannot open the SQLite file");
}

#[test]
fn a_cursor_is_what_a_list_gave() {
    for text in ["", "1", "1_", "_", "1_x", "x_01890a5d-ac96-774b-bcce-b302099a8057"] {
        assert!(text.parse::<Cursor>().is_err(), "{text}");
    }
}

#[test]
fn the_body_of_an_event_is_not_in_a_debug_text() {
    let event = StoredEvent { body: "a seed".to_owned(), ..event(1) };
    let append = appended(vec![event.clone()], &room("Ada"));
    for text in
        [format!("{event:?}"), format!("{append:?}"), format!("{:?}", Write::Append(Arc::new(append)))]
    {
        assert!(text.contains("version") && !text.contains("seed"), "{text}");
    }
}

#[test]
fn an_append_is_contiguous_and_ends_where_its_row_is() {
    let row = |version| GameSummary { version: Version::new(version), ..room("Ada") };
    let twice = StoredEvent { command: Some(command("c")), ..event(1) };
    let cases = [
        (vec![], 0),
        (vec![event(0)], 0),
        (vec![event(1)], 2),
        (vec![event(1), event(3)], 3),
        (vec![event(2), event(1)], 1),
        (vec![twice.clone(), StoredEvent { version: Version::new(2), ..twice }], 2),
        (vec![StoredEvent { body: "\0".to_owned(), ..event(1) }], 1),
    ];
    for (events, version) in cases {
        let tried = std::panic::catch_unwind(|| Append::new(events.clone(), row(version), DraftIs::Gone));
        assert!(tried.is_err(), "{events:?} {version}");
    }
}

/// Counts what goes through it.
#[derive(Debug)]
struct Counting {
    store: Arc<dyn Store>,
    commits: AtomicUsize,
    writes: AtomicUsize,
}

impl Counting {
    fn of(database: &Database) -> Self {
        Self { store: Arc::clone(&database.store), commits: AtomicUsize::new(0), writes: AtomicUsize::new(0) }
    }
}

#[async_trait]
impl Store for Counting {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<(), Conflict>>, StoreError> {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.writes.fetch_add(writes.len(), Ordering::Relaxed);
        assert!(writes.len() <= 512);
        self.store.commit(writes).await
    }

    async fn log(&self, game: GameId) -> Result<Option<Log>, StoreError> {
        self.store.log(game).await
    }

    async fn game(&self, game: GameId) -> Result<Option<GameSummary>, StoreError> {
        self.store.game(game).await
    }

    async fn list(&self, list: List, paging: Paging) -> Result<Page, StoreError> {
        self.store.list(list, paging).await
    }

    async fn count_open_rooms(&self, creator: PlayerId) -> Result<u32, StoreError> {
        self.store.count_open_rooms(creator).await
    }

    async fn create_player(&self, player: &Player, token: &TokenHash, now_ms: i64) -> Result<(), StoreError> {
        self.store.create_player(player, token, now_ms).await
    }

    async fn player_by_token(&self, token: &TokenHash) -> Result<Option<Player>, StoreError> {
        self.store.player_by_token(token).await
    }

    async fn rename(&self, player: PlayerId, name: &PlayerName) -> Result<Option<Player>, StoreError> {
        self.store.rename(player, name).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.store.ping().await
    }
}

fn name(text: &str) -> PlayerName {
    text.to_owned().try_into().unwrap()
}

fn command(text: &str) -> CommandId {
    text.to_owned().try_into().unwrap()
}

/// A new player of this name.
fn player(text: &str) -> Player {
    Player { id: PlayerId::new(Uuid::now_v7()), name: name(text) }
}

/// A new open public room of a new player.
fn room(creator: &str) -> GameSummary {
    GameSummary {
        id: GameId::new(Uuid::now_v7()),
        ruleset: Ruleset::Fibonacci,
        status: Status::Open,
        visibility: Visibility::Public,
        creator: player(creator),
        seat: SeatChoice::Random,
        clock: ClockRule::None,
        watching: Watching::Everybody,
        custom_start: false,
        seats: None,
        version: Version::NONE,
        turn: 1,
        to_move: Side::First,
        outcome: None,
        created_ms: 1_700_000_000_000,
        updated_ms: 1_700_000_000_000,
        deadline_ms: None,
    }
}

/// An event whose body tells its version.
fn event(version: u32) -> StoredEvent {
    StoredEvent { version: Version::new(version), at_ms: 1, command: None, body: version.to_string() }
}

fn appended(events: Vec<StoredEvent>, game: &GameSummary) -> Append {
    let version = events.last().unwrap().version;
    Append::new(events, GameSummary { version, ..game.clone() }, DraftIs::Gone)
}

fn write(events: Vec<StoredEvent>, game: &GameSummary) -> Write {
    Write::Append(Arc::new(appended(events, game)))
}

fn append(game: &GameSummary, versions: std::ops::RangeInclusive<u32>) -> Write {
    write(versions.map(event).collect(), game)
}

/// As `append`, of events that change no turn.
fn keeping(game: &GameSummary, versions: std::ops::RangeInclusive<u32>) -> Write {
    let row = GameSummary { version: Version::new(*versions.end()), ..game.clone() };
    Write::Append(Arc::new(Append::new(versions.map(event).collect(), row, DraftIs::Kept)))
}

fn draft(game: &GameSummary, version: u32, body: &str) -> Write {
    Write::Draft(DraftRow { game: game.id, version: Version::new(version), body: body.to_owned() })
}

fn ids(page: &Page) -> Vec<GameId> {
    let ids: Vec<_> = page.games.iter().map(|game| game.id).collect();
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "no game twice");
    ids
}

#[track_caller]
fn assert_same(left: &GameSummary, right: &GameSummary) {
    assert_eq!(format!("{left:#?}"), format!("{right:#?}"));
}
