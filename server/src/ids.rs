//! The identifiers and checked texts that all modules share. A value that exists is valid: each is parsed where it
//! enters, and nowhere else.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use ts_rs::TS;
use uuid::Uuid;

use crate::visible;

/// Declares a type in the protocol's declarations under the name of another. (With `ts(as = …)` it would have a
/// declaration of its own.)
macro_rules! declared_as {
    ($type:ty, $other:ty) => {
        impl ts_rs::TS for $type {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(config: &ts_rs::Config) -> String {
                <$other as ts_rs::TS>::name(config)
            }

            fn inline(config: &ts_rs::Config) -> String {
                <$other as ts_rs::TS>::inline(config)
            }

            fn visit_dependencies(visitor: &mut impl ts_rs::TypeVisitor)
            where
                Self: 'static,
            {
                visitor.visit::<$other>();
            }
        }
    };
}

pub(crate) use declared_as;

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
        #[ts(type = "string")]
        pub struct $name(Uuid);

        impl $name {
            /// An id from the bits of a UUID of version 7, so that ids sort by the time they were made.
            pub const fn new(uuid: Uuid) -> Self {
                Self(uuid)
            }

            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                text.parse().map(Self)
            }
        }
    };
}

uuid_id! {
    /// Names a game for ever, from the open room to the replay.
    GameId
}
uuid_id! {
    /// Names a person. It is public; the secret that proves an identity is the session's token.
    PlayerId
}

uuid_id! {
    /// Names a running server process among those on one database. A restarted server is another node.
    NodeId
}

/// Counts the events of one game's log: 1 is the first, 0 means none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(type = "number")]
pub struct Version(u32);

impl Version {
    /// Before the first event.
    pub const NONE: Self = Self(0);

    pub const fn new(count: u32) -> Self {
        Self(count)
    }

    pub const fn get(self) -> u32 {
        self.0
    }

    /// The version of the event that follows.
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! checked_text {
    ($(#[$doc:meta])* $name:ident, $check:expr, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
        #[serde(try_from = "String")]
        #[ts(type = "string")]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidText;

            fn try_from(text: String) -> Result<Self, InvalidText> {
                let check: fn(&str) -> bool = $check;
                if check(&text) { Ok(Self(text)) } else { Err(InvalidText { expected: $expected }) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

uuid_id! {
    /// Names a line of a chat.
    LineId
}

macro_rules! checked_number {
    ($(#[$doc:meta])* $name:ident($type:ty), $range:expr, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
        #[serde(try_from = "u64")]
        #[ts(type = "number")]
        pub struct $name($type);

        impl $name {
            pub const fn get(self) -> $type {
                self.0
            }
        }

        impl TryFrom<u64> for $name {
            type Error = InvalidText;

            fn try_from(number: u64) -> Result<Self, InvalidText> {
                let fits = <$type>::try_from(number).ok().filter(|number| ($range).contains(number));
                fits.map(Self).ok_or(InvalidText { expected: $expected })
            }
        }
    };
}

checked_number! {
    /// Days that a turn of a game by correspondence may take.
    Days(u8), 1..=14, "1 to 14 days"
}
checked_number! {
    /// Number of turns by which spectators are behind a game.
    #[derive(Default)]
    Delay(u8), 0..=20, "a delay of 0 to 20 turns"
}

checked_text! {
    /// Chosen by a client, once for each request: a repeated id has one effect.
    CommandId,
    |text| (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'),
    "a command id: 1 to 64 letters, digits, '-' or '_'"
}
checked_text! {
    /// The text of an action (RULES 0.3), not yet read by the engine.
    ActionText,
    |text| (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()),
    "an action: 1 to 128 printable characters without blanks"
}
checked_text! {
    /// The name of a player. A stored one may be of an older release with weaker rules: [`NewName`] is for names that
    /// are chosen now.
    PlayerName,
    |text| (1..=PlayerName::MAX_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control),
    "a name: 1 to 24 characters"
}
checked_text! {
    /// A line of a chat: plain text, shown as it is. A stored one may be of an older release with weaker rules:
    /// [`NewLine`] is for lines that are said now.
    ChatText,
    |text| (1..=ChatText::MAX_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control),
    "a line of 1 to 300 characters"
}

macro_rules! chosen_text {
    ($(#[$doc:meta])* $name:ident of $kept:ident, $clean:path, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
        #[serde(try_from = "String")]
        #[ts(type = "string")]
        pub struct $name($kept);

        impl $name {
            /// The text as it is kept.
            pub fn into_inner(self) -> $kept {
                self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidText;

            fn try_from(text: String) -> Result<Self, InvalidText> {
                let kept = $clean(&text, $kept::MAX_CHARS).and_then(|text| $kept::try_from(text).ok());
                kept.map(Self).ok_or(InvalidText { expected: $expected })
            }
        }
    };
}

chosen_text! {
    /// A name that a player chooses.
    NewName of PlayerName,
    visible::name,
    "a name: 1 to 24 visible characters of one writing, or of Latin and one other, single blanks between words"
}
chosen_text! {
    /// A line that a player says, without its invisible characters.
    NewLine of ChatText,
    visible::line,
    "a line of 1 to 300 visible characters"
}

impl ActionText {
    /// Whether it ends the turn early (RULES 1.9) and moves nothing.
    pub(crate) fn is_end(&self) -> bool {
        self.0 == "end"
    }
}

impl ChatText {
    /// The characters of the longest line.
    pub const MAX_CHARS: usize = 300;
}

impl PlayerName {
    /// The characters of the longest name.
    pub const MAX_CHARS: usize = 24;
}

/// A text that does not match its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct InvalidText {
    expected: &'static str,
}

/// Names a cell of a board, as `b7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellName(engine::CellName);

impl From<engine::CellName> for CellName {
    fn from(name: engine::CellName) -> Self {
        Self(name)
    }
}

impl Serialize for CellName {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.0.as_str())
    }
}

impl<'de> Deserialize<'de> for CellName {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        String::deserialize(input)?.parse().map(Self).map_err(D::Error::custom)
    }
}

declared_as!(CellName, String);

/// The engine's ids on the wire: `serde(with = …)` modules for types without serde.
macro_rules! engine_id {
    ($module:ident, $type:ty) => {
        pub(crate) mod $module {
            use serde::{Deserialize, Deserializer, Serializer, de::Error};

            pub(crate) fn serialize<S: Serializer>(value: &$type, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(value.id())
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<$type, D::Error> {
                String::deserialize(input)?.parse().map_err(D::Error::custom)
            }
        }
    };
}

engine_id!(ruleset, engine::Ruleset);
engine_id!(side, engine::Side);

pub(crate) mod optional_side {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(side: &Option<engine::Side>, out: S) -> Result<S::Ok, S::Error> {
        match side {
            Some(side) => out.serialize_some(side.id()),
            None => out.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Option<engine::Side>, D::Error> {
        Option::<String>::deserialize(input)?.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}

/// A seed in data that only the store sees.
pub(crate) mod secret_seed {
    use engine::Seed;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(seed: &Option<Seed>, out: S) -> Result<S::Ok, S::Error> {
        match seed {
            Some(seed) => out.serialize_some(&seed.reveal()),
            None => out.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Seed>, D::Error> {
        Option::<String>::deserialize(input)?.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}
