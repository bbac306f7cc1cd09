use async_trait::async_trait;
use game::{Player, ids::PlayerId};
use uuid::Uuid;

use super::{SqlDatabase, text};
use crate::{
    Outage, Players, Session, StoreError, TokenHash,
    error::reading,
    row::{self, OutageRow, PlayerRow, SessionRow},
};

#[async_trait]
impl<D: SqlDatabase> Players for D {
    async fn session(&self, token: &TokenHash, unused_since_ms: i64) -> Result<Option<Session>, StoreError> {
        reading("read a session", async {
            let statement = text::SESSION.bind(token.as_bytes()).bind(unused_since_ms);
            let row: Option<SessionRow> = self.read_first(statement).await?;
            row.map(Session::try_from).transpose()
        })
        .await
    }

    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError> {
        reading("read whom a player has blocked", async {
            let statement = text::BLOCKS_OF.bind(player.uuid());
            row::all(self.read::<PlayerRow>(statement).await?)
        })
        .await
    }

    async fn blocked_among(
        &self,
        player: PlayerId,
        others: &[PlayerId],
    ) -> Result<Vec<PlayerId>, StoreError> {
        reading("look for blocks", async {
            let others = others.iter().map(|other| other.uuid());
            let statement = text::BLOCKED_AMONG.bind_ids(others).bind(player.uuid());
            let blocked: Vec<(Uuid,)> = self.read(statement).await?;
            Ok(blocked.into_iter().map(|(player,)| PlayerId::new(player)).collect())
        })
        .await
    }
}

/// Reads the outages that ended after a time, in order.
pub(crate) async fn outages_since(database: &impl SqlDatabase, ms: i64) -> Result<Vec<Outage>, StoreError> {
    reading("read the outages", async {
        let rows: Vec<OutageRow> = database.read(text::OUTAGES_SINCE.bind(ms)).await?;
        Ok(rows.into_iter().map(Outage::from).collect())
    })
    .await
}
