//! Attacks from one address beside honest play, and whether honest players feel them: `docs/siege.md`.
//!
//! Each attack has a server and a database of its own, the server with the limits of one in use. Honest pairs and newcomers
//! play from many addresses before, during and after the attack; the attacker has one address. Nothing here knows the
//! server's code: it is looked at over HTTP and WebSocket, by the kernel's figures of its process, and by the size of its
//! database.

mod apart;
mod attacker;
mod attacks;
mod disk;
mod honest;
mod ledger;
mod lobby;
mod newcomer;
mod stock;
mod table;
mod verdict;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use system_tests::{postgres::Postgres, server, server::Server};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use self::{
    attacker::Camp,
    honest::{Pair, RULESETS, TURN_EVERY},
    ledger::{Ledger, Span, Wait},
    lobby::Reader,
    newcomer::{Town, VISIT_EVERY},
    stock::{Stock, Wanted},
    verdict::{Costs, Stretch},
};
pub use self::{
    attacker::End,
    attacks::Attack,
    stock::Amounts,
    table::Table,
    verdict::{Bounds, Outcome},
};
use crate::{host::Kind, machine, script::Script};

/// The server and its database go before all else on the machine, and the honest clients, which would be on machines of
/// their own, before them. Only root can say so.
const SERVER_NICENESS: i32 = -10;
const HONEST_NICENESS: i32 = -15;

/// How long is waited between the preparation of an attack and the first figures.
const SETTLE: Duration = Duration::from_secs(2);

/// How long after the end of an attack all has to be as before.
const GRACE: Duration = Duration::from_secs(3);

/// Turns of an honest game, after which its pair begins another one.
const HONEST_TURNS: usize = 300;

/// How long honest play is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    pub before: Duration,
    pub during: Duration,
    /// From the end of the attack, of which the first 3 s do not count.
    pub after: Duration,
}

/// How a server is besieged.
#[derive(Clone, Debug)]
pub struct Siege {
    pub database: Kind,
    /// What positions, rulesets and messages are chosen by.
    pub seed: u64,
    pub phases: Phases,
    pub amounts: Amounts,
    pub bounds: Bounds,
    /// More arguments for the server.
    pub server_arguments: Vec<String>,
}

impl Siege {
    /// Makes the attacks one after the other, and tells of each when it is over.
    ///
    /// # Errors
    /// The database or the server cannot be started, or the server does not tell addresses apart.
    pub async fn lay(
        &self,
        attacks: &[Attack],
        mut tell: impl FnMut(&Outcome),
    ) -> anyhow::Result<Vec<Outcome>> {
        // It may have to be built, which is not to go before all else.
        server::program();
        machine::prioritize(SERVER_NICENESS);
        let postgres = (self.database == Kind::Postgres).then(Postgres::start_durable).transpose()?;
        apart::check(postgres.as_ref()).await?;
        let mut outcomes = Vec::new();
        let mut stocks: Vec<(Wanted, Arc<Stock>)> = Vec::new();
        for &attack in attacks {
            let stock = match stocks.iter().find(|(wanted, _)| *wanted == attack.wants()) {
                Some((_, stock)) => stock.clone(),
                None => {
                    let made = Stock::make(attack.wants(), self.amounts, postgres.as_ref(), self.seed).await;
                    let stock = Arc::new(made.context("cannot fill a database")?);
                    stocks.push((attack.wants(), stock.clone()));
                    stock
                }
            };
            let outcome = self.make(attack, stock, postgres.as_ref()).await;
            let outcome = outcome.unwrap_or_else(|error| Outcome::broken(attack, self.database, &error));
            tell(&outcome);
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    async fn make(
        &self,
        attack: Attack,
        stock: Arc<Stock>,
        postgres: Option<&Postgres>,
    ) -> anyhow::Result<Outcome> {
        let database = stock.copy(postgres)?;
        let arguments: Vec<&str> = self.server_arguments.iter().map(String::as_str).collect();
        machine::prioritize(SERVER_NICENESS);
        let server = Server::start_in_use(&database, &arguments).await;
        machine::prioritize(HONEST_NICENESS);
        let seed = self.seed.wrapping_mul(100).wrapping_add(attack as u64);
        let ledger = Arc::<Ledger>::default();
        let mut honest =
            begin_honest(server.address(), seed, &ledger).await.context("honest play cannot begin")?;
        let mut camp = Camp::pitch(attack, server.address(), seed, stock)?;
        camp.prepared().await?;
        sleep(SETTLE).await;

        let costs = async || {
            let room = disk::bytes_of(database.url()).await;
            Costs::now(
                server.id(),
                postgres.map(Postgres::process_id),
                room.context("cannot size the database")?,
            )
        };
        let Phases { before, during, after } = self.phases;
        let began = (Instant::now(), costs().await?);
        sleep(before).await;
        let attacked = (Instant::now(), costs().await?);
        camp.attack();
        sleep(during).await;
        let end = if StdRng::seed_from_u64(seed).random() { End::Cut } else { End::Silence };
        camp.end(end);
        let ended = (Instant::now(), costs().await);
        sleep(after).await;
        let over = Instant::now();

        honest.abort_all();
        while honest.join_next().await.is_some() {}
        let spans = [
            Span { from: began.0, to: attacked.0 },
            Span { from: attacked.0, to: ended.0 },
            Span { from: ended.0 + GRACE, to: over },
        ];
        let [before, during, after] = spans.map(|span| Stretch {
            turns: ledger.waits(Wait::Turn, span, TURN_EVERY),
            steps: ledger.waits(Wait::Step, span, VISIT_EVERY),
            timer: ledger.waits(Wait::Timer, span, Duration::MAX),
        });
        let mut outcome = Outcome {
            attack,
            database: self.database.name(),
            stretches: [before, during, after],
            faults_before: ledger.faults(spans[0]),
            faults: ledger.faults(Span { from: attacked.0, to: over }),
            memory_mib: machine::most_memory_kib(server.id()).ok().map(|kib| kib as f64 / 1024.0),
            costs: ended.1.ok().map(|end| end.since(attacked.1, (ended.0 - attacked.0).as_secs_f64())),
            costs_before: attacked.1.since(began.1, (attacked.0 - began.0).as_secs_f64()),
            end,
            sent: camp.tally.sent(),
            refused: camp.tally.refused(),
            failures: Vec::new(),
        };
        outcome.judge(&self.bounds);
        drop(server.kill().await);
        Ok(outcome)
    }
}

/// Lets honest clients play, in tasks that go on until they are dropped.
async fn begin_honest(
    server: SocketAddr,
    seed: u64,
    ledger: &Arc<Ledger>,
) -> anyhow::Result<JoinSet<std::convert::Infallible>> {
    let mut chance = StdRng::seed_from_u64(seed);
    let scripts: [&'static Script; RULESETS.len()] =
        RULESETS.map(|ruleset| &*Box::leak(Box::new(Script::of(ruleset, chance.random(), HONEST_TURNS))));
    let reader = Reader::enter(server).await?;
    let mut standing = vec![reader.room.clone()];
    let mut honest = JoinSet::new();
    let mut pairs = Vec::new();
    for (number, (ruleset, script)) in (0..).zip(RULESETS.into_iter().zip(scripts)) {
        let pair = Pair::begin(server, number, ruleset, script).await?;
        // A game that is over soon is not looked for.
        if script.turns().len() == HONEST_TURNS {
            standing.push(pair.game().to_owned());
        }
        pairs.push(pair);
    }
    let seen = Arc::default();
    honest.spawn(reader.read(Arc::clone(&seen), ledger.clone()));
    for pair in pairs {
        honest.spawn(pair.play(ledger.clone()));
    }
    let town = Town { server, ledger: ledger.clone(), seen, standing, scripts };
    honest.spawn(newcomer::come(Arc::new(town)));
    honest.spawn(honest::watch_timer(ledger.clone()));
    Ok(honest)
}
