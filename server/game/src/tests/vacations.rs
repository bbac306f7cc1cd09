//! Vacations and outages in the clocks of slow games, against a clock that counts minute by minute.

use super::{interleavings::Dice, *};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// A period of minutes.
type Minutes = std::ops::Range<i64>;

fn period(minutes: &Minutes) -> Period {
    Period { from_ms: minutes.start * MINUTE_MS, to_ms: minutes.end * MINUTE_MS }
}

/// Returns periods in order and without overlaps that begin within `until` minutes.
fn periods(dice: &mut Dice, until: usize, longest: usize) -> Vec<Minutes> {
    let mut all = Vec::new();
    let mut from = dice.below(until);
    while from < until && all.len() < 4 {
        let to = from + 1 + dice.below(longest);
        all.push(from as i64..to as i64);
        from = to + dice.below(until);
    }
    all
}

/// The clock of a turn that counts each minute which lies in no period. Returns the minutes taken by a minute; `None` if as many
/// as are allowed were taken before.
fn taken_by(began: i64, by: i64, allowed: i64, periods: &[Minutes]) -> Option<i64> {
    let mut taken = 0;
    for minute in began..by {
        if taken >= allowed {
            return None;
        }
        taken += i64::from(!periods.iter().any(|period| period.contains(&minute)));
    }
    (taken < allowed).then_some(taken)
}

#[test]
fn a_turn_is_credited_the_union_of_outages_and_vacations_and_nothing_after_its_end() {
    const DAY: usize = 24 * 60;
    let mut dice = Dice(3);
    let (mut n_late, mut n_overlaps) = (0, 0);
    for _ in 0..1_000 {
        let began = dice.below(5 * DAY) as i64;
        let allowed = 1 + dice.below(4 * DAY) as i64;
        let (outages, vacations) =
            (periods(&mut dice, 6 * DAY, 9 * 60), periods(&mut dice, 6 * DAY, 3 * DAY));
        let all = [&outages[..], &vacations].concat();
        n_overlaps += usize::from(
            outages.iter().any(|one| vacations.iter().any(|two| one.start < two.end && two.start < one.end)),
        );
        let [outages, vacations] = [outages, vacations].map(|all| all.iter().map(period).collect::<Vec<_>>());
        let away = Away::in_turn(began * MINUTE_MS, allowed * MINUTE_MS, &outages, &vacations);
        // The flag falls in the first minute in which the counted clock has no time left.
        let falls = began + allowed + away.ms / MINUTE_MS;
        assert_eq!(away.ms % MINUTE_MS, 0);
        assert!(taken_by(began, falls - 1, allowed, &all).is_some());
        assert_eq!(taken_by(began, falls, allowed, &all), None, "from {began} on, {allowed}: {all:?}");
        n_late += usize::from(all.iter().any(|period| period.start >= falls));
    }
    assert!(n_late > 200 && n_overlaps > 200, "{n_late} late, {n_overlaps} with overlaps");
}

/// A game of days whose two players take vacations while the server has outages, and a clock for each of both that counts
/// minutes. Credits come as the server gives them: before a turn, and when a vacation begins or ends.
struct Slow {
    game: Game,
    /// The vacations of each side, as they were planned or ended.
    vacations: [Vec<Minutes>; 2],
    outages: Vec<Minutes>,
    /// Minute in which the turn under way began.
    began: i64,
    now: i64,
}

impl Slow {
    fn new(clock: ClockRule) -> Self {
        let mut game = Game::begun_with(Ruleset::Focus, clock);
        game.now_ms = 0;
        // Times in a log never decrease, so the first minute is one after the beginning.
        game.now_ms = MINUTE_MS;
        for _ in 0..2 {
            game.play(1, 0).unwrap();
        }
        Self { game, vacations: [Vec::new(), Vec::new()], outages: Vec::new(), began: 1, now: 1 }
    }

    fn mover(&self) -> usize {
        usize::from(self.game.state.play().to_move() == Side::Second)
    }

    /// The minutes that are not counted for a side, as they are known now.
    fn uncounted(&self) -> Vec<Minutes> {
        [&self.outages[..], &self.vacations[self.mover()]].concat()
    }

    fn credit(&mut self) {
        let outages: Vec<_> = self.outages.iter().map(period).collect();
        let vacations: Vec<_> = self.vacations[self.mover()].iter().map(period).collect();
        let allowed_ms = falls_after_ms(&self.game.state).unwrap();
        let away = Away::in_turn(self.began * MINUTE_MS, allowed_ms, &outages, &vacations);
        if let Some(decision) = credit(&self.game.state, away, self.game.now_ms) {
            self.game.keep(decision);
            assert!(credit(&self.game.state, away, self.game.now_ms).is_none(), "it is credited once");
        }
    }

    /// Lets time pass, and an outage at its end.
    fn pass(&mut self, minutes: i64, outage: i64) {
        self.now += minutes + outage;
        self.game.now_ms = self.now * MINUTE_MS;
        if outage > 0 {
            self.outages.push(self.now - outage..self.now);
        }
    }

    /// Begins a vacation of a side, or ends the one under way.
    fn vacation(&mut self, side: usize, days: i64) {
        match self.vacations[side].last_mut().filter(|last| last.contains(&self.now)) {
            Some(last) => last.end = self.now,
            None => self.vacations[side].push(self.now..self.now + days * 24 * 60),
        }
        if side == self.mover() {
            self.credit();
        }
    }
}

#[test]
fn a_thousand_slow_games_with_vacations_and_outages_agree_with_clocks_that_count_minutes() {
    let mut dice = Dice(11);
    let (mut n_turns, mut n_flags, mut n_negative) = (0, 0, 0);
    for _ in 0..1_000 {
        let (days, hours) = (1 + dice.below(3) as i64, dice.below(30) as i64);
        let is_bank = dice.below(2) == 0;
        let clock = if is_bank {
            bank(days as u64, hours as u64)
        } else {
            ClockRule::Correspondence { days: (days as u64).try_into().unwrap() }
        };
        let full = days * 24 * 60;
        let (mut slow, mut left) = (Slow::new(clock), [full, full]);
        for _ in 0..24 {
            slow.pass(dice.below(full as usize * 2 / 3) as i64, dice.one_of(&[0, 0, 0, 5, 90, 1_500]));
            let side = slow.mover();
            let taken = taken_by(slow.began, slow.now, left[side], &slow.uncounted());
            // A vacation that begins when the time is over comes too late.
            slow.credit();
            assert_eq!(
                flag_falls_at_ms(&slow.game.state).unwrap() <= slow.game.now_ms + 1_000,
                taken.is_none()
            );
            let Some(taken) = taken else {
                n_flags += 1;
                break;
            };
            if dice.below(3) > 0 {
                let side = dice.below(2);
                slow.vacation(side, 1 + dice.below(3) as i64);
                continue;
            }
            slow.game.play(1, 0).unwrap();
            n_turns += 1;
            if is_bank {
                left[side] = (left[side] - taken + hours * 60).min(full);
            }
            let clocks = slow.game.state.clocks.left_ms.unwrap();
            assert_eq!([clocks.first, clocks.second], left.map(|minutes| minutes * MINUTE_MS));
            (slow.began, slow.game.now_ms) = (slow.now, slow.now * MINUTE_MS);
            slow.credit();
        }
        let mut again = State::begin(&slow.game.log[0]).unwrap();
        for event in &slow.game.log[1..] {
            n_negative += usize::from(matches!(event.event, Event::TimeCredited { ms, .. } if ms < 0));
            again.apply(&Recorded::read(event.at_ms, &event.body()).unwrap()).unwrap();
        }
        assert_eq!((&again.phase, again.clocks), (&slow.game.state.phase, slow.game.state.clocks));
    }
    assert!(n_turns > 2_000 && n_flags > 200 && n_negative > 100, "{n_turns} {n_flags} {n_negative}");
}

#[test]
fn a_vacation_stops_the_clock_at_once_and_moves_the_deadline_by_its_whole_length() {
    let mut game = Game::begun_with(Ruleset::Fibonacci, bank(3, 12));
    game.play(1, 0).unwrap();
    game.play(1, 0).unwrap();
    let began_ms = game.now_ms;
    let (from_ms, to_ms) = (began_ms + DAY_MS, began_ms + 6 * DAY_MS);
    let away = |to_ms| {
        let vacations = [Period { from_ms, to_ms }];
        Away::in_turn(began_ms, 3 * DAY_MS + 1_000, &[], &vacations)
    };
    game.now_ms = from_ms;
    game.keep(credit(&game.state, away(to_ms), game.now_ms).unwrap());
    assert_eq!(game.state.deadline_ms(), Some(began_ms + 8 * DAY_MS));
    let left = |game: &Game, at_ms| {
        let Phase::Playing { turn, .. } = &game.state.phase else { panic!("not playing") };
        game.state.left_ms(turn, at_ms).unwrap().first
    };
    for (at_ms, days) in [(from_ms, 2), (from_ms + DAY_MS, 2), (to_ms, 2), (to_ms + DAY_MS, 1)] {
        assert_eq!(left(&game, at_ms), days * DAY_MS);
    }
    // The player comes back three days early.
    game.now_ms = to_ms - 3 * DAY_MS;
    game.keep(credit(&game.state, away(game.now_ms), game.now_ms).unwrap());
    assert_eq!(game.state.deadline_ms(), Some(began_ms + 5 * DAY_MS));
    assert_eq!(left(&game, game.now_ms + HOUR_MS), 2 * DAY_MS - HOUR_MS);
    game.now_ms += HOUR_MS;
    game.play(1, 0).unwrap();
    assert_eq!(game.state.clocks.left_ms.unwrap().first, 2 * DAY_MS + 11 * HOUR_MS);
}

#[test]
fn games_in_real_time_and_without_a_clock_are_not_counted_in_days() {
    let live = ClockRule::RealTime(RealTime::new(300, 3, Bonus::PerTurn).unwrap());
    assert_eq!([live, ClockRule::None, bank(1, 0)].map(ClockRule::is_by_days), [false, false, true]);
}

fn vacations(taken: &[(i64, i64)]) -> Vacations {
    let taken = taken.iter().map(|(from_ms, to_ms)| Vacation {
        from_ms: *from_ms,
        to_ms: *to_ms,
        is_automatic: false,
    });
    Vacations { created_ms: 0, is_automatic: true, taken: taken.collect() }
}

#[test]
fn the_days_left_follow_from_the_age_of_a_player_and_the_vacations_taken() {
    let day = |n: i64| n * DAY_MS;
    for (taken, at_ms, left) in [
        (&[][..], 0, 10),
        (&[], day(30) - 1, 10),
        (&[], day(30), 12),
        (&[], day(60), 15),
        (&[], day(240), 30),
        (&[], day(10_000), 30),
        // Days that have begun are taken.
        (&[(day(1), day(1))], day(2), 10),
        (&[(day(1), day(1) + 1)], day(2), 9),
        (&[(day(1), day(2))], day(2), 9),
        (&[(day(1), day(2) + 1)], day(3), 8),
        (&[(day(1), day(11))], day(11), 0),
        (&[(day(1), day(11))], day(30), 2),
        // Time beyond the bank is lost.
        (&[(day(10_000), day(10_030))], day(10_030), 2),
        (&[(day(10_000), day(10_010))], day(10_010), 20),
    ] {
        assert_eq!(vacations(taken).days_left(at_ms), left, "{taken:?} at {at_ms}");
    }
}

#[test]
fn no_stored_vacation_breaks_the_count_of_days() {
    let mut dice = Dice(5);
    let numbers = [i64::MIN, -1, 0, 1, DAY_MS, 1 << 53, i64::MAX];
    for _ in 0..1_000 {
        let mut any = || dice.one_of(&numbers);
        let mut all = vacations(&[(any(), any()), (any(), any())]);
        all.created_ms = any();
        assert!(all.days_left(any()) <= 30);
    }
}

#[test]
fn a_vacation_begins_in_no_other_one_even_if_the_clocks_of_two_nodes_differ() {
    let all = vacations(&[(DAY_MS, 2 * DAY_MS)]);
    let days = |days: u64| days.try_into().unwrap();
    for now_ms in [DAY_MS - 5, DAY_MS, 2 * DAY_MS - 1] {
        assert_eq!(all.begin(days(1), now_ms), Err(NoVacation::UnderWay), "{now_ms}");
    }
    let next = all.begin(days(1), 2 * DAY_MS).unwrap();
    assert_eq!(next.period(), Period { from_ms: 2 * DAY_MS, to_ms: 3 * DAY_MS });
    let ended_at_once = vacations(&[(DAY_MS, DAY_MS)]);
    assert_eq!(ended_at_once.begin(days(1), DAY_MS).unwrap().from_ms, DAY_MS + 1);
}

#[test]
fn a_day_that_is_used_begins_with_the_hour_and_overlaps_no_other_vacation() {
    let mut all = vacations(&[(DAY_MS, DAY_MS + HOUR_MS / 3)]);
    let used = |all: &Vacations, deadline_ms: i64| all.use_at(deadline_ms, deadline_ms);
    let half_past = DAY_MS + HOUR_MS / 2;
    let first = used(&all, half_past).unwrap().unwrap();
    assert_eq!(first.period(), Period { from_ms: DAY_MS + HOUR_MS / 3, to_ms: 2 * DAY_MS + HOUR_MS / 3 });
    all.keep(first);
    assert_eq!(used(&all, half_past + HOUR_MS), Ok(None), "it covers other games");
    assert_eq!(used(&all, first.to_ms), Ok(None), "the last millisecond");
    let next = used(&all, first.to_ms + 1).unwrap().unwrap();
    assert_eq!(next.from_ms, first.to_ms);
    // A game that is found late, whose time ran out before.
    let late = used(&all, DAY_MS - 1).unwrap().unwrap();
    assert_eq!(late.period(), Period { from_ms: DAY_MS - HOUR_MS, to_ms: DAY_MS });
    all.is_automatic = false;
    assert_eq!(used(&all, first.to_ms + 1), Err(NoVacation::NotAutomatic));
    let spent = vacations(&[(0, 10 * DAY_MS)]);
    assert_eq!(used(&spent, 11 * DAY_MS), Err(NoVacation::NoneLeft));
}
