//! Fitness by playing: each program plays every opponent twice, moving first and second.
//!
//! Opponents are deterministic, so all games against one of them from one side are walks in a graph (`graph`). Its nodes are
//! the positions with the program to move; an edge is the program's move and all replies up to the next such position. The
//! graph grows at the first visit of an edge; every later visit costs one table look-up per move. Programs play in rounds: they
//! walk as far as the graph reaches (`walks`, in parallel, without writing), then the missing edges are computed (`replies`, in
//! parallel, each once) and inserted (sequentially).
//!
//! Champions, opponents from the previous generation, begin with empty graphs when they change.
//!
//! Graphs grow from generation to generation. Once they exceed the setting `memory`, the next generation begins with empty ones;
//! results do not depend on that.
//!
//! The number of programs in progress is limited, which bounds the work between two rounds and the memory of compiled programs.

use std::sync::Arc;

use mancalab_base::{Error, bail};
use mancalab_evolve::formula::{Formula, Quantity};

use super::BredGame;
use super::settings::Settings;
use super::walks::{Batch, Evaluation, Walks};
use crate::budget::{Budget, Status};
use crate::evolve::champion::panel_of_programs;
use crate::evolve::fitness_command::CommandEvaluation;
use crate::evolve::fitness_text;
use crate::evolve::gp::problem::Settings as _;
use crate::evolve::gp::{EvolutionView, Genome, Memo, Outcome, Problem};
use crate::evolve::opponent::{self, OpponentKind};
use crate::evolve::problems::Snapshot;
use crate::game::of_pits;
use crate::job::View;
use crate::job::measured::Measurement;
use crate::player::{self, Player, ProgramPlayer, Spec};
use crate::pool::Pool;
use crate::program::kalah::{
    BowlLanguage as _, KalahLanguage, ProgramGame, ProgramReading, grammar as grammar_of, random_program,
};
use crate::program::{Grammar, Tree, simplified};

/// Evolution of programs that play Kalah or another game of pits.
pub struct KalahProblem {
    settings: Settings,
    evaluation: Box<dyn Evaluation>,
    /// For a fitness that is a command.
    command: Option<CommandEvaluation>,
}

/// Returns the evaluation in a game that starts with this position, with this many bytes for the graphs.
fn evaluation<G: BredGame>(start: G, settings: &Settings, memory: usize) -> Box<dyn Evaluation> {
    let how = (settings.fitness.clone(), settings.reading, settings.needs_cases());
    Box::new(Walks::new(start, rivals(settings, &[]), how, memory, settings.tableau.seed))
}

/// Returns the grammar with the constants of a game, the numbers of its bowls.
fn grammar<G: ProgramGame>(grammar: Grammar<KalahLanguage>) -> Grammar<KalahLanguage> {
    grammar.with_constants_of::<G::Language>()
}

/// Returns the simplified program of a game in short form, and its number of nodes.
fn simplified_in<G: ProgramGame>(program: &Genome<KalahLanguage>) -> (String, usize) {
    let simple = simplified(&*G::Language::own(program.first()));
    (simple.to_sexpr(), simple.size())
}

impl KalahProblem {
    fn with_memory(settings: &Settings, memory: usize) -> Result<KalahProblem, Error> {
        if settings.opponents.is_empty() {
            bail!("opponents must contain at least one, such as minimax:8");
        }
        settings.check_opponents()?;
        let start = settings.variant().start();
        let evaluation = of_pits!(Pits => Pits::try_from(start).ok().map(|start| evaluation(start, settings, memory)));
        // The setting accepts games of pits only.
        let evaluation = evaluation.ok_or_else(|| format!("programs do not play {}", settings.variant()))?;
        let command = settings.fitness.command().map(|command| CommandEvaluation::new(command, &settings.command));
        Ok(KalahProblem { settings: settings.clone(), evaluation, command })
    }
}

impl Problem for KalahProblem {
    type Language = KalahLanguage;
    type Settings = Settings;
    type Batch = Batch;

    const KIND: &'static str = "gp";

    fn new(settings: &Settings) -> Result<KalahProblem, Error> {
        KalahProblem::with_memory(settings, (settings.memory as usize) << 20)
    }

    fn unread(preset: &str, seed: u64, generations: u64) -> Settings {
        let mut settings = Settings { preset: preset.to_owned(), ..Settings::default() };
        (settings.tableau.seed, settings.tableau.generations) = (seed, generations);
        settings
    }

    fn grammars(settings: &Settings) -> Result<Vec<Grammar<KalahLanguage>>, Error> {
        let whole = grammar_of(&settings.tableau.functions)?;
        let start = settings.variant().start();
        let own = of_pits!(Pits => Pits::try_from(start).ok().map(|_| grammar::<Pits>(whole.clone())));
        Ok(vec![own.unwrap_or(whole)])
    }

    /// The champions change.
    fn changes(&self) -> bool {
        self.champions_wanted() > 0
    }

    /// The champions grow stronger.
    fn is_relative(&self) -> bool {
        self.champions_wanted() > 0
    }

    fn champions_wanted(&self) -> usize {
        opponent::champions(&self.settings.opponents)
    }

    fn meet(&mut self, champions: Vec<Arc<Genome<KalahLanguage>>>) {
        if self.champions_wanted() > 0 {
            self.evaluation.meet(rivals(&self.settings, &champions));
        }
    }

    fn begin(&mut self, programs: Vec<Arc<Genome<KalahLanguage>>>, _: u64) -> Batch {
        self.evaluation.begin();
        Batch::new(programs, self.command.is_some())
    }

    fn advance(&mut self, batch: &mut Batch, pool: &Pool, budget: Budget) -> Status {
        match (self.evaluation.advance(batch, pool, budget), &mut self.command) {
            (Status::Done, Some(command)) => batch.advance(command, budget),
            (status, _) => status,
        }
    }

    fn failure(&mut self) -> Option<Error> {
        self.command.as_mut()?.failure()
    }

    fn evaluated(batch: &Batch) -> usize {
        batch.evaluated()
    }

    /// The seeds against each opponent in each seat.
    fn cases(batch: &mut Batch) -> Vec<Arc<[f64]>> {
        batch.take_cases()
    }

    fn finish(batch: Batch) -> Vec<Outcome> {
        batch.outcomes()
    }

    fn memo(&self) -> Memo {
        self.evaluation.memo()
    }

    /// The format of `program:FILE`.
    fn text(_: &Settings, program: &Genome<KalahLanguage>) -> String {
        program.first().to_notation()
    }

    fn read(_: &Settings, text: &str) -> Result<Genome<KalahLanguage>, Error> {
        Ok(Tree::parse(text)?.into())
    }

    fn simplified(settings: &Settings, program: &Genome<KalahLanguage>) -> (String, usize) {
        let start = settings.variant().start();
        let simple = of_pits!(Pits => Pits::try_from(start).ok().map(|_| simplified_in::<Pits>(program)));
        simple.unwrap_or_default()
    }

    fn measurement(settings: &Settings) -> Result<Option<Box<dyn Measurement>>, Error> {
        panel_of_programs::<Self>(&settings.panel, settings)
    }

    fn to_view(view: EvolutionView<Self>) -> View {
        View::new(Snapshot::new(view))
    }
}

/// An opponent of all programs of a generation.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rival {
    /// Its number among all possible opponents.
    pub place: usize,
    /// The key of its random draws, the same for all champions of a setting.
    pub number: u64,
    pub spec: Spec,
    /// Its share of all games.
    pub weight: f64,
    /// How it reads the board, if that is not for its player to choose: a champion plays as it was bred.
    pub reading: Option<ProgramReading>,
}

impl Rival {
    /// Returns whether it plays as the other does.
    pub fn plays_as(&self, other: &Rival) -> bool {
        self.number == other.number && self.reading == other.reading && self.spec == other.spec
    }

    /// Returns a player for one thread; `None` for a human.
    pub fn player<G: BredGame>(&self) -> Option<Box<dyn Player<G>>> {
        match (&self.spec, self.reading) {
            (Spec::Program(named), Some(reading)) => {
                Some(Box::new(ProgramPlayer::<G>::with_reading(&named.program, reading)))
            }
            (spec, _) => player::build(spec).ok(),
        }
    }
}

/// Returns the opponents of a generation, random programs and champions individually. `champions` are the fittest programs of the
/// previous generation, fittest first; the random player replaces them in the first generation.
pub(super) fn rivals(settings: &Settings, champions: &[Arc<Genome<KalahLanguage>>]) -> Vec<Rival> {
    let all: f64 = settings.opponents.iter().map(|opponent| opponent.weight).sum();
    let mut rivals = Vec::new();
    let mut number = 0;
    for opponent in &settings.opponents {
        let (specs, most): (Vec<Spec>, u32) = match &opponent.kind {
            OpponentKind::Player(spec) => (vec![spec.clone()], 1),
            OpponentKind::Programs(count) => {
                let program = |number: u32| random_program(settings.tableau.seed, number.into());
                let spec = |number: u32| Spec::program(format!("random-{number}"), program(number));
                ((0..*count).map(spec).collect(), *count)
            }
            OpponentKind::Champions(count) => {
                let fittest = champions.iter().take(*count as usize);
                let fittest = fittest.map(|program| Spec::program("champion", program.first().clone()));
                (opponent::or_random(fittest.collect()), *count)
            }
        };
        let are_champions = matches!(opponent.kind, OpponentKind::Champions(_));
        let weight = opponent.weight / all / specs.len() as f64;
        rivals.extend(specs.into_iter().zip(number..).map(|(spec, place)| Rival {
            place: place as usize,
            number: if are_champions { number } else { place },
            spec,
            weight,
            reading: are_champions.then_some(settings.reading),
        }));
        number += u64::from(most);
    }
    rivals
}

/// A fitness function.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Fitness {
    /// The sum of both scores: the source's first run.
    #[default]
    Sum,
    /// 100 times the sum, minus the number of nodes, at least 1: the source's second run.
    SumLessNodes,
    /// The sum times (100 minus the number of nodes), at least 1: the other reading of the second run. Under it programs shrink
    /// to nothing.
    SumTimesRest,
    /// A formula of [`QUANTITIES`], at least 0.
    Formula(Formula),
    /// The answer of a shell command.
    Command(String),
}

/// What a program has achieved, weighted as its opponents are.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Achievement {
    /// Mean seeds moving first and moving second.
    pub scores: [f64; 2],
    /// Games won in percent; a draw counts half.
    pub won: f64,
    /// Own seeds less the opponent's, a game.
    pub margin: f64,
    /// Own moves a game.
    pub moves: f64,
    pub nodes: usize,
    pub depth: usize,
}

/// The quantities of formulas, in the order of [`Achievement::quantities`].
pub const QUANTITIES: &[Quantity] = &[
    ("sum", "seeds moving first and moving second, together"),
    ("first", "seeds moving first"),
    ("second", "seeds moving second"),
    ("won", "games won in percent; a draw counts half"),
    ("margin", "own seeds less the opponent's, mean of the games"),
    ("moves", "own moves, mean of the games"),
    ("nodes", "nodes of the program"),
    ("depth", "depth of the program"),
];

impl Achievement {
    pub fn quantities(&self) -> [f64; 8] {
        let Achievement { scores: [first, second], won, margin, moves, nodes, depth } = *self;
        [first + second, first, second, won, margin, moves, nodes as f64, depth as f64]
    }
}

impl Fitness {
    /// The words in configuration files and flags.
    pub const WORDS: &'static [(&'static str, Fitness)] =
        &[("sum", Fitness::Sum), ("sum-less-nodes", Fitness::SumLessNodes), ("sum-times-rest", Fitness::SumTimesRest)];

    /// Returns the fitness of a program; 0 of a command's, which is computed later.
    pub(super) fn value(&self, achieved: &Achievement) -> f64 {
        let Achievement { scores: [first, second], nodes, .. } = *achieved;
        let sum = first + second;
        match self {
            Fitness::Sum => sum,
            Fitness::SumLessNodes => (100.0 * sum - nodes as f64).max(1.0),
            Fitness::SumTimesRest => (sum * (100.0 - nodes as f64)).max(1.0),
            Fitness::Formula(formula) => fitness_text::admitted(formula.value(&achieved.quantities())),
            Fitness::Command(_) => 0.0,
        }
    }
}

fitness_text::text_of!(Fitness, QUANTITIES);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::kalah::random_program;
    use crate::settings::KeyedSettings;

    #[test]
    fn memory_bounds_the_graphs_and_changes_no_outcome() {
        let mut settings = Settings::preset("mancala-gp-broad").unwrap();
        settings.set("opponents", "[\"minimax:3\", \"max\"]").unwrap();
        let outcomes = |memory: usize| {
            let mut problem = KalahProblem::with_memory(&settings, memory).unwrap();
            let mut largest = 0;
            let generation = |number: u64| {
                let programs = (0..30).map(|one| Arc::new(Genome::from(random_program(number, one)))).collect();
                let mut batch = problem.begin(programs, number);
                let begun = problem.evaluation.bytes();
                largest = largest.max(begun);
                while problem.advance(&mut batch, &Pool::alone(), Budget::time(std::time::Duration::from_secs(60)))
                    == Status::Running
                {}
                KalahProblem::finish(batch)
            };
            let outcomes: Vec<_> = (0..4).map(generation).collect();
            (outcomes, largest)
        };
        let (unbounded, large) = outcomes(usize::MAX);
        let (bounded, small) = outcomes(20_000);
        assert_eq!(bounded, unbounded);
        assert!(small <= 20_000 && large > 20_000, "{small} {large}");
    }

    #[test]
    fn formulas_and_words_agree() {
        let achieved = Achievement { scores: [41.0, 31.0], won: 100.0, margin: 24.0, moves: 30.0, nodes: 57, depth: 9 };
        let of = |text: &str| text.parse::<Fitness>().unwrap().value(&achieved);
        assert_eq!((of("sum"), of("first + second")), (72.0, 72.0));
        assert_eq!((of("sum-less-nodes"), of("max(1, 100*sum - nodes)")), (7143.0, 7143.0));
        assert_eq!((of("sum-times-rest"), of("max(1, sum * (100 - nodes))")), (3096.0, 3096.0));
        assert_eq!(of("won + margin / 48 + 0*moves - depth"), 91.5);
        // Selection needs numbers from 0.
        assert_eq!([of("-sum"), of("sum / 0"), of("0 / 0")], [0.0; 3]);
    }

    #[test]
    fn texts_come_back_or_are_refused_with_what_is_accepted() {
        for text in ["sum", "sum-less-nodes", "100*sum - nodes"] {
            assert_eq!(text.parse::<Fitness>().unwrap().to_string(), text);
        }
        let error = |text: &str| text.parse::<Fitness>().unwrap_err().to_string();
        assert!(error("sum-les-nodes").contains("sum-less-nodes"), "{}", error("sum-les-nodes"));
        assert!(error("100*sun").contains("no quantity is named 'sun' (did you mean 'sum'?)"), "{}", error("100*sun"));
    }
}
