//! `towers account recover`.

use std::process::ExitCode;

use anyhow::Context;
use game::ids::PlayerName;
use store::{AccountChange, Purpose, Write};

use super::{
    database::{self, Database},
    say,
};
use crate::{env::Env, identity};

/// Runs `towers account recover`.
pub(super) async fn run(database: &Database, origin: &str, name: &PlayerName) -> anyhow::Result<ExitCode> {
    let store = database.open_beside_servers().await?;
    let env = Env::of_machine();
    let player = database::account_named(&*store, &env, name).await?;
    let (link, secret) = identity::new_link(&env, Purpose::Recovery { by_mail: false });
    let made = AccountChange::LinkMade { player: player.id, link };
    database::write(&*store, Write::Account(Box::new(made))).await.context("cannot store the link")?;
    store.close().await;
    say(format_args!("{origin}/#recover={}", secret.as_str()))?;
    let name = player.name.as_str();
    say(format_args!("Whoever has this link can set the password of {name:?}, once, within 30 minutes."))?;
    Ok(ExitCode::SUCCESS)
}
