use std::sync::Arc;

use sqlx::{Connection, PgConnection, SqliteConnection};
use towers::{
    protocol::{GameSummary, Player},
    store::{Refused, Session, SessionChange, TokenHash, Write, Written},
};

use crate::{
    database::{Database, contract},
    sample::{append, name, player, room},
    verbs::Verbs,
};

contract! {
    a_session_is_found_by_its_token_alone
    the_database_holds_no_token
    sessions_go_on_under_new_tokens_and_end
    a_player_is_renamed_and_games_keep_the_old_name
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
    assert!(again.unwrap_err().is_refusal(), "a token is one player's");
    assert_eq!(found(b"token of Ada").await, Some(ada));
}

async fn sessions_go_on_under_new_tokens_and_end(database: Database) {
    let players: Vec<Player> = (0..5).map(|_| player("Ada")).collect();
    let token = |number: usize| TokenHash::of(format!("token {number}").as_bytes());
    for (number, player) in players.iter().enumerate() {
        database.store.create_player(player, &token(number), 10 * number as i64).await.unwrap();
    }
    let change = async |change| {
        let written = database.store.one(Write::Session(change)).await.unwrap();
        assert_eq!(written, Ok(Written::Done), "what there is not is no error: {change:?}");
    };
    let used_ms = async |number: usize| {
        let session = database.store.session(&token(number), -1).await.unwrap();
        session.map(|session| session.used_ms)
    };
    assert_eq!(database.store.session(&token(1), 10).await.unwrap(), None, "it is unused since then");
    assert!(database.store.session(&token(1), 9).await.unwrap().is_some());

    change(SessionChange::Used { token: token(1), now_ms: 100 }).await;
    change(SessionChange::Used { token: token(1), now_ms: 50 }).await;
    assert_eq!(used_ms(1).await, Some(100), "time never goes back");

    change(SessionChange::Replaced { token: token(2), by: token(20) }).await;
    change(SessionChange::Replaced { token: token(2), by: token(21) }).await;
    assert_eq!((used_ms(2).await, used_ms(20).await, used_ms(21).await), (None, Some(20), None));
    let session = database.store.session(&token(20), -1).await.unwrap().unwrap();
    assert_eq!(session.player, players[2]);

    change(SessionChange::Ended { token: token(20) }).await;
    change(SessionChange::Ended { token: token(20) }).await;
    assert_eq!(used_ms(20).await, None);

    change(SessionChange::Expired { unused_since_ms: 40, at_most: 2 }).await;
    let left = [used_ms(0).await, used_ms(1).await, used_ms(3).await, used_ms(4).await];
    assert_eq!(left, [None, Some(100), None, Some(40)], "the longest unused go first, and so many");
}

async fn the_database_holds_no_token(database: Database) {
    let hash = TokenHash::of(b"an unmistakable token");
    database.store.create_player(&player("Ada"), &hash, 1).await.unwrap();
    assert!(!format!("{hash:?}").contains(char::is_numeric), "it is not to be logged: {hash:?}");
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

async fn a_player_is_renamed_and_games_keep_the_old_name(database: Database) {
    let ada = player("Ada");
    let token = TokenHash::of(b"token");
    database.store.create_player(&ada, &token, 1).await.unwrap();
    let game = GameSummary { creator: ada.clone(), ..room("Ada") };
    database.write(append(&game, 1..=1)).await;

    let renamed = Player { name: name("Countess"), ..ada.clone() };
    database.store.rename(ada.id, &renamed.name).await.unwrap();

    let session = database.store.session(&token, 0).await.unwrap().unwrap();
    assert_eq!(session, Session { player: renamed, used_ms: 1 });
    assert_eq!(database.store.game(game.id).await.unwrap().unwrap().creator, ada);
    assert_eq!(database.store.rename(player("Bob").id, &name("Robert")).await, Err(Refused::UnknownPlayer));
}
