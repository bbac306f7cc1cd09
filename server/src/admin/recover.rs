//! `towers account recover`.

use std::process::ExitCode;

use anyhow::{Context, bail};
use game::ids::PlayerName;
use store::{AccountChange, Purpose, Write};

use super::{database::Database, say};
use crate::{env::Env, identity};

/// Runs `towers account recover`.
pub(super) async fn run(database: &Database, origin: &str, name: &PlayerName) -> anyhow::Result<ExitCode> {
    let store = database.open_beside_servers().await?;
    let env = Env::of_machine();
    let Some(found) = store.credentials(&name.folded(), None, env.now_ms()).await? else {
        bail!("no account has the name {:?}", name.as_str());
    };
    let (link, secret) = identity::new_link(&env, Purpose::Recovery { by_mail: false });
    let made = AccountChange::LinkMade { player: found.player.id, link };
    let written = store.commit(&[Write::Account(Box::new(made))]).await.context("cannot store the link")?;
    for result in written {
        result.context("cannot store the link")?;
    }
    store.close().await;
    say(format_args!("{origin}/#recover={}", secret.as_str()))?;
    let name = found.player.name.as_str();
    say(format_args!("Whoever has this link can set the password of {name:?}, once, within 30 minutes."))?;
    Ok(ExitCode::SUCCESS)
}
