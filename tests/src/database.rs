//! The databases that a server can run on, each fresh and empty.

use std::{fs, path::PathBuf, process::Command};

use tempfile::TempDir;

use crate::postgres::Postgres;

/// A database for a server.
#[derive(Debug)]
pub struct Database {
    url: String,
    /// Where SQLite's files are; they go with this value.
    directory: Option<TempDir>,
}

impl Database {
    /// A file of SQLite that the server will make.
    ///
    /// # Panics
    /// If there is no place for it.
    pub fn sqlite() -> Self {
        let directory = TempDir::with_prefix("towers-sqlite-").expect("a temporary directory can be made");
        let url = format!("sqlite://{}", directory.path().join("towers.db").display());
        Self { url, directory: Some(directory) }
    }

    /// An empty database of the PostgreSQL that the tests of a process share.
    pub fn postgres() -> Self {
        Self::at(&Postgres::shared().database())
    }

    /// A database that somebody else has made and will clean up.
    pub fn at(url: &str) -> Self {
        Self { url: url.to_owned(), directory: None }
    }

    /// What `--database-url` takes.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The file of SQLite, `None` of another kind of database.
    pub fn file(&self) -> Option<PathBuf> {
        self.url.strip_prefix("sqlite://").map(PathBuf::from)
    }

    /// All that is in the database, as its files or its dump have it. No server may be running on it.
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
