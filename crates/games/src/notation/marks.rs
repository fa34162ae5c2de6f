//! Marks in comments: annotations of a move, its time and the clock after it, as other programs write them, apart from the words.

use std::time::Duration;

use super::headers::TIME_CONTROL;
use crate::Side;
use crate::record::{NodeId, Record};

/// Annotations of moves, and their numbers in the standard.
pub(super) const STRENGTHS: [(&str, u16); 7] =
    [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("*", 7)];

/// Marks of chess files with a value, and their names for people where the value is no time.
const VALUED: [(&str, &str); 4] =
    [("[%clk ", "clock "), ("[%eval ", "evaluation "), ("[%emt ", "time "), ("[%mct ", "clock ")];

/// The marks of times: of a move, and of the clock after it.
const TIMES: [&str; 3] = ["[%emt ", "[%clk ", "[%mct "];

/// The longest time that is read.
const LONGEST: f64 = 1e7;

/// A comment, taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// The annotations of the move, such as `!?`, to be written directly after it.
    pub strengths: String,
    /// The evaluation, and times that cannot be read, in words.
    pub values: String,
    /// The time that the move took.
    pub time: Option<Duration>,
    /// The time left on the clock of its side after it.
    pub clock: Option<Duration>,
    /// The words of the comment.
    pub text: String,
}

impl Marks {
    /// The marks of a comment.
    #[must_use]
    pub fn parse(comment: &str) -> Marks {
        let (strengths, rest) = split_strengths(comment);
        let mut marks = Marks { strengths: strengths.concat(), ..Marks::default() };
        let mut text = rest.to_owned();
        let mut values = Vec::new();
        for (mark, name) in VALUED {
            while let Some((begin, value, end)) = part(&text, mark) {
                match time(value).filter(|_| TIMES.contains(&mark)) {
                    Some(time) if mark == TIMES[0] => marks.time = Some(time),
                    Some(time) => marks.clock = Some(time),
                    None => values.push(format!("{name}{value}")),
                }
                text = [begin, end].concat();
            }
        }
        marks.values = values.join(", ");
        marks.text = joined(&[&text]);
        marks
    }

    /// The values and the words, for a line of their own.
    #[must_use]
    pub fn words(&self) -> String {
        joined(&[&self.values, &self.text])
    }
}

/// A comment with the time of its move and of the clock after it, instead of those that it has.
#[must_use]
pub fn timed(comment: &str, time: Duration, clock: Option<Duration>) -> String {
    let clock = clock.map_or(String::new(), |left| {
        let seconds = left.as_secs();
        format!("[%clk {}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
    });
    with_times(&joined(&[&format!("[%emt {:.1}]", time.as_secs_f64()), &clock]), &split_times(comment).1)
}

/// The marks of times in a comment, and the rest of it.
#[must_use]
pub fn split_times(comment: &str) -> (String, String) {
    let mut times = Vec::new();
    let mut rest = comment.to_owned();
    for mark in TIMES {
        while let Some((begin, value, end)) = part(&rest, mark) {
            times.push(format!("{mark}{value}]"));
            rest = [begin, end].concat();
        }
    }
    (times.join(" "), joined(&[&rest]))
}

/// A comment without the marks of clocks.
pub(super) fn without_clock(comment: &str) -> String {
    let mut text = comment.to_owned();
    while let Some((begin, _, end)) = TIMES[1..].iter().find_map(|mark| part(&text, mark)) {
        text = [begin, end].concat();
    }
    text
}

/// A comment with these marks of times, after its annotations.
#[must_use]
pub fn with_times(times: &str, comment: &str) -> String {
    let (strengths, rest) = split_strengths(comment);
    joined(&[&strengths.join(" "), times, rest])
}

/// Whether a comment has nothing but marks of times.
pub(crate) fn has_times_only(comment: &str) -> bool {
    let mut rest = comment.trim_start();
    while let Some((_, end)) =
        TIMES.iter().find_map(|mark| rest.strip_prefix(mark)).and_then(|rest| rest.split_once(']'))
    {
        rest = end.trim_start();
    }
    rest.is_empty()
}

/// Reads a time: seconds, or minutes or hours before them, as in `3.2` and `0:04:57`.
pub(super) fn time(text: &str) -> Option<Duration> {
    let parts: Option<Vec<f64>> = text.split(':').map(|part| part.trim().parse().ok().filter(|n| *n >= 0.0)).collect();
    let parts = parts.filter(|parts| parts.len() <= 3)?;
    let seconds = parts.iter().fold(0.0, |sum, part| 60.0 * sum + part);
    (seconds <= LONGEST).then(|| Duration::from_secs_f64(seconds))
}

/// The parts that are not empty, with single blanks.
fn joined(parts: &[&str]) -> String {
    parts.iter().flat_map(|part| part.split_whitespace()).collect::<Vec<_>>().join(" ")
}

/// The annotations at the start of a comment, and the rest of it.
fn split_strengths(comment: &str) -> (Vec<&str>, &str) {
    let mut rest = comment.trim_start();
    let mut strengths = Vec::new();
    while let Some(word) = rest.split_whitespace().next().filter(|word| is_strength(word)) {
        strengths.push(word);
        rest = rest[word.len()..].trim_start();
    }
    (strengths, rest)
}

/// The text before a mark, its value, and the text behind it.
fn part<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let (begin, rest) = text.split_once(mark)?;
    let (value, end) = rest.split_once(']')?;
    Some((begin, value.trim(), end))
}

/// Whether a word is an annotation of a move: `!?`, `$14`.
pub(super) fn is_strength(word: &str) -> bool {
    let is_known = |number: u16| STRENGTHS.iter().any(|(_, nag)| *nag == number);
    let is_nag =
        |digits: &str| digits.parse::<u16>().is_ok_and(|number| number.to_string() == digits && !is_known(number));
    STRENGTHS.iter().any(|(text, _)| *text == word) || word.strip_prefix('$').is_some_and(is_nag)
}

/// The time that the move to a position took: as its comment has it, or else by the clock of its side, before and after.
#[must_use]
pub fn time_of_move(record: &Record, node: NodeId) -> Option<Duration> {
    let Marks { time, clock, .. } = Marks::parse(record.comment(node));
    time.or_else(|| {
        let clock = clock?;
        let (parent, _) = record.came(node)?;
        let side = record.position_at(parent).side();
        let control = record.header(TIME_CONTROL).and_then(time_control);
        let before = time_left(record, parent, side).or(control.map(|(base, _)| base))?;
        let has_turned = record.position_at(node).side() != side;
        let increment = control.filter(|_| has_turned).map_or(Duration::ZERO, |(_, increment)| increment);
        (before + increment).checked_sub(clock)
    })
}

/// The time that a side has left at a position: that of its last move up to there that has one.
#[must_use]
pub fn time_left(record: &Record, node: NodeId, side: Side) -> Option<Duration> {
    std::iter::successors(Some(node), |&node| record.parent(node)).find_map(|node| {
        let (parent, _) = record.came(node)?;
        let is_it = record.position_at(parent).side() == side && record.comment(node).contains("[%");
        Marks::parse(record.comment(node)).clock.filter(|_| is_it)
    })
}

/// Base and increment of a time control, `300+3` or as in GGF `05:00/00:03/02:00`.
#[must_use]
pub fn time_control(text: &str) -> Option<(Duration, Duration)> {
    let is_clock = text.split('/').next().is_some_and(|base| base.contains(':'));
    let mut parts = text.split(if is_clock { '/' } else { '+' });
    let base = time(parts.next()?)?;
    match parts.next().map(str::trim) {
        None | Some("") => Some((base, Duration::ZERO)),
        Some(increment) => Some((base, time(increment)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read;

    #[test]
    fn marks_are_apart_from_the_words() {
        for (comment, strengths, values, text) in [
            ("", "", "", ""),
            ("so", "", "", "so"),
            ("! $14 good", "!$14", "", "good"),
            ("?? [%eval -1.5] [%emt 2.1] lost {now", "??", "evaluation -1.5", "lost {now"),
            ("so [%clk 3] it was", "", "", "so it was"),
            ("[%emt soon] [%clk 1:2:3:4]", "", "clock 1:2:3:4, time soon", ""),
            ("[%clk 3", "", "", "[%clk 3"),
            ("really !", "", "", "really !"),
        ] {
            let found = Marks::parse(comment);
            assert_eq!((&*found.strengths, &*found.values, &*found.text), (strengths, values, text), "{comment}");
        }
    }

    #[test]
    fn times_are_read_and_written() {
        let times = |comment: &str| {
            let Marks { time, clock, .. } = Marks::parse(comment);
            [time, clock].map(|time| time.map(|time| time.as_secs_f64()))
        };
        assert_eq!(times("[%clk 1:55:21] [%emt 2.1]"), [Some(2.1), Some(6921.0)]);
        assert_eq!(times("[%emt 0:01:07] [%mct 03:00]"), [Some(67.0), Some(180.0)]);
        for wrong in ["-1", "nan", "inf", "1e9", "1:2:3:4", "", "x"] {
            assert_eq!(times(&format!("[%emt {wrong}]")), [None, None], "{wrong}");
        }
        let second = Duration::from_millis(3210);
        assert_eq!(timed("", second, None), "[%emt 3.2]");
        assert_eq!(timed("! [%emt 9] so", second, Some(Duration::from_secs(297))), "! [%emt 3.2] [%clk 0:04:57] so");
        assert_eq!(split_times("so [%clk 3] it was"), ("[%clk 3]".to_owned(), "so it was".to_owned()));
        assert_eq!(with_times("[%emt 1]", "!? fine"), "!? [%emt 1] fine");
        for (comment, is_so) in [("", true), ("[%emt 1] [%clk 0:01]", true), ("[%emt 1] x", false), ("[%emt", false)] {
            assert_eq!(has_times_only(comment), is_so, "{comment}");
        }
    }

    #[test]
    fn time_controls_are_read() {
        let seconds = |text: &str| time_control(text).map(|(base, more)| (base.as_secs(), more.as_secs()));
        for (text, control) in [
            ("300+3", Some((300, 3))),
            ("300", Some((300, 0))),
            ("05:00//02:00", Some((300, 0))),
            ("05:00/00:03", Some((300, 3))),
            ("40/7200", None),
            ("?", None),
            ("-", None),
        ] {
            assert_eq!(seconds(text), control, "{text}");
        }
    }

    #[test]
    fn a_move_took_what_its_mark_or_its_clock_gives() {
        let text = "[Game \"kalah\"]\n[TimeControl \"300+3\"]\n\nC {[%clk 0:04:58]} F {[%clk 0:04:55] [%emt 6.1]} b {[%emt 0.5]} \
                    d {[%clk 0:04:50]} A {fine} f {[%clk 0:04:51]}";
        let record = read(text).unwrap();
        let line = record.line();
        let took = line.iter().map(|step| time_of_move(&record, step.node).map(|time| time.as_millis()));
        assert_eq!(took.collect::<Vec<_>>(), [Some(2000), Some(6100), Some(500), Some(13_000), None, Some(2000)]);
        let left = |ply: usize, side| time_left(&record, line[ply].node, side).map(|time| time.as_secs());
        assert_eq!([left(1, Side::North), left(1, Side::South), left(4, Side::South)], [None, Some(295), Some(295)]);
        assert_eq!(left(5, Side::North), Some(291));
    }
}
