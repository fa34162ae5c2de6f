//! A program's tree as SVG: the root on the left, arguments to the right of their function in their order from top to bottom. Large
//! trees are drawn level by level as far as they fit; a node with hidden arguments has their number.

use std::fmt::Write as _;

use crate::evolve::inspect::{TreeLine, ValuedTree};
use crate::reproduce::plot::escaped;

/// Maximum number of drawn nodes, and maximum width of the drawing in pixels: more is no longer readable on a page.
const MOST: usize = 60;
const MOST_WIDTH: f64 = 1300.0;

/// The width of a letter, the height of a row, the space between columns, and that around the drawing.
const LETTER: f64 = 7.25;
const ROW: f64 = 21.0;
const GAP: f64 = 34.0;
const MARGIN: f64 = 12.0;

/// A tree as it is drawn.
pub(crate) struct TreeDrawing {
    pub svg: String,
    /// Number of nodes that are not drawn.
    pub hidden: usize,
}

/// Draws a tree. Nodes that cannot change its value are grey, and what is below them is hidden.
pub(crate) fn draw(tree: &ValuedTree) -> TreeDrawing {
    let lines = tree.lines();
    let layout = Layout::fit(tree, &lines);
    TreeDrawing { svg: layout.svg(tree, &lines), hidden: layout.hidden.iter().sum() }
}

/// Which lines are drawn, and where.
struct Layout {
    /// The line of each line's function; that of the root is itself.
    above: Vec<usize>,
    is_shown: Vec<bool>,
    /// The number of nodes below each shown line that are hidden.
    hidden: Vec<usize>,
    /// The width of each column.
    columns: Vec<f64>,
}

impl Layout {
    /// Opens functions level by level while their arguments fit.
    fn fit(tree: &ValuedTree, lines: &[TreeLine]) -> Layout {
        let mut arguments = vec![Vec::new(); lines.len()];
        let mut above = vec![0; lines.len()];
        let mut path: Vec<usize> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            path.truncate(line.depth);
            if let Some(&function) = path.last() {
                arguments[function].push(at);
                above[at] = function;
            }
            path.push(at);
        }
        let mut order: Vec<usize> = (0..lines.len()).collect();
        crate::sort::sort_by_key(&mut order, |&at| lines[at].depth);
        let mut layout = Layout {
            above,
            is_shown: (0..lines.len()).map(|at| at == 0).collect(),
            hidden: vec![0; lines.len()],
            columns: lines.first().map(|root| width(root, 0)).into_iter().collect(),
        };
        let mut count = 1;
        for at in order.into_iter().filter(|&at| !arguments[at].is_empty()) {
            if !layout.is_shown[at] {
                continue;
            }
            let fits = tree.nodes[lines[at].at].needed && count + arguments[at].len() <= MOST;
            if fits && layout.open(&arguments[at], lines) {
                count += arguments[at].len();
            } else {
                layout.close(at, lines);
            }
        }
        layout
    }

    /// Shows the arguments of a function, unless the drawing becomes too wide.
    fn open(&mut self, arguments: &[usize], lines: &[TreeLine]) -> bool {
        let depth = lines[arguments[0]].depth;
        let widest = arguments.iter().map(|&at| width(&lines[at], 0)).fold(0.0, f64::max);
        let column = self.columns.get(depth).copied().unwrap_or(0.0).max(widest);
        let others: f64 = self.columns.iter().enumerate().filter(|(at, _)| *at != depth).map(|(_, one)| one).sum();
        if others + column > MOST_WIDTH {
            return false;
        }
        self.columns.resize(self.columns.len().max(depth + 1), 0.0);
        self.columns[depth] = column;
        arguments.iter().for_each(|&at| self.is_shown[at] = true);
        true
    }

    /// Writes the number of its hidden nodes behind a function.
    fn close(&mut self, at: usize, lines: &[TreeLine]) {
        let line = &lines[at];
        self.hidden[at] = line.end - line.at - 1;
        let column = &mut self.columns[line.depth];
        *column = column.max(width(line, self.hidden[at]));
    }

    /// Returns the y of each line, in rows: nodes without drawn arguments have one each, functions are in the middle of their arguments.
    fn rows(&self, lines: &[TreeLine]) -> (Vec<f64>, usize) {
        let mut ends = vec![None; lines.len()];
        let mut count = 0;
        let is_open = |at: usize| {
            self.is_shown.get(at + 1) == Some(&true)
                && lines.get(at + 1).is_some_and(|next| next.depth > lines[at].depth)
        };
        for at in (0..lines.len()).filter(|&at| self.is_shown[at] && !is_open(at)) {
            ends[at] = Some((count as f64, count as f64));
            count += 1;
        }
        // Arguments come behind their function.
        for at in (1..lines.len()).rev() {
            let Some((first, last)) = ends[at] else { continue };
            let middle = (first + last) / 2.0;
            let (low, high) = ends[self.above[at]].unwrap_or((middle, middle));
            ends[self.above[at]] = Some((middle.min(low), middle.max(high)));
        }
        (ends.into_iter().map(|ends| ends.map_or(0.0, |(first, last)| (first + last) / 2.0)).collect(), count)
    }

    fn svg(&self, tree: &ValuedTree, lines: &[TreeLine]) -> String {
        let (rows, count) = self.rows(lines);
        let left = |depth: usize| MARGIN + self.columns[..depth].iter().sum::<f64>();
        let y = |at: usize| MARGIN + ROW * (rows[at] + 0.5);
        let wide = left(self.columns.len()) - GAP + MARGIN;
        let high = 2.0 * MARGIN + ROW * count as f64;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" viewBox=\"0 0 {wide:.0} {high:.0}\" \
             font-family=\"monospace\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        let shown = lines.iter().enumerate().filter(|(at, _)| self.is_shown[*at]);
        for (at, line) in shown {
            let x = left(line.depth);
            let needed = tree.nodes[line.at].needed;
            if at > 0 {
                let function = &lines[self.above[at]];
                let from = left(function.depth) + letters(function, self.hidden[self.above[at]]) + 6.0;
                let start = y(self.above[at]);
                let end = y(at);
                let middle = x - GAP / 2.0;
                _ = writeln!(
                    svg,
                    "<path d=\"M{from:.1} {start:.1}H{:.1}C{middle:.1} {start:.1} {middle:.1} {end:.1} {:.1} {end:.1}\" fill=\"none\" \
                     stroke=\"{}\"/>",
                    x - GAP + 4.0,
                    x - 5.0,
                    if needed { "#888" } else { "#ccc" }
                );
            }
            let more = match self.hidden[at] {
                0 => String::new(),
                hidden => format!("<tspan fill=\"#d55e00\"> … {hidden} more</tspan>"),
            };
            _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.1}\" fill=\"{}\"><tspan fill=\"#0072b2\">{}</tspan>{}{more}</text>",
                y(at) + 4.0,
                if needed { "black" } else { "#999" },
                line.part,
                escaped(&line.text)
            );
        }
        svg + "</svg>\n"
    }
}

/// Returns the width of the column that a line needs.
fn width(line: &TreeLine, hidden: usize) -> f64 {
    letters(line, hidden) + GAP
}

/// Returns the width of a line's text.
fn letters(line: &TreeLine, hidden: usize) -> f64 {
    let more = if hidden > 0 { format!(" … {hidden} more").chars().count() } else { 0 };
    LETTER * (line.part.chars().count() + line.text.chars().count() + more) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{KindOf as _, by_command};

    fn tree(preset: &str, text: &str) -> ValuedTree {
        let settings = by_command("evolve").and_then(|kind| kind.preset(preset)).unwrap();
        settings.problem().unwrap().program_in(text).unwrap().valued(None).trees.remove(0)
    }

    /// A text and its place.
    type Placed = (f64, f64, String);

    /// The texts of a drawing with their places, and its size.
    fn texts(svg: &str) -> (Vec<Placed>, (f64, f64)) {
        let number = |part: &str, key: &str| -> f64 {
            part.split_once(&format!("{key}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
        };
        let plain = |part: &str| {
            let inside = part.split_once('>').unwrap().1.split_once("</text>").unwrap().0;
            let pieces = inside.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text));
            pieces.collect::<String>().replace("&lt;", "<")
        };
        let all = svg.split("<text ").skip(1).map(|part| (number(part, "x"), number(part, "y"), plain(part)));
        (all.collect(), (number(svg, "width"), number(svg, "height")))
    }

    #[test]
    fn arguments_are_named_and_redundant_ones_hidden() {
        let tree = tree("mancala-gp-1", "(if< (@ 0) 2 (+ (@ 3) 4) (if< 1 2 (@ 5) (- (@ 6) (@ 2))))");
        let TreeDrawing { svg, hidden } = draw(&tree);
        let (texts, _) = texts(&svg);
        let mut named: Vec<&str> = texts.iter().map(|(.., text)| text.as_str()).collect();
        named.sort_unstable();
        let expected = [
            "4",
            "condition: 1",
            "condition: value_at 0",
            "else: if",
            "else: sub … 4 more",
            "if",
            "less than: 2",
            "less than: 2",
            "then: add",
            "then: value_at 5",
            "value_at 3",
        ];
        assert_eq!((named.as_slice(), hidden), (&expected[..], 4), "{svg}");
        let leaf = draw(&self::tree("mancala-gp-1", "13"));
        assert!(leaf.hidden == 0 && leaf.svg.contains(">13</text>") && !leaf.svg.contains("NaN"), "{}", leaf.svg);
    }

    #[test]
    fn any_tree_fits_and_every_node_is_drawn_or_counted() {
        for number in 0..60 {
            let program = crate::program::kalah::random_program(9, number).to_notation();
            let tree = tree("mancala-gp-1", &program);
            let TreeDrawing { svg, hidden } = draw(&tree);
            let (texts, (wide, high)) = texts(&svg);
            let joined = texts.iter().filter(|(.., text)| text.contains("value_at ") && !text.contains('…')).count();
            assert_eq!(texts.len() + joined + hidden, tree.nodes.len(), "{program}");
            assert!(texts.len() <= MOST && svg.matches("<path").count() == texts.len() - 1, "{program}");
            let fits = |(x, y, text): &Placed| {
                (MARGIN..=high).contains(y) && x + LETTER * text.chars().count() as f64 <= wide + 1.0
            };
            assert!(texts.iter().all(fits) && wide <= MOST_WIDTH + 200.0, "{program}");
            for (at, (x, y, text)) in texts.iter().enumerate() {
                let meets = |(left, other, _): &&Placed| {
                    other == y && *left >= *x && *left < x + LETTER * text.chars().count() as f64
                };
                assert_eq!(texts[at + 1..].iter().find(meets), None, "{text} in {program}");
            }
        }
    }
}
