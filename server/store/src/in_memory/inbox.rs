//! Notices in the inboxes of players.

use game::ids::{NoticeId, PlayerId};

use super::Tables;
use crate::{InboxNotice, MAX_NOTICES, NewNotice};

impl Tables {
    pub(super) fn tell(&mut self, notice: &NewNotice) {
        let NewNotice { player, event, at_ms } = *notice;
        let (id, stored) = notice.stored();
        let is_same = |(of, known): (&(PlayerId, NoticeId), &InboxNotice)| {
            let known = known.event.stored();
            of.0 == player && (known.kind, known.subject) == (stored.kind, stored.subject.clone())
        };
        if self.named(player).is_none() || self.notices.iter().any(is_same) {
            return;
        }
        self.notices.insert((player, id), InboxNotice { id, event, at_ms, seen_ms: None });
        let of_player = self.notices.keys().rev().filter(|(of, _)| *of == player);
        if let Some(oldest) = of_player.copied().nth(MAX_NOTICES as usize - 1) {
            self.notices.retain(|key, _| key.0 != player || *key >= oldest);
        }
    }

    pub(super) fn see_notices(&mut self, player: PlayerId, up_to: NoticeId, now_ms: i64) {
        for ((of, id), notice) in &mut self.notices {
            if *of == player && *id <= up_to {
                notice.seen_ms = notice.seen_ms.or(Some(now_ms));
            }
        }
    }
}
