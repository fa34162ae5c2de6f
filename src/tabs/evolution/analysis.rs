//! What the selected program does in its games: which pits it reads, as a heat map of the board, which parts it needs, how far it can
//! be simplified, and which subterms the programs of the run have in common.
//!
//! The analysis is a job: it plays the games beside the run, and ends when the panel shows another one.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use mancalab_base::Error;
use ratatui::text::{Line, Span};

use super::panels::number;
use crate::app::tab::Context;
use crate::budget::{Budget, Job, Status};
use crate::evolve::analysis::{Analyser, Analysis, Trace};
use crate::evolve::inspect::AnyProgram;
use crate::evolve::subterms::{Survivor, Survivors};
use crate::job::RunWatcher;
use crate::kinds;
use crate::pool::Pool;
use crate::theme::Role;
use crate::ui::{Canvas, Look, clip, width};

/// An analysis, begun or complete.
pub struct ProgramAnalysis {
    hash: u64,
    /// Shared with the job.
    state: Arc<Mutex<State>>,
}

#[derive(Clone)]
enum State {
    /// With the share that is done.
    Running(f64),
    Failed(String),
    Done(Arc<Findings>),
}

/// A complete analysis.
struct Findings {
    analysis: Analysis,
    survivors: Survivors,
    /// For each node, tree by tree, what is lost without it.
    worth: Arc<Vec<Vec<String>>>,
    /// The parts without which most is lost, with the points.
    parts: Vec<(f64, String)>,
    nodes: usize,
}

/// The most parts that are listed.
const MOST_PARTS: usize = 12;

impl Findings {
    fn new(program: &dyn AnyProgram, analysis: &Analysis, survivors: &Survivors) -> Findings {
        let mut parts = Vec::new();
        for (tree, worth) in analysis.worth.iter().enumerate() {
            let lost = worth.iter().enumerate().filter(|(_, worth)| worth.points > 0.0 && worth.points.is_finite());
            parts.extend(lost.map(|(node, worth)| (worth.points, tree, node)));
        }
        // Of equal ones the largest part comes first, which precedes its own parts.
        parts.sort_by(|one, other| other.0.total_cmp(&one.0));
        let text = |(points, tree, node)| (points, program.subterm(tree, node));
        // A lone constant tells nothing without the function around it.
        let parts = parts.into_iter().map(text).filter(|(_, text)| text.starts_with('(')).take(MOST_PARTS).collect();
        let worth = analysis.worth.iter().map(|worth| worth.iter().map(|one| lost(one.points)).collect()).collect();
        Findings {
            survivors: survivors.clone(),
            worth: Arc::new(worth),
            parts,
            nodes: analysis.worth.iter().map(Vec::len).sum(),
            analysis: analysis.clone(),
        }
    }
}

/// Returns points of fitness; a dot for none.
fn lost(points: f64) -> String {
    if points == 0.0 || points.is_infinite() { ".".to_owned() } else { number(points) }
}

impl ProgramAnalysis {
    /// Starts the analysis of a program of the run in this folder.
    pub fn start(program: Arc<dyn AnyProgram>, run: &Path, cx: &mut Context) -> ProgramAnalysis {
        let state = Arc::new(Mutex::new(State::Running(0.0)));
        let hash = program.hash();
        let pool = cx.pool.clone();
        let stage = Stage::Begin;
        cx.start(ProgramAnalysisJob { program, run: run.to_owned(), pool, stage, state: Arc::clone(&state) });
        ProgramAnalysis { hash, state }
    }

    /// Whether it is the analysis of this program.
    pub fn is_of(&self, program: &dyn AnyProgram) -> bool {
        self.hash == program.hash()
    }

    /// Returns what is lost without each node, tree by tree, once it is known.
    pub fn worth(&self) -> Option<Arc<Vec<Vec<String>>>> {
        match self.state() {
            State::Done(findings) => Some(Arc::clone(&findings.worth)),
            State::Running(_) | State::Failed(_) => None,
        }
    }

    fn state(&self) -> State {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The computation of an analysis.
struct ProgramAnalysisJob {
    program: Arc<dyn AnyProgram>,
    run: PathBuf,
    pool: Pool,
    stage: Stage,
    state: Arc<Mutex<State>>,
}

enum Stage {
    Begin,
    Analyse(Box<dyn Analyser>),
    Read(Box<AnalysisReader>),
}

/// The reading of what programs have in common.
struct AnalysisReader {
    analysis: Analysis,
    run: RunWatcher,
    survivors: Survivors,
    /// Generations whose checkpoints are kept; one is read in a step, since they may be large.
    left: Vec<u64>,
}

impl ProgramAnalysisJob {
    /// Computes until the budget is spent.
    ///
    /// # Errors
    /// The program cannot be analysed: why.
    fn advance(&mut self, budget: Budget) -> Result<State, Error> {
        match &mut self.stage {
            Stage::Begin => {
                self.stage = Stage::Analyse(self.program.analyser()?);
                Ok(State::Running(0.0))
            }
            Stage::Analyse(analyser) => match analyser.step(&self.pool, budget)? {
                None => Ok(State::Running(analyser.share())),
                Some(analysis) => Ok(self.begin_reading(analysis)),
            },
            Stage::Read(reading) => {
                if let Some(generation) = reading.left.pop() {
                    reading.survivors.read(&reading.run, generation);
                    return Ok(State::Running(1.0));
                }
                Ok(State::Done(Arc::new(Findings::new(&*self.program, &reading.analysis, &reading.survivors))))
            }
        }
    }

    /// Begins to read; without a checkpoint programs have nothing in common yet.
    fn begin_reading(&mut self, analysis: Analysis) -> State {
        let run = kinds::watch(&self.run).ok();
        let begun = run.and_then(|run| Some((Survivors::begin(&run, &self.program.subterms())?, run)));
        match begun {
            Some(((survivors, left), run)) => {
                self.stage = Stage::Read(Box::new(AnalysisReader { analysis, run, survivors, left }));
                State::Running(1.0)
            }
            None => State::Done(Arc::new(Findings::new(&*self.program, &analysis, &Survivors::default()))),
        }
    }
}

impl Job for ProgramAnalysisJob {
    type View = ();

    fn step(&mut self, budget: Budget) -> Status {
        // Nobody waits for it any more.
        if Arc::strong_count(&self.state) == 1 {
            return Status::Done;
        }
        let state = self.advance(budget).unwrap_or_else(|error| State::Failed(error.to_string()));
        let status = if matches!(state, State::Running(_)) { Status::Running } else { Status::Done };
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
        status
    }

    fn view(&self) {}
}

/// Draws the panel of the analysis, if there is one; `program` is the selected one.
pub fn draw(analysis: Option<&ProgramAnalysis>, program: Option<&dyn AnyProgram>, mut canvas: Canvas<'_>) {
    let look = canvas.look;
    let mut inner = canvas.panel("Analysis");
    let Some(analysis) = analysis else {
        return inner.explain(
            "A plays the selected program against its opponents, again without each of its parts, and shows what it \
             reads, what each part is worth, and a shorter program that plays the same.",
        );
    };
    let mut lines = Vec::new();
    if program.is_some_and(|program| !analysis.is_of(program)) {
        lines.push(dim(look, "of another; A analyses this"));
    }
    match analysis.state() {
        State::Failed(reason) => return inner.explain(&reason),
        State::Running(share) => {
            lines.push(dim(look, &format!("Playing changed programs: {:.0} %", 100.0 * share)));
            let bar = look.low_bar(share, inner.area.width.saturating_sub(2));
            lines.push(Line::from(look.span(Role::Bar, format!(" {bar}"))));
        }
        State::Done(findings) => lines.extend(findings.lines(inner.area.width, inner.area.height, look)),
    }
    inner.lines(lines);
}

fn dim(look: &Look, text: &str) -> Line<'static> {
    Line::from(look.span(Role::Dim, format!(" {text}")))
}

impl Findings {
    /// Returns the lines of a panel of this size: the board, the parts, the simplified program, and the subterms in common.
    fn lines(&self, cells: u16, rows: u16, look: &Look) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        if let Some(trace) = &self.analysis.trace {
            lines.push(dim(look, &format!("Reads, % of its {} moves", trace.moves)));
            lines.extend(board(trace, cells, look));
        }
        let subterms = &self.survivors.subterms;
        // Besides three titles, as many parts as subterms where there is no room for all.
        let left = usize::from(rows).saturating_sub(lines.len() + 3);
        let parts = self.parts.len().min(left.saturating_sub(subterms.len().min(left / 2)).max(1));
        lines.push(dim(look, "Fitness lost without a part"));
        if self.parts.is_empty() {
            lines.push(dim(look, "none is worth anything"));
        }
        let part = |(points, text): &(f64, String)| labelled(&lost(*points), text, Role::Accent, cells, look);
        lines.extend(self.parts.iter().take(parts).map(part));
        lines.push(self.simplified(look));
        let room = usize::from(rows) > lines.len() + 1;
        if room && !subterms.is_empty() {
            lines.push(dim(look, "Subterms, % of the programs"));
            lines.extend(subterms.iter().map(|one| survivor(one, cells, look)));
        }
        lines
    }

    /// Returns the line about the shorter program.
    fn simplified(&self, look: &Look) -> Line<'static> {
        let (_, left) = self.analysis.simplified;
        let nodes = self.nodes;
        match self.analysis.simplification.len() {
            0 => dim(look, &format!("All {nodes} nodes change its games")),
            _ => dim(look, &format!("{left} of {nodes} nodes play the same")),
        }
    }
}

/// Returns a number and the text that it is about, clipped.
fn labelled(value: &str, text: &str, role: Role, cells: u16, look: &Look) -> Line<'static> {
    let room = cells.saturating_sub(9);
    Line::from(vec![
        look.span(role, format!(" {:>6}  ", look.with_minus(value))),
        look.span(Role::Text, clip(text, room, look)),
    ])
}

/// Returns the line of a common subterm: its share in the newest generation, the shares by kept generations from 0 to 100 % where there
/// are several, and the text; those of the analysed program are marked.
fn survivor(one: &Survivor, cells: u16, look: &Look) -> Line<'static> {
    let newest = one.shares.last().copied().unwrap_or(0.0);
    let role = if one.is_own { Role::Accent } else { Role::Dim };
    let bar = |share: &f64| look.glyphs.spark[(share * 6.0).round() as usize];
    let curve: String = one.shares.iter().map(bar).collect::<String>() + " ";
    let curve = if one.shares.len() > 1 { curve } else { String::new() };
    let room = cells.saturating_sub(width(&curve));
    let mut line = labelled(&format!("{:.0} %", 100.0 * newest), &one.text, role, room, look);
    line.spans.insert(1, look.span(Role::Curve2, curve));
    line
}

/// Returns the board as the program sees it, its own pits below: the share of moves in which it read each pit, and sowed from it.
fn board(trace: &Trace, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let half = trace.reads.len() / 2;
    let wide = (usize::from(cells.saturating_sub(1)) / (half + 1)).clamp(3, 5);
    let most = trace.reads.iter().copied().max().unwrap_or(0).max(1);
    let read = |place: usize| {
        let level = trace.reads[place] as f64 / most as f64;
        cell(&percent(trace.reads[place], trace.moves), level, wide, look)
    };
    let blank = |count: usize| Span::raw(" ".repeat(count * wide));
    let sown = |&count: &u64| look.span(Role::Dim, format!("{:>wide$}", percent(count, trace.moves)));
    let label = look.span(Role::Dim, format!("{:<wide$}", "sown"));
    let lines: [Vec<Span<'static>>; 4] = [
        std::iter::once(blank(1)).chain((half + 1..2 * half).rev().map(read)).collect(),
        vec![read(0), blank(half - 1), read(half)],
        std::iter::once(blank(1)).chain((1..half).map(read)).collect(),
        std::iter::once(label).chain(trace.sown.iter().map(sown)).collect(),
    ];
    lines.map(|spans| Line::from([vec![Span::raw(" ")], spans].concat())).to_vec()
}

/// Returns a cell of a heat map, with a shade for terminals without colours where there is room for it.
fn cell(text: &str, level: f64, wide: usize, look: &Look) -> Span<'static> {
    let shade = look.glyphs.shade[((level * 4.0).round() as usize).min(4)];
    let text = match wide {
        0..=3 => format!("{text:>wide$}"),
        _ => format!("{shade}{text:>rest$}", rest = wide - 1),
    };
    Span::styled(text, look.theme.heat(level))
}

fn percent(count: u64, moves: u64) -> String {
    match (100.0 * count as f64 / moves.max(1) as f64).round() {
        _ if count == 0 => ".".to_owned(),
        0.0 => "<1".to_owned(),
        share => format!("{share:.0}"),
    }
}
