//! Every way to leave and to return: the terminal is restored however the program ends.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::harness::{HELP, QUICK, Terminal, eventually, mancalab};
use super::process::{process_state, waits_for_terminal};

/// Time from a signal to the end: the grace of one second, and plenty for a busy machine. The saved game shows that the
/// program ended by itself.
const PROMPT: Duration = Duration::from_secs(10);

/// The file of the last game.
const LAST: &str = "state/mancalab/games/last.game";

fn is_norths_turn(screen: &vt100::Screen) -> bool {
    screen.contents().lines().any(|line| line.contains("North") && line.contains("to move"))
}

fn board() -> Terminal {
    let terminal = mancalab(&["--game", "kalah:6x4", "--north", "human"]).config(QUICK).open();
    terminal.until("South");
    terminal
}

/// With a running search, so that threads are busy.
fn busy_board() -> Terminal {
    let mut terminal = board();
    terminal.keys("i");
    terminal.until("nodes");
    terminal
}

#[test]
fn q_and_ctrl_c_quit() {
    for key in ["q", "\x03"] {
        for mut terminal in [board(), busy_board()] {
            terminal.keys(key);
            assert_eq!(terminal.end().status, 0);
        }
    }
}

#[test]
fn signals_end_it_and_the_game_is_kept() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)] {
        let mut terminal = busy_board();
        terminal.keys("B");
        terminal.until_screen("North's turn", is_norths_turn);
        let kept = terminal.home().join(LAST);
        let pid = terminal.pid();
        terminal.signal(signal);
        eventually("the game on disk", || kept.exists() || process_state(pid).is_none());
        assert!(kept.exists(), "{signal:?}");
        let end = terminal.end();
        assert_eq!(end.status, status, "{signal:?}");
        assert!(end.took < PROMPT, "{signal:?} took {:?}", end.took);
    }
}

#[test]
fn a_killed_program_loses_no_turn() {
    let state = tempfile::tempdir().unwrap();
    let folder = state.path().join("mancalab/games");
    let drafts = || {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "draft")).collect::<Vec<_>>()
    };
    let open = || {
        let start = mancalab(&["--game", "kalah:6x4", "--north", "human"]).config(QUICK);
        start.env("XDG_STATE_HOME", &state.path().display().to_string()).open()
    };
    let mut terminal = open();
    terminal.until("South");
    terminal.keys("B");
    terminal.until_screen("North's turn", is_norths_turn);
    eventually("a draft", || !drafts().is_empty());
    let [draft] = drafts().try_into().unwrap();
    let text = fs::read_to_string(&draft).unwrap();
    terminal.kill();

    let mut terminal = open();
    terminal.until("Your last game is unfinished");
    assert_eq!(fs::read_to_string(folder.join("last.game")).unwrap(), text);
    assert!(drafts().is_empty());
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn a_game_is_watched_on_a_second_terminal() {
    let state = tempfile::tempdir().unwrap();
    let open =
        |args: &[&str]| mancalab(args).config(QUICK).env("XDG_STATE_HOME", &state.path().display().to_string()).open();
    let mut watcher = open(&["runs", "watch", "--board"]);
    watcher.until("Waiting for a game with moves at another terminal");
    let mut player = open(&["--game", "kalah:5x3", "--north", "human"]);
    player.until("South");
    player.keys("A");
    watcher.until("Kalah 5×3");
    watcher.until_screen("North's turn", is_norths_turn);
    player.keys("b");
    watcher.until("North sows b");
    // An earlier position stays in sight while the game goes on.
    watcher.keys(",");
    player.keys("C");
    watcher.until("3 C");
    watcher.until_screen("North's turn", is_norths_turn);
    watcher.keys("a");
    watcher.until("it is played at the other terminal");
    // A game of one's own ends the watching.
    watcher.keys("n");
    watcher.until("New game");
    watcher.keys("\r");
    watcher.until_gone("New game");
    watcher.keys("B");
    watcher.until("1 B");
    watcher.keys("q");
    assert_eq!(watcher.end().status, 0);
    player.keys("q");
    assert_eq!(player.end().status, 0);
    let games = fs::read_dir(state.path().join("mancalab/games")).unwrap();
    let games: Vec<_> = games.map(|entry| entry.unwrap().file_name()).filter(|name| name != ".last.lock").collect();
    assert_eq!(games.len(), 2, "the watcher saves its own game alone: {games:?}");
}

/// Every other signal that ends programs and can be caught.
#[test]
fn rare_signals_leave_the_terminal_as_it_was() {
    let all = [
        (Signal::USR1, 138),
        (Signal::USR2, 140),
        (Signal::XCPU, 152),
        (Signal::ALARM, 142),
        (Signal::VTALARM, 154),
        (Signal::PROF, 155),
        (Signal::IO, 157),
        (Signal::SYS, 159),
        (Signal::ABORT, 134),
    ];
    for (signal, status) in all {
        let terminal = board();
        terminal.signal(signal);
        assert_eq!(terminal.end().status, status, "{signal:?}");
    }
}

#[test]
fn a_cut_line_ends_it() {
    for mut terminal in [board(), busy_board()] {
        terminal.keys("B");
        terminal.until_screen("North's turn", is_norths_turn);
        let pid = terminal.pid();
        let mut cut = terminal.hang_up();
        eventually("the end after the line was cut", || cut.child.try_wait().unwrap().is_some());
        let took = cut.since.elapsed();
        assert!(took < PROMPT, "it took {took:?}");
        assert_eq!(process_state(pid), None);
        assert!(cut.home.path().join(LAST).exists(), "the game was lost");
    }
}

/// The shell above gets the SIGHUP; the program has its own process group and only loses the terminal.
#[test]
fn a_cut_line_ends_it_behind_a_shell() {
    let start = mancalab(&["--north", "human"]).config(QUICK).under_shell("trap '' HUP; \"$@\"; sleep 0");
    let mut terminal = start.open();
    terminal.until("South");
    terminal.keys("i");
    terminal.until("nodes");
    let pid = terminal.pid();
    let cut = terminal.hang_up();
    eventually("the end behind a shell", || process_state(pid).is_none());
    let took = cut.since.elapsed();
    assert!(took < PROMPT, "it took {took:?}");
}

/// Runs the program in a shell with job control, and continues it twice.
const SHELL: &str = "\"$@\"; echo stop $?; read line; fg; echo again $?; read line; fg; echo ended with $?";

/// Stops the program in one of two ways and resumes it with `fg`, twice.
fn stops_and_goes_on(stop: impl Fn(&mut Terminal)) {
    let mut terminal = mancalab(&["--north", "human"]).config(QUICK).under_shell(SHELL).open();
    terminal.until("South");
    let pid = terminal.pid();
    for output in ["stop 1", "again 1"] {
        stop(&mut terminal);
        terminal.until_stopped(pid);
        terminal.until(output);
        assert_eq!(terminal.left_behind(), Ok(()));
        // The terminal may change while the program is stopped.
        terminal.resize(if output == "stop 1" { 100 } else { 70 }, 30);
        terminal.keys("\r");
        terminal.until_screen("the board", |screen| screen.alternate_screen() && screen.contents().contains("South"));
        terminal.keys("?");
        terminal.until(HELP);
        terminal.keys("\x1b");
        terminal.until_gone(HELP);
    }
    terminal.keys("q");
    terminal.until("ended with 0");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn ctrl_z_stops_it_and_fg_brings_it_back() {
    stops_and_goes_on(|terminal| terminal.keys("\x1a"));
}

#[test]
fn sigtstp_stops_it_and_fg_brings_it_back() {
    stops_and_goes_on(|terminal| terminal.signal(Signal::TSTP));
}

/// Ctrl-Z without a shell is ignored, as nothing could continue the program.
#[test]
fn ctrl_z_without_a_shell_does_nothing() {
    let mut terminal = board();
    terminal.keys("\x1a?");
    terminal.until(HELP);
    assert!(process_state(terminal.pid()).is_some_and(|state| state != 'T'));
    terminal.keys("qq");
    assert_eq!(terminal.end().status, 0);
}

/// SIGSTOP cannot be caught; SIGCONT redraws everything, since other programs may have written on the screen.
#[test]
fn a_continued_program_draws_everything_again() {
    let mut terminal = board();
    let pid = terminal.pid();
    terminal.signal(Signal::STOP);
    terminal.until_stopped(pid);
    let before = terminal.bytes().len();
    terminal.signal(Signal::CONT);
    terminal.until_bytes("a new picture", |bytes| {
        let new = String::from_utf8_lossy(&bytes[before..]);
        new.contains("\x1b[?1049h") && new.contains("South") && new.contains("\x1b[?2026l")
    });
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

/// On a terminal that takes no bytes (a hanging line, Ctrl-S) the program still ends on a signal, and saves.
#[test]
fn a_stuck_terminal_does_not_keep_it() {
    let mut terminal = busy_board();
    terminal.keys("B");
    terminal.until_screen("North's turn", is_norths_turn);
    let pid = terminal.pid();
    terminal.stop_reading();
    // Frames that are not read, until the drawing thread is repeatedly found waiting for the terminal.
    let mut waiting = 0;
    eventually("a frame that cannot be written", || {
        terminal.keys("\x0c");
        waiting = if waits_for_terminal(pid) { waiting + 1 } else { 0 };
        waiting == 20
    });
    let output = Instant::now();
    terminal.signal(Signal::TERM);
    eventually("the end on a stuck terminal", || process_state(pid).is_none());
    assert!(output.elapsed() < PROMPT);
    assert!(terminal.home().join(LAST).exists(), "the game was lost");
}

/// A lost connection to tmux ends every program in it at once; each has its own game.
#[test]
fn programs_that_end_together_keep_every_game() {
    let home = tempfile::tempdir().unwrap();
    let state = home.path().to_str().unwrap();
    let games = 6;
    let open = |pit: &str| {
        let start = mancalab(&["--game", "kalah:6x4", "--north", "human"]).config(QUICK).env("XDG_STATE_HOME", state);
        let mut terminal = start.open();
        terminal.until("South");
        terminal.keys(pit);
        terminal.until_screen("North's turn", is_norths_turn);
        terminal
    };
    let terminals: Vec<Terminal> = (0..games).map(|_| open("B")).collect();
    let mut cuts: Vec<_> = terminals.into_iter().map(Terminal::hang_up).collect();
    for cut in &mut cuts {
        eventually("the end after the line was cut", || cut.child.try_wait().unwrap().is_some());
    }
    let kept = std::fs::read_dir(home.path().join("mancalab/games")).unwrap();
    let kept = kept.filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|ending| ending == "game"));
    assert_eq!(kept.count(), games);
}

/// The screen would go into the file, and the game could not be read.
#[test]
fn without_a_screen_it_shows_so_and_leaves_the_terminal_alone() {
    let start = mancalab(&[]).under_shell("\"$@\" >out; echo \"ended with $?\"; read line");
    let mut terminal = start.open();
    terminal.until("ended with 2");
    let text = terminal.text().replace('\n', " ");
    assert!(text.contains("stdout is not one"), "{text}");
    assert_eq!(std::fs::read(terminal.home().join("out")).unwrap(), b"");
    assert!(!terminal.bytes().contains(&b'\x1b'), "{text}");
    assert_eq!(terminal.left_behind(), Ok(()));
    terminal.keys("\r");
    assert_eq!(terminal.end().status, 0);
}

/// A large paste before the line drops must not lose the game.
#[test]
fn to_be_reported_to_end_overtakes_what_was_typed() {
    let mut terminal = board();
    terminal.keys("B");
    terminal.until_screen("North's turn", is_norths_turn);
    let pid = terminal.pid();
    // Each key toggles the analysis, which takes a thread; 10,000 wait in the program, the rest in the terminal.
    terminal.keys(&"i".repeat(15_000));
    terminal.signal(Signal::TERM);
    eventually("the end behind many keys", || process_state(pid).is_none());
    assert!(terminal.home().join(LAST).exists(), "the game was lost");
}
