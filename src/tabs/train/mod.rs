//! The Train tab: a network learns a game by playing it.
//!
//! [`Learning`] is what the tab brings to [`Runs`]: presets, settings, and the panels in `panels`, which are how strong the network is
//! (`strength`), what is measured of its learning (`measures`), what it says of a few positions (`positions`), and whom it meets
//! (`opponents`). `open` brings its games to the Board.

mod measures;
mod open;
mod opponents;
mod panels;
mod positions;
mod strength;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::runs::{Kind, Runs, Status, about, own, run_commands};
use crate::app::command::Command;
use crate::app::effect::Context;
use crate::document::Listed as _;
use crate::game::Variant;
use crate::job::Watching;
use crate::train::{Learned, PRESETS, Schedule, Settings, Total, Training, View, preset};
use crate::ui::Look;

pub use panels::Panels;

/// The tab.
pub type TrainTab = Runs<Learning>;

/// See [`Kind`].
pub struct Learning;

impl Kind for Learning {
    type Run = Training;
    type Picture = View;
    type Panels = Panels;

    const SCOPE: &'static str = "train";
    const TITLE: &'static str = "Train";
    const UNIT: &'static str = "generation";
    const ABOUT: &'static str = "A network learns a game by playing it against others, its past and itself: an actor-critic whose policy \
                                 chooses the moves and whose value says what to expect of a position.";

    const CURVE: Option<&'static str> = Some("won_percent");
    const KEYS: &'static [(&'static str, &'static str)] = &[
        ("up down", "Choose an opponent, a measure or a position"),
        ("left right", "Sort by the column beside, or move a chart's cursor"),
        ("PgUp PgDn", "Choose a game against the opponent"),
        ("esc", "Leave the cursor, the zoom, the run"),
    ];

    const COMMANDS: &'static [Command<TrainTab>] = run_commands!(
        "train",
        "generation",
        own::<Learning>("train.challenge", "Play against the network on the Board", &["c"], |tab, cx| {
            tab.with_picture(|_, view, at| open::challenge(view, at, cx));
        })
        .footer("challenge")
        .when(|tab| tab.shows(|_, view| view.learned.is_some())),
        own::<Learning>(
            "train.details",
            "Show something else beside: the positions or the opponents' shares",
            &["d"],
            |tab, _| tab.with_picture(|panels, _, _| panels.turn_beside()),
        )
        .footer("details"),
        own::<Learning>("train.focus", "Go to the next panel", &["f"], |tab, _| {
            tab.with_picture(|panels, _, _| panels.next_pane());
        })
        .footer("panel"),
        own::<Learning>("train.zoom", "Give the panel the whole page, or all panels again", &["z"], |tab, _| {
            tab.with_picture(|panels, _, _| panels.panes.zoom());
        })
        .footer("zoom"),
        own::<Learning>("train.span", "Show the run so far, its newest part, or up to its end", &["a"], |tab, _| {
            tab.with_picture(|panels, view, _| panels.lens.span = panels.lens.span.next(newest(view)));
        })
        .footer("span"),
    );

    fn presets() -> Vec<(&'static str, &'static str)> {
        PRESETS.to_vec()
    }

    fn preset(name: &str, _: &Context) -> Result<Settings, String> {
        preset(name).ok_or_else(|| format!("no preset is called '{name}'"))
    }

    fn describe(settings: &Settings) -> Vec<(&'static str, String)> {
        let head = [("seed", settings.seed.to_string()), ("generations", settings.generations.to_string())];
        head.into_iter().chain(settings.list().into_iter().map(|(key, _, value)| (key, value))).collect()
    }

    fn fields(settings: &Settings) -> Vec<(String, String)> {
        Learning::describe(settings).into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    fn about(settings: &Settings, key: &str) -> String {
        match key {
            "generations" => "how many generations of rounds are played after the first".to_owned(),
            _ => about(settings, key),
        }
    }

    fn set(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
        settings.set(key, value).map_err(|refusal| refusal.in_a_line())
    }

    fn offers(settings: &Settings, key: &str) -> Vec<String> {
        match key {
            "game" => Variant::usual().iter().map(Variant::to_string).collect(),
            "encoding" => settings.encodings().into_iter().map(str::to_owned).collect(),
            "schedule" => Schedule::WORDS.iter().map(|(word, _)| (*word).to_owned()).collect(),
            "total" => Total::WORDS.iter().map(|(word, _)| (*word).to_owned()).collect(),
            _ => Vec::new(),
        }
    }

    fn check(settings: &Settings) -> Result<(), String> {
        settings.check()
    }

    fn picture(view: View) -> View {
        view
    }

    /// How far it is and how fast it goes is in the rows, which are newer than the checkpoint with the network.
    fn watched(run: &Watching<Training>) -> View {
        let seen = run.seen().clone();
        match run.view() {
            Some(View { learned, probes, .. }) => View { learned: learned.clone(), probes: Arc::clone(probes), ..seen },
            None => seen,
        }
    }

    fn status(view: &View) -> Status {
        let measured = view.measured().map(|(_, met)| strength::in_short(view, met));
        let rate = Some((view.games_per_second, "games/s"));
        let generation = view.past.last().map(|past| past.generation);
        let within = if view.finished { 0.0 } else { f64::from(view.round) / f64::from(view.settings.rounds) };
        Status {
            best: measured.unwrap_or_default(),
            rate,
            spent: Some(view.spent),
            ..Status::of_generations(generation, view.settings.generations, within)
        }
    }

    fn open(panels: &mut Panels, view: &View, at: &Path, cx: &mut Context) {
        match panels.chosen_position(view) {
            Some(probe) => open::position(view, probe, at, cx),
            None => open::game(view, panels.chosen_game(view), at, cx),
        }
    }

    fn can_open(_: &Panels, view: &View) -> bool {
        view.learned.is_some()
    }

    fn key(panels: &mut Panels, key: KeyEvent, view: &View) -> bool {
        panels.key(key.code, view)
    }

    fn turn(panels: &mut Panels, by: isize) {
        panels.strength.table.turn(by);
    }

    fn reverse(panels: &mut Panels) {
        panels.strength.table.reverse();
    }

    fn click(panels: &mut Panels, at: (u16, u16), view: &View) -> bool {
        panels.click(at, view)
    }

    fn wheel(panels: &mut Panels, at: (u16, u16), down: bool, view: &View) {
        panels.wheel(at, down, view);
    }

    fn anew(panels: Panels) -> Panels {
        panels.anew()
    }

    fn draw(panels: &mut Panels, view: &View, area: Rect, buf: &mut Buffer, look: &Look) {
        panels.draw(view, area, buf, look);
    }
}

/// The newest generation that has ended.
fn newest(view: &View) -> u64 {
    view.past.last().map_or(0, |past| past.generation)
}

/// The generation whose network is shown and played with.
fn shown_generation(view: &View) -> Option<u64> {
    view.learned.as_ref().map(|Learned { generation, .. }| *generation)
}
