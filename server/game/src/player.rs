use engine::Side;

use crate::ids::{PlayerId, PlayerName};

/// A player with a name. Games mention players by id alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    pub id: PlayerId,
    pub name: PlayerName,
}

/// Kind of a person. A bot is told by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// A player whom only the session of a browser proves.
    Guest,
    /// A player with credentials, whose name nobody else has.
    Account,
}

/// Role of an account in moderation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Judges reports, and acts on players without a role.
    Moderator,
    /// A moderator who also acts on moderators, and reads all acts.
    Admin,
}

/// Subject of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    /// Lines in the chat of a game.
    Chat,
    /// The name of the player.
    Name,
    /// Unfair play, or none.
    Play,
}

/// The players of a game that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seats {
    pub first: PlayerId,
    pub second: PlayerId,
}

impl Seats {
    /// Whether one player has both seats: two people play at one screen.
    pub fn are_of_one_player(&self) -> bool {
        self.first == self.second
    }
}

impl std::ops::Index<Side> for Seats {
    type Output = PlayerId;

    fn index(&self, side: Side) -> &PlayerId {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}
