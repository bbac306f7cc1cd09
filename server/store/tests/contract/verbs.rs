use async_trait::async_trait;
use game::{
    Player,
    ids::{NodeId, PlayerId, PlayerName},
};
use store::{
    CannotBlock, Cleared, Clearing, Conflict, Outage, Refused, Store, StoreError, TokenHash, Write, Written,
};

/// Shorthands for single writes, each in a transaction of its own.
#[async_trait]
pub(crate) trait Verbs: Store {
    /// Commits writes that can be refused only by a conflict.
    async fn tried(&self, writes: &[Write]) -> Result<Vec<Result<(), Conflict>>, StoreError> {
        let results = self.commit(writes).await?.into_iter();
        Ok(results
            .map(|result| match result {
                Ok(_) => Ok(()),
                Err(Refused::Conflict(conflict)) => Err(conflict),
                Err(other) => panic!("{other:?}"),
            })
            .collect())
    }

    async fn one(&self, write: Write) -> Result<Result<Written, Refused>, StoreError> {
        let mut results = self.commit(&[write]).await?;
        assert_eq!(results.len(), 1);
        Ok(results.remove(0))
    }

    async fn create_player(&self, player: &Player, token: &TokenHash, now_ms: i64) -> Result<(), StoreError> {
        let write = Write::NewPlayer { player: player.clone(), token: *token, now_ms };
        self.one(write).await.map(|result| assert_eq!(result, Ok(Written::Done)))
    }

    async fn rename(&self, player: PlayerId, name: &PlayerName) -> Result<(), Refused> {
        // Long after any act of a moderator.
        self.rename_at(player, name, i64::MAX).await
    }

    async fn rename_at(&self, player: PlayerId, name: &PlayerName, now_ms: i64) -> Result<(), Refused> {
        self.one(Write::Rename { player, name: name.clone(), now_ms }).await.unwrap().map(drop)
    }

    async fn block(&self, player: PlayerId, blocked: PlayerId, now_ms: i64) -> Result<(), CannotBlock> {
        match self.one(Write::Block { player, blocked, now_ms }).await.unwrap() {
            Ok(Written::Done) => Ok(()),
            Err(Refused::CannotBlock(why)) => Err(why),
            other => panic!("{other:?}"),
        }
    }

    async fn unblock(&self, player: PlayerId, blocked: PlayerId) {
        assert_eq!(self.one(Write::Unblock { player, blocked }).await.unwrap(), Ok(Written::Done));
    }

    async fn beat(&self, now_ms: i64, gap_ms: i64) -> Option<Outage> {
        match self.one(Write::Beat { now_ms, gap_ms }).await.unwrap() {
            Ok(Written::Done) => None,
            Ok(Written::AfterOutage(outage)) => Some(outage),
            other => panic!("{other:?}"),
        }
    }

    async fn clear(&self, clearing: Clearing) -> Cleared {
        match self.one(Write::Clear(clearing)).await.unwrap() {
            Ok(Written::Cleared(cleared)) => cleared,
            other => panic!("{other:?}"),
        }
    }

    async fn may_sweep(&self, node: NodeId, now_ms: i64, until_ms: i64) -> bool {
        match self.one(Write::TakeSweep { node, now_ms, until_ms }).await.unwrap() {
            Ok(Written::Done) => true,
            Err(Refused::SweptElsewhere) => false,
            other => panic!("{other:?}"),
        }
    }
}

impl<S: Store + ?Sized> Verbs for S {}
