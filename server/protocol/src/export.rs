//! The export of what is stored about a player: a text of lines, each a JSON object.

use game::{
    MailAddress,
    ids::{ChatText, GameId, LineId},
};
use serde::Serialize;

use crate::{
    Account, Act, ConditionalTurn, GameSummary, InboxNotice, OwnAct, OwnPasskey, OwnPush, OwnReport,
    OwnSession, Player, Seek, VacationPeriod,
};

/// A line of an export.
///
/// ```
/// use protocol::Exported;
/// # let player: protocol::Player =
/// #     serde_json::from_str(r#"{"id":"019a9f3e-0000-7000-8000-000000000001","name":"Ada"}"#).unwrap();
/// let line = serde_json::to_value(Exported::Blocked { player }).unwrap();
/// assert_eq!(line["type"], "blocked");
/// assert_eq!(line["player"]["name"], "Ada");
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Exported {
    /// The player, the first line.
    Player { player: Player },
    /// The player's account, if there is one.
    Account { account: Box<Account> },
    /// A browser that is signed in.
    Session { session: OwnSession },
    /// A passkey of the account.
    Passkey { passkey: OwnPasskey },
    /// A browser that the account recognises until a time, in milliseconds since 1970.
    Device { until_ms: i64 },
    /// A mail to the account's owner that was asked for in the last day, and its address while it waits to be sent. The purpose is
    /// `confirm`, `recover`, `changed` or `passkey`.
    Mail { purpose: String, address: Option<MailAddress>, at_ms: i64 },
    /// Something to be told to the player about games that wait, since a time in milliseconds since 1970. The purpose is `turns` or
    /// `deadline`, the channel `mail` or `push`.
    Message { purpose: &'static str, channel: &'static str, since_ms: i64 },
    /// The player's vacations, and whether a day is used when the time in a game runs out.
    Vacations { automatic: bool, taken: Vec<VacationPeriod> },
    /// A notice in the player's inbox.
    Notice { notice: InboxNotice },
    /// A browser that is sent notifications.
    Push { push: OwnPush },
    /// A player whom the player has blocked.
    Blocked { player: Player },
    /// A seek of the player.
    Seek { seek: Seek },
    /// A report by the player.
    Report { report: OwnReport },
    /// An act of a moderator on the player.
    Act { act: OwnAct },
    /// An act of the player as a moderator.
    Moderated { act: Act },
    /// A game, open room or open challenge of the player, as a row of the lists.
    Game { game: Box<GameSummary> },
    /// The player's conditional turns in a game.
    Conditional { game: GameId, turns: Vec<ConditionalTurn> },
    /// A line that the player wrote in the chat of a game; the times and numbers are those of a [line](crate::ChatLine).
    Line { game: GameId, id: LineId, at_ms: i64, turn: u16, text: ChatText },
}
