//! The content of a picture, and its style.

use engine::Ruleset;
use views::{Step, Threats};

/// A position to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    pub ruleset: Ruleset,
    /// Text of the position (RULES 0.3), of which only the board is read.
    pub position: &'a str,
    /// Steps of the turn that led to the position, whose marks are drawn.
    pub steps: &'a [Step],
    /// Attackers of the centres in the position. By default those after the last step.
    pub threats: Option<&'a Threats>,
}

impl<'a> Scene<'a> {
    /// The attackers to be drawn.
    pub(crate) fn attackers(&self) -> Option<&'a Threats> {
        self.threats.or_else(|| self.steps.last().and_then(|step| step.threats.as_ref()))
    }
}

/// Appearance of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Style {
    pub theme: Theme,
    pub shape: Shape,
}

/// Colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    Light,
    Dark,
}

/// Shape of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// As previews of links show it.
    Card,
    Square,
}

impl Shape {
    /// Width and height of a PNG.
    #[must_use]
    pub const fn size(self) -> (u32, u32) {
        match self {
            Self::Card => (1200, 630),
            Self::Square => (800, 800),
        }
    }
}

/// A text that is not the position of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a position of this board")]
pub struct Unreadable;
