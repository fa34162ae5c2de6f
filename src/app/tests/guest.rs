//! A guest's session: every command of every tab, and each way that a guest could take to a file, a process or the processor.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::super::stage::{Stage, config, limits};
use crate::app::command::Label;
use crate::budget::{Budget, Job as _};
use crate::job::RunJob;
use crate::kinds::by_command;
use crate::paths::Paths;
use crate::player::offers::Opponent;
use crate::pool::Pool;
use crate::rights::{Limits, Rights};
use crate::tabs::board::{Settings, Setup};
use crate::tabs::{self, TabSettings};

/// A host: its folder with runs and a secret, and the folder of a guest in it.
struct Host {
    folder: tempfile::TempDir,
    limits: Limits,
}

impl Host {
    fn new() -> Host {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("secret"), "tell nobody\n").unwrap();
        fs::create_dir_all(folder.path().join("guest/games")).unwrap();
        let mut settings = by_command("evolve").unwrap().preset("mancala-gp-1").unwrap();
        for (key, value) in [("population", "8"), ("generations", "2"), ("opponents", "max")] {
            settings.set(key, value).unwrap();
        }
        RunJob::create(&folder.path().join("runs/first"), settings, &Pool::alone()).unwrap().step(Budget::UNLIMITED);
        Host { folder, limits: limits() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn session(&self, north: &str) -> Stage {
        self.session_with(Rights::of_guest(self.limits.clone()), north)
    }

    fn session_with(&self, rights: Rights, north: &str) -> Stage {
        let paths = Paths::of_guest(Some(self.path("guest")), rights);
        let players = ["human", north].map(|spec| Opponent::Player(spec.parse().unwrap()));
        let config = config();
        let setup = Setup { seed: Some(1), ..Setup::new(config.board.game, players) };
        let board = Settings::new(setup, paths.games());
        let settings = TabSettings { runs: Some(self.path("runs")), ..TabSettings::new(board, &paths) };
        Stage::with_paths(config, tabs::all(settings), paths)
    }

    /// Everything outside the guest's folder, with its contents.
    fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        fn add(folder: &Path, all: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                match entry.file_type().unwrap().is_dir() {
                    true => add(&entry.path(), all),
                    false => _ = all.insert(entry.path(), fs::read(entry.path()).unwrap()),
                }
            }
        }
        let mut all = BTreeMap::new();
        add(self.folder.path(), &mut all);
        all.retain(|path, _| !path.starts_with(self.path("guest")));
        all
    }
}

fn labels() -> Vec<Label> {
    let board = Settings::new(Setup::from_config(&config().board), None);
    let tabs = tabs::all(TabSettings::new(board, &Paths::default()));
    crate::app::registry(&tabs).into_iter().map(|(_, label)| label).collect()
}

/// Presses a key in a tab and answers whatever opens: with a path, Enter and yes.
fn walk(stage: &mut Stage, tab: &str, key: &str, path: &Path) {
    stage.press("alt-1").press(&format!("alt-{tab}")).press("down").press(key).press("down");
    stage.text(path.to_str().unwrap()).press("enter").press("enter").press("y").press("enter");
    stage.wait();
}

/// The walk finds what it looks for where nothing is refused.
#[test]
fn commands_of_the_owner_reach_files() {
    for (tab, key) in [("2", "D"), ("2", "R")] {
        let host = Host::new();
        let before = host.contents();
        let mut stage = host.session_with(Rights::default(), "random");
        // The first of the presets is selected, and the run is at the end.
        stage.press(&format!("alt-{tab}")).press("end").press(key);
        stage.text(if key == "D" { "y" } else { "other" }).press("enter");
        stage.wait();
        assert!(host.contents() != before, "{tab} {key}: {}", stage.screen(80, 24));
    }
    let host = Host::new();
    let mut stage = host.session_with(Rights::default(), "human");
    stage.keys("C s ctrl-u").text(host.path("outside.game").to_str().unwrap()).keys("enter enter");
    assert!(host.path("outside.game").exists(), "{}", stage.screen(80, 24));
}

/// Every key of every command in every tab, with a path typed into whatever opens, changes nothing of the host's.
#[test]
fn no_command_reaches_the_hosts_files() {
    let host = Host::new();
    let before = host.contents();
    let outside = host.path("outside.game");
    let keys: BTreeSet<&str> = labels().iter().flat_map(|label| label.keys).copied().collect();
    for tab in ["1", "2", "3", "4", "5", "6"] {
        for key in keys.iter().filter(|key| !["q", "ctrl-c", "1", "2", "3", "4", "5", "6"].contains(key)) {
            let mut stage = host.session("random");
            walk(&mut stage, tab, key, &outside);
            assert_eq!(host.contents(), before, "{tab} {key}: {}", stage.screen(80, 24));
        }
    }
}

#[test]
fn commands_that_change_runs_or_leave_the_program_are_not_there() {
    let hidden: Vec<&str> = labels().into_iter().filter(|label| !label.for_guests).map(|label| label.id).collect();
    for command in ["step", "plan", "save", "stop", "edit", "rename", "delete", "export"] {
        for tab in ["evolution", "weights", "arena", "train"] {
            let id = format!("{tab}.{command}");
            let exists = labels().iter().any(|label| label.id == id);
            assert!(!exists || hidden.contains(&&*id), "{id}");
        }
    }
    assert!(hidden.contains(&"app.suspend"));
    let mut stage = Host::new().session("random");
    stage.press("?");
    assert!(!stage.screens().contains("Suspend"));
}

#[test]
fn a_guest_saves_and_opens_by_name_and_only_so_much() {
    let host = Host::new();
    let mut stage = host.session("human");
    stage.keys("C s enter");
    assert!(host.path("guest/games/game-1.game").exists(), "{}", stage.screen(80, 24));
    stage.keys("F s ctrl-u").text("../../outside.game").keys("enter");
    assert!(stage.dialog_has("guests save and open by name: up to 64 letters, digits, '-', '_' and"));
    stage.keys("ctrl-u").text("config.toml").keys("enter esc s ctrl-u").text("mine").keys("enter");
    assert!(host.path("guest/games/mine.game").exists(), "{}", stage.screen(80, 24));
    let count = || fs::read_dir(host.path("guest/games")).unwrap().count();
    for name in ["two", "three", "four", "five"] {
        stage.keys("F s ctrl-u").text(name).keys("enter esc");
    }
    assert!(count() <= 3, "{} files", count());
    assert!(!host.path("guest/games/five.game").exists());
    stage.keys("l").text(host.path("secret").to_str().unwrap()).keys("enter");
    assert!(stage.dialog_has(
        "guests save and open by name: up to 64 letters, digits, '-', '_' and spaces, alone or with .game, .pdn, .ggf"
    ));
}

#[test]
fn a_pasted_game_opens_no_file_and_runs_no_command() {
    let host = Host::new();
    let mut stage = host.session("human");
    for player in [
        "heuristic:2@SECRET",
        "program:SECRET",
        "a3c:SECRET",
        "staged:SECRET",
        "mcts:9:net=SECRET",
        "engine:touch SECRET.made",
    ] {
        let player = player.replace("SECRET", host.path("secret").to_str().unwrap());
        let before = host.contents();
        stage.paste(&format!("[Game \"kalah:6x4:standard\"]\n[North \"{player}\"]\n\nC F"));
        stage.wait();
        let screen = stage.screen(120, 24);
        let kind = player.split([':', '@']).next().unwrap();
        assert!(screen.contains("(you play)") && screen.contains(kind), "{player}: {screen}");
        stage.keys("y");
        assert!(!stage.screen(120, 40).contains("tell nobody"), "{}", stage.screen(120, 40));
        stage.keys("esc");
        assert_eq!(host.contents(), before);
        stage.keys("n esc");
    }
    stage.paste(&"x".repeat(5000));
    assert_eq!(stage.notice(), "guests paste at most 4 KiB");
}

#[test]
fn players_search_within_the_hosts_limits() {
    let refused = |player: &str| host_says(player).is_some_and(|error| error.contains("guests"));
    for player in [
        "minimax:5",
        "minimax:60",
        "mcts:101",
        "mcts:ms=1000",
        "minimax:4:ms=10",
        "perfect",
        "samuel:9",
        "engine:\"x\"",
    ] {
        assert!(refused(player), "{player}");
    }
    for player in ["human", "random", "max", "minimax:4", "mcts:100", "heuristic:4", "a3c"] {
        assert_eq!(host_says(player), None, "{player}");
    }
    let mut stage = Host::new().session("minimax:9");
    stage.keys("A");
    assert_eq!(stage.notice(), "guests' players search at most 4 plies (got 'minimax:9')");
}

#[test]
fn a_refused_player_is_reported_once_for_a_position() {
    let refusal = "guests' players search at most 4 plies (got 'minimax:9')";
    let mut stage = Host::new().session("minimax:9");
    assert_eq!(stage.keys("A").notice(), refusal);
    // A key without a notice.
    assert_eq!(stage.keys("v").notice(), "");
    // Another position is reported again.
    assert_eq!(stage.keys(", B").notice(), refusal);
    // Another notice is not hidden.
    assert_eq!(stage.keys("+").notice(), "Sowing: 3 seeds a second, autoplay: 2/s");
}

/// The time of a move is 1 second, in which no search of 30 plies ends.
#[test]
fn a_search_that_takes_too_long_plays_the_best_so_far() {
    let mut host = Host::new();
    host.limits.depth = 30;
    let mut stage = host.session("minimax:30");
    stage.keys("A");
    assert_eq!(stage.south(), "▸ South  you · to move");
}

/// In dialogs a player's text opens no file either, and what the host does not allow is not remembered.
#[test]
fn typed_players_open_no_file_and_stay_within_the_limits() {
    let host = Host::new();
    for player in ["program:SECRET", "staged:SECRET", "heuristic:4@SECRET", "minimax:9"] {
        let mut stage = host.session("random");
        let player = player.replace("SECRET", host.path("secret").to_str().unwrap());
        // The second player follows the game, its rules and the first.
        stage.keys("n tab tab tab tab tab ctrl-u").text(&player);
        stage.keys("enter");
        let screen = stage.screen(120, 40);
        assert!(screen.contains("guests") && !screen.contains("tell nobody"), "{player}: {screen}");
    }
}

#[test]
fn a_review_ends_with_its_time_and_games_are_not_saved_by_themselves() {
    let mut host = Host::new();
    host.limits.depth = 60;
    let mut stage = host.session("human");
    stage.keys("A a B b C c r");
    assert_eq!(stage.jobs(), 0, "{}", stage.screen(80, 24));
    stage.keys("n enter");
    assert_eq!(stage.parts().0.leave(|_| ()), Vec::<String>::new());
    assert_eq!(fs::read_dir(host.path("guest/games")).unwrap().count(), 0);
    assert!(!host.path("guest/results.csv").exists());
}

fn host_says(player: &str) -> Option<String> {
    let spec: crate::player::Spec = player.parse().unwrap_or_else(|error| panic!("{player}: {error}"));
    spec.check_rights(&Rights::of_guest(limits())).err().map(|error| error.to_string())
}

#[test]
fn analysis_ends_in_time_or_is_off() {
    let mut host = Host::new();
    let mut stage = host.session("human");
    // Waits for the end of the analysis, which has a depth of 60 plies.
    stage.keys("i");
    assert_eq!(stage.jobs(), 0, "{}", stage.screen(80, 24));
    host.limits.analysis_seconds = 0;
    let mut stage = host.session("human");
    stage.press("i");
    assert_eq!((stage.jobs(), stage.notice()), (0, "This host has no analysis for guests"));
    stage.keys("A r");
    assert_eq!(stage.notice(), "This host has no analysis for guests");
}

#[test]
fn a_guest_watches_a_run_and_starts_none() {
    let host = Host::new();
    let before = host.contents();
    let mut stage = host.session("human");
    stage.keys("alt-2");
    let screen = stage.body(120, 40);
    assert!(!screen.contains("mancala-gp-66") && screen.contains("first"), "{screen}");
    stage.keys("home enter");
    assert!(stage.body(120, 40).contains("generation 2 of 2"), "{}", stage.screen(120, 40));
    stage.keys("space s w x e c enter");
    assert_eq!(host.contents(), before);
}

#[test]
fn a_session_ends_after_the_hosts_minutes() {
    let mut stage = Host::new().session("human");
    stage.pass(std::time::Duration::from_secs(59 * 60));
    assert_eq!(stage.parts().0.quit(), None);
    stage.pass(std::time::Duration::from_secs(2 * 60));
    assert_eq!(stage.parts().0.quit(), Some(0));
}

/// Deleted moves are kept for `U`, so they are counted too.
#[test]
fn a_game_is_changed_a_bounded_number_of_times() {
    let host = Host::new();
    let mut stage = host.session("human");
    let mut rounds = 0;
    while !stage.press("a").shows("Guests change a game at most") {
        stage.press("delete").press("y");
        rounds += 1;
        assert!(rounds <= 50, "{}", stage.screen(80, 24));
    }
    assert!(rounds > 25);
}
