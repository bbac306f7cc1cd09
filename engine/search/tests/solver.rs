//! The solver of wins in the turn, compared with a search of all turns.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ops::ControlFlow;

use engine::{
    Progress, Rules, Side,
    fibonacci::{Action, Cell, Fibonacci, Variant},
};
use search::{Answer, Limit, Random, Solver};

/// Whether the side to move wins in the turn, by playing all its turns.
fn wins(position: &Fibonacci, n_moves: u8) -> bool {
    let side = position.to_move();
    let found = position.try_for_each_action(&mut (), |action| {
        if action == Action::End {
            return ControlFlow::Continue(());
        }
        let mut after = *position;
        let is_won = match after.play(action) {
            Progress::Over(outcome) => outcome.winner == Some(side),
            Progress::SameTurn => n_moves > 1 && wins(&after, n_moves - 1),
            Progress::NewTurn => false,
        };
        if is_won { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.is_break()
}

/// A random position with `left` moves left, in which the strikes of the side to move are near the other centre.
fn position(variant: Variant, left: u8, random: &mut Random) -> Fibonacci {
    loop {
        let side = if random.percent(50) { Side::First } else { Side::Second };
        let cells: Vec<Cell> = Cell::all().collect();
        let mut letters: Vec<(Cell, char)> = Vec::new();
        let target = cells[random.below(cells.len())];
        // In a corner there is not enough room for all that are to be near.
        let near: Vec<Cell> = match target.neighbours().len() {
            6 => (target.neighbours() | target.neighbours().neighbours()).into_iter().collect(),
            _ => cells.clone(),
        };
        let (own, enemy) = if side == Side::First { ("CSP", "csp") } else { ("csp", "CSP") };
        let letter = |text: &str, at: usize| text.as_bytes()[at] as char;
        letters.push((target, letter(enemy, 0)));
        // Near a target at the edge there may be no room left.
        let mut place = |piece: char, choice: &[Cell], random: &mut Random| {
            let free = |among: &[Cell]| -> Vec<Cell> {
                let is_free = |cell: &Cell| letters.iter().all(|(taken, _)| taken != cell);
                among.iter().copied().filter(is_free).collect()
            };
            let choice =
                Some(free(choice)).filter(|choice| !choice.is_empty()).unwrap_or_else(|| free(&cells));
            letters.push((choice[random.below(choice.len())], piece));
        };
        let ring: Vec<Cell> = target.neighbours().into_iter().collect();
        let n_in_ring = match variant {
            Variant::Original | Variant::Mixed => 6 - usize::from(left),
            Variant::Cards => 3usize.saturating_sub(left.into()),
        };
        for index in 0..6 {
            let is_in_ring = index < n_in_ring && ring.len() == 6 && random.percent(90);
            place(letter(own, 1), if is_in_ring { &ring } else { &near }, random);
        }
        for _ in 0..6 {
            place(letter(own, 2), if random.percent(40) { &near } else { &cells }, random);
            place(letter(enemy, 1), &cells, random);
            place(letter(enemy, 2), &cells, random);
        }
        place(letter(own, 0), &cells, random);
        let turn = if side == Side::First { 7 } else { 8 };
        let text = format!("{} {} {turn} {left}/6", board(&letters), side.digit());
        if let Ok(position) = Fibonacci::parse(variant, &text) {
            return position;
        }
    }
}

fn board(letters: &[(Cell, char)]) -> String {
    let row = |row: i32| {
        let cells = Cell::all().filter(move |cell| {
            let name = cell.name();
            let (letter, number) = (name.as_str().as_bytes()[0], &name.as_str()[1..]);
            i32::from(letter - b'a') - (number.parse::<i32>().unwrap() - 1) == row
        });
        let (mut text, mut n_empty) = (String::new(), 0);
        for cell in cells {
            match letters.iter().find(|(on, _)| *on == cell) {
                None => n_empty += 1,
                Some((_, letter)) => {
                    if n_empty > 0 {
                        text.push_str(&n_empty.to_string());
                    }
                    n_empty = 0;
                    text.push(*letter);
                }
            }
        }
        if n_empty > 0 {
            text.push_str(&n_empty.to_string());
        }
        text
    };
    (-5..=5).map(row).collect::<Vec<_>>().join("/")
}

/// Compares the answers for `n` positions with `left` moves left. Returns the number of wins.
fn compare(variant: Variant, left: u8, n: usize, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut solver = Solver::default();
    let mut n_wins = 0;
    for _ in 0..n {
        let position = position(variant, left, &mut random);
        let is_won = wins(&position, left);
        let answer = solver.win(&position, left, &Limit::default());
        assert_eq!(answer, if is_won { Answer::Win } else { Answer::NoWin }, "{position}");
        if is_won {
            n_wins += 1;
            check_line(&position, solver.line());
        }
    }
    n_wins
}

fn check_line(position: &Fibonacci, line: impl Iterator<Item = Action>) {
    let (mut position, side) = (*position, position.to_move());
    let mut progress = Progress::SameTurn;
    for action in line {
        assert_eq!(progress, Progress::SameTurn);
        assert!(position.check(action).is_ok());
        progress = position.play(action);
    }
    assert!(matches!(progress, Progress::Over(outcome) if outcome.winner == Some(side)));
}

const VARIANTS: [Variant; 3] = [Variant::Original, Variant::Mixed, Variant::Cards];

#[test]
fn ten_thousand_answers_of_the_solver_are_those_of_a_search_of_all_turns() {
    for variant in VARIANTS {
        assert!(compare(variant, 1, 1500, 4) > 0);
        assert!(compare(variant, 2, 1500, 5) > 0);
        compare(variant, 3, 400, 6);
    }
}
