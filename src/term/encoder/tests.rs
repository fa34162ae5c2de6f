use super::*;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style as CellStyle;

const SIZE: (u16, u16) = (40, 6);

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap().replace('\x1b', "^")
}

/// Encodes the change from a screen of blanks.
fn drawn(draw: impl FnOnce(&mut Buffer), repeats: bool) -> String {
    let before = Buffer::empty(Rect::new(0, 0, SIZE.0, SIZE.1));
    let mut after = before.clone();
    draw(&mut after);
    text(encode(before.diff(&after).into_iter(), repeats, None))
}

#[test]
fn only_what_differs_is_sent() {
    let red = CellStyle::new().fg(Color::Indexed(9));
    let blue = CellStyle::new().fg(Color::Rgb(1, 2, 3));
    let bold = CellStyle::new().add_modifier(Modifier::BOLD);
    let write = |buf: &mut Buffer| {
        buf.set_string(0, 0, "ab", red);
        buf.set_string(4, 0, "c", red.patch(bold));
        buf.set_string(6, 0, "d", bold.fg(Color::Reset));
        buf.set_string(2, 1, "e", blue);
        buf.set_string(3, 1, "f", CellStyle::new());
    };
    assert_eq!(drawn(write, false), "^[1;1H^[38;5;9mab^[2C^[1mc^[C^[39md^[2;3H^[0;38;2;1;2;3me^[mf");
}

#[test]
fn runs_are_repeated_where_the_terminal_does_so() {
    let line = |buf: &mut Buffer| buf.set_string(0, 0, "─".repeat(10) + "x", CellStyle::new());
    assert_eq!(drawn(|buf| line(buf), true), "^[1;1H─^[9bx");
    assert_eq!(drawn(|buf| line(buf), false), format!("^[1;1H{}x", "─".repeat(10)));
}

#[test]
fn blanks_are_erased_and_need_no_ink() {
    let area = Rect::new(0, 0, SIZE.0, SIZE.1);
    let mut before = Buffer::empty(area);
    before.set_string(0, 0, "x".repeat(20), CellStyle::new());
    let mut after = Buffer::empty(area);
    after.set_string(0, 0, "a", CellStyle::new().fg(Color::Indexed(9)));
    after.set_string(19, 0, "b", CellStyle::new().fg(Color::Indexed(9)));
    let bytes = encode(before.diff(&after).into_iter(), false, None);
    assert_eq!(text(bytes), "^[1;1H^[38;5;9ma^[18X^[18Cb^[m");
}

#[test]
fn pictures_are_sent_once_and_by_what_changed() {
    let area = Rect::new(0, 0, SIZE.0, SIZE.1);
    let disc = pictures::Motif::Disc { ink: (0, 0, 0), is_cut: false, crown: None, mark: None };
    for protocol in [Protocol::Kitty, Protocol::Sixel] {
        let pictures = Pictures::new(protocol, Some((4, 6)));
        let mut buf = Buffer::empty(area);
        pictures.place(disc.clone(), (9, 9, 9), Rect::new(2, 1, 3, 2), &mut buf);
        let bytes = text(encode(Buffer::empty(area).diff(&buf).into_iter(), false, Some(&pictures)));
        // A dialog covers the upper right of it, and closes.
        let mut covered = buf.clone();
        covered.set_string(4, 1, "x", CellStyle::new());
        let again = text(encode(covered.diff(&buf).into_iter(), false, Some(&pictures)));
        match protocol {
            Protocol::Kitty => {
                let rows = bytes.split("^\\").last().unwrap();
                let all = "\u{10eeee}";
                let [first, second] = ["\u{305}\u{305}", "\u{30d}\u{305}"].map(|row| format!("{all}{row}{all}{all}"));
                assert_eq!(rows, format!("^[2;3H^[38;5;1m{first}^[3;3H{second}^[m"));
                assert_eq!(again, "^[2;5H^[38;5;1m\u{10eeee}\u{305}\u{30e}^[m");
            }
            Protocol::Sixel => {
                assert!(bytes.starts_with("^[2;3H^P0;1q\"1;1;12;12#"), "{bytes}");
                assert!(again.starts_with("^[2;5H^P0;1q\"1;1;4;6#"), "{again}");
            }
        }
    }
}

fn style() -> impl Strategy<Value = CellStyle> {
    let color = prop_oneof![
        Just(Color::Reset),
        Just(Color::Red),
        Just(Color::White),
        (16..255_u8).prop_map(Color::Indexed),
        (0..9_u8).prop_map(|red| Color::Rgb(red, 20, 30)),
    ];
    let modifier = (0..16_u16).prop_map(|bits| {
        let all = [Modifier::BOLD, Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];
        let set = all.into_iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
        set.fold(Modifier::empty(), |all, (_, one)| all | one)
    });
    (color.clone(), color, modifier)
        .prop_map(|(fg, bg, modifier)| CellStyle::new().fg(fg).bg(bg).add_modifier(modifier))
}

/// Pieces of text on a screen: column, row, what, style.
fn screen() -> impl Strategy<Value = Buffer> {
    let what = prop_oneof!["[a-c]{1,4}", "─{1,30}", " {1,30}", "[日x]{1,5}"];
    let piece = (0..SIZE.0, 0..SIZE.1, what, style());
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| {
        let mut buf = Buffer::empty(Rect::new(0, 0, SIZE.0, SIZE.1));
        pieces.iter().for_each(|(x, y, text, style)| buf.set_string(*x, *y, text, *style));
        buf
    })
}

/// What is seen in the cells: of a blank neither its ink nor its weight.
fn seen(parser: &vt100::Parser) -> Vec<String> {
    let screen = parser.screen();
    let cell = |at: u16| screen.cell(at / SIZE.0, at % SIZE.0);
    let cells = (0..SIZE.0 * SIZE.1).filter_map(cell);
    let see = |cell: &vt100::Cell| {
        let symbol = if cell.contents().is_empty() { " " } else { cell.contents() };
        let shown = (symbol, cell.bgcolor(), cell.underline(), cell.inverse());
        let is_blank = symbol == " " && !cell.underline() && !cell.inverse();
        let ink = (!is_blank).then(|| (cell.fgcolor(), cell.bold(), cell.italic()));
        format!("{shown:?} {ink:?}")
    };
    cells.map(see).collect()
}

fn terminal() -> vt100::Parser {
    vt100::Parser::new(SIZE.1.try_into().unwrap(), SIZE.0.try_into().unwrap(), 0)
}

proptest! {
    /// A change of the screen shows the same as crossterm's bytes for it, and needs no more of them.
    #[test]
    fn every_change_shows_the_same(before in screen(), after in screen(), repeats: bool) {
        let empty = Buffer::empty(before.area);
        let mut ours = terminal();
        let mut theirs = terminal();
        for (from, to) in [(&empty, &before), (&before, &after)] {
            let mut written = Vec::new();
            CrosstermBackend::new(&mut written).draw(from.diff(to).into_iter()).unwrap();
            let bytes = encode(from.diff(to).into_iter(), repeats, None);
            ours.process(&bytes);
            theirs.process(&written);
            prop_assert!(bytes.len() <= written.len(), "{:?} {:?}", text(bytes), text(written));
        }
        prop_assert_eq!(seen(&ours), seen(&theirs));
        prop_assert!(!ours.screen().bold() && !ours.screen().inverse());
        prop_assert_eq!(ours.screen().bgcolor(), vt100::Color::Default);
    }
}
