//! A review as text: table, CSV, JSON and Markdown. A row is a move of the game.

use std::sync::Arc;

use serde::Serialize;

use super::value::names;
use crate::game::record::{Record, Step};
use crate::game::{Position, Side, notation};
use crate::player::Valued;
use crate::player::reviewing::{Loss, Mark, Terms};
use crate::sanitize;

/// The results of a review.
pub(super) struct Review<'a> {
    pub record: &'a Record,
    pub terms: Terms,
    /// Evaluations of the start and of the position after each move of the line.
    pub found: &'a [Option<Arc<Valued>>],
}

/// A move of the game. `None`: unknown, because the review was stopped.
#[derive(Serialize)]
pub(super) struct Row {
    /// From 1.
    ply: u32,
    /// The turn, from 1; all its moves share the number.
    turn: u32,
    side: &'static str,
    #[serde(rename = "move")]
    mv: String,
    /// The margin for the mover after this move: at the end of the game, or at the search's horizon. `None` where `outcome` is known.
    margin: Option<i32>,
    /// `win` or `loss` for the mover after this move, in games without margins at their end.
    outcome: Option<&'static str>,
    /// The same after the best move.
    best_margin: Option<i32>,
    best_outcome: Option<&'static str>,
    /// The margin that the move gives away; `None` where it gives away the result.
    lost: Option<u32>,
    /// Whether the loss rates the move: in games whose margins are not final, only once the search reaches the end.
    judged: bool,
    /// `?` for a mistake, `??` for a blunder.
    mark: Option<&'static str>,
    best: Option<String>,
    /// The principal variation from the position before the move.
    line: Vec<String>,
    /// The number of reliable moves of `line`.
    #[serde(skip)]
    sound: usize,
    /// Search depth from the position before the move, in plies.
    depth: Option<u32>,
    /// Whether the margins are those of perfect play.
    solved: Option<bool>,
    /// The value of the position after the move: the margin for South; `None` where `value_outcome` is known.
    value: Option<i32>,
    /// `win` or `loss` for South.
    value_outcome: Option<&'static str>,
    /// Whether the value shows who is ahead; not in games whose margins change much, before the end is searched.
    #[serde(skip)]
    is_firm: bool,
    /// What the move gives away, for users.
    #[serde(skip)]
    loss: Option<Loss>,
}

/// `win` or `loss` of a decisive margin.
fn outcome(valued: &Valued, margin: i32) -> Option<&'static str> {
    valued.is_decisive(margin).then_some(if margin > 0 { "win" } else { "loss" })
}

/// A margin that is not decisive.
fn margin(valued: &Valued, margin: i32) -> Option<i32> {
    (!valued.is_decisive(margin)).then_some(margin)
}

/// A side's moves.
#[derive(Serialize)]
pub(super) struct Played<'a> {
    side: &'static str,
    player: &'a str,
    moves: usize,
    mistakes: usize,
    blunders: usize,
    /// Total over all judged moves.
    lost: u32,
}

/// A review for programs.
#[derive(Serialize)]
pub(super) struct Json<'a> {
    game: String,
    result: String,
    depth: u32,
    /// Whether positions were solved where a solver knows the game.
    perfect: bool,
    solve: u32,
    mistake: u32,
    blunder: u32,
    /// Whether all positions were evaluated.
    finished: bool,
    /// The value of the start of the game, for the side of `value_for`.
    start_value: Option<i32>,
    start_outcome: Option<&'static str>,
    /// The side of `value` and `start_value`.
    value_for: &'static str,
    sides: Vec<Played<'a>>,
    moves: Vec<Row>,
}

impl Review<'_> {
    fn seat(&self, side: Side) -> &'static str {
        self.record.variant.seats()[side.index()]
    }

    fn rows(&self) -> Vec<Row> {
        let mut before = *self.record.start();
        let mut rows = Vec::new();
        for (index, step) in self.record.line().iter().enumerate() {
            rows.push(self.row(index, step, &before));
            before = *self.record.position_at(step.node);
        }
        rows
    }

    fn row(&self, index: usize, step: &Step, position: &Position) -> Row {
        let valued = self.found.get(index).and_then(Option::as_deref);
        let after = self.found.get(index + 1).and_then(Option::as_deref);
        let best = valued.and_then(Valued::best);
        let margins =
            valued.zip(valued.and_then(|valued| valued.of(step.mv))).map(|(valued, own)| (valued, own.margin));
        let bests = valued.zip(best).map(|(valued, best)| (valued, best.margin));
        let values = after.map(|valued| (valued, valued.south));
        let loss = valued.and_then(|valued| valued.loss(step.mv));
        let is_decided = bests.and_then(|(valued, best)| outcome(valued, best)).is_some()
            || margins.and_then(|(valued, own)| outcome(valued, own)).is_some();
        Row {
            ply: index as u32 + 1,
            turn: step.turn,
            side: self.seat(step.mover),
            mv: position.move_text(step.mv),
            margin: margins.and_then(|(valued, own)| margin(valued, own)),
            outcome: margins.and_then(|(valued, own)| outcome(valued, own)),
            best_margin: bests.and_then(|(valued, best)| margin(valued, best)),
            best_outcome: bests.and_then(|(valued, best)| outcome(valued, best)),
            lost: if is_decided { loss.and_then(Loss::margin) } else { valued.and_then(|valued| valued.lost(step.mv)) },
            judged: loss.is_some(),
            mark: valued.and_then(|valued| valued.mark(step.mv, &self.terms)).map(Mark::text),
            best: best.map(|line| position.move_text(line.mv)),
            line: best.map(|line| names(position, &line.pv)).unwrap_or_default(),
            sound: valued.map_or(0, |valued| valued.line().len()),
            depth: valued.map(|valued| valued.depth),
            solved: valued.map(|valued| valued.solved),
            value: values.and_then(|(valued, south)| margin(valued, south)),
            value_outcome: values.and_then(|(valued, south)| outcome(valued, south)),
            is_firm: after.is_none_or(Valued::is_firm),
            loss,
        }
    }

    fn sides(&self, rows: &[Row]) -> Vec<Played<'_>> {
        let played = |side: Side| {
            let name = self.seat(side);
            let own = || rows.iter().filter(|row| row.side == name);
            let marked = |mark: Mark| own().filter(|row| row.mark == Some(mark.text())).count();
            Played {
                side: name,
                player: &self.record.players[side.index()],
                moves: own().count(),
                mistakes: marked(Mark::Mistake),
                blunders: marked(Mark::Blunder),
                lost: own().filter(|row| row.judged).filter_map(|row| row.lost).sum(),
            }
        };
        Side::BOTH.map(played).into()
    }
}

pub(super) fn json<'a>(review: &'a Review<'a>) -> Json<'a> {
    let moves = review.rows();
    let Terms { depth, perfect, solve, mistake, blunder, .. } = review.terms;
    let start = review.found.first().and_then(Option::as_deref);
    Json {
        game: review.record.variant.to_string(),
        result: notation::result_text(review.record),
        depth,
        perfect,
        solve,
        mistake,
        blunder,
        finished: review.found.iter().all(Option::is_some),
        start_value: start.and_then(|valued| margin(valued, valued.south)),
        start_outcome: start.and_then(|valued| outcome(valued, valued.south)),
        value_for: review.seat(Side::South),
        sides: review.sides(&moves),
        moves,
    }
}

/// A margin or an outcome: `+3`, `wins`.
fn worth(margin: Option<i32>, outcome: Option<&str>) -> String {
    match (margin, outcome) {
        (_, Some("win")) => "wins".to_owned(),
        (_, Some(_)) => "loses".to_owned(),
        (Some(0), None) => "0".to_owned(),
        (Some(number), None) => format!("{number:+}"),
        (None, None) => "-".to_owned(),
    }
}

fn plain_number(number: Option<impl ToString>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// Maximum moves of the best line in a row.
const SHOWN: usize = 8;

/// Column headings and each row's cells, for users. The best move is shown where another one was played.
fn grid(review: &Review) -> (Vec<String>, Vec<[String; 8]>) {
    let first = review.seat(Side::South);
    let heads = ["turn", "side", "move", first, "lost", "", "better", "best play"].map(str::to_owned).to_vec();
    let cells = |row: Row| {
        let is_worse = row.loss.is_some_and(|loss| loss != Loss::Margin(0));
        let lost = match row.loss.filter(|_| is_worse) {
            None => String::new(),
            Some(Loss::Margin(lost)) => lost.to_string(),
            Some(Loss::Win) => "win".to_owned(),
            Some(Loss::Game) => "game".to_owned(),
        };
        let better =
            row.best.filter(|_| is_worse).map(|best| format!("{best} {}", worth(row.best_margin, row.best_outcome)));
        let value = worth(row.value, row.value_outcome);
        let shown = row.sound.min(SHOWN);
        [
            row.turn.to_string(),
            row.side.to_owned(),
            row.mv,
            if row.is_firm { value } else { format!("~{value}") },
            lost,
            row.mark.unwrap_or_default().to_owned(),
            better.unwrap_or_default(),
            if is_worse { row.line[..shown].join(" ") } else { String::new() },
        ]
    };
    (heads, review.rows().into_iter().map(cells).collect())
}

/// The meaning of the columns, and the totals of both sides.
fn foot(review: &Review) -> String {
    let Terms { depth, perfect, mistake, blunder, .. } = review.terms;
    let depth = if perfect { "to the end of the game".to_owned() } else { format!("depth {depth}") };
    let south = review.seat(Side::South);
    let mut text = format!(
        "{south}: the margin for {south} after the move with best play, {depth}; better: its margin for the mover\n\
         lost: the loss of the move; ? {mistake} or more, ?? {blunder} or more\n"
    );
    let is_known = |valued: &&Arc<Valued>| valued.depth > 0;
    if review.found.iter().flatten().filter(is_known).any(|valued| !valued.is_firm()) {
        text += "~: not searched to the end of the game, a bare estimate\n";
    }
    if review.rows().iter().any(|row| row.outcome.is_some()) {
        text += "wins, loses: found to the end; only moves that change the result are marked\n";
    }
    for side in review.sides(&review.rows()) {
        let Played { side, player, moves, mistakes, blunders, lost } = side;
        let player = sanitize::inline(player);
        text += &format!("{side} ({player}): {moves} moves, {mistakes} ?, {blunders} ??, {lost} lost in total\n");
    }
    text
}

fn title(review: &Review) -> String {
    let [south, north] = [0, 1].map(|side| sanitize::inline(&review.record.players[side]));
    format!("{}  {south} - {north}  {}", review.record.variant, notation::result_text(review.record))
}

/// The columns of numbers, which are right-aligned.
const TO_THE_RIGHT: [bool; 8] = [true, false, false, true, true, false, false, false];

pub(super) fn table(review: &Review) -> String {
    let (heads, rows) = grid(review);
    let wide = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([heads[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(wide).collect();
    let mut text = format!("{}\n\n", title(review));
    for row in std::iter::once(heads.as_slice()).chain(rows.iter().map(<[String; 8]>::as_slice)) {
        let cell = |(column, cell): (usize, &String)| {
            let wide = widths[column];
            if TO_THE_RIGHT[column] { format!("{cell:>wide$}") } else { format!("{cell:<wide$}") }
        };
        let line = row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
        text += line.trim_end();
        text.push('\n');
    }
    text + "\n" + &foot(review)
}

pub(super) fn markdown(review: &Review) -> String {
    let (heads, rows) = grid(review);
    let line = |row: &[String]| format!("| {} |\n", row.join(" | "));
    let rule: String = TO_THE_RIGHT.iter().map(|&right| if right { "---:|" } else { "---|" }).collect();
    let body: String = rows.iter().map(|row| line(row)).collect();
    let foot: String = foot(review).lines().map(|line| format!("{line}  \n")).collect();
    format!("**{}**\n\n{}|{rule}\n{body}\n{foot}", title(review), line(&heads))
}

/// A row for each move.
pub(super) fn csv(review: &Review) -> String {
    let mut text = "ply,turn,side,move,value,value_outcome,margin,outcome,best,best_margin,best_outcome,lost,judged,mark,depth,solved,line\n".to_owned();
    for row in review.rows() {
        let fields = [
            row.ply.to_string(),
            row.turn.to_string(),
            row.side.to_owned(),
            row.mv,
            plain_number(row.value),
            plain_number(row.value_outcome),
            plain_number(row.margin),
            plain_number(row.outcome),
            row.best.unwrap_or_default(),
            plain_number(row.best_margin),
            plain_number(row.best_outcome),
            plain_number(row.lost),
            row.judged.to_string(),
            row.mark.unwrap_or_default().to_owned(),
            plain_number(row.depth),
            plain_number(row.solved),
            row.line.join(" "),
        ];
        text += &format!("{}\n", fields.join(","));
    }
    text
}
