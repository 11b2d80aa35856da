//! Videos: sound in step with the pictures, sizes, stdout, and an ffmpeg that fails without saying so. Tests that need
//! a real ffmpeg skip where there is none.

use std::fs;
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;
use maxout_host::{Console, SOUND_RATE};
use maxout_rules::input::Buttons;
use predicates::prelude::*;
use tempfile::TempDir;

use crate::maxout;

/// Frames after which the cartridge of [`beeper`] turns white and sounds.
const WAITS: u8 = 64;
/// Records of the movie for it.
const RECORDS: usize = 150;

/// A cartridge of our own that is black and silent for [`WAITS`] frames, then white with a tone of 440 Hz.
fn beeper() -> Vec<u8> {
    // Wait for the picture unit, then black, interrupts on, and a loop for ever.
    let reset = [
        0x78, 0xD8, 0xA2, 0xFF, 0x9A, 0xA9, 0x00, 0x8D, 0x00, 0x20, 0x8D, 0x01, 0x20, 0x85, 0x10, //
        0x2C, 0x02, 0x20, 0x10, 0xFB, 0x2C, 0x02, 0x20, 0x10, 0xFB, // two vertical blanks
        0xA9, 0x3F, 0x8D, 0x06, 0x20, 0xA9, 0x00, 0x8D, 0x06, 0x20, 0xA9, 0x0F, 0x8D, 0x07,
        0x20, // black
        0xA9, 0x00, 0x8D, 0x06, 0x20, 0x8D, 0x06, 0x20, // scroll
        0xA9, 0x0A, 0x8D, 0x01, 0x20, 0xA9, 0x80, 0x8D, 0x00, 0x20, // show, interrupt
    ];
    // In every vertical blank: count, and at WAITS white and a square wave.
    let interrupt = [
        0xE6, 0x10, 0xA5, 0x10, 0xC9, WAITS, 0xD0, 0x34, //
        0x2C, 0x02, 0x20, 0xA9, 0x3F, 0x8D, 0x06, 0x20, 0xA9, 0x00, 0x8D, 0x06, 0x20, //
        0xA9, 0x30, 0x8D, 0x07, 0x20, 0xA9, 0x00, 0x8D, 0x06, 0x20, 0x8D, 0x06, 0x20, // white, scroll
        0xA9, 0x01, 0x8D, 0x15, 0x40, 0xA9, 0xBF, 0x8D, 0x00, 0x40, 0xA9, 0x08, 0x8D, 0x01, 0x40, //
        0xA9, 0xFD, 0x8D, 0x02, 0x40, 0xA9, 0x08, 0x8D, 0x03, 0x40, // 1789773 / 16 / 254 Hz
    ];
    let mut program = vec![0; 0x4000];
    program[..reset.len()].copy_from_slice(&reset);
    let at = 0xC000 + reset.len() as u16;
    let [low, high] = at.to_le_bytes();
    program[reset.len()..reset.len() + 3].copy_from_slice(&[0x4C, low, high]);
    program[0x100..0x100 + interrupt.len()].copy_from_slice(&interrupt);
    // Where a frame that is not that one goes on.
    program[0x100 + 8 + 0x34] = 0x40;
    program[0x100 + interrupt.len()..0x100 + 8 + 0x34].fill(0xEA);
    program[0x3FFA..].copy_from_slice(&[0x00, 0xC1, 0x00, 0xC0, 0x3C, 0xC1]);
    [b"NES\x1A\x01\x01\0\0\0\0\0\0\0\0\0\0", program.as_slice(), &[0; 0x2000]].concat()
}

/// A folder with the cartridge and a movie in which nothing is pressed.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("beeper.nes"), beeper()).expect("a file");
    let movie = "version 3\nemuVersion 20605\npalFlag 0\nport0 1\nport1 0\nport2 0\n".to_owned()
        + &"|0|........|||\n".repeat(RECORDS);
    fs::write(folder.path().join("beeper.fm2"), movie).expect("a file");
    folder
}

/// Replays the movie in the folder.
fn replay(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = maxout();
    command
        .current_dir(folder.path())
        .args(["replay", "beeper.fm2", "--rom", "beeper.nes", "--allow-unknown"])
        .args(args);
    command
}

fn has_ffmpeg() -> bool {
    let has = |name| {
        Process::new(name).arg("-version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let both = has("ffmpeg") && has("ffprobe");
    if !both {
        crate::skipped("ffmpeg is not installed");
    }
    both
}

/// What ffmpeg makes of a file, with these options.
fn decode(folder: &TempDir, file: &str, options: &[&str]) -> Vec<u8> {
    let mut command = Process::new("ffmpeg");
    command
        .current_dir(folder.path())
        .args(["-v", "error", "-i", file, "-fps_mode", "passthrough"])
        .args(options)
        .arg("-");
    let output = command.output().expect("ffmpeg runs");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

/// What ffprobe says of a stream.
fn probe(folder: &TempDir, file: &str, stream: &str, what: &str) -> String {
    let entries = format!("stream={what}");
    let mut command = Process::new("ffprobe");
    command.current_dir(folder.path()).args([
        "-v",
        "error",
        "-select_streams",
        stream,
        "-show_entries",
        &entries,
    ]);
    let output = command.args(["-of", "csv=p=0", file]).output().expect("ffprobe runs");
    String::from_utf8_lossy(&output.stdout).trim().trim_end_matches(',').to_owned()
}

fn names(folder: &TempDir) -> Vec<String> {
    let names = fs::read_dir(folder.path()).expect("a folder");
    let mut names: Vec<_> =
        names.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_console_sounds_in_the_frame_that_shows_it_and_at_the_right_pitch() {
    let mut console = Console::power_on(&beeper()).expect("it plays");
    console.step(Buttons::NONE).expect("a frame");
    assert!(console.sound().is_empty(), "nobody asked for it");
    console.turn_up();
    console.power_cycle().expect("on again");
    let (mut white, mut heard, mut samples) = (None, None, Vec::new());
    for frame in 1..=120 {
        // The picture after a frame is what the next one shows.
        let is_white = console.picture().expect("a picture").rgba()[..3].iter().all(|&part| part > 200);
        console.step(Buttons::NONE).expect("a frame");
        let sound = console.sound();
        if frame > 2 {
            assert!((780..=820).contains(&sound.len()), "{} in frame {frame}", sound.len());
        }
        if is_white {
            white.get_or_insert(frame);
        }
        // Power comes with a thump.
        if frame > 30 && sound.iter().any(|sample| sample.abs() > 0.02) {
            heard.get_or_insert(frame);
        }
        if heard.is_some() {
            samples.extend_from_slice(sound);
        }
    }
    assert!(white.is_some() && white == heard, "white in {white:?}, heard in {heard:?}");
    let rises = samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
    let pitch = rises as f64 * f64::from(SOUND_RATE) / samples.len() as f64;
    assert!((pitch - 440.4).abs() < 4.0, "{pitch} Hz");
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn sound_begins_with_the_picture_that_belongs_to_it_and_lasts_as_long_as_the_pictures() {
    if !has_ffmpeg() {
        return;
    }
    let folder = folder();
    for (file, every) in [("a.mp4", 1), ("a.webm", 1), ("b.mp4", 7)] {
        let every = every.to_string();
        let from = ["--frames", "21..", "--every", &every, "--video", file];
        replay(&folder, &from).assert().success();
        let every: usize = every.parse().expect("a number");
        let pixels = decode(&folder, file, &["-vf", "scale=1:1", "-f", "rawvideo", "-pix_fmt", "gray"]);
        let pictures = (RECORDS - 1) / every - 20 / every;
        assert_eq!(pixels.len(), pictures, "{file}");
        let white = pixels.iter().position(|&pixel| pixel > 128).expect("it turns white");
        let sound = decode(&folder, file, &["-f", "s16le", "-ac", "1", "-ar", "48000"]);
        let samples: Vec<i16> =
            sound.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        let heard = samples.iter().position(|sample| sample.abs() > 1000).expect("it sounds");
        let (shown, heard) = ((white * every) as f64 / 60.0988, heard as f64 / 48_000.0);
        // A picture is late by as much as lies between two.
        let late = shown - heard;
        assert!(
            (-0.01..every as f64 / 60.0988 + 0.01).contains(&late),
            "{file}: {shown} s, heard at {heard} s"
        );
        let lasts = (pictures * every) as f64 / 60.0988;
        let sounds = samples.len() as f64 / 48_000.0;
        assert!((sounds - lasts).abs() < 0.05, "{file}: {lasts} s, sound {sounds} s");
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn videos_are_scaled_cropped_and_widened_and_keep_their_colours_and_sound() {
    if !has_ffmpeg() {
        return;
    }
    let folder = folder();
    let wide = ["--frames", "80..82", "--scale", "8", "--tv"];
    for file in ["a.mp4", "a.webm"] {
        replay(&folder, &wide).args(["--video", file]).assert().success();
        assert_eq!(probe(&folder, file, "v:0", "width,height"), "2340,1792");
        assert_eq!(probe(&folder, file, "v:0", "color_space"), "bt709");
        let pixel = decode(
            &folder,
            file,
            &["-vf", "format=rgb24,crop=1:1:0:0", "-f", "rawvideo", "-pix_fmt", "rgb24"],
        );
        assert!(pixel.len() == 9 && pixel.iter().all(|&part| part > 245), "white: {pixel:?}");
        replay(&folder, &["--frames", "..3", "--video", file]).assert().success();
        assert_eq!(probe(&folder, file, "v:0", "width,height"), "256,240");
        assert_ne!(probe(&folder, file, "a", "index"), "", "sound");
    }
}

#[test]
fn a_video_goes_to_stdout_and_nothing_else_does() {
    if !has_ffmpeg() {
        return;
    }
    let folder = folder();
    let before = names(&folder);
    let output =
        replay(&folder, &["--frames", "..30", "--video", "-"]).assert().success().get_output().clone();
    assert_eq!(names(&folder), before);
    fs::write(folder.path().join("a.mp4"), output.stdout).expect("a file");
    let pixels = decode(&folder, "a.mp4", &["-vf", "scale=1:1", "-f", "rawvideo", "-pix_fmt", "gray"]);
    assert_eq!(pixels.len(), 30);
}

#[test]
fn says_what_it_wrote_with_size_and_length() {
    let folder = folder();
    let args =
        ["--frames", "..60", "--every", "2", "--video", "a.gif", "--sheet", "s.png", "--png", "stills"];
    replay(&folder, &args).assert().success().stdout(
        predicate::str::is_match(
            "(?m)^a.gif: [0-9]+ KB, 1.0 s, 30 pictures\ns.png: [0-9]+ KB, 30 pictures\nstills: [0-9]+ KB, 30 pictures$",
        )
        .expect("a pattern"),
    );
    if has_ffmpeg() {
        let said =
            predicate::str::is_match("(?m)^a.mp4: [0-9]+ KB, 2.5 s, 149 pictures$").expect("a pattern");
        replay(&folder, &["--video", "a.mp4"]).assert().success().stdout(said);
    }
}

/// An ffmpeg that says its version and then does something else.
#[cfg(unix)]
fn pretend(folder: &TempDir, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let programs = folder.path().join("bin");
    fs::create_dir_all(&programs).expect("a folder");
    // The program itself is written once: a file that is being written cannot be started, and another test may begin a process then.
    let program = programs.join("ffmpeg");
    if !program.exists() {
        fs::write(&program, "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\n. \"$0.does\"\n").expect("a file");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a mode");
    }
    fs::write(programs.join("ffmpeg.does"), format!("{script}\n")).expect("a file");
    format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default())
}

#[cfg(unix)]
#[test]
#[ignore = "slow; .ci/run has it"]
fn an_ffmpeg_that_fails_without_an_exit_code_takes_no_good_file_away() {
    let folder = folder();
    let good = folder.path().join("good.mp4");
    fs::write(&good, "a good file").expect("a file");
    let cases = [
        ("cat >/dev/null", "ffmpeg: made a video of 0 pictures, expected 149"),
        (
            "cat >/dev/null; echo 'Error writing trailer: No space left' >&2",
            "ffmpeg: Error writing trailer: No space",
        ),
        ("cat >/dev/null; echo gone bad >&2; exit 3", "ffmpeg: gone bad"),
        ("cat >/dev/null; exit 3", "ffmpeg: it failed (exit status: 3)"),
        ("exit 0", "ffmpeg: "),
        ("echo 'Unknown encoder' >&2; exit 1", "ffmpeg: Unknown encoder"),
        ("head -c 1000000 /dev/zero >&2; cat >/dev/null", "ffmpeg: "),
        // The pictures of another video.
        (
            "cat >/dev/null; for last; do :; done; if [ $last = pipe:1 ]; then echo '0, 0, 0, 1, 9, 0x0'; fi",
            "of 1 pictures",
        ),
    ];
    for (script, words) in cases {
        let path = pretend(&folder, script);
        let before = names(&folder);
        let refused = replay(&folder, &["--video", "good.mp4"]).env("PATH", path).assert().code(2);
        let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        let last = said.lines().last().expect("a line");
        assert!(last.contains("good.mp4: ") && last.contains(words), "{script}: {said}");
        assert_eq!(fs::read(&good).expect("it is there"), b"a good file", "{script}");
        assert_eq!(names(&folder), before, "{script}");
    }
}
