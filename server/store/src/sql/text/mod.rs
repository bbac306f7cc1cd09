//! The texts of the statements that both databases execute. Where a text differs, its two forms stand side by side.

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

/// Counts the finished slow games of a player, up to a number, each of the two sides from its own index. A game in which the
/// player has both seats counts once.
macro_rules! count_finished_slow_games {
    ($player:literal, $at_most:literal) => {
        concat!(
            "select count(*) from (
                select 1 from game
                where first_player = ",
            $player,
            r#" and status = 'finished'
                    and clock not like '{"kind":"real_time"%'
                union all
                select 1 from game
                where second_player = "#,
            $player,
            r#" and status = 'finished'
                    and clock not like '{"kind":"real_time"%' and first_player <> "#,
            $player,
            " limit ",
            $at_most,
            ") as finished"
        )
    };
}

// The modules below see the macros above.
mod accounts;
mod clearing;
mod games;
mod inbox;
mod links;
mod mails;
mod moderation;
mod nodes;
mod outbox;
mod passkeys;
mod pushes;
mod seeks;
mod sessions;
mod vacations;

pub(crate) use self::{
    accounts::*, clearing::*, games::*, inbox::*, links::*, mails::*, moderation::*, nodes::*, outbox::*,
    passkeys::*, pushes::*, seeks::*, sessions::*, vacations::*,
};
