//! A review as text: table, CSV, JSON and Markdown. A row is a move of the game.

use std::sync::Arc;

use serde::Serialize;

use super::value::names;
use crate::game::record::{Record, Step};
use crate::game::{Position, Side, notation};
use crate::grid::Grid;
use crate::player::PositionValue;
use crate::player::review::{self, Effort, Loss, Mark, Terms};
use crate::{sanitize, search};

/// The results of a review.
pub(super) struct Review<'a> {
    pub record: &'a Record,
    pub terms: Terms,
    /// Evaluations of the start and of the position after each move of the line.
    pub found: &'a [Option<Arc<PositionValue>>],
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
    /// The value of the move for the mover, in seeds, discs or men. `None` where `move_outcome` is known.
    move_value: Option<f64>,
    /// `win` or `loss` for the mover after this move, in games without margins at their end.
    move_outcome: Option<&'static str>,
    best: Option<String>,
    /// The same after the best move.
    best_value: Option<f64>,
    best_outcome: Option<&'static str>,
    /// The value that the move gives away; `None` where it gives away the result.
    lost: Option<f64>,
    /// Percentage points of the mover's chance of winning that the move gives away: the difference of `best_chance` and `chance`.
    lost_chance: Option<f64>,
    /// `?` for a mistake, `??` for a blunder.
    mark: Option<&'static str>,
    /// The principal variation from the position before the move.
    line: Vec<String>,
    /// The number of reliable moves of `line`.
    #[serde(skip)]
    sound: usize,
    /// Search depth from the position before the move, in plies.
    depth: Option<u32>,
    /// Whether the values of the move and of the best one are those of perfect play.
    solved: Option<bool>,
    /// The value of the move for South; `None` where `value_outcome` is known.
    value: Option<f64>,
    /// `win` or `loss` for South.
    value_outcome: Option<&'static str>,
    /// South's chance of winning after the move in percent.
    chance: Option<f64>,
    /// The same after the best move.
    best_chance: Option<f64>,
    /// The time that the move took, as the file has it.
    seconds: Option<f64>,
    /// The best move's value or outcome for South, for users, and whether it is that of perfect play.
    #[serde(skip)]
    best_for_south: (Option<f64>, Option<&'static str>),
    #[serde(skip)]
    best_solved: bool,
    /// What the move gives away, for users.
    #[serde(skip)]
    loss: Option<Loss>,
}

/// Rounds for output: searches are not exact to more digits.
fn rounded(value: f64) -> f64 {
    // Adding 0 makes −0 positive.
    (100.0 * value).round() / 100.0 + 0.0
}

/// `win` or `loss` of a decisive value.
fn outcome(is_decided: bool, value: f64) -> Option<&'static str> {
    (is_decided && value != 0.0).then_some(if value > 0.0 { "win" } else { "loss" })
}

/// A move's value and outcome for the mover.
fn of_move(valued: &PositionValue, line: &search::Line) -> (Option<f64>, Option<&'static str>) {
    let value = valued.value_of(line);
    let is_decided = valued.is_decisive(line.margin);
    ((!is_decided).then(|| rounded(value)), outcome(is_decided, value))
}

/// The same for South.
fn for_south(valued: &PositionValue, line: &search::Line) -> (Option<f64>, Option<&'static str>) {
    let value = valued.south_of(line);
    let is_decided = valued.is_decisive(line.margin);
    ((!is_decided).then(|| rounded(value)), outcome(is_decided, value))
}

/// The same of a position, for South.
fn of_position(valued: &PositionValue) -> (Option<f64>, Option<&'static str>) {
    ((!valued.is_decided()).then(|| rounded(valued.south)), outcome(valued.is_decided(), valued.south))
}

/// A side's moves.
#[derive(Serialize)]
pub(super) struct SideSummary<'a> {
    side: &'static str,
    player: &'a str,
    moves: usize,
    /// The moves whose loss is known: all, unless the review was stopped.
    reviewed: usize,
    mistakes: usize,
    blunders: usize,
    /// Mean over the moves with a choice of how well they were chosen, in percent.
    accuracy: Option<f64>,
}

/// A review for programs.
#[derive(Serialize)]
pub(super) struct Json<'a> {
    game: String,
    /// The result that the file gives, or that of the moves.
    result: String,
    /// What the reader corrected or doubted.
    notes: Vec<String>,
    depth: u32,
    /// Whether positions were solved where a solver knows the game.
    perfect: bool,
    solve: u32,
    mistake: u32,
    blunder: u32,
    /// Whether all positions were evaluated.
    finished: bool,
    /// The value of the start of the game, for the side of `value_for`.
    start_value: Option<f64>,
    start_outcome: Option<&'static str>,
    /// The side of `value`, `chance` and `start_value`.
    value_for: &'static str,
    sides: Vec<SideSummary<'a>>,
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
        let best = valued.and_then(PositionValue::best);
        let [own, top] = [valued.and_then(|valued| valued.move_line(step.mv)), best]
            .map(|line| valued.zip(line).map_or((None, None), |(valued, line)| of_move(valued, line)));
        let played = valued.and_then(|valued| Some((valued, valued.move_line(step.mv)?)));
        // A move's value comes from the search before it, as that of the others; the end of the game is known.
        let end = self.found.get(index + 1).and_then(Option::as_deref).filter(|after| after.best().is_none());
        let (value, value_outcome) = match (end, played) {
            (Some(end), _) => of_position(end),
            (None, played) => played.map_or((None, None), |(valued, line)| for_south(valued, line)),
        };
        let chance = end.map(PositionValue::chance).or(played.map(|(valued, line)| valued.south_chance_of(line)));
        let loss = valued.and_then(|valued| valued.loss(step.mv));
        Row {
            ply: index as u32 + 1,
            turn: step.turn,
            side: self.seat(step.mover),
            mv: position.move_text(step.mv),
            move_value: own.0,
            move_outcome: own.1,
            best: best.map(|line| position.move_text(line.mv)),
            best_value: top.0,
            best_outcome: top.1,
            lost: loss.filter(|loss| loss.result.is_none()).map(|loss| rounded(loss.value)),
            lost_chance: loss.map(|loss| rounded(loss.chance)),
            mark: valued.and_then(|valued| valued.mark(step.mv, &self.terms)).map(Mark::text),
            line: best.map(|line| names(position, &line.pv)).unwrap_or_default(),
            sound: valued.map_or(0, |valued| valued.line().len()),
            depth: valued.map(|valued| valued.depth),
            solved: played.map(|(valued, line)| valued.solved && line.solved),
            value,
            value_outcome,
            chance: chance.map(|chance| rounded(100.0 * chance)),
            best_chance: valued.zip(best).map(|(valued, line)| rounded(100.0 * valued.south_chance_of(line))),
            seconds: notation::time_of_move(self.record, step.node).map(|time| time.as_millis() as f64 / 1000.0),
            best_solved: valued.zip(best).is_some_and(|(valued, line)| valued.solved && line.solved),
            best_for_south: valued.zip(best).map_or((None, None), |(valued, line)| for_south(valued, line)),
            loss,
        }
    }

    fn sides(&self, rows: &[Row]) -> Vec<SideSummary<'_>> {
        let played = |side: Side| {
            let name = self.seat(side);
            let own = || rows.iter().filter(|row| row.side == name);
            let marked = |mark: Mark| own().filter(|row| row.mark == Some(mark.text())).count();
            SideSummary {
                side: name,
                player: &self.record.players[side.index()],
                moves: own().count(),
                reviewed: own().filter(|row| row.depth.is_some()).count(),
                mistakes: marked(Mark::Mistake),
                blunders: marked(Mark::Blunder),
                accuracy: self.accuracy(side).map(|accuracy| (10.0 * accuracy).round() / 10.0),
            }
        };
        Side::BOTH.map(played).into()
    }

    fn accuracy(&self, side: Side) -> Option<f64> {
        let line = self.record.line();
        let own = line.iter().enumerate().filter(|(_, step)| step.mover == side);
        review::accuracy(own.filter_map(|(index, step)| Some((self.found.get(index)?.as_deref()?, step.mv))))
    }
}

pub(super) fn json<'a>(review: &'a Review<'a>) -> Json<'a> {
    let moves = review.rows();
    let Terms { depth, effort, solve, mistake, blunder, .. } = review.terms;
    let start = review.found.first().and_then(Option::as_deref);
    Json {
        game: review.record.variant.to_string(),
        result: notation::given_result(review.record),
        notes: notation::remarks(review.record),
        depth,
        perfect: effort == Effort::Unlimited,
        solve,
        mistake,
        blunder,
        finished: review.found.iter().all(Option::is_some),
        start_value: start.and_then(|valued| of_position(valued).0),
        start_outcome: start.and_then(|valued| of_position(valued).1),
        value_for: review.seat(Side::South),
        sides: review.sides(&moves),
        moves,
    }
}

/// A value or an outcome: `+3`, `wins`.
fn worth(value: Option<f64>, outcome: Option<&str>, digits: usize) -> String {
    match (value, outcome) {
        (_, Some("win")) => "wins".to_owned(),
        (_, Some(_)) => "loses".to_owned(),
        (Some(number), None) => match (10.0 * number).round() / 10.0 {
            0.0 => format!("{:.digits$}", 0.0),
            number => format!("{number:+.digits$}"),
        },
        (None, None) => "-".to_owned(),
    }
}

/// Returns the digits after the point that values need, 0 or 1: all of a column have the same, so that they can be compared.
fn digits(values: impl IntoIterator<Item = f64>) -> usize {
    usize::from(values.into_iter().any(|value| (10.0 * value).round() % 10.0 != 0.0))
}

fn number(number: Option<impl ToString>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// Maximum moves of the best line in a row.
const SHOWN: usize = 8;

/// A row for each move, for users. The best move is shown where another one was played.
fn grid(review: &Review) -> Grid {
    let first = review.seat(Side::South);
    let rows = review.rows();
    let is_timed = rows.iter().any(|row| row.seconds.is_some());
    let head = ["turn", "side", "move", "time", first, "chance", "lost", "", "better", "best play"];
    let head: Vec<&str> = head.into_iter().filter(|head| is_timed || *head != "time").collect();
    let numbers: &[usize] = if is_timed { &[0, 3, 4, 5, 6] } else { &[0, 3, 4, 5] };
    let is_mixed = has_exact_values(&rows);
    let digits = digits(rows.iter().flat_map(|row| [row.value, row.best_for_south.0]).flatten());
    let cells = |row: Row| {
        let mark = |is_solved: bool, outcome: Option<&str>| {
            if is_mixed && !is_solved && outcome.is_none() { "~" } else { "" }.to_owned()
        };
        let loss = row.loss.filter(|loss| !loss.is_zero());
        let percent = |chance: f64| format!("{chance:.0} %");
        let better = row.best.filter(|_| loss.is_some());
        // The difference of the two chances of the row, as they are printed.
        let lost = row.best_chance.zip(row.chance).map(|(best, own)| percent((best.round() - own.round()).abs()));
        let (best_value, best_outcome) = row.best_for_south;
        let best_chance = row.best_chance.map_or(String::new(), percent);
        let better_value = mark(row.best_solved, best_outcome) + &worth(best_value, best_outcome, digits);
        let time = is_timed.then(|| row.seconds.map_or(String::new(), |seconds| format!("{seconds:.1} s")));
        let moved = [row.turn.to_string(), row.side.to_owned(), row.mv].into_iter().chain(time);
        let judged = [
            mark(row.solved != Some(false), row.value_outcome) + &worth(row.value, row.value_outcome, digits),
            row.chance.map_or(String::new(), percent),
            lost.filter(|_| loss.is_some()).unwrap_or_default(),
            row.mark.unwrap_or_default().to_owned(),
            better.map(|best| format!("{best} {better_value} {best_chance}")).unwrap_or_default(),
            if loss.is_some() { row.line[..row.sound.min(SHOWN)].join(" ") } else { String::new() },
        ];
        moved.chain(judged).collect::<Vec<String>>()
    };
    Grid::new(&head, numbers, rows.into_iter().map(cells))
}

/// Whether values of perfect play stand beside others, which are marked as estimates then.
fn has_exact_values(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.solved == Some(true))
}

/// The meaning of the columns, and the totals of both sides.
fn foot(review: &Review) -> String {
    let Terms { depth, mistake, blunder, .. } = review.terms;
    let south = review.seat(Side::South);
    let rows = review.rows();
    let exact = rows.iter().filter(|row| row.solved == Some(true)).count();
    let depth = match rows.len() {
        all if exact == all => "to the end of the game".to_owned(),
        _ if exact == 0 => format!("depth {depth}"),
        all => format!("depth {depth}, in {exact} of {all} moves to the end of the game"),
    };
    let mut text = format!(
        "{south}: the value for {south} after the move with best play, {depth}; chance: its chance of winning; better: the same of the best move\n\
         lost: the loss of the mover's chance; ? {mistake} % or more, ?? {blunder} % or more\n"
    );
    if has_exact_values(&rows) && exact < rows.len() {
        text += "~: an estimate; values without ~ are exact\n";
    }
    if rows.iter().any(|row| row.move_outcome.is_some()) {
        text += "wins, loses: the result is known; only moves that change it are marked\n";
    }
    for side in review.sides(&rows) {
        let SideSummary { side, player, moves, reviewed, mistakes, blunders, accuracy } = side;
        let player = sanitize::inline(player);
        let accuracy = accuracy.map_or(String::new(), |accuracy| format!(", accuracy {accuracy:.0} %"));
        let of_all = if reviewed < moves { format!(" ({reviewed} reviewed)") } else { String::new() };
        text += &format!("{side} ({player}): {moves} moves{of_all}, {mistakes} ?, {blunders} ??{accuracy}\n");
    }
    text
}

fn title(review: &Review) -> String {
    let [south, north] = [0, 1].map(|side| sanitize::inline(&review.record.players[side]));
    let variant = review.record.variant;
    let result = notation::result_in_words(&variant, &notation::given_result(review.record));
    format!("{variant}  {south} - {north}  {}", sanitize::inline(&result))
}

/// The position of a record without moves: the comment on it, its value and its best line.
fn position(review: &Review) -> String {
    if !review.record.is_empty() {
        return String::new();
    }
    let mut text = format!("{}\n", review.record.start().to_text());
    let comment = review.record.comment(0);
    if !comment.is_empty() {
        text += &format!("given: {}\n", sanitize::inline(comment));
    }
    if let Some(valued) = review.found.first().and_then(Option::as_deref) {
        let (value, outcome) = of_position(valued);
        let line = valued.best().map(|best| names(review.record.start(), &best.pv)).unwrap_or_default();
        let line = line[..line.len().min(SHOWN)].join(" ");
        let value = worth(value, outcome, digits(value));
        text += &format!("{}: {value}, best play {line}\n", review.seat(Side::South));
    }
    text + "\n"
}

pub(super) fn table(review: &Review) -> String {
    format!("{}\n\n{}{}\n{}", title(review), position(review), grid(review).table(), foot(review))
}

pub(super) fn markdown(review: &Review) -> String {
    let foot: String = foot(review).lines().map(|line| format!("{line}  \n")).collect();
    let position: String = position(review).lines().map(|line| format!("{line}  \n")).collect();
    format!("**{}**\n\n{position}{}\n{foot}", title(review), grid(review).markdown())
}

/// A row for each move.
pub(super) fn csv(review: &Review) -> String {
    let head = "ply,turn,side,move,value,value_outcome,chance,move_value,move_outcome,best,best_value,best_outcome,best_chance,lost,lost_chance,mark,depth,solved,seconds,line";
    let head: Vec<&str> = head.split(',').collect();
    let cells = |row: Row| {
        [
            row.ply.to_string(),
            row.turn.to_string(),
            row.side.to_owned(),
            row.mv,
            number(row.value),
            number(row.value_outcome),
            number(row.chance),
            number(row.move_value),
            number(row.move_outcome),
            number(row.best),
            number(row.best_value),
            number(row.best_outcome),
            number(row.best_chance),
            number(row.lost),
            number(row.lost_chance),
            number(row.mark),
            number(row.depth),
            number(row.solved),
            number(row.seconds),
            row.line.join(" "),
        ]
    };
    Grid::new(&head, &[], review.rows().into_iter().map(cells)).csv()
}
