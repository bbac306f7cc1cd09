//! Filtered lists of very many games that match nothing.

use std::{convert::Infallible, time::Duration};

use rand::{RngExt, rngs::StdRng};
use reqwest::Method;

use super::super::{attacker::Attacker, fixture::BUSY_PLAYER};

/// Number of concurrent requests.
const AT_ONCE: usize = 128;

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    attacker.ready().await?;
    attacker
        .forever(AT_ONCE, Duration::from_millis(200), |attacker, task| async move {
            let mut chance = attacker.chance(usize::try_from(attacker.tally.sent())? + task);
            let path = format!("/api/v1/games?list=finished&{}", filter(&mut chance));
            attacker.ask(attacker.http.request(Method::GET, &path, None)).await.map(drop)
        })
        .await
}

/// A random filter that matches few games or none.
fn filter(chance: &mut StdRng) -> String {
    let mut one_of = |words: &[&'static str]| words[chance.random_range(..words.len())];
    let rare =
        one_of(&["reason=quiet", "reason=king", "ruleset=fibonacci-cards", "reason=abandon&ruleset=focus"]);
    let result = one_of(&["", "&result=draw", "&result=first", "&result=second"]);
    let days = one_of(&["", "&since=2001-01-01", "&until=2099-12-31", "&since=2020-02-29&until=2030-01-01"]);
    let limit = one_of(&["", "&limit=1", "&limit=100"]);
    let busy = format!("&player={BUSY_PLAYER}");
    let player = if chance.random_bool(0.4) { busy } else { String::new() };
    format!("{rare}{result}{days}{limit}{player}")
}
