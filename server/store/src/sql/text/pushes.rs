//! Push subscriptions of browsers.

use crate::sql::Sql;

/// The columns of a [`PushRow`](crate::row::PushRow), of the player `$1`.
pub(crate) const PUSHES_OF: Sql = Sql::same(
    "select session.id as session, push.endpoint, push.keys, push.failures
     from push join session on session.token_hash = push.session
     where push.player = $1
     order by push.endpoint_hash",
);

/// Ends the subscriptions of the session `$1`, except the one with the hash `$2`.
pub(crate) const END_OTHER_PUSHES: Sql =
    Sql::same("delete from push where session = $1 and endpoint_hash <> $2");

/// Gives the session `$2` the subscription with the hash `$1`, the endpoint `$3` and the keys `$4`, which another session may
/// have had.
pub(crate) const ADD_PUSH: Sql = Sql::same(
    "insert into push (endpoint_hash, session, player, endpoint, keys)
     select $1, token_hash, player, $3, $4 from session where token_hash = $2
     on conflict (endpoint_hash) do update set
        session = excluded.session, player = excluded.player, keys = excluded.keys, failures = 0",
);

/// Ends the subscriptions of the player of the session `$1` beyond `$2`: that of this session stays, and those of the last used
/// ones.
pub(crate) const TRIM_PUSHES: Sql = Sql::same(
    "delete from push
     where player = (select player from session where token_hash = $1) and session not in (
        select push.session from push join session on session.token_hash = push.session
        where push.player = (select player from session where token_hash = $1)
        order by push.session = $1 desc, session.used_ms desc, session.created_ms desc, push.session
        limit $2
     )",
);

pub(crate) const PUSH_DELIVERED: Sql = Sql::same("update push set failures = 0 where endpoint_hash = $1");

pub(crate) const PUSH_FAILED: Sql =
    Sql::same("update push set failures = failures + $2 where endpoint_hash = $1");

/// Ends the subscription with the hash `$1` if it has failed `$2` times.
pub(crate) const END_FAILED_PUSH: Sql =
    Sql::same("delete from push where endpoint_hash = $1 and failures >= $2");
