//! Reading canonical text (RULES 0.3).

use std::marker::PhantomData;

use thiserror::Error;

use super::{Rule, Side, TurnNumber};

/// A text that is not a position from which a game can start (RULES 0.3, 0.9). `I` is the flaw that a game finds in a
/// well-formed text.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("at byte {at}: {kind} (rule {rule})")]
pub struct TextError<I> {
    /// Byte offset in the text, from 0.
    pub at: usize,
    /// The broken clause.
    pub rule: Rule,
    pub kind: TextErrorKind<I>,
}

impl<I> TextError<I> {
    /// Converts the flaw of the error.
    pub fn map<J>(self, into: impl FnOnce(I) -> J) -> TextError<J> {
        let Self { at, rule, kind } = self;
        let kind = match kind {
            TextErrorKind::Expected(expected) => TextErrorKind::Expected(expected),
            TextErrorKind::TurnOutOfRange => TextErrorKind::TurnOutOfRange,
            TextErrorKind::SideAgainstTurn { turn } => TextErrorKind::SideAgainstTurn { turn },
            TextErrorKind::RowTooShort { wanted, found } => TextErrorKind::RowTooShort { wanted, found },
            TextErrorKind::RowTooLong { wanted } => TextErrorKind::RowTooLong { wanted },
            TextErrorKind::Invalid(invalid) => TextErrorKind::Invalid(into(invalid)),
        };
        TextError { at, rule, kind }
    }
}

/// The flaw of a position's text. All but the last variant are common to every game.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum TextErrorKind<I> {
    #[error("expected {0}")]
    Expected(&'static str),
    #[error("the turn must be 1 to 1000")]
    TurnOutOfRange,
    #[error("turn {turn} is {}'s", turn.side())]
    SideAgainstTurn { turn: TurnNumber },
    #[error("a row ends here after {found} of {wanted} cells")]
    RowTooShort { wanted: usize, found: usize },
    #[error("a row has more than {wanted} cells")]
    RowTooLong { wanted: usize },
    #[error("{0}")]
    Invalid(I),
}

/// A text that is not an action of its game in any position (RULES 0.3).
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("at byte {at} of the action: expected {expected}")]
pub struct Unreadable {
    /// Byte offset in the action's text, from 0.
    pub at: usize,
    pub rule: Rule,
    pub expected: &'static str,
}

/// The piece of a letter. `kinds` are all kinds, and `letter_of` returns the letter of a side's piece.
pub(crate) fn piece_of<K: Copy>(
    letter: u8,
    kinds: &[K],
    letter_of: impl Fn(K, Side) -> u8,
) -> Option<(Side, K)> {
    let pieces = Side::ALL.into_iter().flat_map(|side| kinds.iter().map(move |kind| (side, *kind)));
    pieces.into_iter().find(|(side, kind)| letter_of(*kind, *side) == letter)
}

/// A position text, read from left to right.
#[derive(Debug)]
pub(crate) struct Reader<'a, I> {
    text: &'a str,
    at: usize,
    flaw: PhantomData<I>,
}

impl<'a, I> Reader<'a, I> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, flaw: PhantomData }
    }

    /// The offset of the next byte.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Advances past the peeked byte.
    pub(crate) const fn advance(&mut self) {
        self.at += 1;
    }

    /// Advances past `byte`, which must be next.
    pub(crate) fn skip(&mut self, byte: u8, rule: Rule, expected: &'static str) -> Result<(), TextError<I>> {
        if self.peek() != Some(byte) {
            return Err(self.expected(rule, expected));
        }
        self.advance();
        Ok(())
    }

    /// Reads a number without a sign or leading zeros.
    pub(crate) fn number(&mut self, rule: Rule, expected: &'static str) -> Result<u16, TextError<I>> {
        let rest = &self.text[self.at..];
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let digits = &rest[..n_digits];
        let number = digits.parse().map_err(|_| self.expected(rule, expected))?;
        if digits.starts_with('0') && n_digits > 1 {
            return Err(self.expected(rule, expected));
        }
        self.at += n_digits;
        Ok(number)
    }

    /// Reads the side and the turn, which must agree (RULES 0.4).
    pub(crate) fn turn(&mut self, rule: Rule) -> Result<TurnNumber, TextError<I>> {
        let side_at = self.at;
        let side = match self.peek() {
            Some(b'1') => Side::First,
            Some(b'2') => Side::Second,
            _ => return Err(self.expected(rule, "the side, `1` or `2`")),
        };
        self.advance();
        self.skip(b' ', rule, "a space and the turn")?;
        let turn_at = self.at;
        let number = self.number(rule, "the turn")?;
        let turn = TurnNumber::playable(number).ok_or(TextError {
            at: turn_at,
            rule: Rule::START,
            kind: TextErrorKind::TurnOutOfRange,
        })?;
        if turn.side() != side {
            let kind = TextErrorKind::SideAgainstTurn { turn };
            return Err(TextError { at: side_at, rule: Rule::SIDES_ALTERNATE, kind });
        }
        Ok(turn)
    }

    /// Reads a row of `wanted` cells: pieces, and runs of empty cells as their length. Calls `piece` with the index and
    /// letter of each piece, before the reader advances past it.
    pub(crate) fn row(
        &mut self,
        rule: Rule,
        wanted: usize,
        mut piece: impl FnMut(&Self, usize, u8) -> Result<(), TextError<I>>,
    ) -> Result<(), TextError<I>> {
        let too_long = |at| TextError { at, rule, kind: TextErrorKind::RowTooLong { wanted } };
        let mut found = 0;
        while found < wanted {
            let at = self.at;
            match self.peek() {
                None | Some(b'/' | b' ') => {
                    return Err(TextError { at, rule, kind: TextErrorKind::RowTooShort { wanted, found } });
                }
                Some(b'1'..=b'9') => {
                    let n_empty = usize::from(self.number(rule, "a run of empty cells")?);
                    if n_empty > wanted - found {
                        return Err(too_long(at));
                    }
                    found += n_empty;
                }
                Some(letter) => {
                    piece(self, found, letter)?;
                    self.advance();
                    found += 1;
                }
            }
        }
        match self.peek() {
            None | Some(b'/' | b' ') => Ok(()),
            Some(_) => Err(too_long(self.at)),
        }
    }

    pub(crate) fn end(&self, rule: Rule) -> Result<(), TextError<I>> {
        if self.at < self.text.len() {
            return Err(self.expected(rule, "the end of the text"));
        }
        Ok(())
    }

    pub(crate) const fn expected(&self, rule: Rule, what: &'static str) -> TextError<I> {
        TextError { at: self.at, rule, kind: TextErrorKind::Expected(what) }
    }
}

/// Writes a row: a letter for each piece, and runs of empty cells as their length.
pub(crate) fn write_row(text: &mut String, row: impl Iterator<Item = Option<u8>>) {
    let mut n_empty = 0;
    for letter in row {
        match letter {
            None => n_empty += 1,
            Some(letter) => {
                write_run(text, n_empty);
                n_empty = 0;
                text.push(char::from(letter));
            }
        }
    }
    write_run(text, n_empty);
}

fn write_run(text: &mut String, n_empty: u8) {
    if n_empty >= 10 {
        text.push('1');
    }
    if n_empty > 0 {
        text.push(char::from(b'0' + n_empty % 10));
    }
}
