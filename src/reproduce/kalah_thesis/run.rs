//! The runs behind the tables: played in memory, or in a folder, where one that was cut short is gone on with.

use std::path::PathBuf;
use std::time::Duration;

use super::counted::opening;
use super::{Options, read_settings};
use crate::arena::{Cell, Pairs, Settings, Tournament, View};
use crate::crew::Crew;
use crate::document::Refusal;
use crate::game::Variant;
use crate::job::{Run, RunJob, RunReader};
use crate::player::Spec;
use crate::reproduce::Heard;
use crate::step::{Budget, Job as _, Status};

/// How long it works before it tells how far it is.
pub(super) const STEP: Duration = Duration::from_millis(100);

/// The tournament of a target: these players and pairs, everything else as the options have it.
pub(super) fn tournament(
    name: &str,
    players: Vec<Spec>,
    cells: impl IntoIterator<Item = Cell>,
    options: &Options,
) -> Result<Settings, Refusal> {
    let cells: Vec<Cell> = cells.into_iter().collect();
    let games = cells.iter().map(|cell| cell.games).max().unwrap_or(0);
    let pair = |cell: &Cell| (cell.first, cell.second, Some(cell.games).filter(|own| *own != games));
    let variant = Variant::Kalah(Default::default());
    let settings = Settings {
        preset: format!("kalah-thesis-{name}"),
        pairs: Pairs::Only(cells.iter().map(pair).collect()),
        opening: opening(&read_settings(&options.set)?.1)?,
        ..Settings::round_robin(variant, players, games, options.seed)
    };
    // All pairs in their order are better told by one word.
    let all = Settings { pairs: Pairs::All, ..settings.clone() };
    let settings = if all.cells() == cells { all } else { settings };
    settings.check()?;
    Ok(settings)
}

/// Plays a tournament, in a folder of its own if there is one for the files; `hear` is told how far it is.
pub(super) fn play(settings: Settings, options: &Options, hear: &mut dyn FnMut(Heard<'_>)) -> Result<View, Refusal> {
    let folder = options.out.as_deref().map(|out| out.join(format!("{}-seed{}", settings.preset, settings.seed)));
    let job = to_its_end::<Tournament>(settings, folder, &options.crew, &mut |tournament| {
        let view = tournament.view();
        let share = view.done as f64 / view.total.max(1) as f64;
        hear(Heard::Progress { share, at: format!("{}/{} games", view.done, view.total) });
    })?;
    Ok(job.run().view())
}

/// Runs it to its end, in a folder if there is one, where it is gone on with if it is there. `tell` hears of it after every step.
pub(super) fn to_its_end<R: Run<Settings: PartialEq>>(
    settings: R::Settings,
    folder: Option<PathBuf>,
    crew: &Crew,
    tell: &mut dyn FnMut(&R),
) -> Result<RunJob<R>, Refusal> {
    let mut job = match folder {
        None => RunJob::<R>::in_memory(settings, crew)?,
        Some(folder) if folder.join("run.toml").exists() => {
            if RunReader::open(&folder)?.settings::<R>()? != settings {
                return Err(
                    format!("{} holds a run with other settings; choose another --out", folder.display()).into()
                );
            }
            RunJob::<R>::resume(&folder, crew)?.0
        }
        Some(folder) => RunJob::create(&folder, settings, crew)?,
    };
    while job.step(Budget::time(STEP)) == Status::Running {
        tell(job.run());
    }
    job.error().map_or(Ok(()), |error| Err(error.to_owned()))?;
    Ok(job)
}
