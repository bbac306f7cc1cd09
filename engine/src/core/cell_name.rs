use std::{fmt, str::FromStr};

use thiserror::Error;

/// The name of a cell of any board: a letter and a number of one or two digits, as `b7` or `k11`.
///
/// It is as cheap to copy as a number. Names are ordered like their texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellName {
    /// ASCII, padded with a 0 byte after a number of one digit.
    bytes: [u8; 3],
}

impl CellName {
    /// The name of a letter, counted from 0 to 25, and a number from 1 to 99.
    pub(crate) const fn new(letter: u8, number: u8) -> Self {
        let (letter, tens, ones) = (b'a' + letter, b'0' + number / 10, b'0' + number % 10);
        Self { bytes: if number < 10 { [letter, ones, 0] } else { [letter, tens, ones] } }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let len = if self.bytes[2] == 0 { 2 } else { 3 };
        str::from_utf8(&self.bytes[..len]).expect("names are ASCII")
    }
}

impl AsRef<str> for CellName {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq<&str> for CellName {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == *text
    }
}

impl fmt::Display for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error of a text that is not the name of a cell of any board.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("expected a cell: a letter from `a` and a number from 1, such as `b7` or `k11`")]
pub struct NotACellName;

impl FromStr for CellName {
    type Err = NotACellName;

    fn from_str(text: &str) -> Result<Self, NotACellName> {
        let bytes = match *text.as_bytes() {
            [letter @ b'a'..=b'z', number @ b'1'..=b'9'] => [letter, number, 0],
            [letter @ b'a'..=b'z', tens @ b'1'..=b'9', ones @ b'0'..=b'9'] => [letter, tens, ones],
            _ => return Err(NotACellName),
        };
        Ok(Self { bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_its_text_and_read_from_it() {
        for (letter, number, text) in [(0, 1, "a1"), (8, 9, "i9"), (10, 10, "k10"), (25, 99, "z99")] {
            let name = CellName::new(letter, number);
            assert_eq!((name.as_str(), &*name.to_string()), (text, text));
            assert_eq!(text.parse(), Ok(name));
        }
        for text in ["", "a", "a0", "a01", "a1\0", "a100", "A1", "1a", "a+1", "\u{e9}1", "b\u{e9}"] {
            assert_eq!(text.parse::<CellName>(), Err(NotACellName), "{text}");
        }
    }

    #[test]
    fn names_are_in_the_order_of_their_texts() {
        let texts = ["a1", "a10", "a11", "a2", "b1", "b11"];
        let names = texts.map(|text| text.parse::<CellName>().unwrap());
        assert!(names.is_sorted());
    }
}
