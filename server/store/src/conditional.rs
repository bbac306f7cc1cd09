use engine::Side;
use game::ids::{GameId, Version};

/// Maximum size of the conditional turns of a side, in bytes.
pub const MAX_CONDITIONAL: usize = 16 * 1024;

/// The conditional turns of a side: what it plays at once in positions that may come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionalRow {
    pub game: GameId,
    pub side: Side,
    /// The version of the game that their player saw.
    pub version: Version,
    /// JSON, at most [`MAX_CONDITIONAL`].
    pub body: String,
}
