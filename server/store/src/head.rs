use game::ids::{GameId, Version};

use crate::{Audience, DraftRow, GameRow};

/// The last change of a game. If a database goes back to an earlier state and on from there, a game may have as many
/// events as before, but not at the same times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LastChange {
    pub version: Version,
    /// Milliseconds since 1970, as in the game's row.
    pub at_ms: i64,
}

impl LastChange {
    /// The one of a game that does not exist.
    pub const NONE: Self = Self { version: Version::NONE, at_ms: 0 };
}

impl GameRow {
    /// Returns the last change of the game.
    pub const fn last_change(&self) -> LastChange {
        LastChange { version: self.version, at_ms: self.updated_ms }
    }
}

/// Position of a stored game in its log, with its draft and the numbers of its chat lines, to be compared with the game
/// in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub game: GameId,
    pub last_change: LastChange,
    pub draft: Option<DraftRow>,
    /// Numbers of lines of the chats of the players and of the spectators.
    pub(crate) n_lines: [u32; 2],
}

impl Head {
    /// Number of lines of a chat, capped at the limit of the query.
    pub fn n_lines(&self, audience: Audience) -> u32 {
        let [players, spectators] = self.n_lines;
        match audience {
            Audience::Players => players,
            Audience::Spectators => spectators,
        }
    }
}
