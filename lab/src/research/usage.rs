//! The arguments of a research program, and its errors: [`run`].

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// Calls `work` with the arguments of the program. An error goes to stderr, and the exit code is then 2.
pub fn run(work: impl FnOnce(&[&str]) -> io::Result<()>) -> ExitCode {
    let arguments: Result<Vec<String>, OsString> =
        env::args_os().skip(1).map(OsString::into_string).collect();
    let done = match &arguments {
        Ok(arguments) => work(&arguments.iter().map(String::as_str).collect::<Vec<_>>()),
        Err(argument) => Err(io::Error::other(format!("{}: expected UTF-8", argument.display()))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let program = env::args_os().next().map(PathBuf::from).unwrap_or_default();
            eprintln!("{}: {error}", program.file_name().unwrap_or_default().display());
            ExitCode::from(2)
        }
    }
}

/// The error that the arguments are not `these`.
pub fn expected(these: &str) -> io::Error {
    io::Error::other(format!("expected: {these}"))
}
