//! The display of functions that evaluate Othello boards.

use super::problem::OthelloProblem;
use super::settings::{Seat, Settings};
use super::stages::Training;
use super::trees::Layout;
use super::valued::{Worths, valued};
use crate::evolve::gp::Genome;
use crate::evolve::inspect::{Inspect, ValuedProgram, ValuedTree};
use crate::evolve::opponent::OpponentKind;
use crate::game::othello::{Othello, Rules, Zones};
use crate::game::{BoardGame, Game, Position, Side, Variant};
use crate::player::staged::{self, Stage};
use crate::player::{Spec, StagedSettings};
use crate::program::othello::OthelloLanguage;
use mancalab_base::Error;

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
    if let Training::Stage(bred) = settings.training
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
