use std::{sync::Arc, time::Duration};

use game::{NoticeChannel, NoticePurpose, NoticeSettings, QuietHours, TurnMails, ids::PlayerId};
use serde_json::json;
use store::{DueMessage, GameRow, Store, StoreError};
use tracing::warn;

use super::{
    Channel, Step, Unsent,
    timing::{self, When},
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

    async fn prepare(
        &self,
        due: &DueMessage,
        games: Vec<GameRow>,
        now_ms: i64,
    ) -> Result<Step<Self::Message>, StoreError> {
        let player = due.key.player;
        let settings = self.settings(player).await?;
        let when = match due.key.purpose {
            NoticePurpose::Turns => timing::of_turns(due, &games, &settings, None, now_ms),
            NoticePurpose::Deadline => timing::of_deadlines(due, &games, &settings, now_ms),
        };
        let next_ms = match when {
            When::Not { next_ms } => return Ok(Step::Nothing { next_ms }),
            When::Later { due_ms } => return Ok(Step::Later { due_ms }),
            When::Now { next_ms } => next_ms,
        };
        let Some(message) = self.message(due, &games, now_ms).await? else {
            return Ok(Step::Nothing { next_ms });
        };
        Ok(Step::Send { message: (player, message), mail: None, next_ms })
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
    /// What a player is told, and when: a turn soon after it is due, whatever is mailed, and nothing in the quiet hours of an
    /// account. A guest has none.
    async fn settings(&self, player: PlayerId) -> Result<NoticeSettings, StoreError> {
        let settings = match self.store.account(player).await? {
            Some(account) => account.notices,
            None => {
                let usual = NoticeSettings::default();
                let never = QuietHours { to: usual.quiet.from, ..usual.quiet };
                NoticeSettings { quiet: never, ..usual }
            }
        };
        Ok(NoticeSettings { turn_mails: TurnMails::Soon, ..settings })
    }

    /// The message about the games that wait; `None` if none does.
    async fn message(
        &self,
        due: &DueMessage,
        games: &[GameRow],
        now_ms: i64,
    ) -> Result<Option<Message>, StoreError> {
        let Some((game, seats)) = games.first().and_then(|game| Some((game, game.seats?))) else {
            return Ok(None);
        };
        let DueMessage { key, changed_ms, .. } = due;
        let opponent = seats[game.to_move.other()];
        self.directory.load([opponent]).await?;
        let content = json!({
            "purpose": purpose(key.purpose),
            "waiting": games.len(),
            "game": game.id,
            "ruleset": game.ruleset.id(),
            "opponent": self.directory.player_with_id(opponent).name,
            "deadline_ms": game.deadline_ms,
            "tag": changed_ms.to_string(),
        });
        let left_ms = game.deadline_ms.map(|deadline_ms| u64::try_from(deadline_ms - now_ms).unwrap_or(0));
        Ok(Some(Message {
            content: content.to_string(),
            about: purpose(key.purpose),
            counts: left_ms.map_or(COUNTS, |left_ms| COUNTS.min(Duration::from_millis(left_ms))),
            is_urgent: key.purpose == NoticePurpose::Deadline,
        }))
    }
}

/// The word of a purpose in a message.
const fn purpose(purpose: NoticePurpose) -> &'static str {
    match purpose {
        NoticePurpose::Turns => "turns",
        NoticePurpose::Deadline => "deadline",
    }
}
