//! Seeks: their changes, in the transaction of a commit, and their reads.

use std::collections::BTreeMap;

use async_trait::async_trait;
use game::{
    clock_to_db,
    ids::{PlayerId, SeekId},
};
use uuid::Uuid;

use super::{Connection, Sql, SqlDatabase, Statement, accounts::count, text};
use crate::{
    GameLimits, MAX_SEEKS, Refused, Seek, SeekChange, Seeks, StoreError,
    challenge::ChallengeCounts,
    error::reading,
    people::{Asked, People},
    row::{self, SeekRow, word},
};

/// Adds the challenges and the seeks that conditions of writes depend on. Challenges do not change until the end of the
/// transaction, since the rows of their players are locked; no other transaction takes the seeks.
pub(crate) async fn with_opponents(
    tx: &mut impl Connection,
    people: People,
    asked: &Asked,
) -> Result<People, sqlx::Error> {
    let (mut made, mut to) = (Vec::new(), Vec::new());
    if !asked.challengers.is_empty() {
        let by = text::COUNT_CHALLENGES.bind_ids(asked.challengers.iter().copied());
        let counts: Vec<(Uuid, Uuid, i64, i64)> = tx.rows(by.bind(asked.challenges_since_ms)).await?;
        for (maker, challenged, open, recent) in counts {
            let (maker, challenged) = (PlayerId::new(maker), PlayerId::new(challenged));
            let (open, recent) = (row::count(open)?, row::count(recent)?);
            made.push(ChallengeCounts { maker, challenged, open, recent });
        }
        let counts = text::COUNT_CHALLENGES_TO.bind_ids(asked.challenged.iter().copied());
        for (challenged, open) in tx.rows::<(Uuid, i64)>(counts).await? {
            to.push((PlayerId::new(challenged), row::count(open)?));
        }
    }
    let mut seeks = Vec::new();
    if !asked.seeks.is_empty() {
        let among = text::SEEKS_AMONG.bind_ids(asked.seeks.iter().copied());
        seeks = row::all(tx.rows::<SeekRow>(among).await?)?;
    }
    Ok(people.with_opponents(made, to, seeks))
}

/// Sets how many games are still wanted by seeks; those that want none are deleted.
pub(super) async fn save_wanted(
    tx: &mut impl Connection,
    wanted: &BTreeMap<SeekId, u32>,
) -> Result<(), sqlx::Error> {
    for (seek, wanted) in wanted {
        let statement = match wanted {
            0 => text::DELETE_SEEK.bind(seek.uuid()),
            wanted => text::SET_WANTED.bind(seek.uuid()).bind(*wanted),
        };
        tx.execute(statement).await?;
    }
    Ok(())
}

/// Executes a change. The row of its player is locked.
pub(super) async fn save(
    tx: &mut impl Connection,
    change: &SeekChange,
) -> Result<Result<(), Refused>, sqlx::Error> {
    match change {
        SeekChange::Posted(Seek { id, player, ruleset, clock, wanted, created_ms }) => {
            let (ruleset, clock) = (word(*ruleset), clock_to_db(*clock));
            let replaced = text::REPLACE_SEEK.bind(player.uuid()).bind(ruleset.as_str());
            tx.execute(replaced.bind(clock.as_str())).await?;
            if count(tx.row(text::COUNT_SEEKS.bind(player.uuid())).await?) >= MAX_SEEKS {
                return Ok(Err(Refused::TooManySeeks));
            }
            let added = text::ADD_SEEK.bind(id.uuid()).bind(player.uuid()).bind(ruleset.as_str());
            let added = added.bind(clock.as_str()).bind(*wanted).bind(*created_ms);
            tx.execute(added).await.map(|_| Ok(()))
        }
        SeekChange::Withdrawn { seek, player } => {
            let withdrawn = text::WITHDRAW_SEEK.bind(seek.uuid()).bind(player.uuid());
            Ok(if tx.execute(withdrawn).await? == 0 { Err(Refused::SeekGone) } else { Ok(()) })
        }
    }
}

#[async_trait]
impl<D: SqlDatabase> Seeks for D {
    async fn seek(&self, seek: SeekId) -> Result<Option<Seek>, StoreError> {
        reading("read a seek", async {
            let row: Option<SeekRow> = self.read_first(text::SEEK.bind(seek.uuid())).await?;
            row.map(Seek::try_from).transpose()
        })
        .await
    }

    async fn seeks_of(&self, player: PlayerId) -> Result<Vec<Seek>, StoreError> {
        reading("read the seeks of a player", async {
            Ok(row::readable(self.read::<SeekRow>(text::SEEKS_OF.bind(player.uuid())).await?))
        })
        .await
    }

    async fn newest_seeks(
        &self,
        player: PlayerId,
        limits: GameLimits,
        limit: u32,
    ) -> Result<Vec<Seek>, StoreError> {
        reading("read the newest seeks", async {
            let statement = to_accept(text::NEWEST_SEEKS, player, limits, limit);
            Ok(row::readable(self.list_reader().await?.rows::<SeekRow>(statement).await?))
        })
        .await
    }

    async fn seeks_like(&self, seek: &Seek, limits: GameLimits, limit: u32) -> Result<Vec<Seek>, StoreError> {
        reading("look for a matching seek", async {
            let statement = to_accept(text::SEEKS_LIKE, seek.player, limits, limit);
            let statement =
                statement.bind(word(seek.ruleset).as_str()).bind(clock_to_db(seek.clock).as_str());
            Ok(row::readable(self.list_reader().await?.rows::<SeekRow>(statement).await?))
        })
        .await
    }

    async fn left_seeks(&self, seen_ms: i64, limit: u32) -> Result<Vec<SeekId>, StoreError> {
        reading("look for seeks of absent players", async {
            let statement = text::LEFT_SEEKS.bind(seen_ms).bind(limit);
            let found: Vec<(Uuid,)> = self.list_reader().await?.rows(statement).await?;
            Ok(found.into_iter().map(|(seek,)| SeekId::new(seek)).collect())
        })
        .await
    }
}

/// Binds whose seeks a statement reads: those that a player may accept, a number at most.
fn to_accept(sql: Sql, player: PlayerId, limits: GameLimits, limit: u32) -> Statement {
    let GameLimits { under_way, slow_at_first } = limits;
    sql.bind(player.uuid()).bind(under_way).bind(slow_at_first).bind(limit)
}
