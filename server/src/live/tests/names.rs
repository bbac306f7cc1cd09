//! Players who get another name while their games are in memory, or after they have ended.

use game::{PlayerKind, ids::LineId};
use protocol::{GameDocument, Player as Shown};
use serde_json::Value;
use store::{Audience, ChatLine, ChatRow, TokenHash};

use super::{
    sample::{Node, log, node, player, resigned},
    *,
};
use crate::{directory::deleted, net::outbox::Outgoing};

/// A node with the players 1 to 3 in its store.
async fn scene() -> Node {
    let node = node(64 << 20).await;
    for number in 1..=3 {
        let token = TokenHash::of(&[number]);
        node.writer.create_player(player(number.into()), token, 0).await.unwrap();
    }
    node
}

impl Node {
    async fn rename(&self, number: u128, name: &str) {
        let name = name.to_owned().try_into().unwrap();
        let renamed = self.writer.rename(player(number).id, name, 0).await.unwrap();
        self.games.rename(renamed.id, (renamed, PlayerKind::Guest).into());
    }

    async fn watch(&self, game: GameId, number: u128) -> Outgoing {
        let (outbox, outgoing) = Outbox::open();
        let who = player(number).id;
        let watching =
            self.games.watch(game, &outbox, who, Version::NONE, FollowPolicy::All, Requester::SERVER);
        watching.await.unwrap();
        outgoing
    }

    /// The names of the first side's player in the row and in the events of a game's document, and its record.
    async fn first_names(&self, game: GameId) -> [String; 3] {
        let document = self.games.document(game, None, Requester::SERVER).await.unwrap().text();
        let document: GameDocument = serde_json::from_str(&document).unwrap();
        let in_events = serde_json::to_value(&document.events[1]).unwrap();
        let record = self.games.record(game, None, Requester::SERVER).await.unwrap().text.text();
        let written = record.lines().find_map(|line| line.strip_prefix("first: ")).unwrap();
        [
            document.summary.seats.unwrap().first.name.to_string(),
            in_events["seats"]["first"]["name"].as_str().unwrap().to_owned(),
            written.to_owned(),
        ]
    }
}

/// The next frame of a type.
async fn next(outgoing: &mut Outgoing, what: &str) -> Value {
    loop {
        let frame = outgoing.next().await.unwrap();
        outgoing.sent();
        let frame: Value = serde_json::from_str(&frame).unwrap();
        if frame["type"] == what {
            return frame;
        }
    }
}

#[tokio::test]
async fn a_new_name_shows_in_a_game_that_is_watched_and_to_those_who_come_later() {
    let node = scene().await;
    let game = node.store(&log(Terms::default(), 5)).await.id;
    let mut seen = node.watch(game, 3).await;
    assert_eq!(next(&mut seen, "events").await["events"][1]["seats"]["first"]["name"], "Ada");
    node.rename(1, "Ida").await;
    let renamed: Shown = serde_json::from_value(next(&mut seen, "renamed").await["player"].clone()).unwrap();
    assert_eq!((renamed.id, renamed.name.as_str()), (player(1).id, "Ida"));
    let mut later = node.watch(game, 2).await;
    let events = next(&mut later, "events").await["events"].clone();
    assert_eq!(events.as_array().unwrap().len(), 7);
    assert_eq!(
        (&events[0]["creator"]["name"], &events[1]["seats"]["first"]["name"]),
        (&"Ida".into(), &"Ida".into())
    );
    assert_eq!(events[1]["seats"]["second"]["name"], "Ada", "the other player has the same old name");
    assert_eq!(node.first_names(game).await, ["Ida", "Ida", "Ida"]);
}

#[tokio::test]
async fn deleted_players_of_a_game_in_memory_are_told_apart_and_come_back() {
    let node = scene().await;
    let game = node.store(&log(Terms::default(), 5)).await.id;
    let mut seen = node.watch(game, 3).await;
    let seats = async || next(&mut node.watch(game, 3).await, "events").await["events"][1]["seats"].clone();
    for number in [1, 2] {
        let id = player(number).id;
        node.games.rename(id, deleted(PlayerId::DELETED));
        next(&mut seen, "renamed").await;
    }
    let both = seats().await;
    assert_eq!((&both["first"]["kind"], &both["second"]["kind"]), (&"deleted".into(), &"deleted".into()));
    assert_ne!(both["first"]["id"], both["second"]["id"], "they did not play at one screen");
    node.rename(1, "Ada").await;
    next(&mut seen, "renamed").await;
    let seats = seats().await;
    assert_eq!(seats["first"]["id"], player(1).id.to_string());
    assert_eq!(seats["second"]["id"], PlayerId::DELETED.to_string());
}

#[tokio::test]
async fn a_new_name_shows_in_a_finished_game_that_was_read_before() {
    let node = scene().await;
    let game = node.store(&resigned(log(Terms::default(), 5))).await.id;
    assert_eq!(node.first_names(game).await, ["Ada", "Ada", "Ada"]);
    node.rename(1, "Ida").await;
    assert_eq!(node.first_names(game).await, ["Ida", "Ida", "Ida"]);
}

#[tokio::test]
async fn a_new_name_shows_in_a_finished_game_that_is_watched_without_a_task() {
    let node = scene().await;
    let game = node.store(&resigned(log(Terms::default(), 5))).await.id;
    let mut seen = node.watch(game, 3).await;
    assert_eq!(next(&mut seen, "events").await["events"][1]["seats"]["first"]["name"], "Ada");
    node.games.0.archive.forget(game);
    node.rename(1, "Ida").await;
    assert_eq!(next(&mut seen, "renamed").await["player"]["name"], "Ida");
}

#[tokio::test]
async fn a_spectator_who_spoke_is_renamed_for_the_spectators_alone() {
    let node = scene().await;
    let game = node.store(&log(Terms::default(), 5)).await.id;
    let text = "Well played".to_owned().try_into().unwrap();
    let line = ChatLine { id: LineId::new(Uuid::nil()), at_ms: 0, turn: 1, who: player(3).id, text };
    let (audience, command) = (Audience::Spectators, "a".to_owned().try_into().unwrap());
    node.writer.say(ChatRow { game, audience, command, line }).await.unwrap();
    let (mut players, mut spectators) = (node.watch(game, 1).await, node.watch(game, 4).await);
    assert_eq!(next(&mut spectators, "chat").await["lines"][0]["who"]["name"], "Ada");
    node.rename(3, "Eve").await;
    assert_eq!(next(&mut spectators, "renamed").await["player"]["name"], "Eve");
    node.rename(1, "Ida").await;
    assert_eq!(next(&mut players, "renamed").await["player"]["name"], "Ida", "the first that they are sent");
    assert_eq!(next(&mut node.watch(game, 5).await, "chat").await["lines"][0]["who"]["name"], "Eve");
}

#[tokio::test]
async fn the_lines_of_two_deleted_players_are_told_apart_like_their_seats() {
    let node = scene().await;
    let game = node.store(&log(Terms::default(), 5)).await.id;
    for number in [1, 2] {
        // Before the game began, both were spectators of the room.
        let text = "Hello".to_owned().try_into().unwrap();
        let (id, who) = (LineId::new(Uuid::from_u128(number)), player(number).id);
        let line = ChatLine { id, at_ms: 0, turn: 1, who, text };
        let (audience, command) = (Audience::Spectators, number.to_string().try_into().unwrap());
        node.writer.say(ChatRow { game, audience, command, line }).await.unwrap();
        node.games.rename(who, deleted(PlayerId::DELETED));
    }
    let mut seen = node.watch(game, 3).await;
    let seats = next(&mut seen, "events").await["events"][1]["seats"].clone();
    let lines = next(&mut seen, "chat").await["lines"].clone();
    assert_eq!(lines[0]["who"]["id"], seats["first"]["id"]);
    assert_eq!(lines[1]["who"]["id"], seats["second"]["id"]);
    assert_ne!(lines[0]["who"]["id"], lines[1]["who"]["id"]);
}
