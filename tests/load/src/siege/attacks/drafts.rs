//! Drafts, turns and take-backs in live long games of the attacker.

use std::{convert::Infallible, time::Duration};

use serde_json::{Value, json};

use super::super::attacker::Attacker;
use crate::{client::Guest, script::version_before, wire::Frame};

/// Number of concurrent games; the attacker plays both sides.
const GAMES: usize = 16;

/// Number of drafts and `options` requests before each turn.
const DRAFTS: usize = 12;

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    attacker.ready().await?;
    attacker
        .forever(GAMES, Duration::from_millis(50), |attacker, task| async move {
            let live = &attacker.fixture.live;
            let game = live[task % live.len()].clone();
            play(&attacker, &game).await
        })
        .await
}

/// Drafts and plays the next turn of the script and takes it back, repeatedly.
async fn play(attacker: &Attacker, game: &str) -> anyhow::Result<()> {
    let turn = attacker.fixture.turns;
    let next = &attacker.fixture.script.turns()[turn];
    let [mover, other]: [&Guest; 2] = match (&attacker.fixture.owners[..], next.side) {
        ([first, second], engine::Side::First) => [first, second],
        ([first, second], engine::Side::Second) => [second, first],
        _ => anyhow::bail!("the fixture has no players"),
    };
    let mut mover = attacker.socket(mover, &[(game, 0)]).await?;
    let mut other = attacker.socket(other, &[(game, 0)]).await?;
    let mut version = present_version(&mut mover).await?;
    let pace = Duration::from_millis(45);
    loop {
        let actions = &next.actions;
        attacker
            .drive(&mut mover, pace, DRAFTS, |sent| {
                let (kind, some) = if sent % 2 == 0 { ("draft", 1 + sent % actions.len()) } else { ("options", sent % actions.len()) };
                let (game, actions) = (&game, &actions[..some.min(actions.len())]);
                json!({"type": kind, "command": format!("{kind}-{version}-{sent}"), "game": game, "version": version,
                    "actions": actions})
                .to_string()
            })
            .await?;
        let commands = [
            (
                0,
                json!({"type": "turn", "command": format!("t-{version}"), "game": game, "version": version, "actions": actions}),
            ),
            (
                0,
                json!({"type": "offer", "command": format!("o-{version}"), "game": game, "what": "takeback"}),
            ),
            (
                1,
                json!({"type": "answer", "command": format!("a-{version}"), "game": game, "what": "takeback", "accept": true}),
            ),
        ];
        for (who, command) in commands {
            let socket = if who == 0 { &mut mover } else { &mut other };
            attacker.tally.send(1);
            socket.say(command.to_string()).await?;
            socket.until(|frame| frame == Frame::Ack).await?;
            version += 1;
        }
    }
}

/// Reads the game and returns its version.
async fn present_version(socket: &mut crate::client::Socket) -> anyhow::Result<u64> {
    loop {
        let text = socket.next().await?;
        match crate::wire::parse(&text) {
            Frame::Whole => {
                let whole: Value = serde_json::from_str(&text)?;
                return Ok(whole["version"].as_u64().unwrap_or(version_before(0)));
            }
            Frame::Refused(why) => anyhow::bail!("the server refuses: {why}"),
            _ => {}
        }
    }
}
