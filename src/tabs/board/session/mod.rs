//! The game on the board: its record and players, and whether moves come by themselves.
//!
//! The time of each move of a person's game or of one with a clock: measured while the side to move thinks, kept in the comment on the
//! position after the move (`[%emt 3.2] [%clk 0:04:57]`), and so in every file.
//!
//! Like the clock, the stopwatch runs at the end of the main line alone, or where a move was taken back; it pauses while the record is
//! stepped through, reviewed or set up. The first move of a person is not measured.

pub(super) mod casual;
pub(crate) mod clock;
pub(super) mod edit;
mod ending;
pub(super) mod entry;
pub(crate) mod naming;

use std::time::{Duration, Instant};

use crate::app::tab::{Context, Tone};
use crate::config::Seat;
use crate::game::notation::{self, TIME_CONTROL, split_times, time_left, time_of_move, timed, with_times};
use crate::game::record::{DeletedVariation, NodeId, Record, Step};
use crate::game::{self, Ground, Move, Position, Side};
use crate::player::Spec;
use casual::Reason;
use clock::GameClock;
use edit::Edit;

/// A position of a game: each record numbers its positions from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spot {
    pub game: u64,
    pub node: NodeId,
}

/// What happens at the position shown. A game is played after a move just made, or when the user resumes it; loading a game or
/// stepping through it only views it, and pauses the computer players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// No move follows by itself.
    Viewed,
    /// The known moves follow by themselves.
    Replayed,
    /// A computer player answers a person, even if a next move is known.
    Played,
    /// The same, and a computer player makes one move against another.
    OneMove,
    /// Computer players play on against each other.
    Autoplayed,
}

impl Mode {
    /// Returns whether the game is played, not viewed.
    pub fn is_live(self) -> bool {
        matches!(self, Mode::Played | Mode::OneMove | Mode::Autoplayed)
    }

    /// Returns whether moves follow without a key.
    pub fn is_automatic(self) -> bool {
        matches!(self, Mode::Replayed | Mode::Autoplayed)
    }

    /// Ends autoplay.
    pub fn stop(&mut self) {
        *self = match *self {
            Mode::Replayed => Mode::Viewed,
            Mode::Autoplayed => Mode::Played,
            other => other,
        };
    }

    /// Withdraws the request of one move.
    pub fn withdraw(&mut self) {
        if *self == Mode::OneMove {
            *self = Mode::Played;
        }
    }

    /// Continues the game, after a move was made.
    pub fn resume(&mut self) {
        *self = if self.is_automatic() { Mode::Autoplayed } else { Mode::Played };
    }
}

/// The game on the board.
pub struct Session {
    pub(super) record: Record,
    /// The number of this game: that of games on the board before it.
    pub(super) game: u64,
    pub(super) players: [Spec; 2],
    /// Determines all random choices in the game.
    pub(super) seed: u64,
    pub(super) mode: Mode,
    /// The position that is being set up.
    pub(super) edit: Option<Edit>,
    /// The side at the bottom.
    pub(super) seat: Seat,
    /// The position of the last undone move: the next move made there becomes the main line.
    pub(super) taken_back: Option<NodeId>,
    /// The variation deleted last, and its game.
    deleted: Option<(u64, DeletedVariation)>,
    /// The game that began here last, from the usual start.
    pub(super) begun: Option<u64>,
    /// The game from a file or another position that a move has continued last.
    continued: Option<u64>,
    /// What was used in a game before its first move.
    early_help: Vec<(u64, Reason)>,
    clock: Option<GameClock>,
    /// The position in which the last move was made, and its time, until the record has it.
    measured: Option<(Position, Duration)>,
    stopwatch: Stopwatch,
    /// The time of the last tick, which the clock shows.
    seen: Instant,
}

impl Session {
    pub fn new(record: Record, players: [Spec; 2], seed: u64) -> Session {
        Session {
            record,
            game: 0,
            players,
            seed,
            mode: Mode::Played,
            edit: None,
            seat: Seat::default(),
            taken_back: None,
            deleted: None,
            begun: None,
            continued: None,
            early_help: Vec::new(),
            clock: None,
            measured: None,
            stopwatch: Stopwatch::default(),
            seen: Instant::now(),
        }
    }

    pub fn spot(&self) -> Spot {
        Spot { game: self.game, node: self.record.at() }
    }

    pub fn position(&self) -> &Position {
        self.record.position()
    }

    pub fn is_human(&self, side: Side) -> bool {
        self.players[side.index()].is_human()
    }

    pub fn has_human(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.is_human(side))
    }

    /// Returns whether the game is over at the current position.
    pub fn is_over(&self) -> bool {
        self.record.ending().is_some()
    }

    /// Lets the players play on from here, computer players by themselves.
    pub fn play_on(&mut self) {
        self.mode = if self.has_human() { Mode::Played } else { Mode::Autoplayed };
    }

    /// Returns the pits of a side; 0 on a board of squares.
    pub fn pits(&self) -> u8 {
        match self.position().board() {
            game::Board::Pits(board) => board.pits_a_side() as u8,
            game::Board::Squares(_) => 0,
        }
    }

    /// Returns the name of the pit keys in the footer and help.
    pub fn pit_keys(&self) -> String {
        format!("A-{}", char::from((b'A' + self.pits()).saturating_sub(1)))
    }

    /// The side at the bottom.
    pub fn bottom(&self) -> Side {
        match self.seat {
            Seat::Person if self.is_human(Side::North) && !self.is_human(Side::South) => Side::North,
            Seat::Person | Seat::South => Side::South,
            Seat::North => Side::North,
            Seat::Mover if self.is_over() => Side::South,
            Seat::Mover => self.position().side(),
        }
    }

    /// The side whose values and chances are shown; its title says so where that is not the side at the bottom.
    pub fn point_of_view(&self) -> Side {
        if self.seat == Seat::Mover { Side::South } else { self.bottom() }
    }

    /// The positions of the line from the start.
    pub fn line_nodes(&self) -> Vec<NodeId> {
        std::iter::once(0).chain(self.record.line().into_iter().map(|step| step.node)).collect()
    }

    /// Returns whether moves precede the position shown.
    pub fn has_moves(&self) -> bool {
        self.record.ply() > 0
    }

    /// Returns whether there is something to save: moves, or an unusual start.
    pub fn has_record(&self) -> bool {
        !self.record.is_empty() || *self.record.start() != self.record.variant.start()
    }

    /// Returns whether this game has a transcript form.
    pub fn has_transcripts(&self) -> bool {
        notation::transcript(&Record::new(self.record.variant, Default::default(), None)).is_some()
    }

    pub fn copy_transcript(&mut self, cx: &mut Context) {
        match notation::transcript(&self.record) {
            Some(text) => {
                cx.notice(Tone::Good, format!("Copied {} moves", self.record.line().len()));
                cx.copy(text);
            }
            None => {
                let game = self.record.variant.title();
                cx.notice(Tone::Info, format!("{game} has no transcript from this start; y copies the game"));
            }
        }
    }

    pub fn copy_position(&self, cx: &mut Context) {
        let text = self.position().to_text();
        cx.notice(Tone::Good, format!("Copied {text}"));
        cx.copy(text);
    }

    pub fn save_to_clipboard(&self, cx: &mut Context) {
        cx.copy(notation::write(&self.record));
        cx.notice(Tone::Good, "Copied the game, if the terminal allows it (OSC 52)");
    }

    /// Returns whether autoplay is possible.
    pub fn can_autoplay(&self) -> bool {
        !self.record.is_at_end() || (!self.is_over() && !self.is_human(self.position().side()))
    }

    /// The name of the opening up to the position shown.
    pub fn opening(&self) -> Option<String> {
        if *self.record.start() != self.record.variant.start() {
            return None;
        }
        let moves: Vec<Move> = self.record.line().iter().take(self.record.ply() as usize).map(|step| step.mv).collect();
        self.record.variant.opening(&moves)
    }

    /// The first result among the players, that of the side to move first.
    pub fn of_players<'a, T>(&'a self, find: impl Fn(&'a Spec) -> Option<T>) -> Option<T> {
        let side = self.position().side();
        [side, side.other()].into_iter().find_map(|side| find(&self.players[side.index()]))
    }

    pub fn is_in_variation(&self) -> bool {
        !self.record.is_main(self.record.at())
    }

    pub fn promote(&mut self, cx: &mut Context) {
        if !self.record.promote(self.record.at()) {
            return cx.notice(Tone::Info, "This is the main line already");
        }
        let text = match self.record.is_main(self.record.at()) {
            true => "Now the main line",
            false => "Promoted by one level. P promotes it further",
        };
        cx.notice(Tone::Good, text);
    }

    pub fn take_comment(&mut self, game: u64, node: NodeId, text: &str) {
        if game == self.game && self.record.holds(node) {
            let (times, _) = split_times(self.record.comment(node));
            self.record.set_comment(node, &with_times(&times, text));
        }
    }

    /// Returns whether a character belongs to the name of a pit or a square.
    pub fn names_a_place(&self, c: char) -> bool {
        match self.pits() {
            0 if self.by_numbers() => c.is_ascii_digit(),
            0 => matches!(c, 'a'..='h' | '1'..='8'),
            _ => self.lettered_pit(c).is_some(),
        }
    }

    /// Returns the pit of a letter, small or capital; `None` if a side has none of that name.
    pub fn lettered_pit(&self, c: char) -> Option<u8> {
        let pit = c.is_ascii_alphabetic().then(|| c.to_ascii_lowercase() as u8 - b'a');
        pit.filter(|pit| *pit < self.pits())
    }

    /// Returns whether squares are numbers, some of which begin others.
    pub fn by_numbers(&self) -> bool {
        matches!(self.position().board(), game::Board::Squares(board) if board.ground == Ground::Dark)
    }

    pub fn on_squares(&self) -> bool {
        matches!(self.position().board(), game::Board::Squares(_))
    }

    /// Returns whether the user plays on squares: letters, arrows and Enter enter moves.
    pub fn is_played_on_squares(&self) -> bool {
        self.edit.is_none() && self.has_human() && self.on_squares()
    }

    /// Returns whether computers play both sides on squares.
    pub fn is_without_person(&self) -> bool {
        self.edit.is_none() && self.on_squares() && !self.has_human()
    }

    /// Returns whether a computer player is to move in a game that is not only viewed.
    pub fn wants_thought(&self) -> bool {
        let mode = self.mode;
        let goes_on = self.has_human() || mode.is_automatic() || mode == Mode::OneMove;
        self.edit.is_none() && mode.is_live() && goes_on && !self.is_over() && !self.is_human(self.position().side())
    }

    /// Deletes a move of the game with this number and all that follows; returns the number of moves.
    pub fn delete(&mut self, game: u64, node: NodeId) -> Option<usize> {
        let is_here = game == self.game && self.record.holds(node);
        let deleted = is_here.then(|| self.record.delete(node)).flatten()?;
        self.deleted = Some((self.game, deleted));
        Some(deleted.moves)
    }

    /// Restores the moves deleted last in this game; false if the same move was made there since.
    pub fn restore(&mut self) -> Option<bool> {
        let (_, deleted) = self.deleted.take().filter(|(game, _)| *game == self.game)?;
        Some(self.record.restore(deleted))
    }

    pub fn has_deleted(&self) -> bool {
        self.deleted.is_some()
    }

    /// Sets the game aside: returns it, and leaves one like it, without what belongs to its course.
    pub fn set_aside(&mut self) -> Session {
        let Session { record, players, seed, game, seat, .. } = &*self;
        let place = Session { game: *game, seat: *seat, ..Session::new(record.clone(), players.clone(), *seed) };
        std::mem::replace(self, place)
    }

    /// Puts a game back that was set aside. The editor is closed, and the board stays turned as it is.
    pub fn put_back(&mut self, former: Session) {
        *self = Session { edit: None, seat: self.seat, ..former };
    }
}

/// The time spent so far on one position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stopwatch {
    spot: Option<Spot>,
    spent: Duration,
    since: Option<Instant>,
}

impl Stopwatch {
    /// Runs on this position, from zero if it is another than before; or pauses.
    fn run(&mut self, spot: Option<Spot>, now: Instant) {
        if spot.is_some() && spot != self.spot {
            *self = Stopwatch { spot, spent: Duration::ZERO, since: Some(now) };
        } else if spot.is_some() {
            self.since.get_or_insert(now);
        } else if let Some(since) = self.since.take() {
            self.spent += now.saturating_duration_since(since);
        }
    }

    /// Whether a position of the game with this number was measured last.
    fn is_of(&self, game: u64) -> bool {
        self.spot.is_some_and(|spot| spot.game == game)
    }

    /// The time spent on a position; `None` if it was not measured.
    fn time(&self, spot: Spot, now: Instant) -> Option<Duration> {
        let running = self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        (self.spot == Some(spot)).then(|| self.spent + running)
    }
}

impl Session {
    /// Starts or pauses the stopwatch; `is_on_clock`: a clock of the side to move would run; `times_persons`: a person's game
    /// needs no clock.
    pub fn settle_stopwatch(&mut self, is_on_clock: bool, times_persons: bool, now: Instant) {
        let has_clock = self.clock.as_ref().is_some_and(|clock| clock.is_of(self.game));
        let is_timed = has_clock || self.has_human() && times_persons;
        // Looking at a game from a file is not playing it.
        let is_played = self.mode.is_live() || self.stopwatch.is_of(self.game);
        let is_taken_back = self.taken_back == Some(self.record.at());
        let runs = is_timed && is_played && (is_on_clock || is_taken_back) && !self.is_over();
        self.stopwatch.run(Some(self.spot()).filter(|_| runs), now);
    }

    /// The time spent on the position shown, before a move is made there.
    pub fn time_here(&self, now: Instant) -> Option<Duration> {
        self.stopwatch.time(self.spot(), now)
    }

    /// Keeps the time of the move just made, and what its side then has left.
    pub fn keep_time(&mut self, now: Instant) {
        let Some((before, time)) = self.measured.take() else { return };
        let at = self.record.at();
        let side = before.side();
        let clock = self.clock.as_ref().filter(|clock| clock.is_of(self.game));
        let left = clock.map(|clock| clock.left(side, now));
        let control = clock.map(clock::GameClock::header);
        let comment = timed(self.record.comment(at), time, left);
        self.record.set_comment(at, &comment);
        if control.is_some() {
            self.record.set_header(TIME_CONTROL, control);
        }
    }

    /// The time that a side has left by the clock, or had left at the position shown; `None` if neither is known.
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        let record = &self.record;
        let is_last = record.is_at_end() && record.is_main(record.at());
        let clock = self.clock.as_ref().filter(|clock| clock.is_of(self.game));
        let running = clock.map(|clock| clock.left(side, self.seen));
        running.filter(|_| is_last).or_else(|| time_left(record, record.at(), side)).or(running)
    }

    /// The time of a turn, by its moves.
    pub fn time_of_turn(&self, steps: &[Step]) -> Option<Duration> {
        let time = |node: NodeId| time_of_move(&self.record, node);
        steps.iter().filter_map(|step| time(step.node)).reduce(|sum, time| sum + time)
    }

    /// Takes the time of the move just made from a position, until the record has it.
    pub fn measure(&mut self, before: Position, time: Option<Duration>) {
        self.measured = time.map(|time| (before, time));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_changes_only_in_what_is_asked() {
        let after = |change: fn(&mut Mode)| {
            [Mode::Viewed, Mode::Replayed, Mode::Played, Mode::OneMove, Mode::Autoplayed].map(|mut mode| {
                change(&mut mode);
                mode
            })
        };
        assert_eq!(after(Mode::stop), [Mode::Viewed, Mode::Viewed, Mode::Played, Mode::OneMove, Mode::Played]);
        assert_eq!(after(Mode::withdraw), [Mode::Viewed, Mode::Replayed, Mode::Played, Mode::Played, Mode::Autoplayed]);
        let resumed = after(Mode::resume);
        assert_eq!(resumed, [Mode::Played, Mode::Autoplayed, Mode::Played, Mode::Played, Mode::Autoplayed]);
        assert!(resumed.into_iter().all(Mode::is_live));
        assert_eq!(after(|_| ()).map(Mode::is_automatic), [false, true, false, false, true]);
    }
}
