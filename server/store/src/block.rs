/// Maximum number of players that one player can block. The whole list fits into one message.
pub const MAX_BLOCKS: u32 = 500;

/// The reason why a player was not blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotBlock {
    #[error("nobody can block themselves")]
    Oneself,
    #[error("no player has this id")]
    UnknownPlayer,
    #[error("a player can block at most {MAX_BLOCKS} others")]
    TooMany,
}
