//! Claims of the thesis' text, each beside a measurement, with a verdict by a rule that the line states.

use mancalab_base::Error;
use rand::{Rng as _, RngExt as _};
use serde_json::json;

use super::counted::{CALIBRATED, iterations, mcts, mcts_reading};
use super::readings::Readings;
use super::run::{play, tournament};
use super::table1::{self, HEURISTIC, MCTS, PUBLISHED_GAMES};
use super::table2::{self, MATCHES, Table2};
use crate::arena::{Cell, Score, View};
use crate::fit::{apart, chance};
use crate::game::kalah::Kalah;
use crate::game::{BoardGame as _, Game as _, GameState};
use crate::mancala_gp::claims::Searcher;
use crate::player::heuristic::terms::COUNT;
use crate::player::{self, Turn};
use crate::target::{Advance, whole};
use crate::{Hear, Line, Options, Table, Verdict, ranges, rng};

/// The search of the text's comparison of costs, in plies.
const DEEP: u32 = 8;
/// Game-tree complexity of Kalah, as printed.
const COMPLEXITY: f64 = 1.74e13;
/// Playouts from a position, for their mean length.
const PLAYOUTS: u32 = 20;
/// The least probability at which chance explains a difference.
const BY_CHANCE: f64 = 0.05;

/// Computes the claims.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let read = Readings::asked(options)?;
    let games = options.games.unwrap_or(PUBLISHED_GAMES);
    let progress = &mut whole(hear);
    let table1 = play(table1::settings(options)?, options, &mut |share, at| progress(0.5 * share, at))?;
    let mut lines = of_table1(&table1);
    let curve = Curve::play(options, (games / 2).max(1), &mut |share, at| progress(0.5 + 0.45 * share, at))?;
    lines.extend(curve.lines());
    lines.extend(Work::measure(options, &read, (games / 100).max(1))?.lines());
    let settings = table2::Settings { games: (games / 10).max(2), seed: options.seed, read };
    lines.extend(of_table2(&Table2::play(settings, &options.pool, &mut |_| ())));
    let mut reading = Readings { opening: table1.settings.opening.moves(), ..read }.lines();
    reading.extend([
        ("verdict", "by the rule after it".to_owned()),
        read.max_line(),
        ("mcts", mcts_reading(&table1.players[MCTS], options)),
        ("games", format!("{games} of each pair of Table 1, half as many of the curve, a tenth a match of Table 2")),
    ]);
    let rows = ranges::rows(&lines.iter().filter(|line| line.unit == "% won").cloned().collect::<Vec<_>>());
    let svg = ranges::ranges("Kalah thesis: claims of the text", "% of games won", 100.0, &rows);
    Ok(Table { lines, reading, ..Table::default() }.with_chart("claims", svg))
}

/// Adds a claim's verdict to a line, by the rule of what makes it a yes.
pub(super) fn judged(line: Line, holds: bool, rule: &str) -> Line {
    let verdict = Verdict::from_holds(holds);
    let names = [("claim", json!(line.what)), ("verdict", json!(verdict.to_string()))];
    line.judged(verdict, format_args!("yes if {rule}")).named(names)
}

/// Returns a line for a difference of two shares of games won, in points, with its 95 % interval.
fn difference(what: impl Into<String>, published: Option<f64>, [one, other]: [Score; 2]) -> Line {
    let variance = |score: Score| score.won() * (1.0 - score.won()) / f64::from(score.games().max(1));
    let difference = 100.0 * (one.won() - other.won());
    let reach = 196.0 * (variance(one) + variance(other)).sqrt();
    Line::new(what, published, difference, "points").within(difference - reach, difference + reach)
}

/// Returns whether `one` wins more than `other`, and chance does not explain it.
fn wins_more(one: Score, other: Score) -> bool {
    one.won() > other.won() && chance(apart(one, other)) < BY_CHANCE
}

/// The claims on Table 1's games.
fn of_table1(view: &View) -> Vec<Line> {
    let score = |first: usize, second: usize| view.cell(first, second).map_or(Score::default(), |cell| cell.score);
    let all = view.cells.iter().fold(Score::default(), |all, cell| all.plus(cell.score));
    let drawn = Score { wins: all.draws, draws: 0, losses: all.wins + all.losses };
    let (low, high) = drawn.won_interval();
    let draws = Line::new("draws are fairly common", None, 100.0 * drawn.won(), "% of games");
    let pairs = (0..=HEURISTIC).flat_map(|strong| (0..strong).map(move |weak| (strong, weak)));
    let in_order = pairs.clone().filter(|&(strong, weak)| wins_more(score(strong, weak), score(weak, strong))).count();
    let pairs = pairs.count();
    let [strong, weak] = [HEURISTIC, 0].map(|player| score(player, player));
    let missed = |player: usize| f64::from(score(player, 0).games() - score(player, 0).wins);
    vec![
        judged(draws.within(100.0 * low, 100.0 * high), drawn.won() >= 0.1, "a tenth of the games or more are drawn"),
        judged(
            Line::new("stronger players win more: pairs", Some(pairs as f64), in_order as f64, "of 6 pairs"),
            in_order == pairs,
            "of random, max, minimax, heuristic the later wins more games moving first than the earlier against it, in all pairs \
             by more than chance",
        ),
        judged(
            difference("the first move gains more with strength", Some(9.7), [strong, weak]),
            wins_more(strong, weak),
            "heuristic wins more against itself moving first than random does, by more than chance",
        ),
        judged(
            Line::new("mcts alone wins 100 % against random", Some(0.0), missed(MCTS), "games not won"),
            missed(MCTS) == 0.0 && (2..=HEURISTIC).all(|player| missed(player) > 0.0),
            "mcts wins all, and minimax and heuristic do not (eps is fitted to this cell among five)",
        ),
    ]
}

/// Monte Carlo search by iterations against both minimax players, and against both at depth 8.
struct Curve {
    iterations: u32,
    /// Against minimax:4 and heuristic:4, with a quarter of the iterations, with all, and with four times as many.
    shallow: [[Score; 3]; 2],
    /// Against minimax:8 and heuristic:8.
    deep: [Score; 2],
}

impl Curve {
    const OPPONENTS: [&str; 2] = ["minimax", "heuristic"];

    fn play(options: &Options, games: u32, progress: Advance<'_>) -> Result<Curve, Error> {
        let read = Readings::asked(options)?;
        let iterations = iterations(options)?;
        let counts = [(iterations / 4).max(1), iterations, 4 * iterations];
        let mut texts: Vec<String> = counts.iter().map(|count| mcts(*count, options)).collect();
        for depth in [super::DEPTH, DEEP] {
            texts.extend(Curve::OPPONENTS.map(|name| format!("{name}:{depth}")));
        }
        let players = read.players(texts)?;
        let cell = |(first, second)| Cell { first, second, games };
        let pairs = [(0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (2, 4), (1, 5), (1, 6)];
        let view = play(tournament("claims", players, pairs.map(cell), options)?, options, progress)?;
        let score = |at: usize| view.cells[at].score;
        Ok(Curve {
            iterations,
            shallow: [[0, 1, 2], [3, 4, 5]].map(|cells| cells.map(score)),
            deep: [score(6), score(7)],
        })
    }

    fn lines(&self) -> Vec<Line> {
        let count = self.iterations;
        let mut lines = Vec::new();
        for (name, [fewer, usual, more]) in Curve::OPPONENTS.iter().zip(self.shallow) {
            lines.push(judged(
                difference(format!("the graph is steep up to {count}, v {name}:4"), None, [usual, fewer]),
                wins_more(usual, fewer),
                "four times the iterations up to there win more, by more than chance",
            ));
            lines.push(judged(
                difference(format!("the graph flattens at {count}, v {name}:4"), None, [more, usual]),
                !wins_more(more, usual),
                "four times the iterations, which cost four times as much, win no more than by chance",
            ));
        }
        for (name, score) in Curve::OPPONENTS.iter().zip(self.deep) {
            let line = Line::won(format!("mcts has trouble reaching 30 % v {name}:{DEEP}"), Some(30.0), score);
            let is_low = line.interval.is_some_and(|(low, _)| low <= 30.0);
            lines.push(judged(line, is_low, "the interval reaches down to 30 %"));
        }
        lines
    }
}

/// The positions that players visit for a move, and the shape of the tree, in games of minimax against itself.
#[derive(Default)]
struct Work {
    positions: f64,
    /// Played in the playouts of Monte Carlo search, and visited by minimax with alpha-beta to [`DEEP`] plies.
    mcts: f64,
    alpha_beta: f64,
    moves: f64,
    games: f64,
}

impl Work {
    fn measure(options: &Options, read: &Readings, games: u32) -> Result<Work, Error> {
        let epsilon: f64 =
            options.value("eps").unwrap_or(CALIBRATED).parse().map_err(|_| "eps must be a probability")?;
        let iterations = f64::from(iterations(options)?);
        let spec = read.player("minimax:4")?;
        let mut work = Work { games: games.into(), ..Work::default() };
        for game in 0..u64::from(games) {
            let mut rng = rng::keyed(&[options.seed, game]);
            let mut player = player::build::<Kalah>(&spec).map_err(|_| "minimax cannot play")?;
            let mut state = GameState::new(Kalah::start(read.rules()));
            while !state.is_over() {
                let pos = *state.pos();
                let lengths: u32 = (0..PLAYOUTS).map(|_| playout(pos, epsilon, &mut rng)).sum();
                work.mcts += iterations * f64::from(lengths) / f64::from(PLAYOUTS);
                work.alpha_beta += Searcher::positions(&pos, DEEP) as f64;
                work.moves += pos.count_moves() as f64;
                work.positions += 1.0;
                let is_opening = state.plies() < read.opening;
                let mv = match is_opening {
                    true => pos.pick(rng.next_u32()),
                    false => player::choose(&mut *player, &Turn::new(pos, state.plies(), options.seed + game))
                        .ok_or("the player has no move")?,
                };
                state.play(mv);
            }
        }
        Ok(work)
    }

    fn lines(&self) -> Vec<Line> {
        let [mcts, alpha_beta, moves] = [self.mcts, self.alpha_beta, self.moves].map(|sum| sum / self.positions);
        let length = self.positions / self.games;
        let complexity = length * moves.log10();
        vec![
            judged(
                Line::new("minimax at depth 8 costs more than mcts", None, alpha_beta / mcts, "times the positions"),
                alpha_beta > mcts,
                "alpha-beta, without a table or ordering, visits more positions a move than the playouts of mcts play",
            ),
            judged(
                Line::new("mean branching factor", Some(6.0), moves, "moves"),
                (5.5..6.5).contains(&moves),
                "it is 6 when rounded, in games of minimax:4 against itself",
            ),
            judged(
                Line::new("game-tree complexity", Some(COMPLEXITY.log10()), complexity, "powers of ten"),
                (complexity - COMPLEXITY.log10()).abs() <= 1.0,
                "the branching factor to the power of a game's sowings is within a factor of ten",
            ),
        ]
    }
}

/// Plays a position to its end, at random with this probability and else for the greatest gain; returns the number of moves.
fn playout(mut pos: Kalah, epsilon: f64, rng: &mut rng::Rng) -> u32 {
    let mut moves = 0;
    while !pos.is_over() {
        let bits = rng.next_u32();
        pos = pos.play(if rng.random_bool(epsilon) { pos.pick(bits) } else { pos.greedy(bits) });
        moves += 1;
    }
    moves
}

/// The claims on the round robin of single heuristics.
fn of_table2(table: &Table2) -> Vec<Line> {
    let mut won: Vec<u64> = (0..COUNT).map(|term| table.matches_won(term).to_bits()).collect();
    crate::sort::sort(&mut won);
    won.dedup();
    let best = table.ranking();
    let strong = [3, 5, 6].iter().filter(|term| best[..3].contains(term)).count();
    let place = 1 + best.iter().position(|term| *term == 2).unwrap_or(0);
    let agreed = table.agreement();
    vec![
        judged(
            Line::new("Table 2: matches in the printed order", Some(MATCHES.into()), agreed.into(), "of 45 matches"),
            agreed == MATCHES,
            "the heuristic printed as the stronger wins all",
        ),
        judged(
            Line::new("Table 2: 9, 8, … 0 matches won", Some(COUNT as f64), won.len() as f64, "different numbers"),
            won.len() == COUNT,
            "no two heuristics win as many",
        ),
        judged(
            Line::new("H4, H6 and H7 are the strongest", Some(3.0), strong as f64, "of the best three"),
            strong == 3,
            "they are the best three",
        ),
        judged(
            Line::new("place of H3, the weakest", Some(COUNT as f64), place as f64, "of 10"),
            place == COUNT,
            "it is the last",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::reproduce;

    #[test]
    fn every_claim_has_a_verdict_by_its_rule() {
        let options = Options { games: Some(4), ..Options::default() };
        let table = reproduce("kalah-thesis/claims", &["iterations=20"], options, &mut |_| ()).unwrap();
        assert_eq!(table.lines.len(), 4 + 6 + 3 + 4);
        for line in &table.lines {
            let remark = line.remark.as_ref().unwrap();
            assert!(remark.starts_with("yes; yes if ") || remark.starts_with("no; yes if "), "{line:?}");
            assert_eq!(line.names[1].1, json!(remark.split(';').next().unwrap()));
        }
        let line = |what: &str| table.lines.iter().find(|line| line.what == what).unwrap();
        assert!(line("mean branching factor").measured.unwrap() < 6.0);
        assert_eq!(line("Table 2: matches in the printed order").published, Some(45.0));
    }

    #[test]
    fn chance_decides_who_wins_more() {
        let score = |wins| Score { wins, draws: 0, losses: 1000 - wins };
        assert!(wins_more(score(560), score(500)) && !wins_more(score(510), score(500)));
        assert!(!wins_more(score(500), score(560)));
        let line = difference("", None, [score(600), score(500)]);
        let (low, high) = line.interval.unwrap();
        assert!(
            (line.measured.unwrap() - 10.0).abs() < 1e-9 && (low - 5.65).abs() < 0.05 && (high - 14.35).abs() < 0.05
        );
    }

    #[test]
    fn playouts_end() {
        let start = Kalah::start(Readings::default().rules());
        let mut rng = rng::keyed(&[1]);
        assert!((0..50).all(|_| (10..200).contains(&playout(start, 0.5, &mut rng))));
    }
}
