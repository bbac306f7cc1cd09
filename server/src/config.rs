use std::net::SocketAddr;

use clap::{Args, Parser, ValueEnum};
use ipnet::IpNet;

use crate::{admin::Operation, origin::Origin};

/// Towers: play the Games of Towers against others, live.
///
/// Without a command it serves.
#[derive(Clone, Debug, Parser)]
#[command(version)]
pub struct Arguments {
    #[command(subcommand)]
    pub operation: Option<Operation>,

    /// How a line of the log is written.
    #[arg(long, env = "TOWERS_LOG_FORMAT", value_enum, default_value_t, global = true)]
    pub log_format: LogFormat,

    #[command(flatten)]
    pub config: Config,
}

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For machines: an object of JSON for each line.
    Json,
}

/// How to serve.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Where to listen; port 0 takes any free one.
    #[arg(long, env = "TOWERS_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// The database: `sqlite://FILE`, made if missing, or `postgres://USER:PASSWORD@HOST/DATABASE`.
    #[arg(
        long,
        env = "DATABASE_URL",
        hide_env_values = true,
        default_value = "sqlite://towers.db",
        global = true
    )]
    pub database_url: String,

    /// NATS, over which the nodes on one PostgreSQL tell each other: `nats://HOST:4222`. Without it a node is alone on
    /// its database.
    #[arg(long, env = "TOWERS_NATS_URL", hide_env_values = true)]
    pub nats_url: Option<String>,

    /// Where to tell Prometheus at `/metrics` what is counted, to nobody else: not an address that visitors reach.
    #[arg(long, env = "TOWERS_METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,

    /// Messages a second that one socket may send for long; four seconds' worth at once.
    #[arg(long, env = "TOWERS_MESSAGES_PER_SECOND", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub messages_per_second: u32,

    /// The proxies in front, as `10.0.0.0/8,fd00::/8`: whom they name in `X-Forwarded-For` a request comes from, and
    /// `X-Forwarded-Proto` tells whether it came by HTTPS. Without it all who come through a proxy count as one.
    #[arg(long, env = "TOWERS_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpNet>,

    /// Where browsers find the server, as `https://towers.example`, if a proxy does not pass `Host` on unchanged: pages of
    /// any other origin are refused.
    #[arg(long, env = "TOWERS_ORIGIN")]
    pub origin: Option<Origin>,

    /// Factor on the limits of one address (connections, requests, sessions, rooms, games), on the rate at which a player
    /// may begin games, and on how soon pools pair players of one address.
    #[arg(long, env = "TOWERS_ADDRESS_FACTOR", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub address_factor: u32,

    /// MiB of memory that games may take, those that are over among them: when they take more, games that nobody plays
    /// leave memory, the least recently used first. Unless it is said, a quarter of what the machine or its control group
    /// has.
    #[arg(long, env = "TOWERS_GAME_MEMORY_MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub game_memory_mib: Option<u32>,

    /// Milliseconds that a write of a game to the database may wait. Where those of 32 games or more wait longer for a second,
    /// there is more to do than the machine can carry: no new game begins, and spectators go before players.
    #[arg(long, env = "TOWERS_OVERLOAD_AFTER_MS", default_value_t = 150, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub overload_after_ms: u64,
}
