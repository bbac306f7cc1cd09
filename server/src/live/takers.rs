//! The addresses whose players have taken the free seat of a room. A room whose player leaves at once is open again, and
//! one address must not keep everybody else out of it by one guest after the other.

use std::sync::{Mutex, MutexGuard, PoisonError};

use game::ids::GameId;

use crate::{
    net::address::{Address, Network},
    recent::Recent,
};

/// Capacity of each of the two generations of rooms.
const REMEMBERED: usize = 4096;

/// Maximum number of addresses that are kept for one room: more than the times that a room opens again.
const OF_ROOM: usize = 32;

/// The addresses of the latest players to join each room, on any node; of IPv6 the networks of whole subscribers.
#[derive(Debug)]
pub(super) struct Takers {
    rooms: Mutex<Recent<GameId, Vec<Network>>>,
    /// Number of players of one address who may take the seat of a room.
    of_address: usize,
}

impl Takers {
    /// Returns the state in which no room is taken.
    pub(super) fn new(of_address: u32) -> Self {
        Self { rooms: Mutex::new(Recent::new(REMEMBERED)), of_address: of_address as usize }
    }

    /// Records that a player of an address has taken the seat of a room.
    pub(super) fn record(&self, room: GameId, address: Address) {
        let mut rooms = self.locked();
        let takers = rooms.get(room, Vec::new);
        if takers.len() < OF_ROOM {
            takers.push(address.subscriber());
        }
    }

    /// Whether the maximum number of an address's players have already taken the seat of a room that is open again.
    pub(super) fn exclude(&self, room: GameId, address: Address) -> bool {
        let rooms = self.locked();
        let takers = rooms.find(&room).into_iter().flatten();
        takers.filter(|taker| **taker == address.subscriber()).count() >= self.of_address
    }

    fn locked(&self) -> MutexGuard<'_, Recent<GameId, Vec<Network>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
