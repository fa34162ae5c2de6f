//! Fitness by playing: the games of each program are divided among the opponents.
//!
//! The outcome of a program depends on the program, the settings and, if every generation plays other games, the number of the
//! generation; with champions also on the previous generation.
//!
//! The bouts of programs against opponents: all games of one program against one opponent. The result of a bout depends on its
//! program, its opponent and its games alone, not on threads or budgets.

use std::sync::Arc;

use mancalab_base::Error;

use super::fitness::{QUANTITIES, Results};
use super::game::{OthelloGame, Rival, Tally, Terms};
use super::settings::Settings;
use super::trees::Layout;
use crate::budget::{Budget, Status};
use crate::evolve::champion::panel_of_programs;
use crate::evolve::fitness_command::{CommandBatch, CommandEvaluation, request};
use crate::evolve::gp::{EvolutionView, Genome, Outcome, Problem, Scores};
use crate::evolve::opponent::{self, OpponentKind, or_random};
use crate::evolve::problems::Snapshot;
use crate::job::View;
use crate::job::measured::Measurement;
use crate::player::staged::{PLIES, Practice};
use crate::player::{self, Spec, StagedPlayer, StagedSettings};
use crate::pool::Pool;
use crate::program::Grammar;
use crate::program::othello::OthelloLanguage;
use crate::rng;
use crate::work::{Work, WorkList};

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
        panel_of_programs::<Self>(&settings.panel, settings)
    }

    fn to_view(view: EvolutionView<Self>) -> View {
        View::new(Snapshot::new(view))
    }
}

/// Approximate number of program nodes evaluated between two checks of the clock: some tenths of a millisecond.
const NODES: usize = 1 << 14;

/// The games to play.
pub(super) struct Bouts {
    pub programs: Vec<Arc<Genome<OthelloLanguage>>>,
    pub cases: Vec<Case>,
    pub layout: Layout,
    pub terms: Terms,
}

/// A worker's players.
#[derive(Default)]
pub(super) struct Seats {
    /// The program of its last bout.
    program: Option<Contender>,
    /// The player of each case, once created.
    rivals: Vec<Option<Rival>>,
}

/// A program ready to play.
struct Contender {
    number: usize,
    staged: StagedSettings,
    /// Number of nodes.
    size: usize,
    /// The staged player, once created.
    player: Option<StagedPlayer>,
    practice: Option<Practice>,
}

impl Contender {
    /// Returns `None` for a program too large for a player.
    fn new(number: usize, work: &Bouts) -> Option<Contender> {
        let program = &work.programs[number];
        let size = program.size();
        Some(Contender { number, staged: work.layout.player(program)?, size, player: None, practice: None })
    }

    /// Returns whether a whole game is short enough to skip checks of the clock.
    fn is_quick(&self) -> bool {
        self.pace(0) >= PLIES
    }

    /// Returns the number of moves, with an opponent of this many nodes, between two checks of the clock.
    fn pace(&self, rival: usize) -> u32 {
        (NODES / (self.size + rival + 64)).max(1) as u32
    }

    fn player(&mut self) -> &mut StagedPlayer {
        self.player.get_or_insert_with(|| StagedPlayer::new(self.staged.clone()))
    }

    /// Returns the state for games against the random player. If only one stage counts, the single function plays in all of
    /// them.
    fn practice(&mut self, work: &Bouts) -> &mut Practice {
        self.practice.get_or_insert_with(|| match work.terms.stage {
            None => Practice::new(&self.staged),
            Some(_) => Practice::new(&work.layout.in_all_stages(&self.staged)),
        })
    }
}

/// The games of a program against an opponent.
pub(super) struct Bout {
    program: usize,
    case: usize,
    /// Number of finished games.
    played: u32,
    playing: Option<OthelloGame>,
    tally: Tally,
}

/// The result of a program against an opponent, by their numbers.
pub(super) struct PairingResult {
    pub program: usize,
    pub case: usize,
    pub tally: Tally,
}

impl Work for Bouts {
    type Memory = Seats;
    type Item = Bout;
    type Output = PairingResult;

    fn memory(&self) -> Seats {
        Seats::default()
    }

    fn begin(&self, number: usize) -> Option<Bout> {
        if number >= self.programs.len() * self.cases.len() {
            return None;
        }
        let program = number / self.cases.len();
        let case = number % self.cases.len();
        Some(Bout { program, case, played: 0, playing: None, tally: Tally::default() })
    }

    fn advance(&self, seats: &mut Seats, bout: &mut Bout, budget: Budget) -> Option<PairingResult> {
        let is_over = seats.play(bout, self, budget);
        is_over.then_some(PairingResult { program: bout.program, case: bout.case, tally: bout.tally })
    }
}

impl Seats {
    /// Plays the bout to the end; returns false if the budget is spent first.
    fn play(&mut self, bout: &mut Bout, work: &Bouts, budget: Budget) -> bool {
        let case = &work.cases[bout.case];
        self.rivals.resize_with(work.cases.len(), || None);
        let rival = &mut self.rivals[bout.case];
        if rival.is_none() {
            *rival = case.rival();
        }
        // A human has no player and cannot be an opponent.
        let Some(rival) = rival else { return true };
        if self.program.as_ref().is_none_or(|seated| seated.number != bout.program) {
            self.program = Contender::new(bout.program, work);
        }
        let Some(seated) = &mut self.program else {
            bout.tally.forfeit(case.games);
            return true;
        };
        let practises = work.terms.practises && seated.is_quick() && matches!(rival, Rival::Random);
        while bout.played < case.games {
            let begin = || OthelloGame::new(&work.terms, case.number, bout.played);
            if practises {
                begin().practise(seated.practice(work), work.terms.stage, &mut bout.tally);
            } else {
                let playing = bout.playing.get_or_insert_with(begin);
                let pace = seated.pace(case.nodes());
                if !playing.advance(seated.player(), rival, &mut bout.tally, pace, budget) {
                    return false;
                }
                bout.tally.add(playing.end());
                rival.rest();
            }
            (bout.playing, bout.played) = (None, bout.played + 1);
            if bout.played < case.games && budget.is_spent() {
                return false;
            }
        }
        true
    }
}

/// An opponent.
pub(super) struct Case {
    /// Its number among all possible opponents, the key of its random draws.
    pub number: u64,
    spec: Spec,
    /// Games of each program against it, at least one.
    pub games: u32,
}

impl Case {
    /// Returns the number of nodes of its functions; 0 for other players.
    pub fn nodes(&self) -> usize {
        match &self.spec {
            Spec::Staged(staged) => staged.stages.iter().map(|stage| stage.function.size()).sum(),
            _ => 0,
        }
    }

    /// Returns the player for one thread; `None` for a human.
    pub fn rival(&self) -> Option<Rival> {
        match &self.spec {
            Spec::Random => Some(Rival::Random),
            spec => player::build(spec).ok().map(Rival::Other),
        }
    }
}

/// Purpose of the random draws of random programs. The number is part of every recorded run.
const PROGRAMS: u64 = 4;

/// Random programs with larger trees are left out.
const MOST_NODES: usize = 10_000;

/// Returns the opponents of a generation. The games are divided among them by weight; opponents without a game are left out.
/// `champions` are the fittest programs of the previous generation, fittest first; the random player replaces them in the first
/// generation.
pub(super) fn cases(
    settings: &Settings,
    grammars: &[Grammar<OthelloLanguage>],
    layout: &Layout,
    champions: &[Arc<Genome<OthelloLanguage>>],
) -> Vec<Case> {
    let all: f64 = settings.opponents.iter().map(|opponent| opponent.weight).sum();
    let mut cases = Vec::new();
    let mut number = 0;
    // Cumulative share of the weights, and the number of games already assigned.
    let mut share = 0.0;
    let mut dealt = 0;
    for opponent in &settings.opponents {
        let (specs, most): (Vec<Spec>, u32) = match &opponent.kind {
            OpponentKind::Player(spec) => (vec![spec.clone()], 1),
            OpponentKind::Programs(count) => {
                let program = |number: u32| {
                    let mut rng = rng::keyed(&[settings.tableau.seed, number.into(), PROGRAMS]);
                    let depth = settings.tableau.initial_depth as usize;
                    let trees = grammars.iter().map(|grammar| grammar.program_within(depth, MOST_NODES, &mut rng));
                    layout.player(&Genome::new(trees.collect::<Option<_>>()?)?).map(Spec::Staged)
                };
                (or_random((0..*count).filter_map(program).collect()), *count)
            }
            OpponentKind::Champions(count) => {
                let fittest = champions.iter().take(*count as usize);
                let fittest = fittest.filter_map(|program| layout.player(program).map(Spec::Staged));
                (or_random(fittest.collect()), *count)
            }
        };
        let weight = opponent.weight / all / specs.len().max(1) as f64;
        for (spec, number) in specs.into_iter().zip(number..) {
            share += weight;
            let upto = ((share * f64::from(settings.games)).round() as u32).clamp(dealt, settings.games);
            let games = upto - dealt;
            dealt = upto;
            cases.extend((games > 0).then_some(Case { number, spec, games }));
        }
        number += u64::from(most);
    }
    cases
}
