//! `mancalab runs program`: a program of an evolve run, or one in a file, as text or as a drawing.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::analysis;
use super::facts::GpRunFiles;
use super::functions::{self, Target};
use crate::budget::Budget;
use crate::cli::format::OutputArgs;
use crate::cli::live::{Live, Progress};
use crate::cli::run::threads;
use crate::cli::{out, signals};
use crate::evolve::inspect::{AnyProgram, ValuedNode, ValuedProgram, ValuedTree};
use crate::files::{self, Kind};
use crate::kinds::{KindOf as _, by_command};
use crate::paths::Paths;
use crate::pool::Pool;
use crate::sanitize;

#[derive(Args, Debug)]
pub struct ProgramArgs {
    /// Run, by folder, name or unique start of the name; or a file with a program
    pub run: PathBuf,
    /// Rank in the newest saved generation, 1 for the fittest; default: the best program so far
    #[arg(long, value_name = "N")]
    pub rank: Option<usize>,
    /// Place in the hall of fame, 1 for the first
    #[arg(long, value_name = "N", conflicts_with = "rank")]
    pub hall: Option<usize>,
    /// Show what it does in its games: what it reads, what each node is worth, and a shorter program that plays the same
    #[arg(long, conflicts_with = "written")]
    pub analyse: bool,
    /// Number of threads of the analysis, 0 for all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads(), requires = "analyse")]
    pub threads: usize,
    /// Write it as program, the text that players read; dot, for Graphviz; latex, a document that draws the tree with the package forest;
    /// python, c or rust, a function of the board
    #[arg(long = "as", value_name = "LANGUAGE", default_value = "program")]
    pub written: Form,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Form {
    Program,
    Dot,
    Latex,
    Python,
    C,
    Rust,
}

/// The program for programs.
#[derive(Serialize)]
struct ProgramText {
    /// The value of `--as`.
    language: String,
    text: String,
}

/// Prints the program.
///
/// # Errors
/// There is no such run, file or rank, or the file contains no program.
pub fn run(args: &ProgramArgs, paths: &Paths) -> Result<ExitCode> {
    if args.analyse {
        return analyse(args, paths);
    }
    let program = match (args.run.is_file(), args.rank, args.hall) {
        (true, None, None) => in_file(&args.run)?,
        (true, ..) => bail!("--rank and --hall are for runs, but {} is a file", sanitize::path(&args.run)),
        (false, ..) => of_run(&GpRunFiles::open(&args.run, paths)?, args)?,
    };
    let source = |target| functions::source(&program.valued(None), target, program.places());
    let text = match args.written {
        Form::Python => source(Target::Python),
        Form::C => source(Target::C),
        Form::Rust => source(Target::Rust),
        Form::Program => format!("{}\n", program.text().trim_end()),
        Form::Dot => dot(&program.valued(None)),
        Form::Latex => latex(&program.valued(None)),
    };
    let language = args.written.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    args.output.print("runs-program-text", &ProgramText { language, text: text.clone() }, || text);
    Ok(ExitCode::SUCCESS)
}

/// Returns the program of a run that the arguments name.
fn of_run(run: &GpRunFiles, args: &ProgramArgs) -> Result<Arc<dyn AnyProgram>> {
    match (args.rank, args.hall) {
        (Some(rank), _) => run.ranked(rank),
        (_, Some(place)) => run.in_hall(place),
        (None, None) => run.best(),
    }
}

/// How often progress is shown and signals are noticed.
const STEP: Duration = Duration::from_millis(50);

/// Prints what a program does in the games against the opponents of its run.
fn analyse(args: &ProgramArgs, paths: &Paths) -> Result<ExitCode> {
    if args.run.is_file() {
        bail!("--analyse plays against the opponents of a run, but {} is a file", sanitize::path(&args.run));
    }
    let run = GpRunFiles::open(&args.run, paths)?;
    let program = of_run(&run, args)?;
    signals::catch().context("cannot catch signals")?;
    let mut live = Live::new();
    let pool = Pool::new(args.threads);
    let mut analyser = program.analyser()?;
    let analysis = loop {
        if let Some(analysis) = analyser.step(&pool, Budget::time(STEP))? {
            break analysis;
        }
        if signals::received() != 0 {
            live.clear();
            return Ok(ExitCode::from(128 + signals::received() as u8));
        }
        let share = analyser.share();
        let count = "playing changed programs".to_owned();
        live.show(|| Some(Progress { share, count, left: None, speed: String::new(), more: Vec::new() }));
    };
    live.clear();
    let survivors = run.survivors(&program.subterms()).unwrap_or_default();
    let nodes = program.valued(None);
    if args.output.is_text() {
        out::result(&(analysis::text(&nodes, &analysis, &run.opponents()) + &analysis::survivors_text(&survivors)));
    } else {
        args.output.print("runs-program", &analysis::json(&nodes, &analysis, survivors), String::new);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the program in a file, of whichever problem.
fn in_file(path: &Path) -> Result<Arc<dyn AnyProgram>> {
    let text = files::read_text(path, Kind::Program)
        .map_err(|error| anyhow::anyhow!("cannot read {}: {}", sanitize::path(path), sanitize::reason(&error)))?;
    let evolve = by_command("evolve");
    let mut problems = evolve.iter().flat_map(|kind| kind.samples()).filter_map(|(_, settings)| settings.problem());
    let program = problems.find_map(|problem| problem.foreign_program(&text));
    program.with_context(|| format!("{} contains no program of a game of pits or of Othello", sanitize::path(path)))
}

/// Returns a program as a graph in DOT, each of several trees in a cluster. Redundant nodes are grey.
pub(super) fn dot(program: &ValuedProgram) -> String {
    let mut text = "digraph program {\n  node [shape=box, style=rounded];\n  graph [ordering=out];\n".to_owned();
    let is_single = program.trees.len() == 1;
    for (number, tree) in program.trees.iter().enumerate() {
        let body = dot_of_tree(number, tree);
        if is_single {
            text += &body;
        } else {
            text += &format!("  subgraph cluster_{number} {{\n  label=\"{}\";\n{body}  }}\n", quoted(&tree.title));
        }
    }
    text + "}\n"
}

/// Returns the nodes and edges of a tree, named by its number and theirs.
fn dot_of_tree(number: usize, tree: &ValuedTree) -> String {
    let mut text = String::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        let grey = if node.needed { "" } else { ", color=gray, fontcolor=gray" };
        text += &format!("  t{number}n{at} [label=\"{}\"{grey}];\n", quoted(&node.text));
        for arg in &node.args {
            text += &format!("  t{number}n{at} -> t{number}n{arg};\n");
        }
    }
    text
}

/// Escapes the inside of a quoted string in DOT.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Returns a program as a document in LaTeX, with an environment `forest` for each tree. Redundant nodes are grey.
pub(super) fn latex(program: &ValuedProgram) -> String {
    let mut text = "\\documentclass{article}\n\\usepackage{forest}\n\\begin{document}\n".to_owned();
    for tree in &program.trees {
        if !tree.title.is_empty() {
            text += &format!("\\paragraph{{{}}}\n", escaped(&tree.title));
        }
        text += &format!("\\begin{{forest}}\n{}\\end{{forest}}\n\n", forest(tree));
    }
    text + "\\end{document}\n"
}

/// Returns a tree as nested brackets, one line per node.
fn forest(tree: &ValuedTree) -> String {
    let mut text = String::new();
    // The ends of the open subtrees, outermost first.
    let mut open: Vec<usize> = Vec::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        text += &format!("{}[{{{}}}{}", "  ".repeat(open.len().min(MOST_INDENT)), label(node), grey(node));
        open.push(node.end);
        while open.pop_if(|end| *end == at + 1).is_some() {
            text.push(']');
        }
        text.push('\n');
    }
    text
}

/// Maximum indentation, in levels: deep programs would be mostly blanks.
const MOST_INDENT: usize = 40;

fn label(node: &ValuedNode) -> String {
    // In mathematics the minus of a negative constant is not a hyphen.
    if node.is_constant { format!("${}$", escaped(&node.text)) } else { escaped(&node.text) }
}

fn grey(node: &ValuedNode) -> &'static str {
    if node.needed { "" } else { ", text=gray, edge=gray" }
}

/// Escapes the characters that have a meaning in LaTeX.
fn escaped(text: &str) -> String {
    let one = |c: char| match c {
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '<' => "\\textless{}".to_owned(),
        '>' => "\\textgreater{}".to_owned(),
        '{' | '}' | '_' | '%' | '&' | '#' | '$' => format!("\\{c}"),
        other => other.to_string(),
    };
    text.chars().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::by_command;

    fn program(preset: &str, text: &str) -> ValuedProgram {
        let settings = by_command("evolve").and_then(|kind| kind.preset(preset)).unwrap();
        settings.problem().unwrap().program_in(text).unwrap().valued(None)
    }

    fn count(text: &str, part: &str) -> usize {
        text.matches(part).count()
    }

    #[test]
    fn a_graph_has_a_node_for_each_of_the_programs_and_an_edge_for_all_but_the_root() {
        let program = program("mancala-gp-1", "(if< (@ 0) 2 (+ 3 4) (- 5 6))");
        let text = dot(&program);
        assert_eq!((count(&text, "[label="), count(&text, " -> ")), (10, 9), "{text}");
        assert_eq!((count(&text, "{"), count(&text, "[")), (count(&text, "}"), count(&text, "]")), "{text}");
        assert!(text.contains("  t0n0 -> t0n4;\n") && text.contains("t0n1 [label=\"value_at\"];"), "{text}");
        assert!(count(&text, "\"").is_multiple_of(2));
    }

    #[test]
    fn labels_are_escaped() {
        assert_eq!(quoted("a\"b\\c"), "a\\\"b\\\\c");
        assert_eq!(escaped("50 % of {a_b} \\"), "50 \\% of \\{a\\_b\\} \\textbackslash{}");
    }

    #[test]
    fn brackets_of_a_forest_are_nested_as_the_program_is() {
        let program = program("mancala-gp-1", "(- (@ 8) 13)");
        assert_eq!(forest(&program.trees[0]), "[{sub}\n  [{value\\_at}\n    [{$8$}]]\n  [{$13$}]]\n");
        // The branch that is never taken is grey.
        let text = latex(&self::program("mancala-gp-1", "(if< 1 2 (@ 3) (+ (@ 4) 5))"));
        assert_eq!((count(&text, "{"), count(&text, "[")), (count(&text, "}"), count(&text, "]")), "{text}");
        assert!(text.contains("[{add}, text=gray, edge=gray"), "{text}");
    }

    #[test]
    fn several_trees_have_titles_that_hold_in_every_position() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/players/src/staged/best-staged.txt");
        let program = program("othello-gp-50-staged", &std::fs::read_to_string(file).unwrap());
        let text = dot(&program);
        assert!(text.contains("subgraph cluster_1 {\n  label=\"stage 2, 50 %\";"), "{text}");
        let nodes: usize = program.trees.iter().map(|tree| tree.nodes.len()).sum();
        assert_eq!((count(&text, "[label="), count(&text, " -> ")), (nodes, nodes - 2));
        assert!(latex(&program).contains("\\paragraph{stage 1, 50 \\%}"));
    }
}
