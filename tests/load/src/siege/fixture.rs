//! The initial content of an attack's database: nothing, long games, or very many games.
//!
//! A fixture is built once, by playing on the server and then by SQL; each attack gets a copy. `copies` alone knows tables:
//! `game` has a row for each game, and every other table with a column `game` belongs to it.

mod copies;

use std::{fs, path::Path};

use anyhow::{Context, ensure};
use engine::Ruleset;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use system_tests::{database::Database, postgres::Postgres, server::Server};

pub(super) use self::copies::BUSY_PLAYER;
use super::honest::open_room;
use crate::{
    client::{Guest, Http, Socket},
    messages,
    script::{Script, version_before},
    wire::Frame,
};

/// Kind of initial content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FixtureKind {
    Nothing,
    LongGames,
    ManyGames,
}

/// Sizes of fixtures.
#[derive(Clone, Copy, Debug)]
pub struct Amounts {
    /// Number of turns in a long game.
    pub turns: usize,
    /// Number of finished long games; a quarter as many are live.
    pub long_games: usize,
    /// Number of finished short games.
    pub many_games: u32,
}

/// A database that is not in use, and the attacker's knowledge of it.
#[derive(Debug)]
pub(super) struct Fixture {
    /// `None` if it is empty.
    database: Option<Database>,
    /// The two players of the long games.
    pub(super) owners: Vec<Guest>,
    /// Ids of finished long games.
    pub(super) finished: Vec<String>,
    /// Ids of live long games, in which the script can be continued.
    pub(super) live: Vec<String>,
    /// The turns of all long games.
    pub(super) script: &'static Script,
    /// Number of turns played in the live games.
    pub(super) turns: usize,
    /// The record of a finished long game, as text and as JSON.
    pub(super) records: Vec<String>,
}

impl Fixture {
    /// Builds a fixture.
    pub(super) async fn build(
        kind: FixtureKind,
        amounts: Amounts,
        postgres: Option<&Postgres>,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let nothing = Self {
            database: None,
            owners: Vec::new(),
            finished: Vec::new(),
            live: Vec::new(),
            script: Box::leak(Box::new(Script::of(Ruleset::Focus, seed, 0))),
            turns: 0,
            records: Vec::new(),
        };
        match kind {
            FixtureKind::Nothing => Ok(nothing),
            FixtureKind::LongGames => nothing.with_long_games(amounts, fresh(postgres), seed).await,
            FixtureKind::ManyGames => nothing.with_many_games(amounts, fresh(postgres), seed).await,
        }
    }

    /// Copies the fixture into a new database.
    pub(super) fn copy(&self, postgres: Option<&Postgres>) -> anyhow::Result<Database> {
        match (&self.database, postgres) {
            (None, postgres) => Ok(fresh(postgres)),
            (Some(database), Some(postgres)) => Ok(Database::at(&postgres.copy(database.url()))),
            (Some(database), None) => {
                let copy = Database::sqlite();
                let [from, to] = [database, &copy].map(|database| directory(database.url()));
                for file in fs::read_dir(from?)? {
                    let file = file?;
                    fs::copy(
                        file.path(),
                        to.as_ref().map_or(Path::new("."), |to| to).join(file.file_name()),
                    )?;
                }
                Ok(copy)
            }
        }
    }

    async fn with_long_games(self, amounts: Amounts, database: Database, seed: u64) -> anyhow::Result<Self> {
        let script = long_script(seed, amounts.turns + SPARE_TURNS);
        let turns = amounts.turns.min(script.turns().len().saturating_sub(SPARE_TURNS));
        let server = Server::start_with(&database, &["--messages-per-second", "100000"]).await;
        let http = Http::to(server.address())?;
        let owners = vec![http.enter().await?, http.enter().await?];
        let live = play(&http, &owners, script, turns).await?;
        let finished = play(&http, &owners, script, turns).await?;
        resign(&http, &owners[0], &finished).await?;
        let mut records = Vec::new();
        for form in ["record.txt", "record.json"] {
            let request = http.request(Method::GET, &format!("/api/v1/games/{finished}/{form}"), None);
            records.push(request.send().await?.error_for_status()?.text().await?);
        }
        end(server).await?;
        let mut chance = StdRng::seed_from_u64(seed);
        let finished = copies::of_game(database.url(), &finished, amounts.long_games, &mut chance).await?;
        let live = copies::of_game(database.url(), &live, amounts.long_games / 4, &mut chance).await?;
        Ok(Self { database: Some(database), owners, finished, live, script, turns, records })
    }

    async fn with_many_games(self, amounts: Amounts, database: Database, seed: u64) -> anyhow::Result<Self> {
        let server = Server::start_with(&database, &["--messages-per-second", "100000"]).await;
        let http = Http::to(server.address())?;
        let owners = vec![http.enter().await?, http.enter().await?];
        let script: &'static Script = Box::leak(Box::new(Script::of(Ruleset::Focus, seed, 4)));
        let game = play(&http, &owners, script, 4).await?;
        resign(&http, &owners[0], &game).await?;
        end(server).await?;
        copies::into_lists(database.url(), &game, amounts.many_games).await?;
        Ok(Self { database: Some(database), ..self })
    }
}

/// Turns of the script that are left to be played in live games.
const SPARE_TURNS: usize = 8;

/// Rulesets in which a random game lasts a thousand turns.
const LASTING: [Ruleset; 5] =
    [Ruleset::Fibonacci, Ruleset::FibonacciMixed, Ruleset::Focus, Ruleset::FocusClassic, Ruleset::Crossfire];

fn long_script(seed: u64, turns: usize) -> &'static Script {
    let ruleset = LASTING[StdRng::seed_from_u64(seed).random_range(..LASTING.len())];
    Box::leak(Box::new(Script::of(ruleset, seed, turns)))
}

fn fresh(postgres: Option<&Postgres>) -> Database {
    postgres.map_or_else(Database::sqlite, |postgres| Database::at(&postgres.database()))
}

/// The directory of an SQLite database.
fn directory(url: &str) -> anyhow::Result<&Path> {
    let path = url.strip_prefix("sqlite://").map(Path::new).and_then(Path::parent);
    path.with_context(|| format!("{url} is no file"))
}

/// Plays the first turns of a script as fast as the server acknowledges them.
async fn play(http: &Http, owners: &[Guest], script: &Script, turns: usize) -> anyhow::Result<String> {
    let game = open_room(http, &owners[0], script.ruleset().id()).await?;
    http.join(&owners[1], &game).await?;
    let mut sockets = Vec::new();
    for owner in owners {
        sockets.push(follow(http, owner, &game).await?);
    }
    for turn in 0..turns {
        let version = version_before(turn);
        let next = script.next(version).context("the script has as many turns")?;
        let seat = next.side as usize;
        sockets[seat].say(next.message(&format!("t{version}"), &game)).await?;
        sockets[seat].until(|frame| frame == Frame::Ack).await?;
    }
    Ok(game)
}

async fn follow(http: &Http, guest: &Guest, game: &str) -> anyhow::Result<Socket> {
    let mut socket = http.connect(guest).await?;
    socket.follow(game).await?;
    Ok(socket)
}

async fn resign(http: &Http, guest: &Guest, game: &str) -> anyhow::Result<()> {
    let mut socket = follow(http, guest, game).await?;
    socket.say(messages::resign("r".to_owned(), game)).await?;
    socket.until(|frame| frame == Frame::Ack).await
}

/// Stops a server with SIGTERM.
async fn end(server: Server) -> anyhow::Result<()> {
    server.terminate();
    let (status, _) = server.ended().await;
    ensure!(status.success(), "the server that made the fixture ended with {status}");
    Ok(())
}
