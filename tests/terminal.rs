//! The terminal on a real pseudo-terminal: it is restored however the program ends.
//!
//! The program under test is this test binary itself, started again with only [`child`] in it.

#![allow(clippy::print_stdout)]

use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use mancalab::term::{self, Chord, Event, Options, Screen, Signal};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, kill_process};

/// Environment variable that selects the child's behaviour.
const WAY: &str = "MANCALAB_TEST_WAY";

/// Exit status of a regular end; a forced one gives 129.
const BY_ITSELF: i32 = 42;

/// A program that draws the last event and obeys a few keys.
#[test]
#[ignore = "started by the other tests"]
fn child() {
    let Ok(way) = std::env::var(WAY) else { return };
    // Timeout, so that no failure blocks the test.
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(120));
        std::process::exit(99);
    });
    term::require_tty().unwrap();
    term::install_panic_hook(Some(Path::new("/the/log")));
    let mut screen = Screen::enter(Options { mouse: true, paced: false, repeats: false, pictures: None }).unwrap();
    let events = term::listen().unwrap();
    let mut last = String::from("ready");
    loop {
        let _ = screen.draw(|frame| frame.render_widget(format!("<{last}>"), frame.area()));
        last = match events.receiver.recv().unwrap() {
            Event::Key(key) => obey(&mut screen, Chord::from_event(&key)),
            Event::Mouse(mouse) => format!("mouse {} {}", mouse.column, mouse.row),
            Event::Paste(text) => format!("paste {text}"),
            Event::Resize(width, height) => format!("size {width} {height}"),
            Event::HangUp | Event::Signal(Signal::Terminate(_)) if way == "deaf" => "deaf".into(),
            Event::HangUp => term::exit_now(BY_ITSELF),
            Event::Signal(Signal::Terminate(number)) => term::exit_now(128 + number),
            Event::Signal(_) | Event::Report(_) | Event::Wake => continue,
        };
    }
}

fn obey(screen: &mut Screen, chord: Chord) -> String {
    match chord.to_string().as_str() {
        "q" => {
            screen.leave();
            screen.leave();
            println!("farewell");
            term::exit_now(0)
        }
        "p" => panic!("a slip"),
        "w" => format!("worker failed {}", std::thread::spawn(|| panic!("elsewhere")).join().is_err()),
        "ctrl-z" => format!("suspended {}", screen.suspend().unwrap()),
        other => format!("key {other}"),
    }
}

struct Run {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    reader: Box<dyn Read + Send>,
    writer: Box<dyn Write + Send>,
    screen: vt100::Parser,
    bytes: Vec<u8>,
}

fn start(way: &str) -> Run {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "terminal::child", "--nocapture"]);
    command.env(WAY, way);
    command.env("TERM", "xterm-256color");
    command.env("NO_COLOR", "1");
    let child = pair.slave.spawn_command(command).unwrap();
    let reader = pair.master.try_clone_reader().unwrap();
    let writer = pair.master.take_writer().unwrap();
    let mut run =
        Run { child, master: pair.master, reader, writer, screen: vt100::Parser::default(), bytes: Vec::new() };
    run.until("<ready>");
    run
}

impl Run {
    fn type_in(&mut self, text: &str) {
        self.writer.write_all(text.as_bytes()).unwrap();
    }

    /// Reads until the text is on the screen.
    fn until(&mut self, text: &str) {
        while !self.screen.screen().contents().contains(text) {
            assert!(self.read(), "'{text}' did not come; on the screen: {}", self.screen.screen().contents());
        }
    }

    fn read(&mut self) -> bool {
        let mut buffer = [0; 4096];
        match self.reader.read(&mut buffer) {
            Ok(0) | Err(_) => false,
            Ok(n) => {
                self.screen.process(&buffer[..n]);
                self.bytes.extend_from_slice(&buffer[..n]);
                true
            }
        }
    }

    /// Reads to the end and returns the exit status; the terminal must be restored.
    fn end(mut self) -> (u32, String) {
        while self.read() {}
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        (self.child.wait().unwrap().exit_code(), screen.contents())
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let pid = self.child.process_id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?)).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Cuts the line, and returns the exit status and the time to the end.
    fn cut(self) -> (u32, Duration) {
        let Run { mut child, master, reader, writer, .. } = self;
        let started = Instant::now();
        drop((master, reader, writer));
        (child.wait().unwrap().exit_code(), started.elapsed())
    }
}

#[test]
fn keys_mouse_pastes_and_sizes_arrive_and_the_terminal_is_left_as_it_was() {
    let mut run = start("");
    assert!(run.screen.screen().alternate_screen() && run.screen.screen().hide_cursor());
    for (typed, shown) in [
        ("A", "<key A>"),
        ("\x1b[Z", "<key shift-tab>"),
        ("\x1b[<0;5;7M", "<mouse 4 6>"),
        ("\x1b[200~a b\x1b[201~", "<paste a b>"),
        // A panic of another thread leaves the screen alone.
        ("w", "<worker failed true>"),
        // Not suspended, as the test is not a shell that could continue it.
        ("\x1a", "<suspended false>"),
    ] {
        run.type_in(typed);
        run.until(shown);
    }
    run.master.resize(PtySize { rows: 30, cols: 100, pixel_width: 0, pixel_height: 0 }).unwrap();
    run.until("<size 100 30>");
    run.type_in("q");
    let (status, text) = run.end();
    assert_eq!(status, 0);
    assert!(text.contains("farewell") && !text.contains("elsewhere"), "{text}");
}

#[test]
fn a_frame_is_framed_by_a_synchronized_update() {
    let mut run = start("");
    let before = run.bytes.len();
    run.type_in("x");
    run.until("<key x>");
    while !run.bytes.ends_with(b"\x1b[?2026l") {
        assert!(run.read());
    }
    let frame = &run.bytes[before..];
    assert!(frame.starts_with(b"\x1b[?2026h"), "{}", String::from_utf8_lossy(frame));
    run.type_in("q");
    assert_eq!(run.end().0, 0);
}

#[test]
fn a_panic_gives_the_terminal_back_and_shows_where_the_log_is() {
    let mut run = start("");
    run.type_in("p");
    let (status, text) = run.end();
    assert_eq!(status, 101);
    assert!(text.contains("a slip") && text.contains("details are in the log: /the/log"), "{text}");
}

#[test]
fn a_signal_ends_it() {
    let run = start("");
    run.signal(rustix::process::Signal::TERM);
    assert_eq!(run.end().0, 143);
}

#[test]
fn a_cut_line_is_reported() {
    assert_eq!(start("").cut().0, BY_ITSELF as u32);
}

#[test]
fn what_does_not_end_is_ended() {
    let (status, took) = start("deaf").cut();
    assert_eq!(status, 129);
    assert!(took > Duration::from_millis(900), "{took:?}");
    let run = start("deaf");
    run.signal(rustix::process::Signal::INT);
    assert_eq!(run.end().0, 130);
}
