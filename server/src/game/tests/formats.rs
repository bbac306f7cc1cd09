//! The formats of what is stored of a game and of what is shown of it, pinned by snapshots.

use serde::Serialize;

use super::*;
use crate::protocol::{Bonus, Drafts, RealTime, RealTimeParts, Seats, Watching};

fn real_time(base_s: u32, bonus_s: u32, bonus: Bonus) -> ClockRule {
    ClockRule::RealTime(RealTime::try_from(RealTimeParts { base_s, bonus_s, bonus }).unwrap())
}

fn actions(text: &str) -> Vec<ActionText> {
    text.split_whitespace().map(|text| ActionText::try_from(text.to_owned()).unwrap()).collect()
}

fn created(visibility: Visibility, seat: SeatChoice, terms: Terms) -> Event {
    Event::Created {
        ruleset: Ruleset::Fibonacci,
        visibility,
        creator: ada(),
        seat,
        terms,
        start: None,
        seed: None,
    }
}

/// Rooms that together have each word that the makers of rooms can choose.
fn rooms() -> Vec<Event> {
    use SeatChoice::{First, Random, Second};
    use Visibility::{Link, Public};
    let open = Terms::default();
    let closed = Terms {
        watching: Watching::Nobody,
        drafts: Drafts::Hidden,
        delay: 20.try_into().unwrap(),
        clock: ClockRule::Correspondence { days: 14.try_into().unwrap() },
    };
    let timed = |bonus| Terms { clock: real_time(180, 2, bonus), ..Terms::default() };
    let mut rooms = vec![
        created(Public, Random, open.clone()),
        created(Link, First, closed),
        created(Public, Second, timed(Bonus::PerTurn)),
        created(Public, First, timed(Bonus::PerAction)),
        created(Public, First, timed(Bonus::Delay)),
        created(Public, First, timed(Bonus::Bronstein)),
    ];
    for ruleset in Ruleset::ALL {
        rooms.push(Event::Created {
            ruleset,
            visibility: Public,
            creator: blaise(),
            seat: Random,
            terms: open.clone(),
            start: Some("the text of a position".to_owned()),
            seed: ruleset.has_cards().then(|| engine::Seed::new([7; 32])),
        });
    }
    rooms
}

/// An event of each kind, with each field written and left out.
fn events() -> Vec<Event> {
    use Side::{First, Second};
    let time = Some(Times { first_ms: 179_000, second_ms: -5 });
    let mut events = rooms();
    events.extend([
        Event::Started { seats: Seats { first: blaise(), second: ada() } },
        Event::TurnPlayed { actions: actions("b7-c7"), took_ms: 0, lag_ms: 0, time: None },
        Event::TurnPlayed { actions: actions("j5-i5 end"), took_ms: 1_234, lag_ms: 56, time },
        Event::TurnsTakenBack { turns: 2, side: First },
        Event::TimeCredited { side: Second, ms: 60_000 },
        Event::Flagged { side: First },
        Event::Claimed { side: Second },
        Event::Aborted { side: Some(First) },
        Event::Aborted { side: None },
        Event::RematchStarted { rematch: GameId::new(Uuid::from_u128(9)), side: Second },
        Event::Resigned { side: First },
        Event::DrawAgreed { side: Second },
        Event::Cancelled,
    ]);
    for what in [OfferKind::Draw, OfferKind::Takeback, OfferKind::Rematch] {
        events.extend([Event::Offered { what, side: First }, Event::Declined { what, side: Second }]);
    }
    for (winner, reason) in [
        (Some(First), Reason::Surround),
        (Some(Second), Reason::King),
        (Some(First), Reason::Blocked),
        (None, Reason::Repetition),
        (None, Reason::Quiet),
        (None, Reason::TurnLimit),
        (Some(Second), Reason::Resign),
        (Some(First), Reason::Time),
        (None, Reason::Agreement),
        (Some(Second), Reason::Abandon),
    ] {
        events.push(Event::Ended { outcome: Outcome { winner, reason } });
    }
    events
}

#[test]
fn the_bodies_of_events_are_written_as_ever_and_read_as_what_they_were() {
    let mut bodies = String::new();
    for event in events() {
        let recorded = Recorded { at_ms: MADE_MS, event };
        let body = recorded.body();
        assert_eq!(Recorded::read(MADE_MS, &body), Ok(recorded), "{body}");
        bodies += &body;
        bodies.push('\n');
    }
    insta::assert_snapshot!("stored_events", bodies);
}

#[test]
fn what_is_shown_of_a_game_is_written_as_ever() {
    for ruleset in Ruleset::ALL {
        let mut shown = String::new();
        let mut game = Game::room_with(ruleset, SeatChoice::First, real_time(180, 2, Bonus::PerTurn));
        game.give(&blaise(), &Command::Join { coin: false }).unwrap();
        for _ in 0..2 {
            game.now_ms += 700;
            game.play(usize::MAX, 5).unwrap();
        }
        let mut state = State::begin(&game.log[0]).unwrap();
        show(&mut shown, &view::event(&state, state.version(), &game.log[0]));
        show(&mut shown, &view::snapshot(&state, game.now_ms));
        for recorded in &game.log[1..] {
            state.apply(recorded).unwrap();
            show(&mut shown, &view::event(&state, state.version(), recorded));
        }
        let draft = state.play().draft::<&str>(&[]).unwrap();
        show(&mut shown, &view::draft(&draft));
        for action in draft.legal().into_iter().take(3) {
            show(&mut shown, &view::legal_action(action));
        }
        show(&mut shown, &view::snapshot(&state, game.now_ms + 100));
        show(&mut shown, &view::summary(GameId::new(Uuid::from_u128(9)), &state));
        game.give(&ada(), &Command::Resign).unwrap();
        show(&mut shown, &view::event(&game.state, game.state.version(), game.log.last().unwrap()));
        show(&mut shown, &view::snapshot(&game.state, game.now_ms));
        insta::assert_snapshot!(format!("shown_{}", ruleset.id()), shown);
    }
}

fn show(shown: &mut String, what: &impl Serialize) {
    *shown += &serde_json::to_string(what).unwrap();
    shown.push('\n');
}
