//! The program on a slow line: 1000 bytes a second, 150 ms there and 150 ms back, as over SSH with a poor connection.
//!
//! The network keeps what the line does not take yet, as sshd and sockets do. Bounds are on the bytes that the line carries, so that
//! a busy machine does not matter.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

use super::harness::{HELP, PATIENCE};

/// Time of a byte, and of the way in one direction.
const BYTE: Duration = Duration::from_millis(1);
const WAY: Duration = Duration::from_millis(150);

type Writer = Box<dyn Write + Send>;

/// What has come through the line.
#[derive(Default)]
struct Far {
    screen: vt100::Parser,
    /// Number of bytes.
    bytes: usize,
    /// Their last ones, for queries.
    last: Vec<u8>,
    /// How often the terminal was asked for its status.
    reports: usize,
    has_ended: bool,
}

#[derive(Default)]
struct LineState {
    /// What the network has taken, with its time.
    queue: Mutex<VecDeque<(Instant, Vec<u8>)>>,
    far: Mutex<Far>,
    news: Condvar,
}

/// A terminal at the other end of the line, and the program at this one.
struct Line {
    shared: Arc<LineState>,
    writer: Arc<Mutex<Writer>>,
    child: Box<dyn Child + Send + Sync>,
    _home: tempfile::TempDir,
}

fn open(args: &[&str], config: &str) -> Line {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home.path().join("mancalab")).unwrap();
    std::fs::write(home.path().join("mancalab/config.toml"), config).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_mancalab"));
    command.args(args);
    command.env_clear();
    for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("SSH_CONNECTION", "a 1 b 22")] {
        command.env(name, value);
    }
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
        command.env(name, home.path());
    }
    let pair = native_pty_system().openpty(PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 }).unwrap();
    let reader = pair.master.try_clone_reader().unwrap();
    let writer = pair.master.take_writer().unwrap();
    let shared = Arc::new(LineState::default());
    let writer = Arc::new(Mutex::new(writer));
    let child = pair.slave.spawn_command(command).unwrap();
    let near = shared.clone();
    let far = shared.clone();
    let back = writer.clone();
    std::thread::spawn(move || take(reader, &near));
    std::thread::spawn(move || {
        // The terminal is gone when the program has ended.
        let _master = pair.master;
        deliver(&far, &back);
    });
    Line { shared, writer, child, _home: home }
}

/// Takes what the program writes.
fn take(mut from: Box<dyn Read + Send>, shared: &LineState) {
    let mut buffer = [0; 64 << 10];
    loop {
        let read = from.read(&mut buffer).unwrap_or(0);
        shared.queue.lock().unwrap().push_back((Instant::now(), buffer[..read].to_vec()));
        shared.news.notify_all();
        if read == 0 {
            return;
        }
    }
}

/// Delivers it byte by byte, and answers queries.
fn deliver(shared: &LineState, back: &Arc<Mutex<Writer>>) {
    let mut free = Instant::now();
    loop {
        let Some((taken, bytes)) = shared.queue.lock().unwrap().pop_front() else {
            // Far below the time of a way.
            std::thread::sleep(BYTE);
            continue;
        };
        free = free.max(taken + WAY);
        for byte in &bytes {
            free += BYTE;
            std::thread::sleep(free.saturating_duration_since(Instant::now()));
            if let Some(answer) = shared.far.lock().unwrap().take(*byte) {
                send(back.clone(), answer);
            }
            shared.news.notify_all();
        }
        if bytes.is_empty() {
            shared.far.lock().unwrap().has_ended = true;
            return shared.news.notify_all();
        }
    }
}

/// Sends something to the program, which takes the time of a way.
fn send(to: Arc<Mutex<Writer>>, text: String) {
    std::thread::spawn(move || {
        std::thread::sleep(WAY);
        // The program may have ended.
        let _ = to.lock().unwrap().write_all(text.as_bytes());
    });
}

impl Far {
    /// Takes a byte; returns the terminal's answer if it ends a query.
    fn take(&mut self, byte: u8) -> Option<String> {
        self.bytes += 1;
        self.screen.process(&[byte]);
        self.last.push(byte);
        let answer = if self.last.ends_with(b"\x1b[5n") {
            self.reports += 1;
            "\x1b[0n".to_owned()
        } else if self.last.ends_with(b"\x1b[6n") {
            let (row, column) = self.screen.screen().cursor_position();
            format!("\x1b[{};{}R", row + 1, column + 1)
        } else if self.last.ends_with(b"\x1b]11;?\x1b\\") {
            "\x1b]11;rgb:0000/0000/0000\x1b\\".to_owned()
        } else if self.last.ends_with(b"\x1b[c") {
            "\x1b[?62;22c".to_owned()
        } else {
            return None;
        };
        Some(answer)
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Shows no half of a frame.
    fn is_whole(&self) -> bool {
        let last = |mark: &[u8]| self.last.windows(mark.len()).rposition(|window| window == mark);
        last(b"\x1b[?2026h") <= last(b"\x1b[?2026l")
    }
}

impl Line {
    fn keys(&self, keys: &str) {
        send(self.writer.clone(), keys.to_owned());
    }

    /// Waits until the far terminal meets a condition; returns the bytes that have come so far.
    #[track_caller]
    fn until(&self, what: &str, fits: impl Fn(&Far) -> bool) -> usize {
        let deadline = Instant::now() + PATIENCE;
        let mut far = self.shared.far.lock().unwrap();
        while !(far.is_whole() && fits(&far)) {
            let rest = deadline.saturating_duration_since(Instant::now());
            assert!(!rest.is_zero() && !far.has_ended, "{what} did not come:\n{}", far.text());
            far = self.shared.news.wait_timeout(far, rest).unwrap().0;
        }
        far.bytes
    }

    /// Presses a key, and waits for its effect; returns the bytes that come in between.
    #[track_caller]
    fn effect(&self, keys: &str, what: &str, fits: impl Fn(&Far) -> bool) -> usize {
        let before = self.shared.far.lock().unwrap().bytes;
        self.keys(keys);
        let bytes = self.until(what, fits) - before;
        println!("{what}: {bytes} bytes");
        bytes
    }

    /// Waits until all that was sent has come and been answered.
    fn settle(&self) {
        self.until("quiet", |_| self.shared.queue.lock().unwrap().is_empty());
        let mut far = self.shared.far.lock().unwrap();
        // Longer than the answer to a request and the next frame take.
        let quiet = 4 * WAY;
        loop {
            let before = far.bytes;
            far = self.shared.news.wait_timeout_while(far, quiet, |far| far.bytes == before).unwrap().0;
            if far.bytes == before {
                return;
            }
        }
    }
}

#[test]
fn a_screen_and_a_closed_dialog_come_soon() {
    let mut line = open(&["--north", "human", "--seed", "1"], "[board]\nanimation = 12\n");
    let bytes = line.until("the first screen", |far| far.text().contains("No moves yet"));
    println!("first screen: {bytes} bytes");
    assert!(bytes < 5_000, "{bytes} bytes");
    line.until("the notice", |far| far.text().contains("Slow line: animation off"));
    // Its bytes are not those of a dialog.
    line.until("the notice's end", |far| !far.text().contains("Slow line"));
    line.settle();
    for _ in 0..2 {
        let opened = line.effect("?", "help", |far| far.text().contains(HELP));
        line.settle();
        let closed = line.effect("\x1b", "closed help", |far| !far.text().contains(HELP));
        assert!(opened + closed < 4_000, "{opened} and {closed} bytes");
        line.settle();
    }
    let last = line.shared.far.lock().unwrap().text();
    assert!(!last.contains("Slow line"), "said once: {last}");
    line.keys("q");
    line.until("the end", |far| !far.screen.screen().alternate_screen());
    assert!(line.child.wait().unwrap().success());
}

#[test]
fn keys_do_not_wait_behind_old_frames() {
    let config = "[board]\nanimation = 12\nautoplay = 10.0\n";
    let mut line = open(&["--south", "random", "--north", "random", "--seed", "1"], config);
    // The frames of a game of computers without a pause.
    line.until("moves", |far| far.reports >= 3 && far.text().contains("South"));
    let quit = line.effect("qq", "quit", |far| !far.screen.screen().alternate_screen());
    assert!(quit < 3_700, "{quit} bytes");
    let status = line.child.wait().unwrap();
    assert!(status.success());
    let far = line.shared.far.lock().unwrap();
    assert!(!far.text().contains("0n"), "no report is left for the shell: {}", far.text());
}
