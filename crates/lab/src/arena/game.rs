//! A resumable game between two players, its stored form, and what its moves lose under perfect play.

use std::fmt::{self, Write as _};
use std::mem;
use std::time::{Duration, Instant};

use mancalab_base::processor;

use super::settings::{Cell, Settings};
use crate::budget::{Budget, Job as _, Status};
use crate::game::record::{Before, Record};
use crate::game::{Game, GameState, Move, Notation as _, Outcome, Position, Side, Variant, with_position};
use crate::player::analysis::Question;
use crate::player::{AnalysisJob, Playable, Player, Turn};
use crate::pool::Pool;
use crate::rng;

/// Purpose of a random choice in a tournament. The numbers are part of every recorded tournament.
#[repr(u64)]
pub(super) enum Purpose {
    Opening = 0,
    Game = 1,
}

/// Result of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Final {
    pub outcome: Outcome,
    /// In the game's own unit.
    pub margin: i32,
    /// What the moves of this side and of the other lost under perfect play, if it was counted.
    pub lost: Option<[u32; 2]>,
}

/// Prefix of a margin that does not imply the outcome.
const OUTCOMES: [(char, Outcome); 3] = [('l', Outcome::Lost), ('d', Outcome::Drawn), ('w', Outcome::Won)];

impl Final {
    /// Returns the result of a finished game for `side`; an unfinished one counts as drawn.
    fn new<G: Game>(game_state: &GameState<G>, side: Side) -> Final {
        let margin = game_state.pos().margin(side);
        Final { outcome: game_state.ending().map_or(Outcome::Drawn, |ending| ending.outcome(side)), margin, lost: None }
    }

    /// Appends the text to a row.
    pub(super) fn write(self, row: &mut String) {
        let _ = write!(row, "{self}");
    }

    /// Parses the output of [`Display`](fmt::Display); `None` if it is invalid.
    pub(super) fn parse(text: &str) -> Option<Final> {
        let (text, lost) = match text.split_once('/') {
            None => (text, None),
            Some((text, lost)) => {
                let (one, other) = lost.split_once('/')?;
                (text, Some([count(one)?, count(other)?]))
            }
        };
        let letter = OUTCOMES.iter().find(|(letter, _)| text.starts_with(*letter));
        let number = &text[usize::from(letter.is_some())..];
        let margin = number.parse().ok()?;
        let outcome = letter.map_or(Outcome::from_margin(margin), |(_, outcome)| *outcome);
        // The text must be canonical.
        let is_plain =
            number == "0" || number.strip_prefix('-').unwrap_or(number).starts_with(|c| matches!(c, '1'..='9'));
        (is_plain && (letter.is_none() || outcome != Outcome::from_margin(margin))).then_some(Final {
            outcome,
            margin,
            lost,
        })
    }
}

/// Parses a number without leading zeros.
fn count(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}

/// The margin, after a letter for the outcome if the margin does not imply it; then the losses, if they were counted.
impl fmt::Display for Final {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = OUTCOMES
            .iter()
            .find(|(_, outcome)| *outcome == self.outcome && *outcome != Outcome::from_margin(self.margin));
        letter.map_or(Ok(()), |(letter, _)| f.write_char(*letter))?;
        write!(f, "{}", self.margin)?;
        self.lost.map_or(Ok(()), |[one, other]| write!(f, "/{one}/{other}"))
    }
}

/// Maximum length of a game's text in a row, in bytes.
pub(super) const LONGEST_GAME: usize = 10_000;

/// Returns the result of the moves from `start` for the side that moves first; `None` if one is illegal or the game
/// does not end with the last one.
fn played_out<G: Game>(start: G, moves: &[Move]) -> Option<Final> {
    let mut game_state = GameState::new(start);
    for &mv in moves {
        if game_state.is_over() || !game_state.pos().moves().any(|legal| legal == mv) {
            return None;
        }
        game_state.play(mv);
    }
    game_state.is_over().then(|| Final::new(&game_state, start.side()))
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// Index of its cell in the tournament.
    pub cell: usize,
    /// Its number within the cell, from 0.
    pub number: u32,
    /// Seed of all random choices in it, except the opening.
    pub seed: u64,
    /// For the side that moved first.
    pub end: Final,
    pub moves: Box<[Move]>,
    /// Number of random moves at the start.
    pub opening: u32,
}

/// Codes of the first moves, one character each; others are `~` and two hexadecimal digits, or `~~` and four.
const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

impl PlayedGame {
    /// Returns the moves as text.
    pub fn code(&self) -> String {
        let mut text = String::with_capacity(self.moves.len());
        for &mv in &self.moves {
            match LETTERS.get(mv.index()) {
                Some(&letter) => text.push(letter.into()),
                None => text += &if mv.0 < 256 { format!("~{:02x}", mv.0) } else { format!("~~{:04x}", mv.0) },
            }
        }
        text
    }

    /// Returns the moves for display: in the game's standard notation, or else as [`code`](PlayedGame::code).
    pub fn moves_text(&self, variant: Variant) -> String {
        let transcript = with_position!(variant.start(), start => start.to_transcript(&self.moves));
        transcript.unwrap_or_else(|| self.code())
    }

    /// Writes the game into a row: its result, and its moves if `moves` is true.
    pub(super) fn write(&self, moves: bool, row: &mut String) {
        self.end.write(row);
        if moves {
            row.push(':');
            row.push_str(&self.code());
        }
    }

    /// Decodes the game with this number in a cell from its [`code`](PlayedGame::code); `None` if the code is invalid. The
    /// legality of the moves is checked on [replay](PlayedGame::record).
    pub(super) fn decode(
        settings: &Settings,
        (index, cell): (usize, Cell),
        number: u32,
        end: Final,
        code: &str,
    ) -> Option<PlayedGame> {
        let mut bytes = code.bytes();
        let mut moves: Vec<Move> = Vec::with_capacity(code.len());
        while let Some(byte) = bytes.next() {
            moves.push(match byte {
                b'~' => Move(hexadecimal(&mut bytes)?),
                letter => (LETTERS.iter().position(|&known| known == letter)? as u8).into(),
            });
        }
        let opening = settings.opening.moves().min(moves.len() as u32);
        let seed = seed_of(settings, cell, number);
        Some(PlayedGame { cell: index, number, seed, end, moves: moves.into(), opening })
    }

    /// Returns whether the moves are legal and give the game's result.
    pub(super) fn is_whole(&self, variant: Variant) -> bool {
        let end = Final { lost: None, ..self.end };
        with_position!(variant.start(), start => played_out(start, &self.moves)) == Some(end)
    }

    /// Returns whether the game begins with the opening of its round.
    pub(super) fn is_opened(&self, settings: &Settings) -> bool {
        self.moves.starts_with(&settings.openings().moves(settings, self.number))
    }

    /// Returns the game as a record, for display and saving; `players` are the names of the one that moved first and
    /// of the other. `None` if a move is illegal, as in a modified log.
    pub fn record(&self, variant: Variant, players: [String; 2]) -> Option<Record> {
        let mut record = Record::new(variant, players, Some(self.seed));
        record.headers.push(("Opening".to_owned(), format!("{} moves", self.opening)));
        self.moves.iter().all(|&mv| record.play(mv)).then_some(record)
    }
}

/// Reads the number after a `~`: two digits, or four after a second `~`.
fn hexadecimal(bytes: &mut std::str::Bytes) -> Option<u16> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u16);
    let (first, left) = match bytes.next()? {
        b'~' => (0, 4),
        byte => (digit(byte)?, 1),
    };
    (0..left).try_fold(first, |number, _| Some(16 * number + digit(bytes.next()?)?))
}

/// Time and moves of a game's players, of the one that moved first and of the other. It is processor time where the system shows it, of
/// another program as well, and of all threads of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Spent {
    pub time: [Duration; 2],
    pub turns: [u32; 2],
}

impl Spent {
    /// Returns the time of both players.
    pub fn all(self) -> Duration {
        self.time[0].saturating_add(self.time[1])
    }

    /// Writes nanoseconds and moves of each player, as [`parse`](Spent::parse) reads them.
    pub fn write(self, row: &mut String) {
        let Spent { time: [a, b], turns } = self;
        let _ = write!(row, "{}:{}:{}:{}", a.as_nanos(), turns[0], b.as_nanos(), turns[1]);
    }

    pub fn parse(text: &str) -> Option<Spent> {
        let mut numbers = text.split(':').map(|number| number.parse::<u64>().ok());
        let mut next = || numbers.next().flatten();
        let [a, turns_a, b, turns_b] = [next()?, next()?, next()?, next()?];
        if numbers.next().is_some() {
            return None;
        }
        let turns = [turns_a, turns_b].map(|turns| turns.try_into().unwrap_or(u32::MAX));
        Some(Spent { time: [a, b].map(Duration::from_nanos), turns })
    }
}

/// Moves shorter than this are timed by the wall: a look at the processor time takes longer than a random move.
const SHORT: Duration = Duration::from_micros(20);

/// The processor time of one move after another on this thread.
struct Stopwatch {
    ended: Instant,
    /// The processor time at the last look, and the time of the moves since then.
    work: Option<Duration>,
    since: Duration,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { ended: Instant::now(), work: processor::time(), since: Duration::ZERO }
    }

    /// Returns the time since the last lap.
    fn lap(&mut self) -> Duration {
        let ended = Instant::now();
        let wall = ended - std::mem::replace(&mut self.ended, ended);
        let Some(work) = self.work.filter(|_| wall >= SHORT) else {
            self.since += wall;
            return wall;
        };
        self.work = processor::time();
        let all = self.work.map_or(wall, |now| now.saturating_sub(work));
        all.saturating_sub(std::mem::take(&mut self.since))
    }
}

/// Returns the seed of all random choices in a game, except its opening.
fn seed_of(settings: &Settings, cell: Cell, number: u32) -> u64 {
    rng::derived(&[settings.seed, cell.first as u64, cell.second as u64, number.into(), Purpose::Game as u64])
}

/// A game in progress.
pub(super) struct GameInProgress<G> {
    start: G,
    /// The current turn.
    turn: Turn<G>,
    /// The time since the last move of this stretch, where the next player's begins. `None` before the stretch's first.
    clock: Option<Stopwatch>,
    moves: Vec<Move>,
    opening: u32,
    spent: Spent,
    /// The count of what its moves lost, once the game is over and if it is wanted.
    losses: Option<Losses>,
    lost: Option<[u32; 2]>,
}

impl<G: Playable> GameInProgress<G> {
    /// Plays the opening. Games with the same number have the same one in every cell, so that players and seats are
    /// compared on equal terms.
    pub fn new(start: G, settings: &Settings, cell: Cell, number: u32) -> GameInProgress<G> {
        let mut turn = Turn::new(start, 0, seed_of(settings, cell, number));
        let mut moves = Vec::with_capacity(64);
        for mv in settings.openings().moves(settings, number) {
            moves.push(mv);
            turn.play(mv);
        }
        let opening = turn.ply;
        let spent = Spent::default();
        GameInProgress { start, turn, clock: None, moves, opening, spent, losses: None, lost: None }
    }

    /// Returns the seat to move: 0 for the player that moved first.
    pub fn seat(&self) -> usize {
        usize::from(self.turn.pos.side() != self.start.side())
    }

    pub fn is_over(&self) -> bool {
        self.turn.ending().is_some()
    }

    /// Counts the time up to now for no player.
    pub fn restart_clock(&mut self) {
        self.clock = None;
    }

    /// Lets the side to move think; returns false if the budget was spent first.
    pub fn advance(&mut self, player: &mut dyn Player<G>, budget: Budget) -> bool {
        let seat = self.seat();
        let mut clock = self.clock.take().unwrap_or_else(Stopwatch::start);
        let chosen = player.think(&self.turn, budget);
        let spent = clock.lap();
        self.spent.time[seat] += player.work_time().unwrap_or(spent);
        let Some(mv) = chosen else { return false };
        self.clock = Some(clock);
        self.spent.turns[seat] += 1;
        self.moves.push(mv);
        G::play_turn(&mut self.turn, mv);
        true
    }

    /// Returns the moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Number of random moves at the start.
    pub fn opening(&self) -> usize {
        self.opening as usize
    }

    /// Counts what the moves of the finished game lost; returns false if the budget was spent first.
    pub fn count_losses(&mut self, start: Position, earlier: &mut Option<AnalysisJob>, budget: Budget) -> bool {
        let mut losses = self.losses.take().unwrap_or_else(|| Losses::new(self, start));
        self.lost = losses.step(earlier, budget);
        self.losses = Some(losses);
        self.lost.is_some()
    }

    /// Returns the time and moves spent so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    pub fn finish(&self, cell: usize, number: u32) -> (PlayedGame, Spent) {
        let GameInProgress { start, turn, moves, opening, spent, lost, .. } = self;
        let end = Final { lost: *lost, ..Final::new(&turn.clone().into_game_state(), start.side()) };
        let game = PlayedGame { cell, number, seed: turn.seed, end, moves: moves.as_slice().into(), opening: *opening };
        (game, *spent)
    }
}

/// A count in progress. It goes from the end of the game back: a solver meets later positions again on its way from earlier ones.
pub(super) struct Losses {
    /// The positions after the opening with the moves in them, the seat of each, 0 for the player that moved first.
    left: Vec<(Position, Move, usize)>,
    /// Lost by the player that moved first, and by the other.
    lost: [u32; 2],
    solving: Option<AnalysisJob>,
}

impl Losses {
    /// Starts the count of a finished game from `start`.
    pub fn new<G: Playable>(playing: &GameInProgress<G>, start: Position) -> Losses {
        let mut position = start;
        let mut left = Vec::with_capacity(playing.moves().len());
        for &mv in playing.moves() {
            left.push((position, mv, usize::from(position.side() != start.side())));
            position = position.play(mv);
        }
        left.drain(..playing.opening());
        Losses { left, lost: [0; 2], solving: None }
    }

    /// Continues until the budget is spent, and returns the seeds lost by both players once they are known. `earlier` is an analysis
    /// whose table can be reused.
    pub fn step(&mut self, earlier: &mut Option<AnalysisJob>, budget: Budget) -> Option<[u32; 2]> {
        while let Some(&(position, mv, seat)) = self.left.last() {
            let begin =
                || AnalysisJob::after(earlier.take(), position, &Before::default(), Question::Perfect, &Pool::alone());
            let solving = self.solving.get_or_insert_with(begin);
            if solving.step(budget) == Status::Running {
                return None;
            }
            let lines = solving.view().report.lines;
            let margin = |mv| lines.iter().find(|line| line.mv == mv).map_or(0, |line| line.margin);
            let best = lines.first().map_or(0, |line| line.margin);
            self.lost[seat] += best.abs_diff(margin(mv));
            *earlier = mem::take(&mut self.solving);
            self.left.pop();
            if budget.is_spent() && !self.left.is_empty() {
                return None;
            }
        }
        Some(self.lost)
    }
}
