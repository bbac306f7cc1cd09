use store::Outage;

use crate::{
    database::{Database, contract},
    verbs::Verbs,
};

contract! {
    a_gap_between_beats_is_an_outage
    an_earlier_beat_does_not_move_the_last_beat_back
    only_one_of_several_nodes_records_an_outage
}

const GAP_MS: i64 = 10;

async fn a_gap_between_beats_is_an_outage(database: Database) {
    let outage = |from_ms, to_ms| Outage { from_ms, to_ms };
    let first = outage(1010, 1021);
    let second = outage(1031, 5000);
    for (now_ms, found) in [
        // There is no outage before the first beat.
        (1000, None),
        (1000, None),
        (1010, None),
        (1021, Some(first)),
        (1031, None),
        (5000, Some(second)),
        (5001, None),
    ] {
        assert_eq!(database.store.beat(now_ms, GAP_MS).await, found, "at {now_ms}");
    }
    for (since_ms, outages) in [
        (0, vec![first, second]),
        (1020, vec![first, second]),
        (1021, vec![second]),
        (4999, vec![second]),
        (5000, vec![]),
    ] {
        assert_eq!(database.store.outages_since(since_ms).await.unwrap(), outages, "since {since_ms}");
    }
}

async fn an_earlier_beat_does_not_move_the_last_beat_back(database: Database) {
    let store = &database.store;
    assert_eq!(store.beat(1000, GAP_MS).await, None);
    assert_eq!(store.beat(500, GAP_MS).await, None);
    assert_eq!(store.beat(505, GAP_MS).await, None);
    assert_eq!(store.beat(1010, GAP_MS).await, None, "the last beat was at 1000");
    assert_eq!(store.outages_since(0).await.unwrap(), []);
}

async fn only_one_of_several_nodes_records_an_outage(database: Database) {
    let (here, there) = (&database.store, database.other_node().await);
    let (first, also_first) = tokio::join!(here.beat(0, GAP_MS), there.beat(1, GAP_MS));
    assert_eq!((first, also_first), (None, None));
    for now_ms in (1..20).map(|i| i * 1000) {
        let (mine, theirs) = tokio::join!(here.beat(now_ms, GAP_MS), there.beat(now_ms + 1, GAP_MS));
        let found: Vec<_> = [mine, theirs].into_iter().flatten().collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(database.store.outages_since(now_ms - 1).await.unwrap(), found);
    }
}
