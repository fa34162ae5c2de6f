//! Results of a tournament: a row for each agent, and each game.

use serde::Serialize;

use crate::arena::Score;
use crate::grid::Grid;

/// Results of an agent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    pub name: String,
    pub authors: String,
    pub score: Score,
    /// Own seeds less the opponents', over all games that were played to their end.
    pub seeds: i64,
    /// Moves that the server chose, since none arrived in time.
    pub random: u32,
    /// Moves that were not possible.
    pub illegal: u32,
    /// Games lost because the agent was gone.
    pub forfeits: u32,
}

/// A game that is over.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameResult {
    pub first: String,
    pub second: String,
    pub game: String,
    /// Of the first mover: 1, 0.5 or 0.
    pub points: f64,
    /// Seeds of the first mover less the second's; `None` if the game was forfeited.
    pub margin: Option<i32>,
    pub moves: u32,
}

#[derive(Serialize)]
struct Agent<'a> {
    name: &'a str,
    authors: &'a str,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    points: f64,
    interval: (f64, f64),
    seeds: i64,
    random: u32,
    illegal: u32,
    forfeits: u32,
}

/// A tournament for programs.
#[derive(Serialize)]
pub struct Json<'a> {
    seed: u64,
    finished: bool,
    agents: Vec<Agent<'a>>,
    games: &'a [GameResult],
}

/// Returns the rows, the most points first.
fn sorted(rows: &[Row]) -> Vec<&Row> {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    crate::sort::sort_by(&mut sorted, |one, other| {
        other.score.share().total_cmp(&one.score.share()).then(other.seeds.cmp(&one.seeds))
    });
    sorted
}

/// Returns the table as text.
pub fn text(rows: &[Row]) -> String {
    let head = ["agent", "games", "won", "drawn", "lost", "points", "95 %", "seeds", "random", "illegal", "forfeits"];
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let row = |row: &&Row| {
        let Score { wins, draws, losses } = row.score;
        let (low, high) = row.score.interval();
        let counts = [row.score.games(), wins, draws, losses].map(|count| count.to_string());
        let share = [format!("{} %", percent(row.score.share())), format!("{} to {}", percent(low), percent(high))];
        let rest = [row.random, row.illegal, row.forfeits].map(|count| count.to_string());
        let seeds = format!("{:+}", row.seeds);
        [row.name.clone()].into_iter().chain(counts).chain(share).chain([seeds]).chain(rest).collect()
    };
    let rows = [head.map(str::to_owned).to_vec()].into_iter().chain(sorted(rows).iter().map(row)).collect();
    Grid { rows, numbers: (1..head.len()).collect(), ..Grid::default() }.table()
}

/// Returns the results for programs.
pub fn json<'a>(rows: &'a [Row], games: &'a [GameResult], seed: u64, finished: bool) -> Json<'a> {
    let agent = |row: &'a Row| Agent {
        name: &row.name,
        authors: &row.authors,
        games: row.score.games(),
        won: row.score.wins,
        drawn: row.score.draws,
        lost: row.score.losses,
        points: row.score.share(),
        interval: row.score.interval(),
        seeds: row.seeds,
        random: row.random,
        illegal: row.illegal,
        forfeits: row.forfeits,
    };
    Json { seed, finished, agents: sorted(rows).into_iter().map(agent).collect(), games }
}
