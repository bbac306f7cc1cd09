use tokio::time::Instant;

use super::Problem;
use crate::{
    net::address::{Client, LimitedAction, WriteKind},
    state::App,
};

/// Counts bytes that are stored for a client, besides those of games.
///
/// # Errors
/// The address of the client has had its budget stored.
pub(super) fn count_stored(app: &App, client: Client, n_bytes: usize) -> Result<(), Problem> {
    let now = Instant::now();
    app.addresses.may_store(client.address, WriteKind::Other, now).map_err(Problem::stored_too_much)?;
    app.addresses.charge(client.address, LimitedAction::Store, n_bytes, now);
    Ok(())
}

/// Counts bytes that were stored for a client who is let in whatever its address has had stored.
pub(super) fn charge_stored(app: &App, client: Client, n_bytes: usize) {
    app.addresses.charge(client.address, LimitedAction::Store, n_bytes, Instant::now());
}

/// Takes a token for an action of a client.
///
/// # Errors
/// The address of the client performs the action too often.
pub(super) fn refuse_fast(app: &App, client: Client, action: LimitedAction) -> Result<(), Problem> {
    app.addresses.take(client.address, action, Instant::now()).map_err(|wait| {
        let what = match action {
            LimitedAction::Connection => "connections",
            LimitedAction::Request => "requests",
            LimitedAction::Session => "new visitors",
            LimitedAction::Room => "new rooms",
            LimitedAction::Name => "new names",
            LimitedAction::Account => "new accounts",
            LimitedAction::SignIn => "attempts to sign in",
            LimitedAction::Mail => "mails",
            LimitedAction::Ceremony => "uses of passkeys",
            LimitedAction::Block => "blocks, vacations and ends of notices",
            LimitedAction::Seek => "seeks",
            LimitedAction::TakeSeek => "games that others seek",
            LimitedAction::Report => "reports",
            LimitedAction::Message => "messages",
            LimitedAction::Line => "lines of chats",
            LimitedAction::List => "lists of games",
            LimitedAction::Picture => "pictures",
            LimitedAction::Events => "events of games",
            LimitedAction::Receive => "bytes",
            LimitedAction::Store => "stored bytes",
        };
        Problem::too_fast(format!("too many {what} from this address: wait a moment"), wait)
    })
}
