//! Tests of tuning for checkers: independent of the division into steps, with games that can be replayed.

use std::time::Duration;

use super::*;
use crate::budget::Budget;
use crate::evolve::checks;
use crate::evolve::task::AnyTask as _;
use crate::game::Outcome;
use crate::job::{Progress, Run};
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;

/// Returns the settings of a shallow, short run.
fn small(changes: &[(&str, &str)]) -> CheckersSettings {
    let mut settings = source();
    let all = [("population", "5"), ("generations", "2"), ("depth", "1"), ("limit", "20"), ("mutation_rate", "0.5")];
    for (key, value) in all.iter().chain(changes) {
        settings.set(key, value).unwrap();
    }
    settings
}

fn rows(settings: &CheckersSettings, pool: &Pool, budget: Budget) -> (Vec<String>, CheckersRun) {
    let mut run = CheckersRun::start(settings.clone()).unwrap();
    let mut rows = Vec::new();
    loop {
        match run.advance(pool, budget) {
            Progress::Working => {}
            Progress::Generation(row) => rows.push(row.values),
            Progress::Done => return (rows, run),
            Progress::Halted(reason) => panic!("{reason}"),
        }
    }
}

#[test]
fn rows_depend_on_settings_and_seed_alone() {
    let robin = [("contest", "round-robin"), ("games", "2"), ("opening", "2"), ("selection", "tournament:2")];
    for settings in [small(&[]), small(&[("quiet", "true"), ("flip", "0.5")]), small(&robin)] {
        checks::rows_depend_on_settings_and_seed_alone(|seed| Settings { seed, ..settings.clone() });
    }
}

#[test]
fn other_starts_and_mutations_are_settings() {
    let weights = |changes: &[(&str, &str)]| -> Vec<f64> {
        let run = rows(&small(changes), &Pool::alone(), Budget::UNLIMITED).1;
        run.ranking().iter().flat_map(|ranked| ranked.individual.genome.iter().copied()).collect()
    };
    let signs = weights(&[("start", "random"), ("generations", "0")]);
    assert!(signs.iter().all(|weight| weight.abs() < 6.0) && signs.iter().any(|weight| *weight < 0.0), "{signs:?}");
    assert!(weights(&[("mutation", "gaussian")]).iter().any(|weight| *weight < 0.0));
    assert!(weights(&[("mutation", "uniform")]).iter().any(|weight| weight.abs() > 1000.0));
    assert!(weights(&[]).iter().all(|weight| (0.0..=8.0).contains(weight)));
    // They are not written where they are those of the source.
    assert!(!small(&[]).to_text().contains("start ="));
}

/// All weights start at 1, and a child is at most twice its parent.
#[test]
fn the_first_generation_is_ones() {
    let mut run = CheckersRun::start(small(&[("terms", "ADV,PIECE,MOB")])).unwrap();
    let genes = run.settings().task.genes();
    run.advance(&Pool::alone(), Budget::UNLIMITED);
    for ranked in run.ranking() {
        for (value, gene) in ranked.individual.genome.iter().zip(&genes) {
            assert_eq!(*value, if ["ADV", "PIECE", "MOB"].contains(&gene.name.as_str()) { 1.0 } else { 0.0 });
        }
    }
    run.advance(&Pool::alone(), Budget::UNLIMITED);
    let changed = run.ranking().iter().flat_map(|ranked| ranked.individual.genome.iter());
    let changed: Vec<f64> = changed.copied().filter(|value| *value != 0.0 && *value != 1.0).collect();
    assert!(!changed.is_empty() && changed.iter().all(|value| (0.0..2.0).contains(value)), "{changed:?}");
}

/// The game opened on the Board is the one that was counted.
#[test]
fn every_game_of_a_bracket_is_played_again_as_it_was() {
    for changes in [&[][..], &[("games", "3"), ("opening", "2")]] {
        let settings = small(changes);
        let (_, run) = rows(&settings, &Pool::new(2), Budget::time(Duration::ZERO));
        let bracket = run.bracket().unwrap();
        let any = settings;
        let mut games = 0;
        for pairing in bracket.pairings() {
            for (number, game) in pairing.games.iter().enumerate() {
                let (record, players) = any.record(bracket, pairing, number, run.ranking()).unwrap();
                let ending = record.ending().unwrap();
                let first = pairing.first_in(number);
                let south = if first == 0 { *game } else { game.turned() };
                assert_eq!(ending.outcome(crate::game::Side::South), south.outcome);
                assert!(record.line().len() <= 40, "20 moves a side");
                let id = pairing.members[first];
                let member = run.ranking().iter().find(|ranked| ranked.individual.id == id).unwrap();
                assert_eq!(players[0], any.player(&member.individual.genome, ""));
                assert!(players.iter().all(|player| player.parse::<crate::player::Spec>().is_ok()), "{players:?}");
                games += 1;
            }
        }
        assert_eq!(games, 4 * any.list().iter().find(|(key, ..)| *key == "games").unwrap().2.parse::<u32>().unwrap());
    }
}

/// Piece count alone beats a member with only the opposite weight.
#[test]
fn who_weighs_pieces_beats_who_gives_them_away() {
    let games = Games { depth: 3, opening: 2, ..source().task.games() };
    let last = COUNT - 1;
    let players = [1.0, -1.0].map(|piece| {
        let mut weights = [0.0; COUNT];
        weights[last] = piece;
        games.samuel(Weights(weights))
    });
    let mut won = 0;
    for number in 0..10 {
        let mut game = games.begin(GameKey { seed: 1, generation: 0, pairing: number, game: 0, opening: 0 });
        let seats = [0, 1].map(|at| Seat { number: at as u32, player: &players[at] });
        let played = games.play(&mut game, seats, &mut (), Budget::UNLIMITED).unwrap();
        assert!(played.ahead > 0, "{played:?}");
        won += u32::from(played.outcome == Outcome::Won);
    }
    assert!(won >= 5, "{won}");
}

#[test]
fn every_setting_comes_back_from_its_text() {
    let changes = [
        ("population", "9"),
        ("elite", "3"),
        ("mutation_rate", "0.25"),
        ("crossover_rate", "0.75"),
        ("depth", "3"),
        ("quiet", "true"),
        ("limit", "0"),
        ("opening", "4"),
        ("contest", "round-robin"),
        ("games", "6"),
        ("selection", "tournament:4"),
        ("flip", "0.05"),
        ("start", "random"),
        ("mutation", "gaussian"),
        ("terms", "[\"ADV\", \"PIECE\"]"),
        ("panel", "random,minimax:2"),
        ("panel_games", "3"),
        ("panel_every", "4"),
        ("panel_opening", "1"),
        ("initial", "src/lib.rs"),
        ("stop", "plateau:3"),
        ("keep", "2"),
    ];
    let settings = source();
    assert_eq!(settings.list().iter().map(|(key, ..)| *key).collect::<Vec<_>>(), changes.map(|(key, _)| key));
    checks::are_changed_and_kept(&settings, &changes);
}

#[test]
fn settings_say_what_they_accept() {
    let mut settings = source();
    let mut error = |key: &str, value: &str| settings.set(key, value).unwrap_err().to_string();
    assert!(error("terms", "ADV,PEICE").contains("there is no term 'PEICE' (did you mean PIECE?); known: ADV, "));
    assert!(error("selection", "best").contains("points or tournament:K is expected"));
    assert!(error("contest", "ladder").contains("expected knockout or round-robin"));
    let refused = |changes: &[(&str, &str)]| CheckersRun::start(small(changes)).err().unwrap();
    assert!(refused(&[("games", "3")]).to_string().starts_with("games must be at most 2"));
    assert!(
        refused(&[("games", "3"), ("opening", "2"), ("contest", "round-robin")])
            .to_string()
            .contains("games must be even")
    );
    assert!(refused(&[("terms", "[]")]).to_string().contains("at least one term"));
}

#[test]
fn presets_are_known_by_name() {
    for (name, _) in PRESETS {
        let settings = CheckersWeights::preset(name).unwrap();
        assert_eq!((settings.preset.as_str(), settings.seed), (*name, 1));
        assert!(CheckersRun::start(settings).is_ok());
    }
    assert!(CheckersWeights::preset("kalah-thesis").is_none());
}

#[test]
#[ignore = "a minute or two: where the shipped weights come from"]
fn the_shipped_weights_are_what_the_preset_breeds() {
    let settings = CheckersWeights::preset("checkers-ga-robin").unwrap();
    let (_, run) = rows(&settings, &Pool::new(2), Budget::UNLIMITED);
    let best = run.past().last().unwrap();
    assert_eq!(weights(&best.best_genome), crate::player::samuel::weights::BEST);
}
