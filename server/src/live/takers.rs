//! Players who have taken a room's free seat, and their addresses. A room whose player leaves at once is open again:
//! without this record, one address could keep all others out of it, one guest after another.

use game::ids::{GameId, PlayerId};
use parking_lot::{Mutex, MutexGuard};

use crate::{net::address::Address, recent::Recent};

/// Capacity of each of the two generations of rooms.
const REMEMBERED: usize = 4096;

/// Maximum number of players kept for one room, which opens again less often.
const OF_ROOM: usize = 32;

/// The latest players to join each room, on any node.
#[derive(Debug)]
pub(super) struct Takers {
    rooms: Mutex<Recent<GameId, Vec<(PlayerId, Address)>>>,
    /// Number of players of one address who may take the seat of a room.
    of_address: usize,
}

impl Takers {
    /// Returns an empty record.
    pub(super) fn new(of_address: u32) -> Self {
        Self { rooms: Mutex::new(Recent::new(REMEMBERED)), of_address: of_address as usize }
    }

    /// Records that a player of an address has taken the seat of a room.
    pub(super) fn record(&self, room: GameId, player: PlayerId, address: Address) {
        let mut rooms = self.locked();
        let takers = rooms.get(room, Vec::new);
        if takers.len() < OF_ROOM {
            takers.push((player, address));
        }
    }

    /// Whether the maximum number of an address's players have already taken the seat of a room that is open again.
    pub(super) fn exclude(&self, room: GameId, address: Address) -> bool {
        let rooms = self.locked();
        let takers = rooms.find(&room).into_iter().flatten();
        takers.filter(|(_, taken)| *taken == address).count() >= self.of_address
    }

    /// Returns the address from which a player has taken the seat of a room.
    pub(super) fn address_of(&self, room: GameId, player: PlayerId) -> Option<Address> {
        let rooms = self.locked();
        let mut takers = rooms.find(&room).into_iter().flatten();
        takers.find(|(taker, _)| *taker == player).map(|(_, address)| *address)
    }

    fn locked(&self) -> MutexGuard<'_, Recent<GameId, Vec<(PlayerId, Address)>>> {
        self.rooms.lock()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn an_address_is_kept_out_of_a_room_that_its_players_have_taken_and_its_neighbours_are_not() {
        let room = GameId::new(Uuid::nil());
        let [one, other] = [1, 2].map(|number| PlayerId::new(Uuid::from_u128(number)));
        let [address, of_same_slash_56] = [256, 257].map(Address::of_slash_32);
        let takers = Takers::new(2);
        for player in [one, other] {
            assert!(!takers.exclude(room, address));
            takers.record(room, player, address);
        }
        assert!(takers.exclude(room, address), "two of its players may");
        assert!(!takers.exclude(room, of_same_slash_56), "another subscriber may have it");
        assert_eq!(takers.address_of(room, other), Some(address));
    }
}
