//! Seeks, and the numbers of challenges.

use crate::sql::Sql;

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
pub(crate) const SEEKS_AMONG: Sql = Sql {
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

pub(crate) const SEEK: Sql = seeks!(" and seek.id = $1");

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
/// other, and who may begin a slow game: they have fewer than `$2` games under way, and of slow ones fewer than `$3` and one more for
/// each that the player has finished. Few of the others lie between.
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

pub(crate) const COUNT_SEEKS: Sql = Sql::same("select count(*) from seek where player = $1");

/// Deletes the seek of the player `$1` for the ruleset `$2` and the clock `$3`.
pub(crate) const REPLACE_SEEK: Sql =
    Sql::same("delete from seek where player = $1 and ruleset = $2 and clock = $3");

pub(crate) const ADD_SEEK: Sql = Sql::same(
    "insert into seek (id, player, ruleset, clock, wanted, created_ms) values ($1, $2, $3, $4, $5, $6)",
);

pub(crate) const SET_WANTED: Sql = Sql::same("update seek set wanted = $2 where id = $1");

pub(crate) const DELETE_SEEK: Sql = Sql::same("delete from seek where id = $1");

pub(crate) const WITHDRAW_SEEK: Sql = Sql::same("delete from seek where id = $1 and player = $2");

pub(crate) const WITHDRAW_SEEKS: Sql = Sql::same("delete from seek where player = $1");
