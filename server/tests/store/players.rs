use std::sync::Arc;

use sqlx::{Connection, PgConnection, SqliteConnection};
use towers::{
    protocol::{GameSummary, Player},
    store::{Refused, Session, TokenHash},
};

use crate::{
    database::{Database, contract},
    sample::{append, name, player, room},
    verbs::Verbs,
};

contract! {
    a_session_is_found_by_its_token_alone
    the_database_holds_no_token
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
