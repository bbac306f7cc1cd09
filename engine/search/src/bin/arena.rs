//! Matches between two players, with sides and openings changed, and their result as a row of a table.

use std::{
    collections::BTreeMap,
    fmt,
    io::{BufRead, BufReader, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    str::FromStr,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use clap::Parser;
use engine::{AnyMatch, Ruleset, Seed, Side};
use rustix::time::{ClockId, clock_gettime};
use search::{Clock, Limit, Opponent, Random, Searcher, Settings, Time};
use serde_json::{Value, json};

/// Memory of the tables of each player in bytes.
const TABLE_BYTES: usize = 64 << 20;

/// Time beyond the limit from which an answer is late.
const LATE: Duration = Duration::from_millis(50);

/// Probability of each of the two errors of the sequential test.
const ERROR: f64 = 0.05;

/// Plays matches between two players. Each opening is played twice, with sides changed.
#[derive(Parser)]
#[command(version)]
struct Options {
    #[arg(long)]
    ruleset: Ruleset,
    /// `full`, `level-1` to `level-8`, `random`, `greedy` or `uct`, and after an `@` its own limit: `full@200ms` or
    /// `full@5000` nodes. Also `program:PATH ARGUMENTS`, a program with the line protocol of `bot`.
    #[arg(long)]
    one: Entrant,
    #[arg(long)]
    other: Entrant,
    /// Number of games, rounded up to an even number.
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// Time per turn in milliseconds.
    #[arg(long)]
    time_ms: Option<u64>,
    /// Counts the processor's time of a turn instead of the time that passes, for a busy machine.
    #[arg(long)]
    cpu: bool,
    /// Nodes per turn.
    #[arg(long)]
    nodes: Option<u64>,
    /// Seed of openings, cards and players.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Random turns at the beginning of a game. The default depends on the ruleset.
    #[arg(long)]
    opening: Option<u32>,
    /// Ends as soon as one of two differences of strength is refuted: `elo0,elo1`.
    #[arg(long)]
    sprt: Option<Sprt>,
    /// Prints a row of a Markdown table.
    #[arg(long)]
    markdown: bool,
    /// Prints each lost game of the first player.
    #[arg(long)]
    show_losses: bool,
}

/// A player with its own limit, if it has one.
#[derive(Clone, Debug)]
struct Entrant {
    kind: Kind,
    limit: Option<Each>,
}

#[derive(Clone, Debug)]
enum Kind {
    Opponent(Opponent),
    /// The path of a program with the line protocol of `bot`, and its arguments, separated by spaces.
    Program(String),
}

/// A player at work, with its memory.
enum Player {
    Searcher(Opponent, Box<Searcher>),
    Program { child: Child, input: ChildStdin, output: BufReader<ChildStdout> },
}

impl Player {
    fn new(entrant: &Entrant) -> anyhow::Result<Self> {
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
    fn turn(&mut self, game: &AnyMatch, limit: &Limit<'_>, seed: u64) -> Result<Vec<String>, String> {
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

/// A limit of a turn.
#[derive(Clone, Copy, Debug)]
enum Each {
    Time(Duration),
    Nodes(u64),
}

impl FromStr for Entrant {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (name, limit) = text.split_once('@').map_or((text, None), |(name, limit)| (name, Some(limit)));
        let limit = limit.map(|limit| match limit.strip_suffix("ms") {
            Some(ms) => ms.parse().map(|ms| Each::Time(Duration::from_millis(ms))),
            None => limit.parse().map(Each::Nodes),
        });
        let kind = match name.strip_prefix("program:") {
            Some(command) => Kind::Program(command.to_owned()),
            None => Kind::Opponent(name.parse()?),
        };
        Ok(Self { kind, limit: limit.transpose()? })
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Opponent(opponent) => opponent.fmt(f)?,
            Kind::Program(command) => f.write_str(command)?,
        }
        match self.limit {
            Some(Each::Time(time)) => write!(f, "@{}ms", time.as_millis()),
            Some(Each::Nodes(nodes)) => write!(f, "@{nodes}"),
            None => Ok(()),
        }
    }
}

/// Two differences of strength in Elo points, of which a sequential test refutes one.
#[derive(Clone, Copy, Debug)]
struct Sprt {
    elo0: f64,
    elo1: f64,
}

impl FromStr for Sprt {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (elo0, elo1) = text.split_once(',').context("expected two numbers, such as `0,10`")?;
        let sprt = Self { elo0: elo0.trim().parse()?, elo1: elo1.trim().parse()? };
        ensure!(sprt.elo0 < sprt.elo1, "the first number must be the smaller one");
        Ok(sprt)
    }
}

/// A clock that runs from the beginning of a turn.
enum Stopwatch {
    Wall(Instant),
    /// Of the processor's time of this thread.
    Processor(Duration),
}

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "a program of its own has no `Env`")]
    fn start(is_wall: bool) -> Self {
        if is_wall { Self::Wall(Instant::now()) } else { Self::Processor(processor_time()) }
    }
}

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        match self {
            Self::Wall(start) => start.elapsed(),
            Self::Processor(start) => processor_time().saturating_sub(*start),
        }
    }
}

fn processor_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
}

/// The result of a game.
struct Game {
    /// Points of the first player: 0, ½ or 1.
    points: f64,
    /// The side that won.
    winner: Option<Side>,
    /// The reason, or the fault of the loser.
    end: String,
    is_fault: bool,
    n_turns: u16,
    /// Times of the turns of both players, without those of the opening.
    times: [Vec<Duration>; 2],
    turns: String,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    ensure!(
        [&options.one, &options.other].iter().all(|entrant| entrant.limit.is_some())
            || options.time_ms.is_some()
            || options.nodes.is_some(),
        "a limit is needed: --time-ms or --nodes, or one after the names"
    );
    let mut results = Results::default();
    let n_pairs = options.games.div_ceil(2);
    let next = AtomicU32::new(0);
    let (sender, receiver) = std::sync::mpsc::sync_channel(64);
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            let (sender, options, next) = (sender.clone(), &options, &next);
            scope.spawn(move || {
                let players = [Player::new(&options.one), Player::new(&options.other)];
                let [Ok(one), Ok(other)] = players else {
                    for error in players.into_iter().filter_map(Result::err) {
                        eprintln!("{error:#}");
                    }
                    return;
                };
                let mut players = [one, other];
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= n_pairs || sender.send(play_pair(options, &mut players, pair)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for pair in &receiver {
            results.add(pair, &options);
            if options.sprt.is_some_and(|sprt| results.is_decided(sprt)) {
                break;
            }
        }
        // The players notice that nobody listens, and end.
        drop(receiver);
    });
    if options.markdown {
        results.print_row(&options)
    } else {
        results.print(&options)
    }
    Ok(())
}

/// Plays an opening with both distributions of sides.
fn play_pair(options: &Options, players: &mut [Player; 2], pair: u32) -> [Game; 2] {
    let seed = Random::new(options.seed ^ u64::from(pair) << 32).bits();
    let start = opening(options, seed);
    [Side::First, Side::Second].map(|side| play_game(options, players, &start, side, seed))
}

/// The match after a random opening in which the game is not over.
fn opening(options: &Options, seed: u64) -> AnyMatch {
    let n_turns = options.opening.unwrap_or(match options.ruleset {
        Ruleset::Fibonacci | Ruleset::FibonacciMixed | Ruleset::FibonacciCards => 2,
        Ruleset::Fenix => 10,
        Ruleset::Focus | Ruleset::FocusClassic | Ruleset::Crossfire => 4,
    });
    let mut random = Random::new(seed);
    loop {
        let mut cards = [0; 32];
        cards.fill_with(|| random.bits() as u8);
        let mut game = AnyMatch::new(options.ruleset).with_seed(Seed::new(cards));
        let mut searcher = Searcher::new(0);
        for _ in 0..n_turns {
            let settings = Settings { seed: random.bits(), ..Settings::default() };
            let Some(report) =
                searcher.search_as(Opponent::Random, &game, &Limit::default(), &settings, &mut |_| {})
            else {
                break;
            };
            if game.play(&report.turn).is_err() {
                break;
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// The game as a player sees it: without the seed of the cards.
fn seen(game: &AnyMatch) -> AnyMatch {
    if game.ruleset().has_cards() {
        AnyMatch::from_text(game.ruleset(), &game.position_text()).unwrap_or_else(|_| game.clone())
    } else {
        game.clone()
    }
}

/// Plays a game in which the first player has a side.
fn play_game(options: &Options, players: &mut [Player; 2], start: &AnyMatch, one: Side, seed: u64) -> Game {
    let mut game = start.clone();
    let mut times = [Vec::new(), Vec::new()];
    let mut turns = String::new();
    let (winner, end, is_fault) = loop {
        if let Some(outcome) = game.outcome() {
            break (outcome.winner, outcome.reason.id().to_owned(), false);
        }
        let player = usize::from(game.to_move() != one);
        let entrant = [&options.one, &options.other][player];
        let clock = Stopwatch::start(!options.cpu);
        let (time, nodes) = match entrant.limit {
            Some(Each::Time(time)) => (Some(time), None),
            Some(Each::Nodes(nodes)) => (None, Some(nodes)),
            None => (options.time_ms.map(Duration::from_millis), options.nodes),
        };
        let limit =
            Limit { time: time.map(|limit| Time { clock: &clock, limit }), nodes, ..Limit::default() };
        let turn_seed = seed ^ u64::from(game.turn().get()) << 8 ^ player as u64;
        let turn = players[player].turn(&seen(&game), &limit, turn_seed);
        let taken = clock.elapsed();
        times[player].push(taken);
        let fault = match turn {
            Err(fault) => Some(fault),
            Ok(_) if time.is_some_and(|time| taken > time + LATE) => Some("late".to_owned()),
            Ok(turn) => {
                turns.push_str(&turn.join(","));
                turns.push(' ');
                game.play(&turn).err().map(|error| format!("illegal ({error})"))
            }
        };
        if let Some(fault) = fault {
            eprintln!("{entrant}: {fault} in {}", game.position_text());
            break (Some(game.to_move().other()), fault, true);
        }
    };
    let points = winner.map_or(0.5, |winner| f64::from(u8::from(winner == one)));
    if options.show_losses && points == 0.0 {
        eprintln!("lost as {one:?}: {end}\n{}\n{turns}", start.position_text());
    }
    Game { points, winner, end, is_fault, n_turns: game.turn().get() - 1, times, turns }
}

#[derive(Default)]
struct Results {
    games: Vec<Game>,
    /// Points of the first player in each pair, in the order in which they were played.
    pairs: Vec<f64>,
}

impl Results {
    fn add(&mut self, pair: [Game; 2], options: &Options) {
        self.pairs.push(pair.iter().map(|game| game.points).sum());
        self.games.extend(pair);
        if !options.markdown && self.games.len().is_multiple_of(20) {
            let (score, error) = self.score();
            eprintln!("{:5} games: {:.1} ± {:.1} %", self.games.len(), 100.0 * score, 100.0 * error);
        }
    }

    /// The mean of the points of a game, and half of its 95 % interval. The games of a pair are not independent, so
    /// pairs are counted.
    fn score(&self) -> (f64, f64) {
        let n = self.pairs.len().max(1) as f64;
        let mean = self.pairs.iter().sum::<f64>() / n / 2.0;
        (mean, 1.96 * (self.variance(mean) / n).sqrt())
    }

    /// The variance of the points of a game as the mean of its pair.
    fn variance(&self, mean: f64) -> f64 {
        let n = self.pairs.len() as f64;
        let squares: f64 = self.pairs.iter().map(|pair| (pair / 2.0 - mean).powi(2)).sum();
        // One pair lost by half a point more keeps the interval open when all pairs are equal.
        (squares + 0.0625) / (n + 1.0)
    }

    /// The logarithm of the likelihood ratio of the two differences of a sequential test.
    fn likelihood(&self, sprt: Sprt) -> f64 {
        let n = self.pairs.len() as f64;
        let (mean, _) = self.score();
        let expected = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let (low, high) = (expected(sprt.elo0), expected(sprt.elo1));
        n * (high - low) * (2.0 * mean - low - high) / (2.0 * self.variance(mean))
    }

    fn is_decided(&self, sprt: Sprt) -> bool {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        self.pairs.len() >= 10 && self.likelihood(sprt).abs() >= bound
    }

    fn count(&self, points: f64) -> usize {
        self.games.iter().filter(|game| game.points == points).count()
    }

    fn wins_of_first(&self) -> f64 {
        let won = self.games.iter().filter(|game| game.winner == Some(Side::First)).count();
        let decided = self.games.iter().filter(|game| game.winner.is_some()).count();
        won as f64 / decided.max(1) as f64
    }

    fn mean_length(&self) -> f64 {
        let n_turns: f64 = self.games.iter().map(|game| f64::from(game.n_turns)).sum();
        n_turns / self.games.len().max(1) as f64
    }

    fn ends(&self) -> String {
        let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
        for game in &self.games {
            *ends.entry(&game.end).or_default() += 1;
        }
        let mut ends: Vec<(&str, usize)> = ends.into_iter().collect();
        ends.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        ends.iter().map(|(end, n)| format!("{end} {n}")).collect::<Vec<_>>().join(", ")
    }

    /// Median and maximum of the time of a turn of a player.
    fn times(&self, player: usize) -> (Duration, Duration) {
        let mut times: Vec<Duration> =
            self.games.iter().flat_map(|game| game.times[player].iter().copied()).collect();
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        (median, times.last().copied().unwrap_or_default())
    }

    #[expect(clippy::print_stdout, reason = "the output of the program")]
    fn print(&self, options: &Options) {
        let (score, error) = self.score();
        println!("{}: {} against {}", options.ruleset, options.one, options.other);
        println!(
            "{} games: {} won, {} drawn, {} lost; score {:.1} ± {:.1} %",
            self.games.len(),
            self.count(1.0),
            self.count(0.5),
            self.count(0.0),
            100.0 * score,
            100.0 * error
        );
        println!(
            "first side wins {:.1} % of decided games; mean length {:.1} turns; {}",
            100.0 * self.wins_of_first(),
            self.mean_length(),
            self.ends()
        );
        for (player, entrant) in [&options.one, &options.other].into_iter().enumerate() {
            let (median, longest) = self.times(player);
            println!("{entrant}: median {median:.1?}, longest {longest:.1?} a turn");
        }
        let n_faults = self.games.iter().filter(|game| game.is_fault).count();
        if n_faults > 0 {
            println!("{n_faults} games lost by faults");
        }
        if let Some(sprt) = options.sprt {
            let likelihood = self.likelihood(sprt);
            let verdict = match (self.is_decided(sprt), likelihood > 0.0) {
                (false, _) => "undecided".to_owned(),
                (true, true) => format!("{} Elo refuted", sprt.elo0),
                (true, false) => format!("{} Elo refuted", sprt.elo1),
            };
            println!("sequential test of {},{}: {likelihood:.2}, {verdict}", sprt.elo0, sprt.elo1);
        }
        let distinct: std::collections::BTreeSet<&str> =
            self.games.iter().map(|game| game.turns.as_str()).collect();
        println!("{} different games", distinct.len());
    }

    #[expect(clippy::print_stdout, reason = "the output of the program")]
    fn print_row(&self, options: &Options) {
        let (score, error) = self.score();
        let limit = match (options.time_ms, options.nodes) {
            (Some(ms), _) => format!("{ms} ms"),
            (None, Some(nodes)) => format!("{nodes} nodes"),
            (None, None) => String::new(),
        };
        println!(
            "| `{}` | {} – {} | {limit} | {} | {} / {} / {} | {:.1} ± {:.1} % | {:.0} % | {:.0} | {} |",
            options.ruleset,
            options.one,
            options.other,
            self.games.len(),
            self.count(1.0),
            self.count(0.5),
            self.count(0.0),
            100.0 * score,
            100.0 * error,
            100.0 * self.wins_of_first(),
            self.mean_length(),
            self.ends()
        );
    }
}
