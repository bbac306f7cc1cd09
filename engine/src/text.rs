//! Reading canonical text (RULES 0.3), and the errors of texts and turns.

use thiserror::Error;

use crate::{Rule, Side, TurnNumber, fenix, fibonacci, stacks};

/// A text that is not a position from which a game can start (RULES 0.3, 0.9).
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("at byte {at}: {kind} (rule {rule})")]
pub struct TextError {
    /// Where in the text, in bytes from 0.
    pub at: usize,
    /// The clause that is broken.
    pub rule: Rule,
    pub kind: TextErrorKind,
}

/// What is wrong with a text: first what is wrong in every game, then what each game adds.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum TextErrorKind {
    #[error("expected {0}")]
    Expected(&'static str),
    #[error("the turn must be 1 to 1000")]
    TurnOutOfRange,
    #[error("turn {turn} is {}'s", turn.side())]
    SideAgainstTurn { turn: TurnNumber },
    #[error("a row ends here that should have {wanted} cells and has {found}")]
    RowTooShort { wanted: usize, found: usize },
    #[error("a row of {wanted} cells goes on here")]
    RowTooLong { wanted: usize },
    #[error(transparent)]
    Fibonacci(#[from] fibonacci::InvalidPosition),
    #[error(transparent)]
    Fenix(#[from] fenix::InvalidPosition),
    #[error(transparent)]
    Stacks(#[from] stacks::InvalidPosition),
}

/// A text that is no action of its game, whatever the position (RULES 0.3).
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("at byte {at} of the action: expected {expected}")]
pub struct Unreadable {
    /// Where in the action's text, in bytes from 0.
    pub at: usize,
    pub rule: Rule,
    pub expected: &'static str,
}

/// An action that is well written and not legal in its position.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum IllegalAction {
    #[error("the same action led to the same position in turn {turn}")]
    Ko { turn: TurnNumber },
    #[error(transparent)]
    Fibonacci(#[from] fibonacci::IllegalMove),
    #[error(transparent)]
    Fenix(#[from] fenix::IllegalMove),
    #[error(transparent)]
    Stacks(#[from] stacks::IllegalMove),
}

impl IllegalAction {
    /// The clause that is broken.
    #[must_use]
    pub fn rule(&self) -> Rule {
        match self {
            Self::Ko { .. } => Rule::KO,
            Self::Fibonacci(illegal) => illegal.rule(),
            Self::Fenix(illegal) => illegal.rule(),
            Self::Stacks(illegal) => illegal.rule(),
        }
    }
}

/// Why a list of actions is not a legal turn, or not the beginning of one.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
#[error("action {} (rule {rule}): {kind}", index + 1)]
pub struct TurnError {
    /// The first bad action, from 0; for a turn that stops too soon the number of actions given.
    pub index: usize,
    /// The clause that it breaks.
    pub rule: Rule,
    pub kind: TurnErrorKind,
}

/// What is wrong with a turn.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum TurnErrorKind {
    /// An action's text is none.
    #[error(transparent)]
    Unreadable(Unreadable),
    /// An action is not legal where it stands.
    #[error(transparent)]
    Illegal(IllegalAction),
    /// The turn stops too soon; `may_end` says whether `end` would have completed the turn.
    #[error("the turn is not complete: {}", if *may_end { "use what is left, or `end`" } else { "more actions belong to it" })]
    Incomplete { may_end: bool },
    /// The action lies beyond the end of its turn.
    #[error("the turn was over before this action, and the other side is to act")]
    TurnOver,
    /// The game was over before the action.
    #[error("the game is over")]
    GameOver,
}

/// A position text, read from left to right.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Where the next byte is.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes past the byte that was peeked at.
    pub(crate) const fn advance(&mut self) {
        self.at += 1;
    }

    /// Goes past `byte`, which must be next.
    pub(crate) fn skip(&mut self, byte: u8, rule: Rule, expected: &'static str) -> Result<(), TextError> {
        if self.peek() != Some(byte) {
            return Err(self.expected(rule, expected));
        }
        self.advance();
        Ok(())
    }

    /// A number without sign or needless zeros.
    pub(crate) fn number(&mut self, rule: Rule, expected: &'static str) -> Result<u16, TextError> {
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

    /// The side and the turn, which must agree (RULES 0.4).
    pub(crate) fn turn(&mut self, rule: Rule) -> Result<TurnNumber, TextError> {
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

    /// A row of `wanted` cells: pieces, and runs of empty cells as their length. `piece` is told which cell
    /// has which letter, before the reader goes past it.
    pub(crate) fn row(
        &mut self,
        rule: Rule,
        wanted: usize,
        mut piece: impl FnMut(&Self, usize, u8) -> Result<(), TextError>,
    ) -> Result<(), TextError> {
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

    pub(crate) fn end(&self, rule: Rule) -> Result<(), TextError> {
        if self.at < self.text.len() {
            return Err(self.expected(rule, "the end of the text"));
        }
        Ok(())
    }

    pub(crate) const fn expected(&self, rule: Rule, what: &'static str) -> TextError {
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
