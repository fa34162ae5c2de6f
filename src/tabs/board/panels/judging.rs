//! The values of a function player for the position on screen: the active function, its inputs, and the value after
//! each move.

use std::cell::RefCell;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::text::Line;

use super::layout::Layout;
use crate::game::{Move, Position};
use crate::player::staged::{Explanation, InForce, JudgedMove, StagedSettings, number};
use crate::player::{GameNetwork, Spec};
use crate::tabs::board::session::Session;
use crate::theme::Role;
use crate::ui::{Look, fit, put, row, width, wrap};

/// Recent results: compiling a large function takes longer than a frame.
#[derive(Default)]
pub struct RecentResults {
    judged: Lately<Arc<Explanation>>,
    why: Lately<Option<String>>,
}

/// A player with a position, a move, the ply and the game's seed.
type Request = (Spec, Position, Option<Move>, u32, u64);

/// Requests with their results, the newest first.
type Lately<T> = RefCell<Vec<(Request, T)>>;

/// A frame requests both players' last moves and the position, and so does the next one.
const KEPT: usize = 4;

fn known<T: Clone>(lately: &Lately<T>, asked: Request, find: impl FnOnce() -> T) -> T {
    let mut lately = lately.borrow_mut();
    if let Some((_, found)) = lately.iter().find(|(before, _)| *before == asked) {
        return found.clone();
    }
    let found = find();
    lately.truncate(KEPT - 1);
    lately.insert(0, (asked, found.clone()));
    found
}

/// A player whose evaluation of moves can be shown.
pub enum Judge<'a> {
    Functions(&'a StagedSettings),
    /// See `network`.
    Network(Arc<GameNetwork>),
}

/// Maximum rows of the function's text.
const TEXT: u16 = 6;

/// Rows of a panel that has room for the values of moves alone.
const LOW: u16 = 4;

/// Widths of a move and its value, with a leading blank.
const MOVE: usize = 5;
const VALUE: usize = 8;

/// The rows needed for a usual number of moves.
pub(super) const LINES: u16 = 14;

/// The player whose values are shown: the one to move, if both qualify.
pub fn judge(session: &Session) -> Option<Judge<'_>> {
    session.of_players(|player| match player {
        Spec::Staged(staged) => Some(Judge::Functions(staged)),
        player => player.network().map(Judge::Network),
    })
}

impl RecentResults {
    /// The reason for a player's move, in a line.
    pub fn explanation(&self, session: &Session, before: Position, mv: Move, ply: u32) -> Option<String> {
        let player = &session.players[before.side().index()];
        let asked = (player.clone(), before, Some(mv), ply, session.seed);
        known(&self.why, asked, || player.explanation(before, mv, ply, session.seed))
    }

    /// Draws the function player's values.
    pub fn draw(&self, session: &Session, staged: &StagedSettings, places: &Layout, buf: &mut Buffer, look: &Look) {
        let position = *session.position();
        let ply = session.record.ply();
        let Some(in_force) = staged.in_force(position, ply, session.seed) else { return };
        let room = places.terms_title();
        let title = fit(judged_title(session, &in_force, room, look), room, look);
        let inner = places.terms_frame(title, buf, look);
        let asked = (Spec::Staged(staged.clone()), position, None, ply, session.seed);
        let judged = known(&self.judged, asked, || Arc::new(in_force.judged()));
        let text = in_force.function.to_string();
        let mut lines: Vec<Line<'static>> = Vec::new();
        let chances = in_force.chances(look.glyphs.dot).filter(|_| inner.height > LOW);
        if let Some(chances) = chances {
            lines.push(fit(Line::from(look.span(Role::Dim, format!(" {chances}"))), inner.width, look));
        }
        // The function is shortened before the moves.
        let least = judged.moves.len() as u16 + 2 + lines.len() as u16;
        let texts = inner.height.saturating_sub(least).clamp(u16::from(inner.height > LOW), TEXT);
        let wrapped = wrap(&text, inner.width.saturating_sub(2));
        let is_cut = wrapped.len() > usize::from(texts);
        for (index, text) in wrapped.into_iter().take(texts.into()).enumerate() {
            let more = if is_cut && index + 1 == usize::from(texts) { look.glyphs.ellipsis } else { "" };
            lines.push(fit(Line::from(look.span(Role::Text, format!(" {text}{more}"))), inner.width, look));
        }
        if staged.depth > 1 {
            let text = format!(" depth 1 here, {} in play", staged.depth);
            lines.push(fit(Line::from(look.span(Role::Dim, text)), inner.width, look));
        }
        if session.is_over() {
            lines.push(Line::from(look.span(Role::Dim, " The game is over")));
        } else {
            lines.extend(Table::new(&judged, inner.width).lines(&position, session.record.next(), look));
        }
        for (index, line) in lines.into_iter().take(inner.height.into()).enumerate() {
            put(line, row(inner, index as u16), buf);
        }
    }
}

/// The player and the active stage with its plies, as far as they fit.
fn judged_title(session: &Session, in_force: &InForce, room: u16, look: &Look) -> Line<'static> {
    let InForce { stage, stages, end, .. } = *in_force;
    let title = look.span(Role::Title, format!("Function for {}", session.seat_name(session.position().side())));
    if stages == 1 {
        return Line::from(title);
    }
    let dot = look.glyphs.dot;
    let number = stage + 1;
    let drawn = if in_force.is_drawn() { format!(" {dot} drawn") } else { String::new() };
    let ways = [
        format!("  stage {number} of {stages} {dot} to disc {end}{drawn}"),
        format!("  stage {number} of {stages}{drawn}"),
        format!("  stage {number} of {stages}"),
        format!("  {number}/{stages}"),
    ];
    let left = usize::from(room).saturating_sub(title.width());
    let way = ways.into_iter().find(|way| usize::from(width(way)) <= left).unwrap_or_default();
    Line::from(vec![title, look.span(Role::Dim, way)])
}

/// Width of a column of counts, with leading blanks.
fn column(head: &str) -> usize {
    usize::from(width(head)).max(2) + 2
}

/// The moves with their values and counts.
struct Table<'a> {
    judged: &'a Explanation,
    /// The counts that the function reads.
    heads: Vec<String>,
}

impl<'a> Table<'a> {
    /// The counts' names, shortened to fit.
    fn new(judged: &'a Explanation, cells: u16) -> Table<'a> {
        let names: Vec<&str> = judged.looked_at.iter().map(|&count| InForce::names()[count]).collect();
        let whole = |name: &&str| (*name).to_owned();
        let short = |name: &&str| {
            name.replace("white", "w").replace("black", "b").replace("_corners", "_cor").replace("_edges", "_edge")
        };
        let letters = |name: &&str| name.split('_').map(|word| &word[..1]).collect();
        let heads = |head: &dyn Fn(&&str) -> String| names.iter().map(head).collect::<Vec<String>>();
        let room = usize::from(cells).saturating_sub(MOVE + VALUE + 1);
        let [whole, short, mut letters] = [heads(&whole), heads(&short), heads(&letters)];
        let cells = |heads: &[String]| heads.iter().map(|head| column(head)).sum::<usize>();
        while cells(&letters) > room {
            letters.pop();
        }
        let heads = [whole, short].into_iter().find(|heads| cells(heads) <= room).unwrap_or(letters);
        Table { judged, heads }
    }

    /// Draws a head, the current counts, and a row per move, the best first; the `played` one is marked.
    fn lines(&self, position: &Position, played: Option<Move>, look: &Look) -> Vec<Line<'static>> {
        let counted = |numbers: &[i32]| -> String {
            let numbers = self.judged.looked_at.iter().zip(&self.heads).map(|(&count, head)| (numbers[count], head));
            numbers.map(|(number, head)| format!("{number:>0$}", column(head))).collect()
        };
        let heads: String = self.heads.iter().map(|head| format!("{head:>0$}", column(head))).collect();
        let shown = |value: f64| format!("{:>VALUE$}", look.with_minus(&number(value)));
        let mut lines = vec![
            Line::from(look.span(Role::Dim, format!(" {:<MOVE$}{:>VALUE$}{heads}", "move", "value"))),
            Line::from(look.span(
                Role::Dim,
                format!(" {:<MOVE$}{}{}", "now", shown(self.judged.value), counted(&self.judged.counts)),
            )),
        ];
        for (index, JudgedMove { mv, value, counts }) in self.judged.moves.iter().enumerate() {
            let role = if index == 0 { Role::Accent } else { Role::Text };
            let mark = if played == Some(*mv) { look.glyphs.pointer } else { " " };
            lines.push(Line::from(vec![
                look.span(Role::Accent, mark),
                look.span(role, format!("{:<MOVE$}", position.move_text(*mv))),
                look.span(role, shown(*value)),
                look.span(Role::Text, counted(counts)),
            ]));
        }
        lines
    }
}
