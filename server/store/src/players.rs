use std::collections::BTreeSet;

use async_trait::async_trait;
use game::{
    NoticeChannel, NoticePurpose, Period, Player, PlayerKind, Vacation, Vacations,
    ids::{NoticeId, PlayerId, PlayerName, SessionId},
};

use crate::{
    Account, Credentials, DueMail, DueMessage, InboxNotice, LinkOf, NamedAccount, OwnMail, OwnPush,
    OwnSession, Passkey, Session, StoreError, TokenHash,
};

/// Players, with their sessions, accounts and blocks.
#[async_trait]
pub trait Players: Send + Sync + 'static {
    /// Reads the session with this token, if it was used after `unused_since_ms`.
    async fn session(&self, token: &TokenHash, unused_since_ms: i64) -> Result<Option<Session>, StoreError>;

    /// Reads the sessions of a player that were used after `unused_since_ms`, the last used first.
    async fn sessions_of(
        &self,
        player: PlayerId,
        unused_since_ms: i64,
    ) -> Result<Vec<OwnSession>, StoreError>;

    /// Returns the sessions of these players that have not ended.
    async fn sessions_among(
        &self,
        players: &[PlayerId],
    ) -> Result<BTreeSet<(PlayerId, SessionId)>, StoreError>;

    /// Reads those of these players who exist, in no particular order.
    async fn named(&self, players: &[PlayerId]) -> Result<Vec<(Player, PlayerKind)>, StoreError>;

    /// Returns the account that has or had a name, or else the newest guest of that name, in upper or lower case.
    async fn player_named(&self, name: &PlayerName) -> Result<Option<PlayerId>, StoreError>;

    /// Reads the account of a player; `None` of a guest.
    async fn account(&self, player: PlayerId) -> Result<Option<Account>, StoreError>;

    /// Reads the names and the keys of the next accounts after a player, by id; of the first ones without a player.
    async fn named_accounts(
        &self,
        after: Option<PlayerId>,
        limit: u32,
    ) -> Result<Vec<NamedAccount>, StoreError>;

    /// Returns closed accounts with open rooms or games under way, at most `limit`.
    async fn closed_with_games(&self, limit: u32) -> Result<Vec<PlayerId>, StoreError>;

    /// Reads the account that has or had a name with this [key](game::ids::PlayerName::folded). `device` is the secret of
    /// the visitor's browser.
    async fn credentials(
        &self,
        key: &str,
        device: Option<&TokenHash>,
        now_ms: i64,
    ) -> Result<Option<Credentials>, StoreError>;

    /// Reads the link with this secret, if it still counts.
    async fn link(&self, secret: &TokenHash, now_ms: i64) -> Result<Option<LinkOf>, StoreError>;

    /// Reads mails that are due, the longest due first.
    async fn due_mails(&self, now_ms: i64, limit: u32) -> Result<Vec<DueMail>, StoreError>;

    /// Returns the number of mails that were tried after a time.
    async fn count_tried_mails(&self, since_ms: i64) -> Result<u32, StoreError>;

    /// Reads messages by a channel that are due, the longest due first.
    async fn due_messages(
        &self,
        channel: NoticeChannel,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<DueMessage>, StoreError>;

    /// Reads the messages to a player, due or not.
    async fn messages_of(&self, player: PlayerId) -> Result<Vec<DueMessage>, StoreError>;

    /// Returns the number of mails with messages that were tried after a time.
    async fn count_tried_notices(&self, since_ms: i64) -> Result<u32, StoreError>;

    /// Returns the time of the last mail with a message to a player, if it was tried after a time.
    async fn last_notice_mail(
        &self,
        player: PlayerId,
        purpose: NoticePurpose,
        since_ms: i64,
    ) -> Result<Option<i64>, StoreError>;

    /// Returns the number of mails to recover an account that were asked for after a time.
    async fn count_recovery_mails_of(&self, player: PlayerId, since_ms: i64) -> Result<u32, StoreError>;

    /// Reads the mails to the owner of an account, the first asked for first.
    async fn mails_of(&self, player: PlayerId) -> Result<Vec<OwnMail>, StoreError>;

    /// Reads the times until which an account recognises each of its devices, in milliseconds since 1970.
    async fn devices_of(&self, player: PlayerId) -> Result<Vec<i64>, StoreError>;

    /// Reads the passkeys of a player, the first made one first.
    async fn passkeys_of(&self, player: PlayerId) -> Result<Vec<Passkey>, StoreError>;

    /// Reads the push subscriptions of a player.
    async fn pushes_of(&self, player: PlayerId) -> Result<Vec<OwnPush>, StoreError>;

    /// Reads the notices of a player before one, the newest first; the newest ones of all without one.
    async fn inbox(
        &self,
        player: PlayerId,
        before: Option<NoticeId>,
        limit: u32,
    ) -> Result<Vec<InboxNotice>, StoreError>;

    /// Returns the number of notices that a player has not seen.
    async fn count_unseen(&self, player: PlayerId) -> Result<u32, StoreError>;

    /// Counts the passkeys that were made for other hosts than this one.
    async fn count_passkeys_elsewhere(&self, host: &str) -> Result<u64, StoreError>;

    /// Reads the vacations of a player; `None` if there is no such player.
    async fn vacations(&self, player: PlayerId) -> Result<Option<Vacations>, StoreError>;

    /// Reads the vacations that the games of their players are still to be credited, at most `limit`, the first begun first.
    async fn uncredited_vacations(&self, limit: u32) -> Result<Vec<(PlayerId, Period)>, StoreError>;

    /// Reads the vacations of all players after one, by player and then in order, at most `limit`.
    async fn all_vacations(
        &self,
        after: Option<(PlayerId, Vacation)>,
        limit: u32,
    ) -> Result<Vec<(PlayerId, Vacation)>, StoreError>;

    /// Whether an account other than this player's has a name that looks like this one.
    async fn is_taken(&self, name: &PlayerName, player: PlayerId) -> Result<bool, StoreError>;

    /// Reads the players whom a player has blocked, with their current names, the last blocked first.
    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError>;

    /// Returns those among `others` who have blocked a player or are blocked by them, in no particular order.
    async fn blocked_among(&self, player: PlayerId, others: &[PlayerId])
    -> Result<Vec<PlayerId>, StoreError>;
}
