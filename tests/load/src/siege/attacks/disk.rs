//! As many bytes as one address may have stored: turns, offers, lines, rooms, guests and blocks, each at the rate of its
//! limit.

use std::{convert::Infallible, time::Duration};

use engine::Ruleset;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{interval, sleep};

use super::super::attacker::Attacker;
use crate::{
    client::{Guest, Socket},
    script::{Script, version_before},
    wire::{Frame, parse},
};

/// Number of concurrent games, each of two guests.
const GAMES: usize = 12;

/// Number of turns of a game.
const TURNS: usize = 900;

/// Interval between two commands of a game.
const COMMAND_EVERY: Duration = Duration::from_millis(28);

/// Number of turns for each line.
const LINE_EVERY: usize = 8;

/// Pause before a command that came too fast is sent again.
const AGAIN_AFTER: Duration = Duration::from_millis(500);

/// Number of guests that open and close rooms, and interval between two rooms of one.
const MAKERS: usize = 8;
const ROOM_EVERY: Duration = Duration::from_secs(3);

/// Number of tasks that make guests and block them, and interval between two guests of one.
const BLOCKERS: usize = 4;
const GUEST_EVERY: Duration = Duration::from_millis(250);

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let script: &'static Script = Box::leak(Box::new(Script::of(Ruleset::Crossfire, attacker.seed, TURNS)));
    let guests = attacker.guests(MAKERS + 2 * GAMES).await;
    anyhow::ensure!(guests.len() == MAKERS + 2 * GAMES, "not all guests are let in");
    let (makers, players) = guests.split_at(MAKERS);
    let (makers, players) = (makers.to_vec(), players.to_vec());
    let blocker = makers[0].clone();
    attacker.ready().await?;
    let games = attacker.forever(GAMES, Duration::from_secs(1), move |attacker, task| {
        let pair = [0, 1].map(|seat| players[2 * task + seat].clone());
        async move { play(&attacker, &pair, script).await }
    });
    let rooms = attacker.forever(MAKERS, ROOM_EVERY, move |attacker, task| {
        let maker = makers[task].clone();
        async move { open_and_close(&attacker, &maker).await }
    });
    let guests = attacker.forever(BLOCKERS, GUEST_EVERY, move |attacker, _| {
        let blocker = blocker.clone();
        async move { block_new_guest(&attacker, &blocker).await }
    });
    tokio::select! { ended = games => ended, ended = rooms => ended, ended = guests => ended }
}

/// Plays a game with two declined offers after each turn.
async fn play(attacker: &Attacker, [one, other]: &[Guest; 2], script: &Script) -> anyhow::Result<()> {
    let room = json!({"ruleset": script.ruleset().id(), "seat": "first", "visibility": "link"});
    let Some(game) = attacker.room(one, &room).await? else { return Ok(()) };
    if !attacker.join(other, &game).await? {
        return Ok(());
    }
    let mut sockets =
        [attacker.socket(one, &[(&game, 0)]).await?, attacker.socket(other, &[(&game, 0)]).await?];
    let mut due = interval(COMMAND_EVERY);
    let mut version = version_before(0);
    for (number, turn) in script.turns().iter().enumerate() {
        let mover = turn.side as usize;
        let command = |kind: &str, n: usize| format!("{kind}-{number}-{n}-{}", "x".repeat(48));
        let turn = json!({"type": "turn", "command": command("t", 0), "game": game, "version": version,
            "actions": turn.actions});
        let mut commands = vec![(mover, turn)];
        for (n, what) in ["draw", "takeback"].into_iter().enumerate() {
            let offer = json!({"type": "offer", "command": command("o", n), "game": game, "what": what});
            let answer = json!({"type": "answer", "command": command("a", n), "game": game, "what": what,
                "accept": false});
            commands.extend([(mover, offer), (1 - mover, answer)]);
        }
        version += commands.len() as u64;
        if number % LINE_EVERY == 0 {
            let text = "\u{1f600}".repeat(300);
            let line = json!({"type": "say", "command": command("s", 0), "game": game, "text": text});
            commands.push((mover, line));
        }
        for (seat, command) in commands {
            due.tick().await;
            commit(attacker, &mut sockets[seat], &command).await?;
        }
    }
    Ok(())
}

/// Sends a command until it is carried out.
async fn commit(attacker: &Attacker, socket: &mut Socket, command: &Value) -> anyhow::Result<()> {
    loop {
        attacker.tally.send(1);
        socket.say(command.to_string()).await?;
        loop {
            let text = socket.next().await?;
            attacker.count(&text);
            match parse(&text) {
                Frame::Ack => return Ok(()),
                Frame::Refused(why) if why.contains(r#""code":"too_fast""#) => break,
                Frame::Refused(why) => anyhow::bail!("the server refuses: {why}"),
                _ => {}
            }
        }
        sleep(AGAIN_AFTER).await;
    }
}

async fn open_and_close(attacker: &Attacker, maker: &Guest) -> anyhow::Result<()> {
    let room = json!({"ruleset": "fenix", "seat": "first", "visibility": "link"});
    let Some(game) = attacker.room(maker, &room).await? else { return Ok(()) };
    let request = attacker.http.request(Method::DELETE, &format!("/api/v1/rooms/{game}"), Some(maker));
    attacker.ask(request).await.map(drop)
}

async fn block_new_guest(attacker: &Attacker, blocker: &Guest) -> anyhow::Result<()> {
    let request = attacker.http.request(Method::POST, "/api/v1/session", None);
    let Some(body) = attacker.ask(request).await? else { return Ok(()) };
    let session: Value = serde_json::from_slice(&body)?;
    let path = format!("/api/v1/blocks/{}", session["player"]["id"].as_str().unwrap_or_default());
    attacker.ask(attacker.http.request(Method::PUT, &path, Some(blocker))).await.map(drop)
}
