//! Deletion of what has expired, and of everything that belongs to a deleted game, player or account.

use crate::sql::Sql;

/// Deletes at most `$2` rows of a table that have one of the [ids](Sql::bind_ids) `$1` in a column.
macro_rules! delete_some {
    ($table:literal, $column:literal) => {
        Sql {
            sqlite: concat!(
                "delete from ",
                $table,
                " where rowid in (select rowid from ",
                $table,
                " where ",
                $column,
                " in (select unhex(value) from json_each($1)) limit $2)"
            ),
            postgres: concat!(
                "delete from ",
                $table,
                " where ctid = any(array(select ctid from ",
                $table,
                " where ",
                $column,
                " = any($1) limit $2))"
            ),
        }
    };
}

/// Deletes at most `$2` ceremonies that have expired at `$1`.
pub(crate) const DELETE_EXPIRED_CEREMONIES: Sql = Sql {
    sqlite: "delete from ceremony where hash in (
                select hash from ceremony where expires_ms <= $1 order by expires_ms limit $2
             )",
    postgres: "delete from ceremony where hash = any(array(
                select hash from ceremony where expires_ms <= $1 order by expires_ms limit $2
                for update skip locked
               ))",
};

/// The reasons of an end that is not by the rules. The index of the games that were given up has the same condition.
macro_rules! given_up {
    () => {
        "reason in ('resign', 'time', 'agreement', 'abandon')"
    };
}

/// At most `$2` games without a result, created and last changed before `$1`, the oldest first. The condition on `spared`
/// is that of the partial index.
macro_rules! aborted_games {
    ($is_not_spared:literal) => {
        concat!(
            "select id from game
             where status in ('cancelled', 'aborted') and ",
            $is_not_spared,
            " and created_ms < $1 and updated_ms < $1
             order by created_ms, id
             limit $2"
        )
    };
}

/// At most `$2` games that ended before `$1` otherwise than by the rules, the oldest first. The condition on `spared` is
/// that of the partial index.
macro_rules! given_up_games {
    ($is_not_spared:literal) => {
        concat!(
            "select id from game
             where ",
            given_up!(),
            " and ",
            $is_not_spared,
            " and ended_ms < $1
             order by ended_ms, id
             limit $2"
        )
    };
}

pub(crate) const ABORTED_GAMES: Sql =
    Sql { sqlite: aborted_games!("spared = 0"), postgres: aborted_games!("not spared") };

pub(crate) const GIVEN_UP_GAMES: Sql =
    Sql { sqlite: given_up_games!("spared = 0"), postgres: given_up_games!("not spared") };

/// Those among the [ids](Sql::bind_ids) `$1` of games without a result or that were given up. SQLite has one writer and no
/// row locks.
pub(crate) const LOCK_UNPLAYED_GAMES: Sql = Sql {
    sqlite: concat!(
        "select id from game
         where id in (select unhex(value) from json_each($1)) and (status in ('cancelled', 'aborted') or ",
        given_up!(),
        ")"
    ),
    postgres: concat!(
        "select id from game where id = any($1) and (status in ('cancelled', 'aborted') or ",
        given_up!(),
        ") order by id for update skip locked"
    ),
};

pub(crate) const SPARE_GAMES: Sql = among_ids!("update game set spared = true where id");

/// Spares the makers and players of the games with the [ids](Sql::bind_ids) `$1` no longer: these may be their last games.
pub(crate) const EXAMINE_PLAYERS: Sql = Sql {
    sqlite: "with deleted as (
                select creator, first_player, second_player from game
                where id in (select unhex(value) from json_each($1))
             )
             update player set spared = false
             where spared and id in (
                select creator from deleted
                union select first_player from deleted
                union select second_player from deleted
             )",
    postgres: "update player set spared = false
               where id = any(array(
                select id from player
                where spared and id = any(array(
                    select unnest(array[creator, first_player, second_player]) from game where id = any($1)
                ))
                for no key update skip locked
               ))",
};

pub(crate) const DELETE_LINES: Sql = delete_some!("chat", "game");

/// Deletes at most `$2` events of the games with the [ids](Sql::bind_ids) `$1`, latest versions first.
pub(crate) const DELETE_LAST_EVENTS: Sql = Sql {
    sqlite: "with recursive wanted (game, version) as (
                select id, version from game where id in (select unhex(value) from json_each($1))
                union all
                select game, version - 1 from wanted where version > 1
             )
             delete from event where rowid in (
                select event.rowid
                from wanted cross join event on event.version = wanted.version and event.game = wanted.game
                order by wanted.version desc
                limit $2
             )",
    postgres: "delete from event where ctid = any(array(
                select ctid from event where game = any($1) order by version desc limit $2
               ))",
};

pub(crate) const DELETE_DRAFTS: Sql = among_ids!("delete from draft where game");

pub(crate) const DELETE_GAMES: Sql = among_ids!("delete from game where id");

/// Whether the player of this row stays: no guest, or one with a game. A cancelled room does not count. Each index of
/// a player's games covers some of the statuses, so there is a subquery for each index.
macro_rules! stays {
    () => {
        "(kind <> 'guest'
          or exists (select 1 from game where first_player = player.id and status = 'playing')
          or exists (select 1 from game where second_player = player.id and status = 'playing')
          or exists (select 1 from game where first_player = player.id and status in ('finished', 'aborted'))
          or exists (select 1 from game where second_player = player.id and status in ('finished', 'aborted'))
          or exists (select 1 from game where creator = player.id and status = 'open'))"
    };
}

/// At most `$2` players last seen before `$1`, the longest absent first, with whether they stay.
pub(crate) const LOCK_IDLE_PLAYERS: Sql = Sql {
    sqlite: concat!(
        "select id, ",
        stays!(),
        " from player where spared = 0 and seen_ms < $1 order by seen_ms, id limit $2"
    ),
    postgres: concat!(
        "select id, ",
        stays!(),
        " from player where not spared and seen_ms < $1 order by seen_ms, id limit $2 for update skip locked"
    ),
};

pub(crate) const SPARE_PLAYERS: Sql = among_ids!("update player set spared = true where id");

pub(crate) const DELETE_BLOCKS_BY: Sql = delete_some!("block", "player");

pub(crate) const DELETE_BLOCKS_OF: Sql = delete_some!("block", "blocked");

pub(crate) const DELETE_SEEKS_OF: Sql = delete_some!("seek", "player");

pub(crate) const DELETE_SESSIONS: Sql = delete_some!("session", "player");

/// Deletes at most `$2` links that ended at `$1` or before.
pub(crate) const DELETE_ENDED_LINKS: Sql = Sql {
    sqlite: "delete from one_time where hash in (
                select hash from one_time where expires_ms <= $1 order by expires_ms limit $2
             )",
    postgres: "delete from one_time where hash in (
                select hash from one_time where expires_ms <= $1 order by expires_ms limit $2
                for update skip locked
               )",
};

/// Deletes at most `$2` mails that were asked for at `$1` or before, whether or not they were sent.
pub(crate) const DELETE_OLD_MAILS: Sql = Sql {
    sqlite: "delete from mail where id in (
                select id from mail where created_ms <= $1 order by created_ms limit $2
             )",
    postgres: "delete from mail where id in (
                select id from mail where created_ms <= $1 order by created_ms limit $2
                for update skip locked
               )",
};

pub(crate) const DELETE_PLAYERS: Sql = among_ids!("delete from player where id");

/// At most `$2` accounts that were closed before `$1`, the first ones first.
pub(crate) const LOCK_CLOSED_ACCOUNTS: Sql = Sql {
    sqlite: "select player from account where closed_ms < $1 order by closed_ms, player limit $2",
    // The kind is of the locked row, so it is looked at again after the lock: the account may be open by then.
    postgres: "select player.id from account join player on player.id = account.player
               where account.closed_ms < $1 and player.kind = 'deleted'
               order by account.closed_ms, account.player limit $2
               for update of player skip locked",
};

pub(crate) const DELETE_DEVICES: Sql = delete_some!("device", "player");

pub(crate) const DELETE_PASSKEYS: Sql = delete_some!("credential", "player");

pub(crate) const DELETE_MAILS_OF: Sql = delete_some!("mail", "player");

pub(crate) const DELETE_MESSAGES_TO: Sql = delete_some!("outbox", "player");

pub(crate) const DELETE_NOTICES_TO: Sql = delete_some!("notice", "player");

/// Deletes at most `$2` notices of a time `$1` or before.
pub(crate) const DELETE_OLD_NOTICES: Sql = Sql {
    sqlite: "delete from notice where rowid in (
                select rowid from notice where at_ms <= $1 order by at_ms limit $2
             )",
    postgres: "delete from notice where ctid = any(array(
                select ctid from notice where at_ms <= $1 order by at_ms limit $2
                for update skip locked
               ))",
};

pub(crate) const DELETE_LINKS: Sql = delete_some!("one_time", "player");

/// Takes the player from the keys of an account that is erased: they stay taken.
pub(crate) const FREE_KEYS: Sql = among_ids!("update name_key set player = null where player");

pub(crate) const DELETE_ACCOUNTS: Sql = among_ids!("delete from account where player");

pub(crate) const ERASE_NAMES: Sql = among_ids!(
    "update player set name = '', folded = '', muted_until_ms = null, automatic_vacation = true where id"
);

pub(crate) const DELETE_REPORTS_BY: Sql = delete_some!("report", "by");

pub(crate) const DELETE_REPORTS_OF: Sql = delete_some!("report", "target");

pub(crate) const DELETE_ACTS_ON: Sql = delete_some!("audit", "target");

/// Takes the moderators with the [ids](Sql::bind_ids) `$1` from their acts.
pub(crate) const FORGET_MODERATORS: Sql = among_ids!("update audit set by = null where by");

/// Deletes at most `$2` reports that were settled at `$1` or before.
pub(crate) const DELETE_SETTLED_REPORTS: Sql = Sql {
    sqlite: "delete from report where id in (
                select id from report where settled_ms <= $1 order by settled_ms limit $2
             )",
    postgres: "delete from report where id in (
                select id from report where settled_ms <= $1 order by settled_ms limit $2
                for update skip locked
               )",
};

pub(crate) const DELETE_VACATIONS: Sql = delete_some!("vacation", "player");

/// Seeks of players who were last seen at `$1` or before, at most `$2`. Read outside of the transactions of play, since every
/// seek may have to be looked at.
pub(crate) const LEFT_SEEKS: Sql = Sql::same(
    "select seek.id from seek join player on player.id = seek.player
     where player.seen_ms <= $1 order by seek.id limit $2",
);

/// Deletes those of the seeks with the [ids](Sql::bind_ids) `$1` whose players were last seen at `$2` or before.
pub(crate) const DELETE_LEFT_SEEKS: Sql = Sql {
    sqlite: "delete from seek
             where id in (select unhex(value) from json_each($1))
                and exists (select 1 from player where player.id = seek.player and seen_ms <= $2)",
    postgres: "delete from seek where id in (
                select seek.id from seek join player on player.id = seek.player
                where seek.id = any($1) and player.seen_ms <= $2
                for update of seek skip locked
               )",
};

/// Deletes at most `$2` sessions that were last used at `$1` or before.
pub(crate) const DELETE_UNUSED_SESSIONS: Sql = Sql {
    sqlite: "delete from session where token_hash in (
                select token_hash from session where used_ms <= $1 order by used_ms limit $2
             )",
    postgres: "delete from session where token_hash in (
                select token_hash from session where used_ms <= $1 order by used_ms limit $2
                for update skip locked
               )",
};
