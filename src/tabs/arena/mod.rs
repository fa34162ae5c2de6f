//! The Arena tab: every player against every other.
//!
//! [`TAB`] is what the tab brings to [`Runs`](super::runs::Runs); its panels are the matrix of results with the
//! ratings beside it (`matrix`), the cell that is selected in it (`cell`) and that cell's games (`games`).

mod cell;
mod games;
mod matrix;
mod measure;
mod panels;
#[cfg(test)]
mod tests;

use mancalab_base::Error;
use std::path::Path;

use super::board::{Message, Opened, Setup, TOURNAMENT};
use super::runs::{RunPicture, RunTab, SettingsForm, Status, panels, picture, run_commands, shared, watched};
use crate::app::effect::{Context, Tone};
use crate::arena::{Cell, MAX_PLAYERS, Pairs, Seen, Settings, Tournament, View, unsigned_nought};
use crate::job::Watching;
use crate::kinds::{AnyRun, AnySettings, AnyView};
use crate::player::Spec;
use crate::settings::Listed as _;

pub use panels::Panels;

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

/// The players that a line's error lists, where all forms would be too many.
const KNOWN: [&str; 8] = ["human", "random", "max", "minimax:D", "heuristic:D", "mcts:N", "program:FILE", "staged:F"];

/// What is wrong with a line's player.
fn refused(error: Error, key: &str, value: &str) -> String {
    error.with_list(KNOWN).of(key, value).in_a_line()
}

/// The number in `player 3`, counted from 0.
fn slot(key: &str) -> Option<usize> {
    key.strip_prefix("player ")?.parse::<usize>().ok()?.checked_sub(1)
}

/// See [`RunTab`].
pub static TAB: RunTab = RunTab {
    command: "arena",
    scope: "arena",
    title: "Arena",
    about: "Players meet in both orders, each moving first against each: how often who wins, how sure that is, \
                                 how strong that makes them, and every game to be looked at.",
    keys: &[("arrows", "Choose a cell of the matrix"), ("j k PgUp PgDn", "Choose a game of the cell")],
    commands: run_commands!(
        "arena",
        "round",
        shared::own("arena.measure", "Show another measure in the matrix", &["m"], |tab, _| {
            tab.with_own::<Panels>(|panels, view, _| panels.turn_measure(view));
        })
        .footer("measure"),
        shared::challenge("arena.challenge", "Play against the selected row's player on the Board", |tab, cx| {
            tab.with_own::<Panels>(|panels, view, _| challenge(panels, view, cx));
        }),
    ),
    custom: None,
    form: FORM,
    panels: panels::<Panels>,
    picture: picture::<Panels>,
    watched: watched::<Panels>,
};

impl RunPicture for View {
    fn of(view: &AnyView) -> Option<View> {
        view.get().cloned()
    }

    fn watched(run: &Watching<AnyRun>) -> Option<View> {
        run.seen().get().map(Seen::view)
    }

    fn status(&self) -> Status {
        let (ratings, _) = self.ratings();
        let leader = (0..ratings.len()).max_by(|&a, &b| ratings[a].elo.total_cmp(&ratings[b].elo).then(b.cmp(&a)));
        let best = leader.filter(|_| self.done > 0).map_or(String::new(), |player| {
            format!("{} {:+.0} Elo", self.names()[player], unsigned_nought(ratings[player].elo, 0))
        });
        Status {
            unit: "game",
            at: Some(self.done),
            to: self.total,
            done: self.done as f64,
            of: self.total as f64,
            best,
            rate: Some((self.games_per_second(), "games/s")),
            spent: Some(self.busy),
        }
    }
}

/// Every player has a line of its own, with some left blank for more.
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

/// A blank line is nobody. Where pairs name players by their numbers, nobody may stand between two of them.
fn apply(settings: &mut AnySettings, fields: &[(&str, &str)]) -> Result<(), (usize, String)> {
    let (mut players, mut blank) = (Vec::new(), None);
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
            format!("{}: pairs names players by their numbers, so no line between may be blank", fields[blank].0);
        return Err((blank, reason));
    }
    let players = players.into_iter().map(|(_, player)| player).collect();
    *settings = AnySettings::of::<Tournament>(Settings { players, ..own.clone() });
    Ok(())
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
    cx.tell(Message::Show(Opened { record, players, file: None, replaceable: false, stored: true }));
}

/// A new game on the Board against the player of the selected row.
fn challenge(panels: &Panels, view: &View, cx: &mut Context) {
    if let Some(player) = view.settings.players.get(panels.matrix.selected().0) {
        let players = [Spec::Human, player.clone()];
        cx.tell(Message::Start(Setup { variant: view.settings.variant, players, seed: None }));
    }
}
