//! A server under measurement, on a database of its own with the durability of production.

use clap::ValueEnum;
use system_tests::{database::Database, postgres::Postgres, server::Server};
use tokio::time::Instant;

use crate::{
    client::Http,
    figures::Costs,
    machine::{self, CpuSeconds},
};

/// The database of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    Sqlite,
    Postgres,
}

impl Kind {
    /// The name in a table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// A running server; it ends on drop, together with its database.
#[derive(Debug)]
pub struct Host {
    pub server: Server,
    pub http: Http,
    /// Memory of the server before the first visitor, in KiB.
    pub bare_kib: u64,
    postgres: Option<Postgres>,
    // Dropped after the server.
    _database: Database,
}

/// A moment, with the processor time used so far.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    at: Instant,
    costs: Costs,
}

impl Host {
    /// Starts a server without rate limits for its clients.
    ///
    /// # Errors
    /// The database or the server cannot be started.
    pub async fn start(kind: Kind) -> anyhow::Result<Self> {
        Self::start_with(kind, &[]).await
    }

    /// Starts a server with additional arguments.
    ///
    /// # Errors
    /// The database or the server cannot be started.
    pub async fn start_with(kind: Kind, arguments: &[&str]) -> anyhow::Result<Self> {
        let (postgres, database) = match kind {
            Kind::Sqlite => (None, Database::sqlite()),
            Kind::Postgres => {
                let postgres = Postgres::start_durable()?;
                let database = Database::at(&postgres.database());
                (Some(postgres), database)
            }
        };
        let arguments = [&["--messages-per-second", "100000"], arguments].concat();
        let server = Server::start_with(&database, &arguments).await;
        let http = Http::to(server.address())?;
        let bare_kib = machine::memory_kib(server.id())?;
        Ok(Self { server, http, bare_kib, postgres, _database: database })
    }

    /// Returns the resources used so far.
    ///
    /// # Errors
    /// The server or the database has ended.
    pub fn mark(&self) -> anyhow::Result<Mark> {
        let database = self.postgres.as_ref().map(|postgres| machine::cpu_of_family(postgres.process_id()));
        let costs = Costs {
            server: machine::cpu(self.server.id())?,
            load_tool: machine::cpu(std::process::id())?,
            database: database.transpose()?,
        };
        Ok(Mark { at: Instant::now(), costs })
    }

    /// Memory of the server in KiB.
    ///
    /// # Errors
    /// The server has ended.
    pub fn memory_kib(&self) -> anyhow::Result<u64> {
        machine::memory_kib(self.server.id())
    }
}

impl Mark {
    /// Returns the seconds between two marks, and the resources used in between.
    pub fn since(self, earlier: Self) -> (f64, Costs) {
        let Costs { server, load_tool, database } = self.costs;
        let between = |(later, earlier): (CpuSeconds, CpuSeconds)| later - earlier;
        let costs = Costs {
            server: server - earlier.costs.server,
            load_tool: load_tool - earlier.costs.load_tool,
            database: database.zip(earlier.costs.database).map(between),
        };
        ((self.at - earlier.at).as_secs_f64(), costs)
    }
}
