//! Whole screens as text, styles and SVG, without what depends on the machine.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use super::{SIZES, Stage};

impl Stage {
    /// Returns the characters on screen; machine-dependent figures are masked.
    pub fn screen(&mut self, width: u16, height: u16) -> String {
        rows(&self.buffer(width, height)).map(|row| row + "\n").collect()
    }

    /// Returns the characters of the topmost dialog on a screen of this size.
    pub fn dialog_on(&mut self, width: u16, height: u16) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        let dialog = self.app.layers.last_mut().expect("a dialog");
        dialog.overlay.draw(buffer.area, &mut buffer, &self.app.appearance.look);
        let rows: Vec<String> = rows(&buffer).filter(|row| !row.is_empty()).collect();
        let left = rows.iter().map(|row| row.len() - row.trim_start().len()).min().unwrap_or(0);
        rows.iter().map(|row| row[left..].to_owned() + "\n").collect()
    }

    /// Returns the screen without tab bar and footer.
    pub fn body(&mut self, width: u16, height: u16) -> String {
        let screen = self.screen(width, height);
        let rows = screen.lines().skip(1).take(usize::from(height) - 2);
        rows.map(|row| row.to_owned() + "\n").collect()
    }

    pub fn shows(&mut self, text: &str) -> bool {
        self.screen(120, 40).contains(text)
    }

    /// Returns the screens in all [`SIZES`].
    pub fn screens(&mut self) -> String {
        SIZES.map(|(width, height)| format!("{width}x{height}\n{}", self.screen(width, height))).join("\n")
    }

    /// Returns the pages in all [`SIZES`], without tab bar and footer.
    pub fn pages(&mut self) -> String {
        SIZES.map(|(width, height)| format!("{width}x{height}\n{}", self.body(width, height))).join("\n")
    }

    /// Returns the topmost dialog in all [`SIZES`], without the page below.
    pub fn dialogs(&mut self) -> String {
        SIZES.map(|(width, height)| format!("{width}x{height}\n{}", self.dialog_on(width, height))).join("\n")
    }

    /// Returns the styles on an 80×24 screen: each row's runs of one style, as `column-column style "text"`. A row ends at a
    /// machine-dependent figure and has no columns, because they depend on the machine too: titles may be at the right.
    pub fn styles(&mut self) -> String {
        self.styles_of(0..24)
    }

    /// Returns the styles of these rows.
    pub fn styles_of(&mut self, rows: std::ops::Range<u16>) -> String {
        let buffer = self.buffer(80, 24);
        let mut text = String::new();
        for y in rows {
            let row: String = (0..80).map(|x| buffer[(x, y)].symbol()).collect();
            let is_measured = blot(row.trim_end()) != row.trim_end();
            let columns = |x: u16, end: u16| {
                if is_measured { " ".repeat(5) } else { format!("{x:>2}-{:<2}", end - 1) }
            };
            let mut x = 0;
            while x < 80 {
                let style = describe(&buffer, x, y);
                let end = (x..80).find(|&end| describe(&buffer, end, y) != style).unwrap_or(80);
                let symbols: String = (x..end).map(|x| buffer[(x, y)].symbol()).collect();
                let shown = blot(symbols.trim_end());
                // So does the line before such a title.
                let symbols = if is_measured { symbols.trim_end_matches(['─', '-']).to_owned() } else { symbols };
                let shown = if is_measured { shown.trim_end_matches(['─', '-']).to_owned() } else { shown };
                if shown != symbols.trim_end() {
                    text += &format!("{y:>2} {} {style} {shown:?}\n", columns(x, end));
                    break;
                }
                if style != "plain" && !symbols.trim().is_empty() {
                    text += &format!("{y:>2} {} {style} {shown:?}\n", columns(x, end));
                }
                x = end;
            }
        }
        text
    }
}

/// Returns the rows of a screen; machine-dependent figures are masked.
fn rows(buffer: &Buffer) -> impl Iterator<Item = String> {
    let symbols = |y: u16| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..buffer.area.height).map(move |y| blot(symbols(y).trim_end()))
}

fn describe(buffer: &Buffer, x: u16, y: u16) -> String {
    let cell = &buffer[(x, y)];
    let mut words = Vec::new();
    if cell.fg != Color::Reset {
        words.push(cell.fg.to_string());
    }
    if cell.bg != Color::Reset {
        words.push(format!("on {}", cell.bg));
    }
    words.extend(
        Modifier::all().iter_names().filter(|&(_, m)| cell.modifier.contains(m)).map(|(name, _)| name.to_lowercase()),
    );
    if words.is_empty() { "plain".to_owned() } else { words.join(" ") }
}

/// Replaces measured times by `T`, and the number before `/s` by `N`s.
pub(super) fn blot(row: &str) -> String {
    let row = [" µs", " ms"].iter().fold(without_cut_speeds(row), |row, unit| without_times(&row, unit));
    let row = without_spent(&row);
    let Some(end) = row.find("/s") else { return row };
    let word = |end: usize| row[..end].trim_end().rfind(' ').map_or(0, |at| at + 1);
    // The number may precede its unit, as in `1266 evals/s`.
    let start = if row[word(end)..end].bytes().any(|b| b.is_ascii_digit()) { word(end) } else { word(word(end)) };
    // The frame pads the text after the speed: its width is normalized.
    let rest = row[end..].trim_start_matches("/s");
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let (dots, tail) = rest.split_at(rest.find(|c| c != '─').unwrap_or(rest.len()));
    if dots.is_empty() {
        // Likewise if blanks follow up to the frame.
        let behind = &row[end + 2..];
        let tail = behind.trim_start_matches(' ');
        let blanks = behind.len() - tail.len() + if tail.starts_with(['│', '|']) { end - start - 1 } else { 0 };
        let before = match tail.starts_with(['╯', '┤', '┴', '+']) {
            true => with_line(&row[..start], end - start - 1),
            false => row[..start].to_owned(),
        };
        return format!("{before}N/s{}{tail}", " ".repeat(blanks));
    }
    let cells = dots.chars().count() + (end - start);
    format!("{}N/s {}{tail}", &row[..start], "─".repeat(cells - 1))
}

/// Lengthens the line before a title at the right end of a frame.
fn with_line(row: &str, cells: usize) -> String {
    let line = ["──", "--"].into_iter().filter_map(|line| Some((row.rfind(line)?, line))).max();
    let Some((at, line)) = line else { return row.to_owned() };
    format!("{}{}{}", &row[..at], line[..line.len() / 2].repeat(cells), &row[at..])
}

/// Completes a truncated speed after a node count: how much of it remains depends on its digits.
fn without_cut_speeds(row: &str) -> String {
    let Some(end) = row.find('…') else { return row.to_owned() };
    let start = row[..end].rfind("· ").map_or(end, |dot| dot + "· ".len());
    let is_speed = row[..start].contains("nodes")
        && !row[start..end].is_empty()
        && row[start..end].chars().all(|c| "0123456789.kMG/".contains(c));
    if is_speed { format!("{}1/s{}", &row[..start], &row[end + '…'.len_utf8()..]) } else { row.to_owned() }
}

/// Replaces the time spent by a run by `T`; in a cut line, everything after `took`.
fn without_spent(row: &str) -> String {
    let Some((before, after)) = row.split_once("  took") else { return row.to_owned() };
    let clock = |c: char| c == ':' || c == '.' || c.is_ascii_digit();
    let after = after.trim_start_matches([' ', '<']);
    // A column head is not a time.
    if after.starts_with(|c: char| c != '…' && !clock(c)) {
        return row.to_owned();
    }
    let rest = after.trim_start_matches(clock).trim_end_matches('…');
    let rest = rest.strip_prefix(" s").unwrap_or(rest);
    format!("{before}  took T{rest}")
}

/// Replaces the numbers before a unit, with their alignment blanks, by a `T` of the same width.
fn without_times(row: &str, unit: &str) -> String {
    let mut parts: Vec<String> = row.split(unit).map(str::to_owned).collect();
    let last = parts.len() - 1;
    for part in &mut parts[..last] {
        let kept = part.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end_matches(' ').len();
        let cells = part.len() - kept;
        part.truncate(kept);
        part.push_str(&format!("{:>cells$}", "T"));
    }
    // The unit depends on the machine, too; ASCII screens write it in ASCII.
    parts.join(if row.is_ascii() { " ms" } else { " µs" })
}

/// Renders the screen as SVG, for the README.
pub fn svg(buffer: &Buffer) -> String {
    let cell = 9;
    let line = 19;
    let area = buffer.area;
    let width = area.width * cell + 20;
    let height = area.height * line + 20;
    let mut svg = format!(
        "<svg shape-rendering=\"crispEdges\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, Menlo, Consolas, \
         'DejaVu Sans Mono', monospace\" font-size=\"15\">\n<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#121212\"/>\n"
    );
    for y in 0..area.height {
        for x in 0..area.width {
            svg += &picture(&buffer[(x, y)], 10 + x * cell, 10 + y * line, (cell, line));
        }
    }
    svg + "</svg>\n"
}

fn picture(cell: &ratatui::buffer::Cell, x: u16, y: u16, (wide, high): (u16, u16)) -> String {
    let hex = |color: Color, plain: &str| match color {
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        _ => plain.to_owned(),
    };
    let fill = hex(cell.fg, "#d4d4d4");
    let mut svg = String::new();
    if cell.bg != Color::Reset {
        svg += &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill=\"{}\"/>\n",
            hex(cell.bg, "#121212")
        );
    }
    // Block characters become rectangles: fonts leave gaps between them.
    let block = match cell.symbol() {
        " " => return svg,
        "█" => Some((0, high)),
        "▀" => Some((0, high / 2)),
        "▄" => Some((high / 2, high - high / 2)),
        "▆" => Some((high / 4, high - high / 4)),
        _ => None,
    };
    if let Some((top, high)) = block {
        return svg
            + &format!("<rect x=\"{x}\" y=\"{}\" width=\"{wide}\" height=\"{high}\" fill=\"{fill}\"/>\n", y + top);
    }
    let weight = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let line = if cell.modifier.contains(Modifier::UNDERLINED) { " text-decoration=\"underline\"" } else { "" };
    let text = cell.symbol().replace('&', "&amp;").replace('<', "&lt;");
    svg + &format!("<text x=\"{x}\" y=\"{}\" fill=\"{fill}\"{weight}{line}>{text}</text>\n", y + 15)
}
