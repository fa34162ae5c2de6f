//! Names that people and programs choose over the network: visible, and unlike those of others.

/// Returns the allowed ASCII characters of a name, at most `longest`; `None` if no letter or digit is among them. All other
/// characters have blank or similar ones in some script.
pub fn visible(text: &str, is_allowed: impl Fn(char) -> bool, longest: usize) -> Option<String> {
    let allowed = text.chars().filter(|&c| c.is_ascii() && is_allowed(c));
    let name: String = allowed.skip_while(|c| *c == ' ').take(longest).collect();
    let name = name.trim_end();
    name.contains(|c: char| c.is_ascii_alphanumeric()).then(|| name.to_owned())
}

/// Returns a text that is the same for names that look alike: without case, marks and blanks, with one form of `1`, `l` and `I` and
/// of `0` and `O`.
pub fn skeleton(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let alike = letters.map(|c| match c.to_ascii_lowercase() {
        '1' | 'i' => 'l',
        '0' => 'o',
        c => c,
    });
    alike.collect()
}

/// Returns the name, or the first of its numbered forms, from 2, that looks like none of the others.
pub fn distinct(name: String, numbered: impl Fn(&str, u32) -> String, others: impl Iterator<Item = String>) -> String {
    let taken: Vec<String> = others.map(|other| skeleton(&other)).collect();
    let forms = (2..).map(|number| numbered(&name, number));
    let is_free = |name: &String| !taken.contains(&skeleton(name));
    std::iter::once(name.clone()).chain(forms).find(is_free).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Option<String> {
        visible(text, |c| c == ' ' || c.is_ascii_graphic(), 16)
    }

    #[test]
    fn a_name_is_seen() {
        for blank in ["", " ", "\u{3164}", "\u{115f}", "\u{ffa0}", "\u{345}", "\u{2800}\u{200b}", "...", "\u{1b}[\u{7}"]
        {
            assert_eq!(seen(blank), None, "{blank:?}");
        }
        assert_eq!(seen(" anna\u{345} b. ").as_deref(), Some("anna b."));
        assert_eq!(seen(&"x".repeat(100)).map(|name| name.len()), Some(16));
    }

    #[test]
    fn a_name_is_nobody_elses() {
        let enter = |others: &[&str], text: &str| {
            let others = others.iter().map(|&other| other.to_owned());
            distinct(seen(text).unwrap_or_default(), |name, number| format!("{name}-{number}"), others)
        };
        assert_eq!(enter(&["anna"], "bert"), "bert");
        // Cyrillic and fullwidth letters are left out, a combining mark too.
        for (text, expected) in [
            ("anna", "anna-2"),
            ("Anna", "Anna-2"),
            ("a.n.n.a", "a.n.n.a-2"),
            ("anna\u{345}", "anna-2"),
            ("\u{430}nna", "nna"),
            ("\u{ff41}\u{ff4e}\u{ff4e}\u{ff41}1", "1"),
        ] {
            assert_eq!(enter(&["anna"], text), expected);
        }
        assert_eq!(enter(&["all0", "anna", "anna2"], "Al1O"), "Al1O-2");
        assert_eq!(enter(&["anna", "anna2"], "anna"), "anna-3");
    }
}
