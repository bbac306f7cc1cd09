//! Vacations whose node dies before the games of their player are credited.

use engine::BySide;
use game::ClockRule;
use store::{Memory, TokenHash, VacationChange, VacationStep};

use super::{
    sample::{Node, log, node_on, player},
    *,
};
use crate::cluster::outages::GAP_MS;

const MINUTE_MS: i64 = 60 * 1000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

/// A log whose last event happened at `now_ms`, of a game with days for each turn in which player 1 is to move.
fn slow_log(now_ms: i64) -> Vec<Recorded> {
    let clock = ClockRule::Correspondence { days: 2.try_into().unwrap() };
    let mut log = log(Terms { clock, ..Terms::default() }, 4);
    let later_ms = now_ms - log.last().unwrap().at_ms;
    for recorded in &mut log {
        recorded.at_ms += later_ms;
        if let Event::TurnPlayed { time, .. } = &mut recorded.event {
            *time = Some(BySide { first: 2 * DAY_MS, second: 2 * DAY_MS });
        }
    }
    log
}

async fn change(node: &Node, what: VacationStep) {
    let now_ms = node.games.env().now_ms();
    let change = VacationChange { player: player(1).id, now_ms, what };
    node.writer.change_vacation(change).await.unwrap();
}

/// The deadline of a game, to the minute.
async fn deadline_minute(node: &Node, game: GameId) -> i64 {
    let row = node.games.0.dependencies.store.game(game).await.unwrap().unwrap();
    (row.deadline_ms.unwrap() + MINUTE_MS / 2) / MINUTE_MS
}

async fn are_credited(node: &Node) -> bool {
    node.games.0.dependencies.store.uncredited_vacations(1).await.unwrap().is_empty()
}

#[tokio::test(start_paused = true)]
async fn a_vacation_that_changed_on_a_node_which_died_is_credited_by_another() {
    let store: Arc<dyn Store> = Arc::new(Memory::default());
    let died = node_on(store.clone(), 64 << 20).await;
    let next = node_on(store.clone(), 64 << 20).await;
    let now_ms = died.games.env().now_ms();
    died.writer.create_player(player(1), TokenHash::of(b"ada"), now_ms).await.unwrap();
    let game = died.store(&slow_log(now_ms)).await.id;
    let planned_minute = deadline_minute(&died, game).await;
    let days_later = planned_minute + 3 * DAY_MS / MINUTE_MS;

    change(&died, VacationStep::Begun(3.try_into().unwrap())).await;
    next.games.credit_changed_vacations().await.unwrap();
    assert_eq!(deadline_minute(&next, game).await, planned_minute, "an outage may be unknown");
    assert!(!are_credited(&next).await, "it is tried again");

    next.games.0.dependencies.outages.beat(&*store, &next.writer, GAP_MS).await.unwrap();
    next.games.credit_changed_vacations().await.unwrap();
    assert_eq!(deadline_minute(&next, game).await, days_later);
    assert!(are_credited(&next).await);

    change(&died, VacationStep::Ended).await;
    assert!(!are_credited(&next).await);
    next.games.credit_changed_vacations().await.unwrap();
    assert_eq!(deadline_minute(&next, game).await, planned_minute);
    assert!(are_credited(&next).await);
}

#[tokio::test(start_paused = true)]
async fn a_game_that_cannot_be_read_holds_up_no_vacation() {
    let store: Arc<dyn Store> = Arc::new(Memory::default());
    let node = node_on(store.clone(), 64 << 20).await;
    let now_ms = node.games.env().now_ms();
    node.writer.create_player(player(1), TokenHash::of(b"ada"), now_ms).await.unwrap();
    let row = node.store(&slow_log(now_ms)).await;
    let version = row.version.next();
    let nonsense = StoredEvent { version, at_ms: now_ms, command: None, body: "nonsense".to_owned() };
    let broken = Append::new(vec![nonsense], GameRow { version, ..row }, DraftIs::Gone);
    node.writer.append(broken).await.unwrap();
    node.games.0.dependencies.outages.beat(&*store, &node.writer, GAP_MS).await.unwrap();
    change(&node, VacationStep::Begun(1.try_into().unwrap())).await;
    node.games.credit_changed_vacations().await.unwrap();
    assert!(are_credited(&node).await);
}

/// Otherwise its row would have a deadline in the vacation, of which lists and warnings would tell.
#[tokio::test(start_paused = true)]
async fn a_new_game_that_waits_for_a_player_on_vacation_is_credited_at_once() {
    let store: Arc<dyn Store> = Arc::new(Memory::default());
    let node = node_on(store.clone(), 64 << 20).await;
    let now_ms = node.games.env().now_ms();
    for number in [1, 2] {
        node.writer.create_player(player(number), TokenHash::of(&[number as u8]), now_ms).await.unwrap();
    }
    let begin = async || {
        let clock = ClockRule::Correspondence { days: 2.try_into().unwrap() };
        let terms = Terms { clock, ..Terms::default() };
        let beginners = [1, 2_u8].map(|number| Beginner {
            player: player(number.into()),
            address: Address::of_tests(number.into()),
        });
        let id = GameId::new(node.games.env().id());
        node.games.begin(id, Ruleset::Fenix, terms, beginners, Seed::new([0; 32])).await.unwrap().id
    };
    let before = begin().await;
    change(&node, VacationStep::Begun(3.try_into().unwrap())).await;
    let during = begin().await;
    let later_minutes = deadline_minute(&node, during).await - deadline_minute(&node, before).await;
    assert_eq!(later_minutes, 3 * DAY_MS / MINUTE_MS);
}
