//! Rate limits of addresses.

use std::time::Duration;

use tokio::time::Instant;

use super::{Address, AddressTable, Addresses, Network, Shared, count_refused};
use crate::{
    metrics::METRICS,
    net::limits::{AddressLimits, TokenBucket},
};

/// A rate-limited action of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitedAction {
    /// Opening a connection.
    Connection,
    Request,
    Session,
    /// Making a room, or beginning a game by joining a room, in a pool, or as a rematch.
    Room,
    Name,
    /// Making an account of a guest.
    Account,
    /// Trying to sign in to an account that does not know the browser.
    SignIn,
    /// Having a mail sent.
    Mail,
    /// Beginning a ceremony of a passkey, or ending one by signing in.
    Ceremony,
    /// Blocking or unblocking a player, changing a vacation, or stopping notices.
    Block,
    /// Posting a seek.
    Seek,
    /// Beginning a game that another player seeks.
    TakeSeek,
    /// Reporting a player.
    Report,
    /// Sending a message over a socket.
    Message,
    /// Saying a line in a chat.
    Line,
    /// Reading a page of a list of games.
    List,
    /// Asking for a picture.
    Picture,
    /// Being sent the events of a game that the client begins to follow. They are [charged](Addresses::charge) when they
    /// are sent.
    Events,
    /// Being sent a KiB, over a socket or HTTP. It is [charged](Addresses::charge) when it is sent.
    Receive,
    /// Having a byte stored. It is [charged](Addresses::charge) when it is stored.
    Store,
}

impl LimitedAction {
    /// Counts a refusal in the metrics.
    pub(crate) fn count_refused(self) {
        count_refused(self.kind());
    }

    /// Label of its refusals in the metrics.
    const fn kind(self) -> &'static str {
        match self {
            Self::Connection => "new_connection",
            Self::Request => "request",
            Self::Session => "session",
            Self::Room => "room",
            Self::Name => "name",
            Self::Account => "account",
            Self::SignIn => "sign_in",
            Self::Mail => "mail",
            Self::Ceremony => "ceremony",
            Self::Block => "block",
            Self::Seek => "seek",
            Self::TakeSeek => "seek_taken",
            Self::Report => "report",
            Self::Message => "message",
            Self::Line => "line",
            Self::List => "list",
            Self::Picture => "picture",
            Self::Events => "events",
            Self::Receive => "bytes",
            Self::Store => "stored",
        }
    }
}

/// A kind of write, by which an address spends its budget of stored bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteKind {
    /// A turn or an offer: games under way go on at the rate of the budget when all of it is spent.
    InGame,
    /// Anything else that stays in the database: a game, a guest, a line. Half of the budget is kept for games under way.
    Other,
}

#[derive(Debug)]
pub(super) struct TokenBuckets {
    connections: TokenBucket,
    requests: TokenBucket,
    sessions: TokenBucket,
    rooms: TokenBucket,
    names: TokenBucket,
    accounts: TokenBucket,
    sign_ins: TokenBucket,
    mails: TokenBucket,
    ceremonies: TokenBucket,
    blocks: TokenBucket,
    seeks: TokenBucket,
    seeks_taken: TokenBucket,
    reports: TokenBucket,
    messages: TokenBucket,
    lines: TokenBucket,
    lists: TokenBucket,
    pictures: TokenBucket,
    events: TokenBucket,
    sent_kib: TokenBucket,
    stored: TokenBucket,
}

impl TokenBuckets {
    fn new(limits: &AddressLimits, now: Instant) -> Self {
        Self {
            connections: TokenBucket::new(limits.new_connections, now),
            requests: TokenBucket::new(limits.requests, now),
            sessions: TokenBucket::new(limits.sessions, now),
            rooms: TokenBucket::new(limits.rooms, now),
            names: TokenBucket::new(limits.names, now),
            accounts: TokenBucket::new(limits.accounts, now),
            sign_ins: TokenBucket::new(limits.sign_ins, now),
            mails: TokenBucket::new(limits.mails, now),
            ceremonies: TokenBucket::new(limits.ceremonies, now),
            blocks: TokenBucket::new(limits.blocks, now),
            seeks: TokenBucket::new(limits.seeks, now),
            seeks_taken: TokenBucket::new(limits.seeks_taken, now),
            reports: TokenBucket::new(limits.reports, now),
            messages: TokenBucket::new(limits.messages, now),
            lines: TokenBucket::new(limits.lines, now),
            lists: TokenBucket::new(limits.lists, now),
            pictures: TokenBucket::new(limits.pictures, now),
            events: TokenBucket::new(limits.events, now),
            sent_kib: TokenBucket::new(limits.sent_kib, now),
            stored: TokenBucket::new(limits.stored, now),
        }
    }
}

impl TokenBuckets {
    fn of(&mut self, action: LimitedAction) -> &mut TokenBucket {
        match action {
            LimitedAction::Connection => &mut self.connections,
            LimitedAction::Request => &mut self.requests,
            LimitedAction::Session => &mut self.sessions,
            LimitedAction::Room => &mut self.rooms,
            LimitedAction::Name => &mut self.names,
            LimitedAction::Account => &mut self.accounts,
            LimitedAction::SignIn => &mut self.sign_ins,
            LimitedAction::Mail => &mut self.mails,
            LimitedAction::Ceremony => &mut self.ceremonies,
            LimitedAction::Block => &mut self.blocks,
            LimitedAction::Seek => &mut self.seeks,
            LimitedAction::TakeSeek => &mut self.seeks_taken,
            LimitedAction::Report => &mut self.reports,
            LimitedAction::Message => &mut self.messages,
            LimitedAction::Line => &mut self.lines,
            LimitedAction::List => &mut self.lists,
            LimitedAction::Picture => &mut self.pictures,
            LimitedAction::Events => &mut self.events,
            LimitedAction::Receive => &mut self.sent_kib,
            LimitedAction::Store => &mut self.stored,
        }
    }
}

impl Shared {
    fn bucket<'k>(
        &self,
        known: &'k mut AddressTable,
        network: Network,
        action: LimitedAction,
        now: Instant,
    ) -> &'k mut TokenBucket {
        known.buckets[network.size as usize]
            .get(network, || TokenBuckets::new(self.limits(network), now))
            .of(action)
    }

    /// Returns the time until each network of an address has a token.
    fn wait(
        &self,
        known: &mut AddressTable,
        address: Address,
        action: LimitedAction,
        now: Instant,
    ) -> Duration {
        let waits = address.networks().map(|network| self.bucket(known, network, action, now).wait(now));
        waits.max().unwrap_or_default()
    }
}

impl Addresses {
    /// Takes a token for an action of an address.
    ///
    /// # Errors
    /// Returns the time until a token is available.
    pub(crate) fn take(&self, address: Address, action: LimitedAction, now: Instant) -> Result<(), Duration> {
        let mut known = self.0.known.lock();
        let wait = self.0.wait(&mut known, address, action, now);
        if wait.is_zero() {
            for network in address.networks() {
                self.0.bucket(&mut known, network, action, now).charge(1, now);
            }
            return Ok(());
        }
        drop(known);
        action.count_refused();
        Err(wait)
    }

    /// Whether an address may be sent more. What is sent is [charged](Self::charge) afterwards, since its length is not
    /// known before.
    ///
    /// # Errors
    /// Returns the time until it may.
    pub(crate) fn may_receive(&self, address: Address, now: Instant) -> Result<(), Duration> {
        let wait = self.wait(address, LimitedAction::Receive, now);
        if wait.is_zero() {
            return Ok(());
        }
        LimitedAction::Receive.count_refused();
        Err(wait)
    }

    /// Whether an address may have more stored. Its bytes are [charged](Self::charge) when they are stored.
    ///
    /// # Errors
    /// Returns the time until it may.
    pub(crate) fn may_store(&self, address: Address, kind: WriteKind, now: Instant) -> Result<(), Duration> {
        let wait = self.store_wait(address, kind, now);
        if wait.is_zero() {
            return Ok(());
        }
        LimitedAction::Store.count_refused();
        Err(wait)
    }

    /// Returns the time until an address may have more stored; zero if it may now.
    pub(crate) fn store_wait(&self, address: Address, kind: WriteKind, now: Instant) -> Duration {
        let mut known = self.0.known.lock();
        let waits = address.networks().map(|network| {
            let n_bytes = match kind {
                WriteKind::InGame => 1,
                WriteKind::Other => self.0.limits(network).stored.burst / 2,
            };
            self.0.bucket(&mut known, network, LimitedAction::Store, now).wait_for(n_bytes, now)
        });
        waits.max().unwrap_or_default()
    }

    /// Returns the time until an address may perform an action; zero if it may now.
    pub(crate) fn wait(&self, address: Address, action: LimitedAction, now: Instant) -> Duration {
        self.0.wait(&mut self.0.known.lock(), address, action, now)
    }

    /// Returns the token that [`take`](Self::take) took: the action was not performed.
    pub(crate) fn give_back(&self, address: Address, action: LimitedAction, now: Instant) {
        let mut known = self.0.known.lock();
        for network in address.networks() {
            self.0.bucket(&mut known, network, action, now).give_back();
        }
    }

    /// Charges tokens for something already done whose cost was not known before: for example, the bytes that an
    /// address was sent, or the events of a game that it began to follow.
    pub(crate) fn charge(&self, address: Address, action: LimitedAction, n_actions: usize, now: Instant) {
        if action == LimitedAction::Store {
            METRICS.stored_bytes.inc_by(n_actions as u64);
        }
        let n_actions = u32::try_from(n_actions).unwrap_or(u32::MAX);
        let mut known = self.0.known.lock();
        for network in address.networks() {
            self.0.bucket(&mut known, network, action, now).charge(n_actions, now);
        }
    }
}
