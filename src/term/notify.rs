//! Escape sequences for notifications and titles, which draw nothing.

/// The method of `ui.notify` for the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notify {
    Off,
    /// The bell, which most terminals turn into a sound, a mark on their tab, or a flash.
    #[default]
    Bell,
    /// OSC 9, which iTerm2, WezTerm, Ghostty and Windows Terminal show on the desktop.
    Osc9,
    /// OSC 777, which foot, Ghostty, urxvt and terminals of VTE show.
    Osc777,
}

impl Notify {
    /// Returns the bytes to send. tmux needs a sequence for the outer terminal wrapped, and unwraps it if its `allow-passthrough`
    /// is on.
    pub(super) fn bytes(self, text: &str, in_tmux: bool) -> Vec<u8> {
        let text = plain(text);
        // OSC 777 separates its parts by semicolons.
        let sequence = match self {
            Notify::Off => return Vec::new(),
            Notify::Bell => return b"\x07".to_vec(),
            Notify::Osc9 => format!("\x1b]9;{text}\x1b\\"),
            Notify::Osc777 => format!("\x1b]777;notify;mancalab;{}\x1b\\", text.replace(';', ",")),
        };
        match in_tmux {
            true => format!("\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b")).into_bytes(),
            false => sequence.into_bytes(),
        }
    }
}

crate::settings::string_enum!(Notify { "off" => Off, "bell" => Bell, "osc9" => Osc9, "osc777" => Osc777 });

/// Returns the sequence that sets the window's title (OSC 2).
pub(super) fn title(text: &str) -> Vec<u8> {
    format!("\x1b]2;{}\x1b\\", plain(text)).into_bytes()
}

/// Removes control characters, which would end the sequence or act on the terminal. Names of runs are names of folders, which may
/// contain any character.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !crate::sanitize::is_hidden(*c)).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_end_its_sequence() {
        let text = "a\x1b\\b\x07c;d\u{9c}";
        let of = |how: Notify, in_tmux| String::from_utf8(how.bytes(text, in_tmux)).unwrap();
        assert_eq!(of(Notify::Off, false), "");
        assert_eq!(of(Notify::Bell, true), "\x07");
        assert_eq!(of(Notify::Osc9, false), "\x1b]9;a\\bc;d\x1b\\");
        assert_eq!(of(Notify::Osc777, false), "\x1b]777;notify;mancalab;a\\bc,d\x1b\\");
        assert_eq!(of(Notify::Osc9, true), "\x1bPtmux;\x1b\x1b]9;a\\bc;d\x1b\x1b\\\x1b\\");
        assert_eq!(title(text), b"\x1b]2;a\\bc;d\x1b\\");
    }
}
