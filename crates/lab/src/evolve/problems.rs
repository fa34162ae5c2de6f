//! The interface of any problem, for the command line, the tab and the list of runs.
//!
//! To add a problem, create a module that implements [`Problem`](super::gp::Problem) and [`Inspect`], and add a line to the [list of
//! kinds](crate::kinds).

use mancalab_base::Error;
use std::path::Path;
use std::sync::Arc;

use super::gp::{EvolutionView, GpSettings, History, Tableau, problem::Settings as _};
use super::inspect::{self, AnyProgram, AnyView, Inspect};
use crate::game::{Side, Variant};
use crate::player::Spec;

/// The name of the settings in `[evolution]` of the configuration.
pub const CUSTOM: &str = "custom";

/// A snapshot of a run of any problem, with its settings.
#[derive(Clone)]
pub struct Snapshot {
    pub settings: Arc<dyn AnyProblem>,
    pub view: Arc<dyn AnyView>,
}

impl Snapshot {
    pub(crate) fn new<P: Inspect>(view: EvolutionView<P>) -> Snapshot {
        let settings = Arc::new(GpSettings::<P>(Arc::clone(&view.settings)));
        Snapshot { settings, view: Arc::new(view) }
    }
}

/// A problem with its settings.
pub trait AnyProblem: Send + Sync {
    fn tableau(&self) -> &Tableau;

    /// See [`Inspect::game`].
    fn game(&self) -> Variant;

    /// See [`Inspect::side`].
    fn side(&self) -> Side;

    /// See [`Inspect::opponent`].
    ///
    /// # Errors
    /// Returns an error if it has no player text.
    fn opponent(&self) -> Result<Spec, Error>;

    /// See [`Inspect::greatest_sum`].
    fn greatest_sum(&self) -> Option<(u32, u32)>;

    /// See [`Inspect::PLAYER`].
    fn player_word(&self) -> &'static str;

    /// Returns the player that reads a program from a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or contains no program.
    fn player(&self, file: &Path) -> Result<Spec, Error> {
        format!("{}:{}", self.player_word(), file.display()).parse()
    }

    /// Returns the program in the text of a file; `None` if there is none.
    fn program_in(&self, text: &str) -> Option<Arc<dyn AnyProgram>>;

    /// Returns the program in the text of a file of unknown origin, whatever these settings are; `None` if it holds no program of
    /// this problem.
    fn foreign_program(&self, text: &str) -> Option<Arc<dyn AnyProgram>>;

    /// Returns the empty history of a new run.
    fn history(&self) -> History;
}

impl<P: Inspect> AnyProblem for GpSettings<P> {
    fn tableau(&self) -> &Tableau {
        self.0.tableau()
    }

    fn game(&self) -> Variant {
        P::game(&self.0)
    }

    fn side(&self) -> Side {
        P::side(&self.0)
    }

    fn opponent(&self) -> Result<Spec, Error> {
        P::opponent(&self.0)
    }

    fn greatest_sum(&self) -> Option<(u32, u32)> {
        P::greatest_sum(&self.0)
    }

    fn player_word(&self) -> &'static str {
        P::PLAYER
    }

    fn program_in(&self, text: &str) -> Option<Arc<dyn AnyProgram>> {
        inspect::program_in::<P>(&self.0, text)
    }

    fn foreign_program(&self, text: &str) -> Option<Arc<dyn AnyProgram>> {
        inspect::program_in::<P>(&P::settings_for(text)?, text)
    }

    fn history(&self) -> History {
        History::new(self.0.measures())
    }
}
