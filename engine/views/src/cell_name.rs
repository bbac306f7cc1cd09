use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// Name of a cell of a board, as `b7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String))]
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

#[cfg(feature = "ts")]
crate::declared_as!(CellName, String);
