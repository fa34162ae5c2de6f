//! The book: every page is in its summary, and every relative link of a page leads to a file and, if it names one, to a heading.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the pages in a folder and in those inside it.
fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| path.is_dir());
    let pages = files.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "md"));
    pages.chain(folders.iter().flat_map(|folder| pages_in(folder))).collect()
}

/// Returns a path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

/// Returns the lines of a page that are text: outside of blocks of code, fenced or indented. Items of lists may be indented as far.
fn text_lines(page: &str) -> Vec<String> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && (!line.starts_with("    ") || line.trim_start().starts_with("- [")) {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// Returns the targets of links and pictures, which may go over the end of a line.
fn links(page: &str) -> Vec<String> {
    let text = text_lines(page).join("\n");
    // Code between backticks holds no links; its ends are on one line.
    let outside = |line: &str| line.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let text: Vec<String> = text.lines().map(outside).collect();
    let text = text.join("\n");
    let rests = text.split("](").skip(1).map(|rest| rest.split([')', ' ', '\n']).next().unwrap().to_owned());
    rests.collect()
}

/// Returns the name by which GitHub and mdbook link to a heading.
fn anchor(heading: &str) -> String {
    let mut anchor = String::new();
    for letter in heading.trim().to_lowercase().chars() {
        match letter {
            ' ' => anchor.push('-'),
            _ if letter.is_alphanumeric() || "-_".contains(letter) => anchor.push(letter),
            _ => {}
        }
    }
    anchor
}

/// Returns the names of a page's headings; the second of the same name ends with `-1`, and so on.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in text_lines(page) {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let Some(heading) = line[level..].strip_prefix(' ').filter(|_| level > 0) else { continue };
        let name = anchor(heading);
        let names = std::iter::once(name.clone()).chain((1..).map(|number| format!("{name}-{number}")));
        let free = names.into_iter().find(|name| !anchors.contains(name)).unwrap();
        anchors.insert(free);
    }
    anchors
}

/// Returns what is wrong with a link of a page; the book's pages must not lead out of `docs`.
fn fault(page: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let path = if file.is_empty() { page.to_owned() } else { plain(&page.parent().unwrap().join(file)) };
    let docs = root().join("docs");
    let shown = page.strip_prefix(root()).unwrap().display();
    if page.starts_with(&docs) && !path.starts_with(&docs) {
        return Some(format!("{shown}: {link} leads out of the book"));
    }
    if !path.exists() {
        return Some(format!("{shown}: no file {link}"));
    }
    let is_there = heading.is_empty() || anchors(&fs::read_to_string(&path).unwrap()).contains(heading);
    (!is_there).then(|| format!("{shown}: {link} names no heading"))
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut pages = pages_in(&root().join("docs"));
    let names = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
    pages.extend(names.map(|name| root().join(name)));
    let mut links_in_all = 0;
    let mut faults = Vec::new();
    for page in pages {
        let links = links(&fs::read_to_string(&page).unwrap());
        links_in_all += links.len();
        faults.extend(links.iter().filter_map(|link| fault(&page, link)));
    }
    assert!(links_in_all > 200, "{links_in_all}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_page_is_in_the_summary_once() {
    let docs = root().join("docs");
    let summary = docs.join("SUMMARY.md");
    let mut listed: Vec<PathBuf> =
        links(&fs::read_to_string(&summary).unwrap()).iter().map(|link| docs.join(link)).collect();
    let mut pages = pages_in(&docs);
    pages.retain(|page| *page != summary);
    pages.sort();
    listed.sort();
    assert_eq!(listed, pages);
}

#[test]
fn links_and_headings_are_found_as_they_are_written() {
    let page = "# A `b:C`, d\n\n[x](a.md#y) `[no](z)` [two\nlines](b.md) ![p](c.svg)\n    - [deep](d.md)\n\n    # no\n\n## E\n\n## E\n";
    assert_eq!(links(page), ["a.md#y", "b.md", "c.svg", "d.md"]);
    assert_eq!(anchors(page).into_iter().collect::<Vec<_>>(), ["a-bc-d", "e", "e-1"]);
}

/// Returns the cells of the rows of a page's tables.
fn rows(page: &str) -> Vec<Vec<String>> {
    let cells = |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    page.lines().filter(|line| line.starts_with('|')).map(cells).collect()
}

/// The README has the ratings and matches of the page on strength, in fewer columns.
#[test]
fn the_readme_has_the_numbers_of_strength() {
    let [readme, strength] =
        ["README.md", "docs/strength.md"].map(|page| fs::read_to_string(root().join(page)).unwrap());
    let known = rows(&strength);
    let readme = readme.split("## Opponents").nth(1).unwrap().split("\n## ").next().unwrap();
    let begins = |player: &str, value: &str| {
        let is_its = |cell: &str| cell == player || cell.starts_with(&format!("{player}, "));
        known.iter().any(|row| is_its(&row[0]) && row[1..].iter().any(|cell| cell.starts_with(value)))
    };
    let mut compared = 0;
    for row in rows(readme) {
        if row[0] == "Elo" {
            let levels = known.iter().find(|levels| levels[0] == "Kalah" && levels.len() == row.len()).unwrap();
            row[1..]
                .iter()
                .zip(&levels[1..])
                .for_each(|(elo, level)| assert!(level.ends_with(&format!(" {elo}")), "{level}"));
            compared += row.len() - 1;
        }
        for pair in row.chunks(3).filter(|pair| pair[0].starts_with('`')) {
            assert!(begins(&pair[0], &format!("{} ± ", pair[1])), "{pair:?}");
            compared += 1;
        }
        if let [_, ours, _, points] = &row[..]
            && let Some((player, time)) = ours.split_once(", ")
        {
            assert!(begins(player, points) && begins(player, time.trim_end_matches(" a move")), "{row:?}");
            compared += 1;
        }
    }
    // Five levels, ten players, nine matches.
    assert_eq!(compared, 24);
}
