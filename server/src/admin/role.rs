//! `towers role`.

use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use game::{
    Role,
    ids::{ActId, PlayerName},
};
use store::{ModerationChange, Write};

use super::{database::Database, say};
use crate::env::Env;

/// Role of an account, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NewRole {
    /// Judges reports, and acts on players without a role.
    Moderator,
    /// A moderator who also acts on moderators, and reads all acts.
    Admin,
    /// No role.
    None,
}

/// Runs `towers role`.
pub(super) async fn run(database: &Database, name: &PlayerName, role: NewRole) -> anyhow::Result<ExitCode> {
    let store = database.open_beside_servers().await?;
    let env = Env::of_machine();
    let Some(found) = store.credentials(&name.folded(), None, env.now_ms()).await? else {
        bail!("no account has the name {:?}", name.as_str());
    };
    let (id, player, at_ms) = (ActId::new(env.id()), found.player.id, env.now_ms());
    let (role, told) = match role {
        NewRole::Moderator => (Some(Role::Moderator), "is a moderator"),
        NewRole::Admin => (Some(Role::Admin), "is an administrator"),
        NewRole::None => (None, "has no role"),
    };
    let set = ModerationChange::RoleSet { id, player, role, at_ms };
    let written = store.commit(&[Write::Moderation(Box::new(set))]).await.context("cannot store the role")?;
    for result in written {
        result.context("cannot store the role")?;
    }
    store.close().await;
    say(format_args!("{:?} {told} from now on", found.player.name.as_str()))?;
    Ok(ExitCode::SUCCESS)
}
