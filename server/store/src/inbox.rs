//! The inboxes of players. A notice is written in the transaction of what it tells.

use std::collections::BTreeMap;

use game::{
    InboxEvent, StoredNotice,
    ids::{NoticeId, PlayerId},
};
use sha2::{Digest, Sha256};
use uuid::Builder;

use super::AccountChange;

/// Time for which a notice is kept, in milliseconds.
pub const NOTICES_KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1_000;

/// Maximum number of notices of a player. The newest ones are kept.
pub const MAX_NOTICES: u32 = 200;

/// A notice in the inbox of its player. Times are milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxNotice {
    pub id: NoticeId,
    pub event: InboxEvent,
    pub at_ms: i64,
    /// When its player saw it.
    pub seen_ms: Option<i64>,
}

/// A notice to be added, unless its player has been told the same before or is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewNotice {
    pub player: PlayerId,
    pub event: InboxEvent,
    /// Milliseconds since 1970.
    pub at_ms: i64,
}

/// Changes of inboxes to write in a transaction.
#[derive(Debug, Default)]
pub(super) struct InboxPlan {
    pub(super) told: Vec<NewNotice>,
    /// Players who have seen their notices up to one, and when, in milliseconds since 1970.
    pub(super) seen: Vec<(PlayerId, NoticeId, i64)>,
}

/// Changes of the inbox of one player.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct InboxChanges {
    /// Notices to be added, before any is marked.
    pub(super) told: Vec<NewNotice>,
    /// Notices up to these are seen.
    pub(super) seen: Vec<(NoticeId, i64)>,
}

impl InboxPlan {
    /// Returns the changes in the order of their rows, so that two nodes never deadlock: by players, and the notices of a player by
    /// what makes them the same.
    pub(super) fn by_players(mut self) -> BTreeMap<PlayerId, InboxChanges> {
        self.told.sort_by_cached_key(|notice| {
            let StoredNotice { kind, subject, .. } = notice.event.stored();
            (kind, subject)
        });
        let mut changes: BTreeMap<PlayerId, InboxChanges> = BTreeMap::new();
        for notice in self.told {
            changes.entry(notice.player).or_default().told.push(notice);
        }
        for (player, up_to, now_ms) in self.seen {
            changes.entry(player).or_default().seen.push((up_to, now_ms));
        }
        changes
    }
}

impl NewNotice {
    /// Returns the id and the stored form. The id follows from them, and sorts by the time.
    pub(super) fn stored(&self) -> (NoticeId, StoredNotice) {
        let notice = self.event.stored();
        let key = format!("{} {} {}", self.player, notice.kind, notice.subject);
        let hash: [u8; 32] = Sha256::digest(key).into();
        let mut rest = [0; 10];
        rest.copy_from_slice(&hash[..10]);
        let at_ms = u64::try_from(self.at_ms).unwrap_or_default();
        (NoticeId::new(Builder::from_unix_timestamp_millis(at_ms, &rest).into_uuid()), notice)
    }

    /// The notice to the owner of an account that is changed.
    pub(super) fn of_account(change: &AccountChange) -> Option<Self> {
        let (what, at_ms) = change.security()?;
        Some(Self { player: change.player(), event: InboxEvent::Security { what, at_ms }, at_ms })
    }
}

#[cfg(test)]
mod tests {
    use game::ids::{GameId, ReportId};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn rows_are_locked_in_one_order_whatever_the_order_of_the_writes() {
        let player = |number| PlayerId::new(Uuid::from_u128(number));
        let told = |to, number| {
            let (report, game) = (Uuid::from_u128(number), Uuid::from_u128(number));
            let event = InboxEvent::ReportAnswered { report: ReportId::new(report), game: GameId::new(game) };
            NewNotice { player: player(to), event, at_ms: 1 }
        };
        let seen = |number| (player(number), NoticeId::new(Uuid::max()), 1);
        let plan = InboxPlan { told: vec![told(1, 1), told(1, 2), told(3, 1)], seen: vec![seen(1), seen(2)] };
        let other =
            InboxPlan { told: vec![told(3, 1), told(1, 2), told(1, 1)], seen: vec![seen(2), seen(1)] };
        let (one, other) = (plan.by_players(), other.by_players());
        assert_eq!(one, other);
        assert_eq!(one.keys().copied().collect::<Vec<_>>(), [1, 2, 3].map(player));
        assert_eq!(one[&player(1)].told, [told(1, 1), told(1, 2)]);
    }
}
