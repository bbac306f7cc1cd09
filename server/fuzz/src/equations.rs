//! What must hold of any text whatever that a client sends, a function for each fuzz target. The server's tests have
//! these too, in `tests/fuzz.rs`. Records have theirs in the engine.

use serde::{Serialize, de::DeserializeOwned};
use towers::{
    protocol::{ClientMessage, Fault, NewRoom, Rename},
    store::Cursor,
};

/// Reads a text as a frame. What is a message is written and read as the same one; of what is none the fault tells why.
pub fn message(text: &str) {
    match ClientMessage::parse(text) {
        Ok(message) => {
            let written = written(&message);
            let read = ClientMessage::parse(&written).expect("what is written can be read");
            assert_eq!(self::written(&read), written, "{text}");
        }
        Err(Fault::InvalidJson { detail }) => {
            assert!(!detail.is_empty());
            assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
        }
        Err(Fault::UnknownType { detail } | Fault::InvalidMessage { detail }) => {
            assert!(!detail.is_empty());
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
        }
        Err(fault) => panic!("{fault:?} is no fault of a text: {text}"),
    }
}

/// Reads a text as the body of `POST /api/rooms`, and of `PATCH /api/session`.
pub fn new_room(text: &str) {
    goes_there_and_back::<NewRoom>(text);
    goes_there_and_back::<Rename>(text);
}

/// Reads a text as the place in a list where a page begins.
pub fn cursor(text: &str) {
    if let Ok(cursor) = text.parse::<Cursor>() {
        assert_eq!(cursor.to_string().parse(), Ok(cursor), "{text}");
    }
}

fn goes_there_and_back<T: DeserializeOwned + Serialize>(text: &str) {
    if let Ok(body) = serde_json::from_str::<T>(text) {
        let written = written(&body);
        let read = serde_json::from_str::<T>(&written).expect("what is written can be read");
        assert_eq!(self::written(&read), written, "{text}");
    }
}

fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("messages have string keys only")
}
