//! Compressed texts, in pieces that are concatenated to the body of an answer without recompression.

use std::{cell::RefCell, io::Read};

use bytes::Bytes;
use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress, read::GzDecoder};

/// Compression level of zlib: the last before the time for a list of events grows faster than its size shrinks. A turn
/// of 1,300 bytes takes 4 µs and 140 bytes.
const LEVEL: u32 = 3;

/// The beginning of a body with `Content-Encoding: gzip` (RFC 1952): no name, no time, an unknown system.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// The final block of any stream of RFC 1951: an empty one, marked as the last.
const LAST_BLOCK: [u8; 2] = [3, 0];

thread_local! {
    /// The thread's compressor, reused because each new one allocates and clears 256 KiB.
    static COMPRESSOR: RefCell<Compress> = RefCell::new(Compress::new(Compression::new(LEVEL), false));
}

/// A compressed text. It does not refer to earlier text and ends at a byte boundary, so that concatenated pieces are
/// the compressed whole.
#[derive(Debug)]
pub(crate) struct Piece {
    /// Blocks of RFC 1951, none of them marked as the last.
    deflated: Box<[u8]>,
    plain: Crc,
}

impl Piece {
    /// Compresses a text.
    pub(crate) fn of(plain: &str) -> Self {
        let deflated = COMPRESSOR.with_borrow_mut(|compress| deflate(compress, plain.as_bytes()));
        let mut crc = Crc::new();
        crc.update(plain.as_bytes());
        Self { deflated: deflated.into(), plain: crc }
    }

    /// Bytes of the text.
    pub(crate) fn n_plain(&self) -> usize {
        self.plain.amount() as usize
    }

    /// Bytes of memory that the piece takes.
    pub(crate) fn n_bytes(&self) -> usize {
        size_of::<Self>() + self.deflated.len()
    }

    /// The text.
    pub(crate) fn text(&self) -> String {
        // One byte more, so that decompression is never cut short by a full buffer.
        let mut plain = Vec::with_capacity(self.n_plain() + 1);
        Decompress::new(false)
            .decompress_vec(&self.deflated, &mut plain, FlushDecompress::Sync)
            .expect("text compressed here decompresses");
        String::from_utf8(plain).expect("it was a text")
    }
}

/// Compresses data into blocks of RFC 1951, none of them marked as the last.
fn deflate(compress: &mut Compress, plain: &[u8]) -> Vec<u8> {
    compress.reset();
    let mut deflated = Vec::with_capacity(plain.len() / 4 + 64);
    loop {
        let rest = &plain[usize::try_from(compress.total_in()).unwrap_or(plain.len())..];
        compress
            .compress_vec(rest, &mut deflated, FlushCompress::Sync)
            .expect("a stream that is not finished takes more");
        // There may be more output if all of the buffer was used.
        if deflated.len() < deflated.capacity() {
            return deflated;
        }
        deflated.reserve(deflated.len());
    }
}

/// A text as a body with `Content-Encoding: gzip`. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Gzipped {
    body: Bytes,
    n_plain: usize,
}

impl Gzipped {
    /// Concatenates the texts of all pieces.
    pub(crate) fn of<'p>(pieces: impl Iterator<Item = &'p Piece> + Clone) -> Self {
        let n_deflated: usize = pieces.clone().map(|piece| piece.deflated.len()).sum();
        let mut body = Vec::with_capacity(GZIP_HEADER.len() + n_deflated + LAST_BLOCK.len() + 8);
        body.extend(GZIP_HEADER);
        let mut plain = Crc::new();
        for piece in pieces {
            body.extend(&piece.deflated);
            plain.combine(&piece.plain);
        }
        body.extend(LAST_BLOCK);
        body.extend(plain.sum().to_le_bytes());
        body.extend(plain.amount().to_le_bytes());
        Self { body: body.into(), n_plain: plain.amount() as usize }
    }

    /// Compresses a whole text.
    pub(crate) fn of_text(text: &str) -> Self {
        Self::of([Piece::of(text)].iter())
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
    use rand::{RngExt, SeedableRng, distr::Alphanumeric, rngs::StdRng};

    use super::*;

    #[test]
    fn concatenated_pieces_are_the_compressed_whole_and_each_decompresses_to_its_text() {
        let mut chance = StdRng::seed_from_u64(7);
        for _ in 0..50 {
            let texts: Vec<String> = (0..chance.random_range(0..6))
                .map(|_| {
                    let (n_chars, times) = (chance.random_range(0..3_000), chance.random_range(0..40));
                    let noise = |chance: &mut StdRng| char::from(chance.sample(Alphanumeric));
                    let text: String = (0..n_chars).map(|_| noise(&mut chance)).collect();
                    text.repeat(times) + "é"
                })
                .collect();
            let pieces: Vec<Piece> = texts.iter().map(|text| Piece::of(text)).collect();
            for (piece, text) in pieces.iter().zip(&texts) {
                assert_eq!((piece.text(), piece.n_plain()), (text.clone(), text.len()));
            }
            let whole = Gzipped::of(pieces.iter());
            assert_eq!((whole.text(), whole.n_plain()), (texts.concat(), texts.concat().len()));
        }
    }
}
