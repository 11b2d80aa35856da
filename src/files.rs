//! Files as the user names them: written whole or not at all ([`write()`], [`Draft`]), read with a bound on memory and
//! patience ([`read`], [`open`]), and refused before any work if they cannot be written ([`check_output`]).
//!
//! `-` is stdout. A symbolic link is followed and stays, an existing file keeps its mode, and a device or a pipe is
//! written to as it is.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Links followed before a loop is assumed, as on Linux.
const MOST_LINKS: usize = 40;
/// First bytes of every SQLite database; a run library is one.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// How long to wait for the other end of a pipe; shorter where only that it ends is looked at.
const PATIENCE: Duration = if cfg!(test) { Duration::from_secs(2) } else { Duration::from_secs(10) };

fn refusal(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.into())
}

/// Where the bytes for `path` finally go: the end of its symbolic links, whether anything is there or not.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&path) {
            // The links in these folders stand for what is open, not for a path.
            Ok(found) if found.is_symlink() && !is_descriptor(&path) => {
                let target = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(target);
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => return Ok(path),
        }
    }
    Err(refusal("too many symbolic links"))
}

/// Whether the path is an open file of a process, such as `/dev/fd/3`: links there cannot be read as paths.
fn is_descriptor(path: &Path) -> bool {
    let Some(folder) = path.parent() else { return false };
    folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd")
}

/// Whether `path` is this process's standard output: `-`, or `/dev/stdout` under any of its names.
pub fn is_stdout(path: &Path) -> bool {
    if path == Path::new("-") {
        return true;
    }
    let Ok(path) = resolve(path) else { return false };
    path.file_name().is_some_and(|name| name == "1") && is_descriptor(&path)
}

/// Refuses a path that cannot be written, without leaving anything there. What can only be known by writing, such as
/// a disk that fills up, is not found.
pub fn check_output(path: &Path) -> io::Result<()> {
    if is_stdout(path) {
        return Ok(());
    }
    if path.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(refusal("names a folder, expected a file"));
    }
    let target = resolve(path)?;
    let folder = folder_of(&target);
    match fs::metadata(&target) {
        Ok(found) if found.is_dir() => Err(refusal("is a folder, expected a file")),
        // Opening a pipe would wait for its reader.
        Ok(found) if !found.is_file() => Ok(()),
        Ok(_) => {
            OpenOptions::new().write(true).open(&target)?;
            if is_database(&target) {
                return Err(refusal("is a run library or another SQLite database, expected another file"));
            }
            Ok(())
        }
        Err(_) if !folder.is_dir() => Err(refusal(format!("folder {} does not exist", folder.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => check_folder(folder),
        Err(error) => Err(error),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_database(path: &Path) -> bool {
    let mut first = [0; SQLITE.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == *SQLITE
}

/// Refuses a folder in which no file can be made.
#[cfg(unix)]
fn check_folder(folder: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    access(folder, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| io::Error::other(format!("folder {}: {}", folder.display(), io::Error::from(error))))
}

/// Refuses a folder in which no file can be made.
#[cfg(not(unix))]
fn check_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Writes a file, whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(bytes))
}

/// As [`write()`], for what is written piece by piece.
pub fn write_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut draft = Draft::create(path)?;
    write(&mut draft)?;
    Ok(draft.finish()?)
}

/// Refuses a folder that cannot be made or written into, without making it.
pub fn check_output_folder(folder: &Path) -> io::Result<()> {
    if folder == Path::new("-") {
        return Err(refusal("is stdout, expected a folder (./- is one of that name)"));
    }
    for place in folder.ancestors() {
        let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
        match fs::metadata(place) {
            Ok(found) if found.is_dir() => return check_folder(place),
            Ok(_) if place == folder => return Err(refusal("is a file, expected a folder")),
            Ok(_) => return Err(refusal(format!("{} is a file, expected a folder", place.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Makes sure that files can be made in `folder`, creating it if need be. Folders that were made in vain go again.
pub fn prepare_folder(folder: &Path) -> io::Result<()> {
    check_output_folder(folder)?;
    let missing: Vec<&Path> = folder.ancestors().take_while(|place| !place.exists()).collect();
    let prepared = fs::create_dir_all(folder).and_then(|()| check_folder(folder));
    if prepared.is_err() {
        // Those that were not made cannot be removed, which is as well.
        for place in missing {
            let _ = fs::remove_dir(place);
        }
    }
    prepared
}

/// A name that no other draft has, of this process or another.
fn temporary_in(folder: &Path) -> PathBuf {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    folder.join(format!(".maxout-{}-{number}.tmp", process::id()))
}

/// A file in the making. It takes its name with [`Draft::finish`]; dropped before, it leaves nothing behind. Pipes and
/// devices are written to at once, and so is a file in a folder where no other can be made.
#[derive(Debug)]
pub struct Draft {
    file: Option<BufWriter<File>>,
    /// Under which name it grows, and where it goes then.
    renamed: Option<(PathBuf, PathBuf)>,
}

impl Draft {
    /// Begins the file that is to be at `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        if is_stdout(path) {
            return Ok(Self { file: Some(BufWriter::new(stdout()?)), renamed: None });
        }
        let target = resolve(path)?;
        let found = fs::metadata(&target).ok();
        if found.as_ref().is_some_and(Metadata::is_dir) {
            return Err(refusal("is a folder, expected a file"));
        }
        if let Some(found) = &found
            && (!found.is_file() || is_descriptor(&target))
        {
            // What was already written to a file that is open under another name stays before this.
            let file = open_through(&target, found.is_file())?;
            return Ok(Self { file: Some(BufWriter::new(file)), renamed: None });
        }
        let temporary = temporary_in(folder_of(&target));
        match File::create(&temporary) {
            Ok(file) => {
                let renamed = Some((temporary, target));
                let draft = Self { file: Some(BufWriter::new(file)), renamed };
                if let (Some(found), Some((temporary, _))) = (found, &draft.renamed) {
                    fs::set_permissions(temporary, found.permissions())?;
                }
                Ok(draft)
            }
            Err(_) if found.is_some() => {
                let file = OpenOptions::new().write(true).truncate(true).open(&target)?;
                Ok(Self { file: Some(BufWriter::new(file)), renamed: None })
            }
            Err(error) => Err(error),
        }
    }

    /// A file for work in between, which is gone when it is dropped: where this one grows, or among the system's
    /// temporary files if that is no folder.
    pub fn scratch(&self) -> io::Result<Self> {
        let folder = self.temporary().map_or_else(std::env::temp_dir, |path| folder_of(path).to_owned());
        let temporary = temporary_in(&folder);
        let file = BufWriter::new(File::create(&temporary)?);
        Ok(Self { file: Some(file), renamed: Some((temporary.clone(), temporary)) })
    }

    /// Where it grows, for another program that writes it; none if it is written where it belongs.
    pub fn temporary(&self) -> Option<&Path> {
        self.renamed.as_ref().map(|(temporary, _)| temporary.as_path())
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(file) = self.file.take() {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            match &self.renamed {
                Some((temporary, target)) => {
                    file.sync_all()?;
                    fs::rename(temporary, target)?;
                    self.renamed = None;
                }
                None => file.sync_all().or_else(|error| match error.kind() {
                    // Pipes and devices cannot be told to.
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
                    _ => Err(error),
                })?,
            }
        }
        Ok(())
    }

    fn open(&mut self) -> io::Result<&mut BufWriter<File>> {
        self.file.as_mut().ok_or_else(|| io::Error::other("the file is finished"))
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.open()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.open()?.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            // Without a last flush: nobody wants these bytes.
            drop(file.into_parts());
        }
        if let Some((temporary, _)) = &self.renamed {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Nobody came to the other end of a pipe.
#[cfg(unix)]
fn alone(what: &str, end: &str) -> io::Error {
    let message = format!("{what} for {} s, expected a file or a pipe with a {end}", PATIENCE.as_secs());
    io::Error::new(io::ErrorKind::TimedOut, message)
}

/// Opens a pipe or a device to write, or a file at its end.
#[cfg(unix)]
fn open_through(path: &Path, append: bool) -> io::Result<File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::os::unix::fs::OpenOptionsExt;
    let begun = Instant::now();
    // An ordinary open would wait for the pipe's reader for ever.
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    loop {
        match OpenOptions::new().write(true).append(append).custom_flags(flags).open(path) {
            Ok(file) => {
                fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
                return Ok(file);
            }
            Err(error) if error.raw_os_error() != Some(rustix::io::Errno::NXIO.raw_os_error()) => {
                return Err(error);
            }
            Err(_) if begun.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(20)),
            Err(_) => return Err(alone("nobody read", "reader")),
        }
    }
}

/// Opens a device to write, or a file at its end.
#[cfg(not(unix))]
fn open_through(path: &Path, append: bool) -> io::Result<File> {
    OpenOptions::new().write(true).append(append).open(path)
}

#[cfg(unix)]
fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

/// Reads a whole file of at most `limit` bytes. A pipe is read to its end; one that nobody writes into is given up
/// after ten seconds.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Bounded::new(open(path)?, limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A reader that fails once it has given so many bytes and there are more.
#[derive(Debug)]
pub struct Bounded<R> {
    reader: R,
    limit: u64,
    left: u64,
}

impl<R: Read> Bounded<R> {
    /// At most `limit` bytes of `reader`.
    pub const fn new(reader: R, limit: u64) -> Self {
        Self { reader, limit, left: limit }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left > 0 || buffer.is_empty() {
            let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
            let got = self.reader.read(&mut buffer[..most])?;
            self.left -= got as u64;
            return Ok(got);
        }
        if self.reader.read(&mut [0])? == 0 {
            return Ok(0);
        }
        let message = format!("has more than {} bytes, expected at most that many", self.limit);
        Err(io::Error::new(io::ErrorKind::FileTooLarge, message))
    }
}

/// As [`read`], for text.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("byte {at} is no UTF-8, expected text"))
    })
}

/// A file that is being read.
#[derive(Debug)]
pub struct Source {
    file: File,
    /// Whether it may have to be waited for.
    patient: bool,
}

/// Opens a file to read. The caller bounds how much.
pub fn open(path: &Path) -> io::Result<Source> {
    let found = fs::metadata(path)?;
    if found.is_dir() {
        return Err(refusal("is a folder, expected a file"));
    }
    let patient = !found.is_file();
    let mut options = OpenOptions::new();
    options.read(true);
    // Opening a pipe that nobody writes into would wait for ever.
    #[cfg(unix)]
    if patient {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    Ok(Source { file: options.open(path)?, patient })
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.patient {
            wait_for(&self.file)?;
        }
        self.file.read(buffer)
    }
}

/// Waits until there is something to read, or the end.
#[cfg(unix)]
fn wait_for(file: &File) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let timeout = Timespec { tv_sec: PATIENCE.as_secs().cast_signed(), tv_nsec: 0 };
    let mut files = [PollFd::new(file, PollFlags::IN)];
    loop {
        match poll(&mut files, Some(&timeout)) {
            Ok(0) => {
                return Err(alone("nothing came", "writer"));
            }
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => return Ok(()),
        }
    }
}

/// Waits until there is something to read, or the end.
#[cfg(not(unix))]
fn wait_for(_file: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use tempfile::TempDir;

    use super::*;

    fn folder() -> TempDir {
        TempDir::new().expect("a folder")
    }

    #[test]
    fn a_link_stays_and_its_target_keeps_its_mode() {
        let folder = folder();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").expect("a file");
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).expect("a mode");
        symlink("target", &link).expect("a link");
        check_output(&link).expect("can be written");
        write(&link, b"new").expect("written");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert_eq!(fs::read(&target).expect("there"), b"new");
        assert_eq!(fs::metadata(&target).expect("there").permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing is left behind");
    }

    #[test]
    fn a_link_to_nothing_makes_its_target_and_a_loop_is_refused() {
        let folder = folder();
        let (link, round) = (folder.path().join("link"), folder.path().join("round"));
        symlink("target", &link).expect("a link");
        symlink("round", &round).expect("a link");
        write(&link, b"new").expect("written");
        assert_eq!(fs::read(folder.path().join("target")).expect("there"), b"new");
        assert!(check_output(&round).is_err() && write(&round, b"").is_err());
    }

    #[test]
    fn refuses_folders_databases_and_names_that_cannot_be() {
        let folder = folder();
        let inside = |name: &str| folder.path().join(name);
        fs::write(inside("library"), [SQLITE, b"..."].concat()).expect("a file");
        symlink("library", inside("link")).expect("a link");
        let refused = |path: &Path, word: &str| {
            let error = check_output(path).expect_err("refused").to_string();
            assert!(error.contains(word), "{error}: expected {word}");
        };
        refused(&inside("library"), "run library");
        refused(&inside("link"), "run library");
        refused(folder.path(), "is a folder");
        refused(&inside("none/x"), "does not exist");
        refused(&inside("x/"), "names a folder");
        refused(&inside(&"x".repeat(300)), "too long");
        assert!(check_output(&inside(&"x".repeat(255))).is_ok());
        write(&inside(&"x".repeat(255)), b"long").expect("a long name is a name");
    }

    #[test]
    fn a_pipe_is_written_and_read_and_stays_a_pipe() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        check_output(&pipe).expect("can be written");
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || read(&pipe, 100)
        });
        write(&pipe, b"through").expect("written");
        assert_eq!(reader.join().expect("read").expect("read"), b"through");
        assert!(!fs::metadata(&pipe).expect("there").is_file());
    }

    #[test]
    fn a_pipe_with_one_end_only_is_given_up() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || read(&pipe, 100).expect_err("no writer").to_string()
        });
        assert!(reader.join().expect("read").contains("expected a file or a pipe with a writer"));
        let error = write(&pipe, b"lost").expect_err("no reader").to_string();
        assert!(error.contains("expected a file or a pipe with a reader"), "{error}");
    }

    #[test]
    fn a_read_is_bounded_and_says_by_what() {
        let error = read(Path::new("/dev/zero"), 1000).expect_err("endless").to_string();
        assert!(error.contains("more than 1000 bytes"), "{error}");
        assert!(read(Path::new("/"), 1000).is_err());
    }
}
