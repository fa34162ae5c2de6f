//! Sanitizing of external text before display.
//!
//! Files, arguments and file names may contain terminal escape sequences, bidirectional overrides and invisible
//! characters. All displayed text passes through here and then shows exactly its content.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Replaces a character that is not shown.
const SHOWN: char = char::REPLACEMENT_CHARACTER;

/// Returns whether a character is invisible or affects the terminal or the surrounding text: C0 and C1 controls,
/// marks of direction and joining, separators of lines and paragraphs, and tags.
pub fn is_hidden(c: char) -> bool {
    match c {
        ' '..='~' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => c.is_control(),
    }
}

/// Sanitizes text within a line; line ends and tabs are replaced too.
pub fn inline(text: &str) -> Cow<'_, str> {
    without(text, is_hidden)
}

/// Sanitizes text of several lines; line ends and tabs are kept.
pub fn multiline(text: &str) -> Cow<'_, str> {
    without(text, |c| !matches!(c, '\n' | '\t') && is_hidden(c))
}

fn without(text: &str, unwanted: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&unwanted) {
        text.chars().map(|c| if unwanted(c) { SHOWN } else { c }).collect()
    } else {
        Cow::Borrowed(text)
    }
}

/// Formats a path for display only; see [`shell`] for one to copy.
pub fn path(path: &Path) -> String {
    inline(&path.to_string_lossy()).into_owned()
}

/// Escapes hidden characters in JSON as `\uXXXX`; they occur in its strings only, so the meaning is unchanged.
pub fn json(text: &str) -> Cow<'_, str> {
    let unwanted = |c: char| c != '\n' && is_hidden(c);
    if !text.contains(unwanted) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if unwanted(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(plain, "\\u{unit:04x}");
            }
        } else {
            plain.push(c);
        }
    }
    Cow::Owned(plain)
}

/// Quotes text for a shell, if necessary. Hidden characters become `$'…'` with escaped bytes, which bash, zsh and
/// ksh support.
pub fn shell(text: impl AsRef<OsStr>) -> String {
    let bytes = text.as_ref().as_bytes();
    let is_bare = |c: char| c.is_alphanumeric() || "_@%+=:,./-".contains(c);
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.is_empty() && text.chars().all(is_bare) => text.to_owned(),
        Ok(text) if !text.contains(is_hidden) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => escaped(bytes),
    }
}

/// Quotes a path for a shell, protected from being parsed as a flag.
pub fn shell_path(path: &Path) -> String {
    let is_flag = path.as_os_str().as_bytes().first() == Some(&b'-');
    if is_flag { shell(Path::new(".").join(path)) } else { shell(path) }
}

fn escaped(bytes: &[u8]) -> String {
    let mut quoted = "$'".to_owned();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\'' | '\\' => quoted.extend(['\\', c]),
                c if is_hidden(c) => octal(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut quoted),
                c => quoted.push(c),
            }
        }
        octal(chunk.invalid(), &mut quoted);
    }
    quoted + "'"
}

/// Always three digits, so that a following digit is separate.
fn octal(bytes: &[u8], quoted: &mut String) {
    bytes.iter().for_each(|byte| _ = write!(quoted, "\\{byte:03o}"));
}

/// Returns the system's error message without the error number.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    const HOSTILE: &str = "a\x1b]0;x\x07b\u{9b}31mc\u{202e}d\u{2066}e\u{200b}f\u{2028}g\u{e0041}h\x7fi\r";

    #[test]
    fn nothing_hidden_is_left_and_everything_else_is() {
        assert_eq!(inline(HOSTILE), "a�]0;x�b�31mc�d�e�f�g�h�i�");
        assert_eq!(inline("a\tb\nc"), "a�b�c");
        assert_eq!(multiline("a\tb\nc\r"), "a\tb\nc�");
        for text in ["", "Zoë plays 漢字 e\u{301} ½ ☃\u{fe0f}", "a b"] {
            assert!(matches!(inline(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn json_means_the_same() {
        let value = serde_json::json!({ "text": HOSTILE, "list": [1, "\u{202e}"] });
        for text in [value.to_string(), format!("{value:#}")] {
            let plain = json(&text);
            assert!(!plain.contains(|c| c != '\n' && is_hidden(c)), "{plain}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&plain).unwrap(), value);
        }
    }

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        assert_eq!(shell("runs/a-1.toml"), "runs/a-1.toml");
        assert_eq!(shell(""), "''");
        assert_eq!(shell("a b"), "'a b'");
        assert_eq!(shell_path(Path::new("-a b")), "'./-a b'");
        assert_eq!(shell_path(Path::new("a/-b")), "a/-b");
        assert_eq!(shell("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(shell("a\x1bb\n'"), r"$'a\033b\012\''");
        assert_eq!(shell(OsStr::from_bytes(b"a\xff1\xe2\x80\xae")), r"$'a\3771\342\200\256'");
    }

    /// Returns what bash echoes for the quoted texts; `None` without a bash.
    fn echoed(texts: &[&[u8]]) -> Option<Vec<u8>> {
        let words: Vec<String> = texts.iter().map(|text| shell(OsStr::from_bytes(text))).collect();
        let command = format!("LC_ALL=C.UTF-8; printf '%s\\0' {}", words.join(" "));
        let run = Command::new("bash").env("LC_ALL", "C.UTF-8").arg("-c").arg(command).output().ok()?;
        run.status.success().then_some(run.stdout)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn a_shell_gives_back_what_was_quoted(texts in proptest::collection::vec(proptest::collection::vec(1_u8.., 0..12), 1..20)) {
            let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
            if let Some(found) = echoed(&texts) {
                let wanted: Vec<u8> = texts.iter().flat_map(|text| text.iter().copied().chain([0])).collect();
                prop_assert_eq!(found, wanted);
            }
        }

        #[test]
        fn no_text_keeps_anything_hidden(text in "\\PC*|(.|\\p{Cf}){0,40}") {
            prop_assert!(!inline(&text).contains(is_hidden));
            prop_assert_eq!(inline(&text).chars().count(), text.chars().count());
            prop_assert!(!shell(&text).contains(is_hidden));
        }
    }
}
