//! Drawings of programs for other programs: Graphviz DOT, and LaTeX with the package `forest`.

use crate::evolve::inspect::{ValuedNode, ValuedProgram, ValuedTree};

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
    use crate::kinds::{KindOf as _, by_command};

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
