//! The best of a report's runs, in full: its text, a program as a drawn tree, and the fronts of fitness and size.

use std::path::{Path, PathBuf};

use anyhow::Result;
use mancalab_base::counted;

use super::{CURVES, POINTS, heading};
use crate::cli::runs::{kinds, name_among_others};
use crate::evolve::inspect::ValuedTree;
use crate::files::{self, Kind};
use crate::fronts::{Front, fronts};
use crate::job::RunReader;
use crate::job::run_dir::{self, Columns};
use crate::kinds::{KindOf as _, is_less_better};
use crate::report::{Block, Figure, draw_tree};
use crate::reproduce::plot::{Plot, Series};

/// Returns the run that ended best.
pub(super) fn ended_best(folders: &[PathBuf]) -> Option<&PathBuf> {
    let column = |folder: &PathBuf| {
        let names = Columns::open(folder).ok()?.names;
        let column = kinds::find(&RunReader::open(folder).ok()?).ok()?.curve(&names)?;
        let sign = if is_less_better(column) { -1.0 } else { 1.0 };
        crate::groups::curve(folder, column).ok()?.last().map(|last| sign * last).filter(|last| !last.is_nan())
    };
    let results = folders.iter().map(|folder| (column(folder).unwrap_or(f64::NEG_INFINITY), folder));
    results.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, folder)| folder)
}

/// The fronts of fitness and size over the generations, where the run keeps its individuals.
pub(super) fn size(folder: &Path, blocks: &mut Vec<Block>) -> Result<()> {
    let fronts = fronts(folder, CURVES)?;
    let Some(largest) = fronts.iter().filter_map(|front| front.points.first()).map(|point| point.1).max() else {
        return Ok(());
    };
    let step = (largest as usize).div_ceil(POINTS).max(1);
    let series = |front: &Front| {
        let values = (0..=largest as usize + step).step_by(step).map(|nodes| front.best_within(nodes as u32));
        Series::new(format!("generation {}", front.generation), values.collect())
    };
    let series: Vec<Series> = fronts.iter().map(series).collect();
    heading(&format!("Fitness and size, of {}", name_among_others(folder)), blocks);
    blocks.push(Block::Text(
        "The greatest fitness of the programs of at most so many nodes. Each rise ends at a program of the front."
            .to_owned(),
    ));
    let title = "The front of fitness and size";
    blocks.push(Block::Figure((&Plot { step, ..Plot::new(title, "nodes", "fitness, points", series) }).into()));
    Ok(())
}

/// The best of a run, in full.
pub(super) fn best(folder: &Path, blocks: &mut Vec<Block>) -> Result<()> {
    let path = folder.join(run_dir::BEST);
    if !path.exists() {
        return Ok(());
    }
    let text = files::read_text(&path, Kind::Program).map_err(mancalab_base::Error::cannot("read", &path))?;
    heading(&format!("The best, of {}", name_among_others(folder)), blocks);
    trees(folder, &text, blocks);
    blocks.push(Block::Code(text));
    Ok(())
}

/// The trees of the program in a text of the run; none if it is not one of genetic programming.
fn trees(folder: &Path, text: &str, blocks: &mut Vec<Block>) {
    let problem = crate::kinds::settings(folder).ok().and_then(|settings| settings.problem());
    let Some(program) = problem.and_then(|problem| problem.program_in(text)) else { return };
    let trees = program.valued(None).trees;
    if trees.iter().flat_map(|tree| &tree.nodes).any(|node| !node.needed) {
        blocks.push(Block::Text("Grey nodes never change the value.".to_owned()));
    }
    for tree in trees {
        let drawing = draw_tree(&tree);
        let title = title(&tree, drawing.hidden);
        blocks.push(Block::Text(title.clone() + "."));
        blocks.push(Block::Figure(Figure { title, svg: drawing.svg }));
    }
}

/// `Stage 2, 50 %: 121 nodes, of which 64 are hidden`
fn title(tree: &ValuedTree, hidden: usize) -> String {
    let role = if tree.title.is_empty() { "The tree" } else { &tree.title };
    let nodes = counted(tree.nodes.len(), "node");
    let rest = match hidden {
        0 => String::new(),
        1 => ", of which 1 is hidden".to_owned(),
        hidden => format!(", of which {hidden} are hidden"),
    };
    let mut title = format!("{role}: {nodes}{rest}");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    title
}
