//! What is written of a game by lines: its players, moves, clocks and end, each in a sentence.

use mancalab_base::counted;

use super::look;
use crate::game::record::NodeId;
use crate::game::{Board, Ground, Outcome, PitBoard, Place, Position, Side, Squares, Trace};
use crate::player::offers::Level;
use crate::tabs::board::library::agree::needs_agreement;
use crate::tabs::board::session::Session;

impl Session {
    /// The positions after `from` on the way to `to`; that of `to` alone if `from` is not on it.
    pub(super) fn nodes_between(&self, from: NodeId, to: NodeId) -> Vec<NodeId> {
        let way = std::iter::successors(Some(to), |&node| self.record.parent(node));
        let mut nodes: Vec<NodeId> = way.take_while(|&node| node != from).collect();
        nodes.reverse();
        if nodes.first().is_some_and(|&first| self.record.parent(first) != Some(from)) {
            nodes = vec![to];
        }
        nodes.retain(|&node| self.record.came(node).is_some());
        nodes
    }

    /// The two sides, the only person's first.
    pub(super) fn sides(&self) -> [Side; 2] {
        let first = self.only_person().unwrap_or(Side::South);
        [first, first.other()]
    }

    /// `You`, the level or the kind of the person's opponent such as `Easy` or `mcts`, or the seat of one of two alike.
    pub(super) fn name_of(&self, side: Side) -> String {
        match self.only_person() {
            Some(person) if person == side => "You".to_owned(),
            Some(_) => {
                let text = self.player_name(side);
                // A path or a command is too long for a sentence.
                let kind = text.split(':').next().filter(|_| !needs_agreement(&text));
                kind.unwrap_or_else(|| self.seat_name(side)).to_owned()
            }
            None => self.seat_name(side).to_owned(),
        }
    }

    /// `You move`, `Easy moves`.
    pub(super) fn does(&self, side: Side, verb: &str) -> String {
        let ending = if self.only_person() == Some(side) { "" } else { "s" };
        format!("{} {verb}{ending}", self.name_of(side))
    }

    /// `you`, `a person`, `minimax:6`, `Easy (minimax:2)`.
    pub(super) fn player_text(&self, side: Side) -> String {
        if self.is_human(side) {
            return if self.only_person().is_some() { "you" } else { "a person" }.to_owned();
        }
        let text = self.players[side.index()].to_string();
        match Level::played_by(&text, &self.record.variant) {
            Some(level) => format!("{} ({text})", level.title()),
            None => text,
        }
    }

    /// The score at a position: `You 7, Easy 5.`
    pub(super) fn score_text(&self, node: NodeId) -> String {
        let counts = self.record.position_at(node).board().counts();
        let [first, second] = self.sides().map(|side| format!("{} {}", self.name_of(side), counts[side.index()]));
        format!("{first}, {second}.")
    }

    /// The move that led to a position, what it did, and the score: `You played C: 4 seeds sown, 2 captured. You 7, Easy 5.`
    pub(super) fn sentence(&self, node: NodeId) -> String {
        let Some((parent, mv)) = self.record.came(node) else { return String::new() };
        let before = self.record.position_at(parent);
        let trace = before.trace(mv);
        let name = self.name_of(before.side());
        let mut text = match effects(before, &trace) {
            _ if trace.steps.is_empty() => format!("{name} passed. {}", self.score_text(node)),
            effects if effects.is_empty() => {
                format!("{name} played {}. {}", before.move_text(mv), self.score_text(node))
            }
            effects => format!("{name} played {}: {effects}. {}", before.move_text(mv), self.score_text(node)),
        };
        if self.moves_again(node) {
            text += &format!(" {} again.", self.does(before.side(), "move"));
        }
        text
    }

    /// Returns whether the side that made the move to this position is also to make the next.
    pub(super) fn moves_again(&self, node: NodeId) -> bool {
        let mover = self.record.parent(node).map(|parent| self.record.position_at(parent).side());
        self.record.ending_at(node).is_none() && mover == Some(self.record.position_at(node).side())
    }

    pub(super) fn whose_move(&self) -> String {
        match self.only_person() {
            Some(_) => "Your move.".to_owned(),
            None => format!("{} to move.", self.seat_name(self.position().side())),
        }
    }

    /// The time that both sides have left: `You have 4:32, Easy 5:00.`; `None` without a clock.
    pub(super) fn times_text(&self) -> Option<String> {
        let [first, second] = self.sides();
        let verb = if self.only_person().is_some() { "have" } else { "has" };
        let left = [self.clock_text(first)?, self.clock_text(second)?];
        Some(format!("{} {verb} {}, {} {}.", self.name_of(first), left[0], self.name_of(second), left[1]))
    }

    /// The end of the game: `Game over: you win 27 to 21.`
    pub(super) fn ending_text(&self) -> String {
        let [first, second] = self.sides();
        if let Some(loser) = self.resigned().filter(|_| self.time_is_over()) {
            let result = match self.only_person() {
                Some(person) if person == loser => "you lose".to_owned(),
                Some(_) => "you win".to_owned(),
                None => format!("{} wins", self.seat_name(loser.other())),
            };
            return format!("Game over: {result} on time.");
        }
        let Some(ending) = self.record.ending() else { return String::new() };
        let counts = self.position().board().counts();
        let [own, other] = [counts[first.index()], counts[second.index()]];
        let result = match (ending.outcome(first), self.only_person()) {
            (Outcome::Won, Some(_)) => format!("you win {own} to {other}"),
            (Outcome::Lost, Some(_)) => format!("you lose {own} to {other}"),
            (Outcome::Won, None) => format!("{} wins {own} to {other}", self.seat_name(first)),
            (Outcome::Lost, None) => format!("{} wins {other} to {own}", self.seat_name(second)),
            (Outcome::Drawn, _) => format!("a draw, {own} to {other}"),
        };
        let why = self.result_texts(ending, &look()).1.map_or(String::new(), |why| format!(", {why}"));
        let casual = self.casual_text().filter(|_| self.is_counted());
        let casual = casual.map_or(String::new(), |reasons| format!(" Casual game: {reasons}."));
        format!("Game over: {result}{why}.{casual}")
    }

    pub(super) fn moves_listed(&self) -> String {
        let position = self.position();
        position.moves().into_iter().map(|mv| position.move_text(mv)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn moves_text(&self) -> String {
        let moves = if self.has_ended() { String::new() } else { self.moves_listed() };
        if moves.is_empty() { "No moves: the game is over.".to_owned() } else { format!("Moves: {moves}.") }
    }
}

/// The effects of a move: `4 seeds sown, 2 captured`; empty if it only moves a piece.
pub(super) fn effects(before: &Position, trace: &Trace) -> String {
    let taken: u16 = trace.taken().iter().map(|&(_, count)| count).sum();
    let is_pits = matches!(before.board(), Board::Pits(_));
    let parts = match is_pits {
        true => [Some(counted(trace.drops(), "seed") + " sown"), (taken > 0).then(|| format!("{taken} captured"))],
        false => {
            let flipped = trace.flipped().len();
            let taken = usize::from(taken);
            [
                (flipped > 0).then(|| counted(flipped, "disc") + " flipped"),
                (taken > 0).then(|| counted(taken, "piece") + " captured"),
            ]
        }
    };
    let crowned = trace.promotes().then(|| "crowned".to_owned());
    parts.into_iter().flatten().chain(crowned).collect::<Vec<_>>().join(", ")
}

/// The board as lines, the side `bottom` last; `seats` are the sides' names in the game, `name` returns those in texts.
pub(super) fn board(board: &Board, seats: [&str; 2], bottom: Side, name: impl Fn(Side) -> String) -> Vec<String> {
    match board {
        Board::Pits(pits) => [bottom.other(), bottom].map(|side| row_of_pits(board, pits, side, &name(side))).into(),
        Board::Squares(squares) => {
            let letters = seats.map(|seat| seat.chars().next().unwrap_or('?').to_ascii_lowercase());
            let mut lines = grid(squares, letters, bottom);
            lines.extend(Side::BOTH.map(|side| pieces(squares, side, &name(side))));
            lines
        }
    }
}

/// `You (South): A 4, B 4, C 0, store 3.` from the side's own left.
fn row_of_pits(board: &Board, pits: &PitBoard, side: Side, name: &str) -> String {
    let row = (0..pits.pits_a_side() as u8).map(|pit| Place::Pit(side, pit));
    let row: Vec<String> = row.map(|place| format!("{} {}", board.name(place), pits.get(place))).collect();
    format!("{name}: {}, store {}.", row.join(", "), pits.get(Place::Store(side)))
}

/// The squares row by row: the side's letter for a piece, small for a man where there are kings, and dots for empty squares.
fn grid(board: &Squares, letters: [char; 2], bottom: Side) -> Vec<String> {
    let turn = |numbers: std::ops::Range<u8>| -> Vec<u8> {
        if bottom == Side::South { numbers.collect() } else { numbers.rev().collect() }
    };
    let files = turn(0..board.files);
    let has_names = board.ground == Ground::Whole;
    let mut lines = Vec::new();
    if has_names {
        let letters = files.iter().map(|file| format!(" {}", char::from(b'a' + file)));
        lines.push(format!(" {}", letters.collect::<String>()));
    }
    for rank in turn(0..board.ranks) {
        let cells = files.iter().map(|file| format!(" {}", cell(board, letters, rank * board.files + file)));
        let label = if has_names { (rank + 1).to_string() } else { String::new() };
        lines.push(format!("{label}{}", cells.collect::<String>()));
    }
    lines
}

fn cell(board: &Squares, letters: [char; 2], square: u8) -> char {
    match board.get(square) {
        None if board.is_played_on(square) => '.',
        None => ' ',
        Some(piece) => {
            let letter = letters[piece.side.index()];
            if piece.king || !board.has_kings() { letter.to_ascii_uppercase() } else { letter }
        }
    }
}

/// `Black: 1, 2, 3, king 32.`: the squares of a side's pieces.
fn pieces(board: &Squares, side: Side, name: &str) -> String {
    let own = board.squares().filter_map(|square| Some((square, board.get(square)?)));
    let mut own: Vec<(u8, bool)> =
        own.filter(|(_, piece)| piece.side == side).map(|(square, piece)| (square, piece.king)).collect();
    if board.ground == Ground::Dark {
        // Their numbers begin at the lower right.
        own.reverse();
    }
    let text = |(square, king): (u8, bool)| format!("{}{}", if king { "king " } else { "" }, board.name(square));
    let texts: Vec<String> = own.into_iter().map(text).collect();
    format!("{name}: {}.", if texts.is_empty() { "none".to_owned() } else { texts.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    fn words(game: &str, position: &str, bottom: Side) -> Vec<String> {
        let variant: Variant = game.parse().unwrap();
        let position =
            if position.is_empty() { variant.start() } else { variant.position_from_text(position).unwrap() };
        board(&position.board(), variant.seats(), bottom, |side| variant.seats()[side.index()].to_owned())
    }

    #[test]
    fn pits_are_named_from_their_owners_left_and_the_own_row_is_last() {
        let rows = words("kalah:3x4", "", Side::North);
        assert_eq!(rows, ["South: A 4, B 4, C 4, store 0.", "North: a 4, b 4, c 4, store 0."]);
    }

    #[test]
    fn a_board_of_squares_is_a_grid_with_its_pieces_below() {
        let rows = words("othello", "", Side::South);
        assert_eq!(rows[0], "  a b c d e f g h");
        assert_eq!(rows[4..6], ["4 . . . W B . . .", "5 . . . B W . . ."]);
        assert_eq!(rows[9..], ["Black: e4, d5.", "White: d4, e5."]);
        // From the other side.
        assert_eq!(words("othello", "", Side::North)[0], "  h g f e d c b a");
    }

    #[test]
    fn kings_are_named() {
        let rows = words("checkers", "B:WK22,31:B1,K2", Side::South);
        assert_eq!(rows[8..], ["Black: 1, king 2.", "White: king 22, 31."]);
        assert!(
            rows[..8].iter().any(|row| row.contains('W')) && rows[..8].iter().any(|row| row.contains('b')),
            "{rows:?}"
        );
        assert_eq!(words("checkers", "B:W22:B", Side::South)[8], "Black: none.");
    }
}
