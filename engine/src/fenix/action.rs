use std::{fmt, str::FromStr};

use super::Square;
use crate::core::{Rule, Unreadable};

const SQUARES: Rule = Rule::new("2.1");
const ACTION_TEXT: Rule = Rule::new("2.14");

/// An action, which is a complete turn (RULES 2.14).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    Move {
        from: Square,
        to: Square,
    },
    /// A stacking, or the making of a new piece.
    Promote {
        from: Square,
        to: Square,
    },
    Capture(Route),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { from, to } => write!(f, "{from}-{to}"),
            Self::Promote { from, to } => write!(f, "{from}+{to}"),
            Self::Capture(route) => route.fmt(f),
        }
    }
}

/// The squares of a capture, its start and its end included, at least two.
///
/// They determine the capture: between two consecutive squares is exactly one enemy piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Route {
    /// The squares beyond `len` are all equal.
    squares: [Square; Self::LIMIT],
    len: u8,
}

impl Route {
    /// Bounded by the number of pieces of the other side: it has 28 discs, three of which are its king.
    const LIMIT: usize = 27;

    /// An empty route.
    pub(super) const fn empty() -> Self {
        Self { squares: [Square::A1; Self::LIMIT], len: 0 }
    }

    pub(super) const fn from(start: Square) -> Self {
        let mut squares = [Square::A1; Self::LIMIT];
        squares[0] = start;
        Self { squares, len: 1 }
    }

    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.squares[..usize::from(self.len)]
    }

    /// The squares from start to end.
    #[must_use]
    pub const fn ends(&self) -> (Square, Square) {
        (self.squares[0], self.squares[self.len as usize - 1])
    }

    #[inline]
    pub(super) const fn push(&mut self, square: Square) {
        self.squares[self.len as usize] = square;
        self.len += 1;
    }

    #[inline]
    pub(super) const fn pop(&mut self) {
        self.len -= 1;
        self.squares[self.len as usize] = Square::A1;
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, _) = self.ends();
        start.fmt(f)?;
        self.squares()[1..].iter().try_for_each(|landing| write!(f, "x{landing}"))
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Action {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let sign = text.bytes().find(|byte| matches!(byte, b'-' | b'+' | b'x'));
        let (first, rest) = sign.and_then(|sign| text.split_once(char::from(sign))).ok_or(Unreadable {
            at: 0,
            rule: ACTION_TEXT,
            expected: "a move such as `d5-d6`, a making such as `d5+d6` or a capture such as `d5xd7`",
        })?;
        let from = square(first, 0)?;
        let second = first.len() + 1;
        match sign {
            Some(b'-') => Ok(Self::Move { from, to: square(rest, second)? }),
            Some(b'+') => Ok(Self::Promote { from, to: square(rest, second)? }),
            _ => landings(Route::from(from), rest, second).map(Self::Capture),
        }
    }
}

fn square(name: &str, at: usize) -> Result<Square, Unreadable> {
    name.parse().map_err(|_| Unreadable { at, rule: SQUARES, expected: "a square such as `a1` or `i9`" })
}

fn landings(mut route: Route, names: &str, mut at: usize) -> Result<Route, Unreadable> {
    for name in names.split('x') {
        let landing = square(name, at)?;
        if route.squares().len() == Route::LIMIT {
            return Err(Unreadable { at, rule: ACTION_TEXT, expected: "no more than 26 jumps" });
        }
        route.push(landing);
        at += name.len() + 1;
    }
    Ok(route)
}
