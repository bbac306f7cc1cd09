//! Pictures of all games.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use engine::{AnyMatch, Ruleset};
use pictures::{Scene, Shape, Style, Theme, Unreadable};
use proptest::{collection::vec, prelude::*, sample::Index, sample::select};
use resvg::usvg::{Options, Tree};
use views::Step;

const LIGHT: Style = Style { theme: Theme::Light, shape: Shape::Square };

/// Rulesets whose cards, if any, are known from the start.
const RULESETS: [Ruleset; 6] = [
    Ruleset::Fibonacci,
    Ruleset::FibonacciMixed,
    Ruleset::Fenix,
    Ruleset::Focus,
    Ruleset::FocusClassic,
    Ruleset::Crossfire,
];

/// A picture after some turns.
fn after(ruleset: Ruleset, turns: &[&[&str]], style: Style) -> String {
    let mut game = AnyMatch::new(ruleset);
    let mut steps = Vec::new();
    for turn in turns {
        game.play(turn).unwrap();
        steps = game.last_steps().iter().map(Step::from).collect();
    }
    let scene = Scene { ruleset, position: &game.position_text(), steps: &steps, threats: None };
    pictures::svg(&scene, style).unwrap()
}

/// A picture with an element on each line.
fn lines(svg: &str) -> String {
    svg.replace("><", ">\n<")
}

fn count(svg: &str, part: &str) -> usize {
    svg.matches(part).count()
}

#[test]
fn the_start_of_each_ruleset_has_all_its_cells_and_men() {
    for (ruleset, n_cells, pieces) in [
        (Ruleset::Fibonacci, 91, &[("pC", 1), ("pc", 1), ("pS", 6), ("ps", 6), ("pP", 6), ("pp", 6)][..]),
        (Ruleset::FibonacciCards, 91, &[("pC", 1), ("pp", 6)]),
        (Ruleset::Fenix, 81, &[("pS", 28), ("ps", 28), ("pK", 0)]),
        (Ruleset::Focus, 52, &[("px", 18), ("po", 18)]),
        (Ruleset::Crossfire, 43, &[("px", 18), ("po", 18)]),
    ] {
        let svg = after(ruleset, &[], LIGHT);
        assert_eq!(count(&svg, "href=\"#cell\""), n_cells, "{ruleset}");
        for (piece, n) in pieces {
            assert_eq!(count(&svg, &format!("href=\"#{piece}\"")), *n, "{ruleset} {piece}");
        }
        assert_eq!(count(&svg, "stroke-dasharray=\"6 6\""), 0, "{ruleset} has no last turn");
    }
}

#[test]
fn pictures_look_as_they_did() {
    let dark = Style { theme: Theme::Dark, shape: Shape::Card };
    let fibonacci = after(Ruleset::Fibonacci, &[&["b7-c7"], &["j5-i5", "end"]], LIGHT);
    insta::assert_snapshot!("fibonacci", lines(&fibonacci));
    insta::assert_snapshot!("fenix", lines(&after(Ruleset::Fenix, &[&["f7+g7"], &["e2+d2"]], dark)));
    insta::assert_snapshot!("focus", lines(&after(Ruleset::FocusClassic, &[&["c6-d6"], &["e6-d6"]], LIGHT)));
    insta::assert_snapshot!("crossfire", lines(&after(Ruleset::Crossfire, &[&["e5-d6"], &["d2-c3"]], dark)));
}

#[test]
fn attackers_of_a_centre_turn_its_petals_red() {
    let position = "C5/7/8/4S3p/2P2S1pp1/3P1cSp3/1PPPSpSp2/P2S5/8/5s1/sssss1 1 3 3/3";
    let scene = Scene { ruleset: Ruleset::Fibonacci, position, steps: &[], threats: None };
    let calm = pictures::svg(&scene, LIGHT).unwrap();
    let game = AnyMatch::from_text(Ruleset::Fibonacci, position).unwrap();
    let turn = views::Turn::from(game.present());
    let svg = pictures::svg(&Scene { threats: turn.threats.as_ref(), ..scene }, LIGHT).unwrap();
    let n_attackers = turn.threats.unwrap().second.len();
    assert_eq!(n_attackers, 3);
    let red = |svg: &str| count(svg, "fill=\"#b02a17\"");
    assert_eq!((red(&calm), red(&svg)), (0, n_attackers));
}

#[test]
fn a_text_of_another_board_is_refused() {
    let fenix = AnyMatch::new(Ruleset::Fenix).position_text();
    for position in ["", "/", &fenix, "99/9", "🂡/7/8/9/92/93/92/91/8/7/6", "C5/7/8/9/55/65/55/9/8/7/6/1"] {
        let scene = Scene { ruleset: Ruleset::Fibonacci, position, steps: &[], threats: None };
        assert_eq!(pictures::svg(&scene, LIGHT), Err(Unreadable), "{position}");
    }
}

#[test]
fn pixels_and_animations_have_their_sizes_and_are_the_same_each_time() {
    let mut game = AnyMatch::new(Ruleset::FocusClassic);
    let start = game.position_text();
    game.play(&["c6-d6"]).unwrap();
    let steps: Vec<Step> = game.last_steps().iter().map(Step::from).collect();
    let end = game.position_text();
    let scenes = [(&start, &[][..]), (&end, &steps[..])].map(|(position, steps)| Scene {
        ruleset: Ruleset::Focus,
        position,
        steps,
        threats: None,
    });
    let style = Style { theme: Theme::Dark, shape: Shape::Card };
    let png = pictures::png(&scenes[1], style).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!((&png[16..20], &png[20..24]), (&1200_u32.to_be_bytes()[..], &630_u32.to_be_bytes()[..]));
    assert!(png.len() < 150_000, "{}", png.len());
    assert_eq!(pictures::png(&scenes[1], style).unwrap(), png);
    let gif = pictures::gif(&scenes, Theme::Light).unwrap();
    assert!(gif.starts_with(b"GIF89a") && gif.len() < 100_000, "{}", gif.len());
    assert_eq!(pictures::gif(&scenes, Theme::Light).unwrap(), gif);
    assert!(pictures::gif(&[], Theme::Light).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_position_of_a_game_is_drawn_as_a_small_picture_of_its_own(
        ruleset in select(&RULESETS[..]),
        choices in vec(any::<Index>(), 0..40),
    ) {
        let mut game = AnyMatch::new(ruleset);
        let mut turn: Vec<String> = Vec::new();
        for choice in choices {
            let Ok(draft) = game.draft(&turn) else { break };
            let legal = draft.legal();
            turn.push(legal[choice.index(legal.len())].text.clone());
            let draft = game.draft(&turn).unwrap();
            let steps: Vec<Step> = draft.steps.iter().map(Step::from).collect();
            let scene = Scene { ruleset, position: &draft.present.position, steps: &steps, threats: None };
            let svg = pictures::svg(&scene, LIGHT).unwrap();
            prop_assert!(svg.len() < 60_000, "{}", svg.len());
            prop_assert!(!svg.contains("NaN") && !svg.contains("script") && !svg.contains("href=\"h"));
            prop_assert!(Tree::from_str(&svg, &Options::default()).is_ok(), "{}", svg);
            if draft.complete {
                game.play(&turn).unwrap();
                turn.clear();
            }
        }
    }
}
