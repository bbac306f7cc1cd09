//! How much, how often, how large: the bounds on what one client may ask for, and all of them together.
//!
//! What clients can fill is bounded. In bytes of memory, on top of the program: what games may take
//! (`--game-memory-mib`), and beyond it those whose connected players come from several addresses: the others that players
//! of one address hold have a part of it. A game takes less than 800 KiB: with 1,000 turns that stand and 100 take-backs of
//! two turns it has 1,200 turns played and 1,300 changes of the board; before each of these and at the end both sides may
//! offer a draw and a take-back and decline, which is 8 events; with 2 at its beginning, 2 at its end and 5 of a rematch
//! that makes 11,717, outages aside. And [`MAX_CONNECTIONS`] × 256 KiB ([`MAX_RECEIVED`] being received, eight frames of [`MAX_FRAME`] read ahead,
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

/// Games under way that one player may have, open rooms among them: as many as the lobby shows a player of the own, so
/// that none of them is out of sight. A turn in each of 200 correspondence games with three days for a turn is 67 turns a
/// day.
pub(crate) const MAX_UNDER_WAY: u32 = 200;

/// Of these, games with a clock for all turns, in which a player has to be there: a simultaneous exhibition on twenty
/// boards fits.
pub(crate) const MAX_REAL_TIME: u32 = 20;

/// How long two players of one address have waited in a pool before they are paired with each other, divided by the
/// factor of the command line: as long as a person takes to find somebody else and to begin a game.
pub(crate) const NEIGHBOURS_WAIT: Duration = Duration::from_secs(10);

/// Pools that one player may wait in.
pub(crate) const MAX_POOLS: usize = 5;

/// Messages that may be refused to one socket for coming too fast, before it is ended.
pub(crate) const REFUSED: RateLimit = RateLimit::per_second(2, 200);

/// Bytes of answers to one socket, and to its address, for each of which it takes a message more of their rates.
pub(crate) const BYTES_A_MESSAGE: usize = 64 * 1024;

/// The same in events of games: about as many bytes.
pub(crate) const EVENTS_A_MESSAGE: usize = 512;

/// Requests of one connection refused for coming too fast, those in time taken off, after which it is closed. What one
/// address then still has refused is this for each connection that it may open.
pub(crate) const MAX_REFUSED_REQUESTS: u32 = 16;

/// Pongs, and fragments before the last of a message, that one socket may send. The server asks for a pong every 5 s,
/// and a browser sends a message of this size in one piece; past this [`REFUSED`] counts.
pub(crate) const QUIET_FRAMES: RateLimit = RateLimit::per_second(4, 64);

/// The limits of one address, times the factor of the command line. A class behind one address at the beginning
/// of a lesson fits within a quarter of a minute: forty first visits of forty requests, ten of them at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddressLimits {
    pub(crate) requests: RateLimit,
    /// Connections that are opened: one for each request, if a client keeps none.
    pub(crate) new_connections: RateLimit,
    /// Requests that are worked on at once; the others wait for their turn.
    pub(crate) requests_at_once: usize,
    pub(crate) sessions: RateLimit,
    pub(crate) rooms: RateLimit,
    pub(crate) names: RateLimit,
    /// Blocks that are made or taken back.
    pub(crate) blocks: RateLimit,
    /// Messages over all its sockets.
    pub(crate) messages: RateLimit,
    /// Lines of chats, of all who come by the address in all games.
    pub(crate) lines: RateLimit,
    /// Pages of lists of games.
    pub(crate) lists: RateLimit,
    /// Of each player, from whatever addresses.
    pub(crate) rooms_of_player: RateLimit,
    /// Events of games whose logs are read for it, and those that its sockets are sent when they begin to follow games.
    pub(crate) events: RateLimit,
    /// Bytes that wait to be sent over its sockets.
    pub(crate) waiting_bytes: usize,
    /// Open WebSockets.
    pub(crate) sockets: u32,
    /// Games and records that are read over HTTP at once, until the last byte of the answer is sent.
    pub(crate) documents: u32,
    /// Games that all its sockets follow, each counted for each socket.
    pub(crate) watches: u32,
    /// Open connections, those of its WebSockets among them; and as many requests that come by a trusted proxy, until the
    /// last byte of each answer is sent.
    pub(crate) connections: u32,
    /// Pieces of work that wait for the [compute pool](crate::compute).
    pub(crate) pieces_waiting: usize,
    /// Pages of lists that are read or wait for that: all of one address wait for some tens of milliseconds.
    pub(crate) reads: u32,
}

impl AddressLimits {
    pub(crate) const fn times(factor: u32) -> Self {
        Self {
            requests: RateLimit::per_second(100, 400).times(factor),
            new_connections: RateLimit::per_second(100, 2_000).times(factor),
            requests_at_once: 32 * factor as usize,
            sessions: RateLimit::per_second(1, 60).times(factor),
            rooms: RateLimit::per_second(1, 60).times(factor),
            names: RateLimit::per_second(1, 60).times(factor),
            blocks: RateLimit::per_second(1, 60).times(factor),
            messages: RateLimit::per_second(400, 2_000).times(factor),
            lines: RateLimit::per_second(10, 60).times(factor),
            lists: RateLimit::per_second(10, 200).times(factor),
            // A person who aborts each game at once and begins another is slower than this.
            rooms_of_player: RateLimit::every(Duration::from_secs(5), 20).times(factor),
            events: RateLimit::per_second(2_000, 100_000).times(factor),
            waiting_bytes: 32 * 1024 * 1024 * factor as usize,
            sockets: 256 * factor,
            documents: 64 * factor,
            watches: 512 * factor,
            connections: 512 * factor,
            pieces_waiting: 16 * factor as usize,
            reads: 16 * factor,
        }
    }
}

/// How long a client has to wait, in milliseconds, rounded up.
pub(crate) fn whole_ms(wait: Duration) -> u32 {
    u32::try_from(wait.as_millis()).unwrap_or(u32::MAX - 1) + 1
}

/// A sustained rate, and a burst after a rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RateLimit {
    /// The time of one at the sustained rate.
    pub(crate) each: Duration,
    pub(crate) burst: u32,
}

impl RateLimit {
    pub(crate) const fn per_second(per_second: u32, burst: u32) -> Self {
        Self::every(Duration::from_secs(1), burst).faster(per_second)
    }

    pub(crate) const fn every(each: Duration, burst: u32) -> Self {
        Self { each, burst }
    }

    /// The messages of one socket: four seconds' worth at once.
    pub(crate) const fn of_messages(per_second: u32) -> Self {
        Self::per_second(per_second, 4 * per_second)
    }

    /// So many times the rate, and the burst.
    const fn times(self, factor: u32) -> Self {
        Self { burst: self.burst * factor, ..self.faster(factor) }
    }

    const fn faster(self, factor: u32) -> Self {
        let each = self.each.as_nanos() / factor as u128;
        Self { each: Duration::from_nanos_u128(each), burst: self.burst }
    }
}

/// Holds somebody to a [`RateLimit`].
#[derive(Debug)]
pub(crate) struct TokenBucket {
    /// The token of time of one.
    each: Duration,
    /// How far the tokens taken may be ahead of now.
    ahead: Duration,
    /// The end of the tokens of all taken so far.
    used_until: Instant,
}

impl TokenBucket {
    pub(crate) fn new(rate: RateLimit, now: Instant) -> Self {
        let RateLimit { each, burst } = rate;
        Self { each, ahead: each * burst, used_until: now }
    }

    /// Takes so many tokens more for something that was done already, whether or not there are any.
    pub(crate) fn charge(&mut self, n_tokens: u32, now: Instant) {
        self.used_until = self.used_until.max(now) + self.each * n_tokens;
    }

    /// Takes one token.
    ///
    /// # Errors
    /// How long until there is one.
    pub(crate) fn take(&mut self, now: Instant) -> Result<(), Duration> {
        let wait = self.wait(now);
        if !wait.is_zero() {
            return Err(wait);
        }
        self.used_until = self.used_until.max(now) + self.each;
        Ok(())
    }

    /// How long until there is a token to take; zero if there is one now.
    pub(crate) fn wait(&self, now: Instant) -> Duration {
        (self.used_until.max(now) + self.each).saturating_duration_since(now + self.ahead)
    }

    /// Gives a token back that was not needed.
    pub(crate) fn give_back(&mut self) {
        self.used_until = self.used_until.checked_sub(self.each).unwrap_or(self.used_until);
    }

    /// How long until nothing is left of what was taken, so that it is as good as new.
    pub(crate) fn rests_in(&self, now: Instant) -> Duration {
        self.used_until.saturating_duration_since(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_at_the_pace_is_never_refused_and_a_faster_one_is_told_when_to_go_on() {
        let start = Instant::now();
        let mut bucket = TokenBucket::new(RateLimit::of_messages(10), start);
        for _ in 0..40 {
            assert_eq!(bucket.take(start), Ok(()));
        }
        let wait = bucket.take(start).unwrap_err();
        assert_eq!(wait, Duration::from_millis(100));
        assert_eq!(bucket.take(start + wait), Ok(()));
        assert!(bucket.take(start + wait).is_err());
        for second in 2..100 {
            let now = start + Duration::from_secs(second);
            for _ in 0..10 {
                assert_eq!(bucket.take(now), Ok(()), "second {second}");
            }
        }
    }
}
