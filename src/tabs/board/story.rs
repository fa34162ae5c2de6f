//! The text below or beside the board: the verdict on a try, a previewed line, the coach, the threat, the last move, what to do next, a
//! player's reason, the end of the game.

use ratatui::text::Line;

use super::panels::findings;
use super::panels::why::{hint_text, why_worse};
use super::{Board, practice};
use crate::game::notation::{self, AGREED, Marks};
use crate::game::{self, Move, Place, Position, Trace};
use crate::sanitize;
use crate::theme::Role;
use crate::ui::{Look, clip, width, wrap_within};

impl Board {
    /// The lines of the story, each at most `room` wide; the most important ones if there are fewer `rows`.
    pub(super) fn story_lines(&self, room: u16, rows: u16, look: &Look) -> Vec<Line<'static>> {
        let mut lines = self.ranked(room, rows, look);
        let rows = usize::from(rows.max(1));
        while lines.len() > rows {
            let last = lines.iter().map(|(rank, _)| *rank).max();
            match lines.iter().all(|(rank, _)| Some(*rank) == last) {
                // Answers to what was asked come after what is told anyway.
                true => _ = lines.drain(..lines.len() - rows),
                false => lines.retain(|(rank, _)| Some(*rank) != last),
            }
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// All lines, each with a rank: smaller is more important. A comment has the rows that the others leave.
    fn ranked(&self, room: u16, rows: u16, look: &Look) -> Vec<(u8, Line<'static>)> {
        if let Some(line) = self.panels.preview_line(&self.session, room, look) {
            return vec![(0, line)];
        }
        let verdict = self.practice.verdict_texts(&self.session, &self.panels.review, look);
        if !verdict.is_empty() {
            return verdict_lines(verdict, room, rows, look);
        }
        let mut lines = vec![(2, self.story(room, look))];
        if self.session.edit.is_none() {
            lines.extend(self.help_lines(room, look));
        }
        let shown = self.session.edit.is_none() && self.playback.animation.is_none();
        let place = lines.len();
        if let Some(ending) = self.session.record.ending().filter(|_| shown) {
            let (result, why) = self.session.result_texts(ending, look);
            let line = |text: String| Line::from(look.span(Role::Accent, text));
            let whole =
                line(result.clone() + &why.as_ref().map_or(String::new(), |why| format!(" {} {why}", look.glyphs.dot)));
            match why {
                // Two lines rather than a cut word.
                Some(why) if whole.width() > usize::from(room) => lines.extend([(0, line(result)), (1, line(why))]),
                _ => lines.push((0, whole)),
            }
        }
        if let Some(text) = self.contradiction_text().filter(|_| shown) {
            let texts = wrap_within(&text, room, 2, look);
            lines.extend(texts.into_iter().map(|text| (1, Line::from(look.span(Role::Warning, text)))));
        } else if let Some(text) = self.agreed_text().filter(|_| shown) {
            lines.push((1, Line::from(look.span(Role::Accent, clip(&text, room, look)))));
        }
        if let Some(text) = self.forced_text().filter(|_| shown) {
            lines.push((3, Line::from(look.span(Role::Warning, clip(&text, room, look)))));
        }
        if shown {
            // A tutorial is its comments.
            let (rank, others) = match practice::tutorial_step(&self.session.record) {
                Some(_) => (1, lines.iter().filter(|(rank, _)| *rank <= 1).count()),
                None => (3, lines.len()),
            };
            let free = usize::from(rows).saturating_sub(others).max(1);
            lines.splice(place..place, self.comment_lines(room, free, look).into_iter().map(|line| (rank, line)));
        }
        lines
    }

    /// The reason of a player's move, the verdict of the coach or of the review, the threat and the hint, with their ranks.
    fn help_lines(&self, room: u16, look: &Look) -> Vec<(u8, Line<'static>)> {
        let clipped = |role: Role, text: String| Line::from(look.span(role, clip(&text, room, look)));
        let mut lines = Vec::new();
        lines.extend(self.why_played().map(|why| (5, clipped(Role::Dim, why))));
        let is_coached = self.is_playing_coached();
        let coach = is_coached.then(|| self.panels.coach_line(&self.session, room, look)).flatten();
        if let Some(line) = coach {
            lines.push((1, line));
        } else if !is_coached
            // The verdict on the move before would be taken for the answer.
            && !self.practice.is_retrying(&self.session)
            && let Some(line) = self.panels.review.line(&self.session, room, look)
        {
            // It names the better move, which a person tries to find.
            lines.push((if self.panels.review.has_news(&self.session) { 1 } else { 4 }, line));
            lines.extend(self.why_line(room, look).map(|line| (3, line)));
        }
        lines.extend(self.panels.threat_line(&self.session, room, look).map(|line| (1, line)));
        let hint = hint_text(&self.panels.analysis, &self.session, look);
        lines.extend(hint.map(|text| (1, clipped(Role::Accent, text))));
        lines
    }

    /// Why the last move was a mistake.
    fn why_line(&self, room: u16, look: &Look) -> Option<Line<'static>> {
        let at = self.session.record.at();
        let (parent, mv) = self.session.record.came(at)?;
        self.panels.review.verdict(&self.session, at)?.mark?;
        let text = why_worse(
            &self.session,
            self.session.record.position_at(parent),
            self.panels.review.valued(&self.session, parent)?,
            mv,
        )?;
        Some(Line::from(look.span(Role::Dim, clip(&text, room, look))))
    }

    /// The comment on the move shown last, in at most this many rows.
    fn comment_lines(&self, room: u16, rows: usize, look: &Look) -> Vec<Line<'static>> {
        let Marks { values, text, .. } = Marks::parse(self.session.record.comment(self.session.record.at()));
        let text = if text.is_empty() { text } else { format!("\"{text}\"") };
        let marked = [values, text].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        if marked.is_empty() {
            return Vec::new();
        }
        let lines = wrap_within(&marked, room, rows, look);
        lines.into_iter().map(|line| Line::from(look.span(Role::Text, line))).collect()
    }

    /// One line: the last event, or what to do.
    fn story(&self, room: u16, look: &Look) -> Line<'static> {
        if self.session.edit.is_some() {
            let fills = if self.session.pits() > 0 { "arrows choose, digits fill" } else { "Space changes" };
            let short = "Enter plays, Esc leaves".to_owned();
            let texts = [format!("Setting up: {fills}, Enter plays"), format!("Setting up: {short}")];
            let text = texts.into_iter().find(|text| width(text) <= room).unwrap_or(short);
            return Line::from(look.span(Role::Accent, text));
        }
        if let Some(line) = self.thought_line(room, look).filter(|_| self.playback.animation.is_none()) {
            return line;
        }
        if let Some(line) = self.prompt(look).filter(|_| self.playback.animation.is_none()) {
            return line;
        }
        if let Some(text) = self.practice.task_text(&self.session) {
            return Line::from(look.span(Role::Accent, text));
        }
        if let Some(text) = practice::tutorial_step(&self.session.record).or_else(|| self.library.watched_text()) {
            return Line::from(look.span(Role::Accent, clip(text, room, look)));
        }
        let mut spans = Vec::new();
        if let Some(text) = self.turn_in_words(room, look) {
            spans.push(look.span(Role::Text, text));
        } else if let Some((before, mv)) = self.session.record.last() {
            let trace = before.trace(mv);
            let mover = self.session.seat_name(trace.mover);
            let strengths = Marks::parse(self.session.record.comment(self.session.record.at())).strengths;
            spans.push(look.span(Role::Text, format!("{mover} {}", deed(before, mv, &strengths, &trace, look))));
            if let Some(text) = captured_text(&trace) {
                spans.push(look.span(Role::Text, ", "));
                spans.push(look.span(Role::Capture, text));
            }
            if trace.promotes() {
                spans.push(look.span(Role::Good, ", crowned"));
            }
            if trace.extra_turn && !trace.over {
                spans.push(look.span(Role::Good, " and moves again"));
            }
        } else if self.awaits_human() {
            spans.push(look.span(Role::Dim, self.advice()));
        }
        if self.panels.analysis.waits_for_hint() {
            spans = vec![look.span(Role::Dim, format!("looking for a hint{}", look.glyphs.ellipsis))];
        }
        let line = Line::from(spans);
        if line.width() <= usize::from(room) {
            return line;
        }
        let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
        let is_deed = text.contains(" sows ");
        let short = self.session.record.last().filter(|_| is_deed).map(|(before, mv)| {
            let mover = self.session.seat_name(before.side());
            format!("{mover}: {}", short_deed(before, mv))
        });
        Line::from(look.span(Role::Text, clip(&short.unwrap_or(text), room, look)))
    }

    /// The last turn on a board of pits, if it had several moves: `North: d again · f takes 4 · a`.
    fn turn_in_words(&self, room: u16, look: &Look) -> Option<String> {
        let record = &self.session.record;
        let mut node = record.at();
        let mut deeds = Vec::new();
        let (parent, _) = record.came(node)?;
        let mover = record.position_at(parent).side();
        while let Some((parent, mv)) = record.came(node) {
            let before = record.position_at(parent);
            if before.side() != mover || self.session.pits() == 0 {
                break;
            }
            deeds.push(short_deed(before, mv));
            node = parent;
        }
        if deeds.len() < 2 {
            return None;
        }
        let dot = format!(" {} ", look.glyphs.dot);
        let mut text = deeds.remove(0);
        let seat = self.session.seat_name(mover);
        let free = usize::from(room).saturating_sub(seat.len() + 4);
        // The newest moves are shown, where not all fit.
        for deed in deeds {
            if usize::from(width(&text)) + deed.len() + dot.len() > free {
                return Some(format!("{seat}: {} {text}", look.glyphs.ellipsis));
            }
            text = format!("{deed}{dot}{text}");
        }
        Some(format!("{seat}: {text}"))
    }

    /// At the end of a game from a file, its agreed result.
    fn agreed_text(&self) -> Option<String> {
        if let Some(side) = self.session.resigned().filter(|_| self.session.is_resigned_here()) {
            let how = if self.session.is_lost_on_time() { "lost on time" } else { "resigned" };
            return Some(format!("{} {how}", self.session.seat_name(side)));
        }
        let result = self
            .session
            .record
            .header(AGREED)
            .filter(|_| self.session.record.at() == self.session.record.main_end())?;
        let result = notation::result_in_words(&self.session.record.variant, result);
        Some(format!("Result as given: {}", sanitize::inline(&result)))
    }

    /// At the end of a game from a file, how its results contradict each other.
    fn contradiction_text(&self) -> Option<String> {
        let text = notation::contradiction(&self.session.record)
            .filter(|_| self.session.record.at() == self.session.record.main_end())?;
        let text = sanitize::inline(&text).to_string();
        Some(text.replacen("the results", "The results", 1))
    }

    /// Before a user's move, a mandatory capture with the possible ones.
    pub(super) fn forced_text(&self) -> Option<String> {
        if !self.awaits_human() || self.forced_places().is_empty() {
            return None;
        }
        let position = self.session.position();
        let moves: Vec<String> = position.moves().into_iter().map(|mv| position.move_text(mv)).collect();
        Some(format!("{} must jump: {}", self.session.seat_name(position.side()), moves.join(", ")))
    }

    /// The user's entry, or that there is no choice.
    fn prompt(&self, look: &Look) -> Option<Line<'static>> {
        let mover = self.session.seat_name(self.session.position().side());
        if self.awaited_pass().is_some() {
            return Some(Line::from(look.span(Role::Accent, format!("{mover} must pass: Enter"))));
        }
        let entered = self.entry.text(&self.session)?;
        Some(Line::from(vec![
            look.span(Role::Dim, format!("{mover} {} ", look.glyphs.right)),
            look.span(Role::Accent, entered),
        ]))
    }

    /// How to enter the first move.
    fn advice(&self) -> String {
        let position = self.session.position();
        match self.entry.next_places(&self.session).first() {
            Some(Place::Square(_)) if self.session.by_numbers() => {
                let first = position.moves().first().map(|&mv| position.move_text(mv)).unwrap_or_default();
                format!("Type a move such as {first}, or use arrows")
            }
            Some(&place @ Place::Square(_)) => {
                format!("Type a square such as {}, or use arrows", self.session.position().board().name(place))
            }
            _ => "Type a letter to sow that pit".to_owned(),
        }
    }

    /// The reason for a player's last move.
    fn why_played(&self) -> Option<String> {
        let (before, mv) = self.session.record.last()?;
        self.panels.terms.known.explanation(&self.session, *before, mv, self.session.record.ply().saturating_sub(1))
    }

    /// What a thinking player has found so far, unless the panel of the analysis shows it.
    fn thought_line(&self, room: u16, look: &Look) -> Option<Line<'static>> {
        if self.panels.shows_analysis && self.player_in_panel().is_some() {
            return None;
        }
        let thought = self.playback.thinking.as_ref()?.thought.as_ref()?;
        findings::thought_line(&self.session, thought, room, look)
    }
}

/// The verdict on a try, wrapped; the first of its texts is the most important.
fn verdict_lines(texts: Vec<(Role, String)>, room: u16, rows: u16, look: &Look) -> Vec<(u8, Line<'static>)> {
    let mut free = usize::from(rows.max(1));
    let mut lines = Vec::new();
    for (rank, (role, text)) in texts.into_iter().enumerate() {
        let wrapped = wrap_within(&text, room, free, look);
        free -= wrapped.len().min(free);
        lines.extend(wrapped.into_iter().map(|line| (rank as u8, Line::from(look.span(role, line)))));
        if free == 0 {
            break;
        }
    }
    lines
}

/// `sows C (4 seeds)`, `→ d3: flips 2`, `passes`.
fn deed(before: &Position, mv: Move, strengths: &str, trace: &Trace, look: &Look) -> String {
    if trace.steps.is_empty() {
        return "passes".to_owned();
    }
    let name = before.move_text(mv) + strengths;
    let arrow = look.glyphs.right;
    match (before.board(), trace.drops(), trace.flipped().len()) {
        (game::Board::Pits(_), 1, _) => format!("sows {name} (1 seed)"),
        (game::Board::Pits(_), seeds, _) => format!("sows {name} ({seeds} seeds)"),
        (game::Board::Squares(_), _, 0) => format!("{arrow} {name}"),
        (game::Board::Squares(_), _, flips) => format!("{arrow} {name}: flips {flips}"),
    }
}

/// `f takes 4`, `d again`, `a`.
fn short_deed(before: &Position, mv: Move) -> String {
    let trace = before.trace(mv);
    let taken: u16 = trace.taken().iter().map(|&(_, count)| count).sum();
    let takes = if taken > 0 { format!(" takes {taken}") } else { String::new() };
    let again = if trace.extra_turn && !trace.over { " again" } else { "" };
    format!("{}{takes}{again}", before.move_text(mv))
}

fn captured_text(trace: &Trace) -> Option<String> {
    let taken: u16 = trace.taken().iter().map(|&(_, count)| count).sum();
    (taken > 0).then(|| format!("captures {taken}"))
}
