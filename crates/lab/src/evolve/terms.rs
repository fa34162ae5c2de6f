//! The setting `terms`: which terms of an evaluation a run weights.

use mancalab_base::Error;

use crate::settings::{list_of, nearest, texts};

/// Returns the selected terms as text: all, or their names.
pub(super) fn text<const N: usize>(names: [&str; N], terms: &[bool; N]) -> String {
    if terms.iter().all(|is_weighed| *is_weighed) {
        return "all".to_owned();
    }
    list_of(names.iter().zip(terms).filter(|(_, is_weighed)| **is_weighed).map(|(name, _)| *name))
}

/// Parses `all`, the names of the selected terms, or each omitted one after a minus.
///
/// # Errors
/// There is no such term: lists all.
pub(super) fn read<const N: usize>(names: [&str; N], text: &str) -> Result<[bool; N], Error> {
    if text == "all" {
        return Ok([true; N]);
    }
    let [first, last] = [0, N - 1].map(|at| names[at]);
    let listed = texts(text, &format!("all, or names of terms such as {first}, {last}"))?;
    let mut terms = [listed.first().is_some_and(|name| name.starts_with('-')); N];
    for (index, listed) in listed.iter().enumerate() {
        let name = listed.trim_start_matches('-');
        let at = names.iter().position(|known| known.eq_ignore_ascii_case(name));
        let unknown = || {
            let hint = nearest(name, names).map(|near| format!(" (did you mean {near}?)")).unwrap_or_default();
            Error::from(format!("there is no term '{name}'{hint}; known: {}", names.join(", "))).in_item(index)
        };
        terms[at.ok_or_else(unknown)?] = name == listed;
    }
    Ok(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_named_or_omitted() {
        let names = ["A1", "B2", "C3"];
        let of = |text: &str| read(names, text).unwrap();
        assert_eq!((of("all"), of("c3, A1"), of("-B2")), ([true; 3], [true, false, true], [true, false, true]));
        assert_eq!((of("-A1,-B2,-C3"), of("[]")), ([false; 3], [false; 3]));
        for terms in [[true; 3], [false, true, true], [false; 3]] {
            assert_eq!(of(&text(names, &terms)), terms);
        }
        let error = read(names, "A1,-B3").unwrap_err();
        assert!(error.to_string().contains("there is no term 'B3' (did you mean B2?); known: A1, B2, C3"), "{error}");
        assert_eq!(error.item(), Some(1));
    }
}
