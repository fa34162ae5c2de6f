//! What a review found: the mistakes of the line, the way to them, better moves, and the line below the board.

use std::sync::Arc;
use std::time::Duration;

use ratatui::text::Line;

use super::super::figures::shown_value;
use super::Review;
use crate::game::record::{NodeId, Record, Step};
use crate::game::{Move, Side};
use crate::player::reviewing::{self, GivenAway, Mark, Terms};
use crate::results::Phases;
use crate::tabs::board::session::Session;
use crate::theme::Role;
use crate::ui::{Look, clip, width};

/// What the results mean for a line.
#[derive(Debug)]
pub struct Summary {
    key: Key,
    /// Numbers of evaluated and of all positions.
    reviewed: (usize, usize),
    mistakes: Arc<[(NodeId, Mark)]>,
    accuracies: [Option<f64>; 2],
}

/// What a [`Summary`] depends on.
#[derive(PartialEq, Debug)]
struct Key {
    games: [u64; 2],
    changes: u64,
    terms: Option<Terms>,
    version: u64,
    end: NodeId,
}

/// The key of the better move.
const KEYS: &str = ". ! adds its line";

/// `12 s`, or `3 min`.
fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

/// Adds moves from a position unless they exist, and goes to the first of them; the line includes all. Existing moves
/// get no comment.
pub fn add_line(record: &mut Record, from: NodeId, moves: &[Move], comment: &str) -> bool {
    record.go_to(from);
    let mut first = None;
    for &mv in moves {
        if !record.play(mv) {
            break;
        }
        first.get_or_insert(record.at());
    }
    if let Some(first) = first {
        while record.at() != first && record.back() {}
        if record.comment(first).is_empty() {
            record.set_comment(first, comment);
        }
    }
    first.is_some()
}

impl Review {
    /// Numbers of evaluated and of all positions of the line.
    pub fn reviewed(&self, session: &Session) -> (usize, usize) {
        self.of_line(session).reviewed
    }

    /// The mistakes of the line in their order, by the positions after them.
    pub fn mistakes(&self, session: &Session) -> Arc<[(NodeId, Mark)]> {
        Arc::clone(&self.of_line(session).mistakes)
    }

    /// What the results mean for the line. A frame needs it several times, so that it is kept.
    fn of_line(&self, session: &Session) -> Arc<Summary> {
        let Review { game, changes, terms, summary, .. } = self;
        let key = Key {
            games: [session.game, *game],
            changes: *changes,
            terms: *terms,
            version: session.record.version(),
            end: session.record.end(),
        };
        let mut summary = summary.borrow_mut();
        match &*summary {
            Some(known) if known.key == key => Arc::clone(known),
            _ => Arc::clone(summary.insert(Arc::new(self.summarised(session, key)))),
        }
    }

    fn summarised(&self, session: &Session, key: Key) -> Summary {
        let nodes = session.line_nodes();
        let line = session.record.line();
        let done = nodes.iter().filter(|&&node| self.valued(session, node).is_some()).count();
        let marked = |&node: &NodeId| Some((node, self.verdict(session, node)?.mark?));
        let chosen = |step: &Step| Some((self.valued(session, session.record.parent(step.node)?)?.as_ref(), step.mv));
        let of = |side: Side| line.iter().filter(move |step| step.mover == side).filter_map(chosen);
        let accuracies = Side::BOTH.map(|side| reviewing::accuracy(of(side)));
        let mistakes = nodes.iter().filter_map(marked).collect();
        Summary { key, reviewed: (done, nodes.len()), mistakes, accuracies }
    }

    pub fn has_mistakes(&self, session: &Session) -> bool {
        !self.mistakes(session).is_empty()
    }

    /// The numbers of mistakes, as a sentence.
    pub fn summary(&self, session: &Session) -> String {
        let mistakes = self.mistakes(session);
        let blunders = mistakes.iter().filter(|(_, mark)| *mark == Mark::Blunder).count();
        let count = |number: usize, one: &str| match number {
            0 => format!("no {one}"),
            1 => format!("1 {one}"),
            _ => format!("{number} {one}s"),
        };
        let next = if mistakes.is_empty() { "" } else { "; > goes to the next" };
        let few = count(mistakes.len() - blunders, "mistake");
        let many = count(blunders, "blunder");
        format!("Reviewed: {few} (?), {many} (??){next}")
    }

    /// The last move, or else the next one, if it gave something away, with the position before it.
    pub fn bettered(&self, session: &Session) -> Option<(NodeId, Move)> {
        let is_worse = |(parent, mv): &(NodeId, Move)| {
            self.valued(session, *parent).and_then(|valued| valued.loss(*mv)).is_some_and(|loss| !loss.is_zero())
        };
        let at = session.record.at();
        let last = session.record.came(at).filter(is_worse);
        last.or_else(|| session.record.next().map(|mv| (at, mv)).filter(is_worse))
    }

    /// Progress of the review: `12 of 50 positions · 4 s left`.
    pub fn progress(&self, session: &Session, look: &Look) -> Option<String> {
        let view = &self.running.as_ref()?.view;
        let (done, of) = self.reviewed(session);
        let left = view.left().map(|left| format!(" {} {} left", look.glyphs.dot, time_text(left)));
        Some(format!("{done} of {of} positions{}", left.unwrap_or_default()))
    }

    /// Returns whether a review is running, or the last move was a mistake.
    pub fn has_news(&self, session: &Session) -> bool {
        self.is_reviewing() || self.verdict(session, session.record.at()).is_some_and(|verdict| verdict.mark.is_some())
    }

    /// The review's line about the last move: progress, or the better move.
    pub fn line(&self, session: &Session, room: u16, look: &Look) -> Option<Line<'static>> {
        if let Some(progress) = self.progress(session, look) {
            let text = format!("Reviewing {} {progress} {} r stops", look.glyphs.pointer, look.glyphs.dot);
            let (done, of) = self.reviewed(session);
            let short = format!("Reviewing: {done} of {of}");
            let text = if width(&text) <= room { text } else { short };
            return Some(Line::from(look.span(Role::Accent, clip(&text, room, look))));
        }
        let at = session.record.at();
        let (verdict, (parent, mv)) = (self.verdict(session, at)?, session.record.came(at)?);
        let before = self.valued(session, parent)?;
        let position = session.record.position_at(parent);
        let name = position.move_text(mv);
        let best = before.best()?;
        let loss = before.loss(mv)?;
        let value = shown_value(session, before, best, look);
        let text = match loss.is_zero() {
            _ if before.moves.len() == 1 => format!("{name} was the only move ({value})"),
            true if before.is_decisive(best.margin) => format!("{name} changes nothing: {value}"),
            true => format!("{name} is the best move ({value})"),
            false => {
                let mark = verdict.mark.map_or(String::new(), |mark| format!("{} ", mark.text()));
                let lost = match loss.result {
                    None => {
                        let after = shown_value(session, before, before.move_line(mv)?, look);
                        format!("{value} {} {after}, loses {:.0} %", look.glyphs.right, loss.chance)
                    }
                    Some(GivenAway::Win) => "gives up the win".to_owned(),
                    Some(GivenAway::NotLost) => "loses the game".to_owned(),
                };
                let text = format!("{mark}{name} {lost}. {} was better", position.move_text(best.mv));
                // The footer also shows the key, if it does not fit.
                Some(format!("{text}{KEYS}")).filter(|long| width(long) <= room).unwrap_or(text)
            }
        };
        let role = match verdict.mark {
            Some(Mark::Blunder) => Role::Bad,
            Some(Mark::Mistake) => Role::Warning,
            None => Role::Dim,
        };
        Some(Line::from(look.span(role, clip(&text, room, look))))
    }

    /// How well a side chose its moves in percent, over its reviewed moves with a choice; `None` if there are none.
    pub fn accuracy(&self, session: &Session, side: Side) -> Option<f64> {
        self.of_line(session).accuracies[side.index()]
    }

    /// Returns the accuracy, the numbers of mistakes and blunders, and the phases of a side's game of this number of moves.
    pub fn rating(&self, session: &Session, side: Side, moves: usize) -> (Option<f64>, [u32; 2], Phases) {
        let line = session.record.main_line();
        let own: Vec<_> = line.iter().take(moves).filter(|step| step.mover == side).collect();
        let valued = |node| self.valued(session, session.record.parent(node)?).map(AsRef::as_ref);
        let accuracy = reviewing::accuracy(own.iter().filter_map(|step| Some((valued(step.node)?, step.mv))));
        let marks: Vec<Mark> = own.iter().filter_map(|step| self.verdict(session, step.node)?.mark).collect();
        let count = |mark: Mark| marks.iter().filter(|other| **other == mark).count() as u32;
        (accuracy, [Mark::Mistake, Mark::Blunder].map(count), self.phases(session, side, moves))
    }

    /// How the thirds of a reviewed game with this number of moves went for a side.
    fn phases(&self, session: &Session, side: Side, moves: usize) -> Phases {
        let line = session.record.main_line();
        let line = &line[..moves.min(line.len())];
        let third = |index: usize| &line[index * line.len() / 3..(index + 1) * line.len() / 3];
        let valued = |node| self.valued(session, session.record.parent(node)?).map(AsRef::as_ref);
        let accuracy = |index: usize| {
            let own = third(index).iter().filter(|step| step.mover == side);
            reviewing::accuracy(own.filter_map(|step| Some((valued(step.node)?, step.mv))))
        };
        let chance = |index: usize| {
            let chance = self.verdict(session, third(index).last()?.node)?.chance;
            Some(100.0 * if side == session.point_of_view() { chance } else { 1.0 - chance })
        };
        Phases { accuracy: [0, 1, 2].map(accuracy), chance: [0, 1].map(chance) }
    }

    /// The marks of a side's moves.
    pub fn marks(&self, session: &Session, side: Side) -> Vec<Mark> {
        let line = session.record.line();
        let own = line.iter().filter(|step| step.mover == side);
        own.filter_map(|step| self.verdict(session, step.node)?.mark).collect()
    }
}
