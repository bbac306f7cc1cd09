//! Who plays.

use engine::Side;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ids::{PlayerId, PlayerName};

/// A person as others see them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Player {
    pub id: PlayerId,
    pub name: PlayerName,
}

/// The players of a game that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Seats {
    pub first: Player,
    pub second: Player,
}

impl Seats {
    /// Whether one player has both: two people play at one screen.
    pub(crate) fn are_of_one_player(&self) -> bool {
        self.first.id == self.second.id
    }
}

impl std::ops::Index<Side> for Seats {
    type Output = Player;

    fn index(&self, side: Side) -> &Player {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}
