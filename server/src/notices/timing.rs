//! When messages are sent: turns after a while, deadlines at their times, and in quiet hours only
//! deadlines that end in them.

use game::{NoticeSettings, QuietHours, TurnMails, Zone, ids::Hour};
use jiff::{
    Timestamp,
    civil::{Date, DateTime},
};
use store::{DueMessage, TURN_TOLD_AFTER_MS};

use super::waiting::WaitingTurn;

/// Minimum time between two mails of one purpose to a player, in milliseconds.
pub(super) const MAILS_APART_MS: i64 = 60 * 60 * 1000;

/// Time by which the clocks of two nodes may differ, in milliseconds.
const SKEW_MS: i64 = 60 * 1000;

/// When a message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// There is nothing to tell, before a time if there is one.
    Not { next_ms: Option<i64> },
    /// Not before a time.
    Later { due_ms: i64 },
    /// Now, and the next one at a time if there is one.
    Now { next_ms: Option<i64> },
}

/// Returns when a mail about turns is sent. `last_ms` is the time of the last one, if that was within an hour.
pub(super) fn of_turns(
    due: &DueMessage,
    turns: &[WaitingTurn],
    settings: &NoticeSettings,
    last_ms: Option<i64>,
    now_ms: i64,
) -> When {
    // A turn that has waited since before the last mail was in that one.
    let new =
        turns.iter().map(|turn| turn.time.began_ms).filter(|began_ms| *began_ms > due.since_ms - SKEW_MS);
    let Some(began_ms) = new.min() else { return When::Not { next_ms: None } };
    let told_ms = began_ms + TURN_TOLD_AFTER_MS;
    let at_ms = match settings.turn_mails {
        TurnMails::Off => return When::Not { next_ms: None },
        TurnMails::Daily => next_at_hour_ms(&settings.zone, settings.hour, told_ms),
        // A mail that was tried and not taken is not one that was sent.
        TurnMails::Soon if due.attempts > 0 => told_ms,
        TurnMails::Soon => last_ms.map_or(told_ms, |last_ms| told_ms.max(last_ms + MAILS_APART_MS)),
    };
    let at_ms = at_ms.max(now_ms);
    let at_ms = end_of_quiet_ms(&settings.zone, settings.quiet, at_ms).unwrap_or(at_ms);
    if at_ms > now_ms { When::Later { due_ms: at_ms } } else { When::Now { next_ms: None } }
}

/// Returns when a mail about deadlines is sent. In quiet hours it is, if the deadline is in them too. `last_ms` is the time of
/// the last one, if that was within an hour: the next one waits, but for half of the time left at most.
pub(super) fn of_deadlines(
    due: &DueMessage,
    turns: &[WaitingTurn],
    settings: &NoticeSettings,
    last_ms: Option<i64>,
    now_ms: i64,
) -> When {
    if settings.turn_mails == TurnMails::Off {
        return When::Not { next_ms: None };
    }
    let deadlines = || turns.iter().filter_map(|turn| Some((turn.game.deadline_ms?, turn.warnings_ms()?)));
    let under_way = || deadlines().filter(|(deadline_ms, _)| *deadline_ms > now_ms);
    let next_ms = under_way().flat_map(|(_, warnings)| warnings).filter(|at_ms| *at_ms > now_ms).min();
    let is_due = |warnings: [i64; 2]| warnings.iter().any(|at_ms| due.since_ms < *at_ms && *at_ms <= now_ms);
    let due_ms = under_way().filter(|(_, warnings)| is_due(*warnings)).map(|(deadline_ms, _)| deadline_ms);
    let Some(deadline_ms) = due_ms.min() else { return When::Not { next_ms } };
    // A mail that was tried and not taken is not one that was sent.
    let last_ms = last_ms.filter(|_| due.attempts == 0);
    let apart_ms = MAILS_APART_MS.min((deadline_ms - now_ms) / 2);
    if let Some(due_ms) = last_ms.map(|last_ms| last_ms + apart_ms).filter(|due_ms| *due_ms > now_ms) {
        return When::Later { due_ms };
    }
    match end_of_quiet_ms(&settings.zone, settings.quiet, now_ms) {
        Some(end_ms) if end_ms < deadline_ms => When::Later { due_ms: end_ms },
        Some(_) | None => When::Now { next_ms },
    }
}

/// Returns the end of the quiet hours that a moment is in.
fn end_of_quiet_ms(zone: &Zone, QuietHours { from, to }: QuietHours, at_ms: i64) -> Option<i64> {
    let (begin, end, hour) = (from.get(), to.get(), local(zone, at_ms)?.hour().unsigned_abs());
    let is_quiet = if begin <= end { (begin..end).contains(&hour) } else { hour >= begin || hour < end };
    is_quiet.then(|| next_at_hour_ms(zone, to, at_ms))
}

/// Returns the first moment at or after another at which the clocks of a zone strike an hour. On a day that has not that hour
/// it is the one to which they are put forward.
fn next_at_hour_ms(zone: &Zone, hour: Hour, at_ms: i64) -> i64 {
    let days = local(zone, at_ms)
        .map(|local| [local.date().yesterday().ok(), Some(local.date()), local.date().tomorrow().ok()]);
    let strikes = days.into_iter().flatten().flatten().filter_map(|day| strike_ms(zone, day, hour));
    strikes.filter(|strike_ms| *strike_ms >= at_ms).min().unwrap_or(at_ms)
}

/// Returns the moment of a day at which the clocks of a zone strike an hour, the first one if there are two.
fn strike_ms(zone: &Zone, day: Date, hour: Hour) -> Option<i64> {
    let hour = i8::try_from(hour.get()).ok()?;
    Some(zone.time_zone().to_timestamp(day.at(hour, 0, 0, 0)).ok()?.as_millisecond())
}

/// Returns what the clocks of a zone show at a moment.
fn local(zone: &Zone, at_ms: i64) -> Option<DateTime> {
    Some(zone.time_zone().to_datetime(Timestamp::from_millisecond(at_ms).ok()?))
}

#[cfg(test)]
mod tests {
    use engine::{Ruleset, Side};
    use game::{
        ClockRule, NoticeChannel, NoticePurpose, SeatChoice, Seats, Status, Visibility, Watching,
        ids::{Days, Delay, GameId, PlayerId, Version},
    };
    use store::{GameRow, OutboxKey};
    use uuid::Uuid;

    use super::{super::waiting::TurnTime, *};

    const MINUTE_MS: i64 = 60 * 1000;
    const HOUR_MS: i64 = 60 * MINUTE_MS;
    const DAY_MS: i64 = 24 * HOUR_MS;

    /// A moment of a civil time in UTC.
    fn utc(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_millisecond()
    }

    fn hour(hour: u8) -> Hour {
        u64::from(hour).try_into().unwrap()
    }

    fn settings(zone: &str, turn_mails: TurnMails, daily: u8, quiet: (u8, u8)) -> NoticeSettings {
        let quiet = QuietHours { from: hour(quiet.0), to: hour(quiet.1) };
        let zone = zone.to_owned().try_into().unwrap();
        NoticeSettings { turn_mails, hour: hour(daily), quiet, zone, ..NoticeSettings::default() }
    }

    fn due(since_ms: i64, attempts: u32) -> DueMessage {
        let player = PlayerId::new(Uuid::from_u128(1));
        let key = OutboxKey { player, purpose: NoticePurpose::Turns, channel: NoticeChannel::Mail };
        DueMessage { key, since_ms, changed_ms: since_ms, attempts }
    }

    /// The turn of a game of this many days for each, which began at a moment.
    fn turn(began_ms: i64, days: u64) -> WaitingTurn {
        WaitingTurn { game: game(began_ms, days), time: TurnTime { began_ms, credited_ms: 0 } }
    }

    fn game(began_ms: i64, days: u64) -> GameRow {
        let [first, second] = [1, 2].map(|number| PlayerId::new(Uuid::from_u128(number)));
        GameRow {
            id: GameId::new(Uuid::from_u128(1)),
            ruleset: Ruleset::Fenix,
            status: Status::Playing,
            visibility: Visibility::Public,
            creator: first,
            challenged: None,
            seat: SeatChoice::First,
            clock: ClockRule::Correspondence { days: Days::try_from(days).unwrap() },
            watching: Watching::Everybody,
            delay: Delay::default(),
            custom_start: false,
            seats: Some(Seats { first, second }),
            version: Version::new(2),
            turn: 1,
            to_move: Side::First,
            outcome: None,
            created_ms: 0,
            updated_ms: began_ms,
            deadline_ms: Some(began_ms + i64::try_from(days).unwrap() * DAY_MS),
            position: None,
            offers: Vec::new(),
        }
    }

    /// Looks at a message when it is due, until it is sent or there is nothing to send. Returns the time of sending.
    fn sent_ms(mut now_ms: i64, when: impl Fn(i64) -> When) -> Option<i64> {
        for _ in 0..10 {
            match when(now_ms) {
                When::Not { next_ms } => now_ms = next_ms?,
                When::Later { due_ms } => {
                    assert!(due_ms > now_ms, "time passes");
                    now_ms = due_ms;
                }
                When::Now { .. } => return Some(now_ms),
            }
        }
        panic!("it is postponed again and again");
    }

    #[track_caller]
    fn check_turns(settings: &NoticeSettings, began: &str, last: Option<&str>, sent: Option<&str>) {
        let began_ms = utc(began);
        let turns = [turn(began_ms, 14)];
        let when = |now_ms: i64| {
            let last_ms = last.map(utc).filter(|last_ms| *last_ms > now_ms - MAILS_APART_MS);
            of_turns(&due(began_ms, 0), &turns, settings, last_ms, now_ms)
        };
        assert_eq!(sent_ms(began_ms + TURN_TOLD_AFTER_MS, when), sent.map(utc), "{began}");
    }

    #[test]
    fn turns_are_told_once_a_day_or_soon_or_never() {
        let daily = settings("Europe/Paris", TurnMails::Daily, 8, (22, 8));
        check_turns(&daily, "2026-07-01T05:45:00Z", None, Some("2026-07-01T06:00:00Z"));
        check_turns(&daily, "2026-07-01T05:55:00Z", None, Some("2026-07-02T06:00:00Z"));
        check_turns(&daily, "2026-07-01T20:00:00Z", None, Some("2026-07-02T06:00:00Z"));
        let soon = settings("Europe/Paris", TurnMails::Soon, 8, (22, 8));
        check_turns(&soon, "2026-07-01T12:00:00Z", None, Some("2026-07-01T12:10:00Z"));
        check_turns(
            &soon,
            "2026-07-01T12:00:00Z",
            Some("2026-07-01T11:30:00Z"),
            Some("2026-07-01T12:30:00Z"),
        );
        check_turns(&soon, "2026-07-01T19:55:00Z", None, Some("2026-07-02T06:00:00Z"));
        check_turns(&settings("UTC", TurnMails::Off, 8, (22, 8)), "2026-07-01T12:00:00Z", None, None);
        let at_night = settings("UTC", TurnMails::Daily, 23, (22, 8));
        check_turns(&at_night, "2026-07-01T12:00:00Z", None, Some("2026-07-02T08:00:00Z"));
        let never_quiet = settings("UTC", TurnMails::Daily, 23, (8, 8));
        check_turns(&never_quiet, "2026-07-01T12:00:00Z", None, Some("2026-07-01T23:00:00Z"));
    }

    #[test]
    fn quiet_hours_and_the_daily_hour_are_right_over_both_changes_of_the_clocks() {
        // In Paris 02:00 becomes 03:00 on 29 March at 01:00 UTC, and 03:00 becomes 02:00 on 25 October at 01:00 UTC.
        let soon = |quiet| settings("Europe/Paris", TurnMails::Soon, 8, quiet);
        for (began, quiet, sent) in [
            ("2026-03-28T22:00:00Z", (22, 8), "2026-03-29T06:00:00Z"),
            ("2026-03-27T22:00:00Z", (22, 8), "2026-03-28T07:00:00Z"),
            ("2026-10-24T21:00:00Z", (22, 8), "2026-10-25T07:00:00Z"),
            ("2026-10-23T21:00:00Z", (22, 8), "2026-10-24T06:00:00Z"),
            // The end is in the hour that is left out, and in the one that comes twice.
            ("2026-03-29T00:00:00Z", (22, 2), "2026-03-29T01:00:00Z"),
            ("2026-10-24T23:00:00Z", (22, 2), "2026-10-25T00:00:00Z"),
            ("2026-10-25T00:50:00Z", (22, 3), "2026-10-25T02:00:00Z"),
            ("2026-10-24T23:55:00Z", (2, 4), "2026-10-25T03:00:00Z"),
            ("2026-10-25T00:45:00Z", (22, 2), "2026-10-25T00:55:00Z"),
            ("2026-10-25T00:55:00Z", (22, 2), "2026-10-25T01:05:00Z"),
        ] {
            check_turns(&soon(quiet), began, None, Some(sent));
        }
        let daily = |hour| settings("Europe/Paris", TurnMails::Daily, hour, (0, 0));
        for (began, hour, sent) in [
            ("2026-03-28T12:00:00Z", 8, "2026-03-29T06:00:00Z"),
            ("2026-10-24T12:00:00Z", 8, "2026-10-25T07:00:00Z"),
            ("2026-03-28T12:00:00Z", 2, "2026-03-29T01:00:00Z"),
            ("2026-10-24T12:00:00Z", 2, "2026-10-25T00:00:00Z"),
            // The hour strikes a second time, and the mail of the day was sent.
            ("2026-10-25T00:05:00Z", 2, "2026-10-26T01:00:00Z"),
        ] {
            check_turns(&daily(hour), began, None, Some(sent));
        }
        // Half an hour of difference, and a zone without changes.
        let adelaide = settings("Australia/Adelaide", TurnMails::Soon, 8, (22, 8));
        check_turns(&adelaide, "2026-07-01T12:30:00Z", None, Some("2026-07-01T22:30:00Z"));
        check_turns(
            &settings("UTC", TurnMails::Soon, 8, (22, 8)),
            "2026-07-01T21:50:00Z",
            None,
            Some("2026-07-02T08:00:00Z"),
        );
    }

    #[test]
    fn a_mail_is_only_sent_for_a_game_that_began_to_wait_since_the_last_one() {
        let began_ms = utc("2026-07-01T12:00:00Z");
        let soon = settings("UTC", TurnMails::Soon, 8, (22, 8));
        let now_ms = began_ms + TURN_TOLD_AFTER_MS;
        let old = turn(began_ms - DAY_MS, 14);
        let when = |turns: &[WaitingTurn]| of_turns(&due(began_ms, 0), turns, &soon, None, now_ms);
        assert_eq!(when(&[]), When::Not { next_ms: None });
        assert_eq!(when(std::slice::from_ref(&old)), When::Not { next_ms: None });
        assert_eq!(when(&[old, turn(began_ms, 14)]), When::Now { next_ms: None });
    }

    /// The message is due since a turn that was played meanwhile.
    #[test]
    fn a_turn_is_told_after_it_has_waited_itself() {
        let began_ms = utc("2026-07-01T12:00:00Z");
        let soon = settings("UTC", TurnMails::Soon, 8, (22, 8));
        let turns = [turn(began_ms, 14)];
        let when = |now_ms| of_turns(&due(began_ms - 9 * MINUTE_MS, 0), &turns, &soon, None, now_ms);
        assert_eq!(sent_ms(began_ms + MINUTE_MS, when), Some(began_ms + TURN_TOLD_AFTER_MS));
    }

    #[test]
    fn an_offer_or_a_credit_makes_no_turn_new() {
        let began_ms = utc("2026-07-01T12:00:00Z");
        let soon = settings("UTC", TurnMails::Soon, 8, (0, 0));
        let mut told = turn(began_ms - DAY_MS, 14);
        told.game.updated_ms = began_ms;
        let when = of_turns(&due(began_ms, 0), &[told], &soon, None, began_ms + TURN_TOLD_AFTER_MS);
        assert_eq!(when, When::Not { next_ms: None });
    }

    #[test]
    fn a_deadline_is_told_by_the_time_of_the_clock_whatever_was_credited_and_offered() {
        let began_ms = utc("2026-07-01T12:00:00Z");
        let never_quiet = settings("UTC", TurnMails::Daily, 8, (0, 0));
        // Two days of a bank are left, and a vacation of twenty days has begun on the first one.
        let mut turn = turn(began_ms, 2);
        turn.game.clock =
            ClockRule::Bank { base_days: 10.try_into().unwrap(), bonus_hours: 36.try_into().unwrap() };
        turn.game.updated_ms = began_ms + DAY_MS;
        turn.game.deadline_ms = Some(began_ms + 22 * DAY_MS);
        turn.time.credited_ms = 20 * DAY_MS;
        let when = |now_ms| of_deadlines(&due(began_ms, 0), &[turn.clone()], &never_quiet, None, now_ms);
        let quarter_ms = began_ms + 22 * DAY_MS - 12 * HOUR_MS;
        assert_eq!(when(began_ms + DAY_MS), When::Not { next_ms: Some(quarter_ms) });
        assert!(matches!(when(quarter_ms), When::Now { .. }));
    }

    #[test]
    fn a_mail_that_was_not_taken_is_sent_again_within_the_hour() {
        let began_ms = utc("2026-07-01T12:00:00Z");
        let soon = settings("UTC", TurnMails::Soon, 8, (22, 8));
        let now_ms = began_ms + TURN_TOLD_AFTER_MS + MINUTE_MS;
        let when = |attempts| {
            of_turns(&due(began_ms, attempts), &[turn(began_ms, 14)], &soon, Some(now_ms - MINUTE_MS), now_ms)
        };
        assert_eq!(when(0), When::Later { due_ms: now_ms - MINUTE_MS + MAILS_APART_MS });
        assert_eq!(when(1), When::Now { next_ms: None });
    }

    #[test]
    fn a_deadline_is_told_when_a_quarter_and_a_tenth_of_its_time_are_left() {
        let began_ms = utc("2026-07-01T12:00:00Z");
        let never_quiet = settings("UTC", TurnMails::Daily, 8, (0, 0));
        let (turns, deadline_ms) = ([turn(began_ms, 10)], began_ms + 10 * DAY_MS);
        let when = |since_ms, now_ms| of_deadlines(&due(since_ms, 0), &turns, &never_quiet, None, now_ms);
        let [quarter_ms, tenth_ms] = [deadline_ms - 60 * HOUR_MS, deadline_ms - DAY_MS];
        assert_eq!(when(began_ms, quarter_ms - 1), When::Not { next_ms: Some(quarter_ms) });
        assert_eq!(when(began_ms, quarter_ms), When::Now { next_ms: Some(tenth_ms) });
        assert_eq!(when(quarter_ms, quarter_ms), When::Not { next_ms: Some(tenth_ms) });
        assert_eq!(when(quarter_ms, tenth_ms + 5), When::Now { next_ms: None });
        assert_eq!(
            when(began_ms, tenth_ms),
            When::Now { next_ms: None },
            "both at once, if the server was down"
        );
        assert_eq!(when(tenth_ms, deadline_ms - 1), When::Not { next_ms: None });
        assert_eq!(when(began_ms, deadline_ms), When::Not { next_ms: None }, "the time is over");
    }

    #[test]
    fn mails_about_deadlines_are_an_hour_apart_but_for_half_of_the_time_left() {
        let began_ms = utc("2026-07-01T12:00:00Z");
        let never_quiet = settings("UTC", TurnMails::Daily, 8, (0, 0));
        let (turns, deadline_ms) = ([turn(began_ms, 1)], began_ms + DAY_MS);
        let when = |attempts, last_ms, now_ms| {
            let due = due(began_ms, attempts);
            of_deadlines(&due, &turns, &never_quiet, Some(last_ms), now_ms)
        };
        let quarter_ms = deadline_ms - 6 * HOUR_MS;
        let last_ms = quarter_ms - MINUTE_MS;
        assert_eq!(when(0, last_ms, quarter_ms), When::Later { due_ms: last_ms + HOUR_MS });
        assert!(matches!(when(0, last_ms, last_ms + HOUR_MS), When::Now { .. }));
        assert!(matches!(when(1, last_ms, quarter_ms), When::Now { .. }), "it was not taken");
        let soon_ms = deadline_ms - 20 * MINUTE_MS;
        assert_eq!(when(0, soon_ms, soon_ms), When::Later { due_ms: soon_ms + 10 * MINUTE_MS });
        assert_eq!(when(0, soon_ms, soon_ms + 10 * MINUTE_MS), When::Now { next_ms: None });
    }

    #[test]
    fn a_deadline_is_told_in_quiet_hours_only_if_it_is_in_them() {
        let night = settings("Europe/Paris", TurnMails::Daily, 8, (22, 8));
        // Of one day a quarter is six hours: the warning of a deadline at 07:00 is due at 01:00 in Paris.
        for (deadline, sent) in [
            ("2026-07-03T05:00:00Z", "2026-07-02T23:00:00Z"),
            ("2026-07-03T05:59:59Z", "2026-07-02T23:59:59Z"),
            ("2026-07-03T06:00:00Z", "2026-07-03T00:00:00Z"),
            ("2026-07-03T06:00:01Z", "2026-07-03T06:00:00Z"),
            ("2026-07-03T10:00:00Z", "2026-07-03T06:00:00Z"),
            ("2026-07-03T18:00:00Z", "2026-07-03T12:00:00Z"),
        ] {
            let began_ms = utc(deadline) - DAY_MS;
            let turns = [turn(began_ms, 1)];
            let when = |now_ms| of_deadlines(&due(began_ms, 0), &turns, &night, None, now_ms);
            assert_eq!(sent_ms(began_ms + DAY_MS * 3 / 4, when), Some(utc(sent)), "{deadline}");
        }
        let off = settings("Europe/Paris", TurnMails::Off, 8, (22, 8));
        let began_ms = utc("2026-07-02T05:00:00Z");
        let when =
            of_deadlines(&due(began_ms, 0), &[turn(began_ms, 1)], &off, None, began_ms + DAY_MS - HOUR_MS);
        assert_eq!(when, When::Not { next_ms: None });
    }
}
