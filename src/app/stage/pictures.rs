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

/// A frame of a moving picture: the screen, what is explained below it, and for how many seconds it is shown.
pub struct Frame {
    pub buffer: Buffer,
    pub caption: &'static str,
    pub seconds: f32,
}

/// The size of a cell of the screen in a picture.
const CELL: (u16, u16) = (9, 19);

/// Renders the screen as SVG, for the README. `text` describes it for those who do not see it.
pub fn svg(buffer: &Buffer, text: &str) -> String {
    let rows: String = (0..buffer.area.height).map(|y| row(buffer, y)).collect();
    document(buffer, 0, text, &rows)
}

/// Renders frames as an SVG that shows them one after the other, again and again. Where pictures do not move, the first one is shown.
pub fn moving(frames: &[Frame], text: &str) -> String {
    let whole: f32 = frames.iter().map(|frame| frame.seconds).sum();
    let starts: Vec<f32> = frames
        .iter()
        .scan(0.0, |end, frame| {
            *end += frame.seconds;
            Some(*end - frame.seconds)
        })
        .collect();
    let place = |frame: usize| starts.get(frame).map_or(1.0, |start| start / whole);
    let height = frames[0].buffer.area.height;
    let mut body = String::new();
    for y in 0..=height {
        let rows: Vec<String> =
            frames.iter().map(|frame| if y < height { row(&frame.buffer, y) } else { below(frame, y) }).collect();
        let mut begin = 0;
        // A row is drawn once for all frames in which it stays the same.
        while begin < rows.len() {
            let end = (begin..rows.len()).find(|&at| rows[at] != rows[begin]).unwrap_or(rows.len());
            body += &shown(&rows[begin], [place(begin), place(end)], whole);
            begin = end;
        }
    }
    document(&frames[0].buffer, 1, text, &body)
}

/// Returns a part that is shown during this share of the whole time.
fn shown(part: &str, [begin, end]: [f32; 2], seconds: f32) -> String {
    let (times, values) = match (begin > 0.0, end < 1.0) {
        (false, false) => return part.to_owned(),
        (false, true) => (format!("0;{end:.4}"), "visible;hidden"),
        (true, false) => (format!("0;{begin:.4}"), "hidden;visible"),
        (true, true) => (format!("0;{begin:.4};{end:.4}"), "hidden;visible;hidden"),
    };
    let first = if begin > 0.0 { "hidden" } else { "visible" };
    format!(
        "<g visibility=\"{first}\"><animate attributeName=\"visibility\" dur=\"{seconds}s\" repeatCount=\"indefinite\" calcMode=\"discrete\" \
         keyTimes=\"{times}\" values=\"{values}\"/>\n{part}</g>\n"
    )
}

/// The explanation below a frame.
fn below(frame: &Frame, y: u16) -> String {
    let y = 10 + y * CELL.1;
    let caption = frame.caption.replace('>', "&gt;");
    format!("<text x=\"10\" y=\"{}\" fill=\"#d4d4d4\" font-weight=\"bold\">{caption}</text>\n", y + 17)
}

fn document(buffer: &Buffer, more_rows: u16, text: &str, body: &str) -> String {
    let width = buffer.area.width * CELL.0 + 20;
    let height = (buffer.area.height + more_rows) * CELL.1 + 20;
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<svg shape-rendering=\"crispEdges\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, Menlo, Consolas, \
         'DejaVu Sans Mono', monospace\" font-size=\"15\">\n<desc>\n{text}</desc>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#121212\"/>\n{body}</svg>\n"
    )
}

/// Draws a row. Letters beside each other that look alike are one text, as lines are; other characters stand alone, since fonts may have
/// other widths for them.
fn row(buffer: &Buffer, y: u16) -> String {
    let look = |x: u16| {
        let cell = &buffer[(x, y)];
        let other = Some(cell.symbol()).filter(|symbol| !symbol.is_ascii());
        (cell.bg, cell.fg, cell.modifier, other)
    };
    let is_blank = |x: u16| x >= buffer.area.width || buffer[(x, y)].symbol() == " ";
    let mut svg = String::new();
    let mut x = 0;
    while x < buffer.area.width {
        let symbol = buffer[(x, y)].symbol();
        let is_alone = !symbol.is_ascii() && !matches!(symbol, "─" | "█" | "▀" | "▄" | "▆");
        // Two blanks are between columns, which stay where they are.
        let begins_column = |end: u16| !is_blank(end) && is_blank(end - 1) && (end == x + 1 || is_blank(end - 2));
        let is_end = |end: u16| is_alone || look(end) != look(x) || begins_column(end);
        let end = (x + 1..buffer.area.width).find(|&end| is_end(end)).unwrap_or(buffer.area.width);
        svg += &cells(buffer, x..end, y);
        x = end;
    }
    svg
}

/// Returns the part of a cell that a block character fills, as its top and height: fonts leave gaps between them.
fn block(symbol: &str) -> Option<(u16, u16)> {
    let high = CELL.1;
    match symbol {
        "█" => Some((0, high)),
        "▀" => Some((0, high / 2)),
        "▄" => Some((high / 2, high - high / 2)),
        "▆" => Some((high / 4, high - high / 4)),
        _ => None,
    }
}

/// Draws cells of one look.
fn cells(buffer: &Buffer, xs: std::ops::Range<u16>, y: u16) -> String {
    let hex = |color: Color, plain: &str| match color {
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        _ => plain.to_owned(),
    };
    let cell = &buffer[(xs.start, y)];
    let symbols: String = xs.clone().map(|x| buffer[(x, y)].symbol()).collect();
    let left = 10 + xs.start * CELL.0;
    let top = 10 + y * CELL.1;
    let wide = CELL.0 * (xs.end - xs.start);
    let mut svg = String::new();
    if cell.bg != Color::Reset {
        let ground = hex(cell.bg, "#121212");
        svg += &format!("<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{}\" fill=\"{ground}\"/>\n", CELL.1);
    }
    let fill = hex(cell.fg, "#d4d4d4");
    if let Some((from, high)) = block(cell.symbol()) {
        return svg
            + &format!(
                "<rect x=\"{left}\" y=\"{}\" width=\"{wide}\" height=\"{high}\" fill=\"{fill}\"/>\n",
                top + from
            );
    }
    let blanks = symbols.chars().take_while(|c| *c == ' ').count() as u16;
    let text = symbols.trim();
    if text.is_empty() {
        return svg;
    }
    let weight = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let line = if cell.modifier.contains(Modifier::UNDERLINED) { " text-decoration=\"underline\"" } else { "" };
    let left = left + CELL.0 * blanks;
    let wide = usize::from(CELL.0) * text.chars().count();
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    svg + &format!(
        "<text x=\"{left}\" y=\"{}\" textLength=\"{wide}\" fill=\"{fill}\"{weight}{line}>{text}</text>\n",
        top + 15
    )
}
