//! The display of functions that evaluate Othello boards, with the value of every node on a board.

use mancalab_base::Error;

use super::problem::OthelloProblem;
use super::settings::{Seat, Settings};
use super::stages::BredStages;
use super::trees::{Layout, OthelloTree, Trees};
use crate::evolve::gp::Genome;
use crate::evolve::inspect::{Inspect, ValuedProgram, ValuedTree};
use crate::evolve::opponent::OpponentKind;
use crate::game::othello::{COUNTS, Othello, Rules, Zones};
use crate::game::{BoardGame, Game, Position, Side, Variant};
use crate::player::staged::{self, Stage};
use crate::player::{Spec, StagedSettings};
use crate::program::language::{Language, Node, Part};
use crate::program::othello::{Counts, DIV, OthelloLanguage};

impl Inspect for OthelloProblem {
    const PRESETS: &'static [(&'static str, &'static str)] = super::PRESETS;
    const PLAYER: &'static str = "staged";

    fn spec(text: &str) -> Result<Spec, Error> {
        StagedSettings::in_text(text).map(Spec::Staged)
    }

    fn preset(name: &str) -> Option<Settings> {
        Settings::preset(name).ok()
    }

    /// Takes the stages and the arity of definitions from the text.
    fn settings_for(text: &str) -> Option<Settings> {
        let staged = StagedSettings::in_text(text).ok()?;
        let shares: Vec<String> = staged.stages.iter().map(|stage| stage.share.to_string()).collect();
        let arity = |stage: &Stage| stage.function.defined().map_or(0, |defined| defined.arity as u32);
        let adf = staged.stages.first().map_or(0, arity);
        Some(Settings { shares: shares.join(",").parse().ok()?, overlap: staged.overlap, adf, ..Settings::default() })
    }

    /// Evaluates the board for the side to move, whose discs are `white`.
    fn valued(settings: &Settings, program: &Genome<OthelloLanguage>, board: Option<Position>) -> ValuedProgram {
        let on_board = board.and_then(|pos| Othello::try_from(pos).ok());
        let pos = on_board.unwrap_or_else(|| Othello::start(Rules::default()));
        let counts = pos.counts(pos.side(), Zones::default());
        let layout = Layout::new(settings);
        let chances = layout.chances(pos.put());
        let mut trees = Vec::new();
        for (number, function) in layout.functions(program).enumerate() {
            let (main, body) = valued(function, &counts);
            let taken =
                |taken: &[bool]| taken.iter().map(|&taken| taken && chances[number] > 0.0).collect::<Vec<bool>>();
            // Shows negative zero as zero.
            let mut add = |title: String, now: String, tree, Worths { values, taken: nodes }: &Worths| {
                let values: Vec<String> = values.iter().copied().map(|value| staged::number(value + 0.0)).collect();
                trees.push(ValuedTree { now, ..ValuedTree::new(title, tree, &values, &taken(nodes)) });
            };
            let (title, now) = title(settings, &layout, number, chances[number]);
            add(title.clone(), now, function.main, &main);
            if let (Some(tree), Some(worths)) = (function.body, &body) {
                let of = if title.is_empty() { String::new() } else { format!(" of stage {}", number + 1) };
                add(format!("adf{}{of}", settings.adf), String::new(), tree, worths);
            }
        }
        ValuedProgram { of_board: on_board.is_some(), trees }
    }

    fn game(_: &Settings) -> Variant {
        Variant::Othello(Rules::default())
    }

    fn side(settings: &Settings) -> Side {
        if settings.seat == Seat::White { Side::North } else { Side::South }
    }

    /// Returns the random player for champions and random programs, which have no player text.
    fn opponent(settings: &Settings) -> Result<Spec, Error> {
        Ok(match settings.opponents.first().map(|opponent| &opponent.kind) {
            Some(OpponentKind::Player(spec)) => spec.clone(),
            Some(OpponentKind::Programs(_) | OpponentKind::Champions(_)) => Spec::Random,
            None => Spec::Human,
        })
    }
}

/// Returns the role of a function, empty for a single one, and whether it is in force, which has probability `chance`.
fn title(settings: &Settings, layout: &Layout, number: usize, chance: f64) -> (String, String) {
    if let BredStages::Stage(bred) = settings.training
        && settings.shares.count() > 1
    {
        return (format!("bred for stage {bred} of {}", settings.shares), String::new());
    }
    match layout.shares() {
        [_] => Default::default(),
        shares => {
            let now = match chance {
                0.0 => String::new(),
                1.0 => ", in force".to_owned(),
                drawn => format!(", in force with {:.0} %", 100.0 * drawn),
            };
            (format!("stage {}, {} %", number + 1, shares[number]), now)
        }
    }
}

/// The value of each node of a tree, and whether the function's value comes from it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Worths {
    pub values: Vec<f64>,
    pub taken: Vec<bool>,
}

/// Evaluates the tree of a function and its definition. The definition's nodes have their values in the first call that
/// determines the result; if there is none, their values for arguments of 0, marked as unused.
pub(super) fn valued(trees: Trees<'_>, counts: &Counts) -> (Worths, Option<Worths>) {
    let called = |args: &[f64]| trees.body.map_or(0.0, |body| values(body, counts, args, |_| 0.0)[0]);
    let main = values(trees.main, counts, &[], called);
    let taken = taken(trees.main, &main);
    let body = trees.body.map(|body| {
        let children = trees.main.children();
        let is_call =
            |node: &Node<_>| matches!(node, Node::Symbol(symbol) if OthelloLanguage::part(*symbol) == Part::Call);
        let call = trees.main.nodes().iter().zip(&taken).position(|(node, &taken)| taken && is_call(node));
        let args: Vec<f64> = call.map(|call| children[call].iter().map(|&arg| main[arg]).collect()).unwrap_or_default();
        let values = values(body, counts, &args, |_| 0.0);
        let taken = if call.is_some() { self::taken(body, &values) } else { vec![false; values.len()] };
        Worths { values, taken }
    });
    (Worths { values: main, taken }, body)
}

/// Returns the value of every node. `args` are the arguments of the call; `called` evaluates a call.
fn values(tree: &OthelloTree, counts: &Counts, args: &[f64], called: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let mut inputs = [0.0; OthelloLanguage::INPUTS];
    OthelloLanguage::look(counts, &mut inputs);
    inputs[2 * COUNTS..].iter_mut().zip(args).for_each(|(input, &arg)| *input = arg);
    let children = tree.children();
    let mut values = vec![0.0; tree.size()];
    for (at, node) in tree.nodes().iter().enumerate().rev() {
        let arg = |number: usize| values[children[at][number]];
        values[at] = match *node {
            Node::Constant(constant) => OthelloLanguage::value(constant),
            Node::Symbol(symbol) if OthelloLanguage::part(symbol) == Part::Call => {
                called(&(0..children[at].len()).map(arg).collect::<Vec<f64>>())
            }
            Node::Symbol(symbol) => OthelloLanguage::apply(symbol, arg, |input| inputs[input]),
        };
    }
    values
}

/// Returns which nodes the root's value comes from. A dividend over 0 has no effect.
fn taken(tree: &OthelloTree, values: &[f64]) -> Vec<bool> {
    let children = tree.children();
    let mut taken = vec![false; tree.size()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        taken[at] = true;
        match children[at][..] {
            [a, b, then, otherwise] => open.extend([a, b, if values[a] < values[b] { then } else { otherwise }]),
            [_, by] if tree.nodes()[at] == Node::Symbol(DIV) && values[by] == 0.0 => open.push(by),
            _ => open.extend(&children[at]),
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::othello::{Othello, Rules, Zones};
    use crate::game::{BoardGame, Game};
    use crate::program::Tree;
    use crate::program::othello::{Callee, Function};

    fn board() -> Othello {
        let start = Othello::start(Rules::default());
        start.play(start.pick(0))
    }

    fn tree(text: &str) -> OthelloTree {
        // A definition is not valid on its own.
        let function = Function::parse(&format!("( adf2 white black ) where adf2 = {text}")).unwrap();
        function.defined().unwrap().body.clone()
    }

    #[test]
    fn every_node_has_its_value() {
        let counts = board().counts(board().side(), Zones::default());
        let main: OthelloTree = Tree::parse("( - ( * 10 white ) ( / black ( - white 1 ) ) )").unwrap();
        let (worths, none) = valued(Trees { main: &main, body: None }, &counts);
        assert_eq!((counts[0], counts[4], none), (1, 4, None));
        // White has one disc: division by 0 gives 1, so the dividend has no effect.
        assert_eq!(worths.values, [9.0, 10.0, 10.0, 1.0, 1.0, 4.0, 0.0, 1.0, 1.0]);
        assert_eq!(worths.taken, [true, true, true, true, true, false, true, true, true]);
    }

    #[test]
    fn what_is_called_is_worth_what_it_is_in_the_first_call() {
        let counts = board().counts(board().side(), Zones::default());
        let function =
            Function::parse("( + ( adf2 black 10 ) ( adf2 white white ) ) where adf2 = ( * arg1 arg2 )").unwrap();
        let body = &function.defined().unwrap().body;
        let (worths, called) = valued(Trees { main: function.main(), body: Some(body) }, &counts);
        assert_eq!(worths.values, [41.0, 40.0, 4.0, 10.0, 1.0, 1.0, 1.0]);
        let called = called.unwrap();
        assert_eq!((called.values, called.taken), (vec![40.0, 4.0, 10.0], vec![true; 3]));
        let alone: OthelloTree = Tree::parse("( white )").unwrap();
        let (_, called) = valued(Trees { main: &alone, body: Some(body) }, &counts);
        assert_eq!(called.unwrap(), Worths { values: vec![0.0; 3], taken: vec![false; 3] });
    }

    /// The value of the first node is that of the player's tape.
    #[test]
    fn values_are_those_of_the_tape() {
        let main: OthelloTree = Tree::parse("( / ( adf2 white black_edges ) ( + black ( adf2 10 white ) ) )").unwrap();
        let body = tree("( - ( * arg2 arg2 ) ( / 10 arg1 ) )");
        let function = Function::new(main.clone(), Some(Callee { arity: 2, body: body.clone() })).unwrap();
        let mut pos = board();
        while !pos.is_over() {
            let counts = pos.counts(pos.side(), Zones::default());
            let (worths, _) = valued(Trees { main: &main, body: Some(&body) }, &counts);
            assert_eq!(worths.values[0], function.tape().run(&counts));
            pos = pos.play(pos.pick(1 << 31));
        }
    }
}
