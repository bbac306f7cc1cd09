//! The log of a game as its readers are sent it: plain text, so that an excerpt is a copy.

use game::ids::{PlayerId, Version};
use protocol::{CompactEvent, EventKind, LastTurn, Player};

/// Fraction of the text that is reserved for later events when it is full. Doubling would waste more than the copies
/// cost.
const SPARE: usize = 8;

/// The encoded events of a game.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The events, with a comma between them.
    text: String,
    /// The end of each event in the text, the comma left out.
    ends: Vec<u32>,
    /// The times of the last event, if it is a turn.
    last: Option<LastTurn>,
}

impl Log {
    /// Appends an event.
    pub(super) fn push(&mut self, event: &CompactEvent) {
        self.last = event.last_turn();
        self.push_text(&serde_json::to_string(event).expect("events have string keys only"));
    }

    /// Gives a player of the game a new name in all events.
    pub(super) fn rename(&mut self, id: PlayerId, player: &Player) {
        let (text, last) = (id.to_string(), self.last);
        let mut renamed = Self::default();
        for version in 1..=self.ends.len() {
            let version = Version::new(u32::try_from(version).expect("its text is shorter than 4 GiB"));
            let event = self.excerpt(Version::new(version.get() - 1), version);
            match event.contains(&text).then(|| serde_json::from_str(event)) {
                Some(Ok(mut event)) => {
                    rename(&mut event, id, player);
                    renamed.push(&event);
                }
                Some(Err(_)) | None => renamed.push_text(event),
            }
        }
        *self = Self { last, ..renamed };
    }

    fn push_text(&mut self, event: &str) {
        let n_more = event.len() + 1;
        if self.text.capacity() - self.text.len() < n_more {
            self.text.reserve_exact(n_more.max(self.text.len() / SPARE));
        }
        if !self.ends.is_empty() {
            self.text.push(',');
        }
        self.text.push_str(event);
        if self.ends.len() == self.ends.capacity() {
            self.ends.reserve_exact(4 + self.ends.len() / SPARE);
        }
        self.ends.push(u32::try_from(self.text.len()).expect("a log is shorter than 4 GiB"));
    }

    /// Returns the events after `from` up to `to`, with a comma between them.
    pub(super) fn excerpt(&self, from: Version, to: Version) -> &str {
        if from >= to {
            return "";
        }
        // The comma after the event of `from` is left out.
        let start = if from == Version::NONE { 0 } else { self.end_of(from) + 1 };
        self.text.get(start..self.end_of(to)).unwrap_or_default()
    }

    /// The end of the event of a version.
    fn end_of(&self, version: Version) -> usize {
        let index = (version.get() as usize).saturating_sub(1);
        self.ends.get(index).map_or(self.text.len(), |end| *end as usize)
    }

    /// Returns the times of the event of a version, if it is a turn. Only that of an earlier event is read from the text.
    pub(super) fn turn_at(&self, version: Version) -> Option<LastTurn> {
        if version.get() as usize == self.ends.len() {
            return self.last;
        }
        let before = Version::new(version.get().checked_sub(1)?);
        serde_json::from_str::<CompactEvent>(self.excerpt(before, version)).ok()?.last_turn()
    }

    /// Bytes of memory that the log takes.
    pub(super) fn n_bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<u32>()
    }
}

/// Gives a player a new name in an event.
fn rename(event: &mut CompactEvent, id: PlayerId, new: &Player) {
    let CompactEvent::Other(other) = event else { return };
    let players = match &mut other.event.what {
        EventKind::Created { creator, .. } => vec![creator],
        EventKind::Started { seats } => vec![&mut seats.first, &mut seats.second],
        _ => return,
    };
    players.into_iter().filter(|player| player.id == id).for_each(|player| player.clone_from(new));
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    use super::*;

    #[test]
    fn any_part_of_a_log_is_read_as_it_was_written_and_little_memory_is_spare() {
        let mut chance = StdRng::seed_from_u64(3);
        for _ in 0..20 {
            let (mut log, mut all) = (Log::default(), Vec::new());
            for version in 1..=chance.random_range(1..400) {
                let event =
                    format!(r#"{{"version":{version},"x":"{}"}}"#, "[,]".repeat(chance.random_range(0..60)));
                log.push_text(&event);
                all.push(event);
            }
            for _ in 0..50 {
                let from = chance.random_range(0..=all.len());
                let to = chance.random_range(from..=all.len());
                let [first, last] = [from, to].map(|version| Version::new(version as u32));
                assert_eq!(log.excerpt(first, last), all[from..to].join(","));
            }
            let n_used = log.text.len() + log.ends.len() * size_of::<u32>();
            assert!((n_used..=n_used + n_used / SPARE + 256).contains(&log.n_bytes()), "{}", log.n_bytes());
        }
    }
}
