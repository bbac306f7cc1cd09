//! The description of the HTTP interface, held against the running server: every operation is called with good and with
//! bad input, and every answer must be one that the description has.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::{Method, header};
use serde_json::{Value, json};
use system_tests::{
    admin::run_in,
    authenticator::Authenticator,
    database::Database,
    game::Game,
    mail::MailServer,
    on_both_databases,
    pair::Pair,
    player::{Answer, Player},
    push::PushService,
    server::Server,
    socket::resign,
};

use crate::mail;

on_both_databases![
    every_operation_does_what_is_described,
    every_operation_refuses_bad_input_as_described,
    the_description_is_one_for_all_and_may_be_kept,
];

const DOCUMENT: &str = "/api/v1/openapi.json";
const PROBLEM: &str = "application/problem+json";
const POSITION: &str =
    "ruleset=fibonacci&position=CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc%201%201%201/1";
const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// The description of a server.
struct Description(Value);

/// An operation of the description.
struct Operation<'d> {
    document: &'d Value,
    path: &'d str,
    method: Method,
    described: &'d Value,
}

/// A valid call of an operation.
struct Call {
    by: Player,
    /// Value of the variable part of the path.
    part: String,
    query: &'static str,
    body: Option<Body>,
}

#[derive(Clone)]
struct Body {
    kind: &'static str,
    text: String,
}

impl Body {
    fn json(value: &Value) -> Self {
        Self { kind: "application/json", text: value.to_string() }
    }
}

impl Call {
    fn by(player: &Player) -> Self {
        Self { by: player.clone(), part: String::new(), query: "", body: None }
    }

    fn of(self, part: &str) -> Self {
        Self { part: part.to_owned(), ..self }
    }

    fn with(self, value: &Value) -> Self {
        Self { body: Some(Body::json(value)), ..self }
    }

    fn query(self, query: &'static str) -> Self {
        Self { query, ..self }
    }
}

impl Description {
    async fn of(server: &Server) -> Self {
        Self(Player::stranger(server).get(DOCUMENT).await.ok())
    }

    fn operations(&self) -> Vec<Operation<'_>> {
        let paths = self.0["paths"].as_object().unwrap();
        let all = paths.iter().flat_map(|(path, methods)| {
            methods.as_object().unwrap().iter().map(|(method, described)| Operation {
                document: &self.0,
                path,
                method: method.to_uppercase().parse().unwrap(),
                described,
            })
        });
        all.collect()
    }
}

impl Operation<'_> {
    fn id(&self) -> &str {
        self.described["operationId"].as_str().expect("an operation has an id")
    }

    fn parameters(&self, place: &str) -> usize {
        let all = self.described["parameters"].as_array().into_iter().flatten();
        all.filter(|parameter| parameter["in"] == place).count()
    }

    /// The schema of the body in JSON.
    fn body(&self) -> Option<&Value> {
        self.described["requestBody"]["content"]["application/json"].get("schema")
    }

    fn needs_session(&self) -> bool {
        let schemes = self.described["security"].as_array();
        schemes.is_some_and(|schemes| schemes.iter().all(|scheme| *scheme != json!({})))
    }

    /// Sends a call, and holds the answer against the description.
    async fn call(
        &self,
        call: &Call,
        change: impl Fn(reqwest::RequestBuilder) -> reqwest::RequestBuilder,
    ) -> Answer {
        let path = match self.path.split_once('{') {
            Some((before, rest)) => format!("{before}{}{}", call.part, rest.split_once('}').unwrap().1),
            None => self.path.to_owned(),
        };
        let request = call.by.request(self.method.clone(), &format!("{path}?{}", call.query));
        let request = match &call.body {
            Some(body) => request.header(header::CONTENT_TYPE, body.kind).body(body.text.clone()),
            None => request,
        };
        let answer = call.by.send(change(request)).await;
        if let Err(error) = self.describes(&answer) {
            panic!("{} ({} {path}): {error}\n{answer:?}", self.id(), self.method);
        }
        answer
    }

    fn describes(&self, answer: &Answer) -> Result<(), String> {
        let status = answer.status.as_str();
        let described =
            self.described["responses"].get(status).ok_or(format!("{status} is not described"))?;
        let kind = answer.content_type.split(';').next().unwrap_or_default();
        match described["content"].as_object() {
            None if answer.text().is_empty() => Ok(()),
            None => Err("it has a body".to_owned()),
            Some(contents) => {
                let content = contents.get(kind).ok_or(format!("{kind} is not described"))?;
                let is_json = ["/json", "+json"].iter().any(|json| kind.ends_with(json));
                let text = || Value::from(answer.text());
                let value = if is_json { answer.body.clone() } else { text() };
                fits(self.document, &content["schema"], &value)
            }
        }
    }

    /// Asserts that a call is refused by a problem with this code.
    async fn refuses(
        &self,
        code: &str,
        call: &Call,
        change: impl Fn(reqwest::RequestBuilder) -> reqwest::RequestBuilder,
    ) {
        let answer = self.call(call, change).await;
        assert_eq!(
            (answer.content_type.as_str(), &answer.body["code"]),
            (PROBLEM, &json!(code)),
            "{}: {answer:?}",
            self.id()
        );
    }
}

/// Keywords of schemas that tell people something.
const ANNOTATIONS: [&str; 5] = ["default", "description", "format", "readOnly", "title"];

/// Checks a value by a schema. All fields of an object must be described.
fn fits(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let described = fields_of(document, schema, value)?;
    let mut fields = value.as_object().into_iter().flatten();
    match fields.find(|(name, _)| !described.contains(*name)) {
        Some((name, _)) => Err(format!("`{name}` is not described by {schema}")),
        None => Ok(()),
    }
}

/// Checks a value by a schema, and returns the fields of an object that the schema describes.
fn fields_of(document: &Value, schema: &Value, value: &Value) -> Result<BTreeSet<String>, String> {
    let mut described = BTreeSet::new();
    let list = |rule: &Value| rule.as_array().cloned().unwrap_or_default();
    for (keyword, rule) in schema.as_object().ok_or(format!("{schema} is no schema"))? {
        let is_met = match keyword.as_str() {
            "$ref" => {
                let part = document.pointer(rule.as_str().unwrap().trim_start_matches('#'));
                let part = part.ok_or(format!("{rule} is missing"))?;
                described.extend(fields_of(document, part, value)?);
                true
            }
            "type" if rule.is_array() => list(rule).iter().any(|kind| is_a(kind, value)),
            "type" => is_a(rule, value),
            "enum" => list(rule).contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
            "required" => {
                let is_there = |name: &Value| value.get(name.as_str().unwrap()).is_some();
                !value.is_object() || list(rule).iter().all(is_there)
            }
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    fits(document, rule, item)?;
                }
                true
            }
            "properties" => {
                for (name, part) in rule.as_object().unwrap() {
                    described.insert(name.clone());
                    if let Some(value) = value.get(name) {
                        fits(document, part, value).map_err(|error| format!("{name}: {error}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(*rule, json!(false), "no object has fields of any name");
                let known = schema["properties"].as_object();
                let is_known = |name: &String| known.is_some_and(|known| known.contains_key(name));
                value.as_object().is_none_or(|fields| fields.keys().all(is_known))
            }
            "allOf" => {
                for part in list(rule) {
                    described.extend(fields_of(document, &part, value)?);
                }
                true
            }
            "oneOf" => {
                let fitting: Vec<_> =
                    list(rule).iter().filter_map(|part| fields_of(document, part, value).ok()).collect();
                described.extend(fitting.iter().flatten().cloned());
                fitting.len() == 1
            }
            annotation if ANNOTATIONS.contains(&annotation) => true,
            unknown => panic!("a schema has the keyword {unknown}: {schema}"),
        };
        if !is_met {
            return Err(format!("{value} does not meet `{keyword}` of {schema}"));
        }
    }
    let is_annotation = |keyword: &String| ANNOTATIONS.contains(&keyword.as_str());
    let mut keywords =
        schema.as_object().into_iter().flatten().filter(|(keyword, _)| !is_annotation(keyword));
    // An object of any kind.
    if keywords.all(|rule| rule == (&"type".to_owned(), &json!("object"))) {
        described.extend(value.as_object().into_iter().flatten().map(|(name, _)| name.clone()));
    }
    Ok(described)
}

fn is_a(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        unknown => panic!("there is no type {unknown}"),
    }
}

fn room() -> Value {
    let clock = json!({"kind": "real_time", "base_s": 600, "bonus_s": 3, "bonus": "per_turn"});
    let terms = json!({"clock": clock, "watching": "everybody", "drafts": "hidden", "delay": 0});
    json!({"ruleset": "fibonacci-cards", "seat": "random", "visibility": "public", "terms": terms})
}

const PASSWORD: &str = "quartz violin marmalade";

/// Credentials of an account of this name.
fn credentials(name: &str) -> Value {
    json!({"name": name, "password": PASSWORD})
}

/// An account with its recovery code.
struct Account {
    player: Player,
    code: Value,
}

async fn account(server: &Server, name: &str) -> Account {
    let mut player = Player::enter(server).await;
    let account = player.signs_in("/api/v1/account", &credentials(name)).await;
    Account { player, code: account["recovery_code"].clone() }
}

/// A finished game of a player alone, whose review has been asked for.
async fn reviewed(player: &Player, game: &Game) -> String {
    let table = player.post("/api/v1/tables", &json!({"ruleset": game.ruleset})).await.ok();
    let id = table["id"].as_str().unwrap().to_owned();
    let mut socket = player.follow(&id).await;
    assert_eq!(socket.turn(&id, &game.turns[0]).await["type"], "ack");
    assert_eq!(socket.ask(&resign(&id)).await["type"], "ack");
    let review = player.request(Method::POST, &format!("/api/v1/games/{id}/review"));
    assert_eq!(player.send(review).await.status, 202);
    id
}

/// Valid calls by the ids of their operations. Each may be made once.
async fn calls(server: &Server, mails: &mut MailServer) -> BTreeMap<&'static str, Vec<Call>> {
    let [ada, blaise] = [Player::enter(server).await, Player::enter(server).await];
    let (stranger, game) = (Player::stranger(server), Game::fibonacci());
    let mut pair = Pair::open(server, &game.ruleset).await;
    pair.play_turns(&game, 0..2).await;
    let begun = pair.game.clone();
    let reviewed = reviewed(&ada, &game).await;
    let waiting = ada.open_room("fibonacci", "public").await;
    let closing = ada.open_room("fenix", "link").await;
    let inviting = ada.open_room("focus", "link").await;
    let one = |call: Call| vec![call];
    let text = stranger.get(&format!("/api/v1/games/{begun}/record.txt")).await.text().to_owned();
    let record = stranger.get(&format!("/api/v1/games/{begun}/record.json")).await.ok();
    let as_text = Call { body: Some(Body { kind: "text/plain", text }), ..Call::by(&stranger) };
    let today = stranger.get("/api/v1/puzzles/today").await.ok();
    let today = today["id"].as_str().unwrap();
    let two_turns = stranger.get("/api/v1/puzzles?ruleset=focus&grade=1").await.ok();
    let two_turns = two_turns["puzzles"][0]["id"].as_str().unwrap().to_owned();
    let solution = stranger.get(&format!("/api/v1/puzzles/{two_turns}/solution")).await.ok();
    let [first, second] = [0, 2].map(|turn| json!([solution["turns"][turn]["steps"][0]["action"]]));
    let attempt = |turns: Value| Call::by(&stranger).of(&two_turns).with(&json!({ "turns": turns }));
    let examples = ["fibonacci", "fibonacci-cards", "fenix", "focus", "crossfire"];
    let mut calls = BTreeMap::from([
        ("open_session", vec![Call::by(&ada), Call::by(&stranger)]),
        ("rename", one(Call::by(&ada).with(&json!({"name": "Ada"})))),
        ("end_session", vec![Call::by(&Player::enter(server).await), Call::by(&stranger)]),
        ("list_rooms", one(Call::by(&stranger).query("limit=100"))),
        (
            "create_room",
            vec![
                Call::by(&ada).with(&room()),
                Call::by(&ada).with(&json!({"ruleset": "focus", "seat": "first", "visibility": "link"})),
            ],
        ),
        ("create_table", one(Call::by(&ada).with(&json!({"ruleset": "crossfire"})))),
        ("join_room", one(Call::by(&blaise).of(&waiting))),
        ("invite_bot", one(Call::by(&ada).of(&inviting).with(&json!({"level": 1})))),
        ("close_room", one(Call::by(&ada).of(&closing))),
        (
            "list_games",
            vec![
                Call::by(&ada).query("list=mine"),
                Call::by(&ada).query("list=played"),
                Call::by(&stranger).query("list=finished&ruleset=fenix&result=draw&since=2026-01-01&limit=1"),
            ],
        ),
        ("read_game", vec![Call::by(&stranger).of(&begun), Call::by(&ada).of(&closing)]),
        ("read_events", vec![Call::by(&stranger).of(&begun), Call::by(&ada).of(&closing)]),
        ("read_record_text", one(Call::by(&stranger).of(&begun))),
        ("read_record", one(Call::by(&stranger).of(&begun))),
        ("review_game", one(Call::by(&stranger).of(&reviewed))),
        ("read_review", one(Call::by(&stranger).of(&reviewed))),
        ("check_record", vec![Call::by(&stranger).with(&record), as_text]),
        ("read_example", examples.map(|ruleset| Call::by(&stranger).of(ruleset)).into()),
        ("list_puzzles", vec![Call::by(&stranger), Call::by(&stranger).query("ruleset=fenix&grade=5")]),
        ("read_puzzle", one(Call::by(&stranger).of(today))),
        ("read_puzzle_of_the_day", one(Call::by(&stranger))),
        ("read_puzzle_solution", one(Call::by(&stranger).of(today))),
        ("try_puzzle", one(Call::by(&stranger).of(today).query("first=&actions="))),
        ("attempt_puzzle", vec![attempt(json!([first])), attempt(json!([first, second]))]),
    ]);
    calls.extend(["describe", "describe_protocol"].map(|id| (id, one(Call::by(&stranger)))));
    calls.extend(of_slow_games(server).await);
    calls.extend(of_blocks(&blaise, pair.first.player.id()));
    calls.extend(of_opponents(server).await);
    calls.extend(of_moderators(server, &blaise, &pair).await);
    calls.extend(pictures(&stranger, &ada, &begun, &waiting, today));
    calls.extend(of_owners(server, &ada, mails).await);
    calls
}

/// Valid calls for slow games: conditional turns and vacations.
async fn of_slow_games(server: &Server) -> [(&'static str, Vec<Call>); 6] {
    let days = json!({"clock": {"kind": "correspondence", "days": 1}});
    let game = Game::fibonacci();
    let mut pair = Pair::open_on(server, &game.ruleset, days).await;
    pair.play_turns(&game, 0..2).await;
    let call = || Call::by(&pair.first.player);
    [
        ("read_conditional_turns", vec![call().of(&pair.game)]),
        ("set_conditional_turns", vec![call().of(&pair.game).with(&json!({"turns": []}))]),
        ("read_vacation", vec![call()]),
        ("begin_vacation", vec![call().with(&json!({"days": 1}))]),
        ("change_vacation", vec![call().with(&json!({"automatic": false}))]),
        ("end_vacation", vec![call()]),
    ]
}

/// Valid calls for challenges and seeks.
async fn of_opponents(server: &Server) -> [(&'static str, Vec<Call>); 7] {
    let (lise, otto) = (account(server, "Lise").await.player, account(server, "Otto").await.player);
    let room = json!({"ruleset": "focus", "seat": "first", "visibility": "link", "for": lise.id()});
    let challenge = otto.post("/api/v1/rooms", &room).await.ok()["id"].as_str().unwrap().to_owned();
    let seek = json!({"ruleset": "fenix", "clock": {"kind": "correspondence", "days": 2}, "games": 2});
    let mut posted = Vec::new();
    for days in 3..5 {
        let mut posting = seek.clone();
        posting["clock"]["days"] = json!(days);
        let answer = otto.post("/api/v1/seeks", &posting).await.ok();
        posted.push(answer["seek"]["id"].as_str().unwrap().to_owned());
    }
    [
        ("find_player", vec![Call::by(&otto).query("name=Lise")]),
        ("list_challenges", vec![Call::by(&lise), Call::by(&otto)]),
        ("decline_challenge", vec![Call::by(&lise).of(&challenge)]),
        ("list_seeks", vec![Call::by(&lise), Call::by(&otto)]),
        ("post_seek", vec![Call::by(&otto).with(&seek), Call::by(&Player::enter(server).await).with(&seek)]),
        ("accept_seek", vec![Call::by(&lise).of(&posted[0])]),
        ("withdraw_seek", vec![Call::by(&otto).of(&posted[1])]),
    ]
}

/// Valid calls of a player about blocks of another one.
fn of_blocks(by: &Player, of: &str) -> [(&'static str, Vec<Call>); 3] {
    let call = || Call::by(by);
    [("block", vec![call().of(of)]), ("list_blocks", vec![call()]), ("unblock", vec![call().of(of)])]
}

/// Valid calls for reports and moderators, about a game under way.
async fn of_moderators(server: &Server, guest: &Player, pair: &Pair) -> [(&'static str, Vec<Call>); 5] {
    let (ada, emmy) = (account(server, "Euler").await.player, account(server, "Noether").await.player);
    run_in(server.database_url(), &["role", "Euler", "admin"], None).await.ok();
    let report = |kind: &str| json!({"player": pair.first.player.id(), "kind": kind, "game": pair.game});
    for kind in ["chat", "play"] {
        assert_eq!(emmy.post("/api/v1/reports", &report(kind)).await.status, 204);
    }
    let listed = ada.get("/api/v1/moderation/reports").await.ok();
    let dismissed = listed["reports"][1]["id"].as_str().unwrap();
    let act = |act: Value| Call::by(&ada).with(&act);
    let session = guest.post("/api/v1/session", &Value::Null).await.ok();
    let name = session["player"]["name"].as_str().unwrap();
    let on = |kind: &str, player: &Player| act(json!({"kind": kind, "player": player.id()}));
    let mute = |player: &Player| act(json!({"kind": "mute", "player": player.id(), "hours": 24}));
    let named = json!({"player": pair.first.player.id(), "kind": "name", "game": pair.game, "text": "rude"});
    [
        ("report", vec![Call::by(&ada).with(&named)]),
        ("list_own_acts", vec![Call::by(guest)]),
        ("list_reports", vec![Call::by(&ada)]),
        (
            "act",
            vec![
                mute(guest),
                on("unmute", guest),
                act(json!({"kind": "hide_name", "player": guest.id(), "name": name})),
                on("close", &emmy),
                on("reopen", &emmy),
                act(json!({"kind": "dismiss", "report": dismissed})),
            ],
        ),
        ("read_audit", vec![Call::by(&ada)]),
    ]
}

/// Valid calls for accounts, and for what proves them.
async fn of_owners(
    server: &Server,
    guest: &Player,
    mails: &mut MailServer,
) -> impl Iterator<Item = (&'static str, Vec<Call>)> {
    let accounts = of_accounts(server, guest).await.into_iter().chain(of_mail(server, mails).await);
    accounts.chain(of_passkeys(server).await).chain(of_browsers(server).await)
}

/// Valid calls for accounts and sessions.
async fn of_accounts(server: &Server, guest: &Player) -> [(&'static str, Vec<Call>); 16] {
    let (owner, renamed) = (account(server, "Countess").await, account(server, "Sophie").await);
    let (recovering, leaving) = (account(server, "Hypatia").await, account(server, "Emmy").await);
    let closing = account(server, "Ingrid").await;
    let (newcomer, stranger) = (Player::enter(server).await, Player::stranger(server));
    let change = |change: Value| Call::by(&renamed.player).with(&change);
    let new_password = change(json!({"password": "marmalade violin quartz"}));
    let notices =
        json!({"turn_mails": "off", "hour": 8, "quiet_from": 22, "quiet_to": 8, "zone": "Europe/Paris"});
    let elsewhere = account(server, "Ada Byron").await.player;
    let sessions = elsewhere.get("/api/v1/sessions").await.ok();
    let ended = sessions["sessions"][0]["id"].as_str().unwrap().to_owned();
    let recovery = json!({"name": "Hypatia", "code": recovering.code, "password": "marmalade violin quartz"});
    let lost = account(server, "Grace").await.player;
    let said = run_in(server.database_url(), &["account", "recover", "Grace"], None).await.ok();
    let link = said[0].split_once("#recover=").unwrap().1;
    let by_link = json!({"link": link, "password": "marmalade violin quartz"});
    [
        ("recover_by_link", vec![Call::by(&lost).with(&by_link)]),
        ("register", vec![Call::by(&newcomer).with(&credentials("Sofia"))]),
        ("read_account", vec![Call::by(&owner.player)]),
        (
            "change_account",
            vec![change(json!({"name": "Sophie G"})), change(json!({"notices": notices})), new_password],
        ),
        ("recover", vec![Call::by(&stranger).with(&recovery)]),
        ("renew_recovery_code", vec![Call::by(&owner.player)]),
        ("sign_in", vec![Call::by(&stranger).with(&credentials("Countess"))]),
        ("prove", vec![Call::by(&owner.player).with(&json!({"password": PASSWORD}))]),
        ("list_sessions", vec![Call::by(&owner.player), Call::by(guest)]),
        ("list_turns", vec![Call::by(guest)]),
        ("read_inbox", vec![Call::by(&owner.player), Call::by(guest).query("limit=1")]),
        ("see_notices", vec![Call::by(guest).with(&json!({"up_to": NOBODY}))]),
        ("export_player", vec![Call::by(&owner.player), Call::by(guest)]),
        ("end_one_session", vec![Call::by(&elsewhere).of(&ended)]),
        ("end_all_sessions", vec![Call::by(&leaving.player)]),
        ("close_account", vec![Call::by(&closing.player)]),
    ]
}

/// Valid calls for the mail addresses of accounts.
async fn of_mail(server: &Server, mails: &mut MailServer) -> [(&'static str, Vec<Call>); 5] {
    let owner = account(server, "Mary").await.player;
    let address = |address: &str| Call::by(&owner).with(&json!({"address": address}));
    mail::set(&owner, "mary@mail.example").await;
    let link = mail::secret(&mail::mail(mails, "mary@mail.example").await, "confirm");
    let stranger = Player::stranger(server);
    let recovery = json!({"name": "Mary", "mail": "mary@mail.example"});
    [
        ("set_mail", vec![address("mary.s@mail.example")]),
        ("change_mail", vec![Call::by(&owner).with(&json!({"recovers": true}))]),
        ("remove_mail", vec![Call::by(&owner)]),
        ("confirm_mail", vec![Call::by(&stranger).with(&json!({"link": link}))]),
        ("recover_by_mail", vec![Call::by(&stranger).with(&recovery)]),
    ]
}

/// Valid calls for notifications.
async fn of_browsers(server: &Server) -> [(&'static str, Vec<Call>); 3] {
    let (stranger, guest) = (Player::stranger(server), Player::enter(server).await);
    let keys = PushService::start().await.browser("201", "phone").keys();
    let subscription = json!({
        "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/x",
        "keys": {"p256dh": keys[0], "auth": keys[1]},
    });
    [
        ("read_push_key", vec![Call::by(&stranger)]),
        ("subscribe", vec![Call::by(&guest).with(&subscription)]),
        ("unsubscribe", vec![Call::by(&guest)]),
    ]
}

/// Valid calls for passkeys.
async fn of_passkeys(server: &Server) -> [(&'static str, Vec<Call>); 6] {
    const OPTIONS: &str = "/api/v1/passkeys/options";
    const ORIGIN: &str = "http://towers.example";
    let (owner, newcomer) = (account(server, "Maryam").await.player, Player::enter(server).await);
    let stranger = Player::stranger(server);
    let purpose = |purpose: &str| json!({ "purpose": purpose });
    let mut made: Vec<(Authenticator, String)> = Vec::new();
    for seed in ["kept", "removed"] {
        let options = owner.post(OPTIONS, &purpose("add")).await.ok();
        let (passkey, answer) = Authenticator::create(seed, &options, ORIGIN);
        let own = owner.post("/api/v1/passkeys", &json!({ "passkey": answer })).await.ok();
        let mut ids = own["passkeys"].as_array().unwrap().iter().map(|own| own["id"].as_str().unwrap());
        let id = ids.find(|id| made.iter().all(|(_, known)| known != id)).unwrap().to_owned();
        made.push((passkey, id));
    }
    let [(passkey, kept), (_, removed)] = &made[..] else { panic!("two passkeys") };
    let options = owner.post(OPTIONS, &purpose("add")).await.ok();
    let new = Authenticator::create("new", &options, ORIGIN).1;
    let answer = passkey.answer(&stranger.post(OPTIONS, &purpose("sign_in")).await.ok());
    let begin = |by: &Player, body: Value| Call::by(by).with(&body);
    [
        (
            "begin_passkey",
            vec![
                begin(&stranger, purpose("sign_in")),
                begin(&owner, purpose("prove")),
                begin(&owner, purpose("add")),
                begin(&newcomer, json!({"purpose": "register", "name": "Julia"})),
            ],
        ),
        ("list_passkeys", vec![Call::by(&owner)]),
        ("add_passkey", vec![Call::by(&owner).with(&json!({ "passkey": new }))]),
        ("name_passkey", vec![Call::by(&owner).of(kept).with(&json!({"label": "Phone"}))]),
        ("remove_passkey", vec![Call::by(&owner).of(removed)]),
        ("sign_in_by_passkey", vec![Call::by(&stranger).with(&json!({ "passkey": answer }))]),
    ]
}

/// Valid calls for pictures of a game, of a room, of a puzzle and of a position.
fn pictures(
    stranger: &Player,
    ada: &Player,
    game: &str,
    room: &str,
    puzzle: &str,
) -> [(&'static str, Vec<Call>); 6] {
    let of_game = || Call::by(stranger).of(game);
    let dark_square = of_game().query("turn=1&theme=dark&shape=square");
    let of_puzzle = Call::by(stranger).of(puzzle).query("theme=dark&shape=square");
    [
        ("draw_game_as_svg", vec![of_game()]),
        ("draw_game", vec![dark_square, Call::by(ada).of(room)]),
        ("animate_game", vec![of_game().query("theme=dark")]),
        ("draw_puzzle", vec![of_puzzle]),
        ("draw_position_as_svg", vec![Call::by(stranger).query(POSITION)]),
        ("draw_position", vec![Call::by(stranger).query(POSITION)]),
    ]
}

/// Asserts that the description and the table have the same operations.
fn assert_complete(description: &Description, calls: &BTreeMap<&str, Vec<Call>>) {
    let described: Vec<_> =
        description.operations().iter().map(|operation| operation.id().to_owned()).collect();
    let ids: BTreeSet<_> = described.iter().map(String::as_str).collect();
    assert_eq!(ids.len(), described.len(), "each id is of one operation");
    assert_eq!(ids, calls.keys().copied().collect(), "operations, and those with a call");
    let resources = description.0["tags"].as_array().unwrap();
    for operation in description.operations() {
        let tag = &operation.described["tags"][0];
        assert!(resources.iter().any(|resource| resource["name"] == *tag), "{}: {tag}", operation.id());
    }
}

async fn every_operation_does_what_is_described(database: Database) {
    let mut mails = MailServer::start().await;
    let server = mail::server(&database, &mails).await;
    let description = Description::of(&server).await;
    let calls = calls(&server, &mut mails).await;
    assert_complete(&description, &calls);
    // A room is read before it is closed or joined.
    let mut operations = description.operations();
    operations.sort_by_key(|operation| (operation.method != Method::GET, operation.method == Method::DELETE));
    for operation in operations {
        for call in &calls[operation.id()] {
            if let (Some(schema), Some(body)) = (operation.body(), &call.body)
                && body.kind == "application/json"
            {
                let body = serde_json::from_str(&body.text).unwrap();
                fits(&description.0, schema, &body)
                    .unwrap_or_else(|error| panic!("{}: {error}", operation.id()));
            }
            let answer = operation.call(call, |request| request).await;
            assert!(answer.status.is_success(), "{}: {answer:?}", operation.id());
        }
    }
}

async fn every_operation_refuses_bad_input_as_described(database: Database) {
    let mut mails = MailServer::start().await;
    let server = mail::server(&database, &mails).await;
    let description = Description::of(&server).await;
    let calls = calls(&server, &mut mails).await;
    assert_complete(&description, &calls);
    let stranger = Player::stranger(&server);
    for operation in description.operations() {
        let call = &calls[operation.id()][0];
        // Pages of all origins may check a record, which changes nothing.
        if operation.method != Method::GET && operation.id() != "check_record" {
            let foreign =
                |request: reqwest::RequestBuilder| request.header(header::ORIGIN, "http://evil.example");
            operation.refuses("foreign_origin", call, foreign).await;
        }
        if operation.needs_session() {
            let call = Call {
                by: stranger.clone(),
                part: call.part.clone(),
                ..Call { body: call.body.clone(), ..Call::by(&stranger) }
            };
            operation.refuses("no_session", &call, |request| request).await;
        }
        if operation.parameters("query") > 0 {
            for query in ["colour=black", "limit=0", "list=all", "actions=a&actions=b"] {
                let call = Call { part: call.part.clone(), ..Call::by(&call.by).query(query) };
                operation.refuses("invalid_query", &call, |request| request).await;
            }
        }
        if operation.parameters("path") > 0 {
            for unknown in [NOBODY, "chess", "%FF"] {
                let call = Call { body: call.body.clone(), ..Call::by(&call.by).of(unknown) };
                let answer = operation.call(&call, |request| request).await;
                let status = match operation.id() {
                    "unblock" if unknown == NOBODY => 204,
                    "accept_seek" | "withdraw_seek" if unknown == NOBODY => 409,
                    _ => 404,
                };
                assert_eq!(answer.status, status, "{}: {answer:?}", operation.id());
            }
        }
        if let (Some(schema), Some(body)) = (operation.body(), &call.body) {
            refuses_bad_bodies(&operation, call, schema, body).await;
        }
    }
}

async fn refuses_bad_bodies(operation: &Operation<'_>, call: &Call, schema: &Value, body: &Body) {
    let is_record = operation.id() == "check_record";
    let with =
        |body| Call { by: call.by.clone(), part: call.part.clone(), query: call.query, body: Some(body) };
    let invalid = if is_record { "bad_record" } else { "invalid_body" };
    let good: Value = serde_json::from_str(&body.text).unwrap();
    let mut more = good.clone();
    more["rated"] = json!(true);
    let first = good.as_object().unwrap().keys().next().unwrap();
    let mut mistyped = good.clone();
    mistyped[first] = json!([1]);
    for bad in [more, mistyped, json!({})] {
        assert!(fits(operation.document, schema, &bad).is_err(), "{}: {bad} fits", operation.id());
        operation.refuses(invalid, &with(Body::json(&bad)), |request| request).await;
    }
    let broken = Body { kind: body.kind, text: "{".to_owned() };
    let unreadable = if is_record { "bad_record" } else { "unreadable_body" };
    operation.refuses(unreadable, &with(broken), |request| request).await;
    let other = Body { kind: "text/html", text: body.text.clone() };
    operation.refuses("wrong_content_type", &with(other), |request| request).await;
    let limit = if is_record { 256 * 1024 } else { 16 * 1024 };
    let long = Body { kind: body.kind, text: " ".repeat(limit + 1) };
    operation.refuses("body_too_large", &with(long), |request| request).await;
}

async fn the_description_is_one_for_all_and_may_be_kept(database: Database) {
    let server = Server::start(&database).await;
    let description = Description::of(&server).await;
    assert_eq!(description.0["openapi"], "3.1.0");
    let schemes = description.0["components"]["securitySchemes"].as_object().unwrap();
    let (player, visitor) = (Player::enter(&server).await, Player::stranger(&server));
    let cookie = player.cookie().unwrap().split('=').next().unwrap();
    let usual = cookie.strip_suffix(&format!("_{}", server.address().port())).expect("the port is unusual");
    assert!(schemes.values().any(|scheme| scheme["name"] == usual), "{usual} is none of {schemes:?}");
    let first = visitor.respond(Method::GET, DOCUMENT, None).await;
    assert!(first.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("max-age"));
    let tag = first.headers()[header::ETAG].clone();
    let again = player.request(Method::GET, DOCUMENT).header(header::IF_NONE_MATCH, tag);
    assert_eq!(again.send().await.unwrap().status(), 304);
    let unused = unused_schemas(&description.0);
    assert!(unused.is_empty(), "schemas that nothing uses: {unused:?}");
}

/// Returns the schemas that no part of a document refers to.
fn unused_schemas(document: &Value) -> Vec<&String> {
    let text = document.to_string();
    let is_used = |name: &str| text.contains(&format!("\"#/components/schemas/{name}\""));
    document["components"]["schemas"].as_object().unwrap().keys().filter(|name| !is_used(name)).collect()
}

#[test]
fn the_check_finds_what_breaks_a_schema() {
    let clock = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"enum": ["none"]}}, "required": ["kind"]},
        {"allOf": [
            {"$ref": "#/days"},
            {"type": "object", "properties": {"kind": {"enum": ["days"]}}, "required": ["kind"]},
        ]},
    ]});
    let days = json!({"type": ["integer", "null"], "minimum": 1, "maximum": 14});
    let document = json!({"days": {"type": "object", "properties": {"days": days}, "required": ["days"]}});
    let is_met = |value: Value| fits(&document, &clock, &value).is_ok();
    assert!(is_met(json!({"kind": "none"})));
    assert!(is_met(json!({"kind": "days", "days": 14})));
    assert!(is_met(json!({"kind": "days", "days": null})));
    for broken in [
        json!({}),
        json!({"kind": "none", "days": 14}),
        json!({"kind": "days"}),
        json!({"kind": "days", "days": 15}),
        json!({"kind": "days", "days": "14"}),
        json!({"kind": "days", "days": 14, "more": 1}),
        json!("none"),
    ] {
        assert!(!is_met(broken.clone()), "{broken}");
    }
}
