//! Tests of the query plans of the lists: each list is read from an index, in order, and a page examines a bounded
//! number of rows.

use std::{collections::BTreeSet, str::FromStr, sync::Arc};

use engine::{Ruleset, Side};
use game::{Reason, ids::PlayerId};
use serde_json::Value as Json;
use sqlx::{
    AssertSqlSafe, Connection, PgConnection, Row, SqliteConnection, postgres::PgConnectOptions, raw_sql,
};
use tempfile::TempDir;
use uuid::Uuid;

use super::{
    GameFilter, GameResult, List, Paging, Store, open,
    page::LOOKED_AT,
    postgres,
    row::MoveRow,
    sql::{
        Sql, Statement, bound,
        text::{
            ABORTED_GAMES, ACT_BEFORE, ACTS_BY, ACTS_ON, ALL_VACATIONS, COUNT_CHALLENGES,
            COUNT_CHALLENGES_TO, COUNT_FINISHED_SLOW_GAMES, COUNT_UNSEEN, DELETE_LAST_EVENTS,
            DELETE_OLD_NOTICES, DUE_GAMES, EVENTS, GIVEN_UP_GAMES, INBOX, MUTED, NEWEST_SEEKS, OPEN_REPORTS,
            POSTPONE_CHECKS, PUSHES_OF, REPAIR_CHECKS, REPORTS_BY, SEEKS_LIKE, SEEKS_OF, SETTLED_REPORTS,
            TURN_EVENTS, UNCREDITED_VACATIONS,
        },
    },
    sqlite::{self, moves_update, seen_update},
};

/// Number of finished games in the database, more than two pages may examine.
const GAMES: u32 = 2 * LOOKED_AT + 5_000;

/// One in this many games was lost on time. No game was drawn.
const NEEDLES: u32 = 6_000;

const PAGING: Paging = Paging { before: None, limit: 20 };

/// Maximum number of rows that a page reads to show its games: one more than the limit for each of the four branches.
const SHOWN: u64 = 4 * 21;

fn ada() -> PlayerId {
    PlayerId::new(Uuid::from_u128(0xada))
}

/// SQL that inserts many finished games, and a few under way. Ada plays the first side in half of them and the second
/// side in a third of the others.
fn fill(numbers: &str, id: &str, ada: &str, other: &str) -> String {
    let games = |status: &str, numbers: &str, id: &str| {
        format!(
            "insert into game (id, ruleset, status, visibility, creator, seat, first_player,
                second_player, version, turn, to_move, winner, reason,
                created_ms, updated_ms, custom_start)
             select {id}, case i % 3 when 0 then 'fenix' when 1 then 'focus' else 'fibonacci' end, '{status}', 'public',
                {other}, 'first', case i % 2 when 0 then {ada} else {other} end,
                case i % 6 when 1 then {ada} else {other} end, 2, 1, 'first', 'first',
                case i % {NEEDLES} when 0 then 'time' else 'resign' end, i, i, {}
             from {numbers}; ",
            if id.contains("uuid") { "false" } else { "0" },
        )
    };
    games("finished", &numbers.replace("MOST", &GAMES.to_string()), id)
        + &games("playing", &numbers.replace("MOST", "50"), &id.replace("i)", "i + 1000000)"))
}

async fn sqlite() -> (Arc<dyn Store>, SqliteConnection, TempDir) {
    let directory = TempDir::new().unwrap();
    let url = format!("sqlite:{}/towers.db", directory.path().display());
    let store = open(&url).await.unwrap();
    let mut connection = SqliteConnection::connect(&url).await.unwrap();
    let numbers =
        "(with recursive n(i) as (select 1 union all select i + 1 from n where i < MOST) select i from n)";
    let ada = format!("x'{}'", ada().uuid().simple());
    let sql = fill(numbers, "unhex(printf('%032x', i))", &ada, "x'00000000000000000000000000000b0b'");
    raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    (store, connection, directory)
}

async fn postgres() -> (Arc<dyn Store>, PgConnection) {
    let url = system_tests::postgres::Postgres::shared().database();
    let store = open(&url).await.unwrap();
    let mut filling = PgConnection::connect(&url).await.unwrap();
    let ada = format!("'{}'::uuid", ada().uuid());
    let sql = fill(
        "generate_series(1, MOST) as n(i)",
        "lpad(to_hex(i), 32, '0')::uuid",
        &ada,
        "'00000000-0000-0000-0000-000000000b0b'::uuid",
    );
    raw_sql(AssertSqlSafe(sql)).execute(&mut filling).await.unwrap();
    filling.close().await.unwrap();
    let options = PgConnectOptions::from_str(&url).unwrap();
    let options = options.options(postgres::BY_INDEX).options(postgres::FOR_LISTS);
    (store, PgConnection::connect_with(&options).await.unwrap())
}

/// Every list with every combination of filters.
fn lists() -> Vec<List> {
    let mut lists =
        vec![List::OpenRooms, List::LiveGames, List::UnfinishedGamesOf(ada()), List::FinishedGamesOf(ada())];
    for bits in 0..64 {
        let has = |bit: u32| bits & (1 << bit) != 0;
        lists.push(List::FinishedGames(GameFilter {
            player: has(0).then(ada),
            ruleset: has(1).then_some(Ruleset::Fenix),
            result: has(2).then_some(GameResult::Draw),
            reason: has(3).then_some(Reason::Quiet),
            since_ms: has(4).then_some(1_000),
            until_ms: has(5).then_some(i64::from(GAMES) - 1_000),
        }));
    }
    lists
}

fn statements(list: &List) -> impl Iterator<Item = Statement> {
    list.last_looked_at(PAGING).into_iter().chain([list.page(PAGING, None)])
}

/// The indexes that a list may be read from.
fn indexes(list: &List) -> &'static [&'static str] {
    match list {
        List::OpenRooms => &["game_open"],
        List::LiveGames => &["game_live"],
        List::UnfinishedGamesOf(_) => {
            &["game_of_creator", "game_challenged", "game_playing_of_first", "game_playing_of_second"]
        }
        List::FinishedGamesOf(_) => &["game_over_of_first", "game_over_of_second"],
        List::FinishedGames(GameFilter { player: Some(_), .. }) => {
            &["game_finished_of_first", "game_finished_of_second"]
        }
        List::FinishedGames(GameFilter { ruleset: Some(_), .. }) => &["game_finished_of_ruleset"],
        List::FinishedGames(_) => &["game_finished"],
    }
}

/// Whether a step of a plan searches an index of a list rather than the primary key.
fn is_listed(step: &str) -> bool {
    step.starts_with("SEARCH game") && !step.contains("(id=?)")
}

#[tokio::test]
async fn sqlite_finds_the_rows_of_a_commit_by_their_keys() {
    let (_, mut connection, _directory) = sqlite().await;
    raw_sql("analyze").execute(&mut connection).await.unwrap();
    for n_rows in 1..=sqlite::ROWS {
        let moves = moves_update(&(0..n_rows).map(|_| MoveRow::default()).collect::<Vec<_>>());
        let seen = seen_update(&vec![(ada(), 0); n_rows]);
        for statement in [moves, seen] {
            let explain = AssertSqlSafe(format!("explain query plan {}", statement.sql().as_str()));
            let plan = sqlx::query(explain).fetch_all(&mut connection).await.unwrap();
            let plan: Vec<String> = plan.iter().map(|row| row.get(3)).collect();
            let is_scan = |step: &String| step.starts_with("SCAN game") || step.starts_with("SCAN player");
            assert!(!plan.iter().any(is_scan), "full scan with {n_rows} rows: {plan:#?}");
        }
    }
}

/// The steps of the plan of a statement of SQLite.
async fn steps(connection: &mut SqliteConnection, Statement { sql, values }: Statement) -> Vec<String> {
    let explain = AssertSqlSafe(format!("explain query plan {}", sql.sqlite));
    let plan = bound!(sqlx::query(explain), values).fetch_all(connection).await.unwrap();
    plan.iter().map(|row| row.get(3)).collect()
}

#[tokio::test]
async fn sqlite_finds_the_events_of_games_by_their_keys() {
    let (_, mut connection, _directory) = sqlite().await;
    for has_statistics in [false, true] {
        if has_statistics {
            raw_sql("analyze").execute(&mut connection).await.unwrap();
        }
        let reading = EVENTS.bind(ada().uuid()).bind(0_u32).bind(512_u32);
        let deleting = DELETE_LAST_EVENTS.bind_ids([ada().uuid()]).bind(512_u32);
        for (statement, n_searches) in [(reading, 2), (deleting, 1)] {
            let plan = steps(&mut connection, statement).await;
            let of_events =
                plan.iter().filter(|step| step.contains(" event ") && !step.contains("(rowid=?)"));
            let (by_key, others): (Vec<_>, Vec<_>) =
                of_events.partition(|step| step.contains("event_1 (version=? AND game=?)"));
            assert_eq!((by_key.len(), others), (n_searches, vec![]), "{plan:#?}");
            assert!(!plan.iter().any(|step| step.starts_with("SCAN game")), "full scan: {plan:#?}");
        }
    }
}

#[tokio::test]
async fn a_sweep_reads_the_games_that_are_due_for_a_check_from_their_index() {
    let statements = || [DUE_GAMES, POSTPONE_CHECKS].map(|sql| sql.bind(i64::from(GAMES)).bind(10_u32));
    let (_, mut connection, _directory) = sqlite().await;
    for statement in statements() {
        let plan = steps(&mut connection, statement).await;
        assert!(plan.iter().any(|step| step.contains("USING INDEX game_check (check_ms<?)")), "{plan:#?}");
        assert!(!plan.iter().any(|step| step.starts_with("SCAN game")), "full scan: {plan:#?}");
    }
    let (_, mut connection) = postgres().await;
    for statement in statements() {
        let plan = explained(&mut connection, &statement).await;
        let mut used = BTreeSet::new();
        walk(&plan, &mut |node| {
            assert_ne!(node["Node Type"], "Seq Scan", "{plan:#}");
            used.extend(node["Index Name"].as_str().map(str::to_owned));
        });
        assert!(used.contains("game_check"), "{plan:#}");
    }
}

#[tokio::test]
async fn housekeeping_reads_the_games_that_it_may_delete_from_their_indexes_in_order() {
    let statements = || {
        [
            ("game_unplayed", "created_ms", ABORTED_GAMES.bind(i64::from(GAMES)).bind(10_u32)),
            ("game_given_up", "ended_ms", GIVEN_UP_GAMES.bind(i64::from(GAMES)).bind(10_u32)),
        ]
    };
    let (_, mut connection, _directory) = sqlite().await;
    for has_statistics in [false, true] {
        if has_statistics {
            raw_sql("analyze").execute(&mut connection).await.unwrap();
        }
        for (index, column, statement) in statements() {
            let plan = steps(&mut connection, statement).await;
            let [step] = &plan[..] else { panic!("it sorts: {plan:#?}") };
            assert!(step.contains(&format!("INDEX {index} ({column}<?)")), "{plan:#?}");
        }
    }
    let (_, mut connection) = postgres().await;
    for has_statistics in [false, true] {
        if has_statistics {
            sqlx::query("vacuum analyze game").execute(&mut connection).await.unwrap();
        }
        for (index, _, statement) in statements() {
            let plan = explained(&mut connection, &statement).await;
            let mut nodes = Vec::new();
            walk(&plan, &mut |node| {
                nodes.push((node["Node Type"].as_str().unwrap().to_owned(), node["Index Name"].clone()));
            });
            let is_read = |(kind, used): &(String, Json)| kind.starts_with("Index") && used == index;
            assert!(nodes.len() == 2 && nodes[0].0 == "Limit" && is_read(&nodes[1]), "{plan:#}");
        }
    }
}

#[tokio::test]
async fn moderators_and_players_read_reports_and_acts_from_their_indexes_in_order() {
    let statements = || {
        let (id, limit) = (ada().uuid(), 10_u32);
        [
            ("report_open", OPEN_REPORTS.bind(id).bind(limit).bind(id)),
            ("report_settled", SETTLED_REPORTS.bind(id).bind(limit).bind(id)),
            ("report_by", REPORTS_BY.bind(id).bind(Uuid::nil()).bind(limit)),
            ("audit_by", ACTS_BY.bind(id).bind(Uuid::max()).bind(limit)),
            ("audit_by", ACT_BEFORE.bind(id).bind(limit)),
            ("audit_of_target", ACTS_ON.bind(id).bind(Uuid::max()).bind(limit)),
            ("player_muted", MUTED.bind(1_i64)),
        ]
    };
    let (_, mut connection, _directory) = sqlite().await;
    for (index, statement) in statements() {
        let plan = steps(&mut connection, statement).await;
        let [step] = &plan[..] else { panic!("it sorts: {plan:#?}") };
        assert!(step.contains(&format!("INDEX {index} (")), "{plan:#?}");
    }
    let (_, mut connection) = postgres().await;
    for (index, statement) in statements() {
        let plan = explained(&mut connection, &statement).await;
        walk(&plan, &mut |node| {
            let kind = node["Node Type"].as_str().unwrap();
            assert!(!["Seq Scan", "Sort"].contains(&kind), "{index}: {plan:#}");
        });
    }
}

#[tokio::test]
async fn challenges_are_counted_and_seeks_are_read_from_their_indexes() {
    let statements = || {
        let to_accept = |sql: Sql| sql.bind(ada().uuid()).bind(200_u32).bind(20_u32).bind(64_u32);
        [
            COUNT_CHALLENGES.bind_ids([ada().uuid()]).bind(1_i64),
            COUNT_CHALLENGES_TO.bind_ids([ada().uuid()]),
            SEEKS_OF.bind(ada().uuid()),
            to_accept(NEWEST_SEEKS),
            to_accept(SEEKS_LIKE).bind("fenix").bind(r#"{"kind":"none"}"#),
        ]
    };
    let (_, mut connection, _directory) = sqlite().await;
    for statement in statements() {
        let plan = steps(&mut connection, statement).await;
        // Of seeks and of finished games a bounded number is read first.
        let is_read = |step: &str| {
            ["made", "json_each"].iter().any(|table| step.contains(table))
                || ["SCAN seek", "SCAN finished"].contains(&step)
        };
        let is_scan = |step: &String| step.starts_with("SCAN") && !step.contains("USING INDEX");
        let scanned = plan.iter().filter(|step| is_scan(step) && !is_read(step));
        assert_eq!(scanned.collect::<Vec<_>>(), [""; 0], "{plan:#?}");
    }
    let (_, mut connection) = postgres().await;
    for statement in statements() {
        let plan = explained(&mut connection, &statement).await;
        walk(&plan, &mut |node| assert_ne!(node["Node Type"], "Seq Scan", "{plan:#}"));
    }
}

#[tokio::test]
async fn the_finished_games_of_a_player_are_counted_from_their_indexes() {
    let statement = || COUNT_FINISHED_SLOW_GAMES.bind(ada().uuid()).bind(200_u32);
    let (_, mut connection, _directory) = sqlite().await;
    let plan = steps(&mut connection, statement()).await;
    let searched: Vec<_> = plan.iter().filter(|step| step.contains(" game ")).collect();
    assert!(
        searched.iter().all(|step| step.contains("INDEX game_slow_of_")) && searched.len() == 2,
        "{plan:#?}"
    );
    let (_, mut connection) = postgres().await;
    let plan = explained(&mut connection, &statement()).await;
    let mut read = BTreeSet::new();
    walk(&plan, &mut |node| read.extend(node["Index Name"].as_str().map(str::to_owned)));
    assert_eq!(
        read,
        BTreeSet::from(["game_slow_of_first", "game_slow_of_second"].map(str::to_owned)),
        "{plan:#}"
    );
}

/// A server that starts looks at the games under way, not at all there ever were.
#[tokio::test]
async fn the_checks_of_games_under_way_are_repaired_by_their_indexes() {
    let (_, mut connection, _directory) = sqlite().await;
    for (repair, index) in REPAIR_CHECKS.into_iter().zip(["game_playing_of_first", "game_of_creator"]) {
        let plan = steps(&mut connection, repair.into()).await;
        let is_read = |step: &String| step.contains("game") && step.contains(index);
        assert!(plan.iter().any(is_read), "{plan:#?}");
        let is_scan = |step: &String| step.starts_with("SCAN game") && !step.contains("USING");
        assert!(!plan.iter().any(is_scan), "full scan: {plan:#?}");
    }
    let (_, mut connection) = postgres().await;
    for repair in REPAIR_CHECKS {
        let plan = explained(&mut connection, &repair.into()).await;
        walk(&plan, &mut |node| assert_ne!(node["Node Type"], "Seq Scan", "{plan:#}"));
    }
}

#[tokio::test]
async fn the_subscriptions_of_a_player_are_read_from_their_index() {
    let statement = || PUSHES_OF.bind(ada().uuid());
    let (_, mut connection, _directory) = sqlite().await;
    let plan = steps(&mut connection, statement()).await;
    assert!(plan.iter().any(|step| step.contains("INDEX push_of_player (player=?)")), "{plan:#?}");
    assert!(!plan.iter().any(|step| step.starts_with("SCAN")), "full scan: {plan:#?}");
    let (_, mut connection) = postgres().await;
    let plan = explained(&mut connection, &statement()).await;
    walk(&plan, &mut |node| assert_ne!(node["Node Type"], "Seq Scan", "{plan:#}"));
}

#[tokio::test]
async fn vacations_are_read_from_their_indexes_in_order() {
    let statements = || {
        [
            ("vacation_uncredited", UNCREDITED_VACATIONS.bind(10_u32)),
            ("vacation", ALL_VACATIONS.bind(ada().uuid()).bind(1_i64).bind(10_u32)),
        ]
    };
    let (_, mut connection, _directory) = sqlite().await;
    for (index, statement) in statements() {
        let plan = steps(&mut connection, statement).await;
        let [step] = &plan[..] else { panic!("it sorts: {plan:#?}") };
        assert!(step.contains(&format!("INDEX {index}")) || step.contains("_vacation_1 (("), "{plan:#?}");
    }
    let (_, mut connection) = postgres().await;
    for (index, statement) in statements() {
        let plan = explained(&mut connection, &statement).await;
        walk(&plan, &mut |node| {
            let kind = node["Node Type"].as_str().unwrap();
            assert!(!["Seq Scan", "Sort"].contains(&kind), "{index}: {plan:#}");
        });
    }
}

#[tokio::test]
async fn an_inbox_is_read_in_order_and_old_notices_are_found_by_their_indexes() {
    let statements = || {
        [
            ("(player=? AND id<?)", INBOX.bind(ada().uuid()).bind(Uuid::max()).bind(20_u32)),
            ("(player=?)", COUNT_UNSEEN.bind(ada().uuid())),
            ("INDEX notice_at (at_ms<?)", DELETE_OLD_NOTICES.bind(1_i64).bind(500_u32)),
        ]
    };
    let (_, mut connection, _directory) = sqlite().await;
    for (search, statement) in statements() {
        let plan = steps(&mut connection, statement).await;
        assert!(plan.iter().any(|step| step.contains(search)), "{plan:#?}");
        assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "it sorts: {plan:#?}");
    }
    let (_, mut connection) = postgres().await;
    for (search, statement) in statements() {
        let plan = explained(&mut connection, &statement).await;
        walk(&plan, &mut |node| {
            let kind = node["Node Type"].as_str().unwrap();
            assert!(!["Seq Scan", "Sort"].contains(&kind), "{search}: {plan:#}");
        });
    }
}

#[tokio::test]
async fn the_events_of_turns_under_way_are_found_by_their_games_and_versions() {
    let statement = || TURN_EVENTS.bind_ids([1, 2].map(Uuid::from_u128));
    let (_, mut connection, _directory) = sqlite().await;
    let plan = steps(&mut connection, statement()).await;
    for search in ["game USING INDEX sqlite_autoindex_game_1 (id=?)", "(version=? AND game=?)"] {
        assert!(plan.iter().any(|step| step.contains(search)), "{plan:#?}");
    }
    let (_, mut connection) = postgres().await;
    let plan = explained(&mut connection, &statement()).await;
    walk(&plan, &mut |node| assert_ne!(node["Node Type"], "Seq Scan", "{plan:#}"));
}

#[tokio::test]
async fn no_index_has_a_column_that_a_turn_changes() {
    let (_, mut connection, _directory) = sqlite().await;
    let of_sqlite: Vec<String> = sqlx::query_scalar(
        "select sql from sqlite_schema where type = 'index' and tbl_name = 'game' and sql is not null",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    let (_, mut connection) = postgres().await;
    let of_postgres: Vec<String> =
        sqlx::query_scalar("select indexdef from pg_indexes where tablename = 'game'")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    let changed = ["version", "turn", "to_move", "updated_ms", "deadline_ms", "position"];
    for index in of_sqlite.iter().chain(&of_postgres) {
        assert!(!changed.iter().any(|column| index.contains(column)), "{index}");
    }
    assert!(of_sqlite.len() > 5 && of_postgres.len() > 5);
}

#[tokio::test]
async fn sqlite_reads_every_list_from_its_index_in_order() {
    let (_, mut connection, _directory) = sqlite().await;
    for list in lists() {
        for Statement { sql, values } in statements(&list) {
            let explain = AssertSqlSafe(format!("explain query plan {}", sql.sqlite));
            let plan = bound!(sqlx::query(explain), values).fetch_all(&mut connection).await.unwrap();
            let plan: Vec<(i64, String)> = plan.iter().map(|row| (row.get(1), row.get(3))).collect();
            let mut used = BTreeSet::new();
            for (parent, step) in &plan {
                assert!(!step.starts_with("SCAN game"), "full scan: {list:?} {plan:#?}");
                if is_listed(step) {
                    let index = indexes(&list).iter().find(|index| step.contains(&format!(" {index} ")));
                    used.insert(*index.unwrap_or_else(|| panic!("{step}: {list:?} {plan:#?}")));
                    assert!(step.contains("_ms,id)<(?,?)"), "not from the cursor: {list:?} {plan:#?}");
                }
                // Only the rows to be shown may be sorted. They are found and limited one level below.
                let sorts_rows = step.contains("TEMP B-TREE")
                    && plan.iter().any(|(beside, step)| beside == parent && is_listed(step));
                assert!(!sorts_rows, "it sorts examined rows: {list:?} {plan:#?}");
            }
            assert_eq!(used, indexes(&list).iter().copied().collect(), "{list:?} {plan:#?}");
        }
    }
}

#[tokio::test]
async fn postgresql_reads_few_rows_of_every_list_from_its_index_with_and_without_statistics() {
    let (_, mut connection) = postgres().await;
    for are_there_statistics in [false, true] {
        if are_there_statistics {
            sqlx::query("vacuum analyze game").execute(&mut connection).await.unwrap();
        }
        for list in lists() {
            let most = match &list {
                // Both seats.
                List::FinishedGames(GameFilter { player: Some(_), .. }) => {
                    2 * u64::from(LOOKED_AT) + 2 * SHOWN
                }
                List::FinishedGames(_) => u64::from(LOOKED_AT) + SHOWN,
                _ => 2 * SHOWN,
            };
            let last = match list.last_looked_at(PAGING) {
                None => None,
                Some(statement) => {
                    check(&mut connection, &list, &statement, most).await;
                    let Statement { sql, values } = statement;
                    let row: Option<(i64, Uuid)> = bound!(sqlx::query_as(sql.postgres), values)
                        .fetch_optional(&mut connection)
                        .await
                        .unwrap();
                    row.map(|(at_ms, game)| super::Cursor { at_ms, game: game::ids::GameId::new(game) })
                }
            };
            check(&mut connection, &list, &list.page(PAGING, last), most).await;
        }
    }
}

async fn check(connection: &mut PgConnection, list: &List, statement: &Statement, most: u64) {
    let plan = explained(connection, statement).await;
    let mut looked_at = 0;
    let mut used = BTreeSet::new();
    walk(&plan, &mut |node| {
        let kind = node["Node Type"].as_str().unwrap();
        let number = |key: &str| node[key].as_f64().unwrap_or_default();
        assert!(!["Seq Scan", "Bitmap Heap Scan"].contains(&kind), "full scan: {list:?} {plan:#}");
        if node["Relation Name"] == "game" {
            let rows = number("Actual Rows") + number("Rows Removed by Filter");
            looked_at += (rows * number("Actual Loops")) as u64;
        }
        if let Some(index) = node["Index Name"].as_str().filter(|index| *index != "game_pkey") {
            used.insert(index.to_owned());
        }
        if kind == "Sort" {
            let rows = node["Plans"][0]["Actual Rows"].as_f64().unwrap();
            assert!(rows <= SHOWN as f64, "only the rows to be shown are sorted: {list:?} {plan:#}");
        }
    });
    let is_right = used.iter().all(|index| indexes(list).contains(&index.as_str()));
    assert!(is_right, "read from {used:?}: {list:?} {plan:#}");
    assert!(looked_at <= most, "{looked_at} rows, not {most}: {list:?} {plan:#}");
}

/// The plan of a statement, with the rows that it read.
async fn explained(connection: &mut PgConnection, statement: &Statement) -> Json {
    let explain = AssertSqlSafe(format!("explain (analyze, format json) {}", statement.sql.postgres));
    let plan = bound!(sqlx::query(explain), statement.values.clone()).fetch_one(connection).await.unwrap();
    let plan: String = plan.try_get_unchecked(0).unwrap();
    let mut plan: Json = serde_json::from_str(&plan).unwrap();
    plan[0]["Plan"].take()
}

fn walk(node: &Json, seen: &mut impl FnMut(&Json)) {
    seen(node);
    for child in node["Plans"].as_array().into_iter().flatten() {
        walk(child, seen);
    }
}

#[tokio::test]
async fn a_filtered_list_continues_after_the_last_examined_row_on_sqlite() {
    let (store, _connection, _directory) = sqlite().await;
    goes_on(&*store).await;
}

#[tokio::test]
async fn a_filtered_list_continues_after_the_last_examined_row_on_postgresql() {
    let (store, _connection) = postgres().await;
    goes_on(&*store).await;
}

async fn goes_on(store: &dyn Store) {
    let any = GameFilter::default;
    let quiet = GameFilter { reason: Some(Reason::Quiet), ..any() };
    assert_eq!(pages(store, quiet.clone()).await, (vec![], 3), "three pages, all of them empty");
    assert_eq!(pages(store, GameFilter { ruleset: Some(Ruleset::Fenix), ..quiet.clone() }).await.1, 1);
    assert_eq!(pages(store, GameFilter { since_ms: Some(i64::from(GAMES) - 5), ..quiet.clone() }).await.1, 1);
    assert_eq!(pages(store, GameFilter { player: Some(ada()), ..quiet }).await, (vec![], 2));
    let on_time: Vec<i64> = (1..=i64::from(GAMES / NEEDLES)).rev().map(|n| n * i64::from(NEEDLES)).collect();
    let lost_on_time = GameFilter { reason: Some(Reason::Time), ..any() };
    for filter in [
        lost_on_time.clone(),
        GameFilter { ruleset: Some(Ruleset::Fenix), ..lost_on_time.clone() },
        GameFilter {
            player: Some(ada()),
            result: Some(GameResult::WonBy(Side::First)),
            ..lost_on_time.clone()
        },
        GameFilter { until_ms: Some(i64::from(GAMES) + 1), ..lost_on_time.clone() },
    ] {
        assert_eq!(pages(store, filter.clone()).await.0, on_time, "{filter:?}");
    }
    // Bob is rare in one seat only. A page must not show a game of one seat that lies after the last examined row of
    // the other.
    let bobs = GameFilter { player: Some(PlayerId::new(Uuid::from_u128(0xb0b))), ..lost_on_time };
    assert_eq!(pages(store, bobs).await.0, on_time, "Bob plays the second side whenever Ada plays the first");
}

/// Reads all pages of a list. Returns the end times of its games and the number of pages.
async fn pages(store: &dyn Store, filter: GameFilter) -> (Vec<i64>, usize) {
    let (list, mut paging) = (List::FinishedGames(filter), Paging { before: None, limit: 2 });
    let (mut ended, mut n_pages) = (vec![], 0);
    loop {
        let page = store.list(list.clone(), paging).await.unwrap();
        n_pages += 1;
        ended.extend(page.games.iter().map(|game| game.updated_ms));
        match page.next {
            Some(next) => paging.before = Some(next),
            None => return (ended, n_pages),
        }
    }
}
