//! The log of a game in the form in which readers with the engine are sent it. All others are sent events that are made
//! of it when they need them.

use std::{ops::Range, sync::Arc};

use game::ids::Version;
use protocol::{LastTurn, ThinEvent};
use serde_json::value::RawValue;

use crate::deflate::Piece;

/// Bytes of plain events at the end of a log before they are compressed together. More of them compress better and take
/// more memory; a game of forty turns stays below.
const PLAIN_BYTES: usize = 8 * 1024;

/// The encoded events of a game, the early ones compressed.
#[derive(Debug)]
pub(super) struct WrittenLog {
    blocks: Vec<Block>,
    /// The events behind those of `blocks`.
    recent: Vec<Arc<str>>,
    /// Bytes of `recent`.
    n_recent: usize,
    /// Number of the last events that stay plain, since delayed spectators have not been sent them yet.
    n_kept: usize,
}

/// Events compressed together.
#[derive(Debug)]
struct Block {
    /// The events, each preceded by a comma except the first of the log.
    text: Arc<Piece>,
    /// The version of the last one.
    last: Version,
}

impl WrittenLog {
    /// Returns an empty log whose last `n_kept` events stay plain.
    pub(super) const fn new(n_kept: usize) -> Self {
        Self { blocks: Vec::new(), recent: Vec::new(), n_recent: 0, n_kept }
    }

    /// The number of events that are compressed.
    fn n_compressed(&self) -> u32 {
        self.blocks.last().map_or(0, |block| block.last.get())
    }

    /// Appends an event. Compresses the early ones when enough plain ones have accumulated.
    pub(super) fn push(&mut self, event: &ThinEvent) {
        self.push_text(serde_json::to_string(event).expect("events have string keys only").into());
    }

    fn push_text(&mut self, event: Arc<str>) {
        if self.n_recent >= PLAIN_BYTES {
            self.compress_all_but(self.n_kept);
        }
        self.n_recent += event.len();
        self.recent.push(event);
    }

    /// Compresses all events that need not stay plain: most logs that are loaded again do not grow much.
    pub(super) fn compress(&mut self) {
        self.compress_all_but(self.n_kept);
        self.recent.shrink_to_fit();
        self.blocks.shrink_to_fit();
    }

    /// Compresses all events of a game that is over.
    pub(super) fn compress_all(&mut self) {
        self.n_kept = 0;
        self.compress();
    }

    fn compress_all_but(&mut self, n_kept: usize) {
        let n_early = self.recent.len().saturating_sub(n_kept);
        if n_early == 0 {
            return;
        }
        let last = Version::new(self.n_compressed() + u32::try_from(n_early).unwrap_or(u32::MAX));
        let text = joined(self.blocks.is_empty(), &self.recent[..n_early]);
        self.blocks.push(Block { text: Arc::new(Piece::of(&text)), last });
        self.recent.drain(..n_early);
        self.n_recent = self.recent.iter().map(|event| event.len()).sum();
    }

    /// Returns the events up to `shown` that a reader lacks, and whether these are all, since the reader has none or an
    /// unknown version.
    pub(super) fn after(&self, known: Version, shown: Version) -> (bool, Excerpt) {
        let from_the_start = known == Version::NONE || known > shown;
        (from_the_start, self.excerpt(if from_the_start { Version::NONE } else { known }, shown))
    }

    /// Returns the events behind `from`, up to `to`.
    pub(super) fn excerpt(&self, from: Version, to: Version) -> Excerpt {
        let (from, to) = (from.get(), to.get());
        let mut blocks = Vec::new();
        let mut first = 0;
        for Block { text, last } in &self.blocks {
            let last = last.get();
            if from < last && first < to {
                let wanted = (from.max(first) - first) as usize..(to.min(last) - first) as usize;
                blocks.push(Cut { text: text.clone(), n_events: (last - first) as usize, wanted });
            }
            first = last;
        }
        let recent = |version: u32| (version.max(first) - first) as usize;
        let recent = self.recent.get(recent(from)..recent(to)).unwrap_or_default().to_vec();
        Excerpt { blocks, recent }
    }

    /// Bytes of memory that the log takes.
    pub(super) fn n_bytes(&self) -> usize {
        // An event has two counters before it, and a pointer to it.
        let recent = self.n_recent + self.recent.len() * 2 * size_of::<usize>();
        let rest = self.recent.capacity() * size_of::<Arc<str>>();
        let blocks: usize = self.blocks.iter().map(|block| block.text.n_bytes()).sum();
        blocks + self.blocks.capacity() * size_of::<Version>() + recent + rest
    }
}

/// A part of a log. Taking it is cheap, however long it is; its text may be built on another thread.
#[derive(Debug, Default)]
pub(super) struct Excerpt {
    blocks: Vec<Cut>,
    /// The events behind those of `blocks`.
    recent: Vec<Arc<str>>,
}

/// A part of a block.
#[derive(Debug)]
struct Cut {
    text: Arc<Piece>,
    /// The number of events in the block.
    n_events: usize,
    /// The wanted events, counted from 0.
    wanted: Range<usize>,
}

impl Excerpt {
    /// The number of events.
    pub(super) fn len(&self) -> usize {
        self.blocks.iter().map(|cut| cut.wanted.len()).sum::<usize>() + self.recent.len()
    }

    /// Returns the last event, if it is a turn, and plain. The last ones of a game are plain.
    pub(super) fn last_turn(&self) -> Option<LastTurn> {
        serde_json::from_str::<ThinEvent>(self.recent.last()?).ok()?.last_turn()
    }

    /// Returns the events.
    pub(super) fn events(&self) -> Vec<ThinEvent> {
        serde_json::from_str(&format!("[{}]", self.text())).expect("it is a list of events")
    }

    /// Bytes to decompress for the text.
    pub(super) fn n_compressed(&self) -> usize {
        self.blocks.iter().map(|cut| cut.text.n_plain()).sum()
    }

    /// Returns the events as a list without brackets. Only blocks that are cut are parsed: those at the ends.
    pub(super) fn text(&self) -> String {
        let n_recent: usize = self.recent.iter().map(|event| event.len() + 1).sum();
        let mut list = String::with_capacity(self.n_compressed() + n_recent);
        let mut add = |events: &str| {
            if !list.is_empty() {
                list.push(',');
            }
            list.push_str(events);
        };
        for Cut { text, n_events, wanted } in &self.blocks {
            let text = text.text();
            let events = text.strip_prefix(',').unwrap_or(&text);
            if *wanted == (0..*n_events) {
                add(events);
                continue;
            }
            let events = format!("[{events}]");
            let events: Vec<&RawValue> = serde_json::from_str(&events).expect("it is a list of events");
            events[wanted.clone()].iter().for_each(|event| add(event.get()));
        }
        self.recent.iter().for_each(|event| add(event));
        list
    }
}

/// Joins events with a comma before each; the first of a log has none.
fn joined(are_first: bool, events: &[Arc<str>]) -> String {
    let mut text = String::with_capacity(events.iter().map(|event| event.len() + 1).sum());
    for (index, event) in events.iter().enumerate() {
        if index > 0 || !are_first {
            text.push(',');
        }
        text.push_str(event);
    }
    text
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    use super::*;

    fn event(version: u32, n_bytes: usize) -> Arc<str> {
        format!(r#"{{"version":{version},"x":"{}"}}"#, "[,]".repeat(n_bytes / 3)).into()
    }

    #[test]
    fn any_part_of_a_log_is_read_as_it_was_written() {
        let mut chance = StdRng::seed_from_u64(3);
        for n_kept in [0, 0, 1, 40] {
            let (mut log, mut all) = (WrittenLog::new(n_kept), Vec::new());
            for version in 1..=chance.random_range(1..400) {
                let event = event(version, chance.random_range(0..1_000));
                log.push_text(event.clone());
                all.push(event);
                if chance.random_ratio(1, 100) {
                    log.compress();
                }
                assert!(log.recent.len() >= all.len().min(n_kept), "they are sent as they are");
                assert!(n_kept > 0 || log.n_recent < PLAIN_BYTES + 1_100);
            }
            assert_eq!(log.n_compressed() as usize + log.recent.len(), all.len());
            for _ in 0..50 {
                let from = chance.random_range(0..=all.len());
                let to = chance.random_range(from..=all.len());
                let [first, last] = [from, to].map(|version| Version::new(version as u32));
                let excerpt = log.excerpt(first, last);
                assert_eq!(excerpt.text(), all[from..to].join(","));
                assert_eq!(excerpt.len(), to - from);
            }
        }
    }

    #[test]
    fn a_log_takes_the_bytes_that_it_says_and_few_once_it_is_compressed() {
        let mut log = WrittenLog::new(0);
        for version in 1..=8 {
            log.push_text(event(version, 1_000));
        }
        let plain = log.n_bytes();
        assert!((8_000..10_000).contains(&plain), "{plain}");
        log.compress();
        assert!(log.n_bytes() < 1_000, "{}", log.n_bytes());
    }
}
