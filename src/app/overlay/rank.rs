//! Match ranking of typed words against names.
//!
//! Every typed word must match, and the worst match counts: a complete name ranks before a prefix of the name, a prefix of one of
//! its words, and letters within a word. Filler words (`the`, `of`) do not count as words for prefixes. If none of these match, the
//! letters in their order suffice.

/// The rank of a match: lower is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Rank {
    /// The worst match of the typed words.
    pub how: How,
    /// The position of the first typed word's match, in words.
    position: usize,
    /// Length of the name in characters.
    length: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum How {
    /// The complete name.
    Whole,
    /// A prefix of the name.
    Begins,
    /// A prefix of a word of the name.
    Word,
    /// A prefix of an additional search word, such as of the id or the kind.
    Beside,
    /// Within the name.
    Within,
    /// Within an additional search word or a filler word.
    WithinBeside,
    /// The letters occur in the name in this order.
    Scattered,
}

/// Filler words.
const FILLERS: &[&str] = &[
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "it", "of", "on", "one", "or", "that", "the",
    "there", "this", "to", "with",
];

/// Ranks `typed` against a name with additional search words; `None` if it does not match. Empty input matches everything equally.
pub(super) fn rank(typed: &str, name: &str, beside: &str) -> Option<Rank> {
    let typed = typed.trim().to_lowercase();
    let name = name.to_lowercase();
    let beside = beside.to_lowercase();
    let length = name.chars().count();
    if typed.is_empty() {
        return Some(Rank { how: How::Whole, position: 0, length: 0 });
    }
    if name == typed {
        return Some(Rank { how: How::Whole, position: 0, length });
    }
    let begins = name.starts_with(&typed) && !is_filler(words(&name).next().unwrap_or_default());
    if begins {
        return Some(Rank { how: How::Begins, position: 0, length });
    }
    let found: Option<Vec<(How, usize)>> = typed.split_whitespace().map(|word| find(word, &name, &beside)).collect();
    let how = found.as_ref().and_then(|found| found.iter().map(|(how, _)| *how).max());
    match (how, found) {
        (Some(how), Some(found)) => Some(Rank { how, position: found.first().map_or(0, |(_, at)| *at), length }),
        _ => scattered(&typed, &name).then_some(Rank { how: How::Scattered, position: 0, length }),
    }
}

/// Whether the match is more than scattered letters.
pub(super) fn is_likely(rank: Rank) -> bool {
    rank.how < How::Scattered
}

fn find(word: &str, name: &str, beside: &str) -> Option<(How, usize)> {
    let at = |text: &str| words(text).position(|one| one.starts_with(word) && (!is_filler(one) || one == word));
    if let Some(at) = at(name) {
        let filler = words(name).nth(at).is_some_and(is_filler);
        return Some((if filler { How::WithinBeside } else { How::Word }, at));
    }
    if at(beside).is_some() {
        return Some((How::Beside, 0));
    }
    let counts = |text: &str| words(text).filter(|one| !is_filler(one)).any(|one| one.contains(word));
    match (counts(name) || is_compound(word) && name.contains(word), beside.contains(word) || name.contains(word)) {
        (true, _) => Some((How::Within, 0)),
        (false, true) => Some((How::WithinBeside, 0)),
        (false, false) => None,
    }
}

/// Whether the word has several parts, such as `minimax:8` or `gp-1`.
fn is_compound(word: &str) -> bool {
    word.contains(|c: char| !c.is_alphanumeric())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// Whether the letters, at least three, occur in the name in their order, the first at the start of a word.
fn scattered(typed: &str, name: &str) -> bool {
    let letters: Vec<char> = typed.chars().filter(|c| !c.is_whitespace()).collect();
    let starts =
        words(name).filter(|word| !is_filler(word)).filter(|word| word.chars().next() == letters.first().copied());
    let from = starts.map(|word| &name[word.as_ptr() as usize - name.as_ptr() as usize..]);
    letters.len() >= 3
        && from.into_iter().any(|rest| {
            let mut rest = rest.chars();
            letters.iter().all(|letter| rest.any(|c| c == *letter))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the matching names, the best first.
    fn found<'a>(typed: &str, names: &[&'a str]) -> Vec<&'a str> {
        let mut ranked: Vec<(Rank, &str)> =
            names.iter().filter_map(|name| Some((rank(typed, name, "")?, *name))).collect();
        crate::sort::sort_by_key(&mut ranked, |(rank, _)| *rank);
        ranked.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn words_count_from_their_beginning_and_fillers_hardly() {
        let names = [
            "Go to the next tab",
            "Show the keys",
            "Analyse by the other search",
            "Choose a theme",
            "Have the path shown",
        ];
        assert_eq!(found("th", &names)[0], "Choose a theme");
        assert_eq!(found("the", &names)[0], "Choose a theme");
        assert_eq!(found("keys", &names), ["Show the keys"]);
        assert_eq!(found("next the", &names), ["Go to the next tab"]);
    }

    #[test]
    fn what_is_typed_whole_comes_before_what_begins_so_and_that_before_the_middle() {
        let names = ["mono", "monochrome", "Choose mono", "kimono"];
        assert_eq!(found("mono", &names), names);
        assert_eq!(found("minimax:8", &["minimax:8", "minimax:80", "heuristic:8"]), ["minimax:8", "minimax:80"]);
        assert_eq!(found("gp-2", &["mancala-gp-1", "mancala-gp-2"]), ["mancala-gp-2"]);
        assert_eq!(found("zzz", &names), Vec::<&str>::new());
    }

    #[test]
    fn letters_in_their_order_are_enough_where_nothing_else_fits() {
        assert_eq!(found("ngm", &["Start a new game", "Load a game"]), ["Start a new game"]);
        assert_eq!(found("ng", &["Start a new game"]), Vec::<&str>::new(), "two letters are too few");
        assert!(!is_likely(rank("ngm", "Start a new game", "").unwrap()));
    }

    #[test]
    fn ids_and_kinds_count_less_than_names() {
        let name = rank("undo", "Undo a move", "board.back").unwrap();
        let id = rank("undo", "Take your last move back", "board.undo").unwrap();
        let both = rank("run gp", "gp-seed1", "run").unwrap();
        assert!(name < id && is_likely(both));
        assert_eq!(rank("", "anything", ""), rank("", "else", ""));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_ranked_and_a_name_always_fits_itself(typed in "\\PC{0,12}", name in "\\PC{1,20}") {
            let _ = rank(&typed, &name, &typed);
            proptest::prop_assert!(rank(&name, &name, "").is_some());
        }
    }
}
