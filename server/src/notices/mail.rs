use std::{error::Error, sync::Arc, time::Duration};

use game::{Language, MailAddress, NoticeChannel, NoticePurpose, NoticeSettings, ids::PlayerId};
use lettre::{
    Message,
    message::header::{HeaderName, HeaderValue},
};
use protocol::LinkSecret;
use sha2::{Digest, Sha256};
use store::{DueMessage, GameRow, Link, MailChange, NoticeMail, Purpose, Store, StoreError, Writer};
use tracing::{info, warn};
use uuid::Uuid;

use super::{
    Channel, Prepared, Unsent,
    texts::{self, WaitingGame},
    timing::{self, MAILS_APART_MS, When},
    waiting::WaitingTurn,
};
use crate::{
    directory::Directory,
    env::Env,
    identity,
    mail::{MAILS_AN_HOUR, Relay, SendError},
    net::origin::Origin,
};

/// Maximum number of these mails in an hour. Of those that the deployment may send, the rest is for mails that confirm and
/// recover. The longest due goes first, and a player has one of each purpose, each an hour after the last one: nobody takes the
/// place of others.
const NOTICES_AN_HOUR: u32 = MAILS_AN_HOUR / 2;

const HOUR_MS: i64 = 60 * 60 * 1000;

/// Time for which the link in a mail stops such mails, in milliseconds.
const UNSUBSCRIBES_FOR_MS: i64 = 60 * 24 * HOUR_MS;

/// Headers by which mail programs offer to stop such mails (RFC 2369 and 8058).
const LIST_UNSUBSCRIBE: HeaderName = HeaderName::new_from_ascii_str("List-Unsubscribe");
const LIST_UNSUBSCRIBE_POST: HeaderName = HeaderName::new_from_ascii_str("List-Unsubscribe-Post");

/// Mails to the owners of accounts.
#[derive(Debug)]
pub(crate) struct Mails {
    pub(crate) env: Env,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    pub(crate) directory: Directory,
    pub(crate) relay: Relay,
    /// The links in mails begin with it.
    pub(crate) origin: Origin,
}

/// A mail that is ready to be sent.
#[derive(Debug)]
pub(crate) struct Letter {
    player: PlayerId,
    to: MailAddress,
    message: Message,
}

impl Channel for Mails {
    const CHANNEL: NoticeChannel = NoticeChannel::Mail;

    type Message = Letter;

    async fn room(&self, now_ms: i64) -> Result<usize, StoreError> {
        let since_ms = now_ms - HOUR_MS;
        let of_notices = NOTICES_AN_HOUR.saturating_sub(self.store.count_tried_notices(since_ms).await?);
        let of_all = MAILS_AN_HOUR.saturating_sub(self.store.count_tried_mails(since_ms).await?);
        Ok(of_notices.min(of_all) as usize)
    }

    async fn when(&self, due: &DueMessage, turns: &[WaitingTurn], now_ms: i64) -> Result<When, StoreError> {
        let (player, purpose) = (due.key.player, due.key.purpose);
        let account = self.store.account(player).await?.filter(|account| account.mail.is_some());
        let Some(account) = account else { return Ok(When::Not { next_ms: None }) };
        let notices = NoticeSettings { quiet: account.quiet(), ..account.notices };
        let last_ms = self.store.last_notice_mail(player, purpose, now_ms - MAILS_APART_MS).await?;
        Ok(match purpose {
            NoticePurpose::Turns => timing::of_turns(due, turns, &notices, last_ms, now_ms),
            NoticePurpose::Deadline => timing::of_deadlines(due, turns, &notices, last_ms, now_ms),
        })
    }

    async fn message(
        &self,
        due: &DueMessage,
        games: Vec<GameRow>,
        now_ms: i64,
    ) -> Result<Option<Prepared<Letter>>, StoreError> {
        let Some(account) = self.store.account(due.key.player).await? else { return Ok(None) };
        let Some(to) = account.mail.map(|mail| mail.address) else { return Ok(None) };
        let (link, secret) = self.unsubscription(now_ms);
        let url = format!("{}/unsubscribe?link={}", self.origin, secret.as_str());
        let games = self.named(games, now_ms).await?;
        let (subject, body) = self.text(due.key.purpose, &games, &url, account.notices.language);
        match self.relay.message(period_id(due), &to, subject, body) {
            Ok(message) => {
                let message = unsubscribable(message, &url);
                let mail = NoticeMail { id: self.env.id(), link };
                let message = Letter { player: due.key.player, to, message };
                Ok(Some(Prepared { message, mail: Some(mail) }))
            }
            Err(error) => {
                warn!(player = %due.key.player, error = &*error, "notices: no mail to this address: {error}");
                Ok(None)
            }
        }
    }

    async fn send(&self, Letter { player, to, message }: Letter) -> Result<(), Unsent> {
        match self.relay.send(message).await {
            Ok(()) => {
                info!("notices: mail sent");
                Ok(())
            }
            Err(error @ SendError::Refused { .. }) => {
                warn!(error = &error as &dyn Error, "notices: mail given up: {error}");
                let refused = MailChange::Refused { player, address: to };
                if let Err(error) = self.writer.change_mail(refused).await {
                    warn!(error = &error as &dyn Error, "notices: refusal of a mail not stored: {error}");
                }
                Err(Unsent::ForGood)
            }
            Err(error) => {
                warn!(error = &error as &dyn Error, "notices: mail to be sent later: {error}");
                Err(Unsent::ForNow { wait: Duration::ZERO })
            }
        }
    }
}

impl Mails {
    /// Returns a link that stops such mails, and the secret in it.
    fn unsubscription(&self, now_ms: i64) -> (Link, LinkSecret) {
        let (link, secret) = identity::new_link(&self.env, Purpose::Unsubscription);
        (Link { expires_ms: now_ms + UNSUBSCRIBES_FOR_MS, ..link }, secret)
    }

    /// Returns the games with the names of the players who are waiting.
    async fn named(&self, games: Vec<GameRow>, now_ms: i64) -> Result<Vec<WaitingGame>, StoreError> {
        let opponents = games.iter().filter_map(|game| Some(game.seats?[game.to_move.other()]));
        self.directory.load(opponents).await?;
        let named = |game: GameRow| {
            let opponent = self.directory.player_with_id(game.seats?[game.to_move.other()]);
            let left_ms = game.deadline_ms.map(|deadline_ms| deadline_ms - now_ms);
            Some(WaitingGame { id: game.id, ruleset: game.ruleset, opponent: opponent.name, left_ms })
        };
        Ok(games.into_iter().filter_map(named).collect())
    }

    fn text(
        &self,
        purpose: NoticePurpose,
        games: &[WaitingGame],
        unsubscribe: &str,
        language: Language,
    ) -> (String, String) {
        let subject = texts::subject(purpose, games.len(), language);
        (subject, texts::body(purpose, games, &self.origin, unsubscribe, language))
    }
}

/// Returns the id of a message, the same for each attempt to send it.
fn period_id(due: &DueMessage) -> Uuid {
    let DueMessage { key, changed_ms, .. } = due;
    let digest = Sha256::digest(format!("{} {:?} {changed_ms}", key.player, key.purpose));
    let bytes = digest.first_chunk().copied().expect("it has 32 bytes");
    Uuid::from_bytes(bytes)
}

/// Lets mail programs offer to stop such mails by one click.
fn unsubscribable(mut message: Message, url: &str) -> Message {
    let headers = message.headers_mut();
    headers.insert_raw(HeaderValue::new(LIST_UNSUBSCRIBE, format!("<{url}>")));
    headers.insert_raw(HeaderValue::new(LIST_UNSUBSCRIBE_POST, "List-Unsubscribe=One-Click".to_owned()));
    message
}
