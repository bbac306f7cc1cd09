//! Idle connections of many addresses, more than the server has places for.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};

use tokio::io::AsyncReadExt;

use super::super::attacker::Attacker;
use crate::client::Http;

/// Limit of the server's open files, which leaves it 1,000 places.
pub(super) const FILES: u32 = 1_064;

/// Number of addresses that hold connections.
const HOLDERS: u8 = 40;

/// Number of connections that each tries to hold; together more than twice as many as there are places.
const HELD: usize = 60;

/// Minimum time between two connections of a task.
const CONNECT_EVERY: Duration = Duration::from_secs(2);

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let mut holders = Vec::new();
    for number in 0..HOLDERS {
        let source = IpAddr::V4(Ipv4Addr::new(127, 128, 0, number));
        let http = Http::from(source, attacker.http.address())?;
        let guest = http.enter().await?;
        holders.push((http, guest));
    }
    attacker.ready().await?;
    attacker
        .forever(holders.len() * HELD, CONNECT_EVERY, move |attacker, task| {
            let (http, guest) = holders[task % holders.len()].clone();
            async move {
                attacker.tally.send(1);
                // A third of them send nothing at all.
                if task % 3 == 0 {
                    http.tcp().await?.read_u8().await?;
                    return Ok(());
                }
                let mut socket = http.connect(&guest).await?;
                loop {
                    socket.next().await?;
                }
            }
        })
        .await
}
