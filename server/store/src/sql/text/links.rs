//! Links that were sent by mail.

use crate::sql::Sql;

/// The columns of a [`LinkRow`](crate::row::LinkRow), of the link whose secret has the hash `$1`.
pub(crate) const LINK: Sql = Sql::same(
    "select one_time.hash, one_time.player, player.name, one_time.purpose, one_time.body, one_time.expires_ms
     from one_time join player on player.id = one_time.player
     where one_time.hash = $1",
);

pub(crate) const ADD_LINK: Sql =
    Sql::same("insert into one_time (hash, player, purpose, body, expires_ms) values ($1, $2, $3, $4, $5)");

/// Voids the recovery code of the account `$1`, which the link `$2` recovers, and forbids recovery by mail unless a mail brought
/// the link: an intruder may have made the code, or given the address.
pub(crate) const RECOVER_BY_LINK: Sql = Sql::same(
    "update account set recovery_hash = null, mail_recovers = mail_recovers and exists (
        select 1 from one_time where hash = $2 and purpose = 'recovery' and body = 'mail'
     )
     where player = $1",
);

/// Voids the links of the account `$1`, but for those that stop mails.
pub(crate) const VOID_LINKS: Sql =
    Sql::same("delete from one_time where player = $1 and purpose <> 'unsubscription'");

pub(crate) const VOID_UNSUBSCRIPTIONS: Sql =
    Sql::same("delete from one_time where player = $1 and purpose = 'unsubscription'");
