//! The best of a run's newest generation as a player, which its [panel](crate::panel) meets.

use mancalab_base::Error;

use super::ga::{self, Ga, Genome, Task};
use super::gp::problem::Settings as _;
use super::gp::{GpRun, Tableau};
use super::inspect::Inspect;
use crate::job::Run;
use crate::job::measured::Measurement;
use crate::panel::Panel;
use crate::player::Spec;

/// Returns the [games](Panel::measurement) of a run that breeds programs.
///
/// # Errors
/// See [`measurement`](Panel::measurement).
pub(super) fn panel_of_programs<P: Inspect>(
    panel: &Panel,
    settings: &P::Settings,
) -> Result<Option<Box<dyn Measurement>>, Error> {
    let Tableau { seed, generations, .. } = *settings.tableau();
    panel.measurement(P::game(settings), (seed, generations), best_program::<P>)
}

pub(crate) fn best_program<P: Inspect>(run: &dyn Run) -> Result<Spec, Error> {
    let run = run.get::<GpRun<P>>().expect("it measures a run of its own problem");
    let population = run.population().expect("it measures a complete generation");
    P::spec(&P::text(run.settings(), &population.best().program))
}

/// A task of the genetic algorithm whose best meet a panel.
pub(crate) trait PanelTask: Task {
    fn panel(&self) -> &Panel;

    /// Returns the player with this genome.
    ///
    /// # Errors
    /// The genome gives no player: a sentence.
    fn spec(&self, genome: &Genome) -> Result<Spec, Error>;
}

/// Returns the [games](Panel::measurement) of a run that tunes weights.
///
/// # Errors
/// See [`measurement`](Panel::measurement).
pub(super) fn panel_of_genomes<T: PanelTask>(
    settings: &ga::Settings<T>,
) -> Result<Option<Box<dyn Measurement>>, Error> {
    let ga::Settings { seed, generations, ref task, .. } = *settings;
    task.panel().measurement(task.game(), (seed, generations), best_genome::<T>)
}

fn best_genome<T: PanelTask>(run: &dyn Run) -> Result<Spec, Error> {
    let run = run.get::<Ga<T>>().expect("it measures a run of its own task");
    let best = run.ranking().first().expect("it measures a complete generation");
    run.settings().task.spec(&best.individual.genome)
}
