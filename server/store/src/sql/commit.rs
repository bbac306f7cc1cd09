//! The steps of a group commit, in their order.

use game::{
    StoredWord,
    ids::{GameId, PlayerId},
};
use uuid::Uuid;

use super::{
    Connection, accounts, clearing::clear, inbox, mails, moderation, outbox, pushes, seeks, text, vacations,
};
use crate::{
    Ceremony, CeremonyStep, EndedSessions, MAX_CEREMONIES, MAX_SESSIONS, Outage, Refused, SessionChange,
    Write, Written,
    accounts::SessionWrite,
    outbox::OutboxStep,
    plan::{Heads, PeriodicWrite, Plan, StoredState},
    row::CeremonyRow,
};

/// Maximum number of checks that one sweep postpones. Later sweeps, one a second, postpone the rest; until then, the query
/// for due games skips them.
const MAX_POSTPONED: u32 = 256;

/// The steps of a commit that each database does in its own way, on a connection in a transaction.
pub(crate) trait CommitSteps: Connection {
    /// Reads the state of the games and players that the writes concern, except of the `known` games. It must stay valid
    /// until the end of the transaction.
    fn stored_state(
        &mut self,
        writes: &[Write],
        known: Heads,
    ) -> impl Future<Output = Result<StoredState, sqlx::Error>> + Send;

    /// Writes the rows of the plan: games, events, drafts, chat lines, players and blocks.
    fn save_rows(&mut self, plan: &Plan<'_>) -> impl Future<Output = Result<(), sqlx::Error>> + Send;

    /// Forbids table scans for the rest of the transaction, whatever the planner's statistics.
    fn forbid_table_scans(&mut self) -> impl Future<Output = Result<(), sqlx::Error>> + Send {
        async { Ok(()) }
    }
}

/// Writes all in the transaction of the connection, and returns the result of each write, in order. Rows are locked in
/// this order: games, players, seeks, sessions, keys of names, messages, notices, ceremonies, rows to be cleared, the rows of periodic_writes. A sweep locks games last; it skips those
/// that are locked, so it cannot deadlock.
///
/// `heads` are the known states of games, and afterwards those that are valid once the transaction is committed.
pub(crate) async fn write_all(
    tx: &mut impl CommitSteps,
    writes: &[Write],
    heads: &mut Heads,
) -> Result<Vec<Result<Written, Refused>>, sqlx::Error> {
    let stored = tx.stored_state(writes, std::mem::take(heads)).await?;
    let mut plan = Plan::of(writes, stored.with_accounts(accounts::read(tx, writes).await?));
    tx.save_rows(&plan).await?;
    for review in &plan.reviews {
        tx.execute(text::ADD_REVIEW.bind(review.game.uuid()).bind(review.body.as_str())).await?;
    }
    for (row, is_set) in &plan.conditionals {
        let statement = if *is_set { text::SET_CONDITIONAL } else { text::DROP_CONDITIONAL };
        let statement = statement.bind(row.game.uuid()).bind(row.side.as_db_str());
        tx.execute(statement.bind(row.body.as_str()).bind(row.version.get())).await?;
    }
    if !plan.without_conditionals.is_empty() {
        let games = plan.without_conditionals.iter().map(|game| game.uuid());
        tx.execute(text::DELETE_CONDITIONALS.bind_ids(games)).await?;
    }
    for write in &plan.sessions {
        match write {
            SessionWrite::Session(change) => save_session(tx, *change).await?,
            SessionWrite::Account(change) => accounts::save(tx, change).await?,
        }
    }
    accounts::save_names(tx, &plan.names).await?;
    for (place, change) in std::mem::take(&mut plan.mails) {
        plan.results[place] = mails::save(tx, change).await?.map(|()| Written::Done);
    }
    for step in plan.outbox.take() {
        let result = outbox::save(tx, &step).await?;
        if let OutboxStep::Change(place, _) = step {
            plan.results[place] = result.map(|()| Written::Done);
        }
    }
    for (place, change) in std::mem::take(&mut plan.pushes) {
        plan.results[place] = pushes::save(tx, change).await?.map(|()| Written::Done);
    }
    for (name, body) in &plan.server_keys {
        tx.execute(text::ADD_SERVER_KEY.bind(*name).bind(*body)).await?;
    }
    for (place, change) in std::mem::take(&mut plan.moderation) {
        plan.results[place] = moderation::save(tx, change, &mut plan.inbox).await?.map(|()| Written::Done);
    }
    for (place, change) in std::mem::take(&mut plan.vacations) {
        plan.results[place] = vacations::save(tx, change, &mut plan.inbox).await?.map(|()| Written::Done);
    }
    inbox::save(tx, std::mem::take(&mut plan.inbox)).await?;
    seeks::save_wanted(tx, &plan.wanted).await?;
    for (place, change) in std::mem::take(&mut plan.seeks) {
        plan.results[place] = seeks::save(tx, change).await?.map(|()| Written::Done);
    }
    for (place, step) in std::mem::take(&mut plan.ceremonies) {
        plan.results[place] = take_step(tx, step).await?;
    }
    if plan.clearings.is_empty() {
        *heads = std::mem::take(&mut plan.heads);
    }
    for (place, clearing) in std::mem::take(&mut plan.clearings) {
        tx.forbid_table_scans().await?;
        plan.results[place] = Ok(Written::Cleared(clear(tx, clearing).await?));
    }
    for (place, write) in std::mem::take(&mut plan.periodic_writes) {
        plan.results[place] = execute_periodic_write(tx, write, heads).await?;
    }
    Ok(plan.results)
}

/// Corrects the checks of games that another program has changed: a game without a check would never be due.
pub(crate) async fn repair_checks(connection: &mut impl Connection) -> Result<(), sqlx::Error> {
    for repair in text::REPAIR_CHECKS {
        connection.execute(repair.into()).await?;
    }
    Ok(())
}

async fn save_session(tx: &mut impl Connection, change: SessionChange) -> Result<(), sqlx::Error> {
    match change {
        SessionChange::Used { token, player: _, now_ms, ending_ms } => {
            tx.execute(text::USE_SESSION.bind(token.as_bytes()).bind(now_ms).bind(ending_ms)).await?;
        }
        SessionChange::Copied { token, by, player, now_ms, ending_ms } => {
            let copy = text::COPY_SESSION.bind(token.as_bytes()).bind(by.as_bytes()).bind(now_ms);
            tx.execute(copy.bind(by.session().uuid())).await?;
            tx.execute(text::LET_SESSION_END.bind(token.as_bytes()).bind(ending_ms)).await?;
            tx.execute(text::TRIM_SESSIONS.bind(player.uuid()).bind(MAX_SESSIONS)).await?;
        }
        SessionChange::Proved { token, player: _, now_ms } => {
            tx.execute(text::PROVE_SESSION.bind(token.as_bytes()).bind(now_ms)).await?;
        }
        SessionChange::Ended { player, ended } => end_sessions(tx, player, ended).await?,
    }
    Ok(())
}

/// Begins or takes a ceremony.
async fn take_step(
    tx: &mut impl Connection,
    step: &CeremonyStep,
) -> Result<Result<Written, Refused>, sqlx::Error> {
    match step {
        CeremonyStep::Begin { challenge, ceremony: Ceremony { player, state, expires_ms } } => {
            let begin = text::BEGIN_CEREMONY.bind(challenge.as_bytes()).bind(player.map(PlayerId::uuid));
            tx.execute(begin.bind(state.as_str()).bind(*expires_ms)).await?;
            tx.execute(text::TRIM_CEREMONIES.bind(MAX_CEREMONIES)).await?;
            Ok(Ok(Written::Done))
        }
        CeremonyStep::Take { challenge, now_ms } => {
            let mut taken: Vec<CeremonyRow> = tx.rows(text::TAKE_CEREMONY.bind(challenge.as_bytes())).await?;
            let taken = taken.pop().filter(|row| row.expires_ms > *now_ms).map(Ceremony::from);
            Ok(taken.map(Written::Taken).ok_or(Refused::NoCeremony))
        }
    }
}

/// Ends some sessions of a player.
pub(super) async fn end_sessions(
    tx: &mut impl Connection,
    player: PlayerId,
    ended: EndedSessions,
) -> Result<(), sqlx::Error> {
    let statement = match ended {
        EndedSessions::All => text::END_SESSIONS.bind(player.uuid()),
        EndedSessions::AllBut(kept) => text::END_OTHER_SESSIONS.bind(player.uuid()).bind(kept.uuid()),
        EndedSessions::One(session) => text::END_SESSION.bind(player.uuid()).bind(session.uuid()),
    };
    tx.execute(statement).await.map(drop)
}

async fn execute_periodic_write(
    tx: &mut impl CommitSteps,
    write: PeriodicWrite,
    heads: &mut Heads,
) -> Result<Result<Written, Refused>, sqlx::Error> {
    match write {
        PeriodicWrite::Beat { now_ms, gap_ms } => beat(tx, now_ms, gap_ms).await.map(Ok),
        PeriodicWrite::TakeSweep { node, now_ms, until_ms } => {
            let n_taken = tx.execute(text::TAKE_SWEEP.bind(node.uuid()).bind(now_ms).bind(until_ms)).await?;
            if n_taken == 0 {
                return Ok(Err(Refused::SweptElsewhere));
            }
            tx.forbid_table_scans().await?;
            let postponed = text::POSTPONE_CHECKS.bind(now_ms).bind(MAX_POSTPONED);
            for (game,) in tx.rows::<(Uuid,)>(postponed).await? {
                heads.remove(&GameId::new(game));
            }
            Ok(Ok(Written::Done))
        }
    }
}

async fn beat(tx: &mut impl Connection, now_ms: i64, gap_ms: i64) -> Result<Written, sqlx::Error> {
    tx.execute(text::FIRST_BEAT.bind(now_ms)).await?;
    let last: Option<(i64,)> = tx.row(text::LAST_BEAT.into()).await?;
    let (before_ms,) = last.ok_or(sqlx::Error::RowNotFound)?;
    let outage = Outage::between(before_ms, now_ms, gap_ms);
    if let Some(Outage { from_ms, to_ms }) = outage {
        tx.execute(text::RECORD_OUTAGE.bind(from_ms).bind(to_ms)).await?;
    }
    tx.execute(text::BEAT.bind(now_ms)).await?;
    Ok(outage.map_or(Written::Done, Written::AfterOutage))
}
