//! Fitness by playing: the games of each program are divided among the opponents.
//!
//! The outcome of a program depends on the program, the settings and, if every generation plays other games, the number of the
//! generation; with champions also on the previous generation.

use mancalab_base::Error;
use std::sync::Arc;

use super::bouts::{Bout, Bouts, Seats};
use super::case::cases;
use super::fitness::{QUANTITIES, Results};
use super::game::{Tally, Terms};
use super::settings::Settings;
use super::trees::Layout;
use crate::budget::{Budget, Status};
use crate::evolve::fitness_command::{CommandBatch, CommandEvaluation, request};
use crate::evolve::gp::{EvolutionView, Genome, Outcome, Problem, Scores};
use crate::evolve::opponent;
use crate::evolve::problems::Snapshot;
use crate::job::View;
use crate::job::measured::Measurement;
use crate::pool::Pool;
use crate::program::Grammar;
use crate::program::othello::OthelloLanguage;
use crate::work::WorkList;

/// Evolution of functions that evaluate Othello boards.
pub struct OthelloProblem {
    settings: Settings,
    layout: Layout,
    grammars: Vec<Grammar<OthelloLanguage>>,
    /// The fittest programs of the previous generation, fittest first.
    champions: Vec<Arc<Genome<OthelloLanguage>>>,
    /// For a fitness that is a command.
    command: Option<CommandEvaluation>,
}

/// Programs being evaluated.
pub struct Batch {
    settings: Settings,
    bouts: Bouts,
    playing: WorkList<Seats, Bout>,
    /// The results of each program against each opponent, program by program.
    tallies: Vec<Option<Tally>>,
    /// Number of remaining opponents of each program.
    left: Vec<usize>,
    /// Number of programs that have played all opponents.
    evaluated: usize,
    /// For a fitness that is a command.
    command: Option<CommandBatch>,
}

impl Batch {
    /// Returns the outcome of a program that has played all its games.
    fn outcome(&self, program: &Genome<OthelloLanguage>, tallies: &[Option<Tally>]) -> Outcome {
        let (achieved, behaviour) = self.achieved(program, tallies);
        let scores = Scores::new(&[achieved.discs, achieved.won]);
        Outcome { fitness: self.settings.fitness.value(&achieved, self.settings.games), scores, behaviour }
    }

    /// Returns the results of a program that has played all its games, and a hash of its moves.
    fn achieved(&self, program: &Genome<OthelloLanguage>, tallies: &[Option<Tally>]) -> (Results, u64) {
        let mut all = Tally::default();
        let mut behaviour = 0_u64;
        for tally in tallies.iter().flatten() {
            all.discs += tally.discs;
            all.won += tally.won;
            all.halves += tally.halves;
            all.margin += tally.margin;
            behaviour = behaviour.rotate_left(17) ^ tally.moves;
        }
        let games = self.settings.games;
        let each = 1.0 / f64::from(games);
        let achieved = Results {
            discs: all.discs as f64,
            won: 100.0 * each * f64::from(all.won),
            points: 50.0 * each * f64::from(all.halves),
            margin: each * all.margin as f64,
            nodes: program.size(),
            depth: program.depth(),
        };
        (achieved, behaviour)
    }

    /// Returns the command's lines for the programs, which have played.
    fn requests(&self) -> Vec<String> {
        let each = self.tallies.chunks(self.bouts.cases.len().max(1));
        let request = |(program, tallies): (&Arc<Genome<_>>, _)| {
            let quantities = self.achieved(program, tallies).0.quantities(self.settings.games);
            request(&OthelloProblem::text(&self.settings, program), QUANTITIES, &quantities)
        };
        self.bouts.programs.iter().zip(each).map(request).collect()
    }
}

impl Problem for OthelloProblem {
    type Language = OthelloLanguage;
    type Settings = Settings;
    type Batch = Batch;

    const KIND: &'static str = "othello-gp";

    fn new(settings: &Settings) -> Result<OthelloProblem, Error> {
        settings.check()?;
        let layout = Layout::new(settings);
        let grammars = OthelloProblem::grammars(settings)?;
        let command = settings.fitness.command().map(|command| CommandEvaluation::new(command, &settings.command));
        Ok(OthelloProblem { settings: settings.clone(), layout, grammars, champions: Vec::new(), command })
    }

    fn unread(preset: &str, seed: u64, generations: u64) -> Settings {
        let mut settings = Settings { preset: preset.to_owned(), ..Settings::default() };
        (settings.tableau.seed, settings.tableau.generations) = (seed, generations);
        settings
    }

    fn grammars(settings: &Settings) -> Result<Vec<Grammar<OthelloLanguage>>, Error> {
        Layout::new(settings).grammars(&settings.tableau.functions)
    }

    fn changes(&self) -> bool {
        self.settings.anew || self.champions_wanted() > 0
    }

    /// The champions grow stronger.
    fn is_relative(&self) -> bool {
        self.champions_wanted() > 0
    }

    fn champions_wanted(&self) -> usize {
        opponent::champions(&self.settings.opponents)
    }

    fn meet(&mut self, champions: Vec<Arc<Genome<OthelloLanguage>>>) {
        self.champions = champions;
    }

    fn begin(&mut self, programs: Vec<Arc<Genome<OthelloLanguage>>>, generation: u64) -> Batch {
        let cases = cases(&self.settings, &self.grammars, &self.layout, &self.champions);
        let terms = Terms::new(&self.settings, generation);
        Batch {
            tallies: vec![None; programs.len() * cases.len()],
            left: vec![cases.len(); programs.len()],
            bouts: Bouts { programs, cases, layout: self.layout.clone(), terms },
            playing: WorkList::default(),
            evaluated: 0,
            command: None,
            settings: self.settings.clone(),
        }
    }

    fn advance(&mut self, batch: &mut Batch, pool: &Pool, budget: Budget) -> Status {
        for played in batch.playing.advance(&batch.bouts, pool, budget) {
            batch.tallies[played.program * batch.bouts.cases.len() + played.case] = Some(played.tally);
            batch.left[played.program] -= 1;
            batch.evaluated += usize::from(batch.left[played.program] == 0);
        }
        if batch.evaluated < batch.bouts.programs.len() {
            return Status::Running;
        }
        let Some(command) = &mut self.command else { return Status::Done };
        if batch.command.is_none() {
            batch.command = Some(CommandBatch::new(batch.requests()));
        }
        batch.command.as_mut().map_or(Status::Done, |batch| batch.advance(command, budget))
    }

    fn failure(&mut self) -> Option<Error> {
        self.command.as_mut()?.failure()
    }

    fn evaluated(batch: &Batch) -> usize {
        match (&batch.command, batch.settings.fitness.command()) {
            (Some(command), _) => command.answered(),
            (None, Some(_)) => 0,
            (None, None) => batch.evaluated,
        }
    }

    /// The sum of the margins against each opponent.
    fn cases(batch: &mut Batch) -> Vec<Arc<[f64]>> {
        let margin = |tally: &Option<Tally>| tally.as_ref().map_or(0.0, |tally| tally.margin as f64);
        let each = batch.tallies.chunks(batch.bouts.cases.len().max(1));
        each.map(|tallies| tallies.iter().map(margin).collect()).collect()
    }

    fn finish(mut batch: Batch) -> Vec<Outcome> {
        let command = batch.command.take();
        let each = batch.tallies.chunks(batch.bouts.cases.len().max(1));
        let outcome = |(program, tallies): (&Arc<Genome<_>>, _)| batch.outcome(program, tallies);
        let outcomes = batch.bouts.programs.iter().zip(each).map(outcome);
        match command {
            Some(command) => command.outcomes(outcomes),
            None => outcomes.collect(),
        }
    }

    /// The format of `staged:FILE`.
    fn text(settings: &Settings, program: &Genome<OthelloLanguage>) -> String {
        Layout::new(settings).player(program).map(|player| player.file_text()).unwrap_or_default()
    }

    fn read(settings: &Settings, text: &str) -> Result<Genome<OthelloLanguage>, Error> {
        Layout::new(settings).read(text)
    }

    fn simplified(settings: &Settings, program: &Genome<OthelloLanguage>) -> (String, usize) {
        Layout::new(settings).simplified(program)
    }

    fn measurement(settings: &Settings) -> Result<Option<Box<dyn Measurement>>, Error> {
        settings.panel.of_programs::<Self>(settings)
    }

    fn to_view(view: EvolutionView<Self>) -> View {
        View::new(Snapshot::new(view))
    }
}
