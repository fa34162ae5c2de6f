//! Source texts as far as imports go: their words without comments, texts and what is there for tests only, and the paths in them.

use std::ops::Range;

/// A name or a sign, with the line it stands on.
#[derive(Clone, PartialEq, Debug)]
pub struct Word {
    pub text: String,
    pub line: usize,
}

/// A path that begins with `crate`, `super`, `self` or, in a `use`, with any name; a list in braces is as many paths.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    pub segments: Vec<String>,
    /// What a `use` calls it here; `None` outside of one.
    pub name: Option<String>,
    pub line: usize,
}

/// What a source file says.
#[derive(Default, Debug)]
pub struct Source {
    pub paths: Vec<Path>,
    /// Modules with files of their own that are there for tests only.
    pub only_tests: Vec<String>,
    /// Modules written out in the file itself, which nobody has told this reader how to understand.
    pub inner: Vec<String>,
}

pub fn read(text: &str) -> Source {
    let mut source = Source::default();
    let words = without_tests(words(text), &mut source.only_tests);
    let mut at = 0;
    while at < words.len() {
        let is_use = words[at].text == "use";
        let start = at + usize::from(is_use);
        let here = |offset: usize| words.get(start + offset).map_or("", |word| word.text.as_str());
        let begins = match here(0) {
            "crate" | "super" | "self" | "mancalab" => here(1) == "::",
            _ => is_use,
        };
        let is_new = at == 0 || words[at - 1].text != "::";
        if here(0) == "mod" && here(2) == "{" {
            source.inner.push(here(1).to_owned());
        }
        at = match begins && is_new {
            true => read_tree(&words, start, &[], is_use, &mut source.paths),
            false => at + 1,
        };
    }
    source
}

/// Reads a path, or a tree of them, that begins at `at`; gives where it ends.
fn read_tree(words: &[Word], mut at: usize, before: &[String], is_use: bool, paths: &mut Vec<Path>) -> usize {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let line = words.get(at).map_or(0, |word| word.line);
    let mut segments = before.to_vec();
    loop {
        if text(at) == "{" {
            at += 1;
            while !matches!(text(at), "}" | "") {
                at = read_tree(words, at, &segments, is_use, paths);
                at += usize::from(text(at) == ",");
            }
            return at + 1;
        }
        segments.push(text(at).to_owned());
        at += 1;
        let goes_on = text(at) == "::" && text(at + 1) != "<";
        if !goes_on {
            break;
        }
        at += 1;
    }
    // `use a::{self}` is `use a`.
    if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
        segments.pop();
    }
    let mut name = segments.last().cloned().filter(|_| is_use);
    if is_use && text(at) == "as" {
        name = Some(text(at + 1).to_owned());
        at += 2;
    }
    paths.push(Path { segments, name, line });
    at
}

/// Leaves out every item behind `#[cfg(test)]`; names the modules among them that have files of their own.
fn without_tests(words: Vec<Word>, only_tests: &mut Vec<String>) -> Vec<Word> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut left = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let is_marked =
            MARK.iter().enumerate().all(|(n, mark)| words.get(at + n).is_some_and(|word| word.text == *mark));
        if !is_marked {
            left.push(words[at].clone());
            at += 1;
            continue;
        }
        let item = item(&words, at + MARK.len());
        let is = |at: usize, text: &str| words[item.clone()].get(at).is_some_and(|word| word.text == text);
        if let Some(place) = (0..item.len()).find(|&place| is(place, "mod") && is(place + 2, ";")) {
            only_tests.push(words[item.start + place + 1].text.clone());
        }
        at = item.end;
    }
    left
}

/// The item that begins at `start`: up to a semicolon, or to the end of its braces.
fn item(words: &[Word], start: usize) -> Range<usize> {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate().skip(start) {
        match word.text.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = word.text == ";" || word.text == "}";
        if ends && depth == 0 {
            return start..at + 1;
        }
    }
    start..words.len()
}

/// The words of a text, without comments and without what stands in quotation marks.
fn words(text: &str) -> Vec<Word> {
    let chars: Vec<char> = text.chars().collect();
    let mut words = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < chars.len() {
        let from = at;
        let starts = |with: &str| chars[from..].iter().copied().take(with.len()).eq(with.chars());
        if starts("//") {
            at += chars[at..].iter().take_while(|&&c| c != '\n').count();
        } else if starts("/*") {
            at = comment_end(&chars, at);
        } else if let Some(end) = quoted_end(&chars, at) {
            at = end;
        } else if is_name(chars[at]) {
            at += chars[at..].iter().take_while(|&&c| is_name(c)).count();
            words.push(Word { text: chars[from..at].iter().collect(), line });
        } else {
            at += if starts("::") { 2 } else { 1 };
            let text: String = chars[from..at].iter().collect();
            if !text.trim().is_empty() {
                words.push(Word { text, line });
            }
        }
        line += chars[from..at].iter().filter(|&&c| c == '\n').count();
    }
    words
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where a block comment ends, which may hold others.
fn comment_end(chars: &[char], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while at < chars.len() {
        match chars[at..] {
            ['/', '*', ..] => (at, depth) = (at + 2, depth + 1),
            ['*', '/', ..] => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Where the quoted text that begins at `start` ends, if one does: `"…"`, `r#"…"#`, `b"…"`, or a character.
fn quoted_end(chars: &[char], start: usize) -> Option<usize> {
    let is_inside_name = start > 0 && is_name(chars[start - 1]);
    let raw = match chars[start..] {
        ['r', '"' | '#', ..] if !is_inside_name => Some(1),
        ['b', 'r', '"' | '#', ..] if !is_inside_name => Some(2),
        _ => None,
    };
    if let Some(prefix) = raw {
        let marks = chars[start + prefix..].iter().take_while(|&&c| c == '#').count();
        let open = start + prefix + marks;
        if chars.get(open) != Some(&'"') {
            return None;
        }
        let is_end = |at: &usize| {
            chars[*at] == '"' && chars[at + 1..].iter().take(marks).filter(|&&c| c == '#').count() == marks
        };
        return Some((open + 1..chars.len()).find(is_end).map_or(chars.len(), |at| at + 1 + marks));
    }
    match chars[start..] {
        // A lifetime has no second mark.
        ['\'', first, second, ..] if first != '\\' && second != '\'' => None,
        [mark @ ('"' | '\''), ..] => {
            let mut at = start + 1;
            while at < chars.len() && chars[at] != mark {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            Some((at + 1).min(chars.len()))
        }
        _ => None,
    }
}
