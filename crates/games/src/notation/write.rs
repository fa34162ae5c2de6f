//! Writes a record as text.

use super::words::{value, wrap};
use super::{pdn, result_text};
use crate::record::{NodeId, Record};
use crate::{Move, Notation as _, Position};

/// Beginning of the values of a position in its comment, which `]` ends.
pub(super) const VALUES: &str = "[%values ";

/// The record as text, its main line first. [`read`](super::read) returns the same record, at the end of its main line.
pub fn write(record: &Record) -> String {
    let mut text = format!("[Game \"{}\"]\n", record.variant);
    for (seat, player) in record.variant.seats().iter().zip(&record.players) {
        text += &format!("[{seat} \"{}\"]\n", value(player));
    }
    if let Some(seed) = record.seed {
        text += &format!("[Seed \"{seed}\"]\n");
    }
    if *record.start() != record.variant.start() {
        text += &format!("[Start \"{}\"]\n", record.start().to_text());
    }
    for (name, text_of) in &record.headers {
        text += &format!("[{name} \"{}\"]\n", value(text_of));
    }
    text += &format!("[Result \"{}\"]\n\n", result_text(record));
    let mut words = Vec::new();
    let mut writer = Writer { record, words: &mut words };
    writer.comment(0);
    writer.line(0, 1, true);
    text + &wrap(&words, 80)
}

/// The game in a format of other programs: PDN, or the line's moves such as `f5d6c3`. `None` if the game has no such
/// format, or if that format has moves only and the record starts from another position.
pub fn transcript(record: &Record) -> Option<String> {
    if let Some(text) = pdn::write(record) {
        return Some(text);
    }
    let moves: Vec<Move> = record.line().iter().map(|step| step.mv).collect();
    let usual = *record.start() == record.variant.start();
    with_position!(record.start(), start => start.to_transcript(&moves)).filter(|_| usual)
}

/// Converts a tree to words: a loop over the main line, recursion only into variations.
struct Writer<'a> {
    record: &'a Record,
    words: &'a mut Vec<String>,
}

impl Writer<'_> {
    /// Writes the moves after `node`, the next of which belongs to `turn`, with its number if `number_due`.
    fn line(&mut self, mut node: NodeId, mut turn: u32, mut number_due: bool) {
        loop {
            let mut tried = self.record.tried(node);
            let Some((child, mv)) = tried.next() else { return };
            let position = self.record.position_at(node);
            self.word(position, mv, turn, &mut number_due);
            self.comment(child);
            for (other, mv) in tried {
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

    fn word(&mut self, position: &Position, mv: Move, turn: u32, number_due: &mut bool) {
        if std::mem::take(number_due) {
            self.words.push(format!("{turn}."));
        }
        self.words.push(position.move_text(mv));
    }

    /// The values of a position and the comment on it, in braces.
    fn comment(&mut self, node: NodeId) {
        let first = self.words.len();
        let review = self.record.review(node);
        if !review.is_empty() {
            self.words.extend(format!("{VALUES}{review}]").split_whitespace().map(str::to_owned));
        }
        self.words.extend(self.record.comment(node).split_whitespace().map(str::to_owned));
        if let [first, ..] = &mut self.words[first..] {
            first.insert(0, '{');
        }
        if let [.., last] = &mut self.words[first..] {
            last.push('}');
        }
    }

    fn variation(&mut self, node: NodeId, child: NodeId, mv: Move, turn: u32) {
        let first = self.words.len();
        let position = self.record.position_at(node);
        self.word(position, mv, turn, &mut true);
        self.comment(child);
        let same_side = self.record.position_at(child).side() == position.side();
        self.line(child, turn + u32::from(!same_side), !same_side);
        self.words[first].insert(0, '(');
        if let Some(last) = self.words.last_mut() {
            last.push(')');
        }
    }
}
