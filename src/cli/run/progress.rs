//! What a command that drives a run prints: a live line or permanent lines, rows in JSON, and the end, which in CSV and Markdown is the
//! table of rows.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use mancalab_base::{Error, csv};
use serde::Serialize;
use serde_json::Value;

use super::Reporter;
use crate::budget::Job as _;
use crate::cli::format::Format;
use crate::cli::live::{Live, clock};
use crate::cli::out;
use crate::grid::Grid;
use crate::job::measured::Measured;
use crate::job::run_dir::ROWS;
use crate::job::{Manifest, RunJob};
use crate::measuring::{PanelResult, Strength};
use crate::sanitize;

/// Maximum time between plain lines.
const SILENCE: Duration = Duration::from_secs(10);

/// The path of the run's folder; empty for a run in memory.
fn folder(job: &RunJob) -> String {
    job.folder().map(|folder| folder.display().to_string()).unwrap_or_default()
}

/// The command that resumes the run from its current folder; `None` if it cannot be resumed.
pub(super) fn resume_command(job: &RunJob) -> Option<String> {
    let folder = job.goes_on_at()?;
    Some(format!("mancalab runs resume {}", sanitize::shell_path(folder)))
}

/// How a run that was stopped goes on; `None` if it cannot.
fn advice(job: &RunJob) -> Option<String> {
    let go_on = resume_command(job)?;
    Some(match job.view().saved {
        Some(_) => format!("saved; resume with: {go_on}"),
        None => format!("stopped before the first save; start again with: {go_on}"),
    })
}

/// The start of a command on a run, for estimating the time left.
pub struct Pace {
    began: Instant,
    /// Generations completed before `began`.
    before: u64,
}

impl Pace {
    /// Estimated seconds until `of` generations have ended, given that `ended` have. `None` if none has ended since the
    /// start.
    pub fn seconds_left(&self, ended: u64, count: u64) -> Option<f64> {
        let since = ended.checked_sub(self.before).filter(|since| *since > 0)?;
        Some(count.saturating_sub(ended) as f64 * self.began.elapsed().as_secs_f64() / since as f64)
    }
}

/// Prints a reporter's output when it is due.
pub(super) struct ProgressPrinter<T> {
    pub reporter: T,
    format: Format,
    /// The live line, on a terminal.
    live: Live,
    /// Generations printed in JSON, or completed before the start.
    generations_shown: usize,
    /// Measurements printed, or made before the start.
    measurements_shown: usize,
    spoke: Instant,
    pace: Pace,
}

impl<T: Reporter> ProgressPrinter<T> {
    pub fn begin(reporter: T, format: Format, job: &RunJob) -> ProgressPrinter<T> {
        let run = job.run();
        let manifest = job.settings().manifest();
        let marked = manifest.preset_marked();
        let Manifest { preset, seed, generations, .. } = manifest;
        if format == Format::Json {
            let folder = folder(job);
            let resumed_at = run.generation();
            let begin = Begin { preset: &preset, seed, generations, folder: &folder, resumed_at };
            out::json(T::COMMAND, &Event { event: "begin", common: begin, more: reporter.begun(job.settings()) });
        } else if job.folder().is_some() {
            let text = format!("{} · seed {seed} · {}", sanitize::inline(&marked), sanitize::inline(&folder(job)));
            if format == Format::Text { reporter.say(&text) } else { out::report(&text) }
        }
        let now = Instant::now();
        let before = run.generation().map_or(0, |last| last + 1);
        // JSON on the same terminal already shows all progress.
        let live = if format == Format::Json && io::stdout().is_terminal() { Live::hidden() } else { Live::new() };
        let pace = Pace { began: now, before };
        let measurements_shown = run.view().measured().count();
        ProgressPrinter {
            reporter,
            format,
            live,
            generations_shown: before as usize,
            measurements_shown,
            spoke: now,
            pace,
        }
    }

    /// Prints what is due of a view, and the results against the panel if there are new ones. Rows wait until the newest
    /// generation is complete, so that they have its results.
    pub fn progress(&mut self, view: &T::View, measured: &Measured, job: &RunJob) {
        let strength = (measured.count() > self.measurements_shown).then(|| Strength::new(measured));
        self.measurements_shown = measured.count();
        if matches!(self.format, Format::Csv | Format::Md) {
            self.live.show(|| Some(self.reporter.live(view, &self.pace)?.within(job.time())));
            return;
        }
        if self.format == Format::Json {
            // A generation that is being measured is not complete.
            let rows = if job.run().generation().is_some() {
                self.reporter.rows(view, self.generations_shown)
            } else {
                Vec::new()
            };
            for mut row in rows {
                strength.iter().for_each(|strength| add_panel(&mut row, strength));
                out::json(T::COMMAND, &row);
                self.generations_shown += 1;
            }
            self.live.show(|| Some(self.reporter.live(view, &self.pace)?.within(job.time())));
            return;
        }
        if let Some(text) = strength.and_then(|strength| strength.in_a_line()) {
            self.live.above(|| self.reporter.say(&format!("panel: {text}")));
        }
        if self.live.is_shown() {
            if let Some(news) = self.reporter.news(view) {
                self.live.above(|| self.reporter.say(&news));
            }
            // SIGHUP reports a closed terminal.
            self.live.show(|| Some(self.reporter.live(view, &self.pace)?.within(job.time())));
            return;
        }
        let is_due = self.reporter.is_news(view) || self.spoke.elapsed() >= SILENCE;
        let Some(text) = is_due.then(|| self.reporter.progress(view, &self.pace)).flatten() else { return };
        self.spoke = Instant::now();
        self.reporter.say(&text);
    }

    /// Prints the rows of the generations since the start, with the columns of the run's file.
    fn print_rows(&self, job: &RunJob) {
        let Some(path) = job.folder().map(|folder| folder.join(ROWS)) else { return };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            // A run that was stopped before its first save has none.
            Err(_) if !path.exists() => return,
            Err(error) => return out::report(&format!("mancalab: {}", Error::cannot("read", &path)(error))),
        };
        let mut lines = csv::rows(&text).into_iter().map(|(_, row)| row);
        let head = lines.next().unwrap_or_default();
        let rows: Vec<Vec<String>> = lines.skip(self.pace.before as usize).collect();
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let table = Grid::new(&head, &(0..head.len()).collect::<Vec<_>>(), rows);
        out::result(&if self.format == Format::Md { table.markdown() } else { table.csv() });
    }

    pub fn end(&self, job: &RunJob, view: &T::View, finished: bool) {
        self.live.clear();
        if matches!(self.format, Format::Csv | Format::Md) {
            self.print_rows(job);
            if !finished && job.error().is_none() {
                advice(job).iter().for_each(|text| out::report(text));
            }
            return;
        }
        if self.format == Format::Json {
            let seconds = self.pace.began.elapsed().as_secs_f64();
            let common = End { finished, seconds };
            let more = self.reporter.ended(view, job.folder());
            out::json(T::COMMAND, &Event { event: "end", common, more });
            return;
        }
        if finished && job.folder().is_some() {
            // The time of a resumed run's earlier part is not known here.
            let took = (self.pace.before == 0).then(|| self.pace.began.elapsed().as_secs_f64());
            let took = took.map_or(String::new(), |seconds| format!(" in {}", clock(seconds)));
            let rule = job.ended_by().map_or(String::new(), |rule| format!(" by {rule}"));
            self.reporter.say(&format!("finished{rule}{took}"));
        }
        self.reporter.end(view, job.folder());
        if finished || job.folder().is_none() || job.error().is_some() {
            return;
        }
        advice(job).iter().for_each(|text| self.reporter.say(text));
    }
}

/// The results against a player of a panel, as shares of the points.
#[derive(Serialize)]
pub struct Against {
    player: String,
    /// Whether the run trains against this player; absent if it trains against no players, or is not of `train`.
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<bool>,
    moving_first: f64,
    moving_second: f64,
}

impl Against {
    pub fn new(player: String, seen: Option<bool>, results: &PanelResult) -> Against {
        let [moving_first, moving_second] = [0, 1].map(|seat| results.percent(seat) / 100.0);
        Against { player, seen, moving_first, moving_second }
    }
}

/// Adds the results against the panel to the object of a generation, if it was measured.
fn add_panel(row: &mut Value, strength: &Strength) {
    let generation = row["generation"].as_u64();
    let Some((_, results)) = strength.results.iter().rev().find(|(measured, _)| Some(*measured) == generation) else {
        return;
    };
    let players = strength.players.iter().cloned().zip(results);
    row["panel"] = players.map(|(player, results)| out::value(&Against::new(player, None, results))).collect();
}

/// A line of `--json`: the event, the fields of every kind of run, and those of this kind.
#[derive(Serialize)]
struct Event<T> {
    event: &'static str,
    #[serde(flatten)]
    common: T,
    #[serde(flatten)]
    more: Value,
}

#[derive(Serialize)]
struct Begin<'a> {
    preset: &'a str,
    seed: u64,
    generations: u64,
    folder: &'a str,
    /// The newest complete generation.
    resumed_at: Option<u64>,
}

#[derive(Serialize)]
struct End {
    finished: bool,
    seconds: f64,
}

/// A line of `--json` with only these fields.
pub fn event(event: &'static str, common: &impl Serialize) -> Value {
    out::value(&Event { event, common, more: Value::Object(serde_json::Map::new()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_since_the_command_began() {
        let pace = Pace { began: Instant::now() - Duration::from_secs(10), before: 5 };
        assert_eq!(pace.seconds_left(5, 20), None);
        let left = pace.seconds_left(10, 20).unwrap();
        assert!((20.0..21.0).contains(&left), "{left}");
        assert_eq!(pace.seconds_left(20, 20), Some(0.0));
    }
}
