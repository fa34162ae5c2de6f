//! The Pareto fronts of fitness and size of a run's generations, from the individuals that it kept.

use std::path::Path;

use mancalab_base::{Error, bail};

use crate::job::run_dir::{Columns, INDIVIDUALS};

/// The front of a generation: fitness and nodes of the programs that no other one dominates, fittest first.
#[derive(Clone, PartialEq, Debug)]
pub struct Front {
    pub generation: u64,
    pub points: Vec<(f64, u32)>,
}

impl Front {
    /// Returns the greatest fitness of a program of at most this many nodes; NaN if there is none.
    pub fn best_within(&self, nodes: u32) -> f64 {
        let first = self.points.partition_point(|point| point.1 > nodes);
        self.points.get(first).map_or(f64::NAN, |point| point.0)
    }

    /// Adds the next individual in the order of ranks.
    fn add(&mut self, fitness: f64, nodes: u32) {
        match self.points.last_mut() {
            Some(last) if last.1 <= nodes => {}
            Some(last) if last.0 == fitness => last.1 = nodes,
            _ => self.points.push((fitness, nodes)),
        }
    }
}

/// Returns the fronts of at most `most` generations at equal distances, the first and the last among them; none if the run keeps no
/// individuals.
///
/// # Errors
/// The files cannot be read, or a row has no fitness or no size.
pub fn fronts(folder: &Path, most: usize) -> Result<Vec<Front>, Error> {
    if !folder.join(INDIVIDUALS).exists() {
        return Ok(Vec::new());
    }
    let last = Columns::open(folder)?.numbers(0)?.len().saturating_sub(1);
    let gaps = most.saturating_sub(1).clamp(1, last.max(1));
    let mut fronts: Vec<Front> = Vec::new();
    for at in (0..=gaps).map(|gap| (gap * last / gaps) as u64) {
        if fronts.last().is_none_or(|front| front.generation < at) {
            fronts.push(Front { generation: at, points: Vec::new() });
        }
    }
    let columns = Columns::open_file(folder, INDIVIDUALS)?;
    let column = |wanted: &str| columns.names.iter().position(|name| name == wanted);
    let (Some(fitness), Some(nodes)) = (column("fitness_points"), column("size_nodes")) else {
        bail!("{INDIVIDUALS} of {} has no columns fitness_points and size_nodes", folder.display());
    };
    // A program may have several lines, within quotes.
    let mut is_within = false;
    let mut wrong = None;
    columns.each(|line| {
        let begins = !is_within;
        is_within ^= line.matches('"').count() % 2 == 1;
        let generation = line.split_once(',').and_then(|(generation, _)| generation.parse().ok());
        let Some(front) = fronts.iter_mut().find(|front| begins && Some(front.generation) == generation) else {
            return;
        };
        let field = |number: usize| line.split(',').nth(number);
        match (field(fitness).and_then(|text| text.parse().ok()), field(nodes).and_then(|text| text.parse().ok())) {
            (Some(fitness), Some(nodes)) => front.add(fitness, nodes),
            _ => wrong = wrong.take().or_else(|| Some(line.chars().take(80).collect::<String>())),
        }
    })?;
    match wrong {
        Some(line) => bail!("{INDIVIDUALS} of {}: a row has no fitness or no size: {line}", folder.display()),
        None => Ok(fronts.into_iter().filter(|front| !front.points.is_empty()).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Budget, Job as _, Status};
    use crate::evolve::checks::preset;
    use crate::evolve::gp::population::front;
    use crate::job::RunJob;
    use crate::pool::Pool;

    /// As the population has them in each generation, of programs with several lines too.
    #[test]
    fn fronts_are_those_of_the_kept_individuals() {
        for name in ["mancala-gp-1", "othello-gp-50-staged"] {
            let folder = tempfile::tempdir().unwrap();
            let opponents = if name.starts_with("othello") { "random" } else { "max" };
            let settings = preset(name, &[("population", "60"), ("generations", "7"), ("opponents", opponents)]);
            assert_eq!(fronts(folder.path(), 6).unwrap(), []);
            let run = folder.path().join("run");
            let mut job = RunJob::create_with_individuals(&run, settings, &Pool::alone()).unwrap();
            while job.step(Budget::UNLIMITED) == Status::Running {}
            let text = std::fs::read_to_string(run.join(INDIVIDUALS)).unwrap();
            let column =
                |wanted: &str| text.lines().next().unwrap().split(',').position(|name| name == wanted).unwrap();
            let (fitness, nodes) = (column("fitness_points"), column("size_nodes"));
            let found = fronts(&run, 4).unwrap();
            let last = found.last().unwrap().generation;
            assert!((3..=4).contains(&found.len()) && found[0].generation == 0, "{found:?}");
            assert!(last == 7 || name.starts_with("othello"), "{found:?}");
            for Front { generation, points } in &found {
                let start = format!("{generation},");
                let rows = text.lines().filter(|line| line.starts_with(&start) && line.contains(",\""));
                let of = |row: &str, at: usize| row.split(',').nth(at).unwrap().to_owned();
                let all: Vec<(f64, u32)> =
                    rows.map(|row| (of(row, fitness).parse().unwrap(), of(row, nodes).parse().unwrap())).collect();
                assert_eq!(all.len(), 60, "{name}");
                let expected: Vec<(f64, u32)> = front(&all).into_iter().map(|at| all[at]).collect();
                assert_eq!(points, &expected);
                for within in [1, 5, 20, 10_000] {
                    let best = all.iter().filter(|one| one.1 <= within).map(|one| one.0).fold(f64::NAN, f64::max);
                    let found = Front { generation: *generation, points: points.clone() }.best_within(within);
                    assert!(found == best || (found.is_nan() && best.is_nan()), "{found} {best}");
                }
            }
        }
    }
}
