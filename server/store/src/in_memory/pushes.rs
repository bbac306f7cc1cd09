//! Push subscriptions.

use std::cmp::Reverse;

use game::ids::PlayerId;

use super::{PushData, Tables};
use crate::{MAX_PUSHES, PUSH_FAILURES, PushChange, Refused, TokenHash};

impl Tables {
    pub(super) fn change_push(&mut self, change: &PushChange) -> Result<(), Refused> {
        match change {
            PushChange::Subscribed { player, session, subscription, .. } => {
                if !self.sessions.contains_key(session) {
                    return Err(Refused::NoSession);
                }
                let data = PushData { session: *session, subscription: subscription.clone(), failures: 0 };
                self.pushes.retain(|_, push| push.session != *session);
                self.pushes.insert(subscription.hash(), data);
                self.trim_pushes(*player, session);
            }
            PushChange::Unsubscribed { session, .. } => {
                self.pushes.retain(|_, push| push.session != *session)
            }
            PushChange::Delivered { subscription, .. } => {
                self.pushes.entry(*subscription).and_modify(|push| push.failures = 0);
            }
            PushChange::Failed { subscription, failures, .. } => {
                self.pushes.entry(*subscription).and_modify(|push| push.failures += failures);
                self.pushes.retain(|_, push| push.failures < PUSH_FAILURES);
            }
            PushChange::Gone { subscription, .. } => drop(self.pushes.remove(subscription)),
        }
        Ok(())
    }

    /// Whether a browser of a player has subscribed.
    pub(super) fn has_pushes(&self, player: PlayerId) -> bool {
        let is_of =
            |push: &PushData| self.sessions.get(&push.session).is_some_and(|used| used.player == player);
        self.pushes.values().any(is_of)
    }

    /// Ends the subscriptions of a player beyond that of a session and those of the last used ones.
    fn trim_pushes(&mut self, player: PlayerId, session: &TokenHash) {
        let of_player = self.pushes.iter().filter_map(|(hash, push)| {
            let used = self.sessions.get(&push.session).filter(|used| used.player == player)?;
            Some((push.session != *session, Reverse((used.used_ms, used.created_ms)), push.session, *hash))
        });
        let mut hashes: Vec<_> = of_player.collect();
        hashes.sort_unstable();
        for (.., hash) in hashes.into_iter().skip(MAX_PUSHES as usize) {
            self.pushes.remove(&hash);
        }
    }
}
