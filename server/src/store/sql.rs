//! What both databases are asked in the same words. sqlx counts `$1` for SQLite too.

use super::List;

/// The columns of a [`GameRow`](super::row::GameRow).
macro_rules! game_columns {
    () => {
        "id, ruleset, status, visibility, creator, creator_name, seat, clock, watching, delay, \
         custom_start, first_player, first_name, second_player, second_name, version, turn, to_move, winner, \
         reason, created_ms, updated_ms, deadline_ms"
    };
}
pub(super) use game_columns;

/// A page of a list: `$1` and `$2` are its cursor, `$3` is how many rows there are at most.
pub(super) fn page(list: &List) -> &'static str {
    match list {
        List::OpenRooms => OPEN_ROOMS,
        List::LiveGames => LIVE_GAMES,
        List::FinishedGames(filter) if filter.player.is_none() => FINISHED_GAMES,
        List::FinishedGames(_) => FINISHED_GAMES_OF,
        List::GamesOf(_) => GAMES_OF,
        List::UnfinishedGamesOf(_) => UNFINISHED_GAMES_OF,
    }
}

const OPEN_ROOMS: &str = concat!(
    "select ",
    game_columns!(),
    " from game
     where status = 'open' and visibility = 'public' and (created_ms, id) < ($1, $2)
     order by created_ms desc, id desc
     limit $3"
);

const LIVE_GAMES: &str = concat!(
    "select ",
    game_columns!(),
    " from game
     where status = 'playing' and visibility = 'public' and watching = 'everybody'
        and (created_ms, id) < ($1, $2)
     order by created_ms desc, id desc
     limit $3"
);

/// What a finished game has to be for a page of a filtered list: `$4` to `$7` are the filter's.
macro_rules! finished_games {
    () => {
        "status = 'finished' and visibility = 'public' and watching = 'everybody'
         and (ended_ms, id) < ($1, $2)
         and ($4 is null or ruleset = $4)
         and ($5 is null or coalesce(winner, 'draw') = $5)
         and ($6 is null or reason = $6)
         and ended_ms >= $7"
    };
}

// The ids are found in the index alone, so that games that the filter leaves out cost little.
const FINISHED_GAMES: &str = concat!(
    "select ",
    game_columns!(),
    " from game
     where id in (
        select id from game
        where ",
    finished_games!(),
    "   order by ended_ms desc, id desc
        limit $3
     )
     order by ended_ms desc, id desc"
);

// Each of the two seats has its own index, so each is asked for by itself.
const FINISHED_GAMES_OF: &str = concat!(
    "select ",
    game_columns!(),
    " from game
     where id in (
        select id from (
            select id from game
            where first_folded = $8 and ",
    finished_games!(),
    "       order by ended_ms desc, id desc
            limit $3
        ) as as_first
        union
        select id from (
            select id from game
            where second_folded = $8 and ",
    finished_games!(),
    "       order by ended_ms desc, id desc
            limit $3
        ) as as_second
     )
     order by ended_ms desc, id desc
     limit $3"
);

// Each of the three ways to be in a game has its own index, so each is asked for by itself.
const GAMES_OF: &str = concat!(
    "select ",
    game_columns!(),
    " from game
     where id in (
        select id from (
            select id from game
            where creator = $4 and status = 'open' and (created_ms, id) < ($1, $2)
            order by created_ms desc, id desc
            limit $3
        ) as made
        union
        select id from (
            select id from game
            where first_player = $4 and (created_ms, id) < ($1, $2)
            order by created_ms desc, id desc
            limit $3
        ) as as_first
        union
        select id from (
            select id from game
            where second_player = $4 and (created_ms, id) < ($1, $2)
            order by created_ms desc, id desc
            limit $3
        ) as as_second
     )
     order by created_ms desc, id desc
     limit $3"
);

const UNFINISHED_GAMES_OF: &str = concat!(
    "select ",
    game_columns!(),
    " from game
     where id in (
        select id from (
            select id from game
            where creator = $4 and status = 'open' and (created_ms, id) < ($1, $2)
            order by created_ms desc, id desc
            limit $3
        ) as made
        union
        select id from (
            select id from game
            where first_player = $4 and status = 'playing' and (created_ms, id) < ($1, $2)
            order by created_ms desc, id desc
            limit $3
        ) as as_first
        union
        select id from (
            select id from game
            where second_player = $4 and status = 'playing' and (created_ms, id) < ($1, $2)
            order by created_ms desc, id desc
            limit $3
        ) as as_second
     )
     order by created_ms desc, id desc
     limit $3"
);

/// The next `$2` games behind `$1`, by id.
pub(super) const GAMES_AFTER: &str = "select id from game where id > $1 order by id limit $2";

/// Takes the sweep for `$1` until `$3`, if it is nobody else's at `$2`.
pub(super) const TAKE_SWEEP: &str = "insert into sweeper (id, node, until_ms) values (1, $1, $3)
     on conflict (id) do update set node = excluded.node, until_ms = excluded.until_ms
     where sweeper.node = excluded.node or sweeper.until_ms <= $2";

/// The open rooms, the real-time games and all games under way of the player `$1`, open rooms among the latter two.
pub(super) const COUNT_GAMES: &str = r#"select
        count(*) filter (where status = 'open'),
        count(*) filter (where clock like '{"kind":"real_time"%'),
        count(*)
     from (
        select status, clock from game where creator = $1 and status = 'open'
        union all
        select status, clock from game where first_player = $1 and status = 'playing'
        union all
        select status, clock from game where second_player = $1 and status = 'playing'
     ) as unfinished"#;

/// Whether the player of this row has a game. Those who made a room that was cancelled have none.
macro_rules! has_game {
    () => {
        "(exists (select 1 from game where first_player = player.id)
          or exists (select 1 from game where second_player = player.id)
          or exists (select 1 from game where creator = player.id and status = 'open'))"
    };
}
pub(super) use has_game;
