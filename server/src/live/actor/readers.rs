//! Who reads the game, and what each of them may see of it.

use super::Actor;
use crate::{
    clock,
    game::{Phase, Refusal, view},
    ids::{PlayerId, Version},
    live::{Admitted, screen::Screen},
    outbox::{Outbox, frame},
    protocol::{Drafts, Fault, Present, ServerMessage, Watching},
    store::Audience,
};

/// Who may see what of a game as it stands.
#[derive(Clone, Copy)]
pub(super) struct Rights {
    /// Who sees all of it: its players, or before it begins its maker, twice.
    players: [PlayerId; 2],
    /// Who makes the turn under way.
    mover: Option<PlayerId>,
    /// Whether the others are shown it while it is made.
    shows_drafts: bool,
    /// Whether those who only watch are shown some turns less than there are.
    is_delayed: bool,
}

impl Rights {
    fn is_player(self, who: PlayerId) -> bool {
        self.players.contains(&who)
    }

    pub(super) fn audience_of(self, who: PlayerId) -> Audience {
        if self.is_player(who) { Audience::Players } else { Audience::Watchers }
    }

    fn is_late(self, who: PlayerId) -> bool {
        self.is_delayed && !self.is_player(who)
    }

    /// Whether somebody is shown turns while they are made.
    pub(super) fn sees_drafts(self, who: PlayerId) -> bool {
        self.mover == Some(who) || (self.shows_drafts && !self.is_late(who))
    }
}

/// What a reader sees of news.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sight {
    /// Some turns less than there are.
    is_late: bool,
    /// The turn under way while it is made.
    has_draft: bool,
}

impl Actor {
    pub(super) fn rights(&self) -> Rights {
        let state = &self.game.state;
        let seats = state.seats();
        Rights {
            players: seats.map_or([state.creator.id; 2], |seats| [seats.first.id, seats.second.id]),
            mover: seats.map(|seats| seats[state.play().to_move()].id),
            shows_drafts: state.terms.drafts == Drafts::Shown,
            is_delayed: self.delayed.is_some(),
        }
    }

    /// What somebody may see of the game.
    pub(super) fn screen_for(&self, reader: Option<PlayerId>) -> Result<&Screen, Refusal> {
        if reader.is_some_and(|who| self.rights().is_player(who)) {
            return Ok(&self.game);
        }
        let is_private = self.game.state.terms.watching == Watching::Nobody;
        if is_private && self.game.state.phase != Phase::Open {
            return Err(Refusal::Private);
        }
        Ok(self.delayed.as_ref().map_or(&self.game, |delayed| &delayed.screen))
    }

    fn present_for(&self, who: PlayerId) -> Present {
        match &self.delayed {
            Some(delayed) if self.rights().is_late(who) => delayed.present(),
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
        let rights = self.rights();
        if rights.is_player(player) {
            outbox.note_player();
        } else if admitted == Admitted::Players {
            return Err(Refusal::Overloaded);
        }
        let screen = self.screen_for(Some(player))?;
        let (from_the_start, events) = screen.events_after(from);
        let (game, present) = (self.id, self.present_for(player));
        let draft = self.draft.clone().filter(|_| rights.sees_drafts(player));
        outbox.send(&if from_the_start {
            ServerMessage::Snapshot { game, events, present, draft }
        } else {
            ServerMessage::Events { game, events, present, draft }
        });
        let lines = self.chat.lines(rights.audience_of(player));
        if !lines.is_empty() {
            outbox.send(&ServerMessage::Chat { game, lines });
        }
        self.watchers.add(outbox.clone(), player);
        self.note_attendance();
        outbox.send(&self.attendance.message(game, &self.game.state, clock::now_ms()));
        Ok(())
    }

    pub(super) fn note_attendance(&mut self) {
        self.attendance.note(&self.game.state, self.watchers.visitors(), clock::now_ms());
    }

    /// How many events players and watchers have been shown.
    pub(super) fn known(&self) -> (usize, usize) {
        let players = self.game.events.len();
        (players, self.delayed.as_ref().map_or(players, |delayed| delayed.screen.events.len()))
    }

    /// Sends the events behind those that are known to all readers.
    pub(super) fn tell(&mut self, (players_know, watchers_know): (usize, usize)) {
        let rights = self.rights();
        self.watchers.note_players(rights.players);
        if self.game.state.terms.watching == Watching::Nobody && self.game.state.phase != Phase::Open {
            let private = ServerMessage::Error { why: Fault::Private { game: self.id } };
            self.watchers.keep(&private, |who| rights.is_player(who));
        }
        let (game, with_draft) = (self.id, self.draft.is_some());
        let sight_of = |_, who| {
            let has_draft = with_draft && rights.sees_drafts(who);
            Some(Sight { is_late: rights.is_late(who), has_draft })
        };
        self.watchers.send_each(sight_of, |sight| {
            let draft = self.draft.clone().filter(|_| sight.has_draft);
            let (events, present) = match &self.delayed {
                Some(delayed) if sight.is_late => {
                    (&delayed.screen.events[watchers_know..], delayed.present())
                }
                Some(_) | None => {
                    (&self.game.events[players_know..], view::present(&self.game.state, clock::now_ms()))
                }
            };
            frame(&ServerMessage::Events { game, events: events.to_vec(), present, draft })
        });
        self.note_attendance();
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_turn_is_seen_while_it_is_made_by_its_maker_and_if_shown_by_all_who_are_not_behind() {
        let [mover, other, watcher] = [1, 2, 3].map(|number| PlayerId::new(Uuid::from_u128(number)));
        for (shows_drafts, is_delayed, expected) in [
            (false, false, [true, false, false]),
            (false, true, [true, false, false]),
            (true, false, [true, true, true]),
            (true, true, [true, true, false]),
        ] {
            let rights = Rights { players: [other, mover], mover: Some(mover), shows_drafts, is_delayed };
            let seen = [mover, other, watcher].map(|who| rights.sees_drafts(who));
            assert_eq!(seen, expected, "shown: {shows_drafts}, delayed: {is_delayed}");
        }
    }
}
