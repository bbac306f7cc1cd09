//! The order in which transactions of two nodes lock rows of the same two players. With two orders, each may wait for
//! the other one, and PostgreSQL aborts one.

use std::sync::Arc;

use game::{Player, ids::NoticeId};
use sqlx::{Connection, PgConnection};
use store::{SeekChange, VacationChange, VacationStep, Write, Written};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    accounts::guest,
    challenges::{challenge, made},
    database::Database,
    inbox::{over, telling},
    sample::room,
    seeks::seek,
};

/// Locks the row of the player `$1`.
const PLAYER: &str = "select pg_backend_pid() from player where id = $1 for no key update";

/// Locks the notices of the player `$1`.
const NOTICES: &str = "select pg_backend_pid() from notice where player = $1 for update";

/// The changes that a transaction makes of two players, of one first and of the other second.
type Changes = fn(&Player, &Player) -> Vec<Write>;

/// Changes, and the first rows of each player that they lock.
const CHANGES: [(&str, Changes, &str); 6] = [
    ("notices", |one, other| vec![tell(one, other), tell(other, one)], NOTICES),
    ("seen marks", |one, other| vec![see(one), see(other)], NOTICES),
    ("a notice and a seen mark", |one, other| vec![tell(one, other), see(other)], NOTICES),
    ("seeks", |one, other| vec![post(one), post(other)], PLAYER),
    ("challenges", |one, other| vec![made(&challenge(one, other))], PLAYER),
    ("vacations", |one, other| vec![forbid_vacation(one), forbid_vacation(other)], PLAYER),
];

fn tell(player: &Player, about: &Player) -> Write {
    let (number, at_ms) = (Uuid::now_v7().as_u128(), 1_700_000_000_000);
    telling(&room("Ada"), 1, &[(player, over(number, about))], at_ms)
}

fn see(player: &Player) -> Write {
    Write::SeeNotices { player: player.id, up_to: NoticeId::new(Uuid::max()), now_ms: 1 }
}

fn post(player: &Player) -> Write {
    Write::Seek(SeekChange::Posted(seek(player, 1)))
}

fn forbid_vacation(player: &Player) -> Write {
    Write::Vacation(VacationChange { player: player.id, now_ms: 1, what: VacationStep::SetAutomatic(false) })
}

/// A transaction of the test that has locked rows of a player.
struct Holder {
    connection: PgConnection,
    pid: i32,
}

impl Holder {
    async fn of(database: &Database, player: &Player, select: &'static str) -> Self {
        let mut connection = PgConnection::connect(&database.url).await.unwrap();
        sqlx::query("begin").execute(&mut connection).await.unwrap();
        let select = sqlx::query_scalar(select).bind(player.id.uuid());
        let pids: Vec<i32> = select.fetch_all(&mut connection).await.unwrap();
        Self { connection, pid: pids[0] }
    }
}

/// Waits until each commit waits for a lock. Returns for how many of the holders they wait.
async fn awaited(database: &Database, commits: &mut JoinSet<()>, holders: &[Holder; 2]) -> i64 {
    let mut connection = PgConnection::connect(&database.url).await.unwrap();
    let pids = [0, 1].map(|place| holders[place].pid);
    while commits.try_join_next().is_none() {
        let waits = sqlx::query_as(
            "select count(distinct pid), count(distinct blocking) filter (where blocking = any($1))
             from pg_stat_activity, unnest(pg_blocking_pids(pid)) as blocking
             where datname = current_database()",
        );
        if let (2_i64, n_awaited) = waits.bind(pids).fetch_one(&mut connection).await.unwrap() {
            return n_awaited;
        }
    }
    panic!("a commit locks none of the held rows");
}

#[tokio::test]
async fn two_nodes_lock_rows_of_two_players_in_one_order_whatever_the_order_of_the_writes() {
    let database = Database::postgres().await;
    let nodes = [Arc::clone(&database.store), database.other_node().await];
    for (what, changes, select) in CHANGES {
        let (ada, bob) = (guest(&database).await, guest(&database).await);
        // Full inboxes, so that each further notice deletes the first ones.
        database
            .execute(
                "insert into notice (player, id, kind, subject, body, at_ms)
                 select player.id, lpad(to_hex(n), 32, '0')::uuid, 'old', n, '', n
                 from player, generate_series(1, 300) as n
                 on conflict do nothing",
            )
            .await;
        let holders = [Holder::of(&database, &ada, select).await, Holder::of(&database, &bob, select).await];
        let mut commits = JoinSet::new();
        for (node, writes) in nodes.iter().zip([changes(&ada, &bob), changes(&bob, &ada)]) {
            let node = Arc::clone(node);
            commits.spawn(async move {
                let results = node.commit(&writes).await.unwrap();
                assert!(results.iter().all(|result| *result == Ok(Written::Done)), "{what}: {results:?}");
            });
        }
        let n_awaited = awaited(&database, &mut commits, &holders).await;
        assert_eq!(n_awaited, 1, "{what}: both commits wait for rows of the same player first");
        for Holder { mut connection, .. } in holders {
            sqlx::query("rollback").execute(&mut connection).await.unwrap();
        }
        commits.join_all().await;
    }
}
