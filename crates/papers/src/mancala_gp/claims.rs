//! The work of a move in Figure 5's four games: the positions that a search of 8 levels visits with and without alpha-beta, and the
//! nodes that the programs evaluate. The source compares "on the order of 6^8" moves with 80 nodes.
//!
//! Wins and draws in Figure 10's games: the source says that the search "tended to win against the random programs with little problem" and
//! that the evolved programs "had trouble even tying".

use mancalab_base::Error;

use super::{FIGURE5, FIGURE10, first_player, played, reading, settings};
use crate::arena::Score;
use crate::evolve::gp::Outcome as Evaluated;
use crate::evolve::kalah::{Settings, valued};
use crate::game::kalah::Kalah;
use crate::game::{Game, Move, Outcome, Side};
use crate::player::{self, Spec, Turn};
use crate::program::kalah::{printed, random_program};
use crate::{Hear, Line, Options, ProgressEvent, Table, Verdict};

/// The source's estimate of the search's moves: 6^8.
const PUBLISHED: f64 = 1_679_616.0;

pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let settings = settings(options)?;
    let opponent = first_player(&settings);
    let Some(Spec::Minimax(minimax)) = &opponent else {
        return Err("the opponent must be a minimax player, as in opponents=minimax:8".into());
    };
    let searcher = Spec::Minimax(minimax.clone());
    let mut work = Work::default();
    for (nth, (name, ..)) in FIGURE5.iter().enumerate() {
        let program: Spec = format!("program:{name}").parse()?;
        for (seat, specs) in [[&program, &searcher], [&searcher, &program]].into_iter().enumerate() {
            let at = format!("game {}/4", 2 * nth + seat + 1);
            hear(ProgressEvent::Progress { share: (2 * nth + seat) as f64 / 4.0, item: at });
            work.add(
                &settings,
                &played(&settings, specs),
                nth,
                [Side::North, Side::South][seat],
                minimax.depth,
                &searcher,
            );
        }
    }
    let mut reading = reading(&settings);
    reading.push(("move", "one bowl sown; an extra move counts as a move, in the search and in a game".to_owned()));
    reading.push(("positions", "all that a search visits below the root, leaves included".to_owned()));
    reading.push(("alpha-beta", "one window, the moves in their order, no table".to_owned()));
    let notes = vec![format!("Means over the {} moves of {searcher} in the four games of Figure 5.", work.plain.len())];
    Ok(Table { lines: work.lines(minimax.depth, &searcher), reading, notes, ..Table::default() })
}

/// What one search visits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct VisitCounts {
    positions: u64,
    leaves: u64,
    /// Positions below one with the same side to move.
    again: u64,
}

/// A minimax search on the margin, with alpha-beta or without.
pub(crate) struct Searcher {
    side: Side,
    has_cuts: bool,
    visited: VisitCounts,
}

impl Searcher {
    /// Returns the value of `pos` for the searcher's side.
    fn value(&mut self, pos: &Kalah, depth: u32, [mut alpha, mut beta]: [i32; 2]) -> i32 {
        if depth == 0 || pos.is_over() {
            self.visited.leaves += 1;
            return pos.margin(self.side);
        }
        let is_own = pos.side() == self.side;
        for mv in pos.moves() {
            let child = pos.play(mv);
            self.visited.positions += 1;
            self.visited.again += u64::from(child.side() == pos.side() && !child.is_over());
            let value = self.value(&child, depth - 1, [alpha, beta]);
            if is_own {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if self.has_cuts && alpha >= beta {
                break;
            }
        }
        if is_own { alpha } else { beta }
    }

    /// Returns the number of positions that alpha-beta visits to this depth, without a table, the moves in their order.
    pub fn positions(pos: &Kalah, depth: u32) -> u64 {
        Searcher::search(pos, depth, true).1.positions
    }

    /// Searches a position; returns its value and what the search visits.
    fn search(pos: &Kalah, depth: u32, has_cuts: bool) -> (i32, VisitCounts) {
        let mut searcher = Searcher { side: pos.side(), has_cuts, visited: VisitCounts::default() };
        let value = searcher.value(pos, depth, [i32::MIN, i32::MAX]);
        (value, searcher.visited)
    }
}

/// The measurements of all games, move by move.
#[derive(Default)]
struct Work {
    plain: Vec<VisitCounts>,
    alpha_beta: Vec<VisitCounts>,
    /// Positions visited by the player itself.
    player: Vec<u64>,
    /// Moves in each turn, of both sides.
    turns: Vec<u64>,
    /// Nodes that each program evaluates.
    nodes: [Vec<u64>; 2],
}

impl Work {
    /// Adds a game between program `nth` and the searcher on this side.
    fn add(&mut self, settings: &Settings, game: &[(Kalah, Move)], nth: usize, side: Side, depth: u32, spec: &Spec) {
        let mut player = player::build::<Kalah>(spec).ok();
        let program = printed(FIGURE5[nth].0);
        for (ply, (pos, _)) in game.iter().enumerate() {
            if pos.side() == side {
                self.plain.push(Searcher::search(pos, depth, false).1);
                self.alpha_beta.push(Searcher::search(pos, depth, true).1);
                if let Some(player) = &mut player {
                    player::choose(&mut **player, &Turn::new(*pos, ply as u32, 0));
                    self.player.extend(player.report().map(|report| report.nodes));
                }
            } else if let Some(program) = &program {
                let (_, taken) = valued(program, pos, settings.reading);
                self.nodes[nth].push(taken.iter().filter(|is_taken| **is_taken).count() as u64);
            }
        }
        self.turns.extend(game.chunk_by(|(a, _), (b, _)| a.side() == b.side()).map(|turn| turn.len() as u64));
    }

    fn lines(&self, depth: u32, searcher: &Spec) -> Vec<Line> {
        let of =
            |visited: &[VisitCounts], count: fn(&VisitCounts) -> u64| visited.iter().map(count).collect::<Vec<u64>>();
        let sum = |count: fn(&VisitCounts) -> u64| of(&self.plain, count).iter().sum::<u64>() as f64;
        let positions = sum(|one| one.positions);
        let leaves = sum(|one| one.leaves);
        // Every position but the leaves has moves; the root is not among the positions.
        let inner = self.plain.len() as f64 + positions - leaves;
        let published = (depth == 8).then_some(PUBLISHED);
        let mut lines = vec![
            mean("minimax", published, &of(&self.plain, |one| one.positions), "positions a move"),
            mean("minimax, leaves", published, &of(&self.plain, |one| one.leaves), "positions a move"),
            mean("alpha-beta", None, &of(&self.alpha_beta, |one| one.positions), "positions a move"),
            mean(&format!("{searcher} here"), None, &self.player, "positions a move")
                .remarked("alpha-beta with move ordering, a table and bounds on the margin"),
            Line::new("branching factor", Some(6.0), positions / inner, "moves"),
            Line::new("moves again", None, 100.0 * sum(|one| one.again) / positions, "% of the moves searched"),
            mean("turns in the games", None, &self.turns, "moves a turn"),
        ];
        for ((name, _, size), nodes) in FIGURE5.iter().zip(&self.nodes) {
            let published = (*name == "figure5-2").then_some(*size);
            lines.push(mean(&format!("{name}, evaluated"), published, nodes, "nodes a move"));
        }
        lines
    }
}

/// Returns the line of a mean, with the range as a remark.
fn mean(what: &str, published: Option<f64>, counts: &[u64], unit: &'static str) -> Line {
    let sum: u64 = counts.iter().sum();
    let range = counts.iter().min().zip(counts.iter().max()).map(|(least, most)| format!("{least} to {most}"));
    Line::new(what, published, sum as f64 / counts.len().max(1) as f64, unit).remarked(range.unwrap_or_default())
}

/// The results of a player moving first and second.
pub(super) type Results = [Score; 2];

/// Returns the results of an opponent that is no program, from the stones of the programs in their games against it.
pub(super) fn of_opponent(evaluated: &[Evaluated], stones: f64) -> Results {
    // Where the program moved second, the opponent moved first.
    [1, 0].map(|nth| {
        let margin = |one: &Evaluated| (stones - 2.0 * one.scores[nth]) as i32;
        evaluated
            .iter()
            .fold(Score::default(), |all, one| all.plus(Score::from_outcome(Outcome::from_margin(margin(one)))))
    })
}

/// Plays both printed programs against random programs.
pub(super) fn of_printed(settings: &Settings, seed: u64, count: u32) -> Vec<Results> {
    let random = |number: u64| Spec::program(format!("random:{number}"), random_program(seed, number));
    let game = |specs: [&Spec; 2], side: Side| {
        let game = played(settings, specs);
        let end = game.last().map(|(pos, mv)| pos.play(*mv));
        end.map_or(Score::default(), |end| Score::from_outcome(Outcome::from_margin(end.margin(side))))
    };
    let programs = FIGURE5.iter().filter_map(|(name, ..)| Some(Spec::program(*name, printed(name)?)));
    let results = |program: Spec| {
        let both = (0..u64::from(count)).map(|number| {
            let other = random(number);
            [game([&program, &other], Side::South), game([&other, &program], Side::North)]
        });
        both.fold(Results::default(), |all, one| [all[0].plus(one[0]), all[1].plus(one[1])])
    };
    programs.map(results).collect()
}

/// Returns for each player and seat the games won, and those won or drawn, with the source's words and a verdict.
pub(super) fn lines(all: &[Results], opponents: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    for (nth, ((name, _), results)) in FIGURE10.iter().zip(all).enumerate() {
        let name = if nth == 0 { opponents } else { name };
        for (who, score) in ["first", "second"].iter().zip(results) {
            let tied = Score { wins: score.wins + score.draws, draws: 0, losses: score.losses };
            let (words, holds) = match nth {
                0 => ("wins with little problem: yes if nine games of ten or more", score.won() >= 0.9),
                _ => ("trouble even tying: yes if half of the games or fewer are won or drawn", tied.won() <= 0.5),
            };
            lines.push(Line::won(format!("{name} moving {who}, won"), None, *score));
            let line = Line::won(format!("{name} moving {who}, won or drawn"), None, tied);
            lines.push(line.judged(Verdict::from_holds(holds), words));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::budget::Budget;
    use crate::game::BoardGame as _;
    use crate::pool::Pool;
    use crate::search::{Limits, Search};
    use crate::target::reproduce;

    #[test]
    fn cuts_change_the_work_and_not_the_value() {
        let mut pos = Kalah::start(Settings::default().rules());
        for _ in 0..12 {
            let ((plain, all), (cut, fewer)) = (Searcher::search(&pos, 5, false), Searcher::search(&pos, 5, true));
            let mut engine = Search::new(&pos, Limits::depth(5));
            engine.step(Budget::UNLIMITED);
            assert_eq!(plain, cut, "{pos:?}");
            assert_eq!(plain, engine.report().lines[0].margin, "{pos:?}");
            assert!(fewer.positions < all.positions && fewer.leaves < all.leaves, "{fewer:?} {all:?}");
            let Some(mv) = engine.best_move() else { break };
            pos = pos.play(mv);
        }
        // Two plies from the start: 6 moves, and 6 replies to each but 5 after the third, which moves again. So do six of the
        // replies: two after E, one after each of the others but the third.
        let (_, visited) = Searcher::search(&Kalah::start(Settings::default().rules()), 2, false);
        assert_eq!(visited, VisitCounts { positions: 41, leaves: 35, again: 7 });
    }

    #[test]
    fn the_work_of_four_games_is_measured() {
        let run = |set: &[&str]| {
            let options = Options { pool: Pool::alone(), ..Options::default() };
            crate::target::reproduce("mancala-gp/claims", set, options, &mut |_| ())
        };
        let lines = run(&["opponents=minimax:3"]).unwrap().lines;
        let line = |what: &str| lines.iter().find(|line| line.what == what).unwrap();
        let all = |what: &str| line(what).measured.unwrap();
        assert!(all("alpha-beta") < all("minimax") && all("minimax, leaves") < all("minimax"));
        assert_eq!((line("minimax").published, line("branching factor").published), (None, Some(6.0)));
        // The second program has no IF, so that every node counts; the first skips branches.
        assert_eq!((all("figure5-2, evaluated"), all("figure5-1, evaluated") < 74.0), (80.0, true));
        assert!(run(&["opponents=max"]).unwrap_err().to_string().contains("must be a minimax player"));
    }

    #[test]
    fn wins_and_draws_are_of_the_games_whose_stones_are_printed() {
        let options = Options { programs: Some(20), ..Options::default() };
        let table = reproduce("mancala-gp/figure10", &[], options, &mut |_| ()).unwrap();
        assert_eq!(table.lines.len(), 6 + 12);
        let settings = Settings::default();
        // The same games, counted by their stones.
        for (nth, results) in of_printed(&settings, 1, 20).iter().enumerate() {
            let program = Spec::program("own", printed(FIGURE5[nth].0).unwrap());
            let mut stones = 0;
            for number in 0..20 {
                let other = Spec::program("other", random_program(1, number));
                let (pos, mv) = *played(&settings, [&program, &other]).last().unwrap();
                stones += (48 + pos.play(mv).margin(Side::South)) / 2;
            }
            let mean = f64::from(stones) / 20.0;
            assert!((table.lines[2 + 2 * nth].measured.unwrap() - mean).abs() < 1e-9);
            let line = &table.lines[6 + 4 * (nth + 1)];
            assert_eq!(line.score, Some(results[0]), "{line:?}");
        }
        let minimax = &table.lines[6];
        assert_eq!((minimax.what.as_str(), minimax.score.unwrap().games()), ("minimax:8 moving first, won", 20));
        assert!(minimax.measured.unwrap() > 80.0);
    }
}
