//! Snapshots of the rows in the tables, with every word that the columns of a game can have. Older servers and plain
//! SQL read these rows too.

use std::fmt::Write as _;

use engine::{Ruleset, Side};
use game::{
    Bonus, ClockRule, OfferKind, Outcome, Player, RealTime, Reason, SeatChoice, Seats, StandingOffer, Status,
    Visibility, Watching,
    ids::{GameId, LineId, NodeId, PlayerId, Version},
};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use store::{
    Append, Audience, ChatLine, ChatRow, DraftIs, GameRow, SessionChange, StoredEvent, TokenHash, Write,
};
use uuid::Uuid;

use crate::{
    database::Database,
    sample::{command, draft, event, name, room},
    verbs::Verbs,
};

const TABLES: [&str; 10] =
    ["player", "session", "block", "game", "event", "draft", "chat", "heartbeat", "outage", "sweeper"];

#[tokio::test]
async fn sqlite_rows_match_the_snapshot() {
    let database = Database::sqlite().await;
    fill(&database).await;
    let mut connection = SqliteConnection::connect(&database.url).await.unwrap();
    let mut dump = String::new();
    for table in TABLES {
        let columns = "select group_concat('''' || name || ''', case typeof(' || name || ') when ''blob'' \
                       then lower(hex(' || name || ')) else ' || name || ' end') from pragma_table_info($1)";
        let columns: String =
            sqlx::query_scalar(columns).bind(table).fetch_one(&mut connection).await.unwrap();
        let rows =
            format!("select json_patch('{{}}', json_object({columns})) as row from {table} order by row");
        let rows = sqlx::query_scalar(AssertSqlSafe(rows)).fetch_all(&mut connection).await.unwrap();
        write(&mut dump, table, &rows);
    }
    insta::assert_snapshot!("sqlite", dump);
}

#[tokio::test]
async fn postgresql_rows_match_the_snapshot() {
    let database = Database::postgres().await;
    fill(&database).await;
    let mut connection = PgConnection::connect(&database.url).await.unwrap();
    let mut dump = String::new();
    for table in TABLES {
        let rows = format!(
            r#"select line from (select json_strip_nulls(row_to_json({table}))::text as line from {table}) as lines
               order by line collate "C""#
        );
        let rows = sqlx::query_scalar(AssertSqlSafe(rows)).fetch_all(&mut connection).await.unwrap();
        write(&mut dump, table, &rows);
    }
    insta::assert_snapshot!("postgresql", dump);
}

fn write(dump: &mut String, table: &str, rows: &[String]) {
    assert!(!rows.is_empty(), "{table} has no rows");
    writeln!(dump, "{table}").unwrap();
    rows.iter().for_each(|row| writeln!(dump, "  {row}").unwrap());
}

fn player(number: u128, text: &str) -> Player {
    Player { id: PlayerId::new(Uuid::from_u128(number)), name: name(text) }
}

/// A game under way with the first ruleset and no clock.
fn game(number: u128) -> GameRow {
    let (first, second) = (player(1, "Ada"), player(2, "Блез"));
    GameRow {
        id: GameId::new(Uuid::from_u128(number)),
        status: Status::Playing,
        creator: first.id,
        seats: Some(Seats { first: first.id, second: second.id }),
        version: Version::new(3),
        turn: 2,
        to_move: Side::Second,
        updated_ms: 1_700_000_001_000,
        ..room("Ada")
    }
}

fn finished(number: u128, winner: Option<Side>, reason: Reason) -> GameRow {
    GameRow { status: Status::Finished, outcome: Some(Outcome { winner, reason }), ..game(number) }
}

fn real_time(base_s: u32, bonus_s: u32, bonus: Bonus) -> ClockRule {
    ClockRule::RealTime(RealTime::new(base_s, bonus_s, bonus).unwrap())
}

/// Games that together contain every word of every column.
fn games() -> Vec<GameRow> {
    use Side::{First, Second};
    let open = |number| GameRow {
        status: Status::Open,
        seats: None,
        turn: 1,
        to_move: First,
        version: Version::new(1),
        ..game(number)
    };
    vec![
        open(10),
        GameRow {
            ruleset: Ruleset::FibonacciMixed,
            visibility: Visibility::Link,
            seat: SeatChoice::First,
            watching: Watching::Nobody,
            delay: 20.try_into().unwrap(),
            custom_start: true,
            clock: real_time(180, 2, Bonus::PerTurn),
            deadline_ms: Some(1_700_000_060_000),
            ..open(11)
        },
        GameRow { status: Status::Cancelled, seat: SeatChoice::Second, ..open(12) },
        GameRow { challenged: Some(player(2, "Блез").id), visibility: Visibility::Link, ..open(13) },
        GameRow { status: Status::Aborted, ..game(20) },
        GameRow { position: None, ..game(21) },
        GameRow {
            offers: vec![
                StandingOffer { what: OfferKind::Draw, side: First },
                StandingOffer { what: OfferKind::Takeback, side: Second },
            ],
            ..game(25)
        },
        GameRow {
            ruleset: Ruleset::FibonacciCards,
            clock: real_time(0, 30, Bonus::PerAction),
            deadline_ms: Some(1_700_000_031_000),
            delay: 3.try_into().unwrap(),
            ..game(22)
        },
        GameRow { clock: ClockRule::Correspondence { days: 14.try_into().unwrap() }, ..game(23) },
        GameRow {
            clock: ClockRule::Bank { base_days: 10.try_into().unwrap(), bonus_hours: 36.try_into().unwrap() },
            ..game(24)
        },
        finished(30, Some(First), Reason::Surround),
        GameRow { ruleset: Ruleset::Fenix, ..finished(31, Some(Second), Reason::King) },
        GameRow { ruleset: Ruleset::Focus, ..finished(32, Some(First), Reason::Blocked) },
        GameRow { ruleset: Ruleset::FocusClassic, ..finished(33, None, Reason::Repetition) },
        GameRow { ruleset: Ruleset::Fenix, ..finished(34, None, Reason::Quiet) },
        GameRow { ruleset: Ruleset::Crossfire, ..finished(35, None, Reason::TurnLimit) },
        finished(36, Some(Second), Reason::Resign),
        GameRow { clock: real_time(600, 5, Bonus::Delay), ..finished(37, Some(First), Reason::Time) },
        GameRow { clock: real_time(10_800, 180, Bonus::Bronstein), ..finished(38, None, Reason::Agreement) },
        finished(39, Some(Second), Reason::Abandon),
    ]
}

fn appended(game: &GameRow) -> Write {
    let events = (1..=game.version.get()).map(|version| {
        let command = (version != 2).then(|| command(&format!("command-{version}")));
        StoredEvent { command, body: format!(r#"{{"v":1,"n":{version}}}"#), ..event(version) }
    });
    Write::Append(Append::new(events.collect(), game.clone(), DraftIs::Gone).into())
}

fn line(number: u128, audience: Audience) -> Write {
    Write::Line(ChatRow {
        game: GameId::new(Uuid::from_u128(21)),
        audience,
        command: command(&format!("line-{number}")),
        line: ChatLine {
            id: LineId::new(Uuid::from_u128(number)),
            at_ms: 1_700_000_002_000,
            turn: 2,
            who: player(1, "Ada").id,
            text: "Спасибо 🗼".to_owned().try_into().unwrap(),
        },
    })
}

async fn fill(database: &Database) {
    let (ada, blaise) = (player(1, "Ada"), player(2, "Блез"));
    let [token, other, third] = [b"one", b"two", b"six"].map(|token| TokenHash::of(token));
    database.store.create_player(&ada, &token, 1_700_000_000_000).await.unwrap();
    database.store.create_player(&blaise, &other, 1_700_000_000_001).await.unwrap();
    let (player, now_ms, ending_ms) = (ada.id, 1_700_086_400_000, 1_600_000_000_000);
    for change in [
        SessionChange::Used { token, player, now_ms, ending_ms },
        SessionChange::Copied { token: third, by: token, player, now_ms, ending_ms: ending_ms + 1 },
    ] {
        database.write(Write::Session(change)).await;
    }
    database.store.block(ada.id, blaise.id, 1_700_000_000_003).await.unwrap();
    for game in games() {
        database.write(appended(&game)).await;
    }
    let going_on = game(21);
    database.write(draft(&going_on, 3, r#"["b7-c7"]"#)).await;
    let moved = GameRow { version: Version::new(4), deadline_ms: Some(5), turn: 3, ..going_on };
    let kept = Append::new(vec![event(4)], moved, DraftIs::Kept);
    database.write(Write::Append(kept.into())).await;
    database.write(line(40, Audience::Players)).await;
    database.write(line(41, Audience::Spectators)).await;
    database.store.beat(1_700_000_000_000, 5_000).await;
    database.store.beat(1_700_000_060_000, 5_000).await.unwrap();
    let node = NodeId::new(Uuid::from_u128(50));
    assert!(database.store.may_sweep(node, 1_700_000_000_000, 1_700_000_010_000).await);
}
