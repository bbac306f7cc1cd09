//! Messages from clients over the socket.

use std::{borrow::Cow, fmt};

use engine::record::in_plain_words;
use game::ids::{ActionText, CommandId, GameId, NewLine, Version};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor},
};
use serde_json::{Map, Value};

use super::{ClaimKind, Fault, OfferKind, Pool};

/// Message from a client over the socket. A text frame holds one message of at most 16,384 bytes.
///
/// A message with a `command` is a command. If an acknowledged command is sent again with the same id, it has no second
/// effect and gets the same answer.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Begins the exchange, also after a reconnect. Answered by `welcome`, then for each game as `watch` is, then by
    /// `lobby` if that was asked for; or by `error`.
    Hello {
        /// Version of the client's protocol, now 1 ([`PROTOCOL`](super::PROTOCOL)).
        protocol: u32,
        /// Games to subscribe to.
        games: Vec<Known>,
        /// Whether to subscribe to the lobby.
        lobby: bool,
        /// Whether to be told by `turns` when the games that wait for the player may have changed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
        turns: bool,
    },
    /// Subscribes to a game. Answered by `events` with all events if `version` is 0 or no version of the game, otherwise
    /// with the missing ones, possibly none; or by `error`.
    Watch { game: GameId, version: Version },
    /// Ends the subscription to a game.
    Unwatch { game: GameId },
    // With braces, serde rejects unknown fields also in messages without fields.
    /// Subscribes to the lobby. Answered by `lobby`, then `lobby_counts` and `seeking`.
    WatchLobby {},
    /// Ends the subscription to the lobby.
    UnwatchLobby {},
    /// Stores the actions so far of an unfinished turn, within a second, and sends them to the readers that may see them.
    /// Answered by `options` with the actions that are legal next, or by `nack`. An empty list withdraws the draft.
    Draft { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// Asks for the actions that are legal after these, and changes nothing. Answered by `options` or `nack`.
    Options { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// Plays a whole turn, based on the version of the game that the player saw. Answered by `ack` or `nack`.
    Turn { command: CommandId, game: GameId, version: Version, actions: Vec<ActionText> },
    /// Resigns the game. Answered by `ack` or `nack`.
    Resign { command: CommandId, game: GameId },
    /// Ends a game without a result, before both sides have made a turn. Answered by `ack` or `nack`.
    Abort { command: CommandId, game: GameId },
    /// Makes an offer to the other side, or accepts the other side's same offer of a draw or a rematch. Answered by
    /// `ack` or `nack`.
    Offer { command: CommandId, game: GameId, what: OfferKind },
    /// Accepts or declines the other side's offer. Declining one's own offer withdraws it. Answered by `ack` or `nack`.
    Answer { command: CommandId, game: GameId, what: OfferKind, accept: bool },
    /// Ends a game that the other side has left, from the `from_ms` of the claim in `presence` on. Answered by
    /// `ack` or `nack`.
    Claim { command: CommandId, game: GameId, what: ClaimKind },
    /// Adds a line to the game's chat: a player's line goes to the players, a spectator's to the spectators. Answered
    /// by `ack` or `nack`.
    Say { command: CommandId, game: GameId, text: NewLine },
    /// Joins a pool. Answered by `seeking` or `error`, and by `paired` once a game with another player has begun.
    Seek { pool: Pool },
    /// Leaves a pool. Answered by `seeking`.
    StopSeeking { pool: Pool },
    /// Asks for a `pong`, so that a client detects a dead connection.
    Ping {},
}

impl ClientMessage {
    /// Parses the text of a frame.
    ///
    /// # Errors
    /// The fault of a text that is not a valid message, with the ids that can be read all the same.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let about = || About::read(text);
        let with_actions = serde_json::from_str::<ActionsMessage>(text).map(Self::from);
        let parsed = with_actions.or_else(|_| serde_json::from_str(text));
        // serde also accepts a list of a message's fields in their order.
        let is_object = text.trim_ascii_start().starts_with('{');
        let error = match parsed {
            Ok(message) if is_object => return Ok(message),
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        let fields = match serde_json::from_str(text) {
            Err(error) => return Err(Fault::InvalidJson { detail: error.to_string(), about: about() }),
            Ok(Value::Object(fields)) => fields,
            Ok(_) => Map::new(),
        };
        let detail = error.filter(|_| is_object).unwrap_or("a message is a JSON object".to_owned());
        match fields.get("type").and_then(Value::as_str) {
            Some(kind) if detail.starts_with(&format!("unknown variant `{kind}`")) => {
                Err(Fault::UnknownType { detail, about: about() })
            }
            _ => {
                let field = field_at_fault(&fields).map_or(String::new(), |field| format!("{field}: "));
                Err(Fault::InvalidMessage { detail: field + &in_plain_words(&detail), about: about() })
            }
        }
    }
}

/// The field whose value makes a message invalid: without it, the fault is another one. None if a field is missing or unknown,
/// as the fault says.
fn field_at_fault(message: &Map<String, Value>) -> Option<&str> {
    let fault = |fields| {
        serde_json::from_value::<ClientMessage>(Value::Object(fields)).err().map(|error| error.to_string())
    };
    let told = fault(message.clone())?;
    if told.starts_with("missing field") || told.starts_with("unknown field") {
        return None;
    }
    if message.get("type").is_some_and(|kind| !kind.is_string()) {
        return Some("type");
    }
    message.keys().map(String::as_str).filter(|name| *name != "type").find(|name| {
        let mut others = message.clone();
        others.remove(*name);
        fault(others).is_none_or(|other| other != told)
    })
}

/// A `draft`, `options` or `turn` message. These are the most frequent, so they are parsed as a plain struct: for a tagged
/// enum, serde buffers all fields first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActionsMessage {
    #[serde(rename = "type")]
    kind: ActionsKind,
    command: CommandId,
    game: GameId,
    version: Version,
    actions: Vec<ActionText>,
}

// As an identifier it is only a string, as the tag of an enum is.
#[derive(Deserialize)]
#[serde(variant_identifier, rename_all = "snake_case")]
enum ActionsKind {
    Draft,
    Options,
    Turn,
}

impl From<ActionsMessage> for ClientMessage {
    fn from(ActionsMessage { kind, command, game, version, actions }: ActionsMessage) -> Self {
        match kind {
            ActionsKind::Draft => Self::Draft { command, game, version, actions },
            ActionsKind::Options => Self::Options { command, game, version, actions },
            ActionsKind::Turn => Self::Turn { command, game, version, actions },
        }
    }
}

/// The type and the ids of a refused message, as far as its text can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(optional_fields))]
pub struct About {
    /// The `type` of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<Pool>,
}

/// Maximum number of bytes of a `type` that a refusal names.
const MAX_TYPE: usize = 32;

impl About {
    /// Reads the text of a frame, up to the place where it is not JSON any more.
    ///
    /// For example, a `say` whose text is cut within a character is still about its command and its game.
    pub fn read(text: &str) -> Self {
        let mut about = Self::default();
        // Ids that were read before an error stay.
        let _ = Reading(&mut about).deserialize(&mut serde_json::Deserializer::from_str(text));
        about
    }
}

/// Reads the fields of a message into [`About`], each unless an earlier one of its name was read.
struct Reading<'a>(&'a mut About);

/// A value, or something else in its place.
#[derive(Deserialize)]
#[serde(untagged)]
enum Readable<T> {
    Read(T),
    Unreadable(IgnoredAny),
}

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut fields: M) -> Result<(), M::Error> {
        fn read<'de, M: MapAccess<'de>, T: Deserialize<'de>>(
            fields: &mut M,
            into: &mut Option<T>,
        ) -> Result<(), M::Error> {
            if let Readable::Read(value) = fields.next_value()? {
                into.get_or_insert(value);
            }
            Ok(())
        }
        let Self(About { of, command, game, pool }) = self;
        while let Some(name) = fields.next_key::<Cow<'_, str>>()? {
            match &*name {
                "type" => read(&mut fields, of)?,
                "command" => read(&mut fields, command)?,
                "game" => read(&mut fields, game)?,
                "pool" => read(&mut fields, pool)?,
                _ => drop(fields.next_value::<IgnoredAny>()?),
            }
            of.take_if(|of| of.len() > MAX_TYPE);
        }
        Ok(())
    }
}

/// Game that the client has up to a version.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Known {
    pub game: GameId,
    /// Version of the latest event that the client has; 0 if it has none.
    pub version: Version,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_with_actions_are_parsed_as_the_derived_parser_does_wherever_the_type_stands() {
        let fields = [
            r#""command":"c1""#,
            r#""game":"01a2b3c4-0000-7000-8000-000000000001""#,
            r#""version":3"#,
            r#""actions":["b7-c7","end"]"#,
            r#""unknown":null"#,
        ];
        for (name, has_actions) in
            [("draft", true), ("options", true), ("turn", true), ("watch", false), ("unknown", false)]
        {
            let kind = format!(r#""type":"{name}""#);
            for omitted in 0..fields.len() {
                for place in 0..fields.len() {
                    let mut parts = fields.to_vec();
                    parts.remove(omitted);
                    parts.insert(place, &kind);
                    let text = format!("{{{}}}", parts.join(","));
                    let parsed = ClientMessage::parse(&text).ok();
                    let derived: Option<ClientMessage> = serde_json::from_str(&text).ok();
                    let is_valid = has_actions && omitted == fields.len() - 1;
                    assert_eq!(parsed.is_some(), is_valid, "{text}");
                    assert_eq!(format!("{parsed:?}"), format!("{derived:?}"), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_fault_names_the_field_and_no_type_of_the_program() {
        let game = "01a2b3c4-0000-7000-8000-000000000001";
        for (message, detail) in [
            (
                r#"{"type":"say","command":"c1","game":"GAME","text":""}"#,
                "text: expected a line of 1 to 300 visible characters",
            ),
            (
                r#"{"type":"turn","command":"c1","game":"GAME","version":"2","actions":[]}"#,
                "version: invalid type: string \"2\", expected a whole number from 0 to 4294967295",
            ),
            (
                r#"{"type":"turn","command":"c1","game":"GAME","version":2,"actions":"a"}"#,
                "actions: invalid type: string \"a\", expected a list",
            ),
            (r#"{"type":"offer","command":"c1","game":"GAME","what":5}"#, "what: "),
            (r#"{"type":"watch","game":"GAME"}"#, "missing field `version`"),
            (r#"{"type":"ping","games":[]}"#, "unknown field `games`"),
            (r#"{"type":5}"#, "type: "),
            ("5", "a message is a JSON object"),
            (r#"["ping"]"#, "a message is a JSON object"),
        ] {
            let fault = ClientMessage::parse(&message.replace("GAME", game)).unwrap_err();
            let Fault::InvalidMessage { detail: told, .. } = fault else { panic!("{message}: {fault:?}") };
            assert!(told.starts_with(detail), "{message}: {told}");
            assert!(
                !["u32", "enum", "sequence", "identifier"].iter().any(|word| told.contains(word)),
                "{told}"
            );
        }
    }
}
