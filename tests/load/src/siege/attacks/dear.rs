//! Requests about Fenix positions in which the largest capture is costly to find, and about positions with long lists of
//! actions.

use std::{convert::Infallible, time::Duration};

use engine::{AnyMatch, Ruleset, Side};
use rand::{RngExt, rngs::StdRng, seq::SliceRandom};
use serde_json::{Value, json};

use super::super::attacker::Attacker;
use crate::{
    client::{Guest, Socket},
    script::{Script, version_before},
    wire::Frame,
};

/// The position of `docs/known-gaps.md`.
const DEAR: &str = "C3s2s1/Cs4sC1/4s2k1/ssss1ss2/4s2Cc/1s2s2s1/4s2s1/s1sC1scK1/4s2CC 1 13 - 0";

const SIDE: usize = 9;

/// Number of sockets, each with a game of its own.
const GAMES: usize = 16;

/// One game in this many is of another ruleset and starts in the middle of a random game.
const OTHER_EVERY: usize = 4;

/// Number of messages in the first burst of a connection.
const AT_ONCE: usize = 60;

/// Number of messages before a connection is dropped with the last ones unanswered.
const BEFORE_CUT: usize = 160;

/// Number of start positions to try, each less costly than the one before.
const TRIES: usize = 4;

/// A game under attack.
#[derive(Clone, Debug)]
struct Asked {
    player: Guest,
    game: String,
    /// A legal action.
    action: String,
}

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let count = attacker.part_of(GAMES);
    let guests = attacker.guests(2 * GAMES).await;
    let mut asked = Vec::new();
    for (number, pair) in guests.chunks_exact(2).take(count).enumerate() {
        let mut chance = attacker.chance(number);
        for ease in 0..TRIES {
            let (ruleset, start) = position(number, ease, &mut chance);
            if let Some(game) = begin(&attacker, pair, ruleset, &start).await? {
                asked.push(game);
                break;
            }
        }
    }
    attacker.ready().await?;
    if asked.is_empty() {
        // No room was accepted: keep requesting rooms.
        let guests = guests.clone();
        return attacker
            .forever(GAMES, Duration::from_millis(100), move |attacker, task| {
                let guest = guests.get(task % guests.len().max(1)).cloned();
                async move {
                    let (ruleset, start) = position(1, 0, &mut attacker.chance(task));
                    let Some(guest) = guest else { return Ok(()) };
                    attacker.room(&guest, &room(ruleset, &start)).await.map(drop)
                }
            })
            .await;
    }
    let games = asked.len();
    attacker
        .forever(GAMES, Duration::from_millis(10), move |attacker, task| {
            let asked = asked[task % games].clone();
            async move { ask(&attacker, &asked, task).await }
        })
        .await
}

async fn begin(
    attacker: &Attacker,
    pair: &[Guest],
    ruleset: Ruleset,
    start: &str,
) -> anyhow::Result<Option<Asked>> {
    let [player, other] = pair else { return Ok(None) };
    let Some(game) = attacker.room(player, &room(ruleset, start)).await? else { return Ok(None) };
    if !attacker.join(other, &game).await? {
        return Ok(None);
    }
    let mut socket = attacker.socket(player, &[(&game, 0)]).await?;
    let action = first_action(&mut socket, &game).await.unwrap_or_else(|_| "a1-a2".to_owned());
    Ok(Some(Asked { player: player.clone(), game, action }))
}

/// The request for a room in which the maker is to move.
fn room(ruleset: Ruleset, start: &str) -> Value {
    let side = AnyMatch::from_text(ruleset, start).map_or(Side::First, |game| game.to_move());
    let seat = match side {
        Side::First => "first",
        Side::Second => "second",
    };
    json!({"ruleset": ruleset.id(), "seat": seat, "visibility": "link", "start": start})
}

/// Asks the server for the legal actions and returns the longest one.
async fn first_action(socket: &mut Socket, game: &str) -> anyhow::Result<String> {
    socket.until(|frame| frame == Frame::Whole).await?;
    let ask =
        json!({"type": "options", "command": "o", "game": game, "version": version_before(0), "actions": []});
    socket.say(ask.to_string()).await?;
    loop {
        let text = socket.next().await?;
        match crate::wire::parse(&text) {
            Frame::Options => {
                let options: Value = serde_json::from_str(&text)?;
                let actions = options["actions"].as_array().map_or(&[][..], Vec::as_slice);
                let texts = actions.iter().filter_map(|action| action["text"].as_str());
                return Ok(texts.max_by_key(|text| text.len()).unwrap_or("a1-a2").to_owned());
            }
            Frame::Refused(why) => anyhow::bail!("the server refuses: {why}"),
            _ => {}
        }
    }
}

/// Sends requests as fast as one socket may, then drops it with requests unanswered.
async fn ask(attacker: &Attacker, asked: &Asked, task: usize) -> anyhow::Result<()> {
    let mut chance = attacker.chance(1_000 + task);
    let mut socket = attacker.socket(&asked.player, &[(&asked.game, 0)]).await?;
    let Asked { game, action, .. } = asked;
    let message = |sent: usize| {
        // Most of these are illegal, which costs the server as much to find out.
        let squares: Vec<String> = (0..chance.random_range(2..5))
            .map(|_| {
                format!("{}{}", char::from(b'a' + chance.random_range(0..9)), chance.random_range(1..10))
            })
            .collect();
        let (kind, actions) = match chance.random_range(0..5) {
            0 => ("options", json!([])),
            1 => ("options", json!([action])),
            2 => ("draft", json!([action])),
            3 => ("draft", json!([squares.join("x")])),
            _ => ("turn", json!([squares.join("x")])),
        };
        let command = format!("{task}-{sent}-{}", chance.random_range(0..u32::MAX));
        json!({"type": kind, "command": command, "game": game, "version": version_before(0), "actions": actions})
            .to_string()
    };
    attacker.drive_after(&mut socket, AT_ONCE, Duration::from_millis(45), BEFORE_CUT, message).await
}

/// A start position and its ruleset; each step of `ease` removes soldiers that could be captured.
fn position(number: usize, ease: usize, chance: &mut StdRng) -> (Ruleset, String) {
    if number % OTHER_EVERY == OTHER_EVERY - 1 {
        let stacks = [Ruleset::Focus, Ruleset::FocusClassic, Ruleset::Crossfire];
        let ruleset = stacks[chance.random_range(..stacks.len())];
        let script = Script::of(ruleset, chance.random(), chance.random_range(20..120));
        let mut game = AnyMatch::new(ruleset);
        for turn in script.turns() {
            if game.play(&turn.actions).is_err() {
                break;
            }
        }
        return (ruleset, game.position_text());
    }
    // The first game starts from the known position itself.
    let tries = if number + ease == 0 { 0 } else { 100 };
    let variant = (0..tries)
        .map(|_| variant(2 * ease, chance))
        .find(|text| AnyMatch::from_text(Ruleset::Fenix, text).is_ok());
    (Ruleset::Fenix, variant.unwrap_or_else(|| DEAR.to_owned()))
}

/// A variant of the known position: mirrored, turned, sides swapped, a few soldiers moved and `fewer` removed. It may be
/// invalid.
fn variant(fewer: usize, chance: &mut StdRng) -> String {
    let mut board: Vec<Vec<char>> = DEAR.split(' ').next().unwrap_or_default().split('/').map(row).collect();
    if chance.random() {
        board.reverse();
    }
    if chance.random() {
        board.iter_mut().for_each(|row| row.reverse());
    }
    if chance.random() {
        board = (0..SIDE).map(|file| board.iter().map(|row| row[file]).collect()).collect();
    }
    for _ in 0..chance.random_range(0..3) {
        move_soldier(&mut board, chance);
    }
    for soldier in board.iter_mut().flatten().filter(|piece| **piece == 's').take(fewer) {
        *soldier = '.';
    }
    // The turn number determines the side to move, which is swapped too.
    let is_changed: bool = chance.random();
    let turn = if is_changed { 14 } else { 13 } + 2 * chance.random_range(0..20);
    let side = if is_changed { 2 } else { 1 };
    let change = |piece: char| {
        if piece.is_uppercase() { piece.to_ascii_lowercase() } else { piece.to_ascii_uppercase() }
    };
    let rows: Vec<String> = board
        .into_iter()
        .map(|row| text(row.into_iter().map(|piece| if is_changed { change(piece) } else { piece })))
        .collect();
    format!("{} {side} {turn} - 0", rows.join("/"))
}

/// Moves a random soldier of the captured side to a random empty square.
fn move_soldier(board: &mut [Vec<char>], chance: &mut StdRng) {
    let mut squares: Vec<(usize, usize)> =
        (0..SIDE).flat_map(|rank| (0..SIDE).map(move |file| (rank, file))).collect();
    squares.shuffle(chance);
    let find = |kind: char| squares.iter().copied().find(|&(rank, file)| board[rank][file] == kind);
    if let (Some(from), Some(to)) = (find('s'), find('.')) {
        board[from.0][from.1] = '.';
        board[to.0][to.1] = 's';
    }
}

fn row(text: &str) -> Vec<char> {
    let squares = |letter: char| match letter.to_digit(10) {
        Some(empty) => vec!['.'; empty as usize],
        None => vec![letter],
    };
    text.chars().flat_map(squares).collect()
}

fn text(row: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for piece in row.chain(['|']) {
        if piece == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        if piece != '|' {
            text.push(piece);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn most_variants_of_the_dear_position_are_valid_and_they_are_many() {
        let mut chance = StdRng::seed_from_u64(1);
        let variants: std::collections::HashSet<String> =
            (0..100).map(|number| variant(number % 5, &mut chance)).collect();
        let valid = variants.iter().filter(|text| AnyMatch::from_text(Ruleset::Fenix, text).is_ok()).count();
        assert!(valid > 50, "{valid} of {}", variants.len());
        assert_eq!(text(row("C3s2s1").into_iter()), "C3s2s1");
    }
}
