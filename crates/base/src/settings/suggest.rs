//! "Did you mean …?"

/// Returns the candidate with the smallest edit distance to `word` (insertions, deletions, substitutions,
/// transpositions), if that is at most a third of the longer word's length, and at least one.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let length = word.chars().count();
    candidates
        .into_iter()
        // Each edit changes the length by at most one, so that a length check rejects most words early.
        .filter(|candidate| {
            let other = candidate.chars().count();
            other.abs_diff(length) <= other.max(length).div_ceil(3) + 2
        })
        .map(|candidate| (edits(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(edits, candidate)| *edits <= (candidate.chars().count().max(length) / 3).max(1))
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
    // Words are short; a long one is far from everything and must not take quadratic time.
    let [a, b] = [a, b].map(|word| word.chars().take(64).collect::<String>());
    strsim::osa_distance(&a, &b)
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
