//! Records that are costly to check.

use std::{convert::Infallible, time::Duration};

use rand::RngExt;
use reqwest::{Method, header};

use super::super::attacker::Attacker;

/// Number of concurrent checks: more than one address may have.
const AT_ONCE: usize = 32;

/// A record with a costly start position and an illegal turn.
const DEAR: &str = "towers-record 1\nruleset: fenix\nstart: C3s2s1/Cs4sC1/4s2k1/ssss1ss2/4s2Cc/1s2s2s1/4s2s1/s1sC1scK1/4s2CC 1 13 - 0\n\n13 i1xi3\nfinal: x\n";

pub(super) async fn run(attacker: Attacker) -> anyhow::Result<Infallible> {
    attacker.ready().await?;
    attacker
        .forever(AT_ONCE, Duration::from_millis(50), |attacker, task| async move {
            let mut chance = attacker.chance(usize::try_from(attacker.tally.sent())? + task);
            let records = &attacker.fixture.records;
            let which = chance.random_range(..=records.len());
            let (kind, body) = match records.get(which) {
                Some(json) if json.starts_with('{') => ("application/json", json.clone()),
                // Wrong at its end, so that all of it is replayed.
                Some(text) => ("text/plain", text.replace("\nfinal: ", "\nfinal: x")),
                None => ("text/plain", DEAR.to_owned()),
            };
            let request = attacker.http.request(Method::POST, "/api/v1/records/check", None);
            attacker.ask(request.header(header::CONTENT_TYPE, kind).body(body)).await.map(drop)
        })
        .await
}
