//! The tournaments behind the tables.

use super::readings::Readings;
use crate::Options;
use crate::arena::{Cell, Pairs, Score, Settings, Tournament, View};
use crate::player::Spec;
use crate::target::Advance;
use crate::typed_run::to_its_end;
use mancalab_base::Error;

/// Returns the tournament of a target: these players and pairs, everything else from the options.
pub(super) fn tournament(
    name: &str,
    players: Vec<Spec>,
    cells: impl IntoIterator<Item = Cell>,
    options: &Options,
) -> Result<Settings, Error> {
    let cells: Vec<Cell> = cells.into_iter().collect();
    let games = cells.iter().map(|cell| cell.games).max().unwrap_or(0);
    let pair = |cell: &Cell| (cell.first, cell.second, Some(cell.games).filter(|own| *own != games));
    let read = Readings::asked(options)?;
    let settings = Settings {
        preset: format!("kalah-thesis-{name}"),
        pairs: Pairs::Only(cells.iter().map(pair).collect()),
        opening: read.opening.into(),
        ..Settings::round_robin(read.variant(), players, games, options.seed)
    };
    // All pairs in order have a shorter setting.
    let all = Settings { pairs: Pairs::All, ..settings.clone() };
    let settings = if all.cells() == cells { all } else { settings };
    settings.check()?;
    Ok(settings)
}

/// Returns the cells of a match of this many games, half of them begun by each player.
pub(super) fn both_seats(one: usize, other: usize, games: u32) -> [Cell; 2] {
    let cell = |first, second, games| Cell { first, second, games };
    [cell(one, other, games.div_ceil(2)), cell(other, one, games / 2)]
}

/// Returns the score of player `one` in a match against `other`.
pub(super) fn match_score(view: &View, one: usize, other: usize) -> Option<Score> {
    Some(view.cell(one, other)?.score.plus(view.cell(other, one)?.score.turned()))
}

/// Plays a tournament, in a folder of its own if the options name one; `progress` receives the share of the games played.
pub(super) fn play(settings: Settings, options: &Options, progress: Advance<'_>) -> Result<View, Error> {
    let folder = options.out.as_deref().map(|out| out.join(format!("{}-seed{}", settings.preset, settings.seed)));
    let job = to_its_end::<Tournament>(settings, folder, &options.pool, &mut |tournament| {
        let view = tournament.view();
        let share = view.done as f64 / view.total.max(1) as f64;
        progress(share, &format!("{}/{} games", view.done, view.total));
    })?;
    Ok(job.run().view())
}
