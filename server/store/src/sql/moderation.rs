//! Reports, acts and roles: their changes, in the transaction of a commit, and their reads. They are rare, so each has
//! statements of its own.

use std::collections::BTreeSet;

use async_trait::async_trait;
use game::{
    Player, PlayerKind, Role,
    ids::{ActId, GameId, PlayerId, PlayerName, ReportId},
};
use uuid::Uuid;

use super::{
    Connection, SqlDatabase, Statement,
    accounts::{count, void_links},
    commit::end_sessions,
    part, text,
};
use crate::{
    ACTS_AN_HOUR, ACTS_COUNT_MS, Act, ActKind, Decision, EndedSessions, Moderation, ModerationChange, NewAct,
    NewReport, REPORTED_LINES, REPORTS_A_DAY, REPORTS_COUNT_MS, Refused, Report, ReportCursor, ReportedChat,
    ReportedLine, StoreError,
    error::reading,
    inbox::InboxPlan,
    moderation::{Hidden, Settles, answered, hidden, may_act},
    row::{self, AccountRow, ActRow, DELETED, NamedRow, ReportRow, RoleRow, word},
};

/// Executes a change, and adds what it tells to the changes of inboxes. The rows of its players are locked.
pub(super) async fn save(
    tx: &mut impl Connection,
    change: &ModerationChange,
    inbox: &mut InboxPlan,
) -> Result<Result<(), Refused>, sqlx::Error> {
    match change {
        ModerationChange::Reported(report) => add_report(tx, report).await,
        ModerationChange::Acted(act) => take_act(tx, act, inbox).await,
        ModerationChange::RoleSet { id, player, role, at_ms } => {
            // Also of a closed account: it may be opened again.
            let account: Option<AccountRow> = tx.row(text::ACCOUNTS.bind_ids([player.uuid()])).await?;
            if account.is_none() {
                return Ok(Err(Refused::NoTarget));
            }
            match role {
                Some(role) => {
                    let set = text::SET_ROLE.bind(player.uuid()).bind(word(*role).as_str()).bind(*at_ms);
                    tx.execute(set).await?;
                }
                None => drop(tx.execute(text::REMOVE_ROLES.bind_ids([player.uuid()])).await?),
            }
            let what = role.map_or(ActKind::RoleTaken, ActKind::RoleGiven);
            record(tx, &Act { id: *id, at_ms: *at_ms, by: None, target: *player, what }).await.map(Ok)
        }
    }
}

async fn named(
    tx: &mut impl Connection,
    player: PlayerId,
) -> Result<Option<(Player, PlayerKind)>, sqlx::Error> {
    let row: Option<NamedRow> = tx.row(text::NAMED.bind_ids([player.uuid()])).await?;
    row.map(TryFrom::try_from).transpose()
}

async fn add_report(
    tx: &mut impl Connection,
    NewReport { id, by, target, kind, game, chat, text, at_ms }: &NewReport,
) -> Result<Result<(), Refused>, sqlx::Error> {
    if by == target {
        return Ok(Err(Refused::OnOneself));
    }
    if named(tx, *by).await?.is_none() {
        return Ok(Err(Refused::NoSession));
    }
    let Some((Player { name, .. }, _)) = named(tx, *target).await? else { return Ok(Err(Refused::NoTarget)) };
    let kind = word(*kind);
    let same = text::OPEN_REPORT.bind(by.uuid()).bind(target.uuid()).bind(kind.as_str()).bind(game.uuid());
    if tx.row::<(Uuid,)>(same).await?.is_some() {
        return Ok(Ok(()));
    }
    let counted = text::COUNT_REPORTS_BY.bind(by.uuid()).bind(at_ms - REPORTS_COUNT_MS);
    if count(tx.row(counted).await?) >= REPORTS_A_DAY {
        return Ok(Err(Refused::TooManyReports));
    }
    let lines = match chat {
        Some(chat) => lines_to_report(tx, *game, *chat, *target).await?,
        None => Vec::new(),
    };
    let lines = serde_json::json!(lines).to_string();
    let added = text::ADD_REPORT.bind(id.uuid()).bind(*at_ms).bind(by.uuid()).bind(target.uuid());
    let added = added.bind(kind.as_str()).bind(game.uuid()).bind(name.as_str());
    let added = added.bind(text.as_ref().map(|text| text.as_str())).bind(lines.as_str());
    tx.execute(added).await.map(|_| Ok(()))
}

/// Reads the last lines of a player in a chat, the oldest first.
async fn lines_to_report(
    tx: &mut impl Connection,
    game: GameId,
    ReportedChat { audience, after_ms }: ReportedChat,
    target: PlayerId,
) -> Result<Vec<ReportedLine>, sqlx::Error> {
    let lines = text::LINES_TO_REPORT.bind(game.uuid()).bind(audience.word()).bind(target.uuid());
    let lines = lines.bind(after_ms.unwrap_or(i64::MIN)).bind(REPORTED_LINES);
    let rows: Vec<(i64, String)> = tx.rows(lines).await?;
    let line = |(at_ms, text): (i64, String)| {
        Ok(ReportedLine { at_ms, text: text.try_into().map_err(row::invalid)? })
    };
    rows.into_iter().rev().map(line).collect()
}

async fn take_act(
    tx: &mut impl Connection,
    NewAct { id, by, session, target, decision, at_ms }: &NewAct,
    inbox: &mut InboxPlan,
) -> Result<Result<(), Refused>, sqlx::Error> {
    let signed_in = text::HAS_SESSION.bind(by.uuid()).bind(session.uuid());
    if tx.row::<(Uuid,)>(signed_in).await?.is_none() {
        return Ok(Err(Refused::NoSession));
    }
    let rows: Vec<RoleRow> = tx.rows(text::ROLES.bind_ids([by.uuid(), target.uuid()])).await?;
    let roles: Vec<(PlayerId, Role)> = row::all(rows)?;
    let role = |of: PlayerId| roles.iter().find(|(player, _)| *player == of).map(|(_, role)| *role);
    if let Err(refused) = may_act((*by, role(*by)), (*target, role(*target))) {
        return Ok(Err(refused));
    }
    if decision.is_limited() {
        let before = text::ACT_BEFORE.bind(by.uuid()).bind(ACTS_AN_HOUR - 1);
        let free_ms = tx.row::<(i64,)>(before).await?.map(|(at_ms,)| at_ms + ACTS_COUNT_MS);
        if let Some(until_ms) = free_ms.filter(|free_ms| free_ms > at_ms) {
            return Ok(Err(Refused::TooManyActs { until_ms }));
        }
    }
    let what = match carry_out(tx, *target, decision, *at_ms, inbox).await? {
        Ok(what) => what,
        Err(refused) => return Ok(Err(refused)),
    };
    match decision.settles() {
        Settles::Nothing => {}
        Settles::Kind(kind) => {
            let settled = text::SETTLE_REPORTS_OF_KIND.bind(target.uuid()).bind(*at_ms);
            settle(tx, settled.bind(word(kind).as_str()), *at_ms, inbox).await?;
        }
        Settles::Everything => {
            settle(tx, text::SETTLE_REPORTS.bind(target.uuid()).bind(*at_ms), *at_ms, inbox).await?;
        }
    }
    record(tx, &Act { id: *id, at_ms: *at_ms, by: Some(*by), target: *target, what }).await.map(Ok)
}

/// Settles reports by a statement, and tells their authors. Returns the number of reports.
async fn settle(
    tx: &mut impl Connection,
    statement: Statement,
    at_ms: i64,
    inbox: &mut InboxPlan,
) -> Result<u64, sqlx::Error> {
    let settled: Vec<(Uuid, Uuid, Uuid)> = tx.rows(statement).await?;
    let notice = |(report, by, game): &(Uuid, Uuid, Uuid)| {
        answered(ReportId::new(*report), PlayerId::new(*by), GameId::new(*game), at_ms)
    };
    inbox.told.extend(settled.iter().map(notice));
    Ok(settled.len() as u64)
}

/// Carries out a decision of a moderator, and returns its effect.
async fn carry_out(
    tx: &mut impl Connection,
    target: PlayerId,
    decision: &Decision,
    now_ms: i64,
    inbox: &mut InboxPlan,
) -> Result<Result<ActKind, Refused>, sqlx::Error> {
    let player = target.uuid();
    let (n_changed, what) = match decision {
        Decision::Mute { until_ms } => {
            let muted: Vec<(i64,)> = tx.rows(text::MUTE.bind(player).bind(*until_ms)).await?;
            let until_ms = muted.first().map(|(until_ms,)| *until_ms);
            return Ok(until_ms.map(|until_ms| ActKind::Muted { until_ms }).ok_or(Refused::NothingToDo));
        }
        Decision::Unmute => (tx.execute(text::UNMUTE.bind(player).bind(now_ms)).await?, ActKind::Unmuted),
        Decision::HideName { name, neutral } => return hide_name(tx, target, name, neutral).await,
        Decision::Close => (close(tx, target, now_ms).await?, ActKind::Closed),
        Decision::Reopen => {
            let n_reopened = tx.execute(text::UNBAR_ACCOUNT.bind(player)).await?;
            let kind = word(PlayerKind::Account);
            tx.execute(text::SHOW_OPEN_ACCOUNT.bind(player).bind(kind.as_str())).await?;
            (n_reopened, ActKind::Reopened)
        }
        Decision::Dismiss(report) => {
            let settled = text::SETTLE_REPORT.bind(report.uuid()).bind(player).bind(now_ms);
            (settle(tx, settled, now_ms, inbox).await?, ActKind::Dismissed)
        }
        Decision::DismissAll => {
            let settled = text::SETTLE_REPORTS.bind(player).bind(now_ms);
            (settle(tx, settled, now_ms, inbox).await?, ActKind::Dismissed)
        }
    };
    Ok(if n_changed == 0 { Err(Refused::NothingToDo) } else { Ok(what) })
}

/// Closes an account that its owner cannot open. Returns the number of accounts, none if no moderator can.
async fn close(tx: &mut impl Connection, target: PlayerId, now_ms: i64) -> Result<u64, sqlx::Error> {
    let player = target.uuid();
    let n_closed = tx.execute(text::BAR_ACCOUNT.bind(player).bind(now_ms)).await?;
    if n_closed > 0 {
        tx.execute(text::SET_KIND.bind(player).bind(DELETED)).await?;
        tx.execute(text::WITHDRAW_SEEKS.bind(player)).await?;
        void_links(tx, player).await?;
        end_sessions(tx, target, EndedSessions::All).await?;
    }
    Ok(n_closed)
}

/// Keeps a name of a player from everybody, and gives the player a neutral one if it is the present one.
async fn hide_name(
    tx: &mut impl Connection,
    target: PlayerId,
    name: &PlayerName,
    neutral: &PlayerName,
) -> Result<Result<ActKind, Refused>, sqlx::Error> {
    let player = target.uuid();
    let Some((Player { name: present, .. }, kind)) = named(tx, target).await? else {
        return Ok(Err(Refused::NothingToDo));
    };
    let account: Option<AccountRow> = tx.row(text::ACCOUNTS.bind_ids([player])).await?;
    let former_names = account.as_ref().map(row::former_names).transpose()?.unwrap_or_default();
    let Some(Hidden { keys, is_present, former_names }) = hidden(name, &present, &former_names) else {
        return Ok(Err(Refused::NothingToDo));
    };
    if is_present && is_taken(tx, neutral.keys()).await? {
        return Ok(Err(Refused::NameTaken));
    }
    for key in &keys {
        tx.execute(text::HIDE_KEY.bind(key.as_str()).bind(player)).await?;
    }
    if is_present {
        let renamed = text::SET_NAME.bind(player).bind(neutral.as_str()).bind(neutral.folded().as_str());
        tx.execute(renamed).await?;
    }
    if kind == PlayerKind::Account {
        for key in BTreeSet::from_iter(neutral.keys()).iter().filter(|_| is_present) {
            tx.execute(text::TAKE_KEY.bind(key.as_str()).bind(player)).await?;
        }
        let former_names = serde_json::json!(former_names).to_string();
        tx.execute(text::SET_FORMER_NAMES.bind(player).bind(former_names.as_str())).await?;
    }
    Ok(Ok(ActKind::NameHidden(name.clone())))
}

async fn is_taken(tx: &mut impl Connection, keys: Vec<String>) -> Result<bool, sqlx::Error> {
    let owners = text::KEY_OWNERS.bind(&*serde_json::json!(keys).to_string());
    Ok(tx.row::<(String, Option<Uuid>)>(owners).await?.is_some())
}

/// Records an act.
async fn record(tx: &mut impl Connection, act: &Act) -> Result<(), sqlx::Error> {
    let (kind, body) = row::what(&act.what);
    let added = text::ADD_ACT.bind(act.id.uuid()).bind(act.at_ms).bind(act.by.map(PlayerId::uuid));
    tx.execute(added.bind(act.target.uuid()).bind(kind).bind(body.as_deref())).await.map(drop)
}

#[async_trait]
impl<D: SqlDatabase> Moderation for D {
    async fn role(&self, player: PlayerId) -> Result<Option<Role>, StoreError> {
        reading("read the role of a player", async {
            let row: Option<RoleRow> = self.read_first(text::ROLES.bind_ids([player.uuid()])).await?;
            row.map(|row| <(PlayerId, Role)>::try_from(row).map(|(_, role)| role)).transpose()
        })
        .await
    }

    async fn muted(&self, now_ms: i64) -> Result<Vec<(PlayerId, i64)>, StoreError> {
        reading("read who is muted", async {
            let rows: Vec<(Uuid, i64)> = self.read(text::MUTED.bind(now_ms)).await?;
            Ok(rows.into_iter().map(|(player, until_ms)| (PlayerId::new(player), until_ms)).collect())
        })
        .await
    }

    async fn reports(
        &self,
        reader: PlayerId,
        after: Option<ReportCursor>,
        limit: u32,
    ) -> Result<Vec<Report>, StoreError> {
        reading("read the reports", async {
            let (open, settled) = match after {
                None => (Some(Uuid::nil()), Uuid::max()),
                Some(ReportCursor::Open(id)) => (Some(id.uuid()), Uuid::max()),
                Some(ReportCursor::Settled(id)) => (None, id.uuid()),
            };
            let id = |row: &ReportRow| row.id;
            let mut reports: Vec<Report> = Vec::new();
            if let Some(open) = open {
                let behind = |open, limit| text::OPEN_REPORTS.bind(open).bind(limit).bind(reader.uuid());
                reports = part(self, open, limit, behind, id).await?;
            }
            let left = limit.saturating_sub(u32::try_from(reports.len()).unwrap_or(u32::MAX));
            let behind = |settled, limit| text::SETTLED_REPORTS.bind(settled).bind(limit).bind(reader.uuid());
            reports.extend(part(self, settled, left, behind, id).await?);
            Ok(reports)
        })
        .await
    }

    async fn report(&self, id: ReportId) -> Result<Option<Report>, StoreError> {
        reading("read a report", async {
            let row: Option<ReportRow> = self.read_first(text::REPORT.bind(id.uuid())).await?;
            row.map(Report::try_from).transpose()
        })
        .await
    }

    async fn acts(&self, before: Option<ActId>, limit: u32) -> Result<Vec<Act>, StoreError> {
        reading("read the acts of moderators", async {
            let before = before.map_or(Uuid::max(), ActId::uuid);
            let behind = |before, limit| text::ACTS.bind(before).bind(limit);
            part(self, before, limit, behind, |row: &ActRow| row.id).await
        })
        .await
    }

    async fn acts_on(
        &self,
        player: PlayerId,
        before: Option<ActId>,
        limit: u32,
    ) -> Result<Vec<Act>, StoreError> {
        reading("read the acts on a player", async {
            let before = before.map_or(Uuid::max(), ActId::uuid);
            let behind = |before, limit| text::ACTS_ON.bind(player.uuid()).bind(before).bind(limit);
            part(self, before, limit, behind, |row: &ActRow| row.id).await
        })
        .await
    }

    async fn acts_by(
        &self,
        moderator: PlayerId,
        before: Option<ActId>,
        limit: u32,
    ) -> Result<Vec<Act>, StoreError> {
        reading("read the acts of a moderator", async {
            let before = before.map_or(Uuid::max(), ActId::uuid);
            let behind = |before, limit| text::ACTS_BY.bind(moderator.uuid()).bind(before).bind(limit);
            part(self, before, limit, behind, |row: &ActRow| row.id).await
        })
        .await
    }

    async fn reports_by(
        &self,
        player: PlayerId,
        after: Option<ReportId>,
        limit: u32,
    ) -> Result<Vec<Report>, StoreError> {
        reading("read the reports by a player", async {
            let after = after.map_or(Uuid::nil(), ReportId::uuid);
            let behind = |after, limit| text::REPORTS_BY.bind(player.uuid()).bind(after).bind(limit);
            part(self, after, limit, behind, |row: &ReportRow| row.id).await
        })
        .await
    }
}
