//! Rows of messages by mail and push, of push subscriptions, and of notices in inboxes.

use game::{
    InboxEvent,
    ids::{NoticeId, PlayerId, SessionId},
};
use uuid::Uuid;

use super::{from_word, invalid};
use crate::{DueMessage, InboxNotice, OutboxKey, OwnPush, PushKeys, PushSubscription};

row! {
    /// A message to be sent.
    MessageRow {
        player: Uuid,
        channel: String,
        purpose: String,
        since_ms: i64,
        changed_ms: i64,
        attempts: i64,
    }
}

impl TryFrom<MessageRow> for DueMessage {
    type Error = sqlx::Error;

    fn try_from(row: MessageRow) -> Result<Self, sqlx::Error> {
        let (channel, purpose) = (from_word(&row.channel)?, from_word(&row.purpose)?);
        let key = OutboxKey { player: PlayerId::new(row.player), channel, purpose };
        let attempts = u32::try_from(row.attempts).map_err(invalid)?;
        Ok(Self { key, since_ms: row.since_ms, changed_ms: row.changed_ms, attempts })
    }
}

row! {
    /// A notice in an inbox.
    NoticeRow {
        id: Uuid,
        kind: String,
        subject: String,
        body: String,
        at_ms: i64,
        seen_ms: Option<i64>,
    }
}

impl TryFrom<NoticeRow> for InboxNotice {
    type Error = sqlx::Error;

    fn try_from(row: NoticeRow) -> Result<Self, sqlx::Error> {
        let event = InboxEvent::read(&row.kind, &row.subject, &row.body).map_err(invalid)?;
        Ok(Self { id: NoticeId::new(row.id), event, at_ms: row.at_ms, seen_ms: row.seen_ms })
    }
}

row! {
    /// A push subscription with the id of its session.
    PushRow {
        session: Uuid,
        endpoint: String,
        keys: Vec<u8>,
        failures: i64,
    }
}

impl TryFrom<PushRow> for OwnPush {
    type Error = sqlx::Error;

    fn try_from(row: PushRow) -> Result<Self, sqlx::Error> {
        let keys =
            PushKeys::from_bytes(&row.keys).ok_or_else(|| invalid("the keys of a push have 81 bytes"))?;
        let subscription = PushSubscription { endpoint: row.endpoint, keys };
        let failures = u32::try_from(row.failures).map_err(invalid)?;
        Ok(Self { session: SessionId::new(row.session), subscription, failures })
    }
}
