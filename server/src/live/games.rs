//! The handle of a node's games. It finds a game's task, or starts it.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use game::ids::{GameId, PlayerId};
use protocol::{Player, ServerMessage};
use store::{GameRow, LastChange, StoreError};

use super::{
    actor, chat,
    feed::FeedReader,
    mailbox::{Mailbox, Sender},
    message::Message,
    shared::{BYTES_OF_GAME, Dependencies, Shared},
};
use crate::{compute::Requester, env::Env, net::address::Address};

/// All games of this node.
#[derive(Clone, Debug)]
pub(crate) struct Games(pub(super) Arc<Shared>);

/// Maximum number of games that are compared with the store in one query.
const HEADS_AT_ONCE: usize = 500;

impl Games {
    /// Returns a reader of what this node commits from now on.
    pub(crate) fn feed(&self) -> FeedReader {
        self.0.feed.subscribe()
    }

    /// The clock and the randomness of the games.
    pub(crate) fn env(&self) -> &Env {
        &self.0.dependencies.env
    }

    pub(crate) fn new(dependencies: Dependencies) -> Self {
        Self(Arc::new(Shared::new(dependencies)))
    }

    /// Returns at most `limit` rooms and games whose deadline has passed, roughly the longest due first. Games with corrupt logs are
    /// skipped: loading them would fail again.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn due(&self, limit: u32) -> Result<Vec<GameId>, StoreError> {
        let corrupt = self.0.corrupt();
        let n_broken = u32::try_from(corrupt.len()).unwrap_or(u32::MAX);
        let mut due =
            self.0.dependencies.store.due_games(self.0.now_ms(), limit.saturating_add(n_broken)).await?;
        due.retain(|game| !corrupt.contains(game));
        due.truncate(limit as usize);
        Ok(due)
    }

    /// Whether the log of a game is known to be corrupt.
    pub(crate) fn is_corrupt(&self, game: GameId) -> bool {
        self.0.corrupt().contains(&game)
    }

    /// Makes a game check its deadlines.
    pub(crate) fn wake(&self, game: GameId) {
        // A game whose mailbox is full is awake.
        let _ =
            self.find(game, BYTES_OF_GAME, None, Requester::SERVER).try_send(Sender::Server, Message::Wake);
    }

    /// Returns the mailbox of a game. Starts its task if there is none: the log is folded for `requester`, and the game is
    /// expected to take `n_bytes`.
    pub(super) fn find(
        &self,
        game: GameId,
        n_bytes: usize,
        seats: Option<[PlayerId; 2]>,
        requester: Requester,
    ) -> Mailbox {
        let (mailbox, registered) = self.0.register(game, n_bytes, seats);
        if let Some((mails, entry)) = registered {
            self.0.dependencies.tasks.spawn(actor::run(game, mails, entry, requester));
        }
        mailbox
    }

    /// Ends the tasks of games that were deleted, and removes them from the lobby. Other nodes do so when they compare
    /// themselves with the store.
    pub(crate) fn forget(&self, deleted: &[GameRow]) {
        for row in deleted {
            self.0.dependencies.lobby.go_back(row.id, row.version, None);
            self.compare(row.id, LastChange::NONE);
        }
    }

    /// Applies the message of another node that a player of an address has joined a room.
    pub(crate) fn apply_remote_join(&self, room: GameId, player: PlayerId, address: Address) {
        self.0.takers.record(room, player, address);
    }

    /// The games in memory.
    pub(crate) fn live(&self) -> Vec<GameId> {
        self.0.live()
    }

    /// Makes all games in memory compare their last changes with the stored ones.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn compare_last_changes(&self) -> Result<(), StoreError> {
        let games = self.live();
        let stored: HashMap<GameId, LastChange> =
            self.0.dependencies.store.last_changes(&games).await?.into_iter().collect();
        for game in games {
            self.compare(game, stored.get(&game).copied().unwrap_or(LastChange::NONE));
        }
        Ok(())
    }

    /// Makes a game that is in memory compare its last change with the stored one.
    pub(crate) fn compare(&self, game: GameId, stored: LastChange) {
        self.post(game, Message::Compare(stored));
    }

    /// Makes all games in memory compare themselves with the store: messages may have been lost. Only games that differ
    /// are read.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn compare_after_silence(&self) -> Result<(), StoreError> {
        for games in self.live().chunks(HEADS_AT_ONCE) {
            let mut missing: HashSet<GameId> = games.iter().copied().collect();
            for head in self.0.dependencies.store.heads(games, chat::LINES).await? {
                missing.remove(&head.game);
                self.post(head.game, Message::CompareAll(Box::new(head)));
            }
            missing.into_iter().for_each(|game| self.compare(game, LastChange::NONE));
        }
        Ok(())
    }

    /// Shows a player under a new name, or of another kind, on this node.
    pub(crate) fn rename(&self, id: PlayerId, player: Player) {
        let Shared { dependencies, archive, spectators, .. } = &*self.0;
        for game in dependencies.directory.rename(id, player) {
            archive.forget(game);
            dependencies.lobby.show_again(game);
            spectators
                .tell(game, &ServerMessage::Renamed { player: dependencies.directory.player_with_id(id) });
            if let Some(mailbox) = self.0.mailbox(game) {
                // The message waits for its permit, since it is not repeated.
                dependencies.tasks.spawn(async move {
                    let _ = mailbox.send(Sender::Server, Message::Renamed(id)).await;
                });
            }
        }
    }

    /// Sends a message of the server to a game that is in memory.
    fn post(&self, game: GameId, message: Message) {
        if let Some(mailbox) = self.0.mailbox(game) {
            // If the mailbox is full, the message is repeated later.
            let _ = mailbox.try_send(Sender::Server, message);
        }
    }
}
