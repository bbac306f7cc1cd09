//! A server that is measured, on a database of its own that is as durable as one in use.

use clap::ValueEnum;
use system_tests::{database::Database, postgres::Postgres, server::Server};
use tokio::time::Instant;

use crate::{
    client::Http,
    figures::Costs,
    machine::{self, CpuSeconds},
};

/// Where a server keeps what it has.
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

/// A running server; it ends with this value, and its database too.
#[derive(Debug)]
pub struct Host {
    pub server: Server,
    pub http: Http,
    /// What the server has used up to a moment, without any visitor.
    pub bare_kib: u64,
    postgres: Option<Postgres>,
    // It goes after the server.
    _database: Database,
}

/// A moment, and the processor time that was used up to it.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    at: Instant,
    costs: Costs,
}

impl Host {
    /// Starts a server whose clients may be as fast as they can.
    ///
    /// # Errors
    /// The database or the server cannot be started.
    pub async fn start(kind: Kind) -> anyhow::Result<Self> {
        Self::start_with(kind, &[]).await
    }

    /// The same with more arguments.
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

    /// What has been used up to now.
    ///
    /// # Errors
    /// The server or the database runs no more.
    pub fn mark(&self) -> anyhow::Result<Mark> {
        let database = self.postgres.as_ref().map(|postgres| machine::cpu_of_family(postgres.process_id()));
        let costs = Costs {
            server: machine::cpu(self.server.id())?,
            load_tool: machine::cpu(std::process::id())?,
            database: database.transpose()?,
        };
        Ok(Mark { at: Instant::now(), costs })
    }

    /// KiB of memory that the server has.
    ///
    /// # Errors
    /// It runs no more.
    pub fn memory_kib(&self) -> anyhow::Result<u64> {
        machine::memory_kib(self.server.id())
    }
}

impl Mark {
    /// The seconds between two marks, and what was used in them.
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
