//! "Did you mean …?"

/// The candidate that a slip of the pen would turn into `word`, if one is near enough: the one with the fewest edits (a
/// character put in, left out, changed, or two neighbours exchanged), at most a third of the longer word's length.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let length = word.chars().count();
    candidates
        .into_iter()
        // Each edit changes the length by one at most, so that most words are too far off to be looked at.
        .filter(|candidate| {
            let other = candidate.chars().count();
            other.abs_diff(length) <= other.max(length).div_ceil(3) + 2
        })
        .map(|candidate| (edits(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(edits, candidate)| *edits <= candidate.chars().count().max(length).div_ceil(3))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// `a, b or c`.
pub fn list<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> String {
    let items: Vec<S> = items.into_iter().collect();
    let mut text = String::new();
    for (i, item) in items.iter().enumerate() {
        text += match i {
            0 => "",
            _ if i + 1 == items.len() => " or ",
            _ => ", ",
        };
        text += item.as_ref();
    }
    text
}

/// Optimal string alignment distance.
fn edits(a: &str, b: &str) -> usize {
    // The words are short; a long one is far from everything and must not cost its square.
    const LONG: usize = 64;
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(LONG).collect(), b.chars().take(LONG).collect());
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_strangers_are_not() {
        let names = ["theme", "color", "glyphs", "mouse", "input_fps"];
        assert_eq!(nearest("them", names), Some("theme"));
        assert_eq!(nearest("colour", names), Some("color"));
        assert_eq!(nearest("glpyhs", names), Some("glyphs"));
        assert_eq!(nearest("INPUT-FPS", names), Some("input_fps"));
        assert_eq!(nearest("banana", names), None);
        assert_eq!(edits("ca", "ac"), 1);
        assert_eq!(edits("", "abc"), 3);
    }

    #[test]
    fn lists_end_in_or() {
        assert_eq!(list(["a"]), "a");
        assert_eq!(list(["a", "b", "c"]), "a, b or c");
    }
}
