//! Finds the frames of a WebSocket in its byte stream. The message reader does not expose fragments or pongs, so that a
//! client could send both without limit, and once it has read a close frame it sends nothing but the answer to it.

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
use tungstenite::protocol::frame::coding::CloseCode;

use crate::net::limits::{QUIET_FRAMES, REFUSED, TokenBucket};

const FINAL: u8 = 0x80;
const RESERVED: u8 = 0x70;
const OPCODE: u8 = 0x0f;
const CLOSE: u8 = 0x08;
const PONG: u8 = 0x0a;
const MASKED: u8 = 0x80;
const LENGTH: u8 = 0x7f;
const MASK: usize = 4;

/// Maximum length of the payload of a control frame.
const CONTROL: u8 = 125;

/// Bytes of a close frame up to its status code.
const UP_TO_CODE: usize = 2 + MASK + 2;

/// The socket of a connection that was upgraded, whose frames are counted.
pub(super) type WebSocket = WebSocketStream<CountedFrames<TokioIo<Upgraded>>>;

/// More pongs or fragments than any honest client sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a flood of pongs or fragments")]
pub(crate) struct FrameFlood;

/// The client has sent a close frame, which is answered with this status code, if any: its own, or that of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the client closes the connection")]
pub(crate) struct Closing(pub(crate) Option<u16>);

/// A connection that fails with [`FrameFlood`] when too many quiet frames arrive: pongs, and all fragments of a message
/// but the last. All other frames are messages or pings, which the reader counts. It fails with [`Closing`] instead of
/// passing a close frame on, so that the answers to earlier messages can still be sent.
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

    /// Counts the quiet frames in received bytes. Returns the number of bytes before a close frame.
    fn count(&mut self, came: &[u8]) -> Result<usize, FrameFlood> {
        let Found { n_quiet, n_passed } = self.headers.find(came);
        let now = Instant::now();
        for _ in 0..n_quiet {
            self.bucket.take(now).or_else(|_| self.refused.take(now)).map_err(|_| FrameFlood)?;
        }
        Ok(n_passed)
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
        loop {
            if let Some(closing) = this.headers.closing() {
                return Poll::Ready(Err(io::Error::other(closing)));
            }
            ready!(Pin::new(&mut this.stream).poll_read(context, to))?;
            let came = &to.filled()[before..];
            let is_at_end = came.is_empty();
            let n_passed = this.count(came).map_err(io::Error::other)?;
            to.set_filled(before + n_passed);
            if n_passed > 0 || is_at_end {
                return Poll::Ready(Ok(()));
            }
        }
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
    /// The incomplete header: at most two bytes and a length of eight, or the beginning of a close frame.
    head: [u8; 10],
    n_head: usize,
    /// Bytes of mask and payload before the next header.
    n_skipped: u64,
    /// Whether the header is that of a close frame, the last frame.
    is_closing: bool,
}

/// The contents of a piece of the stream.
struct Found {
    /// Number of quiet frames whose headers end in it.
    n_quiet: u32,
    /// Number of bytes before a close frame.
    n_passed: usize,
}

impl Headers {
    fn find(&mut self, bytes: &[u8]) -> Found {
        let (mut rest, mut n_quiet) = (bytes, 0);
        while !self.is_closing {
            let here = usize::try_from(self.n_skipped).unwrap_or(usize::MAX).min(rest.len());
            self.n_skipped -= here as u64;
            rest = &rest[here..];
            let Some(&byte) = rest.first() else { break };
            if self.n_head == 0 && byte & OPCODE == CLOSE {
                self.is_closing = true;
                break;
            }
            rest = &rest[1..];
            self.head[self.n_head] = byte;
            self.n_head += 1;
            if let Some(header) = self.whole() {
                n_quiet += u32::from(header.is_quiet);
                self.n_skipped = header.n_followed_by;
                self.n_head = 0;
            }
        }
        let n_passed = bytes.len() - rest.len();
        let of_close = rest.iter().zip(&mut self.head[self.n_head..]);
        self.n_head += of_close.map(|(byte, place)| *place = *byte).count();
        Found { n_quiet, n_passed }
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
        Some(Header { is_quiet, n_followed_by: payload.saturating_add(mask as u64) })
    }

    /// Returns the answer to the client's close frame once its status code has arrived.
    fn closing(&self) -> Option<Closing> {
        if !self.is_closing || self.n_head < 2 {
            return None;
        }
        let [first, second, mask @ .., _, _, _, _] = self.head;
        let length = second & LENGTH;
        let is_valid = first & FINAL != 0
            && first & RESERVED == 0
            && second & MASKED != 0
            && length != 1
            && length <= CONTROL;
        if !is_valid {
            return Some(Closing(Some(CloseCode::Protocol.into())));
        }
        if length == 0 {
            return Some(Closing(None));
        }
        if self.n_head < UP_TO_CODE {
            return None;
        }
        let code = [self.head[6] ^ mask[0], self.head[7] ^ mask[1]];
        let code = CloseCode::from(u16::from_be_bytes(code));
        Some(Closing(Some(if code.is_allowed() { code } else { CloseCode::Protocol }.into())))
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
        ];
        let all: Vec<u8> = frames.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
        let expected: u32 = frames.iter().map(|(_, n_quiet)| n_quiet).sum();
        for piece in [1, 2, 3, 7, 13, 126, 1024, all.len()] {
            let mut headers = Headers::default();
            let found: u32 = all.chunks(piece).map(|piece| headers.find(piece).n_quiet).sum();
            assert_eq!(found, expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn a_length_without_end_is_skipped_and_no_frame_is_found_in_it() {
        let mut headers = Headers::default();
        headers.find(&[&[0x82, 0xff][..], &[0xff; 8]].concat());
        assert_eq!(headers.find(&[0x8a; 4096]).n_quiet, 0);
    }

    #[tokio::test]
    async fn the_stream_ends_at_a_close_frame_wherever_the_bytes_are_cut() {
        let text = masked(OpCode::Data(Data::Text), true, 5);
        let mask = [9, 8, 7, 6];
        let close = |first: u8, length: u8, code: u16| {
            let [high, low] = code.to_be_bytes();
            [&[first, MASKED | length][..], &mask, &[high ^ mask[0], low ^ mask[1]]].concat()
        };
        for (close, code) in [
            (close(0x88, 2, 1000), Some(1000)),
            (close(0x88, 30, 4321), Some(4321)),
            (close(0x88, 2, 1006), Some(1002)),
            (close(0x88, 1, 1000), Some(1002)),
            (close(0x88, 126, 1000), Some(1002)),
            (close(0x08, 2, 1000), Some(1002)),
            (close(0xc8, 2, 1000), Some(1002)),
            (vec![0x88, 0x02, 3, 232], Some(1002)),
            (close(0x88, 0, 0)[..6].to_vec(), None),
        ] {
            let bytes = [&text[..], &close, &text].concat();
            for piece in 1..bytes.len() {
                let (mut client, mut server) = connection();
                let mut received = Vec::new();
                let reading = server.read_to_end(&mut received);
                let writing = async {
                    for piece in bytes.chunks(piece) {
                        client.write_all(piece).await.unwrap();
                        tokio::task::yield_now().await;
                    }
                };
                let (read, ()) = tokio::join!(reading, writing);
                let error = read.unwrap_err();
                let closing = error.get_ref().and_then(|cause| cause.downcast_ref::<Closing>());
                assert_eq!(closing, Some(&Closing(code)), "{close:x?} in pieces of {piece}");
                assert_eq!(received, text, "{close:x?} in pieces of {piece}");
            }
        }
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
