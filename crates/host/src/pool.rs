//! Work on several threads: [`in_order`] delivers results in order, and [`share`] gives each thread a part. If the
//! system gives fewer threads than were asked for, these do all the work.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, Once, OnceLock, PoisonError, mpsc};
use std::thread::{self, Scope};

/// Runs `work` for 0, 1, … `count` − 1 on `jobs` threads, each with a worker of its own from `worker`, and hands the
/// results to `sink` in order, for any number of threads. `work` gets a function that it should call now and then: if
/// this returns true, `work` should stop and return `None`, because `interrupt` has become true or something failed.
/// Results that were finished before an interrupt are still delivered. The first error ends everything. If `sink` is slow, the threads
/// wait for it.
pub fn in_order<W, T: Send, E: Send>(
    count: u64,
    jobs: usize,
    interrupt: &AtomicBool,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64, &dyn Fn() -> bool) -> Result<Option<T>, E> + Sync,
    sink: &mut dyn FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    in_order_kept(count, jobs, interrupt, worker, work, &mut |_, _| (), &mut |result, ()| sink(result))
}

/// Does what [`in_order`] does, but first gives each result with its number to `keep`, as soon as it is there, even if
/// results with lower numbers take longer. `sink` gets the results in order, with what `keep` made of them.
pub fn in_order_kept<W, T: Send, K, E: Send>(
    count: u64,
    jobs: usize,
    interrupt: &AtomicBool,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64, &dyn Fn() -> bool) -> Result<Option<T>, E> + Sync,
    keep: &mut dyn FnMut(u64, &T) -> K,
    sink: &mut dyn FnMut(T, K) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicU64::new(0);
    let broken = AtomicBool::new(false);
    let failure = Mutex::new(None);
    // Each thread does this until no work is left.
    let toil = |deliver: &mut dyn FnMut(u64, T)| {
        let stopped = || interrupt.load(Ordering::Relaxed) || broken.load(Ordering::Relaxed);
        let mut worker = worker();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count || stopped() {
                return;
            }
            match work(&mut worker, index, &stopped) {
                Ok(Some(result)) => deliver(index, result),
                Ok(None) => return,
                Err(error) => {
                    broken.store(true, Ordering::Relaxed);
                    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    return;
                }
            }
        }
    };
    let mut desk = Desk { waiting: BTreeMap::new(), due: 0, keep, sink };
    let mut delivered = Ok(());
    let mut take = |index, result| {
        // Results after an error of the sink are dropped.
        if delivered.is_ok() {
            delivered = desk.take(index, result);
            broken.fetch_or(delivered.is_err(), Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        let jobs = usize::try_from(count).map_or(jobs, |count| jobs.min(count)).max(1);
        // Bounded, so that results do not pile up here while the sink is slow. The receiver takes all that is sent, also after an
        // interrupt or an error.
        let (send, receive) = mpsc::sync_channel(2 * jobs);
        let threads = crew(scope, jobs, || {
            let (send, toil, broken) = (send.clone(), &toil, &broken);
            move || {
                toil(&mut |index, result| {
                    // The receiver is gone if `keep` or `sink` has panicked. Then nobody needs more results.
                    broken.fetch_or(send.send((index, result)).is_err(), Ordering::Relaxed);
                });
            }
        });
        drop(send);
        if threads == 0 {
            toil(&mut take);
        }
        for (index, result) in receive {
            take(index, result);
        }
    });
    delivered?;
    desk.close()?;
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Puts results in order.
struct Desk<'a, T, K, E> {
    /// Results that came before one with a lower number. There is no bound on them: while one result takes long, all that the other
    /// threads finish meanwhile waits here. A bound would let these threads stand idle.
    waiting: BTreeMap<u64, (T, K)>,
    due: u64,
    keep: &'a mut dyn FnMut(u64, &T) -> K,
    sink: &'a mut dyn FnMut(T, K) -> Result<(), E>,
}

impl<T, K, E> Desk<'_, T, K, E> {
    fn take(&mut self, index: u64, result: T) -> Result<(), E> {
        let kept = (self.keep)(index, &result);
        self.waiting.insert(index, (result, kept));
        while let Some((result, kept)) = self.waiting.remove(&self.due) {
            self.due += 1;
            (self.sink)(result, kept)?;
        }
        Ok(())
    }

    /// Hands over the results behind a gap that an interrupt left.
    fn close(self) -> Result<(), E> {
        self.waiting.into_values().try_for_each(|(result, kept)| (self.sink)(result, kept))
    }
}

/// Does `work` on each of the parts, with one thread for each part, or with as many threads as the system gives.
pub fn share<P: Send>(parts: impl IntoIterator<Item = P>, work: impl Fn(P) + Sync) {
    let parts: Vec<P> = parts.into_iter().collect();
    let wanted = parts.len();
    let parts = Mutex::new(parts.into_iter());
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let toil = || {
        while let Some(part) = next() {
            work(part);
        }
    };
    thread::scope(|scope| {
        if crew(scope, wanted, || &toil) == 0 {
            toil();
        }
    });
}

/// Starts `wanted` threads, or as many as the system gives, and returns their number. The first time that there are
/// fewer, a message says so.
fn crew<'scope, F: FnOnce() + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    wanted: usize,
    member: impl Fn() -> F,
) -> usize {
    static SAID: Once = Once::new();
    static ROOM: OnceLock<usize> = OnceLock::new();
    // What threads have reserved stays reserved when they end, for those that come later.
    let room = *ROOM.get_or_init(room);
    for started in 0..wanted {
        let error = if started < room {
            thread::Builder::new().spawn_scoped(scope, member()).err().map(|error| error.to_string())
        } else {
            Some("the address space is limited".to_owned())
        };
        if let Some(error) = error {
            SAID.call_once(|| {
                log::warn!(
                    "only {started} of {wanted} threads could be started: {error}; {}",
                    match started {
                        0 => "all work is done in the main thread",
                        _ => "they do all the work",
                    }
                );
            });
            return started;
        }
    }
    wanted
}

/// Address space that a thread may take at once, in bytes: twice the 64 MiB of the heap that the C library reserves for it, and its stack.
const OF_A_THREAD: u64 = 136 << 20;
/// Address space that is left for what all threads share, in bytes: the tables of two networks, the one that judges and the one that plays on at slow
/// taps, each before and after level 29.
const SHARED: u64 = 344 << 20;

/// The number of threads that leave the others enough of the address space, where Linux limits it (`ulimit -v`). What a thread reserves
/// counts even if it is never used, and memory that is missing later ends the program.
fn room() -> usize {
    let bytes = |path, name: &str, unit: u64| {
        let text = fs::read_to_string(path).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.split_whitespace().next()?.parse::<u64>().ok()? * unit)
    };
    let limit = bytes("/proc/self/limits", "Max address space", 1);
    let size = bytes("/proc/self/status", "VmSize:", 1024);
    limit
        .zip(size)
        .map_or(usize::MAX, |(limit, size)| (limit.saturating_sub(size + SHARED) / OF_A_THREAD) as usize)
}

/// Whether the system gives one more thread.
pub fn has_thread() -> bool {
    thread::Builder::new().spawn(|| ()).is_ok_and(|thread| thread.join().is_ok())
}
