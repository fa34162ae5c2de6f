//! What is wrong with runs, plans and the disk, reported once.

use std::collections::HashSet;
use std::fmt::Display;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use crossbeam_channel::bounded;
use mancalab_base::Error;

use super::Overview;
use crate::threads;

/// Time within which a failure of the user's command is reported: it occupies a thread that reads files.
const PATIENCE: Duration = Duration::from_millis(500);

/// The policy of a training chooses nearly always the same moves below this entropy.
pub(super) const LEAST_ENTROPY: f64 = 0.01;

/// What is wrong with a run, a plan or the disk.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Alarm {
    Crashed,
    /// Why.
    Failed(String),
    /// Its files cannot be read: why.
    Damaged(String),
    Stalled,
    /// A column of the newest row that is not a number.
    NotANumber(String),
    /// The policy of a training has become almost deterministic.
    NoEntropy,
}

impl Alarm {
    pub fn text(&self) -> String {
        match self {
            Alarm::Crashed => "its process was killed; it can be resumed".to_owned(),
            Alarm::Failed(why) | Alarm::Damaged(why) => why.clone(),
            Alarm::Stalled => "it has written no row for a long time".to_owned(),
            Alarm::NotANumber(column) => format!("{column} is not a number"),
            Alarm::NoEntropy => format!("the policy's entropy is below {LEAST_ENTROPY}"),
        }
    }
}

/// The alarms that were reported, so that each is reported once.
#[derive(Default)]
pub(crate) struct ReportedAlarms {
    known: HashSet<(PathBuf, Alarm)>,
    /// Damage seen for the first time in the last read: a run that is being deleted lacks some files for a moment.
    unsure: HashSet<PathBuf>,
    is_disk_known: bool,
    /// Whether anything was looked at before: older alarms are not reported.
    has_begun: bool,
}

impl ReportedAlarms {
    /// Returns the alarms that are new, in words.
    pub fn news(&mut self, seen: &Overview) -> Vec<String> {
        let mut news = Vec::new();
        // An alarm that is gone may come again.
        let before = std::mem::take(&mut self.known);
        let unsure = std::mem::take(&mut self.unsure);
        for one in &seen.all {
            let Some(alarm) = &one.alarm else { continue };
            let known = (one.saved.folder().to_owned(), alarm.clone());
            let is_damage = |(_, alarm): &(PathBuf, Alarm)| matches!(alarm, Alarm::Damaged(_));
            if self.has_begun && is_damage(&known) && !before.contains(&known) && !unsure.contains(&known.0) {
                self.unsure.insert(known.0);
                continue;
            }
            if self.has_begun && !before.contains(&known) {
                news.push(format!("{}: {}", one.saved.name(), alarm.text()));
            }
            self.known.insert(known);
        }
        let disk = seen.disk_alarm();
        if let Some(text) = disk.clone().filter(|_| !self.is_disk_known) {
            news.push(text);
        }
        (self.is_disk_known, self.has_begun) = (disk.is_some(), true);
        news
    }
}

/// Runs the user's command for an alarm, which it finds in `MANCALAB_ALARM`. Does not wait for one that takes longer than
/// [`PATIENCE`].
///
/// # Errors
/// The command cannot be started, or fails within that time.
pub(crate) fn run_command(command: &str, alarm: &str) -> Result<(), Error> {
    run_within(PATIENCE, command, alarm)
}

fn run_within(patience: Duration, command: &str, alarm: &str) -> Result<(), Error> {
    let failed = |why: &dyn Display| Error::from(format!("the command of ui.on_alarm failed: {why}: {command}"));
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).env("MANCALAB_ALARM", alarm);
    let mut child =
        shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|why| failed(&why))?;
    let (sender, ended) = bounded(1);
    // Waited for, so that nothing is left behind when it ends.
    threads::spawn("alarm", move || _ = sender.send(child.wait())).map_err(|why| failed(&why))?;
    match ended.recv_timeout(patience) {
        Ok(Ok(status)) if !status.success() => Err(failed(&status)),
        Ok(_) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_fails_is_reported() {
        let run = |command: &str| run_within(Duration::from_secs(60), command, "fire");
        assert_eq!(run("test $MANCALAB_ALARM = fire"), Ok(()));
        let error = run("exit 3").unwrap_err().to_string();
        assert_eq!(error, "the command of ui.on_alarm failed: exit status: 3: exit 3");
    }

    #[test]
    fn an_alarm_is_news_once_and_only_if_it_was_not_there_before() {
        let mut reported = ReportedAlarms::default();
        let full = Overview { free: Some(1 << 20), ..Overview::default() };
        assert_eq!(reported.news(&Overview::default()), [""; 0]);
        assert_eq!(reported.news(&full), ["The disk is nearly full: 1 MiB are free"]);
        assert_eq!(reported.news(&full), [""; 0]);
    }
}
