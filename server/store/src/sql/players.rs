use std::collections::BTreeSet;

use async_trait::async_trait;
use game::{
    NoticeChannel, NoticePurpose, Period, Player, PlayerKind, Vacation, Vacations,
    ids::{NoticeId, PlayerId, PlayerName, SessionId},
};
use uuid::Uuid;

use super::{SqlDatabase, accounts::count, part, text};
use crate::{
    Account, Credentials, DueMail, DueMessage, InboxNotice, LinkOf, NamedAccount, Outage, OwnMail, OwnPush,
    OwnSession, Passkey, Players, Session, StoreError, TokenHash,
    error::reading,
    row::{
        self, AccountRow, CredentialsRow, LinkRow, MailRow, MessageRow, NamedAccountRow, NamedRow, NoticeRow,
        OutageRow, OwnMailRow, OwnSessionRow, PasskeyRow, PlayerRow, PushRow, SessionRow, VacationRow,
    },
};

#[async_trait]
impl<D: SqlDatabase> Players for D {
    async fn session(&self, token: &TokenHash, unused_since_ms: i64) -> Result<Option<Session>, StoreError> {
        reading("read a session", async {
            let statement = text::SESSION.bind(token.as_bytes()).bind(unused_since_ms);
            let row: Option<SessionRow> = self.read_first(statement).await?;
            row.map(Session::try_from).transpose()
        })
        .await
    }

    async fn sessions_of(
        &self,
        player: PlayerId,
        unused_since_ms: i64,
    ) -> Result<Vec<OwnSession>, StoreError> {
        reading("read the sessions of a player", async {
            let statement = text::SESSIONS_OF.bind(player.uuid()).bind(unused_since_ms);
            let rows: Vec<OwnSessionRow> = self.read(statement).await?;
            Ok(rows.into_iter().map(OwnSession::from).collect())
        })
        .await
    }

    async fn sessions_among(
        &self,
        players: &[PlayerId],
    ) -> Result<BTreeSet<(PlayerId, SessionId)>, StoreError> {
        reading("read the sessions of players", async {
            let statement = text::SESSIONS_AMONG.bind_ids(players.iter().map(|player| player.uuid()));
            let sessions: Vec<(Uuid, Uuid)> = self.read(statement).await?;
            let ids = |(player, session)| (PlayerId::new(player), SessionId::new(session));
            Ok(sessions.into_iter().map(ids).collect())
        })
        .await
    }

    async fn named(&self, players: &[PlayerId]) -> Result<Vec<(Player, PlayerKind)>, StoreError> {
        reading("read the names of players", async {
            let statement = text::NAMED.bind_ids(players.iter().map(|player| player.uuid()));
            row::all(self.read::<NamedRow>(statement).await?)
        })
        .await
    }

    async fn player_named(&self, name: &PlayerName) -> Result<Option<PlayerId>, StoreError> {
        reading("look for a player by name", async {
            let row: Option<(Uuid,)> =
                self.read_first(text::PLAYER_NAMED.bind(name.folded().as_str())).await?;
            Ok(row.map(|(player,)| PlayerId::new(player)))
        })
        .await
    }

    async fn account(&self, player: PlayerId) -> Result<Option<Account>, StoreError> {
        reading("read an account", async {
            let statement = text::ACCOUNTS.bind_ids([player.uuid()]);
            let row: Option<AccountRow> = self.read_first(statement).await?;
            row.map(Account::try_from).transpose()
        })
        .await
    }

    async fn named_accounts(
        &self,
        after: Option<PlayerId>,
        limit: u32,
    ) -> Result<Vec<NamedAccount>, StoreError> {
        reading("read the names of accounts", async {
            let after = after.map_or_else(Uuid::nil, PlayerId::uuid);
            let rows: Vec<NamedAccountRow> = self.read(text::NAMED_ACCOUNTS.bind(after).bind(limit)).await?;
            row::named_accounts(rows)
        })
        .await
    }

    async fn closed_with_games(&self, limit: u32) -> Result<Vec<PlayerId>, StoreError> {
        reading("read the closed accounts with games", async {
            let rows: Vec<(Uuid,)> = self.read(text::CLOSED_WITH_GAMES.bind(limit)).await?;
            Ok(rows.into_iter().map(|(player,)| PlayerId::new(player)).collect())
        })
        .await
    }

    async fn credentials(
        &self,
        key: &str,
        device: Option<&TokenHash>,
        now_ms: i64,
    ) -> Result<Option<Credentials>, StoreError> {
        reading("read the credentials of an account", async {
            let device = device.map(TokenHash::as_bytes).unwrap_or_default();
            let statement = text::CREDENTIALS.bind(key).bind(device).bind(now_ms);
            let row: Option<CredentialsRow> = self.read_first(statement).await?;
            row.map(Credentials::try_from).transpose()
        })
        .await
    }

    async fn link(&self, secret: &TokenHash, now_ms: i64) -> Result<Option<LinkOf>, StoreError> {
        reading("read a link", async {
            let row: Option<LinkRow> = self.read_first(text::LINK.bind(secret.as_bytes())).await?;
            let found = row.map(LinkOf::try_from).transpose()?;
            Ok(found.filter(|of| now_ms < of.link.expires_ms))
        })
        .await
    }

    async fn due_mails(&self, now_ms: i64, limit: u32) -> Result<Vec<DueMail>, StoreError> {
        reading("read the mails to be sent", async {
            let rows: Vec<MailRow> = self.read(text::DUE_MAILS.bind(now_ms).bind(limit)).await?;
            Ok(row::readable(rows))
        })
        .await
    }

    async fn count_tried_mails(&self, since_ms: i64) -> Result<u32, StoreError> {
        reading("count mails", async {
            Ok(count(self.read_first(text::COUNT_TRIED_MAILS.bind(since_ms)).await?))
        })
        .await
    }

    async fn due_messages(
        &self,
        channel: NoticeChannel,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<DueMessage>, StoreError> {
        reading("read the messages to be sent", async {
            let due = text::DUE_MESSAGES.bind(row::word(channel).as_str()).bind(now_ms).bind(limit);
            row::all(self.read::<MessageRow>(due).await?)
        })
        .await
    }

    async fn count_tried_notices(&self, since_ms: i64) -> Result<u32, StoreError> {
        reading("count mails", async {
            Ok(count(self.read_first(text::COUNT_TRIED_NOTICES.bind(since_ms)).await?))
        })
        .await
    }

    async fn last_notice_mail(
        &self,
        player: PlayerId,
        purpose: NoticePurpose,
        since_ms: i64,
    ) -> Result<Option<i64>, StoreError> {
        reading("read the last mail to an account", async {
            let last = text::LAST_MAIL_OF.bind(player.uuid()).bind(since_ms);
            let row: Option<(Option<i64>,)> = self.read_first(last.bind(row::word(purpose).as_str())).await?;
            Ok(row.and_then(|(tried_ms,)| tried_ms))
        })
        .await
    }

    async fn count_recovery_mails_of(&self, player: PlayerId, since_ms: i64) -> Result<u32, StoreError> {
        reading("count the mails of an account", async {
            let statement = text::COUNT_MAILS_OF.bind(player.uuid()).bind(since_ms).bind(row::RECOVER);
            Ok(count(self.read_first(statement).await?))
        })
        .await
    }

    async fn messages_of(&self, player: PlayerId) -> Result<Vec<DueMessage>, StoreError> {
        reading("read the messages to a player", async {
            Ok(row::readable(self.read::<MessageRow>(text::MESSAGES_OF.bind(player.uuid())).await?))
        })
        .await
    }

    async fn mails_of(&self, player: PlayerId) -> Result<Vec<OwnMail>, StoreError> {
        reading("read the mails to a player", async {
            row::all(self.read::<OwnMailRow>(text::MAILS_OF.bind(player.uuid())).await?)
        })
        .await
    }

    async fn devices_of(&self, player: PlayerId) -> Result<Vec<i64>, StoreError> {
        reading("read the devices of a player", async {
            let rows: Vec<(i64,)> = self.read(text::DEVICES_OF.bind(player.uuid())).await?;
            Ok(rows.into_iter().map(|(until_ms,)| until_ms).collect())
        })
        .await
    }

    async fn passkeys_of(&self, player: PlayerId) -> Result<Vec<Passkey>, StoreError> {
        reading("read the passkeys of a player", async {
            let rows: Vec<PasskeyRow> = self.read(text::PASSKEYS_OF.bind(player.uuid())).await?;
            Ok(rows.into_iter().map(Passkey::from).collect())
        })
        .await
    }

    async fn pushes_of(&self, player: PlayerId) -> Result<Vec<OwnPush>, StoreError> {
        reading("read the push subscriptions of a player", async {
            row::all(self.read::<PushRow>(text::PUSHES_OF.bind(player.uuid())).await?)
        })
        .await
    }

    async fn count_passkeys_elsewhere(&self, host: &str) -> Result<u64, StoreError> {
        reading("count the passkeys for other hosts", async {
            let count: Option<(i64,)> = self.read_first(text::COUNT_PASSKEYS_ELSEWHERE.bind(host)).await?;
            Ok(count.map_or(0, |(count,)| count.unsigned_abs()))
        })
        .await
    }

    async fn is_taken(&self, name: &PlayerName, player: PlayerId) -> Result<bool, StoreError> {
        reading("look for a name", async {
            let keys = serde_json::json!(name.keys()).to_string();
            let owners: Vec<(String, Option<Uuid>)> = self.read(text::KEY_OWNERS.bind(keys.as_str())).await?;
            Ok(owners.into_iter().any(|(_, owner)| owner != Some(player.uuid())))
        })
        .await
    }

    async fn blocks_of(&self, player: PlayerId) -> Result<Vec<Player>, StoreError> {
        reading("read whom a player has blocked", async {
            let statement = text::BLOCKS_OF.bind(player.uuid());
            row::all(self.read::<PlayerRow>(statement).await?)
        })
        .await
    }

    async fn inbox(
        &self,
        player: PlayerId,
        before: Option<NoticeId>,
        limit: u32,
    ) -> Result<Vec<InboxNotice>, StoreError> {
        reading("read an inbox", async {
            let before = before.map_or(Uuid::max(), NoticeId::uuid);
            let behind = |before, limit| text::INBOX.bind(player.uuid()).bind(before).bind(limit);
            part(self, before, limit, behind, |row: &NoticeRow| row.id).await
        })
        .await
    }

    async fn count_unseen(&self, player: PlayerId) -> Result<u32, StoreError> {
        reading("count the notices that a player has not seen", async {
            Ok(count(self.read_first(text::COUNT_UNSEEN.bind(player.uuid())).await?))
        })
        .await
    }

    async fn vacations(&self, player: PlayerId) -> Result<Option<Vacations>, StoreError> {
        reading("read the vacations of a player", async {
            Ok(row::vacations(&self.read::<VacationRow>(text::VACATIONS.bind(player.uuid())).await?))
        })
        .await
    }

    async fn uncredited_vacations(&self, limit: u32) -> Result<Vec<(PlayerId, Period)>, StoreError> {
        reading("read the vacations to be credited", async {
            let rows: Vec<(Uuid, i64, i64)> = self.read(text::UNCREDITED_VACATIONS.bind(limit)).await?;
            let periods = rows.into_iter();
            Ok(periods
                .map(|(player, from_ms, to_ms)| (PlayerId::new(player), Period { from_ms, to_ms }))
                .collect())
        })
        .await
    }

    async fn all_vacations(
        &self,
        after: Option<(PlayerId, Vacation)>,
        limit: u32,
    ) -> Result<Vec<(PlayerId, Vacation)>, StoreError> {
        reading("read all vacations", async {
            let (player, from_ms) =
                after.map_or((Uuid::nil(), i64::MIN), |(player, after)| (player.uuid(), after.from_ms));
            let rows: Vec<(Uuid, i64, i64, bool)> =
                self.read(text::ALL_VACATIONS.bind(player).bind(from_ms).bind(limit)).await?;
            let vacations = rows.into_iter().map(|(player, from_ms, to_ms, is_automatic)| {
                (PlayerId::new(player), Vacation { from_ms, to_ms, is_automatic })
            });
            Ok(vacations.collect())
        })
        .await
    }

    async fn blocked_among(
        &self,
        player: PlayerId,
        others: &[PlayerId],
    ) -> Result<Vec<PlayerId>, StoreError> {
        reading("look for blocks", async {
            let others = others.iter().map(|other| other.uuid());
            let statement = text::BLOCKED_AMONG.bind_ids(others).bind(player.uuid());
            let blocked: Vec<(Uuid,)> = self.read(statement).await?;
            Ok(blocked.into_iter().map(|(player,)| PlayerId::new(player)).collect())
        })
        .await
    }
}

/// Reads the outages that ended after a time, in order.
pub(crate) async fn outages_since(database: &impl SqlDatabase, ms: i64) -> Result<Vec<Outage>, StoreError> {
    reading("read the outages", async {
        let rows: Vec<OutageRow> = database.read(text::OUTAGES_SINCE.bind(ms)).await?;
        Ok(rows.into_iter().map(Outage::from).collect())
    })
    .await
}

/// Reads a key pair of the deployment.
pub(crate) async fn server_key(
    database: &impl SqlDatabase,
    name: &str,
) -> Result<Option<Vec<u8>>, StoreError> {
    reading("read a key of the deployment", async {
        let row: Option<(Vec<u8>,)> = database.read_first(text::SERVER_KEY.bind(name)).await?;
        Ok(row.map(|(body,)| body))
    })
    .await
}
