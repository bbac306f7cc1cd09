//! Reports, roles, mutes, and the acts of moderators.

use crate::sql::Sql;

pub(crate) const REMOVE_ROLES: Sql = among_ids!("delete from role where player");

/// The columns of a [`ReportRow`](crate::row::ReportRow).
macro_rules! reports {
    ($condition:literal) => {
        Sql::same(concat!(
            "select id, at_ms, by, target, kind, game, name, body, lines, settled_ms from report where ",
            $condition
        ))
    };
}

pub(crate) const REPORT: Sql = reports!("id = $1");

/// The next `$2` open reports after `$1` that are not about the player `$3`.
pub(crate) const OPEN_REPORTS: Sql =
    reports!("settled_ms is null and id > $1 and target <> $3 order by id limit $2");

/// The next `$2` settled reports before `$1` that are not about the player `$3`.
pub(crate) const SETTLED_REPORTS: Sql =
    reports!("settled_ms is not null and id < $1 and target <> $3 order by id desc limit $2");

/// The next `$3` reports by the account `$1` after `$2`.
pub(crate) const REPORTS_BY: Sql = reports!("by = $1 and id > $2 order by id limit $3");

/// The open report of the account `$1` about the player `$2`, of the kind `$3`, in the game `$4`.
pub(crate) const OPEN_REPORT: Sql = Sql::same(
    "select id from report where by = $1 and target = $2 and kind = $3 and game = $4 and settled_ms is null",
);

pub(crate) const COUNT_REPORTS_BY: Sql =
    Sql::same("select count(*) from report where by = $1 and at_ms > $2");

pub(crate) const ADD_REPORT: Sql = Sql::same(
    "insert into report (id, at_ms, by, target, kind, game, name, body, lines)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
);

/// The last `$5` lines of the player `$3` in a chat after the time `$4`.
pub(crate) const LINES_TO_REPORT: Sql = Sql::same(
    "select at_ms, body from chat
     where game = $1 and audience = $2 and player = $3 and at_ms > $4
     order by id desc
     limit $5",
);

/// Settles open reports. Returns the id, the author and the game of each.
macro_rules! settling {
    ($reports:literal) => {
        Sql::same(concat!("update report set ", $reports, " and settled_ms is null returning id, by, game"))
    };
}

pub(crate) const SETTLE_REPORT: Sql = settling!("settled_ms = $3 where id = $1 and target = $2");

pub(crate) const SETTLE_REPORTS: Sql = settling!("settled_ms = $2 where target = $1");

pub(crate) const SETTLE_REPORTS_OF_KIND: Sql = settling!("settled_ms = $2 where target = $1 and kind = $3");

pub(crate) const ROLES: Sql = among_ids!("select player, role from role where player");

pub(crate) const SET_ROLE: Sql = Sql::same(
    "insert into role (player, role, at_ms) values ($1, $2, $3)
     on conflict (player) do update set role = excluded.role, at_ms = excluded.at_ms",
);

/// The players who are muted at `$1`.
pub(crate) const MUTED: Sql = Sql::same("select id, muted_until_ms from player where muted_until_ms > $1");

/// Mutes the player `$1` until `$2`, or until the later end that there is. Returns the end.
pub(crate) const MUTE: Sql = Sql::same(
    "update player set muted_until_ms = case when muted_until_ms > $2 then muted_until_ms else $2 end
     where id = $1 and kind <> 'deleted'
     returning muted_until_ms",
);

pub(crate) const UNMUTE: Sql =
    Sql::same("update player set muted_until_ms = null where id = $1 and muted_until_ms > $2");

pub(crate) const SET_NAME: Sql = Sql::same("update player set name = $2, folded = $3 where id = $1");

/// Hides the key `$1`, if nobody has it or the player `$2`.
pub(crate) const HIDE_KEY: Sql = Sql::same(
    "insert into name_key (key, hidden) values ($1, true)
     on conflict (key) do update set hidden = true where name_key.player = $2",
);

/// Closes the account `$1` at `$2`, if it is open or its owner can open it.
pub(crate) const BAR_ACCOUNT: Sql = Sql::same(
    "update account set barred = true, closed_ms = coalesce(closed_ms, $2) where player = $1 and not barred",
);

/// Lets the owner of the account `$1` open it again. If a moderator has closed it, it is open at once; one that its owner had
/// closed before stays closed.
pub(crate) const UNBAR_ACCOUNT: Sql = Sql::same(
    "update account set
        barred = false,
        closed_ms = nullif(
            closed_ms, (select max(at_ms) from audit where target = account.player and kind = 'closed')
        )
     where player = $1 and barred",
);

/// Gives the player `$1` the kind `$2` if the account is open.
pub(crate) const SHOW_OPEN_ACCOUNT: Sql = Sql::same(
    "update player set kind = $2
     where id = $1 and exists (select 1 from account where player = $1 and closed_ms is null)",
);

pub(crate) const ADD_ACT: Sql =
    Sql::same("insert into audit (id, at_ms, by, target, kind, body) values ($1, $2, $3, $4, $5, $6)");

/// The columns of an [`ActRow`](crate::row::ActRow), of the last `$2` acts before `$1`.
pub(crate) const ACTS: Sql =
    Sql::same("select id, at_ms, by, target, kind, body from audit where id < $1 order by id desc limit $2");

/// The last `$3` acts of the moderator `$1` before `$2`.
pub(crate) const ACTS_BY: Sql = Sql::same(
    "select id, at_ms, by, target, kind, body from audit where by = $1 and id < $2 order by id desc limit $3",
);

/// The time of the act of the moderator `$1` after which there are `$2`, besides dismissals.
pub(crate) const ACT_BEFORE: Sql = Sql::same(
    "select at_ms from audit where by = $1 and kind <> 'dismissed' order by id desc limit 1 offset $2",
);

/// The last `$3` acts on the player `$1` before `$2`.
pub(crate) const ACTS_ON: Sql = Sql::same(
    "select id, at_ms, by, target, kind, body from audit
     where target = $1 and id < $2 and kind <> 'dismissed'
     order by id desc
     limit $3",
);
