//! The notices in an inbox. Each is stored with a kind, a subject and a body. No two notices to a player have the same kind
//! and subject, so nobody is told the same thing twice. A body holds ids and words alone, no text of a player.

use engine::Ruleset;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Reason, StoredWord,
    ids::{GameId, PlayerId, ReportId},
    words::Word,
};

/// Something that a player is told in the inbox. Times are milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InboxEvent {
    /// A slow game of the player is over.
    GameOver { game: SlowGame, end: GameEnd },
    /// The other player challenges this one.
    Challenged(SlowGame),
    /// The other player has accepted a challenge of this one.
    ChallengeAccepted(SlowGame),
    /// The other player has declined a challenge of this one.
    ChallengeDeclined(SlowGame),
    /// The other player has answered a challenge of this one with this one, by other terms.
    ChallengeCountered(SlowGame),
    /// The other player wanted the game that this one sought, and it has begun.
    SeekAccepted(SlowGame),
    /// A day of vacation was used, since the player's time in a game ran out.
    VacationUsed { from_ms: i64, to_ms: i64 },
    /// Something changed by which the player's account is proved or recovered.
    Security { what: SecurityEvent, at_ms: i64 },
    /// Moderators have answered a report of the player about another one in this game.
    ReportAnswered { report: ReportId, game: GameId },
}

/// A slow game, or the room of one, in a player's inbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowGame {
    pub id: GameId,
    pub ruleset: Ruleset,
    /// The other player.
    pub other: PlayerId,
}

/// Kind of a notice.
#[derive(Clone, Copy, Debug)]
pub(super) enum InboxKind {
    GameOver,
    Challenged,
    ChallengeAccepted,
    ChallengeDeclined,
    ChallengeCountered,
    SeekAccepted,
    VacationUsed,
    Security,
    ReportAnswered,
}

/// Change of what proves or recovers an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecurityEvent {
    PasskeyAdded,
    PasskeyRemoved,
    PasswordSet,
    /// The account has another mail address.
    MailSet,
    MailRemoved,
    /// The recovery code gave the account a new password.
    RecoveredByCode,
    /// A link gave the account a new password.
    RecoveredByLink,
}

/// End of a game, as one of its players sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    Won(Reason),
    Lost(Reason),
    Drawn(Reason),
    /// It ended without a result before both sides had made a turn.
    Aborted,
}

/// A notice as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredNotice {
    pub kind: &'static str,
    pub subject: String,
    /// JSON.
    pub body: String,
}

/// Reason why a stored notice cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("a notice of kind {kind:?} about {subject:?} cannot be read")]
pub struct UnreadableNotice {
    kind: String,
    subject: String,
}

#[derive(Serialize, Deserialize)]
struct GameBody {
    ruleset: Word<Ruleset>,
    other: PlayerId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<StoredResult>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<Word<Reason>>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredResult {
    Won,
    Lost,
    Drawn,
    Aborted,
}

#[derive(Serialize, Deserialize)]
struct VacationBody {
    to_ms: i64,
}

#[derive(Serialize, Deserialize)]
struct SecurityBody {
    what: Word<SecurityEvent>,
}

#[derive(Serialize, Deserialize)]
struct ReportBody {
    game: GameId,
}

impl InboxEvent {
    /// The game that the notice is about.
    pub const fn game(&self) -> Option<GameId> {
        match self {
            Self::GameOver { game, .. }
            | Self::Challenged(game)
            | Self::ChallengeAccepted(game)
            | Self::ChallengeDeclined(game)
            | Self::ChallengeCountered(game)
            | Self::SeekAccepted(game) => Some(game.id),
            Self::ReportAnswered { game, .. } => Some(*game),
            Self::VacationUsed { .. } | Self::Security { .. } => None,
        }
    }

    /// The other player whom the notice mentions.
    pub const fn other(&self) -> Option<PlayerId> {
        match self {
            Self::GameOver { game, .. }
            | Self::Challenged(game)
            | Self::ChallengeAccepted(game)
            | Self::ChallengeDeclined(game)
            | Self::ChallengeCountered(game)
            | Self::SeekAccepted(game) => Some(game.other),
            Self::ReportAnswered { .. } | Self::VacationUsed { .. } | Self::Security { .. } => None,
        }
    }

    /// Returns the notice in its stored form.
    pub fn stored(&self) -> StoredNotice {
        let (kind, subject, body) = match self {
            Self::GameOver { game, end } => {
                (InboxKind::GameOver, game.id.to_string(), of_game(game, Some(*end)))
            }
            Self::Challenged(game) => (InboxKind::Challenged, game.id.to_string(), of_game(game, None)),
            Self::ChallengeAccepted(game) => {
                (InboxKind::ChallengeAccepted, game.id.to_string(), of_game(game, None))
            }
            Self::ChallengeDeclined(game) => {
                (InboxKind::ChallengeDeclined, game.id.to_string(), of_game(game, None))
            }
            Self::ChallengeCountered(game) => {
                (InboxKind::ChallengeCountered, game.id.to_string(), of_game(game, None))
            }
            Self::SeekAccepted(game) => (InboxKind::SeekAccepted, game.id.to_string(), of_game(game, None)),
            Self::VacationUsed { from_ms, to_ms } => {
                (InboxKind::VacationUsed, from_ms.to_string(), json(&VacationBody { to_ms: *to_ms }))
            }
            Self::Security { what, at_ms } => {
                let subject = format!("{}.{at_ms}", what.as_db_str());
                (InboxKind::Security, subject, json(&SecurityBody { what: Word(*what) }))
            }
            Self::ReportAnswered { report, game } => {
                (InboxKind::ReportAnswered, report.to_string(), json(&ReportBody { game: *game }))
            }
        };
        StoredNotice { kind: kind.as_db_str(), subject, body }
    }

    /// Returns the notice of a stored form.
    ///
    /// # Errors
    /// It is none.
    pub fn read(kind: &str, subject: &str, body: &str) -> Result<Self, UnreadableNotice> {
        let unreadable = || UnreadableNotice { kind: kind.to_owned(), subject: subject.to_owned() };
        read(InboxKind::from_db_str(kind).map_err(|_| unreadable())?, subject, body).ok_or_else(unreadable)
    }
}

fn of_game(SlowGame { ruleset, other, .. }: &SlowGame, end: Option<GameEnd>) -> String {
    let (result, reason) = match end {
        None => (None, None),
        Some(GameEnd::Won(reason)) => (Some(StoredResult::Won), Some(reason)),
        Some(GameEnd::Lost(reason)) => (Some(StoredResult::Lost), Some(reason)),
        Some(GameEnd::Drawn(reason)) => (Some(StoredResult::Drawn), Some(reason)),
        Some(GameEnd::Aborted) => (Some(StoredResult::Aborted), None),
    };
    json(&GameBody { ruleset: Word(*ruleset), other: *other, result, reason: reason.map(Word) })
}

fn json(body: &impl Serialize) -> String {
    serde_json::to_string(body).expect("a body has string keys only")
}

fn parsed<T: DeserializeOwned>(body: &str) -> Option<T> {
    serde_json::from_str(body).ok()
}

fn read(kind: InboxKind, subject: &str, body: &str) -> Option<InboxEvent> {
    Some(match kind {
        InboxKind::GameOver => {
            let (game, GameBody { result, reason, .. }) = game(subject, body)?;
            let end = match (result?, reason) {
                (StoredResult::Won, Some(Word(reason))) => GameEnd::Won(reason),
                (StoredResult::Lost, Some(Word(reason))) => GameEnd::Lost(reason),
                (StoredResult::Drawn, Some(Word(reason))) => GameEnd::Drawn(reason),
                (StoredResult::Aborted, _) => GameEnd::Aborted,
                (StoredResult::Won | StoredResult::Lost | StoredResult::Drawn, None) => return None,
            };
            InboxEvent::GameOver { game, end }
        }
        InboxKind::Challenged => InboxEvent::Challenged(game(subject, body)?.0),
        InboxKind::ChallengeAccepted => InboxEvent::ChallengeAccepted(game(subject, body)?.0),
        InboxKind::ChallengeDeclined => InboxEvent::ChallengeDeclined(game(subject, body)?.0),
        InboxKind::ChallengeCountered => InboxEvent::ChallengeCountered(game(subject, body)?.0),
        InboxKind::SeekAccepted => InboxEvent::SeekAccepted(game(subject, body)?.0),
        InboxKind::VacationUsed => {
            let VacationBody { to_ms } = parsed(body)?;
            InboxEvent::VacationUsed { from_ms: subject.parse().ok()?, to_ms }
        }
        InboxKind::Security => {
            let SecurityBody { what: Word(what) } = parsed(body)?;
            let (_, at_ms) = subject.split_once('.')?;
            InboxEvent::Security { what, at_ms: at_ms.parse().ok()? }
        }
        InboxKind::ReportAnswered => {
            let ReportBody { game } = parsed(body)?;
            InboxEvent::ReportAnswered { report: subject.parse().ok()?, game }
        }
    })
}

fn game(subject: &str, body: &str) -> Option<(SlowGame, GameBody)> {
    let body: GameBody = parsed(body)?;
    Some((SlowGame { id: subject.parse().ok()?, ruleset: body.ruleset.0, other: body.other }, body))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// One notice of each kind, with each way in which a game ends.
    fn events() -> Vec<InboxEvent> {
        let (id, other) = (GameId::new(Uuid::from_u128(7)), PlayerId::new(Uuid::from_u128(8)));
        let game = SlowGame { id, ruleset: Ruleset::FocusClassic, other };
        let over = |end| InboxEvent::GameOver { game, end };
        vec![
            over(GameEnd::Won(Reason::Resign)),
            over(GameEnd::Lost(Reason::Time)),
            over(GameEnd::Drawn(Reason::Agreement)),
            over(GameEnd::Aborted),
            InboxEvent::Challenged(game),
            InboxEvent::ChallengeAccepted(game),
            InboxEvent::ChallengeDeclined(game),
            InboxEvent::ChallengeCountered(game),
            InboxEvent::SeekAccepted(game),
            InboxEvent::VacationUsed { from_ms: 5, to_ms: 6 },
            InboxEvent::Security { what: SecurityEvent::PasskeyAdded, at_ms: 9 },
            InboxEvent::ReportAnswered { report: ReportId::new(Uuid::from_u128(9)), game: id },
        ]
    }

    #[test]
    fn a_notice_is_read_as_it_is_stored() {
        for event in events() {
            let StoredNotice { kind, subject, body } = event.stored();
            assert_eq!(InboxEvent::read(kind, &subject, &body).unwrap(), event);
        }
    }

    #[test]
    fn stored_notices_keep_their_form() {
        let stored = events().into_iter().map(|event| event.stored()).map(|notice| {
            let StoredNotice { kind, subject, body } = notice;
            format!("{kind} {subject} {body}\n")
        });
        insta::assert_snapshot!(stored.collect::<String>());
    }

    #[test]
    fn what_is_no_notice_is_refused() {
        let StoredNotice { kind, subject, body } = events()[0].stored();
        for (kind, subject, body) in [
            ("tournament", subject.as_str(), body.as_str()),
            (kind, "7", &body),
            (kind, &subject, "{}"),
            (kind, &subject, &body.replace(",\"reason\":\"resign\"", "")),
            ("vacation_used", "5", "{\"to_ms\":\"6\"}"),
            ("security", "9", "{\"what\":\"passkey_added\"}"),
        ] {
            assert!(InboxEvent::read(kind, subject, body).is_err(), "{kind} {subject} {body}");
        }
    }
}
