//! Acts of moderators, and what follows them on all nodes.

use game::ids::{ActId, PlayerId, PlayerName};
use protocol::ProblemCode;
use store::{Decision, EndedSessions, ModerationChange, NewAct, WriteError};

use crate::{env::Env, identity::Found, problem::Problem, state::App};

/// Maximum number of neutral names that are tried, of a million.
const NAMES_TRIED: u32 = 8;

/// Acts on a player, by the session of a moderator.
///
/// # Errors
/// The visitor may not act on the player, or there is nothing to do.
pub(crate) async fn act(
    app: &App,
    found: &Found,
    target: PlayerId,
    decision: Decision,
) -> Result<(), Problem> {
    let (by, session) = (found.session.player.id, found.session.id);
    let (id, at_ms) = (ActId::new(app.env.id()), app.env.now_ms());
    let (here, act) = (app.clone(), NewAct { id, by, session, target, decision, at_ms });
    let acting = async move {
        here.writer.moderate(ModerationChange::Acted(act.clone())).await?;
        follow(&here, act).await;
        Ok::<_, WriteError>(())
    };
    Ok(app.complete(acting).await??)
}

/// Hides a name of a player, who gets a neutral one that nobody has if it is the present one.
///
/// # Errors
/// As [`act`].
pub(crate) async fn hide_name(
    app: &App,
    found: &Found,
    target: PlayerId,
    name: PlayerName,
) -> Result<(), Problem> {
    let mut tried = 0;
    loop {
        tried += 1;
        let decision = Decision::HideName { name: name.clone(), neutral: neutral_name(&app.env) };
        match act(app, found, target, decision).await {
            Err(problem) if problem.is(ProblemCode::NameTaken) && tried < NAMES_TRIED => {}
            done => return done,
        }
    }
}

/// Returns a name that says nothing, in either language.
fn neutral_name(env: &Env) -> PlayerName {
    let number = env.random::<u32>() % 1_000_000;
    PlayerName::try_from(format!("Anon {number:06}")).expect("a word and a number are a name")
}

/// Tells all nodes of an act that is stored.
async fn follow(app: &App, NewAct { target, decision, .. }: NewAct) {
    match decision {
        Decision::Mute { until_ms } => app.mute(target, Some(until_ms)),
        Decision::Unmute => app.mute(target, None),
        Decision::HideName { .. } | Decision::Reopen => app.show(target).await,
        Decision::Close => {
            app.presence.sign_out(target, EndedSessions::All);
            app.show(target).await;
            app.leave_games(target).await;
        }
        Decision::Dismiss(_) | Decision::DismissAll => {}
    }
}
