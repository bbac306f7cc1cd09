use std::{
    net::{IpAddr, Ipv4Addr},
    sync::mpsc,
};

use futures_util::{FutureExt, future::join_all};
use system_tests::timeout;
use uuid::Uuid;

use super::*;

const WAITING: usize = 4;

fn address(number: u8) -> Address {
    IpAddr::from(Ipv4Addr::new(192, 0, 2, number)).into()
}

fn visitor(number: u8) -> Requester {
    Requester::visitor(address(number))
}

fn player(at: u8, number: u128) -> Requester {
    Requester::player(address(at), PlayerId::new(Uuid::from_u128(number)))
}

/// A pool whose only thread is blocked by a piece of work of the server until the returned sender is dropped.
async fn held() -> (Compute, mpsc::Sender<()>) {
    let compute = Compute::with_threads(1, WAITING).unwrap();
    let go_on = hold(&compute, Requester::SERVER).await;
    (compute, go_on)
}

/// Blocks a thread of the pool with a piece of work until the returned sender is dropped.
async fn hold(compute: &Compute, requester: Requester) -> mpsc::Sender<()> {
    let (go_on, wait) = mpsc::channel::<()>();
    let (begin, begun) = oneshot::channel();
    let work = compute.run(requester, move || {
        begin.send(()).unwrap();
        wait.recv().unwrap_err();
    });
    let mut work = Box::pin(work);
    tokio::select! {
        done = &mut work => panic!("it goes on: {done:?}"),
        begun = timeout("the beginning", begun) => begun.unwrap(),
    }
    go_on
}

/// Queues a piece of work for each requester, in this order, while the only thread is blocked, and returns the order in
/// which they are served.
async fn order_of(requesters: &[Requester]) -> Vec<usize> {
    let (compute, go_on) = held().await;
    let (tell, told) = mpsc::channel();
    let mut asking: Vec<_> = requesters
        .iter()
        .enumerate()
        .map(|(number, requester)| {
            let tell = tell.clone();
            Box::pin(compute.run(*requester, move || tell.send(number).unwrap()))
        })
        .collect();
    for asked in &mut asking {
        assert_eq!(asked.as_mut().now_or_never(), None, "it waits");
    }
    drop(go_on);
    for done in timeout("the answers", join_all(asking)).await {
        done.unwrap();
    }
    drop(tell);
    told.into_iter().collect()
}

#[tokio::test]
async fn addresses_are_served_in_turn_and_each_in_its_order() {
    let order = order_of(&[visitor(1), visitor(1), visitor(1), visitor(2), visitor(2), visitor(3)]).await;
    assert_eq!(order, [0, 3, 5, 1, 4, 2]);
}

#[tokio::test]
async fn a_player_has_one_piece_at_a_time_and_keeps_no_other_of_the_address_waiting() {
    let compute = Compute::with_threads(2, WAITING).unwrap();
    let go_on = hold(&compute, player(1, 1)).await;
    let mut second = Box::pin(compute.run(player(2, 1), || ()));
    assert_eq!(second.as_mut().now_or_never(), None);
    timeout("another player's", compute.run(player(2, 2), || ())).await.unwrap();
    assert_eq!(second.as_mut().now_or_never(), None, "the first piece of its player runs");
    drop(go_on);
    timeout("the second", second).await.unwrap();
}

#[tokio::test]
async fn an_address_leaves_threads_to_others() {
    let compute = Compute::with_threads(RUNNING_PER_ADDRESS + 1, WAITING).unwrap();
    let mut held = Vec::new();
    for _ in 0..RUNNING_PER_ADDRESS {
        held.push(hold(&compute, visitor(1)).await);
    }
    let mut third = Box::pin(compute.run(visitor(1), || ()));
    assert_eq!(third.as_mut().now_or_never(), None);
    timeout("another address's", compute.run(visitor(2), || ())).await.unwrap();
    assert_eq!(third.as_mut().now_or_never(), None, "as many of its address run as may");
    held.clear();
    timeout("the third", third).await.unwrap();
}

#[tokio::test]
async fn abandoned_work_is_never_started() {
    let (compute, go_on) = held().await;
    let (tell, told) = mpsc::channel::<()>();
    let mut abandoned: Vec<_> = (0..WAITING)
        .map(|_| {
            let tell = tell.clone();
            Box::pin(compute.run(visitor(1), move || tell.send(()).unwrap()))
        })
        .collect();
    for asked in &mut abandoned {
        assert_eq!(asked.as_mut().now_or_never(), None);
    }
    drop((abandoned, tell));
    let last = compute.run(visitor(1), || ());
    drop(go_on);
    timeout("the last", last).await.unwrap();
    assert_eq!(told.recv(), Err(mpsc::RecvError), "none of the work was started, and its places are free");
}

#[tokio::test]
async fn work_that_panics_is_reported_and_the_thread_continues() {
    let compute = Compute::with_threads(1, WAITING).unwrap();
    let panicked = compute.run(player(1, 1), || panic!("as a test"));
    assert_eq!(timeout("the first", panicked).await, Err::<(), _>(ComputeError::Panicked));
    assert_eq!(timeout("the second", compute.run(player(1, 1), || 2)).await, Ok(2));
}

#[tokio::test]
async fn an_address_that_has_too_much_waiting_is_refused_and_another_is_not() {
    let (compute, go_on) = held().await;
    let mut waiting = Vec::new();
    for _ in 0..WAITING {
        let mut asked = Box::pin(compute.run(visitor(1), || ()));
        assert_eq!(asked.as_mut().now_or_never(), None);
        waiting.push(asked);
    }
    assert_eq!(compute.run(visitor(1), || ()).await, Err(ComputeError::Busy));
    let other = compute.run(visitor(2), || ());
    drop(go_on);
    timeout("the other", other).await.unwrap();
    timeout("the waiting", join_all(waiting)).await;
    assert_eq!(timeout("one more", compute.run(visitor(1), || ())).await, Ok(()));
}

#[tokio::test]
async fn the_server_itself_queues_all_work_that_an_outage_has_made_due() {
    let (compute, go_on) = held().await;
    let mut waiting = Vec::new();
    for _ in 0..10 * WAITING {
        let mut asked = Box::pin(compute.run(Requester::SERVER, || ()));
        assert_eq!(asked.as_mut().now_or_never(), None);
        waiting.push(asked);
    }
    drop(go_on);
    let answers = timeout("all", join_all(waiting)).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
}

#[tokio::test]
async fn a_full_queue_displaces_work_of_the_address_with_the_most() {
    const EACH: usize = 64;
    let compute = Compute::with_threads(1, EACH).unwrap();
    let go_on = hold(&compute, Requester::SERVER).await;
    let mut waiting = Vec::new();
    for number in 0..WAITING_IN_ALL / EACH {
        for _ in 0..EACH {
            let mut asked = Box::pin(compute.run(visitor(number as u8), || ()));
            assert_eq!(asked.as_mut().now_or_never(), None);
            waiting.push(asked);
        }
    }
    let mut honest = Box::pin(compute.run(visitor(200), || ()));
    assert_eq!(honest.as_mut().now_or_never(), None, "it has a place");
    drop(go_on);
    timeout("the honest one's", honest).await.unwrap();
    let answers = timeout("the others'", join_all(waiting)).await;
    let refused = answers.iter().filter(|answer| **answer == Err(ComputeError::Busy)).count();
    assert_eq!((refused, answers.iter().filter(|answer| answer.is_ok()).count()), (1, WAITING_IN_ALL - 1));
}

#[tokio::test]
async fn a_closed_pool_refuses_running_waiting_and_new_work() {
    let compute = Compute::with_threads(1, WAITING).unwrap();
    let (go_on, wait) = mpsc::channel::<()>();
    let mut running = Box::pin(compute.run(visitor(1), move || wait.recv().unwrap_err()));
    let mut waiting = Box::pin(compute.run(visitor(2), || panic!("it is never begun")));
    assert_eq!(running.as_mut().now_or_never(), None);
    assert_eq!(waiting.as_mut().now_or_never(), None::<Result<(), _>>);
    compute.close();
    assert_eq!(timeout("the running", running).await, Err(ComputeError::GoingDown));
    assert_eq!(timeout("the waiting", waiting).await, Err(ComputeError::GoingDown));
    assert_eq!(compute.run(visitor(3), || ()).await, Err(ComputeError::GoingDown));
    drop(go_on);
}

#[tokio::test]
async fn the_servers_own_work_waits_however_much_it_is_and_gives_way_when_all_is_full() {
    let (compute, go_on) = held().await;
    let mut own: Vec<_> =
        (0..WAITING_IN_ALL).map(|number| Box::pin(compute.run(Requester::SERVER, move || number))).collect();
    assert!(own.iter_mut().all(|work| work.now_or_never().is_none()));
    let mut of_client = Box::pin(compute.run(visitor(1), || "done"));
    assert!((&mut of_client).now_or_never().is_none());
    drop(go_on);
    assert_eq!(timeout("the client's work", of_client).await, Ok("done"));
    let done = timeout("the server's work", join_all(own)).await;
    let n_done = done.iter().filter(|answer| answer.is_ok()).count();
    assert_eq!((n_done, done.last()), (WAITING_IN_ALL - 1, Some(&Err(ComputeError::Busy))));
}
