//! Reference for all answers: the stored log, folded independently of the game's task.

use std::collections::{HashMap, HashSet};

use engine::{BySide, Seed};
use game::{
    Cause, Drafts, Event, Phase, Recorded, State, Watching,
    ids::{ActionText, CommandId, GameId, PlayerId, Version},
};
use store::{DraftRow, StoredEvent};

use super::Host;
use crate::convert;

/// State of a game by its log alone.
#[derive(Debug)]
pub(super) struct Oracle {
    pub(super) events: Vec<StoredEvent>,
    pub(super) state: State,
    /// The game after each version.
    moments: Vec<Moment>,
    /// For each command, the version of the event that has its id.
    commands: HashMap<CommandId, Version>,
}

/// The game after an event.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// Type of the event on the wire.
    pub(super) kind: String,
    pub(super) position: String,
    /// Number of turns played so far, including those that were taken back.
    pub(super) n_turns: usize,
    /// Player to move; `None` before the game has begun.
    mover: Option<PlayerId>,
}

impl Oracle {
    /// Reads the first event of a game, which must be stored.
    pub(super) fn new(host: &Host, game: GameId) -> Self {
        let (.., events) = host.store.look(game, 0).expect("the room is stored");
        let first = read(&events[0]);
        let state = State::begin(&first).expect("the room was made");
        let mut oracle = Self { events: Vec::new(), state, moments: Vec::new(), commands: HashMap::new() };
        oracle.remember(&events[0], &first);
        oracle
    }

    /// Folds the events that were stored since, and checks them.
    pub(super) fn learn(&mut self, host: &Host, game: GameId) {
        let (row, draft, events) = host.store.look(game, self.events.len()).expect("the room is stored");
        for stored in events {
            let recorded = read(&stored);
            assert_eq!(stored.version, self.state.version().next(), "versions have no gap");
            assert!(self.events.last().is_none_or(|last| last.at_ms <= stored.at_ms), "times are sorted");
            if let Cause::Command(author) = self.state.cause(&recorded.event) {
                assert!(author != host.stranger().id, "a stranger changes nothing: {stored:?}");
                assert!(stored.command.is_some(), "{stored:?} has a command");
            } else {
                assert!(stored.command.is_none(), "{stored:?} has no command");
            }
            if let Event::TurnPlayed { time: Some(BySide { first, second }), .. } = recorded.event {
                assert!(first >= 0 && second >= 0, "{stored:?} came in time");
            }
            self.state.apply(&recorded).expect("the log folds");
            self.remember(&stored, &recorded);
        }
        assert_eq!(convert::row(game, &self.state), row, "the row is that of the folded log");
        if let Some(draft) = draft {
            self.check_draft(&draft);
        }
    }

    fn remember(&mut self, stored: &StoredEvent, recorded: &Recorded) {
        let body: serde_json::Value = serde_json::from_str(&stored.body).expect("a body is JSON");
        let n_turns = self.moments.last().map_or(0, |last| last.n_turns);
        self.moments.push(Moment {
            kind: match body["turn"].as_str() {
                Some(_) => "turn_played".to_owned(),
                None => body["type"].as_str().expect("an event has a type").to_owned(),
            },
            position: self.state.play().present().position,
            n_turns: n_turns + usize::from(matches!(recorded.event, Event::TurnPlayed { .. })),
            mover: self.state.seats().map(|seats| seats[self.state.play().to_move()]),
        });
        if let Some(command) = &stored.command {
            let before = self.commands.insert(command.clone(), stored.version);
            assert_eq!(before, None, "command {command} has one effect");
        }
        self.events.push(stored.clone());
    }

    /// Checks that a stored draft is a legal beginning of the turn under way.
    fn check_draft(&self, draft: &DraftRow) {
        let Phase::Playing { turn, .. } = self.state.phase() else { panic!("{draft:?} of no turn") };
        assert!((turn.since..=self.state.version()).contains(&draft.version), "{draft:?} has a valid base");
        let actions: Vec<ActionText> =
            serde_json::from_str(&draft.body).expect("a draft is a list of actions");
        self.state.play().draft(&actions).expect("a stored draft is legal");
    }

    pub(super) fn n_events(&self) -> usize {
        self.events.len()
    }

    /// Returns the version of the event with a command's id.
    pub(super) fn effect_of(&self, command: &CommandId) -> Option<Version> {
        self.commands.get(command).copied()
    }

    /// Returns the event that created a version.
    pub(super) fn event(&self, version: Version) -> Recorded {
        read(&self.events[version.get() as usize - 1])
    }

    /// Returns the game after the event that created a version.
    pub(super) fn moment(&self, version: usize) -> &Moment {
        &self.moments[version - 1]
    }

    pub(super) fn is_player(&self, who: PlayerId) -> bool {
        who == self.state.creator() || self.state.side_of(who).is_some()
    }

    /// Whether a player gets the earlier answer to a repeated command: one who has left the room is a stranger to what
    /// becomes of it.
    pub(super) fn is_answered_again(&self, who: PlayerId) -> bool {
        self.is_player(who) || (self.state.has_left(who) && self.state.phase() == &Phase::Open)
    }

    /// Whether a player had a seat at a version, as the creator of the room always has.
    pub(super) fn is_player_at(&self, version: usize, who: PlayerId) -> bool {
        who == self.state.creator() || (self.is_player(who) && self.moment(version).mover.is_some())
    }

    /// Whether a reader may see a draft made on a version.
    pub(super) fn sees_drafts(&self, who: PlayerId, version: usize) -> bool {
        let is_behind = self.state.terms().delay.get() > 0 && !self.is_player(who);
        self.moment(version).mover == Some(who) || (self.state.terms().drafts == Drafts::Shown && !is_behind)
    }

    /// Returns the last version that a reader may see now.
    pub(super) fn last_shown_to(&self, who: PlayerId) -> usize {
        let last = self.n_events();
        let delay = usize::from(self.state.terms().delay.get());
        let is_over =
            matches!(self.state.phase(), Phase::Finished { .. } | Phase::Aborted { .. } | Phase::Cancelled);
        if self.is_player(who) {
            return last;
        }
        let is_open = |moment: &Moment| ["created", "reopened"].contains(&moment.kind.as_str());
        let open = 1 + self.moments.iter().rposition(is_open).expect("a game begins with a room");
        if self.is_hidden_from(who) {
            return open;
        }
        if delay == 0 || is_over {
            return last;
        }
        let n_since = self.moment(last).n_turns - self.moment(open).n_turns;
        let n_turns = self.moment(last).n_turns - delay.min(n_since);
        (1..=last).rev().find(|version| self.moment(*version).n_turns <= n_turns).expect("the room is shown")
    }

    /// Whether only the players may see the game now, and a reader is none.
    pub(super) fn is_hidden_from(&self, who: PlayerId) -> bool {
        let is_private = self.state.terms().watching == Watching::Nobody;
        is_private && self.state.phase() != &Phase::Open && !self.is_player(who)
    }

    /// Returns the seed of the cards while it is secret.
    pub(super) fn secret(&self) -> Option<String> {
        let is_told = matches!(self.state.phase(), Phase::Finished { .. });
        self.state.seed().filter(|_| !is_told).map(Seed::reveal)
    }

    /// Returns the ids of the commands that had an effect.
    pub(super) fn accepted(&self) -> HashSet<CommandId> {
        self.commands.keys().cloned().collect()
    }
}

fn read(stored: &StoredEvent) -> Recorded {
    let recorded = Recorded::read(stored.at_ms, &stored.body).expect("a stored event can be read");
    assert_eq!(recorded.body(), stored.body, "an event has one encoding");
    recorded
}
