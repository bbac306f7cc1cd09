use std::{sync::Arc, time::Duration};

use game::{NoticeChannel, NoticePurpose, NoticeSettings, QuietHours, StoredWord, TurnMails, ids::PlayerId};
use serde_json::json;
use store::{Account, DueMessage, GameRow, Store, StoreError};
use tracing::warn;

use super::{
    Channel, Prepared, Unsent,
    timing::{self, When},
    waiting::WaitingTurn,
};
use crate::{
    directory::Directory,
    push::{Message, Push, Sent},
};

/// Maximum time for which a push service keeps a message.
const COUNTS: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Messages to browsers that have subscribed, of guests too.
#[derive(Debug)]
pub(crate) struct Pushes {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) directory: Directory,
    pub(crate) push: Push,
}

impl Channel for Pushes {
    const CHANNEL: NoticeChannel = NoticeChannel::Push;

    type Message = (PlayerId, Message);

    async fn room(&self, _now_ms: i64) -> Result<usize, StoreError> {
        Ok(usize::MAX)
    }

    async fn when(&self, due: &DueMessage, turns: &[WaitingTurn], now_ms: i64) -> Result<When, StoreError> {
        let settings = self.settings(due.key.player).await?;
        Ok(match due.key.purpose {
            NoticePurpose::Turns => timing::of_turns(due, turns, &settings, None, now_ms),
            NoticePurpose::Deadline => timing::of_deadlines(due, turns, &settings, None, now_ms),
        })
    }

    /// The message about the games that wait; `None` if none does.
    async fn message(
        &self,
        due: &DueMessage,
        games: Vec<GameRow>,
        now_ms: i64,
    ) -> Result<Option<Prepared<Self::Message>>, StoreError> {
        let Some((game, seats)) = games.first().and_then(|game| Some((game, game.seats?))) else {
            return Ok(None);
        };
        let DueMessage { key, changed_ms, .. } = due;
        let opponent = seats[game.to_move.other()];
        self.directory.load([opponent]).await?;
        let content = json!({
            "purpose": key.purpose.as_db_str(),
            "waiting": games.len(),
            "game": game.id,
            "ruleset": game.ruleset.id(),
            "opponent": self.directory.player_with_id(opponent).name,
            "deadline_ms": game.deadline_ms,
            "tag": changed_ms.to_string(),
        });
        let left_ms = game.deadline_ms.map(|deadline_ms| u64::try_from(deadline_ms - now_ms).unwrap_or(0));
        let message = Message {
            content: content.to_string(),
            about: key.purpose.as_db_str(),
            counts: left_ms.map_or(COUNTS, |left_ms| COUNTS.min(Duration::from_millis(left_ms))),
            is_urgent: key.purpose == NoticePurpose::Deadline,
        };
        Ok(Some(Prepared { message: (key.player, message), mail: None }))
    }

    async fn send(&self, (player, message): Self::Message) -> Result<(), Unsent> {
        match self.push.send(player, &message).await {
            Ok(Sent::Done) => Ok(()),
            Ok(Sent::Later(wait)) => Err(Unsent::ForNow { wait }),
            Err(error) => {
                warn!(%player, error = &error as &dyn std::error::Error, "notices: not pushed: {error}");
                Err(Unsent::ForNow { wait: Duration::ZERO })
            }
        }
    }
}

impl Pushes {
    /// Returns the settings for a player's notifications. They come soon after a turn is due, however often mails are sent,
    /// and never in the quiet hours of an account. A guest has no quiet hours.
    async fn settings(&self, player: PlayerId) -> Result<NoticeSettings, StoreError> {
        let account = self.store.account(player).await?;
        let quiet = account.as_ref().map_or(QuietHours::NONE, Account::quiet);
        let settings = account.map(|account| account.notices).unwrap_or_default();
        Ok(NoticeSettings { turn_mails: TurnMails::Soon, quiet, ..settings })
    }
}
