use super::board::{Board, Cell};
use crate::core::{CellName, Rule};

/// The rulesets that are games of stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Game {
    /// `focus`: with the opening switch (RULES 3.3).
    Focus,
    /// `focus-classic`: without.
    FocusClassic,
    /// `crossfire`: on the other board, and with ko (RULES 4.4).
    Crossfire,
}

impl Game {
    pub(super) const fn board(self) -> Board {
        match self {
            Self::Focus | Self::FocusClassic => Board::Squares,
            Self::Crossfire => Board::Hexes,
        }
    }

    pub(super) const fn has_switch(self) -> bool {
        match self {
            Self::Focus => true,
            Self::FocusClassic | Self::Crossfire => false,
        }
    }

    /// Whether ko replaces repetition (RULES 4.5).
    pub(super) const fn has_ko(self) -> bool {
        match self {
            Self::Focus | Self::FocusClassic => false,
            Self::Crossfire => true,
        }
    }

    /// The clause that defines the position's text.
    pub(super) const fn text_rule(self) -> Rule {
        match self {
            Self::Focus | Self::FocusClassic => Rule::new("3.2"),
            Self::Crossfire => Rule::new("4.3"),
        }
    }

    pub(super) const fn start_text(self) -> &'static str {
        match self {
            Self::Focus | Self::FocusClassic => {
                ".,.,.,./o,o,x,x,o,o/.,x,x,o,o,x,x,./.,o,o,x,x,o,o,./\
                 .,x,x,o,o,x,x,./.,o,o,x,x,o,o,./x,x,o,o,x,x/.,.,.,. 1 1 0 0"
            }
            Self::Crossfire => {
                "./o,x,x,x/.,o,o,x,x,o,./o,o,o,x,o,o/x,x,x,.,o,o,o/x,x,o,x,x,x/.,x,o,o,x,x,./o,o,o,x/. 1 1 0 0"
            }
        }
    }

    /// The cells of its board, in the order of the text.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        self.board().cells()
    }

    /// The cells in the order of the text, each with its capacity.
    pub(crate) fn capacities(self) -> Vec<(CellName, u8)> {
        self.board().cells().map(|cell| (cell.name(), cell.capacity())).collect()
    }
}
