//! Many connections at once, none of which falls silent while the others are made.

use std::sync::Arc;

use tokio::{
    sync::{Barrier, Semaphore},
    task::JoinSet,
};

use crate::client::Socket;

/// More that are made at once would make the first wait for the last.
const AT_ONCE: usize = 32;

/// Something with connections, each of which has to be read now and then: the server pings, and cuts a client off that
/// has not answered for 45 s. To make some thousands may take longer than that on a busy machine.
pub trait Connected: Send + 'static {
    /// Reads and drops what comes until a connection is over, and returns why it is.
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

/// Makes so many, some of them at once, and returns them in order when all are there. Each rests until then.
///
/// # Errors
/// The first that one of them has.
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
