//! Players at work: those of the crate, and other programs.

use std::{
    io::{BufRead, BufReader, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use anyhow::Context;
use engine::AnyMatch;
use search::{Limit, Opponent, Searcher, Settings};
use serde_json::{Value, json};

use crate::entrant::{Entrant, Kind};

/// Memory of the tables of each player in bytes.
const TABLE_BYTES: usize = 64 << 20;

/// A player at work, with its memory.
pub(crate) enum Player {
    Searcher(Opponent, Box<Searcher>),
    Program { child: Child, input: ChildStdin, output: BufReader<ChildStdout> },
}

impl Player {
    pub(crate) fn new(entrant: &Entrant) -> anyhow::Result<Self> {
        let command = match &entrant.kind {
            Kind::Opponent(opponent) => return Ok(Self::Searcher(*opponent, searcher())),
            Kind::Program(command) => command,
        };
        let mut words = command.split(' ');
        let mut child = Command::new(words.next().unwrap_or_default())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("`{command}` does not start"))?;
        let input = child.stdin.take().context("the program has no input")?;
        let output = BufReader::new(child.stdout.take().context("the program has no output")?);
        Ok(Self::Program { child, input, output })
    }

    /// Returns the turn of the player, or its fault.
    pub(crate) fn turn(
        &mut self,
        game: &AnyMatch,
        limit: &Limit<'_>,
        seed: u64,
    ) -> Result<Vec<String>, String> {
        match self {
            Self::Searcher(opponent, player) => {
                let settings = Settings { seed, ..Settings::default() };
                let report = catch_unwind(AssertUnwindSafe(|| {
                    player.search_as(*opponent, game, limit, &settings, &mut |_| {})
                }));
                match report {
                    Ok(report) => report.map(|report| report.turn).ok_or_else(|| "no turn".to_owned()),
                    Err(_) => {
                        *player = searcher();
                        Err("panic".to_owned())
                    }
                }
            }
            Self::Program { input, output, .. } => {
                ask(input, output, game, limit).map_err(|error| format!("{error:#}"))
            }
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        if let Self::Program { child, .. } = self {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn searcher() -> Box<Searcher> {
    Box::new(Searcher::new(TABLE_BYTES))
}

/// Sends a request of the line protocol, and reads the turn of the answer.
fn ask(
    input: &mut ChildStdin,
    output: &mut BufReader<ChildStdout>,
    game: &AnyMatch,
    limit: &Limit<'_>,
) -> anyhow::Result<Vec<String>> {
    let turns: Vec<Vec<&str>> = game.turns().iter().map(|turn| turn.actions().collect()).collect();
    let mut request = json!({ "ruleset": game.ruleset().id(), "start": game.start_text(), "turns": turns });
    if let Some(time) = limit.time {
        request["movetime_ms"] = json!(time.limit.as_millis() as u64);
    }
    if let Some(nodes) = limit.nodes {
        request["nodes"] = json!(nodes);
    }
    writeln!(input, "{request}")?;
    let mut line = String::new();
    output.read_line(&mut line)?;
    let answer: Value = serde_json::from_str(&line).context("no JSON")?;
    let turn = answer["turn"].as_array().with_context(|| line.clone())?;
    turn.iter().map(|action| action.as_str().map(ToOwned::to_owned).context("no text")).collect()
}
