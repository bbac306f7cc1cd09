//! Copies of a game, made by SQL.

use anyhow::{Context, ensure};
use rand::{RngExt, rngs::StdRng};
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row, SqliteConnection};
use uuid::Uuid;

/// A connection to a database that no server is running on.
enum Link {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

/// Copies a game so many times, with its log, and returns the copies' ids.
pub(super) async fn of_game(
    url: &str,
    game: &str,
    count: usize,
    chance: &mut StdRng,
) -> anyhow::Result<Vec<String>> {
    let mut link = Link::open(url).await?;
    let original: Uuid = game.parse()?;
    let mut statements = Vec::new();
    for (table, key) in link.tables_of_games().await? {
        let columns = link.columns(&table).await?;
        let values: Vec<_> =
            columns.iter().map(|column| if *column == key { "$1" } else { column }).collect();
        let (columns, values) = (columns.join(", "), values.join(", "));
        statements
            .push(format!("insert into {table} ({columns}) select {values} from {table} where {key} = $2"));
    }
    let mut copies = Vec::with_capacity(count);
    link.execute("begin").await?;
    for _ in 0..count {
        let copy = Uuid::from_bytes(chance.random());
        for statement in &statements {
            link.copy(statement, copy, original).await?;
        }
        copies.push(copy.to_string());
    }
    link.execute("commit").await?;
    link.close().await?;
    Ok(copies)
}

/// Somebody who has played a third of all the copied games.
pub(in crate::siege) const BUSY_PLAYER: &str = "Penelope";

/// What the copies differ in: column and expression of the copy's number `i`. None was `quiet`, and none of the rulesets
/// is `fibonacci-cards`, so that there is something to look for in vain.
fn differences(id: &str) -> [(&'static str, String); 10] {
    let first = format!("case when i % 3 = 0 then '{BUSY_PLAYER}' else 'player ' || (i % 997) end");
    let second = "'player ' || (i % 1009)".to_owned();
    let ruleset =
        "case i % 4 when 0 then 'focus' when 1 then 'fenix' when 2 then 'crossfire' else 'fibonacci' end";
    let reason = "case i % 5 when 0 then 'time' when 1 then 'agreement' else 'resign' end";
    let winner = "case when i % 5 = 1 then null when i % 2 = 0 then 'first' else 'second' end";
    [
        ("id", id.to_owned()),
        ("ruleset", ruleset.to_owned()),
        ("first_name", first.clone()),
        ("first_folded", format!("lower({first})")),
        ("second_name", second.clone()),
        ("second_folded", second),
        ("reason", reason.to_owned()),
        ("winner", winner.to_owned()),
        ("created_ms", "created_ms - i * 60000".to_owned()),
        ("updated_ms", "updated_ms - i * 60000".to_owned()),
    ]
}

/// Copies a game's row so many times, as lists see it: without its log, and with other players, ends and times.
pub(super) async fn into_lists(url: &str, game: &str, count: u32) -> anyhow::Result<()> {
    let mut link = Link::open(url).await?;
    let (id, numbers) = match link {
        Link::Sqlite(_) => (
            "randomblob(16)",
            format!(
                "(with recursive n(i) as (select 1 union all select i + 1 from n where i < {count}) select i from n)"
            ),
        ),
        Link::Postgres(_) => ("gen_random_uuid()", format!("(select generate_series(1, {count}) as i) as n")),
    };
    let differences = differences(id);
    let columns = link.columns("game").await?;
    let values: Vec<_> = columns
        .iter()
        .map(|column| {
            let difference = differences.iter().find(|(name, _)| name == column);
            difference.map_or(column.clone(), |(_, value)| value.clone())
        })
        .collect();
    ensure!(
        differences.iter().all(|(name, _)| columns.iter().any(|column| column == name)),
        "`game` has other columns"
    );
    let (columns, values) = (columns.join(", "), values.join(", "));
    let original: Uuid = game.parse()?;
    let statement = format!(
        "insert into game ({columns}) select {values} from {numbers}, game where $1 <> $2 and id = $2"
    );
    link.copy(&statement, Uuid::nil(), original).await?;
    link.execute("analyze").await?;
    link.close().await
}

impl Link {
    async fn open(url: &str) -> anyhow::Result<Self> {
        Ok(if url.starts_with("sqlite:") {
            Self::Sqlite(SqliteConnection::connect(url).await?)
        } else {
            Self::Postgres(PgConnection::connect(url).await?)
        })
    }

    /// SQLite tidies its files up then, which may not happen while they are copied.
    async fn close(self) -> anyhow::Result<()> {
        match self {
            Self::Sqlite(link) => link.close().await?,
            Self::Postgres(link) => link.close().await?,
        }
        Ok(())
    }

    async fn execute(&mut self, statement: &'static str) -> anyhow::Result<()> {
        match self {
            Self::Sqlite(link) => {
                sqlx::query(statement).execute(link).await?;
            }
            Self::Postgres(link) => {
                sqlx::query(statement).execute(link).await?;
            }
        }
        Ok(())
    }

    async fn copy(&mut self, statement: &str, copy: Uuid, original: Uuid) -> anyhow::Result<()> {
        let statement = AssertSqlSafe(statement.to_owned());
        match self {
            Self::Sqlite(link) => {
                sqlx::query(statement).bind(copy).bind(original).execute(link).await?;
            }
            Self::Postgres(link) => {
                sqlx::query(statement).bind(copy).bind(original).execute(link).await?;
            }
        }
        Ok(())
    }

    /// The texts of a query's first column.
    async fn texts(&mut self, query: String) -> anyhow::Result<Vec<String>> {
        let query = AssertSqlSafe(query);
        Ok(match self {
            Self::Sqlite(link) => {
                let rows = sqlx::query(query).fetch_all(link).await?;
                rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?
            }
            Self::Postgres(link) => {
                let rows = sqlx::query(query).fetch_all(link).await?;
                rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?
            }
        })
    }

    /// The tables that a game is in, and the column that names it there; that of games first.
    async fn tables_of_games(&mut self) -> anyhow::Result<Vec<(String, String)>> {
        let tables = match self {
            Self::Sqlite(_) => {
                "select m.name from sqlite_master m join pragma_table_info(m.name) c on c.name = 'game'
                                where m.type = 'table'"
            }
            Self::Postgres(_) => {
                "select table_name::text from information_schema.columns
                                  where table_schema = 'public' and column_name = 'game'"
            }
        };
        let tables = self.texts(tables.to_owned()).await?;
        // A line of a chat has an id of its own.
        let of_game =
            tables.into_iter().filter(|table| table != "chat").map(|table| (table, "game".to_owned()));
        Ok([("game".to_owned(), "id".to_owned())].into_iter().chain(of_game).collect())
    }

    /// The columns of a table that are not computed.
    async fn columns(&mut self, table: &str) -> anyhow::Result<Vec<String>> {
        let columns = match self {
            Self::Sqlite(_) => format!("select name from pragma_table_xinfo('{table}') where hidden = 0"),
            Self::Postgres(_) => format!(
                "select column_name::text from information_schema.columns
                 where table_schema = 'public' and table_name = '{table}' and is_generated = 'NEVER'"
            ),
        };
        let columns = self.texts(columns).await?;
        (!columns.is_empty()).then_some(columns).with_context(|| format!("there is no table {table}"))
    }
}
