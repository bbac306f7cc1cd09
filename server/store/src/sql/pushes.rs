//! Push subscriptions, in the transaction of a commit. The rows of their players are locked. Their writes are rare, so each has statements of its own.

use super::{Connection, text};
use crate::{MAX_PUSHES, PUSH_FAILURES, PushChange, PushSubscription, Refused, TokenHash};

pub(super) async fn save(
    tx: &mut impl Connection,
    change: &PushChange,
) -> Result<Result<(), Refused>, sqlx::Error> {
    match change {
        PushChange::Subscribed { session, subscription, .. } => {
            return subscribe(tx, session, subscription).await;
        }
        PushChange::Unsubscribed { session, .. } => {
            tx.execute(text::END_OTHER_PUSHES.bind(session.as_bytes()).bind(b"".as_slice())).await?;
        }
        PushChange::Delivered { subscription, .. } => {
            tx.execute(text::PUSH_DELIVERED.bind(subscription.as_bytes())).await?;
        }
        PushChange::Failed { subscription, failures, .. } => {
            tx.execute(text::PUSH_FAILED.bind(subscription.as_bytes()).bind(*failures)).await?;
            tx.execute(text::END_FAILED_PUSH.bind(subscription.as_bytes()).bind(PUSH_FAILURES)).await?;
        }
        PushChange::Gone { subscription, .. } => {
            tx.execute(text::END_FAILED_PUSH.bind(subscription.as_bytes()).bind(0_u32)).await?;
        }
    }
    Ok(Ok(()))
}

async fn subscribe(
    tx: &mut impl Connection,
    session: &TokenHash,
    subscription: &PushSubscription,
) -> Result<Result<(), Refused>, sqlx::Error> {
    let (session, hash) = (session.as_bytes(), subscription.hash());
    tx.execute(text::END_OTHER_PUSHES.bind(session).bind(hash.as_bytes())).await?;
    let keys = subscription.keys.to_bytes();
    let added = text::ADD_PUSH.bind(hash.as_bytes()).bind(session);
    let added = added.bind(subscription.endpoint.as_str()).bind(keys.as_slice());
    if tx.execute(added).await? == 0 {
        return Ok(Err(Refused::NoSession));
    }
    tx.execute(text::TRIM_PUSHES.bind(session).bind(MAX_PUSHES)).await?;
    Ok(Ok(()))
}
