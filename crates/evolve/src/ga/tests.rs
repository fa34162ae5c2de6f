//! Tests of runs, with a toy task: a game of numbers.

mod resumed;

use mancalab_base::Error;
use std::time::Duration;

use rand::RngExt;

use super::bracket::{How, Slot};
use super::knockout::Knockout;
use super::operators::{Crossover, Mutation, Selection};
use super::play::{GameKey, GameResult, Play, Seat};
use super::round_robin::RoundRobin;
use super::*;
use crate::budget::{Budget, Job as _, Status};
use crate::codec::Encoder;
use crate::game::{Outcome, Variant};
use crate::job::{Form, Progress, Rows, Run, RunJob, RunWatcher};
use crate::pool::Pool;
use crate::rng::{self, Rng};
use crate::settings::{Entry, KeyedSettings as _, entry};

/// The player with the larger numbers is more likely to win each point; close games are drawn.
#[derive(Clone, PartialEq, Debug)]
struct Numbers {
    knockout: bool,
    games: u32,
    /// Points per game.
    points: u32,
}

/// A game in progress: points played, and the first player's lead.
struct CountingGame {
    rng: Rng,
    played: u32,
    ahead: i32,
}

impl Play for Numbers {
    type Player = f64;
    type Game = CountingGame;
    type Memory = ();

    fn is_certain(&self) -> bool {
        false
    }

    fn player(&self, genome: &Genome) -> f64 {
        genome.iter().sum()
    }

    fn memory(&self) {}

    fn clear(&self, _: &mut ()) {}

    fn begin(&self, key: GameKey) -> CountingGame {
        let rng = rng::keyed(&[key.seed, key.generation, key.pairing, key.game]);
        CountingGame { rng, played: 0, ahead: 0 }
    }

    fn play(
        &self,
        game: &mut CountingGame,
        [a, b]: [Seat<'_, f64>; 2],
        (): &mut (),
        budget: Budget,
    ) -> Option<GameResult> {
        while game.played < self.points {
            let draw = game.rng.random_range(-9.0..10.0) + a.player - b.player;
            game.ahead += if draw > 0.0 { 1 } else { -1 };
            game.played += 1;
            if game.played < self.points && budget.is_spent() {
                return None;
            }
        }
        let outcome = if game.ahead.abs() <= 2 { Outcome::Drawn } else { Outcome::from_margin(game.ahead) };
        Some(GameResult { outcome, ahead: game.ahead })
    }
}

impl Task for Numbers {
    const KIND: &'static str = "ga-numbers";
    const PRESETS: &'static [(&'static str, &'static str)] = &[("numbers", "five numbers")];

    fn entries() -> Vec<Entry<Numbers>> {
        vec![entry!(games: whole(1, 9), "games of a pairing, 1 to 9")]
    }

    fn columns() -> &'static str {
        "generation,best_percent,mean_percent,worst_percent,best_id,best_born,A,B,C,D,E"
    }

    fn settings() -> Settings<Numbers> {
        Settings {
            preset: "numbers".into(),
            seed: 1,
            generations: 6,
            population: 16,
            elite: 0,
            mutation_rate: 0.3,
            crossover_rate: 1.0,
            initial: Default::default(),
            conduct: Default::default(),
            task: Numbers { knockout: true, games: 1, points: 6 },
        }
    }

    fn preset(_: &str) -> Option<Settings<Numbers>> {
        Some(Numbers::settings())
    }

    fn genes(&self) -> Vec<Gene> {
        let gene = |name: char| {
            let low = -1e12;
            let high = 1e12;
            let grain = Grain::Digits(6);
            Gene { name: name.into(), low, high, start: 1.0, spread: 0.0, grain, fixed: false, tie: None }
        };
        ('A'..='E').map(gene).collect()
    }

    fn labels() -> Vec<(&'static str, &'static str)> {
        vec![("A", ""), ("B", ""), ("C", ""), ("D", ""), ("E", "")]
    }

    fn operators(&self) -> Operators {
        Operators {
            selection: Selection::Points,
            crossover: Crossover::OnePoint,
            mutation: Mutation::Proportional { flip: 0.1 },
        }
    }

    fn contest(&self, seed: u64) -> Result<Box<dyn Contest>, Error> {
        Ok(match self.knockout {
            true => Box::new(Knockout::new(self.clone(), self.games, seed)),
            false => Box::new(RoundRobin::new(self.clone(), self.games, seed)),
        })
    }

    fn game(&self) -> Variant {
        Variant::usual()[0]
    }

    fn player(&self, genome: &Genome, _: &str) -> String {
        format!("{genome:?}")
    }

    fn yardstick(&self) -> String {
        "random".into()
    }

    fn file_text(&self, genome: &Genome, _: &[(&str, String)]) -> String {
        format!("{genome:?}")
    }
}

type Toy = Ga<Numbers>;

fn knockout(population: usize, seed: u64) -> Settings<Numbers> {
    Settings { population, seed, ..Numbers::settings() }
}

/// Returns the rows of a run; calls `check` after each step.
fn rows(settings: Settings<Numbers>, pool: &Pool, budget: Budget, mut check: impl FnMut(&Toy)) -> Vec<String> {
    let mut run = Toy::start(settings).unwrap();
    let mut rows = Vec::new();
    loop {
        match run.advance(pool, budget) {
            Progress::Working => {}
            Progress::Generation(row) => rows.push(row.values),
            Progress::Done => return rows,
            Progress::Halted(reason) => panic!("{reason}"),
        }
        if run.generation().is_some() {
            check(&run);
        }
    }
}

#[test]
fn a_knockout_gives_out_ten_points_a_pairing_less_five_a_tie() {
    let mut ties = 0;
    let mut wins = 0;
    for population in (2..=33).chain([64, 100, 257]) {
        rows(knockout(population, population as u64), &Pool::alone(), Budget::UNLIMITED, |run| {
            let bracket = run.bracket().unwrap();
            let given: u64 = run.ranking().iter().map(|ranked| ranked.points).sum();
            let most = 10 * (population as u64 - 1);
            assert_eq!(given, most - 5 * bracket.ties(), "{population}");
            assert_eq!(bracket.pairings().count(), population - 1);
            ties += bracket.ties();
            wins += bracket.pairings().count() as u64 - bracket.ties();
            let mean: f64 = run.past().last().unwrap().mean;
            assert!((mean - 100.0 / population as f64).abs() < 1e-3);
        });
    }
    // Both cases occurred often.
    assert!(ties > 1000 && wins > 1000, "{ties} ties, {wins} wins");
}

/// The winner of the final is the best unless another member has more points.
#[test]
fn among_as_many_points_who_went_further_is_better() {
    let mut by_rounds = 0;
    let mut behind = 0;
    for seed in 0..40 {
        rows(knockout(11, seed), &Pool::alone(), Budget::UNLIMITED, |run| {
            let ranking = run.ranking();
            let bracket = run.bracket().unwrap();
            let went = |ranked: &Member| {
                bracket.rounds.iter().flatten().filter(|slot| slot.winner() == ranked.individual.id).count()
            };
            for two in ranking.windows(2) {
                let [above, below] = [0, 1].map(|place| (two[place].points, went(&two[place])));
                assert!(above >= below, "{above:?} {below:?}");
                let is_older = two[0].individual.id < two[1].individual.id;
                assert!(above > below || is_older);
                by_rounds += u32::from(above.0 == below.0 && above.1 > below.1 && !is_older);
            }
            let winner = ranking.iter().find(|ranked| went(ranked) == bracket.rounds.len()).unwrap();
            let most = ranking.iter().map(|ranked| ranked.points).max().unwrap();
            assert_eq!(winner.points == most, *winner == ranking[0]);
            assert_eq!(run.past().last().unwrap().best_id, ranking[0].individual.id);
            behind += u32::from(winner.points < most);
        });
    }
    // Both cases occurred often: neither points and age alone nor the bracket alone give the order.
    assert!(by_rounds > 100 && behind > 20, "{by_rounds} by rounds, {behind} winners behind");
}

#[test]
fn a_bracket_leads_from_everyone_to_one() {
    for population in 2..=40 {
        let mut seen_out = Vec::new();
        rows(knockout(population, 5), &Pool::alone(), Budget::UNLIMITED, |run| {
            let bracket = run.bracket().unwrap();
            bracket.check(run.generation().unwrap(), run.ranking()).unwrap();
            let numbers: Vec<u64> = bracket.pairings().map(|pairing| pairing.number).collect();
            assert_eq!(numbers, (0..population as u64 - 1).collect::<Vec<_>>());
            let outs: Vec<Option<u64>> = bracket
                .rounds
                .iter()
                .map(|round| {
                    let byes: Vec<u64> = round
                        .iter()
                        .filter_map(|slot| if let Slot::Bye(id) = slot { Some(*id) } else { None })
                        .collect();
                    let entrants: usize =
                        round.iter().map(|slot| if matches!(slot, Slot::Bye(_)) { 1 } else { 2 }).sum();
                    assert_eq!(byes.len(), entrants % 2);
                    byes.first().copied()
                })
                .collect();
            // No member has two byes in a row.
            assert!(outs.windows(2).all(|two| two[0].is_none() || two[0] != two[1]), "{outs:?}");
            seen_out.extend(outs.into_iter().flatten());
        });
        assert_eq!(seen_out.is_empty(), population.is_power_of_two());
    }
}

/// Every generation has its own draw, which does not depend on rank or order in the population.
#[test]
fn lots_first_moves_and_coins_are_fair() {
    let mut firsts = [0; 2];
    let mut coins = [0; 2];
    let mut met = std::collections::HashMap::new();
    for seed in 0..150 {
        rows(knockout(8, seed), &Pool::alone(), Budget::UNLIMITED, |run| {
            let population: Vec<u64> = {
                let mut ids: Vec<u64> = run.ranking().iter().map(|ranked| ranked.individual.id).collect();
                ids.sort_unstable();
                ids
            };
            for (number, pairing) in run.bracket().unwrap().pairings().enumerate() {
                firsts[pairing.first] += 1;
                if pairing.how == How::Coin {
                    coins[pairing.winner] += 1;
                }
                if number < 4 {
                    let mut places = pairing.members.map(|id| population.binary_search(&id).unwrap());
                    places.sort_unstable();
                    *met.entry(places).or_insert(0) += 1;
                }
            }
        });
    }
    let is_even = |[a, b]: [i32; 2]| f64::from(a - b).abs() < 4.0 * f64::from(a + b).sqrt();
    assert!(is_even(firsts) && is_even(coins) && coins[0] > 100, "{firsts:?} {coins:?}");
    // 28 pairs of eight, 7 generations of 150 runs with four pairings each: 150 of every pair.
    assert_eq!(met.len(), 28);
    assert!(met.values().all(|&count| (100..200).contains(&count)), "{met:?}");
}

#[test]
fn rows_and_brackets_depend_on_settings_and_seed_alone() {
    for (knockout_is, games) in [(true, 1), (true, 4), (false, 2)] {
        let settings = |seed: u64| {
            let task = Numbers { knockout: knockout_is, games, points: 6 };
            Settings { task, seed, population: 11, ..Numbers::settings() }
        };
        let results = |seed: u64, pool: &Pool, budget: Budget| {
            let mut brackets = Vec::new();
            let rows = rows(settings(seed), pool, budget, |run| brackets.push(run.bracket().cloned()));
            brackets.dedup();
            (rows, brackets)
        };
        let whole = results(1, &Pool::alone(), Budget::UNLIMITED);
        assert_eq!(whole.0.len(), 7);
        let nothing = Budget::time(Duration::ZERO);
        for (threads, budget) in [(1, nothing), (2, nothing), (3, Budget::UNLIMITED), (5, nothing)] {
            assert_eq!(results(1, &Pool::new(threads), budget), whole);
        }
        assert_ne!(results(2, &Pool::alone(), Budget::UNLIMITED), whole);
        assert!(whole.0.iter().all(|row| row.split(',').count() == Numbers::columns().split(',').count()));
    }
}
