//! Programs as text: the source's own notation, s-expressions, and an indented tree; the first two can be read, too.

use super::language::{Language, Symbol};
use super::tree::{Node, Tree, arity};
use crate::game::TextError;

impl<L: Language> Tree<L> {
    /// The source's notation, such as `(value at [(3)])`, exactly as it prints it.
    pub fn to_notation(&self) -> String {
        let mut text = String::new();
        // The pieces still to come of each function that is open.
        let mut open: Vec<&[&str]> = Vec::new();
        for node in self.nodes() {
            match node {
                Node::Constant(constant) => text += &format!("{}{constant}{}", L::CONSTANT[0], L::CONSTANT[1]),
                Node::Symbol(symbol) => {
                    let pieces = L::SYMBOLS[usize::from(*symbol)].pieces;
                    text += pieces[0];
                    open.push(&pieces[1..]);
                    if pieces.len() > 1 {
                        continue;
                    }
                }
            }
            close(&mut text, &mut open);
        }
        text
    }

    /// A compact s-expression, such as `(+ 1 (@ 3))`.
    pub fn to_sexpr(&self) -> String {
        let mut text = String::new();
        let mut open: Vec<usize> = Vec::new();
        for node in self.nodes() {
            if !text.is_empty() {
                text.push(' ');
            }
            match node {
                Node::Constant(constant) => text += &constant.to_string(),
                Node::Symbol(symbol) => {
                    let Symbol { short, .. } = L::SYMBOLS[usize::from(*symbol)];
                    match arity::<L>(node) {
                        0 => text += short,
                        arity => {
                            text += &format!("({short}");
                            open.push(arity);
                            continue;
                        }
                    }
                }
            }
            while let Some(left) = open.last_mut() {
                *left -= 1;
                if *left > 0 {
                    break;
                }
                open.pop();
                text.push(')');
            }
        }
        text
    }

    /// One node a line, two blanks deeper than the function it is an argument of; no line indents further than `deepest` levels.
    pub fn to_indented(&self, deepest: usize) -> String {
        let mut text = String::new();
        let mut open: Vec<usize> = Vec::new();
        for node in self.nodes() {
            text += &"  ".repeat(open.len().min(deepest));
            match node {
                Node::Constant(constant) => text += &constant.to_string(),
                Node::Symbol(symbol) => text += L::SYMBOLS[usize::from(*symbol)].name,
            }
            text.push('\n');
            if let Some(left) = open.last_mut() {
                *left -= 1;
            }
            if arity::<L>(node) > 0 {
                open.push(arity::<L>(node));
            }
            while open.last() == Some(&0) {
                open.pop();
            }
        }
        text
    }

    /// Reads the source's notation or an s-expression, whichever it is. Lines that begin with `#` or `;` are comments.
    ///
    /// # Errors
    /// The place that makes no sense, and what was expected there.
    pub fn parse(text: &str) -> Result<Tree<L>, TextError> {
        let words = words(text);
        // An s-expression has a function's name behind its first bracket, or no bracket at all.
        let second = words.get(1).map_or("", |word| word.text);
        let is_name = |symbol: &Symbol| symbol.short == second && symbol.arity() > 0;
        if words[0].text != "(" || L::SYMBOLS.iter().any(is_name) { read_sexpr(&words) } else { read_notation(&words) }
    }
}

/// Writes the pieces that are due behind an argument, and those of every function that ends with it.
fn close(text: &mut String, open: &mut Vec<&[&'static str]>) {
    while let Some(pieces) = open.last_mut() {
        let Some((piece, rest)) = pieces.split_first() else {
            open.pop();
            continue;
        };
        *text += piece;
        *pieces = rest;
        if !rest.is_empty() {
            return;
        }
        open.pop();
    }
}

/// A token with its place; empty at the end of the text.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl Word<'_> {
    fn error(&self, expected: impl Into<String>) -> TextError {
        let found: String = self.text.chars().take(24).collect();
        TextError::new(self.line, self.column, found, expected)
    }
}

/// Brackets stand alone; everything else reaches to a blank or bracket, and letters, digits and signs part from each other only
/// there. An empty word ends the list.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut lines = 1;
    for (index, line) in text.split('\n').enumerate() {
        lines = index + 1;
        if line.trim_start().starts_with(['#', ';']) {
            continue;
        }
        let mut start = None;
        let mut column = 0;
        let mut push = |from: (usize, usize), to: usize| {
            words.push(Word { text: &line[from.0..to], line: index + 1, column: from.1 });
        };
        for (at, c) in line.char_indices() {
            column += 1;
            let bracket = matches!(c, '(' | ')' | '[' | ']');
            if bracket || c.is_whitespace() {
                if let Some(from) = start.take() {
                    push(from, at);
                }
                if bracket {
                    push((at, column), at + 1);
                }
            } else if start.is_none() {
                start = Some((at, column));
            }
        }
        if let Some(from) = start {
            push(from, line.len());
        }
    }
    let column = text.rsplit('\n').next().map_or(0, |line| line.trim_end().chars().count()) + 1;
    words.push(Word { text: "", line: lines, column });
    words
}

/// A function of which the beginning was read: those it can still be, and how many of its pieces were.
struct Open {
    candidates: Vec<u8>,
    pieces: usize,
}

fn read_notation<L: Language>(words: &[Word<'_>]) -> Result<Tree<L>, TextError> {
    let mut nodes: Vec<Node<L::Constant>> = Vec::new();
    // Each with the place of its node.
    let mut open: Vec<(Open, usize)> = Vec::new();
    let mut at = 0;
    loop {
        if let Some((constant, end)) = read_constant::<L>(words, at) {
            nodes.push(Node::Constant(constant));
            at = end;
        } else {
            let (candidates, end) = begin::<L>(words, at)?;
            let first = candidates[0];
            at = end;
            nodes.push(Node::Symbol(first));
            if L::SYMBOLS[usize::from(first)].arity() > 0 {
                open.push((Open { candidates, pieces: 1 }, nodes.len() - 1));
                continue;
            }
        }
        // An argument has ended: what follows it says which function this is, and whether it ends, too.
        loop {
            let Some((function, node)) = open.last_mut() else {
                let rest = words[at];
                let whole = if rest.text.is_empty() { Ok(Tree::of(nodes)) } else { Err(rest.error("nothing more")) };
                return whole;
            };
            at = go_on::<L>(function, words, at)?;
            let symbol = function.candidates[0];
            nodes[*node] = Node::Symbol(symbol);
            if function.pieces <= L::SYMBOLS[usize::from(symbol)].arity() {
                break;
            }
            open.pop();
        }
    }
}

fn read_constant<L: Language>(words: &[Word<'_>], at: usize) -> Option<(L::Constant, usize)> {
    let at = matches_piece(words, at, L::CONSTANT[0])?;
    let constant = L::parse_constant(words[at].text)?;
    Some((constant, matches_piece(words, at + 1, L::CONSTANT[1])?))
}

/// The symbols whose first piece stands at `at`; of pieces of different lengths the longest.
fn begin<L: Language>(words: &[Word<'_>], at: usize) -> Result<(Vec<u8>, usize), TextError> {
    let pieces = |symbol: &u8| matches_piece(words, at, L::SYMBOLS[usize::from(*symbol)].pieces[0]);
    let all = || 0..L::SYMBOLS.len() as u8;
    let longest = all().filter_map(|symbol| pieces(&symbol)).max();
    let Some(end) = longest else {
        let mut known: Vec<String> = L::SYMBOLS.iter().map(|symbol| quoted(symbol.pieces[0])).collect();
        known.sort();
        known.dedup();
        return Err(words[at].error(format!("{}, or {} to begin with", L::CONSTANT_HELP, known.join(", "))));
    };
    Ok((all().filter(|symbol| pieces(symbol) == Some(end)).collect(), end))
}

fn go_on<L: Language>(function: &mut Open, words: &[Word<'_>], at: usize) -> Result<usize, TextError> {
    let piece = |symbol: u8| L::SYMBOLS[usize::from(symbol)].pieces[function.pieces];
    let fitting: Vec<u8> = function
        .candidates
        .iter()
        .copied()
        .filter(|&symbol| matches_piece(words, at, piece(symbol)).is_some())
        .collect();
    let Some(&first) = fitting.first() else {
        let mut known: Vec<String> = function.candidates.iter().map(|&symbol| quoted(piece(symbol))).collect();
        known.dedup();
        let at = words.get(at).unwrap_or(&words[words.len() - 1]);
        return Err(at.error(known.join(" or ")));
    };
    let end = matches_piece(words, at, piece(first)).unwrap_or(at);
    function.candidates = fitting;
    function.pieces += 1;
    Ok(end)
}

fn quoted(piece: &str) -> String {
    format!("'{}'", piece.trim())
}

/// Where the words of `piece` end, if they stand at `at`.
fn matches_piece(text: &[Word<'_>], at: usize, piece: &str) -> Option<usize> {
    let piece = words(piece);
    let piece = &piece[..piece.len() - 1];
    let found = text.get(at..at + piece.len())?;
    found.iter().zip(piece).all(|(found, wanted)| found.text == wanted.text).then_some(at + piece.len())
}

fn read_sexpr<L: Language>(words: &[Word<'_>]) -> Result<Tree<L>, TextError> {
    let mut nodes = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    loop {
        let word = words[at];
        let named = |name: &str, leaf: bool| {
            (0..L::SYMBOLS.len() as u8).find(|&symbol| {
                let symbol = &L::SYMBOLS[usize::from(symbol)];
                symbol.short == name && (symbol.arity() == 0) == leaf
            })
        };
        at += 1;
        if word.text == "(" {
            let name = words[at];
            let symbol = named(name.text, false).ok_or_else(|| {
                let known = L::SYMBOLS.iter().filter(|symbol| symbol.arity() > 0).map(|symbol| symbol.short);
                name.error(format!("a function: {}", known.collect::<Vec<_>>().join(", ")))
            })?;
            at += 1;
            nodes.push(Node::Symbol(symbol));
            open.push(L::SYMBOLS[usize::from(symbol)].arity());
            continue;
        }
        let leaf = named(word.text, true).map(Node::Symbol);
        let leaf = leaf.or_else(|| L::parse_constant(word.text).map(Node::Constant));
        nodes.push(leaf.ok_or_else(|| word.error(format!("{} or '('", L::CONSTANT_HELP)))?);
        while let Some(left) = open.last_mut() {
            *left -= 1;
            if *left > 0 {
                break;
            }
            open.pop();
            if words[at].text != ")" {
                return Err(words[at].error("')'"));
            }
            at += 1;
        }
        if open.is_empty() {
            let rest = words[at];
            return if rest.text.is_empty() { Ok(Tree::of(nodes)) } else { Err(rest.error("nothing more")) };
        }
    }
}
