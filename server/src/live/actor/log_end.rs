use std::hash::{DefaultHasher, Hash, Hasher};

use game::ids::Version;
use store::StoredEvent;

/// The last event that a task has folded. If the stored log lacks it, the database has gone back to an earlier state, and
/// other events may have been stored since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogEnd {
    version: Version,
    at_ms: i64,
    digest: u64,
}

impl LogEnd {
    pub(super) fn of(last: &StoredEvent) -> Self {
        let mut hasher = DefaultHasher::new();
        last.body.hash(&mut hasher);
        Self { version: last.version, at_ms: last.at_ms, digest: hasher.finish() }
    }

    /// The version before this event.
    pub(super) fn before(self) -> Version {
        Version::new(self.version.get() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_of_the_same_version_with_another_time_or_body_is_another_one() {
        let event = |version, at_ms, body: &str| StoredEvent {
            version: Version::new(version),
            at_ms,
            command: None,
            body: body.to_owned(),
        };
        let end = LogEnd::of(&event(7, 1_000, "{}"));
        assert_eq!(end, LogEnd::of(&event(7, 1_000, "{}")));
        for other in [event(6, 1_000, "{}"), event(7, 1_001, "{}"), event(7, 1_000, "[]")] {
            assert_ne!(end, LogEnd::of(&other), "{other:?}");
        }
        assert_eq!(end.before(), Version::new(6));
    }
}
