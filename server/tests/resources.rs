//! Snapshots of the bodies of HTTP resources: each body is decoded and encoded again, and compared with its snapshot.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use protocol::{
    Account, AccountChange, Audit, Blocks, Challenges, ConditionalTurns, GameDocument, GameEvents, GamePage,
    Inbox, LinkRecovery, MailConfirmation, MailRecovery, MailSettings, NewAccount, NewAct, NewMail,
    NewPasskey, NewPush, NewReport, NewRoom, NewSeek, NewTable, NewVacation, OwnActs, PasskeyChange,
    PasskeyOptions, PasskeyPurpose, Passkeys, PostedSeek, Problem, Proof, PushKey, Recovery, Rename, Replay,
    Reports, Review, ReviewProgress, Seeks, SeenNotices, Session, Sessions, SignIn, SignInByPasskey, Trial,
    Vacation, VacationSettings, WaitingTurns,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

/// Decodes a body, and encodes it again.
fn written<T: DeserializeOwned + Serialize>(body: serde_json::Value) -> String {
    serde_json::to_string_pretty(&serde_json::from_value::<T>(body).unwrap()).unwrap()
}

fn id(number: u8) -> String {
    format!("00000000-0000-0000-0000-0000000000{number:02}")
}

fn player(number: u8, name: &str) -> serde_json::Value {
    json!({ "id": id(number), "name": name })
}

/// Row of a finished game, with a value for each field.
fn summary() -> serde_json::Value {
    json!({
        "id": "00000000-0000-0000-0000-000000000010", "ruleset": "fibonacci", "status": "finished",
        "visibility": "public", "creator": player(1, "Ada"), "seat": "random",
        "clock": { "kind": "real_time", "base_s": 180, "bonus_s": 2, "bonus": "per_turn" },
        "watching": "everybody", "delay": 3, "custom_start": true,
        "seats": { "first": player(1, "Ada"), "second": player(2, "Blaise") },
        "version": 9, "turn": 4, "to_move": "second",
        "outcome": { "winner": "first", "reason": "turn-limit" },
        "created_ms": 1, "updated_ms": 2, "deadline_ms": 3, "position": "text",
    })
}

/// Row of a room, with null for each field that can be null.
fn room() -> serde_json::Value {
    json!({
        "id": "00000000-0000-0000-0000-000000000011", "ruleset": "focus-classic", "status": "open",
        "visibility": "link", "creator": player(1, "Ada"), "seat": "first",
        "clock": { "kind": "correspondence", "days": 14 }, "watching": "nobody", "delay": 0, "custom_start": false,
        "seats": null, "version": 0, "turn": null, "to_move": null, "outcome": null, "created_ms": 1, "updated_ms": 1,
        "deadline_ms": null, "position": null,
    })
}

/// Row of a challenge.
fn challenge() -> serde_json::Value {
    let mut challenge = room();
    challenge["for"] = player(2, "Blaise");
    challenge
}

/// An inbox with a notice of each kind.
fn inbox() -> serde_json::Value {
    let (id, opponent) = (id(50), player(2, "Blaise"));
    let notice = |mut notice: serde_json::Value| {
        (notice["id"], notice["at_ms"], notice["seen"]) = (json!(id), json!(1), json!(false));
        notice
    };
    let about = |kind: &str| json!({ "kind": kind, "game": id, "ruleset": "fenix", "opponent": opponent });
    let begun = |kind: &str, clock: serde_json::Value| {
        let mut notice = about(kind);
        notice["clock"] = clock;
        notice
    };
    let mut over = about("game_over");
    (over["result"], over["reason"]) = (json!("draw"), json!("agreement"));
    let aborted = json!({
        "kind": "game_over", "game": null, "ruleset": "fenix", "opponent": opponent, "result": "aborted",
        "reason": null,
    });
    let notices = [
        over,
        aborted,
        begun("challenged", json!({ "kind": "correspondence", "days": 3 })),
        begun("challenge_accepted", json!({ "kind": "none" })),
        begun("challenge_declined", json!(null)),
        begun("challenge_countered", json!({ "kind": "bank", "base_days": 10, "bonus_hours": 36 })),
        begun("seek_accepted", json!({ "kind": "none" })),
        json!({ "kind": "vacation_used", "from_ms": 1, "until_ms": 2 }),
        json!({ "kind": "security", "what": "recovered_by_code" }),
        json!({ "kind": "report_answered", "game": null }),
    ];
    json!({ "notices": notices.map(notice), "unseen": 10, "next": id })
}

fn seek() -> serde_json::Value {
    json!({
        "id": id(40), "player": player(1, "Ada"), "ruleset": "fenix", "clock": { "kind": "correspondence", "days": 3 },
        "games": 2, "created_ms": 1,
    })
}

/// Turn with a value for each field.
fn turn() -> serde_json::Value {
    let pack = json!({ "left": [2, 2, 2, 2, 2, 1], "unseen": 1 });
    json!({
        "number": 3, "side": "first", "position": "text",
        "allowance": { "base": 3, "lost": 1, "lost_to": ["b7"], "allowance": 2, "used": 1, "left": 1 },
        "threats": { "first": ["b7"], "second": [] }, "reserves": { "first": 1, "second": 0 },
        "set_up": {
            "first": { "king": true, "councillors": 2, "left": 1 },
            "second": { "king": false, "councillors": 0, "left": 9 },
        },
        "owed": { "kind": "councillor", "must": true }, "quiet": { "turns": 5, "limit": 50 },
        "cards": { "card": 4, "first": pack, "second": pack },
    })
}

fn step() -> serde_json::Value {
    json!({
        "action": "b7-c7", "position": "text", "route": ["b7", "c7"], "swap": false, "count": 2,
        "overflow": { "reserved": 1, "captured": 1 }, "taken": ["c6"], "threats": { "first": [], "second": ["c7"] },
    })
}

fn draft() -> serde_json::Value {
    json!({ "steps": [step()], "turn": turn(), "may_end": true, "complete": false })
}

fn events() -> serde_json::Value {
    json!([
        { "version": 1, "at_ms": 5, "type": "cancelled" },
        {
            "version": 2, "at_ms": 6, "type": "turn_played", "turn": 1, "side": "first", "card": 4, "steps": [step()],
            "took_ms": 700, "time": { "first_ms": 1, "second_ms": 2 },
        },
    ])
}

fn compact_events() -> serde_json::Value {
    json!([
        { "version": 1, "at_ms": 5, "type": "cancelled", "declined": true, "counter": id(51) },
        { "at_ms": 6, "actions": "b7-c7 end", "ms": [700, 1, 2], "dealt": 4 },
    ])
}

fn standing() -> serde_json::Value {
    json!({
        "status": "finished", "version": 9, "turn": turn(), "outcome": { "winner": null, "reason": "agreement" },
        "time": { "first_ms": 1, "second_ms": 2 }, "offers": [{ "what": "rematch", "side": "second" }],
        "rematch": "00000000-0000-0000-0000-000000000012",
    })
}

fn trial() -> serde_json::Value {
    json!({
        "draft": draft(),
        "actions": [
            {
                "text": "b7-c7", "kind": "capture", "from": "b7", "to": "c7", "count": 2,
                "overflow": { "reserved": 0, "captured": 1 },
                "capture": { "jumps": [{ "over": "c6", "to": "c7" }], "discs": 3 },
            },
            {
                "text": "end", "kind": "end", "from": null, "to": null, "count": null, "overflow": null,
                "capture": null,
            },
        ],
        "groups": [["b7", "c7"]], "barred": [{ "text": "b7-c7", "from": "b7", "to": "c7", "turn": 1 }],
        "best_capture": 3, "outcome": null, "position": "text",
    })
}

/// What an account is told when it is away.
fn notices() -> serde_json::Value {
    json!({ "turn_mails": "soon", "hour": 8, "quiet_from": 22, "quiet_to": 8, "zone": "Europe/Paris" })
}

#[test]
fn the_bodies_of_requests_match_their_snapshot() {
    let terms = json!({
        "clock": { "kind": "real_time", "base_s": 0, "bonus_s": 30, "bonus": "bronstein" }, "watching": "nobody",
        "drafts": "hidden", "delay": 20,
    });
    let written = [
        written::<Rename>(json!({ "name": "Ada" })),
        written::<NewVacation>(json!({ "days": 30 })),
        written::<VacationSettings>(json!({ "automatic": false })),
        written::<NewAccount>(json!({ "name": "Ada", "password": "correct horse" })),
        written::<NewAccount>(json!({ "name": "Ada", "passkey": { "id": "x" } })),
        written::<AccountChange>(json!({ "name": "Ada" })),
        written::<AccountChange>(json!({ "password": "correct horse" })),
        written::<AccountChange>(json!({ "notices": notices() })),
        written::<SignIn>(json!({ "name": "Ada", "password": "x" })),
        written::<SeenNotices>(json!({ "up_to": id(50) })),
        written::<ConditionalTurns>(json!({ "turns": [{ "position": "x", "actions": ["a1-b2", "end"] }] })),
        written::<Proof>(json!({ "password": "x" })),
        written::<Proof>(json!({ "passkey": { "id": "x" } })),
        written::<PasskeyPurpose>(json!({ "purpose": "register", "name": "Ada" })),
        written::<PasskeyPurpose>(json!({ "purpose": "add" })),
        written::<PasskeyPurpose>(json!({ "purpose": "sign_in" })),
        written::<PasskeyPurpose>(json!({ "purpose": "prove" })),
        written::<SignInByPasskey>(json!({ "passkey": { "id": "x" }, "leave_guest": true })),
        written::<NewPasskey>(json!({ "passkey": { "id": "x" } })),
        written::<PasskeyChange>(json!({ "label": "Phone" })),
        written::<NewPush>(
            json!({ "endpoint": "https://push.example/x", "keys": { "p256dh": "x", "auth": "y" } }),
        ),
        written::<Recovery>(
            json!({ "name": "Ada", "code": "abcde fghjk mnpqr stvwx", "password": "correct horse", "leave_guest": true }),
        ),
        written::<LinkRecovery>(
            json!({ "link": "0123456789ABCDEFGHJKMNPQRSTVWXYZ", "password": "correct horse" }),
        ),
        written::<NewMail>(json!({ "address": "ada@mail.example" })),
        written::<NewMail>(json!({ "address": "ada@mail.example", "zone": "Europe/Paris" })),
        written::<MailSettings>(json!({ "recovers": false })),
        written::<MailConfirmation>(json!({ "link": "0123456789ABCDEFGHJKMNPQRSTVWXYZ" })),
        written::<MailRecovery>(json!({ "name": "Ada", "mail": "ada@mail.example" })),
        written::<NewRoom>(json!({ "ruleset": "fenix", "seat": "second", "visibility": "link" })),
        written::<NewRoom>(json!({
            "ruleset": "crossfire", "seat": "random", "visibility": "public", "start": "text", "terms": terms,
        })),
        written::<NewRoom>(
            json!({ "ruleset": "fenix", "seat": "first", "visibility": "link", "for": id(2) }),
        ),
        written::<NewSeek>(json!({ "ruleset": "fenix", "clock": { "kind": "none" }, "games": 5 })),
        written::<NewReport>(json!({ "player": id(1), "kind": "chat", "game": id(10), "text": "rude" })),
        written::<NewReport>(json!({ "player": id(1), "kind": "name", "game": id(10) })),
        written::<NewAct>(json!({ "kind": "mute", "player": id(1), "hours": 24 })),
        written::<NewAct>(json!({ "kind": "unmute", "player": id(1) })),
        written::<NewAct>(json!({ "kind": "hide_name", "player": id(1), "name": "Ada" })),
        written::<NewAct>(json!({ "kind": "close", "player": id(1) })),
        written::<NewAct>(json!({ "kind": "reopen", "player": id(1) })),
        written::<NewAct>(json!({ "kind": "dismiss", "report": id(30) })),
        written::<NewTable>(json!({ "ruleset": "fibonacci-cards" })),
        written::<NewTable>(json!({ "ruleset": "fibonacci-mixed", "start": "text" })),
    ];
    insta::assert_snapshot!("requests", written.join("\n"));
}

fn report() -> serde_json::Value {
    json!({
        "id": id(30), "at_ms": 1, "kind": "play", "by": player(1, "Ada"), "player": player(2, "Anon 000001"),
        "name": "Blaise", "game": id(10), "text": null, "lines": [{ "at_ms": 1, "text": "rude" }], "muted_until_ms": null, "settled_ms": 2,
    })
}

#[test]
fn the_bodies_of_responses_match_their_snapshot() {
    let problem =
        json!({ "status": 404, "code": "unknown_game", "title": "Not found", "detail": "No game." });
    let mut flawed = problem.clone();
    flawed["line"] = json!(7);
    flawed["turn"] = json!(3);
    flawed["flaw"] = json!({ "code": "expected", "what": "header", "field": "Date" });
    let mut asked = problem.clone();
    asked["games"] = json!([room()]);
    asked["until_ms"] = json!(9);
    let mut ada = player(1, "Ada");
    ada["kind"] = json!("account");
    let account = json!({
        "player": ada, "former_names": ["Countess"], "has_password": true, "notices": notices(),
    });
    let (mut new, mut with_mail) = (account.clone(), account.clone());
    with_mail["mail"] = json!({ "address": "ada@mail.example", "recovers": true, "refused": false });
    new["recovery_code"] = json!("ABCDE-FGHJK-MNPQR-STVWX");
    let session = json!({
        "id": "00000000-0000-0000-0000-000000000020", "label": null, "created_ms": 1, "used_ms": 2, "is_current": true,
    });
    let passkey = json!({
        "id": "00000000-0000-0000-0000-000000000021", "label": "Phone", "created_ms": 1, "used_ms": 2,
    });
    let mute = json!({
        "id": id(31), "at_ms": 1, "by": player(1, "Ada"), "player": player(2, "Blaise"), "kind": "muted", "until_ms": 9,
    });
    let role = json!({
        "id": id(31), "at_ms": 1, "by": null, "player": player(1, "Ada"), "kind": "role_given", "role": "moderator",
    });
    let own = json!({ "id": id(31), "at_ms": 1, "kind": "name_hidden", "name": "Blaise" });
    let seek = seek();
    let better = json!({ "actions": ["b7-c7", "end"], "score": 0.75 });
    let review = json!({ "turns": [{ "score": 0.5, "better": null }, { "score": 0.25, "better": better }] });
    let written = [
        written::<Session>(json!({ "player": ada, "mail": true, "unseen": 0 })),
        written::<Sessions>(json!({ "sessions": [session] })),
        written::<Account>(account),
        written::<Passkeys>(json!({ "passkeys": [passkey] })),
        written::<PasskeyOptions>(json!({ "challenge": "x" })),
        written::<PushKey>(json!({ "key": "x" })),
        written::<Account>(new),
        written::<Account>(with_mail),
        written::<Session>(json!({ "player": ada, "mail": false, "unseen": 3, "role": "admin" })),
        written::<Blocks>(json!({ "players": [player(2, "Blaise")] })),
        written::<Vacation>(json!({ "days_left": 7, "automatic": true, "present": null })),
        written::<Vacation>(json!({
            "days_left": 0, "automatic": false,
            "present": { "from_ms": 1, "until_ms": 86_400_001, "automatic": true },
        })),
        written::<Reports>(json!({ "reports": [report()], "next": null })),
        written::<Audit>(json!({ "acts": [mute, role], "next": id(31) })),
        written::<OwnActs>(json!({ "acts": [own] })),
        written::<GamePage>(json!({ "games": [summary(), room()], "next": "1_2" })),
        written::<Challenges>(json!({ "received": [challenge()], "sent": [] })),
        written::<Seeks>(json!({ "own": [seek], "open": [] })),
        written::<PostedSeek>(json!({ "seek": seek, "games": [summary()] })),
        written::<PostedSeek>(json!({ "seek": null, "games": [] })),
        written::<WaitingTurns>(json!({ "games": [summary()], "theirs": 5, "unseen": 2 })),
        written::<Inbox>(inbox()),
        written::<GameDocument>(json!({ "summary": summary(), "events": events(), "present": standing() })),
        written::<GameEvents>(json!({ "events": compact_events(), "present": standing() })),
        written::<Replay>(json!({ "events": events(), "present": standing() })),
        written::<Trial>(trial()),
        written::<Problem>(problem),
        written::<Problem>(flawed),
        written::<Problem>(asked),
        written::<ReviewProgress>(json!({ "done": 3, "of": 40 })),
        written::<Review>(review),
    ];
    insta::assert_snapshot!("responses", written.join("\n"));
}
