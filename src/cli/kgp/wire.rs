//! Commands of the Kalah Game Protocol, one a line: `id@ref name arguments`.

use std::fmt;

use mancalab_base::Error;

use crate::game::{Board, Move, Position, Variant};
use crate::sanitize;

/// The version that the server announces.
pub const VERSION: [i64; 3] = [1, 0, 1];

/// Maximum length of a command in bytes, its line end included.
pub const LONGEST: usize = 16_384;

/// Line end of a command.
pub const END: &str = "\r\n";

/// A command of either side.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Command {
    pub id: Option<u64>,
    /// The id of the command that this one answers.
    pub reference: Option<u64>,
    pub name: String,
    pub arguments: Vec<Argument>,
}

/// An argument. Its type is visible in its text.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    Integer(i64),
    Real(f64),
    /// A string of letters, digits, `-` and `:`, written without quotes.
    Word(String),
    /// A string written in double quotes.
    Text(String),
    /// A board with its angle brackets, such as `<3,0,0,3,3,3,3,3,3>`.
    Board(String),
}

impl Command {
    pub fn new(name: &str, arguments: Vec<Argument>) -> Command {
        Command { name: name.to_owned(), arguments, ..Command::default() }
    }

    /// Returns the same command as an answer to another one.
    #[must_use]
    pub fn to(self, reference: Option<u64>) -> Command {
        Command { reference, ..self }
    }

    /// Returns the string argument of this index.
    pub fn text(&self, index: usize) -> Option<&str> {
        match self.arguments.get(index)? {
            Argument::Word(text) | Argument::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the integer argument of this index.
    pub fn integer(&self, index: usize) -> Option<i64> {
        if let Argument::Integer(number) = self.arguments.get(index)? { Some(*number) } else { None }
    }

    /// Parses a line, with or without its end.
    ///
    /// # Errors
    /// What is wrong, and what is accepted.
    pub fn parse(line: &str) -> Result<Command, Error> {
        let mut words = split(line.trim())?.into_iter().peekable();
        let mut id = None;
        let mut reference = None;
        if let Some(numbers) = words.peek().and_then(|word| numbers(word)) {
            (id, reference) = numbers?;
            words.next();
        }
        let name = words.next().ok_or("a command's name is missing")?;
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(format!("the name of a command has letters and digits (got {})", short(&name)).into());
        }
        let arguments = words.map(|word| Argument::parse(&word)).collect::<Result<_, Error>>()?;
        Ok(Command { id, reference, name, arguments })
    }
}

/// Splits a line at blanks outside of quotes.
fn split(line: &str) -> Result<Vec<String>, Error> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    let mut is_quoted = false;
    let mut is_escaped = false;
    for c in line.chars() {
        let is_blank = !is_quoted && c.is_ascii_whitespace();
        if !is_blank && !is_open {
            words.push(String::new());
        }
        words.last_mut().filter(|_| !is_blank).into_iter().for_each(|word| word.push(c));
        is_open = !is_blank;
        if !is_escaped && c == '"' {
            is_quoted = !is_quoted;
        }
        is_escaped = is_quoted && !is_escaped && c == '\\';
    }
    if is_quoted { Err("a string has no closing quote".into()) } else { Ok(words) }
}

/// The numbers `id@ref` of a command.
type Numbers = (Option<u64>, Option<u64>);

/// Reads `id@ref`, where either may be missing; `None` if the word is something else.
fn numbers(word: &str) -> Option<Result<Numbers, Error>> {
    let (id, reference) = word.split_once('@').map_or((word, None), |(id, reference)| (id, Some(reference)));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(id) || !reference.is_none_or(|text| !text.is_empty() && is_number(text)) {
        return None;
    }
    let number = |text: &str| text.parse().map_err(|_| format!("the number {} is too large", short(text)));
    let parsed = || {
        let id = Some(id).filter(|id| !id.is_empty()).map(number).transpose()?;
        Ok((id, reference.map(number).transpose()?))
    };
    Some(parsed())
}

/// Returns the start of a text for a message.
fn short(text: &str) -> String {
    format!("'{}'", sanitize::inline(&text.chars().take(40).collect::<String>()))
}

impl Argument {
    fn parse(word: &str) -> Result<Argument, Error> {
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(inside) = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            return Ok(Argument::Text(unescaped(inside)));
        }
        if let Some(counts) = word.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'))
            && counts.split(',').all(|count| !count.is_empty() && is_number(count))
        {
            return Ok(Argument::Board(word.to_owned()));
        }
        if !digits.is_empty() && is_number(digits) {
            return word.parse().map(Argument::Integer).map_err(|_| format!("{} is too large", short(word)).into());
        }
        if let Some((whole, part)) = digits.split_once('.')
            && is_number(whole)
            && is_number(part)
            && !part.is_empty()
        {
            return word.parse().map(Argument::Real).map_err(|_| format!("{} is not a number", short(word)).into());
        }
        if word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-:".contains(&byte)) {
            return Ok(Argument::Word(word.to_owned()));
        }
        Err(format!("an argument is a number, a word, a string in quotes or a board (got {})", short(word)).into())
    }
}

fn unescaped(text: &str) -> String {
    let mut chars = text.chars();
    let mut out = String::new();
    while let Some(c) = chars.next() {
        let read = if c == '\\' { chars.next() } else { Some(c) };
        // As the protocol's own clients write them.
        out.extend(read.map(|read| match (c, read) {
            ('\\', 'n') => '\n',
            ('\\', 't') => '\t',
            _ => read,
        }));
    }
    out
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.iter().try_for_each(|id| write!(f, "{id}"))?;
        self.reference.iter().try_for_each(|reference| write!(f, "@{reference}"))?;
        let blank = if self.id.is_some() || self.reference.is_some() { " " } else { "" };
        write!(f, "{blank}{}", self.name)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Integer(number) => write!(f, "{number}"),
            Argument::Real(number) => write!(f, "{number:?}"),
            Argument::Word(text) | Argument::Board(text) => f.write_str(text),
            // A line end within a string would end the command.
            Argument::Text(text) => {
                write!(f, "\"{}\"", sanitize::inline(text).replace('\\', "\\\\").replace('"', "\\\""))
            }
        }
    }
}

/// Seeds a pit at the start of a variant, at most.
const MAX_SEEDS: u32 = 12;

/// Returns the position of a board, in which South is to move.
///
/// # Errors
/// The board has too many pits or seeds, or its counts do not match its size.
pub fn position(board: &str) -> Result<(Variant, Position), Error> {
    let counts = board.trim_matches(['<', '>']).split(',').map(str::parse::<u32>);
    let counts: Vec<u32> =
        counts.collect::<Result<_, _>>().map_err(|_| format!("{board} has a count that is too large"))?;
    let pits = counts.first().copied().unwrap_or(0).max(1);
    let total = counts.iter().skip(1).fold(0_u32, |sum, count| sum.saturating_add(*count));
    // The text of the rules bounds the seeds of a board.
    let seeds = total.div_ceil(pits.saturating_mul(2)).clamp(1, MAX_SEEDS);
    let variant: Variant = format!("kalah:{pits}x{seeds}:standard").parse()?;
    let position = variant.position_from_text(board).map_err(|error| format!("the board {board}: {error}"))?;
    Ok((variant, position))
}

/// Returns the board of a position of Kalah as the side to move sees it.
pub fn argument(position: &Position) -> Argument {
    let Board::Pits(board) = position.board() else { return Argument::Board("<0>".to_owned()) };
    let own = position.side().index();
    let other = position.side().other().index();
    let head = [board.pits[own].len() as u16, board.stores[own], board.stores[other]];
    let counts: Vec<String> =
        head.iter().chain(&board.pits[own]).chain(&board.pits[other]).map(u16::to_string).collect();
    Argument::Board(format!("<{}>", counts.join(",")))
}

/// Returns a move as the number of its pit, from 1.
pub fn number(mv: Move) -> Argument {
    Argument::Integer(mv.index() as i64 + 1)
}

/// Returns the move of a pit, if it is legal.
pub fn legal(position: &Position, number: i64) -> Option<Move> {
    let index = number.checked_sub(1).and_then(|index| u8::try_from(index).ok())?;
    position.moves().into_iter().find(|mv| mv.index() == usize::from(index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;

    fn parsed(line: &str) -> Command {
        Command::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn the_commands_of_the_specification_are_read_and_written() {
        for line in [
            "kgp 1 0 1",
            "mode freeplay",
            "4 state <3,0,0,3,3,3,3,3,3>",
            "@4 move 1",
            "6@4 stop",
            "@8 yield",
            "error \"Unsupported activity\"",
            "set info:name \"like \\\" this \\\\\"",
            "set time:mode relative",
            "7@3 eval -0.123",
        ] {
            assert_eq!(parsed(line).to_string(), line);
            assert_eq!(parsed(&format!("  {line} \r\n")), parsed(line));
        }
        let command = parsed("6@4 x 32 +0 -100 0.0 +3.25 -.123 single-word \"with \\\"double\\\" quotes\" <3,1>");
        let real = |number| Argument::Real(number);
        let integer = Argument::Integer;
        let expected = [integer(32), integer(0), integer(-100), real(0.0), real(3.25), real(-0.123)];
        assert_eq!(command.arguments[..6], expected);
        assert_eq!((command.id, command.reference), (Some(6), Some(4)));
        assert_eq!((command.text(6), command.text(7)), (Some("single-word"), Some("with \"double\" quotes")));
        assert_eq!(command.arguments[8], Argument::Board("<3,1>".to_owned()));
    }

    #[test]
    fn other_lines_are_refused_with_what_is_accepted() {
        for (line, part) in [
            ("", "name is missing"),
            ("12", "name is missing"),
            ("@4", "name is missing"),
            ("mo-ve 1", "letters and digits"),
            ("move \"1", "closing quote"),
            ("move <1,>", "an argument is"),
            ("move a_b", "an argument is"),
            ("99999999999999999999 move", "too large"),
            ("move 99999999999999999999", "too large"),
            ("@ move", "letters and digits (got '@')"),
        ] {
            let error = Command::parse(line).unwrap_err().to_string();
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn a_string_cannot_end_a_line() {
        let text = Command::new("set", vec![Argument::Text("a\r\nmove 1\u{1b}[2J".to_owned())]).to_string();
        assert!(!text.contains(['\r', '\n', '\u{1b}']), "{text:?}");
        assert_eq!(Command::parse(&text).unwrap().arguments.len(), 1);
    }

    #[test]
    fn boards_of_the_specification_come_back() {
        for board in ["<3,10,2,1,2,3,4,2,0>", "<3,0,0,3,3,3,3,3,3>", "<3,1,3,0,4,4,4,3,3>"] {
            let (_, position) = position(board).unwrap();
            assert_eq!((argument(&position).to_string().as_str(), position.side()), (board, Side::South));
        }
    }

    /// A move of South is followed by North, whose pits the board then begins with.
    #[test]
    fn a_board_is_that_of_the_side_to_move() {
        let (_, start) = position("<3,0,0,3,3,3,3,3,3>").unwrap();
        let next = start.play(legal(&start, 2).unwrap());
        assert_eq!(argument(&next).to_string(), "<3,0,1,4,3,3,3,0,4>");
        assert_eq!(legal(&next, 1).map(number), Some(Argument::Integer(1)));
        for odd in [0, 4, -1, i64::MIN, 256, 257] {
            assert_eq!(legal(&next, odd), None, "{odd}");
        }
        assert_eq!(legal(&start.play(legal(&start, 1).unwrap()), 1), None, "an extra turn, and an empty pit");
    }

    #[test]
    fn boards_of_3_to_12_pits_are_played_and_others_refused() {
        for pits in 3..=12 {
            for seeds in [1, 12] {
                let counts = vec![seeds.to_string(); 2 * pits].join(",");
                let board = format!("<{pits},0,0,{counts}>");
                assert_eq!(argument(&position(&board).unwrap().1).to_string(), board);
            }
        }
        for (odd, part) in [
            ("<13,0,0>", "pits a side"),
            ("<0>", "expected 1"),
            ("<3,0,0,1,1>", "the board <3,0,0,1,1>"),
            ("<3,0,0,99999,1,1,1,1,1>", "the board"),
            ("<3,0,0,99999999999,1,1,1,1,1>", "too large"),
        ] {
            let error = position(odd).unwrap_err().to_string();
            assert!(error.contains(part), "{odd}: {error}");
        }
    }
}
