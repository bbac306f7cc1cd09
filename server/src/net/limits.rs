//! Limits on the requests and resources of one client, and of all together.
//!
//! Everything that clients can fill is bounded. The memory, on top of the program, is the sum of:
//!
//! - the memory of games (`--game-memory-mib`), and for each game up to 4 KiB that are not counted yet. Games whose connected players come from several addresses may exceed
//!   it; those that players of one address hold are limited to a part of it. A game takes less than 1,600 KiB: with 1,000
//!   turns that stand and 100 take-backs of two turns it has 1,200 turns played and 1,300 changes of the board; before
//!   each of these and at the end both sides may offer a draw and a take-back and decline, which is 8 events; with 2 at
//!   its beginning, 2 at its end and 5 of a rematch that makes 11,717, outages aside;
//! - [`MAX_CONNECTIONS`] × 256 KiB: [`MAX_RECEIVED`] being received, eight frames of [`MAX_FRAME`] in the inbox,
//!   [`MAX_HEADERS`] twice;
//! - [`WAITING_IN_ALL`](crate::net::outbox::WAITING_IN_ALL) in the outboxes, and
//!   [`UNCOUNTED`](crate::net::outbox::UNCOUNTED) more for each connection;
//! - 48 MiB for the state of addresses, and for the places of connections;
//! - 128 MiB of queued work of the [compute pool](crate::compute), 512 records of [`MAX_RECORD`], and 50 MB for each of
//!   its threads. Texts of the longest games in its queue take up to 1.6 MB each instead, of which an address has eight;
//! - 50 MiB for each thread of the [bots](crate::bots): the tables of a searcher, and 18 MB of the player of Fibonacci;
//! - 38 MiB for two passwords that are [hashed](crate::credentials) at once, and 8 MiB for the attempts to sign in to names;
//! - 22 MiB for [reviews](crate::review), which have one searcher at a time;
//! - [`PICTURE_BYTES`] for pictures that are kept. A picture being drawn takes less than 10 MB of its thread: four bytes
//!   for each pixel, and an animation of [`MAX_FRAMES`](pictures::MAX_FRAMES).
//!
//! Without games, bots and reviews, that makes 3.0 GiB on two cores if attackers exhaust every limit. A connection that
//! requests long games also keeps one buffer of that size.

use std::time::Duration;

use tokio::time::Instant;

/// Maximum memory of a game with all that can happen in it, in bytes.
#[cfg(test)]
pub(crate) const LONGEST_GAME: usize = 1_600 * 1024;

/// Maximum size of a frame or an HTTP body that is read as a message, in bytes.
pub(crate) const MAX_FRAME: usize = 16 * 1024;

/// Maximum size of a message whose ids are read for its refusal if it comes too fast, in bytes.
pub(crate) const MAX_NAMED: usize = 1024;

/// Maximum size of a frame that is received at all, in bytes. A frame between [`MAX_FRAME`] and this is refused with a
/// reason.
pub(crate) const MAX_RECEIVED: usize = 64 * 1024;

/// Maximum size of a request before its body, headers included, in bytes.
pub(crate) const MAX_HEADERS: usize = 32 * 1024;

/// Maximum number of connections of all clients, WebSockets included; fewer if fewer files may be open. Before they are
/// all in use, [idle ones are displaced](crate::net::places).
pub(crate) const MAX_CONNECTIONS: usize = 10_000;

/// Maximum time for the headers of a request to arrive, and for a connection to stay idle between two requests.
pub(crate) const HEADERS_TAKE: Duration = Duration::from_secs(10);

/// The same for a trusted proxy, which waits for clients of its own, and closes idle connections itself.
pub(crate) const PROXY_HEADERS_TAKE: Duration = Duration::from_secs(120);

/// Maximum time for which a client may accept no data before its connection is cut.
pub(crate) const MAX_STALL: Duration = Duration::from_secs(60);

/// Maximum size of a record, in bytes: a thousand turns of six actions fit.
pub(crate) const MAX_RECORD: usize = 256 * 1024;

/// Maximum size of the text of a position to be drawn, in bytes: those of all games are shorter.
pub(crate) const MAX_POSITION: usize = 512;

/// Maximum size of all pictures that are kept, in bytes.
pub(crate) const PICTURE_BYTES: usize = 32 * 1024 * 1024;

/// Tokens for which an address is charged for an animation, which takes as long as this many pictures.
pub(crate) const PICTURES_AN_ANIMATION: usize = 20;

/// Maximum number of games that one connection may follow.
pub(crate) const MAX_WATCHED: usize = 64;

/// Maximum number of open rooms of one player.
pub(crate) const MAX_OPEN_ROOMS: u32 = 8;

/// Maximum number of games under way of one player, open rooms included. The lobby shows a player this many games, so
/// that none of them is out of sight. With 200 correspondence games of three days a turn, a player makes 67 turns a
/// day.
pub(crate) const MAX_UNDER_WAY: u32 = 200;

/// Maximum number among these of slow games, of a player who has finished none. Each that was finished allows one more,
/// so that nobody leaves hundreds of opponents waiting on the first day.
pub(crate) const MAX_SLOW_AT_FIRST: u32 = 20;

/// Maximum number among these of games in real time, in which a player has to be present: a simultaneous
/// exhibition on twenty boards fits.
pub(crate) const MAX_REAL_TIME: u32 = 20;

/// Number of slow games that wait for a player's first turn, beyond which the player takes no seek of another one.
pub(crate) const MAX_UNPLAYED: usize = 5;

/// New games for which an address is charged when a player of it ends a game before both sides have made a turn, besides
/// the one that began it. A person does so now and then; an address that takes the rooms of others to leave them at once
/// gets six of them, and then one each eleven seconds.
pub(crate) const EARLY_END_COSTS: usize = 10;

/// Wait for a new game beyond which an address is not charged for further early ends.
pub(crate) const EARLY_END_DEBT: Duration = Duration::from_secs(60);

/// Maximum number of pools that one player may wait in.
pub(crate) const MAX_POOLS: usize = 5;

/// Limit for messages refused to one socket for coming too fast, beyond which the socket is closed.
pub(crate) const REFUSED: RateLimit = RateLimit::per_second(2, 200);

/// Bytes that a socket is sent even if its address is over its [budget](AddressLimits::sent_kib): several turns a
/// second with their clocks and drafts.
pub(crate) const ALWAYS_SENT: RateLimit = RateLimit::per_second(16 * 1024, 32 * 1024);

/// Bytes that a socket may have stored for turns and offers even if its address is over its
/// [budget](AddressLimits::stored): a turn each 25 s.
pub(crate) const ALWAYS_STORED: RateLimit = RateLimit::per_second(8, 2 * 1024);

/// Time until an address over its budget of stored bytes is within it again, beyond which it is not charged for further
/// turns and offers.
pub(crate) const STORED_DEBT: Duration = Duration::from_secs(6 * 60 * 60);

/// Passwords that are hashed at once, each in 19 MiB.
pub(crate) const PASSWORDS_AT_ONCE: usize = 2;

/// Maximum number of passwords of all addresses that wait to be hashed.
pub(crate) const PASSWORDS_WAITING: usize = 16;

/// Attempts to sign in to one name, whether it exists or not, by the browsers of one address in which its account never
/// signed in; and by each browser in which it did. An account has as many proofs and changes of its secrets, by all of its
/// sessions, and as many recoveries.
pub(crate) const ATTEMPTS: RateLimit = RateLimit::every(Duration::from_secs(6 * 60), 10);

/// Attempts to sign in to one name from all addresses, by browsers in which its account never signed in. One address
/// cannot use them up.
pub(crate) const ATTEMPTS_OF_STRANGERS: RateLimit = RateLimit::every(Duration::from_secs(36), 100);

/// Exports of a player that were read to the end.
pub(crate) const EXPORTS: RateLimit = RateLimit::per_day(1);

/// Number of requests of one connection refused for coming too fast, less those admitted, after which the connection is
/// closed. An address can thus have this many refused for each connection that it may open.
pub(crate) const MAX_REFUSED_REQUESTS: u32 = 16;

/// Limit for quiet frames of one socket: pongs, and all fragments of a message but the last. The server pings every 5
/// s, and a browser sends a message of this size in one frame; beyond it [`REFUSED`] applies.
pub(crate) const QUIET_FRAMES: RateLimit = RateLimit::per_second(4, 64);

/// Bytes by which the database grows for what an address has stored, with its indexes: measured on SQLite, rounded up.
pub(crate) mod price {
    /// A game with its row and first events, for each of the addresses that begin it.
    pub(crate) const GAME: usize = 1_500;
    /// An event, besides its body and its command.
    pub(crate) const EVENT: usize = 100;
    /// The event of a turn or an offer, besides its command and the texts of its actions.
    pub(crate) const COMMAND: usize = 150;
    /// A chat line, besides its text and its command.
    pub(crate) const LINE: usize = 250;
    /// A guest with a session.
    pub(crate) const GUEST: usize = 250;
    /// An account with the keys of its name, besides its guest.
    pub(crate) const ACCOUNT: usize = 500;
    /// A session of an account, and the device.
    pub(crate) const SIGN_IN: usize = 350;
    /// A mail to be sent.
    pub(crate) const MAIL: usize = 500;
    /// A passkey.
    pub(crate) const PASSKEY: usize = 1_000;
    /// A push subscription.
    pub(crate) const PUSH: usize = 1_500;
    /// A block.
    pub(crate) const BLOCK: usize = 100;
    /// A vacation.
    pub(crate) const VACATION: usize = 100;
    /// A seek.
    pub(crate) const SEEK: usize = 250;
    /// A report with its text.
    pub(crate) const REPORT: usize = 1_000;
    /// A chat line that a report has, besides its text.
    pub(crate) const REPORTED_LINE: usize = 50;
}

/// The limits of one address, times the factor of the command line. A class behind one address at the beginning of a
/// lesson fits within a quarter of a minute: forty first visits of forty requests, ten of them at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddressLimits {
    factor: u32,
    pub(crate) requests: RateLimit,
    /// Opened connections: one for each request, if a client keeps none alive.
    pub(crate) new_connections: RateLimit,
    /// Requests processed at once; the others wait for a slot.
    pub(crate) requests_at_once: usize,
    /// Games that its sockets start to follow at once. Further ones wait.
    pub(crate) follows_at_once: usize,
    /// Messages of its sockets processed at once; the others wait for a slot.
    pub(crate) messages_at_once: usize,
    pub(crate) sessions: RateLimit,
    pub(crate) rooms: RateLimit,
    /// Challenges to one player, by all players of the address. While one waits for its answer, fewer are made than may wait for
    /// one player, so that no address keeps others from challenging that player.
    pub(crate) challenges_to_one: RateLimit,
    pub(crate) names: RateLimit,
    /// New accounts, whether or not they get the name.
    pub(crate) accounts: RateLimit,
    /// Attempts to sign in by browsers in which the account never did.
    pub(crate) sign_ins: RateLimit,
    /// Requests for mails with links, whether or not one is sent.
    pub(crate) mails: RateLimit,
    /// Ceremonies of passkeys begun, and sign-ins by which they end.
    pub(crate) ceremonies: RateLimit,
    /// Blocks made or removed, vacations changed, and notices stopped.
    pub(crate) blocks: RateLimit,
    /// Seeks posted.
    pub(crate) seeks: RateLimit,
    /// Games begun by taking the seeks of others: they have waited for days, and a new guest costs nothing.
    pub(crate) seeks_taken: RateLimit,
    pub(crate) reports: RateLimit,
    /// Messages over all its sockets.
    pub(crate) messages: RateLimit,
    /// Lines of chats, of all clients of the address in all games.
    pub(crate) lines: RateLimit,
    /// Pages of lists of games.
    pub(crate) lists: RateLimit,
    /// Pictures, kept ones included.
    pub(crate) pictures: RateLimit,
    /// Rooms of each player, from any address.
    pub(crate) rooms_of_player: RateLimit,
    /// Events of games whose logs are read for it, and those sent to its sockets when they begin to follow games.
    pub(crate) events: RateLimit,
    /// KiB sent to it, over sockets and HTTP together. Its sockets are always sent [`ALWAYS_SENT`], which counts too.
    pub(crate) sent_kib: RateLimit,
    /// Bytes that the database grows by for it. Half of the burst is kept for turns and offers. Its sockets may always have
    /// [`ALWAYS_STORED`] stored for these.
    pub(crate) stored: RateLimit,
    /// Bytes queued for its sockets.
    pub(crate) waiting_bytes: usize,
    /// Open WebSockets.
    pub(crate) sockets: u32,
    /// Games and records being read over HTTP, until the last byte of the answer is sent.
    pub(crate) documents: u32,
    /// Games that its sockets follow, each counted for each socket.
    pub(crate) watches: u32,
    /// Open connections, WebSockets included; and separately as many requests carried by a trusted proxy, until the
    /// last byte of each answer is sent.
    pub(crate) connections: u32,
    /// Pieces of work queued for the [compute pool](crate::compute).
    pub(crate) pieces_waiting: usize,
    /// Reviews of games being computed.
    pub(crate) reviews: u32,
    /// Pages of lists being read or queued: those of one address wait for some tens of milliseconds.
    pub(crate) reads: u32,
}

impl AddressLimits {
    /// The default limits times a factor.
    pub(crate) const fn times(factor: u32) -> Self {
        Self {
            factor,
            requests: RateLimit::per_second(100, 400).times(factor),
            new_connections: RateLimit::per_second(100, 2_000).times(factor),
            requests_at_once: 8 * factor as usize,
            follows_at_once: 4 * factor as usize,
            messages_at_once: 16 * factor as usize,
            sessions: RateLimit::per_second(1, 60).times(factor),
            rooms: RateLimit::per_second(1, 60).times(factor),
            challenges_to_one: RateLimit::every(Duration::from_secs(9 * 60 * 60), 6).times(factor),
            names: RateLimit::per_second(1, 60).times(factor),
            accounts: RateLimit::every(Duration::from_secs(60), 20).times(factor),
            sign_ins: RateLimit::every(Duration::from_secs(6), 10).times(factor),
            mails: RateLimit::per_day(10).times(factor),
            ceremonies: RateLimit::every(Duration::from_secs(3), 20).times(factor),
            blocks: RateLimit::per_second(1, 60).times(factor),
            seeks: RateLimit::per_second(1, 60).times(factor),
            seeks_taken: RateLimit::per_day(60).times(factor),
            reports: RateLimit::per_day(40).times(factor),
            messages: RateLimit::per_second(400, 2_000).times(factor),
            lines: RateLimit::per_second(10, 60).times(factor),
            lists: RateLimit::per_second(10, 200).times(factor),
            // Each takes up to 0.1 s of a thread that draws nothing but pictures.
            pictures: RateLimit::per_second(2, 60).times(factor),
            // A person who aborts each game at once and begins another is slower than this.
            rooms_of_player: RateLimit::every(Duration::from_secs(5), 20).times(factor),
            events: RateLimit::per_second(2_000, 100_000).times(factor),
            sent_kib: RateLimit::per_second(5 * 1024, 100 * 1024).times(factor),
            stored: RateLimit::per_day(64 * 1024 * 1024).times(factor),
            waiting_bytes: 32 * 1024 * 1024 * factor as usize,
            sockets: 256 * factor,
            documents: 64 * factor,
            watches: 512 * factor,
            connections: 512 * factor,
            pieces_waiting: 16 * factor as usize,
            reviews: factor,
            reads: 16 * factor,
        }
    }

    /// These limits times a further factor, as for a network of several addresses.
    pub(crate) const fn times_again(&self, multiple: u32) -> Self {
        Self::times(self.factor * multiple)
    }
}

/// Returns the milliseconds that a client has to wait, rounded up.
pub(crate) fn whole_ms(wait: Duration) -> u32 {
    u32::try_from(wait.as_millis()).unwrap_or(u32::MAX - 1) + 1
}

/// A sustained rate, and a burst after a rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RateLimit {
    /// Time per action at the sustained rate.
    pub(crate) each: Duration,
    pub(crate) burst: u32,
}

impl RateLimit {
    /// Returns a limit of a number of actions per second.
    pub(crate) const fn per_second(per_second: u32, burst: u32) -> Self {
        Self::every(Duration::from_secs(1), burst).faster(per_second)
    }

    /// Returns a limit of one action per interval.
    pub(crate) const fn every(each: Duration, burst: u32) -> Self {
        Self { each, burst }
    }

    /// Returns a limit of a number of actions per day, with a burst of as many.
    pub(crate) const fn per_day(per_day: u32) -> Self {
        Self::every(Duration::from_secs(24 * 60 * 60), per_day).faster(per_day)
    }

    /// Returns the limit for messages of one socket, with a burst of four seconds' worth.
    pub(crate) const fn of_messages(per_second: u32) -> Self {
        Self::per_second(per_second, 4 * per_second)
    }

    /// Multiplies the rate and the burst.
    pub(crate) const fn times(self, factor: u32) -> Self {
        Self { burst: self.burst.saturating_mul(factor), ..self.faster(factor) }
    }

    const fn faster(self, factor: u32) -> Self {
        let each = self.each.as_nanos() / factor as u128;
        Self { each: Duration::from_nanos_u128(each), burst: self.burst }
    }
}

/// A token bucket: sustained rate and burst.
#[derive(Debug)]
pub(crate) struct TokenBucket {
    /// Time in which one token is refilled.
    each: Duration,
    /// Time in which the whole bucket is refilled.
    ahead: Duration,
    /// Moment at which the bucket is full again.
    used_until: Instant,
}

impl TokenBucket {
    /// Returns a full bucket.
    pub(crate) fn new(rate: RateLimit, now: Instant) -> Self {
        let RateLimit { each, burst } = rate;
        Self { each, ahead: each * burst, used_until: now }
    }

    /// Takes tokens for something already done, whether or not there are enough.
    pub(crate) fn charge(&mut self, n_tokens: u32, now: Instant) {
        self.used_until = self.used_until.max(now) + self.each * n_tokens;
    }

    /// Takes one token.
    ///
    /// # Errors
    /// Returns the time until a token is available.
    pub(crate) fn take(&mut self, now: Instant) -> Result<(), Duration> {
        let wait = self.wait(now);
        if !wait.is_zero() {
            return Err(wait);
        }
        self.used_until = self.used_until.max(now) + self.each;
        Ok(())
    }

    /// Returns the time until a token is available; zero if one is available now.
    pub(crate) fn wait(&self, now: Instant) -> Duration {
        self.wait_for(1, now)
    }

    /// Returns the time until this many tokens are available, without taking them.
    pub(crate) fn wait_for(&self, n_tokens: u32, now: Instant) -> Duration {
        (self.used_until.max(now) + self.each * n_tokens).saturating_duration_since(now + self.ahead)
    }

    /// Puts an unused token back.
    pub(crate) fn give_back(&mut self) {
        self.used_until = self.used_until.checked_sub(self.each).unwrap_or(self.used_until);
    }

    /// Returns the time until the bucket is full again.
    pub(crate) fn rests_in(&self, now: Instant) -> Duration {
        self.used_until.saturating_duration_since(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_within_its_rate_is_never_refused_and_a_faster_one_is_told_when_to_retry() {
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

/// The documents' numbers are those of the code.
#[cfg(test)]
mod documented;
