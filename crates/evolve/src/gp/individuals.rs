//! Rows of `individuals.csv`: every individual of a generation, fittest first.

use std::fmt::Write as _;

use super::population::Population;
use super::problem::Problem;

/// Returns the rows of a generation, separated by line breaks. Numbers are exact. The parents are those of the last step that
/// changed the program: ranks in the generation before that birth, empty where there is no parent.
pub(super) fn rows<P: Problem>(settings: &P::Settings, population: &Population<P::Language>) -> String {
    let mut rows = String::new();
    for (rank, one) in population.ranking.iter().map(|&number| &population.individuals[number as usize]).enumerate() {
        let birth = one.birth();
        let outcome = &one.outcome;
        if rank > 0 {
            rows.push('\n');
        }
        let _ = write!(rows, "{},{},{}", population.generation, rank + 1, outcome.fitness);
        outcome.scores.iter().for_each(|score| _ = write!(rows, ",{score}"));
        let _ = write!(rows, ",{},{},{},{},{}", one.nodes, one.depth, one.operator, birth.generation, birth.operator);
        for parent in birth.parents {
            rows.push(',');
            if parent > 0 {
                let _ = write!(rows, "{parent}");
            }
        }
        rows.push(',');
        push_quoted(&mut rows, &P::text(settings, &one.program));
    }
    rows
}

/// Appends a field in quotes, which texts with commas, quotes or line breaks need.
fn push_quoted(rows: &mut String, text: &str) {
    let _ = write!(rows, "\"{}\"", text.replace('"', "\"\""));
}
