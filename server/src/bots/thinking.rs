//! The threads that bots think on, and the time that they take. Reviews of games are computed there too.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use engine::AnyMatch;
use game::ids::BotLevel;
use parking_lot::Mutex;
use search::{Clock, Level, Limit, Opponent, Report, Searcher, Settings, Time};
use tokio::time::Instant;

use crate::compute::{Bounds, Compute, ComputeError, Priority, Requester};

/// Bytes of the tables of a searcher. There is one searcher for each thread.
const TABLE_BYTES: usize = 32 << 20;

/// Maximum number of queued searches of one address.
const WAITING_PER_ADDRESS: usize = 64;

/// Target length of one round over all waiting games.
const ROUND: Duration = Duration::from_secs(10);

/// Minimum search time under any load.
const LEAST: Duration = Duration::from_millis(50);

/// A pool of searchers.
#[derive(Clone, Debug)]
pub(crate) struct Thinking {
    compute: Compute,
    searchers: Arc<Mutex<Vec<Searcher>>>,
    stop: Arc<AtomicBool>,
    /// Number of searches that wait or run.
    n_pending: Arc<AtomicUsize>,
}

/// A search for a bot.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) game: AnyMatch,
    pub(super) level: BotLevel,
    pub(super) seed: u64,
    /// Time on the bot's clock when it asks; `None` if time is not measured.
    pub(super) left: Option<Duration>,
}

/// A clock of the machine.
struct Since(Instant);

impl Clock for Since {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Guard that counts a search while it waits or runs.
struct Pending(Arc<AtomicUsize>);

impl Pending {
    fn enter(n_pending: &Arc<AtomicUsize>) -> Self {
        n_pending.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(n_pending))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Thinking {
    /// Starts a thread fewer than there are cores, and at least one, of the lowest priority: people come first.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(crate) fn start() -> std::io::Result<Self> {
        let compute = Compute::start("bots", Priority::Lowest, Bounds::on_cores(WAITING_PER_ADDRESS))?;
        Ok(Self { compute, searchers: Arc::default(), stop: Arc::default(), n_pending: Arc::default() })
    }

    /// Returns the best turn that a level finds; `None` if the search finds nothing or panics.
    ///
    /// # Errors
    /// Too many searches of this address wait, or the server goes down.
    pub(super) async fn search(
        &self,
        requester: Requester,
        question: Question,
    ) -> Result<Option<Report>, ComputeError> {
        let (pending, n_threads) = (Pending::enter(&self.n_pending), self.compute.n_threads());
        let (searchers, stop, asked) = (Arc::clone(&self.searchers), Arc::clone(&self.stop), Instant::now());
        let work = move || {
            let n_in_turn = pending.0.load(Ordering::Relaxed).div_ceil(n_threads);
            let limit = time_of(&question, asked.elapsed(), n_in_turn);
            search(&searchers, &question, limit, &stop)
        };
        match self.compute.run(requester, work).await {
            Ok(report) => Ok(report),
            Err(ComputeError::Panicked) => Ok(None),
            Err(error @ (ComputeError::Busy | ComputeError::GoingDown)) => Err(error),
        }
    }

    /// Returns a legal turn, for a bot that finds none.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub(super) async fn first_turn(
        &self,
        requester: Requester,
        game: AnyMatch,
    ) -> Result<Vec<String>, ComputeError> {
        self.compute.run(requester, move || first_turn(&game)).await
    }

    /// Does a piece of work beside the searches for bots. All such pieces together have the share of one address. The
    /// flag that a piece gets is set when the server goes down; the piece then ends early, and its result is dropped.
    ///
    /// # Errors
    /// The work panicked, too much waits, or the server goes down.
    pub(crate) async fn run_background<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, ComputeError> {
        let stop = Arc::clone(&self.stop);
        self.compute.run(Requester::SERVER, move || work(&stop)).await
    }

    /// Ends all searches, and refuses further ones.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.compute.close();
    }
}

fn search(
    searchers: &Mutex<Vec<Searcher>>,
    Question { game, level, seed, .. }: &Question,
    limit: Duration,
    stop: &AtomicBool,
) -> Option<Report> {
    let idle = || searchers.lock();
    let mut searcher = idle().pop().unwrap_or_else(|| Searcher::new(TABLE_BYTES));
    let clock = Since(Instant::now());
    let limit = Limit { time: Some(Time { clock: &clock, limit }), stop: Some(stop), ..Limit::default() };
    let player = Opponent::Level(Level::new(level.get())?);
    let settings = Settings { seed: *seed, ..Settings::default() };
    // A searcher that has panicked is not used again.
    let report =
        catch_unwind(AssertUnwindSafe(|| searcher.search_as(player, game, &limit, &settings, &mut |_| {})));
    match report {
        Ok(report) => {
            idle().push(searcher);
            report
        }
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Returns the turn of the actions that are listed first.
fn first_turn(game: &AnyMatch) -> Vec<String> {
    let mut actions: Vec<String> = Vec::new();
    while let Ok(draft) = game.draft(&actions) {
        let next = if draft.complete { None } else { draft.legal().into_iter().next() };
        match next {
            Some(next) => actions.push(next.text),
            None => break,
        }
    }
    actions
}

/// Returns the time of a search: that of the level, but at most a part of what the clock has left after the wait, and
/// less if many searches take turns on its thread.
fn time_of(Question { level, left, .. }: &Question, waited: Duration, n_in_turn: usize) -> Duration {
    let of_level = Level::new(level.get()).unwrap_or(Level::FULL).time();
    let of_round = ROUND / u32::try_from(n_in_turn.max(1)).unwrap_or(u32::MAX);
    let of_clock = left.map_or(of_level, |left| left.saturating_sub(waited) / 25);
    of_level.min(of_round).min(of_clock).max(LEAST.min(of_level))
}

#[cfg(test)]
mod tests {
    use engine::Ruleset;
    use futures_util::{FutureExt, future::join_all};

    use super::*;
    use crate::net::address::Address;

    fn question(level: u64, left: Option<Duration>) -> Question {
        let level = level.try_into().unwrap();
        Question { game: AnyMatch::new(Ruleset::Fenix), level, seed: 1, left }
    }

    #[test]
    fn a_bot_takes_its_levels_time_and_less_on_a_short_clock_or_if_many_wait() {
        let secs = Duration::from_secs;
        let cases = [
            (5, None, 0, 1, secs(1)),
            (8, None, 0, 1, secs(5)),
            (8, Some(secs(600)), 0, 1, secs(5)),
            (8, Some(secs(50)), 0, 1, secs(2)),
            (8, Some(secs(50)), 25, 1, secs(1)),
            (8, None, 0, 10, secs(1)),
            (8, Some(secs(0)), 0, 1, LEAST),
            (8, None, 0, 1_000_000, LEAST),
        ];
        for (level, left, waited, n_in_turn, expected) in cases {
            let question = question(level, left);
            assert_eq!(time_of(&question, secs(waited), n_in_turn), expected, "{question:?} {n_in_turn}");
        }
    }

    #[tokio::test]
    async fn a_search_returns_a_legal_turn() {
        let thinking = Thinking::start().unwrap();
        let question = question(1, None);
        let mut game = question.game.clone();
        let report = thinking.search(Requester::SERVER, question).await.unwrap().unwrap();
        assert!(game.play(&report.turn).is_ok());
    }

    #[tokio::test]
    async fn a_bot_that_finds_no_turn_has_a_legal_one_in_every_ruleset() {
        let thinking = Thinking::start().unwrap();
        for ruleset in Ruleset::ALL {
            let mut game = AnyMatch::new(ruleset);
            if game.awaits_card() {
                continue;
            }
            for _ in 0..3 {
                let turn = thinking.first_turn(Requester::SERVER, game.clone()).await.unwrap();
                game.play(&turn).unwrap();
            }
        }
    }

    #[tokio::test]
    async fn work_aside_has_its_turn_however_many_searches_of_an_address_wait() {
        let thinking = Thinking::start().unwrap();
        let requester = Requester::visitor(Address::of_tests(1));
        let mut searches: Vec<_> = (0..WAITING_PER_ADDRESS)
            .map(|_| Box::pin(thinking.search(requester, question(8, None))))
            .collect();
        assert!(searches.iter_mut().all(|search| search.now_or_never().is_none()));
        assert_eq!(thinking.n_pending.load(Ordering::Relaxed), WAITING_PER_ADDRESS);
        system_tests::timeout("the work", thinking.run_background(|_| ())).await.unwrap();
        thinking.stop();
        assert!(join_all(searches).await.iter().any(Result::is_err), "most were still waiting");
    }

    #[tokio::test]
    async fn after_the_stop_no_search_begins() {
        let thinking = Thinking::start().unwrap();
        thinking.stop();
        let refused = thinking.search(Requester::SERVER, question(8, None)).await.unwrap_err();
        assert_eq!(refused, ComputeError::GoingDown);
    }
}
