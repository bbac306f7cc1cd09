//! How much, how often, how large: the bounds on what one client may ask for.

use std::time::Duration;

use tokio::time::Instant;

/// Bytes of the largest frame and the largest HTTP body that are read as a message.
pub(crate) const MAX_FRAME: usize = 16 * 1024;

/// Bytes of the largest frame that is received at all. One between this and [`MAX_FRAME`] is still told why.
pub(crate) const MAX_RECEIVED: usize = 256 * 1024;

/// Bytes of the largest record that is read: a thousand turns of six actions fit.
pub(crate) const MAX_RECORD: usize = 256 * 1024;

/// Games that one connection may follow.
pub(crate) const MAX_WATCHED: usize = 64;

/// Open rooms that one player may have.
pub(crate) const MAX_OPEN_ROOMS: u32 = 8;

/// Pools that one player may wait in.
pub(crate) const MAX_POOLS: usize = 5;

/// The worth of messages that a quiet client may send at once.
const BURST: Duration = Duration::from_secs(4);

/// Messages refused for coming too fast, those in time taken off, after which a connection is ended.
pub(crate) const MAX_REFUSED: u32 = 200;

/// So many messages a second, and [`BURST`] worth of them at once after a rest.
#[derive(Debug)]
pub(crate) struct Pace {
    /// The share of time of one message.
    each: Duration,
    /// The end of the shares of all messages taken so far; at most [`BURST`] ahead of now.
    taken_until: Instant,
}

impl Pace {
    pub(crate) fn new(per_second: u32, now: Instant) -> Self {
        Self { each: Duration::from_secs(1) / per_second, taken_until: now }
    }

    /// Takes one message's share.
    ///
    /// # Errors
    /// How long until there is one.
    pub(crate) fn take(&mut self, now: Instant) -> Result<(), Duration> {
        let taken_until = self.taken_until.max(now) + self.each;
        match taken_until.checked_duration_since(now + BURST) {
            Some(wait) if !wait.is_zero() => Err(wait),
            Some(_) | None => {
                self.taken_until = taken_until;
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_at_the_pace_is_never_refused_and_a_faster_one_is_told_when_to_go_on() {
        let start = Instant::now();
        let mut pace = Pace::new(10, start);
        for _ in 0..10 * BURST.as_secs() {
            assert_eq!(pace.take(start), Ok(()));
        }
        let wait = pace.take(start).unwrap_err();
        assert_eq!(wait, Duration::from_millis(100));
        assert_eq!(pace.take(start + wait), Ok(()));
        assert!(pace.take(start + wait).is_err());
        for second in 2..100 {
            let now = start + Duration::from_secs(second);
            for _ in 0..10 {
                assert_eq!(pace.take(now), Ok(()), "second {second}");
            }
        }
    }
}
