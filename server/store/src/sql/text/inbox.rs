//! Notices in the inboxes.

use crate::sql::Sql;

/// Adds a notice, unless its player has one of the same kind about the same subject or is gone.
pub(crate) const ADD_NOTICE: Sql = Sql::same(
    "insert into notice (player, id, kind, subject, body, at_ms)
     select $1, $2, $3, $4, $5, $6 where exists (select 1 from player where id = $1 and kind <> 'deleted')
     on conflict (player, kind, subject) do nothing",
);

/// Deletes the notices of the player `$1` beyond the `$2` newest ones.
pub(crate) const TRIM_NOTICES: Sql = Sql::same(
    "delete from notice where player = $1 and id < (
        select id from notice where player = $1 order by id desc limit 1 offset $2 - 1
     )",
);

/// At most `$3` notices of the player `$1` before one, the newest first.
pub(crate) const INBOX: Sql = Sql::same(
    "select id, kind, subject, body, at_ms, seen_ms from notice
     where player = $1 and id < $2 order by id desc limit $3",
);

pub(crate) const COUNT_UNSEEN: Sql =
    Sql::same("select count(*) from notice where player = $1 and seen_ms is null");

/// Marks the notices of the player `$1` up to one as seen at `$3`.
pub(crate) const SEE_NOTICES: Sql =
    Sql::same("update notice set seen_ms = $3 where player = $1 and id <= $2 and seen_ms is null");
