//! Learning an evaluation as a run.
//!
//! A generation plays games with the last weights, fits the weights of each stage to them, compares shallow with deep
//! searches, and meets the panel when that is due.

use super::errors::{self, DepthValues};
use super::games::{GenerationGames, LearningGame, Searcher};
use super::learnable::Learnable;
use super::panel::PanelMatch;
use super::row::EvaluationRow;
use super::settings::Settings;
use super::view::{View as EvaluationView, timings};
use crate::budget::Budget;
use crate::codec::{Decoder, Encoder};
use crate::job::{Progress, Row, Rows, Run, View};
use crate::measuring::{Learner as _, MeasuredSettings as _, PanelResult};
use crate::pool::Pool;
use crate::row::Row as _;
use crate::settings::KeyedSettings as _;
use crate::train::changes;
use crate::work::WorkList;
use mancalab_base::{Error, bail};
use mancalab_evaluations::fit::{Prior, Sample, StageFit as _};
use mancalab_evaluations::model::Model;
use mancalab_evaluations::{Errors, LearnedWeights, file};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Depths of the shallow error in the rows.
const SHOWN: (u32, u32) = (8, 4);

/// Units of a value in one displayed unit.
const HUNDREDTHS: f64 = 100.0;

/// Plies of the first generation's searches, whose weights have learned nothing yet.
const FIRST_DEPTH: u32 = 2;

/// What the current generation is doing.
enum Phase<G: Learnable> {
    Playing {
        playing: WorkList<Searcher<G>, (u32, LearningGame<G>)>,
        /// The samples of the games that have ended, with the games' numbers.
        ended: Vec<(u32, Vec<Sample<G>>)>,
    },
    /// Stages from this one on are yet to be fitted.
    Fitting {
        next: usize,
        fits: Vec<G::Fit>,
    },
    Comparing(Vec<DepthValues>),
    Meeting(Box<PanelMatch<G>>),
}

impl<G: Learnable> Phase<G> {
    /// The beginning of a generation.
    fn first() -> Phase<G> {
        Phase::Playing { playing: WorkList::default(), ended: Vec::new() }
    }
}

/// A run that learns an evaluation.
pub struct EvaluationLearning<G: Learnable> {
    settings: Arc<Settings>,
    model: Model,
    /// The model as a search reads it.
    weights: Arc<G::Weights>,
    /// The model at the end of the newest generation.
    learned: Arc<LearnedWeights>,
    phase: Phase<G>,
    /// Samples of the generation by stage: to learn from, and held out.
    samples: Vec<Vec<Sample<G>>>,
    held_out: Vec<Vec<Sample<G>>>,
    past: Arc<Vec<EvaluationRow>>,
    /// The state at the end of the newest generation; empty before.
    saved: Vec<u8>,
    spent: Duration,
    total: Duration,
    games_per_second: f64,
}

fn by_stage<G: Learnable>() -> Vec<Vec<Sample<G>>> {
    (0..G::STAGES).map(|_| Vec::new()).collect()
}

impl<G: Learnable> EvaluationLearning<G> {
    /// Starts a run.
    ///
    /// # Errors
    /// The settings cannot be used: a sentence.
    pub(super) fn start(settings: Settings) -> Result<EvaluationLearning<G>, Error> {
        settings.check()?;
        G::check_exact(settings.exact)?;
        let model = Model::first::<G>();
        let learned = Arc::new(model.learned::<G>());
        let weights = Arc::new(G::weights(&learned));
        Ok(EvaluationLearning {
            settings: Arc::new(settings),
            model,
            weights,
            learned,
            phase: Phase::first(),
            samples: by_stage(),
            held_out: by_stage(),
            past: Arc::default(),
            saved: Vec::new(),
            spent: Duration::ZERO,
            total: Duration::ZERO,
            games_per_second: 0.0,
        })
    }

    /// The number of the current generation.
    fn current(&self) -> u64 {
        self.past.len() as u64
    }

    /// Publishes the changed model to the searches.
    fn publish(&mut self) {
        self.weights = Arc::new(G::weights(&self.model.learned::<G>()));
    }

    /// Continues the generation; returns its row when it ends.
    fn work(&mut self, pool: &Pool, budget: Budget) -> Option<String> {
        match &self.phase {
            Phase::Playing { .. } => self.play(pool, budget),
            Phase::Fitting { .. } => self.fit(pool),
            Phase::Comparing(_) => self.compare(pool, budget),
            Phase::Meeting(_) => return self.meet(pool, budget),
        }
        None
    }

    fn play(&mut self, pool: &Pool, budget: Budget) {
        let settings = Arc::clone(&self.settings);
        let generation = self.current();
        let Phase::Playing { playing, ended } = &mut self.phase else { return };
        let mut play = settings.play();
        if generation == 0 {
            (play.depth, play.lambda) = (play.depth.min(FIRST_DEPTH), 1.0);
        }
        let evaluator = G::evaluator(Arc::clone(&self.weights));
        let work = GenerationGames { play, evaluator, count: settings.games, keys: [settings.seed, generation] };
        ended.extend(playing.advance(&work, pool, budget));
        if ended.len() == settings.games as usize {
            crate::sort::sort_by_key(ended, |(number, _)| *number);
            for (number, samples) in std::mem::take(ended) {
                let into = if number % settings.held_out == 0 { &mut self.held_out } else { &mut self.samples };
                samples.into_iter().for_each(|sample| into[sample.0.stage()].push(sample));
            }
            self.phase = Phase::Fitting { next: 0, fits: Vec::new() };
        }
    }

    /// Makes one iteration of as many fits as there are threads.
    fn fit(&mut self, pool: &Pool) {
        let Phase::Fitting { next, fits } = &mut self.phase else { return };
        let Settings { ridge, iterations, .. } = *self.settings;
        let memory = self.settings.memory_in(self.past.len() as u64);
        let prior = Prior { ridge: ridge as f32, memory: memory as f32 };
        if fits.is_empty() {
            let stages = &self.model.stages;
            let samples = &self.samples;
            let mut wanted: Vec<usize> = (*next..G::STAGES).take(pool.count()).collect();
            *fits =
                pool.map_each(&mut wanted, |stage| G::Fit::new(&stages[*stage], &samples[*stage], prior, iterations));
            return;
        }
        let ended = pool.map_each(fits, G::Fit::step);
        if ended.into_iter().all(|ended| ended) {
            for fit in std::mem::take(fits) {
                fit.apply(&mut self.model.stages[*next], prior);
                *next += 1;
            }
        }
        if *next == G::STAGES {
            self.phase = Phase::Comparing(Vec::new());
            self.publish();
        }
    }

    fn compare(&mut self, pool: &Pool, budget: Budget) {
        let evaluator = G::evaluator_in_full(Arc::clone(&self.weights));
        let Settings { compared, seed, .. } = *self.settings;
        let generation = self.current();
        let Phase::Comparing(done) = &mut self.phase else { return };
        while done.len() < compared as usize {
            let count = pool.count().min(compared as usize - done.len());
            let mut numbers: Vec<u64> = (done.len()..done.len() + count).map(|number| number as u64).collect();
            done.extend(
                pool.map_each(&mut numbers, |number| errors::compare::<G>(&evaluator, &[seed, generation, *number])),
            );
            if budget.is_spent() {
                break;
            }
        }
        if done.len() == compared as usize {
            self.model.errors = errors::fitted(done);
            self.publish();
            let opponents = if self.settings.is_measured(generation) { &self.settings.panel.players[..] } else { &[] };
            let meeting = PanelMatch::new(&self.settings, opponents.len(), generation);
            self.phase = Phase::Meeting(Box::new(meeting));
        }
    }

    /// Meets the panel, if that is due, and concludes the generation.
    fn meet(&mut self, pool: &Pool, budget: Budget) -> Option<String> {
        let evaluator = G::evaluator(Arc::clone(&self.weights));
        let Phase::Meeting(meeting) = &mut self.phase else { return None };
        let met = meeting.step(&self.settings, &evaluator, pool, budget)?;
        Some(self.conclude(met))
    }

    fn conclude(&mut self, panel: Vec<PanelResult>) -> String {
        let held_out = std::mem::replace(&mut self.held_out, by_stage());
        let samples = std::mem::replace(&mut self.samples, by_stage());
        let squares: Vec<f64> = self
            .model
            .stages
            .iter()
            .zip(&held_out)
            .map(|(stage, held)| G::Fit::squared_error(&stage.weights, held))
            .collect();
        // The sum of no squares is -0.
        let root = |square: f64, count: usize| ((square + 0.0) / count.max(1) as f64).sqrt() / G::PER_UNIT;
        let last = self.past.last();
        let count = |samples: &[Vec<Sample<G>>]| samples.iter().map(Vec::len).sum::<usize>();
        let ((deep, shallow), is_measured) = (SHOWN, self.model.errors != Errors::default());
        let mut row = EvaluationRow {
            generation: self.current(),
            games: last.map_or(0, |last| last.games) + u64::from(self.settings.games),
            positions: last.map_or(0, |last| last.positions) + (count(&samples) + count(&held_out)) as u64,
            error: root(squares.iter().sum(), count(&held_out)),
            shallow_error: if is_measured {
                f64::from(self.model.errors.deviation(deep, shallow, G::SHOWN)) / HUNDREDTHS
            } else {
                0.0
            },
            errors: squares.iter().zip(&held_out).map(|(square, held)| root(*square, held.len())).collect(),
            panel,
        };
        let values = row.print().unwrap_or_default();
        // As a resumed run reads it.
        row = EvaluationRow::next(&values, self.past.len(), &self.settings).unwrap_or(row);
        Arc::make_mut(&mut self.past).push(row);
        self.phase = Phase::first();
        self.saved = self.encoded(&values);
        self.learned = Arc::new(self.model.learned::<G>());
        values
    }

    fn encoded(&self, row: &str) -> Vec<u8> {
        let mut out = Encoder::new();
        out.text(row);
        self.model.save(&mut out);
        out.finish()
    }

    /// Restores the output of [`encoded`](EvaluationLearning::encoded).
    fn resume(&mut self, state: &[u8], newest: &str) -> Result<(), Error> {
        let mut from = Decoder::new(state);
        if from.text()? != newest {
            bail!("the checkpoint does not match the newest row of generations.csv");
        }
        self.model.restore(&mut from)?;
        from.end()?;
        self.publish();
        self.saved = state.to_vec();
        self.learned = Arc::new(self.model.learned::<G>());
        Ok(())
    }

    /// The share of the generation that is complete, and what it is doing. Playing takes nearly all of the time.
    fn within(&self) -> (f64, &'static str) {
        let share = |done: usize, all: usize| done as f64 / all.max(1) as f64;
        if self.is_over() {
            return (0.0, "");
        }
        match &self.phase {
            Phase::Playing { ended, .. } => (0.85 * share(ended.len(), self.settings.games as usize), "playing"),
            Phase::Fitting { next, .. } => (0.85 + 0.1 * share(*next, G::STAGES), "fitting"),
            Phase::Comparing(done) => (0.95 + 0.02 * share(done.len(), self.settings.compared as usize), "comparing"),
            Phase::Meeting(meeting) => (0.97 + 0.03 * meeting.share(), "measuring"),
        }
    }
}

impl<G: Learnable> EvaluationLearning<G> {
    /// Restores a run from the output of [`save`](Run::save); `rows` are those up to then.
    ///
    /// # Errors
    /// The state is invalid or does not match the rows: a sentence.
    pub(super) fn restore(settings: Settings, state: &[u8], rows: Rows<'_>) -> Result<EvaluationLearning<G>, Error> {
        let mut run = EvaluationLearning::<G>::start(settings)?;
        let (past, newest) = rows.all(|row, before| EvaluationRow::next(row, before, &run.settings))?;
        run.past = Arc::new(past);
        run.resume(state, &newest)?;
        Ok(run)
    }

    /// Returns a view, cheap to create and clone.
    pub fn view(&self) -> EvaluationView {
        let (within, phase) = self.within();
        EvaluationView {
            settings: Arc::clone(&self.settings),
            generation: self.current().min(self.settings.generations),
            finished: self.is_over(),
            within,
            phase,
            games_per_second: self.games_per_second,
            spent: self.total + self.spent,
            past: Arc::clone(&self.past),
        }
    }
}

impl<G: Learnable> Run for EvaluationLearning<G> {
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Progress {
        if self.is_over() {
            return Progress::Done;
        }
        let began = Instant::now();
        loop {
            let ended = self.work(pool, budget);
            if let Some(values) = ended {
                self.spent += began.elapsed();
                let seconds = self.spent.as_secs_f64().max(1e-9);
                self.total += std::mem::take(&mut self.spent);
                self.games_per_second = f64::from(self.settings.games) / seconds;
                let timings = format!("{},{seconds:.3},{:.0}", self.current() - 1, self.games_per_second);
                return Progress::Generation(Row { values, timings });
            }
            if budget.is_spent() {
                self.spent += began.elapsed();
                return Progress::Working;
            }
        }
    }

    fn generation(&self) -> Option<u64> {
        self.current().checked_sub(1)
    }

    fn is_over(&self) -> bool {
        self.current() > self.settings.generations
    }

    fn save(&self, _: &Pool) -> Vec<u8> {
        self.saved.clone()
    }

    fn restore_timings(&mut self, row: &str) {
        let [seconds, games] = timings(row);
        self.total += Duration::try_from_secs_f64(seconds).unwrap_or_default();
        self.games_per_second = games;
    }

    fn product(&self) -> Option<(&'static str, Vec<u8>)> {
        let past = self.past.last()?;
        let Settings { preset, seed, .. } = &*self.settings;
        let changes = changes(&self.settings.to_text(), &G::usual().to_text()).unwrap_or_default();
        let notes = [
            ("program", format!("mancalab {}", env!("CARGO_PKG_VERSION"))),
            ("command", format!("mancalab train {preset} --seed {seed} --generations {}{changes}", past.generation)),
            ("games", past.games.to_string()),
            ("error", format!("{} {}", past.error, G::SUBJECT.unit)),
        ];
        let notes = notes.map(|(key, note)| (key.to_owned(), note)).into();
        Some((G::SUBJECT.file, file::write::<G>(&self.learned, &notes)))
    }

    /// The newest measurement, and the path of the weights.
    fn best(&self) -> String {
        let Some(past) = self.past.last() else { return String::new() };
        let mut text = format!(
            "# error {} {} in generation {}, after {} games",
            past.error,
            G::SUBJECT.unit,
            past.generation,
            past.games
        );
        let view = self.view();
        if let Some((generation, met)) = view.measured() {
            text += &format!(
                "\n# won, drawn and lost in generation {generation} at depth {}, moving first / second",
                self.settings.panel_depth
            );
            for (met, player) in met.iter().zip(&self.settings.panel.players) {
                text += &format!("\n{player}: {met}");
            }
        }
        format!("{text}\n# the weights are in {}\n", G::SUBJECT.file)
    }

    fn view(&self) -> View {
        View::new(EvaluationLearning::view(self))
    }
}
