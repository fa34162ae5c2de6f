//! The Arena tab: tournaments of players.
//!
//! [`TAB`] describes the tab to [`Runs`](super::runs::Runs); its panels (`panels`) are the matrix of results with the ratings
//! (`matrix`), the selected cell and that cell's games.

mod matrix;
mod panels;
#[cfg(test)]
mod tests;

use mancalab_base::Error;
use std::path::Path;

use super::board::{Message, OpenedGame, Setup};
use super::runs::parts::header::{Status, step};
use super::runs::parts::kind::{Pages, RunTab, RunViewModel, SettingsForm};
use super::runs::parts::name;
use super::runs::{Runs, run_commands, shared};
use crate::app::command::Command;
use crate::app::tab::{Context, Tone};
use crate::arena::{Cell, FromRows, MAX_PLAYERS, Pairs, Settings, View, unsigned_nought};
use crate::job::{self, RunSettings, RunWatcher};
use crate::kinds::KindOf as _;
use crate::player::Spec;
use crate::player::offers::Opponent;

use panels::Panels;

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

/// Minimum number of player lines in the form.
const SLOTS: usize = 8;

/// The players listed in a line's error, because the list of all forms is too long.
const KNOWN: [&str; 7] = ["random", "max", "minimax:D", "heuristic:D", "mcts:N", "program:FILE", "staged:F"];

/// Returns the error of a player's line.
fn refused(error: Error, key: &str, value: &str) -> String {
    error.with_list(KNOWN).for_setting(key, value).in_a_line()
}

/// Returns the number in `player 3`, counted from 0.
fn slot(key: &str) -> Option<usize> {
    key.strip_prefix("player ")?.parse::<usize>().ok()?.checked_sub(1)
}

/// See [`RunTab`].
pub static TAB: RunTab = RunTab {
    command: "arena",
    scope: "arena",
    title: "Arena",
    about: "Everyone plays everyone from both sides: win rates with intervals, ratings, \
                                 and every game to replay.",
    keys: &[("arrows", "Choose a cell of the matrix"), ("j k PgUp PgDn", "Choose a game of the cell")],
    custom: None,
    form: FORM,
    pages: Pages::new::<Panels>(),
};

/// The tab's commands.
pub static COMMANDS: &[Command<Runs>] = run_commands!(
    "arena",
    "round",
    shared::measure("arena.measure", "Show another measure in the matrix"),
    shared::challenge("arena.challenge", "Play against the selected row's player on the Board"),
);

impl RunViewModel for View {
    fn downcast(view: &job::View) -> Option<View> {
        view.get().cloned()
    }

    fn watched(run: &RunWatcher) -> Option<View> {
        run.seen().get().map(FromRows::view)
    }

    fn status(&self) -> Status {
        let (ratings, _) = self.ratings();
        let leader = (0..ratings.len()).max_by(|&a, &b| ratings[a].elo.total_cmp(&ratings[b].elo).then(b.cmp(&a)));
        let best = leader.filter(|_| self.done > 0).map_or(String::new(), |player| {
            format!("{} {:+.0} Elo", self.names()[player], unsigned_nought(ratings[player].elo, 0))
        });
        Status {
            unit: "game",
            generation: Some(self.done),
            to: self.total,
            done: self.done as f64,
            total: self.total as f64,
            best,
            rate: Some((self.games_per_second(), "games/s")),
            spent: Some(self.busy),
            step: current_step(self),
        }
    }
}

/// Returns the round in progress, and the games of the next one that are being played.
fn current_step(view: &View) -> String {
    match (view.finished, view.ahead) {
        (true, _) => String::new(),
        (false, 0) => step("round", view.round.into(), view.rounds.into()),
        (false, ahead) => step("round", view.round.into(), view.rounds.into()) + &format!(", {ahead} games ahead"),
    }
}

/// One line per player, and some blank lines for more.
const FORM: SettingsForm = SettingsForm {
    fields: |settings| {
        let named = settings.get::<Settings>().map_or(&[][..], |settings| &settings.players);
        let slots = SLOTS.max(named.len() + 3).min(MAX_PLAYERS);
        let player = |slot: usize| named.get(slot).map(Spec::to_string).unwrap_or_default();
        let players = (0..slots).map(|slot| (format!("player {}", slot + 1), player(slot)));
        players.chain(settings.texts().into_iter().filter(|(key, _)| key != "players")).collect()
    },
    about: |settings, key| match slot(key) {
        Some(_) => "a player, such as random, minimax:4, mcts:1000; blank: none".to_owned(),
        None => settings.about(key).to_owned(),
    },
    offers: |settings, key| match slot(key) {
        Some(_) => OFFERS.map(str::to_owned).to_vec(),
        None => settings.offers(key),
    },
    apply,
};

/// Blank lines are ignored. If pairs refer to players by number, there may be no blank line between two players.
fn apply(settings: &mut Box<dyn RunSettings>, fields: &[(&str, &str)]) -> Result<(), (usize, String)> {
    let mut players = Vec::new();
    let mut blank = None;
    for (index, (key, value)) in fields.iter().enumerate() {
        match slot(key) {
            None => settings.set(key, value).map_err(|error| (index, error.in_a_line()))?,
            Some(_) if value.is_empty() => blank = blank.or(Some(index)),
            Some(_) => {
                let player = value.parse::<Spec>().map_err(|error| (index, refused(error, key, value)))?;
                players.push((index, player));
            }
        }
    }
    let moved = blank.filter(|blank| players.last().is_some_and(|(last, _)| last > blank));
    let Some(own) = settings.get::<Settings>() else { return Ok(()) };
    if let Some(blank) = moved.filter(|_| own.pairs != Pairs::All) {
        let reason =
            format!("{}: pairs refers to players by number: leave no blank line between players", fields[blank].0);
        return Err((blank, reason));
    }
    let players = players.into_iter().map(|(_, player)| player).collect();
    *settings = <Box<dyn RunSettings>>::from(Settings { players, ..own.clone() });
    Ok(())
}

/// Opens the selected game on the Board, at its start.
fn open_game(panels: &Panels, view: &View, run: &Path, cx: &mut Context) {
    let Some(kept) = panels.games.selected() else {
        return cx.notice(Tone::Info, "No finished game of these two yet");
    };
    let Some(record) = view.record(kept) else {
        let text = format!("Cannot replay game {}: its row in generations.csv was changed", kept.number + 1);
        return cx.notice(Tone::Bad, text);
    };
    let origin = format!("{}, game {}", name(run), kept.number + 1);
    let Cell { first, second, .. } = view.cells[kept.cell].cell;
    let players = [first, second].map(|player| view.settings.players.get(player).cloned());
    cx.report(Message::Show(OpenedGame::of_run(record, players, origin)));
}

/// Starts a new game on the Board against the player of the selected row.
fn challenge(panels: &Panels, view: &View, cx: &mut Context) {
    if let Some(player) = view.settings.players.get(panels.matrix.selected().0) {
        let players = [Spec::Human, player.clone()].map(Opponent::Player);
        cx.report(Message::Start(Setup::new(view.settings.variant, players)));
    }
}
