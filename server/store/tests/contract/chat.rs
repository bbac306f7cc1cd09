use game::{Player, ids::LineId};
use store::{
    Audience::{self, Players, Spectators},
    CHAT_LINES, ChatLine, ChatRow, GameRow, Write,
};
use uuid::Uuid;

use crate::{
    database::{Database, contract},
    sample::{append, command, player, room},
    verbs::Verbs,
};

contract! {
    a_line_is_read_back_as_it_was_written
    each_audience_of_a_game_has_its_own_newest_lines_in_order
    a_command_adds_one_line
    the_oldest_lines_of_a_chat_are_deleted_and_those_of_others_stay
    two_nodes_that_store_the_same_line_both_succeed
    a_line_does_not_change_the_game
    the_lines_of_a_player_are_read_in_order_whatever_the_game
}

async fn a_line_is_read_back_as_it_was_written(database: Database) {
    let game = stored(&database).await;
    let texts = ["x", "<b>not bold</b> & 'quoted' \\ $1 ?1", "👩\u{200d}🚀 é ß 😀", &"ш".repeat(300)];
    let rows: Vec<_> = texts.map(|text| line(&game, Players, &player("Ада 🗼"), text)).into();
    database.commit(&rows.iter().cloned().map(Write::Line).collect::<Vec<_>>()).await;
    assert_eq!(database.store.chat(game.id, Players, 10).await.unwrap(), rows);
}

async fn each_audience_of_a_game_has_its_own_newest_lines_in_order(database: Database) {
    let [game, other] = [stored(&database).await, stored(&database).await];
    let ada = player("Ada");
    for i in 0..5 {
        for (game, audience) in [(&game, Players), (&game, Spectators), (&other, Players)] {
            let text = format!("{i} to {audience:?} of {}", game.id);
            database.write(Write::Line(line(game, audience, &ada, &text))).await;
        }
    }
    for (game, audience, limit, numbers) in [
        (&game, Players, 3, 2..5),
        (&game, Spectators, 3, 2..5),
        (&other, Players, 5, 0..5),
        (&other, Players, 100, 0..5),
        (&other, Spectators, 100, 0..0),
    ] {
        let expected: Vec<_> = numbers.map(|i| format!("{i} to {audience:?} of {}", game.id)).collect();
        assert_eq!(texts(&database, game, audience, limit).await, expected);
    }
    assert_eq!(database.store.chat(room("Bob").id, Players, 10).await.unwrap(), []);
}

async fn a_command_adds_one_line(database: Database) {
    let [game, other] = [stored(&database).await, stored(&database).await];
    let [ada, bob] = [player("Ada"), player("Bob")];
    let said = |game: &GameRow, who: &Player, text: &str| {
        Write::Line(ChatRow { command: command("same"), ..line(game, Players, who, text) })
    };
    let results = database
        .commit(&[said(&game, &ada, "once"), said(&game, &ada, "twice"), said(&game, &bob, "Bob's")])
        .await;
    assert_eq!(results, [Ok(()); 3], "a repeated line is not a conflict");
    database.write(said(&game, &ada, "three times")).await;
    database.write(said(&other, &ada, "elsewhere")).await;
    assert_eq!(texts(&database, &game, Players, 10).await, ["once", "Bob's"]);
    assert_eq!(texts(&database, &other, Players, 10).await, ["elsewhere"]);
}

async fn the_oldest_lines_of_a_chat_are_deleted_and_those_of_others_stay(database: Database) {
    let [game, other] = [stored(&database).await, stored(&database).await];
    let ada = player("Ada");
    let say = |game, audience, number: u32| Write::Line(line(game, audience, &ada, &number.to_string()));
    let mut writes = vec![say(&game, Spectators, 0), say(&other, Players, 0)];
    writes.extend((0..CHAT_LINES + 5).map(|number| say(&game, Players, number)));
    database.commit(&writes).await;
    let kept = |from: u32| (from..from + CHAT_LINES).map(|number| number.to_string()).collect::<Vec<_>>();
    assert_eq!(texts(&database, &game, Players, u32::MAX).await, kept(5));
    database.write(say(&game, Players, CHAT_LINES + 5)).await;
    assert_eq!(texts(&database, &game, Players, u32::MAX).await, kept(6));
    assert_eq!(texts(&database, &game, Spectators, 10).await, ["0"]);
    assert_eq!(texts(&database, &other, Players, 10).await, ["0"]);
}

async fn two_nodes_that_store_the_same_line_both_succeed(database: Database) {
    let game = stored(&database).await;
    let other = database.other_node().await;
    for _ in 0..10 {
        let said: Vec<_> = (0..20).map(|_| line(&game, Spectators, &player("Ada"), "hello")).collect();
        let said_there = said.iter().rev().map(|row| ChatRow {
            // A node that receives a repeated command gives the line a new id.
            line: ChatLine { id: LineId::new(Uuid::now_v7()), ..row.line.clone() },
            ..row.clone()
        });
        let there: Vec<_> = said_there.map(Write::Line).collect();
        let here: Vec<_> = said.into_iter().map(Write::Line).collect();

        let (first, second) = tokio::join!(database.store.tried(&here), other.tried(&there));
        let again = tokio::join!(database.store.tried(&here), other.tried(&here));

        for results in [first, second, again.0, again.1] {
            assert_eq!(results.unwrap(), [Ok(()); 20]);
        }
    }
    assert_eq!(texts(&database, &game, Spectators, 1000).await.len(), 200);
}

async fn the_lines_of_a_player_are_read_in_order_whatever_the_game(database: Database) {
    let (games, ada) = ([stored(&database).await, stored(&database).await], player("Ada"));
    let mut lines = Vec::new();
    for (number, game) in games.iter().cycle().take(5).enumerate() {
        let audience = if number < 2 { Players } else { Spectators };
        let row = line(game, audience, &ada, &format!("line {number}"));
        database.write(Write::Line(row.clone())).await;
        database.write(Write::Line(line(game, audience, &player("Bob"), "not hers"))).await;
        lines.push((row.game, row.line));
    }
    let read = async |after, limit| database.store.lines_by(ada.id, after, limit).await.unwrap();
    assert_eq!(read(None, 9).await, lines);
    assert_eq!(read(None, 2).await, lines[..2]);
    assert_eq!(read(Some(lines[1].1.id), 2).await, lines[2..4]);
    assert_eq!(read(Some(lines[4].1.id), 2).await, []);
}

async fn a_line_does_not_change_the_game(database: Database) {
    let game = room("Ada");
    let said = line(&game, Players, &player("Ada"), "hello");
    let results = database.commit(&[append(&game, 1..=1), Write::Line(said), append(&game, 2..=2)]).await;
    assert_eq!(results, [Ok(()); 3]);
    assert_eq!(database.bodies(game.id).await, ["1", "2"]);
    assert_eq!(texts(&database, &game, Players, 10).await, ["hello"]);
}

/// Stores a new room.
async fn stored(database: &Database) -> GameRow {
    let game = room("Ada");
    database.write(append(&game, 1..=1)).await;
    game
}

/// Makes a line with a new command id, later than all lines before.
pub(crate) fn line(game: &GameRow, audience: Audience, who: &Player, text: &str) -> ChatRow {
    let id = Uuid::now_v7();
    ChatRow {
        game: game.id,
        audience,
        command: command(&id.to_string()),
        line: ChatLine {
            id: LineId::new(id),
            at_ms: 1_700_000_000_000,
            turn: 1000,
            who: who.id,
            text: text.to_owned().try_into().unwrap(),
        },
    }
}

async fn texts(database: &Database, game: &GameRow, audience: Audience, limit: u32) -> Vec<String> {
    let rows = database.store.chat(game.id, audience, limit).await.unwrap();
    rows.into_iter().map(|row| row.line.text.to_string()).collect()
}
