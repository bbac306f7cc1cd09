//! Players, and all reads about them.

use std::{cmp::Reverse, collections::BTreeSet};

use async_trait::async_trait;
use game::{
    NoticeChannel, NoticePurpose, Period, Player, PlayerKind, Vacation, Vacations,
    ids::{NoticeId, PlayerId, PlayerName, SessionId},
};

use super::{AccountData, MailData, Memory, Person, PushData, SessionData, Tables, count};
use crate::{
    Account, AccountMail, Credentials, DueMail, DueMessage, Errand, InboxNotice, LinkOf, List, NamedAccount,
    OwnMail, OwnPush, OwnSession, Passkey, Players, Session, StoreError, TokenHash, row,
};

impl Person {
    pub(super) fn kind(&self) -> PlayerKind {
        if self.account.is_some() { PlayerKind::Account } else { PlayerKind::Guest }
    }

    /// Whether the player's name may be shown.
    fn is_named(&self) -> bool {
        !self.is_erased && self.account.as_ref().is_none_or(|account| account.closed_ms.is_none())
    }
}

impl Tables {
    /// A player whose name may be shown.
    pub(super) fn named(&self, player: PlayerId) -> Option<&Person> {
        self.players.get(&player).filter(|person| person.is_named())
    }

    /// Whether one of two players has blocked the other.
    pub(super) fn is_block_between(&self, one: PlayerId, other: PlayerId) -> bool {
        [(one, other), (other, one)].iter().any(|pair| self.blocks.contains_key(pair))
    }

    pub(super) fn person(&mut self, player: PlayerId) -> &mut Person {
        self.players.get_mut(&player).expect("a change is planned of a stored player")
    }
}

#[async_trait]
impl Players for Memory {
    async fn session(&self, token: &TokenHash, unused_since_ms: i64) -> Result<Option<Session>, StoreError> {
        let tables = self.0.lock();
        let used = tables.sessions.get(token).filter(|used| used.used_ms > unused_since_ms);
        Ok(used.and_then(|used| {
            let person = tables.players.get(&used.player)?;
            let (player, kind) = (person.player.clone(), person.kind());
            Some(Session { id: used.id, player, kind, used_ms: used.used_ms, proved_ms: used.proved_ms })
        }))
    }

    async fn sessions_of(
        &self,
        player: PlayerId,
        unused_since_ms: i64,
    ) -> Result<Vec<OwnSession>, StoreError> {
        let tables = self.0.lock();
        let of_player =
            tables.sessions.values().filter(|used| used.player == player && used.used_ms > unused_since_ms);
        let mut sessions: Vec<OwnSession> = of_player
            .map(|SessionData { id, label, created_ms, used_ms, .. }| OwnSession {
                id: *id,
                label: label.clone(),
                created_ms: *created_ms,
                used_ms: *used_ms,
            })
            .collect();
        sessions.sort_by_key(|session| (Reverse((session.used_ms, session.created_ms)), session.id));
        Ok(sessions)
    }

    async fn sessions_among(
        &self,
        players: &[PlayerId],
    ) -> Result<BTreeSet<(PlayerId, SessionId)>, StoreError> {
        let tables = self.0.lock();
        let among = tables.sessions.values().filter(|used| players.contains(&used.player));
        Ok(among.map(|used| (used.player, used.id)).collect())
    }

    async fn named(&self, players: &[PlayerId]) -> Result<Vec<(Player, PlayerKind)>, StoreError> {
        let tables = self.0.lock();
        let named = players.iter().filter_map(|player| tables.named(*player));
        Ok(named.map(|person| (person.player.clone(), person.kind())).collect())
    }

    async fn player_named(&self, name: &PlayerName) -> Result<Option<PlayerId>, StoreError> {
        let (tables, folded) = (self.0.lock(), name.folded());
        let account = tables.owner(&folded).filter(|player| tables.named(*player).is_some());
        let guests = tables
            .players
            .values()
            .filter(|person| person.is_named() && person.player.name.folded() == folded);
        Ok(account.or_else(|| guests.map(|person| person.player.id).max()))
    }

    async fn account(&self, player: PlayerId) -> Result<Option<Account>, StoreError> {
        let tables = self.0.lock();
        Ok(tables.players.get(&player).and_then(|Person { player, account, .. }| {
            let AccountData { password, former_names, mail, notices, .. } = account.clone()?;
            let AccountData { mail_recovers: recovers, mail_is_refused: is_refused, .. } = account.clone()?;
            let mail = mail.map(|address| AccountMail { address, recovers, is_refused });
            let (player, has_password) = (player.clone(), password.is_some());
            Some(Account { player, former_names, has_password, mail, notices })
        }))
    }

    async fn named_accounts(
        &self,
        after: Option<PlayerId>,
        limit: u32,
    ) -> Result<Vec<NamedAccount>, StoreError> {
        let tables = self.0.lock();
        let behind = tables.players.values().filter(|person| after.is_none_or(|id| person.player.id > id));
        let accounts = behind.filter_map(|Person { player, account, .. }| {
            let names = [account.as_ref()?.former_names.clone(), vec![player.name.clone()]].concat();
            let of_player = tables.name_keys.keys().filter(|key| tables.owner(key) == Some(player.id));
            let keys = of_player.cloned().collect();
            Some(NamedAccount { player: player.id, names, keys })
        });
        Ok(accounts.take(limit as usize).collect())
    }

    async fn closed_with_games(&self, limit: u32) -> Result<Vec<PlayerId>, StoreError> {
        let tables = self.0.lock();
        let closed = tables.players.values().filter_map(|person| {
            let closed_ms = person.account.as_ref()?.closed_ms?;
            let id = person.player.id;
            tables
                .games
                .values()
                .any(|game| tables.lists(&List::UnfinishedGamesOf(id), &game.row))
                .then_some((closed_ms, id))
        });
        let mut closed: Vec<_> = closed.collect();
        closed.sort_unstable();
        Ok(closed.into_iter().map(|(_, id)| id).take(limit as usize).collect())
    }

    async fn credentials(
        &self,
        key: &str,
        device: Option<&TokenHash>,
        now_ms: i64,
    ) -> Result<Option<Credentials>, StoreError> {
        let tables = self.0.lock();
        let player = tables.name_keys.get(key).copied().flatten();
        let person = player.and_then(|player| tables.players.get(&player));
        Ok(person.and_then(|Person { player, account, .. }| {
            let AccountData { password, recovery, .. } = account.clone()?;
            let until_ms = device.and_then(|device| tables.devices.get(&(player.id, *device)));
            let knows_device = until_ms.is_some_and(|until_ms| *until_ms > now_ms);
            Some(Credentials { player: player.clone(), password, recovery, knows_device })
        }))
    }

    async fn link(&self, secret: &TokenHash, now_ms: i64) -> Result<Option<LinkOf>, StoreError> {
        let tables = self.0.lock();
        Ok(tables.links().find(|of| of.link.secret == *secret && now_ms < of.link.expires_ms))
    }

    async fn due_mails(&self, now_ms: i64, limit: u32) -> Result<Vec<DueMail>, StoreError> {
        let tables = self.0.lock();
        let mut due: Vec<_> = tables.mails.iter().filter_map(|data| Some((data.due_ms?, data))).collect();
        due.retain(|(due_ms, _)| *due_ms <= now_ms);
        due.sort_by_key(|(due_ms, data)| (*due_ms, data.mail.id));
        let mail = |(_, data): (i64, &MailData)| DueMail { mail: data.mail.clone(), attempts: data.attempts };
        Ok(due.into_iter().map(mail).take(limit as usize).collect())
    }

    async fn count_tried_mails(&self, since_ms: i64) -> Result<u32, StoreError> {
        let tables = self.0.lock();
        let tried = tables.mails.iter().filter_map(|data| data.tried_ms);
        let tried = tried.chain(tables.tried_messages.iter().map(|(_, _, tried_ms)| *tried_ms));
        Ok(count(tried.filter(|tried_ms| *tried_ms > since_ms).count()))
    }

    async fn due_messages(
        &self,
        channel: NoticeChannel,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<DueMessage>, StoreError> {
        Ok(self.0.lock().due_messages(channel, now_ms, limit))
    }

    async fn count_tried_notices(&self, since_ms: i64) -> Result<u32, StoreError> {
        let tables = self.0.lock();
        Ok(count(tables.tried_messages.iter().filter(|(_, _, tried_ms)| *tried_ms > since_ms).count()))
    }

    async fn last_notice_mail(
        &self,
        player: PlayerId,
        purpose: NoticePurpose,
        since_ms: i64,
    ) -> Result<Option<i64>, StoreError> {
        let tables = self.0.lock();
        let own = tables.tried_messages.iter().filter(|(of, why, _)| (*of, *why) == (player, purpose));
        Ok(own.map(|(_, _, tried_ms)| *tried_ms).filter(|tried_ms| *tried_ms > since_ms).max())
    }

    async fn count_recovery_mails_of(&self, player: PlayerId, since_ms: i64) -> Result<u32, StoreError> {
        Ok(self.0.lock().count_mails_of(player, since_ms, |errand| matches!(errand, Errand::Recover { .. })))
    }

    async fn messages_of(&self, player: PlayerId) -> Result<Vec<DueMessage>, StoreError> {
        Ok(self.0.lock().messages_of(player))
    }

    async fn mails_of(&self, player: PlayerId) -> Result<Vec<OwnMail>, StoreError> {
        let tables = self.0.lock();
        let own = tables.mails.iter().filter(|data| data.player == Some(player));
        let mail = |data: &MailData| OwnMail {
            purpose: row::errand(&data.mail.errand).0.to_owned(),
            to: data.due_ms.map(|_| data.mail.to.clone()),
            created_ms: data.created_ms,
        };
        Ok(own.map(mail).collect())
    }

    async fn devices_of(&self, player: PlayerId) -> Result<Vec<i64>, StoreError> {
        let tables = self.0.lock();
        let own = tables.devices.iter().filter(|((owner, _), _)| *owner == player);
        let mut until_ms: Vec<i64> = own.map(|(_, until_ms)| *until_ms).collect();
        until_ms.sort_unstable();
        Ok(until_ms)
    }

    async fn passkeys_of(&self, player: PlayerId) -> Result<Vec<Passkey>, StoreError> {
        let tables = self.0.lock();
        let own = tables.passkeys.values().filter(|(owner, _)| *owner == player);
        let mut own: Vec<Passkey> = own.map(|(_, passkey)| passkey.clone()).collect();
        own.sort_by_key(|passkey| (passkey.created_ms, passkey.id));
        Ok(own)
    }

    async fn pushes_of(&self, player: PlayerId) -> Result<Vec<OwnPush>, StoreError> {
        let tables = self.0.lock();
        let own = tables.pushes.values().filter_map(|PushData { session, subscription, failures }| {
            let used = tables.sessions.get(session)?;
            let (subscription, failures) = (subscription.clone(), *failures);
            (used.player == player).then_some(OwnPush { session: used.id, subscription, failures })
        });
        Ok(own.collect())
    }

    async fn count_passkeys_elsewhere(&self, host: &str) -> Result<u64, StoreError> {
        let tables = self.0.lock();
        Ok(tables.passkeys.values().filter(|(_, passkey)| passkey.host != host).count() as u64)
    }

    async fn is_taken(&self, name: &PlayerName, player: PlayerId) -> Result<bool, StoreError> {
        let tables = self.0.lock();
        Ok(name
            .keys()
            .iter()
            .any(|key| tables.name_keys.contains_key(key) && tables.owner(key) != Some(player)))
    }

    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError> {
        let tables = self.0.lock();
        let blocks = tables.blocks.iter().filter(|((by, _), _)| *by == player);
        let mut blocked: Vec<_> = blocks.map(|((_, whom), since_ms)| (Reverse(*since_ms), *whom)).collect();
        blocked.sort_unstable();
        let players = blocked.into_iter().filter_map(|(_, whom)| tables.named(whom));
        Ok(players.map(|person| person.player.clone()).collect())
    }

    async fn inbox(
        &self,
        player: PlayerId,
        before: Option<NoticeId>,
        limit: u32,
    ) -> Result<Vec<InboxNotice>, StoreError> {
        let tables = self.0.lock();
        let own = tables
            .notices
            .iter()
            .rev()
            .filter(|((of, id), _)| *of == player && before.is_none_or(|before| *id < before));
        Ok(own.map(|(_, notice)| notice.clone()).take(limit as usize).collect())
    }

    async fn count_unseen(&self, player: PlayerId) -> Result<u32, StoreError> {
        let tables = self.0.lock();
        let own = tables.notices.iter().filter(|((of, _), _)| *of == player);
        Ok(count(own.filter(|(_, notice)| notice.seen_ms.is_none()).count()))
    }

    async fn vacations(&self, player: PlayerId) -> Result<Option<Vacations>, StoreError> {
        Ok(self.0.lock().players.get(&player).map(|person| person.vacations.clone()))
    }

    async fn uncredited_vacations(&self, limit: u32) -> Result<Vec<(PlayerId, Period)>, StoreError> {
        let tables = self.0.lock();
        let uncredited = tables.players.iter().flat_map(|(player, person)| {
            let taken = person.vacations.taken.iter();
            let uncredited = taken.filter(|taken| person.uncredited.contains(&taken.from_ms));
            uncredited.map(|taken| (*player, taken.period()))
        });
        let mut uncredited: Vec<_> = uncredited.collect();
        uncredited.sort_by_key(|(_, period)| period.from_ms);
        uncredited.truncate(limit as usize);
        Ok(uncredited)
    }

    async fn all_vacations(
        &self,
        after: Option<(PlayerId, Vacation)>,
        limit: u32,
    ) -> Result<Vec<(PlayerId, Vacation)>, StoreError> {
        let tables = self.0.lock();
        let all = tables
            .players
            .iter()
            .flat_map(|(player, person)| person.vacations.taken.iter().map(|vacation| (*player, *vacation)));
        let place = |(player, vacation): &(PlayerId, Vacation)| (*player, vacation.from_ms);
        let after = after.as_ref().map(place);
        let next = all.filter(|vacation| after.is_none_or(|after| place(vacation) > after));
        Ok(next.take(limit as usize).collect())
    }

    async fn blocked_among(
        &self,
        player: PlayerId,
        others: &[PlayerId],
    ) -> Result<Vec<PlayerId>, StoreError> {
        let tables = self.0.lock();
        Ok(others.iter().copied().filter(|other| tables.is_block_between(player, *other)).collect())
    }
}
