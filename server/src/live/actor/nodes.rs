//! Messages of a game to and from other nodes.

use protocol::SpectatorCount;
use store::{Audience, DraftIs, DraftRow, Head, LastChange};

use super::{Actor, StateLost};
use crate::{
    cluster::bus::GameNews,
    compute::Requester,
    live::{chat, readers::Visitors},
};

impl Actor {
    /// Applies a message of another node.
    pub(super) async fn apply_remote(&mut self, news: GameNews) -> Result<(), StateLost> {
        match news {
            GameNews::Events { after_ms, events, draft_is } => {
                let known = self.last_change();
                if events.last().is_none_or(|last| last.version <= known.version) {
                    return Ok(());
                }
                let follows = events.first().is_some_and(|first| first.version == known.version.next());
                if !follows || after_ms != Some(known.at_ms) {
                    return self.catch_up("gap").await;
                }
                self.fold_in(&events).await?;
                self.game.state.committed(self.shared.now_ms());
                if draft_is == DraftIs::Gone {
                    self.draft = None;
                    self.drafting.clear();
                }
                self.broadcast_events();
            }
            GameNews::Draft { draft } => {
                // A draft may arrive before the turn it builds on, which another node has stored, and before its own
                // write.
                if draft.as_ref().is_some_and(|row| row.version > self.game.state.version()) {
                    self.catch_up("gap").await?;
                }
                if self.has_draft(draft.as_ref()) {
                    return Ok(());
                }
                self.drafting.clear();
                self.draft = match draft {
                    Some(row) => self.read_draft(&row, Requester::SERVER).await,
                    None => None,
                };
                self.broadcast_draft(None);
            }
            GameNews::Line { row } => {
                self.directory().learn(row.line.who.clone());
                self.broadcast_line((*row).into());
            }
            GameNews::Here { node, there } => {
                self.attendance.record_remote(node, there, self.shared.now_ms())
            }
        }
        Ok(())
    }

    /// The last change of the game.
    fn last_change(&self) -> LastChange {
        LastChange { version: self.game.state.version(), at_ms: self.game.state.updated_ms() }
    }

    /// Reads the events that other nodes have stored since, and publishes the presence on this node. `stored` is
    /// [`LastChange::NONE`] if the store had no such game.
    pub(super) async fn compare(&mut self, stored: LastChange) -> Result<(), StateLost> {
        let known = self.last_change();
        if stored.version > known.version {
            self.catch_up("behind").await?;
        } else if stored != known {
            // Either events were stored since the comparison was read, or the database has gone back.
            self.read_on().await?;
        }
        self.refresh_attendance();
        Ok(())
    }

    /// Recovers from lost messages of other nodes: reads missing events, the draft and missing chat lines from the
    /// store. Publishes the presence on this node.
    pub(super) async fn compare_all(&mut self, stored: &Head) -> Result<(), StateLost> {
        let has_draft = self.has_newer_draft() || self.has_draft(stored.draft.as_ref());
        let known = self.last_change();
        if stored.last_change.version > known.version || !has_draft {
            self.catch_up("silence").await?;
        } else if stored.last_change != known {
            self.read_on().await?;
        }
        for audience in [Audience::Players, Audience::Spectators] {
            if !self.chat.has_all(audience, stored.n_lines(audience)) {
                self.catch_up_chat(audience).await?;
            }
        }
        self.refresh_attendance();
        Ok(())
    }

    /// Whether the game has this stored draft.
    fn has_draft(&self, stored: Option<&DraftRow>) -> bool {
        let stored = stored.map(|row| serde_json::from_str::<Vec<String>>(&row.body).unwrap_or_default());
        self.draft == stored
    }

    fn refresh_attendance(&mut self) {
        self.attendance.set_connected(self.shared.dependencies.bus.is_connected(), self.shared.now_ms());
        self.publish_attendance();
    }

    /// Broadcasts chat lines that other nodes have stored.
    async fn catch_up_chat(&mut self, audience: Audience) -> Result<(), StateLost> {
        let rows = self.shared.dependencies.store.chat(self.id, audience, chat::LINES).await;
        let rows = rows.map_err(|_| StateLost)?;
        self.keep_names(rows.iter().map(|row| row.line.who)).await?;
        for row in rows {
            self.broadcast_line(row);
        }
        Ok(())
    }

    /// Withdraws the presence of all readers: they do not count until they subscribe again.
    pub(super) fn dismiss(&mut self) {
        self.attendance.record_local(&self.game.state, &Visitors::default(), self.shared.now_ms());
        self.publish_attendance();
    }

    /// Publishes the presence on this node to the lobby and the other nodes.
    pub(super) fn publish_attendance(&self) {
        let there = self.attendance.here();
        self.shared
            .dependencies
            .lobby
            .set_spectators(SpectatorCount { game: self.id, spectators: there.spectators });
        let node = self.shared.dependencies.bus.node();
        self.shared.dependencies.bus.publish_to_game(self.id, || GameNews::Here { node, there });
    }
}
