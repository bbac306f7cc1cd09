//! The threads that bots think on, and the time that they take. Reviews of games are computed there too.

use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use engine::AnyMatch;
use game::ids::BotLevel;
use parking_lot::Mutex;
use search::{Clock, Level, Limit, Report, Searcher, Settings, Time};
use tokio::time::Instant;

use crate::{
    compute::{Asker, Compute, ComputeError, Priority, RUNNING_PER_ADDRESS},
    net::address::Network,
};

/// Bytes of the tables of a searcher. There is one searcher for each thread.
const TABLE_BYTES: usize = 32 << 20;

/// Maximum number of queued searches of one address.
const WAITING_PER_ADDRESS: usize = 64;

/// Time in which all games that wait have their turn. The addresses share it equally, and each address shares its part
/// among its games.
const ROUND: Duration = Duration::from_secs(10);

/// Minimum time of a search, however many wait.
const LEAST: Duration = Duration::from_millis(50);

/// A pool of searchers.
#[derive(Clone, Debug)]
pub(crate) struct Thinking {
    compute: Compute,
    searchers: Arc<Mutex<Vec<Searcher>>>,
    stop: Arc<AtomicBool>,
    pending: Pending,
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

/// The searches that wait or run.
#[derive(Clone, Debug)]
struct Pending {
    /// Number of those of each subscriber; `None` is the server itself.
    of_address: Arc<Mutex<HashMap<Option<Network>, usize>>>,
    n_threads: usize,
}

impl Pending {
    /// Counts a search of an address until the guard is dropped.
    fn enter(&self, address: Option<Network>) -> PendingSearch {
        *self.of_address.lock().entry(address).or_default() += 1;
        PendingSearch { pending: self.clone(), address }
    }

    /// The share of a search of this address in the time of the threads.
    fn share(&self, address: Option<Network>) -> Share {
        let of_address = self.of_address.lock();
        let n_own = of_address.get(&address).copied().unwrap_or(1);
        Share {
            n_addresses: of_address.len().div_ceil(self.n_threads),
            n_own: n_own.div_ceil(self.n_threads.min(RUNNING_PER_ADDRESS)),
        }
    }
}

/// Numbers of addresses, and of searches of one address, that take turns on a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share {
    n_addresses: usize,
    n_own: usize,
}

/// Counts a search while it waits or runs.
struct PendingSearch {
    pending: Pending,
    address: Option<Network>,
}

impl PendingSearch {
    fn share(&self) -> Share {
        self.pending.share(self.address)
    }
}

impl Drop for PendingSearch {
    fn drop(&mut self) {
        let mut of_address = self.pending.of_address.lock();
        if let Some(number) = of_address.get_mut(&self.address) {
            *number -= 1;
            if *number == 0 {
                of_address.remove(&self.address);
            }
        }
    }
}

impl Thinking {
    /// Starts a thread fewer than there are cores, and at least one, of the lowest priority: people come first.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(crate) fn start() -> std::io::Result<Self> {
        let compute = Compute::start("bots", Priority::Lowest, WAITING_PER_ADDRESS)?;
        let pending = Pending { of_address: Arc::default(), n_threads: compute.n_threads() };
        Ok(Self { compute, searchers: Arc::default(), stop: Arc::default(), pending })
    }

    /// Returns the best turn that a level finds; `None` if the search finds nothing or panics.
    ///
    /// # Errors
    /// Too many searches of this address wait, or the server goes down.
    pub(super) async fn search(
        &self,
        asker: Asker,
        question: Question,
    ) -> Result<Option<Report>, ComputeError> {
        let pending = self.pending.enter(asker.subscriber());
        let (searchers, stop, asked) = (Arc::clone(&self.searchers), Arc::clone(&self.stop), Instant::now());
        let work = move || {
            let limit = time_of(&question, asked.elapsed(), pending.share());
            search(&searchers, &question, limit, &stop)
        };
        match self.compute.run(asker, work).await {
            Ok(report) => Ok(report),
            Err(ComputeError::Panicked) => Ok(None),
            Err(error @ (ComputeError::Busy | ComputeError::GoingDown)) => Err(error),
        }
    }

    /// Returns a legal turn, for a bot that finds none.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub(super) async fn first_turn(&self, asker: Asker, game: AnyMatch) -> Result<Vec<String>, ComputeError> {
        self.compute.run(asker, move || first_turn(&game)).await
    }

    /// Does a piece of work beside the searches for bots. All such pieces together have the share of one address. The
    /// flag that a piece gets is set when the server goes down; the piece then ends early, and its result is dropped.
    ///
    /// # Errors
    /// The work panicked, too much waits, or the server goes down.
    pub(crate) async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, ComputeError> {
        let stop = Arc::clone(&self.stop);
        self.compute.run(Asker::SERVER, move || work(&stop)).await
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
    let settings = Settings { level: Level::new(level.get())?, seed: *seed, ..Settings::default() };
    // A searcher that has panicked is not used again.
    let report = catch_unwind(AssertUnwindSafe(|| searcher.search(game, &limit, &settings, &mut |_| {})));
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
/// less if many searches wait.
fn time_of(Question { level, left, .. }: &Question, waited: Duration, share: Share) -> Duration {
    let of_level = Level::new(level.get()).unwrap_or(Level::FULL).time();
    let n_in_turn = share.n_addresses.saturating_mul(share.n_own).max(1);
    let of_round = ROUND / u32::try_from(n_in_turn).unwrap_or(u32::MAX);
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
            (5, None, 0, (1, 1), secs(1)),
            (8, None, 0, (1, 1), secs(5)),
            (8, Some(secs(600)), 0, (1, 1), secs(5)),
            (8, Some(secs(50)), 0, (1, 1), secs(2)),
            (8, Some(secs(50)), 25, (1, 1), secs(1)),
            (8, None, 0, (10, 1), secs(1)),
            (8, None, 0, (2, 5), secs(1)),
            (8, Some(secs(0)), 0, (1, 1), LEAST),
            (8, None, 0, (1_000_000, 1), LEAST),
        ];
        for (level, left, waited, (n_addresses, n_own), expected) in cases {
            let (question, share) = (question(level, left), Share { n_addresses, n_own });
            assert_eq!(time_of(&question, secs(waited), share), expected, "{question:?} {share:?}");
        }
    }

    #[test]
    fn many_games_of_one_address_take_no_time_from_another() {
        let pending = Pending { of_address: Arc::default(), n_threads: 1 };
        let [greedy, modest] = [1, 2].map(|number| Some(Address::of_tests(number).subscriber()));
        let _games: Vec<_> = (0..64).map(|_| pending.enter(greedy)).collect();
        let game = pending.enter(modest);
        assert_eq!(game.share(), Share { n_addresses: 2, n_own: 1 });
        assert_eq!(pending.share(greedy), Share { n_addresses: 2, n_own: 64 });
        drop(game);
        assert_eq!(pending.share(greedy), Share { n_addresses: 1, n_own: 64 });

        let pending = Pending { n_threads: 8, ..pending };
        assert_eq!(pending.share(greedy), Share { n_addresses: 1, n_own: 32 }, "two run at once");
    }

    #[tokio::test]
    async fn a_search_returns_a_legal_turn() {
        let thinking = Thinking::start().unwrap();
        let question = question(1, None);
        let mut game = question.game.clone();
        let report = thinking.search(Asker::SERVER, question).await.unwrap().unwrap();
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
                let turn = thinking.first_turn(Asker::SERVER, game.clone()).await.unwrap();
                game.play(&turn).unwrap();
            }
        }
    }

    #[tokio::test]
    async fn work_aside_has_its_turn_however_many_searches_of_an_address_wait() {
        let thinking = Thinking::start().unwrap();
        let asker = Asker::visitor(Address::of_tests(1));
        let mut searches: Vec<_> =
            (0..WAITING_PER_ADDRESS).map(|_| Box::pin(thinking.search(asker, question(8, None)))).collect();
        assert!(searches.iter_mut().all(|search| search.now_or_never().is_none()));
        system_tests::timeout("the work", thinking.aside(|_| ())).await.unwrap();
        thinking.stop();
        assert!(join_all(searches).await.iter().any(Result::is_err), "most were still waiting");
    }

    #[tokio::test]
    async fn after_the_stop_no_search_begins() {
        let thinking = Thinking::start().unwrap();
        thinking.stop();
        let refused = thinking.search(Asker::SERVER, question(8, None)).await.unwrap_err();
        assert_eq!(refused, ComputeError::GoingDown);
    }
}
