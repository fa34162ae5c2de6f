//! The settings of genetic programming on a problem, from which runs are started and restored.

use mancalab_base::{Error, bail};
use std::sync::Arc;

use super::problem::{Problem, Settings as _};
use super::row::History;
use super::run::{GpRun, NON_SEMANTIC, TIMING_COLUMNS};
use super::view::FromRows;
use crate::job::conduct::Conduct;
use crate::job::measured::Measurement;
use crate::job::run_dir::CONDUCT;
use crate::job::{Form, Manifest, Rows, Run, RunSettings, View, Watched};
use crate::settings::{Diagnostic, Field, KeyedSettings, Table};

/// Settings that only decide how the next generations are bred, which a fork may change besides `seed` and `generations`.
const FORKED: [&str; 14] = [
    "crossover",
    "points",
    "mutation",
    "selection",
    "sharing",
    "elitism",
    "mutation_depth",
    "max_depth",
    "prefer_small",
    "functions",
    "migration_every",
    "migrants",
    "max_nodes",
    "memory",
];

/// The settings of runs on the problem `P`.
pub struct GpSettings<P: Problem>(pub Arc<P::Settings>);

impl<P: Problem> GpSettings<P> {
    /// The file format of such runs.
    pub const FORM: Form = Form {
        kind: P::KIND,
        format: 1,
        timing_columns: TIMING_COLUMNS,
        free: NON_SEMANTIC,
        curve: Some("best_fitness_points"),
        read: read::<P>,
    };

    pub fn new(settings: P::Settings) -> GpSettings<P> {
        GpSettings(Arc::new(settings))
    }
}

fn read<P: Problem>(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Box<dyn RunSettings> {
    let mut settings = P::unread(&manifest.preset, manifest.seed, manifest.generations);
    settings.read(table, problems);
    if problems.is_empty() && manifest.reproducible != settings.is_reproducible() {
        let why = match manifest.reproducible {
            true => "an opponent or a fitness that is another program requires `reproducible = false` above",
            false => "`reproducible = false` requires an opponent or a fitness that is another program",
        };
        problems.push(Diagnostic::new(table.at(), why));
    }
    GpSettings::<P>::new(settings).into()
}

impl<P: Problem> KeyedSettings for GpSettings<P> {
    fn fields(&self) -> Vec<Field> {
        self.0.fields()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        Arc::make_mut(&mut self.0).set(key, value)
    }
}

impl<P: Problem> RunSettings for GpSettings<P> {
    fn boxed(&self) -> Box<dyn RunSettings> {
        GpSettings::<P>(Arc::clone(&self.0)).into()
    }

    fn form(&self) -> Form {
        GpSettings::<P>::FORM
    }

    fn manifest(&self) -> Manifest {
        let tableau = self.0.tableau();
        let reproducible = self.0.is_reproducible();
        Manifest { reproducible, ..Manifest::new(P::KIND, self.0.preset(), tableau.seed, tableau.generations) }
    }

    fn columns(&self) -> &'static str {
        self.0.measures().columns
    }

    fn individual_columns(&self) -> Option<&'static str> {
        Some(self.0.measures().individual_columns)
    }

    fn files(&self) -> Vec<(String, u64)> {
        [self.0.files(), self.0.tableau().initial.files()].concat()
    }

    fn conduct(&self) -> Conduct {
        self.0.tableau().conduct
    }

    fn check(&self) -> Result<(), Error> {
        self.0.check()?;
        P::measurement(&self.0).map(drop)
    }

    fn measurement(&self) -> Result<Option<Box<dyn Measurement>>, Error> {
        P::measurement(&self.0)
    }

    /// Programs keep the fitness that they had before the fork.
    fn check_fork(&self, parent: &dyn RunSettings) -> Result<(), Error> {
        let before = parent.list();
        let changed = self
            .list()
            .into_iter()
            .zip(before)
            .find(|((key, _, now), (_, _, then))| now != then && !FORKED.contains(key) && !CONDUCT.contains(key));
        // Programs of the one have no results that the other needs.
        let by_cases = |settings: &dyn RunSettings| {
            settings.list().iter().any(|(key, _, value)| match *key {
                "selection" => value == "lexicase",
                "sharing" => value.parse() != Ok(0.0),
                _ => false,
            })
        };
        if by_cases(self) != by_cases(parent) {
            bail!(
                "selection cannot change from or to lexicase, nor sharing from or to 0: one run has results against single \
                 opponents, the other none; start a run with initial instead"
            );
        }
        match changed {
            None => Ok(()),
            Some(((key, _, now), (_, _, then))) => bail!(
                "{key} is {now} instead of {then}, but the programs up to there were bred and judged by it; a fork may change {}; \
                 for other changes start a run with initial",
                FORKED.join(", ")
            ),
        }
    }

    fn start_unmeasured(&self) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(GpRun::<P>::start(Arc::clone(&self.0))?))
    }

    fn restore_unmeasured(&self, state: &[u8], rows: Rows<'_>) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(GpRun::<P>::restore(Arc::clone(&self.0), state, rows)?))
    }

    fn watch_unmeasured(&self) -> Box<dyn Watched> {
        Box::new(FromRows::new(History::new(self.0.measures())))
    }

    fn view_from_checkpoint(&self, state: &[u8], seen: &dyn Watched) -> Option<View> {
        GpRun::<P>::view_from_checkpoint(&self.0, state, seen.get()?).map(P::to_view)
    }
}
