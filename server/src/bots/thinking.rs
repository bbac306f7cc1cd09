//! The threads that bots think on, and the time that they take. Other work runs there while bots leave a thread idle.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use engine::AnyMatch;
use game::ids::BotLevel;
use search::{Clock, Level, Limit, Report, Searcher, Settings, Time};
use tokio::{
    sync::{Semaphore, watch},
    time::Instant,
};

use crate::compute::{Asker, Compute, ComputeError, Priority};

/// Bytes of the tables of a searcher. There is one searcher for each thread.
const TABLE_BYTES: usize = 32 << 20;

/// Maximum number of queued searches of one address.
const WAITING_PER_ADDRESS: usize = 64;

/// Time in which all games that wait have their turn, if the number of threads allows it.
const ROUND: Duration = Duration::from_secs(10);

/// Minimum time of a search, however many wait.
const LEAST: Duration = Duration::from_millis(50);

/// A pool of searchers.
#[derive(Clone, Debug)]
pub(crate) struct Thinking {
    compute: Compute,
    n_threads: usize,
    searchers: Arc<Mutex<Vec<Searcher>>>,
    stop: Arc<AtomicBool>,
    /// Number of searches of bots that wait or run.
    pending: Arc<watch::Sender<usize>>,
    /// Held by the piece of other work that runs. Others wait in the order in which they came.
    spare: Arc<Semaphore>,
    /// Whether bots need the thread of the piece of other work.
    is_needed: Arc<AtomicBool>,
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

/// Counts a search while it waits or runs.
struct Pending(Arc<watch::Sender<usize>>);

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.send_modify(|n_pending| *n_pending -= 1);
    }
}

impl Thinking {
    /// Starts a thread fewer than there are cores, and at least one, of the lowest priority: people come first.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(crate) fn start() -> std::io::Result<Self> {
        let compute = Compute::start("bots", Priority::Lowest, WAITING_PER_ADDRESS)?;
        Ok(Self {
            n_threads: compute.n_threads(),
            compute,
            searchers: Arc::default(),
            stop: Arc::default(),
            pending: Arc::new(watch::Sender::new(0)),
            spare: Arc::new(Semaphore::new(1)),
            is_needed: Arc::default(),
        })
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
        let mut n_pending = 0;
        self.pending.send_modify(|pending| {
            *pending += 1;
            n_pending = *pending;
        });
        let pending = Pending(Arc::clone(&self.pending));
        if n_pending >= self.n_threads {
            self.is_needed.store(true, Ordering::SeqCst);
        }
        let (searchers, stop, asked) = (Arc::clone(&self.searchers), Arc::clone(&self.stop), Instant::now());
        let work = move || {
            let _pending = pending;
            let limit = time_of(&question, asked.elapsed(), n_pending);
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

    /// Does a piece of work that bots never wait for. It starts when they leave a thread idle and the pieces that were
    /// asked for before it are done. The flag that it gets is set as soon as bots need its thread; the piece then ends
    /// early, and is done again from the beginning.
    ///
    /// # Errors
    /// The work panicked, or the server goes down; never [`ComputeError::Busy`].
    pub(crate) async fn when_idle<T: Send + 'static>(
        &self,
        work: impl Fn(&AtomicBool) -> T + Clone + Send + 'static,
    ) -> Result<T, ComputeError> {
        let _turn = self.spare.acquire().await.map_err(|_| ComputeError::GoingDown)?;
        let mut pending = self.pending.subscribe();
        loop {
            let is_idle = |n_pending: &usize| *n_pending < self.n_threads;
            pending.wait_for(is_idle).await.map_err(|_| ComputeError::GoingDown)?;
            self.is_needed.store(false, Ordering::SeqCst);
            // A bot that asked before the flag was lowered is seen here; a later one raises it.
            if !is_idle(&self.pending.borrow()) {
                continue;
            }
            let (work, is_needed) = (work.clone(), Arc::clone(&self.is_needed));
            let piece = move || {
                let done = work(&is_needed);
                if is_needed.load(Ordering::SeqCst) { None } else { Some(done) }
            };
            match self.compute.run(Asker::SERVER, piece).await {
                Ok(Some(done)) => return Ok(done),
                // Bots came before it, in its thread or in a full queue.
                Ok(None) | Err(ComputeError::Busy) => {}
                Err(error @ (ComputeError::Panicked | ComputeError::GoingDown)) => return Err(error),
            }
        }
    }

    /// Ends all searches, and refuses further ones.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.is_needed.store(true, Ordering::SeqCst);
        self.compute.close();
    }
}

fn search(
    searchers: &Mutex<Vec<Searcher>>,
    Question { game, level, seed, .. }: &Question,
    limit: Duration,
    stop: &AtomicBool,
) -> Option<Report> {
    let idle = || searchers.lock().unwrap_or_else(PoisonError::into_inner);
    let mut searcher = idle().pop().unwrap_or_else(|| Searcher::new(TABLE_BYTES));
    let clock = Since(Instant::now());
    let limit = Limit { time: Some(Time { clock: &clock, limit }), stop: Some(stop), ..Limit::default() };
    let settings = Settings { level: Level::new(level.get())?, seed: *seed, lines: 1 };
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
fn time_of(Question { level, left, .. }: &Question, waited: Duration, n_pending: usize) -> Duration {
    let of_level = match level.get() {
        1..=3 => Duration::from_millis(300),
        4 => Duration::from_millis(600),
        5 => Duration::from_secs(1),
        6 => Duration::from_millis(1_500),
        7 => Duration::from_millis(2_500),
        _ => Duration::from_secs(5),
    };
    let of_round = ROUND / u32::try_from(n_pending.max(1)).unwrap_or(u32::MAX);
    let of_clock = left.map_or(of_level, |left| left.saturating_sub(waited) / 25);
    of_level.min(of_round).min(of_clock).max(LEAST.min(of_level))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use engine::Ruleset;
    use futures_util::{FutureExt, future::join_all};

    use super::*;

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
        for (level, left, waited, n_pending, expected) in cases {
            let question = question(level, left);
            assert_eq!(time_of(&question, secs(waited), n_pending), expected, "{question:?} {n_pending}");
        }
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
    async fn other_work_waits_for_bots_and_gives_its_thread_back_to_them() {
        let thinking = Thinking::start().unwrap();
        let bots: Vec<_> = (0..thinking.n_threads).map(|_| Pending(Arc::clone(&thinking.pending))).collect();
        thinking.pending.send_modify(|pending| *pending = bots.len());
        let mut work = Box::pin(thinking.when_idle(|_| ()));
        assert_eq!((&mut work).now_or_never(), None, "no thread is idle");
        drop(bots);
        system_tests::timeout("the work", work).await.unwrap();

        let n_begun = Arc::new(AtomicUsize::new(0));
        let begun = Arc::clone(&n_begun);
        let work = thinking.when_idle(move |is_needed| {
            // The first attempt ends only when a bot needs the thread.
            if begun.fetch_add(1, Ordering::SeqCst) == 0 {
                while !is_needed.load(Ordering::SeqCst) {
                    std::thread::yield_now();
                }
            }
        });
        let searches = async {
            while n_begun.load(Ordering::SeqCst) == 0 {
                tokio::task::yield_now().await;
            }
            let games = (0..thinking.n_threads).map(|_| thinking.search(Asker::SERVER, question(1, None)));
            join_all(games).await
        };
        let (done, found) = system_tests::timeout("both", async { tokio::join!(work, searches) }).await;
        done.unwrap();
        assert!(found.iter().all(|report| matches!(report, Ok(Some(_)))), "{found:?}");
        assert_eq!(n_begun.load(Ordering::SeqCst), 2, "it is done again");
    }

    #[tokio::test]
    async fn after_the_stop_no_search_begins() {
        let thinking = Thinking::start().unwrap();
        thinking.stop();
        let refused = thinking.search(Asker::SERVER, question(8, None)).await.unwrap_err();
        assert_eq!(refused, ComputeError::GoingDown);
    }
}
