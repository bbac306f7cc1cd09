use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::NotASeed;

/// The characters that a [`Line`] or a [`Word`] has at most.
const MAX_CHARS: usize = 200;

/// A text that does not fit where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("expected {0}")]
pub struct Misfit(pub(super) &'static str);

/// A text of one line: 1 to 200 characters, none of them a control character, and no space at either end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line(String);

impl Line {
    pub(super) fn of_engine(text: &str) -> Self {
        text.parse().expect("a position's text is a line")
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Line {
    type Err = Misfit;

    fn from_str(text: &str) -> Result<Self, Misfit> {
        let fits = (1..=MAX_CHARS).contains(&text.chars().count())
            && text.trim() == text
            && !text.contains(char::is_control);
        fits.then(|| Self(text.to_owned()))
            .ok_or(Misfit("1 to 200 characters without control characters and without spaces at the ends"))
    }
}

/// The text of an action, as far as one can say without knowing the game: 1 to 200 of `a` to `z`, `0` to `9` and
/// `-+*~`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word(String);

impl Word {
    pub(super) fn of_engine(text: &str) -> Self {
        text.parse().expect("an action's text is a word")
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Word {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Word {
    type Err = Misfit;

    fn from_str(text: &str) -> Result<Self, Misfit> {
        let fits = (1..=MAX_CHARS).contains(&text.len())
            && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'+' | b'*' | b'~'));
        fits.then(|| Self(text.to_owned())).ok_or(Misfit("an action such as `b7-c7`"))
    }
}

/// The seed of the cards, or its hash.
pub(super) fn read_hex<T: FromStr<Err = NotASeed>>(text: &str) -> Result<T, Misfit> {
    text.parse().map_err(|NotASeed| Misfit("64 digits `0` to `9` and `a` to `f`"))
}
