use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::StoreError;

/// Time after a failed write for which the database counts as failing. The heartbeat writes more often than that, so
/// the state lasts until writes succeed again.
const FAILS_FOR: Duration = Duration::from_secs(3);

/// Tracks whether recent writes to the database failed.
#[derive(Debug, Default)]
pub(super) struct Writes {
    failed_at: Mutex<Option<Instant>>,
}

impl Writes {
    /// Records the result of a write. A refused or aborted write or an unreadable row does not count as a failure of the
    /// database.
    pub(super) fn record<T>(&self, written: &Result<T, StoreError>) {
        let works = |error: &StoreError| error.is_refusal() || error.is_abort() || error.is_unreadable();
        if written.as_ref().is_err_and(|error| !works(error)) {
            *self.failed_at.lock() = Some(Instant::now());
        }
    }

    /// Verifies that no write has failed recently.
    ///
    /// # Errors
    /// [`StoreError::WritesFail`].
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let failed_at = *self.failed_at.lock();
        match failed_at {
            Some(at) if at.elapsed() < FAILS_FOR => Err(StoreError::WritesFail),
            Some(_) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_database_counts_as_failing_until_no_write_has_failed_for_a_while() {
        let writes = Writes::default();
        let failed = || Err::<(), _>(StoreError::TimedOut { doing: "write", waited: FAILS_FOR });
        writes.record(&Ok(()));
        writes.check().unwrap();
        for _ in 0..3 {
            writes.record(&failed());
            advance(FAILS_FOR - Duration::from_millis(1)).await;
            writes.record(&Ok(()));
            assert!(
                matches!(writes.check(), Err(StoreError::WritesFail)),
                "one successful write in between is not enough"
            );
        }
        advance(FAILS_FOR).await;
        writes.check().unwrap();
    }

    #[test]
    fn an_unreadable_row_does_not_count_as_a_failing_database() {
        let writes = Writes::default();
        let unreadable = sqlx::Error::Decode("no text".into());
        writes.record(&Err::<(), _>(StoreError::Database { doing: "write", source: unreadable }));
        writes.check().unwrap();
    }
}
