//! Many connections at once, which are kept alive while the others are opened.

use std::sync::Arc;

use tokio::{
    sync::{Barrier, Semaphore},
    task::JoinSet,
};

use crate::client::Socket;

/// Maximum concurrency; with more, the first would wait for the last.
const AT_ONCE: usize = 32;

/// A value with connections that must be read from time to time: the server pings, and disconnects a client that has
/// not answered for 45 s. Opening some thousands may take longer than that on a busy machine.
pub trait Connected: Send + 'static {
    /// Reads and drops frames until a connection is closed, and returns the error.
    fn rest(&mut self) -> impl Future<Output = anyhow::Error> + Send;
}

impl Connected for Socket {
    async fn rest(&mut self) -> anyhow::Error {
        loop {
            if let Err(over) = self.next().await {
                return over;
            }
        }
    }
}

/// Opens several values, some of them concurrently, and returns them in order when all are open. Each
/// [rests](Connected::rest) until then.
///
/// # Errors
/// Returns the first error.
pub async fn many_connected<T: Connected, W: Future<Output = anyhow::Result<T>> + Send + 'static>(
    count: usize,
    work: impl Fn(usize) -> W,
) -> anyhow::Result<Vec<T>> {
    let (places, all_are_there) = (Arc::new(Semaphore::new(AT_ONCE)), Arc::new(Barrier::new(count)));
    let mut making = JoinSet::new();
    for number in 0..count {
        let (work, places, all_are_there) = (work(number), places.clone(), all_are_there.clone());
        making.spawn(async move {
            let place = places.acquire().await?;
            let mut made = work.await?;
            drop(place);
            tokio::select! {
                _ = all_are_there.wait() => Ok((number, made)),
                over = made.rest() => Err(over),
            }
        });
    }
    let mut all = Vec::with_capacity(count);
    while let Some(made) = making.join_next().await {
        all.push(made??);
    }
    all.sort_by_key(|(number, _)| *number);
    Ok(all.into_iter().map(|(_, made)| made).collect())
}
