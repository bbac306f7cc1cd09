//! The budget of stored bytes of an address.

use std::time::Duration;

use game::{OfferKind, ids::ChatText};
use store::TokenHash;

use super::{
    sample::{log, node, player},
    *,
};
use crate::net::{address::WriteKind, limits::AddressLimits};

fn command_id(id: &str) -> CommandId {
    CommandId::try_from(id.to_owned()).unwrap()
}

#[tokio::test]
async fn a_repeated_command_gets_its_earlier_answer_though_the_budget_is_spent() {
    let node = node(64 << 20).await;
    let games = &node.games;
    let row = node.store(&log(Terms::default(), 2)).await;
    let offer = |id: &str, over_budget| Request {
        id: command_id(id),
        who: player(1),
        requester: Requester::SERVER,
        command: Command::Offer { what: OfferKind::Draw, rematch: row.id },
        received_ms: games.env().now_ms(),
        over_budget,
    };
    let wait = Some(Duration::from_millis(999));
    let (too_fast, offered) = (Err(Nack::TooFast { retry_ms: 1_000 }), Ok(row.version.next()));
    assert_eq!(games.command(row.id, offer("a", wait)).await, too_fast);
    assert_eq!(games.command(row.id, offer("a", None)).await, offered, "the refusal is not recorded");
    assert_eq!(games.command(row.id, offer("a", wait)).await, offered);
    assert_eq!(games.command(row.id, offer("b", wait)).await, too_fast);
}

async fn say(games: &Games, game: GameId, address: Address, id: &str) -> Result<Version, Nack> {
    let text = ChatText::try_from("good luck".to_owned()).unwrap();
    let requester = Requester::player(address, player(1).id);
    games.say(game, SayRequest { id: command_id(id), who: player(1), text, requester }).await
}

#[tokio::test]
async fn a_repeated_line_gets_its_earlier_answer_though_the_budget_is_spent() {
    let node = node(64 << 20).await;
    let (games, addresses) = (&node.games, &node.games.0.dependencies.addresses);
    let row = node.store(&log(Terms::default(), 2)).await;
    let address = Address::of_tests(1);
    let say = async |id: &str| say(games, row.id, address, id).await;
    let now = Instant::now();
    let said = say("a").await;
    assert_eq!(said, Ok(row.version));
    addresses.charge(address, LimitedAction::Store, AddressLimits::times(1).stored.burst as usize, now);
    assert_eq!(say("a").await, said);
    let refused = say("b").await;
    assert!(matches!(refused, Err(Nack::TooFast { .. })), "{refused:?}");
}

#[tokio::test]
async fn lines_that_a_chat_refuses_cost_the_neighbours_of_their_speaker_none() {
    let node = node(64 << 20).await;
    let (games, addresses) = (&node.games, &node.games.0.dependencies.addresses);
    let [row, other] =
        [node.store(&log(Terms::default(), 2)).await, node.store(&log(Terms::default(), 2)).await];
    let (address, limit) = (Address::of_tests(1), AddressLimits::times(1).lines);
    let mut n_said = 0;
    for number in 0..10 * limit.burst {
        n_said += u32::from(say(games, row.id, address, &number.to_string()).await.is_ok());
    }
    let now = Instant::now();
    let left = std::iter::repeat_with(|| addresses.take(address, LimitedAction::Line, now));
    let n_left = left.take_while(Result::is_ok).count();
    assert!(
        (1..limit.burst).contains(&n_said) && n_left >= (limit.burst - n_said) as usize,
        "{n_said} {n_left}"
    );
    while addresses.take(address, LimitedAction::Line, now + Duration::from_secs(60)).is_ok() {}
    let refused = say(games, other.id, address, "first").await;
    assert!(matches!(refused, Err(Nack::TooFast { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_game_is_charged_to_who_begins_it_once_it_is_stored() {
    let node = node(64 << 20).await;
    let (games, addresses) = (&node.games, &node.games.0.dependencies.addresses);
    for number in [1, 2] {
        let who = player(number);
        node.writer.create_player(who, TokenHash::of(&number.to_be_bytes()), 0).await.unwrap();
    }
    let [maker, joiner] = [1, 2].map(Address::of_tests);
    let half = AddressLimits::times(1).stored.burst as usize / 2;
    let now = Instant::now();
    // One further byte makes them wait.
    for address in [maker, joiner] {
        addresses.charge(address, LimitedAction::Store, half, now);
    }
    let is_charged = |address| !addresses.store_wait(address, WriteKind::Other, now).is_zero();
    let row = games
        .create(room(), Beginner { player: player(1), address: maker }, Seed::new([0; 32]))
        .await
        .unwrap();
    assert!(is_charged(maker));
    let join = async |id: &str| {
        let requester = Requester::player(joiner, player(2).id);
        let (command, received_ms) = (Command::Join { coin: true }, games.env().now_ms());
        let request = Request {
            id: command_id(id),
            who: player(2),
            requester,
            command,
            received_ms,
            over_budget: None,
        };
        games.command(row.id, request).await
    };
    node.writer.block(player(1).id, player(2).id, 0).await.unwrap();
    assert_eq!(join("a").await, Err(Nack::Blocked));
    assert!(!is_charged(joiner));
    node.writer.unblock(player(1).id, player(2).id).await.unwrap();
    assert_eq!(join("b").await, Ok(row.version.next()));
    assert!(is_charged(joiner));
}
