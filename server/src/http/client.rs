use tokio::time::Instant;

use super::Problem;
use crate::{
    net::address::{Client, LimitedAction},
    state::App,
};

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
            LimitedAction::Block => "blocks",
            LimitedAction::Message => "messages",
            LimitedAction::Line => "lines of chats",
            LimitedAction::List => "lists of games",
            LimitedAction::Picture => "pictures",
            LimitedAction::Follow => "events of games",
        };
        Problem::too_fast(format!("too many {what} from this address: wait a moment"), wait)
    })
}
