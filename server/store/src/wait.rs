//! Write latency as the games see it, which shows whether the database and the machine keep up.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use game::ids::GameId;
use parking_lot::Mutex;
use tokio::time::Instant;

/// Time without an answered transaction after which the database is either slow or gone. It is shorter than the second
/// of slow writes that makes an overload, so that a database that has stopped does not count as overloaded.
const SILENT_AFTER: Duration = Duration::from_millis(900);

/// Time without an answered transaction after which the database counts as away. A failing disk, or a PostgreSQL that
/// swaps, takes seconds for a transaction and counts as overloaded until then.
const AWAY_AFTER: Duration = Duration::from_secs(5);

/// Write latency of the games under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriterLoad {
    /// The database answers no transaction.
    Away,
    /// A transaction takes so long that the database may be either slow or gone.
    Silent,
    Answering {
        /// The longer of two times: the age of the oldest write in the transaction under way, and the mean latency of
        /// the writes answered since the last call.
        wait: Duration,
        /// Number of games with a write that is waiting or was answered since the last call.
        n_games: usize,
    },
}

/// Measures the writes of games under way.
#[derive(Debug, Default)]
pub(super) struct Waits {
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    /// Number of unanswered writes of each game.
    waiting: HashMap<GameId, u32>,
    /// Time at which the oldest write of the transaction under way was queued. No waiting write is older.
    under_way: Option<Instant>,
    /// Start of the first transaction after the last answered one.
    unanswered_since: Option<Instant>,
    /// Number of writes whose callers have received the answer since the last call of [`Waits::load`]. The next two
    /// fields are the games and the total latency of these writes.
    n_answered: u32,
    answered: HashSet<GameId>,
    all_took: Duration,
}

/// A guard that counts a write as waiting until it is dropped.
#[derive(Debug)]
pub(super) struct Waiting<'w> {
    waits: &'w Waits,
    game: GameId,
    since: Instant,
    is_answered: bool,
}

impl Waiting<'_> {
    /// Records that the caller has received the answer.
    pub(super) fn answered(mut self) {
        self.is_answered = true;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let took = self.since.elapsed();
        let mut seen = self.waits.seen.lock();
        if self.is_answered {
            seen.n_answered += 1;
            seen.answered.insert(self.game);
            seen.all_took += took;
        }
        if let Some(n_writes) = seen.waiting.get_mut(&self.game) {
            *n_writes -= 1;
            if *n_writes == 0 {
                seen.waiting.remove(&self.game);
            }
        }
    }
}

impl Waits {
    /// Counts a write of a game as waiting until the guard is dropped.
    pub(super) fn begin(&self, game: GameId, since: Instant) -> Waiting<'_> {
        *self.seen.lock().waiting.entry(game).or_default() += 1;
        Waiting { waits: self, game, since, is_answered: false }
    }

    /// Records the start of a transaction; `oldest` is when its oldest write of a game under way was queued.
    pub(super) fn transaction_begins(&self, oldest: Option<Instant>) {
        let mut seen = self.seen.lock();
        seen.under_way = oldest;
        seen.unanswered_since.get_or_insert_with(Instant::now);
    }

    pub(super) fn transaction_ends(&self, is_answered: bool) {
        let mut seen = self.seen.lock();
        seen.under_way = None;
        if is_answered {
            seen.unanswered_since = None;
        }
    }

    pub(super) fn load(&self) -> WriterLoad {
        let mut seen = self.seen.lock();
        let (n_answered, all_took) =
            (std::mem::take(&mut seen.n_answered), std::mem::take(&mut seen.all_took));
        let mut games = std::mem::take(&mut seen.answered);
        match seen.unanswered_since.map(|since| since.elapsed()) {
            Some(silence) if silence >= AWAY_AFTER => return WriterLoad::Away,
            Some(silence) if silence >= SILENT_AFTER => return WriterLoad::Silent,
            Some(_) | None => {}
        }
        let oldest = seen.under_way.map_or(Duration::ZERO, |since| since.elapsed());
        let wait = oldest.max(all_took / n_answered.max(1));
        games.extend(seen.waiting.keys());
        WriterLoad::Answering { wait, n_games: games.len() }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn game(number: u128) -> GameId {
        GameId::new(uuid::Uuid::from_u128(number))
    }

    fn answering(wait: Duration, n_games: usize) -> WriterLoad {
        WriterLoad::Answering { wait, n_games }
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_is_the_mean_of_the_writes_answered_since_the_last_call() {
        let waits = Waits::default();
        assert_eq!(waits.load(), answering(Duration::ZERO, 0), "nothing was written");
        let (one, other) = (waits.begin(game(1), Instant::now()), waits.begin(game(2), Instant::now()));
        advance(10 * MS).await;
        one.answered();
        advance(20 * MS).await;
        other.answered();
        assert_eq!(waits.load(), answering(20 * MS, 2));
        let third = waits.begin(game(1), Instant::now());
        advance(4 * MS).await;
        assert_eq!(waits.load(), answering(Duration::ZERO, 1), "the third write waits for its transaction");
        third.answered();
        drop(waits.begin(game(3), Instant::now()));
        assert_eq!(waits.load(), answering(4 * MS, 1), "a caller that has gone does not wait");
        assert_eq!(waits.load(), answering(Duration::ZERO, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_is_that_of_the_oldest_write_of_the_transaction_under_way() {
        let waits = Waits::default();
        let given = Instant::now();
        advance(300 * MS).await;
        waits.transaction_begins(Some(given));
        advance(100 * MS).await;
        assert_eq!(waits.load(), answering(400 * MS, 0));
        waits.transaction_ends(true);
        assert_eq!(waits.load(), answering(Duration::ZERO, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_database_that_answers_no_transaction_is_silent_and_then_away_until_it_answers_one() {
        let waits = Waits::default();
        for _ in 0..3 {
            waits.transaction_begins(None);
            advance(SILENT_AFTER - MS).await;
            assert_eq!(waits.load(), answering(Duration::ZERO, 0), "the transaction before was answered");
            waits.transaction_ends(true);
        }
        advance(100 * AWAY_AFTER).await;
        assert_eq!(waits.load(), answering(Duration::ZERO, 0), "no transaction is under way");
        for _ in 0..2 {
            waits.transaction_begins(Some(Instant::now()));
            advance(SILENT_AFTER / 2).await;
            waits.transaction_ends(false);
        }
        assert_eq!(waits.load(), WriterLoad::Silent);
        waits.transaction_begins(None);
        advance(AWAY_AFTER - SILENT_AFTER).await;
        assert_eq!(waits.load(), WriterLoad::Away);
        waits.transaction_ends(true);
        assert_eq!(waits.load(), answering(Duration::ZERO, 0));
    }
}
