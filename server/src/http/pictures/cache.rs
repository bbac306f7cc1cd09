//! Drawn pictures, kept for the next client that asks for the same ones.

use std::{collections::HashMap, sync::Arc};

use bytes::Bytes;
use parking_lot::Mutex;

use crate::{deflate::Gzipped, net::limits::PICTURE_BYTES};

/// Fraction of the limit that one eviction frees, so that not every further picture has to search all others.
const FREED_AT_ONCE: usize = 8;

/// Fraction of the limit that one picture may have. All animations fit, since none may be drawn again for each request;
/// an address cannot ask for enough of them to displace everything else quickly.
const LARGEST_PART: usize = 8;

/// Digest of everything that a picture depends on.
pub(super) type Digest = [u8; 32];

/// A picture as it is sent.
#[derive(Clone, Debug)]
pub(super) enum Drawn {
    Text(Gzipped),
    /// Bytes of a format that is compressed already.
    Pixels(Bytes),
}

impl Drawn {
    fn n_bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.n_bytes(),
            Self::Pixels(bytes) => bytes.len(),
        }
    }
}

/// The most recently requested pictures, of at most [`PICTURE_BYTES`].
#[derive(Clone, Debug)]
pub(in crate::http) struct Pictures(Arc<Mutex<Cache>>);

impl Default for Pictures {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Cache::new(PICTURE_BYTES))))
    }
}

impl Pictures {
    pub(super) fn find(&self, digest: &Digest) -> Option<Drawn> {
        self.0.lock().find(digest)
    }

    pub(super) fn keep(&self, digest: Digest, drawn: Drawn) {
        self.0.lock().keep(digest, drawn);
    }
}

#[derive(Debug)]
struct Cache {
    pictures: HashMap<Digest, Entry>,
    limit: usize,
    /// Total bytes of the pictures.
    n_bytes: usize,
    /// Number of requests so far.
    n_asked: u64,
}

#[derive(Debug)]
struct Entry {
    drawn: Drawn,
    /// Value of the request counter at the last request.
    asked: u64,
}

impl Cache {
    fn new(limit: usize) -> Self {
        Self { pictures: HashMap::new(), limit, n_bytes: 0, n_asked: 0 }
    }

    fn find(&mut self, digest: &Digest) -> Option<Drawn> {
        self.n_asked += 1;
        let entry = self.pictures.get_mut(digest)?;
        entry.asked = self.n_asked;
        Some(entry.drawn.clone())
    }

    /// Keeps a picture, unless it would displace too many others.
    fn keep(&mut self, digest: Digest, drawn: Drawn) {
        if drawn.n_bytes() > self.limit / LARGEST_PART {
            return;
        }
        self.n_bytes += drawn.n_bytes();
        let older = self.pictures.insert(digest, Entry { drawn, asked: self.n_asked });
        self.n_bytes -= older.map_or(0, |older| older.drawn.n_bytes());
        if self.n_bytes > self.limit {
            self.shrink();
        }
    }

    /// Removes the least recently requested pictures.
    fn shrink(&mut self) {
        let mut by_use: Vec<(u64, Digest)> =
            self.pictures.iter().map(|(digest, entry)| (entry.asked, *digest)).collect();
        by_use.sort_unstable();
        for (_, digest) in by_use {
            if self.n_bytes <= self.limit - self.limit / FREED_AT_ONCE {
                break;
            }
            let gone = self.pictures.remove(&digest);
            self.n_bytes -= gone.map_or(0, |gone| gone.drawn.n_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::Ruleset;
    use pictures::{Scene, Theme};

    use super::*;

    fn of(n_bytes: usize) -> Drawn {
        Drawn::Pixels(vec![0; n_bytes].into())
    }

    #[test]
    fn the_least_recently_requested_pictures_go_first_and_the_bytes_are_bounded() {
        let mut cache = Cache::new(10_000);
        cache.keep([0; 32], of(100));
        for n in 1..=200 {
            cache.keep([n; 32], of(100));
            assert!(cache.find(&[0; 32]).is_some(), "it is requested again and again");
            assert!(cache.n_bytes <= 10_000, "{}", cache.n_bytes);
        }
        assert!(cache.find(&[1; 32]).is_none() && cache.find(&[200; 32]).is_some());
        cache.keep([200; 32], of(10));
        let sum: usize = cache.pictures.values().map(|entry| entry.drawn.n_bytes()).sum();
        assert_eq!(cache.n_bytes, sum);
    }

    #[test]
    fn an_animation_of_the_most_and_the_largest_frames_is_kept() {
        let positions = [
            "CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc 1 1 1/1",
            "6/7/8/3SS4/2PScS2p1/3PSS1p3/1PPP3pp1/P5p2/5p2/5s1/s1ssss 1 15 5/6",
        ];
        let scene = |position| Scene { ruleset: Ruleset::Fibonacci, position, steps: &[], threats: None };
        let n_bytes = |scenes: &[Scene<'_>]| pictures::gif(scenes, Theme::Light).unwrap().len();
        let [one, two] = [n_bytes(&[scene(positions[0])]), n_bytes(&positions.map(scene))];
        // A frame of a whole board, however much of it has changed.
        let largest = one.max(two - one) * pictures::MAX_FRAMES;
        assert!(largest > 1024 * 1024, "{largest}");
        let mut cache = Cache::new(PICTURE_BYTES);
        cache.keep([1; 32], of(largest));
        assert!(cache.find(&[1; 32]).is_some(), "{largest}");
    }

    #[test]
    fn a_large_picture_displaces_no_other() {
        let mut cache = Cache::new(10_000);
        cache.keep([1; 32], of(100));
        cache.keep([2; 32], of(10_000));
        assert!(cache.find(&[1; 32]).is_some() && cache.find(&[2; 32]).is_none());
    }
}
