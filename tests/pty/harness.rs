//! Test harness for the program on a pseudo-terminal: starts it, types, reads its screen, and inspects its files.
//!
//! Nothing here sleeps for a guessed time: every wait is for a condition, with [`PATIENCE`] as timeout.

use mancalab_base::Error;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use super::process::{proc, process_state};
use super::reader::{ScreenState, State, Writer, read};

/// Timeout of a wait, generous for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Polling interval.
const PAUSE: Duration = Duration::from_millis(5);

/// Shows the outcome of a move at once and lets computer players move fast.
pub const QUICK: &str = "[board]\nanimation = 0\nautoplay = 50\n";

/// Text that is on the screen only while the help is open.
pub const HELP: &str = ": the rules";

/// Configuration of the program's start.
#[derive(Clone)]
pub struct Start {
    args: Vec<String>,
    env: Vec<(String, String)>,
    size: (u16, u16),
    config: Option<String>,
    /// Nothing was chosen before, as at the first start.
    is_first: bool,
    script: Option<String>,
    answer: &'static str,
    folder: Option<std::path::PathBuf>,
}

/// Answer of a terminal with a black background to the queries for background and type.
pub const BLACK: &str = "\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62;22c";

/// Returns a start of the program, by default on an 80×24 terminal with 256 colours.
pub fn mancalab(args: &[&str]) -> Start {
    let args = args.iter().map(|&arg| arg.to_owned()).collect();
    let env = vec![("TERM".into(), "xterm-256color".into()), ("LANG".into(), "C.UTF-8".into())];
    Start { args, env, size: (80, 24), config: None, is_first: false, script: None, answer: BLACK, folder: None }
}

impl Start {
    pub fn env(mut self, name: &str, value: &str) -> Start {
        self.env.push((name.into(), value.into()));
        self
    }

    pub fn size(mut self, width: u16, height: u16) -> Start {
        self.size = (width, height);
        self
    }

    /// Starts as for the first time.
    pub fn first(mut self) -> Start {
        self.is_first = true;
        self
    }

    /// Sets the text of the user's config file.
    pub fn config(mut self, text: &str) -> Start {
        self.config = Some(text.into());
        self
    }

    /// Sets the terminal's answer to the background query.
    pub fn answer(mut self, answer: &'static str) -> Start {
        self.answer = answer;
        self
    }

    /// Starts in a folder, which is also that of the user's state.
    pub fn within(mut self, folder: &Path) -> Start {
        self.folder = Some(folder.to_owned());
        self
    }

    /// Runs the program in a script for sh with job control, as `"$@"`.
    pub fn under_shell(mut self, script: &str) -> Start {
        self.script = Some(script.into());
        self
    }

    pub fn open(self) -> Terminal {
        let home = tempfile::tempdir().unwrap();
        // Whoever has a config is not asked for a game first.
        let usual = (!self.is_first).then(|| "[board]\nanimation = 12\n".to_owned());
        if let Some(config) = self.config.as_ref().or(usual.as_ref()) {
            let folder = home.path().join("config/mancalab");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("config.toml"), config).unwrap();
        }
        let binary = env!("CARGO_BIN_EXE_mancalab").to_owned();
        let shell = ["/bin/sh", "-m", "-c"].map(str::to_owned);
        let mut words = match &self.script {
            Some(script) => [shell.as_slice(), &[script.clone(), "sh".into(), binary]].concat(),
            None => vec![binary],
        };
        words.extend(self.args);
        let mut command = CommandBuilder::from_argv(words.into_iter().map(Into::into).collect());
        command.env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let folder = self.folder.as_deref().unwrap_or(home.path());
        let state = if self.folder.is_some() { ".local/state" } else { "state" };
        command.env("HOME", folder);
        command.env("XDG_CONFIG_HOME", home.path().join("config"));
        command.env("XDG_STATE_HOME", folder.join(state));
        self.env.iter().for_each(|(name, value)| command.env(name, value));
        command.cwd(folder);
        Terminal::spawn(command, self.size, home, self.script.is_some(), self.answer)
    }
}

/// A terminal with the program on it. Dropping it kills the program.
pub struct Terminal {
    master: Box<dyn MasterPty + Send>,
    writer: Arc<Mutex<Writer>>,
    child: Box<dyn Child + Send + Sync>,
    reader: Option<JoinHandle<()>>,
    shared: Arc<ScreenState>,
    /// The terminal's settings before the start.
    before: String,
    home: tempfile::TempDir,
    shell: bool,
    pub started: Instant,
}

/// How the program ended.
pub struct End {
    pub status: u32,
    pub took: Duration,
    /// All output.
    pub bytes: Vec<u8>,
}

/// The state after the line was cut.
pub struct Cut {
    pub since: Instant,
    /// The program, or its shell.
    pub child: Box<dyn Child + Send + Sync>,
    /// The user's home.
    pub home: tempfile::TempDir,
}

impl Terminal {
    fn spawn(
        command: CommandBuilder,
        size: (u16, u16),
        home: tempfile::TempDir,
        shell: bool,
        answer: &'static str,
    ) -> Terminal {
        let pair = native_pty_system().openpty(pty_size(size)).unwrap();
        let before = settings(pair.master.as_ref());
        let reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let writer = Arc::new(Mutex::new(writer));
        let shared = Arc::new(ScreenState::default());
        shared.lock().screen.screen_mut().set_size(cells(size.1), cells(size.0));
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        let to = shared.clone();
        let back = Arc::downgrade(&writer);
        let reader = Some(std::thread::spawn(move || read(reader, &to, &back, answer)));
        Terminal { master: pair.master, writer, child, reader, shared, before, home, shell, started }
    }

    /// Returns the user's home.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Types; fails if the program does not read.
    #[track_caller]
    pub fn keys(&mut self, keys: &str) {
        let writer = self.writer.clone();
        let keys = keys.as_bytes().to_vec();
        let (typed, ended) = mpsc::channel();
        std::thread::spawn(move || typed.send(writer.lock().unwrap().write_all(&keys)));
        ended.recv_timeout(PATIENCE).expect("the program reads keys").unwrap();
    }

    /// Waits until the text is on the screen; returns how long it took.
    #[track_caller]
    pub fn until(&self, text: &str) -> Duration {
        self.until_screen(&format!("'{text}'"), |screen| screen.contents().contains(text))
    }

    #[track_caller]
    pub fn until_gone(&self, text: &str) -> Duration {
        self.until_screen(&format!("the end of '{text}'"), |screen| !screen.contents().contains(text))
    }

    /// Waits until the screen, between two frames, meets a condition.
    #[track_caller]
    pub fn until_screen(&self, what: &str, fits: impl Fn(&vt100::Screen) -> bool) -> Duration {
        let began = Instant::now();
        drop(self.wait(what, |state| state.is_whole() && fits(state.screen.screen())));
        began.elapsed()
    }

    /// Waits until the output meets a condition; returns it.
    #[track_caller]
    pub fn until_bytes(&self, what: &str, fits: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        self.wait(what, |state| fits(&state.bytes)).bytes.clone()
    }

    #[track_caller]
    fn wait(&self, what: &str, fits: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.shared.lock();
        while !fits(&state) {
            let rest = deadline.saturating_duration_since(Instant::now());
            let shown = || state.screen.screen().contents();
            assert!(!rest.is_zero() && !state.ended, "{what} did not come; on the screen:\n{}", shown());
            state = self.shared.news.wait_timeout(state, rest).unwrap().0;
        }
        state
    }

    /// Returns the row and the column of the terminal's cursor.
    pub fn cursor(&self) -> (u16, u16) {
        self.shared.lock().screen.screen().cursor_position()
    }

    pub fn text(&self) -> String {
        self.shared.lock().screen.screen().contents()
    }

    /// Returns all output so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.shared.lock().bytes.clone()
    }

    /// Presses a key that copies; returns the terminal's clipboard (OSC 52).
    #[track_caller]
    pub fn copied(&mut self, key: &str) -> String {
        let from = self.bytes().len();
        self.keys(key);
        let start = "\x1b]52;c;";
        let bytes = self.until_bytes("a copy", |bytes| {
            let text = String::from_utf8_lossy(&bytes[from..]);
            text.split_once(start).is_some_and(|(_, rest)| rest.contains('\x1b') || rest.contains('\x07'))
        });
        let text = String::from_utf8_lossy(&bytes[from..]).into_owned();
        let coded = text.split(start).nth(1).and_then(|rest| rest.split(['\x1b', '\x07']).next()).unwrap();
        String::from_utf8(base64(coded)).unwrap()
    }

    pub fn resize(&self, width: u16, height: u16) {
        let mut state = self.shared.lock();
        state.screen.screen_mut().set_size(cells(height), cells(width));
        self.master.resize(pty_size((width, height))).unwrap();
    }

    /// Resizes the terminal without resizing the screen kept here.
    pub fn resize_unseen(&self, width: u16, height: u16) {
        self.master.resize(pty_size((width, height))).unwrap();
    }

    /// Returns the program's process; under a shell, the shell's child.
    #[track_caller]
    pub fn pid(&self) -> Pid {
        let own = Pid::from_raw(i32::try_from(self.child.process_id().unwrap()).unwrap()).unwrap();
        if !self.shell {
            return own;
        }
        let parent = format!("PPid:\t{}", own.as_raw_nonzero());
        let mut found = None;
        eventually("a child of the shell", || {
            let numbers = fs::read_dir("/proc").unwrap().flatten();
            let ids = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
            found = ids.filter_map(Pid::from_raw).find(|&pid| {
                let status = fs::read_to_string(proc(pid, "status")).unwrap_or_default();
                status.lines().any(|line| line == parent) && status.starts_with("Name:\tmancalab")
            });
            found.is_some()
        });
        found.unwrap()
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Waits until the program has stopped, as by Ctrl-Z.
    #[track_caller]
    pub fn until_stopped(&self, pid: Pid) {
        eventually("a stop", || process_state(pid) == Some('T'));
    }

    /// Checks that the terminal is restored; returns the differences as an error.
    pub fn left_behind(&self) -> Result<(), Error> {
        let state = self.shared.lock();
        let screen = state.screen.screen();
        let now = settings(self.master.as_ref());
        let colours = [screen.fgcolor(), screen.bgcolor()].iter().any(|&colour| colour != vt100::Color::Default);
        let left = [
            (screen.alternate_screen(), "the alternate screen"),
            (screen.hide_cursor(), "no cursor"),
            (screen.bracketed_paste(), "bracketed paste"),
            (screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None, "the mouse"),
            (screen.mouse_protocol_encoding() != vt100::MouseProtocolEncoding::Default, "the mouse's encoding"),
            (screen.bold() || screen.inverse() || screen.underline() || colours, "a style"),
            (!state.is_whole(), "a synchronized update"),
            (now != self.before, "the terminal's settings"),
        ];
        let left: Vec<&str> = left.into_iter().filter(|(is_left, _)| *is_left).map(|(_, what)| what).collect();
        if left.is_empty() { Ok(()) } else { Err(format!("left behind: {}", left.join(", ")).into()) }
    }

    /// Kills the program, as `kill -9` does, and waits for its end.
    pub fn kill(mut self) {
        self.signal(Signal::KILL);
        self.child.wait().unwrap();
    }

    /// Waits for the end and checks that the terminal is restored.
    #[track_caller]
    pub fn end(mut self) -> End {
        let began = Instant::now();
        let shared = self.shared.clone();
        let mut status = None;
        let shown = || shared.lock().screen.screen().contents();
        eventually_or("the end of the program", shown, || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        let status = status.unwrap();
        let took = began.elapsed();
        eventually("the last of the output", || self.shared.lock().ended);
        assert_eq!(self.left_behind(), Ok(()));
        assert_eq!(status.signal(), None, "killed by a signal instead of exiting");
        End { status: status.exit_code(), took, bytes: self.bytes() }
    }

    /// Stops reading the program's output, as a hanging line does.
    #[track_caller]
    pub fn stop_reading(&mut self) {
        self.shared.lock().stop = true;
        let reader = self.reader.take().unwrap();
        // The reader waits for input, so help is opened and closed.
        eventually("the reader's end", || {
            self.keys("?");
            reader.is_finished()
        });
    }

    /// Cuts the line, as a closed window does.
    #[track_caller]
    pub fn hang_up(mut self) -> Cut {
        self.stop_reading();
        let Terminal { master, writer, child, home, .. } = self;
        drop((writer, master));
        Cut { since: Instant::now(), child, home }
    }
}

/// Waits until a condition holds.
#[track_caller]
pub fn eventually(what: &str, is_so: impl FnMut() -> bool) {
    eventually_or(what, String::new, is_so);
}

#[track_caller]
fn eventually_or(what: &str, output: impl Fn() -> String, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what} did not come; {}", output());
        std::thread::sleep(PAUSE);
    }
}

fn settings(master: &(dyn MasterPty + Send)) -> String {
    format!("{:?}", master.get_termios().unwrap())
}

fn pty_size((cols, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn cells(count: u16) -> std::num::NonZeroU16 {
    count.try_into().unwrap()
}

fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<usize> = text.bytes().filter_map(|byte| DIGITS.iter().position(|&digit| digit == byte)).collect();
    let word = |four: &[usize]| {
        let bits = four.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - four.len()));
        [bits >> 16, bits >> 8, bits].map(|byte| byte as u8)[..four.len() - 1].to_vec()
    };
    digits.chunks(4).flat_map(word).collect()
}
