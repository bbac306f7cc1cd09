use serde::{Deserialize, Serialize};

use crate::{
    game::Player,
    ids::{ChatText, CommandId, GameId, LineId},
};

/// Who may read a line: those whom its speaker belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    Players,
    #[serde(rename = "watchers")]
    Spectators,
}

impl Audience {
    /// The word in the column.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Players => "players",
            Self::Spectators => "watchers",
        }
    }
}

/// A line of a game's chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatRow {
    pub game: GameId,
    pub audience: Audience,
    /// What the line was said by. A player says one line by one command.
    pub command: CommandId,
    pub line: ChatLine,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatLine {
    /// Lines sort by it.
    pub id: LineId,
    pub at_ms: i64,
    /// The turn that those who read it saw under way.
    pub turn: u16,
    pub who: Player,
    pub text: ChatText,
}
