//! Seeks.

use std::collections::BTreeMap;

use async_trait::async_trait;
use game::ids::{PlayerId, SeekId};

use super::{Memory, Tables, count};
use crate::{GameCounts, GameLimits, MAX_SEEKS, Refused, Seek, SeekChange, Seeks, StoreError};

impl Tables {
    pub(super) fn change_seeks(&mut self, change: &SeekChange) -> Result<(), Refused> {
        match change {
            SeekChange::Posted(seek) => {
                self.seeks.retain(|_, other| {
                    (other.player, other.ruleset, other.clock) != (seek.player, seek.ruleset, seek.clock)
                });
                let n_seeks = self.seeks.values().filter(|other| other.player == seek.player).count();
                if count(n_seeks) >= MAX_SEEKS {
                    return Err(Refused::TooManySeeks);
                }
                self.seeks.insert(seek.id, *seek);
            }
            SeekChange::Withdrawn { seek, player } => {
                self.seeks.get(seek).filter(|found| found.player == *player).ok_or(Refused::SeekGone)?;
                self.seeks.remove(seek);
            }
        }
        Ok(())
    }

    /// Sets how many games seeks still want, and withdraws those that want none.
    pub(super) fn save_wanted(&mut self, wanted: &BTreeMap<SeekId, u32>) {
        for (id, wanted) in wanted {
            match wanted {
                0 => drop(self.seeks.remove(id)),
                wanted => drop(self.seeks.entry(*id).and_modify(|seek| seek.wanted = *wanted)),
            }
        }
    }

    pub(super) fn withdraw_seeks(&mut self, player: PlayerId) {
        self.seeks.retain(|_, seek| seek.player != player);
    }

    /// The seeks of players who may be named, the oldest first.
    fn open_seeks(&self) -> impl DoubleEndedIterator<Item = &Seek> {
        self.seeks.values().filter(|seek| self.named(seek.player).is_some())
    }

    /// The seeks that a player may accept, the oldest first.
    fn seeks_to_accept(
        &self,
        player: PlayerId,
        limits: GameLimits,
    ) -> impl DoubleEndedIterator<Item = &Seek> {
        let may_begin = move |other| {
            let GameCounts { real_time, under_way, .. } = self.count_games(other);
            let slow_limit = limits.slow_at_first + self.count_finished_slow_games(other);
            under_way < limits.under_way && under_way - real_time < slow_limit
        };
        let may_meet = move |other| other != player && !self.is_block_between(player, other);
        self.open_seeks().filter(move |seek| may_meet(seek.player) && may_begin(seek.player))
    }
}

#[async_trait]
impl Seeks for Memory {
    async fn seek(&self, seek: SeekId) -> Result<Option<Seek>, StoreError> {
        Ok(self.0.lock().open_seeks().find(|open| open.id == seek).copied())
    }

    async fn seeks_of(&self, player: PlayerId) -> Result<Vec<Seek>, StoreError> {
        Ok(self.0.lock().open_seeks().filter(|seek| seek.player == player).copied().collect())
    }

    async fn newest_seeks(
        &self,
        player: PlayerId,
        limits: GameLimits,
        limit: u32,
    ) -> Result<Vec<Seek>, StoreError> {
        let tables = self.0.lock();
        Ok(tables.seeks_to_accept(player, limits).rev().take(limit as usize).copied().collect())
    }

    async fn seeks_like(&self, seek: &Seek, limits: GameLimits, limit: u32) -> Result<Vec<Seek>, StoreError> {
        let tables = self.0.lock();
        let is_like = |other: &&Seek| (other.ruleset, other.clock) == (seek.ruleset, seek.clock);
        let seeks = tables.seeks_to_accept(seek.player, limits).filter(is_like);
        Ok(seeks.take(limit as usize).copied().collect())
    }

    async fn left_seeks(&self, seen_ms: i64, limit: u32) -> Result<Vec<SeekId>, StoreError> {
        let tables = self.0.lock();
        let left = tables.seeks.values().filter(|seek| tables.players[&seek.player].seen_ms <= seen_ms);
        Ok(left.take(limit as usize).map(|seek| seek.id).collect())
    }
}
