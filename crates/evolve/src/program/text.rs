//! Text formats of programs: the source's notation, s-expressions, and an indented tree. The first two can be parsed.

use super::language::{Language, Node, Symbol};
use super::tree::{Tree, arity};
use crate::game::TextError;

impl<L: Language> Tree<L> {
    /// Returns the source's notation, such as `(value at [(3)])`, exactly as the source prints it.
    pub fn to_notation(&self) -> String {
        if let [leaf] = self.nodes() {
            return format!("{}{}{}", L::ALONE[0], leaf_notation::<L>(leaf), L::ALONE[1]);
        }
        let mut text = String::new();
        // Remaining pieces of each open function.
        let mut open: Vec<&[&str]> = Vec::new();
        for node in self.nodes() {
            match node {
                Node::Symbol(symbol) if arity::<L>(node) > 0 => {
                    let pieces = L::SYMBOLS[usize::from(*symbol)].pieces;
                    text += pieces[0];
                    open.push(&pieces[1..]);
                    continue;
                }
                leaf => text += &leaf_notation::<L>(leaf),
            }
            close(&mut text, &mut open);
        }
        text
    }

    /// Returns a compact s-expression, such as `(+ 1 (@ 3))`.
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

    /// Parses the source's notation or an s-expression. Lines that begin with `#` or `;` are comments. Takes time linear in the
    /// text and memory linear in the program, which has at most [`MOST_NODES`] nodes.
    ///
    /// # Errors
    /// Returns the position of the first error and what is expected there.
    pub fn parse(text: &str) -> Result<Tree<L>, TextError> {
        let (first, behind) = word(text, Place::START);
        // An s-expression has a function's name after its first bracket, or no bracket.
        let second = word(text, behind).0.text;
        let is_name = |symbol: &Symbol| symbol.short == second && symbol.arity() > 0;
        let is_sexpr = L::ALONE[0].contains('(');
        if !is_sexpr && first.text == "(" && !L::SYMBOLS.iter().any(is_name) {
            return read_notation(text);
        }
        let (tree, end) = read_sexpr(text, Place::START, |_| true)?;
        let rest = word(text, end).0;
        if rest.text.is_empty() { Ok(tree) } else { Err(rest.error("nothing more")) }
    }
}

/// Returns an input or a constant in the source's notation.
fn leaf_notation<L: Language>(leaf: &Node<L::Constant>) -> String {
    match leaf {
        Node::Constant(constant) => format!("{}{constant}{}", L::CONSTANT[0], L::CONSTANT[1]),
        Node::Symbol(symbol) => L::SYMBOLS[usize::from(*symbol)].pieces[0].to_owned(),
    }
}

/// Maximum size of a parsed program: many times any evolved program, and small enough for any machine.
pub const MOST_NODES: usize = 1_000_000;

/// Adds a node parsed from `word`.
fn push<L: Language>(
    nodes: &mut Vec<Node<L::Constant>>,
    node: Node<L::Constant>,
    word: Word<'_>,
) -> Result<(), TextError> {
    if nodes.len() == MOST_NODES {
        return Err(word.error(format!("the end: a program has at most {MOST_NODES} nodes")));
    }
    nodes.push(node);
    Ok(())
}

/// Writes the pieces after an argument, and those of every function that ends with it.
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

/// A token with its position; empty at the end of the text.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    pub text: &'a str,
    line: usize,
    column: usize,
}

impl Word<'_> {
    pub fn error(&self, expected: impl Into<String>) -> TextError {
        let found: String = self.text.chars().take(24).collect();
        TextError::new(self.line, self.column, found, expected)
    }
}

/// A parser position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Byte offset.
    offset: usize,
    /// Line and column count from 1, columns in characters.
    line: usize,
    column: usize,
}

impl Place {
    pub const START: Place = Place { offset: 0, line: 1, column: 1 };

    fn behind(self, c: char) -> Place {
        let (line, column) = if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        Place { offset: self.offset + c.len_utf8(), line, column }
    }
}

/// Returns the word at or after `place`, and its end. A bracket is a word; all other words end at white space or a bracket. At
/// the end of the text words are empty.
pub fn word(text: &str, place: Place) -> (Word<'_>, Place) {
    let mut from = place;
    while let Some(c) = text[from.offset..].chars().next() {
        if from.column == 1 && is_comment(&text[from.offset..]) {
            let length = text[from.offset..].find('\n').unwrap_or(text.len() - from.offset);
            let column = 1 + text[from.offset..from.offset + length].trim_end().chars().count();
            from = Place { offset: from.offset + length, line: from.line, column };
        } else if c.is_whitespace() {
            from = from.behind(c);
        } else {
            break;
        }
    }
    let mut end = from;
    for c in text[from.offset..].chars() {
        let bracket = matches!(c, '(' | ')' | '[' | ']');
        if c.is_whitespace() || (bracket && end != from) {
            break;
        }
        end = end.behind(c);
        if bracket {
            break;
        }
    }
    if end == from {
        // A missing word is reported after the last existing one.
        let column = text.rsplit('\n').next().map_or(0, |line| line.trim_end().chars().count()) + 1;
        from.column = column;
    }
    (Word { text: &text[from.offset..end.offset], line: from.line, column: from.column }, end)
}

/// Returns whether the line at the beginning of `text` is a comment.
fn is_comment(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_whitespace() && c != '\n').starts_with(['#', ';'])
}

/// A set of symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Symbols(u64);

impl Symbols {
    fn all<L: Language>() -> Symbols {
        const { assert!(L::SYMBOLS.len() < 64) };
        Symbols((1 << L::SYMBOLS.len()) - 1)
    }

    fn iter(self) -> impl Iterator<Item = u8> {
        (0..64_u8).filter(move |symbol| self.0 >> symbol & 1 == 1)
    }

    fn only(self, wanted: impl Fn(u8) -> bool) -> Symbols {
        Symbols::collect(self.iter().filter(|&symbol| wanted(symbol)))
    }

    fn collect(symbols: impl Iterator<Item = u8>) -> Symbols {
        Symbols(symbols.fold(0, |set, symbol| set | 1 << symbol))
    }

    fn first(self) -> Option<u8> {
        self.iter().next()
    }
}

/// A partly parsed function: the remaining candidates, the number of parsed pieces, and its node.
struct Open {
    candidates: Symbols,
    pieces: u8,
    node: u32,
}

fn read_notation<L: Language>(text: &str) -> Result<Tree<L>, TextError> {
    let mut nodes: Vec<Node<L::Constant>> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut at = Place::START;
    loop {
        let here = word(text, at).0;
        if let Some((constant, end)) = read_constant::<L>(text, at) {
            push::<L>(&mut nodes, Node::Constant(constant), here)?;
            at = end;
        } else {
            let (candidates, first, end) = begin::<L>(text, at)?;
            at = end;
            push::<L>(&mut nodes, Node::Symbol(first), here)?;
            if L::SYMBOLS[usize::from(first)].arity() > 0 {
                open.push(Open { candidates, pieces: 1, node: nodes.len() as u32 - 1 });
                continue;
            }
        }
        // After an argument: the next piece narrows down the function and may end it.
        loop {
            let Some(function) = open.last_mut() else {
                let rest = word(text, at).0;
                return if rest.text.is_empty() {
                    Ok(Tree::from_nodes(nodes))
                } else {
                    Err(rest.error("nothing more"))
                };
            };
            let (symbol, end) = go_on::<L>(function, text, at)?;
            at = end;
            nodes[function.node as usize] = Node::Symbol(symbol);
            if usize::from(function.pieces) <= L::SYMBOLS[usize::from(symbol)].arity() {
                break;
            }
            open.pop();
        }
    }
}

fn read_constant<L: Language>(text: &str, at: Place) -> Option<(L::Constant, Place)> {
    let (constant, end) = word(text, matches_piece(text, at, L::CONSTANT[0])?);
    Some((L::parse_constant(constant.text)?, matches_piece(text, end, L::CONSTANT[1])?))
}

/// Returns the symbols whose first piece is at `at`, preferring the longest piece, and the first of these symbols.
fn begin<L: Language>(text: &str, at: Place) -> Result<(Symbols, u8, Place), TextError> {
    let end_of = |symbol: u8| Some((symbol, matches_piece(text, at, L::SYMBOLS[usize::from(symbol)].pieces[0])?));
    let fitting: Vec<(u8, Place)> = Symbols::all::<L>().iter().filter_map(end_of).collect();
    let Some(&(_, end)) = fitting.iter().max_by_key(|(_, end)| end.offset) else {
        let mut known: Vec<String> = L::SYMBOLS.iter().map(|symbol| quoted(symbol.pieces[0])).collect();
        crate::sort::sort(&mut known);
        known.dedup();
        return Err(word(text, at).0.error(format!("{}, or {} to begin with", L::CONSTANT_HELP, known.join(", "))));
    };
    let candidates = Symbols::collect(fitting.iter().filter(|fit| fit.1 == end).map(|fit| fit.0));
    let first = candidates.first().expect("the longest piece is one of them");
    Ok((candidates, first, end))
}

/// Parses the next piece of a function; returns the first remaining candidate and the end of the piece.
fn go_on<L: Language>(function: &mut Open, text: &str, at: Place) -> Result<(u8, Place), TextError> {
    let piece = |symbol: u8| L::SYMBOLS[usize::from(symbol)].pieces[usize::from(function.pieces)];
    let fitting = function.candidates.only(|symbol| matches_piece(text, at, piece(symbol)).is_some());
    let Some(first) = fitting.first() else {
        let mut known: Vec<String> = function.candidates.iter().map(|symbol| quoted(piece(symbol))).collect();
        known.dedup();
        return Err(word(text, at).0.error(known.join(" or ")));
    };
    let end = matches_piece(text, at, piece(first)).unwrap_or(at);
    function.candidates = fitting;
    function.pieces += 1;
    Ok((first, end))
}

fn quoted(piece: &str) -> String {
    format!("'{}'", piece.trim())
}

/// Returns the end of the words of `piece` if they are at `at`.
fn matches_piece(text: &str, at: Place, piece: &str) -> Option<Place> {
    let mut end = at;
    let mut wanted = Place::START;
    loop {
        let (next, behind) = word(piece, wanted);
        if next.text.is_empty() {
            return Some(end);
        }
        let (found, after) = word(text, end);
        if found.text != next.text {
            return None;
        }
        (end, wanted) = (after, behind);
    }
}

/// Parses an s-expression at `at` with the `allowed` symbols; returns its end as well.
pub fn read_sexpr<L: Language>(
    text: &str,
    mut at: Place,
    allowed: impl Fn(u8) -> bool,
) -> Result<(Tree<L>, Place), TextError> {
    let mut nodes = Vec::new();
    let mut open: Vec<u8> = Vec::new();
    let mut next = || {
        let (word, end) = word(text, at);
        at = end;
        word
    };
    let symbols = |leaf: bool| {
        let all = (0..L::SYMBOLS.len() as u8).filter(|&symbol| allowed(symbol));
        all.filter(move |&symbol| (L::SYMBOLS[usize::from(symbol)].arity() == 0) == leaf)
    };
    let named = |name: &str, leaf: bool| symbols(leaf).find(|&symbol| L::SYMBOLS[usize::from(symbol)].short == name);
    let leaf_of = |name: &str| {
        let leaf = named(name, true).map(Node::Symbol);
        leaf.or_else(|| L::parse_constant(name).map(Node::Constant))
    };
    // Whether brackets enclose a program of a single input or constant.
    let mut alone = false;
    loop {
        let mut here = next();
        if here.text == "(" {
            let name = next();
            if let Some(symbol) = named(name.text, false) {
                push::<L>(&mut nodes, Node::Symbol(symbol), here)?;
                open.push(L::SYMBOLS[usize::from(symbol)].arity() as u8);
                continue;
            }
            let may_be_alone = nodes.is_empty() && L::ALONE[0].contains('(');
            alone = may_be_alone && leaf_of(name.text).is_some();
            if !alone {
                let known: Vec<&str> = symbols(false).map(|symbol| L::SYMBOLS[usize::from(symbol)].short).collect();
                let or_leaf = if may_be_alone { format!(", or {} alone", L::CONSTANT_HELP) } else { String::new() };
                return Err(name.error(format!("a function: {}{or_leaf}", known.join(", "))));
            }
            here = name;
        }
        let leaf = leaf_of(here.text).ok_or_else(|| here.error(format!("{} or '('", L::CONSTANT_HELP)))?;
        push::<L>(&mut nodes, leaf, here)?;
        let closes = |word: Word<'_>| if word.text == ")" { Ok(()) } else { Err(word.error("')'")) };
        if alone {
            closes(next())?;
        }
        while let Some(left) = open.last_mut() {
            *left -= 1;
            if *left > 0 {
                break;
            }
            open.pop();
            closes(next())?;
        }
        if open.is_empty() {
            return Ok((Tree::from_nodes(nodes), at));
        }
    }
}
