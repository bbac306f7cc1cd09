use async_trait::async_trait;
use game::{Player, ids::PlayerId};

use crate::{Session, StoreError, TokenHash};

/// Players, with their sessions and blocks.
#[async_trait]
pub trait Players: Send + Sync + 'static {
    /// Reads the session with this token, if it was used after `unused_since_ms`.
    async fn session(&self, token: &TokenHash, unused_since_ms: i64) -> Result<Option<Session>, StoreError>;

    /// Reads the players whom a player has blocked, with their current names, the last blocked first.
    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError>;

    /// Returns those among `others` who have blocked a player or are blocked by them, in no particular order.
    async fn blocked_among(&self, player: PlayerId, others: &[PlayerId])
    -> Result<Vec<PlayerId>, StoreError>;
}
