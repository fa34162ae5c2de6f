//! The view of a program: a tree of its nodes with branches, folding and scrolling, superfluous nodes dimmed, and the value of
//! every node in a position; beside it the simplified program.

use std::collections::HashSet;
use std::sync::Arc;

use crossterm::event::KeyCode;
use mancalab_base::counted;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::evolve::inspect::{AnyProgram, TreeLine, ValuedProgram, ValuedTree};
use crate::game::Position;
use crate::tabs::runs::parts::panels::Part;
use crate::theme::Role;
use crate::ui::list::{ListState, scrollbar};
use crate::ui::{Canvas, Look, hit_test, put, row, width, wrap};

/// The minimum width in cells for tree and simplified program side by side.
const BESIDE: u16 = 90;

/// The shown program and the state of its view.
#[derive(Default)]
pub struct ProgramView {
    /// The hash of the program, and the position of its values.
    subject: Option<(u64, Option<Position>)>,
    nodes: Vec<Inspect>,
    /// What the program loses without each node, in their order: shown in place of the values.
    worth: Option<Arc<Vec<Vec<String>>>>,
    simplified: String,
    simplified_size: usize,
    /// The values are for the position on the Board, not for the start position.
    of_board: bool,
    folded: HashSet<usize>,
    list: ListState,
    height: usize,
    places: Vec<(Rect, usize)>,
}

/// A line of the tree.
struct Inspect {
    /// What the node is to its function, such as `then`.
    part: &'static str,
    text: String,
    /// The end of the line's nodes, exclusive.
    end: usize,
    depth: usize,
    is_last: bool,
    value: String,
    /// The program's value comes from this node in this position.
    taken: bool,
    needed: bool,
    /// The node's index in the program.
    index: usize,
    /// Its tree and its index there; `None` for the title of a tree.
    place: Option<(usize, usize)>,
}

impl ProgramView {
    /// Shows a program, if the program or the position has changed.
    pub fn follow(&mut self, program: &dyn AnyProgram, board: Option<Position>) {
        let hash = program.hash();
        if self.subject == Some((hash, board)) {
            return;
        }
        let is_another = self.subject.is_none_or(|(before, _)| before != hash);
        self.subject = Some((hash, board));
        let valued = program.valued(board);
        self.of_board = valued.of_board;
        self.nodes = lines(&valued);
        if is_another {
            (self.simplified, self.simplified_size) = program.simplified();
            self.list = ListState::default();
            // Superfluous subtrees start folded.
            let superfluous = self.nodes.iter().filter(|node| !node.needed && node.end > node.index + 1);
            self.folded = superfluous.map(|node| node.index).collect();
        }
    }

    /// Shows what the program loses without each node, tree by tree, in place of the values.
    pub fn set_worth(&mut self, worth: Option<Arc<Vec<Vec<String>>>>) {
        self.worth = worth;
    }

    /// Returns what is shown beside a node: what is lost without it, or else its value.
    fn number(&self, node: &Inspect) -> String {
        match &self.worth {
            Some(worth) => node.place.and_then(|(tree, at)| worth.get(tree)?.get(at)).cloned().unwrap_or_default(),
            None => node.value.clone(),
        }
    }

    /// Clears the view.
    pub fn forget(&mut self) {
        *self = ProgramView::default();
    }

    pub fn simplified(&self) -> (&str, usize) {
        (&self.simplified, self.simplified_size)
    }

    /// Returns the lines outside of folded ones.
    fn visible(&self) -> Vec<usize> {
        let mut behind = 0;
        let mut visible = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            if node.index < behind {
                continue;
            }
            visible.push(index);
            if self.folded.contains(&node.index) {
                behind = node.end;
            }
        }
        visible
    }

    /// Moves the selection, folds and unfolds; returns whether the key was handled.
    pub fn key(&mut self, code: KeyCode) -> bool {
        let visible = self.visible();
        let Some(node) = visible.get(self.list.selected).map(|&index| &self.nodes[index]) else { return false };
        let at = node.index;
        let end = node.end;
        let depth = node.depth;
        match code {
            KeyCode::Left if end > at + 1 && !self.folded.contains(&at) => _ = self.folded.insert(at),
            KeyCode::Left => {
                // Moves to the function of this argument.
                let above = visible[..self.list.selected].iter().rposition(|&index| self.nodes[index].depth < depth);
                self.list.selected = above.unwrap_or(self.list.selected);
            }
            KeyCode::Right => _ = self.folded.remove(&at),
            code => return self.list.key(code, visible.len(), self.height, true),
        }
        true
    }

    /// Draws the tree, and the simplified program beside or below it.
    pub fn draw(&mut self, canvas: Canvas<'_>) {
        let Canvas { area, focused, buf, look } = canvas;
        let beside = area.width >= BESIDE;
        let simple = wrap(&self.simplified, if beside { area.width / 2 - 3 } else { area.width.saturating_sub(2) });
        let below = if beside { 0 } else { (simple.len() as u16 + 1).min(area.height / 3) };
        let tree = Rect {
            width: if beside { area.width / 2 } else { area.width },
            height: area.height.saturating_sub(below),
            ..area
        };
        self.draw_tree(focused, tree, buf, look);
        let rest = if beside {
            Rect { x: tree.right(), width: area.width - tree.width, ..area }
        } else {
            Rect { y: tree.bottom(), height: below, ..area }
        };
        let head = look.span(Role::Dim, format!(" Simplified, {}:", counted(self.simplified_size, "node")));
        put(head, row(rest, 0), buf);
        for (index, line) in simple.into_iter().enumerate() {
            put(look.span(Role::Text, format!(" {line}")), row(rest, 1 + index as u16), buf);
        }
    }

    fn draw_tree(&mut self, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
        let about = match (&self.worth, self.of_board) {
            (Some(_), _) => " Fitness lost without each node",
            (None, true) => " Values in the position on the Board",
            (None, false) => " Values in the start position",
        };
        put(look.span(Role::Dim, about), row(area, 0), buf);
        let body = Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area };
        let visible = self.visible();
        self.height = usize::from(body.height);
        self.places.clear();
        let shown = self.list.window(visible.len(), self.height);
        scrollbar(body, &shown, visible.len(), buf, look);
        for (line, index) in shown.enumerate() {
            let place = row(body, line as u16);
            let selected = focused && index == self.list.selected;
            if selected {
                buf.set_style(place, look.style(Role::Selection));
                look.cursor_place.set(place);
            }
            put(self.line(visible[index], selected, look), place, buf);
            let node = &self.nodes[visible[index]];
            let value = look.with_minus(&self.number(node));
            let wide = width(&value) + 1;
            let role = match (selected, node.needed && node.taken) {
                (true, _) => Role::Selection,
                (false, true) => Role::Accent,
                (false, false) => Role::Dim,
            };
            if node.needed && wide < place.width {
                put(look.span(role, format!(" {value}")), Rect { x: place.right() - wide, width: wide, ..place }, buf);
            }
            self.places.push((place, index));
        }
    }

    /// Returns the branches leading to a node, and the node.
    fn line(&self, index: usize, selected: bool, look: &Look) -> Line<'static> {
        let lines = &look.glyphs.line;
        let node = &self.nodes[index];
        let mut branches = String::new();
        if node.depth > 0 {
            branches = (if node.is_last { lines.bottom_left } else { lines.vertical_right }).to_owned();
            let mut depth = node.depth;
            for above in self.nodes[..index].iter().rev() {
                // The nearest node above of each smaller depth is on the path to the root.
                if above.depth < depth {
                    depth = above.depth;
                    if depth > 0 {
                        branches = format!("{} {branches}", if above.is_last { " " } else { lines.vertical });
                    }
                }
            }
        }
        let is_folded = self.folded.contains(&node.index);
        let hidden = match is_folded {
            true => format!(" {} {} more", look.glyphs.ellipsis, node.end - node.index - 1),
            false => String::new(),
        };
        // Without colour, parentheses mark superfluous nodes.
        let text = if node.needed { node.text.clone() } else { format!("({})", node.text) };
        let role = |role| if selected { Role::Selection } else { role };
        let usual = if node.needed && node.taken { Role::Text } else { Role::Dim };
        Line::from(vec![
            Span::raw(" "),
            look.span(role(Role::Border), branches),
            look.span(role(Role::Border), if node.depth > 0 { " " } else { "" }),
            look.span(role(Role::Dim), node.part),
            look.span(role(usual), text),
            look.span(role(Role::Dim), hidden),
        ])
    }
}

impl<V> Part<V> for ProgramView {
    fn key(&mut self, code: KeyCode, _: &V) -> bool {
        ProgramView::key(self, code)
    }

    /// Selects the line at a position; folds or unfolds it if it is selected already.
    fn click(&mut self, at: (u16, u16), _: &V) -> bool {
        let Some(index) = hit_test(&self.places, at) else { return false };
        if std::mem::replace(&mut self.list.selected, index) != index {
            return false;
        }
        let node = self.visible().get(index).map(|&index| (self.nodes[index].index, self.nodes[index].end));
        if let Some((at, end)) = node
            && end > at + 1
            && !self.folded.remove(&at)
        {
            self.folded.insert(at);
        }
        false
    }

    fn wheel(&mut self, down: bool, _: &V) {
        let code = if down { KeyCode::Down } else { KeyCode::Up };
        let len = self.visible().len();
        self.list.key(code, len, self.height, false);
    }
}

/// Returns one line per node; VALUE_AT of a constant bowl shares the line of the constant. Several trees are each preceded by a
/// line of their own.
fn lines(valued: &ValuedProgram) -> Vec<Inspect> {
    let mut lines = Vec::new();
    let several = valued.trees.len() > 1;
    let mut first = 0;
    for (number, tree) in valued.trees.iter().enumerate() {
        if several {
            let root = tree.nodes.first();
            lines.push(Inspect {
                part: "",
                text: format!("{}{}", tree.title, tree.now),
                end: first + 1 + tree.nodes.len(),
                depth: 0,
                is_last: true,
                value: root.map_or(String::new(), |root| root.value.clone()),
                taken: root.is_some_and(|root| root.taken),
                needed: true,
                index: first,
                place: None,
            });
            first += 1;
        }
        lines_of((number, tree), first, usize::from(several), &mut lines);
        first += tree.nodes.len();
    }
    lines
}

/// Appends the lines of a tree, whose first node has this index and depth.
fn lines_of((number, tree): (usize, &ValuedTree), first: usize, above: usize, lines: &mut Vec<Inspect>) {
    for TreeLine { node: at, part, text, depth, is_last, end } in tree.lines() {
        let node = &tree.nodes[at];
        let value = node.value.clone();
        let end = first + end;
        let index = first + at;
        let depth = above + depth;
        let taken = node.taken;
        let needed = node.needed;
        let place = Some((number, at));
        lines.push(Inspect { part, text, end, depth, is_last, value, taken, needed, index, place });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::look;
    use crate::kinds::{KINDS, KindOf as _};

    fn drawn(view: &mut ProgramView, size: (u16, u16), look: &Look) -> String {
        let area = Rect::new(0, 0, size.0, size.1);
        let mut buf = Buffer::empty(area);
        view.draw(Canvas { focused: true, ..Canvas::new(area, &mut buf, look) });
        let line = |y| (0..area.width).map(|x| buf[(x, y)].symbol()).collect::<String>().trim_end().to_owned() + "\n";
        (0..area.height).map(line).collect()
    }

    #[test]
    fn branches_are_drawn_folded_and_valued() {
        let settings = KINDS[0].preset("mancala-gp-1").unwrap().problem().unwrap();
        let program = settings.program_in("(+ (if< (@ 3) (- 9 2) (+ (@ 1) 1) (@ 13)) (if< 1 2 (@ 5) (- (@ 6) (@ 2))))");
        let program = program.unwrap();
        let mut view = ProgramView::default();
        view.follow(&*program, None);
        let mut text = drawn(&mut view, (44, 18), &look());
        ["Down", "Left"].iter().zip([KeyCode::Down, KeyCode::Left]).for_each(|(_, code)| assert!(view.key(code)));
        let ascii = Look { glyphs: crate::theme::Glyphs::ascii(), ..look() };
        text += &drawn(&mut view, (96, 9), &ascii);
        insta::assert_snapshot!(text);
        assert!(view.key(KeyCode::Right));
        view.follow(&*program, Some(settings.game().start()));
        assert!(drawn(&mut view, (44, 18), &look()).contains("in the position on the Board"));
        assert!(!view.folded.contains(&1), "what was unfolded stays so in another position");
        view.follow(&*program, Some(crate::game::Variant::usual()[1].start()));
        assert!(drawn(&mut view, (44, 18), &look()).contains("in the start position"), "of another game");
    }

    #[test]
    fn any_program_is_drawn_at_any_size() {
        let settings = KINDS[0].preset("mancala-gp-1").unwrap().problem().unwrap();
        for number in 0..20 {
            let program = crate::program::kalah::random_program(3, number);
            let program = settings.program_in(&program.to_notation()).unwrap();
            let mut view = ProgramView::default();
            view.follow(&*program, None);
            for size in [(0, 0), (1, 1), (20, 3), (60, 20), (200, 60)] {
                for code in [KeyCode::Down, KeyCode::Left, KeyCode::PageDown, KeyCode::Right, KeyCode::Up] {
                    view.key(code);
                    drawn(&mut view, size, &look());
                }
            }
        }
    }
}
