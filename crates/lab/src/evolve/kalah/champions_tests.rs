//! Tests of champions: programs meet those of the previous generation.

use std::sync::Arc;

use super::problem::{KalahProblem, rivals};
use super::settings::Settings;
use crate::budget::{Budget, Status};
use crate::evolve::gp::{Genome, Outcome, Problem, islands};
use crate::game::kalah::Kalah;
use crate::game::{BoardGame as _, Game as _, GameState, PitGame as _, Side};
use crate::pool::Pool;
use crate::program::Tape;
use crate::program::kalah::{KalahLanguage, ProgramReading, random_program};
use crate::settings::KeyedSettings as _;
use proptest::prelude::*;

type Program = Arc<Genome<KalahLanguage>>;

fn program(number: u64) -> Program {
    Arc::new(Genome::from(random_program(5, number)))
}

fn settings(changes: &[&str]) -> Settings {
    let mut settings = Settings::preset("mancala-gp-1").unwrap();
    changes.iter().for_each(|text| settings.set_text(text).unwrap());
    settings
}

/// Plays a generation: the outcomes of programs that meet these champions.
fn generation(problem: &mut KalahProblem, champions: &[Program], programs: &[Program]) -> Vec<Outcome> {
    problem.meet(champions.to_vec());
    let mut batch = problem.begin(programs.to_vec(), 0);
    while problem.advance(&mut batch, &Pool::alone(), Budget::UNLIMITED) == Status::Running {}
    KalahProblem::finish(batch)
}

#[test]
fn champions_are_played_as_players_are() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<String> = (0..2)
        .map(|number| {
            let path = folder.path().join(format!("{number}.txt"));
            std::fs::write(&path, program(number).first().to_notation()).unwrap();
            format!("program:{}", path.display())
        })
        .collect();
    let programs: Vec<Program> = (10..30).map(program).collect();
    let met = |opponents: &str, champions: &[Program]| {
        generation(&mut KalahProblem::new(&settings(&[opponents])).unwrap(), champions, &programs)
    };
    let two = [program(0), program(1)];
    assert_eq!(met("opponents=champions:2", &two), met(&format!("opponents={}", files.join(",")), &[]));
    assert_eq!(met("opponents=champions:2", &two[..1]), met(&format!("opponents={}", files[0]), &[]));
    assert_eq!(met("opponents=champions:2", &[]), met("opponents=random", &[]));
    assert_eq!(
        met("opponents=max,3*champions:2", &two),
        met(&format!("opponents=max,1.5*{},1.5*{}", files[0], files[1]), &[])
    );
}

/// Both read the board as the run does, not as players by files do.
#[test]
fn champions_read_the_board_as_they_were_bred() {
    let settings = settings(&["value_at=south", "choice=previous", "opponents=champions:1", "capture=standard"]);
    let programs: Vec<Program> = (10..30).map(program).collect();
    let champion = program(3);
    let outcomes = generation(&mut KalahProblem::new(&settings).unwrap(), &[Arc::clone(&champion)], &programs);
    let mut is_other = false;
    for (program, outcome) in programs.iter().zip(outcomes) {
        for seat in Side::BOTH {
            let mut tapes = [program, &champion].map(|one| Tape::new(one.first()));
            let mut game_state = GameState::new(Kalah::start("6x4:standard".parse().unwrap()));
            while !game_state.is_over() {
                let pos = *game_state.pos();
                let tape = &mut tapes[usize::from(pos.side() != seat)];
                is_other |=
                    settings.reading.chosen_move(tape, &pos) != ProgramReading::default().chosen_move(tape, &pos);
                game_state.play(settings.reading.chosen_move(tape, &pos).unwrap());
            }
            assert_eq!(outcome.scores[seat.index()], f64::from(game_state.pos().final_seeds(seat)));
        }
    }
    assert!(is_other);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever stays from one generation to the next changes no result.
    #[test]
    fn earlier_champions_change_nothing(
        met in prop::collection::vec(prop::collection::vec(0..4_u64, 0..4), 1..5),
        is_last: bool,
    ) {
        let opponents = if is_last { "opponents=random,max,2*champions:3" } else { "opponents=champions:3,random,max" };
        let settings = settings(&[opponents, "selection=lexicase"]);
        let programs: Vec<Program> = (10..18).map(program).collect();
        let mut problem = KalahProblem::new(&settings).unwrap();
        for champions in met {
            let champions: Vec<Program> = champions.into_iter().map(program).collect();
            let alone = generation(&mut KalahProblem::new(&settings).unwrap(), &champions, &programs);
            prop_assert_eq!(generation(&mut problem, &champions, &programs), alone);
        }
    }
}

#[test]
fn opponents_after_champions_keep_their_random_draws() {
    let settings = settings(&["opponents=champions:3,random,programs:2"]);
    let after = |count: u64| {
        let champions: Vec<Program> = (0..count).map(program).collect();
        let rivals = rivals(&settings, &champions);
        rivals.iter().rev().take(3).map(|rival| (rival.number, rival.place)).collect::<Vec<_>>()
    };
    assert_eq!(after(3), [(5, 5), (4, 4), (3, 3)]);
    assert!((0..3).all(|count| after(count) == after(3)));
}

#[test]
fn every_generation_plays_again_and_islands_are_not_computed_apart() {
    let changes = |text: &str| KalahProblem::new(&settings(&[text])).unwrap().changes();
    assert!(changes("opponents=champions:1") && !changes("opponents=programs:1"));
    let apart = settings(&["islands=2", "population=16", "opponents=max,champions:2"]);
    let refused = islands::check::<KalahProblem>(&apart).unwrap_err().to_string();
    assert!(refused.starts_with("opponents must not contain champions"), "{refused}");
}
