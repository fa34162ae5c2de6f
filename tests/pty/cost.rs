//! Cost of the start, of a key during searches, and of idling.
//!
//! The bounds are loose, for debug builds on busy machines; the figures are printed (`--nocapture`).

use std::time::{Duration, Instant};

use super::harness::{HELP, QUICK, Terminal, mancalab};
use super::process::{cpu_time, drawing_time, wake_ups};

/// Duration of an idle measurement; `MANCALAB_IDLE_SECONDS` overrides it.
fn idle_seconds() -> u64 {
    std::env::var("MANCALAB_IDLE_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

/// Measures an idle program.
#[track_caller]
fn assert_idle(terminal: &Terminal, what: &str) {
    let pid = terminal.pid();
    let measure = || (cpu_time(pid), wake_ups(pid), terminal.bytes().len());
    // At first threads may still be going to sleep, and a notice may be about to disappear; on a busy machine that
    // takes any time. Then comes an interval without activity; a program that idles badly has none.
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let before = measure();
        std::thread::sleep(Duration::from_secs(idle_seconds()));
        let after = measure();
        // A thread that ends lowers the sums, so this interval does not count.
        let spent = after.0.checked_sub(before.0);
        let woken = after.1 as i64 - before.1 as i64;
        let written = after.2 - before.2;
        println!("{what}: {spent:?} of processor time and {woken} wake-ups in {} s", idle_seconds());
        let measures = after.0 > Duration::ZERO && after.1 > 0;
        if measures && (woken, written) == (0, 0) && spent.is_some_and(|spent| spent <= Duration::from_millis(50)) {
            return;
        }
        assert!(measures || Instant::now() < deadline, "the counters do not change");
        assert!(Instant::now() < deadline, "{what}: {spent:?}, {woken} wake-ups, {written} bytes");
    }
}

#[test]
fn idling_costs_nothing() {
    let config = format!("{QUICK}[search]\nanalysis_iterations = 20000\n");
    let mut terminal = mancalab(&["--north", "minimax:2", "--seed", "1"]).config(&config).open();
    terminal.until("South");
    assert_idle(&terminal, "after the start");
    // A move, the reply, an analysis turned on and off, help.
    terminal.keys("D");
    terminal.until_screen("South's turn", |screen| {
        let text = screen.contents();
        !text.contains("No moves") && text.lines().any(|line| line.contains("South") && line.contains("to move"))
    });
    terminal.keys("i");
    terminal.until("nodes");
    terminal.keys("i");
    terminal.until_gone("nodes");
    terminal.keys("?");
    terminal.until(HELP);
    terminal.keys("\x1b");
    terminal.until_gone(HELP);
    assert_idle(&terminal, "with a person to move");
    terminal.keys("io");
    terminal.until("20.0k games");
    terminal.until("done");
    assert_idle(&terminal, "with an analysis that is done");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn a_game_that_is_over_idles() {
    let args = ["--game", "kalah:3x2", "--south", "random", "--north", "max", "--seed", "7"];
    let mut terminal = mancalab(&args).config("[board]\nanimation = 100\nautoplay = 50\n").open();
    terminal.until("Game over");
    assert_idle(&terminal, "after a game");
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}

#[test]
fn the_first_frame_comes_at_once() {
    let first = || {
        let mut terminal = mancalab(&["--north", "human"]).open();
        terminal.until("South");
        let took = (cpu_time(terminal.pid()), terminal.started.elapsed());
        terminal.keys("q");
        assert_eq!(terminal.end().status, 0);
        took
    };
    let mut all: Vec<(Duration, Duration)> = (0..5).map(|_| first()).collect();
    all.sort();
    println!("processor time to the first frame, and how long it was in coming: {all:?}");
    // Other processes do not count towards the cost of the start.
    assert!(all[0].0 < Duration::from_millis(500), "{all:?}");
}

/// Returns the sorted times until each of some keys shows, at the pace of a fast typist.
#[track_caller]
fn latencies(terminal: &mut Terminal) -> Vec<Duration> {
    let mut all = Vec::new();
    for _ in 0..5 {
        terminal.keys("?");
        all.push(terminal.until(HELP));
        std::thread::sleep(Duration::from_millis(100));
        terminal.keys("\x1b");
        all.push(terminal.until_gone(HELP));
        std::thread::sleep(Duration::from_millis(100));
    }
    all.sort();
    all
}

/// Checks the median, so that other processes do not matter: a search on the drawing thread would take forever.
#[test]
fn keys_are_answered_while_searches_work() {
    const BOUND: Duration = Duration::from_secs(3);
    let args = ["--game", "kalah:6x6", "--north", "minimax:40", "--seed", "1"];
    let mut terminal = mancalab(&args).config(QUICK).open();
    terminal.until("South");
    terminal.keys("B");
    terminal.until("thinking");
    for what in ["a player thinks", "a player thinks and an analysis runs"] {
        if what.ends_with("runs") {
            terminal.keys("i");
            terminal.until("Analysis");
        }
        let before = drawing_time(terminal.pid());
        let all = latencies(&mut terminal);
        let drawing = drawing_time(terminal.pid()).saturating_sub(before);
        println!("keys while {what}: {all:?}, {drawing:?} of the drawing thread's processor time");
        assert!(all[all.len() / 2] < BOUND, "{all:?}");
        assert!(drawing < Duration::from_secs(1), "{drawing:?} for {} keys", all.len());
        assert!(terminal.text().contains("thinking"));
    }
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}
