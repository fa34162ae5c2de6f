//! `mancalab runs program --analyse`: what a program does in its games, as text or JSON.

use serde::Serialize;

use crate::evolve::analysis::{Analysis, Step, Trace, Worth};
use crate::evolve::gp::row::short;
use crate::evolve::inspect::{ValuedProgram, ValuedTree};
use crate::evolve::subterms::{Survivor, Survivors};
use crate::grid::Grid;

/// The analysis for programs.
#[derive(Serialize)]
pub(super) struct Json {
    fitness: f64,
    scores: Vec<f64>,
    nodes: Vec<JsonNode>,
    trace: Option<JsonTrace>,
    simplification: Vec<JsonStep>,
    simplified: String,
    simplified_nodes: usize,
    subterms: Vec<JsonSubterm>,
}

/// A node, in prefix order, tree by tree.
#[derive(Serialize)]
struct JsonNode {
    tree: usize,
    text: String,
    worth: f64,
    idle: bool,
    taken: Option<u64>,
}

#[derive(Serialize)]
struct JsonTrace {
    moves: u64,
    reads: Vec<u64>,
    sown: Vec<u64>,
}

#[derive(Serialize)]
struct JsonStep {
    from: String,
    to: String,
    nodes: usize,
}

/// A common subterm of the run's programs, with the share of the programs that contain it by generation.
#[derive(Serialize)]
struct JsonSubterm {
    text: String,
    nodes: usize,
    own: bool,
    generations: Vec<JsonShare>,
}

#[derive(Serialize)]
struct JsonShare {
    generation: u64,
    share: f64,
}

/// Returns the analysis of a program for programs.
pub(super) fn json(program: &ValuedProgram, analysis: &Analysis, survivors: Survivors) -> Json {
    let Analysis { fitness, scores, worth, trace, simplification, simplified } = analysis;
    let taken = |tree: usize, node: usize| trace.as_ref().filter(|_| tree == 0).map(|trace| trace.taken[node]);
    let node = |tree: usize, (node, worth): (usize, &Worth)| JsonNode {
        tree,
        text: program.trees[tree].nodes[node].text.clone(),
        worth: worth.points,
        idle: worth.is_idle,
        taken: taken(tree, node),
    };
    let of_tree =
        |(tree, worth): (usize, &Vec<Worth>)| worth.iter().enumerate().map(|one| node(tree, one)).collect::<Vec<_>>();
    let trace = trace.as_ref().map(|trace| JsonTrace {
        moves: trace.moves,
        reads: trace.reads.clone(),
        sown: trace.sown.clone(),
    });
    let step = |Step { from, to, nodes }: &Step| JsonStep { from: from.clone(), to: to.clone(), nodes: *nodes };
    let Survivors { generations, subterms, .. } = survivors;
    let share = |(&generation, share): (&u64, f64)| JsonShare { generation, share };
    let subterm = |Survivor { text, nodes, shares, is_own, .. }: Survivor| JsonSubterm {
        text,
        nodes,
        own: is_own,
        generations: generations.iter().zip(shares).map(share).collect(),
    };
    Json {
        fitness: *fitness,
        scores: scores.clone(),
        nodes: worth.iter().enumerate().flat_map(of_tree).collect(),
        trace,
        simplification: simplification.iter().map(step).collect(),
        simplified: simplified.0.trim_end().to_owned(),
        simplified_nodes: simplified.1,
        subterms: subterms.into_iter().map(subterm).collect(),
    }
}

/// Returns the analysis of a program as text. `opponents` are named as in the settings.
pub(super) fn text(program: &ValuedProgram, analysis: &Analysis, opponents: &str) -> String {
    let scores: Vec<String> = analysis.scores.iter().map(|score| short(*score)).collect();
    let nodes: usize = program.trees.iter().map(|tree| tree.nodes.len()).sum();
    let mut text = format!(
        "fitness {} (scores {}) with {nodes} nodes, against {opponents}\n",
        short(analysis.fitness),
        scores.join(", ")
    );
    if let Some(trace) = &analysis.trace {
        text += &format!(
            "\nWhat it reads, in percent of its {} moves (the board seen from its side)\n\n{}",
            trace.moves,
            board(trace)
        );
    }
    text += "\nNodes: points of fitness that it loses without the node, and how often its value comes by it\n";
    for (number, tree) in program.trees.iter().enumerate() {
        let title = if tree.title.is_empty() { String::new() } else { format!("{}\n", tree.title) };
        let trace = analysis.trace.as_ref().filter(|_| number == 0);
        text += &format!("\n{title}{}", tree_of(tree, &analysis.worth[number], trace).table());
    }
    let (simplified, left) = &analysis.simplified;
    if analysis.simplification.is_empty() {
        return text + "\nNo part can be left out or replaced by 0 or 1 without a change in its games.\n";
    }
    text += &format!(
        "\nSimplified from {nodes} to {left} nodes; after each step all games are the same, move by move\n\n{}",
        steps(&analysis.simplification).table()
    );
    text + &format!("\n{}\n", simplified.trim_end())
}

/// Returns the share of moves in which each pit was read, laid out as the program sees the board: below its own pits, in sowing order.
fn board(trace: &Trace) -> String {
    let half = trace.reads.len() / 2;
    let percent = |count: u64, total: u64| match (100.0 * count as f64 / total.max(1) as f64).round() {
        _ if count == 0 => ".".to_owned(),
        0.0 => "<1".to_owned(),
        share => format!("{share:.0}"),
    };
    let read = |place: usize| percent(trace.reads[place], trace.moves);
    let row = |label: &str, cells: Vec<String>| {
        let cells: String = cells.into_iter().map(|cell| format!("{cell:>5}")).collect();
        format!("  {label:<16}{cells}\n")
    };
    let numbers = |places: Vec<usize>| places.into_iter().map(|place| place.to_string()).collect();
    let other: Vec<usize> = (half + 1..2 * half).rev().collect();
    let own: Vec<usize> = (1..half).collect();
    let sown = trace.sown.iter().map(|&count| percent(count, trace.moves)).collect();
    [
        row("their pit", numbers(other.clone())),
        row("read", other.into_iter().map(read).collect()),
        format!("  their store {}, own store {}\n", read(0), read(half)),
        row("read", own.iter().map(|&place| read(place)).collect()),
        row("own pit", numbers(own)),
        row("sown", sown),
    ]
    .concat()
}

/// Returns a table with a row for each node, indented by its depth.
fn tree_of(tree: &ValuedTree, worth: &[Worth], trace: Option<&Trace>) -> Grid {
    let mut open: Vec<usize> = Vec::new();
    let row = |(at, node): (usize, &crate::evolve::inspect::ValuedNode)| {
        while open.pop_if(|end| *end <= at).is_some() {}
        let indent = "  ".repeat(open.len().min(40));
        open.push(node.end);
        let Worth { points, is_idle } = worth[at];
        let worth = if is_idle { "-".to_owned() } else { short(points) };
        let taken = trace.map_or(String::new(), |trace| {
            format!("{:.0} %", 100.0 * trace.taken[at] as f64 / trace.moves.max(1) as f64)
        });
        vec![worth, taken, format!("{indent}{}", node.text)]
    };
    Grid::new(&["loses", "taken", "node"], &[0, 1], tree.nodes.iter().enumerate().map(row).collect::<Vec<_>>())
}

fn steps(steps: &[Step]) -> Grid {
    let row = |(number, Step { from, to, nodes }): (usize, &Step)| {
        vec![(number + 1).to_string(), nodes.to_string(), shortened(from), shortened(to)]
    };
    Grid::new(&["step", "nodes", "replaced", "by"], &[0, 1], steps.iter().enumerate().map(row).collect::<Vec<_>>())
}

/// Returns the most common subterms of the run's programs; empty if there are none.
pub(super) fn survivors_text(survivors: &Survivors) -> String {
    let Survivors { generations, subterms, unread } = survivors;
    if subterms.is_empty() {
        return String::new();
    }
    let percent = |share: &f64| if *share == 0.0 { "-".to_owned() } else { format!("{:.0}", 100.0 * share) };
    let row = |one: &Survivor| {
        let own = if one.is_own { "yes" } else { "" }.to_owned();
        let shares = one.shares.iter().map(percent);
        shares.chain([one.nodes.to_string(), own, shortened(&one.text)]).collect::<Vec<_>>()
    };
    let numbers: Vec<String> = generations.iter().map(u64::to_string).collect();
    let heads: Vec<&str> = numbers.iter().map(String::as_str).chain(["nodes", "in it", "subterm"]).collect();
    let right: Vec<usize> = (0..=generations.len()).collect();
    let kept = match generations.len() {
        1 => " (a run with `keep=100` keeps every hundredth generation to compare)",
        _ => "",
    };
    let unread = unread.iter().map(|generation| format!("The checkpoint of generation {generation} cannot be read.\n"));
    let unread: String = unread.collect();
    format!(
        "\nSubterms that most programs have in common, in percent of the programs of a generation{kept}\n\n{}{unread}",
        Grid::new(&heads, &right, subterms.iter().map(row).collect::<Vec<_>>()).table()
    )
}

/// Returns the beginning of a long text.
fn shortened(text: &str) -> String {
    const MOST: usize = 44;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
