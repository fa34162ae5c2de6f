//! The explorer of openings on the Board.

use std::fs;
use std::path::{Path, PathBuf};

use crate::app::stage::queries::Panel;
use crate::app::stage::{Stage, config_of};
use crate::config::Config;
use crate::game::Variant;
use crate::game::notation::{self, Format};
use crate::game::record::Record;
use crate::paths::Paths;
use crate::tabs::board::setup::{Settings, Setup};
use crate::tabs::{self, TabSettings};

fn record(game: &str, moves: &str, result: &str) -> Record {
    let mut record = Record::new(game.parse::<Variant>().unwrap(), ["Ann".into(), "Bob".into()], None);
    moves.split(' ').for_each(|mv| assert!(record.play(record.position().move_from_text(mv).unwrap()), "{mv}"));
    record.set_header(notation::AGREED, Some(result.to_owned()));
    record
}

/// A database of Othello: 3 games with f5 d6, of which Black won 2, and 1 with f5 f6.
fn database(folder: &Path) -> PathBuf {
    let path = folder.join("all.ggf");
    let mut content = Vec::new();
    for (moves, result) in [
        ("f5 d6 c3 d3 c4", "40-24"),
        ("d3 c5 f6 f5 e6", "33-31"),
        ("c4 e3 f6 e6 f5 c5", "20-44"),
        ("f5 f6 e6 f4", "32-32"),
    ] {
        Format::of_path(&path)
            .unwrap()
            .add(std::slice::from_mut(&mut content), &record("othello", moves, result))
            .unwrap();
    }
    fs::write(&path, content).unwrap();
    path
}

/// A person's Board with databases, in the folders in `home`.
fn at_home(home: &Path, game: &str, databases: Vec<PathBuf>, players: [&str; 2]) -> Stage {
    let mut config: Config = config_of(game);
    config.board.databases = databases;
    let paths = Paths::within(home);
    fs::create_dir_all(paths.games().unwrap()).unwrap();
    let players = players.map(|player| player.parse().unwrap());
    let setup = Setup { seed: Some(1), ..Setup::new(config.board.game, players) };
    let board = Settings::new(setup, paths.games());
    Stage::with_paths(config, tabs::all(TabSettings::new(board, &paths)), paths)
}

fn panel(stage: &mut Stage) -> Panel {
    stage.panel("Openings").expect("the explorer")
}

/// The rows without heads and bars.
fn rows(stage: &mut Stage) -> Vec<String> {
    let lines = panel(stage).lines().to_vec();
    let plain = |line: &String| {
        let words = line.split_whitespace().filter(|word| !word.contains(['░', '▒', '█']));
        words.collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(plain).filter(|row| !row.starts_with("games score")).collect()
}

#[test]
fn the_explorer_follows_the_position_and_its_rows_are_played() {
    let home = tempfile::tempdir().unwrap();
    let databases = vec![database(home.path())];
    let mut stage = at_home(home.path(), "othello", databases, ["human", "human"]);
    stage.keys("#");
    assert_eq!(rows(&mut stage), ["d3 4 62.5 %"]);
    assert!(panel(&mut stage).foot.starts_with("4 games"), "{:?}", panel(&mut stage));
    stage.keys("down enter");
    assert_eq!(stage.record().line().len(), 1);
    assert_eq!(rows(&mut stage), ["c5 3 33.3 % Perpendicular", "c3 1 50.0 % Diagonal"]);
    stage.keys("down down up down enter");
    assert_eq!(rows(&mut stage)[0], "c4 1 50.0 %");
    assert!(panel(&mut stage).title.starts_with("Openings · Diagonal"), "{:?}", panel(&mut stage));
    // Stepping back, the next move of the game is the one of the symmetric moves.
    stage.keys(", ,");
    assert_eq!(rows(&mut stage), ["d3 4 62.5 %"]);
    stage.keys(".");
    stage.click("c5  ");
    assert_eq!(stage.record().ply(), 1);
    stage.click("c5  ");
    assert_eq!(stage.record().ply(), 2);
    assert_eq!(rows(&mut stage), ["f6 3 66.7 %"]);
    stage.keys("#");
    assert_eq!(stage.panel("Openings"), None);
}

#[test]
fn saved_games_count_as_soon_as_they_are_saved() {
    let home = tempfile::tempdir().unwrap();
    let mut stage = at_home(home.path(), "kalah", vec![], ["human", "human"]);
    stage.keys("#");
    assert!(
        panel(&mut stage).lines().join(" ").contains("No games yet. s saves this one; --database"),
        "{:?}",
        panel(&mut stage)
    );
    stage.keys("C F a s enter home");
    assert_eq!(rows(&mut stage), ["C 1 −"]);
    stage.keys("B");
    assert_eq!(rows(&mut stage), ["No game reached this position"]);
    // Another game, by another program.
    let games = Paths::within(home.path()).games().unwrap();
    fs::write(games.join("b.game"), notation::write(&record("kalah", "C F b", "30-18"))).unwrap();
    stage.keys("n enter");
    assert_eq!(rows(&mut stage)[0], "C 2 100.0 %");
}

#[test]
fn a_rated_game_becomes_casual() {
    for (keys, expected) in [("C F #", "openings"), ("# C F", "openings"), ("# # C F", "")] {
        let mut stage = Stage::new("human", "minimax:2");
        stage.keys(keys);
        assert_eq!(stage.record().header("Casual").unwrap_or_default(), expected, "{keys}");
        if keys == "C F #" {
            assert_eq!(stage.notice(), "Casual game now: openings are shown");
        }
    }
}

#[test]
fn a_database_that_cannot_be_used_is_named_and_a_damaged_index_is_built_again() {
    let home = tempfile::tempdir().unwrap();
    let bad = home.path().join("bad.wtb");
    fs::write(&bad, "tea").unwrap();
    let mut stage = at_home(home.path(), "othello", vec![bad, database(home.path())], ["human", "human"]);
    stage.keys("#");
    assert!(
        stage.notice().ends_with("bad.wtb: byte 3: the file ends here; a WTHOR header has 16 bytes"),
        "{}",
        stage.notice()
    );
    assert_eq!(rows(&mut stage), ["d3 4 62.5 %"]);
    let folder = home.path().join("state/openings");
    let index = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&index).unwrap();
    // All blocks.
    bytes[8..60].fill(0);
    fs::OpenOptions::new()
        .write(true)
        .open(&index)
        .map(|mut file| std::io::Write::write_all(&mut file, &bytes))
        .unwrap()
        .unwrap();
    stage.keys("down enter");
    assert_eq!(rows(&mut stage)[0], "c5 3 33.3 % Perpendicular");
}

#[test]
fn the_explorer_fits_every_screen() {
    let home = tempfile::tempdir().unwrap();
    for game in ["othello", "checkers", "kalah"] {
        let mut stage = at_home(home.path(), game, vec![database(home.path())], ["human", "human"]);
        stage.keys("#");
        for (width, height) in [(80, 24), (120, 40), (60, 20), (200, 60)] {
            let screen = stage.screen(width, height);
            assert!(screen.contains("Openings"), "{game}, {width}×{height}:\n{screen}");
            assert!(game != "othello" || screen.contains("62.5 %"), "{game}, {width}×{height}:\n{screen}");
        }
        let screen = stage.screen(40, 12);
        assert!(screen.contains("Openings"), "{game}:\n{screen}");
        // With the analysis both are shown where they fit, or else the one switched on last.
        stage.keys("i");
        let screen = stage.screen(120, 40);
        assert!(screen.contains("Openings") && screen.contains("best play"), "{game}:\n{screen}");
        stage.keys("p");
        assert!(!stage.screen(120, 40).contains("Openings"));
    }
}
