//! Verification of a database by its own tools.

use anyhow::Context;
use sqlx::{
    AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection, postgres::PgDatabaseError,
    sqlite::SqliteConnectOptions,
};
use store::is_damage;

use super::{
    database::{Backend, Database},
    say,
};

/// Maximum number of reported references to missing rows.
const REPORTED: i64 = 100;

/// Result of the verification of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Integrity {
    Sound,
    /// The problems, one per line.
    Damaged(Vec<String>),
    /// The reason why it was not verified.
    Unknown(String),
}

/// Prints the result. Returns whether no problem was found.
pub(super) fn report(integrity: &Integrity) -> anyhow::Result<bool> {
    match integrity {
        Integrity::Sound => say("the database is sound")?,
        Integrity::Damaged(problems) => {
            for problem in problems {
                say(format_args!("the database is damaged: {problem}"))?;
            }
        }
        Integrity::Unknown(why) => say(format_args!("the database was not verified: {why}"))?,
    }
    Ok(!matches!(integrity, Integrity::Damaged(_)))
}

/// Has a database verify itself. This reads all of it and changes nothing.
///
/// # Errors
/// The database cannot be verified, as one that this user may not read. That says nothing about its state.
pub(super) async fn of(database: &Database) -> anyhow::Result<Integrity> {
    match &database.backend {
        Backend::File(options) => of_file(options).await,
        Backend::Postgres(_) => of_postgres(database.url()).await,
    }
}

async fn of_file(options: &SqliteConnectOptions) -> anyhow::Result<Integrity> {
    let options = options.clone().create_if_missing(false).pragma("query_only", "on");
    let mut connection = match SqliteConnection::connect_with(&options).await {
        Ok(connection) => connection,
        Err(error) if is_damage(&error) => return Ok(Integrity::Damaged(vec![error.to_string()])),
        Err(error) => return Err(error).context("cannot verify the database"),
    };
    let mut problems = Vec::new();
    for look in [
        // It returns at most a hundred rows.
        "select integrity_check from pragma_integrity_check where integrity_check <> 'ok'".to_owned(),
        format!(
            "select 'row ' || coalesce(rowid, '') || ' of ' || \"table\" || ' names a row of ' || parent || ' that is missing'
             from pragma_foreign_key_check limit {REPORTED}"
        ),
    ] {
        match sqlx::query_scalar::<_, String>(AssertSqlSafe(look)).fetch_all(&mut connection).await {
            Ok(found) => problems.extend(found),
            Err(error) if is_damage(&error) => problems.push(error.to_string()),
            Err(error) => return Err(error).context("cannot verify the database"),
        }
    }
    connection.close().await.context("cannot close the database")?;
    Ok(if problems.is_empty() { Integrity::Sound } else { Integrity::Damaged(problems) })
}

/// PostgreSQL has no verification of its own; its extension `amcheck` has, if it is installed.
async fn of_postgres(url: &str) -> anyhow::Result<Integrity> {
    let mut connection = PgConnection::connect(url).await.context("cannot connect to PostgreSQL")?;
    connection.execute("set session characteristics as transaction read only").await?;
    let has_amcheck: bool =
        sqlx::query_scalar("select exists (select 1 from pg_extension where extname = 'amcheck')")
            .fetch_one(&mut connection)
            .await
            .context("cannot list the extensions of the database")?;
    let integrity = if has_amcheck {
        match verify_relations(&mut connection).await {
            Ok(problems) if problems.is_empty() => Integrity::Sound,
            Ok(problems) => Integrity::Damaged(problems),
            Err(error) if is_forbidden(&error) => {
                Integrity::Unknown("this user may not call the functions of amcheck".to_owned())
            }
            Err(error) => return Err(error).context("cannot verify the database"),
        }
    } else {
        Integrity::Unknown(
            "`create extension amcheck` in it lets PostgreSQL verify its tables and indexes".to_owned(),
        )
    };
    connection.close().await.context("cannot close the connection to PostgreSQL")?;
    Ok(integrity)
}

/// Returns the problems of all tables and all B-tree indexes, the only kind in use here.
async fn verify_relations(connection: &mut PgConnection) -> Result<Vec<String>, sqlx::Error> {
    let mut problems: Vec<String> = sqlx::query_scalar(
        "select format('block %s of the table %s: %s', found.blkno, class.relname, found.msg)
         from pg_class class join pg_namespace space on space.oid = class.relnamespace,
            lateral verify_heapam(class.oid) found
         where class.relkind = 'r' and space.nspname = any (current_schemas(false))",
    )
    .fetch_all(&mut *connection)
    .await?;
    let indexes: Vec<String> = sqlx::query_scalar(
        "select class.oid::regclass::text
         from pg_class class join pg_namespace space on space.oid = class.relnamespace
            join pg_am method on method.oid = class.relam
         where class.relkind = 'i' and method.amname = 'btree' and space.nspname = any (current_schemas(false))",
    )
    .fetch_all(&mut *connection)
    .await?;
    for index in indexes {
        let verified =
            sqlx::query("select bt_index_check($1::regclass, true)").bind(&index).execute(&mut *connection);
        match verified.await {
            Ok(_) => {}
            Err(sqlx::Error::Database(error)) if is_corruption(&*error) => {
                problems.push(format!("the index {index}: {}", error.message()));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(problems)
}

/// Whether PostgreSQL reports corrupted data or a corrupted index.
fn is_corruption(error: &dyn sqlx::error::DatabaseError) -> bool {
    error.try_downcast_ref::<PgDatabaseError>().is_some_and(|error| matches!(error.code(), "XX001" | "XX002"))
}

/// Whether PostgreSQL reports missing privileges.
fn is_forbidden(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.code().is_some_and(|code| code == "42501"))
}
