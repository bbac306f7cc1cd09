//! Statements that read a page of a list. Each list has an index that is read in order, so a page without filters reads
//! only the rows that it shows. A page with filters examines a bounded number of rows.

use super::{
    Cursor, GameFilter, List, Paging,
    row::FilterRow,
    sql::{Sql, Statement, Value, text::game_columns},
};

/// Maximum number of finished games that a page of a filtered list examines. The scan reads an index only and takes a
/// few milliseconds of CPU time in either database. A page that finds too few games among them has a cursor to continue
/// from.
pub(super) const LOOKED_AT: u32 = 10_000;

impl List {
    /// The statement that finds the last row that a page may examine. It returns no row if the list has fewer. `None`
    /// if a page of this list examines only the rows that it shows.
    pub(super) fn last_looked_at(&self, paging: Paging) -> Option<Statement> {
        let Self::FinishedGames(filter) = self else { return None };
        let (sql, of) = match filter {
            GameFilter { player: Some(_), ruleset: None, result: None, reason: None, .. }
            | GameFilter { player: None, result: None, reason: None, .. } => return None,
            GameFilter { player: Some(_), .. } => {
                (LAST_OF_PLAYER, FilterRow::from(filter).player.map(Value::from))
            }
            GameFilter { player: None, ruleset: Some(_), .. } => {
                let ruleset = FilterRow::from(filter).ruleset.map(str::to_owned);
                (LAST_OF_RULESET, Some(Value::Text(ruleset)))
            }
            GameFilter { player: None, ruleset: None, .. } => (LAST, None),
        };
        let (start, end) = (self.start(paging), filter.end());
        let mut values = cursors(start, end);
        values.push(Value::Number(i64::from(LOOKED_AT) - 1));
        values.extend(of);
        Some(Statement { sql: Sql::same(sql), values })
    }

    /// The statement that reads a page. It returns up to one row more than the limit, and none after `last`.
    pub(super) fn page(&self, paging: Paging, last: Option<Cursor>) -> Statement {
        let start = self.start(paging);
        let limit = Value::Number(i64::from(paging.limit) + 1);
        let (sql, of, filter) = match self {
            Self::OpenRooms => (OPEN_ROOMS, None, None),
            Self::LiveGames => (LIVE_GAMES, None, None),
            Self::UnfinishedGamesOf(player) => (UNFINISHED_GAMES_OF, Some(player), None),
            Self::FinishedGamesOf(player) => (FINISHED_GAMES_OF, Some(player), None),
            Self::FinishedGames(filter @ GameFilter { player: Some(_), .. }) => {
                (FINISHED_GAMES_OF_PLAYER, None, Some(filter))
            }
            Self::FinishedGames(filter @ GameFilter { ruleset: Some(_), .. }) => {
                (FINISHED_GAMES_OF_RULESET, None, Some(filter))
            }
            Self::FinishedGames(filter) => (FINISHED_GAMES, None, Some(filter)),
        };
        let Some(filter) = filter else {
            let mut values = vec![Value::Number(start.at_ms), Value::from(start.game.uuid()), limit];
            values.extend(of.map(|player| Value::from(player.uuid())));
            return Statement { sql: Sql::same(sql), values };
        };
        let mut values = cursors(start, last.unwrap_or(Cursor::END).max(filter.end()));
        let FilterRow { ruleset, result, reason, player } = FilterRow::from(filter);
        values.extend([
            limit,
            Value::Text(result.map(str::to_owned)),
            Value::Text(reason.map(str::to_owned)),
        ]);
        if ruleset.is_some() || player.is_some() {
            values.push(Value::Text(ruleset.map(str::to_owned)));
        }
        values.extend(player.map(Value::from));
        Statement { sql: Sql::same(sql), values }
    }
}

impl GameFilter {
    /// The end of the range of games that can pass the filter.
    fn end(&self) -> Cursor {
        self.since_ms.map_or(Cursor::END, Cursor::behind)
    }
}

/// The values of `$1` to `$4`: the exclusive start and the inclusive end of the range.
fn cursors(start: Cursor, end: Cursor) -> Vec<Value> {
    let of = |cursor: Cursor| [Value::Number(cursor.at_ms), Value::from(cursor.game.uuid())];
    [of(start), of(end)].concat()
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

/// Finished public games between two cursors. The condition repeats the predicate of a partial index: `status =
/// 'finished'` for the index of all games, the equivalent `ended_ms is not null` for those of a ruleset or a player. So
/// no planner can scan the index of all games to find those of a rare player.
macro_rules! finished_games {
    ($are_over:literal) => {
        concat!(
            $are_over,
            " and visibility = 'public' and watching = 'everybody'
             and (ended_ms, id) < ($1, $2) and (ended_ms, id) >= ($3, $4)"
        )
    };
}

/// The filters by result and reason, for [`finished_games`].
macro_rules! filtered {
    () => {
        "($6 is null or coalesce(winner, 'draw') = $6) and ($7 is null or reason = $7)"
    };
}

/// The rows of a page whose ids come from an index-only scan, so that the games that the filter excludes cost little.
macro_rules! games_found {
    ($found:expr) => {
        concat!(
            "select ",
            game_columns!(),
            " from game where id in (",
            $found,
            ") order by ended_ms desc, id desc limit $5"
        )
    };
}

const FINISHED_GAMES: &str = games_found!(concat!(
    "select id from game where ",
    finished_games!("status = 'finished'"),
    " and ",
    filtered!(),
    " order by ended_ms desc, id desc limit $5"
));

const FINISHED_GAMES_OF_RULESET: &str = games_found!(concat!(
    "select id from game where ruleset = $8 and ",
    finished_games!("ended_ms is not null"),
    " and ",
    filtered!(),
    " order by ended_ms desc, id desc limit $5"
));

// Each seat has its own index, hence its own query. Wrapped in `coalesce`, the ruleset cannot make the planner choose
// the index of rulesets instead.
const FINISHED_GAMES_OF_PLAYER: &str = games_found!(concat!(
    "select id from (
        select id from game where first_player = $9 and ($8 is null or coalesce(ruleset, '') = $8) and ",
    finished_games!("ended_ms is not null"),
    " and ",
    filtered!(),
    "   order by ended_ms desc, id desc limit $5
     ) as as_first
     union all
     select id from (
        select id from game where second_player = $9 and ($8 is null or coalesce(ruleset, '') = $8) and ",
    finished_games!("ended_ms is not null"),
    " and ",
    filtered!(),
    "   order by ended_ms desc, id desc limit $5
     ) as as_second"
));

const LAST: &str = concat!(
    "select ended_ms, id from game where ",
    finished_games!("status = 'finished'"),
    " order by ended_ms desc, id desc limit 1 offset $5"
);

const LAST_OF_RULESET: &str = concat!(
    "select ended_ms, id from game where ruleset = $6 and ",
    finished_games!("ended_ms is not null"),
    " order by ended_ms desc, id desc limit 1 offset $5"
);

// Each seat is scanned on its own. The page ends where the shorter of the two scans ended.
const LAST_OF_PLAYER: &str = concat!(
    "select ended_ms, id from (
        select ended_ms, id from game where first_player = $6 and ",
    finished_games!("ended_ms is not null"),
    "   order by ended_ms desc, id desc limit 1 offset $5
     ) as as_first
     union all
     select ended_ms, id from (
        select ended_ms, id from game where second_player = $6 and ",
    finished_games!("ended_ms is not null"),
    "   order by ended_ms desc, id desc limit 1 offset $5
     ) as as_second
     order by ended_ms desc, id desc
     limit 1"
);

/// The games of a player in one role, the last by a time first. Each role has its own index.
macro_rules! games_by {
    ($which:literal, $time:literal, $name:literal) => {
        concat!(
            "select id from (
                select id from game where ",
            $which,
            " and (",
            $time,
            ", id) < ($1, $2)
                order by ",
            $time,
            " desc, id desc
                limit $3
             ) as ",
            $name
        )
    };
}

const UNFINISHED_GAMES_OF: &str = concat!(
    "select ",
    game_columns!(),
    " from game where id in (",
    games_by!("creator = $4 and status = 'open'", "created_ms", "made"),
    " union all ",
    games_by!("challenged = $4 and status = 'open'", "created_ms", "asks"),
    " union all ",
    games_by!("first_player = $4 and status = 'playing'", "created_ms", "plays_first"),
    " union all ",
    games_by!("second_player = $4 and status = 'playing'", "created_ms", "plays_second"),
    ") order by created_ms desc, id desc limit $3"
);

// The condition repeats the predicate of the indexes. An aborted game has no `ended_ms`, so no cursor is after it.
const FINISHED_GAMES_OF: &str = concat!(
    "select ",
    game_columns!(),
    " from game where id in (",
    games_by!("first_player = $4 and status in ('finished', 'aborted')", "ended_ms", "played_first"),
    " union all ",
    games_by!("second_player = $4 and status in ('finished', 'aborted')", "ended_ms", "played_second"),
    ") order by ended_ms desc, id desc limit $3"
);
