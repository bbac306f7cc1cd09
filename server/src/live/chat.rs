//! The chats of a game: one of its players, and one of its spectators.

use std::{collections::HashMap, time::Duration};

use game::{
    Player,
    ids::{ChatText, CommandId, GameId, LineId, PlayerId},
};
use protocol::{ChatLine, Nack};
use store::{Audience, ChatRow};
use tokio::time::Instant;

use crate::{
    edge,
    net::limits::{RateLimit, TokenBucket},
};

/// Number of lines of each audience that are kept in memory and sent to new readers.
pub(super) const LINES: u32 = 200;

/// Rate limit of the lines of one player.
const SPEECH: RateLimit = RateLimit::per_second(1, 4);

/// Number of speakers with rate-limit state. Only full buckets are dropped, so that no crowd of speakers resets a
/// limit; while none is full, a further speaker waits.
const SPEAKERS: usize = 256;

/// The lines of a game.
#[derive(Debug, Default)]
pub(super) struct Chat {
    players: Vec<ChatRow>,
    spectators: Vec<ChatRow>,
    buckets: HashMap<PlayerId, TokenBucket>,
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

    /// Returns the lines that an audience reads, oldest first.
    pub(super) fn lines(&self, audience: Audience) -> Vec<ChatLine> {
        self.rows(audience).iter().map(|row| edge::line(row.line.clone())).collect()
    }

    /// Whether the player has said the line of this command already.
    pub(super) fn knows(&self, audience: Audience, who: PlayerId, command: &CommandId) -> bool {
        self.rows(audience).iter().any(|row| row.line.who.id == who && row.command == *command)
    }

    /// Whether an audience has all its stored lines. The count stops at [`LINES`], so with that many, some may be
    /// missing.
    pub(super) fn has_all(&self, audience: Audience, n_lines: u32) -> bool {
        n_lines < LINES && self.rows(audience).len() == n_lines as usize
    }

    /// Takes a token of the speaker for a line.
    ///
    /// # Errors
    /// The speaker is too fast.
    pub(super) fn take_token(&mut self, who: PlayerId) -> Result<(), Nack> {
        let now = Instant::now();
        if self.buckets.len() >= SPEAKERS && !self.buckets.contains_key(&who) {
            self.buckets.retain(|_, bucket| !bucket.rests_in(now).is_zero());
            if self.buckets.len() >= SPEAKERS {
                let soonest = self.buckets.values().map(|bucket| bucket.rests_in(now)).min();
                return Err(too_fast(soonest.unwrap_or_default()));
            }
        }
        let bucket = self.buckets.entry(who).or_insert_with(|| TokenBucket::new(SPEECH, now));
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

fn too_fast(wait: Duration) -> Nack {
    Nack::TooFast { retry_ms: u32::try_from(wait.as_millis() + 1).unwrap_or(u32::MAX) }
}

/// Returns a line in its stored form.
pub(super) fn row(
    game: GameId,
    audience: Audience,
    (line, command): (LineId, CommandId),
    (who, text): (Player, ChatText),
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

    fn speaker(number: usize) -> PlayerId {
        PlayerId::new(Uuid::from_u128(number as u128))
    }

    #[tokio::test(start_paused = true)]
    async fn no_crowd_of_speakers_lets_anybody_speak_faster() {
        let mut chat = Chat::default();
        for _ in 0..SPEECH.burst {
            assert_eq!(chat.take_token(speaker(0)), Ok(()));
        }
        for number in 1..SPEAKERS {
            assert_eq!(chat.take_token(speaker(number)), Ok(()));
        }
        for number in 0..10 {
            let refused = chat.take_token(speaker(SPEAKERS + number));
            assert!(matches!(refused, Err(Nack::TooFast { retry_ms: 1..=1001 })), "{refused:?}");
            assert!(chat.take_token(speaker(0)).is_err(), "the speaker has used up the burst");
        }
        advance(Duration::from_secs(1)).await;
        assert_eq!(chat.take_token(speaker(SPEAKERS)), Ok(()), "the others have rested");
        assert_eq!(chat.take_token(speaker(0)), Ok(()));
        assert!(chat.take_token(speaker(0)).is_err(), "it is still remembered");
        assert!(chat.buckets.len() <= SPEAKERS);
    }
}
