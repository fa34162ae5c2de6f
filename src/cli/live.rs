//! The live progress line of long commands on a terminal: percent, a bar, count, time left, speed.
//!
//! Indicatif draws the bar; its output goes through [`out`], which neither fails nor blocks
//! forever. The line fits the terminal's current width: parts that do not fit are dropped from the end. Without a
//! terminal at standard error, commands print permanent lines instead.
//!
//! An estimate of the time that work takes to its end, from the later half of its time so far: what a resumed command finds done took no
//! time, and work that gets slower is estimated by how slow it is now.

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fmt};

use indicatif::style::ProgressTracker;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::{out, signals};
use crate::theme::{GlyphChoice, Glyphs};
use crate::{sanitize, ui};

/// The progress of a command.
pub struct Progress {
    /// Fraction done, 0 to 1.
    pub share: f64,
    /// Count, such as `generation 3/40`.
    pub count: String,
    /// Seconds left; `None`: estimated from `share`; infinite: unknown.
    pub left: Option<f64>,
    /// Such as `4.5k games/s`; empty if unknown.
    pub speed: String,
    /// Further parts, the most important first.
    pub more: Vec<String>,
}

impl Progress {
    /// Counts a limit of time, (spent, most), in the share and the time left: the work ends when the limit is reached, if not before.
    #[must_use]
    pub fn within(self, time: Option<(Duration, Duration)>) -> Progress {
        let Some((spent, most)) = time else { return self };
        let left = self.left.map(|left| left.min(most.saturating_sub(spent).as_secs_f64()));
        Progress { share: self.share.max(spent.as_secs_f64() / most.as_secs_f64()), left, ..self }
    }
}

/// Minimum time between redraws.
const REDRAW: Duration = Duration::from_millis(200);

/// Length of the bar in steps: indicatif's positions are integers.
const WHOLE: u64 = 1 << 20;

/// Width of the bar in cells; with less space, parts of the text are dropped first.
const BAR: std::ops::RangeInclusive<usize> = 8..=24;

/// Width in cells if the terminal reports none.
const USUAL_WIDTH: u16 = 80;

/// The live line.
pub(super) struct Live {
    bar: ProgressBar,
    drawn: Option<Instant>,
    time_left: TimeLeft,
    /// Maximum width of each part so far, in cells: parts keep their place when a number gets shorter.
    wide: Vec<usize>,
    glyphs: &'static str,
}

impl Live {
    /// A line on standard error if that is a terminal whose lines can be redrawn.
    pub fn new() -> Live {
        let env = |name: &str| env::var(name).ok();
        let is_dumb = env("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        if is_dumb || !io::stderr().is_terminal() {
            return Live::hidden();
        }
        let is_ascii = Glyphs::detect(env, GlyphChoice::Auto) == Glyphs::ascii();
        Live::on(ProgressDrawTarget::term_like(Box::new(Stderr::default())), is_ascii)
    }

    /// A line that is never drawn.
    pub fn hidden() -> Live {
        Live::on(ProgressDrawTarget::hidden(), true)
    }

    fn on(target: ProgressDrawTarget, is_ascii: bool) -> Live {
        let bar = ProgressBar::with_draw_target(Some(WHOLE), target);
        let glyphs = if is_ascii { "#-" } else { "█▉▊▋▌▍▎▏─" };
        Live { bar, drawn: None, time_left: TimeLeft::begin(), wide: Vec::new(), glyphs }
    }

    /// Whether anything is ever drawn.
    pub fn is_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Redraws the line at most every [`REDRAW`], and calls `progress` only then. `None`: no progress yet.
    pub fn show(&mut self, progress: impl FnOnce() -> Option<Progress>) {
        if !self.is_shown() || self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW) {
            return;
        }
        if let Some(progress) = progress() {
            self.draw(progress);
        }
    }

    fn draw(&mut self, progress: Progress) {
        self.drawn = Some(Instant::now());
        let share = if progress.share.is_finite() { progress.share.clamp(0.0, 1.0) } else { 0.0 };
        let estimate = self.time_left.at(share);
        let left = progress.left.or(estimate).filter(|left| left.is_finite());
        let left = left.map(|left| format!("{} left", clock(left.ceil())));
        let parts = [Some(progress.count), left, Some(progress.speed)].into_iter().flatten().chain(progress.more);
        let parts: Vec<String> = parts.map(|part| sanitize::inline(&part).into_owned()).collect();
        let width = usize::from(width());
        let percent = cut(&format!("{:>3} %", (100.0 * share).floor()), width);
        let (bar, text) = lay_out(&percent, &parts, &mut self.wide, width);
        let template =
            if bar > 0 { format!("{{percent}}  {{bar:{bar}}}{{text}}") } else { "{percent}{text}".to_owned() };
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_spinner());
        let style = style.progress_chars(self.glyphs).with_key("percent", fixed(percent)).with_key("text", fixed(text));
        self.bar.set_style(style);
        self.bar.update(|state| state.set_pos((share * WHOLE as f64) as u64));
    }

    /// Writes permanent lines above the live line.
    pub fn above<T>(&self, write: impl FnOnce() -> T) -> T {
        // Nothing to restore before the first draw.
        if self.drawn.is_some() { self.bar.suspend(write) } else { write() }
    }

    /// Clears the line.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Formats seconds as the screen does: `<1 s`, `2:03`, `1:02:03`, `3 d 4 h`.
pub fn clock(seconds: f64) -> String {
    ui::duration(Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX))
}

/// Progress of work other than runs, on standard error: a live line on a terminal, permanent lines elsewhere.
pub(super) struct ProgressLine {
    live: Live,
    time_left: TimeLeft,
    sampled: Instant,
    spoke: Instant,
}

/// Minimum time between permanent lines.
const SILENCE: Duration = Duration::from_secs(10);

/// Minimum time between looks at the share of work done, where no line is drawn.
const SAMPLE: Duration = Duration::from_secs(1);

impl ProgressLine {
    /// Starts reporting. A signal that ends the process clears the line first.
    pub fn begin() -> ProgressLine {
        let reporter = ProgressLine::with_signals_caught();
        if reporter.live.is_shown() {
            // If signals cannot be caught, only the line remains.
            let _ = signals::clear_first(|| out::redraw(""));
        }
        reporter
    }

    /// Starts reporting in a command that handles signals itself.
    pub fn with_signals_caught() -> ProgressLine {
        let now = Instant::now();
        ProgressLine { live: Live::new(), time_left: TimeLeft::begin(), sampled: now, spoke: now }
    }

    /// Prints a permanent line.
    pub fn news(&mut self, text: &str) {
        self.live.above(|| out::report(text));
    }

    /// Writes permanent lines to any stream.
    pub fn above<T>(&self, write: impl FnOnce() -> T) -> T {
        self.live.above(write)
    }

    /// Reports progress if it is due.
    pub fn progress(&mut self, progress: impl FnOnce() -> Progress) {
        if self.live.is_shown() {
            return self.live.show(|| Some(progress()));
        }
        if self.sampled.elapsed() < SAMPLE {
            return;
        }
        self.sampled = Instant::now();
        let progress = progress();
        let estimate = self.time_left.at(progress.share);
        if self.spoke.elapsed() >= SILENCE {
            self.say(progress, estimate);
        }
    }

    /// Prints progress as a permanent line.
    fn say(&mut self, progress: Progress, estimate: Option<f64>) {
        self.spoke = Instant::now();
        let Progress { share, count: at, left, speed, .. } = progress;
        let left = left.or(estimate).filter(|left| left.is_finite());
        let left = left.map(|left| format!("{} left", clock(left.ceil())));
        let parts = [Some(format!("{:.0} %", (100.0 * share).floor())), Some(at), left, Some(speed)];
        let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        out::report(&parts.join("  "));
    }

    /// Restarts the estimates for the next part of the work.
    pub fn begin_anew(&mut self) {
        self.time_left = TimeLeft::begin();
        self.live.time_left = TimeLeft::begin();
    }

    /// Clears the line.
    pub fn clear(&self) {
        self.live.clear();
    }
}

/// A fixed text for indicatif's templates.
fn fixed(text: String) -> impl ProgressTracker {
    move |_: &ProgressState, to: &mut dyn fmt::Write| _ = to.write_str(&text)
}

/// Usable width in cells. The last column is left free, because terminals disagree on the cursor position after a
/// character there.
fn width() -> u16 {
    out::columns().unwrap_or(USUAL_WIDTH) - 1
}

/// Returns the width of the bar in cells, 0 if it does not fit, and the text after it, with as many parts as fit.
fn lay_out(percent: &str, parts: &[String], wide: &mut Vec<usize>, width: usize) -> (usize, String) {
    wide.resize(parts.len(), 0);
    let mut text = String::new();
    let mut used = percent.width();
    let least = BAR.start() + 2;
    for (index, (part, wide)) in parts.iter().zip(wide).enumerate() {
        *wide = part.width().max(*wide);
        if part.is_empty() && *wide == 0 {
            continue;
        }
        // The first part is cut to fit, without a bar if necessary.
        let fits = |reserved: usize| used + reserved + 2 + *wide <= width;
        if !fits(if index == 0 { 0 } else { least }) {
            if index == 0 {
                text = cut(&format!("  {part}"), width.saturating_sub(used));
                return (0, text);
            }
            break;
        }
        text += &format!("  {part}{}", " ".repeat(*wide - part.width()));
        used += 2 + *wide;
    }
    let bar = width.saturating_sub(used + 2).min(*BAR.end());
    (if bar < *BAR.start() { 0 } else { bar }, text)
}

/// The start of a text, at most `width` cells.
fn cut(text: &str, width: usize) -> String {
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    text.chars().take_while(fits).collect()
}

/// Standard error for indicatif: collects a line and writes it at once, unless it is already displayed.
#[derive(Default, Debug)]
struct Stderr(Mutex<Line>);

#[derive(Default, Debug)]
struct Line {
    next: String,
    /// The displayed line, and the terminal's width when it was drawn.
    drawn: (String, u16),
}

impl Stderr {
    fn with<T>(&self, act: impl FnOnce(&mut Line) -> T) -> io::Result<T> {
        Ok(act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl TermLike for Stderr {
    /// At least the width of a character, as indicatif requires.
    fn width(&self) -> u16 {
        width().max(2)
    }

    // There is one line, and the cursor never leaves it.
    fn move_cursor_up(&self, _lines: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _lines: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _columns: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _columns: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.with(|line| line.next.push_str(text))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.with(|line| line.next.clear())
    }

    fn flush(&self) -> io::Result<()> {
        self.with(|line| {
            let next = (std::mem::take(&mut line.next).trim_end().to_owned(), width());
            if next != line.drawn && !(next.0.is_empty() && line.drawn.0.is_empty()) {
                out::redraw(&next.0);
                line.drawn = next;
            }
        })
    }
}

/// The share of work done over time.
pub(super) struct TimeLeft {
    began: Instant,
    /// Seconds since the start and the share done by then, in the order of time: those of the later half, and one before.
    samples: VecDeque<(f64, f64)>,
}

impl TimeLeft {
    /// Two samples are at least this part of the whole time apart, so that there are few of them.
    const STEP: f64 = 0.02;

    pub fn begin() -> TimeLeft {
        TimeLeft { began: Instant::now(), samples: VecDeque::new() }
    }

    /// Returns the seconds that the rest takes, given the share done by now; `None` before anything is done.
    pub fn at(&mut self, share: f64) -> Option<f64> {
        self.after(self.began.elapsed().as_secs_f64(), share)
    }

    fn after(&mut self, seconds: f64, share: f64) -> Option<f64> {
        if self.samples.back().is_none_or(|last| seconds - last.0 >= TimeLeft::STEP * seconds) {
            self.samples.push_back((seconds, share));
        }
        // One from which the share has grown since stays, however old it is.
        while self.samples.get(1).is_some_and(|second| second.0 <= seconds / 2.0 && second.1 < share) {
            self.samples.pop_front();
        }
        let (since, before) = *self.samples.front()?;
        (share > before).then(|| (seconds - since) * (1.0 - share) / (share - before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_with_a_limit_of_time_is_as_near_its_end_as_the_limit() {
        let progress =
            |share, left| Progress { share, count: String::new(), left, speed: String::new(), more: Vec::new() };
        let time = Some((Duration::from_secs(900), Duration::from_secs(3600)));
        let limited = progress(0.1, Some(f64::INFINITY)).within(time);
        assert_eq!((limited.share, limited.left), (0.25, Some(2700.0)));
        let limited = progress(0.5, Some(60.0)).within(time);
        assert_eq!((limited.share, limited.left), (0.5, Some(60.0)), "the last generation comes first");
        assert_eq!(progress(0.1, None).within(None).share, 0.1);
    }

    fn parts() -> Vec<String> {
        ["generation 113/250", "12:40 left", "18.4k games/s", "best 66.1 %"].map(str::to_owned).to_vec()
    }

    #[test]
    fn a_line_is_no_wider_than_the_terminal_and_shows_as_much_as_fits() {
        for width in 0..200 {
            let (bar, text) = lay_out(" 45 %", &parts(), &mut Vec::new(), width);
            let used = 5 + if bar > 0 { 2 + bar } else { 0 } + text.width();
            assert!(used <= width.max(5), "{width}: {bar} {text:?}");
            assert!(bar == 0 || BAR.contains(&bar), "{width}: {bar}");
        }
        let shown = |width| {
            let (bar, text) = lay_out(" 45 %", &parts(), &mut Vec::new(), width);
            (bar, text.trim_start().to_owned())
        };
        assert_eq!(shown(19), (0, "generation 1".into()));
        assert_eq!(shown(39), (12, "generation 113/250".into()));
        assert_eq!(shown(69), (15, "generation 113/250  12:40 left  18.4k games/s".into()));
        assert_eq!(shown(79), (12, "generation 113/250  12:40 left  18.4k games/s  best 66.1 %".into()));
        assert_eq!(shown(119), (24, "generation 113/250  12:40 left  18.4k games/s  best 66.1 %".into()));
    }

    #[test]
    fn times_are_reported_in_hours_only_if_there_are_any() {
        assert_eq!([0.0, 59.9, 61.0, 3600.0, 36_061.0].map(clock), ["<1 s", "0:59", "1:01", "1:00:00", "10:01:01"]);
        // As on the screen.
        assert_eq!([270_000.0, f64::INFINITY, f64::NAN].map(clock), ["3 d 3 h", "centuries", "<1 s"]);
    }

    #[test]
    fn nothing_jumps_when_a_number_changes_its_width() {
        let mut wide = Vec::new();
        let mut place = |at: &str| {
            let parts = vec![at.to_owned(), "0:40 left".to_owned()];
            lay_out("  1 %", &parts, &mut wide, 79).1.find("0:40")
        };
        assert_eq!(place("game 1000/2000"), place("game 9/2000"));
    }

    #[test]
    fn what_is_shown_above_a_hidden_line_is_written_all_the_same() {
        let mut live = Live::hidden();
        live.show(|| panic!("a hidden line computes no progress"));
        assert!(!live.is_shown() && live.above(|| true));
        live.clear();
    }

    #[test]
    fn the_time_left_follows_from_the_later_half_of_the_time() {
        let mut time_left = TimeLeft::begin();
        // A fifth was done before: found in the first second.
        assert_eq!(time_left.after(0.0, 0.0), None);
        time_left.after(1.0, 0.2);
        let all: Vec<Option<f64>> =
            (2..=100).map(|second| time_left.after(f64::from(second), 0.2 + 0.001 * f64::from(second))).collect();
        assert!(all[20..].iter().zip(22..).all(|(left, second)| {
            let expected = (0.8 - 0.001 * f64::from(second)) / 0.001;
            (left.unwrap() - expected).abs() < 1e-6 * expected
        }));
        assert!(time_left.samples.len() < 60, "{}", time_left.samples.len());
        // A long unit of work does not end the estimate.
        assert!(time_left.after(1000.0, 0.301).is_some() && time_left.after(2000.0, 0.301).is_some());
    }
}
