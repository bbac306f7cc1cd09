//! Attacks from one address while honest players play, and a verdict for each: `docs/siege.md`.
//!
//! Each attack gets a fresh server with its default limits, on a fresh database. Honest pairs and newcomers play from many
//! addresses before, during and after the attack; the attacker uses one address. The server is observed from outside only:
//! over HTTP and WebSocket, through the kernel's figures of its process, and by the size of its database.

mod apart;
mod attacker;
mod attacks;
mod disk;
mod fixture;
mod honest;
mod lobby;
mod measurements;
mod newcomer;
mod owners;
mod table;
mod verdict;
mod weak_line;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use engine::Ruleset;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use system_tests::{
    address::ReservedAddress, database::Database, postgres::Postgres, server, server::Server,
};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use self::{
    attacker::AttackRuntime,
    fixture::{Fixture, FixtureKind},
    honest::{Pair, RULESETS, TURN_EVERY},
    lobby::LobbyReader,
    measurements::{Measurements, Span, Wait},
    newcomer::Newcomers,
    verdict::{Bytes, Costs, Stretch},
};
pub use self::{
    attacker::End,
    attacks::Attack,
    fixture::Amounts,
    table::Table,
    verdict::{Bounds, Figure, Outcome, Verdict},
};
use crate::{host::Kind, machine, script::Script};

/// Pause between the preparation of an attack and the first measurement.
const SETTLE: Duration = Duration::from_secs(2);

/// Time the server has to recover after an attack.
const GRACE: Duration = Duration::from_secs(3);

/// The interval of operations that no other one delays.
const UNPACED: Duration = Duration::MAX;

/// Maximum number of turns in an honest game; then its pair begins another one. With this many it outlasts an attack.
const HONEST_TURNS: usize = 900;

/// Minimum number of turns in an honest game: shorter ones would begin faster than one player may begin games.
const LEAST_HONEST_TURNS: usize = 60;

/// Number of the pair with a weak line, after those of [`RULESETS`].
const PAIR_ON_WEAK_LINE: u8 = 6;

/// Number of random games that are tried for one that is long enough.
const TRIES: usize = 50;

/// Durations of the three phases of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    pub before: Duration,
    pub during: Duration,
    /// Counted from the end of the attack; its first 3 s are not measured.
    pub after: Duration,
}

/// Configuration of a run.
#[derive(Clone, Debug)]
pub struct Siege {
    pub database: Kind,
    /// Seed for positions, rulesets and messages.
    pub seed: u64,
    pub phases: Phases,
    pub amounts: Amounts,
    pub bounds: Bounds,
    /// Additional command-line arguments for the server.
    pub server_arguments: Vec<String>,
}

impl Siege {
    /// Runs the attacks one after the other and reports the outcome of each run as it is known. An attack in which nothing
    /// but latencies failed is run again, until two of three runs agree; the last one is returned.
    ///
    /// # Errors
    /// The database or the server cannot be started, or the server does not tell addresses apart.
    pub async fn run(
        &self,
        attacks: &[Attack],
        mut tell: impl FnMut(&Outcome),
    ) -> anyhow::Result<Vec<Outcome>> {
        // Built before anything is measured.
        server::program();
        let postgres = (self.database == Kind::Postgres).then(Postgres::start_durable).transpose()?;
        apart::check(postgres.as_ref()).await?;
        let mut decisive = Vec::new();
        let mut fixtures: Vec<(FixtureKind, Arc<Fixture>)> = Vec::new();
        for &attack in attacks {
            let (mut n_passed, mut n_slow) = (0, 0);
            let outcome = loop {
                let outcome = match self.fixture(attack, &mut fixtures, postgres.as_ref()).await {
                    Ok(fixture) => self.run_attack(attack, fixture, postgres.as_ref()).await,
                    Err(error) => Err(error),
                };
                let outcome = outcome.unwrap_or_else(|error| Outcome::broken(attack, self.database, &error));
                tell(&outcome);
                match outcome.verdict() {
                    Verdict::Passed => n_passed += 1,
                    Verdict::Slow => n_slow += 1,
                    Verdict::Failed => break outcome,
                }
                // One slow run may be the machine's doing; two of three are the server's.
                if n_slow == 2 || n_passed > n_slow {
                    break outcome;
                }
            };
            decisive.push(outcome);
        }
        Ok(decisive)
    }

    /// The fixture of an attack, built when it is first needed.
    async fn fixture(
        &self,
        attack: Attack,
        fixtures: &mut Vec<(FixtureKind, Arc<Fixture>)>,
        postgres: Option<&Postgres>,
    ) -> anyhow::Result<Arc<Fixture>> {
        let kind = attack.fixture();
        if let Some((_, fixture)) = fixtures.iter().find(|(built, _)| *built == kind) {
            return Ok(fixture.clone());
        }
        let built = Fixture::build(kind, self.amounts, postgres, self.seed).await;
        let fixture = Arc::new(built.context("cannot build the fixture")?);
        fixtures.push((kind, fixture.clone()));
        Ok(fixture)
    }

    async fn run_attack(
        &self,
        attack: Attack,
        fixture: Arc<Fixture>,
        postgres: Option<&Postgres>,
    ) -> anyhow::Result<Outcome> {
        let database = fixture.copy(postgres)?;
        let metrics = ReservedAddress::new()?;
        let server = self.start(attack, &database, &metrics).await;
        let seed = self.seed.wrapping_mul(100).wrapping_add(attack as u64);
        let measurements = Arc::<Measurements>::default();
        let started = Instant::now();
        let mut honest = begin_honest(server.address(), seed, attack, &measurements)
            .await
            .context("honest play cannot begin")?;
        let mut attack_runtime = AttackRuntime::start(attack, server.address(), seed, fixture)?;
        attack_runtime.prepared().await?;
        // The fixture's copy is written to the disk now; later it would hold up the commits of honest turns.
        tokio::task::spawn_blocking(rustix::fs::sync).await?;
        sleep(SETTLE).await;

        let tally = attack_runtime.tally.clone();
        let costs = async || {
            let bytes = Bytes {
                disk: disk::bytes_of(database.url()).await.context("cannot size the database")?,
                charged: disk::charged_bytes(metrics.address).await?,
                received: tally.received_bytes(),
            };
            Costs::now(server.id(), postgres.map(Postgres::process_id), bytes)
        };
        let Phases { before, during, after } = self.phases;
        let began = (Instant::now(), costs().await?);
        sleep(before).await;
        let attacked = (Instant::now(), costs().await?);
        attack_runtime.attack();
        sleep(during).await;
        let end = if StdRng::seed_from_u64(seed).random() { End::Cut } else { End::Silence };
        attack_runtime.end(end);
        let ended = (Instant::now(), costs().await);
        // Each room must have the time to open again.
        sleep(after + attack.holds_rooms()).await;
        let over = Instant::now();

        honest.abort_all();
        while honest.join_next().await.is_some() {}
        let spans = [
            Span { from: began.0, to: attacked.0 },
            Span { from: attacked.0, to: ended.0 },
            Span { from: ended.0 + GRACE, to: over },
        ];
        let [before, during, after] = spans.map(|span| Stretch {
            turns: measurements.waits(Wait::Turn, span, TURN_EVERY),
            steps: measurements.waits(Wait::Step, span, UNPACED),
            timer: measurements.waits(Wait::Timer, span, UNPACED),
        });
        let costs = ended.1.ok().map(|end| end.since(attacked.1, (ended.0 - attacked.0).as_secs_f64()));
        let mut outcome = Outcome {
            attack,
            database: self.database.name(),
            stretches: [before, during, after],
            faults_before: measurements.faults(spans[0]),
            faults: measurements.faults(Span { from: attacked.0, to: over }),
            memory_mib: machine::most_memory_kib(server.id()).ok().map(|kib| kib as f64 / 1024.0),
            costs,
            costs_before: attacked.1.since(began.1, (attacked.0 - began.0).as_secs_f64()),
            figure: self.figure(attack, &measurements, Span { from: started, to: over }, costs),
            end,
            sent: tally.sent(),
            refused: tally.refused(),
            slow: Vec::new(),
            failures: Vec::new(),
        };
        outcome.judge(&self.bounds);
        drop(server.kill().await);
        Ok(outcome)
    }

    /// Starts the server under attack, with its metrics at an address of their own.
    async fn start(&self, attack: Attack, database: &Database, metrics: &ReservedAddress) -> Server {
        let metrics = format!("--metrics-listen={}", metrics.address);
        let arguments = self.server_arguments.iter().chain([&metrics]).map(String::as_str);
        let arguments: Vec<&str> = arguments.collect();
        match attack.files() {
            Some(files) => Server::start_in_use_with_files(database, files, &arguments).await,
            None => Server::start_in_use(database, &arguments).await,
        }
    }

    /// The figure of one attack alone: over the whole run, or during the attack.
    fn figure(
        &self,
        attack: Attack,
        measurements: &Measurements,
        run: Span,
        costs: Option<Costs>,
    ) -> Option<Figure> {
        let bounds = &self.bounds;
        let longest = |what| measurements.waits(what, run, UNPACED).map(|waits| waits.longest_ms);
        let (name, value, most) = match attack {
            Attack::Drafts => ("turn on a weak line, ms", longest(Wait::WeakTurn), bounds.weak_turn_ms),
            Attack::Rooms | Attack::Sitters => {
                let held_ms = attack.holds_rooms().as_secs_f64() * 1_000.0;
                ("room taken, ms", longest(Wait::Join), held_ms + bounds.join_ms)
            }
            Attack::Accounts => ("wait of an owner, ms", longest(Wait::Owner), bounds.owner_ms),
            Attack::Bytes => {
                let seconds = self.phases.during.as_secs_f64();
                let value = costs.map(|costs| costs.received_mib * seconds);
                ("received, MiB", value, bounds.received_mib + bounds.received_mib_per_second * seconds)
            }
            Attack::Disk => {
                let value = costs.map(|costs| costs.disk_mib / costs.charged_mib);
                ("growth per charged byte", value, bounds.growth_per_charged_byte)
            }
            _ => return None,
        };
        Some(Figure { name, value, most })
    }
}

/// A random game that is long enough.
fn honest_script(ruleset: Ruleset, chance: &mut StdRng) -> anyhow::Result<Script> {
    let mut scripts = (0..TRIES).map(|_| Script::of(ruleset, chance.random(), HONEST_TURNS));
    let long = scripts.find(|script| script.turns().len() >= LEAST_HONEST_TURNS);
    long.with_context(|| format!("no random game of {ruleset} is long enough"))
}

/// Starts the honest clients; their tasks run until they are aborted.
async fn begin_honest(
    server: SocketAddr,
    seed: u64,
    attack: Attack,
    measurements: &Arc<Measurements>,
) -> anyhow::Result<JoinSet<std::convert::Infallible>> {
    let mut chance = StdRng::seed_from_u64(seed);
    let mut scripts = Vec::with_capacity(RULESETS.len());
    for ruleset in RULESETS {
        let script: &'static Script = Box::leak(Box::new(honest_script(ruleset, &mut chance)?));
        scripts.push(script);
    }
    let reader = LobbyReader::enter(server).await?;
    // A room that is held is none for that time.
    let mut standing = Vec::from_iter(attack.holds_rooms().is_zero().then(|| reader.room.clone()));
    let mut honest = JoinSet::new();
    let mut pairs = Vec::new();
    for (number, script) in (0..).zip(scripts.iter().copied()) {
        let pair = Pair::begin(server, number, script).await?;
        // A game that ends soon cannot be expected in the lobby.
        if script.turns().len() == HONEST_TURNS {
            standing.push(pair.game().to_owned());
        }
        pairs.push(pair);
    }
    if attack.has_weak_line() {
        pairs.push(Pair::begin_on_weak_line(server, PAIR_ON_WEAK_LINE, scripts[0]).await?);
    }
    let seen = Arc::default();
    honest.spawn(reader.read(Arc::clone(&seen), measurements.clone()));
    for pair in pairs {
        honest.spawn(pair.play(measurements.clone()));
    }
    let (share_pools, try_again) = (attack.shares_pools(), attack.takes_rooms());
    let measured = measurements.clone();
    let newcomers =
        Newcomers { server, measurements: measured, seen, standing, scripts, share_pools, try_again };
    honest.spawn(newcomer::come(Arc::new(newcomers)));
    if attack.has_owners() {
        honest.spawn(owners::come(server, measurements.clone()));
    }
    honest.spawn(honest::watch_timer(measurements.clone()));
    Ok(honest)
}
