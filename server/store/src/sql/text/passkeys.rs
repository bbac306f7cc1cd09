//! Passkeys, and the ceremonies in which they are made and used.

use crate::sql::Sql;

/// The columns of a [`PasskeyRow`](crate::row::PasskeyRow), of the player `$1`.
pub(crate) const PASSKEYS_OF: Sql = Sql::same(
    "select id, host, passkey, label, created_ms, used_ms from credential
     where player = $1
     order by created_ms, id",
);

/// The passkeys of the players with the [ids](Sql::bind_ids) `$1`.
pub(crate) const PASSKEYS_OF_HOLDERS: Sql = among_ids!("select id, player from credential where player");

/// Those among the passkeys with the [ids](Sql::bind_ids) `$1` that exist.
pub(crate) const PASSKEYS_AMONG: Sql = among_ids!("select id, player from credential where id");

pub(crate) const COUNT_PASSKEYS_ELSEWHERE: Sql =
    Sql::same("select count(*) from credential where host <> $1");

pub(crate) const ADD_PASSKEY: Sql = Sql::same(
    "insert into credential (id, player, host, passkey, label, created_ms, used_ms)
     values ($1, $2, $3, $4, $5, $6, $7)",
);

pub(crate) const USE_PASSKEY: Sql =
    Sql::same("update credential set passkey = $2, used_ms = $3 where id = $1");

pub(crate) const NAME_PASSKEY: Sql = Sql::same("update credential set label = $2 where id = $1");

pub(crate) const REMOVE_PASSKEY: Sql = Sql::same("delete from credential where id = $1");

pub(crate) const REMOVE_PASSKEYS: Sql = Sql::same("delete from credential where player = $1");

pub(crate) const BEGIN_CEREMONY: Sql =
    Sql::same("insert into ceremony (hash, player, state, expires_ms) values ($1, $2, $3, $4)");

/// Deletes ceremonies beyond the `$1` that expire last.
pub(crate) const TRIM_CEREMONIES: Sql = Sql {
    sqlite: "delete from ceremony where hash in (
                select hash from ceremony order by expires_ms desc limit 100 offset $1
             )",
    // The rows that `offset` passes over would be locked too, if this were one query.
    postgres: "delete from ceremony where hash = any(array(
                select hash from ceremony where hash = any(array(
                    select hash from ceremony order by expires_ms desc limit 100 offset $1
                )) for update skip locked
               ))",
};

/// Takes the ceremony `$1`. Of two transactions that do, one gets it.
pub(crate) const TAKE_CEREMONY: Sql =
    Sql::same("delete from ceremony where hash = $1 returning player, state, expires_ms");
