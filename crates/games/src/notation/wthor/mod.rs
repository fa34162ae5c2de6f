//! WTHOR: the database of the French Othello federation, a file of 8x8 games a year and two files of names.
//!
//! Each file begins with 16 bytes, numbers little-endian:
//!
//! | byte | |
//! |---|---|
//! | 0 to 3 | date of creation: century, year, month, day |
//! | 4 to 7 | number of games; 0 in files of names |
//! | 8, 9 | number of names; 0 in files of games |
//! | 10, 11 | year of the games |
//! | 12 | board size: 0 or 8 for 8x8 |
//! | 13 | 0 for games, 1 for solitaire positions |
//! | 14 | empty squares at which theoretical scores were computed; 0 for 22 |
//!
//! A game has 68 bytes: the numbers of its tournament, of Black and of White, two bytes each; Black's score and
//! theoretical score; and up to 60 squares, ten times the row plus the column, then zeros. Passes are left out. Names have
//! 20 bytes (players) or 26 (tournaments), in Latin 1 up to a zero.
//!
//! A record has the tournament as its event, and the theoretical score as [`THEORETICAL`]. A file holds finished games
//! from the usual start, without variations and comments.

use std::sync::Arc;
use std::time::SystemTime;

use mancalab_base::{Error, bail, utc};

use super::collection::{Broken, Collection, Format, GameHeaders, latin_1, moves_of};
use super::given;
use super::headers::{DefaultGame, MAIN_LINE_ONLY};
use crate::othello::{PASS, Rules};
use crate::record::Record;
use crate::{Move, Variant};

/// WTHOR's database.
pub static FORMAT: Format = Format {
    name: "WTHOR",
    extensions: &["wtb"],
    beside: &["WTHOR.JOU", "WTHOR.TRN"],
    writes: |variant| *variant == Variant::Othello(Rules::default()),
    loses: |record| match (record.has_variations(), record.has_comments()) {
        (true, true) => Some("variations and comments"),
        (true, false) => Some(MAIN_LINE_ONLY),
        (false, true) => Some("comments"),
        (false, false) => None,
    },
    recognises: |bytes, _| Header::read(bytes).is_ok_and(|header| header.is_likely(bytes)),
    open: |files| match <[Vec<u8>; 3]>::try_from(files) {
        Ok([players, tournaments, games]) => Ok(Arc::new(Database::new(players, tournaments, games)?)),
        Err(_) => bail!("WTHOR consists of three files"),
    },
    add: |files, record| match files {
        [players, tournaments, games] => add(players, tournaments, games, record),
        _ => bail!("WTHOR consists of three files"),
    },
};

/// Header with the discs of both sides under best play, such as `36-28 at 24 empty`.
pub const THEORETICAL: &str = "TheoreticalScore";

/// Bytes of a file's header and of a game.
const HEADER: usize = 16;
const GAME: usize = 68;

/// The number of empty squares at which theoretical scores were computed, where the header has 0.
const USUAL_DEPTH: u8 = 22;

/// Number of squares.
const SQUARES: u8 = 64;

/// What the header of a file of games contains.
#[derive(Clone, Copy, Debug)]
struct Header {
    games: usize,
    year: u16,
    /// Empty squares at which theoretical scores were computed.
    depth: u8,
}

impl Header {
    /// # Errors
    /// The file is of another board or another kind.
    fn read(bytes: &[u8]) -> Result<Header, Error> {
        let Some(&[_, _, _, _, n0, n1, n2, n3, _, _, y0, y1, size, kind, depth, _]) = bytes.first_chunk::<HEADER>()
        else {
            bail!("byte {}: the file ends here; a WTHOR header has {HEADER} bytes", bytes.len());
        };
        if !matches!(size, 0 | 8) {
            bail!("byte 12: its games are on a board of {size}x{size}; only 8x8 is supported");
        }
        if kind != 0 {
            bail!("byte 13: its type is {kind} (1 is solitaire positions); only 0, games, is supported");
        }
        let depth = if depth == 0 { USUAL_DEPTH } else { depth };
        let games = u32::from_le_bytes([n0, n1, n2, n3]) as usize;
        Ok(Header { games, year: u16::from_le_bytes([y0, y1]), depth })
    }

    /// The length of the file by its number of games.
    fn length(&self) -> usize {
        HEADER.saturating_add(GAME.saturating_mul(self.games))
    }

    /// Whether the file, whose name does not identify it, has a possible date and the right length.
    fn is_likely(&self, bytes: &[u8]) -> bool {
        let is_date = matches!(bytes, [19..=21, 0..=99, 1..=12, 1..=31, ..]);
        is_date && self.games > 0 && self.length() == bytes.len()
    }
}

/// The margin by Black's discs.
fn margin(black: u8) -> i32 {
    2 * i32::from(black) - i32::from(SQUARES)
}

/// The discs of both sides by Black's.
fn discs(black: u8) -> String {
    given::discs(margin(black)).unwrap_or_else(|| black.to_string())
}

#[cfg(test)]
mod tests;

/// The games of a file, with the files of names.
#[derive(Debug)]
struct Database {
    games: Vec<u8>,
    players: Vec<u8>,
    tournaments: Vec<u8>,
    header: Header,
    note: Option<String>,
}

/// A game's numbers.
struct Entry<'a> {
    tournament: u16,
    players: [u16; 2],
    score: u8,
    theoretical: u8,
    moves: &'a [u8],
}

impl Database {
    /// # Errors
    /// The file of games is none of 8x8 games.
    pub fn new(players: Vec<u8>, tournaments: Vec<u8>, games: Vec<u8>) -> Result<Database, Error> {
        let header = Header::read(&games)?;
        let state = |file: &[u8], width| match file.len().checked_sub(HEADER) {
            _ if file.is_empty() => Some("no "),
            Some(length) if length % width == 0 => None,
            _ => Some("damaged "),
        };
        let states = [state(&players, PLAYER), state(&tournaments, TOURNAMENT)];
        let texts = FORMAT.beside.iter().zip(states).filter_map(|(name, state)| Some(format!("{}{name}", state?)));
        let note = texts.collect::<Vec<_>>().join(", ");
        let note = (!note.is_empty()).then(|| format!("{note}: numbers for names"));
        Ok(Database { games, players, tournaments, header, note })
    }

    /// The number of complete games.
    fn whole(&self) -> usize {
        self.header.games.min((self.games.len() - HEADER) / GAME)
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        let at = HEADER + GAME * index;
        let game = self.games.get(at..at + GAME).filter(|_| index < self.whole())?;
        let &[t0, t1, b0, b1, w0, w1, score, theoretical, ref moves @ ..] = game else { return None };
        let [tournament, black, white] = [[t0, t1], [b0, b1], [w0, w1]].map(u16::from_le_bytes);
        Some(Entry { tournament, players: [black, white], score, theoretical, moves })
    }

    /// The headers that a game's record has, and the players.
    fn named(&self, entry: &Entry) -> (Vec<(String, String)>, [String; 2]) {
        let name = |file, width, number, what: &str| {
            Names::new(file, width).get(number).unwrap_or_else(|| format!("{what} {number}"))
        };
        let players = entry.players.map(|number| name(&self.players, PLAYER, number, "player"));
        let mut headers = vec![("Event", name(&self.tournaments, TOURNAMENT, entry.tournament, "tournament"))];
        if self.header.year > 0 {
            headers.push(("Date", format!("{:04}.??.??", self.header.year)));
        }
        if entry.theoretical <= SQUARES {
            headers.push((THEORETICAL, format!("{} at {} empty", discs(entry.theoretical), self.header.depth)));
        }
        (headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(), players)
    }
}

impl Collection for Database {
    /// The last is of the bytes that are missing or too many.
    fn len(&self) -> usize {
        self.whole() + usize::from(self.games.len() != self.header.length())
    }

    fn headers(&self, index: usize) -> GameHeaders {
        let Some(entry) = self.entry(index) else { return GameHeaders::default() };
        let (mut headers, [black, white]) = self.named(&entry);
        for (name, value) in [("Black", black), ("White", white), ("Result", discs(entry.score))] {
            headers.push((name.to_owned(), value));
        }
        GameHeaders { headers }
    }

    fn read_as(&self, index: usize, _: DefaultGame) -> Result<Record, Broken> {
        let game = index + 1;
        let at = HEADER + GAME * index;
        let Some(entry) = self.entry(index) else {
            let bytes = self.games.len();
            let expected = self.header.length();
            let count = self.header.games;
            let error = format!("byte {at}: the file has {bytes} bytes; expected {expected}, for {count} games");
            return Err(Broken::before_moves(game, error));
        };
        let (headers, players) = self.named(&entry);
        let mut record = Record::new(Variant::Othello(Rules::default()), players, None);
        record.headers = headers;
        let played = entry.moves.iter().position(|&square| square == 0).unwrap_or(entry.moves.len());
        for (nth, &square) in entry.moves.iter().enumerate() {
            let is_right = if nth < played { play(&mut record, square) } else { square == 0 };
            if !is_right {
                let expected = if nth < played { moves_of(record.variant, record.position()) } else { "0".to_owned() };
                let error = format!("byte {}: found {square}{}; expected {expected}", at + 8 + nth, name(square));
                return Err(Broken::in_move(game, record, error));
            }
        }
        if entry.score > SQUARES {
            let error = format!("byte {}: found {}; expected Black's score, 0 to {SQUARES}", at + 6, entry.score);
            return Err(Broken { begun: Some(Box::new(record)), ..Broken::before_moves(game, error) });
        }
        given::give_margin(&mut record, margin(entry.score), "");
        Ok(record)
    }

    fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }
}

/// The move to a square, which is ten times the row plus the column.
fn move_of(square: u8) -> Option<Move> {
    let row = square / 10;
    let column = square % 10;
    ((1..=8).contains(&row) && (1..=8).contains(&column)).then(|| Move::from(8 * (row - 1) + column - 1))
}

/// Plays a move, after a pass that the file leaves out; false if it is illegal.
fn play(record: &mut Record, square: u8) -> bool {
    if record.position().moves() == [PASS] {
        record.play(PASS);
    }
    move_of(square).is_some_and(|mv| record.play(mv))
}

/// The square's name, in parentheses.
fn name(square: u8) -> String {
    move_of(square).map_or(String::new(), |mv| format!(" ({})", crate::othello::Othello::name(mv)))
}

/// The event of games without one.
const NO_EVENT: &str = "?";

/// Adds a game; its players and tournament too if they are new.
///
/// # Errors
/// The format has no such games, or the file has games of another year or is damaged.
fn add(players: &mut Vec<u8>, tournaments: &mut Vec<u8>, games: &mut Vec<u8>, record: &Record) -> Result<(), Error> {
    let usual = FORMAT.extensions[0];
    if record.start() != &crate::othello::Rules::default().position().into() {
        bail!("games in .{usual} begin with the usual position; end the name in .ggf");
    }
    let Some(margin) = given::margin_of_game(record) else {
        bail!("games in .{usual} have a result, which this one lacks; end the name in .ggf");
    };
    let [black, white] = record.players.each_ref().map(|name| fitted(name, PLAYER));
    if black == white && record.players[0] != record.players[1] {
        bail!(
            "the names '{}' and '{}' are the same in their first {} letters",
            record.players[0],
            record.players[1],
            PLAYER - 1
        );
    }
    let year = record.header("Date").and_then(|date| date.get(..4)?.parse::<u16>().ok());
    let theoretical = record.header(THEORETICAL).and_then(theoretical);
    if games.is_empty() {
        let date = created();
        games.extend(date);
        games.resize(HEADER, 0);
        let year = year.unwrap_or(100 * u16::from(date[0]) + u16::from(date[1]));
        games[10..12].copy_from_slice(&year.to_le_bytes());
        games[12] = 8;
        games[14] = theoretical.map_or(USUAL_DEPTH, |(_, depth)| depth);
    }
    let header = Header::read(games)?;
    if games.len() != header.length() {
        bail!("it is damaged: it has {} bytes; expected {}, for {} games", games.len(), header.length(), header.games);
    }
    if let Some(other) = year.filter(|&year| year != header.year) {
        bail!("its games are of {}, and this one is of {other}", header.year);
    }
    let black_score = ((margin + i32::from(SQUARES)) / 2) as u8;
    let theoretical = theoretical.filter(|(_, depth)| *depth == header.depth).map_or(black_score, |(score, _)| score);
    let tournament = number(tournaments, TOURNAMENT, record.header("Event").unwrap_or(NO_EVENT))?;
    for value in [tournament, number(players, PLAYER, &black)?, number(players, PLAYER, &white)?] {
        games.extend(value.to_le_bytes());
    }
    games.extend([black_score, theoretical]);
    let moves = record.main_line().into_iter().map(|step| step.mv).filter(|&mv| mv != PASS);
    games.extend(moves.map(|mv| 10 * (mv.0 as u8 / 8 + 1) + mv.0 as u8 % 8 + 1));
    games.resize(header.length() + GAME, 0);
    games[4..8].copy_from_slice(&(header.games as u32 + 1).to_le_bytes());
    Ok(())
}

/// Black's discs under best play, and the empty squares at which they were computed.
fn theoretical(text: &str) -> Option<(u8, u8)> {
    let (discs, depth) = text.strip_suffix(" empty")?.split_once(" at ")?;
    let margin = given::margin(discs)?;
    Some((((margin + i32::from(SQUARES)) / 2) as u8, depth.parse().ok()?))
}

/// Bytes of the name of a player and of a tournament.
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;

/// The names in a file; of none if it is empty, which stands for a missing file.
#[derive(Debug)]
struct Names<'a> {
    names: &'a [u8],
    width: usize,
}

impl<'a> Names<'a> {
    pub fn new(file: &'a [u8], width: usize) -> Names<'a> {
        Names { names: file.get(HEADER..).unwrap_or_default(), width }
    }

    /// The name with this number.
    pub fn get(&self, number: u16) -> Option<String> {
        let name = self.names.chunks_exact(self.width).nth(usize::from(number))?;
        let end = name.iter().position(|&byte| byte == 0).unwrap_or(self.width);
        Some(latin_1(&name[..end]).trim().to_owned()).filter(|name| !name.is_empty())
    }
}

/// Returns the number of a name, which is added to the file if it is new.
///
/// # Errors
/// The file is damaged or full.
fn number(file: &mut Vec<u8>, width: usize, name: &str) -> Result<u16, Error> {
    if file.is_empty() {
        file.extend(created());
        file.resize(HEADER, 0);
    }
    let Some(count) = file.len().checked_sub(HEADER).filter(|length| length % width == 0).map(|length| length / width)
    else {
        bail!("the file of names beside it is damaged: its length is not {HEADER} and a multiple of {width} bytes");
    };
    let wanted = fitted(name, width);
    let known = file[HEADER..]
        .chunks_exact(width)
        .position(|known| Names { names: known, width }.get(0).as_deref() == Some(&*wanted));
    if let Some(number) = known {
        return Ok(number as u16);
    }
    let (Ok(number), Ok(more)) = (u16::try_from(count), u16::try_from(count + 1)) else {
        bail!("the file of names beside it is full");
    };
    file.extend(wanted.chars().map(|c| c as u8));
    file.resize(HEADER + width * usize::from(more), 0);
    file[8..10].copy_from_slice(&more.to_le_bytes());
    Ok(number)
}

/// A name as the file has it: cut to its width, `?` for letters that Latin 1 lacks.
fn fitted(name: &str, width: usize) -> String {
    let letter = |c: char| if u8::try_from(u32::from(c)).is_ok() && !c.is_control() { c } else { '?' };
    let fitted: String = name.trim().chars().map(letter).take(width - 1).collect();
    if fitted.is_empty() { "?".to_owned() } else { fitted.trim_end().to_owned() }
}

/// The date of today as headers begin with it: century, year, month, day.
fn created() -> [u8; 4] {
    let today = utc(SystemTime::now());
    [0..2, 2..4, 5..7, 8..10].map(|digits| today.get(digits).and_then(|digits| digits.parse().ok()).unwrap_or(0))
}
