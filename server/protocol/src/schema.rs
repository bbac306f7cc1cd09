//! Schemas for the description of the HTTP interface, of types that have none of their own.

use serde::Deserialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};

pub use views::schema::{Ruleset, Side};

use super::{RealTime, RealTimeParts, Reason, Winner};

impl PartialSchema for RealTime {
    fn schema() -> RefOr<Schema> {
        let mut schema = RealTimeParts::schema();
        // The object on the wire is a clock, which has the `kind` too.
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.additional_properties = None;
        }
        schema
    }
}

impl ToSchema for RealTime {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        RealTimeParts::schemas(schemas);
    }
}

/// Record of a game in JSON. `docs/records.md` describes it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Version of the format, 1.
    pub towers_record: u8,
    #[schema(value_type = Ruleset)]
    pub ruleset: engine::Ruleset,
    /// Name of the first side's player.
    pub first: Option<String>,
    /// Name of the second side's player.
    pub second: Option<String>,
    /// Day on which the game began, in UTC.
    #[schema(format = Date)]
    pub date: Option<String>,
    /// Time of the players, in free text.
    pub clock: Option<String>,
    /// Winner; absent if the game is not over.
    pub result: Option<Winner>,
    /// Reason for the end; present exactly if `result` is.
    pub reason: Option<Reason>,
    /// Text of a start position other than the ruleset's own.
    pub start: Option<String>,
    /// SHA-256 of the seed of the cards, in hex.
    pub card_hash: Option<String>,
    /// Seed of the cards, in hex; absent while it is secret.
    pub seed: Option<String>,
    pub turns: Vec<RecordTurn>,
    /// Text of the final position.
    #[serde(rename = "final")]
    pub final_text: String,
}

/// Turn of a record.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordTurn {
    /// Number of the turn, counted from 1 (RULES 0.4).
    pub turn: u16,
    /// Card of the turn, 1 to 6; absent in a ruleset without cards.
    pub card: Option<u8>,
    /// Texts of the actions, in order.
    pub actions: Vec<String>,
    /// Milliseconds charged for the turn.
    pub took_ms: Option<u64>,
}
