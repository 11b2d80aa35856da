//! Writes the JavaScript and TypeScript side of a WebAssembly module, for a page or worker that loads it as a module.
//!
//! usage: maxout-bindgen MODULE.wasm FOLDER

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (Some(module), Some(folder), None) = (words.next(), words.next(), words.next()) else {
        eprintln!("usage: maxout-bindgen MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let written = bindgen.input_path(&module).web(true).and_then(|bindgen| bindgen.typescript(true).generate(folder));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
