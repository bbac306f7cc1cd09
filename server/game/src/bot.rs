//! Bots: players that are programs of the server.

use uuid::Uuid;

use crate::{
    Player, State,
    ids::{BotLevel, PlayerId},
};

/// The id of the bot of level 0, which does not exist. Ids of bots are UUIDs of version 8, those of people of version 7.
const IDS: u128 = 0x0000_0000_0000_8000_8000_0000_0000_0000;

impl BotLevel {
    /// Every level, from the weakest.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=8_u64).filter_map(|number| Self::try_from(number).ok())
    }

    /// Returns the level of a bot; `None` if the player is a person.
    pub fn of(player: PlayerId) -> Option<Self> {
        let number = player.uuid().as_u128().checked_sub(IDS)?;
        u64::try_from(number).ok()?.try_into().ok()
    }

    /// The bot of this level. It is the same on every server, and no session belongs to it.
    pub fn player(self) -> Player {
        let name = format!("Bot {}", self.get());
        Player {
            id: PlayerId::new(Uuid::from_u128(IDS + u128::from(self.get()))),
            name: name.try_into().expect("it is a name"),
        }
    }
}

impl State {
    /// Returns the side that a bot plays, with its level.
    pub fn bot(&self) -> Option<(engine::Side, BotLevel)> {
        let seats = self.seats()?;
        engine::Side::ALL.into_iter().find_map(|side| Some((side, BotLevel::of(seats[side])?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_a_bot_that_is_recognised_by_its_id() {
        for (level, number) in BotLevel::all().zip(1..) {
            let player = level.player();
            assert_eq!(level.get(), number);
            assert_eq!(BotLevel::of(player.id), Some(level));
            assert_eq!(player.name.as_str(), format!("Bot {number}"));
            assert_eq!(player.id.uuid().get_version_num(), 8, "people's ids have version 7");
        }
        assert_eq!(BotLevel::all().count(), 8);
    }

    #[test]
    fn no_other_id_is_one_of_a_bot() {
        let near = [IDS, IDS + 9, IDS - 1, 0, u128::MAX];
        assert!(near.into_iter().all(|id| BotLevel::of(PlayerId::new(Uuid::from_u128(id))).is_none()));
    }
}
