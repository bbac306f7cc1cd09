//! What players are told when they are away, and how.

use crate::{Zone, ids::Hour};

/// Way by which a player who is away is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoticeChannel {
    /// Mails to the confirmed address of an account.
    Mail,
    /// Messages to browsers that have subscribed.
    Push,
}

/// What a message to a player who is away is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoticePurpose {
    /// Turns of slow games are due.
    Turns,
    /// A quarter or a tenth of the time for such a turn is left.
    Deadline,
}

/// When an account is mailed that turns of slow games are due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TurnMails {
    /// Never, nor of deadlines.
    Off,
    /// Once a day.
    #[default]
    Daily,
    /// Soon, at most once an hour.
    Soon,
}

/// The languages of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    English,
    French,
}

impl Language {
    /// Returns the language of a page, by its code.
    pub fn of_page(code: &str) -> Self {
        if code == "fr" { Self::French } else { Self::English }
    }
}

/// What an account is told when it is away, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeSettings {
    pub turn_mails: TurnMails,
    /// The hour of the daily mail.
    pub hour: Hour,
    pub quiet: QuietHours,
    /// The zone whose clocks show these hours.
    pub zone: Zone,
    pub language: Language,
}

/// The hours of each day in which nothing is sent, from the beginning of one to that of another; none if they are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    pub from: Hour,
    pub to: Hour,
}

impl QuietHours {
    /// No hours.
    pub const NONE: Self = Self { from: Hour::MIDNIGHT, to: Hour::MIDNIGHT };
}

impl Default for NoticeSettings {
    /// The settings of an account that has changed none. The migration has the same.
    fn default() -> Self {
        let hour = |hour: u64| Hour::try_from(hour).expect("it is an hour of a day");
        Self {
            turn_mails: TurnMails::default(),
            hour: hour(8),
            quiet: QuietHours { from: hour(22), to: hour(8) },
            zone: Zone::default(),
            language: Language::default(),
        }
    }
}
