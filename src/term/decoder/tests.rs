//! Keys as terminals send them, whole, in pieces and damaged.

use super::*;
use crate::theme::Shade;

fn all(packets: &[&[u8]]) -> Vec<Event> {
    let mut decoder = Decoder::default();
    let mut events = Vec::new();
    let now = Instant::now();
    packets.iter().for_each(|packet| decoder.decode(packet, now, |event| events.push(event)));
    decoder.release(now, |event| events.push(event));
    events
}

/// The keys as the config writes them.
fn keys(bytes: &[u8]) -> String {
    let text = |event: Event| match event {
        Event::Key(key) => crate::term::Chord::from_event(&key).to_string(),
        other => format!("{other:?}"),
    };
    all(&[bytes]).into_iter().map(text).collect::<Vec<_>>().join(" ")
}

#[test]
fn keys_of_xterm() {
    assert_eq!(keys(b"aA?\r\t\x7f\x03\x1a"), "a A ? enter tab backspace ctrl-c ctrl-z");
    assert_eq!(keys(b"\x1b[A\x1b[B\x1bOC\x1bOD\x1b[H\x1b[F"), "up down right left home end");
    assert_eq!(keys(b"\x1b[5~\x1b[6~\x1b[3~\x1b[2~\x1b[Z"), "pgup pgdn delete insert shift-tab");
    assert_eq!(keys(b"\x1bOP\x1b[15~\x1b[24~\x1b[[B"), "f1 f5 f12 f2");
    assert_eq!(keys(b"\x1b[1;5A\x1b[1;2C\x1b[3;3~\x1bx"), "ctrl-up shift-right alt-delete alt-x");
    assert_eq!(keys("äé日\u{1f600}".as_bytes()), "ä é 日 😀");
    assert_eq!(keys(b"\x1b"), "esc");
    assert_eq!(keys(b"\x1b\x1b"), "esc esc");
    assert_eq!(keys(b"\x1b\x1b[A\x1b\x1bOD\x1b\x1bx"), "alt-up alt-left esc alt-x");
}

#[test]
fn what_is_unknown_is_skipped() {
    assert_eq!(
        keys(b"a\x1b]12;rgb:0/0/0\x1b\\b\x1b]11;x\x07c\x1b[?1;2cd\x1b[99~e\xff\x80f"),
        "a b c Report(Type { has_sixels: false }) d e f"
    );
    assert_eq!(keys(b"a\x1b[?2026;2$yb\x1b[12;40Rc\x1bP1$r0m\x1b\\d"), "a b c d");
}

/// What other terminals than xterm send.
#[test]
fn keys_of_other_terminals() {
    let cases: [(&str, &[u8], &str); 10] = [
        ("urxvt, Home with Shift, Ctrl and both", b"\x1b[7$\x1b[7^\x1b[7@", "shift-home ctrl-home ctrl-shift-home"),
        ("urxvt, arrows with Shift and Ctrl", b"\x1b[a\x1b[d\x1bOa\x1bOd", "shift-up shift-left ctrl-up ctrl-left"),
        ("urxvt, Alt and an arrow", b"\x1b\x1b[D", "alt-left"),
        ("st, Delete and F1", b"\x1b[P\x1bOP", "delete f1"),
        ("st, Ctrl-Delete and three keys", b"\x1b[Mabc", "ctrl-delete a b c"),
        ("alacritty, Enter of the keypad", b"\n", "enter"),
        ("xterm, the keypad in its own mode", b"\x1bOM\x1bOp\x1bOy\x1bOk\x1bOj", "enter 0 9 + *"),
        ("xterm of old, F1 with Shift", b"\x1bO2P", "shift-f1"),
        ("backspace of many", b"\x08", "backspace"),
        ("linux, F1 to F5", b"\x1b[[A\x1b[[E", "f1 f5"),
    ];
    for (terminal, bytes, expected) in cases {
        assert_eq!(keys(bytes), expected, "{terminal}");
    }
}

/// The bytes that terminals have sent for keys: terminal, key, bytes in hexadecimal, key as the config writes it, or `none`.
const RECORDED: &str = include_str!("../recorded.tsv");

fn recorded() -> impl Iterator<Item = [&'static str; 4]> {
    let rows = RECORDED.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').collect::<Vec<_>>().try_into().unwrap())
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn keys_of_real_terminals() {
    for [terminal, name, hex, expected] in recorded() {
        let expected = if expected == "none" { "" } else { expected };
        assert_eq!(keys(&bytes(hex)), expected, "{name} in {terminal}");
    }
    let terminals: std::collections::BTreeSet<_> = recorded().map(|[terminal, ..]| terminal).collect();
    assert_eq!(terminals.into_iter().collect::<Vec<_>>(), ["alacritty", "st", "urxvt", "xterm"]);
}

/// Each sequence and each beginning of it, with a pause at any place and doubled: no byte of it comes out as a character.
#[test]
fn no_byte_of_a_sequence_is_typed() {
    let sequences: [&[u8]; 12] = [
        b"\x1b[A",
        b"\x1bOD",
        b"\x1b[1;5A",
        b"\x1b[7$",
        b"\x1b[3~",
        b"\x1b[<0;10;1M",
        b"\x1b[M",
        b"\x1b\x1b[D",
        b"\x1b[[A",
        b"\x1b]11;rgb:ffff/ffff/ffff\x07",
        b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
        b"\x1b[?62;22c",
    ];
    let moment = Duration::from_millis(100);
    let quiet = 2 * QUIET;
    for sequence in sequences {
        for end in 1..=sequence.len() {
            let begun = &sequence[..end];
            for cut in 0..end {
                for doubled in [&[][..], begun] {
                    let packets = [&begun[..cut], &begun[cut..], doubled, b"q"];
                    let typed = typed(&packets, [moment, moment, quiet]);
                    assert_eq!(typed, ["q"], "{:?}", packets.map(String::from_utf8_lossy));
                }
            }
        }
    }
}

/// Returns the characters that come out of packets with these pauses between them; an ESC is released in each.
fn typed(packets: &[&[u8]; 4], pauses: [Duration; 3]) -> Vec<String> {
    let mut decoder = Decoder::default();
    let mut now = Instant::now();
    let mut typed = Vec::new();
    let mut take = |event| {
        if let Event::Key(KeyEvent { code: KeyCode::Char(letter), .. }) = event {
            typed.push(letter.to_string());
        }
    };
    for (at, packet) in packets.iter().enumerate() {
        if !packet.is_empty() {
            decoder.decode(packet, now, &mut take);
        }
        decoder.release(now, &mut take);
        now += pauses.get(at).copied().unwrap_or_default();
    }
    typed
}

#[test]
fn an_unfinished_sequence_ends_at_ctrl_c_or_in_silence() {
    for begun in [&b"\x1b[<"[..], b"\x1b[?", b"\x1b]", b"\x1bO", b"\x1b[200~ab"] {
        let last = |packets: &[&[u8]]| all(packets).pop();
        assert_eq!(last(&[begun, b"\x03"]), last(&[b"\x03"]), "{begun:?}");
        let mut decoder = Decoder::default();
        let mut events = Vec::new();
        let now = Instant::now();
        decoder.decode(begun, now, |event| events.push(event));
        decoder.decode(b"q", now + QUIET, |event| events.push(event));
        assert_eq!(events.pop(), last(&[b"q"]), "{begun:?}");
    }
}

#[test]
fn reports_are_no_keys() {
    let report = |text: &str| all(&[text.as_bytes()]);
    let shade = |shade| [Event::Report(Report::Background(shade))];
    assert_eq!(report("\x1b]11;rgb:ffff/ffff/ffff\x07"), shade(Shade::Light));
    assert_eq!(report("\x1b]11;rgb:0/0/0\x1b\\"), shade(Shade::Dark));
    assert_eq!(report("\x1b[0n"), [Event::Report(Report::Drawn)]);
}

#[test]
fn a_sequence_may_be_cut_between_packets() {
    let cut = all(&[b"\x1b[1;", b"5A", "ä".as_bytes().split_at(1).0, "ä".as_bytes().split_at(1).1]);
    assert_eq!(cut, all(&[b"\x1b[1;5A", "ä".as_bytes()]));
    assert_eq!(cut.len(), 2);
    // An endless one is given up.
    assert_eq!(all(&[&[&b"\x1b["[..], &[b'1'; 200]].concat(), b"Aq"]).last(), all(&[b"q"]).last());
}

#[test]
fn pastes_are_texts_and_bounded() {
    let paste = |text: &str| Event::Paste(text.to_owned());
    assert_eq!(all(&[b"\x1b[200~a\x1b[A\r", b"b\x1b[20", b"1~c"]), [vec![paste("a\x1b[A\rb")], all(&[b"c"])].concat());
    let long = all(&[b"\x1b[200~", &[b'x'; 2 * PASTE], b"\x1b[201~"]);
    assert_eq!(long, [paste(&"x".repeat(PASTE))]);
}

#[test]
fn the_mouse_counts_from_zero() {
    let modifiers = KeyModifiers::CONTROL;
    let at = |kind, modifiers| Event::Mouse(MouseEvent { kind, column: 9, row: 0, modifiers });
    let events = all(&[b"\x1b[<0;10;1M\x1b[<65;10;1M\x1b[<16;10;1M\x1b[<35;10;1M"]);
    let down = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(
        events,
        [at(down, KeyModifiers::NONE), at(MouseEventKind::ScrollDown, KeyModifiers::NONE), at(down, modifiers)]
    );
}
