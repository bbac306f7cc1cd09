//! Permissions to see a game.

use game::{Drafts, State, Watching, ids::PlayerId};
use protocol::Nack;
use store::{Audience, GameRow};

use super::readers::Visitors;

/// Permissions to see the current game.
#[derive(Clone, Copy)]
pub(super) struct Permissions {
    /// The players, who see everything; before the game begins, its maker and the challenged player, or its maker twice.
    pub(super) players: [PlayerId; 2],
    /// The player of the turn under way.
    mover: Option<PlayerId>,
    /// Whether other readers see the turn under way.
    shows_drafts: bool,
    /// Whether spectators are delayed.
    is_delayed: bool,
}

impl Permissions {
    /// Returns the permissions to see a game, whose spectators may be delayed.
    pub(super) fn of(state: &State, is_delayed: bool) -> Self {
        let seats = state.seats();
        Self {
            players: seats.map_or_else(
                || [state.creator(), state.challenged().unwrap_or_else(|| state.creator())],
                |seats| [seats.first, seats.second],
            ),
            mover: seats.map(|seats| seats[state.play().to_move()]),
            shows_drafts: state.terms().drafts == Drafts::Shown,
            is_delayed,
        }
    }

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

    /// Whether a reader sees the game some turns late.
    pub(super) fn is_late(self, who: PlayerId) -> bool {
        self.is_delayed && !self.is_player(who)
    }

    /// Whether a reader sees unfinished turns.
    pub(super) fn sees_drafts(self, who: PlayerId) -> bool {
        self.mover == Some(who) || (self.shows_drafts && !self.is_late(who))
    }
}

/// Returns the audience that a reader of a begun game belongs to.
///
/// # Errors
/// Only its players may see the game.
pub(crate) fn may_read(row: &GameRow, reader: Option<PlayerId>) -> Result<Audience, Nack> {
    match reader {
        Some(who) if row.is_of(who) => Ok(Audience::Players),
        _ if row.watching == Watching::Nobody => Err(Nack::Private),
        _ => Ok(Audience::Spectators),
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
