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
    let question = stage.dialog().unwrap().words();
    assert!(question.contains("The game cannot be saved; n, then y copies it."), "{question}");
    stage.keys("n y");
    assert!(stage.copied().is_some() && stage.app.quit().is_none());
    stage.keys("q y");
    assert_eq!(stage.app.quit(), Some(0));
}

#[test]
fn players_in_files_are_opened_only_after_the_person_agrees() {
    let folder = game("human", "program:/nowhere/to/be/found");
    let mut stage = load(folder.path());
    assert_eq!(stage.dialog_title(), "Open players' files?");
    assert!(stage.dialog_has("North program:/nowhere/to/be/found"));
    assert_eq!(stage.notice(), "Loaded a.game", "no player's file was opened");
    stage.keys("n");
    assert_eq!(stage.north(), "▸ North  program:found (you play) · to move");
    stage.keys("l enter y");
    assert_eq!(
        stage.notice(),
        "program:/nowhere/to/be/found: no such file or directory; expected a file, figure5-1, figure5-2 or random:SEED"
    );
}

#[test]
fn commands_of_players_run_only_after_the_person_agrees() {
    let place = tempfile::tempdir().unwrap();
    let mark = place.path().join("mark");
    let command = format!("engine:\\\"touch {}\\\"", mark.display());
    let folder = game("human", &command);
    let mut stage = load(folder.path());
    let question = stage.dialog().unwrap();
    assert_eq!(question.title, "Run players' commands?");
    assert!(question.words().contains(mark.to_str().unwrap()), "{question:?}");
    stage.keys("n space");
    assert!(stage.north().ends_with("(you play) · to move") && !mark.exists(), "{}", stage.north());
    stage.keys("l enter");
    assert_eq!((&*stage.dialog_title(), mark.exists()), ("Run players' commands?", false));
    stage.keys("y");
    assert!(!mark.exists(), "a paused player starts nothing");
    stage.keys("space");
    assert!(mark.exists() && stage.notice().contains("with status 0; it wrote nothing"), "{}", stage.notice());
}

#[test]
fn a_program_plays_once_it_was_agreed_to() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "(+ 1 2)").unwrap();
    let folder = game("human", &format!("program:{}", file.path().display()));
    let mut stage = load(folder.path());
    assert!(stage.keys("y").north().ends_with(" · paused (space: continue)"), "{}", stage.north());
    stage.keys("space");
    assert_eq!(stage.south(), "▸ South  you · to move", "the program has moved");
}

#[test]
fn pipes_and_devices_as_players_are_refused_and_hang_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["program:/dev/zero".to_owned(), format!("heuristic:4@{}", pipe(folder.path()))] {
        let game = game(&name, "human");
        let mut stage = load(game.path());
        stage.keys("y");
        assert!(stage.notice().contains("it is a device"), "{name}: {}", stage.notice());
    }
}

#[test]
fn a_pipe_that_is_no_game_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = pipe(folder.path());
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("l").text(&pipe).keys("enter");
    assert!(stage.notice().contains("not a regular file"), "{}", stage.notice());
}

#[test]
fn a_paste_that_no_game_can_be_is_refused_at_once() {
    let mut stage = Stage::new("human", "human");
    stage.paste(&"C ".repeat(5 << 20));
    assert_eq!(stage.notice(), "The pasted text is too long: at most 8192 KiB");
}

#[test]
fn keys_that_are_typed_before_a_dialog_knows_its_files_are_not_lost() {
    let folder = game("human", "human");
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    // All at once, before the folder has been read; the last is a move in the game that is loaded.
    stage.type_ahead("l enter A");
    stage.wait();
    assert_eq!(stage.story(), ["North sows a (5 seeds)"]);
}

#[test]
fn a_position_without_moves_can_be_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.paste("<6,10,5,0,2,1,4,3,0,1,0,2,3,4,1> N").keys("s enter");
    assert!(stage.notice().starts_with("Saved "), "{}", stage.notice());
    let saved = std::fs::read_to_string(folder.path().join("game-1.game")).unwrap();
    assert!(saved.contains("[Start \"<6,10,5,0,2,1,4,3,0,1,0,2,3,4,1> N\"]"), "{saved}");
    let position = stage.screen(120, 40);
    stage.keys("n enter l enter");
    assert_eq!(stage.notice(), "Loaded game-1.game");
    let board = |screen: &str| screen.lines().skip(2).take(18).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(board(&stage.screen(120, 40)), board(&position));
}

#[test]
fn a_file_that_another_program_changed_is_replaced_on_request_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    stage.keys("C").save_as("one.game");
    assert!(stage.notice().starts_with("Saved "), "{}", stage.notice());
    stage.keys("D s enter");
    assert!(stage.notice().starts_with("Saved "), "{}", stage.notice());
    let file = folder.path().join("one.game");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    std::fs::File::options().write(true).open(&file).unwrap().set_modified(later).unwrap();
    stage.keys("a s enter");
    assert!(stage.dialog_has("That file was changed by another program; Enter again replaces it"));
    stage.keys("enter");
    assert_eq!(stage.dialog(), None);
}

#[test]
fn a_game_that_is_left_on_a_full_disk_is_saved_when_there_is_room() {
    let home = tempfile::tempdir().unwrap();
    // A file where the folder would be refuses every game.
    let folder = home.path().join("games");
    std::fs::write(&folder, "").unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.clone()));
    stage.keys("C D a").keys("n enter");
    assert!(stage.notice().contains("cannot save the game on the board"), "{}", stage.notice());
    stage.keys("q");
    let question = stage.dialog().unwrap().words();
    assert!(
        question.contains("A game that was left cannot be saved") && question.contains("quit without saving"),
        "{question}"
    );
    stage.keys("n");
    std::fs::remove_file(&folder).unwrap();
    stage.keys("q");
    assert!(stage.app.quit().is_some());
    let saved = std::fs::read_to_string(folder.join("last.game")).unwrap();
    assert!(saved.contains("1. C D"), "{saved}");
}

#[test]
fn a_name_that_cannot_be_saved_stays_in_the_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::in_folder(config(), "human", "human", Some(folder.path().to_owned()));
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    stage.keys("C").save_as(&file.join("one.game").display().to_string());
    let dialog = stage.dialog().unwrap();
    assert_eq!(dialog.title, "Save the game");
    assert!(dialog.words().contains("file/one.game"), "{dialog:?}");
    assert!(dialog.words().contains("cannot write "), "{dialog:?}");
    stage.keys("esc").save_as("one.game");
    assert!(stage.notice().starts_with("Saved "), "{}", stage.notice());
}
