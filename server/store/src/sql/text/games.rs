//! Games with their events, drafts, chats, reviews and conditional turns.

use crate::sql::Sql;

/// The ids of at most `$2` rooms and games that are due for a check at `$1`, but whose deadline is later or gone.
macro_rules! checked_early {
    () => {
        "select id from game
         where status in ('open', 'playing') and check_ms <= $1 and (deadline_ms is null or deadline_ms > $1)
         order by check_ms, id
         limit $2"
    };
}

/// Sets the check of rooms or games to their deadline if it is later or missing. They are read from an index of those under
/// way: no other game is examined, however many there are.
macro_rules! repair_checks {
    ($status:literal, $index:literal) => {
        Sql {
            sqlite: concat!(
                "update game set check_ms = deadline_ms where id in (
                    select id from game indexed by ",
                $index,
                " where status = ",
                $status,
                " and deadline_ms is not null and (check_ms is null or check_ms > deadline_ms)
                 )"
            ),
            postgres: concat!(
                "update game set check_ms = deadline_ms where id = any(array(
                    select id from game where status = ",
                $status,
                " and deadline_ms is not null and (check_ms is null or check_ms > deadline_ms)
                    for no key update skip locked
                 ))"
            ),
        }
    };
}

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

pub(crate) const DRAFT: Sql = Sql::same("select version, body from draft where game = $1");

pub(crate) const GAME: Sql = Sql::same(concat!("select ", game_columns!(), " from game where id = $1"));

pub(crate) const GAMES: Sql = among_ids!(concat!("select ", game_columns!(), " from game where id"));

/// The next `$2` games after `$1`, by id.
pub(crate) const GAMES_AFTER: Sql = Sql::same("select id from game where id > $1 order by id limit $2");

/// The last `$3` lines of a chat.
pub(crate) const CHAT: Sql = Sql::same(
    "select id, at_ms, turn, player, body, command from chat
     where game = $1 and audience = $2
     order by id desc
     limit $3",
);

/// The next `$3` lines of the player `$1` after `$2`.
pub(crate) const LINES_BY: Sql = Sql::same(
    "select game, id, at_ms, turn, player, body from chat
     where player = $1 and id > $2
     order by id
     limit $3",
);

pub(crate) const REVIEW: Sql = Sql::same("select body from review where game = $1");

/// Adds the review `$2` of the game `$1`, unless the game has one or has been deleted.
pub(crate) const ADD_REVIEW: Sql = Sql::same(
    "insert into review (game, body)
     select $1, $2 where exists (select 1 from game where id = $1)
     on conflict (game) do nothing",
);

/// The conditional turns of the side `$2` in the game `$1`.
pub(crate) const CONDITIONAL: Sql =
    Sql::same("select version, body from conditional where game = $1 and side = $2");

/// At most `$1` sides to move with conditional turns from before their turn. The table has only those of games under way, and a
/// side is seldom to move.
pub(crate) const DUE_CONDITIONALS: Sql = Sql::same(
    "select conditional.game, conditional.side from conditional
     join game on game.id = conditional.game
     where game.status = 'playing' and game.to_move = conditional.side and conditional.version < game.turn_version
     limit $1",
);

/// Sets the conditional turns `$3`, of the version `$4`, of the side `$2` in the game `$1`, unless it is over or has been deleted.
pub(crate) const SET_CONDITIONAL: Sql = Sql::same(
    "insert into conditional (game, side, body, version)
     select $1, $2, $3, $4 where exists (select 1 from game where id = $1 and status = 'playing')
     on conflict (game, side) do update set body = excluded.body, version = excluded.version",
);

pub(crate) const DROP_CONDITIONAL: Sql =
    Sql::same("delete from conditional where game = $1 and side = $2 and body = $3 and version = $4");

pub(crate) const DELETE_CONDITIONALS: Sql = among_ids!("delete from conditional where game");

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

/// Corrects the checks of games, as after changes by another program.
pub(crate) const REPAIR_CHECKS: [Sql; 2] =
    [repair_checks!("'playing'", "game_playing_of_first"), repair_checks!("'open'", "game_of_creator")];

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

pub(crate) const LAST_CHANGES: Sql = among_ids!("select id, version, updated_ms from game where id");

/// The columns of a [`HeadRow`](crate::row::HeadRow), with at most `$2` lines of each chat counted.
pub(crate) const HEADS: Sql = among_ids!(
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
pub(crate) const COUNT_GAMES: Sql = Sql::same(
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

pub(crate) const COUNT_FINISHED_SLOW_GAMES: Sql = Sql::same(count_finished_slow_games!("$1", "$2"));
