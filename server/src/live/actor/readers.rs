//! Subscriptions of readers, and broadcasts of events.

use game::{
    Phase, State, Watching,
    ids::{PlayerId, Version},
    is_seated,
};
use protocol::{Fault, Nack, ServerMessage, view};

use super::Actor;
use crate::{
    compute::Requester,
    convert,
    live::{
        document::Document,
        events::{Shown, all_events},
        permissions::Permissions,
        readers::Missing,
        requests::FollowPolicy,
        view::View,
    },
    net::{address::Address, outbox::Outbox},
};

impl Actor {
    /// Returns the permissions to see the current game.
    pub(super) fn permissions(&self) -> Permissions {
        Permissions::of(&self.game.state, self.delayed.is_some())
    }

    /// Returns the game as far as spectators may see it.
    fn shown_to_spectators(&self) -> &State {
        let state = &self.game.state;
        self.delayed.as_ref().map_or(state, |delayed| delayed.shown(state))
    }

    /// Returns the game as far as a reader may see it.
    pub(super) fn state_for(&self, reader: Option<PlayerId>) -> Result<&State, Nack> {
        if reader.is_some_and(|who| self.permissions().is_player(who)) {
            return Ok(&self.game.state);
        }
        let is_private = self.game.state.terms().watching == Watching::Nobody;
        if is_private && self.game.state.phase() != &Phase::Open {
            return Err(Nack::Private);
        }
        Ok(self.shown_to_spectators())
    }

    /// Returns the game as a reader sees it, for its document.
    pub(super) fn document(&self, reader: Option<PlayerId>) -> Result<Document, Nack> {
        let state = self.state_for(reader)?;
        let snapshot = view::snapshot(state, self.time_for(reader));
        Ok(Document { row: convert::row(self.id, state), snapshot })
    }

    /// Returns the JSON of the [`GameEvents`](protocol::GameEvents) of the game as a reader sees it, and charges them to
    /// the requester.
    pub(super) fn events(&self, reader: Option<PlayerId>, requester: Requester) -> Result<String, Nack> {
        let state = self.state_for(reader)?;
        self.shared.reads.charge(requester, state.version());
        let snapshot = view::snapshot(state, self.time_for(reader));
        Ok(all_events(snapshot, &self.game.log))
    }

    /// The time at which a reader sees the clocks, milliseconds since 1970. Those of delayed spectators stand as they did
    /// when the turn that they see began.
    fn time_for(&self, reader: Option<PlayerId>) -> i64 {
        let is_late = reader.map_or(self.delayed.is_some(), |who| self.permissions().is_late(who));
        if is_late { self.shown_to_spectators().updated_ms() } else { self.shared.now_ms() }
    }

    /// Subscribes a connection of a player who has the game up to `known`. Returns the number of events sent.
    pub(super) fn watch(
        &mut self,
        outbox: &Outbox,
        player: PlayerId,
        known: Version,
        policy: FollowPolicy,
        requester: Requester,
    ) -> Result<usize, Nack> {
        if self.permissions().is_player(player) {
            outbox.mark_player();
        } else if policy == FollowPolicy::Players {
            return Err(Nack::Overloaded);
        }
        self.follow(outbox, player, requester.address(), known)
    }

    /// Subscribes a connection: sends it the missing events, and the chat unless it has that already.
    pub(super) fn follow(
        &mut self,
        outbox: &Outbox,
        player: PlayerId,
        address: Option<Address>,
        known: Version,
    ) -> Result<usize, Nack> {
        let (game, permissions) = (self.id, self.permissions());
        let version = self.state_for(Some(player))?.version();
        let known = if known > version { Version::NONE } else { known };
        let draft = self.draft.clone().filter(|_| permissions.sees_drafts(player));
        let (state, now_ms) = (&self.game.state, self.shared.now_ms());
        let shown = shown(state, self.shown_to_spectators(), permissions.is_late(player), now_ms);
        outbox.push_events(game, shown.frame(game, &self.game.log, known, draft));
        if known == Version::NONE || !self.readers.has(outbox.id) {
            let audience = permissions.audience_of(player);
            let lines = self.chat.lines(audience, (state.reopened_ms(), state.seats()), self.directory());
            if !lines.is_empty() {
                outbox.send(&ServerMessage::Chat { game, lines });
            }
        }
        self.readers.add(outbox.clone(), player, address, version);
        self.update_attendance();
        outbox.send(&self.attendance.message(game, &self.game.state, now_ms));
        Ok((version.get() - known.get()) as usize)
    }

    /// Shows a player under a new name to all readers who see that player.
    pub(super) fn show_renamed(&mut self, player: PlayerId) {
        let directory = self.directory().clone();
        self.game.log.rename(player, &directory);
        let message = ServerMessage::Renamed { player: self.directory().player_with_id(player) };
        let (state, permissions) = (&self.game.state, self.permissions());
        let is_of_game = is_seated(state, player) || state.has_left(player);
        let chat = &self.chat;
        self.readers
            .send_to(&message, |_, who| is_of_game || chat.has_line_of(permissions.audience_of(who), player));
    }

    /// Updates the presence on this node.
    pub(super) fn update_attendance(&mut self) {
        self.attendance.record_local(&self.game.state, self.readers.visitors(), self.shared.now_ms());
    }

    /// Sends each reader its missing events. Delayed spectators get nothing until something new is visible to them.
    pub(super) fn broadcast_events(&mut self) {
        // First: a reader may join an open room as soon as it is shown.
        self.share_seats();
        let permissions = self.permissions();
        self.readers.mark_players(permissions.players);
        if self.game.state.terms().watching == Watching::Nobody && self.game.state.phase() != &Phase::Open {
            let private = ServerMessage::Error { why: Fault::Private { game: self.id } };
            self.readers.keep(&private, |who| permissions.is_player(who));
        }
        let [current, late] = [self.game.state.version(), self.shown_to_spectators().version()];
        let has_draft = self.draft.is_some();
        let missing = |who, known| {
            let is_late = permissions.is_late(who);
            let (shown, has_draft) =
                (if is_late { late } else { current }, has_draft && permissions.sees_drafts(who));
            (!is_late || known < shown).then_some(Missing { known, shown, is_late, has_draft })
        };
        let now_ms = self.shared.now_ms();
        let Self { id, game: View { state, log }, delayed, draft, readers, .. } = self;
        let state: &State = state;
        let late = delayed.as_ref().map_or(state, |delayed| delayed.shown(state));
        readers.send_events(missing, |Missing { known, is_late, has_draft, .. }| {
            let draft = draft.clone().filter(|_| has_draft);
            shown(state, late, is_late, now_ms).frame(*id, log, known, draft)
        });
        self.update_attendance();
    }
}

/// Returns the game as an audience sees it. Delayed spectators see the clocks as of the start of the turn they see.
fn shown(current: &State, late: &State, is_late: bool, now_ms: i64) -> Shown {
    if is_late { Shown::of(late, late.updated_ms()) } else { Shown::of(current, now_ms) }
}
