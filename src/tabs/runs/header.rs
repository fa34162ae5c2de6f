//! The line above every run, whatever runs: state, how far it is, how long it will take, the best so far, and how long it took.
//!
//! It is ordered so that cutting it loses what matters least; where there is room, numbers get their words.

use std::time::Duration;

use ratatui::text::{Line, Span};

use crate::app::tab::Badge;
use crate::theme::Role;
use crate::ui::{Look, short_count};

/// What the line says of a run's state of things.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Status {
    /// What is counted, such as `generation`.
    pub unit: &'static str,
    /// Up to where: the newest generation and the last there will be, or games. `None` before the first.
    pub at: Option<u64>,
    pub to: u64,
    /// Generations that have ended, and the part of the one being made.
    pub done: f64,
    /// How many there will be.
    pub of: f64,
    /// The best so far in a few words, such as `best 6420 in 71`.
    pub best: String,
    /// What is done a second, and its unit, such as `evals/s`.
    pub rate: Option<(f64, &'static str)>,
    /// What was spent on it so far, pauses left out; `None` where nobody knows.
    pub spent: Option<Duration>,
}

impl Status {
    /// A run whose newest generation is `generation` of `of`, both counted from 0, and the next is made to a part of `within`.
    pub fn of_generations(generation: Option<u64>, of: u64, within: f64) -> Status {
        Status {
            unit: "generation",
            at: generation,
            to: of,
            done: generation.map_or(0.0, |generation| generation as f64 + 1.0) + within,
            of: of as f64 + 1.0,
            ..Status::default()
        }
    }

    /// From 0 to 1.
    pub fn share(&self) -> f64 {
        if self.of > 0.0 { (self.done / self.of).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// How a run stands, besides its [`Status`].
pub(super) struct Standing<'a> {
    pub state: Word,
    /// The process that writes it while it is watched here.
    pub writer: Option<&'a str>,
    /// Why it stopped.
    pub error: Option<&'a str>,
    /// How long the rest will take; `None` while that is not known.
    pub left: Option<Duration>,
    /// How old the newest checkpoint is.
    pub saved: Option<Duration>,
}

/// A run's state in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Running,
    Paused,
    Finished,
    /// Its error says why.
    Stopped,
    Failed,
    Watching,
    /// Watched, and nobody writes it.
    Left,
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
            Word::Left => "not running",
        }
    }

    pub fn mark(self, look: &Look) -> (&'static str, Role) {
        match self {
            Word::Running | Word::Watching => (look.glyphs.pointer, Role::Good),
            Word::Paused | Word::Left => (look.glyphs.pause, Role::Warning),
            Word::Finished => (look.glyphs.check, Role::Good),
            Word::Stopped | Word::Failed => (look.glyphs.cross, Role::Bad),
        }
    }

    /// It goes on, here or elsewhere.
    pub fn goes_on(self) -> bool {
        matches!(self, Word::Running | Word::Watching)
    }

    pub fn badge(self, share: f64) -> Option<Badge> {
        match self {
            Word::Running | Word::Watching => Some(Badge::Running(share)),
            Word::Paused => Some(Badge::Paused(share)),
            Word::Finished => Some(Badge::Finished),
            Word::Stopped | Word::Failed => Some(Badge::Failed),
            Word::Left => None,
        }
    }
}

/// Cells from which on words stand beside the numbers.
const WIDE: u16 = 100;

/// The line, to be cut to `cells`.
pub(super) fn line(standing: &Standing<'_>, status: Option<&Status>, cells: u16, look: &Look) -> Line<'static> {
    let Standing { state, writer, error, left, saved } = standing;
    let wide = cells >= WIDE;
    let (mark, role) = state.mark(look);
    // Whoever knows the process finds the machine at the end of the line.
    let (process, host) = writer.map(|writer| writer.split_once(" on ").unwrap_or((writer, ""))).unwrap_or_default();
    let word = match (state, writer) {
        // What runs is told by its mark where there is little room.
        (Word::Running, _) if !wide => String::new(),
        (Word::Watching, Some(_)) if wide => format!(" watching {process}"),
        (state, _) => format!(" {}", state.text()),
    };
    let mut spans = vec![look.span(role, format!("{mark}{word}"))];
    let mut tell = |role: Role, text: String| spans.extend([Span::raw("  "), look.span(role, text)]);
    if let Some(error) = error {
        tell(Role::Bad, (*error).to_owned());
    }
    let Some(status) = status else { return Line::from(spans) };
    if *state != Word::Finished {
        tell(Role::Text, percent(status.share()));
        let room = if wide && writer.is_none() { 16 } else { 8 };
        if cells >= 60 {
            tell(Role::Gauge, gauge(status.share(), room, look));
        }
    }
    let at = status.at.map_or("-".to_owned(), |at| at.to_string());
    let to = count(status.to);
    tell(Role::Text, if wide { format!("{} {at} of {to}", status.unit) } else { format!("{at}/{to}") });
    match left {
        _ if !state.goes_on() => {}
        Some(left) => tell(Role::Text, format!("{} left", clock(*left))),
        None => tell(Role::Dim, "? left".to_owned()),
    }
    if !status.best.is_empty() {
        tell(Role::Accent, status.best.clone());
    }
    if let (Some(writer), false) = (writer, wide) {
        tell(Role::Dim, format!("by {writer}"));
    }
    match status.spent.filter(|spent| *spent > Duration::ZERO) {
        Some(spent) if *state == Word::Finished => tell(Role::Dim, format!("took {}", clock(spent))),
        Some(spent) => tell(Role::Dim, format!("{} so far", clock(spent))),
        None => {}
    }
    if let Some((rate, unit)) = status.rate.filter(|(rate, _)| *rate > 0.0) {
        tell(Role::Dim, format!("{} {unit}", short_count(rate as u64)));
    }
    if wide && !host.is_empty() {
        tell(Role::Dim, format!("on {host}"));
    }
    if let Some(saved) = saved {
        tell(Role::Dim, format!("saved {} ago", clock(*saved)));
    }
    Line::from(spans)
}

/// Whole percent; what has not ended is not told to be all.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", ((share * 100.0) as u32).min(if share < 1.0 { 99 } else { 100 }))
}

/// How far it is, with the way that is left to be seen without colour.
fn gauge(share: f64, cells: u16, look: &Look) -> String {
    let bar = look.bar(share, cells);
    let filled = bar.trim_end();
    let rest = usize::from(cells) - filled.chars().count();
    filled.to_owned() + &look.glyphs.line.horizontal.repeat(rest)
}

/// `100k` for 100,000, and other counts in full up to five figures.
fn count(count: u64) -> String {
    match count {
        10_000.. if count.is_multiple_of(1_000_000) => format!("{}M", count / 1_000_000),
        10_000.. if count.is_multiple_of(1000) => format!("{}k", count / 1000),
        0..100_000 => count.to_string(),
        _ => short_count(count),
    }
}

/// `0:09`, `4:02`, `1:04:02`, `3 d 4 h`.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match hours {
        0 => format!("{minutes}:{:02}", seconds % 60),
        1..48 => format!("{hours}:{:02}:{:02}", minutes % 60, seconds % 60),
        48..8760 => format!("{} d {} h", hours / 24, hours % 24),
        8760..876_000 => format!("{} years", hours / 8760),
        _ => "centuries".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;
    use crate::theme::Glyphs;
    use crate::ui::fit;

    fn status() -> Status {
        Status {
            best: "best 7654 in 782".into(),
            rate: Some((13_012.0, "evals/s")),
            spent: Some(Duration::from_secs(242)),
            ..Status::of_generations(Some(12_126), 100_000, 0.0)
        }
    }

    fn told(standing: &Standing, cells: u16, look: &Look) -> String {
        fit(line(standing, Some(&status()), cells, look), cells, look).to_string()
    }

    #[test]
    fn a_line_that_is_cut_keeps_what_matters_most() {
        let look = look();
        let left = Some(Duration::from_secs(1817));
        let running = Standing { state: Word::Running, writer: None, error: None, left, saved: None };
        let whole = told(&running, 118, &look);
        assert_eq!(
            whole,
            "▸ running  12 %  ██──────────────  generation 12126 of 100k  30:17 left  best 7654 in 782  4:02 so far  13.0k evals/s"
        );
        let narrow = told(&running, 78, &look);
        assert_eq!(narrow, "▸  12 %  █───────  12126/100k  30:17 left  best 7654 in 782  4:02 so far  13.…");
        assert_eq!(told(&running, 38, &look), "▸  12 %  12126/100k  30:17 left  best…");
        let ascii = Look { glyphs: Glyphs::ascii(), ..look };
        assert!(
            told(&running, 78, &ascii).starts_with(">  12 %  #-------  12126/100k"),
            "{}",
            told(&running, 78, &ascii)
        );
    }

    #[test]
    fn every_state_is_told() {
        let look = look();
        let told = |state, writer, error, cells| {
            let left = None;
            self::told(&Standing { state, writer, error, left, saved: None }, cells, &look)
        };
        assert!(told(Word::Running, None, None, 78).contains("  ? left  "));
        assert!(told(Word::Paused, None, None, 78).starts_with("‖ paused  12 %"));
        assert!(told(Word::Finished, None, None, 78).starts_with("✓ finished  12126/100k  best"));
        assert!(told(Word::Finished, None, None, 78).contains("took 4:02"));
        assert!(
            told(Word::Stopped, None, Some("the disk is full"), 78).starts_with("✗ stopped  the disk is full  12 %")
        );
        assert!(told(Word::Failed, None, Some("a bug"), 78).starts_with("✗ failed  a bug"));
        let watched = Some("process 47");
        assert!(told(Word::Watching, watched, None, 118).starts_with("▸ watching process 47  12 %"));
        assert!(
            told(Word::Watching, watched, None, 90).contains("in 782  by process 4"),
            "{}",
            told(Word::Watching, watched, None, 90)
        );
        assert!(told(Word::Left, None, None, 78).starts_with("‖ not running  12 %"));
    }

    #[test]
    fn times_are_short() {
        let of = |seconds| clock(Duration::from_secs(seconds));
        assert_eq!(
            [of(9), of(242), of(3842), of(270_000), of(1 << 40)].join(" "),
            "0:09 4:02 1:04:02 3 d 3 h centuries"
        );
        assert_eq!([percent(0.0), percent(0.999), percent(1.0)].join(" "), "0 % 99 % 100 %");
        assert_eq!([count(250), count(12_345), count(100_000), count(2_000_000)].join(" "), "250 12345 100k 2M");
    }
}
