use game::ids::{GameId, Version};

use crate::{Audience, DraftRow};

/// Position of a stored game in its log, with its draft and the numbers of its chat lines, to be compared with the game
/// in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub game: GameId,
    pub version: Version,
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
