//! The log of a game as its readers are sent it: plain text, so that an excerpt is a copy.

use game::{
    Event, Seats,
    ids::{PlayerId, Version},
};
use protocol::{CompactEvent, EventKind, LastTurn, Names};

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
    /// The players whom events mention, by version. The text has no ids of those who are deleted.
    mentioned: Vec<(Version, Mentioned)>,
}

/// The players whom an event mentions.
#[derive(Clone, Copy, Debug)]
enum Mentioned {
    Creator(PlayerId, Option<PlayerId>),
    Seats(Seats),
}

impl Mentioned {
    fn by(event: &Event) -> Option<Self> {
        match event {
            Event::Created { creator, challenged, .. } => Some(Self::Creator(*creator, *challenged)),
            Event::Started { seats, .. } => Some(Self::Seats(*seats)),
            _ => None,
        }
    }

    fn include(&self, id: PlayerId) -> bool {
        match self {
            Self::Creator(creator, challenged) => *creator == id || *challenged == Some(id),
            Self::Seats(seats) => [seats.first, seats.second].contains(&id),
        }
    }

    /// Shows the players in the event.
    fn show(&self, event: &mut CompactEvent, names: &impl Names) {
        let CompactEvent::Other(other) = event else { return };
        match (self, &mut other.event.what) {
            (
                Self::Creator(creator, challenged),
                EventKind::Created { creator: shown, challenged: shown_challenged, .. },
            ) => {
                *shown = names.player(*creator);
                *shown_challenged = challenged.map(|player| names.player(player));
            }
            (Self::Seats(seats), EventKind::Started { seats: shown }) => *shown = names.seats(seats),
            _ => {}
        }
    }
}

fn encoded(event: &CompactEvent) -> String {
    serde_json::to_string(event).expect("events have string keys only")
}

impl Log {
    /// Appends an event.
    pub(super) fn push(&mut self, event: &CompactEvent, recorded: &Event) {
        self.last = event.last_turn();
        self.push_text(&encoded(event));
        let version = Version::new(u32::try_from(self.ends.len()).expect("its text is shorter than 4 GiB"));
        self.mentioned.extend(Mentioned::by(recorded).map(|players| (version, players)));
    }

    /// Shows a player of the game anew in all events.
    pub(super) fn rename(&mut self, id: PlayerId, names: &impl Names) {
        let mut renamed = Self::default();
        for version in 1..=self.ends.len() {
            let version = Version::new(u32::try_from(version).expect("its text is shorter than 4 GiB"));
            let event = self.excerpt(Version::new(version.get() - 1), version);
            let mentioned = self.mentioned.iter().find(|(of, players)| *of == version && players.include(id));
            match mentioned.map(|(_, players)| (players, serde_json::from_str(event))) {
                Some((players, Ok(mut event))) => {
                    players.show(&mut event, names);
                    renamed.push_text(&encoded(&event));
                }
                Some((_, Err(_))) | None => renamed.push_text(event),
            }
        }
        (self.text, self.ends) = (renamed.text, renamed.ends);
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
        self.text.capacity()
            + self.ends.capacity() * size_of::<u32>()
            + self.mentioned.capacity() * size_of::<(Version, Mentioned)>()
    }
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
