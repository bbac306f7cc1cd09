use engine::Side;
use game::ids::GameId;

/// Maximum size of the conditional turns of a side, in bytes.
pub const MAX_CONDITIONAL: usize = 16 * 1024;

/// The conditional turns of a side: what it plays at once in positions that may come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionalRow {
    pub game: GameId,
    pub side: Side,
    /// JSON, at most [`MAX_CONDITIONAL`].
    pub body: String,
}
