//! The trees of an individual: one per function, each followed by one for its definition if definitions are enabled.

use mancalab_base::{Error, bail};
use std::sync::Arc;

use super::settings::Settings;
use super::stages::BredStages;
use crate::evolve::gp::Genome;
use crate::player::StagedSettings;
use crate::player::staged::{Schedule, Stage};
use crate::program::grow::CONSTANT;
use crate::program::language::{Language as _, Part};
use crate::program::othello::{ADF1, ARG1, Callee, Function, OthelloLanguage, count_names};
use crate::program::{Grammar, Tree, simplified};

/// A tree of an individual.
pub(super) type OthelloTree = Tree<OthelloLanguage>;

/// The mapping from an individual's trees to functions.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Each function's share of the game in percent.
    shares: Vec<u32>,
    /// The [overlap](StagedSettings::overlap) of the stages.
    overlap: u32,
    /// The shares of all stages, even if a single function is bred for one of them.
    stages: Vec<u32>,
    /// Number of arguments of the definitions; 0: none.
    arity: usize,
}

/// The trees of a function.
#[derive(Clone, Copy)]
pub(super) struct Trees<'a> {
    pub main: &'a OthelloTree,
    /// Its definition.
    pub body: Option<&'a OthelloTree>,
}

impl Layout {
    pub fn new(settings: &Settings) -> Layout {
        let shares = match settings.training {
            BredStages::Together => settings.shares.all().to_vec(),
            BredStages::Stage(_) => vec![100],
        };
        let overlap = settings.overlap;
        let arity = settings.adf as usize;
        Layout { shares, overlap, stages: settings.shares.all().to_vec(), arity }
    }

    /// Returns each function's share of the game in percent.
    pub fn shares(&self) -> &[u32] {
        &self.shares
    }

    /// Returns the probability of each function to be active after `put` discs.
    pub fn chances(&self, put: u32) -> Vec<f64> {
        let (stage, later) = Schedule::new(&self.shares, self.overlap).chance(put);
        let chance = |number| match number {
            same if same == stage => 1.0 - later,
            next if next == stage + 1 => later,
            _ => 0.0,
        };
        (0..self.shares.len()).map(chance).collect()
    }

    /// Returns the number of trees per function.
    fn each(&self) -> usize {
        1 + usize::from(self.arity > 0)
    }

    /// Returns the trees of each function.
    pub fn functions<'a>(&self, program: &'a Genome<OthelloLanguage>) -> impl Iterator<Item = Trees<'a>> {
        program.trees().chunks(self.each()).map(|trees| Trees { main: &trees[0], body: trees.get(1) })
    }

    /// Returns the player with these trees; `None` if they are too large for one.
    pub fn player(&self, program: &Genome<OthelloLanguage>) -> Option<StagedSettings> {
        let functions = self.functions(program).map(|trees| {
            let defined = |body: &OthelloTree| Callee { arity: self.arity, body: body.clone() };
            Function::new(trees.main.clone(), trees.body.map(defined)).ok()
        });
        self.staged(functions)
    }

    /// Returns an equivalent player that uses its first function in all stages of the game.
    pub fn in_all_stages(&self, player: &StagedSettings) -> StagedSettings {
        let first = |stage: &Stage| self.stages.iter().map(|&share| Stage { share, ..stage.clone() }).collect();
        StagedSettings::new(player.stages.first().map(first).unwrap_or_default())
    }

    /// Parses a program in the text of such a player.
    ///
    /// # Errors
    /// It has no functions, other stages or other calls.
    pub fn read(&self, text: &str) -> Result<Genome<OthelloLanguage>, Error> {
        let stages = StagedSettings::in_text(text)?.stages;
        let shares: Vec<u32> = stages.iter().map(|stage| stage.share).collect();
        if shares != self.shares {
            bail!("the functions have shares of {shares:?} percent of the game, not {:?}", self.shares);
        }
        let mut trees = Vec::new();
        for stage in &stages {
            trees.push(stage.function.main().clone());
            match stage.function.defined() {
                Some(defined) if defined.arity == self.arity => trees.push(defined.body.clone()),
                None if self.arity == 0 => {}
                _ => bail!("definitions need {} arguments (`adf`)", self.arity),
            }
        }
        Genome::new(trees).ok_or_else(|| "there is no function".into())
    }

    fn staged(&self, functions: impl Iterator<Item = Option<Function>>) -> Option<StagedSettings> {
        let stage = |(function, &share): (Option<Function>, &u32)| Some(Stage { function: Arc::new(function?), share });
        let stages = functions.zip(&self.shares).map(stage).collect::<Option<Vec<Stage>>>()?;
        Some(StagedSettings { overlap: self.overlap, ..StagedSettings::new(stages) })
    }

    /// Returns the player's simplified text and its number of nodes.
    pub fn simplified(&self, program: &Genome<OthelloLanguage>) -> (String, usize) {
        let mut nodes = 0;
        let functions = self.functions(program).map(|trees| {
            let main = simplified(trees.main);
            // A definition that is never called can be omitted.
            let defined = trees.body.filter(|_| calls(&main)).map(simplified);
            let function = Function::new(main, defined.map(|body| Callee { arity: self.arity, body })).ok()?;
            nodes += function.size();
            Some(function)
        });
        let text = self.staged(functions).map(|staged| staged.file_text());
        (text.unwrap_or_default(), nodes)
    }

    /// Returns the grammar of each tree: for a function these operators, the counts, the constant and calls; for a definition
    /// the operators, its arguments and the constant, like J. R. Koza's automatically defined functions.
    ///
    /// # Errors
    /// Returns an error with the known operators if one is unknown or the list is empty.
    pub fn grammars(&self, operators: &[String]) -> Result<Vec<Grammar<OthelloLanguage>>, Error> {
        let symbol = |symbol: usize| OthelloLanguage::SYMBOLS[symbol].name;
        let plain = (0..OthelloLanguage::SYMBOLS.len())
            .filter(|&at| OthelloLanguage::SYMBOLS[at].arity() > 0 && OthelloLanguage::part(at as u8) == Part::Plain);
        let known: Vec<&str> = plain.map(symbol).collect();
        if let Some(name) = operators.iter().find(|name| !known.contains(&name.as_str())) {
            bail!("no function is named '{name}'; known: {}", known.join(", "));
        }
        let with = |more: &[&str]| {
            let operators = operators.iter().map(String::as_str);
            Grammar::with_symbols(&operators.chain(more.iter().copied()).chain([CONSTANT]).collect::<Vec<_>>())
        };
        let counts = count_names();
        let mut grammars = Vec::new();
        for _ in &self.shares {
            match self.arity {
                0 => grammars.push(with(&counts)?),
                arity => {
                    let arguments: Vec<&str> = (0..arity).map(|at| symbol(usize::from(ARG1) + at)).collect();
                    let call = symbol(usize::from(ADF1) + arity - 1);
                    grammars.push(with(&[&counts[..], &[call]].concat())?);
                    grammars.push(with(&arguments)?);
                }
            }
        }
        Ok(grammars)
    }
}

/// Returns whether a function contains a call.
pub(super) fn calls(tree: &OthelloTree) -> bool {
    let is_call = |symbol: usize| OthelloLanguage::part(symbol as u8) == Part::Call;
    tree.counts()
        .iter()
        .take(OthelloLanguage::SYMBOLS.len())
        .enumerate()
        .any(|(symbol, &count)| count > 0 && is_call(symbol))
}
