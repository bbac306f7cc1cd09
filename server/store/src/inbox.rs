//! The inboxes of players. A notice is written in the transaction of what it tells.

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
