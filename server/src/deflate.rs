//! Compressed texts, as the bodies of answers.

use std::io::{Read, Write};

use bytes::Bytes;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};

/// Compression level of zlib: the last before the time for a list of events grows faster than its size shrinks. A turn
/// of 1,300 bytes takes 4 µs and 140 bytes.
const LEVEL: u32 = 3;

/// A text as a body with `Content-Encoding: gzip`. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Gzipped {
    body: Bytes,
    n_plain: usize,
}

impl Gzipped {
    /// Compresses a text.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut encoder = GzEncoder::new(Vec::with_capacity(text.len() / 4 + 64), Compression::new(LEVEL));
        let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
        let body = written.expect("writing to memory does not fail").into();
        Self { body, n_plain: text.len() }
    }

    /// The body.
    pub(crate) fn body(&self) -> Bytes {
        self.body.clone()
    }

    /// Bytes of the text.
    pub(crate) const fn n_plain(&self) -> usize {
        self.n_plain
    }

    /// Bytes of memory that the body takes.
    pub(crate) const fn n_bytes(&self) -> usize {
        self.body.len()
    }

    /// The text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::with_capacity(self.n_plain);
        GzDecoder::new(&self.body[..]).read_to_string(&mut text).expect("text compressed here decompresses");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compressed_text_is_short_and_decompresses_to_itself() {
        for text in [String::new(), "é".to_owned(), "b7-c7 ".repeat(10_000)] {
            let gzipped = Gzipped::of_text(&text);
            assert_eq!((gzipped.text(), gzipped.n_plain()), (text.clone(), text.len()));
            assert!(gzipped.n_bytes() < 1_000, "{}", gzipped.n_bytes());
        }
    }
}
