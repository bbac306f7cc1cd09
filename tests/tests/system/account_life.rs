//! The life of an account, from the first game of a guest to its erasure, while nodes are killed between its requests: nothing
//! acknowledged is lost, and nobody else gets in.

use std::net::SocketAddr;

use reqwest::Method;
use serde_json::{Value, json};
use system_tests::{
    admin::run,
    authenticator::Authenticator,
    database::Database,
    game::Game,
    mail::MailServer,
    nats::Nats,
    on_both_databases,
    pair::{Pair, Seat},
    player::{Answer, Player},
    server::Server,
    timeout,
};
use tempfile::TempDir;

use crate::{
    accounts::{
        ACCOUNT, ANOTHER, BY_LINK, PASSWORD, RECOVER, SIGN_IN, count, credentials, execute, has_session,
    },
    mail::{SMTP, secret},
    passkeys::{BY_PASSKEY, OPTIONS, PASSKEYS},
};

on_both_databases![an_account_lives_and_ends_while_nodes_are_killed];

const MAIL: &str = "/api/v1/account/mail";
const ORIGIN: &str = "http://towers.example";

/// The name, which stands in no other text.
const NAME: &str = "Zebulon";
const ADDRESS: &str = "zebulon@mail.example";

/// The nodes of a database: two on PostgreSQL, one on SQLite.
struct Site {
    /// The one that answers next is the last.
    nodes: Vec<Server>,
    mails: MailServer,
    /// The secrets of mailed links so far: a node that is killed while it sends may have its mail sent twice.
    links: Vec<String>,
    _nats: Nats,
}

impl Site {
    async fn of(database: &Database) -> Self {
        let (nats, mails) = (Nats::start().await, MailServer::start().await);
        let mut options = mails.options(SMTP);
        options
            .extend(["--trusted-proxies", "127.0.0.0/8,::1/128", "--address-factor", "1"].map(str::to_owned));
        let n_nodes = if database.file().is_some() { 1 } else { 2 };
        if n_nodes > 1 {
            options.extend(["--nats-url".to_owned(), nats.url()]);
        }
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let mut nodes = Vec::new();
        for _ in 0..n_nodes {
            nodes.push(Server::start_with(database, &options).await);
        }
        Self { nodes, mails, links: Vec::new(), _nats: nats }
    }

    fn node(&self) -> &Server {
        self.nodes.last().unwrap()
    }

    /// Kills the node that answered last, starts it again, and returns the address of the one that answers next.
    async fn next(&mut self) -> SocketAddr {
        let killed = self.nodes.pop().unwrap().kill().await;
        self.nodes.insert(0, killed.start().await);
        self.node().address()
    }

    /// Sends a request to the next node.
    async fn post(&mut self, player: &Player, path: &str, body: &Value) -> Answer {
        player.at(self.next().await).post(path, body).await
    }

    /// Signs in with a browser at the next node.
    async fn signs_in(&mut self, browser: &mut Player, path: &str, body: &Value) {
        *browser = browser.at(self.next().await);
        browser.signs_in(path, body).await;
    }

    /// Begins a ceremony at the next node.
    async fn options(&mut self, player: &Player, purpose: Value) -> Value {
        self.post(player, OPTIONS, &purpose).await.ok()
    }

    /// Waits for a mail with a new link, and returns the secret.
    async fn link(&mut self, purpose: &str) -> String {
        loop {
            let event = self.mails.event().await;
            if event["to"] != ADDRESS {
                continue;
            }
            let link = secret(&event, purpose);
            if !self.links.contains(&link) {
                self.links.push(link.clone());
                return link;
            }
        }
    }

    /// Stops all nodes in order, does something to the database, and starts them again.
    async fn pause(&mut self, meanwhile: impl AsyncFnOnce()) {
        let mut stopped = Vec::new();
        for node in self.nodes.drain(..) {
            node.terminate();
            stopped.push(node.ended().await.1);
        }
        meanwhile().await;
        for node in stopped {
            self.nodes.push(node.start().await);
        }
    }
}

/// A new browser at an address of its own.
fn stranger(site: &Site, number: u32) -> Player {
    Player::stranger(site.node()).forwarded_for(&format!("203.0.113.{number}"))
}

async fn an_account_lives_and_ends_while_nodes_are_killed(database: Database) {
    let mut site = Site::of(&database).await;
    let game = Game::fibonacci();
    let guests = [stranger(&site, 1).with_session().await, stranger(&site, 2).with_session().await];
    let mut pair = Pair::between(guests, &game.ruleset).await;
    pair.play_turns(&game, 0..2).await;
    let mut phone = pair.first.player.clone();

    // Registered by a password; the second browser comes in by a passkey, sees the game, and plays on.
    site.signs_in(&mut phone, ACCOUNT, &credentials(NAME, PASSWORD)).await;
    let asked = site.options(&phone, json!({"purpose": "add"})).await;
    let (passkey, new) = Authenticator::create("phone", &asked, ORIGIN);
    site.post(&phone, PASSKEYS, &json!({"passkey": new})).await.ok();
    let mut laptop = stranger(&site, 3);
    let asked = site.options(&laptop, json!({"purpose": "sign_in"})).await;
    site.signs_in(&mut laptop, BY_PASSKEY, &json!({"passkey": passkey.answer(&asked)})).await;
    assert_eq!(laptop.id(), phone.id());
    let waiting = laptop.at(site.next().await).get("/api/v1/games?list=mine").await.ok();
    assert_eq!(waiting["games"][0]["id"], pair.game);
    let address = site.next().await;
    let second = Seat { player: pair.second.player.at(address), ..pair.second }.reconnect().await;
    let player = laptop.at(address);
    let mut pair = Pair { first: Seat { socket: player.follow(&pair.game).await, player }, second, ..pair };
    pair.play_turns(&game, 2..4).await;

    // Another guest registers by a passkey alone, and nobody by a look-alike.
    let mut cleo = stranger(&site, 4).with_session().await;
    let asked = site.options(&cleo, json!({"purpose": "register", "name": "Cleo"})).await;
    let (_, new) = Authenticator::create("cleo", &asked, ORIGIN);
    site.signs_in(&mut cleo, ACCOUNT, &json!({"name": "Cleo", "passkey": new})).await;
    let guest = stranger(&site, 5).with_session().await;
    for taken in ["zebulon", "ZEBUL0N", "ZebuIon"] {
        site.post(&guest, ACCOUNT, &credentials(taken, PASSWORD)).await.is_problem(409, "name_taken");
    }

    recovers(&mut site, &mut phone, &mut laptop).await;
    is_guessed_at(&mut site, &mut phone).await;

    let closing = phone.at(site.next().await).respond(Method::DELETE, ACCOUNT, None).await;
    assert_eq!(closing.status(), 204);
    is_erased(site, &database, &pair.game, phone.id()).await;
}

/// Recovers the account by mail and by its code. Each ends the sessions and sockets of all other browsers.
async fn recovers(site: &mut Site, phone: &mut Player, laptop: &mut Player) {
    let address = site.next().await;
    let asked = phone.at(address).respond(Method::PUT, MAIL, Some(&json!({"address": ADDRESS}))).await;
    assert_eq!(asked.status(), 202);
    let link = site.link("confirm").await;
    let confirmed =
        site.post(&stranger(site, 6), "/api/v1/account/mail/confirm", &json!({"link": link})).await;
    assert_eq!(confirmed.status, 204);
    let forgetful = stranger(site, 7);
    let asked =
        site.post(&forgetful, "/api/v1/account/recover/mail", &json!({"name": NAME, "mail": ADDRESS})).await;
    assert_eq!(asked.status, 202);
    let link = site.link("recover").await;

    // The node of the sockets is not killed, so that it is the recovery that closes them.
    let mut socket = laptop.at(site.next().await).connect().await;
    socket.hello(&[], false).await;
    let other = site.nodes.first().unwrap().address();
    let mut tablet = forgetful.at(other);
    tablet.signs_in(BY_LINK, &json!({"link": link, "password": ANOTHER})).await;
    assert_eq!(socket.closed().await, Some(4005), "the socket of another node, too");
    for browser in [&*phone, &*laptop] {
        assert!(!has_session(&browser.at(site.next().await)).await);
    }

    let code = site.post(&tablet, "/api/v1/account/code", &json!({})).await.ok()["recovery_code"].clone();
    let recovery = json!({"name": NAME, "code": code, "password": PASSWORD});
    site.signs_in(phone, RECOVER, &recovery).await;
    assert!(!has_session(&tablet.at(site.next().await)).await);
}

/// Guesses 1,000 times at passwords, each time from another address, while the owner signs in. The node lives on meanwhile,
/// since each counts attempts for itself.
async fn is_guessed_at(site: &mut Site, owner: &mut Player) {
    *owner = owner.at(site.next().await);
    let mut n_looked_at = [0, 0];
    for number in 0..1_000 {
        let address = format!("198.51.{}.{}", number / 250, number % 250);
        let stranger = Player::stranger(site.node()).forwarded_for(&address);
        let guess =
            stranger.post(SIGN_IN, &credentials([NAME, "Nobody"][number % 2], "wrong wrong wrong")).await;
        match guess.status.as_u16() {
            401 => n_looked_at[number % 2] += 1,
            _ => guess.is_problem(429, "too_fast"),
        }
        if number % 100 == 99 {
            owner.signs_in(SIGN_IN, &credentials(NAME, PASSWORD)).await;
        }
    }
    // On a busy machine some more are let through meanwhile.
    let are_few = n_looked_at.iter().all(|n| (100..200).contains(n));
    assert!(are_few, "for a name, whether or not there is such an account: {n_looked_at:?}");
}

/// Waits until a closed account is erased, and looks for what is left of it.
async fn is_erased(mut site: Site, database: &Database, game: &str, id: &str) {
    site.pause(async || execute(database, "update account set closed_ms = closed_ms - 604800001").await)
        .await;
    timeout("the erasure", async {
        while n_accounts(database).await > 1 {
            tokio::task::yield_now().await;
        }
    })
    .await;

    let reader = Player::enter(site.node()).await;
    let api = format!("/api/v1/games/{game}");
    for path in [
        format!("{api}/events"),
        format!("{api}/record.txt"),
        format!("/game/{game}"),
        "/api/v1/games?list=finished".to_owned(),
        api,
    ] {
        let answer = reader.get(&path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(!answer.text().contains(NAME) && !answer.text().contains(id), "{path}: {}", answer.text());
    }
    let taken = reader.post(ACCOUNT, &credentials(NAME, PASSWORD)).await;
    taken.is_problem(409, "name_taken");
    for node in site.nodes {
        node.kill().await;
    }
    let copies = TempDir::new().unwrap();
    let backup = copies.path().join("towers.backup").display().to_string();
    run(database, &["backup", &backup]).await.ok();
    let restored = if database.file().is_some() { Database::sqlite() } else { Database::postgres() };
    run(&restored, &["restore", &backup]).await.ok();
    for (what, stored) in [("the database", database), ("its backup", &restored)] {
        let stored = stored.everything_stored();
        for text in [NAME, ADDRESS] {
            let is_found = stored.windows(text.len()).any(|part| part == text.as_bytes());
            assert!(!is_found, "{text} in {what}");
        }
    }
}

async fn n_accounts(database: &Database) -> i64 {
    count(database, "select count(*) from account").await
}
