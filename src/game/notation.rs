//! Game files: headers in brackets, then the moves, variations in parentheses behind the move they replace.
//!
//! ```text
//! [Game "kalah:6x4:standard"]
//! [South "human"]
//! [North "minimax:8"]
//! [Seed "7"]
//! [Result "25-23"]
//!
//! 1. C F 2. b (2. a) 3. D
//! ```
//!
//! The numbers count turns and are optional, as are all headers but `Game`; `{…}` and `;` to the end of a line are comments.
//! `Start` holds a position to start from. `Result` is the final count or `*` for a game that has not ended; it is derived when
//! written and, when read, has to agree with the moves.

use super::record::{NodeId, Record};
use super::{Position, TextError, Variant};

/// The record as text. [`read`] gives the same record again, at the end of its line.
pub fn write(record: &Record) -> String {
    let mut text = format!("[Game \"{}\"]\n", record.variant);
    text += &format!("[South \"{}\"]\n[North \"{}\"]\n", record.players[0], record.players[1]);
    if let Some(seed) = record.seed {
        text += &format!("[Seed \"{seed}\"]\n");
    }
    if *record.start() != record.variant.start() {
        text += &format!("[Start \"{}\"]\n", record.start().to_text());
    }
    text += &format!("[Result \"{}\"]\n\n", result_text(record));
    let mut words = Vec::new();
    Writer { record, words: &mut words }.line(0, 1, true);
    text + &wrap(&words, 80)
}

fn result_text(record: &Record) -> String {
    record.result().map_or("*".to_owned(), |[south, north]| format!("{south}-{north}"))
}

/// Turns a tree into words. A loop over the main line, recursion only into variations.
struct Writer<'a> {
    record: &'a Record,
    words: &'a mut Vec<String>,
}

impl Writer<'_> {
    /// Writes what follows `node`, whose next move belongs to `turn`, with its number in front if that is due.
    fn line(&mut self, mut node: NodeId, mut turn: u32, mut number_due: bool) {
        loop {
            // The line that was chosen last is the main line; the others are its variations.
            let tried: Vec<_> = self.record.tried(node).collect();
            let Some(&(child, mv)) = self.record.chosen(node).and_then(|chosen| tried.iter().find(|t| t.0 == chosen))
            else {
                return;
            };
            let position = self.record.position_at(node);
            self.word(position, mv, turn, &mut number_due);
            for &(other, mv) in tried.iter().filter(|&&(other, _)| other != child) {
                self.variation(node, other, mv, turn);
                number_due = true;
            }
            let next = self.record.position_at(child);
            if next.side() != position.side() {
                turn += 1;
                number_due = true;
            }
            node = child;
        }
    }

    fn word(&mut self, position: &Position, mv: super::Move, turn: u32, number_due: &mut bool) {
        if std::mem::take(number_due) {
            self.words.push(format!("{turn}."));
        }
        self.words.push(position.move_text(mv));
    }

    fn variation(&mut self, node: NodeId, child: NodeId, mv: super::Move, turn: u32) {
        let first = self.words.len();
        let position = self.record.position_at(node);
        self.word(position, mv, turn, &mut true);
        let same_side = self.record.position_at(child).side() == position.side();
        self.line(child, turn + u32::from(!same_side), !same_side);
        self.words[first].insert(0, '(');
        if let Some(last) = self.words.last_mut() {
            last.push(')');
        }
    }
}

/// Joins words into lines of at most `width` characters, each with its line end.
fn wrap(words: &[String], width: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > width {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += word.len();
    }
    text.push('\n');
    text
}

/// Reads a record, to stand at the end of its main line.
///
/// # Errors
/// Names the line and column, what stands there and what was expected.
pub fn read(text: &str) -> Result<Record, TextError> {
    let mut scanner = Scanner::new(text);
    let headers = read_headers(&mut scanner)?;
    let mut record = headers.to_record(&scanner)?;
    read_moves(&mut scanner, &mut record)?;
    record.to_start();
    record.to_end();
    headers.check_result(&record)?;
    Ok(record)
}

/// Characters with their place. Columns count characters from 1.
struct Scanner<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    column: usize,
}

/// A word with its place.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    line: usize,
    column: usize,
}

impl Word {
    fn error(&self, expected: impl Into<String>) -> TextError {
        TextError::new(self.line, self.column, self.text.clone(), expected)
    }
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Scanner<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Scanner { rest: text.chars().peekable(), line: 1, column: 1 }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn here(&mut self, expected: impl Into<String>) -> TextError {
        let found = self.rest.peek().map(|&c| if c == '\n' { "the line's end".into() } else { c.to_string() });
        TextError::new(self.line, self.column, found.unwrap_or_default(), expected)
    }

    /// Passes white space and comments.
    fn skip(&mut self) -> Result<(), TextError> {
        while let Some(&c) = self.rest.peek() {
            match c {
                ';' => while self.next().is_some_and(|c| c != '\n') {},
                '{' => {
                    let open = TextError::new(self.line, self.column, "{", "a comment that ends with '}'");
                    loop {
                        match self.next() {
                            Some('}') => break,
                            Some(_) => {}
                            None => return Err(open),
                        }
                    }
                }
                c if c.is_whitespace() => {
                    self.next();
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> Word {
        let mut word = Word { text: String::new(), line: self.line, column: self.column };
        while let Some(&c) = self.rest.peek().filter(|&&c| wanted(c)) {
            word.text.push(c);
            self.next();
        }
        word
    }

    fn expect(&mut self, wanted: char, expected: &str) -> Result<(), TextError> {
        if self.rest.peek() != Some(&wanted) {
            return Err(self.here(expected));
        }
        self.next();
        Ok(())
    }
}

#[derive(Default)]
struct Headers {
    game: Option<Word>,
    players: [Option<Word>; 2],
    seed: Option<Word>,
    start: Option<Word>,
    result: Option<Word>,
}

fn read_headers(scanner: &mut Scanner) -> Result<Headers, TextError> {
    let mut headers = Headers::default();
    loop {
        scanner.skip()?;
        if scanner.rest.peek() != Some(&'[') {
            return Ok(headers);
        }
        scanner.next();
        let name = scanner.take_while(|c| c.is_alphanumeric());
        scanner.skip()?;
        scanner.expect('"', "a value in quotes, as in [Game \"kalah:6x4:standard\"]")?;
        let value = scanner.take_while(|c| c != '"' && c != '\n');
        scanner.expect('"', "a closing quote")?;
        scanner.skip()?;
        scanner.expect(']', "']' to end the header")?;
        let place = match name.text.as_str() {
            "Game" => &mut headers.game,
            "South" => &mut headers.players[0],
            "North" => &mut headers.players[1],
            "Seed" => &mut headers.seed,
            "Start" => &mut headers.start,
            "Result" => &mut headers.result,
            // Headers of other programs, such as Date or Event, are passed over.
            _ => continue,
        };
        if place.is_some() {
            return Err(name.error("each header once only"));
        }
        *place = Some(value);
    }
}

impl Headers {
    fn to_record(&self, scanner: &Scanner) -> Result<Record, TextError> {
        let Some(game) = &self.game else {
            let expected = "a header [Game \"…\"] first, such as [Game \"kalah:6x4:standard\"]";
            let found = scanner.rest.clone().peek().map(char::to_string).unwrap_or_default();
            return Err(TextError::new(scanner.line, scanner.column, found, expected));
        };
        let variant: Variant = game.text.parse().map_err(|reason| game.error(format!("a game; {reason}")))?;
        let start = match &self.start {
            None => variant.start(),
            Some(word) => variant.position_from_text(&word.text).map_err(|e| e.within(word.line, word.column))?,
        };
        let seed = match &self.seed {
            None => None,
            Some(word) => Some(word.text.parse().map_err(|_| word.error("a whole number from 0 to 2^64 - 1"))?),
        };
        let players = self.players.clone().map(|name| name.map_or("?".to_owned(), |word| word.text));
        Ok(Record::from_position(variant, start, players, seed))
    }

    fn check_result(&self, record: &Record) -> Result<(), TextError> {
        let result = result_text(record);
        match &self.result {
            Some(word) if word.text != result && word.text != "*" => {
                Err(word.error(format!("'{result}', which is what the moves give")))
            }
            _ => Ok(()),
        }
    }
}

fn read_moves(scanner: &mut Scanner, record: &mut Record) -> Result<(), TextError> {
    // Where to go on after each open parenthesis.
    let mut open: Vec<(NodeId, Word)> = Vec::new();
    loop {
        scanner.skip()?;
        let Some(&c) = scanner.rest.peek() else { break };
        match c {
            '(' => {
                let word = Word { text: "(".into(), line: scanner.line, column: scanner.column };
                scanner.next();
                let end = record.at();
                if !record.back() {
                    return Err(word.error("a move before its variation"));
                }
                open.push((end, word));
            }
            ')' => {
                let Some((end, _)) = open.pop() else { return Err(scanner.here("a move")) };
                scanner.next();
                record.go_to(end);
            }
            _ => {
                let word = scanner.take_while(|c| !c.is_whitespace() && !"(){};[]".contains(c));
                if word.text.is_empty() {
                    return Err(scanner.here("a move"));
                }
                read_word(&word, record)?;
            }
        }
    }
    match open.pop() {
        Some((_, word)) => Err(word.error("a variation that ends with ')'")),
        None => Ok(()),
    }
}

/// A turn's number, a move, or a number with a move behind it, as in `3.C`; a result at the end is passed over.
fn read_word(word: &Word, record: &mut Record) -> Result<(), TextError> {
    if word.text == "*" || word.text.split_once('-').is_some_and(|(a, b)| is_number(a) && is_number(b)) {
        return Ok(());
    }
    let digits = word.text.chars().take_while(char::is_ascii_digit).count();
    let dots = word.text[digits..].chars().take_while(|&c| c == '.').count();
    let name = if digits > 0 && dots > 0 { &word.text[digits + dots..] } else { &word.text };
    if name.is_empty() {
        return Ok(());
    }
    let word = Word { text: name.to_owned(), line: word.line, column: word.column + word.text.len() - name.len() };
    let position = *record.position();
    let legal: Vec<String> = position.moves().into_iter().map(|mv| position.move_text(mv)).collect();
    // Exactly as written: here the case says whose move it is, and a wrong one means that a move is missing.
    match position.moves().into_iter().find(|&mv| position.move_text(mv) == name) {
        Some(mv) => {
            record.play(mv);
            Ok(())
        }
        None if legal.is_empty() => Err(word.error("nothing more: the game is over")),
        None => Err(word.error(format!("a move of {}: {}", position.side(), legal.join(", ")))),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GAME: &str = "[Game \"kalah:6x4:standard\"]\n[South \"human\"]\n[North \"minimax:8\"]\n[Seed \"7\"]\n[Result \"*\"]\n\n\
                        1. C F 2. a (2. b e 3. A) (2. c) 3. D\n";

    #[test]
    fn what_is_written_is_read_again() {
        let record = read(GAME).unwrap();
        assert_eq!(record.players, ["human", "minimax:8"]);
        assert_eq!((record.seed, record.ply(), record.len()), (Some(7), 4, 9));
        assert_eq!(write(&record), GAME);
    }

    #[test]
    fn numbers_comments_and_other_headers_are_passed_over() {
        let text = "\u{feff}[Game \"kalah\"]\n[Date \"2026\"]\n{ a slow {start } C F ; then North\n2.a 3... D *";
        let record = read(text).unwrap();
        assert_eq!((record.ply(), record.len()), (4, 5));
        assert_eq!(record.players, ["?", "?"]);
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        let cases = [
            (
                "",
                "line 1, column 1: the text ends here; expected a header [Game \"…\"] first, such as [Game \"kalah:6x4:standard\"]",
            ),
            ("[Game \"kalah\"]\n1. C F C", "line 2, column 8: found 'C'; expected a move of North: a, b, c, d, e, f"),
            ("[Game \"kalah\"]\n1. C c", "line 2, column 6: found 'c'; expected a move of South: A, B, D, E, F"),
            ("[Game \"kalah\"]\n(A)", "line 2, column 1: found '('; expected a move before its variation"),
            ("[Game \"kalah\"]\nC (D", "line 2, column 3: found '('; expected a variation that ends with ')'"),
            ("[Game \"kalah\"]\nC)", "line 2, column 2: found ')'; expected a move"),
            ("[Game \"kalah\"]\nC { D", "line 2, column 3: found '{'; expected a comment that ends with '}'"),
            (
                "[Game \"kalah\"]\n[Seed \"x\"]",
                "line 2, column 8: found 'x'; expected a whole number from 0 to 2^64 - 1",
            ),
            (
                "[Game \"kalah\"]\n[Seed 3]",
                "line 2, column 7: found '3'; expected a value in quotes, as in [Game \"kalah:6x4:standard\"]",
            ),
            (
                "[Game \"kalah\"]\n[South \"a\"]\n[South \"b\"]",
                "line 3, column 2: found 'South'; expected each header once only",
            ),
            (
                "[Game \"kalah\"]\n[Result \"30-18\"]\nC F",
                "line 2, column 10: found '30-18'; expected '*', which is what the moves give",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(error(text), message, "{text:?}");
        }
        assert!(
            error("[Game \"chess\"]")
                .starts_with("line 1, column 8: found 'chess'; expected a game; no game is called 'chess'")
        );
        assert!(error("[Game \"kalah\"]\n[Start \"<6,0,0,x>\"]").starts_with("line 2, column "));
    }

    proptest! {
        #[test]
        fn any_tree_comes_back(choices in proptest::collection::vec((0_u8..4, 0_usize..8), 0..120)) {
            let mut record = Record::new("kalah:3x3".parse().unwrap(), ["random".into(), "max".into()], Some(1));
            for (what, index) in choices {
                match what {
                    0 => { (0..=index).for_each(|_| { record.back(); }); }
                    _ => {
                        let moves = record.position().moves();
                        if !moves.is_empty() {
                            record.play(moves[index % moves.len()]);
                        }
                    }
                }
            }
            let text = write(&record);
            let again = read(&text).unwrap();
            prop_assert_eq!(again.len(), record.len());
            prop_assert_eq!(write(&again), text);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "(\\PC|[\\[\\](){};\"\\n<> A-Fa-f0-9.*-]|\\[Game \"kalah\"\\]){0,60}") {
            let _ = read(&text);
        }
    }
}
