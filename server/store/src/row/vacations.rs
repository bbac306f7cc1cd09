//! Rows of vacations.

use game::{Vacation, Vacations};

row! {
    /// A row of `vacation` with what its player's row decides. The latter alone of a player without one.
    VacationRow {
        created_ms: i64,
        automatic_vacation: bool,
        from_ms: Option<i64>,
        to_ms: Option<i64>,
        automatic: Option<bool>,
    }
}

/// Converts the rows of a player; `None` if there are none.
pub(crate) fn vacations(rows: &[VacationRow]) -> Option<Vacations> {
    let first = rows.first()?;
    let (created_ms, is_automatic) = (first.created_ms, first.automatic_vacation);
    let taken = rows.iter().filter_map(|row| {
        Some(Vacation { from_ms: row.from_ms?, to_ms: row.to_ms?, is_automatic: row.automatic? })
    });
    Some(Vacations { created_ms, is_automatic, taken: taken.collect() })
}
