//! Conversions between the types of the wire and those of the game.

use engine::BySide;
use game::{Refusal, ids::BotLevel};

use super::{
    Bonus, ClaimKind, ClockRule, Drafts, InvalidTime, Nack, NoticeSettings, OfferKind, Outcome, Player,
    PlayerKind, RealTime, RealTimeParts, Reason, ReportKind, Role, SeatChoice, Seats, StandingOffer, Status,
    Terms, Times, TurnMails, Visibility, Watching,
};

/// Converts enums of the wire into enums of the game with the same variants.
macro_rules! to_game {
    ($($name:ident { $($variant:ident)* })*) => {
        $(impl From<$name> for game::$name {
            fn from(value: $name) -> Self {
                match value {
                    $($name::$variant => Self::$variant,)*
                }
            }
        })*
    };
}

/// Converts enums of the wire and of the game with the same variants into each other.
macro_rules! both_ways {
    ($($name:ident { $($variant:ident)* })*) => {
        to_game! { $($name { $($variant)* })* }

        $(impl From<game::$name> for $name {
            fn from(value: game::$name) -> Self {
                match value {
                    $(game::$name::$variant => Self::$variant,)*
                }
            }
        })*
    };
}

both_ways! {
    Status { Open Playing Finished Aborted Cancelled }
    Visibility { Public Link }
    SeatChoice { First Second Random }
    Watching { Everybody Nobody }
    Drafts { Shown Hidden }
    Bonus { PerTurn PerAction Delay Bronstein }
    OfferKind { Draw Takeback Rematch }
    ReportKind { Chat Name Play }
    Role { Moderator Admin }
    TurnMails { Off Daily Soon }
    Reason { Surround King Blocked Repetition Quiet TurnLimit Resign Time Agreement Abandon }
}

to_game! {
    ClaimKind { Win Draw }
}

impl From<&game::NoticeSettings> for NoticeSettings {
    fn from(settings: &game::NoticeSettings) -> Self {
        let game::NoticeSettings { turn_mails, hour, quiet, zone, language: _ } = settings;
        Self {
            turn_mails: (*turn_mails).into(),
            hour: *hour,
            quiet_from: quiet.from,
            quiet_to: quiet.to,
            zone: zone.clone(),
        }
    }
}

impl From<game::Player> for Player {
    fn from(game::Player { id, name }: game::Player) -> Self {
        let bot = BotLevel::of(id);
        Self { id, name, bot, kind: bot.map(|_| PlayerKind::Bot) }
    }
}

impl From<game::PlayerKind> for PlayerKind {
    fn from(kind: game::PlayerKind) -> Self {
        match kind {
            game::PlayerKind::Guest => Self::Guest,
            game::PlayerKind::Account => Self::Account,
        }
    }
}

impl From<(game::Player, game::PlayerKind)> for Player {
    fn from((player, kind): (game::Player, game::PlayerKind)) -> Self {
        Self { kind: Some(kind.into()), ..player.into() }
    }
}

impl From<Player> for game::Player {
    fn from(Player { id, name, .. }: Player) -> Self {
        Self { id, name }
    }
}

impl From<Seats> for game::Seats {
    fn from(Seats { first, second }: Seats) -> Self {
        Self { first: first.id, second: second.id }
    }
}

impl From<game::Terms> for Terms {
    fn from(game::Terms { clock, watching, drafts, delay }: game::Terms) -> Self {
        Self { clock: clock.into(), watching: watching.into(), drafts: drafts.into(), delay }
    }
}

impl From<Terms> for game::Terms {
    fn from(Terms { clock, watching, drafts, delay }: Terms) -> Self {
        Self { clock: clock.into(), watching: watching.into(), drafts: drafts.into(), delay }
    }
}

impl From<game::ClockRule> for ClockRule {
    fn from(rule: game::ClockRule) -> Self {
        match rule {
            game::ClockRule::None => Self::None {},
            game::ClockRule::RealTime(time) => Self::RealTime(RealTime::from(time)),
            game::ClockRule::Correspondence { days } => Self::Correspondence { days },
            game::ClockRule::Bank { base_days, bonus_hours } => Self::Bank { base_days, bonus_hours },
        }
    }
}

impl From<ClockRule> for game::ClockRule {
    fn from(rule: ClockRule) -> Self {
        match rule {
            ClockRule::None {} => Self::None,
            ClockRule::RealTime(RealTime(time)) => Self::RealTime(time),
            ClockRule::Correspondence { days } => Self::Correspondence { days },
            ClockRule::Bank { base_days, bonus_hours } => Self::Bank { base_days, bonus_hours },
        }
    }
}

impl From<game::RealTime> for RealTime {
    fn from(time: game::RealTime) -> Self {
        Self(time)
    }
}

impl TryFrom<RealTimeParts> for RealTime {
    type Error = InvalidTime;

    fn try_from(RealTimeParts { base_s, bonus_s, bonus }: RealTimeParts) -> Result<Self, InvalidTime> {
        game::RealTime::new(base_s, bonus_s, bonus.into()).map(Self)
    }
}

impl From<RealTime> for RealTimeParts {
    fn from(RealTime(time): RealTime) -> Self {
        Self { base_s: time.base_s(), bonus_s: time.bonus_s(), bonus: time.bonus().into() }
    }
}

impl From<game::Outcome> for Outcome {
    fn from(game::Outcome { winner, reason }: game::Outcome) -> Self {
        Self { winner, reason: reason.into() }
    }
}

impl From<Outcome> for game::Outcome {
    fn from(Outcome { winner, reason }: Outcome) -> Self {
        Self { winner, reason: reason.into() }
    }
}

impl From<game::StandingOffer> for StandingOffer {
    fn from(game::StandingOffer { what, side }: game::StandingOffer) -> Self {
        Self { what: what.into(), side }
    }
}

impl From<StandingOffer> for game::StandingOffer {
    fn from(StandingOffer { what, side }: StandingOffer) -> Self {
        Self { what: what.into(), side }
    }
}

impl From<BySide<i64>> for Times {
    fn from(BySide { first, second }: BySide<i64>) -> Self {
        Self { first_ms: first, second_ms: second }
    }
}

impl From<Refusal> for Nack {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Stale { version } => Self::Stale { version },
            Refusal::NotSeated => Self::NotSeated,
            Refusal::NotYourTurn => Self::NotYourTurn,
            Refusal::NotStarted => Self::NotStarted,
            Refusal::OwnRoom => Self::OwnRoom,
            Refusal::RoomTaken => Self::RoomTaken,
            Refusal::RoomLeft => Self::RoomLeft,
            Refusal::NotForYou => Self::NotForYou,
            Refusal::RoomCancelled => Self::RoomCancelled,
            Refusal::NotYours => Self::NotYours,
            Refusal::GameOver => Self::GameOver,
            Refusal::NotOver => Self::NotOver,
            Refusal::OutOfTime => Self::OutOfTime,
            Refusal::TooLateToAbort => Self::TooLateToAbort,
            Refusal::NothingToTakeBack => Self::NothingToTakeBack,
            Refusal::TooManyTakebacks { limit } => Self::TooManyTakebacks { limit },
            Refusal::CardsAreOpen => Self::CardsAreOpen,
            Refusal::OfferedAlready => Self::OfferedAlready,
            Refusal::NoOffer => Self::NoOffer,
            Refusal::NotGone => Self::NotGone,
            Refusal::Illegal { index, rule } => Self::Illegal { index, rule: rule.to_string() },
            Refusal::Incomplete { index, rule } => Self::Incomplete { index, rule: rule.to_string() },
            Refusal::TooCostly { limit } => {
                Self::TooCostly { limit: u32::try_from(limit).unwrap_or(u32::MAX) }
            }
        }
    }
}
