use super::*;
use crate::game::{Variant, notation};
use crate::job::{Budget, Job, Status};
use std::time::Duration;

fn robin(players: &[&str], games: u32) -> Settings {
    let players = players.iter().map(|text| text.parse().unwrap()).collect();
    Settings::round_robin(Variant::usual()[0], players, games, 7)
}

const PLAYERS: [&str; 4] = ["random", "max", "minimax:2:ties=random", "mcts:50"];

/// What does not depend on the clock.
fn outcome(tournament: &Tournament) -> Vec<(Score, i64, Option<Verdict>, Vec<Kept>)> {
    let games = tournament.view().games;
    let cells = tournament.standing().iter().enumerate();
    cells.map(|(index, view)| (view.score, view.margins, view.verdict, games.of(index))).collect()
}

fn played(settings: Settings, threads: usize, budget: impl Fn() -> Budget + Sync) -> Tournament {
    let mut tournament = Tournament::new(settings).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| while tournament.step(budget()) == Status::Running {});
    tournament
}

#[test]
fn results_depend_neither_on_threads_nor_on_steps() {
    for stop in [None, Some(Sprt { lower: 0.0, upper: 100.0 })] {
        let settings = Settings { stop, ..robin(&PLAYERS, 20) };
        let whole = played(settings.clone(), 1, || Budget::UNLIMITED);
        let cut = played(settings.clone(), 3, || Budget::time(Duration::ZERO));
        let parallel = played(settings, 4, || Budget::UNLIMITED);
        assert_eq!(outcome(&whole), outcome(&cut));
        assert_eq!(outcome(&whole), outcome(&parallel));
        let view = whole.view();
        assert!(view.finished && view.done == view.total && view.done == view.games.len() as u64);
        assert_eq!(view.done < 16 * 20, stop.is_some(), "{} games", view.done);
    }
}

#[test]
fn a_stop_is_told_and_ends_both_cells() {
    let settings = Settings { stop: Some(Sprt { lower: 0.0, upper: 100.0 }), ..robin(&["random", "minimax:3"], 200) };
    let view = played(settings, 2, || Budget::UNLIMITED).view();
    let verdict = |first, second| view.cell(first, second).unwrap().verdict;
    assert_eq!((verdict(0, 1), verdict(1, 0)), (Some(Verdict::Lower), Some(Verdict::Lower)));
    assert_eq!((verdict(0, 0), view.cell(0, 0).unwrap().score.games()), (None, 200));
    assert!(view.cell(0, 1).unwrap().score.games() < 60);
}

#[test]
fn a_view_tells_who_is_strong_and_how_long_it_takes() {
    let view = played(robin(&PLAYERS, 30), 2, || Budget::UNLIMITED).view();
    let (ratings, _) = view.ratings();
    assert!(ratings[0].elo < ratings[1].elo && ratings[1].elo < ratings[2].elo);
    assert!(ratings.iter().all(|rating| rating.plus_minus > 0.0 && rating.plus_minus < 200.0));
    assert!(view.score(0).share() < 0.3 && view.score(2).share() > 0.5);
    assert!(view.time_a_move(3) > view.time_a_move(0));
    assert!(view.cell(2, 0).unwrap().mean_margin() > 5.0);
    assert_eq!(view.score(0).games(), 2 * 3 * 30);
    assert!(view.seconds_left().is_some_and(|left| left == 0.0));
}

#[test]
fn a_game_can_be_opened_and_its_players_play_it_again() {
    let view = played(robin(&PLAYERS, 3), 2, || Budget::UNLIMITED).view();
    for (index, cell) in view.cells.iter().enumerate() {
        let kept = view.games.of(index);
        assert_eq!(kept.iter().map(|kept| kept.number).collect::<Vec<_>>(), [0, 1, 2]);
        for kept in &kept {
            let record = view.record(kept);
            assert_eq!(record.players[0], view.players[cell.cell.first]);
            let [south, north] = record.result().unwrap();
            assert_eq!(i32::from(south) - i32::from(north), kept.margin);
            assert_eq!(notation::read(&notation::write(&record)).unwrap().line(), record.line());
            // The same players with the game's seed choose the same moves again.
            let mut pos = *record.start();
            for (ply, &mv) in (0..).zip(&kept.moves) {
                let seat = pos.side().index();
                if ply >= kept.opening {
                    let spec = record.players[seat].parse().unwrap();
                    let mut thinking = crate::player::Thinking::new(pos, &spec, ply, record.seed.unwrap()).unwrap();
                    thinking.step(Budget::UNLIMITED);
                    assert_eq!(thinking.view().choice, Some(mv));
                }
                pos = pos.play(mv);
            }
        }
    }
}

#[test]
fn openings_are_the_same_in_every_cell() {
    let view = played(robin(&["random", "max"], 5), 2, || Budget::UNLIMITED).view();
    let openings = |cell| view.games.of(cell).iter().map(|kept| kept.moves[..2].to_vec()).collect::<Vec<_>>();
    assert!((1..4).all(|cell| openings(cell) == openings(0)));
    let seeds: std::collections::HashSet<u64> =
        (0..4).flat_map(|cell| view.games.of(cell)).map(|kept| kept.seed).collect();
    assert_eq!(seeds.len(), 20);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let error = |settings| Tournament::new(settings).err().unwrap();
    assert_eq!(error(robin(&["human", "random"], 1)), "a person cannot play here; any other player can");
    assert_eq!(error(robin(&[], 1)), "1 to 32 players can meet; 0 were named");
    let cells = Cell::alternating(3).to_vec();
    assert_eq!((cells[0].games, cells[1].games), (2, 1));
    assert_eq!(error(Settings { cells, ..robin(&["random"], 1) }), "there is no player number 2");
}
