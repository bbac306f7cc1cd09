//! Seeks: games that players look for without being present.

use std::fmt;

use async_trait::async_trait;
use engine::Ruleset;
use game::{
    ClockRule,
    ids::{PlayerId, SeekId},
};

use crate::StoreError;

/// Maximum number of seeks of a player.
pub const MAX_SEEKS: u32 = 10;

/// Absence after which the seeks of a player are deleted, in milliseconds.
pub const SEEKS_KEPT_MS: i64 = 14 * 24 * 60 * 60 * 1_000;

/// A seek.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seek {
    pub id: SeekId,
    pub player: PlayerId,
    pub ruleset: Ruleset,
    /// Never one for all turns, for which both players have to be present.
    pub clock: ClockRule,
    /// Number of games, at least 1.
    pub wanted: u32,
    /// Milliseconds since 1970.
    pub created_ms: i64,
}

/// Limits on the games of a player. The seeks of players who have reached them are not to be accepted.
#[derive(Clone, Copy, Debug)]
pub struct GameLimits {
    /// Maximum number of games under way, open rooms included.
    pub under_way: u32,
    /// Maximum number among these of slow games, of a player who has finished none. Each that was
    /// finished allows one more.
    pub slow_at_first: u32,
}

/// A change of the seeks. Games that they begin are [appends](crate::Condition::Sought).
#[derive(Clone, Copy, Debug)]
pub enum SeekChange {
    /// Adds a seek in place of the one that its player has for the same ruleset and clock. It is refused if its player has
    /// [`MAX_SEEKS`] others.
    Posted(Seek),
    /// Deletes a seek of a player.
    Withdrawn { seek: SeekId, player: PlayerId },
}

impl SeekChange {
    pub(super) fn player(&self) -> PlayerId {
        match self {
            Self::Posted(Seek { player, .. }) | Self::Withdrawn { player, .. } => *player,
        }
    }
}

/// The seeks. Those of closed accounts are not read. A player may accept the seek of another one if neither has blocked the other,
/// and the other may begin such a game.
#[async_trait]
pub trait Seeks: fmt::Debug + Send + Sync + 'static {
    /// Reads a seek.
    async fn seek(&self, seek: SeekId) -> Result<Option<Seek>, StoreError>;

    /// Reads the seeks of a player, the oldest first.
    async fn seeks_of(&self, player: PlayerId) -> Result<Vec<Seek>, StoreError>;

    /// Reads the newest seeks that a player may accept, at most `limit`.
    async fn newest_seeks(
        &self,
        player: PlayerId,
        limits: GameLimits,
        limit: u32,
    ) -> Result<Vec<Seek>, StoreError>;

    /// Reads the seeks of the game that a seek is for, which its player may accept, the oldest first, at most `limit`.
    async fn seeks_like(&self, seek: &Seek, limits: GameLimits, limit: u32) -> Result<Vec<Seek>, StoreError>;

    /// Looks for seeks of players who were last seen at a time or before, at most `limit`.
    async fn left_seeks(&self, seen_ms: i64, limit: u32) -> Result<Vec<SeekId>, StoreError>;
}
