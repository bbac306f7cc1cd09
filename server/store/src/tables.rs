use sqlx::{
    SqlStr,
    migrate::{Migration, MigrationType, Migrator},
};

use super::StoreError;

/// A migration in the program: its number, its name and its statements.
pub(super) type Embedded = (i64, &'static str, &'static str);

/// Returns the migrator of embedded migrations. Each runs in a transaction.
pub(super) fn migrator(embedded: &[Embedded]) -> Migrator {
    let migrations = embedded.iter().map(|(number, name, sql)| {
        Migration::new(*number, (*name).into(), MigrationType::Simple, SqlStr::from_static(sql), false)
    });
    Migrator::with_migrations(migrations.collect())
}

/// Verifies that exactly the known migrations have been applied to a database. `applied` are the versions of those that
/// were; `None` if the database has no table of migrations.
///
/// # Errors
/// [`StoreError::NoTables`], [`StoreError::OldTables`] or [`StoreError::NewTables`].
pub(super) fn are_current(applied: Option<&[i64]>, migrator: &Migrator) -> Result<(), StoreError> {
    let Some(applied) = applied.filter(|applied| !applied.is_empty()) else {
        return Err(StoreError::NoTables);
    };
    let is_known = |version: &i64| migrator.iter().any(|migration| migration.version == *version);
    if !applied.iter().all(is_known) {
        return Err(StoreError::NewTables);
    }
    if !migrator.iter().all(|migration| applied.contains(&migration.version)) {
        return Err(StoreError::OldTables);
    }
    Ok(())
}
