//! Counts the frames of a WebSocket in its byte stream. The message reader does not expose fragments or pongs, so that
//! a client could send both without limit.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Instant,
};
use tokio_tungstenite::WebSocketStream;

use crate::net::limits::{QUIET_FRAMES, REFUSED, TokenBucket};

const FINAL: u8 = 0x80;
const OPCODE: u8 = 0x0f;
const PONG: u8 = 0x0a;
const MASKED: u8 = 0x80;
const LENGTH: u8 = 0x7f;
const MASK: u64 = 4;

/// The socket of a connection that was upgraded, whose frames are counted.
pub(super) type WebSocket = WebSocketStream<CountedFrames<TokioIo<Upgraded>>>;

/// More pongs or fragments than any honest client sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a flood of pongs or fragments")]
pub(crate) struct FrameFlood;

/// A connection that fails with [`FrameFlood`] when too many quiet frames arrive: pongs, and all fragments of a message
/// but the last. All other frames are messages or pings, which the reader counts.
#[derive(Debug)]
pub(crate) struct CountedFrames<S> {
    stream: S,
    headers: Headers,
    bucket: TokenBucket,
    /// Limit for quiet frames beyond the rate.
    refused: TokenBucket,
}

impl<S> CountedFrames<S> {
    /// Counts from the first byte of the WebSocket in `stream`.
    pub(crate) fn new(stream: S) -> Self {
        let now = Instant::now();
        let (bucket, refused) = (TokenBucket::new(QUIET_FRAMES, now), TokenBucket::new(REFUSED, now));
        Self { stream, headers: Headers::default(), bucket, refused }
    }

    /// Returns the connection, uncounted from now on.
    pub(crate) fn into_inner(self) -> S {
        self.stream
    }

    fn count(&mut self, came: &[u8]) -> Result<(), FrameFlood> {
        let n_quiet = self.headers.count_quiet(came);
        let now = Instant::now();
        for _ in 0..n_quiet {
            self.bucket.take(now).or_else(|_| self.refused.take(now)).map_err(|_| FrameFlood)?;
        }
        Ok(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for CountedFrames<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = to.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(context, to))?;
        Poll::Ready(this.count(&to.filled()[before..]).map_err(io::Error::other))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for CountedFrames<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

/// Finds frame headers (RFC 6455, section 5.2) in bytes that arrive in arbitrary pieces.
#[derive(Debug, Default)]
struct Headers {
    /// The incomplete header: at most two bytes and a length of eight.
    head: [u8; 10],
    n_head: usize,
    /// Bytes of mask and payload before the next header.
    n_skipped: u64,
}

impl Headers {
    /// Counts the quiet frames whose headers end in these bytes.
    fn count_quiet(&mut self, mut bytes: &[u8]) -> u32 {
        let mut n_quiet = 0;
        loop {
            let here = usize::try_from(self.n_skipped).unwrap_or(usize::MAX).min(bytes.len());
            self.n_skipped -= here as u64;
            bytes = &bytes[here..];
            let Some((&byte, rest)) = bytes.split_first() else { return n_quiet };
            bytes = rest;
            self.head[self.n_head] = byte;
            self.n_head += 1;
            if let Some(header) = self.whole() {
                n_quiet += u32::from(header.is_quiet);
                self.n_skipped = header.n_followed_by;
                self.n_head = 0;
            }
        }
    }

    /// Returns the header once it is complete.
    fn whole(&self) -> Option<Header> {
        let [first, second, ..] = self.head;
        let n_extended = match second & LENGTH {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        if self.n_head < 2 + n_extended {
            return None;
        }
        let extended = &self.head[2..2 + n_extended];
        let payload = match n_extended {
            0 => u64::from(second & LENGTH),
            _ => extended.iter().fold(0, |length, byte| length << 8 | u64::from(*byte)),
        };
        let mask = if second & MASKED == 0 { 0 } else { MASK };
        let is_quiet = first & OPCODE == PONG || first & FINAL == 0;
        Some(Header { is_quiet, n_followed_by: payload.saturating_add(mask) })
    }
}

struct Header {
    is_quiet: bool,
    n_followed_by: u64,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
        time::advance,
    };
    use tungstenite::protocol::frame::{
        Frame, FrameHeader,
        coding::{Control, Data, OpCode},
    };

    use super::*;

    /// Returns the bytes of a frame as a client sends it.
    fn masked(opcode: OpCode, is_final: bool, length: usize) -> Vec<u8> {
        let header = FrameHeader { is_final, opcode, mask: Some([1, 2, 3, 4]), ..FrameHeader::default() };
        let mut bytes = Vec::new();
        Frame::from_payload(header, vec![7; length].into()).format(&mut bytes).unwrap();
        bytes
    }

    fn pong() -> Vec<u8> {
        masked(OpCode::Control(Control::Pong), true, 8)
    }

    fn connection() -> (DuplexStream, CountedFrames<DuplexStream>) {
        let (client, server) = duplex(1 << 20);
        (client, CountedFrames::new(server))
    }

    /// Whether these bytes are accepted.
    async fn is_taken(
        client: &mut DuplexStream,
        server: &mut CountedFrames<DuplexStream>,
        bytes: &[u8],
    ) -> bool {
        client.write_all(bytes).await.unwrap();
        let mut room = vec![0; bytes.len()];
        match server.read_exact(&mut room).await {
            Ok(_) => true,
            Err(error) => {
                assert!(error.get_ref().is_some_and(|cause| cause.is::<FrameFlood>()), "{error}");
                false
            }
        }
    }

    #[test]
    fn quiet_frames_are_found_wherever_the_bytes_are_cut() {
        let text = |is_final, length| masked(OpCode::Data(Data::Text), is_final, length);
        let rest = |is_final, length| masked(OpCode::Data(Data::Continue), is_final, length);
        let frames = [
            (text(true, 5), 0),
            (pong(), 1),
            (text(false, 125), 1),
            (rest(false, 126), 1),
            (masked(OpCode::Control(Control::Ping), true, 0), 0),
            (rest(false, 0), 1),
            (rest(true, 65_536), 0),
            (masked(OpCode::Data(Data::Binary), true, 65_535), 0),
            (pong(), 1),
            (masked(OpCode::Control(Control::Close), true, 2), 0),
        ];
        let all: Vec<u8> = frames.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
        let expected: u32 = frames.iter().map(|(_, n_quiet)| n_quiet).sum();
        for piece in [1, 2, 3, 7, 13, 126, 1024, all.len()] {
            let mut headers = Headers::default();
            let found: u32 = all.chunks(piece).map(|piece| headers.count_quiet(piece)).sum();
            assert_eq!(found, expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn a_length_without_end_is_skipped_and_no_frame_is_found_in_it() {
        let mut headers = Headers::default();
        headers.count_quiet(&[&[0x82, 0xff][..], &[0xff; 8]].concat());
        assert_eq!(headers.count_quiet(&[0x8a; 4096]), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_of_pongs_or_of_empty_fragments_ends_the_connection() {
        let begun = masked(OpCode::Data(Data::Text), false, 0);
        for flood in [pong(), masked(OpCode::Data(Data::Continue), false, 0)] {
            let (mut client, mut server) = connection();
            assert!(is_taken(&mut client, &mut server, &begun).await);
            for _ in 1..QUIET_FRAMES.burst + REFUSED.burst {
                assert!(is_taken(&mut client, &mut server, &flood).await);
            }
            assert!(!is_taken(&mut client, &mut server, &flood).await);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn pongs_and_occasional_fragments_are_never_stopped() {
        let (mut client, mut server) = connection();
        let begun = masked(OpCode::Data(Data::Text), false, 100);
        let ended = masked(OpCode::Data(Data::Continue), true, 100);
        for _ in 0..2_000 {
            advance(Duration::from_secs(1)).await;
            for bytes in [&pong(), &begun, &ended] {
                assert!(is_taken(&mut client, &mut server, bytes).await);
            }
        }
    }
}
