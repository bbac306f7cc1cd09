//! Players, accounts and their names, and blocks.

use crate::sql::Sql;

/// The players with the [ids](Sql::bind_ids) `$1` whose names may be shown.
pub(crate) const NAMED: Sql = among_ids!("select id, name, kind from player where kind <> 'deleted' and id");

/// The account that has or had a name with the key `$1`, or else the newest guest with such a name. A closed account is not
/// found.
pub(crate) const PLAYER_NAMED: Sql = Sql::same(
    "select id from (
        select player.id, 0 as place from name_key join player on player.id = name_key.player
        where name_key.key = $1 and not name_key.hidden and player.kind <> 'deleted'
        union all
        select id, 1 from (
            select id from player where folded = $1 and kind <> 'deleted' order by id desc limit 1
        ) as newest
     ) as named
     order by place
     limit 1",
);

/// The columns of an [`AccountRow`](crate::row::AccountRow), of the players with the [ids](Sql::bind_ids) `$1`.
pub(crate) const ACCOUNTS: Sql = among_ids!(
    "select account.player, player.name, account.password, account.recovery_hash, account.former_names,
        account.mail, account.mail_recovers, account.mail_refused, account.language, account.zone, account.turn_mails, account.mail_hour,
        account.quiet_from, account.quiet_to, account.closed_ms is not null as is_closed, account.barred as is_barred
     from account join player on player.id = account.player
     where account.player"
);

/// The names of the players with the [ids](Sql::bind_ids) `$1`, with the end of each mute, and the last time when a moderator hid
/// a name.
pub(crate) const KEPT_NAMES: Sql = among_ids!(
    "select id, name, muted_until_ms,
        (select max(at_ms) from audit where target = player.id and kind = 'name_hidden')
     from player where id"
);

/// The columns of a [`NamedAccountRow`](crate::row::NamedAccountRow): a row for each key of the next `$2` accounts after `$1`,
/// by id, without keys that are hidden. One statement reads the names and the keys as of one moment.
pub(crate) const NAMED_ACCOUNTS: Sql = Sql::same(
    "select account.player, player.name, account.former_names, name_key.key
     from account
     join player on player.id = account.player
     left join name_key on name_key.player = account.player and not name_key.hidden
     where account.player in (select player from account where player > $1 order by player limit $2)
     order by account.player",
);

/// The keys among the JSON array `$1` that are taken, with their accounts. A key that is hidden is not its account's to take.
pub(crate) const KEY_OWNERS: Sql = Sql {
    sqlite: "select key, case when hidden then null else player end from name_key
             where key in (select value from json_each($1))",
    postgres: "select key, case when hidden then null else player end from name_key
               where key = any(array(select jsonb_array_elements_text($1::jsonb)))",
};

/// The account of the key `$1`, and whether it knows the device `$2` at `$3`.
pub(crate) const CREDENTIALS: Sql = Sql::same(
    "select account.player, player.name, account.password, account.recovery_hash,
        exists (
            select 1 from device
            where device.player = account.player and device.token_hash = $2 and device.until_ms > $3
        ) as knows_device
     from name_key
     join account on account.player = name_key.player
     join player on player.id = account.player
     where name_key.key = $1",
);

/// Gives the account `$1` the mail address that the link `$2` confirms.
pub(crate) const CONFIRM_MAIL: Sql = Sql::same(
    "update account set mail = (select body from one_time where hash = $2), mail_refused = false where player = $1",
);

pub(crate) const REMOVE_MAIL: Sql =
    Sql::same("update account set mail = null, mail_refused = false where player = $1");

pub(crate) const FORBID_MAIL_RECOVERY: Sql =
    Sql::same("update account set mail_recovers = false where player = $1");

pub(crate) const ALLOW_MAIL_RECOVERY: Sql =
    Sql::same("update account set mail_recovers = true where player = $1");

/// Sets the language of the mails to the account `$1`, and its zone if `$3` is one.
pub(crate) const SET_LANGUAGE: Sql =
    Sql::same("update account set language = $2, zone = coalesce($3, zone) where player = $1");

pub(crate) const SET_NOTICES: Sql = Sql::same(
    "update account
     set turn_mails = $2, mail_hour = $3, quiet_from = $4, quiet_to = $5, zone = $6, language = $7
     where player = $1",
);

pub(crate) const STOP_TURN_MAILS: Sql = Sql::same("update account set turn_mails = 'off' where player = $1");

pub(crate) const ADD_ACCOUNT: Sql = Sql::same(
    "insert into account (player, password, recovery_hash, former_names, created_ms)
     values ($1, $2, $3, '[]', $4)",
);

pub(crate) const SET_KIND: Sql = Sql::same("update player set kind = $2 where id = $1");

pub(crate) const CLOSE_ACCOUNT: Sql = Sql::same("update account set closed_ms = $2 where player = $1");

pub(crate) const REOPEN_ACCOUNT: Sql = Sql::same("update account set closed_ms = null where player = $1");

/// At most `$1` closed accounts with open rooms or games under way.
pub(crate) const CLOSED_WITH_GAMES: Sql = Sql::same(
    "select player from account
     where closed_ms is not null and (
        exists (select 1 from game where creator = account.player and status = 'open')
        or exists (select 1 from game where challenged = account.player and status = 'open')
        or exists (select 1 from game where first_player = account.player and status = 'playing')
        or exists (select 1 from game where second_player = account.player and status = 'playing')
     )
     order by closed_ms, player
     limit $1",
);

pub(crate) const SET_PASSWORD: Sql = Sql::same("update account set password = $2 where player = $1");

pub(crate) const SET_CODE: Sql = Sql::same("update account set recovery_hash = $2 where player = $1");

pub(crate) const SET_FORMER_NAMES: Sql = Sql::same("update account set former_names = $2 where player = $1");

pub(crate) const TAKE_KEY: Sql = Sql::same("insert into name_key (key, player) values ($1, $2)");

pub(crate) const BLOCKS_OF: Sql = Sql::same(
    "select player.id, player.name from block
     join player on player.id = block.blocked
     where block.player = $1 and player.kind <> 'deleted'
     order by block.since_ms desc, player.id",
);

/// Those among the [ids](Sql::bind_ids) `$1` who have blocked the player `$2` or are blocked by them.
pub(crate) const BLOCKED_AMONG: Sql = Sql {
    sqlite: "select blocked from block
             where player = $2 and blocked in (select unhex(value) from json_each($1))
             union
             select player from block
             where blocked = $2 and player in (select unhex(value) from json_each($1))",
    postgres: "select blocked from block where player = $2 and blocked = any($1)
               union
               select player from block where blocked = $2 and player = any($1)",
};
