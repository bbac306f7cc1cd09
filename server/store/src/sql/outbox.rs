//! Messages to players who are away, in the transaction of a commit.

use super::{Connection, Statement, accounts::add_link, text};
use crate::{
    NoticeMail, OutboxChange, OutboxKey, Refused,
    outbox::{Note, OutboxStep, Subscriber},
    row::word,
};

/// Binds the key of a message to the first parameters.
fn keyed(sql: super::Sql, OutboxKey { player, channel, purpose }: OutboxKey) -> Statement {
    sql.bind(player.uuid()).bind(word(channel).as_str()).bind(word(purpose).as_str())
}

/// Executes a step, and returns the result of a change.
pub(super) async fn save(
    tx: &mut impl Connection,
    step: &OutboxStep<'_>,
) -> Result<Result<(), Refused>, sqlx::Error> {
    match step {
        OutboxStep::Notes(notes) => {
            let notes: Vec<_> = notes
                .iter()
                .map(|((player, purpose), Note { at_ms, due_ms })| {
                    (player.uuid().simple().to_string(), word(*purpose), at_ms, due_ms)
                })
                .collect();
            tx.execute(text::NOTE.bind(&*serde_json::json!(notes).to_string())).await?;
            Ok(Ok(()))
        }
        OutboxStep::Subscribed(Subscriber { session, now_ms, .. }) => {
            tx.execute(text::NOTE_TO_BROWSERS.bind(session.as_bytes()).bind(*now_ms)).await?;
            Ok(Ok(()))
        }
        OutboxStep::Change(_, change) => save_change(tx, change).await,
    }
}

async fn save_change(
    tx: &mut impl Connection,
    change: &OutboxChange,
) -> Result<Result<(), Refused>, sqlx::Error> {
    match change {
        OutboxChange::Tried { key, mail, now_ms, again_ms } => {
            if tx.execute(keyed(text::TRY_MESSAGE, *key).bind(*now_ms).bind(*again_ms)).await? == 0 {
                return Ok(Err(Refused::NothingToSend));
            }
            if let Some(NoticeMail { id, link }) = mail {
                let (player, purpose) = (key.player.uuid(), word(key.purpose));
                let tried = text::COUNT_NOTICE_MAIL.bind(*id).bind(player).bind(purpose.as_str());
                tx.execute(tried.bind(*now_ms)).await?;
                add_link(tx, player, link).await?;
            }
        }
        OutboxChange::Postponed { key, changed_ms, due_ms } => {
            tx.execute(keyed(text::POSTPONE_MESSAGE, *key).bind(*changed_ms).bind(*due_ms)).await?;
        }
        OutboxChange::Done { key, changed_ms, now_ms, next_ms } => {
            let done = match next_ms {
                None => keyed(text::END_MESSAGE, *key).bind(*changed_ms),
                Some(next_ms) => {
                    keyed(text::RENEW_MESSAGE, *key).bind(*changed_ms).bind(*now_ms).bind(*next_ms)
                }
            };
            if tx.execute(done).await? == 0 {
                tx.execute(keyed(text::KEEP_MESSAGE, *key).bind(*now_ms)).await?;
            }
        }
    }
    Ok(Ok(()))
}
