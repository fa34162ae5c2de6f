//! `mancalab runs operators`: the success of the genetic operators in the newest saved generation.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::evolved::Evolved;
use crate::cli::format::Format;
use crate::cli::out;
use crate::evolve::gp::OperatorSuccess;
use crate::grid::Grid;
use crate::paths::Paths;

#[derive(Args, Debug)]
pub struct OperatorsArgs {
    /// Run of evolve, by folder, name or unique start of the name
    pub run: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: Format,
}

/// Prints for each operator how many programs it bred, and how many are fitter than their first parent, or equally fit.
///
/// # Errors
/// There is no such run, or it has no checkpoint.
pub fn run(args: &OperatorsArgs, paths: &Paths) -> Result<ExitCode> {
    let run = Evolved::open(&args.run, paths)?;
    let view = run.view()?;
    let operators = &view.run_status().histograms.operators;
    let generation = view.population().map(|(generation, _)| generation);
    match args.format {
        Format::Json => out::result(&out::pretty(&json(generation, operators))),
        Format::Csv => out::result(&grid(operators).csv()),
        Format::Md => out::result(&grid(operators).markdown()),
        Format::Table => {
            out::line(&format!("generation {}\n", generation.unwrap_or(0))) && out::result(&grid(operators).table())
        }
    };
    Ok(ExitCode::SUCCESS)
}

fn grid(operators: &[OperatorSuccess]) -> Grid {
    let head = ["operator", "bred", "better", "equal", "better_percent"].map(str::to_owned).to_vec();
    let row = |success: &OperatorSuccess| {
        let rate = success.rate();
        let compared = |count: u32| rate.map_or(String::new(), |_| count.to_string());
        let percent = rate.map_or(String::new(), |rate| format!("{:.1}", 100.0 * rate));
        let [better, equal] = [success.better, success.equal].map(compared);
        vec![success.operator.to_string(), success.bred.to_string(), better, equal, percent]
    };
    Grid { rows: std::iter::once(head).chain(operators.iter().map(row)).collect(), numbers: vec![1, 2, 3, 4] }
}

/// The operators for programs.
#[derive(Serialize)]
struct Json {
    generation: Option<u64>,
    operators: Vec<JsonOperator>,
}

#[derive(Serialize)]
struct JsonOperator {
    operator: String,
    bred: u32,
    better: Option<u32>,
    equal: Option<u32>,
}

fn json(generation: Option<u64>, operators: &[OperatorSuccess]) -> Json {
    let one = |success: &OperatorSuccess| {
        let compared = |count: u32| success.rate().map(|_| count);
        let [better, equal] = [success.better, success.equal].map(compared);
        JsonOperator { operator: success.operator.to_string(), bred: success.bred, better, equal }
    };
    Json { generation, operators: operators.iter().map(one).collect() }
}
