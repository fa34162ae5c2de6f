//! Marks in comments: annotations of a move and its clock, as other programs write them, apart from the words.

use super::pdn::STRENGTHS;

/// Marks of chess files with a value, and their names for people.
const VALUED: [(&str, &str, &str); 4] =
    [("[%clk ", "clock ", ""), ("[%eval ", "evaluation ", ""), ("[%emt ", "", " s"), ("[%mct ", "clock ", "")];

/// A comment, taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// The annotations of the move, such as `!?`, to be written directly after it.
    pub strengths: String,
    /// Clock, evaluation and time, in words.
    pub values: String,
    /// The words of the comment.
    pub text: String,
}

impl Marks {
    /// The marks of a comment.
    #[must_use]
    pub fn parse(comment: &str) -> Marks {
        let mut rest = comment.trim_start();
        let mut strengths = String::new();
        while let Some(word) = rest.split_whitespace().next().filter(|word| is_strength(word)) {
            strengths += word;
            rest = rest[word.len()..].trim_start();
        }
        let mut text = rest.to_owned();
        let mut values = Vec::new();
        for (mark, before, behind) in VALUED {
            while let Some((begin, value, end)) = part(&text, mark) {
                values.push(format!("{before}{value}{behind}"));
                text = [begin, end].concat();
            }
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Marks { strengths, values: values.join(", "), text }
    }

    /// The values and the words, for a line of their own.
    #[must_use]
    pub fn words(&self) -> String {
        let parts = [&self.values, &self.text].map(String::as_str);
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// The text before a mark, its value, and the text behind it.
fn part<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let (begin, rest) = text.split_once(mark)?;
    let (value, end) = rest.split_once(']')?;
    Some((begin, value.trim(), end))
}

/// Whether a word is an annotation of a move: `!?`, `$14`.
pub(super) fn is_strength(word: &str) -> bool {
    let is_known = |number: u16| STRENGTHS.iter().any(|(_, nag)| *nag == number);
    let is_nag =
        |digits: &str| digits.parse::<u16>().is_ok_and(|number| number.to_string() == digits && !is_known(number));
    STRENGTHS.iter().any(|(text, _)| *text == word) || word.strip_prefix('$').is_some_and(is_nag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_apart_from_the_words() {
        for (comment, strengths, values, text) in [
            ("", "", "", ""),
            ("so", "", "", "so"),
            ("! $14 good", "!$14", "", "good"),
            ("[%clk 1:55:21]", "", "clock 1:55:21", ""),
            ("?? [%eval -1.5] [%emt 2.1] lost {now", "??", "evaluation -1.5, 2.1 s", "lost {now"),
            ("so [%clk 3] it was", "", "clock 3", "so it was"),
            ("[%clk 3", "", "", "[%clk 3"),
            ("really !", "", "", "really !"),
        ] {
            let found = Marks::parse(comment);
            assert_eq!((&*found.strengths, &*found.values, &*found.text), (strengths, values, text), "{comment}");
        }
    }
}
