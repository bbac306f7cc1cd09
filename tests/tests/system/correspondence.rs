//! Two accounts with thirty slow games: what waits for each of them after every turn, and what they are told while they
//! are away. Time passes by moving the stored times between two runs of the server.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use system_tests::{
    database::Database,
    game::Game,
    mail::MailServer,
    on_both_databases,
    player::Player,
    push::{Browser, PushService},
    server::Server,
    socket::resign,
    timeout,
};

use crate::{
    accounts::{ACCOUNT, account, execute},
    conditional::{lay_down, positions},
    mail::{SMTP, confirmed, mail},
    push::subscribe,
    vacations::{ABOUT_MS, DAY_MS, take},
};

on_both_databases![two_accounts_play_thirty_slow_games];

/// Number of games that wait at once. A newcomer has twenty, and one more for each that is over.
const GAMES: usize = 30;

const TURNS: usize = 60;

/// The clocks of the games.
fn clocks() -> [Value; 5] {
    [
        json!({"kind": "correspondence", "days": 1}),
        json!({"kind": "bank", "base_days": 10, "bonus_hours": 36}),
        json!({"kind": "correspondence", "days": 7}),
        json!({"kind": "none"}),
        json!({"kind": "bank", "base_days": 2, "bonus_hours": 12}),
    ]
}

/// A game as its log tells it.
#[derive(Debug)]
struct Fold {
    /// Whether the account that began the game is to move.
    is_to_move: [bool; 2],
    n_turns: usize,
    deadline_ms: Option<i64>,
    updated_ms: i64,
}

impl Fold {
    /// Folds the events of a game, in which the account `first` has the first seat.
    fn of(events: &[Value], clock: &Value, first: usize) -> Self {
        let days = |key: &str, ms: i64| clock[key].as_i64().map(|number| number * ms);
        let bank_ms = days("base_days", DAY_MS);
        let mut left_ms = [bank_ms.or(days("days", DAY_MS)); 2];
        // Time on the line is forgiven from a second, of which each turn gives back a fifth.
        let mut lag_ms = [1_000; 2];
        let (mut n_turns, mut began_ms, mut credited_ms) = (0, 0, 0);
        for event in events {
            match event["type"].as_str().unwrap() {
                "started" => began_ms = event["at_ms"].as_i64().unwrap(),
                "turn_played" => {
                    began_ms = event["at_ms"].as_i64().unwrap();
                    if let (Some(bank_ms), Some(left_ms)) = (bank_ms, &mut left_ms[n_turns % 2]) {
                        let took_ms = event["took_ms"].as_i64().unwrap();
                        let bonus_ms = days("bonus_hours", DAY_MS / 24).unwrap();
                        *left_ms = (*left_ms - took_ms + bonus_ms).min(bank_ms);
                    }
                    let lag_ms: &mut i64 = &mut lag_ms[n_turns % 2];
                    *lag_ms = (*lag_ms - event["lag_ms"].as_i64().unwrap_or(0) + 200).min(1_000);
                    (n_turns, credited_ms) = (n_turns + 1, 0);
                }
                "time_credited" => credited_ms += event["ms"].as_i64().unwrap(),
                _ => {}
            }
        }
        let mover = (first + n_turns) % 2;
        // Without a clock, a game in which a side has never moved is given up after a week.
        let left_ms = left_ms[n_turns % 2].or((n_turns < 2).then_some(7 * DAY_MS));
        let forgiven_ms = if n_turns < 2 { 0 } else { lag_ms[n_turns % 2] };
        Self {
            is_to_move: [mover == 0, mover == 1],
            n_turns,
            deadline_ms: left_ms.map(|left_ms| began_ms + left_ms + credited_ms + forgiven_ms),
            updated_ms: events.last().unwrap()["at_ms"].as_i64().unwrap(),
        }
    }
}

/// The games of two accounts.
struct Games {
    players: [Player; 2],
    script: Game,
    /// The account with the first seat of each game, its clock, and its fold.
    games: BTreeMap<String, (usize, Value, Fold)>,
}

impl Games {
    /// Begins thirty games, after ten others are over.
    async fn begin(players: [Player; 2]) -> Self {
        let mut games = Self { players, script: Game::read("fenix"), games: BTreeMap::new() };
        for number in 0..GAMES - 20 {
            let over = games.open(number % 2, &json!({"kind": "none"})).await;
            games.play(&over).await;
            games.play(&over).await;
            let mut socket = games.players[0].follow(&over).await;
            assert_eq!(socket.ask(&resign(&over)).await["type"], "ack");
            games.games.remove(&over);
        }
        for number in 0..GAMES {
            games.open(number % 2, &clocks()[number % 5]).await;
        }
        games
    }

    async fn open(&mut self, first: usize, clock: &Value) -> String {
        let room = json!({"ruleset": self.script.ruleset, "seat": "first", "visibility": "link", "terms": {"clock": clock}});
        let id =
            self.players[first].post("/api/v1/rooms", &room).await.ok()["id"].as_str().unwrap().to_owned();
        self.players[1 - first].join(&id).await.ok();
        let fold = Fold { is_to_move: [false; 2], n_turns: 0, deadline_ms: None, updated_ms: 0 };
        self.games.insert(id.clone(), (first, clock.clone(), fold));
        self.fold(&id).await;
        id
    }

    /// Folds a game again.
    async fn fold(&mut self, id: &str) {
        let (first, clock, fold) = self.games.get_mut(id).unwrap();
        let document = self.players[0].game(id).await;
        *fold = Fold::of(document["events"].as_array().unwrap(), clock, *first);
    }

    /// The player to move plays the next turn of the script.
    async fn play(&mut self, id: &str) {
        let (_, _, Fold { is_to_move, n_turns, .. }) = &self.games[id];
        let mover = &self.players[usize::from(is_to_move[1])];
        let answer = mover.follow(id).await.turn(id, &self.script.turns[*n_turns]).await;
        assert_eq!(answer["type"], "ack", "{answer}");
        self.fold(id).await;
    }

    /// The games that wait for an account by their folds, the most urgent first, each with its deadline.
    fn expected(&self, account: usize) -> Vec<(String, Option<i64>)> {
        let mut waiting: Vec<_> =
            self.games.iter().filter(|(_, (.., fold))| fold.is_to_move[account]).collect();
        waiting.sort_by_key(|(id, (.., fold))| (fold.deadline_ms.unwrap_or(i64::MAX), fold.updated_ms, *id));
        waiting.into_iter().map(|(id, (.., fold))| (id.clone(), fold.deadline_ms)).collect()
    }

    async fn listed(&self, account: usize) -> Vec<(String, Option<i64>)> {
        let waiting = self.players[account].get("/api/v1/turns").await.ok();
        let games = waiting["games"].as_array().unwrap().iter();
        games.map(|game| (game["id"].as_str().unwrap().to_owned(), game["deadline_ms"].as_i64())).collect()
    }

    async fn assert_listed(&self, when: &str) {
        for account in [0, 1] {
            assert_eq!(self.listed(account).await, self.expected(account), "{when}");
        }
    }
}

/// Settings by which messages are sent ten minutes after a turn, at any hour.
fn notices(turn_mails: &str) -> Value {
    json!({"notices": {"turn_mails": turn_mails, "hour": 8, "quiet_from": 0, "quiet_to": 0, "zone": "Europe/Paris"}})
}

/// An account that is reached at any hour, by mail or not.
async fn reachable(server: &Server, mails: &mut MailServer, name: &str, turn_mails: &str) -> Player {
    let (player, _) = account(server, name).await;
    confirmed(mails, &player, &format!("{}@mail.example", name.to_lowercase())).await;
    player.patch(ACCOUNT, &notices(turn_mails)).await.ok();
    player
}

async fn two_accounts_play_thirty_slow_games(database: Database) {
    let (mut mails, mut service) = (MailServer::start().await, PushService::start().await);
    let mut options = mails.options(SMTP);
    options.extend(["--push-hosts".to_owned(), service.origin().to_owned()]);
    let options: Vec<_> = options.iter().map(String::as_str).collect();
    let server = Server::start_with(&database, &options).await;
    let ada = reachable(&server, &mut mails, "Ada", "soon").await;
    let bob = reachable(&server, &mut mails, "Bob", "off").await;
    let phone = service.browser("201/phone", "phone");
    subscribe(&bob, &phone).await.ok();

    let mut games = Games::begin([ada, bob]).await;
    games.assert_listed("at first").await;
    let ids: Vec<_> = games.games.keys().cloned().collect();
    for turn in 0..TURNS {
        // Some games get ahead of others.
        games.play(&ids[turn * turn % GAMES]).await;
        games.assert_listed(&format!("after turn {turn}")).await;
    }
    replies_follow_each_other(&server, &mut games).await;
    games.assert_listed("after replies").await;

    let stopped = server.kill().await;
    execute(&database, "update outbox set due_ms = due_ms - 600000, since_ms = since_ms - 600000").await;
    execute(&database, "update event set at_ms = at_ms - 600000").await;
    let began_ms = std::time::UNIX_EPOCH.elapsed().unwrap().as_millis() - 600_000;
    let server = stopped.start().await;
    all_is_told_once(&games, &mut mails, &mut service, &phone).await;

    // The turns that had begun earlier for the sake of the messages began when they did.
    let stopped = server.kill().await;
    let later = format!("update event set at_ms = at_ms + 600000 where at_ms <= {began_ms}");
    execute(&database, later.leak()).await;
    let server = stopped.start().await;
    games.players = games.players.map(|player| player.at(server.address()));

    a_vacation_moves_own_deadlines(&mut games).await;
    for turn in TURNS..TURNS + 15 {
        games.play(&ids[turn * turn % GAMES]).await;
    }
    drop(server);
    service.has_nothing();
}

/// Both accounts lay down a reply in a game where days pass, and the turn before sets both off.
async fn replies_follow_each_other(server: &Server, games: &mut Games) {
    let is_fit = |(_, clock, fold): &(usize, Value, Fold)| clock["kind"] != "none" && fold.n_turns >= 2;
    let (id, (.., fold)) = games.games.iter().find(|(_, game)| is_fit(game)).expect("some games are ahead");
    let (id, n_turns, mover) = (id.clone(), fold.n_turns, usize::from(fold.is_to_move[1]));
    let positions = positions(server, &games.script, n_turns + 2).await;
    let reply = |turn: usize| json!({"position": positions[turn], "actions": games.script.turns[turn]});
    let [one, other] = [mover, 1 - mover].map(|account| &games.players[account]);
    assert_eq!(lay_down(other, &id, &[reply(n_turns + 1)]).await.status, 204);
    assert_eq!(lay_down(one, &id, &[reply(n_turns + 2)]).await.status, 204);
    games.play(&id).await;
    let replies = async {
        while games.games[&id].2.n_turns < n_turns + 3 {
            games.fold(&id).await;
        }
    };
    timeout("the replies", replies).await;
}

/// After ten minutes a mail tells Ada of her games, and a message to his phone tells Bob of his.
async fn all_is_told_once(games: &Games, mails: &mut MailServer, service: &mut PushService, phone: &Browser) {
    let sent = mail(mails, "ada@mail.example").await;
    let lines = sent["text"].as_str().unwrap().lines();
    let told: Vec<_> = lines.filter_map(|line| line.strip_prefix("http://towers.example/game/")).collect();
    let expected = games.expected(0);
    assert_eq!(told, expected.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>());
    let pushed = service.next().await;
    let told: Value = serde_json::from_str(&phone.read(&pushed)).unwrap();
    let expected = games.expected(1);
    assert_eq!((&told["waiting"], &told["game"]), (&json!(expected.len()), &json!(expected[0].0)));
    pushed.verified();
}

/// Ada is away for three days, and each clock that waits for her stands as long.
async fn a_vacation_moves_own_deadlines(games: &mut Games) {
    let own = games.expected(0);
    let later: BTreeMap<_, _> = own
        .iter()
        .filter(|(id, _)| games.games[id].1["kind"] != "none")
        .map(|(id, deadline_ms)| (id, deadline_ms.unwrap() + 3 * DAY_MS))
        .collect();
    take(&games.players[0], 3).await;
    let moved = async {
        let is_earlier = |(id, deadline_ms): &(String, Option<i64>)| {
            later.get(id).is_some_and(|later_ms| deadline_ms.unwrap() < later_ms - ABOUT_MS)
        };
        while games.listed(0).await.iter().any(is_earlier) {}
    };
    timeout("the credits", moved).await;
    // A server that was slow to start again has credited an outage too, perhaps to both.
    for id in games.games.keys().cloned().collect::<Vec<_>>() {
        games.fold(&id).await;
    }
    games.assert_listed("on vacation").await;
}
