//! Presence at a game: its two sides and the number of spectators.

use std::collections::HashMap;

use engine::{BySide, Side};
use game::{
    State,
    ids::{GameId, NodeId, PlayerId},
    may_claim,
};
use protocol::{ClaimOffer, ServerMessage};

use super::readers::Visitors;
use crate::cluster::bus::AtGame;

/// Minimum interval between broadcasts, in milliseconds.
const BROADCAST_EVERY_MS: i64 = 1_000;

/// Time after which the presence on a silent node expires, in milliseconds. Nodes publish it every 5 s.
const SILENCE_MS: i64 = 15_000;

/// Presence at a game on all nodes, and the time since which each absent side is gone.
#[derive(Debug)]
pub(super) struct Attendance {
    /// Presence on this node.
    here: AtGame,
    /// Presence on other nodes, with the time of their last message in milliseconds since 1970.
    elsewhere: HashMap<NodeId, (AtGame, i64)>,
    /// Whether the other nodes are unreachable, so that absence is unknown.
    is_disconnected: bool,
    /// Time since which a side is gone, milliseconds since 1970; `None` if it is present.
    gone_since_ms: BySide<Option<i64>>,
    spectators: u32,
    /// Whether the presence has changed since the last broadcast.
    is_stale: bool,
    broadcast_ms: i64,
}

impl Attendance {
    /// Presence of a newly loaded game: nobody is present yet, and no absence began earlier.
    pub(super) fn new(now_ms: i64) -> Self {
        let gone_since_ms = BySide { first: Some(now_ms), second: Some(now_ms) };
        Self {
            here: AtGame::default(),
            elsewhere: HashMap::new(),
            is_disconnected: false,
            gone_since_ms,
            spectators: 0,
            is_stale: false,
            broadcast_ms: 0,
        }
    }

    /// Records the presence on this node.
    pub(super) fn record_local(&mut self, state: &State, here: &Visitors, now_ms: i64) {
        let is_here = |player: PlayerId| here.contains(player);
        let [mut first, mut second] =
            state.seats().map_or([false; 2], |seats| [is_here(seats.first), is_here(seats.second)]);
        let is_maker = state.seats().is_none() && is_here(state.creator());
        let is_other = second && !state.is_at_one_table();
        let seated = [first, is_other, is_maker].into_iter().filter(|is_seated| *is_seated).count();
        let spectators = u32::try_from(here.count() - seated).unwrap_or(u32::MAX);
        // A bot has no connection and never leaves.
        match state.bot() {
            Some((Side::First, _)) => first = true,
            Some((Side::Second, _)) => second = true,
            None => {}
        }
        let here = AtGame { first, second, spectators };
        self.is_stale |= here != self.here;
        self.here = here;
        self.count(now_ms);
    }

    /// Records the presence on another node.
    pub(super) fn record_remote(&mut self, node: NodeId, there: AtGame, now_ms: i64) {
        if there == AtGame::default() {
            self.elsewhere.remove(&node);
        } else {
            self.elsewhere.insert(node, (there, now_ms));
        }
        self.count(now_ms);
    }

    /// Sets whether the other nodes are reachable, and drops the presence on silent ones. After a reconnection absences
    /// start again.
    pub(super) fn set_connected(&mut self, is_connected: bool, now_ms: i64) {
        if is_connected && self.is_disconnected {
            for (_, last_heard_ms) in self.elsewhere.values_mut() {
                *last_heard_ms = now_ms;
            }
            self.restart_absences(now_ms);
        }
        self.is_stale |= self.is_disconnected == is_connected;
        self.is_disconnected = !is_connected;
        if is_connected {
            self.elsewhere.retain(|_, (_, last_heard_ms)| now_ms < *last_heard_ms + SILENCE_MS);
        }
        self.count(now_ms);
    }

    /// Makes the absences of both sides count from now on: the game begins, or they were unknown.
    pub(super) fn restart_absences(&mut self, now_ms: i64) {
        for side in Side::ALL {
            self.gone_since_ms[side] = self.gone_since_ms[side].map(|_| now_ms);
        }
    }

    fn count(&mut self, now_ms: i64) {
        let all = || self.elsewhere.values().map(|(there, _)| there).chain([&self.here]);
        let here = BySide { first: all().any(|there| there.first), second: all().any(|there| there.second) };
        let spectators = all().fold(0_u32, |sum, there| sum.saturating_add(there.spectators));
        for side in Side::ALL {
            let since_ms = (!here[side]).then(|| self.gone_since_ms[side].unwrap_or(now_ms));
            self.is_stale |= since_ms.is_none() != self.gone_since_ms[side].is_none();
            self.gone_since_ms[side] = since_ms;
        }
        self.is_stale |= spectators != self.spectators;
        self.spectators = spectators;
    }

    /// Presence on this node.
    pub(super) const fn here(&self) -> AtGame {
        self.here
    }

    /// Returns the duration of a side's absence; `None` if the side is present, or its presence is unknown.
    pub(super) fn gone_ms(&self, side: Side, now_ms: i64) -> Option<i64> {
        self.gone_since_ms[side].filter(|_| !self.is_disconnected).map(|since_ms| now_ms - since_ms)
    }

    /// Returns the time of the next broadcast, milliseconds since 1970; `None` if nothing has changed.
    pub(super) fn broadcast_at_ms(&self) -> Option<i64> {
        self.is_stale.then_some(self.broadcast_ms + BROADCAST_EVERY_MS)
    }

    /// Returns the message, which counts as broadcast now.
    pub(super) fn take_broadcast(&mut self, game: GameId, state: &State, now_ms: i64) -> ServerMessage {
        self.is_stale = false;
        self.broadcast_ms = now_ms;
        self.message(game, state, now_ms)
    }

    /// Returns the `presence` message.
    pub(super) fn message(&self, game: GameId, state: &State, now_ms: i64) -> ServerMessage {
        ServerMessage::Presence {
            game,
            first: self.gone_since_ms.first.is_none(),
            second: self.gone_since_ms.second.is_none(),
            spectators: self.spectators,
            claim: self.claim(state, now_ms),
        }
    }

    /// Returns the claim that a present side may make, if the other side is absent.
    fn claim(&self, state: &State, now_ms: i64) -> Option<ClaimOffer> {
        let against = Side::ALL
            .into_iter()
            .find(|side| self.gone_since_ms[*side].is_some() && self.gone_since_ms[side.other()].is_none())?;
        let gone_ms = self.gone_ms(against, now_ms)?;
        let from_ms = now_ms - gone_ms + state.terms().clock.claim_after_ms()?;
        // A game whose side is absent from the start is aborted instead.
        may_claim(state, Some(i64::MAX)).then_some(ClaimOffer { against, from_ms })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const OTHER: NodeId = NodeId::new(Uuid::from_u128(1));

    fn there(first: bool, second: bool) -> AtGame {
        AtGame { first, second, spectators: 0 }
    }

    #[test]
    fn no_absence_is_longer_than_the_game_is_in_memory_so_that_no_outage_counts() {
        let attendance = Attendance::new(1_000_000);
        assert_eq!(Side::ALL.map(|side| attendance.gone_ms(side, 1_000_005)), [Some(5); 2]);
    }

    #[test]
    fn a_side_is_absent_from_leaving_its_last_node_until_its_return() {
        let mut attendance = Attendance::new(0);
        attendance.record_remote(OTHER, there(true, true), 1_000);
        attendance.record_remote(OTHER, there(true, false), 2_000);
        attendance.record_remote(OTHER, there(true, false), 4_000);
        assert_eq!(Side::ALL.map(|side| attendance.gone_ms(side, 5_000)), [None, Some(3_000)]);
        attendance.record_remote(OTHER, there(true, true), 6_000);
        assert_eq!(attendance.gone_ms(Side::Second, 7_000), None);
    }

    #[test]
    fn absence_is_unknown_while_other_nodes_are_unreachable_and_starts_again_afterwards() {
        let mut attendance = Attendance::new(0);
        attendance.record_remote(OTHER, there(true, false), 1_000);
        attendance.set_connected(false, 2_000);
        assert_eq!(Side::ALL.map(|side| attendance.gone_ms(side, 50_000)), [None; 2]);
        attendance.set_connected(true, 60_000);
        let gone_ms =
            |attendance: &Attendance, now_ms| Side::ALL.map(|side| attendance.gone_ms(side, now_ms));
        assert_eq!(
            gone_ms(&attendance, 61_000),
            [None, Some(1_000)],
            "that the node was silent was not its doing"
        );
        attendance.set_connected(true, 60_000 + SILENCE_MS);
        assert_eq!(
            gone_ms(&attendance, 60_000 + SILENCE_MS),
            [Some(0), Some(SILENCE_MS)],
            "nor did it come back"
        );
    }
}
