//! Who reads the game, and what each of them may see of it.

use std::collections::{HashMap, HashSet};

use super::Actor;
use crate::{
    clock,
    game::{Phase, Refusal, view},
    ids::{PlayerId, Version},
    live::{Admitted, screen::Screen},
    outbox::Outbox,
    protocol::{Drafts, Fault, Present, ServerMessage, Watching},
    store::Audience,
};

/// What a reader sees of news.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Sight {
    /// Some turns less than there are.
    is_late: bool,
    /// The turn under way while it is made.
    has_draft: bool,
}

impl Actor {
    /// Whether somebody sees all of the game: its players, and before it begins its maker.
    fn is_player(&self, who: PlayerId) -> bool {
        match self.game.state.seats() {
            Some(seats) => seats.first.id == who || seats.second.id == who,
            None => self.game.state.creator.id == who,
        }
    }

    /// What somebody may see of the game.
    pub(super) fn screen_for(&self, reader: Option<PlayerId>) -> Result<&Screen, Refusal> {
        if reader.is_some_and(|who| self.is_player(who)) {
            return Ok(&self.game);
        }
        let is_private = self.game.state.terms.watching == Watching::Nobody;
        if is_private && self.game.state.phase != Phase::Open {
            return Err(Refusal::Private);
        }
        Ok(self.delayed.as_ref().map_or(&self.game, |delayed| &delayed.screen))
    }

    pub(super) fn audience_of(&self, who: PlayerId) -> Audience {
        if self.is_player(who) { Audience::Players } else { Audience::Watchers }
    }

    /// Whether somebody is shown turns while they are made.
    pub(super) fn sees_drafts(&self, who: PlayerId) -> bool {
        let state = &self.game.state;
        let is_mover = state.side_of(who) == Some(state.play().to_move());
        let is_told = state.terms.drafts == Drafts::Shown && (self.delayed.is_none() || self.is_player(who));
        is_mover || is_told
    }

    fn present_for(&self, who: PlayerId) -> Present {
        match &self.delayed {
            Some(delayed) if !self.is_player(who) => delayed.present(),
            Some(_) | None => view::present(&self.game.state, clock::now_ms()),
        }
    }

    pub(super) fn watch(
        &mut self,
        outbox: &Outbox,
        player: PlayerId,
        from: Version,
        admitted: Admitted,
    ) -> Result<(), Refusal> {
        if self.is_player(player) {
            outbox.note_player();
        } else if admitted == Admitted::Players {
            return Err(Refusal::Overloaded);
        }
        let screen = self.screen_for(Some(player))?;
        let (from_the_start, events) = screen.events_after(from);
        let (game, present) = (self.id, self.present_for(player));
        let draft = self.draft.clone().filter(|_| self.sees_drafts(player));
        outbox.send(&if from_the_start {
            ServerMessage::Snapshot { game, events, present, draft }
        } else {
            ServerMessage::Events { game, events, present, draft }
        });
        let lines = self.chat.lines(self.audience_of(player));
        if !lines.is_empty() {
            outbox.send(&ServerMessage::Chat { game, lines });
        }
        self.watchers.add(outbox.clone(), player);
        self.note_attendance();
        outbox.send(&self.attendance.message(game, &self.game.state, clock::now_ms()));
        Ok(())
    }

    pub(super) fn note_attendance(&mut self) {
        let here = self.watchers.players();
        self.attendance.note(&self.game.state, &here, clock::now_ms());
    }

    /// How many events players and watchers have been shown.
    pub(super) fn known(&self) -> (usize, usize) {
        let players = self.game.events.len();
        (players, self.delayed.as_ref().map_or(players, |delayed| delayed.screen.events.len()))
    }

    /// Sends the events behind those that are known to all readers.
    pub(super) fn tell(&mut self, (players_know, watchers_know): (usize, usize)) {
        let seats = self.game.state.seats().map(|seats| [seats.first.id, seats.second.id]);
        let makers = [self.game.state.creator.id; 2];
        let players = seats.unwrap_or(makers);
        self.watchers.note_players(players);
        if self.game.state.terms.watching == Watching::Nobody && self.game.state.phase != Phase::Open {
            let private = ServerMessage::Error { why: Fault::Private { game: self.id } };
            self.watchers.keep(&private, |who| players.contains(&who));
        }
        let (game, with_draft) = (self.id, self.draft.is_some());
        let sight_of = |who: PlayerId| Sight {
            is_late: self.delayed.is_some() && !players.contains(&who),
            has_draft: with_draft && self.sees_drafts(who),
        };
        let sights: HashMap<PlayerId, Sight> =
            self.watchers.players().into_iter().map(|who| (who, sight_of(who))).collect();
        for sight in sights.values().copied().collect::<HashSet<_>>() {
            let draft = self.draft.clone().filter(|_| sight.has_draft);
            let (events, present) = match &self.delayed {
                Some(delayed) if sight.is_late => {
                    (&delayed.screen.events[watchers_know..], delayed.present())
                }
                Some(_) | None => {
                    (&self.game.events[players_know..], view::present(&self.game.state, clock::now_ms()))
                }
            };
            let message = ServerMessage::Events { game, events: events.to_vec(), present, draft };
            self.watchers.send_to(&message, |_, who| sights.get(&who) == Some(&sight));
        }
        self.note_attendance();
    }
}
