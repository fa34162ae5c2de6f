//! Reads games of a database, each when it is wanted.

use mancalab_base::Error;

use super::super::collection::{Broken, Collection, GameHeaders, moves_of};
use super::super::{DefaultGame, score};
use super::names::{Names, PLAYER, TOURNAMENT};
use super::{FORMAT, GAME, HEADER, Header, SQUARES, THEORETICAL, discs, margin};
use crate::othello::{PASS, Rules};
use crate::record::Record;
use crate::{Move, Variant};

/// The games of a file, with the files of names.
#[derive(Debug)]
pub(super) struct Database {
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
        score::give(&mut record, margin(entry.score), "");
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
