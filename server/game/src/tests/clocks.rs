//! Clocks in virtual time, exact to the millisecond.

use super::{interleavings::Dice, *};
use crate::ids::Days;

/// The golden table. Each line has the clock, the turns in order, and both sides' time after them or the side that is
/// late.
///
/// A clock is `BASE+BONUS` in seconds, `BASE+BONUSa` for a bonus per action, `BASEdBONUS` for a delay, `BASEbBONUS` for
/// Bronstein, `Ndays`, or `Ndays+M` for a bank of N days with M hours for each turn. A turn is its duration in milliseconds, optionally followed by `xN` for N actions, `~N` for a
/// measured lag of N ms, or `cN` for an outage of N ms. `back` takes the last turn back.
const GOLDEN: &str = "
300+3   |                                   | 300000 300000
300+3   | 0                                 | 300000 300000
300+3   | 59999                             | 300000 300000
300+3   | 0 0                               | 300000 300000
300+3   | 50000 40000                       | 300000 300000
300+3   | 50000 59999                       | 300000 300000
300+3   | 0 0 0                             | 303000 300000
300+3   | 0 0 1                             | 302999 300000
300+3   | 0 0 1000                          | 302000 300000
300+3   | 0 0 3000                          | 300000 300000
300+3   | 0 0 3001                          | 299999 300000
300+3   | 0 0 1000 2000                     | 302000 301000
300+3   | 0 0 1000 2000 4000 8000           | 301000 296000
300+3   | 0 0 299999                        | 3001 300000
300+3   | 0 0 300000                        | first is late
300+3   | 0 0 300001                        | first is late
300+3   | 0 0 299999 0 3000                 | 3001 303000
300+3   | 0 0 299999 0 3001                 | first is late
300+3   | 0 0 0 299999                      | 303000 3001
300+3   | 0 0 0 300000                      | second is late
300+0   | 0 0 1000 1000 1000 1000           | 298000 298000
300+0   | 0 0 299999 1 0                    | 1 299999
300+0   | 0 0 299999 1 1                    | first is late
0+5     | 0 0                               | 5000 5000
0+5     | 0 0 4999                          | 5001 5000
0+5     | 0 0 5000                          | first is late
0+5     | 0 0 4999 0 5000                   | 5001 10000
60+1a   | 0 0 0x1                           | 61000 60000
60+1a   | 0 0 0x3                           | 63000 60000
60+1a   | 0 0 2500x3                        | 60500 60000
60+1a   | 0 0 59999x2                       | 2001 60000
60+1a   | 0 0 60000x3                       | first is late
60+1a   | 0 0 1000x2 1000x4                 | 61000 63000
60+1a   | 7000x1 9000x2 0x1                 | 61000 60000
10d2    | 0 0                               | 10000 10000
10d2    | 0 0 0                             | 10000 10000
10d2    | 0 0 1999                          | 10000 10000
10d2    | 0 0 2000                          | 10000 10000
10d2    | 0 0 2001                          | 9999 10000
10d2    | 0 0 11999                         | 1 10000
10d2    | 0 0 12000                         | first is late
10d2    | 0 0 11999 0 2000                  | 1 10000
10d2    | 0 0 11999 0 2001                  | first is late
0d4     | 0 0 3999                          | 4000 4000
0d4     | 0 0 7999                          | 1 4000
0d4     | 0 0 8000                          | first is late
10b2    | 0 0 0                             | 10000 10000
10b2    | 0 0 1999                          | 10000 10000
10b2    | 0 0 2000                          | 10000 10000
10b2    | 0 0 2001                          | 9999 10000
10b2    | 0 0 9999                          | 2001 10000
10b2    | 0 0 10000                         | first is late
10b2    | 0 0 9999 0 2000                   | 2001 10000
10b2    | 0 0 9999 0 2001                   | first is late
3days   | 0 0                               | 259200000 259200000
3days   | 0 0 259199999                     | 259200000 259200000
3days   | 0 0 259200000                     | first is late
3days   | 0 0 100000000 259199999           | 259200000 259200000
3days   | 0 0 100000000 259200000           | second is late
1days   | 86399999 86399999 86399999 86399999 | 86400000 86400000
1days+2 | 0 0                               | 86400000 86400000
1days+2 | 86399999 86399999                 | 86400000 86400000
1days+2 | 0 0 0                             | 86400000 86400000
1days+2 | 0 0 7200000                       | 86400000 86400000
1days+2 | 0 0 7200001                       | 86399999 86400000
1days+2 | 0 0 10800000                      | 82800000 86400000
1days+2 | 0 0 10800000 0 3600000            | 86400000 86400000
1days+2 | 0 0 10800000 0 3600001            | 86399999 86400000
1days+2 | 0 0 86399999                      | 7200001 86400000
1days+2 | 0 0 86400000                      | first is late
1days+2 | 0 0 86399999 0 7200000            | 7200001 86400000
1days+2 | 0 0 86399999 0 7200001            | first is late
1days+0 | 0 0 3600000 7200000 1             | 82799999 79200000
1days+2 | 0 0 86400999~1000                 | 7200001 86400000
1days+2 | 0 0 90000000c5000000              | 8600000 86400000
1days+2 | 0 0 10800000 back 9000000         | 84600000 86400000
300+3   | 0 0 1000~50                       | 302050 300000
300+3   | 0 0 1000~1000                     | 303000 300000
300+3   | 0 0 1000~5000                     | 303000 300000
300+3   | 0 0 5000~5000                     | 299000 300000
300+3   | 0 0 5000~5000 0 5000~5000         | 297200 303000
300+3   | 0 0 5000~5000 0 5000~0 0 5000~5000 | 295400 306000
300+3   | 0 0 5000~-9000                    | 298000 300000
300+3   | 0 0 300000~1                      | 3001 300000
300+3   | 0 0 300999~1000                   | 3001 300000
300+3   | 0 0 301000~1000                   | first is late
10d2    | 0 0 2500~400                      | 9900 10000
300+3   | 0 0 20000c19000                   | 302000 300000
300+3   | 0 0 319999c20000                  | 3001 300000
300+3   | 0 0 320000c20000                  | first is late
300+3   | 0 0 5000c20000                    | 303000 300000
3days   | 0 0 259200999c1000                | 259200000 259200000
300+3   | 0 0 9000 back                     | 300000 300000
300+3   | 0 0 9000 back 1000                | 302000 300000
300+3   | 0 0 9000 8000 back                | 294000 300000
300+3   | 0 0 9000 8000 back 1000           | 294000 302000
300+3   | 0 0 5000~5000 back 5000~5000      | 299000 300000
300+3   | 0 0 back 9000                     | 300000 300000
";

fn clock(text: &str) -> ClockRule {
    if let Some((days, hours)) = text.split_once("days+") {
        return bank(days.parse().unwrap(), hours.parse().unwrap());
    }
    if let Some(days) = text.strip_suffix("days") {
        return ClockRule::Correspondence { days: Days::try_from(days.parse::<u64>().unwrap()).unwrap() };
    }
    let place = text.find(['+', 'd', 'b']).unwrap();
    let (base, bonus) = (&text[..place], &text[place + 1..]);
    let (bonus_s, bonus) = match (&text[place..=place], bonus.strip_suffix('a')) {
        ("+", Some(seconds)) => (seconds, Bonus::PerAction),
        ("+", None) => (bonus, Bonus::PerTurn),
        ("d", _) => (bonus, Bonus::Delay),
        _ => (bonus, Bonus::Bronstein),
    };
    let (base_s, bonus_s) = (base.parse().unwrap(), bonus_s.parse().unwrap());
    ClockRule::RealTime(RealTime::new(base_s, bonus_s, bonus).unwrap())
}

/// Returns the number after a letter in a turn's text.
fn part(turn: &str, letter: char) -> Option<i64> {
    let (_, rest) = turn.split_once(letter)?;
    let end = rest.find(['x', '~', 'c']).unwrap_or(rest.len());
    Some(rest[..end].parse().unwrap())
}

/// Plays one turn of the golden table.
fn play_turn(game: &mut Game, turn: &str) -> Result<Version, Refusal> {
    if turn == "back" {
        let (asked, asks) = (game.player_to_move(), game.state.play().to_move().other());
        let asks = named(game.state.seats().unwrap()[asks]);
        let (what, rematch) = (OfferKind::Takeback, GameId::new(Uuid::nil()));
        game.give(&asks, &Command::Offer { what, rematch }).unwrap();
        return game.give(&asked, &Command::Answer { what, accept: true, rematch });
    }
    let elapsed_ms: i64 = turn[..turn.find(['x', '~', 'c']).unwrap_or(turn.len())].parse().unwrap();
    game.now_ms += elapsed_ms;
    if let Some(away_ms) = part(turn, 'c') {
        game.keep(credit(&game.state, Away::of_outages(away_ms), game.now_ms).unwrap());
    }
    let moves = part(turn, 'x').map_or(1, |moves| usize::try_from(moves).unwrap());
    game.play(moves, part(turn, '~').unwrap_or(0))
}

fn outcome_of(clock: ClockRule, turns: &str) -> String {
    let mut game = Game::begun_with(Ruleset::Fibonacci, clock);
    for turn in turns.split_whitespace() {
        let side = game.state.play().to_move();
        match play_turn(&mut game, turn) {
            Ok(_) => {}
            Err(Refusal::OutOfTime) => return format!("{side} is late"),
            Err(refusal) => panic!("{turn} of {turns}: {refusal:?}"),
        }
    }
    let left = game.state.clocks.left_ms.unwrap();
    format!("{} {}", left.first, left.second)
}

#[test]
fn the_golden_table_of_clocks_holds_to_the_millisecond() {
    let mut n_cases = 0;
    for line in GOLDEN.lines().filter(|line| !line.is_empty()) {
        let [rule, turns, expected] = line.split('|').collect::<Vec<_>>()[..] else { panic!("{line}") };
        assert_eq!(outcome_of(clock(rule.trim()), turns), expected.trim(), "{line}");
        n_cases += 1;
    }
    assert!(n_cases >= 60, "{n_cases} cases");
}

/// Returns a game in which both sides have made a turn.
fn under_way(rule: &str) -> Game {
    let mut game = Game::begun_with(Ruleset::Fibonacci, clock(rule));
    game.play(1, 0).unwrap();
    game.play(1, 0).unwrap();
    game
}

#[test]
fn a_flag_falls_exactly_when_the_time_and_the_lag_quota_are_used_up() {
    for (rule, allowed_ms) in [
        ("300+3", 300_000),
        ("10d2", 12_000),
        ("10b2", 10_000),
        ("2days", 172_800_000),
        ("2days+36", 172_800_000),
    ] {
        let mut game = under_way(rule);
        let falls_ms = game.now_ms + allowed_ms + i64::from(clock::LagQuota::FULL_MS);
        assert_eq!(flag_falls_at_ms(&game.state), Some(falls_ms), "{rule}");
        assert!(flag_fall(&game.state, falls_ms - 1).is_none(), "{rule}");
        game.keep(flag_fall(&game.state, falls_ms).unwrap());
        let Phase::Finished { outcome, .. } = &game.state.phase else { panic!("{rule}") };
        assert_eq!(*outcome, Outcome { winner: Some(Side::Second), reason: Reason::Time }, "{rule}");
        assert_eq!(flag_falls_at_ms(&game.state), None, "it falls only once");
    }
}

#[test]
fn a_game_is_aborted_or_its_room_opens_again_when_the_time_for_a_first_turn_runs_out() {
    for (rule, first_turn_ms) in
        [("300+3", 60_000), ("180+180", 60_000), ("2days", 172_800_000), ("3days+1", 259_200_000)]
    {
        for (turns_made, then) in [(0, Status::Aborted), (1, Status::Open)] {
            let mut game = Game::begun_with(Ruleset::Fibonacci, clock(rule));
            for _ in 0..turns_made {
                game.now_ms += 1_000;
                game.play(1, 0).unwrap();
            }
            let aborts_ms = game.now_ms + first_turn_ms;
            assert!(flag_fall(&game.state, aborts_ms - 1).is_none(), "{rule}");
            game.keep(flag_fall(&game.state, aborts_ms).unwrap());
            assert_eq!(game.status(), then, "{rule} after {turns_made} turns");
        }
    }
}

#[test]
fn a_room_that_nobody_joins_is_closed_after_30_days_which_begin_again_when_it_opens_again() {
    const DAYS_MS: i64 = 30 * 86_400_000;
    let mut game = Game::room(SeatChoice::First);
    let mut opened_ms = MADE_MS;
    for _ in 0..2 {
        assert_eq!(flag_falls_at_ms(&game.state), Some(opened_ms + DAYS_MS));
        assert!(flag_fall(&game.state, opened_ms + DAYS_MS - 1).is_none());
        let closed = flag_fall(&game.state, opened_ms + DAYS_MS).unwrap();
        assert_eq!(closed.next.status(), Status::Cancelled);
        let [Recorded { event, .. }] = &closed.events[..] else { panic!("{:?}", closed.events) };
        assert_eq!(game.state.cause(event), Cause::Server);
        assert_eq!(flag_falls_at_ms(&closed.next), None);
        game.now_ms += DAYS_MS / 2;
        let joiner = if game.state.has_left(blaise().id) { stranger() } else { blaise() };
        game.give(&joiner, &Command::Join { coin: true }).unwrap();
        game.give(&joiner, &Command::Abort { gone_ms: None }).unwrap();
        opened_ms = game.now_ms;
    }
}

#[test]
fn a_game_without_a_clock_has_no_deadline_after_both_first_turns() {
    let mut game = Game::begun();
    assert!(flag_falls_at_ms(&game.state).is_some(), "the first turn has a deadline");
    game.play(1, 0).unwrap();
    game.play(1, 0).unwrap();
    assert_eq!(flag_falls_at_ms(&game.state), None);
}

/// The reference model counts the hours that a side has used of its bank.
#[test]
fn a_bank_equals_a_model_of_used_hours_and_never_exceeds_its_days() {
    const HOUR_MS: i64 = 3_600_000;
    let mut dice = Dice(7);
    let mut n_late = 0;
    for _ in 0..1_000 {
        let (days, hours) = (1 + dice.below(30), dice.below(169));
        let rule = bank(days as u64, hours as u64);
        let mut left_ms = rule.beginning_ms().unwrap();
        let mut used = 0;
        for _ in 0..12 {
            let took = dice.below(days * 24 / 2 + 40);
            let is_late = took >= days * 24 - used;
            let took_ms = took as i64 * HOUR_MS;
            assert_eq!(took_ms >= rule.allows_ms(left_ms), is_late, "{rule:?}");
            if is_late {
                n_late += 1;
                break;
            }
            used = (used + took).saturating_sub(hours);
            left_ms = rule.after_turn_ms(left_ms, took_ms, &[]);
            assert_eq!(left_ms, (days * 24 - used) as i64 * HOUR_MS, "{rule:?}");
            assert!((1..=days as i64 * 24 * HOUR_MS).contains(&left_ms), "{rule:?} {left_ms}");
        }
    }
    assert!((100..900).contains(&n_late), "{n_late} of 1,000 were late");
}

#[test]
fn time_runs_from_the_commit_of_the_other_sides_turn() {
    let mut game = under_way("300+3");
    let decided_ms = game.now_ms;
    game.state.committed(decided_ms + 70);
    game.now_ms = decided_ms + 1_070;
    game.play(1, 0).unwrap();
    assert_eq!(game.state.clocks.left_ms.unwrap().first, 302_000);
}

#[test]
fn an_outage_is_credited_only_once() {
    let mut game = under_way("300+3");
    game.keep(credit(&game.state, Away::of_outages(5_000), game.now_ms).unwrap());
    assert!(credit(&game.state, Away::of_outages(5_000), game.now_ms).is_none());
    assert!(credit(&game.state, Away::of_outages(0), game.now_ms).is_none());
    game.keep(credit(&game.state, Away::of_outages(7_000), game.now_ms).unwrap());
    let credits = game.log.iter().filter_map(|one| match one.event {
        Event::TimeCredited { ms, side, vacation_until_ms: None } => Some((side, ms)),
        _ => None,
    });
    assert_eq!(credits.collect::<Vec<_>>(), [(Side::First, 5_000), (Side::First, 2_000)]);
    game.play(1, 0).unwrap();
    assert!(
        credit(&game.state, Away::of_outages(0), game.now_ms).is_none(),
        "each turn counts its own credits"
    );
}

#[test]
fn the_clocks_show_the_time_left_at_any_moment_of_a_turn() {
    let mut game = under_way("10d2");
    let began_ms = game.now_ms;
    let left = |game: &Game, after_ms| {
        let Phase::Playing { turn, .. } = &game.state.phase else { panic!("not playing") };
        game.state.left_ms(turn, began_ms + after_ms).unwrap()
    };
    for (after_ms, first) in [(0, 10_000), (500, 10_000), (2_000, 10_000), (2_001, 9_999), (99_000, 0)] {
        assert_eq!(left(&game, after_ms), BySide { first, second: 10_000 }, "after {after_ms} ms");
    }
    game.keep(credit(&game.state, Away::of_outages(1_000), began_ms).unwrap());
    assert_eq!(left(&game, 3_000).first, 10_000, "credited time is used up first");
}

#[test]
fn a_finished_game_shows_the_time_left_at_its_end() {
    let left = |game: &Game| {
        assert_eq!(game.status(), Status::Finished);
        let BySide { first, second } = game.state.clocks.left_ms.unwrap();
        (first, second)
    };
    let resigned = |rule, who: fn() -> Player| {
        let mut game = under_way(rule);
        game.now_ms += 4_000;
        game.give(&who(), &Command::Resign).unwrap();
        let mut again = State::begin(&game.log[0]).unwrap();
        game.log[1..].iter().for_each(|event| again.apply(event).unwrap());
        assert_eq!(again.clocks, game.state.clocks, "the log folds to the same clocks");
        left(&game)
    };
    assert_eq!(resigned("10+3", ada), (6_000, 10_000), "no increment for a turn that was not played");
    assert_eq!(resigned("10+3", blaise), (6_000, 10_000), "only the side to move is charged");
    assert_eq!(resigned("10d3", ada), (9_000, 10_000), "the delay is not charged");

    let mut game = under_way("10+3");
    game.now_ms += 4_000;
    game.keep(credit(&game.state, Away::of_outages(1_500), game.now_ms).unwrap());
    game.give(&blaise(), &Command::Claim { what: ClaimKind::Draw, gone_ms: Some(120_000) }).unwrap();
    assert_eq!(left(&game), (7_500, 10_000), "credited time is not charged");

    let mut game = under_way("10+3");
    game.now_ms += 11_000;
    game.keep(flag_fall(&game.state, game.now_ms).unwrap());
    assert_eq!(left(&game), (0, 10_000), "no clock goes below 0");
}
