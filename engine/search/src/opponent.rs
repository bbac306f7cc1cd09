use std::{fmt, str::FromStr};

use crate::Level;

/// An opponent by name: a level, or a baseline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opponent {
    Level(Level),
    Baseline(Baseline),
}

/// A simple player, to measure others by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Baseline {
    /// Any turn.
    Random,
    /// The action with the best material, a win first.
    Greedy,
    /// Plain tree search with random games.
    Uct,
}

/// The error of a text that is not the name of an opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownOpponent;

impl std::error::Error for UnknownOpponent {}

impl fmt::Display for UnknownOpponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected `full`, `level-1` to `level-8`, `random`, `greedy` or `uct`")
    }
}

/// `full`, `level-1` to `level-8`, `random`, `greedy` or `uct`.
impl FromStr for Opponent {
    type Err = UnknownOpponent;

    fn from_str(name: &str) -> Result<Self, UnknownOpponent> {
        match name {
            "full" => Ok(Self::Level(Level::FULL)),
            "random" => Ok(Self::Baseline(Baseline::Random)),
            "greedy" => Ok(Self::Baseline(Baseline::Greedy)),
            "uct" => Ok(Self::Baseline(Baseline::Uct)),
            _ => {
                let number = name.strip_prefix("level-").and_then(|number| number.parse().ok());
                number.and_then(Level::new).map(Self::Level).ok_or(UnknownOpponent)
            }
        }
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(Level::FULL) => f.write_str("full"),
            Self::Level(level) => write!(f, "level-{level}"),
            Self::Baseline(Baseline::Random) => f.write_str("random"),
            Self::Baseline(Baseline::Greedy) => f.write_str("greedy"),
            Self::Baseline(Baseline::Uct) => f.write_str("uct"),
        }
    }
}
