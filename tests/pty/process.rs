//! Process information from the kernel: state and resource usage.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::Pid;

/// Returns the path of a file in the process's `/proc` folder.
pub fn proc(pid: Pid, file: &str) -> PathBuf {
    PathBuf::from(format!("/proc/{}/{file}", pid.as_raw_nonzero()))
}

/// Returns the letter of the process's state; `None` for ended processes, including zombies.
pub fn process_state(pid: Pid) -> Option<char> {
    let stat = fs::read_to_string(proc(pid, "stat")).ok()?;
    // The name before it is in parentheses and may contain anything.
    stat.rsplit_once(')')?.1.trim_start().chars().next().filter(|&state| state != 'Z' && state != 'X')
}

/// Returns whether the process's first thread, which draws, is in a system call that waits for the terminal: write(2),
/// or ppoll(2), which it uses at no other time.
pub fn waits_for_terminal(pid: Pid) -> bool {
    // The numbers of the two calls, on x86-64 and elsewhere.
    let waits = ["1 ", "271 ", "64 ", "73 "];
    fs::read_to_string(proc(pid, "syscall")).is_ok_and(|call| waits.iter().any(|number| call.starts_with(number)))
}

/// Returns the processor time of the process so far, from the scheduler's own count where available: the usual one has
/// ticks of 10 ms.
pub fn cpu_time(pid: Pid) -> Duration {
    let exact: Option<u64> = per_thread(pid, "schedstat", |text| text.split(' ').next()?.parse().ok());
    if let Some(nanoseconds) = exact {
        return Duration::from_nanos(nanoseconds);
    }
    let stat = fs::read_to_string(proc(pid, "stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks: u64 = fields[11..=12].iter().map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

/// Returns the processor time of the process's first thread, which draws, if the kernel counts it exactly; else zero.
pub fn drawing_time(pid: Pid) -> Duration {
    let text = fs::read_to_string(proc(pid, &format!("task/{}/schedstat", pid.as_raw_nonzero()))).unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0))
}

/// Returns how often the process's threads went to sleep so far: each wake-up adds one.
pub fn wake_ups(pid: Pid) -> u64 {
    let sleeps =
        |text: &str| text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?.trim().parse().ok();
    per_thread(pid, "status", sleeps).unwrap()
}

/// Returns the sum over the process's threads, without those that end meanwhile. `None` if a thread's file does not
/// parse.
fn per_thread(pid: Pid, file: &str, value: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    let threads = fs::read_dir(proc(pid, "task")).ok()?.flatten();
    let texts = threads.filter_map(|thread| fs::read_to_string(thread.path().join(file)).ok());
    texts.map(|text| value(&text)).sum()
}

/// Returns the resident memory of the process, in bytes.
pub fn memory(pid: Pid) -> u64 {
    let status = fs::read_to_string(proc(pid, "status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").trim().parse().unwrap_or(0) << 10
}
