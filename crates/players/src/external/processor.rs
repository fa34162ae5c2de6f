//! Processor time of another process, from the files of Linux.

use std::fs;
use std::time::Duration;

use rustix::process::Pid;

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
