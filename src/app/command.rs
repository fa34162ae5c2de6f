//! Commands: what a person can ask for, a row each, with all there is to say about it and what it does.
//!
//! The app and every tab have a table of [`Command`]s, and there is no other list: footer, help, palette, key map and the config's
//! `[keys]` all read the tables, so none can drift. A row holds its handler, so that no name is ever compared with another to find
//! out what to do. Rows know their tab's type; the app, which knows no tab, calls them through [`Commands`] by their [`Place`].
//!
//! A command's id is its scope and its name, as in `board.undo`. Commands of scope `app` work everywhere; those of a tab's scope
//! while that tab is in front. The tab's keys win over the app's.

use std::collections::HashMap;

use super::effect::Context;
use crate::config::KeyBinding;
use crate::settings::{Problem, nearest};
use crate::term::Chord;

/// A row of the table of `T`, which is the app or a tab.
pub struct Command<T: 'static> {
    label: Label,
    run: fn(&mut T, &mut Context),
    applies: fn(&T) -> bool,
    why_not: Option<&'static str>,
    exists: fn(&T) -> bool,
    title_now: fn(&T) -> Option<String>,
    footer_now: fn(&T) -> Option<&'static str>,
}

/// What a row says of its command, whoever's it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// Scope and name, as in `board.undo`; what the config's `[keys]` names.
    pub id: &'static str,
    /// For help and palette: an imperative, without a full stop.
    pub title: &'static str,
    /// The default keys; the first is the one shown.
    pub keys: &'static [&'static str],
    /// A word or two for the footer, for what is needed often.
    pub footer: Option<&'static str>,
    pub reach: Reach,
    /// The palette offers it.
    pub in_palette: bool,
}

/// When the keys of one of the app's commands work; those of tabs work on the page only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub enum Reach {
    /// While the page in front can be seen and nothing lies over it.
    Page,
    /// On a screen that is too small for pages as well.
    Unseen,
    /// Whatever lies over the page.
    Always,
}

impl<T> Command<T> {
    /// Takes id, title and default keys, as in [`Label`], and the handler.
    pub const fn new(
        id: &'static str,
        title: &'static str,
        keys: &'static [&'static str],
        run: fn(&mut T, &mut Context),
    ) -> Command<T> {
        let label = Label { id, title, keys, footer: None, reach: Reach::Page, in_palette: true };
        Command {
            label,
            run,
            applies: |_| true,
            why_not: None,
            exists: |_| true,
            title_now: |_| None,
            footer_now: |_| None,
        }
    }

    /// A word or two for the footer.
    #[must_use]
    pub const fn footer(mut self, word: &'static str) -> Command<T> {
        self.label.footer = Some(word);
        self
    }

    /// What the footer calls it now, where that is not always the same: `pause` instead of `play`.
    #[must_use]
    pub const fn footer_now(mut self, word: fn(&T) -> Option<&'static str>) -> Command<T> {
        self.footer_now = word;
        self
    }

    /// What help and palette call it now, where that is not always the same.
    #[must_use]
    pub const fn title_now(mut self, title: fn(&T) -> Option<String>) -> Command<T> {
        self.title_now = title;
        self
    }

    /// When it applies, if not always: the footer names it then only, and the palette shows it dim otherwise.
    #[must_use]
    pub const fn when(mut self, applies: fn(&T) -> bool) -> Command<T> {
        self.applies = applies;
        self
    }

    /// What [`otherwise`](Command::otherwise) gave as the reason why it does not apply.
    pub fn reason(&self) -> Option<&'static str> {
        self.why_not
    }

    /// Why it does not apply where it does not, in a few words and without a full stop, such as `the game is over`.
    #[must_use]
    pub const fn otherwise(mut self, why_not: &'static str) -> Command<T> {
        self.why_not = Some(why_not);
        self
    }

    /// Where it has a meaning at all, if not everywhere: help and palette do not speak of it elsewhere, such as in another game.
    #[must_use]
    pub const fn meant(mut self, exists: fn(&T) -> bool) -> Command<T> {
        self.exists = exists;
        self
    }

    #[must_use]
    pub const fn reach(mut self, reach: Reach) -> Command<T> {
        self.label.reach = reach;
        self
    }

    /// The palette does not offer it.
    #[must_use]
    pub const fn not_in_palette(mut self) -> Command<T> {
        self.label.in_palette = false;
        self
    }

    pub fn label(&self) -> &Label {
        &self.label
    }

    /// Calls the handler, whether the command applies or not.
    pub fn run(&self, of: &mut T, cx: &mut Context) {
        (self.run)(of, cx);
    }
}

impl Label {
    pub fn scope(&self) -> &'static str {
        self.id.split_once('.').map_or(self.id, |(scope, _)| scope)
    }
}

/// The app or a tab, with its table.
pub trait Commanded: Sized + 'static {
    const COMMANDS: &'static [Command<Self>];

    /// The table, where not all tabs of the type have the same.
    fn commands(&self) -> &'static [Command<Self>] {
        Self::COMMANDS
    }

    /// False in a mode of its own, in which none of the commands applies.
    fn takes_commands(&self) -> bool {
        true
    }

    /// Why a command does not apply now, in a few words; asked where its row does not say so itself, and in a mode of its own.
    fn why_not(&self) -> &'static str {
        "not now"
    }

    /// A command was asked for by its key that does not apply now.
    fn refuse(&mut self, _command: &Command<Self>, _cx: &mut Context) {}
}

/// A table of commands whosever it is, its rows by number; every [`Commanded`] is one.
pub trait Commands {
    fn labels(&self) -> Vec<Label>;

    /// Whether this one makes sense now.
    fn applies(&self, row: usize) -> bool;

    /// Why it makes none, in a few words.
    fn why_not(&self, row: usize) -> String;

    /// Whether it has a meaning in what the page is about now.
    fn exists(&self, row: usize) -> bool;

    /// What help and palette call it now.
    fn title_of(&self, row: usize) -> String;

    /// The footer's word for it now; `None`: the footer leaves it out.
    fn footer_of(&self, row: usize) -> Option<&'static str>;

    fn call(&mut self, row: usize, cx: &mut Context);
}

impl<T: Commanded> Commands for T {
    fn labels(&self) -> Vec<Label> {
        self.commands().iter().map(|command| command.label).collect()
    }

    fn applies(&self, row: usize) -> bool {
        self.takes_commands() && self.commands().get(row).is_some_and(|command| (command.applies)(self))
    }

    fn why_not(&self, row: usize) -> String {
        let own = self.commands().get(row).and_then(|command| command.why_not).filter(|_| self.takes_commands());
        own.unwrap_or_else(|| Commanded::why_not(self)).to_owned()
    }

    fn exists(&self, row: usize) -> bool {
        self.commands().get(row).is_some_and(|command| (command.exists)(self))
    }

    fn title_of(&self, row: usize) -> String {
        let title = |command: &Command<T>| (command.title_now)(self).unwrap_or_else(|| command.label.title.to_owned());
        self.commands().get(row).map(title).unwrap_or_default()
    }

    fn footer_of(&self, row: usize) -> Option<&'static str> {
        let command = self.commands().get(row)?;
        (command.footer_now)(self).or(command.label.footer)
    }

    fn call(&mut self, row: usize, cx: &mut Context) {
        let Some(command) = self.commands().get(row) else { return };
        if self.applies(row) { command.run(self, cx) } else { self.refuse(command, cx) }
    }
}

/// What the rows of a table say.
pub fn labels<T: Commanded>() -> Vec<Label> {
    T::COMMANDS.iter().map(|command| command.label).collect()
}

/// Whose a table is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Whose {
    App,
    /// The tab with this number, counted from 0.
    Tab(usize),
}

/// Where a command stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub whose: Whose,
    /// The number of its row, counted from 0.
    pub row: usize,
}

/// All tables one below the other.
pub type Registry = Vec<(Place, Label)>;

/// A table's part of the registry.
pub fn placed(whose: Whose, labels: Vec<Label>) -> impl Iterator<Item = (Place, Label)> {
    labels.into_iter().enumerate().map(move |(row, label)| (Place { whose, row }, label))
}

/// Which key asks for what.
pub struct Keymap {
    registry: Registry,
    bound: HashMap<(Whose, Chord), (Place, Label)>,
    /// The keys of each command, the one to show first.
    keys: HashMap<Place, Vec<Chord>>,
}

impl Keymap {
    /// The default keys of all commands, changed by the config's bindings. A key the config gives to one command is taken from
    /// another command of the same scope that had it by default.
    ///
    /// # Errors
    /// The place of a binding that names no command, and what would be accepted.
    pub fn new(registry: Registry, bindings: &[KeyBinding]) -> Result<Keymap, Problem> {
        let mut map = Keymap { registry, bound: HashMap::new(), keys: HashMap::new() };
        let is_rebound = |label: &Label| bindings.iter().any(|binding| binding.id == label.id);
        for (place, label) in map.registry.clone() {
            if !is_rebound(&label) {
                let chords = label.keys.iter().filter_map(|key| key.parse().ok());
                map.bind(place, label, chords.collect());
            }
        }
        for binding in bindings {
            let found = map.registry.iter().find(|(_, label)| label.id == binding.id).copied();
            let (place, label) = found.ok_or_else(|| map.unknown(binding))?;
            for (chord, at) in binding.chords.iter().zip(&binding.chords_at) {
                let other = map.bound.get(&(place.whose, *chord));
                if let Some((_, other)) = other.filter(|(other, label)| *other != place && is_rebound(label)) {
                    return Err(Problem::new(at.clone(), format!("'{chord}' is a key of '{}' already", other.id)));
                }
            }
            map.bind(place, label, binding.chords.clone());
        }
        Ok(map)
    }

    fn bind(&mut self, place: Place, label: Label, chords: Vec<Chord>) {
        for &chord in &chords {
            let before = self.bound.insert((place.whose, chord), (place, label));
            let other = before.map(|(other, _)| other).filter(|other| *other != place);
            if let Some(keys) = other.and_then(|other| self.keys.get_mut(&other)) {
                keys.retain(|&key| key != chord);
            }
        }
        self.keys.insert(place, chords);
    }

    fn unknown(&self, binding: &KeyBinding) -> Problem {
        let ids: Vec<&str> = self.registry.iter().map(|(_, label)| label.id).collect();
        let problem = Problem::new(binding.at.clone(), format!("no command is called '{}'", binding.id));
        match nearest(&binding.id, ids.iter().copied()) {
            Some(near) => problem.hint(format!("did you mean '{near}'?")),
            None => problem.hint(format!("known are {}", ids.join(", "))),
        }
    }

    /// Which command of this table `chord` asks for.
    pub fn command(&self, whose: Whose, chord: Chord) -> Option<(Place, Label)> {
        self.bound.get(&(whose, chord)).copied()
    }

    /// All keys of a command, the one to show first.
    pub fn keys(&self, place: Place) -> &[Chord] {
        self.keys.get(&place).map_or(&[], Vec::as_slice)
    }

    /// The commands of a table, in its order.
    pub fn table(&self, whose: Whose) -> impl Iterator<Item = (Place, Label)> {
        self.registry.iter().copied().filter(move |(place, _)| place.whose == whose)
    }
}
