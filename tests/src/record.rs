//! A client's record of one game.

use serde_json::Value;

/// The events sent to a client. It panics if one is missing or repeated, so every test that follows a game also tests
/// that.
#[derive(Clone, Debug, Default)]
pub struct Record {
    events: Vec<Value>,
    present: Value,
    draft: Value,
}

impl Record {
    /// Applies a message about the game.
    pub fn apply(&mut self, message: &Value) {
        match message["type"].as_str() {
            Some("snapshot") => {
                let events = message["events"].as_array().expect("a snapshot has events");
                assert!(events.starts_with(&self.events), "the snapshot differs from what was known");
                self.events.clear();
                self.add(message);
            }
            Some("events") => self.add(message),
            Some("draft") => {
                assert_eq!(message["version"], self.version(), "a draft of another version");
                self.draft = message["draft"].clone();
            }
            _ => {}
        }
    }

    fn add(&mut self, message: &Value) {
        for event in message["events"].as_array().expect("the message has events") {
            assert_eq!(event["version"], self.version() + 1, "a gap or a double in the versions: {message}");
            self.events.push(event.clone());
        }
        self.present = message["present"].clone();
        self.draft = message["draft"].clone();
        assert_eq!(
            self.present["version"],
            self.version(),
            "the present is not that of the events: {message}"
        );
    }

    /// Returns the record as of a version.
    pub fn up_to(&self, version: u64) -> Self {
        let events = self.events.iter().take_while(|event| event["version"].as_u64() <= Some(version));
        Self { events: events.cloned().collect(), ..Self::default() }
    }

    /// The version that the client has; 0 without events.
    pub fn version(&self) -> u64 {
        self.events.len() as u64
    }

    /// All events, in order.
    pub fn events(&self) -> &[Value] {
        &self.events
    }

    /// The snapshot of the game.
    pub fn present(&self) -> &Value {
        &self.present
    }

    /// The unfinished turn of the side to move, or null.
    pub fn draft(&self) -> &Value {
        &self.draft
    }

    /// The actions of the unfinished turn.
    pub fn draft_actions(&self) -> Vec<&str> {
        let steps = self.draft["steps"].as_array().map_or(&[][..], Vec::as_slice);
        steps.iter().filter_map(|step| step["action"].as_str()).collect()
    }

    /// The text of the position.
    pub fn position(&self) -> &str {
        self.present["turn"]["position"].as_str().expect("the present has a position")
    }

    /// The side to move: `first` or `second`.
    pub fn side(&self) -> &str {
        self.present["turn"]["side"].as_str().expect("the present has a side")
    }

    /// The actions of all turns that were played, in order.
    pub fn turns(&self) -> Vec<Vec<String>> {
        let played = self.events.iter().filter(|event| event["type"] == "turn_played");
        played
            .map(|event| {
                let steps = event["steps"].as_array().expect("a turn has steps");
                steps.iter().filter_map(|step| step["action"].as_str().map(str::to_owned)).collect()
            })
            .collect()
    }
}
