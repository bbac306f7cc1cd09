//! Mails about accounts.

use crate::sql::Sql;

/// Adds a mail that is due at once.
pub(crate) const ADD_MAIL: Sql = Sql::same(
    "insert into mail (id, player, purpose, name, address, language, created_ms, due_ms, recipient)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8)",
);

/// The columns of a [`MailRow`](crate::row::MailRow), of at most `$2` mails that are due at `$1`, the longest due first.
/// Those that only a newer program sends are left to it.
pub(crate) const DUE_MAILS: Sql = Sql::same(
    "select id, player, purpose, name, address, language, attempts from mail
     where due_ms <= $1 and purpose in ('confirm', 'recover', 'changed', 'passkey')
     order by due_ms, id limit $2",
);

pub(crate) const COUNT_WAITING_MAILS: Sql = Sql::same("select count(*) from mail where due_ms is not null");

/// The number of mails that were tried after `$1`.
pub(crate) const COUNT_TRIED_MAILS: Sql = Sql::same("select count(*) from mail where tried_ms > $1");

/// The number of mails to the owner of an address, by its hash `$1`, to confirm it that were asked for after `$2`.
pub(crate) const COUNT_MAILS_TO: Sql =
    Sql::same("select count(*) from mail where recipient = $1 and created_ms > $2");

/// The number of mails of the account `$1` for the purpose `$3` that were asked for after `$2`.
pub(crate) const COUNT_MAILS_OF: Sql =
    Sql::same("select count(*) from mail where player = $1 and created_ms > $2 and purpose = $3");

/// Notes at `$3` that the mail `$1` to the owner of the account `$2` is tried, and again at `$4`, if it is due. One to recover
/// the account is due as long as the account has its address and may be recovered by it.
pub(crate) const TRY_MAIL: Sql = Sql::same(
    "update mail set player = $2, tried_ms = $3, due_ms = $4, attempts = attempts + 1
     where id = $1 and due_ms <= $3 and (
        purpose <> 'recover' or exists (
            select 1 from account
            where account.player = $2 and account.mail_recovers and lower(account.mail) = lower(mail.address)
        )
     )",
);

pub(crate) const END_MAIL: Sql =
    Sql::same("update mail set due_ms = null, name = null, address = null where id = $1");

/// Marks the address `$2`, if it is that of the account `$1`.
pub(crate) const MARK_REFUSED_ADDRESS: Sql =
    Sql::same("update account set mail_refused = true where player = $1 and lower(mail) = lower($2)");

/// The columns of an [`OwnMailRow`](crate::row::OwnMailRow), of the mails to the owner of the account `$1`.
pub(crate) const MAILS_OF: Sql =
    Sql::same("select purpose, address, created_ms from mail where player = $1 order by created_ms, id");

/// Gives up the mails that would confirm an address of the account `$1`.
pub(crate) const VOID_MAILS: Sql = Sql::same(
    "update mail set due_ms = null, name = null, address = null where player = $1 and purpose = 'confirm'",
);

/// Adds a mail `$2` for the purpose `$6` in the language `$4`, due at `$3`, to the address of the account `$1`, if it has one that
/// the link `$5` does not confirm.
pub(crate) const NOTIFY_OWNER: Sql = Sql::same(
    "insert into mail (id, player, purpose, address, language, created_ms, due_ms)
     select $2, player, $6, mail, $4, $3, $3 from account
     where player = $1 and mail is not null and not exists (
        select 1 from one_time where hash = $5 and lower(body) = lower(mail)
     )",
);
