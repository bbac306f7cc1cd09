//! One game on two nodes with one store, played by two players and watched by a stranger, while time passes, nodes
//! restart and commits fail.

mod oracle;
mod reader;
mod schedule;

use std::{sync::Arc, thread, time::Duration};

use engine::Seed;
use game::{
    Command, Player, Recorded, Watching,
    ids::{ActionText, ChatText, CommandId, GameId, PlayerId, PlayerName, Version},
};
use protocol::Nack;
use serde_json::Value;
use store::{Audience, Games, LastChange, Memory};
use tokio::time::advance;
use uuid::Uuid;

use self::{
    oracle::Oracle,
    reader::{Reader, shown},
    schedule::{End, From, Operation, OperationKind, Person, Picks, Schedule},
};
use super::node::{self, Node, address, requester, settle};
use crate::{
    cluster::outages::GAP_MS,
    env::Env,
    live::{Beginner, DraftRequest, FollowPolicy, Request, RoomError, SayRequest},
    net::outbox::Outbox,
};

/// Maximum number of legal actions from which one is chosen. With more of them, one that is rarely legal is sent.
const MAX_LISTED: usize = 500;

/// Maximum number of actions of a turn, after which it is left unfinished.
const MAX_ACTIONS: usize = 12;

/// Number of chat lines to read, more than a schedule adds.
const MAX_LINES: u32 = 1_000;

/// Reads bytes as a schedule, plays one game by it, and checks after each step:
///
/// - The log has no gap, can be folded, and agrees with the game's row. Each command is in it at most once.
/// - An acknowledged command is in the log, and always gets the same answer. A refused command is not in the log.
/// - A stranger changes nothing.
/// - Readers are shown the stored events without a gap, and nothing that is hidden from them: drafts, delayed turns,
///   the seed, the other audience's chat.
/// - No task ends without a cause.
pub fn play(bytes: &[u8]) {
    let schedule = Schedule::read(bytes);
    let _underway = Underway(&schedule);
    node::run(async {
        let Ok(mut table) = Table::open(&schedule).await else { return };
        for step in &schedule.steps {
            table.step(step).await;
        }
        table.close().await;
    });
}

/// Time within which the draft of an answered message is stored, in milliseconds.
const DRAFTS_ARE_STORED_IN_MS: u64 = 1_001;

/// Prints the schedule if an assertion fails.
struct Underway<'s>(&'s Schedule);

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("failing schedule: {:?}", self.0);
        }
    }
}

/// State shared by both nodes.
#[derive(Debug)]
struct Host {
    env: Env,
    store: Arc<Memory>,
    /// The maker, the other player and the stranger.
    people: [Player; 3],
}

impl Host {
    fn player(&self, who: Person) -> &Player {
        match who {
            Person::Maker => &self.people[0],
            Person::Other => &self.people[1],
            Person::Stranger => self.stranger(),
        }
    }

    fn stranger(&self) -> &Player {
        &self.people[2]
    }
}

/// An answered command.
#[derive(Debug)]
struct Asked {
    request: Request,
    answer: Result<Version, Nack>,
}

#[derive(Debug)]
struct Table {
    host: Host,
    nodes: [Node; 2],
    game: GameId,
    oracle: Oracle,
    readers: Vec<Reader>,
    asked: Vec<Asked>,
    n_ids: usize,
}

impl Table {
    async fn open(schedule: &Schedule) -> Result<Self, RoomError> {
        let people = ["Ada", "Blaise", "Eve"].map(|name| Player {
            id: PlayerId::new(Uuid::from_u128(u128::from(name.as_bytes()[0]))),
            name: PlayerName::try_from(name.to_owned()).expect("a name"),
        });
        let host = Host { env: Env::of_test(1), store: Arc::default(), people };
        let nodes = [Node::start(&host.env, &host.store).await, Node::start(&host.env, &host.store).await];
        let maker = Beginner { player: host.player(Person::Maker).clone(), address: address() };
        let row = nodes[0].games.create(schedule.room.clone(), maker, Seed::new([7; 32])).await?;
        let oracle = Oracle::new(&host, row.id);
        Ok(Self { host, nodes, game: row.id, oracle, readers: Vec::new(), asked: Vec::new(), n_ids: 0 })
    }

    async fn step(&mut self, step: &Operation) {
        if step.is_compared {
            self.compare(step.node);
        }
        self.act(step).await;
        self.look().await;
    }

    async fn act(&mut self, step: &Operation) {
        let who = self.host.player(step.who).clone();
        match &step.what {
            OperationKind::Draft { back, turn } => self.draft(step.node, who, *back, turn).await,
            OperationKind::Options { back, turn } => self.options(step.node, who, *back, turn).await,
            OperationKind::Say => self.say(step, who).await,
            OperationKind::Watch { from } => self.watch(step.node, who.id, *from).await,
            OperationKind::Unwatch => self.unwatch(step.node, who.id).await,
            OperationKind::Read => self.read(step.node, who.id).await,
            OperationKind::Again { nth } => self.again(step, *nth).await,
            OperationKind::Reuse { nth } => self.reuse(step, who, *nth).await,
            OperationKind::Wait { ms } => self.pass(*ms).await,
            OperationKind::Away { ms } => self.wait(*ms, GAP_MS).await,
            OperationKind::Sweep => self.nodes[step.node].games.wake(self.game),
            OperationKind::Restart => self.restart(step.node).await,
            OperationKind::Fail(failure) => self.host.store.fail_next(Some(*failure)),
            OperationKind::Join { .. }
            | OperationKind::Cancel
            | OperationKind::Turn { .. }
            | OperationKind::Resign
            | OperationKind::Abort
            | OperationKind::Offer(_)
            | OperationKind::Answer { .. }
            | OperationKind::Claim(_) => {
                if let Some(command) = self.command(step) {
                    let id = self.next_id();
                    let request = self.request(id, who, command);
                    self.give(step.node, step.is_compared, request).await;
                }
            }
        }
    }

    fn request(&self, id: CommandId, who: Player, command: Command) -> Request {
        let requester = requester(who.id);
        Request { id, who, requester, command, received_ms: self.host.env.now_ms(), over_budget: None }
    }

    /// Returns the command of an operation.
    fn command(&mut self, step: &Operation) -> Option<Command> {
        let rematch = GameId::new(self.host.env.id());
        Some(match &step.what {
            OperationKind::Join { .. } if step.who == Person::Stranger => return None,
            OperationKind::Join { coin } => Command::Join { coin: *coin },
            OperationKind::Cancel => Command::Cancel,
            OperationKind::Turn { back, turn, lag_ms } => {
                Command::Turn { base: self.version(*back), actions: self.actions(turn), lag_ms: *lag_ms }
            }
            OperationKind::Resign => Command::Resign,
            OperationKind::Abort => Command::Abort { gone_ms: None },
            OperationKind::Offer(what) => Command::Offer { what: *what, rematch },
            OperationKind::Answer { what, accept } => {
                Command::Answer { what: *what, accept: *accept, rematch }
            }
            OperationKind::Claim(what) => Command::Claim { what: *what, gone_ms: None },
            _ => return None,
        })
    }

    /// Sends a command. Unless a commit fails, it has an effect exactly if it is acknowledged.
    async fn give(&mut self, node: usize, is_compared: bool, request: Request) {
        let (n_failures, before) = (self.host.store.n_failures(), self.oracle.effect_of(&request.id));
        let answer = self.nodes[node].games.command(self.game, request.clone()).await;
        self.oracle.learn(&self.host, self.game);
        let effect = self.oracle.effect_of(&request.id);
        match &answer {
            Ok(version) => self.has_effect(&request, *version),
            Err(Nack::Unavailable) => {
                assert!(self.host.store.n_failures() > n_failures, "{request:?}: no commit has failed");
            }
            Err(refusal) => {
                assert_eq!(effect, before, "{request:?} was refused: {refusal:?}");
                // A stranger does not get the earlier answer to a command of a finished game.
                let is_known = before.is_some() && is_compared && self.oracle.is_player(request.who.id);
                assert!(!is_known || *refusal == Nack::CommandReused, "{request:?}: {refusal:?}");
            }
        }
        assert!(answer.is_err() || request.who != *self.host.stranger(), "{request:?} of a stranger");
        self.asked.push(Asked { request, answer });
    }

    /// Checks that an acknowledged command is in the log, and that `version` is that of its last event.
    fn has_effect(&self, request: &Request, version: Version) {
        let first = self.oracle.effect_of(&request.id).expect("an acknowledged command is stored");
        let Recorded { event, .. } = self.oracle.event(first);
        assert!(request.command.effects().any(|effect| effect == event.effect()), "{request:?}: {event:?}");
        let own = first.get() as usize..version.get() as usize;
        assert!(self.oracle.events[own].iter().all(|event| event.command.is_none()), "{request:?} {version}");
    }

    /// Sends an earlier command again, unchanged.
    async fn again(&mut self, step: &Operation, nth: usize) {
        let Some(nth) = nth.checked_rem(self.asked.len()) else { return };
        let Asked { request, answer } = &self.asked[self.asked.len() - 1 - nth];
        let (request, before, who) = (request.clone(), answer.clone(), request.who.id);
        self.give(step.node, step.is_compared, request).await;
        let after = &self.asked.last().expect("the command was just sent").answer;
        let is_known = self.oracle.is_answered_again(who);
        if before.is_ok() && is_known && step.is_compared && *after != Err(Nack::Unavailable) {
            assert_eq!(*after, before, "an acknowledged command gets the same answer");
        }
    }

    /// Sends another command with an id that was used before.
    async fn reuse(&mut self, step: &Operation, who: Player, nth: usize) {
        let Some(nth) = nth.checked_rem(self.asked.len()) else { return };
        let id = self.asked[self.asked.len() - 1 - nth].request.id.clone();
        let request = self.request(id, who, Command::Resign);
        self.give(step.node, step.is_compared, request).await;
    }

    async fn draft(&mut self, node: usize, who: Player, back: u32, turn: &Picks) {
        let request = self.draft_request(node, who, back, turn);
        let (n_failures, n_events) = (self.host.store.n_failures(), self.oracle.n_events());
        let answer = self.nodes[node].games.draft(self.game, request.clone()).await;
        self.oracle.learn(&self.host, self.game);
        if answer.is_ok() && !request.actions.is_empty() && self.oracle.n_events() == n_events {
            self.pass(DRAFTS_ARE_STORED_IN_MS).await;
            self.oracle.learn(&self.host, self.game);
            let (_, stored, _) = self.host.store.look(self.game, 0).expect("the room is stored");
            let body = serde_json::to_string(&request.actions).expect("texts are JSON");
            let stored = stored.map(|draft| (draft.version, draft.body));
            let is_overtaken = self.host.store.n_failures() > n_failures || self.oracle.n_events() > n_events;
            assert!(is_overtaken || stored == Some((request.base, body)), "{stored:?} after {request:?}");
        }
        assert!(answer.is_err() || request.who != *self.host.stranger(), "{request:?} of a stranger");
        let has_failed = self.host.store.n_failures() > n_failures;
        assert!(has_failed || !matches!(answer, Err(Nack::Unavailable)), "{request:?}: no commit has failed");
    }

    async fn options(&mut self, node: usize, who: Player, back: u32, turn: &Picks) {
        let request = self.draft_request(node, who, back, turn);
        let before = self.oracle.accepted();
        let answer = self.nodes[node].games.options(self.game, request.clone()).await;
        self.oracle.learn(&self.host, self.game);
        assert_eq!(self.oracle.accepted(), before, "a question changes nothing: {request:?}");
        assert!(answer.is_err() || request.who != *self.host.stranger(), "{request:?} of a stranger");
    }

    fn draft_request(&mut self, node: usize, who: Player, back: u32, turn: &Picks) -> DraftRequest {
        let (base, actions) = (self.version(back), self.actions(turn));
        let own = self.readers.iter().find(|reader| (reader.node, reader.who) == (node, who.id));
        let from = own.map_or_else(|| Outbox::open().0.id, |reader| reader.outbox.id);
        DraftRequest { id: self.next_id(), requester: requester(who.id), who, base, actions, from }
    }

    async fn say(&mut self, step: &Operation, who: Player) {
        let id = self.next_id();
        let text = ChatText::try_from(format!("{} says {id}", who.name)).expect("a line");
        let request = SayRequest { id, who: who.clone(), text, requester: requester(who.id) };
        let games = &self.nodes[step.node].games;
        if games.say(self.game, request.clone()).await.is_ok() {
            let n_lines = self.lines().await.len();
            games.say(self.game, request).await.expect("a repeated line is accepted");
            assert_eq!(self.lines().await.len(), n_lines, "a repeated line is stored once");
            let is_hidden = step.is_compared
                && self.oracle.state.terms().watching == Watching::Nobody
                && self.oracle.state.seats().is_some()
                && !self.oracle.is_player(who.id);
            assert!(!is_hidden, "{who:?} speaks in a game that nobody may watch");
        }
    }

    async fn watch(&mut self, node: usize, who: PlayerId, from: From) {
        let from = match from {
            From::Nothing => Version::NONE,
            From::Latest => self.version(0),
            From::Earlier(back) => self.version(back),
            From::Beyond => Version::new(9_999),
        };
        let reader = Reader::new(&self.host, node, who, from);
        let outbox = &reader.outbox;
        if self.nodes[node]
            .games
            .watch(self.game, outbox, who, from, FollowPolicy::All, requester(who))
            .await
            .is_ok()
        {
            self.readers.push(reader);
        }
    }

    async fn unwatch(&mut self, node: usize, who: PlayerId) {
        let Some(place) = self.readers.iter().position(|reader| (reader.node, reader.who) == (node, who))
        else {
            return;
        };
        let mut reader = self.readers.remove(place);
        self.nodes[node].games.unwatch(self.game, reader.outbox.id).await;
        let lines = self.lines().await;
        reader.drain(&self.host, &self.oracle, &lines);
    }

    async fn read(&mut self, node: usize, who: PlayerId) {
        let document = self.document(&self.nodes[node], who).await;
        let record = self.nodes[node].games.record(self.game, Some(who), requester(who)).await;
        self.oracle.learn(&self.host, self.game);
        let Ok(document) = document else {
            assert_eq!(record.err(), document.err(), "document and record have the same permissions");
            return;
        };
        let text = record.expect("the game is shown").text.text();
        shown(&self.oracle, who, &document);
        if let Some(secret) = self.oracle.secret() {
            assert!(!text.contains(&secret) && !document.to_string().contains(&secret), "the seed leaks");
        }
    }

    /// Advances the time without an outage.
    async fn pass(&mut self, ms: u64) {
        let then_ms = self.host.env.now_ms() + i64::try_from(ms).expect("a day at most");
        self.nodes.iter().for_each(|node| node.outages.run_until(then_ms));
        self.wait(ms, i64::MAX).await;
    }

    /// Advances the time. A node whose heartbeat paused for more than `gap_ms` records an outage.
    async fn wait(&mut self, ms: u64, gap_ms: i64) {
        advance(Duration::from_millis(ms)).await;
        for node in &self.nodes {
            node.beat(gap_ms).await;
        }
        settle().await;
    }

    async fn restart(&mut self, node: usize) {
        // The connections of the node are lost.
        self.readers.retain(|reader| reader.node != node);
        let next = Node::start(&self.host.env, &self.host.store).await;
        std::mem::replace(&mut self.nodes[node], next).end().await;
    }

    /// Makes a node read the events that the other node has stored.
    fn compare(&self, node: usize) {
        let state = &self.oracle.state;
        let stored = LastChange { version: state.version(), at_ms: state.updated_ms() };
        self.nodes[node].games.compare(self.game, stored);
    }

    /// Checks all stored events and sent frames.
    async fn look(&mut self) {
        settle().await;
        self.oracle.learn(&self.host, self.game);
        let lines = self.lines().await;
        for reader in &mut self.readers {
            reader.drain(&self.host, &self.oracle, &lines);
        }
        self.readers.retain(|reader| !reader.is_gone);
    }

    /// Brings both nodes up to date, and compares them with a new node that reads the log.
    async fn close(mut self) {
        self.host.store.fail_next(None);
        // The flag of a game without a task falls when the game is woken.
        self.nodes[0].games.wake(self.game);
        self.look().await;
        (0..self.nodes.len()).for_each(|node| self.compare(node));
        self.look().await;
        for reader in &self.readers {
            assert!(reader.is_up_to_date(&self.oracle), "{reader:?} lacks what it may see");
        }
        let fresh = Node::start(&self.host.env, &self.host.store).await;
        for who in self.host.people.clone() {
            let expected = self.document(&fresh, who.id).await;
            for node in &self.nodes {
                assert_eq!(
                    self.document(node, who.id).await,
                    expected,
                    "{who:?} reads the same on all nodes"
                );
            }
        }
        for Asked { request, answer } in std::mem::take(&mut self.asked) {
            if answer.is_ok() && self.oracle.is_answered_again(request.who.id) {
                let again = fresh.games.command(self.game, request.clone()).await;
                assert_eq!(again, answer, "{request:?} again");
            }
        }
        let accepted = self.oracle.accepted();
        self.oracle.learn(&self.host, self.game);
        assert_eq!(self.oracle.accepted(), accepted, "repeated commands have no effect");
        fresh.end().await;
        for node in self.nodes {
            node.end().await;
        }
    }

    async fn document(&self, node: &Node, who: PlayerId) -> Result<Value, Nack> {
        let document = node.games.document(self.game, Some(who), requester(who)).await?;
        Ok(serde_json::from_str(&document.text()).expect("a document is JSON"))
    }

    async fn lines(&self) -> Vec<store::ChatRow> {
        let mut lines = Vec::new();
        for audience in [Audience::Players, Audience::Spectators] {
            let rows = self.host.store.chat(self.game, audience, MAX_LINES).await;
            lines.extend(rows.expect("the store can be read"));
        }
        lines
    }

    fn next_id(&mut self) -> CommandId {
        self.n_ids += 1;
        CommandId::try_from(format!("c{}", self.n_ids)).expect("letters and digits")
    }

    /// Returns the version `back` versions before the latest.
    fn version(&self, back: u32) -> Version {
        Version::new(self.oracle.state.version().get().saturating_sub(back))
    }

    /// Returns the actions of a turn, chosen from the lists of legal actions.
    fn actions(&self, turn: &Picks) -> Vec<ActionText> {
        let odd = || ActionText::try_from("a1-a1".to_owned()).expect("an action's text");
        let mut actions: Vec<ActionText> = Vec::new();
        let mut places = turn.places.iter();
        while actions.len() < MAX_ACTIONS {
            let Ok(draft) = self.oracle.state.play().draft(&actions) else { break };
            let place = match places.next() {
                _ if draft.complete => break,
                Some(place) => usize::from(*place),
                None if turn.end == End::Whole => 0,
                None => break,
            };
            let next = draft.legal_within(MAX_LISTED).filter(|listed| !listed.is_empty());
            let next = next.map(|listed| listed[place % listed.len()].text.clone());
            actions.push(next.map_or_else(odd, |text| ActionText::try_from(text).expect("a legal action")));
        }
        if turn.end == End::Odd {
            actions.push(odd());
        }
        actions
    }
}
