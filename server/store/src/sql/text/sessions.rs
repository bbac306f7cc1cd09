//! Sessions, and the devices that an account knows.

use crate::sql::Sql;

/// The session with the token `$1`, if it was used after `$2`.
pub(crate) const SESSION: Sql = Sql::same(
    "select session.id, player.id as player, player.name, player.kind, session.used_ms, session.proved_ms from session
     join player on player.id = session.player
     where session.token_hash = $1 and session.used_ms > $2",
);

pub(crate) const USE_SESSION: Sql =
    Sql::same("update session set used_ms = $2 where token_hash = $1 and used_ms < $2 and used_ms > $3");

/// Creates another session, with the token `$2` and the id `$4`, for the player of the session `$1`.
pub(crate) const COPY_SESSION: Sql = Sql::same(
    "insert into session (token_hash, player, id, label, created_ms, used_ms)
     select $2, player, $4, label, $3, $3 from session where token_hash = $1",
);

/// Sets the time of last use of the session `$1` to `$2`, unless it is earlier.
pub(crate) const LET_SESSION_END: Sql =
    Sql::same("update session set used_ms = $2 where token_hash = $1 and used_ms > $2");

pub(crate) const PROVE_SESSION: Sql = Sql::same("update session set proved_ms = $2 where token_hash = $1");

pub(crate) const END_SESSIONS: Sql = Sql::same("delete from session where player = $1");

pub(crate) const END_OTHER_SESSIONS: Sql = Sql::same("delete from session where player = $1 and id <> $2");

pub(crate) const END_SESSION: Sql = Sql::same("delete from session where player = $1 and id = $2");

/// Creates a session with the token `$1`, the id `$3` and the label `$4`, which is proved at `$5`.
pub(crate) const OPEN_SESSION: Sql = Sql::same(
    "insert into session (token_hash, player, id, label, created_ms, used_ms, proved_ms)
     values ($1, $2, $3, $4, $5, $5, $5)",
);

/// Ends the sessions of the player `$1` beyond the `$2` last used ones.
pub(crate) const TRIM_SESSIONS: Sql = Sql::same(
    "delete from session where player = $1 and token_hash not in (
        select token_hash from session where player = $1
        order by used_ms desc, created_ms desc, token_hash
        limit $2
     )",
);

pub(crate) const SESSIONS_OF: Sql = Sql::same(
    "select id, label, created_ms, used_ms from session
     where player = $1 and used_ms > $2
     order by used_ms desc, created_ms desc, id",
);

/// The sessions of the players with the [ids](Sql::bind_ids) `$1`, which exist until they are deleted.
pub(crate) const SESSIONS_AMONG: Sql = among_ids!("select player, id from session where player");

/// Until when each device of the account `$1` is known.
pub(crate) const DEVICES_OF: Sql =
    Sql::same("select until_ms from device where player = $1 order by until_ms");

/// Lets the account `$1` recognise the device `$2` until `$3`.
pub(crate) const KNOW_DEVICE: Sql = Sql::same(
    "insert into device (player, token_hash, until_ms) values ($1, $2, $3)
     on conflict (player, token_hash) do update set until_ms = excluded.until_ms",
);

/// Deletes the devices of the account `$1` other than `$2`.
pub(crate) const FORGET_OTHER_DEVICES: Sql =
    Sql::same("delete from device where player = $1 and token_hash <> $2");

/// Deletes the devices of the account `$1` beyond the `$2` last used ones.
pub(crate) const TRIM_DEVICES: Sql = Sql::same(
    "delete from device where player = $1 and token_hash not in (
        select token_hash from device where player = $1 order by until_ms desc, token_hash limit $2
     )",
);

pub(crate) const HAS_SESSION: Sql = Sql::same("select id from session where player = $1 and id = $2");
