//! Numbers of things in sentences.

use std::fmt::Display;

/// Returns a number with its noun: `1 unit`, `3 units`. The plural of the noun must end in s.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_singular_and_none_is_plural() {
        assert_eq!([0, 1, 2].map(|count| counted::<u32>(count, "unit")), ["0 units", "1 unit", "2 units"]);
    }
}
