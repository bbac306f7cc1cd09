//! Players of the games of Towers: the best turn of a position and its score.
//!
//! A [`Searcher`] owns all memory that its searches use. A search takes a match with its history, a [`Limit`] and
//! [`Settings`], passes interim [`Report`]s to `improved`, and returns the last. It reads no clock, starts no thread
//! unless it may use several, and uses no randomness but that of the seed: with the same node limit, the same seed and
//! one thread, a new searcher finds the same turn. With cards that holds on one platform, since the mean over the
//! cards uses the platform's mathematical functions.
//!
//! ```
//! use engine::{AnyMatch, Ruleset};
//! use search::{Limit, Searcher, Settings};
//!
//! let mut game = AnyMatch::new(Ruleset::Fibonacci);
//! let limit = Limit { nodes: Some(1000), ..Limit::default() };
//! let report = Searcher::new(1 << 20).search(&game, &limit, &Settings::default(), &mut |_| {});
//! let turn = report.expect("the game is not over").turn;
//! assert!(game.play(&turn).is_ok());
//! ```

mod alphabeta;
mod baseline;
mod book;
mod fibonacci;
mod level;
mod limit;
mod opponent;
mod player;
#[cfg(feature = "puzzles")]
pub mod puzzle;
mod random;
mod report;
mod table;

use std::num::NonZeroUsize;

use engine::{AnyMatch, Match, Playable, fenix::Fenix, stacks::Stacks};

use self::{
    alphabeta::AlphaBeta,
    baseline::{GreedyPlayer, Material, RandomPlayer, UctPlayer},
    fibonacci::FibonacciPlayer,
    limit::Meter,
    player::{Player, Task},
};
pub use self::{
    alphabeta::Features,
    fibonacci::{Answer, Solver},
    level::Level,
    limit::{Clock, Limit, Time},
    opponent::{Baseline, Opponent, UnknownOpponent},
    random::Random,
    report::{Report, ScoredLine},
};

#[cfg(feature = "cli")]
pub use self::fibonacci::tuning;

/// Options of a search, besides its limits.
#[derive(Clone, Debug)]
pub struct Settings {
    pub level: Level,
    /// The seed of choices among equals and of the errors of lower levels.
    pub seed: u64,
    /// Number of lines of the report.
    pub lines: usize,
    /// Number of threads. With more than one the player of Fibonacci is faster, but its result depends on their timing; the
    /// other players use one.
    pub threads: NonZeroUsize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { level: Level::FULL, seed: 0, lines: 1, threads: NonZeroUsize::MIN }
    }
}

/// Players of all games, with their memory.
#[derive(Debug)]
pub struct Searcher {
    n_bytes: usize,
    fibonacci: Option<Box<FibonacciPlayer>>,
    fenix: Option<Box<AlphaBeta<Fenix>>>,
    stacks: Option<Box<AlphaBeta<Stacks>>>,
}

impl Searcher {
    /// Creates a searcher whose tables take at most `n_bytes` bytes. They are allocated by the first search of a game.
    /// The player of Fibonacci takes at most eighteen megabytes of its own, and ten for each further thread.
    #[must_use]
    pub const fn new(n_bytes: usize) -> Self {
        Self { n_bytes, fibonacci: None, fenix: None, stacks: None }
    }

    /// Searches for the best turn. `improved` is called with each interim report.
    ///
    /// Returns `None` if the game is over or waits for a card.
    pub fn search(
        &mut self,
        game: &AnyMatch,
        limit: &Limit<'_>,
        settings: &Settings,
        improved: &mut dyn FnMut(&Report),
    ) -> Option<Report> {
        if game.outcome().is_some() || game.awaits_card() {
            return None;
        }
        let report = match game {
            AnyMatch::Fibonacci(game) => run(
                self.fibonacci.get_or_insert_with(|| Box::new(FibonacciPlayer::new())).as_mut(),
                game,
                limit,
                settings,
                improved,
            ),
            AnyMatch::Fenix(game) => {
                self.stacks = None;
                let player = self.fenix.get_or_insert_with(|| Box::new(AlphaBeta::new(self.n_bytes)));
                run(player.as_mut(), game, limit, settings, improved)
            }
            AnyMatch::Stacks(game) => {
                self.fenix = None;
                let player = self.stacks.get_or_insert_with(|| Box::new(AlphaBeta::new(self.n_bytes)));
                run(player.as_mut(), game, limit, settings, improved)
            }
        };
        debug_assert!(game.clone().play(&report.turn).is_ok(), "{:?} is illegal", report.turn);
        Some(report)
    }

    /// Searches as the named opponent does. Its level takes the place of that in the settings. From level 5 on it may play a
    /// known opening of `fibonacci` without a search.
    pub fn search_as(
        &mut self,
        opponent: Opponent,
        game: &AnyMatch,
        limit: &Limit<'_>,
        settings: &Settings,
        improved: &mut dyn FnMut(&Report),
    ) -> Option<Report> {
        let baseline = match opponent {
            Opponent::Baseline(baseline) => baseline,
            Opponent::Level(level) => {
                let knows = Random::new(settings.seed).percent(level.known_openings());
                let known = knows.then(|| book::find(game)).flatten();
                return known
                    .or_else(|| self.search(game, limit, &Settings { level, ..settings.clone() }, improved));
            }
        };
        if game.outcome().is_some() || game.awaits_card() {
            return None;
        }
        Some(match game {
            AnyMatch::Fibonacci(game) => self.run_baseline(baseline, game, limit, settings, improved),
            AnyMatch::Fenix(game) => self.run_baseline(baseline, game, limit, settings, improved),
            AnyMatch::Stacks(game) => self.run_baseline(baseline, game, limit, settings, improved),
        })
    }

    fn run_baseline<R: Material>(
        &self,
        baseline: Baseline,
        game: &Match<R>,
        limit: &Limit<'_>,
        settings: &Settings,
        improved: &mut dyn FnMut(&Report),
    ) -> Report {
        match baseline {
            Baseline::Random => run(&mut RandomPlayer, game, limit, settings, improved),
            Baseline::Greedy => run(&mut GreedyPlayer, game, limit, settings, improved),
            Baseline::Uct => run(&mut UctPlayer::new(self.n_bytes), game, limit, settings, improved),
        }
    }
}

fn run<R: Playable>(
    player: &mut impl Player<R>,
    game: &Match<R>,
    limit: &Limit<'_>,
    settings: &Settings,
    improved: &mut dyn FnMut(&Report),
) -> Report {
    player.search(&mut Task { game, settings, meter: Meter::new(limit), improved })
}
