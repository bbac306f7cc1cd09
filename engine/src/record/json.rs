use serde::{Deserialize, Serialize};

use super::{
    ActionText, BYTE_ORDER_MARK, Ending, Misfit, Record, RecordError, RecordErrorKind, Turn, VERSION,
    plain::in_plain_words, words::read_hex,
};
use crate::{BySide, Card, Ruleset, Seed, TurnNumber};

/// JSON form of a record. The fields are in the order of the text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Object {
    towers_record: u32,
    ruleset: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    card_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    turns: Vec<TurnObject>,
    #[serde(rename = "final")]
    final_text: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnObject {
    turn: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<u8>,
    actions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    took_ms: Option<u64>,
}

impl Record {
    /// The canonical JSON, on one line, which [`Record::from_json`] reads back.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(&Object::from(self)).expect("strings and numbers have a JSON")
    }

    /// # Errors
    /// The text is not the JSON of a record; whitespace and the order of fields do not matter. The record is not
    /// replayed: see [`Record::replay`].
    pub fn from_json(json: &str) -> Result<Self, RecordError> {
        let refuse = |kind| RecordError { line: None, turn: None, kind };
        if json.starts_with(BYTE_ORDER_MARK) {
            return Err(refuse(RecordErrorKind::ByteOrderMark));
        }
        let object: Object = serde_json::from_str(json).map_err(|error| {
            let (line, column, message) = (error.line(), error.column(), in_plain_words(&error.to_string()));
            refuse(RecordErrorKind::Json { line, column, message })
        })?;
        let turns = object.turns.iter().map(TurnObject::read).collect::<Result<_, _>>()?;
        object.read(turns).map_err(refuse)
    }
}

impl From<&Record> for Object {
    fn from(record: &Record) -> Self {
        Self {
            towers_record: VERSION,
            ruleset: record.ruleset.id().to_owned(),
            first: record.players.first.as_ref().map(ToString::to_string),
            second: record.players.second.as_ref().map(ToString::to_string),
            date: record.date.as_ref().map(ToString::to_string),
            clock: record.clock.as_ref().map(ToString::to_string),
            result: record.ending.map(|ending| ending.result().to_owned()),
            reason: record.ending.map(|ending| ending.reason.id().to_owned()),
            start: record.start.as_ref().map(ToString::to_string),
            card_hash: record.card_hash.as_ref().map(ToString::to_string),
            seed: record.seed.as_ref().map(Seed::reveal),
            turns: record.turns.iter().map(TurnObject::from).collect(),
            final_text: record.final_text.to_string(),
        }
    }
}

impl Object {
    fn read(&self, turns: Vec<Turn>) -> Result<Record, RecordErrorKind> {
        if self.towers_record > VERSION {
            return Err(RecordErrorKind::NewerVersion { version: self.towers_record });
        }
        if self.towers_record != VERSION {
            return Err(RecordErrorKind::field("towers_record")(Misfit::Version));
        }
        let ruleset = self.ruleset.parse::<Ruleset>().map_err(|_| Misfit::Ruleset);
        Ok(Record {
            ruleset: ruleset.map_err(RecordErrorKind::field("ruleset"))?,
            players: BySide {
                first: field("first", self.first.as_deref(), str::parse)?,
                second: field("second", self.second.as_deref(), str::parse)?,
            },
            date: field("date", self.date.as_deref(), str::parse)?,
            clock: field("clock", self.clock.as_deref(), str::parse)?,
            ending: self.ending()?,
            start: field("start", self.start.as_deref(), str::parse)?,
            card_hash: field("card_hash", self.card_hash.as_deref(), read_hex)?,
            seed: field("seed", self.seed.as_deref(), read_hex)?,
            turns,
            final_text: self.final_text.parse().map_err(RecordErrorKind::field("final"))?,
        })
    }

    fn ending(&self) -> Result<Option<Ending>, RecordErrorKind> {
        let winner = field("result", self.result.as_deref(), Ending::read_result)?;
        let reason = field("reason", self.reason.as_deref(), str::parse)?;
        match (winner, reason) {
            (Some(winner), Some(reason)) => Ok(Some(Ending { winner, reason })),
            (None, None) => Ok(None),
            (Some(_), None) => Err(RecordErrorKind::field("reason")(Misfit::ReasonBesideResult)),
            (None, Some(_)) => Err(RecordErrorKind::field("result")(Misfit::ResultBesideReason)),
        }
    }
}

fn field<T>(
    key: &'static str,
    value: Option<&str>,
    read: impl FnOnce(&str) -> Result<T, Misfit>,
) -> Result<Option<T>, RecordErrorKind> {
    value.map(read).transpose().map_err(RecordErrorKind::field(key))
}

impl From<&Turn> for TurnObject {
    fn from(turn: &Turn) -> Self {
        Self {
            turn: turn.number.get(),
            card: turn.card.map(Card::get),
            actions: turn.actions.iter().map(ActionText::to_string).collect(),
            took_ms: turn.took_ms,
        }
    }
}

impl TurnObject {
    fn read(&self) -> Result<Turn, RecordError> {
        let refuse = |misfit: Misfit| RecordError { line: None, turn: Some(self.turn), kind: misfit.into() };
        let number = TurnNumber::beginning(self.turn).ok_or(refuse(Misfit::TurnNumber))?;
        let card =
            self.card.map(|value| Card::from_value(value).ok_or(refuse(Misfit::CardNumber))).transpose()?;
        let actions =
            self.actions.iter().map(|action| action.parse()).collect::<Result<Vec<ActionText>, Misfit>>();
        let actions = actions.map_err(refuse)?;
        if actions.is_empty() && card.is_none() {
            return Err(refuse(Misfit::Actions));
        }
        Ok(Turn { number, card, actions, took_ms: self.took_ms })
    }
}
