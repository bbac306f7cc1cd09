//! SQL that both databases share. sqlx accepts `$1` for SQLite too.

/// The columns of a [`GameColumns`](super::row::GameColumns).
macro_rules! game_columns {
    () => {
        "id, ruleset, status, visibility, creator, creator_name, seat, clock, watching, delay, \
         custom_start, first_player, first_name, second_player, second_name, version, turn, to_move, winner, \
         reason, created_ms, updated_ms, deadline_ms, position"
    };
}
pub(super) use game_columns;

/// Selects the columns of a [`HeadRow`](super::row::HeadRow), with at most `$2` lines of each chat counted.
macro_rules! select_heads {
    () => {
        "select game.id, game.version, draft.version as draft_version, draft.body as draft_body,
            (select count(*) from (
                select 1 from chat where chat.game = game.id and audience = 'players' limit $2
            ) as lines) as players_lines,
            (select count(*) from (
                select 1 from chat where chat.game = game.id and audience = 'watchers' limit $2
            ) as lines) as spectators_lines
         from game left join draft on draft.game = game.id"
    };
}
pub(super) use select_heads;

/// The next `$2` games after `$1`, by id.
pub(super) const GAMES_AFTER: &str = "select id from game where id > $1 order by id limit $2";

/// The session with the token `$1`, if it was used after `$2`.
pub(super) const SESSION: &str = "select player.id, player.name, session.used_ms from session
     join player on player.id = session.player
     where session.token_hash = $1 and session.used_ms > $2";

pub(super) const USE_SESSION: &str =
    "update session set used_ms = $2 where token_hash = $1 and used_ms < $2 and used_ms > $3";

/// Creates another session, with the token `$2`, for the player of the session `$1`.
pub(super) const COPY_SESSION: &str = "insert into session (token_hash, player, created_ms, used_ms)
     select $2, player, $3, $3 from session where token_hash = $1";

/// Sets the time of last use of the session `$1` to `$2`, unless it is earlier.
pub(super) const LET_SESSION_END: &str =
    "update session set used_ms = $2 where token_hash = $1 and used_ms > $2";

pub(super) const END_SESSIONS: &str = "delete from session where player = $1";

/// Gives the sweep to the node `$1` until `$3`, unless another node has it at `$2`.
pub(super) const TAKE_SWEEP: &str = "insert into sweeper (id, node, until_ms) values (1, $1, $3)
     on conflict (id) do update set node = excluded.node, until_ms = excluded.until_ms
     where sweeper.node = excluded.node or sweeper.until_ms <= $2";

/// Inserts the row of the heartbeat, if there is none.
pub(super) const FIRST_BEAT: &str =
    "insert into heartbeat (id, at_ms) values (1, $1) on conflict (id) do nothing";

/// Records a heartbeat at `$1`, unless a later one is recorded.
pub(super) const BEAT: &str = "update heartbeat set at_ms = $1 where id = 1 and at_ms < $1";

pub(super) const RECORD_OUTAGE: &str = "insert into outage (from_ms, to_ms) values ($1, $2)";

/// Counts the open rooms, the real-time games and all games under way of the player `$1`. The latter two include open
/// rooms. A game in which the player has both seats counts once.
pub(super) const COUNT_GAMES: &str = r#"select
        count(*) filter (where status = 'open'),
        count(*) filter (where clock like '{"kind":"real_time"%'),
        count(*)
     from (
        select status, clock from game where creator = $1 and status = 'open'
        union all
        select status, clock from game where first_player = $1 and status = 'playing'
        union all
        select status, clock from game where second_player = $1 and status = 'playing' and first_player <> $1
     ) as unfinished"#;

/// Whether the player of this row has a game. A cancelled room does not count. Each index of a player's games covers
/// some statuses, so each has a subquery of its own.
macro_rules! has_game {
    () => {
        "(exists (select 1 from game where first_player = player.id and status = 'playing')
          or exists (select 1 from game where second_player = player.id and status = 'playing')
          or exists (select 1 from game where first_player = player.id and status in ('finished', 'aborted'))
          or exists (select 1 from game where second_player = player.id and status in ('finished', 'aborted'))
          or exists (select 1 from game where creator = player.id and status = 'open'))"
    };
}
pub(super) use has_game;
