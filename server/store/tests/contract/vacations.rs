//! Vacations of players: what a transaction decides about them, and what is read.

use game::{NoVacation, Period, Player, Vacation, Vacations};
use store::{Cleared, Clearing, Refused, VacationChange, VacationStep, Write, Written};

use crate::{
    accounts::secret,
    database::{Database, contract},
    sample::player,
    verbs::Verbs,
};

contract! {
    a_vacation_begins_and_ends_early_and_its_other_days_are_left
    time_that_runs_out_takes_a_day_once_for_all_games
    a_day_is_not_used_against_the_players_wish
    two_nodes_use_one_day_for_the_same_time
    a_change_is_to_be_credited_until_just_that_vacation_is
    all_vacations_are_read_in_pages
    a_player_who_is_not_there_has_no_vacation
    the_vacations_of_a_deleted_guest_are_deleted
}

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

pub(crate) async fn change_vacation(
    database: &Database,
    player: &Player,
    now_ms: i64,
    what: VacationStep,
) -> Result<(), Refused> {
    let change = VacationChange { player: player.id, now_ms, what };
    let result = database.store.one(Write::Vacation(change)).await.unwrap();
    result.map(|written| assert_eq!(written, Written::Done))
}

/// A guest who came at time 0.
async fn guest(database: &Database) -> Player {
    let ada = player("Ada");
    database.store.create_player(&ada, &secret("phone"), 0).await.unwrap();
    ada
}

async fn vacations(database: &Database, player: &Player) -> Vacations {
    database.store.vacations(player.id).await.unwrap().unwrap()
}

fn begun(days: u64) -> VacationStep {
    VacationStep::Begun(days.try_into().unwrap())
}

async fn a_vacation_begins_and_ends_early_and_its_other_days_are_left(database: Database) {
    let ada = guest(&database).await;
    let none = Vacations { created_ms: 0, is_automatic: true, taken: Vec::new() };
    assert_eq!(vacations(&database, &ada).await, none);
    let refused = |why| Err(Refused::NoVacation(why));
    let ended = change_vacation(&database, &ada, 5, VacationStep::Ended).await;
    assert_eq!(ended, refused(NoVacation::NotUnderWay));
    assert_eq!(change_vacation(&database, &ada, 5, begun(11)).await, refused(NoVacation::NoneLeft));
    change_vacation(&database, &ada, 5, begun(10)).await.unwrap();
    assert_eq!(change_vacation(&database, &ada, 6, begun(1)).await, refused(NoVacation::UnderWay));
    let planned = Vacation { from_ms: 5, to_ms: 5 + 10 * DAY_MS, is_automatic: false };
    assert_eq!(vacations(&database, &ada).await.taken, [planned]);
    change_vacation(&database, &ada, 5 + 3 * DAY_MS, VacationStep::Ended).await.unwrap();
    let ended = Vacation { to_ms: 5 + 3 * DAY_MS, ..planned };
    let now = vacations(&database, &ada).await;
    assert_eq!((&now.taken[..], now.days_left(5 + 3 * DAY_MS)), (&[ended][..], 7));
    change_vacation(&database, &ada, 5 + 3 * DAY_MS, begun(7)).await.unwrap();
    assert_eq!(vacations(&database, &ada).await.taken.len(), 2);
}

async fn time_that_runs_out_takes_a_day_once_for_all_games(database: Database) {
    let ada = guest(&database).await;
    for minutes in [50, 10, 59, 24 * 60] {
        let deadline_ms = 3 * HOUR_MS + minutes * 60_000;
        change_vacation(&database, &ada, 4 * HOUR_MS, VacationStep::Used { deadline_ms }).await.unwrap();
    }
    let first = Vacation { from_ms: 3 * HOUR_MS, to_ms: 3 * HOUR_MS + DAY_MS, is_automatic: true };
    assert_eq!(vacations(&database, &ada).await.taken, [first]);
    let deadline_ms = first.to_ms + 1;
    change_vacation(&database, &ada, deadline_ms, VacationStep::Used { deadline_ms }).await.unwrap();
    let second = Vacation { from_ms: first.to_ms, to_ms: first.to_ms + DAY_MS, is_automatic: true };
    assert_eq!(vacations(&database, &ada).await.taken, [first, second]);
}

async fn a_day_is_not_used_against_the_players_wish(database: Database) {
    let ada = guest(&database).await;
    let used = VacationStep::Used { deadline_ms: DAY_MS };
    change_vacation(&database, &ada, DAY_MS, VacationStep::SetAutomatic(false)).await.unwrap();
    assert!(!vacations(&database, &ada).await.is_automatic);
    let refused = change_vacation(&database, &ada, DAY_MS, used).await;
    assert_eq!(refused, Err(Refused::NoVacation(NoVacation::NotAutomatic)));
    change_vacation(&database, &ada, DAY_MS, VacationStep::SetAutomatic(true)).await.unwrap();
    change_vacation(&database, &ada, DAY_MS, used).await.unwrap();
    assert_eq!(vacations(&database, &ada).await.taken.len(), 1);
}

async fn two_nodes_use_one_day_for_the_same_time(database: Database) {
    let ada = guest(&database).await;
    let used = |deadline_ms| {
        let what = VacationStep::Used { deadline_ms };
        Write::Vacation(VacationChange { player: ada.id, now_ms: 2 * DAY_MS, what })
    };
    let [one, other] = [used(DAY_MS + 1), used(DAY_MS + 2)];
    let (one, other) = tokio::join!(database.store.one(one), database.store.one(other));
    assert_eq!((one.unwrap(), other.unwrap()), (Ok(Written::Done), Ok(Written::Done)));
    assert_eq!(vacations(&database, &ada).await.taken.len(), 1);
}

async fn a_change_is_to_be_credited_until_just_that_vacation_is(database: Database) {
    let (ada, bob) = (guest(&database).await, player("Bob"));
    database.store.create_player(&bob, &secret("laptop"), 0).await.unwrap();
    let uncredited = async |limit| database.store.uncredited_vacations(limit).await.unwrap();
    change_vacation(&database, &ada, 5, VacationStep::SetAutomatic(true)).await.unwrap();
    assert_eq!(uncredited(9).await, []);
    change_vacation(&database, &ada, 9, begun(2)).await.unwrap();
    change_vacation(&database, &bob, HOUR_MS, VacationStep::Used { deadline_ms: 5 }).await.unwrap();
    let planned = Period { from_ms: 9, to_ms: 9 + 2 * DAY_MS };
    let used = Period { from_ms: 0, to_ms: DAY_MS };
    assert_eq!(uncredited(9).await, [(bob.id, used), (ada.id, planned)]);
    assert_eq!(uncredited(1).await, [(bob.id, used)]);

    change_vacation(&database, &ada, DAY_MS, VacationStep::Ended).await.unwrap();
    change_vacation(&database, &ada, DAY_MS, VacationStep::Credited(planned)).await.unwrap();
    change_vacation(&database, &bob, DAY_MS, VacationStep::Credited(used)).await.unwrap();
    let ended = Period { to_ms: DAY_MS, ..planned };
    assert_eq!(uncredited(9).await, [(ada.id, ended)], "it ended meanwhile");
    change_vacation(&database, &ada, DAY_MS, VacationStep::Credited(ended)).await.unwrap();
    assert_eq!(uncredited(9).await, []);
    change_vacation(&database, &bob, DAY_MS - 1, VacationStep::Ended).await.unwrap();
    assert_eq!(uncredited(9).await, [(bob.id, Period { to_ms: DAY_MS - 1, ..used })], "it is marked again");
}

async fn all_vacations_are_read_in_pages(database: Database) {
    let (ada, bob) = (guest(&database).await, player("Bob"));
    database.store.create_player(&bob, &secret("laptop"), 0).await.unwrap();
    let mut expected = Vec::new();
    for player in [&ada, &bob] {
        change_vacation(&database, player, HOUR_MS, VacationStep::Used { deadline_ms: 5 }).await.unwrap();
        change_vacation(&database, player, 2 * DAY_MS, begun(1)).await.unwrap();
        expected.extend(vacations(&database, player).await.taken.into_iter().map(|taken| (player.id, taken)));
    }
    expected.sort_by_key(|(player, taken)| (*player, taken.from_ms));
    let mut read = Vec::new();
    loop {
        let page = database.store.all_vacations(read.last().copied(), 3).await.unwrap();
        assert!(page.len() <= 3);
        if page.is_empty() {
            break;
        }
        read.extend(page);
    }
    assert_eq!(read, expected);
}

async fn a_player_who_is_not_there_has_no_vacation(database: Database) {
    let nobody = player("Nobody");
    assert_eq!(database.store.vacations(nobody.id).await.unwrap(), None);
    assert_eq!(change_vacation(&database, &nobody, 5, begun(1)).await, Err(Refused::UnknownPlayer));
}

async fn the_vacations_of_a_deleted_guest_are_deleted(database: Database) {
    let ada = guest(&database).await;
    change_vacation(&database, &ada, 5, begun(1)).await.unwrap();
    database.store.clear(Clearing::Sessions { unused_since_ms: i64::MAX }).await;
    let cleared = database.store.clear(Clearing::Guests { before_ms: 10, at_most: 5 }).await;
    assert_eq!(cleared, Cleared { deleted: 1, is_more: false });
    assert_eq!(database.store.vacations(ada.id).await.unwrap(), None);
}
