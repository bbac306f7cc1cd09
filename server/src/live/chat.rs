//! The chats of a game: one of its players, and one of its spectators.

use std::{collections::HashMap, time::Duration};

use game::{
    Seats,
    ids::{ChatText, CommandId, GameId, LineId, PlayerId},
};
use protocol::{ChatLine, Nack, Names};
use store::{Audience, ChatRow};
use tokio::time::Instant;

use crate::{
    convert,
    net::{
        address::{Address, Network},
        limits::{RateLimit, TokenBucket},
    },
};

/// Number of lines of each audience that are kept in memory and sent to new readers: all that are stored.
pub(super) const LINES: u32 = store::CHAT_LINES;

/// Rate limit of the lines of one player.
const SPEECH: RateLimit = RateLimit::per_second(1, 4);

/// Rate limit of the lines of one address in one game, times the factor of addresses: enough for a lively talk of two
/// people. All guests of an address need 15 minutes to displace the stored lines.
const SPEECH_OF_ADDRESS: RateLimit = RateLimit::every(Duration::from_secs(6), 50);

/// Number of players and addresses with rate-limit state. Only full buckets are dropped, so that no crowd of speakers
/// resets a limit; while none is full, a further speaker waits.
const SPEAKERS: usize = 512;

/// A player or an address whose lines are limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Speaker {
    Player(PlayerId),
    Address(Network),
}

/// The lines of a game.
#[derive(Debug, Default)]
pub(super) struct Chat {
    players: Vec<ChatRow>,
    spectators: Vec<ChatRow>,
    buckets: HashMap<Speaker, TokenBucket>,
}

impl Chat {
    /// Returns the chats with their stored lines, oldest first.
    pub(super) fn new(players: Vec<ChatRow>, spectators: Vec<ChatRow>) -> Self {
        Self { players, spectators, buckets: HashMap::new() }
    }

    fn rows(&self, audience: Audience) -> &[ChatRow] {
        match audience {
            Audience::Players => &self.players,
            Audience::Spectators => &self.spectators,
        }
    }

    /// Returns the lines that an audience reads, oldest first, in a game that opened again at a time and has these seats.
    pub(super) fn lines(
        &self,
        audience: Audience,
        (reopened_ms, seats): (Option<i64>, Option<&Seats>),
        names: &impl Names,
    ) -> Vec<ChatLine> {
        let shown = self.rows(audience).iter().filter(|row| is_shown(row, reopened_ms));
        shown.map(|row| convert::line(row.line.clone(), seats, names)).collect()
    }

    /// Whether an audience has a line of this player.
    pub(super) fn has_line_of(&self, audience: Audience, player: PlayerId) -> bool {
        self.rows(audience).iter().any(|row| row.line.who == player)
    }

    /// The speakers of all lines, each as often as they spoke.
    pub(super) fn speakers(&self) -> impl Iterator<Item = PlayerId> {
        self.players.iter().chain(&self.spectators).map(|row| row.line.who)
    }

    /// Whether the player has said the line of this command already.
    pub(super) fn knows(&self, audience: Audience, who: PlayerId, command: &CommandId) -> bool {
        self.rows(audience).iter().any(|row| row.line.who == who && row.command == *command)
    }

    /// Whether an audience has all its stored lines. The count stops at [`LINES`], so with that many, some may be
    /// missing.
    pub(super) fn has_all(&self, audience: Audience, n_lines: u32) -> bool {
        n_lines < LINES && self.rows(audience).len() == n_lines as usize
    }

    /// Takes a token of the player for a line, and one of the address, whose limit `factor` multiplies.
    ///
    /// # Errors
    /// The player or the address is too fast.
    pub(super) fn take_token(
        &mut self,
        who: PlayerId,
        address: Option<Address>,
        factor: u32,
    ) -> Result<(), Nack> {
        let now = Instant::now();
        let Some(address) = address else { return self.take(Speaker::Player(who), SPEECH, now) };
        let address = Speaker::Address(address.subscriber());
        self.take(address, SPEECH_OF_ADDRESS.times(factor), now)?;
        self.take(Speaker::Player(who), SPEECH, now).inspect_err(|_| {
            if let Some(bucket) = self.buckets.get_mut(&address) {
                bucket.give_back();
            }
        })
    }

    fn take(&mut self, speaker: Speaker, limit: RateLimit, now: Instant) -> Result<(), Nack> {
        if self.buckets.len() >= SPEAKERS && !self.buckets.contains_key(&speaker) {
            self.buckets.retain(|_, bucket| !bucket.rests_in(now).is_zero());
            if self.buckets.len() >= SPEAKERS {
                let soonest = self.buckets.values().map(|bucket| bucket.rests_in(now)).min();
                return Err(too_fast(soonest.unwrap_or_default()));
            }
        }
        let bucket = self.buckets.entry(speaker).or_insert_with(|| TokenBucket::new(limit, now));
        bucket.take(now).map_err(too_fast)
    }

    /// Bytes of memory that the lines take.
    pub(super) fn n_bytes(&self) -> usize {
        let of =
            |row: &ChatRow| size_of::<ChatRow>() + row.line.text.as_str().len() + row.command.as_str().len();
        self.players.iter().chain(&self.spectators).map(of).sum()
    }

    /// Adds a stored line.
    pub(super) fn add(&mut self, row: ChatRow) {
        let rows = match row.audience {
            Audience::Players => &mut self.players,
            Audience::Spectators => &mut self.spectators,
        };
        if rows.len() == LINES as usize {
            rows.remove(0);
        }
        rows.push(row);
    }
}

/// Whether a line is shown to its audience. If the room opened again at `reopened_ms`, earlier lines of its players are
/// shown to nobody: one of them was for the player who left.
pub(super) fn is_shown(row: &ChatRow, reopened_ms: Option<i64>) -> bool {
    match row.audience {
        Audience::Players => reopened_ms.is_none_or(|since_ms| row.line.at_ms > since_ms),
        Audience::Spectators => true,
    }
}

fn too_fast(wait: Duration) -> Nack {
    Nack::TooFast { retry_ms: u32::try_from(wait.as_millis() + 1).unwrap_or(u32::MAX) }
}

/// Returns a line in its stored form.
pub(super) fn row(
    game: GameId,
    audience: Audience,
    (line, command): (LineId, CommandId),
    (who, text): (PlayerId, ChatText),
    (turn, at_ms): (u16, i64),
) -> ChatRow {
    let line = store::ChatLine { id: line, at_ms, turn, who, text };
    ChatRow { game, audience, command, line }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;
    use uuid::Uuid;

    use super::*;
    use crate::directory::deleted;

    fn speaker(number: usize) -> PlayerId {
        PlayerId::new(Uuid::from_u128(number as u128))
    }

    #[tokio::test(start_paused = true)]
    async fn no_crowd_of_speakers_lets_anybody_speak_faster() {
        let mut chat = Chat::default();
        for _ in 0..SPEECH.burst {
            assert_eq!(chat.take_token(speaker(0), None, 1), Ok(()));
        }
        for number in 1..SPEAKERS {
            assert_eq!(chat.take_token(speaker(number), None, 1), Ok(()));
        }
        for number in 0..10 {
            let refused = chat.take_token(speaker(SPEAKERS + number), None, 1);
            assert!(matches!(refused, Err(Nack::TooFast { retry_ms: 1..=1001 })), "{refused:?}");
            assert!(chat.take_token(speaker(0), None, 1).is_err(), "the speaker has used up the burst");
        }
        advance(Duration::from_secs(1)).await;
        assert_eq!(chat.take_token(speaker(SPEAKERS), None, 1), Ok(()), "the others have rested");
        assert_eq!(chat.take_token(speaker(0), None, 1), Ok(()));
        assert!(chat.take_token(speaker(0), None, 1).is_err(), "it is still remembered");
        assert!(chat.buckets.len() <= SPEAKERS);
    }

    #[test]
    fn who_joins_a_room_again_open_reads_no_line_of_the_player_who_left() {
        let (game, who) = (GameId::new(uuid::Uuid::nil()), speaker(1));
        let said = |audience, number: u128, at_ms| {
            let ids = (
                LineId::new(uuid::Uuid::from_u128(number)),
                CommandId::try_from(number.to_string()).unwrap(),
            );
            row(game, audience, ids, (who, ChatText::try_from("my number".to_owned()).unwrap()), (0, at_ms))
        };
        let mut chat = Chat::default();
        chat.add(said(Audience::Players, 1, 100));
        chat.add(said(Audience::Spectators, 2, 100));
        chat.add(said(Audience::Players, 3, 201));
        let shown = |audience, reopened_ms| -> Vec<i64> {
            chat.lines(audience, (reopened_ms, None), &deleted).iter().map(|line| line.at_ms).collect()
        };
        assert_eq!(shown(Audience::Players, None), [100, 201]);
        assert_eq!(shown(Audience::Players, Some(200)), [201]);
        assert_eq!(shown(Audience::Spectators, Some(200)), [100], "they are for everybody");
    }

    #[tokio::test(start_paused = true)]
    async fn many_guests_of_one_address_replace_a_chat_in_no_less_than_a_quarter_of_an_hour() {
        let mut chat = Chat::default();
        let mut said =
            |number, address| chat.take_token(speaker(number), Some(Address::of_tests(address)), 1);
        let (mut n_said, mut n_seconds) = (0, 0);
        while n_said < LINES as usize {
            n_said += (0..100).filter(|number| said(*number, 1).is_ok()).count();
            assert_eq!(said(100, 2), Ok(()), "another address");
            advance(Duration::from_secs(6)).await;
            n_seconds += 6;
        }
        assert!(n_seconds >= 15 * 60, "{n_seconds}");
    }
}
