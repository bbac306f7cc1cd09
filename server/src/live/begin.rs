//! New games: rooms, tables of two at one screen, and games that pools and rematches begin.

use std::time::Duration;

use engine::{AnyMatch, Budget, Ruleset, Seed};
use game::{
    ClockRule, Event, Player, Recorded, SeatChoice, Seats, Terms, Visibility,
    ids::{BotLevel, GameId, PlayerId},
};
use protocol::{NewRoom, NewTable};
use sha2::{Digest, Sha256};
use store::{Condition, GameRow, Refused, Seek, StoreError, WriteError};
use tokio::time::Instant;
use uuid::Builder;

use super::{append::CreateError, games::Games, telling};
use crate::{
    admission::{AdmissionPermit, Applicant, Denied, NoRoom},
    compute::Requester,
    net::{
        address::Address,
        limits::{MAX_OPEN_ROOMS, MAX_UNPLAYED},
    },
    under_way::waiting,
};

/// The reason why a room was not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RoomError {
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    #[error("the games of the room's maker cannot be counted")]
    Counts(#[source] StoreError),
    #[error(transparent)]
    Create(#[from] CreateError),
}

/// The reason why a game between two players did not begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BeginError {
    #[error("one of its players may not begin a game now")]
    Denied(Denied),
    #[error("the games of its players cannot be counted")]
    Counts(#[source] StoreError),
    #[error(transparent)]
    Create(#[from] CreateError),
}

/// The reason why a game that seeks want did not begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SoughtError {
    #[error("its taker has {MAX_UNPLAYED} games that wait for a first turn")]
    Unplayed,
    #[error(transparent)]
    Begin(#[from] BeginError),
}

/// The turn up to which the player to move has made none.
const BOTH_FIRST_TURNS: u16 = 2;

/// A player who begins a game, and the address of the request.
#[derive(Clone, Debug)]
pub(crate) struct Beginner {
    pub(crate) player: Player,
    pub(crate) address: Address,
}

/// A game that seeks want.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought {
    pub(crate) seek: Seek,
    /// A second seek that wants the game; `None` if its player accepts the first one.
    pub(crate) other: Option<Seek>,
    pub(crate) seats: Seats,
}

/// The id of the game between two seeks. It is the same whichever of them finds the other, so that two that find each other at
/// once begin one game.
fn id_between(seeks: [&Seek; 2]) -> GameId {
    let [first, last] = if seeks[0].id < seeks[1].id { seeks } else { [seeks[1], seeks[0]] };
    let digest = Sha256::new().chain_update(first.id.uuid()).chain_update(last.id.uuid()).finalize();
    let random = digest.first_chunk().expect("it has 32 bytes");
    let at_ms = u64::try_from(first.created_ms.max(last.created_ms)).unwrap_or_default();
    GameId::new(Builder::from_unix_timestamp_millis(at_ms, random).into_uuid())
}

impl Beginner {
    fn applicant(&self) -> Applicant {
        Applicant { player: self.player.id, address: Some(self.address) }
    }
}

impl Games {
    /// Makes a room. `seed` fixes its cards if the ruleset has cards.
    ///
    /// # Errors
    /// Its maker may not make one now; the start position is refused; or the store cannot tell whether the room was
    /// stored, and it may appear in the lists.
    pub(crate) async fn create(
        &self,
        room: NewRoom,
        maker: Beginner,
        seed: Seed,
    ) -> Result<GameRow, RoomError> {
        let NewRoom { ruleset, seat, visibility, challenged, answers, start, terms } = room;
        let (seat, terms) = (seat.into(), Terms::from(terms));
        let visibility = if challenged.is_some() { Visibility::Link } else { visibility.into() };
        self.must_be_there(&maker, challenged).await?;
        let start = self.checked_start(&maker, ruleset, start).await?;
        // An admission blocks further games of its players until the game is stored, so nothing slow may come in
        // between.
        let permit = self.0.dependencies.admission.admit(&[maker.applicant()], terms.clock).await;
        let permit = permit.map_err(RoomError::Counts)?;
        let permit = permit.map_err(|Denied { why, .. }| NoRoom::Denied(why))?;
        if let Some(challenged) = challenged {
            self.0.dependencies.admission.challenge(maker.address, challenged, Instant::now())?;
        }
        let (creator, seed) = (maker.player.id, ruleset.has_cards().then_some(seed));
        let event = Event::Created { ruleset, visibility, creator, challenged, seat, terms, start, seed };
        let made = Recorded { at_ms: self.0.now_ms(), event };
        let id = GameId::new(self.0.dependencies.env.id());
        let append = self.0.first_append(id, vec![made]).await?;
        let append = match answers {
            Some(_) => telling::countered(append),
            None => append,
        };
        let append = append.provided(match challenged {
            Some(_) => Condition::MayChallenge,
            None => Condition::OpenRoomsBelow(MAX_OPEN_ROOMS),
        });
        let stored = self.0.store_first(append).await;
        if let (Err(WriteError::Refused(_) | WriteError::Full), Some(challenged)) = (&stored, challenged) {
            self.0.dependencies.admission.unchallenge(maker.address, challenged, Instant::now());
        }
        let row = stored.map_err(|refused| match refused {
            WriteError::Refused(Refused::TooManyRooms) => NoRoom::TooManyRooms.into(),
            WriteError::Refused(Refused::TooManyChallenges) => NoRoom::TooManyChallenges.into(),
            WriteError::Refused(Refused::Blocked) => NoRoom::Blocked.into(),
            WriteError::Refused(Refused::NoTarget) => NoRoom::NoOpponent.into(),
            refused => RoomError::Create(CreateError::Store(refused)),
        })?;
        permit.charge_stored();
        Ok(row)
    }

    /// Verifies that a player whom a room challenges is another person than its maker, and has not gone.
    async fn must_be_there(&self, maker: &Beginner, challenged: Option<PlayerId>) -> Result<(), RoomError> {
        let Some(challenged) = challenged else { return Ok(()) };
        if challenged == maker.player.id {
            return Err(NoRoom::OwnChallenge.into());
        }
        let named = self.0.dependencies.store.named(&[challenged]).await.map_err(RoomError::Counts)?;
        let is_there = !named.is_empty() && BotLevel::of(challenged).is_none();
        if is_there { Ok(()) } else { Err(NoRoom::NoOpponent.into()) }
    }

    /// Begins a game of two people at one screen: one player has both seats, no time is measured, and the game is by
    /// link. `seed` fixes its cards if the ruleset has cards.
    ///
    /// # Errors
    /// The player may not begin one now; the start position is refused; or the store cannot tell whether the game was
    /// stored, and it may appear in the lists.
    pub(crate) async fn create_table(
        &self,
        table: NewTable,
        maker: Beginner,
        seed: Seed,
    ) -> Result<GameRow, RoomError> {
        let NewTable { ruleset, start } = table;
        let start = self.checked_start(&maker, ruleset, start).await?;
        let terms = Terms::default();
        let permit = self.0.dependencies.admission.admit(&[maker.applicant()], terms.clock).await;
        let permit = permit.map_err(RoomError::Counts)?;
        let permit = permit.map_err(|Denied { why, .. }| NoRoom::Denied(why))?;
        let (player, at_ms) = (maker.player.id, self.0.now_ms());
        let made = Event::Created {
            ruleset,
            visibility: Visibility::Link,
            creator: player,
            challenged: None,
            seat: SeatChoice::First,
            terms,
            start,
            seed: ruleset.has_cards().then_some(seed),
        };
        let seats = Seats { first: player, second: player };
        let events = [made, Event::Started { seats, joined: false }].map(|event| Recorded { at_ms, event });
        let row = self.0.store_new(GameId::new(self.0.dependencies.env.id()), events.into()).await?;
        permit.charge_stored();
        Ok(row)
    }

    /// Checks a start position, and returns it unless it is the ruleset's own. A game with cards waits for its first
    /// card, so no text can be its start.
    async fn checked_start(
        &self,
        maker: &Beginner,
        ruleset: Ruleset,
        start: Option<String>,
    ) -> Result<Option<String>, CreateError> {
        let is_own = |text: &String| !ruleset.has_cards() && text == AnyMatch::new(ruleset).start_text();
        let Some(text) = start.filter(|text| !is_own(text)) else { return Ok(None) };
        let requester = Requester::player(maker.address, maker.player.id);
        let check = move || check_start(ruleset, &text).map(|()| text);
        Ok(Some(self.0.dependencies.compute.run(requester, check).await??))
    }

    /// Begins a public game between two players, with a new id. `seed` fixes its cards if the ruleset has cards.
    ///
    /// # Errors
    /// One of the players may not begin one now; or the store cannot tell whether the game was stored, and it may
    /// appear in the lists.
    pub(crate) async fn begin(
        &self,
        id: GameId,
        ruleset: Ruleset,
        terms: Terms,
        [first, second]: [Beginner; 2],
        seed: Seed,
    ) -> Result<GameRow, BeginError> {
        let applicants = [first.applicant(), second.applicant()];
        let seats = Seats { first: first.player.id, second: second.player.id };
        let permit = self.permit(&applicants, terms.clock).await?;
        self.begin_between(id, ruleset, terms, (seats, permit), seed, None).await
    }

    /// Begins a public game that seeks want, the first of its applicants being the taker. `seed` fixes its cards if the ruleset has
    /// cards.
    ///
    /// # Errors
    /// One of the players may not begin one now, or has blocked the other; the taker is to begin playing others first; a seek wants
    /// no more games, or both have begun theirs with each other; or the store cannot tell
    /// whether the game was stored, and it may appear in the lists.
    pub(crate) async fn begin_sought(
        &self,
        Sought { seek, other, seats }: Sought,
        applicants: [Applicant; 2],
        seed: Seed,
    ) -> Result<GameRow, SoughtError> {
        let id = match &other {
            Some(other) => id_between([&seek, other]),
            None => GameId::new(self.env().id()),
        };
        let terms = Terms { clock: seek.clock, ..Terms::default() };
        let permit = self.permit(&applicants, terms.clock).await?;
        // Until the game is stored, no other one of the taker's begins on this node.
        let is_unplayed = |game: &&GameRow| game.turn <= BOTH_FIRST_TURNS;
        let may_take = match waiting(&*self.0.dependencies.store, applicants[0].player).await {
            Ok(games) if games.iter().filter(is_unplayed).count() < MAX_UNPLAYED => Ok(()),
            Ok(_) => Err(SoughtError::Unplayed),
            Err(error) => Err(BeginError::Counts(error).into()),
        };
        if let Err(error) = may_take {
            permit.give_back();
            return Err(error);
        }
        let condition = Condition::Sought { seek: seek.id, other: other.map(|other| other.id) };
        // The player of the other one posts or accepts, and is present.
        let seeker = other.map_or(seek.player, |other| other.player);
        let sought = Some((condition, seeker));
        Ok(self.begin_between(id, seek.ruleset, terms, (seats, permit), seed, sought).await?)
    }

    async fn permit(
        &self,
        applicants: &[Applicant],
        clock: ClockRule,
    ) -> Result<AdmissionPermit, BeginError> {
        let permit = self.0.dependencies.admission.admit(applicants, clock).await;
        permit.map_err(BeginError::Counts)?.map_err(BeginError::Denied)
    }

    async fn begin_between(
        &self,
        id: GameId,
        ruleset: Ruleset,
        terms: Terms,
        (seats, permit): (Seats, AdmissionPermit),
        seed: Seed,
        sought: Option<(Condition, PlayerId)>,
    ) -> Result<GameRow, BeginError> {
        let at_ms = self.0.now_ms();
        let made = Event::Created {
            ruleset,
            visibility: Visibility::Public,
            creator: seats.first,
            challenged: None,
            seat: SeatChoice::First,
            terms,
            start: None,
            seed: ruleset.has_cards().then_some(seed),
        };
        let events = [made, Event::Started { seats, joined: false }].map(|event| Recorded { at_ms, event });
        let append = self.0.first_append(id, events.into()).await?;
        let append = match sought {
            Some((condition, seeker)) => telling::sought(append, seeker).provided(condition),
            None => append,
        };
        let row = self.0.store_first(append).await.map_err(CreateError::Store)?;
        permit.charge_stored();
        Ok(row)
    }

    /// Returns the time until an applicant may begin a game, by the rate limits alone; zero if it may now.
    pub(crate) fn admission_wait(&self, applicant: Applicant, now: Instant) -> Duration {
        self.0.dependencies.admission.wait(applicant, now)
    }
}

/// Checks that a room may be made with this start.
fn check_start(ruleset: Ruleset, text: &str) -> Result<(), CreateError> {
    let game = AnyMatch::from_text(ruleset, text).map_err(CreateError::Start)?;
    game.appraise(&mut Budget::for_start()).map_err(CreateError::Costly)
}
