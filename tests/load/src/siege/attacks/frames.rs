//! Floods of frames that are no messages: pongs, empty fragments, pings, and one-byte texts.

use std::{convert::Infallible, time::Duration};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::super::attacker::Attacker;

/// Number of connections, divided among the kinds of floods.
const CONNECTIONS: usize = 20;

/// Number of frames in one write.
const FRAMES: u64 = 1_000;

/// A frame whose payload is masked with zeros.
fn frame(opcode: u8, is_last: bool, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap_or(125).min(125);
    let mut frame = vec![opcode | if is_last { 0x80 } else { 0 }, 0x80 | length, 0, 0, 0, 0];
    frame.extend_from_slice(&payload[..usize::from(length)]);
    frame
}

/// A flood: the first frame, if any, and the one that is repeated.
fn flood(kind: usize) -> (Vec<u8>, Vec<u8>) {
    const CONTINUATION: u8 = 0x0;
    const TEXT: u8 = 0x1;
    const PING: u8 = 0x9;
    const PONG: u8 = 0xa;
    match kind % 5 {
        0 => (Vec::new(), frame(PONG, true, b"")),
        1 => (frame(TEXT, false, b"{"), frame(CONTINUATION, false, b"")),
        2 => (Vec::new(), frame(PING, true, b"p")),
        3 => (Vec::new(), frame(TEXT, true, b"1")),
        _ => (Vec::new(), frame(PONG, true, &[b'x'; 125])),
    }
}

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(CONNECTIONS).await;
    attacker.ready().await?;
    attacker
        .forever(CONNECTIONS, Duration::from_millis(50), move |attacker, task| {
            let guest = guests.get(task % guests.len().max(1)).cloned();
            async move {
                let Some(guest) = guest else { return Ok(()) };
                let (first, again) = flood(task);
                let socket = attacker.socket(&guest, &[]).await?;
                let (mut from, mut to) = socket.into_tcp().into_split();
                to.write_all(&first).await?;
                let piece = again.repeat(usize::try_from(FRAMES)?);
                let writing = async {
                    loop {
                        to.write_all(&piece).await?;
                        attacker.tally.send(FRAMES);
                    }
                };
                let reading = async move {
                    let mut buffer = vec![0; 16 * 1024];
                    let mut last = Vec::new();
                    loop {
                        let count = from.read(&mut buffer).await?;
                        anyhow::ensure!(count > 0, "closed{}", close_code(&last));
                        last = buffer[..count].to_vec();
                    }
                };
                tokio::select! { ended = writing => ended, ended = reading => ended }
            }
        })
        .await
}

/// The code of the close frame at the end of `read`, if there is one.
fn close_code(read: &[u8]) -> String {
    let close = read.windows(4).rposition(|window| window[0] == 0x88 && (0x0f..=0x10).contains(&window[2]));
    close.map_or_else(String::new, |at| format!(" {}", u16::from_be_bytes([read[at + 2], read[at + 3]])))
}
