//! Games that play on while the server, or its database, is killed repeatedly; and a check that nothing acknowledged is
//! lost.

mod audit;
mod game;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use anyhow::{Context, ensure};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use system_tests::{
    database::Database,
    postgres::Postgres,
    server::{Server, Stopped},
};
use tokio::{
    sync::{Notify, watch},
    task::JoinSet,
};

use self::game::Game;
use crate::{client::Http, script::Script};

/// The process to kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Victim {
    Server,
    /// PostgreSQL, under a running server.
    Database,
}

/// Configuration of a trial.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    pub victim: Victim,
    /// Number of kills.
    pub kills: usize,
    /// Number of games.
    pub games: usize,
    /// Seed of the moments of the kills.
    pub seed: u64,
}

/// An acknowledged command.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Acknowledged {
    command: String,
    /// The game's version in the acknowledgement.
    version: u64,
}

/// The commands of one game's clients.
#[derive(Debug, Default)]
struct Ledger {
    game: String,
    /// In the order of the acknowledgements.
    acknowledged: Vec<Acknowledged>,
    /// Number of repeated commands, whose first answer was lost.
    sent_again: usize,
}

/// The result of a trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    pub kills: usize,
    pub games: usize,
    pub acknowledged: usize,
    /// Number of commands whose answer was lost by a kill.
    pub sent_again: usize,
    /// Number of commands acknowledged and not stored.
    pub lost: usize,
    /// Number of commands stored twice.
    pub doubled: usize,
    /// Number of commands stored at another version than acknowledged, or behind a gap.
    pub out_of_order: usize,
    /// Number of games whose log the rules refuse.
    pub broken: usize,
}

impl Verdict {
    /// Whether everything acknowledged is stored, once and in order.
    pub const fn is_good(&self) -> bool {
        self.lost + self.doubled + self.out_of_order + self.broken == 0
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, games, acknowledged, sent_again, lost, doubled, out_of_order, broken } = self;
        writeln!(
            f,
            "{kills} kills, {games} games, {acknowledged} turns acknowledged, {sent_again} sent again"
        )?;
        write!(
            f,
            "{lost} lost, {doubled} doubled, {out_of_order} out of order, {broken} games that do not replay"
        )
    }
}

/// Shared state of the clients and the killer.
#[derive(Debug)]
struct Watch {
    /// Number of times that the killed process is up again.
    risen: watch::Receiver<usize>,
    acknowledged: AtomicU64,
    /// Notified of each acknowledgement.
    progress: Notify,
}

/// Maximum number of turns acknowledged between two kills: few enough for the script to last.
const BETWEEN_KILLS: u64 = 3;

impl Trial {
    /// Plays, kills, and audits the database. `postgres` is the server of the database, if that is killed.
    ///
    /// # Errors
    /// A client was refused or timed out; or the database cannot be read.
    pub async fn run(
        self,
        database: Database,
        postgres: Option<&Postgres>,
        script: &'static Script,
    ) -> anyhow::Result<Verdict> {
        let Self { kills, games, .. } = self;
        let server = Server::start_with(&database, &["--messages-per-second", "1000"]).await;
        let http = Http::to(server.address())?;
        let (rise, risen) = watch::channel(0);
        let watch = Arc::new(Watch { risen, acknowledged: AtomicU64::default(), progress: Notify::new() });
        let mut playing = JoinSet::new();
        for game in crate::client::many(games, |_| Game::begin(http.clone())).await? {
            playing.spawn(game.play(script, watch.clone()));
        }
        let killing = self.kill(server, postgres, &rise, &watch);
        let server = tokio::select! {
            server = killing => server?,
            Some(stopped) = playing.join_next() => {
                stopped??;
                anyhow::bail!("a game has come to its end: take more games, or fewer kills")
            }
        };
        // The end of the trial: clients stop when this is dropped, each without a command in flight.
        drop(rise);
        let mut ledgers = Vec::with_capacity(games);
        while let Some(ledger) = playing.join_next().await {
            ledgers.push(ledger??);
        }
        ensure!(ledgers.len() == games, "every game tells what it knows");
        drop(server.kill().await);
        let audited = audit::audit(database.url(), &ledgers).await.context("cannot read what is stored")?;
        Ok(Verdict { kills, games, ..audited })
    }

    /// Kills at random moments, and restarts. Returns the server when clients have made progress after the last
    /// restart.
    async fn kill(
        self,
        mut server: Server,
        postgres: Option<&Postgres>,
        rise: &watch::Sender<usize>,
        watch: &Watch,
    ) -> anyhow::Result<Server> {
        let mut random = StdRng::seed_from_u64(self.seed);
        let most = BETWEEN_KILLS * self.games as u64;
        for kill in 1..=self.kills {
            watch.wait_for(random.random_range(1..=most)).await;
            match (self.victim, postgres) {
                (Victim::Server, _) => {
                    let stopped: Stopped = server.kill().await;
                    server = stopped.start().await;
                }
                (Victim::Database, Some(postgres)) => {
                    postgres.kill();
                    postgres.revive();
                }
                (Victim::Database, None) => anyhow::bail!("only PostgreSQL is a process of its own"),
            }
            rise.send_replace(kill);
        }
        watch.wait_for(most).await;
        Ok(server)
    }
}

impl Watch {
    /// Waits until `more` further turns are acknowledged.
    async fn wait_for(&self, more: u64) {
        let until = self.acknowledged.load(Ordering::SeqCst) + more;
        loop {
            let progress = self.progress.notified();
            if self.acknowledged.load(Ordering::SeqCst) >= until {
                return;
            }
            progress.await;
        }
    }

    /// Number of restarts so far.
    fn risen(&self) -> usize {
        *self.risen.borrow()
    }

    /// Waits until the number of restarts exceeds `count`.
    async fn has_risen_since(&self, count: usize) {
        // Once the last kill is over, everything is up.
        let _ = self.risen.clone().wait_for(|risen| *risen > count).await;
    }

    fn acknowledge(&self) {
        self.acknowledged.fetch_add(1, Ordering::SeqCst);
        self.progress.notify_one();
    }
}
