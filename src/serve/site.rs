//! The page of `crates/web`, as `.ci/web` builds it: [`Site`] reads its files from a folder once, and answers with them.
//!
//! The names are fixed: nothing else in the folder can be asked for, and no file is opened for a request.

use std::io;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use thiserror::Error;

use super::shared::Shared;
use crate::files;

/// Bytes that one file of the page may have.
const MAX_FILE: u64 = 64 << 20;
/// What stands in the sources of the page where its build puts a version.
const UNBUILT: &str = "@VERSION@";
/// What the page may load and run, as its own head says. Workers go by the header of their file.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
    connect-src 'self'; style-src 'self'; img-src 'self' blob:; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The files of the page, with the kind of each.
const FILES: [(&str, &str); 16] = [
    ("index.html", "text/html; charset=utf-8"),
    ("page.css", "text/css; charset=utf-8"),
    ("boards.js", SCRIPT),
    ("game.js", SCRIPT),
    ("load.js", SCRIPT),
    ("main.js", SCRIPT),
    ("maxout_web.js", SCRIPT),
    ("offline.js", SCRIPT),
    ("rating.js", SCRIPT),
    ("sound.js", SCRIPT),
    ("stage.js", SCRIPT),
    ("study.js", SCRIPT),
    ("maxout_web_bg.wasm", MODULE),
    ("icon.svg", "image/svg+xml"),
    ("maxout.webmanifest", "application/manifest+json"),
    ("weights.bin", "application/octet-stream"),
];
const MODULE: &str = "application/wasm";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Why a folder is not the page.
#[derive(Debug, Error)]
pub enum SiteError {
    /// A file cannot be read.
    #[error("{file}: {why}, expected the page as `.ci/web FOLDER` builds it")]
    File {
        /// The file.
        file: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// The files are the sources of the page.
    #[error("{0}: a source of the page, expected the folder that `.ci/web FOLDER` builds")]
    Unbuilt(PathBuf),
    /// The module is something else.
    #[error("{0}: no WebAssembly module, expected the page as `.ci/web FOLDER` builds it")]
    Module(PathBuf),
}

/// The files of the page, in memory.
#[derive(Clone, Debug)]
pub(super) struct Site(Vec<(&'static str, &'static str, Bytes)>);

impl Site {
    /// Reads the page from the folder that it was built into.
    pub(super) fn read(folder: &Path) -> Result<Self, SiteError> {
        let read = |(name, kind): (&'static str, &'static str)| {
            let file = folder.join(name);
            let bytes = match files::read(&file, MAX_FILE) {
                Ok(bytes) => bytes,
                Err(why) => return Err(SiteError::File { file, why }),
            };
            if name == "offline.js" && String::from_utf8_lossy(&bytes).contains(UNBUILT) {
                return Err(SiteError::Unbuilt(file));
            }
            if kind == MODULE && !bytes.starts_with(b"\0asm") {
                return Err(SiteError::Module(file));
            }
            Ok((name, kind, Bytes::from(bytes)))
        };
        FILES.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Answers requests for the page with its files.
    pub(super) fn router(&self) -> Router<Shared> {
        let mut router = Router::new();
        for (name, kind, bytes) in &self.0 {
            let (kind, bytes) = (*kind, bytes.clone());
            let answer = move || std::future::ready(answer(kind, bytes.clone()));
            if *name == "index.html" {
                router = router.route("/", get(answer.clone()));
            }
            router = router.route(&format!("/{name}"), get(answer));
        }
        router
    }
}

fn answer(kind: &'static str, bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)], bytes).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_every_file_of_the_page_and_its_policy() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/web/page");
        let page = std::fs::read_dir(&root).expect("the page");
        let mut expected: Vec<String> = page
            .map(|file| file.expect("a file").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "jsconfig.json")
            .chain(["maxout_web.js", "maxout_web_bg.wasm", "weights.bin"].map(str::to_owned))
            .collect();
        let mut listed: Vec<String> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        expected.sort();
        listed.sort();
        assert_eq!(listed, expected);
        let html = std::fs::read_to_string(root.join("index.html")).expect("text");
        let own = POLICY.replace("; frame-ancestors 'none'", "");
        assert!(html.contains(&format!("content=\"{own}\"")), "the page's own policy is another one");
    }

    #[test]
    fn the_sources_are_not_the_page() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/web/page");
        let error = Site::read(&sources).expect_err("not built").to_string();
        assert!(error.contains("maxout_web.js") && error.contains(".ci/web FOLDER"), "{error}");
    }
}
