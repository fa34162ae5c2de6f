//! The heuristic player at depth 4 against minimax at depth 8, where the thesis' text reports 54.5 % of 500 games won.
//! Besides the match itself, other readings that could explain the difference are tried one at a time.

use super::counted::{fits, seats};
use super::readings::Readings;
use super::run::{both_seats, play, tournament};
use crate::arena::{Settings, View};
use crate::fit::{chance, standard_errors};
use crate::player::Spec;
use crate::target::whole;
use crate::{Hear, Line, Options, Table};
use mancalab_base::Error;

const PUBLISHED: f64 = 54.5;
/// Games of the published match.
pub(super) const PUBLISHED_GAMES: u32 = 500;

/// Other readings of the match: (reading, heuristic player, opponent).
const VARIANTS: [(&str, &str, &str); 12] = [
    ("H5 and H7 judged on the path", "heuristic:4:judged=path:near=indicator:ties=random", "minimax:8:ties=random"),
    ("H9 and H10 as differences", "heuristic:4:ties=random", "minimax:8:ties=random"),
    ("H9 and H10 as printed", "heuristic:4:near=printed:ties=random", "minimax:8:ties=random"),
    ("ties to the first move", "heuristic:4:near=indicator", "minimax:8"),
    ("ties to the last move", "heuristic:4:near=indicator:ties=last", "minimax:8:ties=last"),
    ("minimax takes pruned bounds for ties", "heuristic:4:near=indicator:ties=random", "minimax:8:ties=window"),
    ("both take pruned bounds for ties", "heuristic:4:near=indicator:ties=window", "minimax:8:ties=window"),
    ("the weights of Table 3, run 19", "heuristic:4@table3-19:near=indicator:ties=random", "minimax:8:ties=random"),
    ("minimax at depth 6", "heuristic:4:near=indicator:ties=random", "minimax:6:ties=random"),
    ("minimax at depth 5", "heuristic:4:near=indicator:ties=random", "minimax:5:ties=random"),
    ("minimax at depth 4", "heuristic:4:near=indicator:ties=random", "minimax:4:ties=random"),
    ("both at depth 8", "heuristic:8:near=indicator:ties=random", "minimax:8:ties=random"),
];

/// The tournament: the match itself, then its variants, each from both sides.
///
/// # Errors
/// An option is invalid.
pub(super) fn settings(options: &Options) -> Result<Settings, Error> {
    let read = Readings::asked(options)?;
    let games = options.games.unwrap_or(PUBLISHED_GAMES);
    let mut players = vec![read.player("heuristic:4")?, read.player("minimax:8")?];
    for (_, one, other) in VARIANTS {
        players.extend([one.parse::<Spec>()?, other.parse()?]);
    }
    let cells = (0..=VARIANTS.len()).flat_map(|pair| both_seats(2 * pair, 2 * pair + 1, games));
    tournament("depth", players, cells, options)
}

/// Plays the matches.
///
/// # Errors
/// An option is invalid, or a file cannot be written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let read = Readings::asked(options)?;
    let games = options.games.unwrap_or(PUBLISHED_GAMES);
    let whats: Vec<&str> = ["heuristic:4 v minimax:8"].into_iter().chain(VARIANTS.map(|(what, ..)| what)).collect();
    let view = play(settings(options)?, options, &mut whole(hear))?;
    let lines = lines(&view, &whats);
    let mut notes = fits(&lines);
    notes.push(holding(&lines));
    notes.extend(lines.first().and_then(drawn));
    let mut reading = Readings { opening: view.settings.opening.moves(), ..read }.lines();
    reading.push(("a match", format!("{games} games, each side moves first in half of them; seed {}", options.seed)));
    let table = Table { lines, reading, notes, ..Table::default() };
    Ok(table.with_ranges("depth", "Kalah thesis, section 6: heuristic:4 v minimax:8", "% of games won"))
}

/// Returns three lines for every match: all its games, then those from either side.
fn lines(view: &View, whats: &[&str]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (what, cells) in whats.iter().zip(view.cells.chunks(2)) {
        let [player, opponent] =
            [cells[0].cell.first, cells[0].cell.second].map(|player| view.players[player].as_str());
        let scores = [cells[0].score, cells[1].score.turned()];
        let names = [("match", *what), ("player", player), ("opponent", opponent)];
        lines.extend(seats(what, lines.is_empty().then_some((PUBLISHED, PUBLISHED_GAMES)), scores, &names));
    }
    lines
}

/// Formats the match's result under other counts of draws, in a sentence.
fn drawn(line: &Line) -> Option<String> {
    let score = line.score?;
    let decided = f64::from((score.wins + score.losses).max(1));
    Some(format!(
        "The first match with draws counted half: {:.1} %; without drawn games: {:.1} %; won or drawn: {:.1} %",
        100.0 * score.share(),
        100.0 * f64::from(score.wins) / decided,
        100.0 * f64::from(score.wins + score.draws) / f64::from(score.games().max(1))
    ))
}

/// Returns whether chance explains the difference from the published share.
fn is_likely(line: &Line) -> bool {
    let differs = |score| standard_errors(score, PUBLISHED / 100.0, PUBLISHED_GAMES);
    line.score.is_some_and(|score| chance(differs(score)) >= 0.05)
}

/// Lists the readings that chance reconciles with the published share, in a sentence.
fn holding(lines: &[Line]) -> String {
    let mut held = Vec::new();
    for three in lines.chunks(3) {
        for line in three.iter().filter(|line| is_likely(line)) {
            let seat = if std::ptr::eq(line, &three[0]) { "" } else { line.what.as_str() };
            held.push(format!("{}{}", three[0].what, seat.replace("  ", ", ")));
        }
    }
    let held = if held.is_empty() { "none".to_owned() } else { held.join("; ") };
    format!(
        "Each match below the first changes one reading. Those that chance reconciles with {PUBLISHED} % of {PUBLISHED_GAMES} games (p 0.05 or more): {held}"
    )
}
