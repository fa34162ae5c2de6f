//! What it costs: the start, a key while searches work, and doing nothing.
//!
//! The bounds are loose, for debug builds on busy machines; the figures are printed (`--nocapture`).

use std::time::{Duration, Instant};

use crate::harness::{HELP, QUICK, Terminal, mancalab};
use crate::process::{cpu_time, wake_ups};

/// How long to look at a program that has nothing to do; `MANCALAB_IDLE_SECONDS` says otherwise.
fn idle_seconds() -> u64 {
    std::env::var("MANCALAB_IDLE_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

/// Looks at a program that has nothing to do.
#[track_caller]
fn assert_idle(terminal: &Terminal, what: &str) {
    let pid = terminal.pid();
    // Threads may still be on their way to sleep, and a notice on its way off the screen.
    let mut quiet = (wake_ups(pid), terminal.bytes().len(), Instant::now());
    let deadline = Instant::now() + Duration::from_secs(20);
    while quiet.2.elapsed() < Duration::from_millis(300) {
        std::thread::sleep(Duration::from_millis(20));
        let now = (wake_ups(pid), terminal.bytes().len());
        if now != (quiet.0, quiet.1) {
            quiet = (now.0, now.1, Instant::now());
        }
        assert!(Instant::now() < deadline, "{what}: never quiet");
    }
    assert!(cpu_time(pid) > Duration::ZERO && wake_ups(pid) > 0, "the measures measure nothing");
    let (cpu, woken, written) = (cpu_time(pid), wake_ups(pid), terminal.bytes().len());
    std::thread::sleep(Duration::from_secs(idle_seconds()));
    let (spent, woken) = (cpu_time(pid) - cpu, wake_ups(pid) - woken);
    println!("{what}: {spent:?} of processor time and {woken} wake-ups in {} s", idle_seconds());
    assert!(spent <= Duration::from_millis(50), "{what}: {spent:?}");
    assert_eq!(woken, 0, "{what}: wake-ups");
    assert_eq!(terminal.bytes().len(), written, "{what}: something was written");
}

#[test]
fn idling_costs_nothing() {
    let config = format!("{QUICK}[search]\nanalysis_iterations = 20000\n");
    let mut terminal = mancalab(&["--north", "minimax:2", "--seed", "1"]).config(&config).open();
    terminal.until("South");
    assert_idle(&terminal, "after the start");
    // A move, the answer to it, an analysis turned on and off again, help.
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
        let took = terminal.started.elapsed();
        terminal.keys("q");
        assert_eq!(terminal.end().status, 0);
        took
    };
    let mut all: Vec<Duration> = (0..5).map(|_| first()).collect();
    all.sort();
    println!("first frame after {all:?}");
    assert!(all[0] < Duration::from_secs(1), "{all:?}");
}

/// How long each of some keys takes until it shows, at the pace of a fast typist, shortest first.
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

/// The middle one counts: a single slow answer may be the machine's.
#[test]
fn keys_are_answered_while_searches_work() {
    const BOUND: Duration = Duration::from_millis(500);
    let args = ["--game", "kalah:6x6", "--north", "minimax:40", "--seed", "1"];
    let mut terminal = mancalab(&args).config(QUICK).open();
    terminal.until("South");
    terminal.keys("B");
    terminal.until("thinking");
    for what in ["a player thinks", "a player thinks and an analysis runs"] {
        let all = latencies(&mut terminal);
        println!("keys while {what}: {all:?}");
        assert!(all[all.len() / 2] < BOUND, "{all:?}");
        assert!(terminal.text().contains("thinking"));
        terminal.keys("i");
        terminal.until("Analysis");
    }
    terminal.keys("q");
    assert_eq!(terminal.end().status, 0);
}
