//! What programs are bred for, whichever problem it is: all that the command line, the tab and the list of runs know of it.
//!
//! A problem is added by a folder that implements [`Problem`] and [`Inspect`], and a line in the [list of kinds](crate::kinds).

use mancalab_base::Error;
use std::path::Path;
use std::sync::Arc;

use super::gp::{EvolutionView, History, Problem, Tableau, problem::Settings as _};
use super::inspect::{self, AnyProgram, AnyView, Inspect};
use crate::game::{Side, Variant};
use crate::player::Spec;

/// The name of the settings in config's `[evolution]`.
pub const CUSTOM: &str = "custom";

/// A run of any problem as it stands, with its settings.
#[derive(Clone)]
pub struct Snapshot {
    pub settings: Arc<dyn AnyProblem>,
    pub view: Arc<dyn AnyView>,
}

impl Snapshot {
    pub(crate) fn of<P: Inspect>(view: EvolutionView<P>) -> Snapshot {
        let settings = Arc::new(Of::<P>(Arc::clone(&view.settings)));
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
    /// It cannot be named: a sentence.
    fn opponent(&self) -> Result<Spec, Error>;

    /// See [`Inspect::PLAYER`].
    fn player_word(&self) -> &'static str;

    /// The player who reads a program from a file.
    ///
    /// # Errors
    /// The file cannot be read, or holds no program: why.
    fn player(&self, file: &Path) -> Result<Spec, Error> {
        format!("{}:{}", self.player_word(), file.display()).parse()
    }

    /// The program in the text of a file; `None` if there is none.
    fn program_in(&self, text: &str) -> Option<Arc<dyn AnyProgram>>;

    /// The history of a run that has none yet.
    fn history(&self) -> History;
}

/// The settings of a problem `P`.
struct Of<P: Problem>(Arc<P::Settings>);

/// A problem with these settings.
pub(crate) fn any<P: Inspect>(settings: &P::Settings) -> Arc<dyn AnyProblem> {
    Arc::new(Of::<P>(Arc::new(settings.clone())))
}

impl<P: Inspect> AnyProblem for Of<P> {
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

    fn player_word(&self) -> &'static str {
        P::PLAYER
    }

    fn program_in(&self, text: &str) -> Option<Arc<dyn AnyProgram>> {
        inspect::program_in::<P>(&self.0, text)
    }

    fn history(&self) -> History {
        History::new(self.0.measures())
    }
}
