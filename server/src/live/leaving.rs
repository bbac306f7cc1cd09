//! A player who goes for good leaves all games.

use game::{
    Command, Status,
    ids::{CommandId, PlayerId},
};
use store::{List, Paging, StoreError};
use tracing::debug;

use super::{games::Games, requests::Request};
use crate::{compute::Requester, directory};

/// Maximum number of games that are left at once; the next time goes on with the others.
const AT_ONCE: u32 = 200;

impl Games {
    /// Closes the open rooms of a player, declines the challenges, and resigns the games under way, as long as nobody is shown the player's name.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn leave_all(&self, player: PlayerId) -> Result<(), StoreError> {
        let paging = Paging { before: None, limit: AT_ONCE };
        let list = List::UnfinishedGamesOf(player);
        let store = &self.0.dependencies.store;
        for row in store.list(list, paging).await?.games {
            // The account may have been opened again meanwhile.
            if !store.named(&[player]).await?.is_empty() {
                return Ok(());
            }
            let (game, command) = match row.status {
                Status::Open if row.creator != player => (row.id, Command::Decline { counter: None }),
                Status::Open => (row.id, Command::Cancel),
                _ => (row.id, Command::Resign),
            };
            let who = directory::deleted(player).into();
            let id = CommandId::try_from(self.env().id().to_string()).expect("a UUID's text is a command id");
            let received_ms = self.env().now_ms();
            let requester = Requester::SERVER;
            let request = Request { id, who, requester, command, received_ms, over_budget: None };
            if let Err(refusal) = self.command(game, request).await {
                debug!(%game, %player, ?refusal, "a player who goes could not leave a game");
            }
        }
        Ok(())
    }
}
