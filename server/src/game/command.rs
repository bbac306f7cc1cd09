use crate::ids::{ActionText, Version};

/// What somebody asks of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Takes the free seat of a room.
    Join {
        /// Whether the maker gets the first seat, if the room leaves it to chance.
        coin: bool,
    },
    /// Closes a room that nobody has joined.
    Cancel,
    /// Plays a whole turn.
    Turn {
        /// The version of the game that the player saw.
        base: Version,
        actions: Vec<ActionText>,
    },
    /// Gives the game up.
    Resign,
}
