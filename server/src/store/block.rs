/// Players that one player may block: more than anybody meets who is worth it, few enough to be sent as one list.
pub const MAX_BLOCKS: u32 = 500;

/// Why a player was not blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotBlock {
    #[error("nobody can block themselves")]
    Oneself,
    #[error("no player has this id")]
    UnknownPlayer,
    #[error("a player can block at most {MAX_BLOCKS} others")]
    TooMany,
}
