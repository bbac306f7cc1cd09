//! How much, how often, how large: the bounds on what one client may ask for, and all of them together.
//!
//! What clients can fill is bounded. In bytes of memory, on top of the program: what games may take
//! (`--game-memory-mib`), and beyond it those with a connected player, which are [`Share::watches`] × 400 KiB for each
//! address; and [`MAX_CONNECTIONS`] × 256 KiB ([`MAX_RECEIVED`] being received, eight frames of [`MAX_FRAME`] read ahead,
//! [`MAX_HEADERS`] twice) + [`WAITING_IN_ALL`](crate::outbox::WAITING_IN_ALL) to be sent + 16 MiB for what is known of
//! addresses + 128 MiB of work that waits for the [compute pool](crate::compute), 512 records of [`MAX_RECORD`], + 50 MB for
//! each of its threads: 3 GiB when every place is taken by somebody who wants to harm. A connection that asks for long games takes
//! the length of one more for its buffers.

use std::time::Duration;

use tokio::time::Instant;

/// Bytes of the largest frame and the largest HTTP body that are read as a message.
pub(crate) const MAX_FRAME: usize = 16 * 1024;

/// Bytes of the largest frame that is received at all. One between this and [`MAX_FRAME`] is still told why.
pub(crate) const MAX_RECEIVED: usize = 64 * 1024;

/// Bytes of the longest beginning of a request, headers and all.
pub(crate) const MAX_HEADERS: usize = 32 * 1024;

/// Connections of all clients, WebSockets among them. Who comes when all places are taken waits for one.
pub(crate) const MAX_CONNECTIONS: usize = 10_000;

/// How long the headers of a request may take to come, and a connection may stay between two requests.
pub(crate) const HEADERS_TAKE: Duration = Duration::from_secs(10);

/// The same of a trusted proxy, which has clients of its own to wait for, and is the one that ends what it keeps open.
pub(crate) const PROXY_HEADERS_TAKE: Duration = Duration::from_secs(120);

/// How long a client may take nothing of what is sent to it, before its connection is cut.
pub(crate) const MAX_STALL: Duration = Duration::from_secs(60);

/// Bytes of the largest record that is read: a thousand turns of six actions fit.
pub(crate) const MAX_RECORD: usize = 256 * 1024;

/// Games that one connection may follow.
pub(crate) const MAX_WATCHED: usize = 64;

/// Open rooms that one player may have.
pub(crate) const MAX_OPEN_ROOMS: u32 = 8;

/// Pools that one player may wait in.
pub(crate) const MAX_POOLS: usize = 5;

/// Messages refused for coming too fast, those in time taken off, after which a connection is ended.
pub(crate) const MAX_REFUSED: u32 = 200;

/// What one address may ask for, times the factor of the command line. A school of which all come by one address at
/// the beginning of a lesson fits: forty pages of forty requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) requests: Rate,
    pub(crate) sessions: Rate,
    pub(crate) rooms: Rate,
    /// Events of games that its sockets are sent when they begin to follow them.
    pub(crate) events: Rate,
    /// Open WebSockets.
    pub(crate) sockets: u32,
    /// Games and records that are read over HTTP at once, until the last byte of the answer is sent.
    pub(crate) documents: u32,
    /// Games that all its sockets follow, each counted for each socket.
    pub(crate) watches: u32,
    /// Open connections, those of its WebSockets among them.
    pub(crate) connections: u32,
    /// Pieces of work that wait for the [compute pool](crate::compute).
    pub(crate) pieces_waiting: usize,
}

impl Share {
    pub(crate) const fn times(factor: u32) -> Self {
        Self {
            requests: Rate { per_second: 100 * factor, at_once: 2_000 * factor },
            sessions: Rate { per_second: factor, at_once: 60 * factor },
            rooms: Rate { per_second: factor, at_once: 60 * factor },
            events: Rate { per_second: 2_000 * factor, at_once: 100_000 * factor },
            sockets: 256 * factor,
            documents: 64 * factor,
            watches: 512 * factor,
            connections: 512 * factor,
            pieces_waiting: 16 * factor as usize,
        }
    }
}

/// So many a second for long, and so many at once after a rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    pub(crate) per_second: u32,
    pub(crate) at_once: u32,
}

impl Rate {
    /// The messages of one socket: four seconds' worth at once.
    pub(crate) const fn of_messages(per_second: u32) -> Self {
        Self { per_second, at_once: 4 * per_second }
    }
}

/// Holds somebody to a [`Rate`].
#[derive(Debug)]
pub(crate) struct Pace {
    /// The share of time of one.
    each: Duration,
    /// How far the shares taken may be ahead of now.
    ahead: Duration,
    /// The end of the shares of all taken so far.
    taken_until: Instant,
}

impl Pace {
    pub(crate) fn new(rate: Rate, now: Instant) -> Self {
        let each = Duration::from_secs(1) / rate.per_second;
        Self { each, ahead: each * rate.at_once, taken_until: now }
    }

    /// Takes so many shares more for something that was done already, whether or not there are any.
    pub(crate) fn charge(&mut self, n_shares: u32, now: Instant) {
        self.taken_until = self.taken_until.max(now) + self.each * n_shares;
    }

    /// Takes one share.
    ///
    /// # Errors
    /// How long until there is one.
    pub(crate) fn take(&mut self, now: Instant) -> Result<(), Duration> {
        let taken_until = self.taken_until.max(now) + self.each;
        match taken_until.checked_duration_since(now + self.ahead) {
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
        let mut pace = Pace::new(Rate::of_messages(10), start);
        for _ in 0..40 {
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
