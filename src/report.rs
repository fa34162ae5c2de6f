//! Documents of text, tables and figures, as one HTML file without references and as Markdown with its figures beside it.

mod tree;

use std::path::Path;

use mancalab_base::{Error, bail};

use crate::files::{self, Kind};
use crate::grid::{Grid, markdown};
use crate::reproduce::plot::{Plot, escaped};
use crate::sanitize;

pub(crate) use tree::draw as draw_tree;

/// The mark by which a report of this program is known.
pub(crate) const MARK: &str = "<meta name=\"generator\" content=\"mancalab\">";

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

#[cfg(test)]
mod tests {
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
}
