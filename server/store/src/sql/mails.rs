//! Mails to be sent, in the transaction of a commit. Their writes are rare, so each has statements of its own.

use super::{Connection, accounts::add_link, text};
use crate::{MAX_MAILS_WAITING, Mail, MailChange, Refused, TokenHash, row};

pub(super) async fn save(
    tx: &mut impl Connection,
    change: &MailChange,
) -> Result<Result<(), Refused>, sqlx::Error> {
    match change {
        MailChange::Asked { mail, now_ms } => {
            let waiting: Option<(i64,)> = tx.row(text::COUNT_WAITING_MAILS.into()).await?;
            if waiting.is_none_or(|(waiting,)| waiting >= i64::from(MAX_MAILS_WAITING)) {
                return Ok(Err(Refused::MailsWait));
            }
            add(tx, mail, *now_ms).await?;
        }
        MailChange::Tried { mail, player, link, now_ms, again_ms } => {
            let tried = text::TRY_MAIL.bind(*mail).bind(player.uuid()).bind(*now_ms).bind(*again_ms);
            if tx.execute(tried).await? == 0 {
                return Ok(Err(Refused::NoLink));
            }
            if let Some(link) = link {
                add_link(tx, player.uuid(), link).await?;
            }
        }
        MailChange::Done { mail } => drop(tx.execute(text::END_MAIL.bind(*mail)).await?),
        MailChange::Refused { player, address } => {
            tx.execute(text::MARK_REFUSED_ADDRESS.bind(player.uuid()).bind(address.as_str())).await?;
        }
    }
    Ok(Ok(()))
}

/// Adds a mail that is due at once.
pub(super) async fn add(tx: &mut impl Connection, mail: &Mail, now_ms: i64) -> Result<(), sqlx::Error> {
    let (purpose, player, key) = row::errand(&mail.errand);
    let added = text::ADD_MAIL.bind(mail.id).bind(player).bind(purpose).bind(key);
    let added = added.bind(mail.to.as_str()).bind(mail.language.as_str()).bind(now_ms);
    let confirming = mail.confirming();
    tx.execute(added.bind(confirming.as_ref().map(TokenHash::as_bytes))).await.map(drop)
}
