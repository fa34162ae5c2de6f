//! The layout of the panels: the matrix above, the selected cell and its games below.

use std::path::Path;
use std::time::Duration;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::matrix::{Matrix, Measure, plain};
use super::{challenge, open_game};
use crate::app::tab::Context;
use crate::arena::{CellView, PlayedGame, Score, Verdict, View, unsigned_nought};
use crate::game::{Outcome, Variant};
use crate::reproduce::kalah_thesis;
use crate::tabs::runs::parts::panels::{Part, RunPanels};
use crate::theme::Role;
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Band, Chart, Pattern, Series};
use crate::ui::table::{Column, Field, SortedTable};
use crate::ui::{Canvas, Look, clip, interval, short_time};

/// The panels, of which none has the focus: arrows choose a cell, other keys a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pane {
    Matrix,
    Cell,
    Games,
}

/// The state of the panels.
#[derive(Default)]
pub struct Panels {
    pub matrix: Matrix,
    pub measure: Measure,
    pub games: GameList,
    /// The published results of the cells, in their order; looked up once.
    published: Option<Vec<Option<f64>>>,
}

impl RunPanels for Panels {
    type ViewModel = View;
    type Pane = Pane;

    /// Shows the games of the selected cell.
    fn update(&mut self, view: &View) {
        let published = |cell: &CellView| kalah_thesis::published(&view.settings, cell.cell.first, cell.cell.second);
        self.published.get_or_insert_with(|| view.cells.iter().map(published).collect());
        self.matrix.go((0, 0), view);
        let (first, second) = self.matrix.selected();
        self.games.show(view, first, second);
    }

    fn all(&self, _: &View) -> Vec<Pane> {
        vec![Pane::Matrix, Pane::Cell, Pane::Games]
    }

    fn layout(&self, view: &View, area: Rect) -> Vec<(Pane, Rect)> {
        // A frame, and the column heads.
        let wanted = view.players.len() as u16 + 3;
        let lower = if area.height < 14 { 0 } else { 9 };
        let upper = wanted.min(area.height.saturating_sub(lower));
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        let below = area.height - upper;
        let left = if area.width < 60 { 0 } else { (area.width / 2).clamp(40, 56) };
        let panes = [
            (Pane::Matrix, at(0, 0, area.width, upper), true),
            (Pane::Cell, at(0, upper, left, below), below >= 4 && left > 0),
            (Pane::Games, at(left, upper, area.width - left, below), below >= 4),
        ];
        panes.into_iter().filter(|(.., is_shown)| *is_shown).map(|(pane, place, _)| (pane, place)).collect()
    }

    fn draw(&mut self, pane: Pane, view: &View, _: &mut Lens, mut canvas: Canvas<'_>) {
        canvas.focused = false;
        let published = self.published.as_deref().unwrap_or_default();
        match pane {
            Pane::Matrix => self.matrix.draw(view, (self.measure, published), canvas),
            Pane::Cell => {
                let (first, second) = self.matrix.selected();
                let printed = view.index(first, second).and_then(|cell| published[cell]);
                draw(view, (first, second), (self.games.games(), printed), canvas);
            }
            Pane::Games => self.games.draw(view, canvas),
        }
    }

    fn part(&mut self, pane: Pane) -> Option<&mut dyn Part<View>> {
        match pane {
            Pane::Matrix => Some(&mut self.matrix),
            Pane::Cell | Pane::Games => Some(&mut self.games.table),
        }
    }

    fn key(&mut self, _: Pane, code: KeyCode, view: &View) -> bool {
        if !self.matrix.key(code, view) {
            return self.games.table.key(code);
        }
        self.update(view);
        true
    }

    /// Over a cell the wheel moves the selection, elsewhere the games.
    fn wheel(&mut self, pane: Pane, at: (u16, u16), down: bool, view: &View) {
        let is_on_cell = pane == Pane::Matrix && self.matrix.is_over(at);
        let part: &mut dyn Part<View> = if is_on_cell { &mut self.matrix } else { &mut self.games.table };
        part.wheel(down, view);
    }

    fn next_details(&mut self, focus: Pane, view: &View) -> Pane {
        let has_published = self.published.iter().flatten().any(Option::is_some);
        self.measure = self.measure.next(view.has_margins(), has_published);
        focus
    }

    fn table(&mut self) -> Option<&mut SortedTable> {
        Some(&mut self.games.table)
    }

    fn can_open(&self, _: &View) -> bool {
        self.games.selected().is_some()
    }

    fn open(&self, _: Pane, view: &View, run: &Path, cx: &mut Context) {
        open_game(self, view, run, cx);
    }

    fn can_challenge(&self, _: &View) -> bool {
        true
    }

    fn challenge(&self, view: &View, _: &Path, cx: &mut Context) {
        challenge(self, view, cx);
    }
}

/// Width in cells of a line's label.
const LABEL: usize = 10;

/// Minimum height in rows of the chart.
const CHART_LEAST: u16 = 7;

/// Draws the cell. `games` are those of the cell, `printed` is the published result in percent won.
pub fn draw(
    view: &View,
    (first, second): (usize, usize),
    (games, printed): (&[PlayedGame], Option<f64>),
    mut canvas: Canvas<'_>,
) {
    let look = canvas.look;
    let names = view.names();
    let name = |player: usize| names.get(player).map_or("", String::as_str);
    let title = format!("{} v {}", name(first), name(second));
    let title = clip(&title, canvas.area.width.saturating_sub(4), look);
    let mut inner = canvas.panel(title);
    let Some(cell) = view.cell(first, second) else {
        return inner.explain("These two do not play in this order");
    };
    let cells = inner.area.width;
    let lines = lines(view, cell, printed, cells, look);
    let used = lines.len() as u16 + 1;
    inner.lines(lines);
    let rest = inner.area.height.saturating_sub(used);
    if rest >= CHART_LEAST && games.len() > 1 {
        let height = rest.min(24);
        let games: Vec<&PlayedGame> = games.iter().filter(|kept| view.is_sampled(cell, kept.number)).collect();
        inner.put(used - 1, look.span(Role::Dim, " % won by games, with the 95 % interval"));
        let Canvas { area, buf, .. } = inner.below(used);
        game_state(&games, cells).draw(Rect { height, ..area }, buf, look);
    }
}

/// Returns the chart of the share of games won, with its narrowing interval.
fn game_state(games: &[&PlayedGame], cells: u16) -> Chart {
    let step = games.len().div_ceil(usize::from(cells.max(1)) * 2).max(1);
    let mut score = Score::default();
    let mut won = Vec::new();
    let mut interval = Vec::new();
    for (index, kept) in games.iter().enumerate() {
        score = score.plus(Score::from_outcome(kept.end.outcome));
        if (index + 1) % step == 0 || index + 1 == games.len() {
            let (x, (low, high)) = ((index + 1) as f64, score.won_interval());
            won.push((x, 100.0 * score.won()));
            interval.push((x, 100.0 * low, 100.0 * high));
        }
    }
    Chart {
        x: (0.0, games.len() as f64),
        is_percent: true,
        unit: "games",
        series: vec![Series::new("% won so far", Role::Curve1, Pattern::Solid, won)],
        band: Some(Band { label: "95 %".to_owned(), points: interval }),
        ..Chart::default()
    }
}

fn lines(view: &View, cell: &CellView, printed: Option<f64>, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let CellView { score, sample, .. } = *cell;
    let Score { wins, draws, losses } = score;
    let labelled = |label: &str, role: Role, text: String| {
        Line::from(vec![look.span(Role::Dim, format!(" {label:<LABEL$}")), look.span(role, plain(&text, look))])
    };
    let mut lines = vec![labelled("games", Role::Text, format!("{} of {}", score.games(), cell.cell.games))];
    if score.games() == 0 {
        return lines;
    }
    lines.push(labelled("ended", Role::Text, format!("{wins} won, {draws} drawn, {losses} lost")));
    if sample.games() < score.games() {
        let text = format!("{} games, the others repeat them", sample.games());
        lines.push(labelled("distinct", Role::Warning, text));
    }
    let percent = |share: f64, (low, high): (f64, f64)| {
        format!("{:.1} %   95 %: {:.1} to {:.1}", 100.0 * share, 100.0 * low, 100.0 * high)
    };
    lines.push(labelled("won", Role::Accent, percent(sample.won(), sample.won_interval())));
    let share = sample.won();
    let ends = sample.won_interval();
    let mut scale = interval(share, ends, (0.0, 1.0), cells.saturating_sub(LABEL as u16 + 3).min(50), look);
    scale.spans.insert(0, look.span(Role::Dim, format!(" {:<LABEL$}", "")));
    lines.push(scale);
    if let Some(published) = printed {
        let inside = (100.0 * ends.0 - 1e-6..=100.0 * ends.1 + 1e-6).contains(&published);
        let (role, word) = if inside { (Role::Good, "inside") } else { (Role::Warning, "outside") };
        lines.push(labelled("published", role, format!("{published:.1} %   {word}")));
    }
    lines.push(labelled("points", Role::Text, percent(sample.share(), sample.interval())));
    let margin = |mean| labelled("margin", Role::Text, format!("{} on average", look_margin(mean, look)));
    lines.extend(view.mean_margin(cell).map(margin));
    lines.push(labelled("a move", Role::Text, times(cell)));
    if let Some(verdict) = cell.verdict {
        lines.push(labelled("stopped", Role::Good, look.with_minus(&stopped(view, cell, verdict))));
    }
    lines
}

fn look_margin(margin: f64, look: &Look) -> String {
    look.with_minus(&format!("{:+.2}", unsigned_nought(margin, 2)))
}

/// Returns the mean time per move of both players.
fn times(cell: &CellView) -> String {
    let mean = |seat: usize| match cell.turns[seat] {
        0 => format!("{:>8}", "-"),
        // At maximum width, so that the line does not move.
        turns => {
            let mean = Duration::try_from_secs_f64(cell.time[seat].as_secs_f64() / turns as f64);
            format!("{:>8}", short_time(mean.unwrap_or(Duration::MAX)))
        }
    };
    format!("{} against {}", mean(0), mean(1))
}

/// Returns the decision of the sequential test.
fn stopped(view: &View, cell: &CellView, verdict: Verdict) -> String {
    let Some(stop) = view.settings.stop else { return String::new() };
    let a = cell.cell.first.min(cell.cell.second) + 1;
    let b = cell.cell.first.max(cell.cell.second) + 1;
    match verdict {
        Verdict::Lower => format!("{a} is at most {:+} Elo ahead of {b}", stop.lower),
        Verdict::Upper => format!("{a} is at least {:+} Elo ahead of {b}", stop.upper),
    }
}

/// The list and its games.
#[derive(Default)]
pub struct GameList {
    pub table: SortedTable,
    games: Vec<PlayedGame>,
    /// The cell of the games, and the number of rounds read so far.
    cell_and_rounds: Option<(usize, usize)>,
    rounds: usize,
    /// Incremented when the list shows other games.
    version: u64,
}

impl GameList {
    /// Shows the games of `first` against `second`; if they are shown already, only new ones are read.
    pub fn show(&mut self, view: &View, first: usize, second: usize) {
        let rounds = view.round as usize;
        // A run that another process resumed may have returned to its checkpoint.
        if self.cell_and_rounds != Some((first, second)) || rounds < self.rounds {
            let version = self.version + 1;
            let table = std::mem::take(&mut self.table);
            *self = GameList {
                table: table.anew(),
                version,
                cell_and_rounds: Some((first, second)),
                ..GameList::default()
            };
        }
        if rounds > self.rounds {
            let cell = view.index(first, second);
            self.games.extend(cell.map(|cell| view.games.of_rounds(cell, self.rounds..rounds)).unwrap_or_default());
            (self.rounds, self.version) = (rounds, self.version + 1);
            self.table.set_len(self.games.len());
        }
    }

    /// Returns the games of the cell in the order of play.
    pub fn games(&self) -> &[PlayedGame] {
        &self.games
    }

    pub fn selected(&self) -> Option<&PlayedGame> {
        self.games.get(self.table.selected())
    }

    pub fn draw(&mut self, view: &View, mut canvas: Canvas<'_>) {
        let look = canvas.look;
        let title = match self.games.len() {
            0 => "Games".to_owned(),
            1 => "1 game (Enter: open)".to_owned(),
            count => format!("{count} games (Enter: open)"),
        };
        let mut inner = canvas.panel(title);
        if self.games.is_empty() {
            return inner.explain(if view.finished { "No games" } else { "No finished games yet" });
        }
        self.table.draw((self.games.len(), self.version), &fields(&self.games, view.settings.variant, look), inner);
    }
}

fn fields<'a>(games: &'a [PlayedGame], variant: Variant, look: &'a Look) -> Vec<Field<'a>> {
    let number = |index: usize| f64::from(games[index].number);
    let margin = |index: usize| f64::from(games[index].end.margin);
    let plies = |index: usize| games[index].moves.len();
    let has_margins = variant.start().decided().is_none();
    vec![
        Field::new(Column::number("game", 6), number, |index| (games[index].number + 1).to_string()),
        Field::new(Column::words("won by", 7), margin, |index| winner(games[index].end.outcome).to_owned()),
        Field::new(Column::number("margin", 7), margin, move |index| match has_margins {
            true => look.signed(games[index].end.margin),
            false => "-".to_owned(),
        }),
        Field::new(Column::number("plies", 5), move |index| plies(index) as f64, move |index| plies(index).to_string()),
        Field::new(Column::words("moves", 12), number, move |index| games[index].moves_text(variant)),
    ]
}

/// Returns the seat that won.
fn winner(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "first",
        Outcome::Drawn => "drawn",
        Outcome::Lost => "second",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Settings, Tournament};
    use crate::budget::Budget;
    use crate::job::{Progress, Run as _};
    use crate::pool::Pool;

    /// A view is drawn when the tournament is already further, whose rounds it shares.
    #[test]
    fn a_view_that_is_drawn_late_lists_every_game_once() {
        let players = ["random", "max"].map(|text| text.parse().unwrap()).to_vec();
        let settings = Settings::round_robin(Variant::usual()[0], players, 20, 1);
        let mut run = Tournament::start(settings).unwrap();
        let mut list = GameList::default();
        let mut views = Vec::new();
        loop {
            match run.advance(&Pool::alone(), Budget::UNLIMITED) {
                Progress::Generation(_) => views.push(run.view()),
                Progress::Done => break,
                _ => {}
            }
        }
        for view in &views {
            list.show(view, 0, 1);
            let numbers: Vec<u32> = list.games().iter().map(|game| game.number).collect();
            assert_eq!(numbers, (0..view.round).collect::<Vec<_>>());
        }
        assert_eq!(list.games().len(), 20);
    }
}
