//! A server, and people who come with a real OpenSSH client on a pseudo-terminal.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

/// Timeout of a wait, generous for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

const PAUSE: Duration = Duration::from_millis(5);

/// Whether an OpenSSH client is installed; says so if a test is skipped.
pub fn has_ssh(test: &str) -> bool {
    has_program(test, "ssh") && has_program(test, "ssh-keygen")
}

/// Whether a program is installed; says so if a test is skipped.
pub fn has_program(test: &str, program: &str) -> bool {
    let has = Command::new(program).arg("-V").output().is_ok();
    if !has {
        println!("{test}: skipped, because {program} is not installed");
    }
    has
}

/// The server in a folder of its own. Dropping it kills it.
pub struct Server {
    child: Child,
    pub port: u16,
    home: tempfile::TempDir,
}

impl Server {
    pub fn start(args: &[&str]) -> Server {
        Server::within(tempfile::tempdir().unwrap(), args)
    }

    /// Starts with this config, for everybody.
    pub fn with_config(config: &str, args: &[&str]) -> Server {
        Server::under(&[], config, args)
    }

    /// The same, by a command that runs the program, such as `sh -c 'ulimit -f 1; exec "$@"' sh`.
    pub fn under(command: &[&str], config: &str, args: &[&str]) -> Server {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("mancalab")).unwrap();
        fs::write(home.path().join("mancalab/config.toml"), config).unwrap();
        Server::run(command, home, &[&["--anonymous"], args].concat())
    }

    /// Starts with what is in the folder, such as keys.
    pub fn within(home: tempfile::TempDir, args: &[&str]) -> Server {
        Server::run(&[], home, args)
    }

    fn run(before: &[&str], home: tempfile::TempDir, args: &[&str]) -> Server {
        let words = [before, &[env!("CARGO_BIN_EXE_mancalab")]].concat();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(["serve", "ssh", "--listen", "127.0.0.1:0"]).args(args);
        command.env_clear().current_dir(home.path());
        if !before.is_empty() {
            // Messages of the other command, and of an end that the test wants.
            command.stderr(Stdio::null());
        }
        command.env("HOME", home.path()).env("XDG_CONFIG_HOME", home.path()).env("XDG_STATE_HOME", home.path());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.split("127.0.0.1:").nth(1).and_then(|rest| rest.split(',').next()).map(str::parse);
        Server { child, port: port.unwrap_or_else(|| panic!("{line}")).unwrap(), home }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.file("mancalab/mancalab.log")).unwrap()
    }

    /// The texts of the games that were kept.
    pub fn games(&self) -> Vec<String> {
        let entries = fs::read_dir(self.file("mancalab/games")).into_iter().flatten().flatten();
        entries.map(|entry| fs::read_to_string(entry.path()).unwrap()).collect()
    }

    /// The kept games, once there are as many: a thread of the server writes them after the people have seen the end.
    pub fn games_when(&self, count: usize) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        while self.games().len() < count && Instant::now() < deadline {
            std::thread::sleep(PAUSE);
        }
        self.games()
    }

    /// A key of OpenSSH, made on first use.
    pub fn key(&self, name: &str) -> PathBuf {
        make_key(self.home.path(), name)
    }

    /// The arguments of ssh for a person with this key; without one, no key is offered.
    pub fn ssh(&self, name: &str, key: Option<&Path>) -> Vec<String> {
        let mut args: Vec<String> =
            ["-F", "none", "-o", "LogLevel=ERROR", "-o", "IdentitiesOnly=yes"].map(str::to_owned).into();
        for option in ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "GlobalKnownHostsFile=/dev/null"] {
            args.extend(["-o".to_owned(), option.to_owned()]);
        }
        let file = key.unwrap_or(Path::new("/dev/null")).display().to_string();
        args.extend(["-i".to_owned(), file, "-p".to_owned(), self.port.to_string(), format!("{name}@127.0.0.1")]);
        args
    }

    /// Starts ssh without a channel from one of the machine's own addresses: a connection that gets no session.
    pub fn idle_ssh(&self, address: &str, name: &str) -> Idle {
        let mut command = Command::new("ssh");
        command.env("HOME", self.home.path()).env_remove("SSH_AUTH_SOCK");
        command.args(["-N", "-b", address]).args(self.ssh(name, None));
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Idle(child.unwrap())
    }

    /// Waits until the log meets a condition.
    #[track_caller]
    pub fn until_log(&self, what: &str, fits: impl Fn(&str) -> bool) {
        eventually(what, || fits(&self.log()), || self.log());
    }

    /// A line of the limits of the server's process, such as `Max file size`: the number in force.
    pub fn process_limit(&self, name: &str) -> String {
        let limits = fs::read_to_string(format!("/proc/{}/limits", self.child.id())).unwrap();
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{limits}"));
        line.split_whitespace().next().unwrap().to_owned()
    }

    /// The signal that ended the server, once it has ended.
    #[track_caller]
    pub fn ended(&mut self) -> Option<i32> {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.signal();
            }
            assert!(began.elapsed() < PATIENCE, "the server goes on");
            std::thread::sleep(PAUSE);
        }
    }

    /// Runs ssh without a terminal; returns its status and both outputs.
    pub fn run_ssh(&self, before: &[&str], name: &str, key: Option<&Path>, after: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new("ssh");
        command.env("HOME", self.home.path()).env_remove("SSH_AUTH_SOCK");
        command.args(before).args(self.ssh(name, key)).args(after).stdin(Stdio::null());
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    }

    /// The number of the server's threads.
    pub fn threads(&self) -> usize {
        fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap().count()
    }

    /// The server's memory without that of files, in KiB.
    pub fn memory(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Ends the server by SIGTERM; returns its exit code and the time that it took.
    pub fn terminate(&mut self) -> (Option<i32>, Duration) {
        let began = Instant::now();
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        let status = self.child.wait().unwrap();
        (status.code(), began.elapsed())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An ssh that opens no channel. Dropping it kills it.
pub struct Idle(Child);

impl Idle {
    pub fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }
}

impl Drop for Idle {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits for a condition; `shown` is in the message of the failure.
#[track_caller]
pub fn eventually(what: &str, mut fits: impl FnMut() -> bool, shown: impl Fn() -> String) {
    let began = Instant::now();
    while !fits() {
        assert!(began.elapsed() < PATIENCE, "{what} does not come:\n{}", shown());
        std::thread::sleep(PAUSE);
    }
}

pub fn make_key(folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(format!("key_{name}"));
    if !file.exists() {
        let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&file).status();
        assert!(made.unwrap().success());
    }
    file
}

/// Finds the requests for a status report in a stream.
#[derive(Default)]
struct Requests {
    /// The bytes of a request that have come.
    matched: usize,
}

impl Requests {
    fn count(&mut self, bytes: &[u8]) -> usize {
        const REQUEST: &[u8] = b"\x1b[5n";
        let mut found = 0;
        for &byte in bytes {
            self.matched =
                if REQUEST[self.matched] == byte { self.matched + 1 } else { usize::from(byte == REQUEST[0]) };
            if self.matched == REQUEST.len() {
                (self.matched, found) = (0, found + 1);
            }
        }
        found
    }
}

/// A person at a terminal with ssh on it. Dropping it kills ssh.
pub struct Guest {
    name: String,
    _master: Box<dyn MasterPty + Send>,
    typing: Arc<Mutex<Box<dyn std::io::Write + Send>>>,
    screen: Arc<Mutex<vt100::Parser>>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
}

impl Guest {
    pub fn join(server: &Server, name: &str, key: Option<&Path>) -> Guest {
        Guest::join_from(server, "127.0.0.1", name, key)
    }

    /// Joins from one of the machine's own addresses.
    pub fn join_from(server: &Server, address: &str, name: &str, key: Option<&Path>) -> Guest {
        Guest::connect(server, address, (80, 24), name, key)
    }

    /// Joins on a terminal of this many columns and rows.
    pub fn join_on(server: &Server, size: (u16, u16), name: &str) -> Guest {
        Guest::connect(server, "127.0.0.1", size, name, None)
    }

    fn connect(server: &Server, address: &str, (cols, rows): (u16, u16), name: &str, key: Option<&Path>) -> Guest {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new("ssh");
        command.args(["-b", address]);
        command.args(server.ssh(name, key));
        command.env("TERM", "xterm-256color");
        command.env("HOME", server.home.path());
        command.env_remove("SSH_AUTH_SOCK");
        let child = pair.slave.spawn_command(command).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0)));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let shown = Arc::clone(&screen);
        let typing = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let back = Arc::downgrade(&typing);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            let mut requests = Requests::default();
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                shown.lock().unwrap().process(&bytes[..count]);
                let reports = "\x1b[0n".repeat(requests.count(&bytes[..count]));
                let Some(back) = back.upgrade() else { return };
                let _ = back.lock().unwrap().write_all(reports.as_bytes());
            }
        });
        Guest { name: name.to_owned(), _master: pair.master, typing, screen, child }
    }

    pub fn types(&mut self, keys: &str) {
        self.typing.lock().unwrap().write_all(keys.as_bytes()).unwrap();
    }

    pub fn sees(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    #[track_caller]
    pub fn until(&self, text: &str) {
        self.wait(text, |screen| screen.contains(text));
    }

    #[track_caller]
    pub fn wait(&self, what: &str, fits: impl Fn(&str) -> bool) {
        let began = Instant::now();
        while !fits(&self.sees()) {
            assert!(began.elapsed() < PATIENCE, "{} does not see '{what}':\n{}", self.name, self.sees());
            std::thread::sleep(PAUSE);
        }
    }

    /// Waits for a while until the screen differs from this; returns whether it does.
    pub fn changes_from(&self, before: &str, time: Duration) -> bool {
        let began = Instant::now();
        while self.sees() == before {
            if began.elapsed() > time {
                return false;
            }
            std::thread::sleep(PAUSE);
        }
        true
    }

    /// Breaks the line: the client is killed and says nothing more.
    pub fn breaks(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The exit status of ssh, once it has ended.
    #[track_caller]
    pub fn ended(&mut self) -> u32 {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(began.elapsed() < PATIENCE, "ssh of {} goes on:\n{}", self.name, self.sees());
            std::thread::sleep(PAUSE);
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
