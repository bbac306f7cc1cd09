//! The time that pictures of games take, and their sizes: `cargo bench -p pictures --bench draw`.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program that measures and prints times"
)]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

use std::time::{Duration, Instant};

use engine::{AnyMatch, Ruleset};
use pictures::{Scene, Shape, Style, Theme};
use views::Step;

/// Number of turns of an animation.
const N_TURNS: usize = 60;

/// Number of times that a picture is drawn.
const N_TIMES: u32 = 20;

/// Plays turns, each time the first legal action that differs from turn to turn.
fn played(ruleset: Ruleset) -> Vec<(String, Vec<Step>)> {
    let mut game = AnyMatch::new(ruleset);
    let mut scenes = vec![(game.start_text().to_owned(), Vec::new())];
    for turn in 0..N_TURNS {
        let mut actions: Vec<String> = Vec::new();
        while !game.draft(&actions).unwrap().complete {
            let legal = game.draft(&actions).unwrap().legal();
            actions.push(legal[(turn * 7) % legal.len()].text.clone());
        }
        game.play(&actions).unwrap();
        let steps = game.last_steps().iter().map(Step::from).collect();
        scenes.push((game.position_text(), steps));
        if game.outcome().is_some() {
            break;
        }
    }
    scenes
}

fn timed<T>(mut work: impl FnMut() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let mut made = work();
    for _ in 1..N_TIMES {
        made = work();
    }
    (made, begun.elapsed() / N_TIMES)
}

fn main() {
    let style = Style { theme: Theme::Light, shape: Shape::Card };
    for ruleset in [Ruleset::Fibonacci, Ruleset::Fenix, Ruleset::Focus, Ruleset::Crossfire] {
        let played = played(ruleset);
        let scenes: Vec<Scene<'_>> = played
            .iter()
            .map(|(position, steps)| Scene { ruleset, position, steps, threats: None })
            .collect();
        let last = scenes.last().unwrap();
        let (svg, svg_took) = timed(|| pictures::svg(last, style).unwrap());
        let (png, png_took) = timed(|| pictures::png(last, style).unwrap());
        let begun = Instant::now();
        let gif = pictures::gif(&scenes, Theme::Light).unwrap();
        println!(
            "{ruleset}: SVG {} bytes in {svg_took:?}, PNG {} bytes in {png_took:?}, GIF of {} frames {} bytes in {:?}",
            svg.len(),
            png.len(),
            scenes.len(),
            gif.len(),
            begun.elapsed(),
        );
    }
}
