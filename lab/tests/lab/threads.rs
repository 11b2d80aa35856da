//! Fewer threads than were asked for.

use super::few_threads::with_threads;

#[test]
fn training_goes_on_with_the_threads_there_are() {
    let limited = with_threads(3, "train cnn --starts 3 --pieces 1000 --jobs 1024 --dir learned");
    let stderr = String::from_utf8_lossy(&limited.stderr);
    assert_eq!(limited.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("of 3 threads could be started"), "{stderr}");
}
