//! The heads and the rows of many games at once.

use game::ids::{LineId, Version};
use store::{
    Audience::{self, Players, Spectators},
    ChatLine, ChatRow, DraftRow, GameRow, Write,
};
use uuid::Uuid;

use crate::{
    database::{Database, contract},
    sample::{append, assert_same, command, draft, player, room},
};

contract! {
    heads_have_the_version_the_draft_and_the_numbers_of_lines
    rows_of_many_games_are_read_at_once
}

fn line(game: &GameRow, audience: Audience, number: usize) -> Write {
    let (id, who) = (LineId::new(Uuid::now_v7()), player("Ada").id);
    let text = "hello".to_owned().try_into().unwrap();
    let line = ChatLine { id, at_ms: 1, turn: 1, who, text };
    Write::Line(ChatRow { game: game.id, audience, command: command(&number.to_string()), line })
}

async fn heads_have_the_version_the_draft_and_the_numbers_of_lines(database: Database) {
    let [one, other, unknown] = ["Ada", "Blaise", "Charles"].map(room);
    database.write(append(&one, 1..=2)).await;
    database.write(append(&other, 1..=1)).await;
    database.write(draft(&one, 2, "draft")).await;
    for (game, audience, n_lines) in [(&one, Players, 2), (&one, Spectators, 1), (&other, Spectators, 7)] {
        for number in 0..n_lines {
            database.write(line(game, audience, number)).await;
        }
    }
    let mut heads = database.store.heads(&[one.id, other.id, unknown.id], 5).await.unwrap();
    heads.sort_by_key(|head| head.game);
    let drafted = DraftRow { game: one.id, version: Version::new(2), body: "draft".to_owned() };
    let told: Vec<_> = heads
        .iter()
        .map(|head| {
            (
                head.game,
                head.last_change.version.get(),
                head.draft.clone(),
                head.n_lines(Players),
                head.n_lines(Spectators),
            )
        })
        .collect();
    assert_eq!(told, [(one.id, 2, Some(drafted), 2, 1), (other.id, 1, None, 0, 5)], "five lines are counted");
    assert_eq!(database.store.heads(&[], 5).await.unwrap(), []);
}

async fn rows_of_many_games_are_read_at_once(database: Database) {
    let [one, other, unknown] = ["Ada", "Blaise", "Charles"].map(room);
    for game in [&one, &other] {
        database.write(append(game, 1..=1)).await;
    }
    let mut rows = database.store.rows(&[one.id, other.id, unknown.id]).await.unwrap();
    rows.sort_by_key(|row| row.id);
    assert_eq!(rows.len(), 2, "an unknown game has no row");
    for (row, game) in rows.iter().zip([one, other]) {
        assert_same(row, &GameRow { version: Version::new(1), ..game });
    }
    assert!(database.store.rows(&[]).await.unwrap().is_empty());
}
