//! What the trees of an individual are: for each function a tree.

use std::sync::Arc;

use super::settings::Settings;
use super::stages::Training;
use crate::evolve::gp::Genome;
use crate::player::Staged;
use crate::player::staged::Stage;
use crate::program::othello::{Function, OthelloLanguage};
use crate::program::{Grammar, simplified};

/// The functions of an individual with their shares of the game in percent.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    shares: Vec<u32>,
}

impl Layout {
    pub fn of(settings: &Settings) -> Layout {
        match settings.training {
            Training::Together => Layout { shares: settings.shares.all().to_vec() },
            Training::Stage(_) => Layout { shares: vec![100] },
        }
    }

    /// The player by these trees.
    pub fn player(&self, program: &Genome<OthelloLanguage>) -> Staged {
        let stage = |(tree, &share): (&Function, &u32)| Stage { function: Arc::new(tree.clone()), share };
        Staged::new(program.trees().iter().zip(&self.shares).map(stage).collect())
    }

    /// The player's text without what never matters, and how many nodes it has then.
    pub fn simplified(&self, program: &Genome<OthelloLanguage>) -> (String, usize) {
        let simple: Vec<Function> = program.trees().iter().map(simplified).collect();
        let nodes = simple.iter().map(Function::size).sum();
        (Genome::new(simple).map(|simple| self.player(&simple).stages_text()).unwrap_or_default(), nodes)
    }

    pub fn grammars(&self, functions: &[String]) -> Result<Vec<Grammar<OthelloLanguage>>, String> {
        self.shares.iter().map(|_| Grammar::with_functions(functions)).collect()
    }
}
