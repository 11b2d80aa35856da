//! The page of `crates/web`, from `maxout serve --page`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{Server, refuses};
use crate::maxout;

/// A folder with a file of each name of the page; what is in them is of no matter to the server.
fn page() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/web/page");
    let sources = fs::read_dir(sources).expect("the sources of the page");
    let sources = sources.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    let built = [
        "maxout_web.js",
        "fsrs.js",
        "review-page.js",
        "review.css",
        "review.html",
        "weights.bin",
        "plateau.bin",
    ];
    for name in sources.chain(built.map(str::to_owned)).chain(["secret.txt".to_owned()]) {
        fs::write(folder.path().join(&name), format!("this is {name}")).expect("written");
    }
    fs::write(folder.path().join("maxout_web_bg.wasm"), b"\0asm").expect("written");
    folder
}

#[test]
fn the_page_is_served_from_its_folder_and_nothing_else_is() {
    let folder = page();
    let server = Server::begin(&["--page", folder.path().to_str().expect("text")]);
    assert_eq!(server.get("/"), (200, "this is index.html".to_owned()));
    assert_eq!(server.get("/main.js"), (200, "this is main.js".to_owned()));
    let request = format!("GET /study.js HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    let (_, head, _) = server.raw(request.as_bytes());
    for line in ["content-type: text/javascript", "script-src 'self' 'wasm-unsafe-eval'", "nosniff"] {
        assert!(head.contains(line), "{line}: {head}");
    }
    assert_eq!(head.matches("content-security-policy").count(), 1, "{head}");
    for target in ["/secret.txt", "/../main.js", "/main.js/", "//main.js", "/%2e%2e/main.js"] {
        refuses(&server.get(target), 404, &["no such request"]);
    }
    // The files were read once.
    fs::remove_file(folder.path().join("main.js")).expect("removed");
    assert_eq!(server.get("/main.js").0, 200);
    assert_eq!(server.get_json("/v1/health")["status"], "ok");
    refuses(&server.ask("GET", "/", &["Host: evil.example"], ""), 403, &["Host"]);
}

/// It once kept every answer of its origin and ignored the query: `/get-move` for board B brought the move for board A.
#[test]
fn the_service_worker_keeps_no_answer_of_the_server() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/web");
    let script = root.join("tests/offline.mjs");
    let Ok(output) = Command::new("node").arg(script).arg(root.join("page/offline.js")).output() else {
        crate::skipped("there is no node");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_folder_that_is_not_the_page_is_refused_in_one_line() {
    let refused = |folder: &Path, words: &[&str]| {
        let output = maxout().args(["serve", "--port", "0", "--page"]).arg(folder).output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert_eq!(stderr.trim().lines().count(), 1, "{stderr}");
        assert!(words.iter().all(|word| stderr.contains(word)), "{stderr}: expected {words:?}");
    };
    let folder = page();
    fs::write(folder.path().join("offline.js"), "maxout-@VERSION@").expect("written");
    refused(folder.path(), &["--page", "offline.js", "a source of the page", ".ci/web"]);
    let folder = page();
    fs::write(folder.path().join("maxout_web_bg.wasm"), "text").expect("written");
    refused(folder.path(), &["maxout_web_bg.wasm", "no WebAssembly module"]);
    fs::remove_file(folder.path().join("weights.bin")).expect("removed");
    refused(&folder.path().join("nowhere"), &["index.html", "expected the page"]);
    if !maxout::serve::HAS_PAGE {
        let output = maxout().args(["serve", "--port", "0", "--open"]).output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && stderr.contains("expected --page FOLDER"), "{stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn open_gives_the_address_to_the_browser_of_the_system() {
    let (folder, tools) = (page(), TempDir::new().expect("a folder"));
    let (program, told) = (tools.path().join("xdg-open"), tools.path().join("told"));
    fs::write(&program, format!("#!/bin/sh\necho \"$1\" >'{}'\n", told.display())).expect("written");
    fs::set_permissions(&program, <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o755))
        .expect("a mode");
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command
        .env("PATH", tools.path())
        .env_remove("RUST_LOG")
        .arg("serve")
        .args(["--port", "0", "--open", "--page"]);
    let mut child = command.arg(folder.path()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("a line");
    let read = || fs::read_to_string(&told).unwrap_or_default();
    let begun = Instant::now();
    while !read().ends_with('\n') && begun.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().and_then(|()| child.wait()).expect("it ends");
    assert_eq!(Some(read().trim().trim_end_matches('/')), line.trim().strip_prefix("listening on "));
}
