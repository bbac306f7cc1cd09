use engine::{Ruleset, Side};
use game::{
    ClockRule, Outcome, Reason, SeatChoice, Seats, StandingOffer, Status, Visibility, Watching,
    ids::{Delay, GameId, PlayerId, Version},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Retention of a room that was closed, or of an aborted game, in milliseconds.
pub const ABORTED_KEPT_MS: i64 = DAY_MS;

/// Retention of a game that was given up before it had [`PLAYED_TURNS`], in milliseconds.
pub const GIVEN_UP_KEPT_MS: i64 = 30 * DAY_MS;

/// Number of turns with which a game that was given up stays: both sides have made a second one.
pub const PLAYED_TURNS: u16 = 4;

/// The row of a game, with all that lists need. It may contain more than some readers may see; the code that shows a
/// list omits that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    pub id: GameId,
    pub ruleset: Ruleset,
    pub status: Status,
    pub visibility: Visibility,
    pub creator: PlayerId,
    /// The only player who may join the room, if it is a challenge.
    pub challenged: Option<PlayerId>,
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
    /// Deadline of the turn under way or of the open room, milliseconds since 1970; `None` if there is none.
    pub deadline_ms: Option<i64>,
    /// The text of the current or final position; `None` for old games, which were stored without it.
    pub position: Option<String>,
    /// Those that wait for an answer.
    pub offers: Vec<StandingOffer>,
}

impl GameRow {
    /// Whether the game is over, so that only events about a rematch can follow.
    pub const fn is_over(&self) -> bool {
        match self.status {
            Status::Finished | Status::Aborted | Status::Cancelled => true,
            Status::Open | Status::Playing => false,
        }
    }

    /// Whether the game ended with a result otherwise than by the rules: by resignation, on time, by agreement or by a
    /// claim.
    pub fn was_given_up(&self) -> bool {
        self.outcome.is_some_and(|outcome| match outcome.reason {
            Reason::Resign | Reason::Time | Reason::Agreement | Reason::Abandon => true,
            Reason::Surround
            | Reason::King
            | Reason::Blocked
            | Reason::Repetition
            | Reason::Quiet
            | Reason::TurnLimit => false,
        })
    }

    /// Whether the game is deleted at `now_ms`, as far as its row tells: it ended long ago, and not by the rules, and had few
    /// turns. In a game with a start position of its own only the log tells the number of turns.
    pub fn may_be_deleted(&self, now_ms: i64) -> bool {
        let kept_ms = match self.status {
            Status::Cancelled | Status::Aborted => ABORTED_KEPT_MS,
            Status::Finished if self.was_given_up() && (self.custom_start || self.turn <= PLAYED_TURNS) => {
                GIVEN_UP_KEPT_MS
            }
            Status::Finished | Status::Open | Status::Playing => return false,
        };
        self.updated_ms < now_ms - kept_ms
    }

    /// Returns the player whose turn the game waits for; `None` if it is not under way, if its clock is for all turns, so that
    /// its players are present, or if one player has both seats.
    pub fn awaited(&self) -> Option<PlayerId> {
        let seats = self.seats.filter(|seats| !self.clock.is_live() && !seats.are_of_one_player());
        seats.filter(|_| self.status == Status::Playing).map(|seats| seats[self.to_move])
    }

    /// Whether a player plays or played in the game, or created its room or was challenged by it and nobody has joined.
    pub fn is_of(&self, player: PlayerId) -> bool {
        match &self.seats {
            Some(Seats { first, second }) => [*first, *second].contains(&player),
            None => self.creator == player || self.challenged == Some(player),
        }
    }
}
