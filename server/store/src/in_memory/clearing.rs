//! Deletion of old rows, a bounded part in each commit.

use game::{
    Seats,
    ids::{GameId, PlayerId},
};

use super::{Game, Tables, count, games::is_aborted};
use crate::{CLEARED_ROWS, Cleared, Clearing, Report, Seek};

impl Tables {
    pub(super) fn clear(&mut self, clearing: &Clearing) -> Cleared {
        match clearing {
            Clearing::Games { deleted, spared } => self.clear_games(deleted, spared),
            Clearing::Guests { before_ms, at_most } => self.clear_guests(*before_ms, *at_most),
            Clearing::Accounts { closed_before_ms, at_most } => {
                self.erase_accounts(*closed_before_ms, *at_most)
            }
            Clearing::Sessions { unused_since_ms } => {
                let ended = self.sessions.iter().filter(|(_, used)| used.used_ms <= *unused_since_ms);
                let mut ended: Vec<_> = ended.map(|(token, used)| (used.used_ms, *token)).collect();
                ended.sort_unstable();
                ended.truncate(CLEARED_ROWS as usize);
                self.sessions.retain(|token, used| !ended.contains(&(used.used_ms, *token)));
                Cleared { deleted: count(ended.len()), is_more: count(ended.len()) == CLEARED_ROWS }
            }
            Clearing::Mails { created_ms } => {
                cleared(|left| self.mails.retain(|data| !(data.created_ms <= *created_ms && take_one(left))))
            }
            Clearing::Links { expired_ms } => cleared(|left| {
                self.links.retain(|(_, link)| !(link.expires_ms <= *expired_ms && take_one(left)))
            }),
            Clearing::Reports { settled_ms } => {
                let is_old = |report: &Report| report.settled_ms.is_some_and(|at_ms| at_ms <= *settled_ms);
                cleared(|left| self.reports.retain(|_, report| !(is_old(report) && take_one(left))))
            }
            Clearing::Notices { at_ms } => {
                cleared(|left| self.notices.retain(|_, notice| !(notice.at_ms <= *at_ms && take_one(left))))
            }
            Clearing::Seeks { left: seeks, seen_ms } => {
                let players = &self.players;
                let is_left =
                    |seek: &Seek| seeks.contains(&seek.id) && players[&seek.player].seen_ms <= *seen_ms;
                cleared(|left| self.seeks.retain(|_, seek| !(is_left(seek) && take_one(left))))
            }
            Clearing::Ceremonies { expired_ms } => cleared(|left| {
                self.ceremonies.retain(|_, begun| !(begun.expires_ms <= *expired_ms && take_one(left)))
            }),
        }
    }

    fn clear_games(&mut self, deleted: &[GameId], spared: &[GameId]) -> Cleared {
        for id in spared {
            if let Some(game) = self.games.get_mut(id) {
                game.is_spared = true;
            }
        }
        let may_delete = |id: &&GameId| {
            self.games.get(id).is_some_and(|Game { row, .. }| is_aborted(row) || row.was_given_up())
        };
        let deleted: Vec<GameId> = deleted.iter().filter(may_delete).copied().collect();
        let mut left = CLEARED_ROWS;
        self.chat.retain(|line| !(deleted.contains(&line.game) && take_one(&mut left)));
        for id in &deleted {
            let events = &mut self.games.get_mut(id).expect("it may be deleted").events;
            while !events.is_empty() && take_one(&mut left) {
                events.pop();
            }
        }
        if left == 0 {
            return Cleared::PARTLY;
        }
        for id in &deleted {
            self.reviews.remove(id);
            self.conditionals.retain(|(game, _), _| game != id);
            let Game { row, .. } = self.games.remove(id).expect("it was there");
            let seats = row.seats.into_iter().flat_map(|Seats { first, second }| [first, second]);
            for player in seats.chain([row.creator]) {
                self.players.entry(player).and_modify(|person| person.is_spared = false);
            }
        }
        Cleared { deleted: count(deleted.len()), is_more: false }
    }

    fn clear_guests(&mut self, before_ms: i64, at_most: u32) -> Cleared {
        let idle = self.players.values().filter(|person| !person.is_spared && person.seen_ms < before_ms);
        let mut idle: Vec<_> = idle.map(|person| (person.seen_ms, person.player.id)).collect();
        idle.sort_unstable();
        idle.truncate(at_most as usize);
        let is_more = count(idle.len()) == at_most;
        let ids = idle.into_iter().map(|(_, id)| id);
        let stays = |id: &PlayerId| {
            let person = &self.players[id];
            person.is_erased || person.account.is_some() || self.has_game(*id)
        };
        let (spared, deleted): (Vec<_>, Vec<_>) = ids.partition(stays);
        for id in spared {
            self.players.entry(id).and_modify(|person| person.is_spared = true);
        }
        let mut left = CLEARED_ROWS;
        self.forget_players(&deleted, &mut left);
        if left == 0 {
            return Cleared::PARTLY;
        }
        deleted.iter().for_each(|id| drop(self.players.remove(id)));
        Cleared { deleted: count(deleted.len()), is_more }
    }

    fn erase_accounts(&mut self, closed_before_ms: i64, at_most: u32) -> Cleared {
        let closed = self.players.values().filter_map(|person| {
            let closed_ms = person.account.as_ref()?.closed_ms?;
            (closed_ms < closed_before_ms).then_some((closed_ms, person.player.id))
        });
        let mut closed: Vec<_> = closed.collect();
        closed.sort_unstable();
        let closed: Vec<_> = closed.into_iter().map(|(_, id)| id).take(at_most as usize).collect();
        let mut left = CLEARED_ROWS;
        self.forget_players(&closed, &mut left);
        if left == 0 {
            return Cleared::PARTLY;
        }
        for player in &closed {
            self.name_keys
                .values_mut()
                .filter(|owner| **owner == Some(*player))
                .for_each(|owner| *owner = None);
            let person = self.person(*player);
            (person.account, person.is_erased, person.muted_until_ms) = (None, true, None);
            person.vacations.is_automatic = true;
            self.roles.remove(player);
        }
        Cleared { deleted: count(closed.len()), is_more: count(closed.len()) == at_most }
    }

    /// Deletes what is stored about players beside their own rows, at most `left` rows.
    fn forget_players(&mut self, players: &[PlayerId], left: &mut u32) {
        self.blocks
            .retain(|(by, whom), _| !((players.contains(by) || players.contains(whom)) && take_one(left)));
        self.seeks.retain(|_, seek| !(players.contains(&seek.player) && take_one(left)));
        self.sessions.retain(|_, used| !(players.contains(&used.player) && take_one(left)));
        self.devices.retain(|(player, _), _| !(players.contains(player) && take_one(left)));
        self.links.retain(|(player, _)| !(players.contains(player) && take_one(left)));
        self.passkeys.retain(|_, (player, _)| !(players.contains(player) && take_one(left)));
        self.mails.retain(|mail| !(mail.player.is_some_and(|id| players.contains(&id)) && take_one(left)));
        self.messages.retain(|key, _| !(players.contains(&key.player) && take_one(left)));
        self.notices.retain(|(player, _), _| !(players.contains(player) && take_one(left)));
        self.forget_moderation(players, left);
        self.forget_vacations(players, left);
    }
}

/// Deletes rows within the budget of one clearing.
fn cleared(delete: impl FnOnce(&mut u32)) -> Cleared {
    let mut left = CLEARED_ROWS;
    delete(&mut left);
    Cleared { deleted: CLEARED_ROWS - left, is_more: left == 0 }
}

/// Takes one from the budget, and returns whether there was one left.
pub(super) fn take_one(left: &mut u32) -> bool {
    let is_left = *left > 0;
    *left -= u32::from(is_left);
    is_left
}
