//! The lobby on the screen: the tables, and who is here.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::LobbyTab;
use crate::serve::lobby::{TableRow, View};
use crate::serve::table::Phase;
use crate::tabs::board::draw::variant_title;
use crate::theme::Role;
use crate::ui::table::{self, Cell, Column};
use crate::ui::{Look, clip, panel, put, row, wrap};

/// Columns of the panel with the people, where it is beside the tables.
const PEOPLE: u16 = 28;

const COLUMNS: [Column; 6] = [
    Column::number("table", 5),
    Column::words("game", 14),
    Column::words("players", 22),
    Column::words("clock", 6),
    Column::number("moves", 5),
    Column::words("state", 10),
];

fn cells(one: &TableRow, look: &Look) -> Vec<Cell> {
    let (state, role) = match (one.is_open, one.phase) {
        (true, _) => ("open", Role::Good),
        (false, Phase::Playing) => ("under way", Role::Text),
        (false, _) => ("ended", Role::Dim),
    };
    let watched = if one.watchers > 0 { format!(", {} watch", one.watchers) } else { String::new() };
    vec![
        one.id.to_string().into(),
        variant_title(&one.variant, look).into(),
        format!("{} v {}", one.names[0], one.names[1]).into(),
        one.control.map_or_else(|| "-".to_owned(), |control| control.to_string()).into(),
        one.moves.to_string().into(),
        Cell { text: format!("{state}{watched}"), style: Some(look.style(role)) },
    ]
}

impl LobbyTab {
    pub(super) fn draw_lobby(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let Some(view) = &self.view else { return };
        let (left, right) = if area.width >= 100 {
            let left = Rect { width: area.width - PEOPLE, ..area };
            (left, Rect { x: left.right(), width: PEOPLE, ..area })
        } else {
            let people = (view.people.len() as u16 + 2).clamp(3, area.height / 3);
            let left = Rect { height: area.height.saturating_sub(people), ..area };
            (left, Rect { y: left.bottom(), height: area.height - left.height, ..area })
        };
        draw_people(view, right, buf, look);
        if view.tables.is_empty() {
            let text = "No tables yet. n opens one: against anybody who sits down, or against an engine.";
            for (index, line) in wrap(text, left.width.saturating_sub(2)).into_iter().enumerate() {
                put(look.span(Role::Dim, format!(" {line}")), row(left, index as u16), buf);
            }
            look.cursor_place.set(row(left, 0));
            return;
        }
        self.height = usize::from(left.height.saturating_sub(1));
        let mut list = self.list;
        let tables = &view.tables;
        let row = |index: usize| cells(&tables[index], look);
        self.rows = table::draw(&COLUMNS, None, (tables.len(), &mut list), row, left, buf, look);
        self.list = list;
    }
}

fn draw_people(view: &View, area: Rect, buf: &mut Buffer, look: &Look) {
    let title = format!("{} here", view.people.iter().filter(|person| !person.is_away).count());
    let inner = panel(area, Line::from(look.span(Role::Title, title)), false, buf, look);
    for (index, person) in view.people.iter().enumerate() {
        let role = match (person.is_away, person.name == view.name) {
            (true, _) => Role::Dim,
            (false, true) => Role::Accent,
            (false, false) => Role::Text,
        };
        let doing = if person.is_away { format!("{}, away", person.doing) } else { person.doing.clone() };
        let text = clip(&format!(" {} {} {doing}", person.name, look.glyphs.dot), inner.width, look);
        put(look.span(role, text), row(inner, index as u16), buf);
    }
}
