//! Work that adds rows to a CSV file, and that goes on where an interrupted run stopped.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// Opens `file` for further rows, or begins it with `header`. Returns the keys of the rows that it has, too. A row that was
/// cut short has no line end and is dropped, so it is made again.
pub fn go_on<K>(
    file: &str,
    header: &str,
    key: impl Fn(&str) -> Option<K>,
) -> io::Result<(Vec<K>, Mutex<File>)> {
    let had = fs::read_to_string(file).unwrap_or_default();
    let whole = &had[..had.rfind('\n').map_or(0, |end| end + 1)];
    if whole.lines().next().is_some_and(|first| first != header) {
        return Err(io::Error::other(format!("{file}: expected the first line {header:?}")));
    }
    let done = whole.lines().filter_map(key).collect();
    fs::write(file, if whole.is_empty() { format!("{header}\n") } else { whole.to_owned() })?;
    Ok((done, Mutex::new(OpenOptions::new().append(true).open(file)?)))
}

/// Runs `work` on one thread per available core.
pub fn on_all_cores(work: impl Fn() -> io::Result<()> + Sync) -> io::Result<()> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(&work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })
}
