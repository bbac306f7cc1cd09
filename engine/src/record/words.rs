use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::NotASeed;

/// Maximum number of characters of a [`LineText`] or an [`ActionText`].
const MAX_CHARS: usize = 200;

/// The expected part of a record, at a place where the text differs.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum Misfit {
    #[error("expected towers-record 1")]
    Title,
    #[error("expected version 1")]
    Version,
    #[error("expected the id of a ruleset")]
    Ruleset,
    #[error("expected a header `ruleset`")]
    RulesetHeader,
    #[error("expected a header `reason`")]
    ReasonHeader,
    #[error("expected another header, each in its place and once, or an empty line")]
    Header,
    #[error(
        "expected 1 to 200 characters, none of them a control character, a line separator or a mark of direction, \
        and no space at the ends"
    )]
    Text,
    #[error("expected a day such as `2026-11-20`")]
    Day,
    #[error("expected `first`, `second` or `draw`")]
    Result,
    #[error("expected a reason such as `resign`")]
    Reason,
    #[error("expected a result beside the reason")]
    ResultBesideReason,
    #[error("expected a reason beside the result")]
    ReasonBesideResult,
    #[error("expected 64 digits `0` to `9` and `a` to `f`")]
    Hex,
    #[error("expected a turn from 1 to 1001, or `final: ` and a position")]
    TurnOrFinal,
    #[error("expected a turn, or `final: ` and a position")]
    Final,
    #[error("expected a turn from 1 to 1001")]
    TurnNumber,
    #[error("expected numbers without leading zeros, and times with three decimals")]
    PlainNumbers,
    #[error("expected a card such as `[5]`")]
    Card,
    #[error("expected a card from 1 to 6")]
    CardNumber,
    #[error("expected an action")]
    Actions,
    #[error("expected an action such as `b7-c7`")]
    Action,
    #[error("expected a time such as `12.345s`")]
    Time,
    #[error("expected a line feed at the end")]
    LineFeed,
    #[error("expected the end of the text")]
    End,
}

/// A text of one line: 1 to 200 characters, none of them a control character, a separator of lines or a mark of
/// direction, and no space at either end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineText(String);

impl LineText {
    pub(super) fn from_engine(text: &str) -> Self {
        text.parse().expect("a position's text is a line")
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LineText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for LineText {
    type Err = Misfit;

    fn from_str(text: &str) -> Result<Self, Misfit> {
        let fits = (1..=MAX_CHARS).contains(&text.chars().count())
            && text.trim() == text
            && !text.contains(is_layout);
        fits.then(|| Self(text.to_owned())).ok_or(Misfit::Text)
    }
}

/// Whether a character moves or breaks the text around it: a control character, a separator of lines or paragraphs, a
/// byte order mark, or a mark that changes the direction of writing.
fn is_layout(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        )
}

/// The text of an action, independent of the game: 1 to 200 characters of `a` to `z`, `0` to `9` and `-+*~`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionText(String);

impl ActionText {
    pub(super) fn from_engine(text: &str) -> Self {
        text.parse().expect("an action's text is a word")
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for ActionText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ActionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ActionText {
    type Err = Misfit;

    fn from_str(text: &str) -> Result<Self, Misfit> {
        let fits = (1..=MAX_CHARS).contains(&text.len())
            && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'+' | b'*' | b'~'));
        fits.then(|| Self(text.to_owned())).ok_or(Misfit::Action)
    }
}

/// The seed of the cards, or its hash.
pub(super) fn read_hex<T: FromStr<Err = NotASeed>>(text: &str) -> Result<T, Misfit> {
    text.parse().map_err(|NotASeed| Misfit::Hex)
}
