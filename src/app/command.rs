//! The one registry of commands: footer, help, palette, key map and the config's `[keys]` all read it, so none can drift.
//!
//! A command's id is its scope and its name, as in `board.undo`. Commands of scope `app` work everywhere; those of a tab's scope
//! while that tab is in front. The tab's keys win over the app's.

use std::collections::HashMap;

use crate::config::KeyBinding;
use crate::document::{Problem, nearest};
use crate::term::Chord;

/// Something a person can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command {
    /// Scope and name, as in `board.undo`; what the config's `[keys]` names.
    pub id: &'static str,
    /// For help and palette: an imperative, without a full stop.
    pub title: &'static str,
    /// The default keys; the first is the one shown.
    pub keys: &'static [&'static str],
    /// A word or two for the footer, for what is needed often.
    pub footer: Option<&'static str>,
}

impl Command {
    pub const fn new(id: &'static str, title: &'static str, keys: &'static [&'static str]) -> Command {
        Command { id, title, keys, footer: None }
    }

    #[must_use]
    pub const fn footer(mut self, label: &'static str) -> Command {
        self.footer = Some(label);
        self
    }

    pub fn scope(&self) -> &'static str {
        self.id.split_once('.').map_or(self.id, |(scope, _)| scope)
    }
}

/// The scope of the commands that work everywhere.
pub const APP: &str = "app";

/// The commands that work everywhere.
pub const APP_COMMANDS: &[Command] = &[
    Command::new("app.palette", "Find and run any command", &[":", "ctrl-p"]).footer("commands"),
    Command::new("app.help", "Show the keys", &["?", "f1"]).footer("help"),
    Command::new("app.next-tab", "Go to the next tab", &["tab"]),
    Command::new("app.previous-tab", "Go to the previous tab", &["shift-tab"]),
    Command::new("app.theme", "Change the theme", &["T"]),
    Command::new("app.redraw", "Draw the screen anew", &["ctrl-l"]),
    Command::new("app.suspend", "Suspend to the shell", &["ctrl-z"]),
    Command::new("app.quit", "Quit", &["q", "ctrl-c"]).footer("quit"),
];

/// Which key asks for what.
pub struct Keymap {
    commands: Vec<Command>,
    bound: HashMap<(&'static str, Chord), &'static str>,
    /// The keys of each command, the one to show first.
    keys: HashMap<&'static str, Vec<Chord>>,
}

impl Keymap {
    /// The default keys of `commands`, changed by the config's bindings. A key the config gives to one command is taken from
    /// another command of the same scope that had it by default.
    ///
    /// # Errors
    /// The place of a binding that names no command, and what would be accepted.
    pub fn new(commands: Vec<Command>, bindings: &[KeyBinding]) -> Result<Keymap, Problem> {
        let mut map = Keymap { commands, bound: HashMap::new(), keys: HashMap::new() };
        let rebound: Vec<&str> = bindings.iter().map(|binding| binding.id.as_str()).collect();
        for command in map.commands.clone() {
            if !rebound.contains(&command.id) {
                let chords = command.keys.iter().filter_map(|key| key.parse().ok());
                map.bind(command, chords.collect());
            }
        }
        for binding in bindings {
            let command = map.commands.iter().find(|command| command.id == binding.id).copied();
            let command = command.ok_or_else(|| map.unknown(binding))?;
            for (chord, at) in binding.chords.iter().zip(&binding.chords_at) {
                if let Some(&other) =
                    map.bound.get(&(command.scope(), *chord)).filter(|id| **id != command.id && rebound.contains(id))
                {
                    return Err(Problem::new(at.clone(), format!("'{chord}' is a key of '{other}' already")));
                }
            }
            map.bind(command, binding.chords.clone());
        }
        Ok(map)
    }

    fn bind(&mut self, command: Command, chords: Vec<Chord>) {
        for &chord in &chords {
            let before = self.bound.insert((command.scope(), chord), command.id);
            if let Some(keys) = before.filter(|&id| id != command.id).and_then(|id| self.keys.get_mut(id)) {
                keys.retain(|&key| key != chord);
            }
        }
        self.keys.insert(command.id, chords);
    }

    fn unknown(&self, binding: &KeyBinding) -> Problem {
        let ids: Vec<&str> = self.commands.iter().map(|command| command.id).collect();
        let problem = Problem::new(binding.at.clone(), format!("no command is called '{}'", binding.id));
        match nearest(&binding.id, ids.iter().copied()) {
            Some(near) => problem.hint(format!("did you mean '{near}'?")),
            None => problem.hint(format!("known are {}", ids.join(", "))),
        }
    }

    /// What `chord` asks for while the tab of `scope` is in front.
    pub fn command(&self, scope: &'static str, chord: Chord) -> Option<&'static str> {
        self.bound.get(&(scope, chord)).or_else(|| self.bound.get(&(APP, chord))).copied()
    }

    /// All keys of a command, the one to show first.
    pub fn keys(&self, id: &str) -> &[Chord] {
        self.keys.get(id).map_or(&[], Vec::as_slice)
    }

    /// All commands, the app's first.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// The commands that work while the tab of `scope` is in front, the tab's first.
    pub fn in_scope(&self, scope: &str) -> impl Iterator<Item = &Command> {
        let of = move |wanted: String| self.commands.iter().filter(move |c| c.scope() == wanted);
        of(scope.to_owned()).chain(of(APP.to_owned()))
    }
}
