//! The app's own commands, available on every tab.

use std::sync::Arc;

use super::command::{Command, CommandTable, Reach};
use super::overlay::confirm::ConfirmQuit;
use super::overlay::help::Help;
use super::overlay::palette::Palette;
use super::overlay::themes::Themes;
use super::tab::Context;
use super::{App, TerminalRequest};
use crate::config::FILE;

type Row = Command<App>;

impl CommandTable for App {
    const COMMANDS: &'static [Command<App>] = &[
        // Not in the palette: it would open itself.
        Row::new("app.palette", "Command palette", &[":", "ctrl-p"], App::open_palette)
            .footer("commands")
            .not_in_palette(),
        Row::new("app.help", "Help: the rules and the keys", &["?", "f1"], App::open_help).footer("help"),
        Row::new("app.next-tab", "Go to the next tab", &["tab"], |app, _| app.go_by(1)),
        Row::new("app.previous-tab", "Go to the previous tab", &["shift-tab"], |app, _| app.go_by(app.tabs.len() - 1)),
        tab::<1>("app.tab-1", "Go to tab 1", &["1", "alt-1"]),
        tab::<2>("app.tab-2", "Go to tab 2", &["2", "alt-2"]),
        tab::<3>("app.tab-3", "Go to tab 3", &["3", "alt-3"]),
        tab::<4>("app.tab-4", "Go to tab 4", &["4", "alt-4"]),
        tab::<5>("app.tab-5", "Go to tab 5", &["5", "alt-5"]),
        tab::<6>("app.tab-6", "Go to tab 6", &["6", "alt-6"]),
        tab::<7>("app.tab-7", "Go to tab 7", &["7", "alt-7"]),
        tab::<8>("app.tab-8", "Go to tab 8", &["8", "alt-8"]),
        tab::<9>("app.tab-9", "Go to tab 9", &["9", "alt-9"]),
        Row::new("app.theme", "Choose a theme", &["T"], App::open_themes),
        Row::new("app.redraw", "Redraw", &["ctrl-l"], |app, _| app.requests.push(TerminalRequest::Redraw))
            .reach(Reach::Always),
        Row::new("app.suspend", "Suspend to the shell", &["ctrl-z"], |app, _| {
            app.requests.push(TerminalRequest::Suspend)
        })
        .owner_only()
        .reach(Reach::Always),
        Row::new("app.quit", "Quit", &["q", "ctrl-c"], App::ask_to_quit).footer("quit").reach(Reach::Unseen),
    ];
}

/// The command for the tab with this number, counted from 1 as on the tab bar.
const fn tab<const NUMBER: usize>(id: &'static str, title: &'static str, keys: &'static [&'static str]) -> Row {
    Row::new(id, title, keys, |app, _| app.go_to_tab(NUMBER - 1))
        .visible_if(|app| NUMBER <= app.tabs.len())
        .title_now(|app| Some(format!("Go to {}", app.tabs.get(NUMBER - 1)?.title())))
}

impl App {
    /// Moves forward by this many tabs, cyclically.
    fn go_by(&mut self, tabs: usize) {
        self.go_to_tab((self.front + tabs) % self.tabs.len());
    }

    fn open_palette(&mut self, cx: &mut Context) {
        let [tab, app] = self.tables_in_front().map(|whose| self.listed(whose));
        let commands = tab.into_iter().chain(app).filter(|one| one.label.in_palette).collect();
        let palette_items =
            self.tabs.iter().enumerate().filter_map(|(index, tab)| Some((index, tab.palette_items(cx)?))).collect();
        cx.open(Palette::new(commands, palette_items, Arc::clone(&self.appearance.looks)));
    }

    fn open_themes(&mut self, cx: &mut Context) {
        let file = cx.paths.config().map(|folder| cx.paths.shown(&folder.join(FILE)));
        cx.open(Themes::new(Arc::clone(&self.appearance.looks), self.appearance.look.theme.name(), file));
    }

    fn open_help(&mut self, cx: &mut Context) {
        let [tab, app] = self.tables_in_front().map(|whose| self.listed(whose));
        let front = &self.tabs[self.front];
        let help = Help::new(front.title(), front.about(&self.appearance.look), &front.other_keys(), &tab, &app);
        cx.open(help.with_notes(front.notes()));
    }

    fn ask_to_quit(&mut self, cx: &mut Context) {
        // While there is still a screen to copy from what cannot be saved.
        self.tabs.iter_mut().for_each(|tab| _ = tab.leave());
        let reasons = self.unfinished();
        // A screen too small for the dialog quits without confirmation.
        if self.frame.too_small || reasons.is_empty() {
            self.quit = Some(0);
        } else {
            let loses = self.tabs.iter().any(|tab| tab.loses());
            cx.open(ConfirmQuit::new(reasons, !self.runs_to_go_on().is_empty(), loses));
        }
    }
}
