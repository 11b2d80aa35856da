//! Pictures of a run: what the animations decode to, which frames are drawn, what is refused.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command as Process;
use std::sync::OnceLock;

use assert_cmd::Command;
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::{AnimationDecoder, Frame, RgbaImage};
use predicates::prelude::*;
use tempfile::TempDir;

/// A library with run 1: a short game that ends with a tetris, in the emulator. Played once for all tests.
fn library() -> &'static Path {
    static PLAYED: OnceLock<PathBuf> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let runs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
        if runs.exists() {
            fs::remove_dir_all(&runs).expect("an earlier one goes");
        }
        let args = ["play", "--player", "plateau17", "--seed", "3", "--stop", "lines:2", "--runs"];
        Command::cargo_bin("maxout").expect("the program is built").args(args).arg(&runs).assert().success();
        runs
    })
}

fn maxout() -> Command {
    let mut command = Command::cargo_bin("maxout").expect("the program is built");
    command.env("MAXOUT_RUNS", library());
    command
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    names.sort();
    names
}

fn frame_number(path: &Path) -> u64 {
    let name = path.file_stem().expect("a name").to_string_lossy();
    name.trim_start_matches("frame-").parse().expect("a number")
}

fn stills(folder: &Path) -> Vec<RgbaImage> {
    names(folder).iter().map(|path| image::open(path).expect("a PNG").to_rgba8()).collect()
}

fn open(path: &Path) -> BufReader<File> {
    BufReader::new(File::open(path).expect("the file is there"))
}

fn compare(what: &str, got: &[Frame], want: &[RgbaImage]) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (at, (got, want)) in got.iter().zip(want).enumerate() {
        assert!(got.buffer() == want, "{what}: picture {at} differs");
    }
}

#[test]
fn gif_and_apng_decode_to_the_very_frames_of_the_png_export() {
    let out = TempDir::new().expect("a folder");
    let (stills_at, gif, apng) =
        (out.path().join("stills"), out.path().join("clip.gif"), out.path().join("clip.png"));
    // The last piece, the flashing tetris and the score after it.
    maxout()
        .args(["replay", "1", "--frames", "560..", "--every", "2", "--png"])
        .arg(&stills_at)
        .arg("--video")
        .arg(&gif)
        .arg("--video")
        .arg(&apng)
        .assert()
        .success();
    let want = stills(&stills_at);
    assert!(want.len() > 20, "{}", want.len());
    assert!(want.windows(2).any(|pair| pair[0] != pair[1]));

    let frames = GifDecoder::new(open(&gif)).expect("a GIF").into_frames();
    let frames = frames.collect_frames().expect("whole frames");
    compare("gif", &frames, &want);
    let milliseconds = |frame: &Frame| frame.delay().numer_denom_ms().0;
    let shown: u32 = frames.iter().map(milliseconds).sum();
    let wanted = 2000.0 * want.len() as f64 / 60.0988;
    assert!((f64::from(shown) - wanted).abs() <= 5.0, "{shown} ms, expected {wanted}");

    let decoder = PngDecoder::new(open(&apng)).expect("a PNG").apng().expect("an animated one");
    let frames = decoder.into_frames().collect_frames().expect("whole frames");
    compare("apng", &frames, &want);
    let mut reader = png::Decoder::new(open(&apng)).read_info().expect("a PNG");
    let info = reader.info();
    assert_eq!(info.color_type, png::ColorType::Indexed);
    let mut pixels = vec![0; reader.output_buffer_size().expect("it fits")];
    reader.next_frame(&mut pixels).expect("a frame");
    let control = *reader.info().frame_control().expect("a delay");
    let rate = 2.0 * f64::from(control.delay_den) / f64::from(control.delay_num);
    assert!((rate - 39_375_000.0 / 655_171.0).abs() < 1e-4, "{rate}");
    assert_eq!(names(out.path()).len(), 3, "nothing temporary is left");
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_larger_scale_shows_the_same_pixels_as_squares() {
    let out = TempDir::new().expect("a folder");
    let (small, large) = (out.path().join("small"), out.path().join("large"));
    let replay = ["replay", "1", "--frames", "..120", "--png"];
    maxout().args(replay).arg(&small).assert().success();
    maxout().args(replay).arg(&large).args(["--scale", "3"]).assert().success();
    let (small, large) = (stills(&small), stills(&large));
    assert_eq!((small.len(), large.len()), (2, 2), "every 60th frame");
    for (small, large) in small.iter().zip(&large) {
        assert_eq!(large.dimensions(), (768, 720));
        assert!(large.enumerate_pixels().all(|(x, y, pixel)| pixel == small.get_pixel(x / 3, y / 3)));
    }
}

#[test]
fn draws_the_frames_in_which_pieces_lock_also_on_a_sheet() {
    let out = TempDir::new().expect("a folder");
    let (folder, sheet) = (out.path().join("locks"), out.path().join("sheet.png"));
    maxout()
        .args(["replay", "1", "--png-at", "lock", "--every", "2", "--png"])
        .arg(&folder)
        .arg("--sheet")
        .arg(&sheet)
        .assert()
        .success();
    let stills = stills(&folder);
    assert_eq!(stills.len(), 7, "every second of 14 pieces");
    let sheet = image::open(&sheet).expect("a PNG").to_rgba8();
    // Four columns of fields with the 4 pixels around each, a space of 8, and 10 for the text below.
    assert_eq!(sheet.dimensions(), (4 * 96 + 8, 2 * 186 + 8));
    for (at, still) in (0..).zip(&stills) {
        let (left, top) = (8 + at % 4 * 96, 8 + at / 4 * 186);
        let same = (0..168)
            .all(|y| (0..88).all(|x| sheet.get_pixel(left + x, top + y) == still.get_pixel(92 + x, 44 + y)));
        assert!(same, "picture {at}");
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn the_overlay_shows_the_goal_the_pad_and_the_statistics() {
    let out = TempDir::new().expect("a folder");
    let args = ["replay", "1", "--overlay", "--frames", "625..650", "--every", "25", "--png"];
    maxout().args(args).arg(out.path()).assert().success();
    let files = names(out.path());
    assert_eq!(files.iter().map(|path| frame_number(path)).collect::<Vec<_>>(), [625, 650]);
    for file in files {
        let name = file.file_name().expect("a name");
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/overlay").join(name);
        if std::env::var_os("UPDATE_SNAPSHOT").is_some() {
            fs::copy(&file, &golden).expect("copied");
        }
        let (got, want) = (image::open(&file).expect("a PNG"), image::open(&golden).expect("a PNG"));
        if got != want {
            let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
            fs::copy(&file, &kept).expect("copied");
            panic!("{}: differs from {}", kept.display(), golden.display());
        }
    }
}

#[test]
fn refuses_pictures_that_cannot_be_drawn_before_the_replay() {
    let out = TempDir::new().expect("a folder");
    let path = |name: &str| out.path().join(name).to_string_lossy().into_owned();
    let file = path("a.gif");
    let refuses = |args: &[&str], culprit: &str| {
        maxout()
            .args(["replay", "1"])
            .args(args)
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains(culprit).and(predicate::str::contains("\n").count(1)));
    };
    refuses(&["--video", &file, "--frames", "90000.."], "90000");
    refuses(&["--video", &file, "--frames", "200..100"], "200 to 100");
    refuses(&["--video", &file, "--video", &file], "a.gif");
    refuses(&["--video", &file, "--video", &path("b.gif")], "of the same format as");
    refuses(&["--video", &file, "--frames", "0..9"], "expected A..B, A.. or ..B");
    refuses(&["--video", &path("")], "");
    refuses(&["--video", &path("missing/clip.png")], "missing");
    refuses(&["--video", &file, "--scale", "9"], "--scale");
    refuses(&["--video", &file, "--at", "noon"], "noon");
    maxout()
        .args(["replay", "1", "--video", &path("clip.mp4")])
        .env("PATH", "")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("clip.mp4: expected ffmpeg"));
    assert!(names(out.path()).is_empty(), "{:?}", names(out.path()));
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn refuses_a_name_that_promises_another_format() {
    let out = TempDir::new().expect("a folder");
    let refuses = |flag: &str, name: &str, expected: &str| {
        let file = out.path().join(name);
        let words = predicate::str::contains(format!("{flag} {}", file.display()))
            .and(predicate::str::contains(format!("{expected}\n")))
            .and(predicate::str::contains("\n").count(1));
        maxout().args(["replay", "1", flag]).arg(&file).assert().code(2).stdout("").stderr(words);
    };
    refuses("--video", "x.MKV", ".mp4 or .webm");
    refuses("--video", "x.1", ".mp4 or .webm");
    refuses("--movie", "x.tasproj", "expected a name that ends in .fm2 or .bk2");
    refuses("--sheet", "x.apng", "expected .png");
    assert!(names(out.path()).is_empty());
    let args = ["replay", "1", "--frames", "..4", "--video"];
    maxout().args(args).arg(out.path().join("x.GIF")).assert().success();
}

#[test]
fn a_refused_command_makes_no_folder() {
    let out = TempDir::new().expect("a folder");
    let refuses = |command: &[&str], culprit: &str| {
        let stderr = predicate::str::contains(culprit).and(predicate::str::contains("\n").count(1));
        maxout().current_dir(out.path()).args(command).assert().code(2).stdout("").stderr(stderr);
        assert!(names(out.path()).is_empty(), "{command:?}: {:?}", names(out.path()));
    };
    refuses(&["replay", "1", "--png", "same.png", "--video", "same.png"], "same.png");
    refuses(
        &["replay", "1", "--png", "same.gif", "--video", "./same.gif"],
        "--png same.gif: the file of --video too",
    );
    refuses(
        &["replay", "1", "--png", "same.gif/in", "--video", "same.gif"],
        "--png same.gif/in: the file of --video too",
    );
    refuses(&["replay", "1", "--png", "a/b", "--frames", "90000.."], "90000");
    refuses(&["replay", "1", "--png", "a", "--video", "b/c.gif"], "folder b");
    let sheet = ["replay", "1", "--png", "a", "--every", "1", "--scale", "8", "--sheet", "s.png"];
    refuses(&sheet, "s.png: 658 pictures, expected no more than 309 on a sheet");
    maxout()
        .current_dir(out.path())
        .args(["replay", "1", "--png", "a", "--video", "x.mp4"])
        .env("PATH", "")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("expected ffmpeg"));
    let library = out.path().join("library");
    std::fs::write(&library, "no folder").expect("a file");
    let play = ["play", "--stop", "lines:1", "--png", "a", "--runs", "library"];
    maxout().current_dir(out.path()).args(play).assert().code(2).stdout("");
    assert_eq!(names(out.path()), [library]);
}

#[test]
fn the_last_record_of_a_movie_has_the_last_picture() {
    let out = TempDir::new().expect("a folder");
    let movie = out.path().join("movie.fm2");
    fs::write(&movie, "version 3\nport0 1\nport1 0\nport2 0\n".to_owned() + &"|0|........|||\n".repeat(10))
        .expect("a file");
    let folder = out.path().join("stills");
    let draw = |args: &[&str]| {
        let mut command = maxout();
        command.arg("replay").arg(&movie).args(["--every", "1", "--png"]).arg(&folder).args(args).assert()
    };
    draw(&["--frames", "10.."]).code(2).stderr(predicate::str::contains("between 1 and 9,"));
    assert!(!folder.exists());
    draw(&["--frames", "8.."]).success().stdout(predicate::str::contains("2 pictures"));
    assert_eq!(names(&folder).iter().map(|path| frame_number(path)).collect::<Vec<_>>(), [8, 9]);
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn pictures_are_cropped_and_widened_as_documented() {
    let out = TempDir::new().expect("a folder");
    let (plain, shown) = (out.path().join("plain"), out.path().join("shown"));
    let replay = ["replay", "1", "--frames", "..60", "--png"];
    maxout().args(replay).arg(&plain).assert().success();
    let shape = ["--tv", "--scale", "7"];
    maxout().args(replay).arg(&shown).args(shape).assert().success();
    let (plain, shown) = (&stills(&plain)[0], &stills(&shown)[0]);
    assert_eq!(shown.dimensions(), (256 * 8, 224 * 7));
    assert!(shown.enumerate_pixels().all(|(x, y, pixel)| pixel == plain.get_pixel(x / 8, y / 7 + 8)));
}

#[cfg(unix)]
#[test]
#[ignore = "slow; .ci/run has it"]
fn an_animation_goes_through_a_pipe_which_stays_one() {
    use std::os::unix::fs::FileTypeExt;
    let out = TempDir::new().expect("a folder");
    let pipe = out.path().join("pipe.gif");
    assert!(Process::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).expect("the pipe is read")
    });
    maxout().args(["replay", "1", "--frames", "..4", "--video"]).arg(&pipe).assert().success();
    assert!(reader.join().expect("read").starts_with(b"GIF89a"));
    assert!(fs::symlink_metadata(&pipe).expect("it is there").file_type().is_fifo());
    assert_eq!(names(out.path()).len(), 1);
}

#[cfg(unix)]
#[test]
fn an_interrupted_animation_leaves_no_file() {
    let out = TempDir::new().expect("a folder");
    let mut child = Process::new(env!("CARGO_BIN_EXE_maxout"))
        .env("MAXOUT_RUNS", library())
        .args(["replay", "1", "--video"])
        .arg(out.path().join("clip.gif"))
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("maxout starts");
    // It is begun before the replay, which takes a second.
    while names(out.path()).is_empty() {
        assert!(child.try_wait().expect("a status").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    let kill = Process::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(names(out.path()).is_empty(), "{:?}", names(out.path()));
}
