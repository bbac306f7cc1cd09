//! Reports, acts and roles.

use async_trait::async_trait;
use game::{
    PlayerKind, Role,
    ids::{ActId, GameId, PlayerId, PlayerName, ReportId},
};

use super::{Memory, Person, Tables, clearing::take_one, count};
use crate::{
    ACTS_AN_HOUR, ACTS_COUNT_MS, Act, ActKind, ChatLine, Decision, EndedSessions, Moderation,
    ModerationChange, NewAct, NewReport, REPORTED_LINES, REPORTS_A_DAY, REPORTS_COUNT_MS, Refused, Report,
    ReportCursor, ReportedChat, ReportedLine, StoreError,
    moderation::{Hidden, Settles, answered, hidden, may_act},
};

impl Tables {
    pub(super) fn moderate(&mut self, change: &ModerationChange) -> Result<(), Refused> {
        match change {
            ModerationChange::Reported(report) => self.report(report),
            ModerationChange::Acted(act) => self.take_act(act),
            ModerationChange::RoleSet { id, player, role, at_ms } => {
                if self.account_of(*player).is_none() {
                    return Err(Refused::NoTarget);
                }
                match role {
                    Some(role) => drop(self.roles.insert(*player, *role)),
                    None => drop(self.roles.remove(player)),
                }
                let what = role.map_or(ActKind::RoleTaken, ActKind::RoleGiven);
                self.acts.insert(*id, Act { id: *id, at_ms: *at_ms, by: None, target: *player, what });
                Ok(())
            }
        }
    }

    /// The kind of a player whose name may be shown.
    fn kind_of(&self, player: PlayerId) -> Option<PlayerKind> {
        self.named(player).map(Person::kind)
    }

    fn report(&mut self, new: &NewReport) -> Result<(), Refused> {
        let NewReport { id, by, target, kind, game, chat, text, at_ms } = new.clone();
        if by == target {
            return Err(Refused::OnOneself);
        }
        self.kind_of(by).ok_or(Refused::NoSession)?;
        self.kind_of(target).ok_or(Refused::NoTarget)?;
        let is_same = |report: &Report| {
            (report.by, report.target, report.kind, report.game, report.settled_ms)
                == (by, target, kind, game, None)
        };
        if self.reports.values().any(is_same) {
            return Ok(());
        }
        let is_counted = |report: &&Report| report.by == by && report.at_ms > at_ms - REPORTS_COUNT_MS;
        if count(self.reports.values().filter(is_counted).count()) >= REPORTS_A_DAY {
            return Err(Refused::TooManyReports);
        }
        let (name, settled_ms) = (self.players[&target].player.name.clone(), None);
        let lines = chat.map(|chat| self.lines_to_report(game, chat, target)).unwrap_or_default();
        self.reports.insert(id, Report { id, at_ms, by, target, kind, game, name, text, lines, settled_ms });
        Ok(())
    }

    /// Returns the last lines of a player in a chat, the oldest first.
    fn lines_to_report(
        &self,
        game: GameId,
        ReportedChat { audience, after_ms }: ReportedChat,
        target: PlayerId,
    ) -> Vec<ReportedLine> {
        let of_chat = self.chat.iter().filter(|row| (row.game, row.audience) == (game, audience));
        let mut lines: Vec<&ChatLine> = of_chat
            .map(|row| &row.line)
            .filter(|line| line.who == target && Some(line.at_ms) > after_ms)
            .collect();
        lines.sort_by_key(|line| line.id);
        let first = lines.len().saturating_sub(REPORTED_LINES as usize);
        let line = |line: &&ChatLine| ReportedLine { at_ms: line.at_ms, text: line.text.clone() };
        lines[first..].iter().map(line).collect()
    }

    fn take_act(
        &mut self,
        NewAct { id, by, session, target, decision, at_ms }: &NewAct,
    ) -> Result<(), Refused> {
        if !self.sessions.values().any(|used| (used.player, used.id) == (*by, *session)) {
            return Err(Refused::NoSession);
        }
        let role = |player: &PlayerId| self.roles.get(player).copied();
        may_act((*by, role(by)), (*target, role(target)))?;
        if decision.is_limited() {
            let counted = self.acts.values().rev().filter(|act| act.by == Some(*by));
            let mut counted = counted.filter(|act| act.what != ActKind::Dismissed);
            let free_ms = counted.nth(ACTS_AN_HOUR as usize - 1).map(|act| act.at_ms + ACTS_COUNT_MS);
            if let Some(until_ms) = free_ms.filter(|free_ms| free_ms > at_ms) {
                return Err(Refused::TooManyActs { until_ms });
            }
        }
        let what = self.carry_out(*target, decision, *at_ms)?;
        let settles = decision.settles();
        let settled = self.reports.values_mut().filter(|report| {
            let is_meant = match settles {
                Settles::Nothing => false,
                Settles::Kind(kind) => report.kind == kind,
                Settles::Everything => true,
            };
            is_meant && report.target == *target && report.settled_ms.is_none()
        });
        settled.for_each(|report| report.settled_ms = Some(*at_ms));
        self.tell_authors(*at_ms);
        self.acts.insert(*id, Act { id: *id, at_ms: *at_ms, by: Some(*by), target: *target, what });
        Ok(())
    }

    /// Tells the authors of reports that were settled at a time.
    fn tell_authors(&mut self, at_ms: i64) {
        let settled = self.reports.values().filter(|report| report.settled_ms == Some(at_ms));
        let notices: Vec<_> =
            settled.map(|report| answered(report.id, report.by, report.game, at_ms)).collect();
        notices.iter().for_each(|notice| self.tell(notice));
    }

    fn carry_out(&mut self, target: PlayerId, decision: &Decision, now_ms: i64) -> Result<ActKind, Refused> {
        let is_named = self.kind_of(target).is_some();
        let closings = self.acts.values().filter(|act| act.target == target && act.what == ActKind::Closed);
        let barred_ms = closings.map(|act| act.at_ms).max();
        let person = self.players.get_mut(&target).ok_or(Refused::NothingToDo)?;
        match decision {
            Decision::Mute { until_ms } if is_named => {
                let until_ms =
                    person.muted_until_ms.map_or(*until_ms, |present_ms| present_ms.max(*until_ms));
                person.muted_until_ms = Some(until_ms);
                Ok(ActKind::Muted { until_ms })
            }
            Decision::Unmute if person.muted_until_ms.is_some_and(|until_ms| until_ms > now_ms) => {
                person.muted_until_ms = None;
                Ok(ActKind::Unmuted)
            }
            Decision::HideName { name, neutral } if is_named => self.hide_name(target, name, neutral),
            Decision::Close => {
                let account = person.account.as_mut().filter(|account| !account.is_barred);
                let account = account.ok_or(Refused::NothingToDo)?;
                (account.is_barred, account.closed_ms) = (true, account.closed_ms.or(Some(now_ms)));
                self.withdraw_seeks(target);
                self.void_links(target);
                self.end_sessions(target, EndedSessions::All);
                Ok(ActKind::Closed)
            }
            Decision::Reopen => {
                let account = person.account.as_mut().filter(|account| account.is_barred);
                let account = account.ok_or(Refused::NothingToDo)?;
                let is_of_moderator = |closed_ms: &i64| Some(*closed_ms) == barred_ms;
                account.closed_ms = account.closed_ms.filter(|closed_ms| !is_of_moderator(closed_ms));
                account.is_barred = false;
                Ok(ActKind::Reopened)
            }
            Decision::Dismiss(report) => {
                let open = self.reports.get_mut(report).filter(|report| report.settled_ms.is_none());
                let open = open.filter(|report| report.target == target).ok_or(Refused::NothingToDo)?;
                open.settled_ms = Some(now_ms);
                Ok(ActKind::Dismissed)
            }
            Decision::DismissAll => {
                let about = self.reports.values_mut().filter(|report| report.target == target);
                let mut open = about.filter(|report| report.settled_ms.is_none()).peekable();
                open.peek().ok_or(Refused::NothingToDo)?;
                open.for_each(|report| report.settled_ms = Some(now_ms));
                Ok(ActKind::Dismissed)
            }
            Decision::Mute { .. } | Decision::Unmute | Decision::HideName { .. } => Err(Refused::NothingToDo),
        }
    }

    fn hide_name(
        &mut self,
        target: PlayerId,
        name: &PlayerName,
        neutral: &PlayerName,
    ) -> Result<ActKind, Refused> {
        let person = self.person(target);
        let former_names = person.account.as_ref().map(|account| account.former_names.clone());
        let found = hidden(name, &person.player.name, former_names.as_deref().unwrap_or_default());
        let Hidden { keys, is_present, former_names: left } = found.ok_or(Refused::NothingToDo)?;
        if is_present && neutral.keys().iter().any(|key| self.name_keys.contains_key(key)) {
            return Err(Refused::NameTaken);
        }
        for key in keys {
            let owner = *self.name_keys.entry(key.clone()).or_default();
            if owner.is_none_or(|owner| owner == target) {
                self.hidden_keys.insert(key);
            }
        }
        if former_names.is_some() {
            self.account(target).former_names = left;
        }
        if is_present {
            self.person(target).player.name = neutral.clone();
            let taken = neutral.keys().into_iter().filter(|_| former_names.is_some());
            self.name_keys.extend(taken.map(|key| (key, Some(target))));
        }
        Ok(ActKind::NameHidden(name.clone()))
    }

    /// Deletes the reports by and about players who are erased, and the acts on them, and takes them from their own acts.
    pub(super) fn forget_moderation(&mut self, players: &[PlayerId], left: &mut u32) {
        let is_of = |report: &Report| players.contains(&report.by) || players.contains(&report.target);
        self.reports.retain(|_, report| !(is_of(report) && take_one(left)));
        self.acts.retain(|_, act| !(players.contains(&act.target) && take_one(left)));
        for act in self.acts.values_mut() {
            act.by = act.by.filter(|by| !players.contains(by));
        }
    }
}

#[async_trait]
impl Moderation for Memory {
    async fn role(&self, player: PlayerId) -> Result<Option<Role>, StoreError> {
        Ok(self.0.lock().roles.get(&player).copied())
    }

    async fn muted(&self, now_ms: i64) -> Result<Vec<(PlayerId, i64)>, StoreError> {
        let tables = self.0.lock();
        let people = tables.players.values();
        let muted = people.filter_map(|person| Some((person.player.id, person.muted_until_ms?)));
        Ok(muted.filter(|(_, until_ms)| *until_ms > now_ms).collect())
    }

    async fn reports(
        &self,
        reader: PlayerId,
        after: Option<ReportCursor>,
        limit: u32,
    ) -> Result<Vec<Report>, StoreError> {
        let tables = self.0.lock();
        let shown = tables.reports.values().filter(|report| report.target != reader);
        let (open, settled): (Vec<&Report>, Vec<&Report>) =
            shown.partition(|report| report.settled_ms.is_none());
        let open = open.into_iter().filter(|report| match after {
            None => true,
            Some(ReportCursor::Open(id)) => report.id > id,
            Some(ReportCursor::Settled(_)) => false,
        });
        let settled = settled.into_iter().rev().filter(|report| match after {
            None | Some(ReportCursor::Open(_)) => true,
            Some(ReportCursor::Settled(id)) => report.id < id,
        });
        Ok(open.chain(settled).take(limit as usize).cloned().collect())
    }

    async fn report(&self, id: ReportId) -> Result<Option<Report>, StoreError> {
        Ok(self.0.lock().reports.get(&id).cloned())
    }

    async fn acts(&self, before: Option<ActId>, limit: u32) -> Result<Vec<Act>, StoreError> {
        let tables = self.0.lock();
        let acts = tables.acts.values().rev().filter(|act| before.is_none_or(|before| act.id < before));
        Ok(acts.take(limit as usize).cloned().collect())
    }

    async fn acts_by(
        &self,
        moderator: PlayerId,
        before: Option<ActId>,
        limit: u32,
    ) -> Result<Vec<Act>, StoreError> {
        let tables = self.0.lock();
        let by = tables.acts.values().rev().filter(|act| act.by == Some(moderator));
        let by = by.filter(|act| before.is_none_or(|before| act.id < before));
        Ok(by.take(limit as usize).cloned().collect())
    }

    async fn reports_by(
        &self,
        player: PlayerId,
        after: Option<ReportId>,
        limit: u32,
    ) -> Result<Vec<Report>, StoreError> {
        let tables = self.0.lock();
        let by = tables.reports.values().filter(|report| report.by == player);
        let by = by.filter(|report| after.is_none_or(|after| report.id > after));
        Ok(by.take(limit as usize).cloned().collect())
    }

    async fn acts_on(
        &self,
        player: PlayerId,
        before: Option<ActId>,
        limit: u32,
    ) -> Result<Vec<Act>, StoreError> {
        let tables = self.0.lock();
        let on = tables.acts.values().rev();
        let on = on.filter(|act| act.target == player && act.what != ActKind::Dismissed);
        let on = on.filter(|act| before.is_none_or(|before| act.id < before));
        Ok(on.take(limit as usize).cloned().collect())
    }
}
