//! The status line above every run: state, progress, remaining time, best result, and time spent.
//!
//! Narrow screens leave out the least important parts, each as a whole. Wide screens label the numbers.

use std::time::Duration;

use ratatui::text::{Line, Span};

use crate::app::tab::Badge;
use crate::theme::Role;
use crate::ui::{Look, duration, fit, short_count};

/// The progress of a run, as the status line shows it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Status {
    /// The unit of progress, such as `generation`.
    pub unit: &'static str,
    /// The newest generation and the last one, or numbers of games. `None` before the first.
    pub generation: Option<u64>,
    pub to: u64,
    /// Completed generations, and the completed part of the current one.
    pub done: f64,
    /// The total number of generations.
    pub total: f64,
    /// The part of the current generation in progress, such as `pairing 611 of 1275`; empty without one.
    pub step: String,
    /// The best result in short, such as `best 6420 in 71`.
    pub best: String,
    /// The rate per second, and its unit, such as `evals/s`.
    pub rate: Option<(f64, &'static str)>,
    /// Time spent, without pauses; `None` if unknown.
    pub spent: Option<Duration>,
}

impl Status {
    /// The status of a run with the newest generation `generation` of `of`, both counted from 0, and the part `within` of the next
    /// one.
    pub fn of_generations(generation: Option<u64>, of: u64, within: f64) -> Status {
        Status {
            unit: "generation",
            generation,
            to: of,
            done: generation.map_or(0.0, |generation| generation as f64 + 1.0) + within,
            total: of as f64 + 1.0,
            ..Status::default()
        }
    }

    /// Returns the completed share, 0 to 1.
    pub fn share(&self) -> f64 {
        if self.total > 0.0 { (self.done / self.total).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// The state of a run, besides its [`Status`].
pub struct HeaderStatus<'a> {
    pub state: Word,
    /// The process that writes the run while it is watched here.
    pub writer: Option<&'a str>,
    /// The error that stopped the run.
    pub error: Option<&'a str>,
    /// The estimated remaining time; `None` if unknown.
    pub left: Option<Duration>,
    /// The age of the newest checkpoint.
    pub saved: Option<Duration>,
}

/// The state of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    Running,
    Paused,
    Finished,
    /// An error ended it.
    Failed,
    Watching,
    /// Watched, and no process writes it.
    Stopped,
    /// The same, and its process was killed.
    Crashed,
    /// A plan of which no unit was started.
    New,
}

impl Word {
    pub fn text(self) -> &'static str {
        match self {
            Word::Running => "running",
            Word::Paused => "paused",
            Word::Finished => "finished",
            Word::Stopped => "stopped",
            Word::Failed => "failed",
            Word::Watching => "watching",
            Word::Crashed => "crashed",
            Word::New => "new",
        }
    }

    pub fn mark(self, look: &Look) -> (&'static str, Role) {
        match self {
            Word::Running | Word::Watching => (look.glyphs.pointer, Role::Good),
            Word::Paused => (look.glyphs.pause, Role::Warning),
            Word::Stopped => (look.glyphs.dot, Role::Dim),
            Word::Crashed => ("?", Role::Warning),
            Word::New => ("+", Role::Dim),
            Word::Finished => (look.glyphs.check, Role::Good),
            Word::Failed => (look.glyphs.cross, Role::Bad),
        }
    }

    /// Whether the run progresses, here or in another process.
    pub fn goes_on(self) -> bool {
        matches!(self, Word::Running | Word::Watching)
    }

    pub fn badge(self, share: f64) -> Option<Badge> {
        match self {
            Word::Running | Word::Watching => Some(Badge::Running(share)),
            Word::Paused => Some(Badge::Paused(share)),
            Word::Finished => Some(Badge::Finished),
            Word::Failed => Some(Badge::Failed),
            Word::Stopped | Word::Crashed | Word::New => None,
        }
    }
}

/// The width in cells from which numbers are labelled.
const WIDE: u16 = 100;

/// Returns the line in at most `cells`.
pub fn line(header_status: &HeaderStatus<'_>, status: Option<&Status>, cells: u16, look: &Look) -> Line<'static> {
    let HeaderStatus { state, writer, error, left, saved } = header_status;
    let wide = cells >= WIDE;
    let (mark, role) = state.mark(look);
    // The host is the least important part of the writer.
    let (process, host) = writer.map(|writer| writer.split_once(" on ").unwrap_or((writer, ""))).unwrap_or_default();
    let word = match (state, writer) {
        // On narrow screens the mark alone shows that a run is running.
        (Word::Running, _) if !wide => String::new(),
        (Word::Watching, Some(_)) if wide => format!(" watching {process}"),
        (state, _) => format!(" {}", state.text()),
    };
    let mut parts = vec![(0, look.span(role, format!("{mark}{word}")))];
    let mut push = |rank: u8, role: Role, text: String| parts.push((rank, look.span(role, text)));
    if let Some(error) = error {
        push(0, Role::Bad, (*error).to_owned());
    }
    let Some(status) = status else { return fitted(parts, cells, look) };
    let spent = status.spent.filter(|spent| *spent > Duration::ZERO);
    if *state == Word::Finished {
        spent.into_iter().for_each(|spent| push(2, Role::Text, format!("took {}", duration(spent))));
    } else {
        push(1, Role::Text, percent(status.share()));
        let room = if wide && writer.is_none() { 16 } else { 8 };
        push(6, Role::Gauge, gauge(status.share(), room, look));
    }
    let at = status.generation.map_or("-".to_owned(), |at| at.to_string());
    let to = count(status.to);
    push(
        if *state == Word::Finished { 3 } else { 2 },
        Role::Text,
        if wide { format!("{} {at} of {to}", status.unit) } else { format!("{at}/{to}") },
    );
    match left {
        _ if !state.goes_on() => {}
        Some(left) => push(3, Role::Text, format!("{} left", duration(*left))),
        None => push(3, Role::Dim, "? left".to_owned()),
    }
    if !status.best.is_empty() {
        push(if *state == Word::Finished { 1 } else { 4 }, Role::Accent, look.with_minus_signs(&status.best));
    }
    if let (Some(writer), false) = (writer, wide) {
        push(5, Role::Dim, format!("by {writer}"));
    }
    if let Some(spent) = spent.filter(|_| *state != Word::Finished) {
        push(8, Role::Dim, format!("{} so far", duration(spent)));
    }
    if let Some((rate, unit)) = status.rate.filter(|(rate, _)| *rate > 0.0) {
        push(9, Role::Dim, format!("{} {unit}", short_count(rate as u64)));
    }
    if wide && !host.is_empty() {
        push(10, Role::Dim, format!("on {host}"));
    }
    if let Some(saved) = saved {
        push(11, Role::Dim, format!("saved {} ago", duration(*saved)));
    }
    if !status.step.is_empty() && *state != Word::Finished {
        push(7, Role::Dim, status.step.clone());
    }
    fitted(parts, cells, look)
}

/// Returns the parts with two blanks between them, without those of the largest ranks if not all of them fit. Parts of rank 0 are
/// never left out, but cut at the end of the line.
pub fn fitted(mut parts: Vec<(u8, Span<'static>)>, cells: u16, look: &Look) -> Line<'static> {
    let needs = |parts: &[(u8, Span)]| parts.iter().map(|(_, part)| part.width() + 2).sum::<usize>();
    while needs(&parts) > usize::from(cells) + 2
        && let Some(least) = parts.iter().map(|(rank, _)| *rank).max().filter(|rank| *rank > 0)
    {
        parts.retain(|(rank, _)| *rank != least);
    }
    let spans = parts.into_iter().enumerate().flat_map(|(index, (_, part))| {
        let gap = if index > 0 { "  " } else { "" };
        [Span::raw(gap), part]
    });
    fit(Line::from(spans.collect::<Vec<_>>()), cells, look)
}

/// Returns whole percent, at most 99 before the end.
pub fn percent(share: f64) -> String {
    format!("{} %", ((share * 100.0) as u32).min(if share < 1.0 { 99 } else { 100 }))
}

/// Returns the progress gauge; its remainder is visible without colour.
fn gauge(share: f64, cells: u16, look: &Look) -> String {
    let bar = look.bar(share, cells);
    let filled = bar.trim_end();
    let rest = usize::from(cells) - filled.chars().count();
    filled.to_owned() + &look.glyphs.line.horizontal.repeat(rest)
}

/// Returns `100k` for 100,000, and counts up to five figures in full otherwise.
fn count(count: u64) -> String {
    match count {
        10_000.. if count.is_multiple_of(1_000_000) => format!("{}M", count / 1_000_000),
        10_000.. if count.is_multiple_of(1000) => format!("{}k", count / 1000),
        0..100_000 => count.to_string(),
        _ => short_count(count),
    }
}

/// Returns the text of [`Status::step`], of constant width while `at` grows.
pub fn step(unit: &str, at: u64, last: u64) -> String {
    let digits = last.to_string().len();
    format!("{unit} {at:>digits$} of {last}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;
    use crate::theme::Glyphs;

    fn status() -> Status {
        Status {
            best: "best 7654 in 782".into(),
            rate: Some((13_012.0, "evals/s")),
            spent: Some(Duration::from_secs(242)),
            ..Status::of_generations(Some(12_126), 100_000, 0.0)
        }
    }

    fn text(header_status: &HeaderStatus, cells: u16, look: &Look) -> String {
        line(header_status, Some(&status()), cells, look).to_string()
    }

    #[test]
    fn a_narrow_line_leaves_out_whole_parts() {
        let look = look();
        let left = Some(Duration::from_secs(1817));
        let running = HeaderStatus { state: Word::Running, writer: None, error: None, left, saved: None };
        let whole = text(&running, 118, &look);
        assert_eq!(
            whole,
            "▸ running  12 %  ██──────────────  generation 12126 of 100k  30:17 left  best 7654 in 782  4:02 so far  13.0k evals/s"
        );
        let narrow = text(&running, 78, &look);
        assert_eq!(narrow, "▸  12 %  █───────  12126/100k  30:17 left  best 7654 in 782  4:02 so far");
        assert_eq!(text(&running, 38, &look), "▸  12 %  12126/100k  30:17 left");
        let ascii = Look { glyphs: Glyphs::ascii(), ..look };
        assert!(
            text(&running, 78, &ascii).starts_with(">  12 %  #-------  12126/100k"),
            "{}",
            text(&running, 78, &ascii)
        );
    }

    #[test]
    fn every_state_is_reported() {
        let look = look();
        let text = |state, writer, error, cells| {
            let left = None;
            self::text(&HeaderStatus { state, writer, error, left, saved: None }, cells, &look)
        };
        assert!(text(Word::Running, None, None, 78).contains("  ? left  "));
        assert!(text(Word::Paused, None, None, 78).starts_with("‖ paused  12 %"));
        assert!(text(Word::Finished, None, None, 78).starts_with("✓ finished  took 4:02  12126/100k  best"));
        assert!(text(Word::Failed, None, Some("the disk is full"), 78).starts_with("✗ failed  the disk is full  12 %"));
        assert!(text(Word::Failed, None, Some("a bug"), 78).starts_with("✗ failed  a bug"));
        let watched = Some("process 47");
        assert!(text(Word::Watching, watched, None, 118).starts_with("▸ watching process 47  12 %"));
        assert!(
            text(Word::Watching, watched, None, 90).contains("in 782  by process 4"),
            "{}",
            text(Word::Watching, watched, None, 90)
        );
        assert!(text(Word::Crashed, None, None, 78).starts_with("? crashed  12 %"));
    }

    #[test]
    fn shares_and_counts_are_short() {
        assert_eq!([percent(0.0), percent(0.999), percent(1.0)].join(" "), "0 % 99 % 100 %");
        assert_eq!([count(250), count(12_345), count(100_000), count(2_000_000)].join(" "), "250 12345 100k 2M");
    }
}
