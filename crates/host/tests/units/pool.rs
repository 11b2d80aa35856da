//! What `src/pool.rs` promises.

use maxout_host::pool::*;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self};
use std::time::Duration;

#[test]
fn results_arrive_in_order_and_an_error_ends_it() {
    let go_on = AtomicBool::new(false);
    let mut seen = Vec::new();
    let all: Result<(), ()> = in_order(100, 3, &go_on, || (), |(), index, _| Ok(Some(index)), &mut |index| {
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

#[test]
fn a_result_is_kept_at_once_and_delivered_in_order() {
    let (go_on, slow) = (AtomicBool::new(false), AtomicBool::new(true));
    let kept = Mutex::new(Vec::new());
    let mut delivered = Vec::new();
    let all: Result<(), ()> = in_order_kept(
        20,
        2,
        &go_on,
        || (),
        |(), index, _| {
            // The first is not done before all others are kept.
            while index == 0 && slow.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            Ok(Some(index))
        },
        &mut |index, &result| {
            kept.lock().expect("no panic").push(result);
            slow.store(kept.lock().expect("no panic").len() < 19, Ordering::Relaxed);
            index + 100
        },
        &mut |result, kept| {
            delivered.push((result, kept));
            Ok(())
        },
    );
    assert_eq!(all, Ok(()));
    assert_eq!(kept.into_inner().expect("no panic"), (1..20).chain([0]).collect::<Vec<_>>());
    assert_eq!(delivered, (0..20).map(|index| (index, index + 100)).collect::<Vec<_>>());
}

#[test]
fn results_behind_a_gap_are_delivered_and_nothing_after_a_refusal() {
    let (go_on, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut seen = Vec::new();
    let work = |(): &mut (), index, _: &dyn Fn() -> bool| {
        while index == 1 && done.load(Ordering::Relaxed) < 3 {
            thread::yield_now();
        }
        done.fetch_add(1, Ordering::Relaxed);
        Ok([0, 2, 3].contains(&index).then_some(index))
    };
    let all: Result<(), ()> = in_order(9, 2, &go_on, || (), work, &mut |index| {
        seen.push(index);
        Ok(())
    });
    assert_eq!((all, seen), (Ok(()), vec![0, 2, 3]));
    let mut seen = Vec::new();
    let refused = in_order(9, 3, &go_on, || (), |(), index, _| Ok(Some(index)), &mut |index| {
        seen.push(index);
        if index == 4 { Err("full") } else { Ok(()) }
    });
    assert_eq!((refused, seen), (Err("full"), (0..5).collect()));
}

#[test]
fn a_slow_sink_holds_the_work_back() {
    let (go_on, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let work = |(): &mut (), index, _: &dyn Fn() -> bool| {
        done.fetch_add(1, Ordering::Relaxed);
        Ok(Some(index))
    };
    let (mut taken, mut most) = (0u64, 0u64);
    let all: Result<(), ()> = in_order(100, 1, &go_on, || (), work, &mut |_| {
        thread::sleep(Duration::from_millis(1));
        most = most.max(done.load(Ordering::Relaxed) - taken);
        taken += 1;
        Ok(())
    });
    assert_eq!((all, taken), (Ok(()), 100));
    // One result is in the sink, two are on the way, and the thread has one more.
    assert!(most <= 4, "{most} results at once");
}

#[test]
fn the_threads_end_if_the_sink_panics() {
    let go_on = AtomicBool::new(false);
    let work = |(): &mut (), index, _: &dyn Fn() -> bool| Ok::<_, ()>(Some(index));
    let panics = AssertUnwindSafe(|| {
        in_order(u64::MAX, 2, &go_on, || (), work, &mut |_| panic::resume_unwind(Box::new("full")))
    });
    assert!(panic::catch_unwind(panics).is_err());
}

#[test]
fn every_part_is_done_once() {
    let done = Mutex::new(Vec::new());
    share(0..50, |part| done.lock().expect("no panic").push(part));
    let mut done = done.into_inner().expect("no panic");
    done.sort_unstable();
    assert_eq!(done, (0..50).collect::<Vec<_>>());
}
