use sqlx::{
    SqlStr,
    migrate::{Migrate, Migration, MigrationType, Migrator},
};
use tokio::time::timeout;

use super::{StoreError, error::MIGRATION_WAIT};

/// A migration in the program: its number, its name and its statements.
pub(super) type Embedded = (i64, &'static str, &'static str);

/// Returns the migrator of embedded migrations. Each runs in a transaction.
pub(super) fn migrator(embedded: &[Embedded]) -> Migrator {
    let migrations = embedded.iter().map(|(number, name, sql)| {
        Migration::new(*number, (*name).into(), MigrationType::Simple, SqlStr::from_static(sql), false)
    });
    Migrator::with_migrations(migrations.collect())
}

/// A migration that a database has.
pub(super) type Applied = (i64, Vec<u8>);

/// Applies the missing migrations to tables that are [known](are_known).
///
/// # Errors
/// A migration failed.
pub(super) async fn migrate(migrator: &Migrator, connection: &mut impl Migrate) -> Result<(), StoreError> {
    // `Migrator::run` does the same, but its future is not `Send` with a borrowed connection.
    match timeout(MIGRATION_WAIT, migrator.run_direct(None, connection, false)).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(StoreError::TimedOut { doing: "bring the tables up to date", waited: MIGRATION_WAIT }),
    }
}

/// Verifies that all migrations of a database are those of this program.
///
/// # Errors
/// [`StoreError::NewTables`] or [`StoreError::OtherTables`].
pub(super) fn are_known(applied: &[Applied], migrator: &Migrator) -> Result<(), StoreError> {
    for (version, checksum) in applied {
        match migrator.iter().find(|migration| migration.version == *version) {
            None => return Err(StoreError::NewTables),
            Some(migration) if *migration.checksum != **checksum => {
                return Err(StoreError::OtherTables { migration: *version });
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Whether a database lacks a migration of this program.
pub(super) fn are_old(applied: &[Applied], migrator: &Migrator) -> bool {
    migrator.iter().any(|migration| !applied.iter().any(|(version, _)| *version == migration.version))
}

/// Verifies that exactly the migrations of this program have been applied to a database.
///
/// # Errors
/// [`StoreError::NoTables`], [`StoreError::OldTables`], [`StoreError::NewTables`] or [`StoreError::OtherTables`].
pub(super) fn are_current(applied: &[Applied], migrator: &Migrator) -> Result<(), StoreError> {
    if applied.is_empty() {
        return Err(StoreError::NoTables);
    }
    are_known(applied, migrator)?;
    if are_old(applied, migrator) { Err(StoreError::OldTables) } else { Ok(()) }
}
