use std::{fmt, str::FromStr};

use crate::{CellName, fibonacci::Variant, stacks::Game};

/// A game with all its options fixed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ruleset {
    /// Groups of one kind.
    Fibonacci,
    /// Groups of any connected pieces of one side.
    FibonacciMixed,
    /// Groups of one kind, and a card for each turn's allowance.
    FibonacciCards,
    /// Soldiers, councillors and kings, with compulsory captures.
    Fenix,
    /// Focus with the opening switch.
    Focus,
    /// Focus as first published.
    FocusClassic,
    Crossfire,
}

impl Ruleset {
    /// Every ruleset, in the order of RULES.
    pub const ALL: [Self; 7] = [
        Self::Fibonacci,
        Self::FibonacciMixed,
        Self::FibonacciCards,
        Self::Fenix,
        Self::Focus,
        Self::FocusClassic,
        Self::Crossfire,
    ];

    /// The id in the first table of RULES.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Fibonacci => "fibonacci",
            Self::FibonacciMixed => "fibonacci-mixed",
            Self::FibonacciCards => "fibonacci-cards",
            Self::Fenix => "fenix",
            Self::Focus => "focus",
            Self::FocusClassic => "focus-classic",
            Self::Crossfire => "crossfire",
        }
    }

    /// Whether a turn can be ended before its allowance is used up (RULES 1.9).
    #[must_use]
    pub const fn has_early_end(self) -> bool {
        match self {
            Self::Fibonacci | Self::FibonacciCards => true,
            Self::FibonacciMixed | Self::Fenix | Self::Focus | Self::FocusClassic | Self::Crossfire => false,
        }
    }

    /// Whether the allowance of a turn is a card that is turned over when it begins (RULES 1.16).
    #[must_use]
    pub const fn has_cards(self) -> bool {
        match self {
            Self::FibonacciCards => true,
            Self::Fibonacci
            | Self::FibonacciMixed
            | Self::Fenix
            | Self::Focus
            | Self::FocusClassic
            | Self::Crossfire => false,
        }
    }

    /// Whether men are dropped from a reserve (RULES 3.5).
    #[must_use]
    pub const fn has_drops(self) -> bool {
        match self {
            Self::Fibonacci | Self::FibonacciMixed | Self::FibonacciCards | Self::Fenix => false,
            Self::Focus | Self::FocusClassic | Self::Crossfire => true,
        }
    }

    /// The cells with their capacities (RULES 3.6, 4.2), in the order of a position's text; none in a game without
    /// stacks.
    #[must_use]
    pub fn capacities(self) -> Vec<(CellName, u8)> {
        match self {
            Self::Fibonacci | Self::FibonacciMixed | Self::FibonacciCards | Self::Fenix => Vec::new(),
            Self::Focus => Game::Focus.capacities(),
            Self::FocusClassic => Game::FocusClassic.capacities(),
            Self::Crossfire => Game::Crossfire.capacities(),
        }
    }
}

impl From<Variant> for Ruleset {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::Original => Self::Fibonacci,
            Variant::Mixed => Self::FibonacciMixed,
            Variant::Cards => Self::FibonacciCards,
        }
    }
}

impl From<Game> for Ruleset {
    fn from(game: Game) -> Self {
        match game {
            Game::Focus => Self::Focus,
            Game::FocusClassic => Self::FocusClassic,
            Game::Crossfire => Self::Crossfire,
        }
    }
}

crate::core::serialized_as_text!(Ruleset);

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The error of an unknown ruleset id. The message lists the known ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownRuleset;

impl fmt::Display for UnknownRuleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown ruleset: expected one of {}", Ruleset::ALL.map(Ruleset::id).join(", "))
    }
}

impl std::error::Error for UnknownRuleset {}

impl FromStr for Ruleset {
    type Err = UnknownRuleset;

    fn from_str(id: &str) -> Result<Self, UnknownRuleset> {
        Self::ALL.into_iter().find(|ruleset| ruleset.id() == id).ok_or(UnknownRuleset)
    }
}
