use std::sync::Arc;

use game::{Player, PlayerKind};
use sqlx::{Connection, PgConnection, SqliteConnection};
use store::{
    AccountChange, EndedSessions, FirstCredential, GameRow, MAX_SESSIONS, Refused, Session, SessionChange,
    SignIn, TokenHash, Write, Written,
};

use crate::{
    database::{Database, contract},
    sample::{append, name, player, room},
    verbs::Verbs,
};

contract! {
    a_session_is_found_by_its_token_alone
    sessions_are_used_copied_and_ended
    a_player_sees_the_sessions_and_ends_some_of_them
    a_player_has_a_bounded_number_of_sessions
    sessions_of_the_same_players_are_changed_by_two_nodes_in_any_order
    a_player_is_renamed_in_one_row
    a_name_finds_its_account_or_else_the_newest_guest
    ; only in SQL:
    the_database_holds_no_token
}

async fn a_session_is_found_by_its_token_alone(database: Database) {
    let [ada, bob] = [player("Ada"), player("Ада 🗼")];
    for (player, token) in [(&ada, b"token of Ada"), (&bob, b"token of Bob")] {
        database.store.create_player(player, &TokenHash::of(token), 1).await.unwrap();
    }
    let found = |token: &'static [u8]| {
        let store = Arc::clone(&database.store);
        async move { store.session(&TokenHash::of(token), 0).await.unwrap().map(|session| session.player) }
    };
    assert_eq!(found(b"token of Ada").await, Some(ada.clone()));
    assert_eq!(found(b"token of Bob").await, Some(bob));
    assert_eq!(found(b"token of Ad").await, None);
    assert_eq!(found(b"").await, None);

    let again = database.store.create_player(&player("Cleo"), &TokenHash::of(b"token of Ada"), 1).await;
    assert!(again.unwrap_err().is_refusal(), "a token belongs to one player");
    assert_eq!(found(b"token of Ada").await, Some(ada));
}

async fn sessions_are_used_copied_and_ended(database: Database) {
    let players: Vec<Player> = (0..3).map(|_| player("Ada")).collect();
    let token = |number: usize| TokenHash::of(format!("token {number}").as_bytes());
    for (number, player) in players.iter().enumerate() {
        database.store.create_player(player, &token(number), 10 * (1 + number as i64)).await.unwrap();
    }
    let change = async |change| {
        let written = database.store.one(Write::Session(change)).await.unwrap();
        assert_eq!(written, Ok(Written::Done), "a missing session is not an error: {change:?}");
    };
    let found = async |number: usize| {
        let session = database.store.session(&token(number), -1).await.unwrap();
        session.map(|session| (session.player.id, session.used_ms))
    };
    let [first, second, third] = [0, 1, 2].map(|number| players[number].id);
    assert_eq!(database.store.session(&token(0), 10).await.unwrap(), None, "the session is too old");
    assert!(database.store.session(&token(0), 9).await.unwrap().is_some());

    let used = |now_ms, ending_ms| SessionChange::Used { token: token(0), player: first, now_ms, ending_ms };
    for (now_ms, ending_ms, used_ms, why) in [
        (100, 9, 100, "the session is used"),
        (50, 9, 100, "an earlier time is ignored"),
        (200, 100, 100, "the session is about to end"),
        (200, 99, 200, "the session is used again"),
    ] {
        change(used(now_ms, ending_ms)).await;
        assert_eq!(found(0).await, Some((first, used_ms)), "{why}");
    }

    let copied = |by, now_ms, ending_ms| {
        let (token, by) = (token(1), token(by));
        SessionChange::Copied { token, by, player: second, now_ms, ending_ms }
    };
    change(copied(10, 300, 15)).await;
    change(copied(11, 310, 16)).await;
    let both = [found(1).await, found(10).await, found(11).await];
    assert_eq!(both, [(15), (300), (310)].map(|used_ms| Some((second, used_ms))), "the end is not postponed");
    let nobody =
        SessionChange::Copied { token: token(99), by: token(98), player: second, now_ms: 300, ending_ms: 15 };
    change(nobody).await;
    assert_eq!(found(98).await, None, "no session is copied");

    for _ in 0..2 {
        change(SessionChange::Ended { player: second, ended: EndedSessions::All }).await;
        assert_eq!([found(1).await, found(10).await, found(11).await], [None; 3]);
    }
    assert_eq!(found(2).await, Some((third, 30)));
}

async fn a_player_sees_the_sessions_and_ends_some_of_them(database: Database) {
    let [ada, bob] = [player("Ada"), player("Bob")];
    let [one, two, three, of_bob] = [b"one", b"two", b"tre", b"bob"].map(|token| TokenHash::of(token));
    database.store.create_player(&ada, &one, 10).await.unwrap();
    database.store.create_player(&bob, &of_bob, 10).await.unwrap();
    let change = async |change| assert!(database.store.one(Write::Session(change)).await.unwrap().is_ok());
    for (by, now_ms) in [(two, 20), (three, 30)] {
        change(SessionChange::Copied { token: one, by, player: ada.id, now_ms, ending_ms: 9 }).await;
    }
    let times = async |unused_since_ms| {
        let sessions = database.store.sessions_of(ada.id, unused_since_ms).await.unwrap();
        sessions.iter().map(|session| (session.id, session.created_ms, session.used_ms)).collect::<Vec<_>>()
    };
    let all = [(three.session(), 30, 30), (two.session(), 20, 20), (one.session(), 10, 9)];
    assert_eq!(times(0).await, all);
    assert_eq!(times(9).await, all[..2], "the first one has ended");

    let ended = |ended| SessionChange::Ended { player: ada.id, ended };
    change(ended(EndedSessions::One(of_bob.session()))).await;
    change(ended(EndedSessions::One(two.session()))).await;
    assert_eq!(times(0).await, [all[0], all[2]]);
    change(ended(EndedSessions::AllBut(one.session()))).await;
    assert_eq!(times(0).await, [all[2]]);
    change(ended(EndedSessions::All)).await;
    assert_eq!(times(0).await, []);
    assert!(database.store.session(&of_bob, 0).await.unwrap().is_some(), "of another player");
}

async fn a_player_has_a_bounded_number_of_sessions(database: Database) {
    let ada = player("Ada");
    let token = |number: u32| TokenHash::of(&number.to_be_bytes());
    database.store.create_player(&ada, &token(0), 1).await.unwrap();
    for number in 1..=MAX_SESSIONS + 1 {
        let now_ms = 10 + i64::from(number);
        let copied = SessionChange::Copied {
            token: token(number - 1),
            by: token(number),
            player: ada.id,
            now_ms,
            ending_ms: now_ms,
        };
        database.write(Write::Session(copied)).await;
    }
    let sessions = database.store.sessions_of(ada.id, 0).await.unwrap();
    let ids: Vec<_> = sessions.iter().map(|session| session.id).collect();
    let last = (2..=MAX_SESSIONS + 1).rev().map(|number| token(number).session());
    assert_eq!(ids, last.collect::<Vec<_>>(), "the longest unused ones end");
}

async fn sessions_of_the_same_players_are_changed_by_two_nodes_in_any_order(database: Database) {
    let players: Vec<Player> = (0..8).map(|_| player("Ada")).collect();
    let token = |player: &Player| TokenHash::of(player.id.uuid().as_bytes());
    for player in &players {
        database.store.create_player(player, &token(player), 1).await.unwrap();
    }
    let nodes = [Arc::clone(&database.store), database.other_node().await];
    for round in 0..50_u32 {
        let change = |number: usize, player: &Player| {
            let (token, player, now_ms, ending_ms) = (token(player), player.id, i64::from(round) + 2, 0);
            let by = TokenHash::of(format!("{round} {number} {player}").as_bytes());
            Write::Session(match number % 2 {
                0 => SessionChange::Used { token, player, now_ms, ending_ms },
                _ => SessionChange::Copied { token, by, player, now_ms, ending_ms: now_ms },
            })
        };
        let mut there: Vec<_> = players.iter().enumerate().map(|(n, player)| change(n, player)).collect();
        let back = players.iter().rev().enumerate().map(|(n, player)| change(n, player)).collect::<Vec<_>>();
        there.rotate_left(round as usize % 8);
        let (one, other) = tokio::join!(nodes[0].commit(&there), nodes[1].commit(&back));
        for results in [one, other] {
            let results = results.expect("the nodes do not deadlock");
            assert!(results.iter().all(|result| *result == Ok(Written::Done)));
        }
    }
}

async fn the_database_holds_no_token(database: Database) {
    let hash = TokenHash::of(b"an unmistakable token");
    database.store.create_player(&player("Ada"), &hash, 1).await.unwrap();
    assert!(!format!("{hash:?}").contains(char::is_numeric), "debug texts omit the hash: {hash:?}");
    let stored: Vec<u8> = if database.url.starts_with("sqlite") {
        let mut connection = SqliteConnection::connect(&database.url).await.unwrap();
        sqlx::query_scalar("select token_hash from session").fetch_one(&mut connection).await.unwrap()
    } else {
        let mut connection = PgConnection::connect(&database.url).await.unwrap();
        sqlx::query_scalar("select token_hash from session").fetch_one(&mut connection).await.unwrap()
    };
    let sha256 = "d7b52fb64eda23e70122411230be46bf3f2db849130e62813e047e4466327f04";
    assert_eq!(stored.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), sha256);
}

async fn a_player_is_renamed_in_one_row(database: Database) {
    let ada = player("Ada");
    let token = TokenHash::of(b"token");
    database.store.create_player(&ada, &token, 1).await.unwrap();
    let game = GameRow { creator: ada.id, ..room("Ada") };
    database.write(append(&game, 1..=1)).await;

    let renamed = Player { name: name("Countess"), ..ada.clone() };
    database.store.rename(ada.id, &renamed.name).await.unwrap();

    let session = database.store.session(&token, 0).await.unwrap().unwrap();
    let (id, kind) = (token.session(), PlayerKind::Guest);
    assert_eq!(session, Session { id, player: renamed.clone(), kind, used_ms: 1, proved_ms: None });
    assert_eq!(database.store.game(game.id).await.unwrap().unwrap().creator, ada.id);
    let named = database.store.named(&[ada.id, player("Bob").id]).await.unwrap();
    assert_eq!(named, [(renamed.clone(), PlayerKind::Guest)], "the other does not exist");
    assert_eq!(database.store.rename(player("Bob").id, &name("Robert")).await, Err(Refused::UnknownPlayer));
}

async fn a_name_finds_its_account_or_else_the_newest_guest(database: Database) {
    let [first, second, third] = ["Åsa ÖBERG", "Asa", "b%"].map(player);
    for (player, token) in [(&first, b"1"), (&second, b"2"), (&third, b"3")] {
        database.store.create_player(player, &TokenHash::of(token), 1).await.unwrap();
    }
    let found = |text: &'static str| {
        let store = Arc::clone(&database.store);
        async move { store.player_named(&name(text)).await.unwrap() }
    };
    for (text, expected) in [
        ("åSA öberg", Some(first.id)),
        ("ASA", Some(second.id)),
        ("As", None),
        ("B%", Some(third.id)),
        ("__", None),
    ] {
        assert_eq!(found(text).await, expected, "{text}");
    }
    database.store.rename(third.id, &name("ASA")).await.unwrap();
    assert_eq!((found("asa").await, found("b%").await), (Some(second.id.max(third.id)), None));
    let (session, credential) = (TokenHash::of(b"2").session(), FirstCredential::Password("hash".to_owned()));
    let [token, device] = [b"4", b"5"].map(|token| TokenHash::of(token));
    let by = SignIn { token, label: None, device, device_until_ms: 2, now_ms: 1, reopens: false };
    let recovery = TokenHash::of(b"6");
    let account = AccountChange::Registered { player: second.clone(), session, credential, recovery, by };
    database.write(Write::Account(Box::new(account))).await;
    assert_eq!(found("Asa").await, Some(second.id), "the account, whatever other guests are called");
}
