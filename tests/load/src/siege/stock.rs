//! What a database has before an attack begins: nothing, long games, or very many games.
//!
//! A stock is made once, by the server itself and then by SQL, and each attack gets a copy. This is the one place that knows
//! tables: that `game` has a row for each game, and that every other table with a column `game` belongs to it.

mod copies;

use std::{fs, path::Path};

use anyhow::{Context, ensure};
use engine::Ruleset;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::json;
use system_tests::{database::Database, postgres::Postgres, server::Server};

pub(super) use self::copies::BUSY_PLAYER;
use super::honest::open_room;
use crate::{
    client::{Guest, Http, Socket},
    script::{Script, version_before},
    wire::Heard,
};

/// What an attack wants to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Nothing,
    LongGames,
    ManyGames,
}

/// How much of it.
#[derive(Clone, Copy, Debug)]
pub struct Amounts {
    /// Turns of a long game.
    pub turns: usize,
    /// Long games that are over, and as many quarters of that number that go on.
    pub long_games: usize,
    /// Games that are over, of a few turns each.
    pub many_games: u32,
}

/// A database that is not in use, and what an attacker knows of it.
#[derive(Debug)]
pub(super) struct Stock {
    /// `None` if there is nothing in it.
    database: Option<Database>,
    /// The players of the long games.
    pub(super) owners: Vec<Guest>,
    /// Long games that are over.
    pub(super) finished: Vec<String>,
    /// Long games in which the next turn of the script can be played.
    pub(super) live: Vec<String>,
    /// Of all long games.
    pub(super) script: &'static Script,
    /// Turns that the live games have.
    pub(super) turns: usize,
    /// The record of one of those that are over, as text and as JSON.
    pub(super) records: Vec<String>,
}

impl Stock {
    /// Makes one.
    pub(super) async fn make(
        wanted: Wanted,
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
        match wanted {
            Wanted::Nothing => Ok(nothing),
            Wanted::LongGames => nothing.with_long_games(amounts, fresh(postgres), seed).await,
            Wanted::ManyGames => nothing.with_many_games(amounts, fresh(postgres), seed).await,
        }
    }

    /// A database of its own with all that is in this one.
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
            let request = http.request(Method::GET, &format!("/api/games/{finished}/{form}"), None);
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

/// Turns of a script that are left to be played in the games that go on.
const SPARE_TURNS: usize = 8;

/// Rulesets of which a game at random goes on for a thousand turns.
const LASTING: [Ruleset; 5] =
    [Ruleset::Fibonacci, Ruleset::FibonacciMixed, Ruleset::Focus, Ruleset::FocusClassic, Ruleset::Crossfire];

fn long_script(seed: u64, turns: usize) -> &'static Script {
    let ruleset = LASTING[StdRng::seed_from_u64(seed).random_range(..LASTING.len())];
    Box::leak(Box::new(Script::of(ruleset, seed, turns)))
}

fn fresh(postgres: Option<&Postgres>) -> Database {
    postgres.map_or_else(Database::sqlite, |postgres| Database::at(&postgres.database()))
}

/// The directory of a database of SQLite.
fn directory(url: &str) -> anyhow::Result<&Path> {
    let path = url.strip_prefix("sqlite://").map(Path::new).and_then(Path::parent);
    path.with_context(|| format!("{url} is no file"))
}

/// Two owners play a game of a script's first turns, as fast as it goes.
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
        sockets[seat].until(|heard| heard == Heard::Ack).await?;
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
    socket.say(json!({"type": "resign", "command": "r", "game": game}).to_string()).await?;
    socket.until(|heard| heard == Heard::Ack).await
}

/// Stops a server in order.
async fn end(server: Server) -> anyhow::Result<()> {
    server.terminate();
    let (status, _) = server.ended().await;
    ensure!(status.success(), "the server that made the stock ended with {status}");
    Ok(())
}
