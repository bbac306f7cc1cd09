//! Games that play on while the server, or its database, is killed again and again; and whether anything that was
//! acknowledged is lost.

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

/// What is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Victim {
    Server,
    /// PostgreSQL, under a server that goes on.
    Database,
}

/// How it is tried.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    pub victim: Victim,
    /// How often it is killed.
    pub kills: usize,
    /// How many games play on meanwhile.
    pub games: usize,
    /// What the moments of the kills are chosen by.
    pub seed: u64,
}

/// A command that was acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Acknowledged {
    command: String,
    /// The game's version after it, as the answer had it.
    version: u64,
}

/// What the clients of one game know of it.
#[derive(Debug, Default)]
struct Ledger {
    game: String,
    /// In the order in which the answers came.
    acknowledged: Vec<Acknowledged>,
    /// Commands that were sent more than once, since nobody knew what had become of them.
    sent_again: usize,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    pub kills: usize,
    pub games: usize,
    pub acknowledged: usize,
    /// Commands whose answer a kill had swallowed.
    pub sent_again: usize,
    /// Acknowledged, and not in the database.
    pub lost: usize,
    /// Twice in the database.
    pub doubled: usize,
    /// In the database at another place than was said, or behind a gap.
    pub out_of_order: usize,
    /// Games whose log the rules refuse.
    pub broken: usize,
}

impl Verdict {
    /// Whether all that was acknowledged is there, once and in order.
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

/// What the clients learn from who kills, and the other way round.
#[derive(Debug)]
struct Watch {
    /// How often the server and its database were there again after a kill.
    risen: watch::Receiver<usize>,
    acknowledged: AtomicU64,
    /// Tells of each acknowledgement.
    progress: Notify,
}

/// Turns that are acknowledged between two kills, at most: so few for each game that a script lasts.
const BETWEEN_KILLS: u64 = 3;

impl Trial {
    /// Plays, kills, and looks at what is left. `postgres` is what the database is in, if that is killed.
    ///
    /// # Errors
    /// A client was refused something, or waits in vain; or the database cannot be read.
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
        // The last word: clients stop when this is gone, each with no command under way.
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

    /// Kills at moments that chance chooses, and lets what was killed rise again. Returns the server when clients have
    /// got somewhere after the last time.
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
    /// Waits until so many more turns are acknowledged.
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

    /// How often what was killed is there again.
    fn risen(&self) -> usize {
        *self.risen.borrow()
    }

    /// Waits until it is there more often than so.
    async fn has_risen_since(&self, count: usize) {
        // Once nothing is killed any more, everything is there.
        let _ = self.risen.clone().wait_for(|risen| *risen > count).await;
    }

    fn acknowledge(&self) {
        self.acknowledged.fetch_add(1, Ordering::SeqCst);
        self.progress.notify_one();
    }
}
