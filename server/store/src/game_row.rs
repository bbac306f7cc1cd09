use engine::{Ruleset, Side};
use game::{
    ClockRule, Outcome, Player, SeatChoice, Seats, Status, Visibility, Watching,
    ids::{Delay, GameId, PlayerId, Version},
};

/// The row of a game, with all that lists need. It may contain more than some readers may see; the code that shows a
/// list omits that.
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
    /// Whether the game starts from a position other than the ruleset's own.
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
    /// Time of the last event, milliseconds since 1970.
    pub updated_ms: i64,
    /// Deadline of the turn under way, milliseconds since 1970; `None` if there is none.
    pub deadline_ms: Option<i64>,
    /// The text of the current or final position; `None` for old games, which were stored without it.
    pub position: Option<String>,
}

impl GameRow {
    /// Whether the game is over, so that only events about a rematch can follow.
    pub const fn is_over(&self) -> bool {
        match self.status {
            Status::Finished | Status::Aborted | Status::Cancelled => true,
            Status::Open | Status::Playing => false,
        }
    }

    /// Whether a player plays or played in the game, or created its room and nobody has joined.
    pub fn is_of(&self, player: PlayerId) -> bool {
        match &self.seats {
            Some(Seats { first, second }) => [first.id, second.id].contains(&player),
            None => self.creator.id == player,
        }
    }
}
