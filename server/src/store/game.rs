use engine::{Ruleset, Side};

use crate::{
    game::{ClockRule, Outcome, Player, SeatChoice, Seats, Status, Visibility, Watching},
    ids::{Delay, GameId, PlayerId, Version},
};

/// The row of a game: all that lists need of it, as it is. It holds what some readers may not know; what is left out for
/// them is left out where a list is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    pub id: GameId,
    pub ruleset: Ruleset,
    pub status: Status,
    pub visibility: Visibility,
    pub creator: Player,
    pub seat: SeatChoice,
    pub clock: ClockRule,
    pub watching: Watching,
    /// Number of turns that spectators are behind the game.
    pub delay: Delay,
    /// Whether the game begins from another position than the ruleset's own.
    pub custom_start: bool,
    /// `None` while the room is open.
    pub seats: Option<Seats>,
    pub version: Version,
    /// The turn under way, or the last one.
    pub turn: u16,
    pub to_move: Side,
    pub outcome: Option<Outcome>,
    /// Milliseconds since 1970.
    pub created_ms: i64,
    /// When its last event happened, milliseconds since 1970.
    pub updated_ms: i64,
    /// When the turn under way must be there, milliseconds since 1970; `None` if it may take any time.
    pub deadline_ms: Option<i64>,
    /// The text of the position as it is now, or at the end; `None` for old games of which it was not kept.
    pub position: Option<String>,
}

impl GameRow {
    /// Whether nothing but talk of a rematch can still happen in the game.
    pub(crate) const fn is_over(&self) -> bool {
        match self.status {
            Status::Finished | Status::Aborted | Status::Cancelled => true,
            Status::Open | Status::Playing => false,
        }
    }

    /// Whether somebody plays or played in the game, or made its room as long as nobody has joined.
    pub(crate) fn is_of(&self, player: PlayerId) -> bool {
        match &self.seats {
            Some(Seats { first, second }) => [first.id, second.id].contains(&player),
            None => self.creator.id == player,
        }
    }
}
