//! Documents of text, tables and figures, as one HTML file without references and as Markdown with its figures beside it.
//!
//! A program's tree as SVG: the root on the left, arguments to the right of their function in their order from top to bottom. Large
//! trees are drawn level by level as far as they fit; a node with hidden arguments has their number.

use std::fmt::Write as _;
use std::path::Path;

use mancalab_base::{Error, bail};

use super::evolve::inspect::{TreeLine, ValuedTree};
use super::files::{self, Kind};
use super::grid::{Grid, markdown};
use super::reproduce::plot::{Plot, escaped};
use super::sanitize;

/// The mark by which a report of this program is known.
const MARK: &str = "<meta name=\"generator\" content=\"mancalab\">";

/// A document: its title and what follows in order.
pub(crate) struct Report {
    pub title: String,
    pub blocks: Vec<Block>,
}

pub(crate) enum Block {
    Heading(String),
    Text(String),
    Table(Grid),
    /// Text in a fixed pitch, with its line ends.
    Code(String),
    Figure(Figure),
}

/// An image and the text that stands for it.
#[derive(Clone)]
pub(crate) struct Figure {
    pub title: String,
    pub svg: String,
}

impl From<&Plot> for Figure {
    fn from(plot: &Plot) -> Figure {
        Figure { title: plot.title.clone(), svg: plot.svg() }
    }
}

/// The look of the HTML document, on light and dark screens and on paper.
const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
.table { overflow-x: auto; margin: 1.2rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid #8884; white-space: nowrap; }
td:last-child:not(.n) { white-space: normal; min-width: 12rem; }
th.n, td.n { text-align: right; }
pre { background: #8881; padding: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
svg, img { max-width: 100%; height: auto; background: white; border: 1px solid #8884; }
";

/// The name of the HTML document.
pub(crate) const PAGE: &str = "report.html";

/// Checks that files of these names may be written: they do not exist, or the folder holds a report of this program.
///
/// # Errors
/// A file exists that is not of an earlier report.
pub(crate) fn refuse_others<'a>(folder: &Path, names: impl IntoIterator<Item = &'a str>) -> Result<(), Error> {
    let page = files::read_text(&folder.join(PAGE), Kind::Watched).unwrap_or_default();
    if page.contains(MARK) {
        return Ok(());
    }
    match names.into_iter().map(|name| folder.join(name)).find(|path| path.exists()) {
        Some(path) => {
            bail!("{} exists and is not of a report of mancalab; choose another folder", sanitize::path(&path))
        }
        None => Ok(()),
    }
}

impl Report {
    /// Returns the document as HTML.
    pub fn html(&self) -> String {
        let title = escaped(&sanitize::inline(&self.title));
        let body: String = self.blocks.iter().map(Block::html).collect();
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{MARK}\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
             <body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
        )
    }

    /// Returns the document as Markdown, and its figures: names of files and their contents.
    pub fn markdown(&self) -> (String, Vec<(String, String)>) {
        let mut text = format!("# {}\n", markdown(&self.title));
        let mut figures = Vec::new();
        for block in &self.blocks {
            text += "\n";
            text += &match block {
                Block::Heading(heading) => format!("## {}\n", markdown(heading)),
                Block::Text(paragraph) => paragraph.lines().map(|line| markdown(line) + "\n").collect(),
                Block::Table(grid) => grid.markdown(),
                Block::Code(code) => indented(code),
                Block::Figure(Figure { title, svg }) => {
                    let name = format!("figure-{}.svg", figures.len() + 1);
                    figures.push((name.clone(), svg.clone()));
                    format!("![{}]({name})\n", markdown(title))
                }
            };
        }
        (text, figures)
    }
}

/// A block of code in Markdown, which no text in it can end.
fn indented(code: &str) -> String {
    sanitize::multiline(code).lines().map(|line| format!("    {line}\n")).collect()
}

impl Block {
    fn html(&self) -> String {
        match self {
            Block::Heading(text) => format!("<h2>{}</h2>\n", escaped(&sanitize::inline(text))),
            Block::Text(text) => format!("<p>{}</p>\n", escaped(&sanitize::multiline(text))),
            Block::Table(grid) => table(grid),
            Block::Code(text) => format!("<pre>{}</pre>\n", escaped(&sanitize::multiline(text))),
            Block::Figure(figure) => format!("<figure>{}</figure>\n", figure.svg),
        }
    }
}

fn table(grid: &Grid) -> String {
    let cell = |tag: &str, (column, text): (usize, &String)| {
        let class = if grid.numbers.contains(&column) { " class=\"n\"" } else { "" };
        format!("<{tag}{class}>{}</{tag}>", escaped(&sanitize::inline(text)))
    };
    let row = |(index, row): (usize, &Vec<String>)| {
        let tag = if index == 0 { "th" } else { "td" };
        let cells: String = row.iter().enumerate().map(|place| cell(tag, place)).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = grid.rows.iter().enumerate().map(row).collect();
    format!("<div class=\"table\"><table>\n{rows}</table></div>\n")
}

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
pub(crate) fn draw_tree(tree: &ValuedTree) -> TreeDrawing {
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
        super::sort::sort_by_key(&mut order, |&at| lines[at].depth);
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
            let fits = tree.nodes[lines[at].node].needed && count + arguments[at].len() <= MOST;
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
        self.hidden[at] = line.end - line.node - 1;
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
            let needed = tree.nodes[line.node].needed;
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
    use super::super::kinds::{KindOf as _, by_command};
    use super::*;

    #[test]
    fn a_report_is_one_page_and_markup_in_texts_is_text() {
        let rows = vec![vec!["a<b".to_owned(), "n".to_owned()], vec!["x|y".to_owned(), "7".to_owned()]];
        let report = Report {
            title: "T & <script>".to_owned(),
            blocks: vec![
                Block::Heading("Results".to_owned()),
                Block::Table(Grid { rows, numbers: vec![1], ..Grid::default() }),
                Block::Code("```\n</pre>".to_owned()),
                Block::Figure((&Plot::new("F", "x", "y", Vec::new())).into()),
            ],
        };
        let html = report.html();
        assert!(html.contains("<h1>T &amp; &lt;script&gt;</h1>") && html.contains("<th>a&lt;b</th>"), "{html}");
        assert!(html.contains("<td class=\"n\">7</td>") && html.contains("&lt;/pre&gt;") && html.contains("<svg"));
        assert!(!html.contains("src=") && !html.contains("href="), "no reference");
        let (text, figures) = report.markdown();
        assert!(
            text.contains("| x\\|y | 7 |") && text.contains("    ```\n") && text.contains("(figure-1.svg)"),
            "{text}"
        );
        assert!(text.starts_with("# T \\& \\<script\\>\n"), "{text}");
        assert_eq!(figures.len(), 1);
    }

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
        let TreeDrawing { svg, hidden } = draw_tree(&tree);
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
        let leaf = draw_tree(&self::tree("mancala-gp-1", "13"));
        assert!(leaf.hidden == 0 && leaf.svg.contains(">13</text>") && !leaf.svg.contains("NaN"), "{}", leaf.svg);
    }

    #[test]
    fn any_tree_fits_and_every_node_is_drawn_or_counted() {
        for number in 0..60 {
            let program = super::super::program::kalah::random_program(9, number).to_notation();
            let tree = tree("mancala-gp-1", &program);
            let TreeDrawing { svg, hidden } = draw_tree(&tree);
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
