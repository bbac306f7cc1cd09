use game::ids::GameId;

/// Maximum length of the body of a review, in bytes.
pub const MAX_REVIEW: usize = 64 * 1024;

/// The review of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewRow {
    pub game: GameId,
    /// Stored byte for byte, at most [`MAX_REVIEW`] bytes. Must not contain NUL.
    pub body: String,
}
