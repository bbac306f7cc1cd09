//! The steps of a commit, in the order in which the databases take them.

use std::{error::Error, time::Duration};

use async_trait::async_trait;
use sqlx::error::{DatabaseError, ErrorKind};

use super::{Failure, Game, Memory, Tables};
use crate::{
    Refused, Store, StoreError, Write, Written,
    accounts::SessionWrite,
    outbox::OutboxStep,
    people::Asked,
    plan::{self, Plan, StoredState},
};

#[async_trait]
impl Store for Memory {
    async fn commit(&self, writes: &[Write]) -> Result<Vec<Result<Written, Refused>>, StoreError> {
        let mut tables = self.0.lock();
        let n_writes = writes.iter().filter(|write| !is_of_a_node(write)).count();
        let mut failure = if n_writes > 0 { tables.next_failure.take() } else { None };
        if tables.clearings_fail && writes.iter().any(|write| matches!(write, Write::Clear(_))) {
            failure = Some(Failure::BeforeCommit);
        }
        tables.n_failures += usize::from(failure.is_some());
        let failed = Err(StoreError::TimedOut { doing: "commit", waited: Duration::ZERO });
        if failure == Some(Failure::BeforeCommit) {
            return failed;
        }
        let mut plan = Plan::of(writes, tables.stored_state(writes));
        if plan.people.new.iter().any(|new| tables.sessions.contains_key(new.token)) {
            let source = sqlx::Error::Database(Box::new(TokenTaken));
            return Err(StoreError::Database { doing: "commit", source });
        }
        tables.save(&plan);
        tables.execute(&mut plan);
        tables.n_writes += n_writes;
        if failure == Some(Failure::AfterCommit) { failed } else { Ok(plan.results) }
    }
}

impl Tables {
    fn stored_state(&self, writes: &[Write]) -> StoredState {
        let known = plan::games_of(writes).into_iter().filter_map(|id| {
            let Game { row, turn_version, draft, .. } = self.games.get(&id)?;
            let (version, turn_version) = (row.version.get().into(), turn_version.get().into());
            let (has_players, has_draft) = (row.seats.is_some(), draft.is_some());
            let (id, updated_ms) = (id.uuid(), row.updated_ms);
            Some(plan::head((id, version, updated_ms, turn_version, has_players, has_draft, row.deadline_ms)))
        });
        let heads = known.collect::<Result<_, _>>().expect("stored rows are valid");
        StoredState::new(heads, self.people(&Asked::of(writes))).with_accounts(self.accounts())
    }

    /// Makes the changes whose results the plan has decided.
    fn save(&mut self, plan: &Plan<'_>) {
        self.save_games(plan);
        self.save_lines(plan);
        self.save_people(&plan.people);
        self.save_reviews(plan);
        self.save_conditionals(plan);
        for write in &plan.sessions {
            match write {
                SessionWrite::Session(change) => self.change_session(*change),
                SessionWrite::Account(change) => self.change_account(change),
            }
        }
        self.save_names(&plan.names);
        self.save_wanted(&plan.wanted);
    }

    /// Makes the other changes, whose results depend on what is stored by then.
    fn execute(&mut self, plan: &mut Plan<'_>) {
        for (place, change) in std::mem::take(&mut plan.mails) {
            plan.results[place] = self.change_mail(change).map(|()| Written::Done);
        }
        for step in plan.outbox.take() {
            match step {
                OutboxStep::Notes(notes) => {
                    for ((player, purpose), note) in notes {
                        self.note(player, purpose, note);
                    }
                }
                OutboxStep::Subscribed(subscriber) => self.note_to_browsers(subscriber),
                OutboxStep::Change(place, change) => {
                    plan.results[place] = self.change_message(change).map(|()| Written::Done);
                }
            }
        }
        plan.inbox.told.iter().for_each(|notice| self.tell(notice));
        for (player, up_to, now_ms) in &plan.inbox.seen {
            self.see_notices(*player, *up_to, *now_ms);
        }
        for (place, change) in std::mem::take(&mut plan.pushes) {
            plan.results[place] = self.change_push(change).map(|()| Written::Done);
        }
        for (name, body) in &plan.server_keys {
            self.server_keys.entry(name).or_insert_with(|| body.to_vec());
        }
        for (place, change) in std::mem::take(&mut plan.moderation) {
            plan.results[place] = self.moderate(change).map(|()| Written::Done);
        }
        for (place, change) in std::mem::take(&mut plan.vacations) {
            plan.results[place] = self.change_vacation(change).map(|()| Written::Done);
        }
        for (place, change) in std::mem::take(&mut plan.seeks) {
            plan.results[place] = self.change_seeks(change).map(|()| Written::Done);
        }
        for (place, step) in std::mem::take(&mut plan.ceremonies) {
            plan.results[place] = self.take_step(step);
        }
        for (place, clearing) in std::mem::take(&mut plan.clearings) {
            plan.results[place] = Ok(Written::Cleared(self.clear(clearing)));
        }
        for (place, write) in std::mem::take(&mut plan.periodic_writes) {
            plan.results[place] = self.periodic_write(write);
        }
    }
}

/// Whether nodes make this write on their own, without a request of a client.
const fn is_of_a_node(write: &Write) -> bool {
    matches!(write, Write::Beat { .. } | Write::TakeSweep { .. } | Write::Seen { .. } | Write::Clear(_))
}

/// The refusal of a token that another player has, as a unique key refuses it.
#[derive(Debug, thiserror::Error)]
#[error("another player has this token")]
struct TokenTaken;

impl DatabaseError for TokenTaken {
    fn message(&self) -> &str {
        "another player has this token"
    }

    fn kind(&self) -> ErrorKind {
        ErrorKind::UniqueViolation
    }

    fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
        self
    }
}
