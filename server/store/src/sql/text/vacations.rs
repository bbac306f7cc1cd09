//! Vacations.

use crate::sql::Sql;

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

pub(crate) const KEEP_VACATION: Sql = keep_vacation!("false");

pub(crate) const KEEP_AUTOMATIC_VACATION: Sql = keep_vacation!("true");

/// The games of the player `$1` have been credited the vacation from `$2` to `$3`.
pub(crate) const VACATION_IS_CREDITED: Sql =
    Sql::same("update vacation set uncredited = false where player = $1 and from_ms = $2 and to_ms = $3");

pub(crate) const ALLOW_VACATION: Sql = Sql::same("update player set automatic_vacation = true where id = $1");

pub(crate) const FORBID_VACATION: Sql =
    Sql::same("update player set automatic_vacation = false where id = $1");
