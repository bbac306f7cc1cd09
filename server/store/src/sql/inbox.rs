//! Notices, in the transaction of what they tell.

use super::{Connection, text};
use crate::{
    MAX_NOTICES,
    inbox::{InboxChanges, InboxPlan},
};

/// Adds and marks the notices of a transaction, each player's in one go. The oldest ones of a player beyond those that are kept are
/// deleted.
pub(super) async fn save(tx: &mut impl Connection, plan: InboxPlan) -> Result<(), sqlx::Error> {
    for (player, InboxChanges { told, seen }) in plan.by_players() {
        let (player, mut n_added) = (player.uuid(), 0);
        for notice in told {
            let (id, stored) = notice.stored();
            let added = text::ADD_NOTICE.bind(player).bind(id.uuid()).bind(stored.kind);
            let added = added.bind(stored.subject.as_str()).bind(stored.body.as_str()).bind(notice.at_ms);
            n_added += tx.execute(added).await?;
        }
        if n_added > 0 {
            tx.execute(text::TRIM_NOTICES.bind(player).bind(MAX_NOTICES)).await?;
        }
        for (up_to, now_ms) in seen {
            tx.execute(text::SEE_NOTICES.bind(player).bind(up_to.uuid()).bind(now_ms)).await?;
        }
    }
    Ok(())
}
