//! Sessions: how long one lives, and the player that a token proves.

use game::{
    Player, PlayerKind,
    ids::{PlayerId, PlayerName},
};
use protocol::ProblemCode;
use store::{EndedSessions, Session, SessionChange, StoreError, WriteError};
use tracing::debug;

use super::cookie::{DAY_MS, SessionCookie, SessionCookies, Token, UNUSED_FOR_MS};
use crate::state::App;

/// The last part of a session's lifetime, in which uses do not prolong it. A copied session has this time left, in
/// which a lost answer can be requested again.
const ENDING_FOR_MS: i64 = DAY_MS;

/// Age of the stored time of last use at which it is written again.
const USED_AGAIN_AFTER_MS: i64 = DAY_MS;

/// Time for which a proof counts.
const PROOF_COUNTS_MS: i64 = 10 * 60 * 1000;

/// A living session that a request carries.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) session: Session,
    pub(crate) token: Token,
    pub(crate) cookie: SessionCookie,
}

impl Found {
    /// The player's sessions that end when the browser leaves: those of a guest, whom nothing else proves, all end.
    pub(crate) const fn left(&self) -> (PlayerId, EndedSessions) {
        let ended = match self.session.kind {
            PlayerKind::Guest => EndedSessions::All,
            PlayerKind::Account => EndedSessions::One(self.session.id),
        };
        (self.session.player.id, ended)
    }

    /// Verifies that the session is of an account.
    ///
    /// # Errors
    /// [`ProblemCode::NoAccount`] of a guest.
    pub(crate) const fn must_be_account(&self) -> Result<(), ProblemCode> {
        match self.session.kind {
            PlayerKind::Account => Ok(()),
            PlayerKind::Guest => Err(ProblemCode::NoAccount),
        }
    }

    /// Verifies that the session is of a guest.
    ///
    /// # Errors
    /// [`ProblemCode::HasAccount`] of an account.
    pub(crate) const fn must_be_guest(&self) -> Result<(), ProblemCode> {
        match self.session.kind {
            PlayerKind::Guest => Ok(()),
            PlayerKind::Account => Err(ProblemCode::HasAccount),
        }
    }

    /// Verifies that the player has lately proved to be the account's.
    ///
    /// # Errors
    /// [`ProblemCode::ProveAgain`] otherwise.
    pub(crate) fn must_be_proved(&self, now_ms: i64) -> Result<(), ProblemCode> {
        let is_proved = self.session.proved_ms.is_some_and(|proved_ms| now_ms - proved_ms < PROOF_COUNTS_MS);
        if is_proved { Ok(()) } else { Err(ProblemCode::ProveAgain) }
    }
}

impl SessionCookies {
    /// Returns the living session that the request proves.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn proved(&self, app: &App) -> Result<Option<Found>, StoreError> {
        living(app, &self.proofs).await
    }

    /// Returns the living session of a cookie for plain HTTP that came over HTTPS, if it is a guest's: an account signs in
    /// again, since the cookie may have leaked.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn plain(&self, app: &App) -> Result<Option<Found>, StoreError> {
        Ok(living(app, &self.plain).await?.filter(|found| found.session.kind == PlayerKind::Guest))
    }

    /// Returns the living session of either kind.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn any(&self, app: &App) -> Result<Option<Found>, StoreError> {
        match self.proved(app).await? {
            Some(found) => Ok(Some(found)),
            None => living(app, &self.plain).await,
        }
    }
}

/// Returns the first living session.
async fn living(app: &App, tokens: &[(SessionCookie, Token)]) -> Result<Option<Found>, StoreError> {
    for (cookie, token) in tokens {
        if let Some(session) = session(app, token).await? {
            return Ok(Some(Found { session, token: token.clone(), cookie: *cookie }));
        }
    }
    Ok(None)
}

/// Returns the latest time of last use of sessions that have ended.
pub(crate) const fn unused_since_ms(now_ms: i64) -> i64 {
    now_ms - UNUSED_FOR_MS
}

/// Returns the latest time of last use of sessions that are about to end.
const fn ending_ms(now_ms: i64) -> i64 {
    unused_since_ms(now_ms) + ENDING_FOR_MS
}

/// Returns the session of a token, unless it has ended. Once a day the use is stored before this returns, so
/// that neither session nor player is deleted meanwhile; a use that cannot be stored is stored with the next request.
async fn session(app: &App, token: &Token) -> Result<Option<Session>, StoreError> {
    let now_ms = app.env.now_ms();
    let found = app.store.session(&token.hash(), unused_since_ms(now_ms)).await?;
    let Some(session) = found else { return Ok(None) };
    app.directory.learn((session.player.clone(), session.kind).into());
    let (player, used_ms) = (session.player.id, session.used_ms);
    let ending_ms = ending_ms(now_ms);
    if now_ms - used_ms >= USED_AGAIN_AFTER_MS && used_ms > ending_ms {
        let token = token.hash();
        let used = SessionChange::Used { token, player, now_ms, ending_ms };
        if let Err(error) = app.writer.change_session(used).await {
            debug!(%player, error = &error as &dyn std::error::Error, "session: last use not stored");
        }
    }
    Ok(Some(session))
}

/// Adds a session with a fresh token for the player of a token. The first session is about to end from then on.
///
/// # Errors
/// The store did not accept it.
pub(crate) async fn copy(app: &App, token: &Token, player: PlayerId) -> Result<Token, WriteError> {
    let (by, now_ms) = (Token::new(&app.env), app.env.now_ms());
    let (token, ending_ms) = (token.hash(), ending_ms(now_ms));
    let copied = SessionChange::Copied { token, by: by.hash(), player, now_ms, ending_ms };
    app.writer.change_session(copied).await?;
    Ok(by)
}

/// Makes a guest with a first session, and returns its token. The name is a word of the guest's language and a number.
///
/// # Errors
/// The store did not accept it.
pub(crate) async fn new_guest(app: &App, language: &str) -> Result<(Player, Token), WriteError> {
    let token = Token::new(&app.env);
    let number = 1000 + app.env.random::<u16>() % 9000;
    let [english, french] = PlayerName::WORDS_OF_GUESTS;
    let word = if language == "fr" { french } else { english };
    let name = PlayerName::try_from(format!("{word} {number}")).expect("a word and a number are a name");
    let player = Player { id: PlayerId::new(app.env.id()), name };
    app.writer.create_player(player.clone(), token.hash(), app.env.now_ms()).await?;
    app.directory.learn((player.clone(), PlayerKind::Guest).into());
    Ok((player, token))
}
