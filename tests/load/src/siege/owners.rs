//! Honest owners of accounts: people who register, sign in on another device, and recover their account, all from fresh
//! addresses.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval, timeout},
};

use super::{
    honest::{answer, cause},
    measurements::{Measurements, Wait},
};
use crate::client::Http;

/// Interval between two owners.
const OWNER_EVERY: Duration = Duration::from_secs(1);

/// Number of owners who come in the longest run.
pub(super) const OWNERS: u16 = 40;

/// Timeout for each request.
const ANSWER_TAKES: Duration = Duration::from_secs(20);

/// Their accounts are named by number: whoever attacks them knows the names, which are public.
pub(super) fn name(number: u16) -> String {
    format!("Owner {number}")
}

/// Starts owners until it is aborted.
pub(super) async fn come(server: SocketAddr, measurements: Arc<Measurements>) -> Infallible {
    let mut owners = JoinSet::new();
    let mut due = interval(OWNER_EVERY);
    due.set_missed_tick_behavior(MissedTickBehavior::Skip);
    for number in 0_u16.. {
        due.tick().await;
        while owners.try_join_next().is_some() {}
        let owner = Owner { server, number, measurements: measurements.clone() };
        owners.spawn(async move {
            if let Err(error) = owner.visit().await {
                owner.measurements.fault(format!("owner: {error}"));
            }
        });
    }
    std::future::pending().await
}

/// One owner, with two devices.
#[derive(Debug)]
struct Owner {
    server: SocketAddr,
    number: u16,
    measurements: Arc<Measurements>,
}

impl Owner {
    /// Registers on one device, and signs in and recovers the account on the other, which it does not know.
    async fn visit(&self) -> anyhow::Result<()> {
        let [first, second] = [self.device(0)?, self.device(1)?];
        let (name, password) = (name(self.number), format!("an {} owl reads maps", self.number));
        let guest = first.enter().await?;
        let account = json!({"name": name, "password": password});
        let registration = first.request(Method::POST, "/api/v1/account", Some(&guest)).json(&account);
        let registered = self.ask("registration", registration).await?;
        let code = registered["recovery_code"].as_str().context("a registration gives a code")?;
        let sign_in = second.request(Method::POST, "/api/v1/session/password", None).json(&account);
        self.ask("sign-in", sign_in).await?;
        let recovery = json!({"name": name, "password": password, "code": code});
        let recovery = second.request(Method::POST, "/api/v1/account/recover", None).json(&recovery);
        self.ask("recovery", recovery).await.map(drop)
    }

    fn device(&self, which: u8) -> anyhow::Result<Http> {
        let [high, low] = self.number.to_be_bytes();
        Http::from(IpAddr::V4(Ipv4Addr::new(127, 66 + which, high, low)), self.server)
    }

    async fn ask(&self, what: &str, request: reqwest::RequestBuilder) -> anyhow::Result<Value> {
        match self.measurements.time(Wait::Owner, timeout(ANSWER_TAKES, answer(request))).await {
            Ok(answered) => answered.map_err(|error| anyhow::anyhow!("{what}: {}", cause(&error))),
            Err(_) => anyhow::bail!("{what}: no answer in {} s", ANSWER_TAKES.as_secs()),
        }
    }
}
