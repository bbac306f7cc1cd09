//! Connections that are opened and dropped, slow, or idle.

use std::{convert::Infallible, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::sleep,
};

use super::super::attacker::Attacker;

/// Number of tasks that open and drop connections.
const DROPPERS: usize = 32;

/// Number of connections that are idle, send too slowly, or follow the lobby: more than one address may have.
const HELD: usize = 600;

/// Interval between two bytes of a slow client.
const BYTE_EVERY: Duration = Duration::from_millis(500);

/// Time for which a connection stays idle.
const SILENCE: Duration = Duration::from_secs(30);

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(8).await;
    attacker.ready().await?;
    let readers = guests.clone();
    let held = attacker.forever(HELD, Duration::from_millis(500), move |attacker, task| {
        let guest = readers.get(task % readers.len().max(1)).cloned();
        async move {
            attacker.tally.send(1);
            match guest {
                Some(guest) if task % 4 == 3 => {
                    let mut socket = attacker.http.connect(&guest).await?;
                    socket.read_lobby().await?;
                    loop {
                        socket.next().await?;
                    }
                }
                _ => hold(attacker.http.tcp().await?, task).await,
            }
        }
    });
    let dropped = attacker.forever(DROPPERS, Duration::from_millis(50), move |attacker, task| {
        let guest = guests.get(task % guests.len().max(1)).cloned();
        async move {
            attacker.tally.send(1);
            match (task % 4, guest) {
                (0, Some(guest)) => drop(attacker.socket(&guest, &[]).await?),
                (1, _) => {
                    let mut tcp = attacker.http.tcp().await?;
                    tcp.write_all(b"GET / HTTP/1.1\r\nhost: towers\r\n\r\n").await?;
                }
                (2, _) => {
                    let mut tcp = attacker.http.tcp().await?;
                    tcp.write_all(
                        b"POST /api/v1/rooms HTTP/1.1\r\nhost: towers\r\ncontent-length: 100\r\n\r\n{",
                    )
                    .await?;
                }
                _ => drop(attacker.http.tcp().await?),
            }
            Ok(())
        }
    });
    tokio::select! { ended = held => ended, ended = dropped => ended }
}

/// Holds a connection: idle, in the headers, or in the body of a request.
async fn hold(mut tcp: TcpStream, task: usize) -> anyhow::Result<()> {
    let slowly: &[u8] = match task % 4 {
        0 => b"",
        1 => b"GET / HTTP/1.1\r\nhost: towers\r\nx-slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        _ => {
            tcp.write_all(b"POST /api/v1/records/check HTTP/1.1\r\nhost: towers\r\ncontent-type: text/plain\r\ncontent-length: 200000\r\n\r\n")
                .await?;
            b"towers-record 1\nruleset: crossfire\nfirst: Ada Lovelace\nsecond: Zoe\n"
        }
    };
    let writing = async {
        for byte in slowly {
            tcp.write_all(&[*byte]).await?;
            sleep(BYTE_EVERY).await;
        }
        sleep(SILENCE).await;
        tcp.read_u8().await?;
        anyhow::Ok(())
    };
    writing.await
}
