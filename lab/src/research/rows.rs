//! Work that adds rows to a CSV file, and that goes on where an interrupted run stopped.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread;

/// Opens `file` for further rows, or begins it with `header`. Returns the keys of the rows that it has, too. A row that was
/// cut short has no line end; it is cut off, so it is made again. Nothing else of the file changes.
pub fn go_on<K>(
    file: &str,
    header: &str,
    key: impl Fn(&str) -> Option<K>,
) -> io::Result<(Vec<K>, Mutex<File>)> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{file}: {error}"));
    let had = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        had => had.map_err(named)?,
    };
    let (whole, short) = had.split_at(had.rfind('\n').map_or(0, |end| end + 1));
    let begins = whole.lines().next().map_or(header.starts_with(short), |first| first == header);
    if !begins {
        return Err(io::Error::other(format!("{file}: expected the first line {header:?}")));
    }
    if !short.is_empty() {
        let cut = |file: File| file.set_len(whole.len() as u64);
        OpenOptions::new().write(true).open(file).and_then(cut).map_err(named)?;
    }
    let mut out = OpenOptions::new().append(true).create(true).open(file).map_err(named)?;
    if whole.is_empty() {
        out.write_all(format!("{header}\n").as_bytes()).map_err(named)?;
    }
    Ok((whole.lines().filter_map(key).collect(), Mutex::new(out)))
}

/// Runs `work` on one thread per available core.
pub fn on_all_cores(work: impl Fn() -> io::Result<()> + Sync) -> io::Result<()> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(&work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
