//! Who is connected, and whose connection ends when there are too many.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, HeaderName, header};
use tokio::sync::Notify;

/// Most connections at a time. One more ends another.
pub(super) const MOST: usize = 256;
/// Most connections of one address at a time. The loopback addresses are exempt: all programs of this machine share them.
const MOST_OF_ONE: usize = 64;
/// A connection on which nothing has happened for this long is among the first to end when there are too many.
const QUIET: Duration = Duration::from_secs(2);
/// How long a connection may be idle between two requests.
pub(super) const IDLE: Duration = Duration::from_secs(5);

/// What one connection does. The connection writes it, and [`Peers`] reads it.
#[derive(Debug)]
pub(super) struct Activity {
    begun: Instant,
    /// Milliseconds from `begun` to the last byte that went either way.
    moved: AtomicU64,
    /// Milliseconds from `begun` to when the client stopped taking bytes, plus 1; 0 while it takes them.
    stalled: AtomicU64,
    requests: AtomicU64,
    is_answering: AtomicBool,
    /// Told when the connection must end.
    end: Notify,
}

/// How readily a connection is ended: by kind, then by degree.
type Burden = (u8, u64);

impl Activity {
    fn new() -> Self {
        Self {
            begun: Instant::now(),
            moved: AtomicU64::new(0),
            stalled: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            is_answering: AtomicBool::new(false),
            end: Notify::new(),
        }
    }

    fn now(&self) -> u64 {
        self.begun.elapsed().as_millis() as u64
    }

    /// Bytes have gone one way or the other.
    pub(super) fn moved(&self) {
        self.moved.store(self.now(), Ordering::Relaxed);
    }

    /// The client takes no bytes, or takes them again.
    pub(super) fn stalled(&self, is_stalled: bool) {
        let since = if is_stalled { self.now() + 1 } else { 0 };
        self.stalled.store(since, Ordering::Relaxed);
    }

    /// A request is being answered until the returned value is dropped.
    pub(super) fn answering(self: &Arc<Self>) -> Answering {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.is_answering.store(true, Ordering::Relaxed);
        Answering(Arc::clone(self))
    }

    /// Returns once the connection must end.
    pub(super) async fn ended(&self) {
        self.end.notified().await;
    }

    fn quiet(&self) -> Duration {
        Duration::from_millis(self.now().saturating_sub(self.moved.load(Ordering::Relaxed)))
    }

    fn is_idle(&self) -> bool {
        !self.is_answering.load(Ordering::Relaxed)
            && self.stalled.load(Ordering::Relaxed) == 0
            && self.quiet() > IDLE
    }

    /// Those who take no bytes end first, then those who ask nothing, then those who ask most often, and last those who
    /// wait for an answer.
    fn burden(&self) -> Burden {
        let (quiet, stalled) = (self.quiet(), self.stalled.load(Ordering::Relaxed));
        if stalled > 0 {
            return (3, self.now().saturating_sub(stalled));
        }
        if self.is_answering.load(Ordering::Relaxed) {
            return (0, quiet.as_millis() as u64);
        }
        if quiet > QUIET {
            return (2, quiet.as_millis() as u64);
        }
        let requests = self.requests.load(Ordering::Relaxed);
        (1, 1_000 * requests / (1 + self.begun.elapsed().as_secs()))
    }
}

/// A request that is being answered.
pub(super) struct Answering(Arc<Activity>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.is_answering.store(false, Ordering::Relaxed);
        self.0.moved();
    }
}

#[derive(Debug)]
struct Entry {
    address: IpAddr,
    activity: Arc<Activity>,
}

/// All connections.
#[derive(Debug, Default)]
pub(super) struct Peers(Mutex<(u64, HashMap<u64, Entry>)>);

impl Peers {
    /// Adds a connection from `address`. Ends another if there are too many, in all or from this address.
    pub(super) fn add(self: &Arc<Self>, address: IpAddr) -> Connection {
        let address = of_one(address);
        let mut state = self.lock();
        let (next, entries) = &mut *state;
        let count = |of: IpAddr| entries.values().filter(|entry| entry.address == of).count();
        if !address.is_loopback() && count(address) >= MOST_OF_ONE {
            end_one(entries, address);
        }
        if entries.len() >= MOST {
            end_of_largest(entries);
        }
        *next += 1;
        let activity = Arc::new(Activity::new());
        entries.insert(*next, Entry { address, activity: Arc::clone(&activity) });
        Connection { id: *next, address, activity, peers: Arc::clone(self) }
    }

    /// Ends one connection, because the system gives no more.
    pub(super) fn end_any(&self) {
        end_of_largest(&mut self.lock().1);
    }

    /// Ends the connections that have been idle for too long.
    pub(super) fn end_idle(&self) {
        for entry in self.lock().1.values().filter(|entry| entry.activity.is_idle()) {
            entry.activity.end.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, (u64, HashMap<u64, Entry>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a connection of the address that has the most.
fn end_of_largest(entries: &mut HashMap<u64, Entry>) {
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    for entry in entries.values() {
        *counts.entry(entry.address).or_default() += 1;
    }
    if let Some((&address, _)) = counts.iter().max_by_key(|&(address, count)| (count, address)) {
        end_one(entries, address);
    }
}

/// Ends the connection of `address` that is the greatest burden.
fn end_one(entries: &mut HashMap<u64, Entry>, address: IpAddr) {
    let of_address = entries.iter().filter(|(_, entry)| entry.address == address);
    let worst = of_address.max_by_key(|&(&id, entry)| (entry.activity.burden(), u64::MAX - id));
    let Some(id) = worst.map(|(&id, _)| id) else { return };
    if let Some(entry) = entries.remove(&id) {
        entry.activity.end.notify_one();
    }
}

/// The address by which a client is counted. One client of IPv6 has all addresses of its network.
fn of_one(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))
        }
        other => other,
    }
}

/// One connection, until it is dropped.
#[derive(Debug)]
pub(super) struct Connection {
    id: u64,
    address: IpAddr,
    activity: Arc<Activity>,
    peers: Arc<Peers>,
}

impl Connection {
    /// What it does.
    pub(super) fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }

    /// Whose connection it is.
    pub(super) fn client(&self) -> Client {
        Client { address: self.address, connection: self.id }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.peers.lock().1.remove(&self.id);
    }
}

/// Those who take turns ([`super::turns`]): the connections of an address, and the addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Client {
    pub(super) address: IpAddr,
    pub(super) connection: u64,
}

impl Client {
    /// The same client; but all requests of one page's origin are of one client, over whichever connections they come.
    pub(super) fn of_page(self, headers: &HeaderMap) -> Self {
        let names = [header::ORIGIN, HeaderName::from_static("sec-fetch-site")];
        let Some(origin) = names.iter().find_map(|name| headers.get(name)) else { return self };
        let mut hasher = DefaultHasher::new();
        origin.as_bytes().hash(&mut hasher);
        // Connections are counted from 1 on and reach no number as large.
        Self { connection: hasher.finish() | 1 << 63, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(peers: &Arc<Peers>, address: &str, count: usize) -> Vec<Connection> {
        let address = address.parse().expect("an address");
        (0..count).map(|_| peers.add(address)).collect()
    }

    fn listed(peers: &Peers, of: &[Connection]) -> usize {
        let state = peers.lock();
        of.iter().filter(|connection| state.1.contains_key(&connection.id)).count()
    }

    #[test]
    fn one_address_cannot_take_the_place_of_another() {
        let peers = Arc::new(Peers::default());
        let polite = held(&peers, "10.0.0.1", 1);
        let greedy = held(&peers, "10.0.0.2", 300);
        assert_eq!((listed(&peers, &polite), listed(&peers, &greedy)), (1, MOST_OF_ONE));
        // Addresses of one network of IPv6 are one client.
        let networks: Vec<Connection> =
            (0..300).flat_map(|host| held(&peers, &format!("2001:db8::{host:x}"), 1)).collect();
        assert_eq!(listed(&peers, &networks), MOST_OF_ONE);
        let local = held(&peers, "127.0.0.1", 300);
        assert_eq!(listed(&peers, &local), MOST - 1 - 2 * MOST_OF_ONE);
        assert_eq!((listed(&peers, &polite), listed(&peers, &greedy)), (1, MOST_OF_ONE));
        drop((polite, greedy, networks, local));
        assert_eq!(peers.lock().1.len(), 0);
    }

    #[test]
    fn on_one_machine_those_who_take_no_bytes_end_before_others() {
        let peers = Arc::new(Peers::default());
        let all = held(&peers, "127.0.0.1", MOST);
        all[7].activity().stalled(true);
        let _answering: Vec<Answering> = all[100..].iter().map(|one| one.activity().answering()).collect();
        let more = held(&peers, "127.0.0.1", 1);
        assert_eq!((listed(&peers, &all[7..8]), listed(&peers, &more)), (0, 1));
        // The one that asked most often.
        for _ in 0..5 {
            drop(all[9].activity().answering());
        }
        let another = held(&peers, "127.0.0.1", 1);
        assert_eq!((listed(&peers, &all[9..10]), listed(&peers, &another)), (0, 1));
        assert_eq!(listed(&peers, &all[100..]), MOST - 100);
    }
}
