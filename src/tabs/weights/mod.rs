//! The Weights tab: a genetic algorithm tunes the weights of a player, whichever task that is.
//!
//! [`Tuning`] is what the tab brings to [`Runs`]: presets, settings, and the panels in `panels`.

mod bracket;
mod charts;
mod panels;
mod standings;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::board::{Opened, Setup, TOURNAMENT};
use super::runs::{ForBoard, GameForBoard, Kind, Runs, Status, about, own, run_commands};
use crate::app::command::Command;
use crate::app::effect::{Context, Tone};
use crate::document::{Listed as _, Refusal};
use crate::evolve::ga::{GaView, Past};
use crate::evolve::tasks::{AnyRun, AnySettings, Labels, Sight};
use crate::files::write_atomic;
use crate::job::Watching;
use crate::plain;
use crate::player::Spec;
use crate::ui::Look;

use bracket::Shown;
pub use panels::Panels;

/// The tab.
pub type WeightsTab = Runs<Tuning>;

/// See [`Kind`].
pub struct Tuning;

/// All there is to see.
pub struct Picture {
    settings: Arc<AnySettings>,
    labels: Labels,
    past: Arc<Vec<Past>>,
    of: u64,
    /// All but what the rows tell; of a run that another process writes as of its newest checkpoint.
    view: Option<GaView>,
    /// Time spent on it.
    spent: Duration,
}

impl Picture {
    fn new(settings: Arc<AnySettings>, past: Arc<Vec<Past>>, spent: Duration, view: Option<GaView>) -> Picture {
        let (labels, of) = (settings.labels(), settings.generations());
        Picture { settings, labels, past, of, view, spent }
    }

    /// A genome as people are shown it: where only proportions matter, each gene as a share of the largest.
    fn shown(&self, genome: &[f64]) -> Vec<f64> {
        let largest = genome.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let scale = if self.labels.relative && largest > 0.0 { largest } else { 1.0 };
        genome.iter().map(|value| value / scale).collect()
    }

    /// In which order the genes are listed: where only proportions matter, those first that weigh most in the best.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.labels.genes.len()).collect();
        if let Some(best) = self.past.last().filter(|_| self.labels.relative) {
            let weight = |gene: usize| best.best_genome.get(gene).map_or(0.0, |value| value.abs());
            order.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)));
        }
        order
    }

    fn newest(&self) -> u64 {
        self.past.last().map_or(0, |past| past.generation)
    }
}

impl Kind for Tuning {
    type Run = AnyRun;
    type Picture = Picture;
    type Panels = Panels;

    const SCOPE: &'static str = "weights";
    const TITLE: &'static str = "Weights";
    const UNIT: &'static str = "generation";
    const ABOUT: &'static str = "A genetic algorithm tunes the weights of what a player looks at: in each generation its members play \
                                 each other, and the share of points won is a genome's fitness.";

    const CURVE: Option<&'static str> = Some("best_percent");
    const KEYS: &'static [(&'static str, &'static str)] = &[
        ("up down", "Choose a genome, or a pairing of the bracket"),
        ("left right", "Sort by the column beside, go a round back or on, or move a chart's cursor"),
        ("PgUp PgDn", "Choose a game of the pairing"),
        ("esc", "Leave the cursor, the zoom, the run"),
    ];

    const COMMANDS: &'static [Command<WeightsTab>] = run_commands!(
        "weights",
        "generation",
        own::<Tuning>("weights.challenge", "Play against the selected genome on the Board", &["c"], |tab, cx| {
            tab.with_picture(|panels, picture, at| on_the_board(panels, picture, at, true, cx));
        })
        .footer("challenge")
        .when(|tab| tab.shows(Tuning::can_open)),
        own::<Tuning>(
            "weights.details",
            "Show something else beside: the course of the fitness or of the weights, the standings",
            &["d"],
            |tab, _| {
                tab.with_picture(|panels, picture, _| panels.turn_beside(picture));
            }
        )
        .footer("details"),
        own::<Tuning>("weights.focus", "Go to the next panel", &["f"], |tab, _| {
            tab.with_picture(|panels, picture, _| panels.next_pane(picture));
        })
        .footer("panel"),
        own::<Tuning>("weights.zoom", "Give the panel the whole page, or all panels again", &["z"], |tab, _| {
            tab.with_picture(|panels, _, _| panels.panes.zoom());
        })
        .footer("zoom"),
        own::<Tuning>("weights.span", "Show the run so far, its newest part, or up to its end", &["a"], |tab, _| {
            tab.with_picture(|panels, picture, _| panels.lens.span = panels.lens.span.next(picture.newest()));
        })
        .footer("span"),
    );

    fn presets() -> Vec<(&'static str, &'static str)> {
        AnySettings::presets()
    }

    fn preset(name: &str, _: &Context) -> Result<AnySettings, String> {
        AnySettings::preset(name)
    }

    fn describe(settings: &AnySettings) -> Vec<(&'static str, String)> {
        let head = [("seed", settings.seed().to_string()), ("generations", settings.generations().to_string())];
        head.into_iter().chain(settings.list().into_iter().map(|(key, _, value)| (key, value))).collect()
    }

    fn fields(settings: &AnySettings) -> Vec<(String, String)> {
        Tuning::describe(settings).into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    fn about(settings: &AnySettings, key: &str) -> String {
        about(settings, key)
    }

    fn set(settings: &mut AnySettings, key: &str, value: &str) -> Result<(), String> {
        settings.set(key, value).map_err(|refusal| refusal.in_a_line())
    }

    fn offers(settings: &AnySettings, key: &str) -> Vec<String> {
        settings.words(key).into_iter().map(str::to_owned).collect()
    }

    fn check(settings: &AnySettings) -> Result<(), String> {
        settings.check()
    }

    fn picture(Sight { settings, view }: Sight) -> Picture {
        Picture::new(settings, Arc::clone(&view.past), view.spent, Some(view))
    }

    fn watched(run: &Watching<AnyRun>) -> Picture {
        let (settings, seen) = (Arc::new(run.settings().clone()), run.seen());
        // How far it is and how fast it goes is in the rows, which are newer.
        let newest = |Sight { view, .. }: &Sight| {
            let (ranking, possible) = (Arc::clone(&view.ranking), view.possible);
            GaView { ranking, possible, bracket: view.bracket.clone(), ..seen.clone() }
        };
        Picture::new(settings, Arc::clone(&seen.past), seen.spent, run.view().map(newest))
    }

    fn status(picture: &Picture) -> Status {
        let last = picture.past.last();
        let best = last.map_or(String::new(), |past| format!("best {:.1} % born in {}", past.best, past.best_born));
        let within = picture.view.as_ref().map_or(0.0, |view| match view.standing.of_games {
            0 => 0.0,
            of => view.standing.games as f64 / of as f64,
        });
        let rate = picture.view.as_ref().map(|view| (view.games_per_second, "games/s"));
        let finished = picture.view.as_ref().is_some_and(|view| view.finished);
        let within = if finished { 0.0 } else { within };
        let spent = Some(picture.spent);
        Status { best, rate, spent, ..Status::of_generations(last.map(|past| past.generation), picture.of, within) }
    }

    fn open(panels: &mut Panels, picture: &Picture, at: &Path, cx: &mut Context) {
        if panels.is_on_bracket(picture) {
            return game_on_the_board(panels, picture, at, cx);
        }
        on_the_board(panels, picture, at, false, cx);
    }

    fn can_open(_: &Panels, picture: &Picture) -> bool {
        !picture.past.is_empty()
    }

    fn key(panels: &mut Panels, key: KeyEvent, picture: &Picture) -> bool {
        panels.key(key.code, picture)
    }

    fn turn(panels: &mut Panels, by: isize) {
        panels.standings.turn(by);
    }

    fn reverse(panels: &mut Panels) {
        panels.standings.reverse();
    }

    fn click(panels: &mut Panels, at: (u16, u16), picture: &Picture) -> bool {
        panels.click(at, picture)
    }

    fn wheel(panels: &mut Panels, at: (u16, u16), down: bool, picture: &Picture) {
        panels.wheel(at, down, picture);
    }

    fn anew(panels: Panels) -> Panels {
        panels.anew()
    }

    fn draw(panels: &mut Panels, picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
        panels.draw(picture, area, buf, look);
    }
}

/// Opens the game of the pairing under the cursor on the Board, at its beginning. It is played again for that.
fn game_on_the_board(panels: &Panels, picture: &Picture, run: &Path, cx: &mut Context) {
    let Some(shown) = Shown::of(picture) else { return cx.notice(Tone::Info, "No generation has been judged yet") };
    let Some((pairing, game)) = panels.bracket.chosen(&shown) else {
        return cx.notice(Tone::Info, "Whoever sits out a round plays no game in it");
    };
    let Some((bracket, ranking)) =
        picture.view.as_ref().and_then(|view| Some((view.bracket.clone()?, view.ranking.clone())))
    else {
        return;
    };
    let (settings, pairing) = (Arc::clone(&picture.settings), pairing.clone());
    let run = run.file_name().unwrap_or(run.as_os_str()).to_string_lossy().into_owned();
    cx.wait_for(move || {
        let played = settings.record(&bracket, &pairing, game, &ranking);
        GameForBoard(played.ok_or_else(|| "The game cannot be played again".into()).and_then(
            |(mut record, players)| {
                let (generation, number) = (bracket.generation, pairing.number + 1);
                record
                    .headers
                    .push((TOURNAMENT.to_owned(), format!("{run}, generation {generation}, pairing {number}")));
                record.to_start();
                let players =
                    players.iter().map(|player| player.parse::<Spec>().map(Some)).collect::<Result<Vec<_>, _>>()?;
                let players = <[Option<Spec>; 2]>::try_from(players).unwrap_or_default();
                Ok(Opened { record, players, file: None, replaceable: false, stored: true })
            },
        ))
    });
}

/// Opens the selected genome on the Board, against a person or minimax of the same depth. Of a run that is only watched, the
/// best of the newest generation.
fn on_the_board(panels: &Panels, picture: &Picture, run: &Path, human: bool, cx: &mut Context) {
    let settings = &picture.settings;
    let opponent = if human { "human".to_owned() } else { settings.yardstick() };
    let selected = picture.view.as_ref().and_then(|view| Some((view, view.ranking.get(panels.standings.selected())?)));
    let (player, file) = match (selected, picture.past.last()) {
        (Some((view, ranked)), _) => {
            let path = run.join("genomes").join(format!("genome-{}.toml", ranked.individual.id));
            let text = settings.kept_text(ranked, view.fitness(ranked));
            (settings.player(&ranked.individual.genome), Some((path, text)))
        }
        (None, Some(best)) => (settings.player(&best.best_genome), None),
        (None, None) => return cx.notice(Tone::Bad, "There is no genome yet"),
    };
    let variant = settings.game();
    cx.wait_for(move || {
        // The weights are written beside the run, for whoever wants to play with them later.
        let written: Result<(), Refusal> = file.map_or(Ok(()), |(path, text)| {
            write_atomic(&path, text.as_bytes()).map_err(|error| {
                format!("{} could not be written: {why}", path.display(), why = plain::reason(&error)).into()
            })
        });
        ForBoard(written.and_then(|()| {
            let (genome, opponent) = (player.parse()?, opponent.parse::<Spec>()?);
            let players = if human { [opponent, genome] } else { [genome, opponent] };
            Ok(Setup { variant, players, seed: None })
        }))
    });
}
