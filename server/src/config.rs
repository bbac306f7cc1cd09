use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, ValueEnum};
use ipnet::IpNet;
use lettre::message::Mailbox;

use crate::{admin::Operation, net::origin::Origin, push::PushHost};

/// Towers: play the Games of Towers against others, live.
///
/// Without a command, runs the server.
#[derive(Clone, Debug, Parser)]
#[command(version)]
pub struct Arguments {
    #[command(subcommand)]
    pub operation: Option<Operation>,

    /// Format of log lines.
    #[arg(long, env = "TOWERS_LOG_FORMAT", value_enum, default_value_t, global = true)]
    pub log_format: LogFormat,

    #[command(flatten)]
    pub config: Config,
}

/// Format of log lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For machines: one JSON object per line.
    Json,
}

/// Options of the server.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Address to listen on; port 0 takes any free one.
    #[arg(long, env = "TOWERS_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// The database: `sqlite://FILE`, created if missing, or `postgres://USER:PASSWORD@HOST/DATABASE`.
    #[arg(
        long,
        env = "DATABASE_URL",
        hide_env_values = true,
        default_value = "sqlite://towers.db",
        global = true
    )]
    pub database_url: String,

    /// NATS server that connects the nodes of one PostgreSQL database: `nats://HOST:4222`. Without it a node is alone
    /// on its database.
    #[arg(long, env = "TOWERS_NATS_URL", hide_env_values = true)]
    pub nats_url: Option<String>,

    /// Address that serves metrics to Prometheus at `/metrics`, and `/healthz` and `/readyz`. Visitors must not reach it.
    #[arg(long, env = "TOWERS_METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,

    /// Sustained rate of messages per second from one socket; the burst is four times that.
    #[arg(long, env = "TOWERS_MESSAGES_PER_SECOND", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub messages_per_second: u32,

    /// Trusted proxies, as `10.0.0.0/8,fd00::/8`: the server believes their `X-Forwarded-For` and `X-Forwarded-Proto`.
    /// Without them all clients behind a proxy share the limits of one address.
    #[arg(long, env = "TOWERS_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpNet>,

    /// Origin of the server as browsers see it, as `https://towers.example`. Needed if a proxy changes `Host`; requests
    /// from pages of other origins are refused.
    #[arg(long, env = "TOWERS_ORIGIN", global = true)]
    pub origin: Option<Origin>,

    /// SMTP server that takes mails to the owners of accounts: `smtps://USER:PASSWORD@HOST` or, with STARTTLS, `smtp://…`.
    /// Without it no mail is sent, and no page offers any.
    #[arg(long, env = "TOWERS_SMTP_URL", hide_env_values = true, requires_all = ["mail_from", "origin"])]
    pub smtp_url: Option<String>,

    /// Sender of all mails, as `Towers <towers@towers.example>`.
    #[arg(long, env = "TOWERS_MAIL_FROM")]
    pub mail_from: Option<Mailbox>,

    /// File with further certificates (PEM) by which the SMTP server may prove itself, besides the public ones.
    #[arg(long, env = "TOWERS_SMTP_CA")]
    pub smtp_ca: Option<PathBuf>,

    /// Push services that browsers may name: domains, with all their subdomains at public addresses over HTTPS, or origins, as
    /// `https://push.example:8443`, which may be private. Others get no notifications.
    #[arg(
        long,
        env = "TOWERS_PUSH_HOSTS",
        value_delimiter = ',',
        default_value = "fcm.googleapis.com,push.services.mozilla.com,push.apple.com,notify.windows.com"
    )]
    pub push_hosts: Vec<PushHost>,

    /// Factor for the limits of one address (connections, requests, sessions, rooms, games), for the rate at which a
    /// player may begin games, and for how soon pools pair players of one address.
    #[arg(long, env = "TOWERS_ADDRESS_FACTOR", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub address_factor: u32,

    /// Memory for games in MiB, finished games included. Beyond it, games without connected players are evicted, least
    /// recently used first. Default: a quarter of the memory of the machine or its control group.
    #[arg(long, env = "TOWERS_GAME_MEMORY_MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub game_memory_mib: Option<u32>,

    /// Free space in MiB of the disk of an SQLite file, below which no new games begin. Games under way go on.
    #[arg(long, env = "TOWERS_MIN_FREE_MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(0..=1_073_741_824))]
    pub min_free_mib: u64,

    /// Longest acceptable wait of a game's write to the database, in milliseconds. If the writes of 32 or more games
    /// wait longer for a second, the server counts as overloaded: it refuses new games and sheds spectators.
    #[arg(long, env = "TOWERS_OVERLOAD_AFTER_MS", default_value_t = 150, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub overload_after_ms: u64,
}

impl Config {
    /// The address of the server's pages, as far as it is known without a request.
    pub fn address(&self) -> String {
        self.origin.as_ref().map_or_else(|| format!("http://{}", self.listen), ToString::to_string)
    }
}
