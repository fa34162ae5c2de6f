//! `mancalab tune`: runs of the genetic algorithm without a screen.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::live::Progress;
use super::out;
use super::run::{Pace, Reporter, clock, event};
use super::start::Start;
use crate::evolve::ga::GenerationRow;
use crate::evolve::task::{AnyTask, Snapshot};

use crate::job::run_dir::NETWORK;
use crate::sanitize;
use crate::ui::short_count;

/// Reporter of genetic algorithm runs.
#[derive(Default, Debug)]
pub struct TuneReporter {
    has_told: bool,
    /// Generations examined, and the highest fitness among them.
    examined: usize,
    record: f64,
}

impl Start for TuneReporter {
    const FLAGS: &'static [(&'static str, &'static str)] =
        &[("generations", "Generations after the initial one"), ("population", "Genomes per generation")];
    const EXAMPLE: &'static str = "depth=6";
}

impl Reporter for TuneReporter {
    const COMMAND: &'static str = "tune";
    type View = Snapshot;

    fn rows(&self, view: &Snapshot, from: usize) -> Vec<Value> {
        view.view.past.behind(from).map(row_event).collect()
    }

    fn progress(&self, view: &Snapshot, _pace: &Pace) -> Option<String> {
        let Snapshot { settings, view } = view;
        let best = view.best()?;
        let left = view.seconds_left().filter(|_| !view.finished).map_or(0.0, f64::ceil);
        Some(format!(
            "generation {} of {}  best {:.1} %  {}  {} games/s  {} left",
            best.generation,
            view.generations,
            best.best,
            weights(&**settings, &best.best_genome),
            short_count(view.games_per_second as u64),
            clock(left),
        ))
    }

    fn live(&self, view: &Snapshot, _pace: &Pace) -> Option<Progress> {
        let view = &view.view;
        let all = view.progress.of_games * (view.generations + 1);
        let best = view.best().map(|best| format!("best {:.1} % (gen {})", best.best, best.best_born));
        Some(Progress {
            share: 1.0 - view.games_left as f64 / all.max(1) as f64,
            count: format!("generation {}/{}", view.generation, view.generations),
            left: view.seconds_left(),
            speed: format!("{} games/s", short_count(view.games_per_second as u64)),
            more: best.into_iter().collect(),
        })
    }

    /// Reports a new record fitness.
    fn news(&mut self, view: &Snapshot) -> Option<String> {
        let ended = view.view.past.behind(self.examined);
        let record = ended.max_by(|a, b| a.best.total_cmp(&b.best)).filter(|row| row.best > self.record);
        self.examined = view.view.past.len();
        self.record = record.map_or(self.record, |row| row.best);
        let text = |row: &GenerationRow| {
            let GenerationRow { generation, best, best_born, .. } = row;
            format!("generation {generation}: best {best:.1} % of points, from generation {best_born}")
        };
        record.map(text)
    }

    /// True once, after the first generation.
    fn is_news(&mut self, view: &Snapshot) -> bool {
        let is_first = !self.has_told && !view.view.past.is_empty();
        self.has_told |= is_first;
        is_first
    }

    fn ended(&self, view: &Snapshot, folder: Option<&Path>) -> Value {
        let player = view.view.best().map(|best| player(&*view.settings, best, folder));
        let view = &view.view;
        out::value(&LastLine { best: view.best().map(row_event), player })
    }

    fn end(&self, view: &Snapshot, folder: Option<&Path>) {
        let Snapshot { settings, view } = view;
        if let Some(best) = view.best() {
            out::line(&format!(
                "generation {}: best {:.1} % of points, from generation {}",
                best.generation, best.best, best.best_born
            ));
            let player = sanitize::shell(player(&**settings, best, folder));
            out::line(&format!("play: mancalab --game {} --north {player}", settings.game()));
        }
    }
}

/// Returns the player with the best genome. The folder is the run's.
fn player(settings: &dyn AnyTask, best: &GenerationRow, folder: Option<&Path>) -> String {
    settings.player(&best.best_genome, &folder.unwrap_or(Path::new("")).join(NETWORK).to_string_lossy())
}

/// A generation for programs; the fitness as a fraction of the points.
fn row_event(row: &GenerationRow) -> Value {
    let [best, mean, worst] = [row.best, row.mean, row.worst].map(|percent| percent / 100.0);
    event("generation", &GenerationRow { best, mean, worst, ..row.clone() })
}

/// Maximum number of weights in a line.
const MOST: usize = 11;

/// The best genome's weights in order; if they exceed a line, the largest with their names.
fn weights(settings: &dyn AnyTask, genome: &[f64]) -> String {
    if genome.len() <= MOST {
        let weights: Vec<String> = genome.iter().map(|weight| format!("{weight:.2}")).collect();
        return format!("W {}", weights.join(" "));
    }
    let genes = settings.genes();
    let mut named: Vec<(&str, f64)> = genes.iter().map(|gene| gene.name.as_str()).zip(genome.iter().copied()).collect();
    crate::sort::sort_by(&mut named, |(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let largest: Vec<String> =
        named.iter().take(MOST / 2).map(|(name, weight)| format!("{name} {weight:.3}")).collect();
    largest.join(" ")
}

/// Fields of the last line of `--json` for this kind of run.
#[derive(Serialize)]
struct LastLine {
    best: Option<Value>,
    player: Option<String>,
}
