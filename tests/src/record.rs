//! A client's record of one game.

use serde_json::{Map, Value};

/// The events sent to a client, each with its version. It panics if one is missing or repeated, so every test that
/// follows a game also tests that.
#[derive(Clone, Debug, Default)]
pub struct Record {
    events: Vec<Value>,
    position: String,
    present: Value,
    draft: Value,
}

impl Record {
    /// Applies a message about the game.
    pub fn apply(&mut self, message: &Value) {
        match message["type"].as_str() {
            Some("events") => self.add(message),
            Some("draft") => {
                assert_eq!(message["version"], self.version(), "a draft of another version");
                self.draft = message["draft"].clone();
            }
            _ => {}
        }
    }

    fn add(&mut self, message: &Value) {
        let events = message["events"].as_array().expect("the message has events");
        if message["version"] == events.len() {
            // The whole game.
            let known = std::mem::take(&mut self.events);
            self.push(events);
            assert!(self.events.starts_with(&known), "the game differs from what was known");
        } else {
            self.push(events);
        }
        assert_eq!(message["version"], self.version(), "a gap or a double in the versions: {message}");
        self.position = message["position"].as_str().expect("the message has a position").to_owned();
        self.present = message["present"].clone();
        self.draft = message["draft"].clone();
    }

    fn push(&mut self, events: &[Value]) {
        for event in events {
            let version = self.version() + 1;
            let mut event = event.clone();
            event["version"] = version.into();
            self.events.push(event);
        }
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

    /// The status, the clocks and the offers of the last message; null if they follow from its last turn.
    pub fn present(&self) -> &Value {
        &self.present
    }

    /// The actions of the unfinished turn of the side to move, or null.
    pub fn draft(&self) -> &Value {
        &self.draft
    }

    /// The actions of the unfinished turn.
    pub fn draft_actions(&self) -> Vec<&str> {
        self.draft.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// The text of the position.
    pub fn position(&self) -> &str {
        &self.position
    }

    /// The side to move: `first` or `second`.
    pub fn side(&self) -> &str {
        match self.position.split(' ').nth(1) {
            Some("1") => "first",
            Some("2") => "second",
            _ => panic!("the text of a position names the side to move: {}", self.position),
        }
    }

    /// The card of the turn under way, if one was turned over for it.
    pub fn card(&self) -> &Value {
        let last = self.events.iter().rfind(|event| is_turn(event) || event["type"] == "started");
        last.map_or(&Value::Null, |event| &event["dealt"])
    }

    /// The actions of all turns that were played, in order.
    pub fn turns(&self) -> Vec<Vec<String>> {
        let turns = self.events.iter().filter_map(|event| event["actions"].as_str());
        turns.map(|actions| actions.split(' ').map(str::to_owned).collect()).collect()
    }

    /// Asserts that a document has the events and the position of this record.
    pub fn assert_is(&self, document: &Value) {
        let without_card = |event: &Value| {
            let mut event = event.clone();
            event.as_object_mut().map(|event| event.remove("dealt"));
            event
        };
        let sent: Vec<Value> = self.events.iter().map(without_card).collect();
        let documented = document["events"].as_array().expect("a document has events");
        assert_eq!(documented.iter().map(compact).collect::<Vec<_>>(), sent);
        assert_eq!(document["present"]["turn"]["position"], self.position);
    }
}

/// Whether an event that a socket was sent is a turn.
pub fn is_turn(event: &Value) -> bool {
    event.get("actions").is_some()
}

/// Returns an event of a document in the form in which sockets are sent it, with its version and without a card.
fn compact(event: &Value) -> Value {
    if event["type"] != "turn_played" {
        return event.clone();
    }
    let steps = event["steps"].as_array().expect("a turn has steps");
    let actions: Vec<&str> = steps.iter().filter_map(|step| step["action"].as_str()).collect();
    let time = &event["time"];
    let times = [&event["took_ms"], &time["first_ms"], &time["second_ms"]];
    let ms: Vec<&Value> = times.into_iter().filter(|time| !time.is_null()).collect();
    let mut compact = Map::new();
    for field in ["version", "at_ms"] {
        compact.insert(field.to_owned(), event[field].clone());
    }
    compact.insert("actions".to_owned(), actions.join(" ").into());
    compact.insert("ms".to_owned(), ms.into_iter().cloned().collect());
    compact.into()
}
