//! Long work that a signal such as Ctrl-C ends: [`interruptible`] and [`abandonable`] work in another thread, while the calling one
//! looks for signals. The main thread is the only one whose signal handlers Python calls.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(50);
/// How deep functions of Python that play games may play games themselves. Each of these games has threads of its own.
const MOST_NESTED: u32 = 10;

thread_local! {
    /// How many functions of Python this thread is in.
    static NESTED: Cell<u32> = const { Cell::new(0) };
}

/// Questions of the working thread to the one that waits for it. `None` says that the work is done.
pub(crate) type Questions<Q> = (Sender<Option<Q>>, Receiver<Option<Q>>);

/// Says that the work is done, also if it panics.
struct Bell<Q>(Sender<Option<Q>>);

impl<Q> Drop for Bell<Q> {
    fn drop(&mut self) {
        // Whoever has stopped waiting needs no bell.
        let _ = self.0.send(None);
    }
}

/// Runs the work in a thread of its own without the interpreter's lock. A signal such as Ctrl-C sets `stop`, upon which the work should
/// end soon, and this function returns the error of the signal's handler.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    answering(py, stop, mpsc::channel::<Option<()>>(), |_, ()| Ok(()), work)
}

/// Does what [`interruptible`] does. The calling thread also answers the questions that come from the work; an error sets `stop`, too.
/// A question that comes after that is dropped without an answer.
///
/// # Errors
/// `RecursionError` if this is called from within too many answers.
pub(crate) fn answering<T: Send, Q: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    (ask, asked): Questions<Q>,
    mut answer: impl FnMut(Python<'_>, Q) -> PyResult<()> + Send,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let nested = NESTED.get();
    if nested >= MOST_NESTED {
        return Err(PyRecursionError::new_err(format!(
            "a player plays games that are played by a player, {MOST_NESTED} levels deep, expected fewer"
        )));
    }
    let bell = Bell(ask);
    py.detach(move || {
        thread::scope(|scope| {
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                let _bell = bell;
                work()
            })?;
            let mut failed = None;
            loop {
                let done = match asked.recv_timeout(LOOK) {
                    Ok(None) | Err(RecvTimeoutError::Disconnected) => break,
                    _ if failed.is_some() => continue,
                    Ok(Some(question)) => Python::attach(|py| {
                        NESTED.set(nested + 1);
                        let answered = answer(py, question);
                        NESTED.set(nested);
                        answered
                    }),
                    Err(RecvTimeoutError::Timeout) => signals(),
                };
                if let Err(error) = done {
                    stop.store(true, Ordering::Relaxed);
                    failed = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            failed.map_or(Ok(result), Err)
        })
    })
}

/// Runs work that cannot be stopped, and that changes nothing, in a thread of its own. After a signal such as Ctrl-C this function returns
/// the error of the signal's handler at once, and the result of the work is dropped when it is there.
pub(crate) fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    py.detach(|| {
        let (done, result) = mpsc::sync_channel(1);
        let worker = thread::Builder::new().spawn(move || {
            // Nobody receives it after a signal.
            let _ = done.send(work());
        })?;
        loop {
            match result.recv_timeout(LOOK) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => signals()?,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match worker.join() {
            Err(panic) => resume_unwind(panic),
            Ok(()) => unreachable!("the work has sent its result"),
        }
    })
}

/// Runs the handlers of the signals that have arrived, for a thread that does not hold the interpreter's lock.
fn signals() -> PyResult<()> {
    let check = |py: Python<'_>| py.check_signals();
    Python::attach(check)
}

/// Looks for signals now and then, for a thread that works without the interpreter's lock.
pub(crate) struct Lookout(Instant);

impl Lookout {
    /// Begins now.
    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }

    /// Looks for signals if it has not done so for a while. Call it while nothing is locked: a signal's handler may use what is at work.
    pub(crate) fn look(&mut self) -> PyResult<()> {
        if self.0.elapsed() < LOOK {
            return Ok(());
        }
        self.0 = Instant::now();
        signals()
    }
}
