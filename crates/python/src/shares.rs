//! Work on many games, shared among threads: [`for_each`].

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// The smallest number of games that is worth another thread.
const GRAIN: usize = 32;

/// Makes the pool of threads. One thread needs no pool, because the calling thread does the work.
pub(crate) fn pool(threads: usize) -> Result<Option<ThreadPool>, ThreadPoolBuildError> {
    (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build()).transpose()
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

/// Divides each named slice of `Self` in proportion, in an implementation of [`Divide`].
macro_rules! divide_fields {
    ($this:ident, $first:ident, $count:ident; $($field:ident),*) => {{
        $(let $field = $this.$field.split_at_mut($this.$field.len() / $count * $first);)*
        (Self { $($field: $field.0),* }, Self { $($field: $field.1),* })
    }};
}
pub(crate) use divide_fields;
