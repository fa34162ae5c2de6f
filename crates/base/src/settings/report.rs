//! Source locations, and the reports of problems at them.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use unicode_width::UnicodeWidthChar;

use crate::sanitize;

/// A file's displayed name and its text.
#[derive(PartialEq, Eq, Debug)]
pub struct Source {
    name: String,
    text: String,
    /// Byte offset of each line: a file may have a problem in every line, and each needs its line number.
    lines: Vec<usize>,
}

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Source> {
        let text = text.into();
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Arc::new(Source { name: name.into(), text, lines })
    }

    /// # Errors
    /// The bytes are not UTF-8; the problem marks the first invalid one.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Arc<Source>, Report> {
        let name = name.into();
        String::from_utf8(bytes).map(|text| Source::new(name.clone(), text)).map_err(|err| {
            let at = err.utf8_error().valid_up_to();
            let source = Source::new(name, String::from_utf8_lossy(err.as_bytes()));
            let place = Location::new(&source, at..at + char::REPLACEMENT_CHARACTER.len_utf8());
            Report::from(Diagnostic::new(place, "not UTF-8 text").hint("save the file as UTF-8"))
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A span of a text. Cheap to clone: it shares the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    source: Arc<Source>,
    /// In bytes, on character boundaries.
    span: Range<usize>,
}

impl Location {
    /// `span` is in bytes; ends outside the text or inside a character are moved to the nearest boundary before.
    pub fn new(source: &Arc<Source>, span: Range<usize>) -> Location {
        let floor = |at: usize| {
            let mut at = at.min(source.text.len());
            while !source.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = floor(span.start);
        Location { source: source.clone(), span: start..floor(span.end).max(start) }
    }

    pub fn file(&self) -> &str {
        &self.source.name
    }

    /// Line number, from 1.
    pub fn line(&self) -> usize {
        self.source.lines.partition_point(|&start| start <= self.span.start)
    }

    /// Column in characters, from 1.
    pub fn column(&self) -> usize {
        1 + self.source.text[self.line_start()..self.span.start].chars().count()
    }

    /// Returns the marked text.
    pub fn text(&self) -> &str {
        &self.source.text[self.span.clone()]
    }

    fn line_start(&self) -> usize {
        self.source.lines[self.line() - 1]
    }

    /// Returns the line before the span, the span's part on that line, and the rest of the line.
    fn parts(&self) -> (&str, &str, &str) {
        let text = &self.source.text;
        let end = text[self.span.start..].find('\n').map_or(text.len(), |at| self.span.start + at);
        let end = end - usize::from(text[..end].ends_with('\r') && end > self.span.start);
        let stop = self.span.end.clamp(self.span.start, end);
        (&text[self.line_start()..self.span.start], &text[self.span.start..stop], &text[stop..end])
    }
}

/// `file:line:column`
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", sanitize::inline(self.file()), self.line(), self.column())
    }
}

/// A problem in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    location: Option<Location>,
    what: String,
    hint: Option<String>,
    notes: Vec<String>,
}

impl Diagnostic {
    pub fn new(at: Location, what: impl Into<String>) -> Diagnostic {
        Diagnostic { location: Some(at), what: what.into(), hint: None, notes: Vec::new() }
    }

    /// Creates a problem of a file as a whole.
    pub fn of_file(what: impl Into<String>) -> Diagnostic {
        Diagnostic { location: None, what: what.into(), hint: None, notes: Vec::new() }
    }

    /// Adds a short text beside the marked place; empty: none.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into()).filter(|hint: &String| !hint.is_empty());
        self
    }

    /// Adds a line below, such as the accepted values.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    /// See [`Report::in_a_line`].
    fn in_a_line(&self) -> String {
        let parts = std::iter::once(in_short(&self.what)).chain(self.notes.iter().cloned());
        let line = parts.map(|part| harmless(&part)).collect::<Vec<_>>().join("; ");
        self.location.iter().fold(line, |line, at| format!("{line} ({at})"))
    }

    /// Line number, from 1; `None` for a problem of a file as a whole.
    pub fn line(&self) -> Option<usize> {
        self.location.as_ref().map(Location::line)
    }
}

/// Sanitizes a line for the terminal, tabs excepted.
fn harmless(text: &str) -> String {
    sanitize::multiline(text).replace('\n', "\u{fffd}")
}

/// Characters shown of a line before a place, of the place itself, and after it.
const AROUND: usize = 100;

/// Returns the end of a long text.
fn ending(text: &str) -> String {
    match text.char_indices().nth_back(AROUND) {
        Some((at, c)) => format!("…{}", &text[at + c.len_utf8()..]),
        None => text.to_owned(),
    }
}

/// Returns the beginning of a long text.
fn beginning(text: &str) -> String {
    match text.char_indices().nth(AROUND) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Shortens a sentence with a long quotation, keeping both ends.
fn in_short(text: &str) -> String {
    match text.chars().count() > 4 * AROUND {
        true => beginning(text) + &ending(text)['…'.len_utf8()..],
        false => text.to_owned(),
    }
}

/// Returns blanks as wide as `text`.
fn blank(text: &str) -> String {
    let mut blank = String::new();
    for ch in text.chars() {
        match ch {
            '\t' => blank.push('\t'),
            _ => blank.extend(std::iter::repeat_n(' ', ch.width().unwrap_or(1))),
        }
    }
    blank
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", harmless(&in_short(&self.what)))?;
        let mut margin = 0;
        if let Some(at) = &self.location {
            let number = at.line().to_string();
            let (before, marked, after) = at.parts();
            let before = ending(before);
            let marked = beginning(marked);
            let after = beginning(after);
            margin = number.len();
            let marks = "^".repeat(blank(&marked).len().max(1));
            let hint = self.hint.as_ref().map(|hint| format!(" {}", harmless(hint))).unwrap_or_default();
            writeln!(f, "{:margin$}--> {at}", "")?;
            writeln!(f, "{:margin$} |", "")?;
            writeln!(f, "{}", format!("{number} | {}", harmless(&[&*before, &marked, &after].concat())).trim_end())?;
            writeln!(f, "{:margin$} | {}{marks}{hint}", "", blank(&harmless(&before)))?;
        }
        for note in &self.notes {
            writeln!(f, "{:margin$} = {}", "", harmless(note))?;
        }
        Ok(())
    }
}

/// Maximum number of problems shown; of the others, their number.
pub const MOST_TOLD: usize = 20;

/// All problems of a file, in the order of the text; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    problems: Vec<Diagnostic>,
}

impl Report {
    /// # Errors
    /// The problems, if there are any.
    pub fn check(problems: Vec<Diagnostic>) -> Result<(), Report> {
        if problems.is_empty() { Ok(()) } else { Err(Report { problems }) }
    }

    pub fn problems(&self) -> &[Diagnostic] {
        &self.problems
    }

    /// Returns one line: the first problem, the accepted values, and the place.
    pub fn in_a_line(&self) -> String {
        self.problems.first().map(Diagnostic::in_a_line).unwrap_or_default()
    }

    /// Adds a line below every problem shown.
    #[must_use]
    pub fn note(mut self, note: &str) -> Report {
        for problem in self.problems.iter_mut().take(MOST_TOLD) {
            problem.notes.push(note.into());
        }
        self
    }
}

impl From<Diagnostic> for Report {
    fn from(problem: Diagnostic) -> Report {
        Report { problems: vec![problem] }
    }
}

/// The whole report for the terminal, without a final line break.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.problems.iter().take(MOST_TOLD).map(Diagnostic::to_string).collect();
        f.write_str(texts.join("\n").trim_end())?;
        match self.problems.len().saturating_sub(MOST_TOLD) {
            0 => Ok(()),
            more => write!(f, "\n\nand {} more", grouped(more)),
        }
    }
}

/// Formats as `9,980`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

impl std::error::Error for Report {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_reads_like_a_compilers() {
        let source = Source::new("x.toml", "a = 1\n\tbé = \"漢字\" # c\n");
        let start = source.text().find('"').unwrap();
        let at = Location::new(&source, start..start + 8);
        assert_eq!((at.line(), at.column(), at.text()), (2, 7, "\"漢字\""));
        let problem = Diagnostic::new(at, "odd").hint("why?").note("accepted: b");
        let expected =
            "error: odd\n --> x.toml:2:7\n  |\n2 | \tbé = \"漢字\" # c\n  | \t     ^^^^^^ why?\n  = accepted: b\n";
        assert_eq!(problem.to_string(), expected);
    }

    #[test]
    fn places_outside_the_text_are_moved_inside() {
        let source = Source::new("x.toml", "é");
        let at = Location::new(&source, 1..99);
        assert_eq!((at.line(), at.column(), at.text()), (1, 1, "é"));
        let empty = Location::new(&Source::new("x.toml", ""), 5..9);
        assert!(Diagnostic::new(empty, "empty").to_string().contains("x.toml:1:1"));
    }

    #[test]
    fn what_is_long_is_reported_in_short() {
        let source = Source::new("x.toml", "k".repeat(100_000));
        let problem = Diagnostic::new(Location::new(&source, 0..100_000), format!("unknown key `{}`", source.text()));
        let text = problem.to_string();
        assert!(text.len() < 2000 && text.starts_with("error: unknown key `kkk") && text.contains("kkk`\n"), "{text}");
    }

    #[test]
    fn a_place_over_several_lines_marks_the_first() {
        let source = Source::new("x.toml", "a = [\r\n1]\r\n");
        let text = Diagnostic::new(Location::new(&source, 4..9), "odd").to_string();
        assert!(text.contains("1 | a = [\n  |     ^\n"), "{text}");
    }

    #[test]
    fn nothing_hidden_reaches_the_terminal() {
        let source = Source::new("x\u{1b}c.toml", "a = \u{1b}[31m\u{202e}");
        let text =
            Diagnostic::new(Location::new(&source, 4..5), "odd \u{1b}c\n").hint("\u{9b}").note("\u{200f}").to_string();
        assert!(!text.contains(|c| c != '\n' && sanitize::is_hidden(c)), "{text:?}");
        assert_eq!(text.lines().count(), 6);
    }

    #[test]
    fn of_a_long_line_what_is_near_is_shown() {
        let source = Source::new("x.toml", format!("a = {}é{}\nb", "x".repeat(5000), "y".repeat(5000)));
        let at = source.text().find('é').unwrap();
        let text = Diagnostic::new(Location::new(&source, at..at + 3000), "odd").to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], " --> x.toml:1:5005");
        let [before, marked, after] = ["x", "y", "y"].map(|c| c.repeat(AROUND));
        assert_eq!(lines[3], format!("1 | …{before}é{}…{after}…", &marked[1..]));
        assert_eq!(lines[4], format!("  |  {}{}", " ".repeat(AROUND), "^".repeat(AROUND + 1)));
    }

    #[test]
    fn of_many_mistakes_twenty_are_reported() {
        let text = (0..1234).map(|index| format!("x{index} = 1\n")).collect::<String>();
        let source = Source::new("x.toml", text);
        let at = |index: usize| Location::new(&source, index..index);
        let report =
            |count| Report::check((0..count).map(|index| Diagnostic::new(at(index), "odd")).collect()).unwrap_err();
        assert_eq!(report(20).to_string().matches("error: odd").count(), 20);
        assert!(!report(20).to_string().contains("more"));
        let text = report(1234).note("why").to_string();
        assert_eq!((text.matches("error: odd").count(), text.matches("= why").count()), (20, 20));
        assert!(text.ends_with("= why\n\nand 1,214 more"), "{text}");
        assert_eq!([1, 999, 1000, 1_234_567].map(grouped), ["1", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn text_that_is_not_utf8_is_marked() {
        let report = Source::from_bytes("x.toml", b"a = 1\nb = \"\xff\"\n".to_vec()).unwrap_err();
        assert!(report.to_string().contains("--> x.toml:2:6"), "{report}");
    }

    #[test]
    fn a_report_fits_into_a_line() {
        let at = Location::new(&Source::new("w.toml", "W1 = 0.5\n"), 0..2);
        let unknown = Diagnostic::new(at, "unknown section `W1`").hint("here").note("accepted: weights, origin");
        let report = Report::check(vec![unknown, Diagnostic::of_file("more")]).unwrap_err();
        assert_eq!(report.in_a_line(), "unknown section `W1`; accepted: weights, origin (w.toml:1:1)");
        assert_eq!(Report::from(Diagnostic::of_file("as it is")).in_a_line(), "as it is");
    }
}
