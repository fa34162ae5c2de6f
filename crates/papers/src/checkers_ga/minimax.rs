//! A worked example of minimax with alpha-beta: the tree of a checkers position three plies deep, with every window, value and cut.

use mancalab_base::{Error, bail};

use rand::Rng as _;

use crate::game::checkers::{Checkers, Rules};
use crate::game::{BoardGame as _, Game as _, GameState, Move, Notation as _, Side};
use crate::player::Spec;
use crate::player::samuel::Evaluator;
use crate::rng;
use crate::search::pvs::Evaluate as _;
use crate::{Hear, Line, Options, Table};

/// The depth of the example, in plies.
const DEPTH: u32 = 3;

/// The leaves of the whole tree: enough for cuts, and few enough to read.
const LEAVES: std::ops::RangeInclusive<u64> = 12..=24;

/// The least number of cuts.
const CUTS: usize = 3;

/// Random games to try for a position.
const TRIED: u64 = 1000;

/// Purpose of the random moves that lead to the position.
const DRAWN: u64 = 4;

/// The window of a root: no limits.
const OPEN: [i32; 2] = [i32::MIN, i32::MAX];

/// A searched position.
#[derive(Clone, PartialEq, Debug)]
struct Node {
    pos: Checkers,
    /// The move to it; `None` at the root.
    mv: Option<String>,
    /// Alpha and beta on entry.
    window: [i32; 2],
    /// For the side to move at the root; after a cut, a bound.
    value: i32,
    children: Vec<Node>,
    /// The moves skipped after a cut.
    skipped: Vec<String>,
}

/// An alpha-beta search that keeps its tree. The side to move at the root maximizes.
struct Searcher<'a> {
    evaluator: &'a Evaluator,
    side: Side,
}

impl Searcher<'_> {
    fn search(&self, pos: Checkers, mv: Option<String>, depth: u32, window: [i32; 2]) -> Node {
        let mut node = Node { pos, mv, window, value: 0, children: Vec::new(), skipped: Vec::new() };
        if depth == 0 {
            node.value = self.evaluator.of_side(&pos, self.side);
            return node;
        }
        let is_max = pos.side() == self.side;
        node.value = if is_max { i32::MIN } else { i32::MAX };
        let [mut alpha, mut beta] = window;
        for mv in pos.moves() {
            let text = pos.move_text(mv);
            if alpha >= beta {
                node.skipped.push(text);
                continue;
            }
            let child = self.search(pos.play(mv), Some(text), depth - 1, [alpha, beta]);
            if is_max {
                node.value = node.value.max(child.value);
                alpha = alpha.max(node.value);
            } else {
                node.value = node.value.min(child.value);
                beta = beta.min(node.value);
            }
            node.children.push(child);
        }
        node
    }
}

impl Node {
    fn evaluate(evaluator: &Evaluator, pos: Checkers) -> Node {
        Searcher { evaluator, side: pos.side() }.search(pos, None, DEPTH, OPEN)
    }

    /// Returns the first of the best moves.
    fn best_move(&self) -> Option<Move> {
        let best = self.children.iter().position(|child| child.value == self.value)?;
        self.pos.moves().nth(best)
    }

    fn count(&self, is_counted: &impl Fn(&Node) -> bool) -> usize {
        usize::from(is_counted(self)) + self.children.iter().map(|child| child.count(is_counted)).sum::<usize>()
    }

    /// Returns the number of leaves evaluated.
    fn leaves(&self) -> usize {
        self.count(&|node| node.children.is_empty())
    }

    fn cuts(&self) -> usize {
        self.count(&|node| !node.skipped.is_empty())
    }

    /// Formats the node and all below it, a line each.
    fn write(&self, level: usize, value: &impl Fn(i32) -> String, text: &mut Vec<String>) {
        let kind = match (self.children.is_empty(), level % 2) {
            (true, _) => "leaf",
            (_, 0) => "max",
            _ => "min",
        };
        let name = format!("{}{}", "    ".repeat(level), self.mv.as_deref().unwrap_or("root"));
        let [alpha, beta] = self.window.map(value);
        let cut = match &self.skipped[..] {
            [] => String::new(),
            skipped => format!("  cut: {} not searched", skipped.join(", ")),
        };
        text.push(format!("  {name:<22} {kind:<4} {alpha:>9} {beta:>9} {:>9}{cut}", value(self.value)));
        self.children.iter().for_each(|child| child.write(level + 1, value, text));
    }
}

/// Returns the number of leaves without cuts; `None` if a game ends within the depth.
fn all_leaves(pos: &Checkers, depth: u32) -> Option<u64> {
    match depth {
        0 => Some(1),
        _ if pos.is_over() => None,
        _ => pos.moves().map(|mv| all_leaves(&pos.play(mv), depth - 1)).sum(),
    }
}

/// Returns the first position of the seed's random games whose tree is a good example, with the number of all its leaves.
fn example(seed: u64, evaluator: &Evaluator) -> Option<(Node, u64)> {
    (0..TRIED).find_map(|number| {
        let mut rng = rng::keyed(&[seed, number, DRAWN]);
        let mut game_state = GameState::new(Checkers::start(Rules::default()));
        while !game_state.is_over() {
            let pos = *game_state.pos();
            let is_open = !pos.must_jump() && pos.count_moves() > 2;
            if let Some(leaves) = all_leaves(&pos, DEPTH).filter(|leaves| is_open && LEAVES.contains(leaves)) {
                let node = Node::evaluate(evaluator, pos);
                if node.cuts() >= CUTS {
                    return Some((node, leaves));
                }
            }
            game_state.play(pos.pick(rng.next_u32()));
        }
        None
    })
}

pub(super) fn reproduce(options: &Options, _: Hear<'_>) -> Result<Table, Error> {
    let weights = options.value("weights").unwrap_or("ones");
    let Spec::Samuel(samuel) = format!("samuel@{weights}").parse()? else { bail!("weights cannot be {weights}") };
    let evaluator = Evaluator::new(&samuel.weights);
    let (node, leaves) = example(options.seed, &evaluator)
        .ok_or_else(|| format!("seed {} has no small example with these weights; try another", options.seed))?;
    let value = |value: i32| match value {
        i32::MIN => "-inf".to_owned(),
        i32::MAX => "+inf".to_owned(),
        value => format!("{:.2}", evaluator.thousandths(value) as f64 / 1000.0),
    };
    let mut chart = vec![format!("The tree of {}", node.pos.to_text())];
    chart.push(format!("  {:<22} {:<4} {:>9} {:>9} {:>9}", "move", "", "alpha", "beta", "value"));
    node.write(0, &value, &mut chart);
    let best = node.best_move().map_or(String::new(), |mv| node.pos.move_text(mv));
    let lines = vec![
        Line::new("leaves of the whole tree", None, leaves as f64, "positions"),
        Line::new("leaves evaluated", None, node.leaves() as f64, "positions"),
        Line::new("cuts", None, node.cuts() as f64, ""),
        Line::new("value of the root", None, evaluator.thousandths(node.value) as f64 / 1000.0, "")
            .remarked(format!("move {best}")),
    ];
    let reading = vec![
        ("depth", format!("{DEPTH} plies, without search beyond them")),
        ("values", format!("the sum of Samuel's terms with weights {weights}, for the side to move at the root")),
        ("alpha, beta", "on entry: the best values so far of the maximizing and the minimizing side".to_owned()),
        ("cut", "alpha has reached beta: the other side avoids this position".to_owned()),
        ("position", format!("the first of seed {}'s random games with a small tree and {CUTS} cuts", options.seed)),
    ];
    Ok(Table { lines, chart, reading, ..Table::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::player::samuel::{Samuel, Searcher as Engine, Weights};

    #[test]
    fn value_and_move_are_those_of_the_engine() {
        let mut rng = rng::keyed(&[7]);
        for weights in [Weights::default(), "samuel@best".parse::<Spec>().map(weights_of).unwrap()] {
            let evaluator = Evaluator::new(&weights);
            let mut engine = Engine::new(&Samuel { plays_out: false, ..Samuel::new(DEPTH, weights) });
            let mut game_state = GameState::new(Checkers::start(Rules::default()));
            while all_leaves(game_state.pos(), DEPTH).is_some() && game_state.plies() < 40 {
                let pos = *game_state.pos();
                let node = Node::evaluate(&evaluator, pos);
                engine.begin(&game_state, 0);
                engine.step(Budget::UNLIMITED);
                if pos.count_moves() > 1 {
                    let value = engine.report().unwrap().lines[0].weighed.unwrap();
                    assert_eq!(value, crate::search::MoveValue::Value(evaluator.thousandths(node.value)), "{pos:?}");
                    assert_eq!(node.best_move(), engine.best_move(), "{pos:?}");
                }
                assert!(node.leaves() as u64 <= all_leaves(&pos, DEPTH).unwrap());
                game_state.play(pos.pick(rng.next_u32()));
            }
            assert!(game_state.plies() > 10);
        }
    }

    fn weights_of(spec: Spec) -> Weights {
        let Spec::Samuel(samuel) = spec else { panic!("{spec}") };
        samuel.weights
    }

    #[test]
    fn the_example_lists_every_node_and_cut() {
        for seed in 1..4 {
            let options = Options { seed, ..Options::default() };
            let table = crate::target::reproduce("checkers-ga/minimax", &[], options, &mut |_| ()).unwrap();
            let rows = |what: &str| table.chart.iter().filter(|line| line.contains(what)).count() as f64;
            let measured: Vec<f64> = table.lines.iter().map(|line| line.measured.unwrap()).collect();
            assert_eq!([rows(" leaf "), rows("  cut: ")], [measured[1], measured[2]]);
            assert!(measured[1] < measured[0] && measured[2] >= CUTS as f64, "{measured:?}");
        }
    }
}
