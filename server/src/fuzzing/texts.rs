//! Texts from clients, except records: their equations are in the engine.

use game::ids::{ActionText, ChatText, CommandId, NewLine, NewName, PlayerName};
use protocol::{About, ClientMessage, Fault, NewRoom, Rename, ServerMessage};
use serde::{Serialize, de::DeserializeOwned};
use store::Cursor;

/// Reads a text as a frame. Encoding and decoding a message again changes nothing; any other text has a fault, whose
/// answer names what can be read. A fault names exactly what a message with the same fields is about.
pub fn message(text: &str) {
    let value = serde_json::from_str::<serde_json::Value>(text);
    match ClientMessage::parse(text) {
        Ok(message) => {
            let written = written(&message);
            let read = ClientMessage::parse(&written).expect("an encoded message can be parsed");
            assert_eq!(self::written(&read), written, "{text}");
            let [read, again] = [text, &written].map(About::read);
            assert_eq!(read, again, "{text}");
            assert!(read.of.is_some(), "{text}");
            let has_ids = |name| value.as_ref().is_ok_and(|value| value.get(name).is_some());
            assert_eq!(read.command.is_some(), has_ids("command"), "{text}");
            assert_eq!(read.game.is_some(), has_ids("game"), "{text}");
            assert_eq!(read.pool.is_some(), has_ids("pool"), "{text}");
        }
        Err(why) => {
            let (detail, about) = match &why {
                Fault::InvalidJson { detail, about } => {
                    assert!(value.is_err(), "{text}");
                    (detail, about)
                }
                Fault::UnknownType { detail, about } | Fault::InvalidMessage { detail, about } => {
                    assert!(value.is_ok(), "{text}");
                    (detail, about)
                }
                fault => panic!("{fault:?} is no fault of a text: {text}"),
            };
            assert!(!detail.is_empty() && *about == About::read(text), "{text}");
            let is_command = about.command.is_some() && about.game.is_some();
            let is_refused = matches!(why.clone().answer(), ServerMessage::Nack { .. });
            assert_eq!(is_refused, is_command, "{text}");
        }
    }
}

/// Reads a text as the body of `POST /api/v1/rooms`, and as that of `PATCH /api/v1/session`.
pub fn new_room(text: &str) {
    goes_there_and_back::<NewRoom>(text);
    goes_there_and_back::<Rename>(text);
}

/// Reads a text as the cursor of a page of a list. Printing and parsing a cursor again changes nothing.
pub fn cursor(text: &str) {
    if let Ok(cursor) = text.parse::<Cursor>() {
        assert_eq!(cursor.to_string().parse(), Ok(cursor), "{text}");
    }
}

fn goes_there_and_back<T: DeserializeOwned + Serialize>(text: &str) {
    if let Ok(body) = serde_json::from_str::<T>(text) {
        let written = written(&body);
        let read = serde_json::from_str::<T>(&written).expect("an encoded body can be decoded");
        assert_eq!(self::written(&read), written, "{text}");
    }
}

fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("messages have string keys only")
}

/// Reads a text as each of the short texts in messages. An accepted text is encoded unchanged. A chosen name or line is
/// visible, and normalising its stored form again changes nothing.
pub fn name(text: &str) {
    let is_plain = |text: &str| !text.chars().any(char::is_control);
    let is_shown = |kept: &str| kept.trim() == kept && !kept.is_empty() && is_plain(kept);
    if taken::<PlayerName>(text).is_some() {
        assert!(is_plain(text) && text.chars().count() <= PlayerName::MAX_CHARS, "{text:?}");
    }
    if taken::<ChatText>(text).is_some() {
        assert!(is_plain(text) && text.chars().count() <= ChatText::MAX_CHARS, "{text:?}");
    }
    if let Some(kept) = chosen(text, NewName::into_inner) {
        assert!(is_shown(kept.as_str()) && !kept.as_str().contains("  "), "{text:?}: {kept:?}");
        assert_eq!(chosen(kept.as_str(), NewName::into_inner), Some(kept), "{text:?}");
    }
    if let Some(kept) = chosen(text, NewLine::into_inner) {
        assert!(is_shown(kept.as_str()), "{text:?}: {kept:?}");
        assert_eq!(chosen(kept.as_str(), NewLine::into_inner), Some(kept), "{text:?}");
    }
    if let Some(action) = taken::<ActionText>(text) {
        assert!(action.as_str().bytes().all(|byte| byte.is_ascii_graphic()), "{text:?}");
    }
    if let Some(command) = taken::<CommandId>(text) {
        assert!(!command.as_str().contains(|letter: char| !letter.is_ascii() || letter.is_whitespace()));
    }
}

/// Reads a text as a new name or line, and returns its stored form.
fn chosen<T: TryFrom<String>, K>(text: &str, kept: fn(T) -> K) -> Option<K> {
    T::try_from(text.to_owned()).ok().map(kept)
}

/// Reads a text as a value, and checks that the value is encoded as the same text.
fn taken<T: TryFrom<String> + AsRef<str> + DeserializeOwned + Serialize>(text: &str) -> Option<T> {
    let value = T::try_from(text.to_owned()).ok();
    let json = serde_json::to_string(text).expect("a text is JSON");
    assert_eq!(serde_json::from_str::<T>(&json).is_ok(), value.is_some(), "{text:?}");
    let value = value?;
    assert_eq!((value.as_ref(), written(&value)), (text, json));
    Some(value)
}
