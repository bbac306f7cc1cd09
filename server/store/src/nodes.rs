use async_trait::async_trait;

use crate::{Outage, StoreError};

/// The database as the nodes of a server see it: its state, and the outages that they recorded.
#[async_trait]
pub trait Nodes: Send + Sync + 'static {
    /// Reads the outages that ended after a time, in order.
    async fn outages_since(&self, ms: i64) -> Result<Vec<Outage>, StoreError>;

    /// Verifies that the database answers, and that no write to it has failed recently.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Verifies that the tables are still those of this program.
    ///
    /// # Errors
    /// [`StoreError::NewTables`] if a newer server has changed them.
    async fn verify_tables(&self) -> Result<(), StoreError>;

    /// Returns the free bytes of the disk that the database is on, for this process; `None` if they are not visible from
    /// here.
    ///
    /// # Errors
    /// The disk cannot be asked.
    async fn free_bytes(&self) -> Result<Option<u64>, StoreError> {
        Ok(None)
    }

    /// Reads a key pair of the deployment.
    async fn server_key(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Closes all connections, after which every call fails. For SQLite it first checkpoints the write-ahead log, so
    /// that the file is complete by itself. This may take long with a large log; the next start recovers a log that is
    /// left over.
    async fn close(&self);
}
