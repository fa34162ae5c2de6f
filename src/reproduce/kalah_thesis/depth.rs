//! The heuristic player four plies deep against minimax eight plies deep: the thesis' text has it win 54.5 % of 500 games.
//! Besides the match itself, the readings that could have made the difference are tried one by one.

use super::chart::{self, Row};
use super::table1::{csv, inside, line, play, player, row};
use super::{Options, SOURCE, no_others, read_settings, reading, write_files};
use crate::arena::Cell;
use crate::player::Spec;
use crate::reproduce::{Line, Table};

const PUBLISHED: f64 = 54.5;

/// Other ways to read the match: (what, the heuristic player, its opponent).
const VARIANTS: [(&str, &str, &str); 5] = [
    ("H5 and H7 judged on the path", "heuristic:4:judged=path:ties=random", "minimax:8:ties=random"),
    ("ties to the first move", "heuristic:4", "minimax:8"),
    ("the weights of Table 3, run 19", "heuristic:4@table3-19:ties=random", "minimax:8:ties=random"),
    ("minimax at depth 4", "heuristic:4:ties=random", "minimax:4:ties=random"),
    ("both at depth 8", "heuristic:8:ties=random", "minimax:8:ties=random"),
];

/// # Errors
/// An option makes no sense, or a file cannot be written.
pub fn reproduce(options: &Options, tell: &mut dyn FnMut(&str)) -> Result<Table, String> {
    let (read, others) = read_settings(&options.set)?;
    no_others(&others)?;
    let games = options.games.unwrap_or(500);
    let mut whats = vec!["heuristic:4 v minimax:8"];
    let mut players = vec![player("heuristic:4", read)?, player("minimax:8", read)?];
    for (what, one, other) in VARIANTS {
        whats.push(what);
        players.extend([one.parse::<Spec>()?, other.parse()?]);
    }
    let match_of = |pair: usize| {
        let cell = |first, games| Cell { first: 2 * pair + first, second: 2 * pair + 1 - first, games };
        [cell(0, games.div_ceil(2)), cell(1, games / 2)]
    };
    let view = play(players, (0..whats.len()).flat_map(match_of).collect(), options.seed, tell)?;
    let mut lines: Vec<Line> = Vec::new();
    for (what, cells) in whats.iter().zip(view.cells.chunks(2)) {
        let published = (lines.is_empty()).then_some(PUBLISHED);
        let seats = [("moving first", cells[0].score), ("moving second", cells[1].score.turned())];
        let both = crate::arena::CellView { score: seats[0].1.plus(seats[1].1), ..cells[0] };
        lines.push(line((*what).to_owned(), published, &both));
        for (seat, score) in seats {
            lines.push(line(format!("  {seat}"), None, &crate::arena::CellView { score, ..cells[0] }));
        }
    }
    let mut notes = vec![inside(&lines)];
    let holds = |line: &&Line| line.interval.is_some_and(|(low, high)| (low..=high).contains(&PUBLISHED));
    let held: Vec<&str> = lines.iter().filter(holds).map(|line| line.what.trim()).collect();
    let held = if held.is_empty() { "none".to_owned() } else { held.join("; ") };
    notes.push(format!("Each match below the first changes one thing. Intervals that hold {PUBLISHED} %: {held}"));
    let rows: Vec<Row> = lines.iter().map(row).collect();
    let svg = chart::ranges("Kalah thesis, section 6: heuristic:4 v minimax:8", "% of games won", 100.0, &rows);
    notes.extend(write_files(options.out.as_deref(), "depth", &csv(&lines), &svg)?);
    let mut reading = reading(read);
    reading.push(("a match", format!("{games} games, half of them begun by each; seed {}", options.seed)));
    Ok(Table { target: "kalah-thesis/depth", source: SOURCE, lines, reading, notes })
}
