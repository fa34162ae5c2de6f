//! `mancalab runs front`: the Pareto front of fitness and size in the newest saved generation.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::evolved::Evolved;
use crate::cli::format::Format;
use crate::cli::out;
use crate::evolve::inspect::AnyView;
use crate::grid::Grid;
use crate::paths::Paths;

#[derive(Args, Debug)]
pub struct FrontArgs {
    /// Run of evolve, by folder, name or unique start of the name
    pub run: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: Format,
}

/// The front for programs.
#[derive(Serialize)]
struct Front {
    generation: Option<u64>,
    /// Fittest first.
    programs: Vec<Member>,
}

#[derive(Serialize)]
struct Member {
    /// From 1 for the fittest.
    rank: usize,
    fitness: f64,
    nodes: u32,
}

/// Prints the programs that no other one dominates, fittest first.
///
/// # Errors
/// There is no such run, or it has no checkpoint.
pub fn run(args: &FrontArgs, paths: &Paths) -> Result<ExitCode> {
    let front = front(Evolved::open(&args.run, paths)?.view()?);
    let text = match args.format {
        Format::Json => out::pretty(&front),
        Format::Csv => front.grid().csv(),
        Format::Md => front.grid().markdown(),
        Format::Table => format!("generation {}\n\n{}", front.generation.unwrap_or(0), front.grid().table()),
    };
    out::result(&text);
    Ok(ExitCode::SUCCESS)
}

fn front(view: &dyn AnyView) -> Front {
    let member = |rank: usize| {
        let one = view.ranked(rank)?;
        Some(Member { rank: rank + 1, fitness: one.outcome.fitness, nodes: one.nodes })
    };
    let programs = view.front().into_iter().filter_map(member).collect();
    Front { generation: view.population().map(|(generation, _)| generation), programs }
}

impl Front {
    fn grid(&self) -> Grid {
        let head = ["rank", "fitness", "nodes"].map(str::to_owned).to_vec();
        let row = |one: &Member| vec![one.rank.to_string(), one.fitness.to_string(), one.nodes.to_string()];
        Grid { rows: std::iter::once(head).chain(self.programs.iter().map(row)).collect(), numbers: vec![0, 1, 2] }
    }
}
