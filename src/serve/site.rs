//! The page of `crates/web`, as `.ci/web` builds it: [`Site`] reads its files once, from a folder or from the program
//! itself (src/build.rs packs them into it), and answers with them.
//!
//! The names are fixed: nothing else in the folder can be asked for, and no file is opened for a request.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::read::ZlibDecoder;
use maxout_engine::eval::weights;
use thiserror::Error;

use super::shared::Shared;
use crate::files;

/// Bytes that one file of the page may have.
const MAX_FILE: u64 = 64 << 20;
/// The placeholder in the sources of the page that its build replaces by a version.
const UNBUILT: &str = "@VERSION@";
/// What the page may load and run, as its own head says. Workers go by the header of their file.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
    connect-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The files of the page.
const FILES: &str = "index.html page.css adjust.js boards.js first.js game.js live.js load.js main.js maxout_web.js fsrs.js \
    offline.js rating.js overlay.css overlay.html overlay.js pad.js result.js review-open.js review-page.js \
    review.css review.html reviewer.js reviews.js sound.js stage.js study.js text.js games.js puzzles.js \
    puzzles-set.js schedule.js store.js train.js video.js words.js maxout_web_bg.wasm icon.svg \
    maxout.webmanifest weights.bin plateau.bin";
const MODULE: &str = "application/wasm";
/// The kind of each file, by the end of its name.
const KINDS: [(&str, &str); 7] = [
    (".html", "text/html; charset=utf-8"),
    (".css", "text/css; charset=utf-8"),
    (".js", "text/javascript; charset=utf-8"),
    (".wasm", MODULE),
    (".svg", "image/svg+xml"),
    (".webmanifest", "application/manifest+json"),
    (".bin", "application/octet-stream"),
];

/// The names of the files, each with its kind.
fn files_of_page() -> impl Iterator<Item = (&'static str, &'static str)> {
    let kind = |name: &str| KINDS.iter().find(|(end, _)| name.ends_with(end)).map_or("", |(_, kind)| *kind);
    FILES.split_whitespace().map(move |name| (name, kind(name)))
}

/// The files of the page that the program was built with, each compressed. The weights are a separate part of the program.
static PACKED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));
/// Whether the page is part of the program.
pub const HAS_PAGE: bool = !PACKED.is_empty();
const WEIGHTS: &str = "weights.bin";
/// The network for levels 19 to 28.
const PLATEAU: &str = "plateau.bin";

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
        Self::of(|name| {
            let file = folder.join(name);
            (files::read(&file, MAX_FILE).map(Bytes::from), file)
        })
    }

    /// Unpacks the page that the program was built with.
    pub(super) fn packed() -> Result<Self, SiteError> {
        Self::of(|name| (unpacked(PACKED, name), Path::new("the page in the program").join(name)))
    }

    /// Takes each file from `get`, which also returns the path by which errors name the file.
    fn of(get: impl Fn(&str) -> (io::Result<Bytes>, PathBuf)) -> Result<Self, SiteError> {
        let read = |(name, kind): (&'static str, &'static str)| {
            let (bytes, file) = get(name);
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(why) => return Err(SiteError::File { file, why }),
            };
            if name == "offline.js" && String::from_utf8_lossy(&bytes).contains(UNBUILT) {
                return Err(SiteError::Unbuilt(file));
            }
            if kind == MODULE && !bytes.starts_with(b"\0asm") {
                return Err(SiteError::Module(file));
            }
            Ok((name, kind, bytes))
        };
        files_of_page().map(read).collect::<Result<_, _>>().map(Self)
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

/// A file of the page in the program.
fn unpacked(packed: &[(&str, &[u8])], name: &str) -> io::Result<Bytes> {
    if name == WEIGHTS {
        return Ok(Bytes::from(weights::embedded_files()));
    }
    if name == PLATEAU {
        return Ok(Bytes::from_static(weights::embedded_plateau()));
    }
    let found = packed.iter().find(|(packed, _)| *packed == name);
    let (_, packed) = found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "not there"))?;
    let mut bytes = Vec::new();
    ZlibDecoder::new(*packed).take(MAX_FILE).read_to_end(&mut bytes)?;
    Ok(Bytes::from(bytes))
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
            .chain(["maxout_web.js", "maxout_web_bg.wasm", WEIGHTS, PLATEAU].map(str::to_owned))
            .chain(["fsrs.js", "review-page.js", "review.css", "review.html"].map(str::to_owned))
            .collect();
        let mut listed: Vec<String> = FILES.split_whitespace().map(str::to_owned).collect();
        expected.sort();
        listed.sort();
        assert_eq!(listed, expected);
        // The service worker keeps each, so that the page works without a network. The weights are kept by `load.js`.
        let worker = std::fs::read_to_string(root.join("offline.js")).expect("text");
        let elsewhere = ["index.html", "offline.js", WEIGHTS, PLATEAU];
        for name in listed.iter().filter(|name| !elsewhere.contains(&name.as_str())) {
            assert!(worker.contains(&format!("\"{name}\"")), "offline.js does not keep {name}");
        }
        let html = std::fs::read_to_string(root.join("index.html")).expect("text");
        let own = POLICY.replace("; frame-ancestors 'none'", "");
        assert!(html.contains(&format!("content=\"{own}\"")), "the page's own policy is another one");
    }

    #[test]
    fn a_packed_page_is_served_with_the_weights_of_the_program() {
        use std::io::Write;

        let pack = |text: &[u8]| {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
            encoder.write_all(text).expect("written");
            encoder.finish().expect("packed")
        };
        let names = files_of_page().filter(|(name, _)| ![WEIGHTS, PLATEAU].contains(name));
        let packed: Vec<(&str, Vec<u8>)> = names
            .map(|(name, kind)| (name, pack(if kind == MODULE { b"\0asm" } else { name.as_bytes() })))
            .collect();
        let mut listed: Vec<(&str, &[u8])> = packed.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
        let of = |listed: &[(&str, &[u8])]| Site::of(|name| (unpacked(listed, name), PathBuf::from(name)));
        let site = of(&listed).expect("a page");
        let bytes = |name| site.0.iter().find(|(found, ..)| *found == name).map(|(.., bytes)| bytes.clone());
        assert_eq!(bytes("main.js").as_deref(), Some(&b"main.js"[..]));
        let file = bytes(WEIGHTS).expect("weights");
        assert!(file == weights::embedded_files());
        let plateau = bytes(PLATEAU).expect("weights");
        let both = weights::decode(&[&file[..], &plateau].concat()).expect("they unpack");
        assert!(both.plateau().is_some());
        // What is cut off or not there is named.
        let (last, cut) = (listed.len() - 1, &packed[0].1[..5]);
        listed[0].1 = cut;
        assert!(of(&listed).is_err_and(|error| error.to_string().contains(listed[0].0)));
        listed.remove(0);
        assert!(
            listed.len() == last && of(&listed).is_err_and(|error| error.to_string().contains("not there"))
        );
        // As this program was built.
        assert_eq!(Site::packed().is_ok(), HAS_PAGE);
    }

    #[test]
    fn the_sources_are_not_the_page() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/web/page");
        let error = Site::read(&sources).expect_err("not built").to_string();
        assert!(error.contains("maxout_web.js") && error.contains(".ci/web FOLDER"), "{error}");
    }
}
