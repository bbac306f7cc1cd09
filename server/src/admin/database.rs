//! The database of an administration command, in the form that the programs of PostgreSQL and SQLite expect.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    str::FromStr,
    sync::Arc,
};

use anyhow::{Context, bail, ensure};
use game::{Player, ids::PlayerName};
use percent_encoding::percent_decode_str;
use sqlx::{Connection, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions};
use store::{Store, StoreError, Write};
use url::Url;

use crate::env::Env;

/// A database, which may not exist yet.
#[derive(Clone, Debug)]
pub(super) struct Database {
    /// URL for the store.
    url: DatabaseUrl,
    pub(super) backend: Backend,
}

/// The kind of a database, with its connection parameters.
#[derive(Clone, Debug)]
pub(super) enum Backend {
    File(Box<SqliteConnectOptions>),
    Postgres(Postgres),
}

/// A database URL. It may contain a password and is never printed.
#[derive(Clone)]
struct DatabaseUrl(String);

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DatabaseUrl(…)")
    }
}

impl Database {
    /// Parses a database URL.
    ///
    /// # Errors
    /// [`StoreError::Url`].
    pub(super) fn of(url: &str) -> Result<Self, StoreError> {
        let backend = match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => SqliteConnectOptions::from_str(url).map(Box::new).map(Backend::File).ok(),
            Some("postgres" | "postgresql") => Postgres::of(url).map(Backend::Postgres),
            Some(_) | None => None,
        };
        Ok(Self { url: DatabaseUrl(url.to_owned()), backend: backend.ok_or(StoreError::Url)? })
    }

    /// Runs all migrations. Creates a missing SQLite file.
    pub(super) async fn migrate(&self) -> anyhow::Result<()> {
        let store = store::open(&self.url.0).await.context("cannot open the database")?;
        store.close().await;
        Ok(())
    }

    /// Opens an existing database for reading.
    pub(super) async fn open_to_read(&self) -> anyhow::Result<Arc<dyn Store>> {
        self.must_exist()?;
        store::open_to_read(&self.url.0).await.context("cannot open the database")
    }

    /// Opens an existing database to change accounts. Servers may be running on it.
    pub(super) async fn open_beside_servers(&self) -> anyhow::Result<Arc<dyn Store>> {
        self.must_exist()?;
        store::open_beside_servers(&self.url.0).await.context("cannot open the database")
    }

    /// # Errors
    /// It is an SQLite file that does not exist.
    pub(super) fn must_exist(&self) -> anyhow::Result<()> {
        match &self.backend {
            Backend::File(options) => must_exist(options.get_filename()),
            Backend::Postgres(_) => Ok(()),
        }
    }

    /// Whether it has tables of Towers, of whatever release.
    pub(super) async fn has_tables(&self) -> anyhow::Result<bool> {
        match &self.backend {
            Backend::File(options) => {
                let options = options.clone().create_if_missing(false).pragma("query_only", "on");
                let opened = SqliteConnection::connect_with(&options).await;
                let mut connection = opened.context("cannot open the database")?;
                let found = has_table_of_games(&mut connection).await.context("cannot read the database")?;
                connection.close().await.context("cannot close the database")?;
                Ok(found)
            }
            Backend::Postgres(_) => {
                let mut connection =
                    PgConnection::connect(self.url()).await.context("cannot connect to PostgreSQL")?;
                let found = sqlx::query_scalar("select to_regclass('game') is not null")
                    .fetch_one(&mut connection)
                    .await
                    .context("cannot list the tables of the database")?;
                connection.close().await.context("cannot close the connection to PostgreSQL")?;
                Ok(found)
            }
        }
    }

    /// URL for PostgreSQL's own client.
    pub(super) fn url(&self) -> &str {
        &self.url.0
    }
}

/// Returns the player whose account has or had a name.
///
/// # Errors
/// There is no such account, or the database cannot be read.
pub(super) async fn account_named(store: &dyn Store, env: &Env, name: &PlayerName) -> anyhow::Result<Player> {
    let found = store.credentials(&name.folded(), None, env.now_ms()).await?;
    let Some(found) = found else { bail!("no account has the name {:?}", name.as_str()) };
    Ok(found.player)
}

/// Writes in a transaction of its own.
///
/// # Errors
/// The write is refused, or the database cannot be written.
pub(super) async fn write(store: &dyn Store, write: Write) -> anyhow::Result<()> {
    for result in store.commit(&[write]).await? {
        result?;
    }
    Ok(())
}

/// Whether an SQLite file has the table of games.
pub(super) async fn has_table_of_games(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("select exists (select 1 from sqlite_schema where type = 'table' and name = 'game')")
        .fetch_one(connection)
        .await
}

/// # Errors
/// The SQLite file does not exist.
fn must_exist(file: &Path) -> anyhow::Result<()> {
    ensure!(file.exists(), "database {} does not exist", file.display());
    Ok(())
}

/// Returns the side files that SQLite may keep next to a database.
pub(super) fn side_files(file: &Path) -> impl Iterator<Item = PathBuf> {
    ["-wal", "-shm", "-journal"].into_iter().map(|ending| {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        name.into()
    })
}

/// Connection parameters for PostgreSQL's programs. The password is passed in the environment, since the arguments of a
/// process are readable by all users of a machine.
#[derive(Clone)]
pub(super) struct Postgres {
    url_without_password: Url,
    /// `None` if the password is in the environment or a password file.
    password: Option<String>,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").field("url", &self.url_without_password.as_str()).finish_non_exhaustive()
    }
}

impl Postgres {
    fn of(url: &str) -> Option<Self> {
        let mut url = Url::parse(url).ok()?;
        if url.cannot_be_a_base() {
            return None;
        }
        let mut password = None;
        if let Some(encoded) = url.password() {
            password = Some(percent_decode_str(encoded).decode_utf8().ok()?.into_owned());
            url.set_password(None).ok()?;
        }
        let settings: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        if settings.iter().any(|(name, _)| name == "password") {
            url.query_pairs_mut().clear();
            for (name, value) in settings {
                if name == "password" {
                    password = Some(value);
                } else {
                    url.query_pairs_mut().append_pair(&name, &value);
                }
            }
        }
        Some(Self { url_without_password: url, password })
    }

    /// Returns a command that runs one of PostgreSQL's programs on the database.
    pub(super) fn command(&self, program: Program) -> Command {
        let mut command = Command::new(program.name());
        command.arg("--no-password").arg("--dbname").arg(self.url_without_password.as_str());
        command.envs(self.password.as_ref().map(|password| ("PGPASSWORD", password)));
        command
    }
}

/// A program of PostgreSQL.
#[derive(Clone, Copy, Debug)]
pub(super) enum Program {
    Dump,
    Restore,
}

impl Program {
    const fn name(self) -> &'static str {
        match self {
            Self::Dump => "pg_dump",
            Self::Restore => "pg_restore",
        }
    }

    /// Checks the exit status. The program has written its complaints to standard error.
    pub(super) fn done(self, status: io::Result<ExitStatus>) -> anyhow::Result<()> {
        let name = self.name();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => bail!("{name} failed: {status}"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
                "{name} is not installed: it is one of PostgreSQL's client programs (in Debian: postgresql-client), \
                 of the server's version or a newer one"
            ),
            Err(error) => Err(error).with_context(|| format!("{name} cannot be started")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_program_is_started_with_a_password_in_its_arguments() {
        for (url, shown) in [
            ("postgres://ada:s%23cret%40@host:5433/towers?sslmode=require", "?sslmode=require"),
            ("postgres://ada@host:5433/towers?password=s%23cret%40&sslmode=require", "?sslmode=require"),
        ] {
            let Backend::Postgres(postgres) = Database::of(url).unwrap().backend else { panic!("{url}") };
            let command = postgres.command(Program::Dump);
            let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
            let expected = format!("postgres://ada@host:5433/towers{shown}");
            assert_eq!(arguments, ["--no-password", "--dbname", &expected]);
            let password = command.get_envs().find(|(name, _)| *name == "PGPASSWORD").unwrap().1;
            assert_eq!(password.unwrap(), "s#cret@");
            assert!(!format!("{:?}", Database::of(url).unwrap()).contains("cret"));
        }
    }

    #[test]
    fn a_database_is_found_by_its_socket_too() {
        for url in ["postgres:///towers?host=/run/postgresql", "postgresql://%2Frun%2Fpostgresql/towers"] {
            let Backend::Postgres(postgres) = Database::of(url).unwrap().backend else { panic!("{url}") };
            let command = postgres.command(Program::Dump);
            let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
            assert_eq!(arguments, ["--no-password", "--dbname", url]);
        }
    }

    #[test]
    fn a_url_that_no_store_opens_is_refused() {
        for url in ["", "towers.db", "mysql://host/towers", "postgres:", "sqlite"] {
            assert!(matches!(Database::of(url), Err(StoreError::Url)), "{url}");
        }
    }
}
