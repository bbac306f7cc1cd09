//! Who plays.

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
