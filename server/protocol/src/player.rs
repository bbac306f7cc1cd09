//! Players and seats.

use game::ids::{BotLevel, PlayerId, PlayerName};
use serde::{Deserialize, Serialize};

/// Player as others see them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Player {
    /// Id of the player, which never changes. Zeros for a deleted player; ones for a game's second player if both are deleted.
    pub id: PlayerId,
    /// Present name of the player, 1 to 24 characters, also in old games.
    pub name: PlayerName,
    /// Level of a bot; absent for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = BotLevel))]
    pub bot: Option<BotLevel>,
    /// Kind of the player; absent where only the name is known, as in records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = PlayerKind))]
    pub kind: Option<PlayerKind>,
}

/// Kind of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// A player whom only the session of a browser proves. Several guests may have one name.
    Guest,
    /// A player with an account, whose name nobody else has.
    Account,
    /// A player whose turns the server computes, with a level in `bot`.
    Bot,
    /// A player of whom no name is left.
    Deleted,
}

/// Names of players, whom games mention by id.
pub trait Names {
    /// Returns a player as others see them now.
    fn player(&self, id: PlayerId) -> Player;

    /// Returns the players of a game.
    fn seats(&self, seats: &game::Seats) -> Seats {
        let mut shown = Seats { first: self.player(seats.first), second: self.player(seats.second) };
        let are_deleted = [&shown.first, &shown.second].iter().all(|player| player.id == PlayerId::DELETED);
        if are_deleted && seats.first != seats.second {
            shown.second.id = PlayerId::ALSO_DELETED;
        }
        shown
    }

    /// Returns a player in a game with these seats, if it has begun: one who is deleted as the seats show them.
    fn player_among(&self, seats: Option<&game::Seats>, id: PlayerId) -> Player {
        match seats {
            Some(seats) if seats.second == id => self.seats(seats).second,
            Some(_) | None => self.player(id),
        }
    }
}

impl<F: Fn(PlayerId) -> Player> Names for F {
    fn player(&self, id: PlayerId) -> Player {
        self(id)
    }
}

/// Players of a game that has begun. Both are the same in a game of two people at one screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seats {
    pub first: Player,
    pub second: Player,
}
