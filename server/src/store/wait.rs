//! How long games wait for their writes: what tells whether the database and the machine keep up.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use crate::ids::GameId;

/// Time without an answered transaction after which nobody knows whether the database is slow or has stopped. It is shorter
/// than the second of slow writes that makes an overload, so that one that has stopped is not taken for an overloaded one.
const SILENT_AFTER: Duration = Duration::from_millis(900);

/// Time without an answered transaction after which the database counts as away. A disk in trouble, or a PostgreSQL that
/// swaps, takes seconds for a transaction and is still overloaded.
const AWAY_AFTER: Duration = Duration::from_secs(5);

/// How long the games under way have waited for their writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WriterLoad {
    /// The database answers nothing.
    Away,
    /// A transaction takes so long that the database may be slow, or gone.
    Silent,
    Answering {
        /// For how long writes wait: the oldest in the transaction under way, or in the mean those that were answered since
        /// it was last asked, whichever is longer.
        wait: Duration,
        /// Games that wait or were answered since it was last asked.
        games: HashSet<GameId>,
    },
}

/// What is known of the writes of games under way.
#[derive(Debug, Default)]
pub(super) struct Waits {
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    /// How many writes of each game wait to be answered.
    waiting: HashMap<GameId, u32>,
    /// When the oldest write of the transaction under way was given to the writer. None that waits is older.
    under_way: Option<Instant>,
    /// When the transaction began since which none was answered.
    unanswered_since: Option<Instant>,
    /// Writes whose answers have reached those who wait for them since it was last looked, of which games they were, and how
    /// long all took.
    n_answered: u32,
    answered: HashSet<GameId>,
    all_took: Duration,
}

/// A write that waits, until this is dropped.
#[derive(Debug)]
pub(super) struct Waiting<'w> {
    waits: &'w Waits,
    game: GameId,
    since: Instant,
}

impl Waiting<'_> {
    /// Its answer has come.
    pub(super) fn answered(self) {
        let mut seen = self.waits.locked();
        seen.n_answered += 1;
        seen.answered.insert(self.game);
        seen.all_took += self.since.elapsed();
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut seen = self.waits.locked();
        if let Some(n_writes) = seen.waiting.get_mut(&self.game) {
            *n_writes -= 1;
            if *n_writes == 0 {
                seen.waiting.remove(&self.game);
            }
        }
    }
}

impl Waits {
    /// Counts a write of a game until its guard is dropped.
    pub(super) fn begin(&self, game: GameId, since: Instant) -> Waiting<'_> {
        *self.locked().waiting.entry(game).or_default() += 1;
        Waiting { waits: self, game, since }
    }

    /// A transaction begins whose oldest write of a game under way has waited since then.
    pub(super) fn transaction_begins(&self, oldest: Option<Instant>) {
        let mut seen = self.locked();
        seen.under_way = oldest;
        seen.unanswered_since.get_or_insert_with(Instant::now);
    }

    pub(super) fn transaction_ends(&self, is_answered: bool) {
        let mut seen = self.locked();
        seen.under_way = None;
        if is_answered {
            seen.unanswered_since = None;
        }
    }

    pub(super) fn load(&self) -> WriterLoad {
        let mut seen = self.locked();
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
        WriterLoad::Answering { wait, games }
    }

    fn locked(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// The games are 1 to `n_games`.
    fn answering(wait: Duration, n_games: u128) -> WriterLoad {
        WriterLoad::Answering { wait, games: (1..=n_games).map(game).collect() }
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_is_the_mean_of_what_was_answered_since_it_was_last_looked() {
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
        assert_eq!(waits.load(), answering(Duration::ZERO, 1), "it waits for its transaction");
        third.answered();
        drop(waits.begin(game(3), Instant::now()));
        assert_eq!(waits.load(), answering(4 * MS, 1), "who has gone waits no more");
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
            assert_eq!(waits.load(), answering(Duration::ZERO, 0), "it has answered the one before");
            waits.transaction_ends(true);
        }
        advance(100 * AWAY_AFTER).await;
        assert_eq!(waits.load(), answering(Duration::ZERO, 0), "nothing was asked");
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
