//! Work on many games, shared among threads: [`for_each`].

use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// The smallest number of games that is worth another thread.
const GRAIN: usize = 32;

/// Threads that share the work on many games. A process that is forked from this one has none of them, and makes its own.
pub(crate) struct Team {
    threads: usize,
    /// The threads, and the process that they belong to.
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

impl Team {
    /// Starts the threads.
    pub(crate) fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let team = Self { threads, pool: Mutex::new(None) };
        team.pool()?;
        Ok(team)
    }

    /// Returns the threads. One thread needs no pool, because the calling thread does the work.
    pub(crate) fn pool(&self) -> Result<Option<Arc<ThreadPool>>, ThreadPoolBuildError> {
        if self.threads == 1 {
            return Ok(None);
        }
        let mut known = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let process = process::id();
        match &*known {
            Some((of, pool)) if *of == process => return Ok(Some(Arc::clone(pool))),
            _ => {}
        }
        let pool = Arc::new(ThreadPoolBuilder::new().num_threads(self.threads).build()?);
        forget(known.replace((process, Arc::clone(&pool))));
        Ok(Some(pool))
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        let known = self.pool.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if known.as_ref().is_some_and(|(of, _)| *of != process::id()) {
            forget(known);
        }
    }
}

/// Leaves the threads of another process alone: nobody is there to answer.
fn forget(pool: Option<(u32, Arc<ThreadPool>)>) {
    std::mem::forget(pool);
}

/// Buffers of several games that can be divided among threads.
pub(crate) trait Divide: Sized + Send {
    /// Divides the buffers of `count` games into those of the first `first` games and those of the others.
    fn divide(self, first: usize, count: usize) -> (Self, Self);
}

/// Calls `work` for each game with its action, the buffers, and its place in them. Without a pool, the calling
/// thread does all the work.
pub(crate) fn for_each<S: Send, A: Sync, B: Divide>(
    slots: &mut [S],
    actions: &[A],
    buffers: B,
    pool: Option<&ThreadPool>,
    work: &(impl Fn(&mut S, &A, &mut B, usize) + Sync),
) {
    match pool {
        Some(pool) => {
            let grain = (slots.len() / (4 * pool.current_num_threads())).max(GRAIN);
            pool.install(|| share(slots, actions, buffers, grain, work));
        }
        None => share(slots, actions, buffers, usize::MAX, work),
    }
}

fn share<S: Send, A: Sync, B: Divide>(
    slots: &mut [S],
    actions: &[A],
    mut buffers: B,
    grain: usize,
    work: &(impl Fn(&mut S, &A, &mut B, usize) + Sync),
) {
    if slots.len() <= grain {
        for (at, (slot, action)) in slots.iter_mut().zip(actions).enumerate() {
            work(slot, action, &mut buffers, at);
        }
        return;
    }
    let (count, middle) = (slots.len(), slots.len() / 2);
    let (first, second) = slots.split_at_mut(middle);
    let (early, late) = actions.split_at(middle);
    let (before, after) = buffers.divide(middle, count);
    rayon::join(|| share(first, early, before, grain, work), || share(second, late, after, grain, work));
}

/// Makes the buffers of a list of arrays: a slice for each, all in proportion to the games that they are for.
macro_rules! buffers {
    ({ $Buffers:ident } $sizes:ident; $($(#[$doc:meta])* $name:ident: $element:ty, $shape:tt;)*) => {
        /// Parts of the caller's arrays, for as many games as there are slots. Those that nobody asked for are empty.
        pub(crate) struct $Buffers<'a> {
            $($(#[$doc])* pub(crate) $name: &'a mut [$element],)*
        }

        impl Divide for $Buffers<'_> {
            fn divide(self, first: usize, count: usize) -> (Self, Self) {
                $(let $name = self.$name.split_at_mut(self.$name.len() / count * first);)*
                (Self { $($name: $name.0),* }, Self { $($name: $name.1),* })
            }
        }
    };
}
pub(crate) use buffers;
