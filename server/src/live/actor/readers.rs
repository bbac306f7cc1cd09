//! Readers of a game, and their permissions.

use game::{
    Drafts, Phase, Recorded, State, Watching,
    ids::{PlayerId, Version},
};
use protocol::{Event, Fault, LastTurn, Nack, ServerMessage, thin::Expansion, view};
use store::Audience;

use super::{Actor, From, Watched};
use crate::{
    compute::Asker,
    edge,
    live::{
        Admitted,
        document::Document,
        news::{Beginning, Extent, Form, News},
        readers::Visitors,
    },
    net::{address::Address, outbox::Outbox},
};

/// Maximum number of bytes of events that the game's own task decompresses for a reader: about 0.2 ms.
const INLINE_BYTES: usize = 64 * 1024;

/// Maximum number of events that it replays for a reader: 0.3 ms.
const INLINE_EVENTS: usize = 10;

/// Permissions to see the current game.
#[derive(Clone, Copy)]
pub(super) struct Permissions {
    /// The players, who see everything; before the game begins, its maker twice.
    pub(super) players: [PlayerId; 2],
    /// The player of the turn under way.
    mover: Option<PlayerId>,
    /// Whether other readers see the turn under way.
    shows_drafts: bool,
    /// Whether spectators are delayed.
    is_delayed: bool,
}

impl Permissions {
    /// Whether one of the game's players is among the visitors.
    pub(super) fn has_player(self, visitors: &Visitors) -> bool {
        self.players.into_iter().any(|player| visitors.contains(player))
    }

    /// Whether a reader is one of the game's players.
    pub(super) fn is_player(self, who: PlayerId) -> bool {
        self.players.contains(&who)
    }

    /// Returns the audience that a reader belongs to.
    pub(super) fn audience_of(self, who: PlayerId) -> Audience {
        if self.is_player(who) { Audience::Players } else { Audience::Spectators }
    }

    fn is_late(self, who: PlayerId) -> bool {
        self.is_delayed && !self.is_player(who)
    }

    /// Whether a reader sees unfinished turns.
    pub(super) fn sees_drafts(self, who: PlayerId) -> bool {
        self.mover == Some(who) || (self.shows_drafts && !self.is_late(who))
    }
}

/// The detail in which a reader sees news.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Detail {
    /// Delayed by some turns.
    is_late: bool,
    /// With the draft of the turn under way.
    has_draft: bool,
    /// Without what the engine computes.
    is_thin: bool,
}

/// What the audiences of a game have been sent, and what they are sent next.
#[derive(Debug)]
pub(super) struct Sent {
    /// The players, of whom one may leave the room by what they are sent next.
    seated: [PlayerId; 2],
    players: Version,
    spectators: Version,
    /// The times of the last new event, if it is a turn.
    last: Option<LastTurn>,
    /// `None` if all readers have the engine.
    full: Option<Full>,
}

/// What readers without the engine are sent.
#[derive(Debug)]
struct Full {
    /// The new events.
    made: Vec<Event>,
    /// The game as delayed spectators have it.
    late: Option<Box<Expansion>>,
}

impl Sent {
    /// Adds an event. `state` includes it, and no later turn.
    pub(super) fn add(&mut self, state: &State, version: Version, recorded: &Recorded) {
        self.last = LastTurn::of(recorded);
        if let Some(full) = &mut self.full {
            full.made.push(view::event(state, version, recorded));
        }
    }
}

impl Actor {
    /// Returns the permissions to see the current game.
    pub(super) fn permissions(&self) -> Permissions {
        let state = &self.game.state;
        let seats = state.seats();
        Permissions {
            players: seats.map_or([state.creator().id; 2], |seats| [seats.first.id, seats.second.id]),
            mover: seats.map(|seats| seats[state.play().to_move()].id),
            shows_drafts: state.terms().drafts == Drafts::Shown,
            is_delayed: self.delayed.is_some(),
        }
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

    /// Returns the document of the game for a reader.
    pub(super) fn document(&self, reader: Option<PlayerId>) -> Result<Document, Nack> {
        let state = self.state_for(reader)?;
        let snapshot = view::snapshot(state, self.shared.parts.env.now_ms());
        let events = self.game.log.excerpt(Version::NONE, state.version());
        Ok(Document { row: edge::row(self.id, state), events, snapshot })
    }

    /// Returns the game as a reader sees it, and the time at which its clocks are shown. Those of delayed spectators
    /// stand as they did when the visible turn began.
    fn shown(&self, is_late: bool) -> (&State, i64) {
        if is_late {
            let shown = self.shown_to_spectators();
            (shown, shown.updated_ms())
        } else {
            (&self.game.state, self.shared.parts.env.now_ms())
        }
    }

    /// Subscribes a connection, and sends it the missing events. If these are more than [`INLINE_BYTES`] of compressed
    /// events, or more than [`INLINE_EVENTS`] have to be replayed on `from`, they are returned instead.
    pub(super) fn watch(
        &mut self,
        outbox: &Outbox,
        player: PlayerId,
        from: From,
        admitted: Admitted,
        asker: Asker,
    ) -> Result<Watched, Nack> {
        let permissions = self.permissions();
        if permissions.is_player(player) {
            outbox.mark_player();
        } else if admitted == Admitted::Players {
            return Err(Nack::Overloaded);
        }
        let news = self.news_for(outbox, player, from)?;
        let (n_compressed, n_replayed) = news.cost();
        if n_compressed > INLINE_BYTES || n_replayed > INLINE_EVENTS {
            // It must not receive later events before the missing ones.
            self.readers.remove(outbox.id);
            return Ok(Watched::Behind(Box::new(news)));
        }
        Ok(Watched::Following { n_sent: self.follow(outbox, player, asker.address(), news) })
    }

    /// Returns the events after `from`, for a connection of a player who has the game up to there.
    pub(super) fn news_for(&self, outbox: &Outbox, player: PlayerId, from: From) -> Result<News, Nack> {
        let version = self.state_for(Some(player))?.version();
        let (from_the_start, events) = self.game.log.after(from.version, version);
        let (shown, now_ms) = self.shown(self.permissions().is_late(player));
        let form = if outbox.has_engine() {
            Form::thin(shown, now_ms, events.last_turn())
        } else {
            let known = if from_the_start { Version::NONE } else { from.version };
            let expansion =
                from.expansion.filter(|expansion| expansion.version() <= known).unwrap_or_default();
            let beginning = Beginning::of(&self.game.log, expansion, known);
            Form::Full { beginning, snapshot: Box::new(view::snapshot(shown, now_ms)) }
        };
        let draft = self.draft.clone().filter(|_| self.permissions().sees_drafts(player));
        Ok(News { game: self.id, extent: Extent::of(from_the_start), events, version, draft, form })
    }

    /// Subscribes a connection that is now sent `news`, and the chat unless it has that already. Returns the number of
    /// events sent.
    pub(super) fn follow(
        &mut self,
        outbox: &Outbox,
        player: PlayerId,
        address: Option<Address>,
        news: News,
    ) -> usize {
        let (game, n_events) = (self.id, news.events.len());
        let has_chat = news.extent == Extent::New && self.readers.has(outbox.id);
        outbox.push_news(game, news.frame().0);
        if !has_chat {
            let audience = self.permissions().audience_of(player);
            let lines = self.chat.lines(audience, self.game.state.reopened_ms());
            if !lines.is_empty() {
                outbox.send(&ServerMessage::Chat { game, lines });
            }
        }
        self.readers.add(outbox.clone(), player, address);
        self.update_attendance();
        outbox.send(&self.attendance.message(game, &self.game.state, self.shared.parts.env.now_ms()));
        n_events
    }

    /// Updates the presence on this node.
    pub(super) fn update_attendance(&mut self) {
        self.attendance.record_local(
            &self.game.state,
            self.readers.visitors(),
            self.shared.parts.env.now_ms(),
        );
    }

    /// What the readers have been sent.
    pub(super) fn sent(&self) -> Sent {
        let shown = self.shown_to_spectators();
        let full = (!self.readers.all_have_engine()).then(|| Full {
            made: Vec::new(),
            late: self.delayed.is_some().then(|| Box::new(Expansion::after(shown))),
        });
        Sent {
            seated: self.permissions().players,
            players: self.game.state.version(),
            spectators: shown.version(),
            last: None,
            full,
        }
    }

    /// Sends all readers the events that they lack.
    pub(super) fn broadcast_events(&mut self, sent: &Sent) {
        // First, since whoever sees an open room may join it.
        self.share_seats();
        let permissions = self.permissions();
        self.readers.mark_players(permissions.players);
        if self.game.state.terms().watching == Watching::Nobody && self.game.state.phase() != &Phase::Open {
            let private = ServerMessage::Error { why: Fault::Private { game: self.id } };
            self.readers.keep(&private, |who| permissions.is_player(who));
        }
        let (game, with_draft) = (self.id, self.draft.is_some());
        let detail_of = |outbox: &Outbox, who| {
            let has_draft = with_draft && permissions.sees_drafts(who);
            let is_late = permissions.is_late(who) && !sent.seated.contains(&who);
            Some(Detail { is_late, has_draft, is_thin: outbox.has_engine() })
        };
        let (log, draft) = (&self.game.log, &self.draft);
        let current: &State = &self.game.state;
        let late = self.delayed.as_ref().map_or(current, |delayed| delayed.shown(current));
        let now_ms = self.shared.parts.env.now_ms();
        self.readers.send_news(detail_of, |detail| {
            let (state, now_ms, known) = if detail.is_late {
                (late, late.updated_ms(), sent.spectators)
            } else {
                (current, now_ms, sent.players)
            };
            let (version, events) = (state.version(), log.excerpt(known, state.version()));
            let last = if detail.is_late { events.last_turn() } else { sent.last };
            let snapshot = || Box::new(view::snapshot(state, now_ms));
            let replayed =
                |from| Form::Full { beginning: Beginning::of(log, from, known), snapshot: snapshot() };
            let form = match &sent.full {
                _ if detail.is_thin => Form::thin(state, now_ms, last),
                Some(Full { late: Some(late), .. }) if detail.is_late => replayed(late.clone()),
                Some(Full { made, .. }) => Form::Made { events: made.clone(), snapshot: snapshot() },
                // The reader has given up its engine meanwhile.
                None => replayed(Box::default()),
            };
            let draft = draft.clone().filter(|_| detail.has_draft);
            News { game, extent: Extent::New, events, version, draft, form }.frame().0
        });
        self.update_attendance();
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_turn_is_seen_while_it_is_made_by_its_maker_and_if_shown_by_all_who_are_not_behind() {
        let [mover, other, spectator] = [1, 2, 3].map(|number| PlayerId::new(Uuid::from_u128(number)));
        for (shows_drafts, is_delayed, expected) in [
            (false, false, [true, false, false]),
            (false, true, [true, false, false]),
            (true, false, [true, true, true]),
            (true, true, [true, true, false]),
        ] {
            let permissions =
                Permissions { players: [other, mover], mover: Some(mover), shows_drafts, is_delayed };
            let seen = [mover, other, spectator].map(|who| permissions.sees_drafts(who));
            assert_eq!(seen, expected, "shown: {shows_drafts}, delayed: {is_delayed}");
        }
    }
}
