//! The format of stored events, pinned by a snapshot.

use super::*;

fn real_time(base_s: u32, bonus_s: u32, bonus: Bonus) -> ClockRule {
    ClockRule::RealTime(RealTime::new(base_s, bonus_s, bonus).unwrap())
}

fn actions(text: &str) -> Vec<ActionText> {
    text.split_whitespace().map(|text| ActionText::try_from(text.to_owned()).unwrap()).collect()
}

fn created(visibility: Visibility, seat: SeatChoice, terms: Terms) -> Event {
    Event::Created {
        ruleset: Ruleset::Fibonacci,
        visibility,
        creator: ada().id,
        challenged: None,
        seat,
        terms,
        start: None,
        seed: None,
    }
}

/// Returns rooms that together use every word that the makers of rooms can choose.
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
        created(Public, First, Terms { clock: bank(10, 36), ..Terms::default() }),
        created(Public, Second, timed(Bonus::PerTurn)),
        created(Public, First, timed(Bonus::PerAction)),
        created(Public, First, timed(Bonus::Delay)),
        created(Public, First, timed(Bonus::Bronstein)),
    ];
    rooms.push(Event::Created {
        ruleset: Ruleset::Fibonacci,
        visibility: Link,
        creator: ada().id,
        challenged: Some(blaise().id),
        seat: First,
        terms: open.clone(),
        start: None,
        seed: None,
    });
    for ruleset in Ruleset::ALL {
        rooms.push(Event::Created {
            ruleset,
            visibility: Public,
            creator: blaise().id,
            challenged: None,
            seat: Random,
            terms: open.clone(),
            start: Some("the text of a position".to_owned()),
            seed: ruleset.has_cards().then(|| engine::Seed::new([7; 32])),
        });
    }
    rooms
}

/// Returns events of every kind, with each optional field present and absent.
fn events() -> Vec<Event> {
    use Side::{First, Second};
    let time = Some(BySide { first: 179_000, second: -5 });
    let mut events = rooms();
    events.extend([
        Event::Started { seats: Seats { first: blaise().id, second: ada().id }, joined: true },
        Event::Started { seats: Seats { first: ada().id, second: blaise().id }, joined: false },
        Event::TurnPlayed { actions: actions("b7-c7"), took_ms: 0, lag_ms: 0, time: None },
        Event::TurnPlayed { actions: actions("j5-i5 end"), took_ms: 1_234, lag_ms: 56, time },
        Event::TurnsTakenBack { turns: 2, side: First },
        Event::TimeCredited { side: Second, ms: 60_000, vacation_until_ms: None },
        Event::TimeCredited { side: First, ms: -60_000, vacation_until_ms: Some(1_700_000_000_000) },
        Event::Flagged { side: First },
        Event::Claimed { side: Second },
        Event::Aborted { side: Some(First) },
        Event::Aborted { side: None },
        Event::Reopened { side: Some(Second) },
        Event::Reopened { side: None },
        Event::RematchStarted { rematch: GameId::new(Uuid::from_u128(9)), side: Second },
        Event::Resigned { side: First },
        Event::DrawAgreed { side: Second },
        Event::Cancelled { by: ClosedBy::Maker },
        Event::Cancelled { by: ClosedBy::Challenged { counter: None } },
        Event::Cancelled { by: ClosedBy::Challenged { counter: Some(GameId::new(Uuid::from_u128(9))) } },
        Event::Cancelled { by: ClosedBy::Time },
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
fn event_bodies_match_the_snapshot_and_read_back_as_the_same_events() {
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
fn unknown_fields_of_a_body_are_ignored() {
    let known = r#"{"v":3,"type":"created","ruleset":"fenix","visibility":"link","creator":"019a9f3e-0000-7000-8000-000000000001","seat":"first","terms":{"clock":{"kind":"real_time","base_s":180,"bonus_s":2,"bonus":"delay"},"watching":"nobody","drafts":"hidden","delay":3}}"#;
    let later = known
        .replace(r#""bonus":"delay""#, r#""bonus":"delay","periods":3"#)
        .replace(r#""delay":3"#, r#""delay":3,"rated":true"#)
        .replace(r#""seat":"first""#, r#""seat":"first","pool":{"name":"blitz"}"#);
    assert_ne!(later, known);
    let [read, expected] = [later.as_str(), known].map(|body| Recorded::read(MADE_MS, body).unwrap());
    assert_eq!(read, expected);
    assert_eq!(read.body(), known);
}

#[test]
fn missing_fields_of_an_old_body_get_their_defaults() {
    let expected = Event::TurnPlayed { actions: actions("b7-c7"), took_ms: 5, lag_ms: 0, time: None };
    for body in [
        r#"{"v":1,"type":"turn_played","actions":["b7-c7"],"took_ms":5}"#,
        r#"{"v":2,"turn":"b7-c7","ms":5}"#,
    ] {
        assert_eq!(Recorded::read(MADE_MS, body).unwrap().event, expected, "{body}");
    }
    for terms in ["", r#","terms":{}"#, r#","terms":{"delay":0}"#] {
        let creator = r#"{"id":"00000000-0000-0000-0000-000000000001","name":"Ada","title":"Countess"}"#;
        let body = format!(
            r#"{{"v":1,"type":"created","ruleset":"fibonacci","visibility":"public","creator":{creator},"seat":"random"{terms}}}"#
        );
        let expected = created(Visibility::Public, SeatChoice::Random, Terms::default());
        assert_eq!(Recorded::read(MADE_MS, &body).unwrap().event, expected, "{terms}");
    }
}

#[test]
fn a_turn_is_read_from_both_schemas() {
    let time = Some(BySide { first: 179_000, second: -5 });
    let expected = Event::TurnPlayed { actions: actions("j5-i5 end"), took_ms: 1_234, lag_ms: 56, time };
    for body in [
        r#"{"v":1,"type":"turn_played","actions":["j5-i5","end"],"took_ms":1234,"lag_ms":56,"time":{"first_ms":179000,"second_ms":-5}}"#,
        r#"{"v":2,"turn":"j5-i5 end","ms":1234,"lag":56,"left":[179000,-5]}"#,
        r#"{"turn":"j5-i5 end","left":[179000,-5],"of_a_later_release":[{"v":9}],"lag":56,"ms":1234,"v":2}"#,
    ] {
        assert_eq!(Recorded::read(MADE_MS, body).unwrap().event, expected, "{body}");
    }
}

#[test]
fn any_actions_of_a_turn_are_read_back() {
    for text in ["", "end", r#"" \ "\ a"b"#] {
        let event = Event::TurnPlayed { actions: actions(text), took_ms: 0, lag_ms: 0, time: None };
        let recorded = Recorded { at_ms: MADE_MS, event };
        assert_eq!(Recorded::read(MADE_MS, &recorded.body()), Ok(recorded), "{text}");
    }
}

#[test]
fn an_invalid_stored_turn_is_refused() {
    let long = format!(r#"{{"v":2,"turn":"{}","ms":5}}"#, "x".repeat(129));
    for body in [
        r#"{"v":2,"turn":"b7-c7  c7-d7","ms":5}"#,
        r#"{"v":2,"turn":"b7-c7\u0000","ms":5}"#,
        r#"{"v":2,"turn":["b7-c7"],"ms":5}"#,
        r#"{"v":2,"turn":"b7-c7"}"#,
        r#"{"v":2,"turn":"b7-c7","ms":5,"left":[1]}"#,
        r#"{"v":2,"type":"cancelled"}"#,
        &long,
    ] {
        assert!(matches!(Recorded::read(MADE_MS, body), Err(Unreadable::Json(_))), "{body}");
    }
}

#[test]
fn the_ranges_of_a_bank_are_read_back_from_their_stored_text() {
    for (rule, text) in [
        (bank(1, 0), r#"{"kind":"bank","base_days":1,"bonus_hours":0}"#),
        (bank(10, 36), r#"{"kind":"bank","base_days":10,"bonus_hours":36}"#),
        (bank(30, 168), r#"{"kind":"bank","base_days":30,"bonus_hours":168}"#),
    ] {
        assert_eq!(clock_to_db(rule), text);
        assert_eq!(clock_from_db(text), Ok(rule));
    }
}

#[test]
fn an_invalid_stored_clock_or_word_is_refused() {
    for (text, is_clock) in [
        (r#"{"kind":"real_time","base_s":0,"bonus_s":0,"bonus":"delay"}"#, true),
        (r#"{"kind":"real_time","base_s":180,"bonus_s":2,"bonus":"hourglass"}"#, false),
        (r#"{"kind":"correspondence","days":15}"#, false),
        (r#"{"kind":"bank","base_days":0,"bonus_hours":36}"#, false),
        (r#"{"kind":"bank","base_days":31,"bonus_hours":36}"#, false),
        (r#"{"kind":"bank","base_days":10,"bonus_hours":169}"#, false),
        (r#"{"kind":"bank","base_days":10}"#, false),
        (r#"{"kind":"sundial"}"#, false),
    ] {
        let error = clock_from_db(text).unwrap_err();
        assert_eq!(matches!(error, Unreadable::Clock(_)), is_clock, "{text}: {error}");
        assert_eq!(matches!(error, Unreadable::Json(_)), !is_clock, "{text}: {error}");
    }
    assert!(matches!(
        Recorded::read(0, r#"{"v":1,"type":"resigned","side":"third"}"#),
        Err(Unreadable::Json(_))
    ));
}

#[test]
fn the_players_of_a_body_are_found_in_all_its_schemas() {
    for event in events() {
        let expected = match &event {
            Event::Created { creator, challenged, .. } => [*creator].into_iter().chain(*challenged).collect(),
            Event::Started { seats, .. } => vec![seats.first, seats.second],
            _ => vec![],
        };
        assert_eq!(crate::players_in(&Recorded { at_ms: MADE_MS, event }.body()), expected);
    }
    let seats = format!(
        r#"{{"first":{{"id":"{}","name":"Ada"}},"second":{{"id":"{}","name":"B"}}}}"#,
        ada().id,
        blaise().id
    );
    let body = format!(r#"{{"v":1,"type":"started","seats":{seats}}}"#);
    assert_eq!(crate::players_in(&body), [ada().id, blaise().id]);
    assert_eq!(crate::players_in("no event"), []);
}
