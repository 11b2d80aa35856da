//! Whose turn it is: a bounded number of analyses at a time, and a fair order of those that wait.
//!
//! The order is start-time fair queueing, first between addresses and then between the connections of one address. Each has a
//! virtual clock that its own analyses move on by the time that they take, and whoever's clock is furthest behind is next. So a
//! client that asks now and then is answered before those that ask without a pause, however many requests these have
//! waiting.
//!
//! Connections that ask for the first time cannot be told apart by their clocks. When the first of them has waited for long,
//! there are too many, and every second turn goes to the newest: most of them are answered soon, instead of all of them late.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::peers::Client;

/// Clocks that are kept before those are dropped that are not ahead.
const CLOCKS: usize = 1_024;
/// How many usual analyses a clock may be ahead, so that a client that asked for too much is answered again soon after.
const AHEAD: f64 = 256.0;
/// Requests of one client that may wait.
const OF_ONE: usize = 16;
/// How long the first of many new connections waits before newer ones come between.
const LONG: Duration = Duration::from_secs(1);

/// Everyone's turns.
#[derive(Debug)]
pub(super) struct Turns {
    jobs: usize,
    places: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    running: usize,
    /// The mean time of an analysis, in seconds.
    usual: f64,
    addresses: Clocks<IpAddr>,
    connections: Clocks<u64>,
    waiting: Vec<Waiter>,
    number: u64,
    /// Whether the last turn of a new connection that had waited for long went to a newer one instead.
    was_newest: bool,
}

/// The virtual clocks of some clients, in seconds.
#[derive(Debug)]
struct Clocks<K> {
    /// The clock of a client that has asked for nothing.
    now: f64,
    ahead: HashMap<K, f64>,
}

#[derive(Debug)]
struct Waiter {
    client: Client,
    /// When its analysis starts by the clock of its address, and by the clock of its connection.
    starts: [f64; 2],
    is_new: bool,
    number: u64,
    since: Instant,
    call: oneshot::Sender<Turn>,
}

/// A turn, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    turns: Arc<Turns>,
    client: Client,
    is_new: bool,
    begun: Instant,
}

impl<K> Default for Clocks<K> {
    fn default() -> Self {
        Self { now: 0.0, ahead: HashMap::new() }
    }
}

impl<K: std::hash::Hash + Eq> Clocks<K> {
    /// When the client's next analysis starts by its clock, which then moves on by the usual time.
    fn start(&mut self, client: K, usual: f64) -> f64 {
        let now = self.now;
        if self.ahead.len() >= CLOCKS {
            self.ahead.retain(|_, clock| *clock > now);
        }
        // With a thousand clients ahead, those that come are served as new ones.
        if self.ahead.len() >= CLOCKS && !self.ahead.contains_key(&client) {
            return now;
        }
        let clock = self.ahead.entry(client).or_default();
        let start = clock.max(now);
        *clock = (start + usual).min(now + AHEAD * usual);
        start
    }

    /// The estimate becomes what an analysis really took.
    fn took(&mut self, client: &K, usual: f64, took: f64) {
        if let Some(clock) = self.ahead.get_mut(client) {
            *clock += took - usual;
        }
    }
}

impl Turns {
    /// `jobs` turns at a time, for which up to `places` clients wait.
    pub(super) fn new(jobs: usize, places: usize) -> Arc<Self> {
        Arc::new(Self { jobs, places, state: Mutex::default() })
    }

    /// Waits for a turn. `None` if none comes within `wait`, or if too many wait whose clocks are further behind.
    pub(super) async fn take(self: &Arc<Self>, client: Client, wait: Duration) -> Option<Turn> {
        let call = {
            let mut state = self.lock();
            state.waiting.retain(|waiter| !waiter.call.is_closed());
            // Pages of one origin may have several requests waiting.
            if state.waiting.iter().filter(|waiter| waiter.client == client).count() >= OF_ONE {
                return None;
            }
            let usual = state.usual;
            let is_new = !state.connections.ahead.contains_key(&client.connection);
            let starts = [
                state.addresses.start(client.address, usual),
                state.connections.start(client.connection, usual),
            ];
            if state.running < self.jobs {
                state.running += 1;
                state.begin(starts);
                drop(state);
                return Some(self.turn(client, is_new));
            }
            let (call, called) = oneshot::channel();
            state.number += 1;
            let (number, since) = (state.number, Instant::now());
            state.waiting.push(Waiter { client, starts, is_new, number, since, call });
            if state.waiting.len() > self.places {
                // The clock of a client that is refused has moved on all the same: asking into a full queue does not pay.
                let refused = state.last()?;
                if refused.is_new {
                    state.connections.ahead.remove(&refused.client.connection);
                }
                if refused.number == number {
                    return None;
                }
            }
            called
        };
        timeout(wait, call).await.ok()?.ok()
    }

    fn turn(self: &Arc<Self>, client: Client, is_new: bool) -> Turn {
        Turn { turns: Arc::clone(self), client, is_new, begun: Instant::now() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiter {
    fn order(&self, other: &Self) -> Ordering {
        let by_address = self.starts[0].total_cmp(&other.starts[0]);
        by_address.then_with(|| self.order_in_address(other))
    }

    fn order_in_address(&self, other: &Self) -> Ordering {
        self.starts[1].total_cmp(&other.starts[1]).then(self.number.cmp(&other.number))
    }
}

impl State {
    /// An analysis begins that starts at these times.
    fn begin(&mut self, starts: [f64; 2]) {
        self.addresses.now = self.addresses.now.max(starts[0]);
        self.connections.now = self.connections.now.max(starts[1]);
    }

    /// Takes whoever is next from those who wait.
    fn next(&mut self) -> Option<Waiter> {
        let waiting = &mut self.waiting;
        let all = || 0..waiting.len();
        // The address whose turn it is, and of its connections the one whose turn it is.
        let head = all().min_by(|&a, &b| waiting[a].order(&waiting[b]))?;
        let address = waiting[head].client.address;
        let of_address = || all().filter(|&at| waiting[at].client.address == address);
        let first = of_address().min_by(|&a, &b| waiting[a].order_in_address(&waiting[b]))?;
        let mut at = first;
        if waiting[first].is_new && waiting[first].since.elapsed() > LONG {
            self.was_newest = !self.was_newest;
            if self.was_newest {
                at = of_address().filter(|&at| waiting[at].is_new).max_by_key(|&at| waiting[at].number)?;
            }
        }
        exchange(waiting, first, at, 1);
        exchange(waiting, head, at, 0);
        let next = waiting.swap_remove(at);
        self.begin(next.starts);
        Some(next)
    }

    /// Takes one from those who wait, for whom there is no place: of the address with the most requests, and of its
    /// connections the one whose turn would come last. The clock of an address may be far ahead because one of its
    /// analyses took long; that alone is no reason to refuse its only request.
    fn last(&mut self) -> Option<Waiter> {
        let waiting = &mut self.waiting;
        let all = || 0..waiting.len();
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for waiter in &*waiting {
            *counts.entry(waiter.client.address).or_default() += 1;
        }
        let by_count = |at: usize| counts.get(&waiting[at].client.address);
        let most = all()
            .max_by(|&a, &b| by_count(a).cmp(&by_count(b)).then_with(|| waiting[a].order(&waiting[b])))?;
        let address = waiting[most].client.address;
        let of_address = || all().filter(|&at| waiting[at].client.address == address);
        let tail = of_address().max_by(|&a, &b| waiting[a].order(&waiting[b]))?;
        let at = of_address().max_by(|&a, &b| waiting[a].order_in_address(&waiting[b]))?;
        exchange(waiting, tail, at, 0);
        Some(waiting.swap_remove(at))
    }
}

/// Two who wait exchange the times at which they start by one of the clocks.
fn exchange(waiting: &mut [Waiter], one: usize, other: usize, clock: usize) {
    let (a, b) = (waiting[one].starts[clock], waiting[other].starts[clock]);
    (waiting[one].starts[clock], waiting[other].starts[clock]) = (b, a);
}

impl Drop for Turn {
    fn drop(&mut self) {
        let next = {
            let mut state = self.turns.lock();
            let (took, usual) = (self.begun.elapsed().as_secs_f64(), state.usual);
            state.waiting.retain(|waiter| !waiter.call.is_closed());
            state.addresses.took(&self.client.address, usual, took);
            state.connections.took(&self.client.connection, usual, took);
            if self.is_new {
                // However many new ones come, time goes on for the others.
                state.connections.now += took / (state.waiting.len() + state.running) as f64;
            }
            state.usual += (took - usual) / 16.0;
            state.running -= 1;
            let next = state.next();
            state.running += usize::from(next.is_some());
            next
        };
        if let Some(Waiter { client, is_new, call, .. }) = next {
            // If the client has just left, this turn ends here and the one after it begins.
            drop(call.send(self.turns.turn(client, is_new)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use tokio::runtime::Builder;

    const PATIENT: Duration = Duration::from_secs(60);

    fn client(connection: u64) -> Client {
        Client { address: IpAddr::from([127, 0, 0, 1]), connection }
    }

    #[test]
    fn who_asks_now_and_then_does_not_wait_for_those_who_always_ask() {
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        let turns = Turns::new(1, 200);
        let order = runtime.block_on(async {
            let order = Arc::new(Mutex::new(Vec::new()));
            let ask = |client: u64, times: usize| {
                let (turns, order) = (Arc::clone(&turns), Arc::clone(&order));
                tokio::task::spawn_local(async move {
                    for _ in 0..times {
                        let turn = turns.take(super::tests::client(client), PATIENT).await.expect("a turn");
                        order.lock().expect("a list").push(client);
                        thread::sleep(Duration::from_millis(1));
                        tokio::task::yield_now().await;
                        drop(turn);
                    }
                })
            };
            let local = tokio::task::LocalSet::new();
            local
                .run_until(async {
                    let mut all: Vec<_> = (1..=50).map(|client| ask(client, 6)).collect();
                    // Once each has had three turns, another asks.
                    while order.lock().expect("a list").len() < 150 {
                        tokio::time::sleep(Duration::from_millis(1)).await;
                    }
                    let before = order.lock().expect("a list").len();
                    all.push(ask(0, 1));
                    for task in all {
                        task.await.expect("it ends");
                    }
                    (before, order.lock().expect("a list").clone())
                })
                .await
        });
        let (before, order) = order;
        let polite = order.iter().position(|client| *client == 0).expect("it had its turn");
        assert!(polite - before < 10, "{} others came first", polite - before);
    }

    #[test]
    fn a_full_queue_refuses_who_asks_most() {
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        let turns = Turns::new(1, 2);
        runtime.block_on(async {
            let local = tokio::task::LocalSet::new();
            let (one, two, three) = (client(1), client(2), client(3));
            turns.lock().usual = 0.01;
            let running = turns.take(one, PATIENT).await.expect("a turn");
            local
                .run_until(async {
                    let ask = |client: &Client, wait| {
                        let (turns, client) = (Arc::clone(&turns), *client);
                        tokio::task::spawn_local(async move { turns.take(client, wait).await.is_some() })
                    };
                    let greedy: Vec<_> = (0..4).map(|_| ask(&one, PATIENT)).collect();
                    tokio::task::yield_now().await;
                    let others = [ask(&two, PATIENT), ask(&three, PATIENT)];
                    let late = ask(&two, Duration::from_millis(1));
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    assert!(!late.await.expect("it ends"), "no turn within its time");
                    drop(running);
                    for other in others {
                        assert!(other.await.expect("it ends"), "others are served");
                    }
                    for refused in greedy {
                        assert!(!refused.await.expect("it ends"), "there was no place for more");
                    }
                })
                .await;
        });
        let state = turns.lock();
        assert_eq!((state.running, state.waiting.len()), (0, 0));
    }

    /// Its clock is ahead because its last analysis took long, and all places are taken by another address.
    #[test]
    fn the_only_request_of_an_address_is_not_refused_for_those_of_another() {
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        let turns = Turns::new(1, 64);
        runtime.block_on(tokio::task::LocalSet::new().run_until(async {
            let polite = Client { address: IpAddr::from([127, 0, 0, 1]), connection: 1 };
            let turn = turns.take(polite, PATIENT).await.expect("a turn");
            thread::sleep(Duration::from_millis(600));
            drop(turn);
            turns.lock().usual = 0.001;
            let flooding = |connection| Client { address: IpAddr::from([127, 0, 0, 2]), connection };
            let running = turns.take(flooding(2), PATIENT).await.expect("a turn");
            let ask = |client| {
                let turns = Arc::clone(&turns);
                tokio::task::spawn_local(async move { turns.take(client, PATIENT).await.is_some() })
            };
            let flood: Vec<_> = (2..102).map(|connection| ask(flooding(connection))).collect();
            tokio::task::yield_now().await;
            let polite = ask(polite);
            tokio::task::yield_now().await;
            let late: Vec<_> = (102..110).map(|connection| ask(flooding(connection))).collect();
            tokio::task::yield_now().await;
            drop(running);
            assert!(polite.await.expect("it ends"), "it has the only request of its address");
            let mut served = 0;
            for flooding in flood.into_iter().chain(late) {
                served += usize::from(flooding.await.expect("it ends"));
            }
            assert_eq!(served, 63);
        }));
    }

    #[test]
    fn addresses_take_turns_and_so_do_the_connections_of_one() {
        let turns = Turns::new(1, 100);
        let wait = |state: &mut State,
                    last: u8,
                    connection: u64,
                    calls: &mut Vec<oneshot::Receiver<Turn>>| {
            let client = Client { address: IpAddr::from([10, 0, 0, last]), connection };
            let usual = state.usual;
            let starts =
                [state.addresses.start(client.address, usual), state.connections.start(connection, usual)];
            state.number += 1;
            let (call, called) = oneshot::channel();
            calls.push(called);
            let (number, since) = (state.number, Instant::now());
            state.waiting.push(Waiter { client, starts, is_new: true, number, since, call });
        };
        let mut state = turns.lock();
        state.usual = 1.0;
        let mut calls = Vec::new();
        for connection in [1, 1, 2, 3] {
            wait(&mut state, 1, connection, &mut calls);
        }
        for connection in [4, 5] {
            wait(&mut state, 2, connection, &mut calls);
        }
        let order: Vec<u64> =
            std::iter::from_fn(|| state.next()).map(|next| next.client.connection).collect();
        assert_eq!(order, [1, 4, 5, 2, 3, 1]);
        // New connections that have waited for long take turns with newer ones.
        for connection in 10..14 {
            wait(&mut state, 3, connection, &mut calls);
        }
        for waiter in &mut state.waiting {
            waiter.since = Instant::now().checked_sub(LONG * 2).expect("a time");
        }
        let order: Vec<u64> =
            std::iter::from_fn(|| state.next()).map(|next| next.client.connection).collect();
        assert_eq!(order, [13, 10, 12, 11]);
    }
}
