//! Why a move is good or bad, in words made from its principal variation.

use super::analysis::Analysis;
use super::figures::{is_measured, line_text};
use crate::game::{self, Move, Position};
use crate::player::PositionValue;
use crate::search;
use crate::tabs::board::session::Session;
use crate::ui::Look;

/// Moves of a turn that are described.
const DESCRIBED: usize = 3;

/// Squares of an Othello board that are corners, by their names.
const CORNERS: [&str; 4] = ["a1", "h1", "a8", "h8"];

/// What a move does that a person would name: `takes 7 at C`, `moves again`; `None` for a quiet one.
fn deed(before: &Position, mv: Move) -> Option<String> {
    let trace = before.trace(mv);
    let name = before.move_text(mv);
    let mut parts = Vec::new();
    let taken: u16 = trace.taken().iter().map(|&(_, count)| count).sum();
    if taken > 0 {
        parts.push(match before.board() {
            game::Board::Pits(board) => {
                // The largest capture is the opposite pit's.
                let largest = trace.taken().into_iter().max_by_key(|&(_, count)| count);
                let at = largest.map(|(place, _)| game::Board::Pits(board).name(place)).unwrap_or_default();
                if at.is_empty() { format!("takes {taken}") } else { format!("takes {taken} at {at}") }
            }
            game::Board::Squares(_) => format!("takes {taken}"),
        });
    }
    if is_corner(before, &name) {
        parts.push(format!("takes the corner {name}"));
    }
    if trace.promotes() {
        parts.push("makes a king".to_owned());
    }
    if trace.extra_turn && !trace.over {
        parts.push("moves again".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(" and "))
}

fn is_corner(position: &Position, name: &str) -> bool {
    matches!(position.board(), game::Board::Squares(board) if !board.has_kings()) && CORNERS.contains(&name)
}

/// The deeds of the side to move in its turn, with the moves: `E moves again, then C takes 7 at d`; `None` without any.
pub fn turn(position: &Position, moves: &[Move]) -> Option<String> {
    let side = position.side();
    let mut position = *position;
    let mut parts = Vec::new();
    for &mv in moves.iter().take(DESCRIBED) {
        if position.side() != side || !position.is_legal(mv) {
            break;
        }
        let deed = deed(&position, mv);
        parts.extend(deed.map(|deed| format!("{} {deed}", position.move_text(mv))));
        position = position.play(mv);
    }
    (!parts.is_empty()).then(|| parts.join(", then "))
}

/// What a move gains, and what the other side does next: `C takes 7 at d`, `after B, North's e takes 6 at C`.
fn reason(position: &Position, line: &search::Line, seats: [&str; 2], is_good: bool) -> Option<String> {
    if is_good {
        return turn(position, &line.pv);
    }
    let side = position.side();
    let mut at = *position;
    let mut rest = &line.pv[..];
    while let Some((&mv, after)) = rest.split_first()
        && at.side() == side
        && at.is_legal(mv)
    {
        (at, rest) = (at.play(mv), after);
    }
    let reply = turn(&at, rest).filter(|_| at.side() != side)?;
    Some(format!("after {}, {}'s {reply}", position.move_text(line.mv), seats[at.side().index()]))
}

/// The hint in words, with its value: `C moves again, then E takes 7 at b (about +4)`, or `(+4)` if that is exact.
pub fn hint_text(analysis: &Analysis, session: &Session, look: &Look) -> Option<String> {
    let mv = analysis.hint()?;
    let report = &analysis.view.as_ref()?.report;
    let line = report.lines.iter().find(|line| line.mv == mv)?;
    let position = session.position();
    let why = turn(position, &line.pv).unwrap_or_else(|| position.move_text(mv));
    let about = if line.solved || !is_measured(line.margin, position) { "" } else { "about " };
    Some(format!("Hint: {why} ({about}{})", line_text(line, position, look)))
}

/// What the other side does after a move: `North's c moves again, then f takes 8 at D`, or `North answers c`.
pub fn reply_text(session: &Session, position: &Position, line: &search::Line) -> Option<String> {
    let seats = session.record.variant.seats();
    let deeds = reason(position, line, seats, false).map(|text| first_upper(&text));
    deeds.or_else(|| {
        let mut at = *position;
        let reply = line.pv.iter().find_map(|&mv| {
            let is_reply = at.side() != position.side();
            let name = is_reply.then(|| at.move_text(mv));
            at = if at.is_legal(mv) { at.play(mv) } else { at };
            name
        })?;
        Some(format!("{} answers {reply}", seats[position.side().other().index()]))
    })
}

/// Why the better move was better and the played one worse, as far as their lines show it.
pub fn why_worse(session: &Session, position: &Position, valued: &PositionValue, mv: Move) -> Option<String> {
    let best = valued.best()?;
    let own = valued.move_line(mv)?;
    let seats = session.record.variant.seats();
    let parts = [reason(position, own, seats, false), reason(position, best, seats, true)];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    (!text.is_empty()).then(|| first_upper(&text))
}

/// The text with a capital at its beginning, unless it begins with a move.
fn first_upper(text: &str) -> String {
    match text.strip_prefix("after ") {
        Some(rest) => format!("After {rest}"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    fn turn_of(variant: &str, text: &str, moves: &[&str]) -> Option<String> {
        let start = variant.parse::<Variant>().unwrap().position_from_text(text).unwrap();
        let mut at = start;
        let mut line = Vec::new();
        for name in moves {
            let mv = at.move_from_text(name).unwrap();
            line.push(mv);
            at = at.play(mv);
        }
        turn(&start, &line)
    }

    #[test]
    fn a_turn_is_described_by_what_its_moves_do() {
        let kalah = "<6,20,14,1,0,0,2,0,1,0,3,2,0,4,1> S";
        assert_eq!(turn_of("kalah", kalah, &["F", "A"]).as_deref(), Some("F moves again, then A takes 5 at e"));
        assert_eq!(turn_of("kalah", kalah, &["D"]), None);
        let checkers = "B:W11,19,21:B4,8";
        assert_eq!(turn_of("checkers", checkers, &["8x15x24"]).as_deref(), Some("8x24 takes 2"));
        let othello = "---------OX-------O-------XOOO-----XXXX----XX-----X------------- X";
        assert_eq!(turn_of("othello", othello, &["f3"]), None);
    }

    #[test]
    fn the_other_sides_answer_shows_what_is_lost() {
        let start =
            "kalah".parse::<Variant>().unwrap().position_from_text("<6,20,14,1,0,0,2,0,1,0,3,2,0,4,1> S").unwrap();
        let mv = start.move_from_text("D").unwrap();
        let after = start.play(mv);
        let reply = after.move_from_text("f").unwrap();
        let line =
            search::Line { mv, margin: 0, depth: 2, solved: false, pv: vec![mv, reply], tried: None, weighed: None };
        let text = reason(&start, &line, ["South", "North"], false).unwrap();
        assert!(text.starts_with("after D, North's f "), "{text}");
    }
}
