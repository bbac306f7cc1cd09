//! Games from drawn openings, each of which is played twice.

use std::time::{Duration, Instant};

use engine::{AnyMatch, Ruleset, Seed, Side};
use rustix::time::{ClockId, clock_gettime};
use search::{Clock, Limit, Opponent, Random, Searcher, Settings, Time};

use crate::{Options, entrant::Each, player::Player};

/// Time beyond the limit from which an answer is late.
const LATE: Duration = Duration::from_millis(50);

/// The result of a game.
pub(crate) struct Game {
    /// Points of the first player: 0, ½ or 1.
    pub(crate) points: f64,
    /// The side that won.
    pub(crate) winner: Option<Side>,
    /// The reason, or the fault of the loser.
    pub(crate) end: String,
    pub(crate) is_fault: bool,
    pub(crate) n_turns: u16,
    /// Times of the turns of both players, without those of the opening.
    pub(crate) times: [Vec<Duration>; 2],
    pub(crate) turns: String,
}

/// Plays an opening twice, with sides swapped.
pub(crate) fn play_pair(options: &Options, players: &mut [Player; 2], pair: u32) -> [Game; 2] {
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
