//! Fresh and empty databases for servers.

use std::{fs, path::PathBuf, process::Command};

use tempfile::TempDir;

use crate::postgres::Postgres;

/// A database for a server.
#[derive(Debug)]
pub struct Database {
    url: String,
    /// Directory of the SQLite files, deleted on drop.
    directory: Option<TempDir>,
}

impl Database {
    /// Returns an SQLite database, which the server will create.
    ///
    /// # Panics
    /// If there is no room for it.
    pub fn sqlite() -> Self {
        let directory = TempDir::with_prefix("towers-sqlite-").expect("a temporary directory can be made");
        let url = format!("sqlite://{}", directory.path().join("towers.db").display());
        Self { url, directory: Some(directory) }
    }

    /// Returns an empty database of the PostgreSQL server shared by the tests of a process.
    pub fn postgres() -> Self {
        Self::at(&Postgres::shared().database())
    }

    /// Returns a database that the caller has created and will clean up.
    pub fn at(url: &str) -> Self {
        Self { url: url.to_owned(), directory: None }
    }

    /// Value for `--database-url`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The SQLite file, `None` for another kind of database.
    pub fn file(&self) -> Option<PathBuf> {
        self.url.strip_prefix("sqlite://").map(PathBuf::from)
    }

    /// Returns the content of the database, as its files or its dump. No server may run on it.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn everything_stored(&self) -> Vec<u8> {
        if let Some(directory) = &self.directory {
            let files = fs::read_dir(directory.path()).expect("the directory is there");
            let paths = files.map(|file| file.expect("the directory can be listed").path());
            return paths.flat_map(|path| fs::read(path).expect("the file can be read")).collect();
        }
        let dump = Command::new("pg_dump").arg(&self.url).output().expect("pg_dump can be run");
        assert!(dump.status.success(), "pg_dump: {}", String::from_utf8_lossy(&dump.stderr));
        dump.stdout
    }
}
