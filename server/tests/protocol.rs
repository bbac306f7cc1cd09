//! Compares `static/protocol.d.ts` and the examples in `docs/protocol.md` with the types in `src/protocol`.

use std::{
    any::TypeId,
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use engine::{Ruleset, Side};
use protocol::{
    About, Account, AccountChange, ActKind, Audit, Blocks, Challenges, ClientMessage, ConditionalTurns,
    GameDocument, GameEvents, GamePage, Inbox, LinkRecovery, MailConfirmation, MailRecovery, MailSettings,
    NewAccount, NewAct, NewMail, NewPasskey, NewPush, NewReport, NewRoom, NewSeek, NewTable, NewVacation,
    OwnActs, PasskeyChange, PasskeyOptions, PasskeyPurpose, Passkeys, PostedSeek, Problem, ProblemCode,
    Proof, PushKey, Puzzle, PuzzleAttempt, PuzzleList, PuzzleSolution, PuzzleVerdict, Recovery, Rename,
    Reports, Review, ReviewProgress, Seeks, SeenNotices, ServerMessage, Session, Sessions, SignIn,
    SignInByPasskey, Trial, Vacation, VacationSettings, WaitingTurns,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use ts_rs::{Config, TS, TypeVisitor};

/// Environment variable that makes the test rewrite `static/protocol.d.ts` instead of comparing it.
const WRITE: &str = "WRITE_PROTOCOL";

#[derive(Default)]
struct Declarations {
    config: Config,
    seen: BTreeSet<TypeId>,
    /// Declarations by name, because the order of references between types differs between builds.
    texts: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let text = format!("\n{}\nexport {}\n", docs.trim_end(), T::decl(&self.config));
            self.texts.insert(T::ident(&self.config), text);
        }
        T::visit_dependencies(self);
    }
}

fn ids(ids: impl IntoIterator<Item = &'static str>) -> String {
    ids.into_iter().map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(" | ")
}

fn declarations() -> String {
    let mut all = Declarations { config: Config::new().with_large_int("number"), ..Declarations::default() };
    all.visit::<ClientMessage>();
    all.visit::<ServerMessage>();
    all.visit::<Session>();
    all.visit::<Rename>();
    all.visit::<SignIn>();
    all.visit::<SignInByPasskey>();
    all.visit::<Proof>();
    all.visit::<PasskeyPurpose>();
    all.visit::<PasskeyOptions>();
    all.visit::<NewPasskey>();
    all.visit::<PasskeyChange>();
    all.visit::<Passkeys>();
    all.visit::<PushKey>();
    all.visit::<NewPush>();
    all.visit::<Sessions>();
    all.visit::<NewAccount>();
    all.visit::<Account>();
    all.visit::<AccountChange>();
    all.visit::<Recovery>();
    all.visit::<LinkRecovery>();
    all.visit::<NewMail>();
    all.visit::<MailSettings>();
    all.visit::<MailConfirmation>();
    all.visit::<MailRecovery>();
    all.visit::<NewRoom>();
    all.visit::<GameDocument>();
    all.visit::<GameEvents>();
    all.visit::<GamePage>();
    all.visit::<WaitingTurns>();
    all.visit::<Challenges>();
    all.visit::<Inbox>();
    all.visit::<SeenNotices>();
    all.visit::<NewSeek>();
    all.visit::<PostedSeek>();
    all.visit::<Seeks>();
    all.visit::<NewTable>();
    all.visit::<Trial>();
    all.visit::<PuzzleList>();
    all.visit::<Puzzle>();
    all.visit::<PuzzleAttempt>();
    all.visit::<PuzzleVerdict>();
    all.visit::<PuzzleSolution>();
    all.visit::<Blocks>();
    all.visit::<Vacation>();
    all.visit::<NewVacation>();
    all.visit::<VacationSettings>();
    all.visit::<NewReport>();
    all.visit::<OwnActs>();
    all.visit::<ActKind>();
    all.visit::<Reports>();
    all.visit::<NewAct>();
    all.visit::<Audit>();
    all.visit::<ConditionalTurns>();
    all.visit::<Review>();
    all.visit::<ReviewProgress>();
    all.visit::<Problem>();
    let head = format!(
        "// Generated from server/protocol/src; do not edit.\n\
         // To regenerate: {WRITE}=1 cargo test --workspace --test protocol\n\n\
         export type Side = {};\nexport type Ruleset = {};\n",
        ids(Side::ALL.map(Side::id)),
        ids(Ruleset::ALL.iter().map(|ruleset| ruleset.id())),
    );
    head + &all.texts.into_values().collect::<String>()
}

#[test]
fn the_clients_types_match_the_wire() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/protocol.d.ts");
    let generated = declarations();
    if std::env::var_os(WRITE).is_some() {
        fs::write(&path, generated).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == generated,
        "static/protocol.d.ts is out of date: run `{WRITE}=1 cargo test --workspace --test protocol`"
    );
}

/// Returns the JSON examples below a heading of `docs/protocol.md`, up to the next heading of the same depth.
fn examples(heading: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/protocol.md");
    let text = fs::read_to_string(path).expect("the document can be read");
    let (_, section) = text.split_once(&format!("\n## {heading}\n")).expect("the document has this section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let blocks = section.split("```json\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap_or_default().to_owned()).collect()
}

/// Checks that each example decodes as a message without unknown fields, and that each kind has an example.
fn check<T: DeserializeOwned + Serialize>(heading: &str, kinds: &str, tag: &str) {
    let mut shown = BTreeSet::new();
    let mut written = Vec::new();
    for example in examples(heading) {
        let value: Value =
            serde_json::from_str(&example).unwrap_or_else(|error| panic!("{error} in {example}"));
        let message: T =
            serde_json::from_str(&example).unwrap_or_else(|error| panic!("{error} in {example}"));
        assert_eq!(serde_json::to_value(&message).expect("a message is JSON"), value, "{example}");
        shown.insert(value[tag].as_str().expect("an example has its tag").to_owned());
        written.push(serde_json::to_string_pretty(&message).expect("a message is JSON"));
    }
    let name = heading.to_lowercase().replace(", ", "_").replace(' ', "_");
    insta::assert_snapshot!(name, written.join("\n"));
    let declared: BTreeSet<_> = kinds
        .split(&format!("\"{tag}\": \""))
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap_or_default().to_owned())
        .collect();
    assert!(!declared.is_empty());
    assert_eq!(shown, declared, "messages with an example, and declared messages");
}

#[test]
fn every_message_is_documented_with_an_example() {
    let config = Config::new();
    check::<ClientMessage>("Client messages", &ClientMessage::decl(&config), "type");
    check::<ServerMessage>("Server messages", &ServerMessage::decl(&config), "type");
}

#[test]
fn every_refusal_and_fault_is_documented_with_an_example() {
    let config = Config::new();
    check::<protocol::Nack>("Refusals of commands", &protocol::Nack::decl(&config), "code");
    check::<protocol::Fault>("Errors", &protocol::Fault::decl(&config), "code");
}

#[test]
fn every_problem_is_documented_with_its_status_and_its_text() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/protocol.md");
    let text = fs::read_to_string(path).expect("the document can be read");
    let (_, section) = text.split_once("\n### Problems\n").expect("the document has this section");
    let section = section.split("\n### ").next().unwrap_or_default();
    let documented: Vec<_> =
        section.lines().filter(|line| line.starts_with('|') && line.contains('`')).collect();
    let declared = ProblemCode::ALL.iter().map(|code| {
        let name = serde_json::to_value(code).expect("a code is JSON");
        let name = name.as_str().expect("a code is a text");
        format!("| {} | `{name}` | {} |", code.status(), code.detail())
    });
    assert_eq!(documented, declared.collect::<Vec<_>>());
}

#[test]
fn every_flaw_is_documented_with_an_example() {
    check::<protocol::Flaw>(
        "Flaws of records, starts and actions",
        &protocol::Flaw::decl(&Config::new()),
        "code",
    );
}

#[test]
fn every_event_is_documented_with_an_example() {
    let config = Config::new();
    check::<protocol::Event>("Events of a game", &protocol::EventKind::decl(&config), "type");
}

/// Returns the messages that have one field less than an example, or something else in its place, with the field's name.
fn broken(example: &Map<String, Value>) -> impl Iterator<Item = (&str, Map<String, Value>)> {
    let others = [Value::Null, json!(-1), json!("\0"), json!([[[]]]), json!({"a": {}})];
    example.keys().flat_map(move |field| {
        let values = others.clone().into_iter().map(Some).chain([None]);
        values.map(move |value| {
            let mut message = example.clone();
            match value {
                Some(value) => drop(message.insert(field.clone(), value)),
                None => drop(message.remove(field)),
            }
            (field.as_str(), message)
        })
    })
}

#[test]
fn a_message_with_one_broken_field_is_refused_by_the_ids_that_can_be_read() {
    for example in examples("Client messages") {
        let whole: Map<String, Value> = serde_json::from_str(&example).expect("an example is an object");
        for (field, message) in broken(&whole) {
            let text = Value::from(message).to_string();
            let why = ClientMessage::parse(&text).expect_err(&text);
            let answer = serde_json::to_value(why.answer()).expect("a message is JSON");
            let is_read = |id: &&str| whole.contains_key(*id) && *id != field;
            let is_command = ["command", "game"].iter().all(is_read);
            assert_eq!(answer["type"], if is_command { "nack" } else { "error" }, "{text}");
            assert!(answer["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{text}");
            for id in ["command", "game", "pool"] {
                let expected = whole.get(id).filter(|_| is_read(&id));
                assert_eq!(answer.get(id), expected, "{text}");
            }
            if !is_command && field != "type" {
                assert_eq!(answer["of"], whole["type"], "{text}");
            }
        }
    }
}

#[test]
fn of_a_message_that_is_cut_off_no_wrong_id_is_read() {
    for example in examples("Client messages") {
        let whole = serde_json::to_value(About::read(&example)).expect("ids are JSON");
        let mut n_read = 0;
        for cut in (0..=example.len()).filter(|cut| example.is_char_boundary(*cut)) {
            let read = serde_json::to_value(About::read(&example[..cut])).expect("ids are JSON");
            let read = read.as_object().expect("ids are an object");
            assert!(read.iter().all(|(id, value)| whole[id] == *value), "{}: {read:?}", &example[..cut]);
            assert!(read.len() >= n_read, "{}: {read:?}", &example[..cut]);
            n_read = read.len();
        }
        assert_eq!(Some(n_read), whole.as_object().map(Map::len), "{example}");
    }
}
