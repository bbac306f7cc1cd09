//! Notices, in the transaction of what they tell.

use game::ids::{NoticeId, PlayerId};

use super::{Connection, text};
use crate::{MAX_NOTICES, NewNotice};

/// Adds a notice, and deletes the oldest ones of its player beyond those that are kept.
pub(super) async fn add(tx: &mut impl Connection, notice: &NewNotice) -> Result<(), sqlx::Error> {
    let (player, (id, stored)) = (notice.player.uuid(), notice.stored());
    let added = text::ADD_NOTICE.bind(player).bind(id.uuid()).bind(stored.kind);
    let added = added.bind(stored.subject.as_str()).bind(stored.body.as_str()).bind(notice.at_ms);
    if tx.execute(added).await? > 0 {
        tx.execute(text::TRIM_NOTICES.bind(player).bind(MAX_NOTICES)).await?;
    }
    Ok(())
}

/// Marks the notices of a player as seen, up to one.
pub(super) async fn see(
    tx: &mut impl Connection,
    (player, up_to, now_ms): (PlayerId, NoticeId, i64),
) -> Result<(), sqlx::Error> {
    tx.execute(text::SEE_NOTICES.bind(player.uuid()).bind(up_to.uuid()).bind(now_ms)).await.map(drop)
}
