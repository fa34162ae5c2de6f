//! [`BoardGame`], [`Notation`] and [`Planes`] for positions of these games.
//!
//! Positions of games of pits and stores as text: `<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S`.
//!
//! In angle brackets: the pits a side, South's store, North's store, South's pits from its left and North's from its
//! left. Then the side to move; South if it is missing.

use std::fmt;

use mancalab_base::{Error, bail};

use super::laps::places;
use super::{MAX_TOTAL, Rules, SowingPosition, SowingRules, planes, words};
use crate::{
    Bare, Board, BoardGame, Choice, Ending, Game, Move, Notation, PitBoard, Place, Planes, Side, Step, TextError, Trace,
};

impl<R: SowingRules> BoardGame for SowingPosition<R> {
    type Rules = Rules<R>;

    const NAME: &'static str = R::NAME;
    const TITLE: &'static str = R::TITLE;
    const ABOUT: &'static str = R::ABOUT;
    const EXPLAINED: &'static [&'static str] = R::EXPLAINED;
    const RULES_HELP: &'static str = R::HELP;

    fn choices(rules: Rules<R>) -> Vec<Choice> {
        rules.choices()
    }

    fn choose(rules: Rules<R>, index: usize, chosen: usize) -> Rules<R> {
        rules.choose(index, chosen)
    }

    fn start(rules: Rules<R>) -> SowingPosition<R> {
        let pits = (0..R::PITS).fold(0, |pits, pit| pits | u64::from(R::SEEDS) << (8 * pit));
        SowingPosition::settled([pits; 2], [0; 2], 0, rules)
    }

    fn rules(&self) -> Rules<R> {
        self.rules()
    }

    fn board(&self) -> Board {
        Board::Pits(self.pit_board())
    }

    fn from_board(rules: Rules<R>, board: &Board, side: Side) -> Result<SowingPosition<R>, Error> {
        let board = checked(R::TITLE, R::PITS, MAX_TOTAL.into(), board)?;
        let pits = |seat: Side| {
            let mut row = board.pits[seat.index()].clone();
            if R::is_clockwise(rules) {
                row.reverse();
            }
            words::word(&row)
        };
        let seats = [side, side.other()];
        // The total is checked, so no count is truncated.
        let stores = seats.map(|seat| board.stores[seat.index()] as u8);
        Ok(SowingPosition::settled(seats.map(pits), stores, side as u8, rules))
    }

    fn places(&self, mv: Move) -> Vec<Place> {
        vec![self.place(mv.0 as u8)]
    }

    /// Each seed is dropped where the last left off; what the pits then lack after [`play`](Game::play) is captured.
    fn trace(&self, mv: Move) -> Trace {
        let mover = self.side();
        let next = self.play(mv);
        let (steps, before) = self.laps(mv);
        let mut trace = Trace { mover, steps, extra_turn: false, over: next.is_over() };
        let (sown, _) = Self::sown(self.rules, self.pits, mv.0 as u8);
        let after = SowingPosition { pits: sown.pits, ..*self }.pit_board();
        let filled = |board: &PitBoard, kept: &dyn Fn(Place) -> bool| -> Vec<(Place, u16)> {
            let pits = board.places().filter(|&place| matches!(place, Place::Pit(..)) && kept(place));
            pits.map(|pit| (pit, board.get(pit))).filter(|&(_, seeds)| seeds > 0).collect()
        };
        let taken = filled(&before, &|pit| after.get(pit) == 0);
        if !taken.is_empty() {
            trace.steps.push(Step::Take(taken));
        }
        let left = filled(&after, &|_| trace.over);
        if !left.is_empty() {
            trace.steps.push(Step::Gather(left));
        }
        trace.extra_turn = !trace.over && next.side() == mover;
        trace
    }
}

impl<R: SowingRules> SowingPosition<R> {
    /// The steps of sowing, and the board after them.
    fn laps(&self, mv: Move) -> (Vec<Step>, PitBoard) {
        let mut steps = Vec::new();
        let mut board = self.pit_board();
        let mut at = mv.0 as u8;
        loop {
            let origin = at;
            steps.push(Step::Lift(self.place(origin)));
            let seeds = board.get_mut(self.place(origin)).map(std::mem::take);
            for _ in 0..seeds.unwrap_or_default() {
                at = self.following(at, origin);
                steps.push(Step::Drop(self.place(at)));
                board.get_mut(self.place(at)).into_iter().for_each(|seeds| *seeds += 1);
            }
            if !R::RELAYS || matches!(self.place(at), Place::Store(_)) || board.get(self.place(at)) == 1 {
                return (steps, board);
            }
        }
    }

    fn pit_board(&self) -> PitBoard {
        let (pits, stores) = self.by_seat();
        let mut rows = pits.map(|pits| words::row(pits, R::PITS));
        if R::is_clockwise(self.rules) {
            rows.iter_mut().for_each(|row| row.reverse());
        }
        PitBoard { pits: rows, stores: stores.map(u16::from) }
    }

    /// The place with this number in sowing order.
    fn place(&self, number: u8) -> Place {
        match number.checked_sub(R::PITS) {
            None => Place::Pit(self.side(), self.mirrored(number)),
            Some(0) if R::HAS_STORE => Place::Store(self.side()),
            Some(past) => Place::Pit(self.side().other(), self.mirrored(past - u8::from(R::HAS_STORE))),
        }
    }

    /// The place of the next seed of a lap from `origin`.
    fn following(&self, place: u8, origin: u8) -> u8 {
        let next = |place| (place + 1) % places(R::PITS, R::HAS_STORE);
        if R::SKIPS_ORIGIN && next(place) == origin { next(origin) } else { next(place) }
    }
}

impl<R: SowingRules> Notation for SowingPosition<R> {
    fn move_text(&self, mv: Move) -> String {
        pit_name(self.side(), self.mirrored(mv.0 as u8))
    }

    fn to_text(&self) -> String {
        print(&self.pit_board(), self.side())
    }

    fn from_text(rules: Rules<R>, text: &str) -> Result<SowingPosition<R>, TextError> {
        parse(rules, &R::TITLE, (R::PITS, MAX_TOTAL.into()), text)
    }

    /// The seeds of each side; of an odd number to be halved, one goes to neither.
    fn result_text(&self, ending: &Ending) -> String {
        let stores: i32 = self.stores.into_iter().map(i32::from).sum();
        let all = stores + self.in_pits();
        format!("{}-{}", (all + ending.margin) / 2, (all - ending.margin) / 2)
    }

    fn recognise(text: &str) -> Option<Bare> {
        recognise(text, R::PITS)
    }
}

impl<R: SowingRules> Planes for SowingPosition<R> {
    const ENCODINGS: &'static [(&'static str, &'static str)] = &[planes::COUNTS];

    fn inputs(&self, _encoding: usize) -> usize {
        planes::inputs(R::PITS)
    }

    fn outputs(&self) -> usize {
        R::PITS.into()
    }

    fn encode(&self, _encoding: usize, input: &mut Vec<(u16, f32)>) {
        let [own, other] = self.pits.map(u64::to_le_bytes);
        let pits = |side: [u8; 8]| side.into_iter().take(R::PITS.into()).map(u16::from);
        planes::encode(pits(own).chain(pits(other)), self.stores.map(u16::from), R::PITS * R::SEEDS, input);
    }

    fn output(&self, mv: Move) -> u16 {
        mv.0
    }
}

/// Name of a pit: `C` for South's third from its left, `c` for North's.
pub(crate) fn pit_name(side: Side, pit: u8) -> String {
    let first = if side == Side::South { b'A' } else { b'a' };
    char::from(first.saturating_add(pit)).to_string()
}

/// Kind of a text of a game with `pits` a side: moves begin with one or more letters of pits, possibly after a number.
pub(crate) fn recognise(text: &str, pits: u8) -> Option<Bare> {
    let text = text.trim_start();
    if text.starts_with('<') {
        return Some(Bare::Position);
    }
    let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.').trim_start();
    let word = unnumbered.split(|c: char| c.is_whitespace() || "(){},;".contains(c)).next().unwrap_or_default();
    let is_pit = |letter: u8| (b'A'..b'A' + pits).contains(&letter.to_ascii_uppercase());
    (!word.is_empty() && word.bytes().all(is_pit)).then_some(Bare::Moves)
}

pub(crate) fn print(board: &PitBoard, side: Side) -> String {
    let counts = board.stores.iter().chain(board.pits.iter().flatten());
    let counts: Vec<String> = counts.map(u16::to_string).collect();
    format!("<{},{}> {}", board.pits_a_side(), counts.join(","), side.letter())
}

/// The board, if it has `pits` a side and at most `most` seeds; `rules` names them in errors.
pub(crate) fn checked<'a>(rules: &str, pits: u8, most: u16, board: &'a Board) -> Result<&'a PitBoard, Error> {
    let Board::Pits(board) = board else { bail!("{rules} needs a board of pits, not squares") };
    for (row, seat) in board.pits.iter().zip(Side::BOTH) {
        if row.len() != usize::from(pits) {
            bail!("{seat} must have {pits} pits for {rules} (got {})", row.len());
        }
    }
    let total = board.total();
    if total > u32::from(most) {
        bail!("the board must have at most {most} seeds (got {total})");
    }
    Ok(board)
}

/// Reads a position with `pits` a side and at most `most` seeds; `named` are the rules in errors.
pub(crate) fn parse<G: BoardGame>(
    rules: G::Rules,
    named: &impl fmt::Display,
    (pits, most): (u8, u16),
    text: &str,
) -> Result<G, TextError> {
    let mut reader = Reader::new(text);
    let start = reader.clone();
    reader.token("<", "'<' at the start of a position")?;
    if reader.peek().parse() != Ok(pits) {
        return Err(reader.error(format!("{pits}, the pits a side of {named}")));
    }
    reader.advance();
    let pits = usize::from(pits);
    let mut left = most;
    let mut counts = Vec::with_capacity(2 + 2 * pits);
    for missing in (1..=2 + 2 * pits).rev() {
        reader.token(",", &format!("a comma and {missing} more of {} counts", 2 + 2 * pits))?;
        counts.push(reader.count(&mut left, most)?);
    }
    reader.token(">", &format!("'>' after {} counts", 2 + 2 * pits))?;
    let side = reader.side()?;
    let (south, north) = counts[2..].split_at(pits);
    let board = PitBoard { pits: [south.to_vec(), north.to_vec()], stores: [counts[0], counts[1]] };
    // All parts are checked above, so this should not fail; if it does, the error covers the whole position.
    G::from_board(rules, &Board::Pits(board), side).map_err(|error| start.error(error.to_string()))
}

/// Position in the text.
#[derive(Clone)]
struct Reader<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        let mut reader = Reader { rest: text, line: 1, column: 1 };
        reader.skip_space();
        reader
    }

    /// The next number, word or single character; empty at the end.
    fn peek(&self) -> &'a str {
        let word = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let end = if word > 0 { word } else { self.rest.chars().next().map_or(0, char::len_utf8) };
        &self.rest[..end]
    }

    /// Skips the token of [`peek`](Reader::peek) and the white space after it.
    fn advance(&mut self) {
        let token = self.peek();
        self.column += token.chars().count();
        self.rest = &self.rest[token.len()..];
        self.skip_space();
    }

    fn skip_space(&mut self) {
        while let Some(c) = self.rest.chars().next().filter(|c| c.is_whitespace()) {
            self.rest = &self.rest[c.len_utf8()..];
            (self.line, self.column) = if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
    }

    fn error(&self, expected: impl Into<String>) -> TextError {
        let found: String = self.peek().chars().take(24).collect();
        TextError::new(self.line, self.column, found, expected)
    }

    fn token(&mut self, token: &str, expected: &str) -> Result<(), TextError> {
        if self.peek() != token {
            return Err(self.error(expected));
        }
        self.advance();
        Ok(())
    }

    /// Reads a number of seeds and subtracts it from `left`.
    fn count(&mut self, left: &mut u16, most: u16) -> Result<u16, TextError> {
        let token = self.peek();
        if token.is_empty() || !token.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.error("a number of seeds"));
        }
        // Numbers that overflow are too large as well.
        let seeds = token.parse().unwrap_or(u16::MAX);
        *left = left
            .checked_sub(seeds)
            .ok_or_else(|| self.error(format!("at most {left} seeds, for a total of at most {most}")))?;
        self.advance();
        Ok(seeds)
    }

    /// The side to move, up to the end of the text.
    fn side(&mut self) -> Result<Side, TextError> {
        let side = match self.peek() {
            "" => return Ok(Side::South),
            "S" | "s" => Side::South,
            "N" | "n" => Side::North,
            _ => return Err(self.error("S or N, the side to move, or nothing more")),
        };
        self.advance();
        if self.rest.is_empty() { Ok(side) } else { Err(self.error("nothing more")) }
    }
}
