//! A player for matches and programs: one JSON object a line, requests on standard input, answers on standard output.
//!
//! A request is a game and a limit: `{"ruleset":"fibonacci","start":null,"turns":[["b7-c7"]],"movetime_ms":500}`.
//! `start` is the text of a position, or null for the start of the ruleset. With cards it is the position in which the
//! turn begins, with its card, and `turns` is empty. `nodes` may be given instead of `movetime_ms`. The answer is the
//! turn: `{"turn":["c7-d7"],"score":0.62,"nodes":12345,"depth":3}`, or `{"error":"…"}`.

use std::{
    io::{self, BufRead, Write},
    num::NonZeroUsize,
    thread,
    time::{Duration, Instant},
};

use anyhow::Context;
use clap::Parser;
use engine::{AnyMatch, Ruleset};
use search::{Clock, Level, Limit, Opponent, Searcher, Settings, Time};
use serde::{Deserialize, Serialize};

/// Memory of the tables in bytes.
const TABLE_BYTES: usize = 64 << 20;

/// Maximum length of a request in bytes.
const MAX_LINE: u64 = 1 << 20;

/// Maximum number of threads of a search.
const MAX_THREADS: NonZeroUsize = NonZeroUsize::new(2).expect("not zero");

/// Time that is kept back from the time of a turn, so that the answer is out in time on a busy machine.
const RESERVE: Duration = Duration::from_millis(5);

/// Plays by a line protocol: one JSON object a line in and out.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Strength, 1 to 8.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=8))]
    level: u8,
    /// A simple player instead: `random`, `greedy` or `uct`.
    #[arg(long, conflicts_with = "level")]
    name: Option<Opponent>,
    /// Seed of all choices among equals.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    ruleset: String,
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    turns: Vec<Vec<String>>,
    #[serde(default)]
    movetime_ms: Option<u64>,
    #[serde(default)]
    nodes: Option<u64>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Turn { turn: Vec<String>, score: f32, nodes: u64, depth: u32 },
    Error { error: String },
}

/// A clock that runs from the arrival of a request.
struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "a program of its own has no `Env`")]
    fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

struct Bot {
    searcher: Searcher,
    opponent: Opponent,
    settings: Settings,
    /// Number of threads of a search that only time limits.
    threads: NonZeroUsize,
}

impl Bot {
    fn answer(&mut self, line: &[u8], clock: &Stopwatch) -> Answer {
        self.turn(line, clock).unwrap_or_else(|error| Answer::Error { error: format!("{error:#}") })
    }

    fn turn(&mut self, line: &[u8], clock: &Stopwatch) -> anyhow::Result<Answer> {
        let request: Request = serde_json::from_slice(line).context("not a request")?;
        let game = game(&request)?;
        let time = request
            .movetime_ms
            .map(|ms| Time { clock, limit: Duration::from_millis(ms).saturating_sub(RESERVE) });
        anyhow::ensure!(time.is_some() || request.nodes.is_some(), "neither movetime_ms nor nodes");
        let limit = Limit { time, nodes: request.nodes, ..Limit::default() };
        // With one thread the same nodes give the same turn.
        self.settings.threads = if request.nodes.is_some() { NonZeroUsize::MIN } else { self.threads };
        if let Some(outcome) = game.outcome() {
            anyhow::bail!("the game is over: {outcome}");
        }
        let report = self
            .searcher
            .search_as(self.opponent, &game, &limit, &self.settings, &mut |_| {})
            .context("the turn waits for its card: give it in `start`")?;
        Ok(Answer::Turn { turn: report.turn, score: report.score, nodes: report.nodes, depth: report.depth })
    }
}

/// The game of a request, after its turns.
fn game(request: &Request) -> anyhow::Result<AnyMatch> {
    let ruleset: Ruleset = request.ruleset.parse().map_err(anyhow::Error::msg)?;
    let mut game = match &request.start {
        None => AnyMatch::new(ruleset),
        Some(text) => AnyMatch::from_text(ruleset, text).context("start")?,
    };
    for (index, turn) in request.turns.iter().enumerate() {
        game.play(turn).with_context(|| format!("turn {}", index + 1))?;
    }
    Ok(game)
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let level = Level::new(options.level).context("no such level")?;
    let mut bot = Bot {
        searcher: Searcher::new(TABLE_BYTES),
        opponent: options.name.unwrap_or(Opponent::Level(level)),
        threads: thread::available_parallelism().map_or(NonZeroUsize::MIN, |n| n.min(MAX_THREADS)),
        settings: Settings { seed: options.seed, ..Settings::default() },
    };
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    loop {
        line.clear();
        if io::Read::take(&mut input, MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let answer = bot.answer(&line, &Stopwatch::start());
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
}
