//! Transactions that PostgreSQL aborts, as it does to resolve a deadlock.

use std::sync::{Arc, atomic::Ordering};

use store::{Store, WriteError, writer};
use tokio::{runtime::Handle, task::JoinSet};

use crate::{
    counting::Counting,
    database::Database,
    sample::{appended, event, room},
};

/// Makes PostgreSQL abort the first insertion of events as in a deadlock, the third as in a failed serialisation, and
/// the fifth and the sixth.
async fn abort_some(database: &Database) {
    database.execute("create sequence insertion").await;
    database
        .execute(
            "create function abort_some() returns trigger language plpgsql as $$
             begin
                case nextval('insertion')
                    when 1, 5 then raise exception 'aborted' using errcode = '40P01';
                    when 3, 6 then raise exception 'aborted' using errcode = '40001';
                    else return null;
                end case;
             end $$",
        )
        .await;
    database.execute("create trigger abort_some before insert on event execute function abort_some()").await;
}

#[tokio::test]
async fn an_aborted_transaction_is_committed_again_once() {
    let database = Database::postgres().await;
    abort_some(&database).await;
    let counting = Arc::new(Counting::of(&database));
    let (writer, work) = writer(Arc::clone(&counting) as Arc<dyn Store>, Handle::current());
    let mut tasks = JoinSet::new();
    tasks.spawn(work);
    for cause in ["deadlock", "serialisation"] {
        let game = room("Ada");
        writer.append(appended(vec![event(1)], &game)).await.expect(cause);
        assert_eq!(database.bodies(game.id).await, ["1"], "{cause}");
    }
    assert_eq!(counting.commits.load(Ordering::Relaxed), 4);
    let game = room("Ada");
    let aborted = writer.append(appended(vec![event(1)], &game)).await;
    assert!(matches!(&aborted, Err(WriteError::Unknown(error)) if error.is_abort()), "{aborted:?}");
    assert_eq!(counting.commits.load(Ordering::Relaxed), 6, "no third attempt");
    assert_eq!(database.store.log(game.id).await.unwrap(), None);
    database.store.ping().await.expect("a database that aborts does not fail");
}
