//! The size of a database, and what was charged for it.

use std::net::SocketAddr;

use anyhow::Context;
use reqwest::Method;
use sqlx::{Connection, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::client::Http;

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

/// Bytes that a server has charged to the budgets of addresses, by its metrics; 0 if it does not count them.
pub(super) async fn charged_bytes(metrics: SocketAddr) -> anyhow::Result<u64> {
    let text = Http::to(metrics)?.request(Method::GET, "/metrics", None).send().await?.text().await?;
    let bytes = text.lines().find_map(|line| line.strip_prefix("towers_stored_bytes_total "));
    bytes.map_or(Ok(0), str::parse).context("the stored bytes are no number")
}
