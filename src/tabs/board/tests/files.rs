//! Games from files and pastes, and the players they name.

use std::path::Path;

use crate::app::stage::{Stage, config};

/// A game whose players are `south` and `north`, in a folder of games.
fn game(south: &str, north: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("[Game \"kalah:6x4:standard\"]\n[South \"{south}\"]\n[North \"{north}\"]\n\n1. C F\n");
    std::fs::write(folder.path().join("a.game"), text).unwrap();
    folder
}

fn pipe(folder: &Path) -> String {
    let path = folder.join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
    path.display().to_string()
}

fn load(folder: &Path) -> Stage {
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.to_owned()));
    stage.keys("l enter");
    stage
}

/// With a full disk, or where nothing may be written, the game can still be copied.
#[test]
fn quitting_without_a_place_for_the_game_asks_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let mut stage = Stage::in_folder(crate::app::stage::config(), "human", "human", Some(file.join("games")));
    stage.keys("C");
    stage.keys("q");
    assert!(stage.shows("The game cannot be saved; n, then y copies it."), "{}", stage.screen(120, 40));
    stage.keys("n y");
    assert!(stage.shows("Copied the game") && stage.app.quit().is_none());
    stage.keys("q y");
    assert_eq!(stage.app.quit(), Some(0));
}

#[test]
fn players_in_files_are_opened_only_after_the_person_agrees() {
    let folder = game("human", "program:/nowhere/to/be/found");
    let mut stage = load(folder.path());
    assert!(stage.shows("Open players' files?") && stage.shows("program:/nowhere/to/be/found"));
    assert!(!stage.shows("no such file"), "no file was opened: {}", stage.screen(120, 40));
    stage.keys("n");
    assert!(stage.shows("North  program:found (you play) · to move"), "{}", stage.screen(120, 40));
    stage.keys("l enter y");
    assert!(stage.shows("program:/nowhere/to/be/found: no such file"), "{}", stage.screen(120, 40));
}

#[test]
fn commands_of_players_run_only_after_the_person_agrees() {
    let place = tempfile::tempdir().unwrap();
    let mark = place.path().join("mark");
    let command = format!("engine:\\\"touch {}\\\"", mark.display());
    let folder = game("human", &command);
    let mut stage = load(folder.path());
    let screen = stage.screen(120, 40);
    assert!(stage.shows("Run players' commands?") && stage.shows(&mark.display().to_string()), "{screen}");
    stage.keys("n space");
    assert!(stage.shows("(you play) · to move") && !mark.exists(), "{}", stage.screen(120, 40));
    stage.keys("l enter");
    assert!(stage.shows("Run players' commands?") && !mark.exists());
    stage.keys("y");
    assert!(!mark.exists(), "a paused player starts nothing");
    stage.keys("space");
    assert!(mark.exists() && stage.shows("with status 0; it wrote nothing"), "{}", stage.screen(120, 40));
}

#[test]
fn a_program_plays_once_it_was_agreed_to() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "(+ 1 2)").unwrap();
    let folder = game("human", &format!("program:{}", file.path().display()));
    let mut stage = load(folder.path());
    assert!(stage.keys("y").shows("paused (space: continue)"), "{}", stage.screen(120, 40));
    stage.keys("space");
    assert!(stage.shows("South  you · to move"), "the program has moved: {}", stage.screen(120, 40));
}

#[test]
fn pipes_and_devices_as_players_are_refused_and_hang_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["program:/dev/zero".to_owned(), format!("heuristic:4@{}", pipe(folder.path()))] {
        let game = game(&name, "human");
        let mut stage = load(game.path());
        stage.keys("y");
        assert!(stage.shows("it is a device"), "{}", stage.screen(120, 40));
    }
}

#[test]
fn a_pipe_that_is_no_game_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = pipe(folder.path());
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("l").text(&pipe).keys("enter");
    assert!(stage.shows("not a regular file"), "{}", stage.screen(120, 40));
}

#[test]
fn a_paste_that_no_game_can_be_is_refused_at_once() {
    let mut stage = Stage::new("human", "human");
    stage.paste(&"C ".repeat(5 << 20));
    assert!(stage.shows("too long: at most 8192 KiB"), "{}", stage.screen(120, 40));
}

#[test]
fn keys_that_are_typed_before_a_dialog_knows_its_files_are_not_lost() {
    let folder = game("human", "human");
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    // All at once, before the folder has been read; the last is a move in the game that is loaded.
    stage.type_ahead("l enter A");
    stage.wait();
    assert!(stage.shows("North sows a (5 seeds)"), "{}", stage.screen(120, 40));
}

#[test]
fn a_position_without_moves_can_be_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.paste("<6,10,5,0,2,1,4,3,0,1,0,2,3,4,1> N").keys("s enter");
    assert!(stage.shows("Saved"), "{}", stage.screen(120, 40));
    let saved = std::fs::read_to_string(folder.path().join("game-1.game")).unwrap();
    assert!(saved.contains("[Start \"<6,10,5,0,2,1,4,3,0,1,0,2,3,4,1> N\"]"), "{saved}");
    let position = stage.screen(120, 40);
    stage.keys("n enter l enter");
    assert!(stage.shows("Loaded game-1.game"), "{}", stage.screen(120, 40));
    let board = |screen: &str| screen.lines().skip(2).take(18).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(board(&stage.screen(120, 40)), board(&position));
}
