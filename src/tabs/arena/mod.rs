//! The Arena tab: every player against every other.
//!
//! [`Matches`] is what the tab brings to [`Runs`]: presets, settings, and the panels, which are the matrix of results with the
//! ratings beside it (`matrix`), the cell that is selected in it (`cell`) and that cell's games (`games`).

mod cell;
mod games;
mod matrix;
mod measure;
mod panels;
#[cfg(test)]
mod tests;

use std::path::Path;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::board::{Opened, Setup, TOURNAMENT};
use super::runs::{Kind, Runs, Status, about, own, run_commands};
use crate::app::command::Command;
use crate::app::effect::{Context, Tone};
use crate::arena::{Cell, MAX_PLAYERS, Pairs, Settings, Tournament, View, unsigned_nought};
use crate::document::{Listed as _, Refusal};
use crate::game::Variant;
use crate::job::Watching;
use crate::player::Spec;
use crate::reproduce::{tournament, tournaments};
use crate::ui::Look;

pub use panels::Panels;

/// The tab.
pub type ArenaTab = Runs<Matches>;

/// See [`Kind`].
pub struct Matches;

/// Players that the form offers; any other can be typed.
const OFFERS: [&str; 11] = [
    "random",
    "max",
    "minimax:4:ties=random",
    "minimax:8:ties=random",
    "heuristic:4:ties=random",
    "mcts:1000",
    "mcts:4000",
    "program:figure5-1",
    "program:figure5-2",
    "staged:( white ),75,( white_corners ),25",
    "",
];

/// Lines of the form for players, if there are not more.
const SLOTS: usize = 8;

/// The players that a line's refusal lists, where all forms would be too many.
const KNOWN: [&str; 8] = ["human", "random", "max", "minimax:D", "heuristic:D", "mcts:N", "program:FILE", "staged:F"];

/// What is wrong with a line's player.
fn refused(refusal: Refusal, key: &str, value: &str) -> String {
    refusal.with_list(KNOWN).of(key, value).in_a_line()
}

/// The number in `player 3`, counted from 0.
fn slot(key: &str) -> Option<usize> {
    key.strip_prefix("player ")?.parse::<usize>().ok()?.checked_sub(1)
}

impl Kind for Matches {
    type Run = Tournament;
    type Picture = View;
    type Panels = Panels;

    const SCOPE: &'static str = "arena";
    const TITLE: &'static str = "Arena";
    const UNIT: &'static str = "round";
    const ABOUT: &'static str = "Players meet in both orders, each moving first against each: how often who wins, how sure that is, \
                                 how strong that makes them, and every game to be looked at.";

    const FIRST: u64 = 1;
    /// The rows hold games.
    const CURVE: Option<&'static str> = None;
    const KEYS: &'static [(&'static str, &'static str)] =
        &[("arrows", "Choose a cell of the matrix"), ("j k PgUp PgDn", "Choose a game of the cell")];

    const COMMANDS: &'static [Command<ArenaTab>] = run_commands!(
        "arena",
        "round",
        own::<Matches>("arena.measure", "Show another measure in the matrix", &["m"], |tab, _| {
            tab.with_picture(|panels, view, _| panels.turn_measure(view));
        })
        .footer("measure"),
        own::<Matches>("arena.challenge", "Play against the selected row's player on the Board", &["c"], |tab, cx| {
            tab.with_picture(|panels, view, _| challenge(panels, view, cx));
        })
        .footer("challenge"),
    );

    fn presets() -> Vec<(&'static str, &'static str)> {
        tournaments()
    }

    fn preset(name: &str, _: &Context) -> Result<Settings, String> {
        tournament(name).ok_or_else(|| format!("no preset is called '{name}'"))
    }

    fn describe(settings: &Settings) -> Vec<(&'static str, String)> {
        let list = settings.list().into_iter().map(|(key, _, value)| (key, value));
        std::iter::once(("seed", settings.seed.to_string())).chain(list).collect()
    }

    /// Every player has a line of its own, with some left blank for more.
    fn fields(settings: &Settings) -> Vec<(String, String)> {
        let slots = SLOTS.max(settings.players.len() + 3).min(MAX_PLAYERS);
        let player = |slot: usize| settings.players.get(slot).map(Spec::to_string).unwrap_or_default();
        let players = (0..slots).map(|slot| (format!("player {}", slot + 1), player(slot)));
        let others = Matches::describe(settings).into_iter().filter(|(key, _)| *key != "players");
        players.chain(others.map(|(key, value)| (key.to_owned(), value))).collect()
    }

    fn about(settings: &Settings, key: &str) -> String {
        match slot(key) {
            Some(_) => "a player, such as random, minimax:4, mcts:1000; blank: none".to_owned(),
            None => about(settings, key),
        }
    }

    fn set(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
        settings.set(key, value).map_err(|refusal| refusal.in_a_line())
    }

    /// A blank line is nobody. Where pairs name players by their numbers, nobody may stand between two of them.
    fn apply(settings: &mut Settings, fields: &[(&str, &str)]) -> Result<(), (usize, String)> {
        let (mut players, mut blank) = (Vec::new(), None);
        for (index, (key, value)) in fields.iter().enumerate() {
            match slot(key) {
                None => settings.set(key, value).map_err(|refusal| (index, refusal.in_a_line()))?,
                Some(_) if value.is_empty() => blank = blank.or(Some(index)),
                Some(_) => {
                    players.push((index, value.parse().map_err(|refusal| (index, refused(refusal, key, value)))?))
                }
            }
        }
        let moved = blank.filter(|blank| players.last().is_some_and(|(last, _)| last > blank));
        if let Some(blank) = moved.filter(|_| settings.pairs != Pairs::All) {
            let reason =
                format!("{}: pairs names players by their numbers, so no line between may be blank", fields[blank].0);
            return Err((blank, reason));
        }
        settings.players = players.into_iter().map(|(_, player)| player).collect();
        Ok(())
    }

    fn offers(key: &str) -> Vec<String> {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        match key {
            "game" => Variant::usual().iter().map(Variant::to_string).collect(),
            "pairs" => texts(&["all"]),
            "sprt" => texts(&["never", "0,50"]),
            key if slot(key).is_some() => texts(&OFFERS),
            _ => Vec::new(),
        }
    }

    fn check(settings: &Settings) -> Result<(), String> {
        settings.check()
    }

    fn picture(view: View) -> View {
        view
    }

    fn watched(run: &Watching<Tournament>) -> View {
        run.seen().view()
    }

    fn status(view: &View) -> Status {
        let (ratings, _) = view.ratings();
        let leader = (0..ratings.len()).max_by(|&a, &b| ratings[a].elo.total_cmp(&ratings[b].elo).then(b.cmp(&a)));
        let best = leader.filter(|_| view.done > 0).map_or(String::new(), |player| {
            format!("{} {:+.0} Elo", view.names()[player], unsigned_nought(ratings[player].elo, 0))
        });
        Status {
            unit: "game",
            at: Some(view.done),
            to: view.total,
            done: view.done as f64,
            of: view.total as f64,
            best,
            rate: Some((view.games_per_second(), "games/s")),
            spent: Some(view.busy),
        }
    }

    fn open(panels: &mut Panels, view: &View, at: &Path, cx: &mut Context) {
        open_game(panels, view, at, cx);
    }

    fn can_open(panels: &Panels, _: &View) -> bool {
        panels.games.selected().is_some()
    }

    fn key(panels: &mut Panels, key: KeyEvent, view: &View) -> bool {
        let step = match key.code {
            KeyCode::Left => (0, -1),
            KeyCode::Right => (0, 1),
            KeyCode::Up => (-1, 0),
            KeyCode::Down => (1, 0),
            code => return panels.games.table.key(code),
        };
        panels.go(step, view);
        true
    }

    fn turn(panels: &mut Panels, by: isize) {
        panels.games.table.turn(by);
    }

    fn reverse(panels: &mut Panels) {
        panels.games.table.reverse();
    }

    fn click(panels: &mut Panels, at: (u16, u16), _: &View) -> bool {
        !panels.matrix.click(at) && panels.games.table.click(at)
    }

    fn wheel(panels: &mut Panels, at: (u16, u16), down: bool, view: &View) {
        if panels.matrix.is_over(at) {
            panels.go((if down { 1 } else { -1 }, 0), view);
        } else {
            panels.games.table.key(if down { KeyCode::Down } else { KeyCode::Up });
        }
    }

    fn draw(panels: &mut Panels, view: &View, area: Rect, buf: &mut Buffer, look: &Look) {
        panels.draw(view, area, buf, look);
    }
}

/// Opens the selected game on the Board, at its beginning.
fn open_game(panels: &Panels, view: &View, run: &Path, cx: &mut Context) {
    let Some(kept) = panels.games.selected() else {
        return cx.notice(Tone::Info, "These two have not ended a game yet");
    };
    let Some(mut record) = view.record(kept) else {
        let text = format!("Game {} cannot be played: its row in generations.csv was changed", kept.number + 1);
        return cx.notice(Tone::Bad, text);
    };
    let tournament = run.file_name().unwrap_or(run.as_os_str()).to_string_lossy();
    record.headers.push((TOURNAMENT.to_owned(), format!("{tournament}, game {}", kept.number + 1)));
    record.to_start();
    let Cell { first, second, .. } = view.cells[kept.cell].cell;
    let players = [first, second].map(|player| view.settings.players.get(player).cloned());
    cx.tell("board", Opened { record, players, file: None, replaceable: false, stored: true });
}

/// A new game on the Board against the player of the selected row.
fn challenge(panels: &Panels, view: &View, cx: &mut Context) {
    if let Some(player) = view.settings.players.get(panels.matrix.selected().0) {
        let players = [Spec::Human, player.clone()];
        cx.tell("board", Setup { variant: view.settings.variant, players, seed: None });
    }
}
