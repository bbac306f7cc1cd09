use tokio::time::Instant;

use super::Problem;
use crate::{
    address::{Client, Deed},
    app::App,
};

/// Counts what a client does.
///
/// # Errors
/// Its address does that too often.
pub(super) fn refuse_fast(app: &App, client: Client, deed: Deed) -> Result<(), Problem> {
    app.addresses.take(client.address, deed, Instant::now()).map_err(|wait| {
        let what = match deed {
            Deed::Connection => "connections",
            Deed::Request => "requests",
            Deed::Session => "new visitors",
            Deed::Room => "new rooms",
            Deed::Name => "new names",
            Deed::Block => "blocks",
            Deed::Message => "messages",
            Deed::Line => "lines of chats",
            Deed::List => "lists of games",
            Deed::Follow => "events of games",
        };
        Problem::too_fast(format!("too many {what} from this address: wait a moment"), wait)
    })
}
