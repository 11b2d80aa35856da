//! Work on several threads whose results arrive in order: [`in_order`].

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;

/// Runs `work` for 0, 1, … `count` − 1 on `jobs` threads, each with a worker of its own from `worker`, and hands the
/// results to `sink` in order, whatever the number of threads. `work` gets a question to ask now and then: true when
/// it should give up and return `None`, because `interrupt` has become true or something failed. What was finished
/// before an interrupt is still delivered. The first error ends everything.
pub fn in_order<W, T: Send, E: Send>(
    count: u64,
    jobs: usize,
    interrupt: &AtomicBool,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64, &dyn Fn() -> bool) -> Result<Option<T>, E> + Sync,
    sink: &mut dyn FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicU64::new(0);
    let broken = AtomicBool::new(false);
    let (send, receive) = mpsc::channel();
    let failure = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let send = send.clone();
            let (next, broken, failure, worker, work) = (&next, &broken, &failure, &worker, &work);
            scope.spawn(move || {
                let stopped = || interrupt.load(Ordering::Relaxed) || broken.load(Ordering::Relaxed);
                let mut worker = worker();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || stopped() {
                        return;
                    }
                    match work(&mut worker, index, &stopped) {
                        Ok(Some(result)) => {
                            if send.send((index, result)).is_err() {
                                return;
                            }
                        }
                        Ok(None) => return,
                        Err(error) => {
                            broken.store(true, Ordering::Relaxed);
                            if let Ok(mut slot) = failure.lock() {
                                slot.get_or_insert(error);
                            }
                            return;
                        }
                    }
                }
            });
        }
        drop(send);
        let result = deliver(&receive, sink);
        if result.is_err() {
            broken.store(true, Ordering::Relaxed);
        }
        // Keep receiving so that no thread waits on a full mailbox; what comes after an error is dropped.
        receive.iter().for_each(drop);
        result
    })?;
    failure.into_inner().ok().flatten().map_or(Ok(()), Err)
}

/// Passes results on in the order of their index; at the end also those behind a gap that an interrupt left.
fn deliver<T, E>(
    receive: &mpsc::Receiver<(u64, T)>,
    sink: &mut dyn FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let mut waiting = BTreeMap::new();
    let mut due = 0;
    for (index, result) in receive {
        waiting.insert(index, result);
        while let Some(result) = waiting.remove(&due) {
            sink(result)?;
            due += 1;
        }
    }
    waiting.into_values().try_for_each(sink)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_arrive_in_order_and_an_error_ends_it() {
        let go_on = AtomicBool::new(false);
        let mut seen = Vec::new();
        let all: Result<(), ()> =
            in_order(100, 3, &go_on, || (), |(), index, _| Ok(Some(index)), &mut |index| {
                seen.push(index);
                Ok(())
            });
        assert!(all.is_ok() && seen == (0..100).collect::<Vec<_>>());
        let fails = in_order(
            100,
            3,
            &go_on,
            || (),
            |(), index, _| if index == 50 { Err(index) } else { Ok(Some(index)) },
            &mut |_| Ok(()),
        );
        assert_eq!(fails, Err(50));
    }
}
