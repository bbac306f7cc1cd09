//! Games from drawn openings, each of which is played twice.

use std::time::{Duration, Instant};

use engine::{
    AnyMatch, BySide, Ruleset, Seed, Side,
    record::{EndReason, Ending, Record},
};
use rustix::time::{ClockId, clock_gettime};
use search::{Baseline, Clock, Limit, Opponent, Random, Searcher, Settings, Time};

use crate::{
    Options,
    entrant::{Each, Entrant},
    player::Player,
};

/// Time beyond the limit from which an answer is late.
const LATE: Duration = Duration::from_millis(50);

/// The result of a game.
pub(crate) struct Game {
    /// Points of the first player: 0, ½ or 1.
    pub(crate) points: f64,
    /// The side of the first player.
    pub(crate) one: Side,
    /// The side that won.
    pub(crate) winner: Option<Side>,
    /// The reason, or the fault of the loser.
    pub(crate) end: String,
    pub(crate) is_fault: bool,
    /// Times of the turns of both players, without those of the opening.
    pub(crate) times: [Vec<Duration>; 2],
    /// The game. After a fault it is abandoned by the loser.
    pub(crate) record: Record,
}

impl Game {
    /// All actions.
    pub(crate) fn turns_text(&self) -> String {
        let actions = self.record.turns.iter().flat_map(|turn| &turn.actions);
        actions.map(|action| action.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// Plays an opening twice, with sides swapped.
pub(crate) fn play_pair(
    options: &Options,
    entrants: &[Entrant; 2],
    players: &mut [Player; 2],
    pair: u32,
) -> [Game; 2] {
    let seed = Random::new(options.seed ^ u64::from(pair) << 32).bits();
    let start = opening(options, seed);
    Side::ALL.map(|side| play_game(options, entrants, players, &start, side, seed))
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
            let Some(report) = searcher.search_as(
                Opponent::Baseline(Baseline::Random),
                &game,
                &Limit::default(),
                &settings,
                &mut |_| {},
            ) else {
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

/// Plays a game in which the first player has a side.
fn play_game(
    options: &Options,
    entrants: &[Entrant; 2],
    players: &mut [Player; 2],
    start: &AnyMatch,
    one: Side,
    seed: u64,
) -> Game {
    let mut game = start.clone();
    let mut times = [Vec::new(), Vec::new()];
    let (ending, fault) = loop {
        if let Some(outcome) = game.outcome() {
            break (Ending::from(outcome), None);
        }
        let player = usize::from(game.to_move() != one);
        let turn_seed = seed ^ u64::from(game.turn().get()) << 8 ^ player as u64;
        let (fault, taken) =
            take_turn(options, &entrants[player], &mut players[player], &mut game, turn_seed);
        times[player].push(taken);
        if let Some(fault) = fault {
            eprintln!("{}: {fault} in {}", entrants[player], game.position_text());
            let winner = Some(game.to_move().other());
            break (Ending { winner, reason: EndReason::Abandon }, Some(fault));
        }
    };
    let name = |side: Side| entrants[usize::from(side != one)].to_string().parse().ok();
    let record = Record { players: BySide::from_fn(name), ending: Some(ending), ..Record::from_match(&game) };
    Game {
        points: ending.winner.map_or(0.5, |winner| f64::from(u8::from(winner == one))),
        one,
        winner: ending.winner,
        is_fault: fault.is_some(),
        end: fault.unwrap_or_else(|| ending.reason.id().to_owned()),
        times,
        record,
    }
}

/// Has a player take a turn. Returns its fault, if it made one, and the time that it took.
fn take_turn(
    options: &Options,
    entrant: &Entrant,
    player: &mut Player,
    game: &mut AnyMatch,
    seed: u64,
) -> (Option<String>, Duration) {
    let clock = Stopwatch::start(!options.cpu);
    let (time, nodes) = match entrant.limit {
        Some(Each::Time(time)) => (Some(time), None),
        Some(Each::Nodes(nodes)) => (None, Some(nodes)),
        None => (options.time_ms.map(Duration::from_millis), options.nodes),
    };
    let limit = Limit { time: time.map(|limit| Time { clock: &clock, limit }), nodes, ..Limit::default() };
    let patience = time.filter(|_| !options.cpu).map(|time| time + LATE);
    let answer = player.turn(game, &limit, patience, seed);
    let mut taken = clock.elapsed();
    let fault = match answer {
        Err(fault) => Some(fault),
        Ok(answer) => {
            if options.cpu {
                taken += answer.elsewhere;
            }
            if time.is_some_and(|time| taken > time + LATE) {
                Some(format!("late, after {taken:.1?}"))
            } else {
                game.play(&answer.turn).err().map(|error| format!("illegal turn: {error}"))
            }
        }
    };
    (fault, taken)
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
