//! The display of programs that play games of pits.

use super::problem::KalahProblem;
use super::settings::{PRESETS, Settings};
use super::trace::tracer;
use super::valued::valued;
use crate::evolve::analysis::Tracer;
use crate::evolve::gp::Genome;
use crate::evolve::inspect::{Inspect, ValuedProgram, ValuedTree};
use crate::evolve::opponent::OpponentKind;
use crate::exploit;
use crate::game::{Position, Variant, of_pits};
use crate::player::Spec;
use crate::program::Tree;
use crate::program::kalah::{BowlLanguage as _, KalahLanguage, ProgramGame, Reading};
use mancalab_base::Error;

impl Inspect for KalahProblem {
    const PRESETS: &'static [(&'static str, &'static str)] = PRESETS;
    const PLAYER: &'static str = "program";

    fn spec(text: &str) -> Result<Spec, Error> {
        Ok(Spec::program("best", Tree::parse(text)?))
    }

    fn preset(name: &str) -> Option<Settings> {
        Settings::preset(name).ok()
    }

    fn valued(settings: &Settings, program: &Genome<KalahLanguage>, board: Option<Position>) -> ValuedProgram {
        let start = settings.variant().start();
        let valued = of_pits!(Pits => {
            Pits::try_from(start).ok().map(|start| valued_in(program, start, board, settings.reading))
        });
        valued.unwrap_or_default()
    }

    fn game(settings: &Settings) -> Variant {
        settings.variant()
    }

    fn opponent(settings: &Settings) -> Result<Spec, Error> {
        match settings.opponents.first().map(|opponent| &opponent.kind) {
            Some(OpponentKind::Player(spec)) => Ok(spec.clone()),
            Some(OpponentKind::Programs(_) | OpponentKind::Champions(_)) => {
                format!("program:random:{}", settings.tableau.seed).parse()
            }
            None => Ok(Spec::Human),
        }
    }

    fn places(settings: &Settings) -> Option<usize> {
        Some(settings.bowls())
    }

    fn tracer(settings: &Settings, program: &Genome<KalahLanguage>) -> Option<Box<dyn Tracer>> {
        let start = settings.variant().start();
        of_pits!(Pits => Pits::try_from(start).ok().map(|start| tracer(settings, program.first(), start)))
    }

    fn greatest_sum(settings: &Settings) -> Option<(u32, u32)> {
        let Variant::Kalah(rules) = settings.variant() else { return None };
        let [opponent] = &settings.opponents[..] else { return None };
        let OpponentKind::Player(spec) = &opponent.kind else { return None };
        let seats = exploit::known(&rules, spec)?;
        let sum = |bound: fn(&(u8, u8)) -> u8| seats.iter().map(|seat| u32::from(bound(seat))).sum();
        Some((sum(|seat| seat.0), sum(|seat| seat.1)))
    }
}

/// See [`Inspect::valued`], in a game that starts with this position.
fn valued_in<G: ProgramGame>(
    program: &Genome<KalahLanguage>,
    start: G,
    board: Option<Position>,
    reading: Reading,
) -> ValuedProgram {
    let on_board = board.and_then(|pos| G::try_from(pos).ok()).filter(|pos| pos.with_rules() == start.with_rules());
    let (values, taken) = valued(program.first(), &on_board.unwrap_or(start), reading);
    let values: Vec<String> = values.iter().map(i64::to_string).collect();
    let tree = ValuedTree::new(String::new(), &*G::Language::own(program.first()), &values, &taken);
    ValuedProgram { of_board: on_board.is_some(), trees: vec![tree] }
}
