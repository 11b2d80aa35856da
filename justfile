# Names for the commands that contributors and maintainers run; `just` lists them.

_default:
    @just --list --unsorted

# Run before each commit: format, lints, documentation, prose, fast tests.
check:
    cargo fmt --check
    python3 -B .ci/prose.py
    python3 -B .ci/circles.py
    python3 -B .ci/api.py
    cargo clippy --release --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --release --no-deps --quiet
    cargo test --release --lib --tests

# Run what CI runs; installs the programs that it needs (Debian).
full:
    .ci/run

# Run what takes too long for each change: guided fuzzing, Miri, faults at every system call, equal builds.
nightly *parts:
    .ci/nightly {{parts}}

# Test the laboratory (training, measurements, made-up input).
lab:
    cargo clippy --release --all-targets --package maxout-lab -- -D warnings
    cargo test --release --package maxout-lab

# Build the page that any static host can serve.
page folder="target/web/site":
    MAXOUT_WEB_BUILD_ONLY=1 .ci/web {{folder}}

# Build the release archive for this machine, with the page in it.
release: page
    MAXOUT_PAGE=target/web/site .ci/release

# Write the command reference and the lists of the public API anew.
bless:
    UPDATE_SNAPSHOT=1 cargo test --release --lib the_reference
    python3 -B .ci/api.py --update
