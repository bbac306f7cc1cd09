//! What is left of an account that was erased.

use std::{collections::BTreeMap, fs, path::Path};

use game::{Player, ReportKind, Role, Seats, Status};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection, query_scalar};
use store::{Audience, Cleared, Clearing, Decision, GameRow, VacationStep, Write};

use crate::{
    accounts::{account, change, close, make_link},
    chat::line,
    database::{Database, contract},
    mails::{asked, confirm},
    moderation::{act, report, set_role},
    outbox::slow_game,
    passkeys::{add, passkey},
    pushes::subscribe,
    sample::{append, name, player, room},
    seeks::{post, seek},
    vacations::change_vacation,
    verbs::Verbs,
};

contract! {
    ; only in SQL:
    an_erased_player_is_left_in_games_alone
    no_text_of_an_erased_account_is_left
}

/// Effect of an erasure on the rows that mention the player in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// They are deleted, or no longer mention the player.
    Cleared,
    /// They keep the id, which nobody is shown: the game is the other player's too.
    Kept,
    /// They are gone before an account is erased, some minutes after they were written.
    Expires,
    /// The column has ids of another kind.
    Other,
}

/// The columns that may hold the id of a player, with what becomes of them.
const RULES: [(&str, Rule); 42] = [
    ("account.player", Rule::Cleared),
    ("audit.by", Rule::Cleared),
    ("audit.id", Rule::Other),
    ("audit.target", Rule::Cleared),
    ("block.blocked", Rule::Cleared),
    ("block.player", Rule::Cleared),
    ("ceremony.player", Rule::Expires),
    ("chat.game", Rule::Other),
    ("chat.id", Rule::Other),
    ("chat.player", Rule::Kept),
    ("conditional.game", Rule::Other),
    ("credential.id", Rule::Other),
    ("credential.player", Rule::Cleared),
    ("device.player", Rule::Cleared),
    ("draft.game", Rule::Other),
    ("event.game", Rule::Other),
    ("game.challenged", Rule::Kept),
    ("game.creator", Rule::Kept),
    ("game.first_player", Rule::Kept),
    ("game.id", Rule::Other),
    ("game.second_player", Rule::Kept),
    ("mail.id", Rule::Other),
    ("mail.player", Rule::Cleared),
    ("name_key.player", Rule::Cleared),
    ("notice.id", Rule::Other),
    ("notice.player", Rule::Cleared),
    ("one_time.player", Rule::Cleared),
    ("outbox.player", Rule::Cleared),
    ("player.id", Rule::Kept),
    ("push.player", Rule::Cleared),
    ("report.by", Rule::Cleared),
    ("report.game", Rule::Other),
    ("report.id", Rule::Other),
    ("report.target", Rule::Cleared),
    ("review.game", Rule::Other),
    ("role.player", Rule::Cleared),
    ("seek.id", Rule::Other),
    ("seek.player", Rule::Cleared),
    ("session.id", Rule::Other),
    ("session.player", Rule::Cleared),
    ("sweeper.node", Rule::Other),
    ("vacation.player", Rule::Cleared),
];

#[tokio::test]
async fn every_column_that_may_mention_a_player_has_a_rule() {
    let database = Database::postgres().await;
    let mut connection = PgConnection::connect(&database.url).await.unwrap();
    let columns: Vec<String> = query_scalar(
        "select table_name || '.' || column_name from information_schema.columns
         where table_schema = current_schema() and udt_name in ('uuid', '_uuid') order by 1",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    let rules = BTreeMap::from(RULES);
    assert_eq!(columns, rules.into_keys().collect::<Vec<_>>());
}

/// An account that every column with a rule mentions, signed in with a phone, and another one.
async fn everywhere(database: &Database) -> Player {
    let (ada, bob) = (account(database, "Zebulon", "phone").await, player("Bob"));
    database.store.create_player(&bob, &crate::accounts::secret("tablet"), 1).await.unwrap();
    for (player, blocked) in [(ada.id, bob.id), (bob.id, ada.id)] {
        database.write(Write::Block { player, blocked, now_ms: 60 }).await;
    }
    change(&*database.store, add(&ada, passkey("Zebulon's phone"))).await.unwrap();
    change(&*database.store, asked(&ada, 1, 60)).await.unwrap();
    confirm(database, &ada, "ada@mail.example", 2).await;
    database.write(append(&slow_game(ada.id, bob.id, 60), 1..=1)).await;
    let seats = [Seats { first: ada.id, second: bob.id }, Seats { first: bob.id, second: ada.id }];
    for seats in seats {
        let (status, challenged) = (Status::Finished, Some(ada.id));
        let game = GameRow { status, seats: Some(seats), creator: ada.id, challenged, ..room("Ada") };
        database.write(append(&game, 1..=1)).await;
        database.write(Write::Line(line(&game, Audience::Players, &ada, "Hello"))).await;
    }
    change_vacation(database, &ada, 60, VacationStep::Begun(1.try_into().unwrap())).await.unwrap();
    post(database, seek(&ada, 1)).await.unwrap();
    set_role(database, 1, &ada, Some(Role::Moderator)).await.unwrap();
    act(database, 2, &ada, &bob, Decision::Mute { until_ms: 1_000 }).await.unwrap();
    report(database, 3, &ada, &bob, ReportKind::Name).await.unwrap();
    report(database, 4, &bob, &ada, ReportKind::Name).await.unwrap();
    database.store.rename(ada.id, &name("Quillon")).await.unwrap();
    make_link(database, &ada, "recovery").await;
    subscribe(database, &ada, "phone", "Zebulon").await.unwrap();
    ada
}

/// Closes the account of a phone, and erases it.
async fn erase(database: &Database, player: &Player) {
    close(database, player, "phone", 70).await.unwrap();
    let erasure = Clearing::Accounts { closed_before_ms: 80, at_most: 1 };
    assert_eq!(database.store.clear(erasure).await, Cleared { deleted: 1, is_more: true });
}

/// The number of rows that mention a player in a column.
async fn mentions(database: &Database, column: &str, player: &Player) -> i64 {
    let (table, column) = column.split_once('.').unwrap();
    let count = AssertSqlSafe(format!("select count(*) from {table} where {column} = $1"));
    if database.url.starts_with("sqlite") {
        let mut connection = SqliteConnection::connect(&database.url).await.unwrap();
        query_scalar(count).bind(player.id.uuid()).fetch_one(&mut connection).await.unwrap()
    } else {
        let mut connection = PgConnection::connect(&database.url).await.unwrap();
        query_scalar(count).bind(player.id.uuid()).fetch_one(&mut connection).await.unwrap()
    }
}

async fn an_erased_player_is_left_in_games_alone(database: Database) {
    let ada = everywhere(&database).await;
    let of_players = RULES.into_iter().filter(|(_, rule)| matches!(rule, Rule::Cleared | Rule::Kept));
    for (column, _) in of_players.clone() {
        assert!(mentions(&database, column, &ada).await > 0, "{column}: the test writes to each column");
    }
    erase(&database, &ada).await;
    for (column, rule) in of_players {
        assert_eq!(mentions(&database, column, &ada).await > 0, rule == Rule::Kept, "{column}");
    }
}

/// The texts of an account as its player wrote them, in any column of any table. In SQLite, in any byte of the file.
async fn no_text_of_an_erased_account_is_left(database: Database) {
    let ada = everywhere(&database).await;
    let texts = ["Zebulon", "Quillon", "ada@mail.example"];
    let found = found_in(&database, &texts).await;
    assert_eq!(found, texts, "the search finds what is there");
    erase(&database, &ada).await;
    assert_eq!(found_in(&database, &texts).await, [""; 0]);
}

async fn found_in<'t>(database: &Database, texts: &[&'t str]) -> Vec<&'t str> {
    let stored = match database.url.strip_prefix("sqlite://") {
        Some(file) => {
            let files = fs::read_dir(Path::new(file).parent().unwrap()).unwrap();
            files.flat_map(|file| fs::read(file.unwrap().path()).unwrap()).collect()
        }
        None => {
            let mut connection = PgConnection::connect(&database.url).await.unwrap();
            let rows = "select coalesce(string_agg(query_to_xml('select * from ' || table_name, true, true, '')::text, ''), '')
                        from information_schema.tables where table_schema = current_schema()";
            query_scalar::<_, String>(rows).fetch_one(&mut connection).await.unwrap().into_bytes()
        }
    };
    let is_stored = |text: &&str| stored.windows(text.len()).any(|part| part == text.as_bytes());
    texts.iter().copied().filter(is_stored).collect()
}
