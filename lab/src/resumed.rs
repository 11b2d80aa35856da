//! [`ResumedFolder`]: a folder in which a command continues the work of an earlier run.
//!
//! One process at a time works in it ([`FolderLock`]). `identity.json` says what decides the results ([`Identity`]): work that
//! was begun with something else is not continued. What killed processes left behind is removed first.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use thiserror::Error;

use maxout::files::{FolderLock, LockError, prepare_folder, read, write};
use maxout::text::{brief, is_control, quoted};

/// The file that says what the results in a folder are.
const IDENTITY: &str = "identity.json";
/// Most bytes of an identity.
const MAX_BYTES: u64 = 1 << 20;
/// Most characters of a value that an error shows as it is.
const SHOWN: usize = 80;

/// Why a folder cannot be worked in.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// The folder cannot be made or written into, or what it holds cannot go on.
    #[error("{0}")]
    Unusable(io::Error),
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(&'static str, io::Error),
    /// The folder cannot be locked.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The identity is not one of this kind of work.
    #[error("{IDENTITY}: not a file of `{command}`: {reason}")]
    Foreign {
        /// The command that works in the folder.
        command: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// The folder holds results, but no identity.
    #[error("holds {found} and no {IDENTITY}, expected an empty folder or one that `{command}` made")]
    Unknown {
        /// What it holds.
        found: String,
        /// The command that works in the folder.
        command: &'static str,
    },
    /// The folder does not exist, or has no identity.
    #[error("holds no {what}, expected a folder that `{command}` made")]
    Missing {
        /// What it should hold.
        what: &'static str,
        /// The command that works in the folder.
        command: &'static str,
    },
    /// The results were made with something else.
    #[error("holds {what} of {fact} {got}, expected {want}")]
    Differs {
        /// What the folder holds.
        what: &'static str,
        /// What differs.
        fact: String,
        /// Its value in the folder.
        got: String,
        /// Its value now.
        want: String,
    },
}

/// What was read from `identity.json`.
pub type Facts = Map<String, Value>;

/// What decides the results in a folder: `identity.json`. Its keys are a contract (docs/reference/formats.md).
#[derive(Clone, PartialEq, Debug)]
pub struct Identity {
    command: &'static str,
    what: &'static str,
    facts: Vec<(&'static str, Value)>,
}

impl Serialize for Identity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.facts.iter().map(|(key, value)| (key, value)))
    }
}

impl Identity {
    /// The identity of results in this `format` that a command of this program version makes. `what` is their name in messages.
    pub fn new(
        format: &'static str,
        command: &'static str,
        what: &'static str,
        facts: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Self {
        let head = [("format", format.into()), ("version", env!("CARGO_PKG_VERSION").into())];
        Self { command, what, facts: head.into_iter().chain(facts).collect() }
    }

    /// Reads `identity.json` and compares it. The values of keys that are lists are left to the caller, who knows how far the
    /// work has come.
    pub fn check(&self, file: &[u8]) -> Result<Facts, ResumeError> {
        let foreign = |reason| self.foreign(reason);
        let kept = self.check_format(file)?;
        let of = |key: &str| kept.get(key).ok_or_else(|| foreign(format!("expected the key {key:?}")));
        if let Some(key) = kept.keys().find(|key| self.facts.iter().all(|(known, _)| key != known)) {
            return Err(foreign(format!("unknown key {}", quoted(key))));
        }
        // The version last: whatever else differs says more.
        let (head, facts) = self.facts.split_at(self.facts.len().min(2));
        for (key, want) in facts.iter().chain(head) {
            let got = of(key)?;
            if got != want && !(got.is_array() && want.is_array()) {
                return Err(self.differs(&fact(key), got, want));
            }
        }
        Ok(kept)
    }

    /// Reads `identity.json` and compares its format only: those of other formats may have other keys.
    fn check_format(&self, file: &[u8]) -> Result<Facts, ResumeError> {
        let kept: Facts = serde_json::from_slice(file).map_err(|error| self.foreign(brief(&error)))?;
        let found =
            kept.get("format").ok_or_else(|| self.foreign("expected the key \"format\"".to_owned()))?;
        match self.facts.first() {
            Some((_, format)) if format != found => {
                let found = found.as_str().map_or_else(|| shown(found), quoted);
                Err(self.foreign(format!("format {found}, expected {format}")))
            }
            _ => Ok(kept),
        }
    }

    /// The error that the file is not one of this kind of work.
    pub fn foreign(&self, reason: String) -> ResumeError {
        ResumeError::Foreign { command: self.command, reason }
    }

    /// The error that a fact differs.
    pub fn differs(&self, fact: &str, got: &Value, want: &Value) -> ResumeError {
        ResumeError::Differs { what: self.what, fact: fact.to_owned(), got: shown(got), want: shown(want) }
    }
}

/// The name of a key in messages.
pub fn fact(key: &str) -> String {
    if key == "version" { "program version".to_owned() } else { key.replace('_', " ") }
}

/// A value in messages.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > SHOWN || text.chars().any(is_control) => quoted(text),
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        other => brief(other),
    }
}

/// A folder whose work this process continues. It is the only one there until this is dropped.
#[derive(Debug)]
pub struct ResumedFolder {
    path: PathBuf,
    identity: Identity,
    _lock: FolderLock,
}

impl ResumedFolder {
    /// Makes the folder if need be, and locks it. If it holds results, their identity must be the one that is wanted, and what was read
    /// of it is returned, too. Otherwise it gets this identity. `results` names a result in the folder, if there is one.
    pub fn open(
        path: &Path,
        identity: Identity,
        results: impl FnOnce() -> io::Result<Option<String>>,
    ) -> Result<(Self, Option<Facts>), ResumeError> {
        prepare_folder(path).map_err(ResumeError::Unusable)?;
        let lock = FolderLock::take(path)?;
        let begun = results().map_err(ResumeError::Unusable)?;
        let folder = Self { path: path.to_owned(), identity, _lock: lock };
        let kept = match (begun, read_identity(path)?) {
            (Some(found), None) => {
                return Err(ResumeError::Unknown { found, command: folder.identity.command });
            }
            (Some(_), Some(file)) => Some(folder.identity.check(&file)?),
            (None, file) => {
                // Other kinds of work have results of other names.
                if let Some(file) = file
                    && has_results(path).map_err(ResumeError::Unusable)?
                {
                    folder.identity.check_format(&file)?;
                }
                folder.identify()?;
                None
            }
        };
        Ok((folder, kept))
    }

    /// Writes the identity anew, after a list in it has become longer.
    pub fn identify(&self) -> Result<(), ResumeError> {
        let failed = |error| ResumeError::Io(IDENTITY, error);
        let text = serde_json::to_string_pretty(&self.identity).map_err(|error| failed(error.into()))?;
        if text.len() as u64 >= MAX_BYTES {
            // It could not be read again.
            let size = format!("{} bytes, expected less than {MAX_BYTES}", text.len());
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, size)));
        }
        write(&self.path.join(IDENTITY), (text + "\n").as_bytes()).map_err(failed)
    }

    /// What the results in the folder must have been made with.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }
}

/// Checks that `folder` holds results of this identity, without locking it.
pub fn check_identity(folder: &Path, identity: &Identity) -> Result<(), ResumeError> {
    let &Identity { what, command, .. } = identity;
    let file = read_identity(folder)?.ok_or(ResumeError::Missing { what, command })?;
    identity.check(&file).map(|_| ())
}

/// Whether a folder holds more than an identity and hidden files.
pub fn has_results(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if name != IDENTITY && !name.as_encoded_bytes().starts_with(b".") {
            return Ok(true);
        }
    }
    Ok(false)
}

fn read_identity(folder: &Path) -> Result<Option<Vec<u8>>, ResumeError> {
    match read(&folder.join(IDENTITY), MAX_BYTES) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ResumeError::Io(IDENTITY, error)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn identity(seed: u64) -> Identity {
        let facts = [("seed", seed.into()), ("stage", Value::Array(Vec::new()))];
        Identity::new("maxout-test 1", "maxout test", "tests", facts)
    }

    fn open(
        path: &Path,
        seed: u64,
        result: Option<&str>,
    ) -> Result<(ResumedFolder, Option<Facts>), ResumeError> {
        ResumedFolder::open(path, identity(seed), || Ok(result.map(str::to_owned)))
    }

    #[test]
    fn only_the_same_work_goes_on() {
        let outer = tempfile::tempdir().expect("a folder");
        let path = outer.path().join("work");
        let (folder, kept) = open(&path, 1, None).expect("made");
        assert_eq!(kept, None);
        drop(folder);
        let names = || -> Vec<_> {
            fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.file_name()).collect()
        };
        assert_eq!(names(), [IDENTITY], "the lock leaves nothing behind");
        // Nothing was finished, so anything else may begin there.
        open(&path, 2, None).expect("nothing is there yet");
        let error = open(&path, 1, Some("x")).expect_err("other work").to_string();
        assert_eq!(error, "holds tests of seed 2, expected 1");
        let (_, kept) = open(&path, 2, Some("x")).expect("the same work");
        assert_eq!(kept.and_then(|kept| kept.get("seed").cloned()), Some(2.into()));
        fs::remove_file(path.join(IDENTITY)).expect("there");
        let error = open(&path, 2, Some("x")).expect_err("whose?").to_string();
        assert_eq!(
            error,
            "holds x and no identity.json, expected an empty folder or one that `maxout test` made"
        );
    }

    #[test]
    fn an_identity_that_is_foreign_or_hostile_is_one_line() {
        let check = |text: &str| identity(1).check(text.as_bytes()).expect_err(text).to_string();
        let version = env!("CARGO_PKG_VERSION");
        for (text, told) in [
            ("[", "identity.json: not a file of `maxout test`: "),
            ("{}", "expected the key \"format\""),
            (
                "{\"format\": \"maxout-test 2\", \"colour\": 1}",
                "format \"maxout-test 2\", expected \"maxout-test 1\"",
            ),
            ("{\"format\": \"maxout-test 1\"}", "expected the key \"seed\""),
            ("{\"format\": \"maxout-test 1\", \"a\\u001b\": 1}", "unknown key \"a\\u{1b}\""),
        ] {
            let error = check(text);
            assert!(error.contains(told), "{error}");
        }
        let with = |seed: &str, version: &str| {
            check(&format!(
                "{{\"format\": \"maxout-test 1\", \"version\": {version}, \"seed\": {seed}, \"stage\": [1]}}"
            ))
        };
        assert_eq!(with("7", "\"0\""), "holds tests of seed 7, expected 1");
        assert_eq!(with("\"a\\u202eb\"", "\"0\""), "holds tests of seed \"a\\u{202e}b\", expected 1");
        assert_eq!(with("1", "\"0\""), format!("holds tests of program version 0, expected {version}"));
        let long = with(&format!("\"{}\"", "x".repeat(1_000)), "\"0\"");
        assert!(long.chars().count() < 200, "{long}");
    }

    /// Any value of JSON but those that are compared by the caller.
    fn any_value() -> impl Strategy<Value = Value> {
        let simple = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<f32>().prop_map(Value::from),
            prop::collection::vec(any::<char>(), 0..20).prop_map(|letters| String::from_iter(letters).into()),
            (0..1_500_000usize).prop_map(|length| "x".repeat(length).into()),
        ];
        let list = |of| prop::collection::vec(of, 0..4).prop_map(Value::from);
        simple.clone().prop_recursive(3, 8, 4, list).boxed().prop_union(simple.boxed())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn an_identity_that_is_written_is_read(values in prop::array::uniform3(any_value())) {
            let outer = tempfile::tempdir().expect("a folder");
            let [a, b, c] = values;
            let facts = [("seed", a), ("stop", b), ("stage", c)];
            let same = || Identity::new("maxout-test 1", "maxout test", "tests", facts.clone());
            let open = |result: Option<&str>| {
                ResumedFolder::open(outer.path(), same(), || Ok(result.map(str::to_owned))).map(|(_, kept)| kept)
            };
            match open(None) {
                Ok(kept) => {
                    prop_assert_eq!(kept, None);
                    let kept = open(Some("x")).expect("the same work").expect("what was written");
                    for (key, value) in &facts {
                        prop_assert_eq!(kept.get(*key), Some(value));
                    }
                }
                Err(error) => {
                    prop_assert!(error.to_string().contains("expected less than 1048576"), "{}", error);
                    prop_assert!(!outer.path().join(IDENTITY).exists());
                }
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_process_left_is_removed_and_what_is_being_written_stays() {
        use maxout::files::Draft;
        use std::io::Write;

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        fs::write(path.join(".maxout-AbCdEf.tmp"), "left").expect("written");
        fs::create_dir(path.join(".maxout-folder.tmp")).expect("made");
        std::os::unix::fs::symlink("elsewhere", path.join(".maxout-link.tmp")).expect("made");
        let mut draft = Draft::create(&path.join("out")).expect("begun");
        draft.write_all(b"whole").expect("written");
        let opened = open(path, 1, None).expect("opened");
        assert!(!path.join(".maxout-AbCdEf.tmp").exists());
        assert!(path.join(".maxout-folder.tmp").exists() && path.join(".maxout-link.tmp").is_symlink());
        draft.finish().expect("still there");
        assert_eq!(fs::read(path.join("out")).expect("there"), b"whole");
        drop(opened);
    }
}
