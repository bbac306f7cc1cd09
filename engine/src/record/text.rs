use std::{fmt, iter::Peekable, str::Split};

use super::{
    ActionText, BYTE_ORDER_MARK, Ending, Misfit, Record, RecordError, RecordErrorKind, Turn, VERSION,
    words::read_hex,
};
use crate::{BySide, Card, Ruleset, Seed, TurnNumber};

/// The first line, with the name and version of the format.
const TITLE: &str = "towers-record 1";
/// Beginning of the first line, in every version.
const NAME: &str = "towers-record ";
const FINAL: &str = "final: ";

impl Record {
    /// The canonical text, which [`Record::parse_text`] reads back.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut lines = vec![TITLE.to_owned()];
        lines.extend(self.headers().iter().map(|(key, value)| format!("{key}: {value}")));
        lines.push(String::new());
        lines.extend(self.turns.iter().map(Turn::to_string));
        lines.push(format!("{FINAL}{}\n", self.final_text));
        lines.join("\n")
    }

    /// # Errors
    /// The text is not canonical. The record is not replayed: see [`Record::replay`].
    pub fn parse_text(text: &str) -> Result<Self, RecordError> {
        let mut lines = Lines::new(text)?;
        lines.title()?;
        let ruleset = |id: &str| id.parse::<Ruleset>().map_err(|_| Misfit::Ruleset);
        let record = Self {
            ruleset: lines
                .header("ruleset", ruleset)?
                .ok_or_else(|| lines.expected(Misfit::RulesetHeader))?,
            players: BySide {
                first: lines.header("first", str::parse)?,
                second: lines.header("second", str::parse)?,
            },
            date: lines.header("date", str::parse)?,
            clock: lines.header("clock", str::parse)?,
            ending: lines.ending()?,
            start: lines.header("start", str::parse)?,
            card_hash: lines.header("card_hash", read_hex)?,
            seed: lines.header("seed", read_hex)?,
            turns: lines.turns()?,
            final_text: lines.header("final", str::parse)?.ok_or_else(|| lines.expected(Misfit::Final))?,
        };
        lines.end()?;
        Ok(record)
    }

    /// The headers of the record, in order.
    fn headers(&self) -> Vec<(&'static str, String)> {
        let text = |value: &dyn fmt::Display| value.to_string();
        [
            ("ruleset", Some(text(&self.ruleset))),
            ("first", self.players.first.as_ref().map(|name| text(name))),
            ("second", self.players.second.as_ref().map(|name| text(name))),
            ("date", self.date.map(|date| text(&date))),
            ("clock", self.clock.as_ref().map(|clock| text(clock))),
            ("result", self.ending.map(|ending| text(&ending.result()))),
            ("reason", self.ending.map(|ending| text(&ending.reason.id()))),
            ("start", self.start.as_ref().map(|start| text(start))),
            ("card_hash", self.card_hash.map(|hash| text(&hash))),
            ("seed", self.seed.as_ref().map(Seed::reveal)),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .collect()
    }

    /// The line of a header in the text; the last line if there is no such header.
    pub(super) fn line_of_header(&self, key: &str) -> usize {
        let index = self.headers().iter().position(|(found, _)| *found == key);
        index.map_or(self.last_line(), |index| index + 2)
    }

    /// The line of a turn in the text. The title, the headers and an empty line precede the turns.
    pub(super) fn line_of_turn(&self, index: usize) -> usize {
        self.headers().len() + 3 + index
    }

    pub(super) fn last_line(&self) -> usize {
        self.line_of_turn(self.turns.len())
    }
}

/// The turn's line.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)?;
        if let Some(card) = self.card {
            write!(f, " [{card}]")?;
        }
        self.actions.iter().try_for_each(|action| write!(f, " {action}"))?;
        self.took_ms.map_or(Ok(()), |took_ms| write!(f, " {}.{:03}s", took_ms / 1000, took_ms % 1000))
    }
}

fn read_turn(line: &str) -> Result<Turn, Misfit> {
    let mut words = line.split(' ').peekable();
    let number = words.next().and_then(|number| TurnNumber::beginning(number.parse().ok()?));
    let number = number.ok_or(Misfit::TurnOrFinal)?;
    let card = words.next_if(|word| word.starts_with('[')).map(read_card).transpose()?;
    let mut words: Vec<&str> = words.collect();
    let took_ms = words.pop_if(|word| word.contains('.')).map(read_time).transpose()?;
    let actions = words.into_iter().map(str::parse).collect::<Result<Vec<ActionText>, Misfit>>()?;
    if actions.is_empty() && card.is_none() {
        return Err(Misfit::Actions);
    }
    let turn = Turn { number, card, actions, took_ms };
    if turn.to_string() == line { Ok(turn) } else { Err(Misfit::PlainNumbers) }
}

fn read_card(word: &str) -> Result<Card, Misfit> {
    let value = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
    value.and_then(|value| Card::from_value(value.parse().ok()?)).ok_or(Misfit::Card)
}

fn read_time(word: &str) -> Result<u64, Misfit> {
    let parts = word.strip_suffix('s').and_then(|word| word.split_once('.'));
    let took_ms = parts.and_then(|(seconds, thousandths)| {
        let seconds = seconds.parse::<u64>().ok()?.checked_mul(1000)?;
        seconds.checked_add(thousandths.parse::<u16>().ok()?.into())
    });
    took_ms.ok_or(Misfit::Time)
}

/// The lines of a text, from the first to the last.
struct Lines<'a> {
    rest: Peekable<Split<'a, char>>,
    /// The number of the last line read.
    line: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Result<Self, RecordError> {
        if text.starts_with(BYTE_ORDER_MARK) {
            return Err(RecordError { line: Some(1), turn: None, kind: RecordErrorKind::ByteOrderMark });
        }
        if let Some((before, _)) = text.split_once('\r') {
            let line = Some(before.split('\n').count());
            return Err(RecordError { line, turn: None, kind: RecordErrorKind::CarriageReturn });
        }
        let Some(lines) = text.strip_suffix('\n') else {
            let kind = Misfit::LineFeed.into();
            return Err(RecordError { line: Some(text.split('\n').count()), turn: None, kind });
        };
        Ok(Self { rest: lines.split('\n').peekable(), line: 0 })
    }

    fn title(&mut self) -> Result<(), RecordError> {
        let title = self.next().unwrap_or_default();
        if title == TITLE {
            return Ok(());
        }
        let version = title.strip_prefix(NAME).and_then(|version| version.parse().ok());
        let newer = version.filter(|version| *version > VERSION);
        let kind = newer.map_or(Misfit::Title.into(), |version| RecordErrorKind::NewerVersion { version });
        Err(self.refuse(kind))
    }

    fn next(&mut self) -> Option<&'a str> {
        self.line += 1;
        self.rest.next()
    }

    fn refuse(&self, kind: RecordErrorKind) -> RecordError {
        RecordError { line: Some(self.line), turn: None, kind }
    }

    /// The expected content of the next line.
    fn expected(&self, what: Misfit) -> RecordError {
        RecordError { line: Some(self.line + 1), turn: None, kind: what.into() }
    }

    /// The value of a header, if the next line is that header.
    fn header<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&str) -> Result<T, Misfit>,
    ) -> Result<Option<T>, RecordError> {
        let value = |line: &&'a str| line.strip_prefix(key)?.strip_prefix(": ");
        let Some(value) = self.rest.peek().and_then(value) else { return Ok(None) };
        self.next();
        read(value).map(Some).map_err(|misfit| self.refuse(RecordErrorKind::field(key)(misfit)))
    }

    fn ending(&mut self) -> Result<Option<Ending>, RecordError> {
        let Some(winner) = self.header("result", Ending::read_result)? else { return Ok(None) };
        let reason = self.header("reason", str::parse)?.ok_or_else(|| self.expected(Misfit::ReasonHeader))?;
        Ok(Some(Ending { winner, reason }))
    }

    /// The turns, and the empty line before them.
    fn turns(&mut self) -> Result<Vec<Turn>, RecordError> {
        if self.next() != Some("") {
            return Err(self.refuse(Misfit::Header.into()));
        }
        let mut turns = Vec::new();
        while let Some(line) = self.rest.next_if(|line| !line.starts_with(FINAL)) {
            self.line += 1;
            turns.push(read_turn(line).map_err(|misfit| {
                let number = line.split(' ').next().and_then(|number| number.parse().ok());
                RecordError { turn: number, ..self.refuse(misfit.into()) }
            })?);
        }
        Ok(turns)
    }

    fn end(&mut self) -> Result<(), RecordError> {
        if self.rest.peek().is_some() {
            return Err(self.expected(Misfit::End));
        }
        Ok(())
    }
}
