//! `towers role`.

use std::process::ExitCode;

use anyhow::Context;
use clap::ValueEnum;
use game::{
    Role,
    ids::{ActId, PlayerName},
};
use store::{ModerationChange, Write};

use super::{
    database::{self, Database},
    say,
};
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
    let player = database::account_named(&*store, &env, name).await?;
    let (id, at_ms) = (ActId::new(env.id()), env.now_ms());
    let (role, told) = match role {
        NewRole::Moderator => (Some(Role::Moderator), "is now a moderator"),
        NewRole::Admin => (Some(Role::Admin), "is now an administrator"),
        NewRole::None => (None, "no longer has a role"),
    };
    let set = ModerationChange::RoleSet { id, player: player.id, role, at_ms };
    database::write(&*store, Write::Moderation(Box::new(set))).await.context("cannot store the role")?;
    store.close().await;
    say(format_args!("{:?} {told}", player.name.as_str()))?;
    Ok(ExitCode::SUCCESS)
}
