//! A game's mailbox. Each of its players has permits of their own in it, all strangers share some, and the server has
//! some: no sender crowds out another.

use std::sync::Arc;

use game::ids::PlayerId;
use parking_lot::RwLock;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, TryAcquireError, mpsc};

use super::message::Message;

/// Number of waiting messages of one player. A person never has as many; a script is answered `busy`.
const PERMITS_OF_PLAYER: usize = 64;

/// Number of waiting messages of all strangers together. A game that is loaded without a known row counts everybody as
/// a stranger until its log is folded.
const PERMITS_OF_STRANGERS: usize = 112;

/// Number of waiting messages of the server itself. Further ones are dropped, and repeated later.
const PERMITS_OF_SERVER: usize = 16;

const PERMITS: usize = 2 * PERMITS_OF_PLAYER + PERMITS_OF_STRANGERS + PERMITS_OF_SERVER;

/// The sending end of a game's mailbox. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Mailbox {
    mails: mpsc::Sender<Mail>,
    permits: MailboxPermits,
}

/// The permits of a mailbox, and the players with permits of their own.
#[derive(Clone, Debug)]
pub(super) struct MailboxPermits(Arc<Permits>);

#[derive(Debug)]
struct Permits {
    /// The game's players, while it has two.
    seats: RwLock<Option<[PlayerId; 2]>>,
    of_players: [Arc<Semaphore>; 2],
    of_strangers: Arc<Semaphore>,
    of_server: Arc<Semaphore>,
}

/// A message with its permit, which is held until the message is opened.
#[derive(Debug)]
pub(super) struct Mail {
    message: Message,
    _permit: OwnedSemaphorePermit,
}

/// The sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    Client(Option<PlayerId>),
    Server,
}

/// The reason why a message was not delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undelivered {
    /// All permits of the sender are taken.
    Full,
    /// The game's task has ended.
    Closed,
}

impl Mailbox {
    /// Opens a mailbox and returns both ends. `seats` are the game's players, if they are known.
    pub(super) fn open(seats: Option<[PlayerId; 2]>) -> (Self, mpsc::Receiver<Mail>) {
        let (mails, received) = mpsc::channel(PERMITS);
        let permits = Permits {
            seats: RwLock::new(seats),
            of_players: [(); 2].map(|()| Arc::new(Semaphore::new(PERMITS_OF_PLAYER))),
            of_strangers: Arc::new(Semaphore::new(PERMITS_OF_STRANGERS)),
            of_server: Arc::new(Semaphore::new(PERMITS_OF_SERVER)),
        };
        (Self { mails, permits: MailboxPermits(Arc::new(permits)) }, received)
    }

    /// The permits of the mailbox.
    pub(super) const fn permits(&self) -> &MailboxPermits {
        &self.permits
    }

    /// Delivers a message, if a permit is available.
    ///
    /// # Errors
    /// Returns the reason why it was not delivered.
    pub(super) fn try_send(&self, sender: Sender, message: Message) -> Result<(), Undelivered> {
        let permit =
            self.permits.of(sender).clone().try_acquire_owned().map_err(|refused| match refused {
                TryAcquireError::NoPermits => Undelivered::Full,
                TryAcquireError::Closed => Undelivered::Closed,
            })?;
        self.deliver(Mail { message, _permit: permit })
    }

    /// Waits for a permit and delivers a message.
    ///
    /// # Errors
    /// Returns the reason why it was not delivered.
    pub(super) async fn send(&self, sender: Sender, message: Message) -> Result<(), Undelivered> {
        let permit = self.permits.of(sender).clone().acquire_owned().await;
        let permit = permit.map_err(|_: AcquireError| Undelivered::Closed)?;
        self.deliver(Mail { message, _permit: permit })
    }

    /// Queues a mail. The channel has a slot for each permit.
    fn deliver(&self, mail: Mail) -> Result<(), Undelivered> {
        self.mails.try_send(mail).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => Undelivered::Full,
            mpsc::error::TrySendError::Closed(_) => Undelivered::Closed,
        })
    }
}

impl MailboxPermits {
    /// Sets the game's players; `None` while it has one, as a room.
    pub(super) fn set_seats(&self, seats: Option<[PlayerId; 2]>) {
        *self.0.seats.write() = seats;
    }

    /// Whether the game has two players, and this is neither.
    pub(super) fn is_stranger(&self, who: PlayerId) -> bool {
        self.seats().is_some_and(|seats| !seats.contains(&who))
    }

    /// Whether this is one of the game's two players.
    pub(super) fn is_player(&self, who: PlayerId) -> bool {
        self.seats().is_some_and(|seats| seats.contains(&who))
    }

    fn seats(&self) -> Option<[PlayerId; 2]> {
        *self.0.seats.read()
    }

    /// Whether these are the permits of the same mailbox.
    pub(super) fn are(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn of(&self, sender: Sender) -> &Arc<Semaphore> {
        let Permits { seats: _, of_players: [first, second], of_strangers, of_server } = &*self.0;
        match (sender, self.seats()) {
            (Sender::Server, _) => of_server,
            (Sender::Client(Some(who)), Some([in_first, _])) if who == in_first => first,
            (Sender::Client(Some(who)), Some([_, in_second])) if who == in_second => second,
            (Sender::Client(_), _) => of_strangers,
        }
    }
}

impl Mail {
    /// Returns the message and releases its permit.
    pub(super) fn open(self) -> Message {
        self.message
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const PLAYERS: [Option<PlayerId>; 3] =
        [Some(PlayerId::new(Uuid::from_u128(1))), Some(PlayerId::new(Uuid::from_u128(2))), None];

    #[tokio::test]
    async fn no_sender_keeps_the_messages_of_another_out() {
        let (mailbox, mut mails) = Mailbox::open(None);
        mailbox.permits().set_seats(Some([PLAYERS[0].unwrap(), PLAYERS[1].unwrap()]));
        let stranger = Some(PlayerId::new(Uuid::from_u128(3)));
        for (who, n_places) in [
            (Sender::Client(stranger), PERMITS_OF_STRANGERS),
            (Sender::Client(PLAYERS[0]), PERMITS_OF_PLAYER),
            (Sender::Client(PLAYERS[1]), PERMITS_OF_PLAYER),
            (Sender::Server, PERMITS_OF_SERVER),
        ] {
            for number in 0..n_places {
                assert_eq!(mailbox.try_send(who, Message::Wake), Ok(()), "{who:?} {number}");
            }
            assert_eq!(mailbox.try_send(who, Message::Wake), Err(Undelivered::Full), "{who:?}");
        }
        assert_eq!(mailbox.try_send(Sender::Client(None), Message::Wake), Err(Undelivered::Full));
        let waiting = mailbox.send(Sender::Client(None), Message::Wake);
        tokio::pin!(waiting);
        assert!(futures_util::poll!(&mut waiting).is_pending());
        assert!(matches!(mails.recv().await.unwrap().open(), Message::Wake));
        assert_eq!(waiting.await, Ok(()), "the first that was opened was a stranger's");
        drop(mails);
        assert_eq!(mailbox.send(Sender::Client(stranger), Message::Wake).await, Err(Undelivered::Closed));
        assert_eq!(mailbox.try_send(Sender::Server, Message::Wake), Err(Undelivered::Closed));
    }
}
