//! The arguments of an example, and its errors: [`run`].

use std::env;
use std::ffi::OsString;
use std::io;
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
            eprintln!("{}: {error}", env!("CARGO_CRATE_NAME"));
            ExitCode::from(2)
        }
    }
}

/// The error that the arguments are not `these`.
pub fn expected(these: &str) -> io::Error {
    io::Error::other(format!("expected: {these}"))
}
