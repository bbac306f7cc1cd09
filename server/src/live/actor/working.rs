//! Engine work whose cost is not proven small: within a small budget it runs inline, beyond that on the compute pool,
//! and beyond a large budget not at all.

use engine::{AnyMatch, Budget, Unlisted};
use game::{
    Command, Decision, OfferKind, Refusal, When, decide,
    ids::{ActionText, CommandId, GameId, Version},
    may_act,
};
use protocol::{Choices, Nack, ServerMessage};

use super::Actor;
use crate::{
    compute::Requester,
    live::requests::{DraftRequest, Request},
};

/// Maximum number of search steps that a game's own task spends on one request: about 0.3 ms.
const INLINE_STEPS: u64 = 600;

/// Maximum number of search steps for a position's captures: about a second and 50 MB. A turn to a costlier position is
/// refused, so no game reaches one.
const POSITION_STEPS: u64 = 4_000_000;

/// Maximum number of search steps for listing a position's captures.
const LIST_STEPS: u64 = 1_000_000;

/// Maximum number of listed legal actions. No position from a usual start has nearly as many; some constructed ones
/// have millions.
const MAX_LISTED: usize = 5_000;

/// Maximum number of jumps of all listed captures: about half a megabyte of them.
const MAX_JUMPS_LISTED: usize = 20_000;

/// Maximum number of turns that a take-back replays on the game's own task: 0.3 ms.
const INLINE_TURNS: usize = 10;

/// The latest answers about legal actions. A cheap answer does not displace one of the compute pool.
#[derive(Debug, Default)]
pub(super) struct OptionsCache {
    of_pool: Option<CachedOptions>,
    inline: Option<CachedOptions>,
}

#[derive(Debug)]
struct CachedOptions {
    /// The version since which the board is unchanged.
    since: Version,
    actions: Vec<ActionText>,
    listed: Result<ServerMessage, Nack>,
}

impl Actor {
    /// Prepares the current position for later decisions. The result is kept until the board changes.
    pub(super) async fn prepare(&mut self, requester: Requester) -> Result<(), Nack> {
        let play = self.game.state.play_mut();
        if play.prepare(&mut Budget::steps(INLINE_STEPS)).is_err() {
            let play = play.clone();
            *self.game.state.play_mut() = self.prepare_on_pool(requester, play).await?;
        }
        Ok(())
    }

    async fn prepare_on_pool(&self, requester: Requester, mut play: AnyMatch) -> Result<AnyMatch, Nack> {
        let prepare = move || play.prepare(&mut Budget::steps(POSITION_STEPS)).map(|()| play);
        Ok(self.shared.dependencies.compute.run(requester, prepare).await?.map_err(Refusal::from)?)
    }

    /// Decides a command. A turn that leads to a position beyond [`POSITION_STEPS`] is refused: its legal actions could
    /// not be determined.
    pub(super) async fn work_out(&mut self, request: &Request, command: &Command) -> Result<Decision, Nack> {
        if let Command::Turn { base, .. } = command {
            may_act(&self.game.state, &request.who, *base)?;
            self.prepare(request.requester).await?;
        }
        let when = When { received_ms: request.received_ms, now_ms: self.shared.now_ms() };
        if self.replays_many_turns(command) {
            let (state, who, command) = (self.game.state.clone(), request.who.clone(), command.clone());
            let decide = move || decide(&state, &command, &who, when);
            return Ok(self.shared.dependencies.compute.run(request.requester, decide).await??);
        }
        let mut decision = decide(&self.game.state, command, &request.who, when)?;
        let is_turn = matches!(command, Command::Turn { .. });
        if is_turn && decision.next.play.prepare(&mut Budget::steps(INLINE_STEPS)).is_err() {
            let play = decision.next.play.clone();
            decision.next.play = self.prepare_on_pool(request.requester, play).await?;
        }
        Ok(decision)
    }

    fn replays_many_turns(&self, command: &Command) -> bool {
        matches!(command, Command::Answer { what: OfferKind::Takeback, accept: true, .. })
            && self.game.state.play().turns().len() > INLINE_TURNS
    }

    /// Returns a legal draft with its legal continuations as an `options` message, or the reason why these cannot be
    /// listed.
    pub(super) async fn continuations(
        &mut self,
        request: &DraftRequest,
    ) -> Result<(engine::Draft, Result<ServerMessage, Nack>), Nack> {
        let since = may_act(&self.game.state, &request.who, request.base)?.since;
        self.prepare(request.requester).await?;
        let legal = self.game.state.play().draft(&request.actions).map_err(Refusal::from)?;
        if let Some(listed) = self.cached_options(since, request) {
            return Ok((legal, listed));
        }
        let (id, game, base) = (request.id.clone(), self.id, request.base);
        let keep = |listed: &Result<ServerMessage, Nack>| {
            Some(CachedOptions { since, actions: request.actions.clone(), listed: listed.clone() })
        };
        let inline = list(&legal, INLINE_STEPS, &id, game, base);
        if !matches!(inline, Err(Unlisted::TooCostly(_))) {
            let listed = inline.map_err(refuse_list);
            self.options_cache.inline = keep(&listed);
            return Ok((legal, listed));
        }
        let asked = legal.clone();
        let list = move || list(&asked, LIST_STEPS, &id, game, base).map_err(refuse_list);
        let listed = self.shared.dependencies.compute.run(request.requester, list).await?;
        self.options_cache.of_pool = keep(&listed);
        Ok((legal, listed))
    }

    /// Returns the answer to the same earlier request, if there was one.
    fn cached_options(&self, since: Version, request: &DraftRequest) -> Option<Result<ServerMessage, Nack>> {
        let OptionsCache { of_pool, inline } = &self.options_cache;
        let is_same = |cached: &&CachedOptions| cached.since == since && cached.actions == request.actions;
        let cached = [of_pool, inline].into_iter().flatten().find(is_same)?;
        let mut listed = cached.listed.clone();
        if let Ok(ServerMessage::Options { command, version, .. }) = &mut listed {
            command.clone_from(&request.id);
            *version = request.base;
        }
        Some(listed)
    }
}

fn list(
    legal: &engine::Draft,
    steps: u64,
    command: &CommandId,
    game: GameId,
    version: Version,
) -> Result<ServerMessage, Unlisted> {
    let Choices { draft, actions, groups, barred, best_capture } =
        Choices::of(legal, MAX_LISTED, &mut Budget::steps(steps))?;
    let jumps =
        actions.iter().filter_map(|action| action.capture.as_ref()).map(|capture| capture.jumps.len());
    if jumps.sum::<usize>() > MAX_JUMPS_LISTED {
        return Err(Unlisted::TooMany { limit: MAX_LISTED });
    }
    Ok(ServerMessage::Options {
        command: command.clone(),
        game,
        version,
        draft,
        actions,
        groups,
        barred,
        best_capture,
    })
}

fn refuse_list(_: Unlisted) -> Nack {
    Nack::TooMany { limit: MAX_LISTED }
}
