//! Accounts made without pause, and guesses at the passwords and recovery codes of others.

use std::{convert::Infallible, time::Duration};

use rand::{RngExt, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value, json};

use super::super::{
    attacker::Attacker,
    owners::{self, OWNERS},
};

/// Number of concurrent requests of each kind.
const AT_ONCE: usize = 48;

/// Pause of each task between two requests.
const EVERY: Duration = Duration::from_millis(50);

/// Words whose strength takes long to tell.
const WORDS: [&str; 8] =
    ["p4ssw0rd", "l3tm31n", "dr4g0nfly", "m0nk3y", "qwertyuiop", "sunsh1ne", "pr1ncess", "f00tball"];

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    attacker.ready().await?;
    let sign_ins = attacker.forever(AT_ONCE, EVERY, |attacker, task| async move {
        let mut chance = chance(&attacker, task);
        let body = json!({"name": any_owner(&mut chance), "password": password(&mut chance)});
        post(&attacker, "/api/v1/session/password", &body).await
    });
    let recoveries = attacker.forever(AT_ONCE, EVERY, |attacker, task| async move {
        let mut chance = chance(&attacker, task);
        let code = format!("{:020}", chance.random::<u64>());
        let body = json!({"name": any_owner(&mut chance), "code": code, "password": password(&mut chance)});
        post(&attacker, "/api/v1/account/recover", &body).await
    });
    let registrations = attacker.forever(AT_ONCE, EVERY, |attacker, task| async move {
        let mut chance = chance(&attacker, task);
        let guest = attacker.http.enter().await?;
        let name = format!("Siege {:08x}", chance.random::<u32>());
        let body = json!({"name": name, "password": password(&mut chance)});
        let request = attacker.http.request(Method::POST, "/api/v1/account", Some(&guest));
        attacker.ask(request.json(&body)).await.map(drop)
    });
    tokio::select! {
        ended = sign_ins => ended,
        ended = recoveries => ended,
        ended = registrations => ended,
    }
}

/// A random generator for the next request of a task.
fn chance(attacker: &Attacker, task: usize) -> StdRng {
    attacker.chance(task << 32 | usize::try_from(attacker.tally.sent()).unwrap_or_default())
}

/// The name of an owner who has come or will come, or of nobody.
fn any_owner(chance: &mut StdRng) -> String {
    owners::name(chance.random_range(0..2 * OWNERS))
}

/// A password of up to 128 characters. The shortest ones are weak.
fn password(chance: &mut StdRng) -> String {
    let n_words = chance.random_range(1..=12);
    let words = (0..n_words).map(|_| WORDS[chance.random_range(0..WORDS.len())]);
    words.collect()
}

async fn post(attacker: &Attacker, path: &str, body: &Value) -> anyhow::Result<()> {
    attacker.ask(attacker.http.request(Method::POST, path, None).json(body)).await.map(drop)
}
