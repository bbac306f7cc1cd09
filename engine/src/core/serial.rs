//! Serialisation of the views for boards (feature `serde`): names as texts, numbers as numbers.

use serde::{Serialize, Serializer};

use super::{Card, CellName, Reason, Rule, Side, TurnNumber};

/// Serialises a value through a conversion to another one.
macro_rules! serialize_as {
    ($($name:ident: $value:ident),+) => {
        $(impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.$value().serialize(serializer)
            }
        })+
    };
}

serialize_as!(Side: id, Reason: id, CellName: as_str, Rule: as_str, TurnNumber: get, Card: get);
