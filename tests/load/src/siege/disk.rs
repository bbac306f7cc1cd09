//! The size of a database.

use sqlx::{Connection, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions};

/// Bytes of all tables and indexes. Write-ahead logs are left out, since they are recycled.
pub(super) async fn bytes_of(url: &str) -> anyhow::Result<u64> {
    let bytes: i64 = if url.starts_with("sqlite:") {
        let options = url.parse::<SqliteConnectOptions>()?.read_only(true);
        let mut link = SqliteConnection::connect_with(&options).await?;
        let pages = "select page_count * page_size from pragma_page_count(), pragma_page_size()";
        let bytes = sqlx::query_scalar(pages).fetch_one(&mut link).await?;
        link.close().await?;
        bytes
    } else {
        let mut link = PgConnection::connect(url).await?;
        sqlx::query_scalar("select pg_database_size(current_database())").fetch_one(&mut link).await?
    };
    Ok(bytes.try_into()?)
}
