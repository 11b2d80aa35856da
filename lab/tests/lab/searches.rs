//! Searches for weights, and what is refused as one.

use std::fs;
use std::path::Path;

use maxout_gallery::eval::WEIGHTS_2018;
use maxout_lab::train::terms;
use predicates::prelude::*;
use tempfile::TempDir;

use super::{lab, refuses};

#[test]
fn searches_for_weights_that_a_player_then_takes() {
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let search = |method: &'static str, generations: &'static str, to: &str| {
        let fitness = ["--fitness", "garbage", "--limits", "row", "--games", "3", "--population", "4"];
        lab()
            .args(["train", method, "--generations", generations, "--dir", to])
            .args(fitness)
            .assert()
            .success()
            .stdout(predicate::str::contains("published weights"));
    };
    for method in ["pso", "cmaes"] {
        let dir = path(method);
        search(method, "1", &dir);
        search(method, "2", &dir);
        let curve = fs::read_to_string(Path::new(&dir).join("curve.csv")).expect("a curve");
        assert_eq!(curve.lines().count(), 3, "{curve}");
    }
    // The words of a checkpoint of another search.
    let pso = path("pso");
    refuses(&["train", "cmaes", "--dir", &pso], "expected cmaes");
    let terms = path("pso/terms.txt");
    // The program's players take them.
    let found =
        terms::parse(&fs::read_to_string(terms).expect("weights")).expect("as the program reads them");
    let player = maxout_gallery::find("plateau17").expect("registered");
    assert!(terms::give_to(player, found).is_some() && found != WEIGHTS_2018);
}

#[test]
fn refuses_searches_that_mean_nothing() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("terms.txt");
    fs::write(&file, "lines 1\nholes many\n").expect("a file");
    let file = file.to_string_lossy().into_owned();
    for (option, wrong) in [
        ("--fitness", "luck"),
        ("--limits", "toes"),
        ("--games", "0"),
        ("--seed", "60000"),
        ("--population", "3"),
        ("--patience", "0"),
        ("--generations", "0"),
        ("--jobs", "0"),
    ] {
        refuses(&["train", "cmaes", option, wrong], option);
        refuses(&["train", "pso", option, wrong], option);
    }
    refuses(&["train", "pso", "--seed", "39999", "--games", "2"], "40000");
    refuses(&["train", "pso", "--method", "magic"], "--method");
    refuses(&["train", "pso", "--phi", "4.1"], "--phi");
    refuses(&["train", "pso", "--method", "constriction", "--phi", "4"], "--phi");
    refuses(&["train", "pso", "--method", "constriction", "--social", "1"], "--social");
    refuses(&["train", "pso", "--inertia", "NaN"], "--inertia");
    refuses(&["train", "pso", "--dir", &file], "--dir");
}
