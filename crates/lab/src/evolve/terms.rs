//! The setting `terms`: which terms of an evaluation a run weights, and which of them in a fixed proportion.

use mancalab_base::{Error, bail};

use crate::evolve::ga::{Gene, Tie};
use crate::settings::{list_of, nearest, texts};

/// The weighted terms.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms<const N: usize> {
    /// Of each term, whether it has a weight.
    chosen: [bool; N],
    /// Terms in a fixed proportion: their factors and indices, at least two.
    groups: Vec<Vec<(f64, usize)>>,
}

impl<const N: usize> Terms<N> {
    /// All terms but these, each with a weight of its own.
    pub fn all_but(omitted: &[usize]) -> Terms<N> {
        Terms { chosen: std::array::from_fn(|index| !omitted.contains(&index)), groups: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        !self.chosen.contains(&true)
    }

    pub fn contains(&self, index: usize) -> bool {
        self.chosen[index]
    }

    /// Returns how the weight of a term follows from that of another one, if it does.
    pub fn tie(&self, index: usize) -> Option<Tie> {
        let group = self.groups.iter().find(|group| group[1..].iter().any(|(_, term)| *term == index))?;
        let (own, _) = group.iter().find(|(_, term)| *term == index)?;
        let (factor, lead) = group[0];
        Some(Tie { lead, ratio: own / factor })
    }

    /// Returns the terms as text: all, or their names, then those in a proportion, as in `["H1", "2*H6-H8"]`.
    pub(super) fn text(&self, names: [&str; N]) -> String {
        if self.groups.is_empty() && self.chosen.iter().all(|is_chosen| *is_chosen) {
            return "all".to_owned();
        }
        let is_in_group = |index: usize| self.groups.iter().flatten().any(|(_, term)| *term == index);
        let alone =
            (0..N).filter(|&index| self.chosen[index] && !is_in_group(index)).map(|index| names[index].to_owned());
        let groups = self.groups.iter().map(|group| group.iter().map(|one| part(one, &names)).collect::<String>());
        let groups = groups.map(|group| group.trim_start_matches('+').to_owned());
        list_of(alone.chain(groups))
    }

    /// Parses `all`, the names of the terms, each omitted one after a minus, or terms in a proportion such as `2*H6-H8`.
    ///
    /// # Errors
    /// There is no such term: lists all; or a term is named twice.
    pub(super) fn read(names: [&str; N], text: &str) -> Result<Terms<N>, Error> {
        if text == "all" {
            return Ok(Terms::all_but(&[]));
        }
        let [first, last] = [0, N - 1].map(|at| names[at]);
        let listed = texts(text, &format!("all, or names of terms such as {first}, {last}"))?;
        let omits = listed.first().is_some_and(|name| name.starts_with('-'));
        let mut terms = Terms { chosen: [omits; N], groups: Vec::new() };
        for (index, listed) in listed.iter().enumerate() {
            let group = parts(listed).map(|one| term(&names, one)).collect::<Result<Vec<_>, Error>>();
            terms
                .add(group.map_err(|error| error.in_item(index))?, omits, listed)
                .map_err(|error| error.in_item(index))?;
        }
        Ok(terms)
    }

    fn add(&mut self, group: Vec<(f64, usize)>, omits: bool, text: &str) -> Result<(), Error> {
        match group[..] {
            [(factor, index)] if omits => {
                if factor != -1.0 {
                    bail!("'{text}' among terms to omit: give each after a minus");
                }
                self.chosen[index] = false;
            }
            _ if omits => bail!("'{text}' among terms to omit: give each after a minus"),
            [(factor, index)] => {
                if factor != 1.0 {
                    bail!("'{text}': a term alone has no factor; its weight is bred");
                }
                self.choose(index, text)?;
            }
            _ => {
                group.iter().try_for_each(|&(_, index)| self.choose(index, text))?;
                self.groups.push(group);
            }
        }
        Ok(())
    }

    fn choose(&mut self, index: usize, text: &str) -> Result<(), Error> {
        if std::mem::replace(&mut self.chosen[index], true) {
            bail!("'{text}': a term is named twice");
        }
        Ok(())
    }
}

/// Ties the genes of the terms that follow others. Negative proportions need negative values.
pub(super) fn tied<const N: usize>(genes: &mut [Gene], terms: &Terms<N>) {
    for (index, gene) in genes.iter_mut().enumerate() {
        gene.tie = terms.tie(index);
        if gene.tie.is_some_and(|tie| tie.ratio < 0.0) {
            gene.low = -gene.high;
        }
    }
}

/// Returns a term of a group with its factor, such as `+2*H6`.
fn part((factor, index): &(f64, usize), names: &[&str]) -> String {
    let sign = if *factor < 0.0 { "-" } else { "+" };
    match factor.abs() {
        1.0 => format!("{sign}{}", names[*index]),
        size => format!("{sign}{size}*{}", names[*index]),
    }
}

/// Returns the parts of a group, each with its sign.
fn parts(group: &str) -> impl Iterator<Item = &str> {
    let starts = group.match_indices(['+', '-']).map(|(at, _)| at).filter(|&at| at > 0);
    let mut bounds: Vec<usize> = std::iter::once(0).chain(starts).collect();
    bounds.push(group.len());
    (1..bounds.len()).map(move |next| group[bounds[next - 1]..bounds[next]].trim())
}

/// Parses a term with its factor.
fn term(names: &[&str], text: &str) -> Result<(f64, usize), Error> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let (factor, name) = rest.split_once('*').unwrap_or(("1", rest));
    let name = name.trim();
    let factor = factor.trim().parse().ok().filter(|factor: &f64| *factor > 0.0 && *factor <= 1000.0);
    let factor =
        factor.ok_or_else(|| format!("'{text}': a factor is above 0 and at most 1000, as in 2*{}", names[0]))?;
    let unknown = || {
        let hint =
            nearest(name, names.iter().copied()).map(|near| format!(" (did you mean {near}?)")).unwrap_or_default();
        format!("there is no term '{name}'{hint}; known: {}", names.join(", "))
    };
    let index = names.iter().position(|known| known.eq_ignore_ascii_case(name)).ok_or_else(unknown)?;
    Ok((sign * factor, index))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["A1", "B2", "C3", "D4"];

    #[test]
    fn terms_are_named_or_omitted() {
        let of = |text: &str| Terms::read(NAMES, text).unwrap().chosen;
        assert_eq!(
            (of("all"), of("c3, A1"), of("-B2")),
            ([true; 4], [true, false, true, false], [true, false, true, true])
        );
        assert_eq!((of("-A1,-B2,-C3,-D4"), of("[]")), ([false; 4], [false; 4]));
        for text in ["all", "[\"B2\", \"C3\"]", "[]", "[\"A1\", \"2*D4-0.5*B2\"]", "[\"A1-C3\", \"B2+3*D4\"]"] {
            let terms = Terms::read(NAMES, text).unwrap();
            assert_eq!(Terms::read(NAMES, &terms.text(NAMES)).unwrap(), terms, "{text}");
        }
        let error = Terms::read(NAMES, "A1,-B3").unwrap_err();
        assert!(error.to_string().contains("there is no term 'B3' (did you mean B2?); known: A1, B2, C3"), "{error}");
        assert_eq!(error.item(), Some(1));
    }

    #[test]
    fn terms_in_a_proportion_follow_the_first_of_them() {
        let terms = Terms::read(NAMES, "A1,2*D4-B2").unwrap();
        assert_eq!(terms.text(NAMES), "[\"A1\", \"2*D4-B2\"]");
        assert_eq!((terms.tie(0), terms.tie(3), terms.tie(2)), (None, None, None));
        assert_eq!(terms.tie(1), Some(Tie { lead: 3, ratio: -0.5 }));
        for (text, error) in [
            ("A1,A1-B2", "a term is named twice"),
            ("2*A1", "a term alone has no factor"),
            ("-A1,B2-C3", "give each after a minus"),
            ("x*A1+B2", "a factor is above 0 and at most 1000, as in 2*A1"),
        ] {
            let found = Terms::read(NAMES, text).unwrap_err().to_string();
            assert!(found.contains(error), "{text}: {found}");
        }
    }
}
