//! The texts of the statements that both databases execute. Where a text differs, its two forms stand side by side.

use super::Sql;

/// The columns of a [`GameColumns`](crate::row::GameColumns).
macro_rules! game_columns {
    () => {
        "id, ruleset, status, visibility, creator, challenged, seat, clock, watching, delay, \
         custom_start, first_player, second_player, version, turn, to_move, winner, \
         reason, created_ms, updated_ms, deadline_ms, position, offers"
    };
}
pub(crate) use game_columns;

/// Sets the columns of a row of `game` that can change, to those of the row that is in conflict with it.
macro_rules! update_game {
    () => {
        " on conflict (id) do update set
            status = excluded.status,
            first_player = excluded.first_player,
            second_player = excluded.second_player,
            version = excluded.version,
            turn = excluded.turn,
            to_move = excluded.to_move,
            winner = excluded.winner,
            reason = excluded.reason,
            updated_ms = excluded.updated_ms,
            deadline_ms = excluded.deadline_ms,
            position = excluded.position,
            offers = excluded.offers,
            turn_version = excluded.turn_version,
            check_ms = excluded.check_ms"
    };
}
pub(crate) use update_game;

/// A text that ends with the name of a column, completed with the condition that this is one of the
/// [ids](Sql::bind_ids) `$1`.
macro_rules! among_ids {
    ($text:expr) => {
        Sql {
            sqlite: concat!($text, " in (select unhex(value) from json_each($1))"),
            postgres: concat!($text, " = any($1)"),
        }
    };
}

/// Notes what is to be told to players; `$noted` selects the notes.
macro_rules! note {
    ($noted:literal) => {
        concat!(
            "with noted (place, player, purpose, at_ms, due_ms) as materialized (",
            $noted,
            ")
             insert into outbox (player, channel, purpose, since_ms, due_ms, changed_ms)
             select player, channel, purpose, at_ms, due_ms, at_ms from (
                select noted.place, noted.player, 'mail' as channel, noted.purpose, noted.at_ms, noted.due_ms
                from noted join account on account.player = noted.player
                where account.mail is not null and account.turn_mails <> 'off' and account.closed_ms is null
                union all
                select place, player, 'push', purpose, at_ms, due_ms from noted
                where exists (select 1 from push where push.player = noted.player)
             ) as told
             where true
             order by place, channel
             on conflict (player, channel, purpose) do update set
                due_ms = case when excluded.due_ms < outbox.due_ms then excluded.due_ms else outbox.due_ms end,
                changed_ms = case
                    when excluded.changed_ms > outbox.changed_ms then excluded.changed_ms
                    else outbox.changed_ms + 1
                end"
        )
    };
}

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

/// The ids of at most `$2` rooms and games that are due for a check at `$1`, but whose deadline is later or gone.
macro_rules! checked_early {
    () => {
        "select id from game
         where status in ('open', 'playing') and check_ms <= $1 and (deadline_ms is null or deadline_ms > $1)
         order by check_ms, id
         limit $2"
    };
}

/// The ids of rooms and games whose check is later than their deadline, or missing.
macro_rules! checked_late {
    () => {
        "select id from game
         where status in ('open', 'playing') and deadline_ms is not null and (check_ms is null or check_ms > deadline_ms)"
    };
}

/// The transactions that last wrote and last locked the row of the heartbeat. Each heartbeat locks it, whatever the
/// clock of its server. PostgreSQL alone: an SQLite file has one server.
pub(crate) const LAST_BEATEN_BY: &str = "select xmin::text, xmax::text from heartbeat where id = 1";

/// Whether a database has heartbeats.
pub(crate) const HAS_HEARTBEATS: &str = "select to_regclass('heartbeat') is not null";

/// Reads nothing, as a sign of life.
pub(super) const NOTHING: Sql = Sql::same("select 1");

/// Whether the database has a table of migrations.
pub(super) const HAS_MIGRATIONS: Sql = Sql {
    sqlite: "select exists (select 1 from sqlite_schema where name = '_sqlx_migrations')",
    postgres: "select to_regclass('_sqlx_migrations') is not null",
};

pub(super) const APPLIED_MIGRATIONS: Sql =
    Sql::same("select version, checksum from _sqlx_migrations where success");

/// At most `$3` events of the game `$1` after the version `$2`. The key of SQLite's table begins with the version, so
/// SQLite looks up each version. It goes on to the version in the game's row, which shows a gap, and beyond it up to the
/// first gap. `cross join` keeps the order of the two tables.
pub(crate) const EVENTS: Sql = Sql {
    sqlite: "with recursive wanted (version) as (
                select $2 + 1
                union all
                select version + 1 from wanted
                where version < $2 + $3 and (
                    version < (select version from game where id = $1)
                    or exists (select 1 from event where event.version = wanted.version and game = $1)
                )
             )
             select event.version, at_ms, command, body
             from wanted cross join event on event.version = wanted.version and event.game = $1
             order by event.version",
    postgres: "select version, at_ms, command, body from event
               where game = $1 and version > $2 order by version limit $3",
};

pub(super) const DRAFT: Sql = Sql::same("select version, body from draft where game = $1");

pub(super) const GAME: Sql = Sql::same(concat!("select ", game_columns!(), " from game where id = $1"));

pub(super) const GAMES: Sql = among_ids!(concat!("select ", game_columns!(), " from game where id"));

/// The next `$2` games after `$1`, by id.
pub(super) const GAMES_AFTER: Sql = Sql::same("select id from game where id > $1 order by id limit $2");

/// The last `$3` lines of a chat.
pub(super) const CHAT: Sql = Sql::same(
    "select id, at_ms, turn, player, body, command from chat
     where game = $1 and audience = $2
     order by id desc
     limit $3",
);

/// The next `$3` lines of the player `$1` after `$2`.
pub(super) const LINES_BY: Sql = Sql::same(
    "select game, id, at_ms, turn, player, body from chat
     where player = $1 and id > $2
     order by id
     limit $3",
);

pub(super) const REVIEW: Sql = Sql::same("select body from review where game = $1");

/// Adds the review `$2` of the game `$1`, unless the game has one or has been deleted.
pub(super) const ADD_REVIEW: Sql = Sql::same(
    "insert into review (game, body)
     select $1, $2 where exists (select 1 from game where id = $1)
     on conflict (game) do nothing",
);

/// The conditional turns of the side `$2` in the game `$1`.
pub(super) const CONDITIONAL: Sql =
    Sql::same("select version, body from conditional where game = $1 and side = $2");

/// At most `$1` sides to move with conditional turns from before their turn. The table has only those of games under way, and a
/// side is seldom to move.
pub(super) const DUE_CONDITIONALS: Sql = Sql::same(
    "select conditional.game, conditional.side from conditional
     join game on game.id = conditional.game
     where game.status = 'playing' and game.to_move = conditional.side and conditional.version < game.turn_version
     limit $1",
);

/// Sets the conditional turns `$3`, of the version `$4`, of the side `$2` in the game `$1`, unless it is over or has been deleted.
pub(super) const SET_CONDITIONAL: Sql = Sql::same(
    "insert into conditional (game, side, body, version)
     select $1, $2, $3, $4 where exists (select 1 from game where id = $1 and status = 'playing')
     on conflict (game, side) do update set body = excluded.body, version = excluded.version",
);

pub(super) const DROP_CONDITIONAL: Sql =
    Sql::same("delete from conditional where game = $1 and side = $2 and body = $3 and version = $4");

pub(super) const DELETE_CONDITIONALS: Sql = among_ids!("delete from conditional where game");

/// At most `$2` rooms and games whose deadline is not after `$1`, in the order of their checks. `check_ms` is never after the
/// deadline, so its index finds all of them.
pub(crate) const DUE_GAMES: Sql = Sql::same(
    "select id from game
     where status in ('open', 'playing') and check_ms <= $1 and deadline_ms <= $1
     order by check_ms, id
     limit $2",
);

/// Postpones to the deadline the next check of games that are due for one at `$1`, but whose deadline is later or gone; at
/// most `$2`. Returns the games. PostgreSQL locks them, so that no turn changes the deadline meanwhile.
pub(crate) const POSTPONE_CHECKS: Sql = Sql {
    sqlite: concat!(
        "update game set check_ms = deadline_ms where id in (",
        checked_early!(),
        ") returning id"
    ),
    postgres: concat!(
        "update game set check_ms = deadline_ms where id = any(array(",
        checked_early!(),
        " for no key update skip locked)) returning id"
    ),
};

/// Sets the check of games to their deadline if it is later or missing, as after changes by another program.
pub(super) const REPAIR_CHECKS: Sql = Sql {
    sqlite: concat!("update game set check_ms = deadline_ms where id in (", checked_late!(), ")"),
    postgres: concat!(
        "update game set check_ms = deadline_ms where id = any(array(",
        checked_late!(),
        " for no key update skip locked))"
    ),
};

/// The events of the turns under way in the games with the [ids](Sql::bind_ids) `$1`. SQLite looks up each version, as for
/// [`EVENTS`].
pub(crate) const TURN_EVENTS: Sql = Sql {
    sqlite: "with recursive wanted (game, version, last) as (
                select id, turn_version, version from game
                where status = 'playing' and id in (select unhex(value) from json_each($1))
                union all
                select game, version + 1, last from wanted where version < last
             )
             select event.game, at_ms, body
             from wanted cross join event on event.version = wanted.version and event.game = wanted.game
             order by event.game, event.version",
    postgres: "select event.game, at_ms, body
               from game join event on event.game = game.id and event.version >= game.turn_version
               where status = 'playing' and id = any($1)
               order by event.game, event.version",
};

pub(super) const LAST_CHANGES: Sql = among_ids!("select id, version, updated_ms from game where id");

/// The columns of a [`HeadRow`](crate::row::HeadRow), with at most `$2` lines of each chat counted.
pub(super) const HEADS: Sql = among_ids!(
    "select game.id, game.version, game.updated_ms, draft.version as draft_version, draft.body as draft_body,
        (select count(*) from (
            select 1 from chat where chat.game = game.id and audience = 'players' limit $2
        ) as lines) as players_lines,
        (select count(*) from (
            select 1 from chat where chat.game = game.id and audience = 'watchers' limit $2
        ) as lines) as spectators_lines
     from game left join draft on draft.game = game.id
     where game.id"
);

/// Counts the open rooms, the real-time games and all games under way of the player `$1`. The latter two include open
/// rooms. A game in which the player has both seats counts once.
pub(super) const COUNT_GAMES: Sql = Sql::same(
    r#"select
        count(*) filter (where status = 'open'),
        count(*) filter (where clock like '{"kind":"real_time"%'),
        count(*)
     from (
        select status, clock from game where creator = $1 and status = 'open'
        union all
        select status, clock from game where first_player = $1 and status = 'playing'
        union all
        select status, clock from game where second_player = $1 and status = 'playing' and first_player <> $1
     ) as unfinished"#,
);

/// Counts a number of finished games of a player without a clock for all turns, at most. A game in which the player has both
/// seats counts once.
macro_rules! count_finished_slow_games {
    ($player:literal, $at_most:literal) => {
        concat!(
            "select count(*) from (
                select 1 from game
                where first_player = ",
            $player,
            r#" and status in ('finished', 'aborted') and status = 'finished'
                    and clock not like '{"kind":"real_time"%'
                union all
                select 1 from game
                where second_player = "#,
            $player,
            r#" and status in ('finished', 'aborted') and status = 'finished'
                    and clock not like '{"kind":"real_time"%' and first_player <> "#,
            $player,
            " limit ",
            $at_most,
            ") as finished"
        )
    };
}

pub(crate) const COUNT_FINISHED_SLOW_GAMES: Sql = Sql::same(count_finished_slow_games!("$1", "$2"));

/// The session with the token `$1`, if it was used after `$2`.
pub(super) const SESSION: Sql = Sql::same(
    "select session.id, player.id as player, player.name, player.kind, session.used_ms, session.proved_ms from session
     join player on player.id = session.player
     where session.token_hash = $1 and session.used_ms > $2",
);

pub(super) const USE_SESSION: Sql =
    Sql::same("update session set used_ms = $2 where token_hash = $1 and used_ms < $2 and used_ms > $3");

/// Creates another session, with the token `$2` and the id `$4`, for the player of the session `$1`.
pub(super) const COPY_SESSION: Sql = Sql::same(
    "insert into session (token_hash, player, id, label, created_ms, used_ms)
     select $2, player, $4, label, $3, $3 from session where token_hash = $1",
);

/// Sets the time of last use of the session `$1` to `$2`, unless it is earlier.
pub(super) const LET_SESSION_END: Sql =
    Sql::same("update session set used_ms = $2 where token_hash = $1 and used_ms > $2");

pub(super) const PROVE_SESSION: Sql = Sql::same("update session set proved_ms = $2 where token_hash = $1");

pub(super) const END_SESSIONS: Sql = Sql::same("delete from session where player = $1");

pub(super) const END_OTHER_SESSIONS: Sql = Sql::same("delete from session where player = $1 and id <> $2");

pub(super) const END_SESSION: Sql = Sql::same("delete from session where player = $1 and id = $2");

/// Creates a session with the token `$1`, the id `$3` and the label `$4`, which is proved at `$5`.
pub(super) const OPEN_SESSION: Sql = Sql::same(
    "insert into session (token_hash, player, id, label, created_ms, used_ms, proved_ms)
     values ($1, $2, $3, $4, $5, $5, $5)",
);

/// Ends the sessions of the player `$1` beyond the `$2` last used ones.
pub(super) const TRIM_SESSIONS: Sql = Sql::same(
    "delete from session where player = $1 and token_hash not in (
        select token_hash from session where player = $1
        order by used_ms desc, created_ms desc, token_hash
        limit $2
     )",
);

pub(super) const SESSIONS_OF: Sql = Sql::same(
    "select id, label, created_ms, used_ms from session
     where player = $1 and used_ms > $2
     order by used_ms desc, created_ms desc, id",
);

/// The sessions of the players with the [ids](Sql::bind_ids) `$1`, which exist until they are deleted.
pub(super) const SESSIONS_AMONG: Sql = among_ids!("select player, id from session where player");

/// The players with the [ids](Sql::bind_ids) `$1` whose names may be shown.
pub(super) const NAMED: Sql = among_ids!("select id, name, kind from player where kind <> 'deleted' and id");

/// The account that has or had a name with the key `$1`, or else the newest guest with such a name. A closed account is not
/// found.
pub(super) const PLAYER_NAMED: Sql = Sql::same(
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
pub(super) const ACCOUNTS: Sql = among_ids!(
    "select account.player, player.name, account.password, account.recovery_hash, account.former_names,
        account.mail, account.mail_recovers, account.mail_refused, account.language, account.zone, account.turn_mails, account.mail_hour,
        account.quiet_from, account.quiet_to, account.closed_ms is not null as is_closed, account.barred as is_barred
     from account join player on player.id = account.player
     where account.player"
);

/// The names of the players with the [ids](Sql::bind_ids) `$1`, with the end of each mute, and the last time when a moderator hid
/// a name.
pub(super) const KEPT_NAMES: Sql = among_ids!(
    "select id, name, muted_until_ms,
        (select max(at_ms) from audit where target = player.id and kind = 'name_hidden')
     from player where id"
);

/// The columns of a [`NamedAccountRow`](crate::row::NamedAccountRow): a row for each key of the next `$2` accounts after `$1`,
/// by id, without keys that are hidden. One statement reads the names and the keys as of one moment.
pub(super) const NAMED_ACCOUNTS: Sql = Sql::same(
    "select account.player, player.name, account.former_names, name_key.key
     from account
     join player on player.id = account.player
     left join name_key on name_key.player = account.player and not name_key.hidden
     where account.player in (select player from account where player > $1 order by player limit $2)
     order by account.player",
);

/// The keys among the JSON array `$1` that are taken, with their accounts. A key that is hidden is not its account's to take.
pub(super) const KEY_OWNERS: Sql = Sql {
    sqlite: "select key, case when hidden then null else player end from name_key
             where key in (select value from json_each($1))",
    postgres: "select key, case when hidden then null else player end from name_key
               where key = any(array(select jsonb_array_elements_text($1::jsonb)))",
};

/// The columns of a [`PasskeyRow`](crate::row::PasskeyRow), of the player `$1`.
pub(super) const PASSKEYS_OF: Sql = Sql::same(
    "select id, host, passkey, label, created_ms, used_ms from credential
     where player = $1
     order by created_ms, id",
);

/// The passkeys of the players with the [ids](Sql::bind_ids) `$1`.
pub(super) const PASSKEYS_OF_HOLDERS: Sql = among_ids!("select id, player from credential where player");

/// Those among the passkeys with the [ids](Sql::bind_ids) `$1` that exist.
pub(super) const PASSKEYS_AMONG: Sql = among_ids!("select id, player from credential where id");

/// The columns of a [`PushRow`](crate::row::PushRow), of the player `$1`.
pub(crate) const PUSHES_OF: Sql = Sql::same(
    "select session.id as session, push.endpoint, push.keys, push.failures
     from push join session on session.token_hash = push.session
     where push.player = $1
     order by push.endpoint_hash",
);

/// Ends the subscriptions of the session `$1`, except the one with the hash `$2`.
pub(super) const END_OTHER_PUSHES: Sql =
    Sql::same("delete from push where session = $1 and endpoint_hash <> $2");

/// Gives the session `$2` the subscription with the hash `$1`, the endpoint `$3` and the keys `$4`, which another session may
/// have had.
pub(super) const ADD_PUSH: Sql = Sql::same(
    "insert into push (endpoint_hash, session, player, endpoint, keys)
     select $1, token_hash, player, $3, $4 from session where token_hash = $2
     on conflict (endpoint_hash) do update set
        session = excluded.session, player = excluded.player, keys = excluded.keys, failures = 0",
);

/// Notes for the player of the session `$1` that the time for turns may come to its end after `$2`: turns that are due before a
/// browser subscribes are told of too.
pub(super) const NOTE_TO_BROWSERS: Sql = Sql::same(
    "insert into outbox (player, channel, purpose, since_ms, due_ms, changed_ms)
     select player, 'push', 'deadline', $2, $2, $2 from session where token_hash = $1
     on conflict (player, channel, purpose) do nothing",
);

/// Ends the subscriptions of the player of the session `$1` beyond `$2`: that of this session stays, and those of the last used
/// ones.
pub(super) const TRIM_PUSHES: Sql = Sql::same(
    "delete from push
     where player = (select player from session where token_hash = $1) and session not in (
        select push.session from push join session on session.token_hash = push.session
        where push.player = (select player from session where token_hash = $1)
        order by push.session = $1 desc, session.used_ms desc, session.created_ms desc, push.session
        limit $2
     )",
);

pub(super) const PUSH_DELIVERED: Sql = Sql::same("update push set failures = 0 where endpoint_hash = $1");

pub(super) const PUSH_FAILED: Sql =
    Sql::same("update push set failures = failures + $2 where endpoint_hash = $1");

/// Ends the subscription with the hash `$1` if it has failed `$2` times.
pub(super) const END_FAILED_PUSH: Sql =
    Sql::same("delete from push where endpoint_hash = $1 and failures >= $2");

/// Adds a key pair of the deployment, unless it has one of this name.
pub(super) const ADD_SERVER_KEY: Sql =
    Sql::same("insert into server_key (name, body) values ($1, $2) on conflict (name) do nothing");

pub(super) const SERVER_KEY: Sql = Sql::same("select body from server_key where name = $1");

pub(super) const COUNT_PASSKEYS_ELSEWHERE: Sql =
    Sql::same("select count(*) from credential where host <> $1");

pub(super) const ADD_PASSKEY: Sql = Sql::same(
    "insert into credential (id, player, host, passkey, label, created_ms, used_ms)
     values ($1, $2, $3, $4, $5, $6, $7)",
);

pub(super) const USE_PASSKEY: Sql =
    Sql::same("update credential set passkey = $2, used_ms = $3 where id = $1");

pub(super) const NAME_PASSKEY: Sql = Sql::same("update credential set label = $2 where id = $1");

pub(super) const REMOVE_PASSKEY: Sql = Sql::same("delete from credential where id = $1");

pub(super) const REMOVE_PASSKEYS: Sql = Sql::same("delete from credential where player = $1");

pub(super) const BEGIN_CEREMONY: Sql =
    Sql::same("insert into ceremony (hash, player, state, expires_ms) values ($1, $2, $3, $4)");

/// Deletes ceremonies beyond the `$1` that expire last.
pub(super) const TRIM_CEREMONIES: Sql = Sql {
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
pub(super) const TAKE_CEREMONY: Sql =
    Sql::same("delete from ceremony where hash = $1 returning player, state, expires_ms");

/// Deletes at most `$2` ceremonies that have expired at `$1`.
pub(super) const DELETE_EXPIRED_CEREMONIES: Sql = Sql {
    sqlite: "delete from ceremony where hash in (
                select hash from ceremony where expires_ms <= $1 order by expires_ms limit $2
             )",
    postgres: "delete from ceremony where hash = any(array(
                select hash from ceremony where expires_ms <= $1 order by expires_ms limit $2
                for update skip locked
               ))",
};

/// The account of the key `$1`, and whether it knows the device `$2` at `$3`.
pub(super) const CREDENTIALS: Sql = Sql::same(
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

/// The columns of a [`LinkRow`](crate::row::LinkRow), of the link whose secret has the hash `$1`.
pub(super) const LINK: Sql = Sql::same(
    "select one_time.hash, one_time.player, player.name, one_time.purpose, one_time.body, one_time.expires_ms
     from one_time join player on player.id = one_time.player
     where one_time.hash = $1",
);

pub(super) const ADD_LINK: Sql =
    Sql::same("insert into one_time (hash, player, purpose, body, expires_ms) values ($1, $2, $3, $4, $5)");

/// Voids the recovery code of the account `$1`, which the link `$2` recovers, and forbids recovery by mail unless a mail brought
/// the link: an intruder may have made the code, or given the address.
pub(super) const RECOVER_BY_LINK: Sql = Sql::same(
    "update account set recovery_hash = null, mail_recovers = mail_recovers and exists (
        select 1 from one_time where hash = $2 and purpose = 'recovery' and body = 'mail'
     )
     where player = $1",
);

/// Voids the links of the account `$1`, but for those that stop mails.
pub(super) const VOID_LINKS: Sql =
    Sql::same("delete from one_time where player = $1 and purpose <> 'unsubscription'");

pub(super) const VOID_UNSUBSCRIPTIONS: Sql =
    Sql::same("delete from one_time where player = $1 and purpose = 'unsubscription'");

/// Adds a mail that is due at once.
pub(super) const ADD_MAIL: Sql = Sql::same(
    "insert into mail (id, player, purpose, name, address, language, created_ms, due_ms, recipient)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8)",
);

/// The columns of a [`MailRow`](crate::row::MailRow), of at most `$2` mails that are due at `$1`, the longest due first.
/// Those that only a newer program sends are left to it.
pub(super) const DUE_MAILS: Sql = Sql::same(
    "select id, player, purpose, name, address, language, attempts from mail
     where due_ms <= $1 and purpose in ('confirm', 'recover', 'changed', 'passkey')
     order by due_ms, id limit $2",
);

pub(super) const COUNT_WAITING_MAILS: Sql = Sql::same("select count(*) from mail where due_ms is not null");

/// The number of mails that were tried after `$1`.
pub(super) const COUNT_TRIED_MAILS: Sql = Sql::same("select count(*) from mail where tried_ms > $1");

/// The number of mails to the owner of an address, by its hash `$1`, to confirm it that were asked for after `$2`.
pub(super) const COUNT_MAILS_TO: Sql =
    Sql::same("select count(*) from mail where recipient = $1 and created_ms > $2");

/// The number of mails of the account `$1` for the purpose `$3` that were asked for after `$2`.
pub(super) const COUNT_MAILS_OF: Sql =
    Sql::same("select count(*) from mail where player = $1 and created_ms > $2 and purpose = $3");

/// Notes at `$3` that the mail `$1` to the owner of the account `$2` is tried, and again at `$4`, if it is due. One to recover
/// the account is due as long as the account has its address and may be recovered by it.
pub(super) const TRY_MAIL: Sql = Sql::same(
    "update mail set player = $2, tried_ms = $3, due_ms = $4, attempts = attempts + 1
     where id = $1 and due_ms <= $3 and (
        purpose <> 'recover' or exists (
            select 1 from account
            where account.player = $2 and account.mail_recovers and lower(account.mail) = lower(mail.address)
        )
     )",
);

pub(super) const END_MAIL: Sql =
    Sql::same("update mail set due_ms = null, name = null, address = null where id = $1");

/// Notes what is to be told to players, by each channel that reaches them, in the order of the notes. `$1` is a JSON array of
/// notes: the player, the purpose, the time of what is noted, and when it is due. A message that is due earlier stays so.
pub(super) const NOTE: Sql = Sql {
    sqlite: note!("select key, unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3 from json_each($1)"),
    postgres: note!(
        "select place, (note ->> 0)::uuid, note ->> 1, (note ->> 2)::bigint, (note ->> 3)::bigint
         from jsonb_array_elements($1::jsonb) with ordinality as notes (note, place)"
    ),
};

/// The columns of a [`MessageRow`](crate::row::MessageRow), of at most `$3` messages by the channel `$1` that are due at `$2`,
/// the longest due first. Those that only a newer program sends are left to it.
pub(crate) const DUE_MESSAGES: Sql = Sql::same(
    "select player, channel, purpose, since_ms, changed_ms, attempts from outbox
     where channel = $1 and due_ms <= $2 and purpose in ('turns', 'deadline') order by due_ms limit $3",
);

/// The columns of a [`MessageRow`](crate::row::MessageRow), of the messages to the player `$1`.
pub(super) const MESSAGES_OF: Sql = Sql::same(
    "select player, channel, purpose, since_ms, changed_ms, attempts from outbox
     where player = $1 order by channel, purpose",
);

/// Notes an attempt to send the message `$1` to `$3`, which is due again at `$4`.
pub(super) const TRY_MESSAGE: Sql = Sql::same(
    "update outbox set due_ms = $4, attempts = attempts + 1
     where player = $1 and channel = $2 and purpose = $3",
);

/// Postpones the message `$1` to `$3` until `$5`, unless it has changed since `$4`.
pub(super) const POSTPONE_MESSAGE: Sql = Sql::same(
    "update outbox set due_ms = $5
     where player = $1 and channel = $2 and purpose = $3 and changed_ms = $4",
);

/// Deletes the message `$1` to `$3`, unless it has changed since `$4`.
pub(super) const END_MESSAGE: Sql =
    Sql::same("delete from outbox where player = $1 and channel = $2 and purpose = $3 and changed_ms = $4");

/// Begins another message in the place of the one `$1` to `$3`, with what comes after `$5` and due at `$6`, unless it has changed
/// since `$4`.
pub(super) const RENEW_MESSAGE: Sql = Sql::same(
    "update outbox set since_ms = $5, due_ms = $6, changed_ms = changed_ms + 1, attempts = 0
     where player = $1 and channel = $2 and purpose = $3 and changed_ms = $4",
);

/// Keeps the message `$1` to `$3` for what comes after `$4`.
pub(super) const KEEP_MESSAGE: Sql = Sql::same(
    "update outbox set since_ms = $4, due_ms = $4, attempts = 0
     where player = $1 and channel = $2 and purpose = $3",
);

/// Counts a mail `$1` to the owner of the account `$2`, for the purpose `$3`, as tried at `$4`.
pub(super) const COUNT_NOTICE_MAIL: Sql = Sql::same(
    "insert into mail (id, player, purpose, language, created_ms, tried_ms, attempts)
     values ($1, $2, $3, '', $4, $4, 1)",
);

/// The time of the last mail to the owner of the account `$1` for the purpose `$3` that was asked for after `$2`.
pub(super) const LAST_MAIL_OF: Sql =
    Sql::same("select max(tried_ms) from mail where player = $1 and created_ms > $2 and purpose = $3");

/// The number of mails that were tried after `$1` and are no answers to a request.
pub(super) const COUNT_TRIED_NOTICES: Sql =
    Sql::same("select count(*) from mail where tried_ms > $1 and purpose in ('turns', 'deadline')");

/// Marks the address `$2`, if it is that of the account `$1`.
pub(super) const MARK_REFUSED_ADDRESS: Sql =
    Sql::same("update account set mail_refused = true where player = $1 and lower(mail) = lower($2)");

/// The columns of an [`OwnMailRow`](crate::row::OwnMailRow), of the mails to the owner of the account `$1`.
pub(super) const MAILS_OF: Sql =
    Sql::same("select purpose, address, created_ms from mail where player = $1 order by created_ms, id");

/// Until when each device of the account `$1` is known.
pub(super) const DEVICES_OF: Sql =
    Sql::same("select until_ms from device where player = $1 order by until_ms");

/// Gives up the mails that would confirm an address of the account `$1`.
pub(super) const VOID_MAILS: Sql = Sql::same(
    "update mail set due_ms = null, name = null, address = null where player = $1 and purpose = 'confirm'",
);

/// Adds a mail `$2` for the purpose `$6` in the language `$4`, due at `$3`, to the address of the account `$1`, if it has one that
/// the link `$5` does not confirm.
pub(super) const NOTIFY_OWNER: Sql = Sql::same(
    "insert into mail (id, player, purpose, address, language, created_ms, due_ms)
     select $2, player, $6, mail, $4, $3, $3 from account
     where player = $1 and mail is not null and not exists (
        select 1 from one_time where hash = $5 and lower(body) = lower(mail)
     )",
);

/// Gives the account `$1` the mail address that the link `$2` confirms.
pub(super) const CONFIRM_MAIL: Sql = Sql::same(
    "update account set mail = (select body from one_time where hash = $2), mail_refused = false where player = $1",
);

pub(super) const REMOVE_MAIL: Sql =
    Sql::same("update account set mail = null, mail_refused = false where player = $1");

pub(super) const FORBID_MAIL_RECOVERY: Sql =
    Sql::same("update account set mail_recovers = false where player = $1");

pub(super) const ALLOW_MAIL_RECOVERY: Sql =
    Sql::same("update account set mail_recovers = true where player = $1");

/// Sets the language of the mails to the account `$1`, and its zone if `$3` is one.
pub(super) const SET_LANGUAGE: Sql =
    Sql::same("update account set language = $2, zone = coalesce($3, zone) where player = $1");

pub(super) const SET_NOTICES: Sql = Sql::same(
    "update account
     set turn_mails = $2, mail_hour = $3, quiet_from = $4, quiet_to = $5, zone = $6, language = $7
     where player = $1",
);

pub(super) const STOP_TURN_MAILS: Sql = Sql::same("update account set turn_mails = 'off' where player = $1");

pub(super) const ADD_ACCOUNT: Sql = Sql::same(
    "insert into account (player, password, recovery_hash, former_names, created_ms)
     values ($1, $2, $3, '[]', $4)",
);

pub(super) const SET_KIND: Sql = Sql::same("update player set kind = $2 where id = $1");

pub(super) const CLOSE_ACCOUNT: Sql = Sql::same("update account set closed_ms = $2 where player = $1");

pub(super) const REOPEN_ACCOUNT: Sql = Sql::same("update account set closed_ms = null where player = $1");

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

pub(super) const SET_PASSWORD: Sql = Sql::same("update account set password = $2 where player = $1");

pub(super) const SET_CODE: Sql = Sql::same("update account set recovery_hash = $2 where player = $1");

pub(super) const SET_FORMER_NAMES: Sql = Sql::same("update account set former_names = $2 where player = $1");

pub(super) const TAKE_KEY: Sql = Sql::same("insert into name_key (key, player) values ($1, $2)");

/// Lets the account `$1` recognise the device `$2` until `$3`.
pub(super) const KNOW_DEVICE: Sql = Sql::same(
    "insert into device (player, token_hash, until_ms) values ($1, $2, $3)
     on conflict (player, token_hash) do update set until_ms = excluded.until_ms",
);

/// Deletes the devices of the account `$1` other than `$2`.
pub(super) const FORGET_OTHER_DEVICES: Sql =
    Sql::same("delete from device where player = $1 and token_hash <> $2");

/// Deletes the devices of the account `$1` beyond the `$2` last used ones.
pub(super) const TRIM_DEVICES: Sql = Sql::same(
    "delete from device where player = $1 and token_hash not in (
        select token_hash from device where player = $1 order by until_ms desc, token_hash limit $2
     )",
);

pub(super) const BLOCKS_OF: Sql = Sql::same(
    "select player.id, player.name from block
     join player on player.id = block.blocked
     where block.player = $1 and player.kind <> 'deleted'
     order by block.since_ms desc, player.id",
);

/// Those among the [ids](Sql::bind_ids) `$1` who have blocked the player `$2` or are blocked by them.
pub(super) const BLOCKED_AMONG: Sql = Sql {
    sqlite: "select blocked from block
             where player = $2 and blocked in (select unhex(value) from json_each($1))
             union
             select player from block
             where blocked = $2 and player in (select unhex(value) from json_each($1))",
    postgres: "select blocked from block where player = $2 and blocked = any($1)
               union
               select player from block where blocked = $2 and player = any($1)",
};

pub(super) const OUTAGES_SINCE: Sql =
    Sql::same("select from_ms, to_ms from outage where to_ms > $1 order by from_ms");

/// Gives the sweep to the node `$1` until `$3`, unless another node has it at `$2`.
pub(super) const TAKE_SWEEP: Sql = Sql::same(
    "insert into sweeper (id, node, until_ms) values (1, $1, $3)
     on conflict (id) do update set node = excluded.node, until_ms = excluded.until_ms
     where sweeper.node = excluded.node or sweeper.until_ms <= $2",
);

/// Inserts the row of the heartbeat, if there is none.
pub(super) const FIRST_BEAT: Sql =
    Sql::same("insert into heartbeat (id, at_ms) values (1, $1) on conflict (id) do nothing");

/// The time of the last heartbeat. It stays the last one until the end of the transaction, which SQLite guarantees
/// without a lock.
pub(super) const LAST_BEAT: Sql = Sql {
    sqlite: "select at_ms from heartbeat where id = 1",
    postgres: "select at_ms from heartbeat where id = 1 for no key update",
};

/// Records a heartbeat at `$1`, unless a later one is recorded.
pub(super) const BEAT: Sql = Sql::same("update heartbeat set at_ms = $1 where id = 1 and at_ms < $1");

pub(super) const RECORD_OUTAGE: Sql = Sql::same("insert into outage (from_ms, to_ms) values ($1, $2)");

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
pub(super) const LOCK_UNPLAYED_GAMES: Sql = Sql {
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

pub(super) const SPARE_GAMES: Sql = among_ids!("update game set spared = true where id");

/// Spares the makers and players of the games with the [ids](Sql::bind_ids) `$1` no longer: these may be their last games.
pub(super) const EXAMINE_PLAYERS: Sql = Sql {
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

pub(super) const DELETE_LINES: Sql = delete_some!("chat", "game");

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

pub(super) const DELETE_DRAFTS: Sql = among_ids!("delete from draft where game");

pub(super) const DELETE_GAMES: Sql = among_ids!("delete from game where id");

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
pub(super) const LOCK_IDLE_PLAYERS: Sql = Sql {
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

pub(super) const SPARE_PLAYERS: Sql = among_ids!("update player set spared = true where id");

pub(super) const DELETE_BLOCKS_BY: Sql = delete_some!("block", "player");

pub(super) const DELETE_BLOCKS_OF: Sql = delete_some!("block", "blocked");

pub(super) const DELETE_SEEKS_OF: Sql = delete_some!("seek", "player");

pub(super) const DELETE_SESSIONS: Sql = delete_some!("session", "player");

/// Deletes at most `$2` links that ended at `$1` or before.
pub(super) const DELETE_ENDED_LINKS: Sql = Sql {
    sqlite: "delete from one_time where hash in (
                select hash from one_time where expires_ms <= $1 order by expires_ms limit $2
             )",
    postgres: "delete from one_time where hash in (
                select hash from one_time where expires_ms <= $1 order by expires_ms limit $2
                for update skip locked
               )",
};

/// Deletes at most `$2` mails that were asked for at `$1` or before, whether or not they were sent.
pub(super) const DELETE_OLD_MAILS: Sql = Sql {
    sqlite: "delete from mail where id in (
                select id from mail where created_ms <= $1 order by created_ms limit $2
             )",
    postgres: "delete from mail where id in (
                select id from mail where created_ms <= $1 order by created_ms limit $2
                for update skip locked
               )",
};

pub(super) const DELETE_PLAYERS: Sql = among_ids!("delete from player where id");

/// At most `$2` accounts that were closed before `$1`, the first ones first.
pub(crate) const LOCK_CLOSED_ACCOUNTS: Sql = Sql {
    sqlite: "select player from account where closed_ms < $1 order by closed_ms, player limit $2",
    // The kind is of the locked row, so it is looked at again after the lock: the account may be open by then.
    postgres: "select player.id from account join player on player.id = account.player
               where account.closed_ms < $1 and player.kind = 'deleted'
               order by account.closed_ms, account.player limit $2
               for update of player skip locked",
};

pub(super) const DELETE_DEVICES: Sql = delete_some!("device", "player");

pub(super) const DELETE_PASSKEYS: Sql = delete_some!("credential", "player");

pub(super) const DELETE_MAILS_OF: Sql = delete_some!("mail", "player");

pub(super) const DELETE_MESSAGES_TO: Sql = delete_some!("outbox", "player");

pub(super) const DELETE_NOTICES_TO: Sql = delete_some!("notice", "player");

/// Adds a notice, unless its player has one of the same kind about the same subject or is gone.
pub(super) const ADD_NOTICE: Sql = Sql::same(
    "insert into notice (player, id, kind, subject, body, at_ms)
     select $1, $2, $3, $4, $5, $6 where exists (select 1 from player where id = $1 and kind <> 'deleted')
     on conflict (player, kind, subject) do nothing",
);

/// Deletes the notices of the player `$1` beyond the `$2` newest ones.
pub(super) const TRIM_NOTICES: Sql = Sql::same(
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
pub(super) const SEE_NOTICES: Sql =
    Sql::same("update notice set seen_ms = $3 where player = $1 and id <= $2 and seen_ms is null");

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

pub(super) const DELETE_LINKS: Sql = delete_some!("one_time", "player");

/// Takes the player from the keys of an account that is erased: they stay taken.
pub(super) const FREE_KEYS: Sql = among_ids!("update name_key set player = null where player");

pub(super) const DELETE_ACCOUNTS: Sql = among_ids!("delete from account where player");

pub(super) const ERASE_NAMES: Sql = among_ids!(
    "update player set name = '', folded = '', muted_until_ms = null, automatic_vacation = true where id"
);

pub(super) const REMOVE_ROLES: Sql = among_ids!("delete from role where player");

pub(super) const DELETE_REPORTS_BY: Sql = delete_some!("report", "by");

pub(super) const DELETE_REPORTS_OF: Sql = delete_some!("report", "target");

pub(super) const DELETE_ACTS_ON: Sql = delete_some!("audit", "target");

/// Takes the moderators with the [ids](Sql::bind_ids) `$1` from their acts.
pub(super) const FORGET_MODERATORS: Sql = among_ids!("update audit set by = null where by");

/// Deletes at most `$2` reports that were settled at `$1` or before.
pub(super) const DELETE_SETTLED_REPORTS: Sql = Sql {
    sqlite: "delete from report where id in (
                select id from report where settled_ms <= $1 order by settled_ms limit $2
             )",
    postgres: "delete from report where id in (
                select id from report where settled_ms <= $1 order by settled_ms limit $2
                for update skip locked
               )",
};

/// The columns of a [`ReportRow`](crate::row::ReportRow).
macro_rules! reports {
    ($condition:literal) => {
        Sql::same(concat!(
            "select id, at_ms, by, target, kind, game, name, body, lines, settled_ms from report where ",
            $condition
        ))
    };
}

pub(super) const REPORT: Sql = reports!("id = $1");

/// The next `$2` open reports after `$1` that are not about the player `$3`.
pub(crate) const OPEN_REPORTS: Sql =
    reports!("settled_ms is null and id > $1 and target <> $3 order by id limit $2");

/// The next `$2` settled reports before `$1` that are not about the player `$3`.
pub(crate) const SETTLED_REPORTS: Sql =
    reports!("settled_ms is not null and id < $1 and target <> $3 order by id desc limit $2");

/// The next `$3` reports by the account `$1` after `$2`.
pub(crate) const REPORTS_BY: Sql = reports!("by = $1 and id > $2 order by id limit $3");

/// The open report of the account `$1` about the player `$2`, of the kind `$3`, in the game `$4`.
pub(super) const OPEN_REPORT: Sql = Sql::same(
    "select id from report where by = $1 and target = $2 and kind = $3 and game = $4 and settled_ms is null",
);

pub(super) const COUNT_REPORTS_BY: Sql =
    Sql::same("select count(*) from report where by = $1 and at_ms > $2");

pub(super) const ADD_REPORT: Sql = Sql::same(
    "insert into report (id, at_ms, by, target, kind, game, name, body, lines)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
);

/// The last `$5` lines of the player `$3` in a chat after the time `$4`.
pub(super) const LINES_TO_REPORT: Sql = Sql::same(
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

pub(super) const SETTLE_REPORT: Sql = settling!("settled_ms = $3 where id = $1 and target = $2");

pub(super) const SETTLE_REPORTS: Sql = settling!("settled_ms = $2 where target = $1");

pub(super) const SETTLE_REPORTS_OF_KIND: Sql = settling!("settled_ms = $2 where target = $1 and kind = $3");

pub(super) const HAS_SESSION: Sql = Sql::same("select id from session where player = $1 and id = $2");

pub(super) const ROLES: Sql = among_ids!("select player, role from role where player");

pub(super) const SET_ROLE: Sql = Sql::same(
    "insert into role (player, role, at_ms) values ($1, $2, $3)
     on conflict (player) do update set role = excluded.role, at_ms = excluded.at_ms",
);

/// The columns of a [`VacationRow`](crate::row::VacationRow) of the player `$1`, in order; one without a vacation if there is
/// none.
pub(crate) const VACATIONS: Sql = Sql::same(
    "select player.created_ms, player.automatic_vacation, vacation.from_ms, vacation.to_ms, vacation.automatic
     from player left join vacation on vacation.player = player.id
     where player.id = $1
     order by vacation.from_ms",
);

/// At most `$1` vacations that the games of their players are still to be credited, the first begun first.
pub(crate) const UNCREDITED_VACATIONS: Sql =
    Sql::same("select player, from_ms, to_ms from vacation where uncredited order by from_ms limit $1");

/// At most `$3` vacations after that of the player `$1` from `$2` on, by their players and then in order.
pub(crate) const ALL_VACATIONS: Sql = Sql::same(
    "select player, from_ms, to_ms, automatic from vacation
     where (player, from_ms) > ($1, $2) order by player, from_ms limit $3",
);

/// Adds a vacation of the player `$1` from `$2` to `$3`, or sets the end of the one that began then. Games are to be credited it.
macro_rules! keep_vacation {
    ($automatic:literal) => {
        Sql::same(concat!(
            "insert into vacation (player, from_ms, to_ms, automatic, uncredited) values ($1, $2, $3, ",
            $automatic,
            ", true) on conflict (player, from_ms) do update set to_ms = excluded.to_ms, uncredited = true"
        ))
    };
}

pub(super) const KEEP_VACATION: Sql = keep_vacation!("false");

pub(super) const KEEP_AUTOMATIC_VACATION: Sql = keep_vacation!("true");

/// The games of the player `$1` have been credited the vacation from `$2` to `$3`.
pub(super) const VACATION_IS_CREDITED: Sql =
    Sql::same("update vacation set uncredited = false where player = $1 and from_ms = $2 and to_ms = $3");

pub(super) const ALLOW_VACATION: Sql = Sql::same("update player set automatic_vacation = true where id = $1");

pub(super) const FORBID_VACATION: Sql =
    Sql::same("update player set automatic_vacation = false where id = $1");

pub(super) const DELETE_VACATIONS: Sql = delete_some!("vacation", "player");

/// The players who are muted at `$1`.
pub(crate) const MUTED: Sql = Sql::same("select id, muted_until_ms from player where muted_until_ms > $1");

/// Mutes the player `$1` until `$2`, or until the later end that there is. Returns the end.
pub(super) const MUTE: Sql = Sql::same(
    "update player set muted_until_ms = case when muted_until_ms > $2 then muted_until_ms else $2 end
     where id = $1 and kind <> 'deleted'
     returning muted_until_ms",
);

pub(super) const UNMUTE: Sql =
    Sql::same("update player set muted_until_ms = null where id = $1 and muted_until_ms > $2");

pub(super) const SET_NAME: Sql = Sql::same("update player set name = $2, folded = $3 where id = $1");

/// Hides the key `$1`, if nobody has it or the player `$2`.
pub(super) const HIDE_KEY: Sql = Sql::same(
    "insert into name_key (key, hidden) values ($1, true)
     on conflict (key) do update set hidden = true where name_key.player = $2",
);

/// Closes the account `$1` at `$2`, if it is open or its owner can open it.
pub(super) const BAR_ACCOUNT: Sql = Sql::same(
    "update account set barred = true, closed_ms = coalesce(closed_ms, $2) where player = $1 and not barred",
);

/// Lets the owner of the account `$1` open it again. If a moderator has closed it, it is open at once; one that its owner had
/// closed before stays closed.
pub(super) const UNBAR_ACCOUNT: Sql = Sql::same(
    "update account set
        barred = false,
        closed_ms = nullif(
            closed_ms, (select max(at_ms) from audit where target = account.player and kind = 'closed')
        )
     where player = $1 and barred",
);

/// Gives the player `$1` the kind `$2` if the account is open.
pub(super) const SHOW_OPEN_ACCOUNT: Sql = Sql::same(
    "update player set kind = $2
     where id = $1 and exists (select 1 from account where player = $1 and closed_ms is null)",
);

pub(super) const ADD_ACT: Sql =
    Sql::same("insert into audit (id, at_ms, by, target, kind, body) values ($1, $2, $3, $4, $5, $6)");

/// The columns of an [`ActRow`](crate::row::ActRow), of the last `$2` acts before `$1`.
pub(super) const ACTS: Sql =
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

/// For each of the players with the [ids](Sql::bind_ids) `$1` and each whom they challenge, the numbers of open challenges and
/// of those made after `$2`. Each of the two has its own index.
macro_rules! count_challenges {
    ($are_makers:literal) => {
        concat!(
            "select creator, challenged, sum(is_open), sum(is_recent) from (
                select creator, challenged, 1 as is_open, case when created_ms > $2 then 1 else 0 end as is_recent
                from game where creator ",
            $are_makers,
            " and status = 'open' and challenged is not null
                union all
                select creator, challenged, 0, 1 from game
                where creator ",
            $are_makers,
            " and challenged is not null and created_ms > $2 and status <> 'open'
             ) as made
             group by creator, challenged"
        )
    };
}

pub(crate) const COUNT_CHALLENGES: Sql = Sql {
    sqlite: count_challenges!("in (select unhex(value) from json_each($1))"),
    postgres: count_challenges!("= any($1)"),
};

/// The number of open challenges to each of the players with the [ids](Sql::bind_ids) `$1`.
pub(crate) const COUNT_CHALLENGES_TO: Sql = Sql {
    sqlite: "select challenged, count(*) from game
             where challenged in (select unhex(value) from json_each($1)) and status = 'open'
             group by challenged",
    postgres: "select challenged, count(*) from game where challenged = any($1) and status = 'open'
               group by challenged",
};

/// The columns of a [`SeekRow`](crate::row::SeekRow), of the seeks with the [ids](Sql::bind_ids) `$1`. PostgreSQL locks them.
pub(super) const SEEKS_AMONG: Sql = Sql {
    sqlite: "select id, player, ruleset, clock, wanted, created_ms from seek
             where id in (select unhex(value) from json_each($1))",
    postgres: "select id, player, ruleset, clock, wanted, created_ms from seek
               where id = any($1) order by id for update",
};

/// The columns of a [`SeekRow`](crate::row::SeekRow). The seeks of closed accounts are left out.
macro_rules! seeks {
    ($condition:literal) => {
        Sql::same(concat!(
            "select seek.id, seek.player, seek.ruleset, seek.clock, seek.wanted, seek.created_ms
             from seek join player on player.id = seek.player
             where player.kind <> 'deleted'",
            $condition
        ))
    };
}

pub(super) const SEEK: Sql = seeks!(" and seek.id = $1");

pub(crate) const SEEKS_OF: Sql = seeks!(" and seek.player = $1 order by seek.id");

/// The number of games under way of the player of a seek, open rooms included.
macro_rules! n_under_way {
    ($condition:literal) => {
        concat!(
            "((select count(*) from game where creator = seek.player and status = 'open'",
            $condition,
            ") + (select count(*) from game where first_player = seek.player and status = 'playing'",
            $condition,
            ") + (select count(*) from game
                where second_player = seek.player and status = 'playing' and first_player <> seek.player",
            $condition,
            "))"
        )
    };
}

/// The seeks of a query that the player `$1` may accept, at most `$4`: those of other players of whom neither has blocked the
/// other, and who may begin a game without a clock for all turns, which is limited to `$2` games under way, of which `$3` without
/// such a clock and one more for each that the player has finished. Few of the others lie between.
macro_rules! seeks_to_accept {
    ($seeks:literal, $order:literal) => {
        Sql::same(concat!(
            "select seek.id, seek.player, seek.ruleset, seek.clock, seek.wanted, seek.created_ms
             from (",
            $seeks,
            ") as seek join player on player.id = seek.player
             where player.kind <> 'deleted' and seek.player <> $1
                and not exists (select 1 from block where player = $1 and blocked = seek.player)
                and not exists (select 1 from block where player = seek.player and blocked = $1)
                and ",
            n_under_way!(""),
            " < $2 and (",
            n_under_way!(r#" and clock not like '{"kind":"real_time"%'"#),
            " < $3 or ",
            n_under_way!(r#" and clock not like '{"kind":"real_time"%'"#),
            " < $3 + (",
            count_finished_slow_games!("seek.player", "$2"),
            ")) order by seek.id ",
            $order,
            " limit $4"
        ))
    };
}

/// The newest seeks, among the last 1,000.
pub(crate) const NEWEST_SEEKS: Sql = seeks_to_accept!(
    "select id, player, ruleset, clock, wanted, created_ms from seek order by id desc limit 1000",
    "desc"
);

/// The oldest seeks of the ruleset `$5` and the clock `$6`, among the first 1,000.
pub(crate) const SEEKS_LIKE: Sql = seeks_to_accept!(
    "select id, player, ruleset, clock, wanted, created_ms from seek
                where ruleset = $5 and clock = $6 order by id limit 1000",
    ""
);

pub(super) const COUNT_SEEKS: Sql = Sql::same("select count(*) from seek where player = $1");

/// Deletes the seek of the player `$1` for the ruleset `$2` and the clock `$3`.
pub(super) const REPLACE_SEEK: Sql =
    Sql::same("delete from seek where player = $1 and ruleset = $2 and clock = $3");

pub(super) const ADD_SEEK: Sql = Sql::same(
    "insert into seek (id, player, ruleset, clock, wanted, created_ms) values ($1, $2, $3, $4, $5, $6)",
);

pub(super) const SET_WANTED: Sql = Sql::same("update seek set wanted = $2 where id = $1");

pub(super) const DELETE_SEEK: Sql = Sql::same("delete from seek where id = $1");

pub(super) const WITHDRAW_SEEK: Sql = Sql::same("delete from seek where id = $1 and player = $2");

pub(super) const WITHDRAW_SEEKS: Sql = Sql::same("delete from seek where player = $1");

/// Deletes at most `$2` seeks of players who were last seen at `$1` or before.
pub(super) const DELETE_LEFT_SEEKS: Sql = Sql {
    sqlite: "delete from seek where id in (
                select seek.id from seek join player on player.id = seek.player
                where player.seen_ms <= $1 order by seek.id limit $2
             )",
    postgres: "delete from seek where id in (
                select seek.id from seek join player on player.id = seek.player
                where player.seen_ms <= $1 order by seek.id limit $2
                for update of seek skip locked
               )",
};

/// Deletes at most `$2` sessions that were last used at `$1` or before.
pub(super) const DELETE_UNUSED_SESSIONS: Sql = Sql {
    sqlite: "delete from session where token_hash in (
                select token_hash from session where used_ms <= $1 order by used_ms limit $2
             )",
    postgres: "delete from session where token_hash in (
                select token_hash from session where used_ms <= $1 order by used_ms limit $2
                for update skip locked
               )",
};
