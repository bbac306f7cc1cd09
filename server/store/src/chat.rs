use game::ids::{ChatText, CommandId, GameId, LineId, PlayerId};
use serde::{Deserialize, Serialize};

/// The readers of a chat line, which are the group that its author belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    Players,
    #[serde(rename = "watchers")]
    Spectators,
}

impl Audience {
    /// The value in the column `audience`.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Players => "players",
            Self::Spectators => "watchers",
        }
    }
}

/// Number of lines of each chat that are kept. The line that makes more deletes the oldest.
pub const CHAT_LINES: u32 = 200;

/// A line of a game's chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatRow {
    pub game: GameId,
    pub audience: Audience,
    /// Id of the command that sent the line. A player has at most one line in a game with the same command id.
    pub command: CommandId,
    pub line: ChatLine,
}

/// Content of a chat line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatLine {
    /// Sort key of the lines.
    pub id: LineId,
    pub at_ms: i64,
    /// The turn under way in the view of the line's audience.
    pub turn: u16,
    pub who: PlayerId,
    pub text: ChatText,
}
