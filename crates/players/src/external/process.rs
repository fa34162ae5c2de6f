//! A program that another process runs, with lines in both directions.
//!
//! The program and its children form a process group of their own, which is killed when the value is dropped and when this
//! program exits ([`end_all`]). If this program is killed, a guard kills the group.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, thread};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::{sanitize, threads};

/// Maximum length of a line, in bytes; the rest of a longer one is dropped.
const LONGEST_LINE: u64 = 1 << 16;

/// Lines that wait to be read; a program that writes faster has to wait.
const WAITING: usize = 256;

/// Time for a program to end after `quit` and the end of its input.
const PATIENCE: Duration = Duration::from_millis(200);

/// The process groups of running programs.
static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Kills all programs that players have started, before this process exits without dropping the players.
pub fn end_all() {
    for group in GROUPS.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The guard's command: reads the number of a process group, waits for the end of its input, which is the end of this program, and
/// kills the group.
const GUARD: &str = "read -r group && { read -r _; kill -9 \"-$group\"; }";

/// A running program.
pub struct Process {
    child: Child,
    group: Pid,
    /// The lines that ask it to end.
    farewell: &'static [&'static str],
    /// A process that ends before the group does, or kills it.
    guard: Child,
    /// `None` once the input has ended. Writing never blocks.
    input: Option<ChildStdin>,
    /// What the program has not taken yet, and since when there is any.
    unread: Vec<u8>,
    unread_since: Option<Instant>,
    lines: Receiver<String>,
}

/// What a program has written.
pub enum Output {
    Line(String),
    Nothing,
    /// The end of its output.
    End,
}

impl Process {
    /// Starts a shell command, which the lines `farewell` ask to end, besides the end of its input. Its standard error is discarded.
    ///
    /// # Errors
    /// The system's error.
    pub fn start(command: &str, farewell: &'static [&'static str]) -> io::Result<Process> {
        // The guard is there first, so that it only has to read the group's number.
        let mut guard = guard()?;
        let started = start(command).and_then(|mut child| {
            let group = Pid::from_child(&child);
            if let (Some(guard), Some(program)) = (&mut guard.stdin, &mut child.stdin) {
                writeln!(guard, "{}", group.as_raw_nonzero())?;
                // The program waits for this line: if this process is killed before, it never starts.
                writeln!(program)?;
            }
            Ok((child, group))
        });
        let (mut child, group) = started.inspect_err(|_| {
            let _ = guard.kill();
            let _ = guard.wait();
        })?;
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).push(group);
        let (sender, lines) = mpsc::sync_channel(WAITING);
        let input = child.stdin.take();
        let output = child.stdout.take();
        if let Some(input) = &input {
            fcntl_setfl(input, fcntl_getfl(input)? | OFlags::NONBLOCK)?;
        }
        let process = Process { child, group, farewell, guard, input, unread: Vec::new(), unread_since: None, lines };
        let reader = move || output.into_iter().for_each(|output| read_lines(output, &sender));
        threads::spawn("engine", reader)?;
        Ok(process)
    }

    /// Sends lines, as far as the program takes them now; [`flush`](Process::flush) sends the rest. A program that has closed its
    /// input is found by the end of its output.
    pub fn send(&mut self, lines: &[String]) {
        lines.iter().for_each(|line| self.unread.extend(format!("{line}\n").bytes()));
        self.flush();
    }

    /// Sends what the program takes now. Returns whether it has taken everything.
    pub fn flush(&mut self) -> bool {
        while let Some(input) = self.input.as_mut().filter(|_| !self.unread.is_empty()) {
            match input.write(&self.unread) {
                Ok(count @ 1..) => drop(self.unread.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.unread_since.get_or_insert_with(Instant::now);
                    return false;
                }
                Ok(0) | Err(_) => self.input = None,
            }
        }
        self.unread_since = None;
        true
    }

    /// Returns for how long the program has not read what was sent.
    pub fn unread_for(&self) -> Duration {
        self.unread_since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Leaves out of account a time in which the program was not waited for.
    pub fn forgive(&mut self, pause: Duration) {
        self.unread_since = self.unread_since.map(|since| since + pause);
    }

    /// Returns the next line within `time`.
    pub fn receive(&self, time: Duration) -> Output {
        match self.lines.recv_timeout(time) {
            Ok(line) => Output::Line(line),
            Err(RecvTimeoutError::Timeout) => Output::Nothing,
            Err(RecvTimeoutError::Disconnected) => Output::End,
        }
    }

    /// Returns the processor time of the program and its children; `None` if the system does not show it.
    pub fn processor_time(&self) -> Option<Duration> {
        time(self.group)
    }

    /// Ends the program and returns how it ended, in words.
    pub fn end(mut self) -> String {
        let status = self.wait();
        let code = status.and_then(|status| status.code());
        match (code, status.and_then(|status| status.signal())) {
            (Some(127), _) => "exited with status 127: the shell did not find the command".to_owned(),
            (Some(code), _) => format!("exited with status {code}"),
            (_, Some(signal)) => format!("was ended by signal {signal}"),
            (None, None) => "closed its output".to_owned(),
        }
    }

    /// Waits a little for the program to end by itself; returns its status if it does.
    fn wait(&mut self) -> Option<ExitStatus> {
        let began = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(None) if began.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(2)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let farewell: Vec<String> = self.farewell.iter().map(|line| (*line).to_owned()).collect();
        self.send(&farewell);
        self.input = None;
        self.wait();
        // Before the group, whose number may then be another's.
        let _ = self.guard.kill();
        let _ = self.guard.wait();
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = self.child.wait();
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).retain(|group| *group != self.group);
    }
}

/// Starts a shell command in a process group of its own.
fn start(command: &str) -> io::Result<Child> {
    let mut shell = Command::new("/bin/sh");
    // A shell reads a line byte by byte: what follows it is the program's.
    shell.arg("-c").arg(format!("read -r _ || exit\n{command}")).process_group(0);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
}

/// Starts the guard of a process group, in a group of its own, so that no signal of the terminal reaches it.
fn guard() -> io::Result<Child> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", GUARD]).process_group(0);
    // The other end of its input stays open in this process alone.
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// Passes the lines of a program on until it ends or nothing reads them.
fn read_lines(output: ChildStdout, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_cut = line.last() != Some(&b'\n') && line.len() as u64 == LONGEST_LINE;
        if is_cut && output.skip_until(b'\n').is_err() {
            return;
        }
        let text = String::from_utf8_lossy(&line).replace('\t', " ");
        if lines.send(sanitize::inline(text.trim()).into_owned()).is_err() {
            return;
        }
    }
}

/// Ticks a second in `/proc`, the same on every Linux machine.
const TICKS: u64 = 100;

/// Most processes of a program that are counted.
const MOST: usize = 64;

/// Returns the processor time that a process and its children have used; `None` on systems without `/proc`.
pub(super) fn time(pid: Pid) -> Option<Duration> {
    let mut waiting = vec![pid.as_raw_nonzero().get()];
    let mut ticks = None;
    let mut counted = 0;
    while let Some(pid) = waiting.pop().filter(|_| counted < MOST) {
        counted += 1;
        if let Some(own) = fs::read_to_string(format!("/proc/{pid}/stat")).ok().as_deref().and_then(ticks_of) {
            ticks = Some(ticks.unwrap_or(0) + own);
        }
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        waiting.extend(children.split_whitespace().filter_map(|child| child.parse::<i32>().ok()));
    }
    ticks.map(|ticks: u64| Duration::from_millis(ticks * 1000 / TICKS))
}

/// The ticks in user and system mode, of the process and of children that have ended. The name of the program, in
/// parentheses, may contain anything.
fn ticks_of(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<u64> = fields.split_whitespace().skip(11).take(4).filter_map(|field| field.parse().ok()).collect();
    (fields.len() == 4).then(|| fields.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_behind_the_name_are_read() {
        let stat = "7 (a) b (c)) S 1 7 7 0 -1 4194560 100 200 0 0 5 6 7 8 20 0 1 0 9 10";
        assert_eq!(ticks_of(stat), Some(26));
        assert_eq!(ticks_of("7 (a) S 1"), None);
    }
}
