//! The task that sends mails. It runs on the node that sweeps, so that limits on all mails hold for all nodes.

use std::{error::Error, sync::Arc, time::Duration};

use futures_util::future::join_all;
use game::{MailAddress, Player, ids::PlayerId};
use lettre::Message;
use store::{
    Account, DueMail, Errand, Link, MAILS_A_DAY, MAILS_KEPT_MS, Mail, MailChange, Purpose, Refused, Store,
    StoreError, WriteError, Writer,
};
use tracing::{info, warn};
use uuid::Uuid;

use super::{
    relay::{Relay, SendError},
    texts::{Content, text},
};
use crate::{cluster::lease::Lease, env::Env, identity, net::origin::Origin};

/// Interval at which mails are looked for.
const EVERY: Duration = Duration::from_secs(1);

/// Maximum number of mails that are sent at once.
const AT_ONCE: u32 = 8;

/// Maximum number of mails in an hour.
pub(crate) const MAILS_AN_HOUR: u32 = 200;

const HOUR_MS: i64 = 60 * 60 * 1000;

/// Waits after the attempts to send a mail, in milliseconds. After the last one it is given up.
const AGAIN_AFTER_MS: [i64; 6] = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000];

/// The task and its dependencies.
#[derive(Debug)]
pub(crate) struct Sender {
    pub(crate) env: Env,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) writer: Writer,
    /// Only the node that holds it sends.
    pub(crate) lease: Lease,
    pub(crate) relay: Relay,
    /// The links in mails begin with it.
    pub(crate) origin: Origin,
}

/// A mail that is ready to be sent.
#[derive(Debug)]
struct Letter {
    id: Uuid,
    player: PlayerId,
    to: MailAddress,
    message: Message,
}

/// The owner of an account to whom a mail goes, and what it is about.
struct Recipient {
    player: Player,
    to: MailAddress,
    purpose: Option<Purpose>,
}

impl Sender {
    /// Runs for ever: sends what is due.
    pub(crate) async fn run(self) {
        loop {
            if self.lease.is_held()
                && let Err(error) = self.run_pass().await
            {
                warn!(error = &*error, "mail: {error}");
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    async fn run_pass(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        let now_ms = self.env.now_ms();
        let due = self.store.due_mails(now_ms, AT_ONCE).await?;
        if due.is_empty() {
            return Ok(());
        }
        let tried = self.store.count_tried_mails(now_ms - HOUR_MS).await?;
        let left = MAILS_AN_HOUR.saturating_sub(tried) as usize;
        let mut letters = Vec::new();
        let mut prepared = Ok(());
        for mail in due {
            match self.prepare(mail, letters.len() < left).await {
                Ok(letter) => letters.extend(letter),
                // Those that are noted as tried are sent all the same, and what cannot be read lets others pass.
                Err(error) => prepared = Err(error),
            }
        }
        for sent in join_all(letters.into_iter().map(|letter| self.send(letter))).await {
            sent?;
        }
        prepared
    }

    /// Prepares a mail to be sent, and notes the attempt. Nothing is sent, and nothing is told, to an address that is not
    /// the account's. A mail that is to be sent, but may not be now, stays due.
    async fn prepare(
        &self,
        DueMail { mail, attempts }: DueMail,
        may_send: bool,
    ) -> Result<Option<Letter>, Box<dyn Error + Send + Sync>> {
        let again_after_ms = AGAIN_AFTER_MS.get(attempts as usize);
        let recipient = self.recipient(&mail, attempts).await?;
        let (Some(Recipient { player, to, purpose }), Some(again_after_ms)) = (recipient, again_after_ms)
        else {
            if attempts > 0 {
                warn!(mail = %mail.id, attempts, "mail: given up");
            }
            self.writer.change_mail(MailChange::Done { mail: mail.id }).await?;
            return Ok(None);
        };
        if !may_send {
            return Ok(None);
        }
        let now_ms = self.env.now_ms();
        let made = purpose.map(|purpose| identity::new_link(&self.env, purpose));
        let (link, again_ms) = (made.as_ref().map(|(link, _)| link.clone()), now_ms + again_after_ms);
        let tried = MailChange::Tried { mail: mail.id, player: player.id, link, now_ms, again_ms };
        let name = &player.name;
        let content = match &made {
            Some((Link { purpose: Purpose::Mail(_), .. }, link)) => Content::Confirm { link },
            Some((Link { purpose: Purpose::Recovery { .. }, .. }, link)) => Content::Recover { name, link },
            None if matches!(mail.errand, Errand::PasskeyAdded(_)) => Content::PasskeyAdded { name },
            Some((Link { purpose: Purpose::Unsubscription, .. }, _)) | None => Content::Changed { name },
        };
        let (subject, body) = text(&content, &self.origin, &mail.language);
        // The id is that of the mail, so receivers may take a repetition for one.
        let Ok(message) = self.relay.message(mail.id, &to, subject, body) else {
            warn!(mail = %mail.id, "mail: given up: its address is none that mails can be sent to");
            self.writer.change_mail(MailChange::Done { mail: mail.id }).await?;
            return Ok(None);
        };
        match self.writer.change_mail(tried).await {
            Ok(()) => Ok(Some(Letter { id: mail.id, player: player.id, to, message })),
            // It is void meanwhile, as after a new password, or another node has tried it.
            Err(WriteError::Refused(Refused::NoLink)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the owner of the account that a mail is for; `None` if it is not to be sent.
    async fn recipient(&self, mail: &Mail, attempts: u32) -> Result<Option<Recipient>, StoreError> {
        let player = match &mail.errand {
            Errand::Confirm(player) | Errand::Changed(player) | Errand::PasskeyAdded(player) => *player,
            Errand::Recover { key } => {
                let found = self.store.credentials(key, None, self.env.now_ms()).await?;
                let Some(found) = found else { return Ok(None) };
                found.player.id
            }
        };
        let Some(Account { player, mail: own, .. }) = self.store.account(player).await? else {
            return Ok(None);
        };
        let to = mail.to.clone();
        Ok(match &mail.errand {
            Errand::Confirm(_) => Some(Recipient { player, purpose: Some(Purpose::Mail(to.clone())), to }),
            Errand::Changed(_) | Errand::PasskeyAdded(_) => Some(Recipient { player, purpose: None, to }),
            Errand::Recover { .. } => {
                // A request that was tried has been counted.
                let may_send = attempts > 0 || self.may_send(player.id).await?;
                let own = own.filter(|own| may_send && own.recovers && own.address.is_same_as(&to));
                own.map(|own| Recipient {
                    player,
                    to: own.address,
                    purpose: Some(Purpose::Recovery { by_mail: true }),
                })
            }
        })
    }

    /// Whether the owner of an account may be sent one more link today.
    async fn may_send(&self, player: PlayerId) -> Result<bool, StoreError> {
        let since_ms = self.env.now_ms() - MAILS_KEPT_MS;
        Ok(self.store.count_recovery_mails_of(player, since_ms).await? < MAILS_A_DAY)
    }

    /// Sends a mail. One that the SMTP server did not take now stays due.
    async fn send(&self, Letter { id, player, to, message }: Letter) -> Result<(), WriteError> {
        match self.relay.send(message).await {
            Ok(()) => info!(mail = %id, "mail: sent"),
            Err(error @ SendError::Refused { .. }) => {
                warn!(mail = %id, error = &error as &dyn Error, "mail: given up: {error}");
                self.writer.change_mail(MailChange::Refused { player, address: to }).await?;
            }
            Err(error) => {
                warn!(mail = %id, error = &error as &dyn Error, "mail: to be sent later: {error}");
                return Ok(());
            }
        }
        self.writer.change_mail(MailChange::Done { mail: id }).await
    }
}

#[cfg(test)]
mod tests {
    use game::ids::PlayerName;
    use store::{AccountChange, FirstCredential, Memory, Players, SignIn, TokenHash};
    use tokio::{runtime::Handle, time::advance};
    use tokio_util::task::TaskTracker;

    use super::*;

    /// A task whose SMTP server is nowhere, and the account of Ada.
    async fn sender(store: Arc<Memory>) -> (Sender, Player) {
        let (writer, writing) = store::writer(store.clone(), Handle::current());
        TaskTracker::new().spawn(writing);
        let env = Env::of_test(1);
        let name = PlayerName::try_from("Ada".to_owned()).unwrap();
        let (ada, token) = (Player { id: PlayerId::new(env.id()), name }, TokenHash::of(b"token"));
        writer.create_player(ada.clone(), token, 1).await.unwrap();
        let by = SignIn { token, label: None, device: token, device_until_ms: 2, now_ms: 1, reopens: false };
        let registered = AccountChange::Registered {
            player: ada.clone(),
            session: token.session(),
            credential: FirstCredential::Password(String::new()),
            recovery: token,
            by,
        };
        writer.change_account(registered).await.unwrap();
        let relay = Relay::new("smtp://127.0.0.1:9", None, "towers@towers.example".parse().unwrap()).unwrap();
        let origin = "https://towers.example".parse().unwrap();
        let lease = Lease::new(env.clone());
        (Sender { env, store, writer, lease, relay, origin }, ada)
    }

    #[tokio::test(start_paused = true)]
    async fn a_bounded_number_of_mails_is_sent_in_an_hour_and_the_others_wait() {
        let store = Arc::new(Memory::default());
        let (sender, ada) = sender(store.clone()).await;
        for _ in 0..MAILS_AN_HOUR + 10 {
            let to = MailAddress::try_from("ada@mail.example".to_owned()).unwrap();
            let mail =
                Mail { id: sender.env.id(), errand: Errand::Confirm(ada.id), to, language: "en".to_owned() };
            let asked = MailChange::Asked { mail, now_ms: sender.env.now_ms() };
            sender.writer.change_mail(asked).await.unwrap();
        }
        for (n_sent, n_passes) in [(MAILS_AN_HOUR, 40), (MAILS_AN_HOUR + 10, 60)] {
            for _ in 0..n_passes {
                sender.run_pass().await.unwrap();
            }
            assert_eq!(store.count_tried_mails(i64::MIN).await.unwrap(), n_sent);
            advance(Duration::from_secs(2 * 60 * 60)).await;
        }
    }
}
