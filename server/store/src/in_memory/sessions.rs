//! Sessions of players.

use std::cmp::Reverse;

use game::ids::{PlayerId, SessionId};

use super::{SessionData, Tables};
use crate::{EndedSessions, MAX_SESSIONS, SessionChange, SignIn};

impl Tables {
    pub(super) fn change_session(&mut self, change: SessionChange) {
        match change {
            SessionChange::Used { token, player: _, now_ms, ending_ms } => {
                if let Some(used) = self.sessions.get_mut(&token).filter(|used| used.used_ms > ending_ms) {
                    used.used_ms = used.used_ms.max(now_ms);
                }
            }
            SessionChange::Copied { token, by, player, now_ms, ending_ms } => {
                if let Some(used) = self.sessions.get_mut(&token) {
                    used.used_ms = used.used_ms.min(ending_ms);
                    let id = by.session();
                    let copy = SessionData {
                        id,
                        created_ms: now_ms,
                        used_ms: now_ms,
                        proved_ms: None,
                        ..used.clone()
                    };
                    self.sessions.insert(by, copy);
                    self.trim_sessions(player);
                }
            }
            SessionChange::Proved { token, player: _, now_ms } => {
                if let Some(used) = self.sessions.get_mut(&token) {
                    used.proved_ms = Some(now_ms);
                }
            }
            SessionChange::Ended { player, ended } => self.end_sessions(player, ended),
        }
    }

    pub(super) fn sign_in(&mut self, player: PlayerId, id: SessionId, by: &SignIn) {
        self.end_sessions(player, EndedSessions::One(id));
        if by.reopens {
            self.account(player).closed_ms = None;
        }
        let (label, now_ms) = (by.label.clone(), by.now_ms);
        let proved_ms = Some(now_ms);
        let session = SessionData { id, player, label, created_ms: now_ms, used_ms: now_ms, proved_ms };
        self.sessions.insert(by.token, session);
        self.trim_sessions(player);
        self.devices.insert((player, by.device), by.device_until_ms);
        let of_player = self.devices.iter().filter(|((owner, _), _)| *owner == player);
        let mut devices: Vec<_> = of_player.map(|(device, until_ms)| (Reverse(*until_ms), *device)).collect();
        devices.sort_unstable();
        for (_, device) in devices.into_iter().skip(MAX_SESSIONS as usize) {
            self.devices.remove(&device);
        }
    }

    pub(super) fn end_sessions(&mut self, player: PlayerId, ended: EndedSessions) {
        self.sessions.retain(|_, used| used.player != player || !ended.include(used.id));
    }

    /// Ends the sessions of a player beyond the last used ones.
    fn trim_sessions(&mut self, player: PlayerId) {
        let of_player = self.sessions.iter().filter(|(_, used)| used.player == player);
        let mut tokens: Vec<_> =
            of_player.map(|(token, used)| (Reverse((used.used_ms, used.created_ms)), *token)).collect();
        tokens.sort_unstable();
        for (_, token) in tokens.into_iter().skip(MAX_SESSIONS as usize) {
            self.sessions.remove(&token);
        }
    }
}
