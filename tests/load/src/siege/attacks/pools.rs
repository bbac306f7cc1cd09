//! Games without pause: the attacker's guests are paired by pools, play rematches, and open and close rooms.

use std::{convert::Infallible, time::Duration};

use reqwest::Method;
use serde_json::{Value, json};

use super::super::attacker::Attacker;
use crate::{
    client::{Guest, Socket},
    wire::{Frame, parse},
};

/// Number of guests that seek games, in pairs.
const SEEKERS: usize = 36;

/// Number of guests that play rematches, in pairs.
const REMATCHERS: usize = 12;

/// Number of guests that open rooms.
const MAKERS: usize = 8;

const RULESETS: [&str; 7] =
    ["fibonacci", "fenix", "focus", "crossfire", "focus-classic", "fibonacci-mixed", "fibonacci-cards"];

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    let guests = attacker.guests(SEEKERS + REMATCHERS + MAKERS).await;
    let (seekers, rest) = guests.split_at(guests.len() * SEEKERS / (SEEKERS + REMATCHERS + MAKERS));
    let (rematchers, makers) = rest.split_at(rest.len() * REMATCHERS / (REMATCHERS + MAKERS) / 2 * 2);
    let [seekers, rematchers, makers] = [seekers, rematchers, makers].map(<[Guest]>::to_vec);
    let first = seekers.first().or(makers.first()).cloned();
    anyhow::ensure!(first.is_some(), "no guest is let in");
    attacker.ready().await?;
    let n_seekers = seekers.len();
    let seek = attacker.forever(SEEKERS, Duration::from_millis(20), move |attacker, task| {
        let guest = seekers[task % n_seekers].clone();
        async move { seek(&attacker, &guest, task).await }
    });
    let pairs = rematchers.len() / 2;
    let rematch = attacker.forever(REMATCHERS / 2, Duration::from_millis(200), move |attacker, task| {
        let pair = (pairs > 0).then(|| [0, 1].map(|seat| rematchers[2 * (task % pairs) + seat].clone()));
        async move { if let Some(pair) = pair { rematches(&attacker, &pair).await } else { Ok(()) } }
    });
    let rooms = attacker.forever(MAKERS, Duration::from_millis(100), move |attacker, task| {
        let guest = makers.get(task % makers.len().max(1)).cloned();
        async move {
            let Some(guest) = guest else { return Ok(()) };
            let ruleset = RULESETS[task % RULESETS.len()];
            let room = json!({"ruleset": ruleset, "seat": "random", "visibility": "public"});
            if let Some(game) = attacker.room(&guest, &room).await?
                && task % 2 == 0
            {
                let request =
                    attacker.http.request(Method::DELETE, &format!("/api/v1/rooms/{game}"), Some(&guest));
                attacker.ask(request).await?;
            }
            Ok(())
        }
    });
    tokio::select! { ended = seek => ended, ended = rematch => ended, ended = rooms => ended }
}

/// Seeks without pause; the games are abandoned.
async fn seek(attacker: &Attacker, guest: &Guest, task: usize) -> anyhow::Result<()> {
    let mut socket = attacker.socket(guest, &[]).await?;
    // Each two guests share a pool of their own.
    let ruleset = RULESETS[task / 2 % RULESETS.len()];
    let clock = json!({"kind": "real_time", "base_s": 300 + task / 2, "bonus_s": 3, "bonus": "per_turn"});
    let message = json!({"type": "seek", "pool": {"ruleset": ruleset, "clock": clock}}).to_string();
    attacker.drive(&mut socket, Duration::from_millis(45), 400, |_| message.clone()).await
}

/// Two guests begin a game, resign, and go on with a rematch, repeatedly.
async fn rematches(attacker: &Attacker, [one, other]: &[Guest; 2]) -> anyhow::Result<()> {
    let room = json!({"ruleset": "focus", "seat": "first", "visibility": "public"});
    let Some(mut game) = attacker.room(one, &room).await? else { return Ok(()) };
    if !attacker.join(other, &game).await? {
        return Ok(());
    }
    let mut sockets =
        [attacker.socket(one, &[(&game, 0)]).await?, attacker.socket(other, &[(&game, 0)]).await?];
    for number in 0.. {
        let resign = json!({"type": "resign", "command": format!("r{number}"), "game": game});
        command(attacker, &mut sockets[0], &resign).await?;
        for (seat, socket) in sockets.iter_mut().enumerate() {
            let command_id = format!("o{number}-{seat}");
            let offer = json!({"type": "offer", "command": command_id, "game": game, "what": "rematch"});
            command(attacker, socket, &offer).await?;
        }
        game = rematch_of(&mut sockets[0]).await?;
        for socket in &mut sockets {
            socket.watch(&game).await?;
        }
    }
    Ok(())
}

async fn command(attacker: &Attacker, socket: &mut Socket, command: &Value) -> anyhow::Result<()> {
    attacker.tally.send(1);
    socket.say(command.to_string()).await?;
    socket.until(|frame| frame == Frame::Ack).await
}

/// Reads up to the id of the rematch.
async fn rematch_of(socket: &mut Socket) -> anyhow::Result<String> {
    loop {
        let text = socket.next().await?;
        if let Frame::Refused(why) = parse(&text) {
            anyhow::bail!("the server refuses: {why}");
        }
        if let Some((_, rest)) = text.split_once(r#""rematch":""#)
            && let Some((game, _)) = rest.split_once('"')
        {
            return Ok(game.to_owned());
        }
    }
}
