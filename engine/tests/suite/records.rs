//! Tests of game records: the example of `docs/records.md`, false records, and round trips of random games.

use engine::{
    AnyMatch, Budget, Card,
    Ruleset::{self, Crossfire, Fibonacci, FibonacciCards, Focus, FocusClassic},
    Seed,
    record::{Date, EndReason, Ending, LineText, Record, RecordErrorKind},
};

use crate::{dice::Dice, new, play, position, read, slow_stacks::Stacks, start_at};

const DOCUMENT: &str = include_str!("../../../docs/records.md");

/// Returns the document's only code block of a language.
fn block(language: &str) -> String {
    let (_, rest) = DOCUMENT.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// The document's example as a match.
fn example_game() -> AnyMatch {
    let mut game = read(Crossfire, &Stacks::of(Crossfire, "g9:x g1:o", "1 1 0 0"));
    play(&mut game, "g9-f8, g1-f2, f8-g9, f2-g1, g9-h8, g1-h2, h8-g9, h2-g1");
    game
}

/// Replaces `from` with `to` in the example and checks that it is refused with the message `expected`.
#[track_caller]
fn refuse(from: &str, to: &str, expected: &str) {
    let text = block("text");
    assert!(text.contains(from), "{from}");
    let text = text.replacen(from, to, 1);
    match Record::parse_text(&text).and_then(|record| record.replay()) {
        Ok(game) => panic!("{text} led to {}", game.position_text()),
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

#[test]
fn the_example_of_the_document_is_a_record_in_both_forms() {
    let text = block("text");
    let record = Record::parse_text(&text).unwrap();
    assert_eq!(record.to_text(), text);
    assert_eq!(Record::from_json(&block("json")), Ok(record.clone()));
    let without_spaces = |json: String| json.split_whitespace().collect::<String>();
    assert_eq!(without_spaces(record.to_json()), without_spaces(block("json")));
    let game = record.replay().unwrap();
    assert_eq!(game.position_text(), example_game().position_text());
    assert_eq!(game.turns(), example_game().turns());

    let mut expected = Record::from_match(&example_game());
    expected.players.first = Some("Ada Lovelace".parse().unwrap());
    expected.players.second = Some("Zoë".parse().unwrap());
    expected.date = Date::new(2026, 11, 20);
    expected.clock = Some("5 min + 3 s".parse().unwrap());
    expected.turns[0].took_ms = Some(1_250);
    expected.turns[1].took_ms = Some(12_007);
    expected.turns[7].took_ms = Some(600_000);
    assert_eq!(record, expected);
}

#[test]
fn an_illegal_action_is_refused_with_its_line_and_turn() {
    refuse(
        "3 f8-g9",
        "3 f8-g8",
        "line 13: turn 3: action 1 (rule 4.1): at byte 3 of the action: expected a cell such as `d4`",
    );
    refuse("3 f8-g9", "3 h8-g9", "line 13: turn 3: action 1 (rule 3.4): h8 is empty");
    refuse(
        "3 f8-g9",
        "3 f8-g9 f2-g1",
        "line 13: turn 3: action 2 (rule 0.2): the turn was over before this action, and the other side is to act",
    );
    refuse(
        "7 h8-g9\n8 h2-g1 600.000s",
        "7 h8-g9\n8 h2-g1 600.000s\n9 g9-f8",
        "line 19: turn 9: action 1 (rule 0.5): the game is over",
    );
    refuse(
        "5 g9-h8",
        "5 g9-f8",
        "line 15: turn 5: action 1 (rule 4.4): the same action led to the same position in turn 1",
    );
}

#[test]
fn turns_are_numbered_as_they_are_played() {
    refuse("3 f8-g9", "4 f8-g9", "line 13: turn 4: the turn to be played is 3");
    refuse("3 f8-g9\n", "", "line 13: turn 4: the turn to be played is 3");
}

#[test]
fn a_wrong_end_is_refused() {
    refuse("result: second", "result: first", "line 7: the game ended with `second blocked`");
    refuse("result: second", "result: draw", "line 7: the game ended with `second blocked`");
    refuse("reason: blocked", "reason: resign", "line 7: the game ended with `second blocked`");
    refuse("result: second\nreason: blocked\n", "", "line 17: the game ended with `second blocked`");
    refuse("8 h2-g1", "8 h2-j2", "line 7: the game is not over by the rules");
    let text = block("text");
    let (_, last) = text.rsplit_once("final: ").unwrap();
    let wrong = last.trim_end().replace(" 1 9 ", " 1 11 ");
    refuse(last.trim_end(), &wrong, &format!("line 19: the game led to `{}`", last.trim_end()));
}

#[test]
fn a_game_may_end_for_reasons_outside_the_rules() {
    let mut game = AnyMatch::new(FocusClassic);
    play(&mut game, "e7-e6, c7-c6");
    let mut record = Record::from_match(&game);
    assert_eq!(record.ending, None);
    for (winner, reason, accepted) in [
        ("first", "resign", true),
        ("second", "time", true),
        ("draw", "time", true),
        ("draw", "agreement", true),
        ("draw", "abandon", true),
        ("draw", "resign", false),
        ("first", "agreement", false),
        ("first", "blocked", false),
        ("draw", "repetition", false),
    ] {
        let reason: EndReason = reason.parse().unwrap();
        record.ending = Some(Ending { winner: winner.parse().ok(), reason });
        assert_eq!(record.replay().is_ok(), accepted, "{winner} {reason:?}");
        assert_eq!(Record::parse_text(&record.to_text()), Ok(record.clone()));
    }
    record.ending = Some(Ending { winner: None, reason: EndReason::Resign });
    assert_eq!(record.replay().unwrap_err().kind, RecordErrorKind::WrongWinner);
}

#[test]
fn a_wrong_start_is_refused() {
    refuse(
        "start: x/",
        "start: y/",
        "line 9: the start is refused: at byte 0: expected `.`, or men `x` and `o` (rule 4.3)",
    );
    refuse(
        "start: x/",
        "start: ./",
        "line 9: the start is refused: at byte 0: first has no legal action, so the game is over (rule 0.9)",
    );
    assert!(!Record::from_match(&AnyMatch::new(Focus)).to_text().contains("start"));
}

#[test]
fn the_default_start_of_a_ruleset_is_not_written() {
    for ruleset in Ruleset::ALL {
        let mut record = Record::from_match(&AnyMatch::new(ruleset));
        assert!(record.replay().is_ok() || ruleset == FibonacciCards);
        record.start = Some(AnyMatch::new(ruleset).start_text().parse().unwrap());
        for read in [Record::parse_text(&record.to_text()), Record::from_json(&record.to_json())] {
            let error = read.unwrap().replay().unwrap_err();
            assert_eq!(error.to_string(), "line 3: the ruleset's own start must be left out");
        }
    }
}

#[test]
fn cards_are_refused_where_there_are_none() {
    let hash = "card_hash: ".to_owned() + &"0a".repeat(32) + "\n\n";
    refuse("\n\n", &format!("\n{hash}"), "line 10: the ruleset has no cards");
    refuse("3 f8-g9", "3 [5] f8-g9", "line 13: turn 3: the ruleset has no cards");
    // A replay passes each card in the record to its caller.
    let record = Record::parse_text(&block("text").replace("3 f8-g9", "3 [5] f8-g9")).unwrap();
    let mut cards = Vec::new();
    let replayed = record.replay_with(
        &mut Budget::unlimited(),
        |game, turn| {
            assert_eq!(game.turn(), turn.number);
            cards.extend(turn.card.map(Card::get));
            Ok(())
        },
        |_, _| {},
    );
    assert_eq!(
        (replayed.map(|game| game.position_text()), cards),
        (Ok(record.final_text.to_string()), vec![5])
    );
}

/// A game with cards after three turns, with the card of the fourth turned over.
fn game_with_cards() -> AnyMatch {
    let mut game = new(FibonacciCards);
    play(&mut game, "b7-c7 end, j5-i5 end, c7-b7 end");
    game
}

/// Replays the game with cards, with `from` replaced by `to`, and with `headers` after the ruleset. Returns the final
/// position's text, or the error message.
fn replay_cards(headers: &str, from: &str, to: &str) -> Result<String, String> {
    let text = Record::from_match(&game_with_cards()).to_text();
    let (head, turns) = text.split_once("\n\n").unwrap();
    assert_eq!(
        head,
        format!("towers-record 1\nruleset: fibonacci-cards\ncard_hash: {}", Seed::new([7; 32]).hash())
    );
    assert!(turns.contains(from), "{from}");
    let text =
        format!("towers-record 1\nruleset: fibonacci-cards\n{headers}\n{}", turns.replacen(from, to, 1));
    let record = Record::parse_text(&text).unwrap();
    assert_eq!(record.to_text(), text);
    assert_eq!(Record::from_json(&record.to_json()), Ok(record.clone()));
    record.replay().map(|game| game.position_text()).map_err(|error| error.to_string())
}

#[test]
fn cards_are_turned_over_as_the_record_says() {
    let game = game_with_cards();
    let end = game.position_text();
    let record = Record::from_match(&game);
    assert_eq!(record.start, None);
    let text = record.to_text();
    assert!(text.contains("\n\n1 [3] b7-c7 end\n2 [4] j5-i5 end\n3 [3] c7-b7 end\n4 [6]\nfinal: "), "{text}");
    let replayed = record.replay().unwrap();
    assert_eq!(
        (replayed.turns(), replayed.cards(), replayed.present()),
        (game.turns(), game.cards(), game.present())
    );
    // Without hash and seed, the cards cannot be checked.
    assert_eq!(replay_cards("", "", ""), Ok(end));
}

#[test]
fn a_record_with_a_wrong_card_is_refused() {
    let seed = Seed::new([7; 32]);
    let seed_line = format!("seed: {}\n", seed.reveal());
    let headers = format!("card_hash: {}\n{seed_line}", seed.hash());
    assert_eq!(replay_cards(&headers, "", ""), Ok(game_with_cards().position_text()));
    let lie = |expected: &str| Err(expected.to_owned());
    for (from, to, expected) in [
        ("2 [4]", "2 [5]", "line 7: turn 2: the card of turn 2 was 5 where the seed has 4"),
        ("4 [6]", "4 [5]", "line 9: turn 4: the card of turn 4 was 5 where the seed has 6"),
        ("2 [4]", "2", "line 7: turn 2: a turn of a ruleset with cards must have its card"),
        (
            "4 [6]",
            "4 [6]\n4 [6]",
            "line 9: turn 4: action 1 (rule 1.9): the turn is not complete: it needs more actions",
        ),
    ] {
        assert_eq!(replay_cards(&headers, from, to), lie(expected));
    }
    let led_to = replay_cards(&headers, "4 [6]\n", "").unwrap_err();
    assert!(led_to.starts_with("line 9: the game led to `") && led_to.ends_with(" 2 4 0/0`"), "{led_to}");
    let lie_in_line_6 = "line 6: turn 2: the card of turn 2 was 5 where the seed has 4";
    assert_eq!(replay_cards(&seed_line, "2 [4]", "2 [5]"), lie(lie_in_line_6));
    // The hash alone does not determine the cards.
    let hash_line = format!("card_hash: {}\n", seed.hash());
    assert_eq!(replay_cards(&hash_line, "2 [4]", "2 [5]"), Ok(game_with_cards().position_text()));
    let other = format!("card_hash: {}\nseed: {}\n", seed.hash(), Seed::new([8; 32]).reveal());
    assert_eq!(replay_cards(&other, "", ""), lie("line 4: the seed is not the one whose hash was published"));
}

#[test]
fn without_a_seed_a_card_that_no_pack_can_contain_is_refused() {
    let mut game = game_with_cards();
    play(&mut game, "i5-j5 end");
    let record = Record::from_match(&game).to_text();
    let (_, turns) = record.split_once("\n\n").unwrap();
    let text = format!("towers-record 1\nruleset: fibonacci-cards\n\n{turns}");
    assert!(text.contains("\n1 [3] b7-c7 end\n") && text.contains("\n3 [3] c7-b7 end\n"), "{text}");
    let (head, _) = text.split_once("\n5 [").unwrap();
    let replay = |card: u8| {
        let last = game.position_text().rsplit_once(' ').unwrap().0.to_owned();
        let text = format!("{head}\n5 [{card}]\nfinal: {last} {card}/{card}\n");
        Record::parse_text(&text)
            .unwrap()
            .replay()
            .map(|game| game.position_text())
            .map_err(|error| error.to_string())
    };
    assert!(replay(2).unwrap().ends_with(" 1 5 2/2"));
    let refused =
        "line 8: turn 5: both cards of value 3 have left the pack since it was shuffled (rule 1.17)";
    assert_eq!(replay(3), Err(refused.to_owned()));
}

#[test]
fn the_record_of_a_finished_game_has_the_seed() {
    let seed = Seed::new([7; 32]);
    let mut game = read(FibonacciCards, &start_at("2 1000 1/6"));
    let record = Record::from_match(&game);
    assert_eq!((record.card_hash, record.seed), (Some(seed.hash()), None));
    let actions = game.draft::<&str>(&[]).unwrap().legal();
    play(&mut game, &actions[0].text);
    let record = Record::from_match(&game);
    assert_eq!((record.card_hash, &record.seed), (Some(seed.hash()), &Some(seed)));
    assert_eq!(record.turns.last().map(|turn| turn.number.get()), Some(1001));
    assert_eq!(record.replay().map(|replayed| replayed.outcome()), Ok(game.outcome()));
    assert_eq!(Record::parse_text(&record.to_text()), Ok(record));
}

#[test]
fn the_card_of_a_start_text_is_the_card_of_the_first_turn() {
    let mut game = read(FibonacciCards, &start_at("1 1 4/4"));
    assert_eq!(Record::from_match(&game).turns, []);
    play(&mut game, "b7-c7 end");
    let mut record = Record::from_match(&game);
    assert!(record.start.is_some());
    assert_eq!(record.replay().map(|game| game.position_text()), Ok(game.position_text()));
    record.seed = Some(Seed::new([7; 32]));
    assert_eq!(record.replay().map(|game| game.position_text()), Ok(game.position_text()));
    record.turns[0].card = Card::from_value(5);
    assert_eq!(
        record.replay().unwrap_err().kind,
        RecordErrorKind::WrongCard { expected: Card::from_value(4).unwrap() }
    );
}

#[test]
fn only_the_last_turn_may_be_without_actions() {
    let replay = |from: &str, to: &str| {
        let record = Record::parse_text(&block("text").replacen(from, to, 1)).unwrap();
        assert_eq!(Record::from_json(&record.to_json()), Ok(record.clone()));
        record
            .replay_with(&mut Budget::unlimited(), |_, _| Ok(()), |_, _| {})
            .map(|game| game.turns().len())
            .map_err(|error| error.to_string())
    };
    assert_eq!(replay("final", "9 [5]\nfinal"), Ok(8));
    assert_eq!(replay("final", "9 [5] 2.000s\nfinal"), Ok(8));
    let wrong_number = "line 19: turn 1001: the turn to be played is 9";
    assert_eq!(replay("final", "1001 [5]\nfinal"), Err(wrong_number.to_owned()));
    let incomplete = "line 13: turn 3: action 1 (rule 0.2): the turn is not complete: it needs more actions";
    assert_eq!(replay("3 f8-g9", "3 [5]"), Err(incomplete.to_owned()));
}

#[test]
fn only_canonical_texts_are_read() {
    for (from, to, expected) in [
        (
            "towers-record 1",
            "towers-record 2",
            "line 1: version 2 of the format is newer than version 1, which is read here",
        ),
        ("towers-record 1", "towers-record 0", "line 1: expected towers-record 1"),
        ("towers-record 1", "towers-record", "line 1: expected towers-record 1"),
        (
            "towers-record 1",
            "\u{feff}towers-record 1",
            "line 1: the text begins with a byte order mark: leave it out",
        ),
        (
            "first: Ada Lovelace\n",
            "first: Ada Lovelace\r\n",
            "line 3: this line ends with a carriage return, as in files of Windows: end lines with a line feed alone",
        ),
        ("ruleset: crossfire\n", "", "line 2: expected a header `ruleset`"),
        ("ruleset: crossfire", "ruleset: chess", "line 2: ruleset: expected the id of a ruleset"),
        (
            "first: Ada",
            "first:  Ada",
            "line 3: first: expected 1 to 200 characters, none of them a control character, a line separator or a mark of \
             direction, and no space at the ends",
        ),
        (
            "first: Ada",
            "name: Ada",
            "line 3: expected another header, each in its place and once, or an empty line",
        ),
        ("2026-11-20", "2026-11-31", "line 5: date: expected a day such as `2026-11-20`"),
        ("2026-11-20", "2026-2-1", "line 5: date: expected a day such as `2026-11-20`"),
        ("clock", "date", "line 6: expected another header, each in its place and once, or an empty line"),
        ("result: second", "result: nobody", "line 7: result: expected `first`, `second` or `draw`"),
        ("reason: blocked\n", "", "line 8: expected a header `reason`"),
        ("reason: blocked", "reason: boredom", "line 8: reason: expected a reason such as `resign`"),
        ("\n\n", "\n", "line 10: expected another header, each in its place and once, or an empty line"),
    ] {
        refuse(from, to, expected);
    }
    assert!(Record::parse_text("").is_err());
    assert!(Record::parse_text("\n").is_err());
    assert!(Record::parse_text(&block("text").replace('\n', "\r\n")).is_err());
}

#[test]
fn only_canonical_turns_are_read() {
    for (from, to, expected) in [
        (
            "1 g9-f8",
            "01 g9-f8",
            "line 11: turn 1: expected numbers without leading zeros, and times with three decimals",
        ),
        (
            "1 g9-f8",
            "0 g9-f8",
            "line 11: turn 0: expected a turn from 1 to 1001, or `final: ` and a position",
        ),
        ("1 g9-f8 1.250s", "1 1.250s", "line 11: turn 1: expected an action"),
        ("1 g9-f8 1.250s", "1", "line 11: turn 1: expected an action"),
        (
            "1.250s",
            "1.25s",
            "line 11: turn 1: expected numbers without leading zeros, and times with three decimals",
        ),
        (
            "1.250s",
            "01.250s",
            "line 11: turn 1: expected numbers without leading zeros, and times with three decimals",
        ),
        ("1.250s", "1.250", "line 11: turn 1: expected a time such as `12.345s`"),
        ("1.250s", "99999999999999999999.000s", "line 11: turn 1: expected a time such as `12.345s`"),
        (
            "1.250s",
            "1.1250s",
            "line 11: turn 1: expected numbers without leading zeros, and times with three decimals",
        ),
        ("1 g9-f8", "1  g9-f8", "line 11: turn 1: expected an action such as `b7-c7`"),
        ("1 g9-f8", "1 G9-f8", "line 11: turn 1: expected an action such as `b7-c7`"),
        ("1 g9-f8", "1 [x] g9-f8", "line 11: turn 1: expected a card such as `[5]`"),
        ("1 g9-f8", "1 [7] g9-f8", "line 11: turn 1: expected a card such as `[5]`"),
        ("final: ", "end: ", "line 19: expected a turn from 1 to 1001, or `final: ` and a position"),
        (" 1 9 0 0\n", " 1 9 0 0", "line 19: expected a line feed at the end"),
        (" 1 9 0 0\n", " 1 9 0 0\n\n", "line 20: expected the end of the text"),
    ] {
        refuse(from, to, expected);
    }
}

#[test]
fn names_have_no_marks_that_turn_or_break_a_line() {
    for letter in [
        '\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{202e}', '\u{2067}', '\u{2069}',
        '\u{feff}',
    ] {
        assert!(format!("A{letter}da").parse::<LineText>().is_err(), "{letter:?}");
    }
    for name in ["דנה", "نور", "Zoë", "名人", "👩\u{200d}💻"] {
        assert!(name.parse::<LineText>().is_ok(), "{name}");
    }
}

#[test]
fn only_the_json_of_a_record_is_read() {
    let json = Record::from_match(&example_game()).to_json();
    for (from, to, expected) in [
        (
            "\"towers_record\":1",
            "\"towers_record\":300",
            "version 300 of the format is newer than version 1, which is read here",
        ),
        ("\"towers_record\":1", "\"towers_record\":0", "towers_record: expected version 1"),
        ("{", "\u{feff}{", "the text begins with a byte order mark: leave it out"),
        ("crossfire", "chess", "ruleset: expected the id of a ruleset"),
        ("\"result\":\"second\",", "", "result: expected a result beside the reason"),
        (",\"reason\":\"blocked\"", "", "reason: expected a reason beside the result"),
        ("\"turn\":3", "\"turn\":0", "turn 0: expected a turn from 1 to 1001"),
        ("\"f8-g9\"", "\"f8 g9\"", "turn 3: expected an action such as `b7-c7`"),
        ("\"f8-g9\"", "", "turn 3: expected an action"),
        ("\"turn\":3", "\"turn\":3,\"card\":7", "turn 3: expected a card from 1 to 6"),
    ] {
        assert!(json.contains(from), "{from}");
        let error = Record::from_json(&json.replacen(from, to, 1)).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.line), (expected, None));
    }
    for changed in [
        json.replace("\"turns\"", "\"turn_list\""),
        json.replace('}', ""),
        json.replace("3", "\"3\""),
        "[]".to_owned(),
        "null".to_owned(),
    ] {
        let error = Record::from_json(&changed).unwrap_err();
        assert!(matches!(error.kind, RecordErrorKind::Json { .. }), "{error}");
        assert!(
            !["u16", "u32", "struct", "Object"].iter().any(|leak| error.to_string().contains(leak)),
            "{error}"
        );
    }
}

#[test]
fn a_date_is_a_day_of_the_calendar() {
    for (moment_ms, day) in [
        (0, Some("1970-01-01")),
        (951_782_399_999, Some("2000-02-28")),
        (951_782_400_000, Some("2000-02-29")),
        (1_795_219_199_999, Some("2026-11-20")),
        (4_107_542_400_000, Some("2100-03-01")),
        (253_402_300_799_999, Some("9999-12-31")),
        (253_402_300_800_000, None),
        (-1, None),
        (i64::MAX, None),
    ] {
        assert_eq!(Date::from_unix_ms(moment_ms).map(|date| date.to_string()).as_deref(), day, "{moment_ms}");
    }
    for (day, begins_ms) in [
        ("1970-01-01", 0),
        ("1969-12-31", -86_400_000),
        ("0001-01-01", -62_135_596_800_000),
        ("2000-03-01", 951_868_800_000),
        ("9999-12-31", 253_402_214_400_000),
    ] {
        assert_eq!(day.parse().map(Date::unix_ms), Ok(begins_ms), "{day}");
    }
    for moment_ms in (0..253_402_300_800_000).step_by(97 * 86_400_000) {
        let date = Date::from_unix_ms(moment_ms).unwrap();
        assert_eq!(date.unix_ms(), moment_ms, "{date}");
    }
    for bad in [
        "1900-02-29",
        "2026-00-01",
        "2026-13-01",
        "2026-01-00",
        "0000-01-01",
        "+2026-01-01",
        "2026-01-01 ",
        "26-1-1",
    ] {
        assert!(bad.parse::<Date>().is_err(), "{bad}");
    }
    assert_eq!("2000-02-29".parse::<Date>().ok(), Date::new(2000, 2, 29));
}

#[test]
fn skipped_turns_leave_gaps() {
    let pieces = "C e9 S j5 i4 h3 g2 f1 e1 P d8 d7 c7 c6 b6 b7 \
                  c k6 s a1 a2 a3 b1 b2 b3 p h9 h10 h11 i9 i10 i11";
    let mut game = read(Fibonacci, &position(pieces, "1 1 1/1"));
    play(&mut game, "e1-j6, j6-e1 e1-j6 end");
    let record = Record::from_match(&game);
    let text = record.to_text();
    assert!(text.contains("\n1 e1-j6\n3 j6-e1 e1-j6 end\nfinal: "), "{text}");
    assert_eq!(record.replay().map(|game| game.position_text()), Ok(game.position_text()));
    let closed = Record::parse_text(&text.replace("\n3 ", "\n2 ")).unwrap();
    assert_eq!(closed.replay().unwrap_err().to_string(), "line 6: turn 2: the turn to be played is 3");
}

/// A game after some random actions.
fn random_game(ruleset: Ruleset, dice: &mut Dice) -> AnyMatch {
    let mut game = new(ruleset);
    let n_actions = [0, 1, 10, 40, 120][dice.below(5)];
    let mut turn: Vec<String> = Vec::new();
    for _ in 0..n_actions {
        let Ok(draft) = game.draft(&turn) else { break };
        let legal = draft.legal();
        turn.push(legal[dice.below(legal.len())].text.clone());
        if game.draft(&turn).unwrap().complete {
            game.play(&turn).unwrap();
            turn.clear();
        }
    }
    game
}

/// A record of a random game, with random optional fields.
fn random_record(ruleset: Ruleset, dice: &mut Dice) -> Record {
    let mut record = Record::from_match(&random_game(ruleset, dice));
    let names = ["Ada", "Zoë: 2", "名人", "\"\\ final: x", "a  b", "{}"];
    record.players.first = (dice.below(2) == 0).then(|| names[dice.below(6)].parse().unwrap());
    record.players.second = (dice.below(2) == 0).then(|| names[dice.below(6)].parse().unwrap());
    record.date = Date::from_unix_ms(dice.below(1 << 30) as i64 * 1_000_000);
    record.clock = (dice.below(2) == 0).then(|| "5+3".parse().unwrap());
    for turn in &mut record.turns {
        turn.took_ms = (dice.below(4) > 0).then(|| dice.below(1 << 20) as u64);
    }
    if record.ending.is_none() && dice.below(2) == 0 {
        record.ending = Some(Ending { winner: None, reason: EndReason::Agreement });
    }
    record
}

fn check_round_trips(n_games: u64) {
    for ruleset in Ruleset::ALL {
        for seed in 0..n_games {
            let record = random_record(ruleset, &mut Dice(seed));
            let (text, json) = (record.to_text(), record.to_json());
            let from_text = Record::parse_text(&text).unwrap();
            let from_json = Record::from_json(&json).unwrap();
            assert_eq!((&from_text, &from_json), (&record, &record), "{ruleset}, seed {seed}");
            assert_eq!((from_text.to_text(), from_json.to_json()), (text, json), "{ruleset}, seed {seed}");
            let game = record.replay().unwrap();
            assert_eq!(record.final_text.as_str(), game.position_text());
        }
    }
}

#[test]
fn records_of_random_games_survive_round_trips() {
    check_round_trips(50);
}

#[test]
#[ignore = "takes minutes: see the README"]
fn records_of_ten_thousand_random_games_of_each_ruleset_survive_round_trips() {
    check_round_trips(10_000);
}
