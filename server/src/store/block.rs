use uuid::Uuid;

use crate::ids::PlayerId;

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

/// Whether a player may block another: `known` are those of the two that there are, `others` is how many else the
/// player has blocked.
pub(super) fn check(
    player: PlayerId,
    blocked: PlayerId,
    known: &[Uuid],
    others: i64,
) -> Result<(), CannotBlock> {
    if player == blocked {
        return Err(CannotBlock::Oneself);
    }
    if ![player, blocked].iter().all(|player| known.contains(&player.uuid())) {
        return Err(CannotBlock::UnknownPlayer);
    }
    if others >= i64::from(MAX_BLOCKS) {
        return Err(CannotBlock::TooMany);
    }
    Ok(())
}
