//! Commands: one table row each, with title, keys, conditions and handler.
//!
//! The app and every tab have a table of [`Command`]s, the only list: footer, help, palette, key map and the config's `[keys]` all
//! read the tables, so they stay consistent. A row holds its handler, so no code dispatches by name. Rows are typed by their tab;
//! the app, which does not know the types of tabs, calls them through [`Commands`] by their [`Place`].
//!
//! A command's id is its scope and its name, as in `board.undo`. Commands of scope `app` work everywhere, those of a tab's scope
//! while that tab is in front. The tab's keys win over the app's.

use std::collections::HashMap;

use super::place::{Place, Whose};
use super::tab::Context;
use crate::config::KeyBinding;
use crate::settings::{Diagnostic, Report, nearest};
use crate::term::Chord;

/// A row of the table of `T`, the app or a tab.
pub struct Command<T: 'static> {
    label: Label,
    run: fn(&mut T, &mut Context),
    applies: fn(&T) -> bool,
    why_not: Option<&'static str>,
    exists: fn(&T) -> bool,
    title_now: fn(&T) -> Option<String>,
    footer_now: fn(&T) -> Option<&'static str>,
}

/// The static part of a row, without its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// Scope and name, as in `board.undo`; the key in the config's `[keys]`.
    pub id: &'static str,
    /// The title in help and palette: an imperative, without a full stop.
    pub title: &'static str,
    /// The default keys; the first is the one shown.
    pub keys: &'static [&'static str],
    /// The footer label, a word or two, for frequent commands.
    pub footer: Option<&'static str>,
    pub reach: Reach,
    /// The heading of the group that begins with this command in the help.
    pub group: Option<&'static str>,
    /// Whether the palette offers it.
    pub in_palette: bool,
    /// Whether guests have it.
    pub for_guests: bool,
}

/// The scope in which the keys of an app command work; those of tabs work on the page only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub enum Reach {
    /// While the page is visible without an overlay.
    Page,
    /// Also on a screen too small for pages.
    Unseen,
    /// Also with an overlay.
    Always,
}

impl<T> Command<T> {
    /// Creates a row from id, title and default keys, as in [`Label`], and the handler.
    pub const fn new(
        id: &'static str,
        title: &'static str,
        keys: &'static [&'static str],
        run: fn(&mut T, &mut Context),
    ) -> Command<T> {
        let label = Label {
            id,
            title,
            keys,
            footer: None,
            reach: Reach::Page,
            group: None,
            in_palette: true,
            for_guests: true,
        };
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

    /// Sets the footer label, a word or two.
    #[must_use]
    pub const fn footer(mut self, word: &'static str) -> Command<T> {
        self.label.footer = Some(word);
        self
    }

    /// Sets a dynamic footer label, such as `pause` instead of `play`.
    #[must_use]
    pub const fn footer_now(mut self, word: fn(&T) -> Option<&'static str>) -> Command<T> {
        self.footer_now = word;
        self
    }

    /// Sets a dynamic title for help and palette.
    #[must_use]
    pub const fn title_now(mut self, title: fn(&T) -> Option<String>) -> Command<T> {
        self.title_now = title;
        self
    }

    /// Sets the condition under which the command applies: otherwise the footer omits it and the palette dims it.
    #[must_use]
    pub const fn enabled_if(mut self, applies: fn(&T) -> bool) -> Command<T> {
        self.applies = applies;
        self
    }

    /// Returns the reason set by [`disabled_reason`](Command::otherwise).
    pub fn reason(&self) -> Option<&'static str> {
        self.why_not
    }

    /// Sets the reason shown while the command does not apply, in a few words without a full stop, such as `the game is over`.
    #[must_use]
    pub const fn disabled_reason(mut self, why_not: &'static str) -> Command<T> {
        self.why_not = Some(why_not);
        self
    }

    /// Sets the condition under which the command exists: otherwise help and palette omit it, such as in another game.
    #[must_use]
    pub const fn visible_if(mut self, exists: fn(&T) -> bool) -> Command<T> {
        self.exists = exists;
        self
    }

    #[must_use]
    pub const fn reach(mut self, reach: Reach) -> Command<T> {
        self.label.reach = reach;
        self
    }

    /// Begins a group of the help with this heading.
    #[must_use]
    pub const fn group(mut self, heading: &'static str) -> Command<T> {
        self.label.group = Some(heading);
        self
    }

    /// Hides the command from the palette.
    #[must_use]
    pub const fn not_in_palette(mut self) -> Command<T> {
        self.label.in_palette = false;
        self
    }

    /// Removes the command for guests: it changes runs, writes files elsewhere, or leaves the program.
    #[must_use]
    pub const fn owner_only(mut self) -> Command<T> {
        self.label.for_guests = false;
        self
    }

    pub fn label(&self) -> &Label {
        &self.label
    }

    /// Calls the handler, whether or not the command applies.
    pub fn run(&self, owner: &mut T, cx: &mut Context) {
        (self.run)(owner, cx);
    }
}

impl Label {
    pub fn scope(&self) -> &'static str {
        self.id.split_once('.').map_or(self.id, |(scope, _)| scope)
    }
}

/// The app or a tab, with its command table.
pub trait CommandTable: Sized + 'static {
    const COMMANDS: &'static [Command<Self>];

    /// Returns the table, for types whose instances have different tables.
    fn commands(&self) -> &'static [Command<Self>] {
        Self::COMMANDS
    }

    /// Whether commands apply; false in a modal state.
    fn takes_commands(&self) -> bool {
        true
    }

    /// Returns why a command does not apply now, in a few words; used if its row has no reason, and in modal states.
    fn why_not(&self) -> &'static str {
        "not now"
    }

    /// Handles the key of a command that does not apply now.
    fn refuse(&mut self, _command: &Command<Self>, _cx: &mut Context) {}
}

/// A type-erased table of commands, with rows by number; implemented by every [`CommandTable`].
pub trait Commands {
    fn labels(&self) -> Vec<Label>;

    /// Whether the command applies now.
    fn applies(&self, row: usize) -> bool;

    /// Returns why it does not apply, in a few words.
    fn why_not(&self, row: usize) -> String;

    /// Whether the command exists on the current page.
    fn exists(&self, row: usize) -> bool;

    /// Returns its current title.
    fn title_of(&self, row: usize) -> String;

    /// Returns its current footer label; `None` omits it.
    fn footer_of(&self, row: usize) -> Option<&'static str>;

    /// Returns whether that word depends on the state.
    fn is_footer_of_now(&self, row: usize) -> bool;

    fn call(&mut self, row: usize, cx: &mut Context);
}

impl<T: CommandTable> Commands for T {
    fn labels(&self) -> Vec<Label> {
        self.commands().iter().map(|command| command.label).collect()
    }

    fn applies(&self, row: usize) -> bool {
        self.takes_commands() && self.commands().get(row).is_some_and(|command| (command.applies)(self))
    }

    fn why_not(&self, row: usize) -> String {
        let own = self.commands().get(row).and_then(|command| command.why_not).filter(|_| self.takes_commands());
        own.unwrap_or_else(|| CommandTable::why_not(self)).to_owned()
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

    fn is_footer_of_now(&self, row: usize) -> bool {
        self.commands().get(row).is_some_and(|command| (command.footer_now)(self).is_some())
    }

    fn call(&mut self, row: usize, cx: &mut Context) {
        let Some(command) = self.commands().get(row) else { return };
        if self.applies(row) { command.run(self, cx) } else { self.refuse(command, cx) }
    }
}

/// Returns the labels of a table.
pub fn labels<T: CommandTable>() -> Vec<Label> {
    T::COMMANDS.iter().map(|command| command.label).collect()
}

/// All tables, concatenated.
pub type Registry = Vec<(Place, Label)>;

/// Returns a table's part of the registry.
pub fn placed(whose: Whose, labels: Vec<Label>) -> impl Iterator<Item = (Place, Label)> {
    labels.into_iter().enumerate().map(move |(row, label)| (Place { whose, row }, label))
}

/// The mapping from keys to commands.
pub struct Keymap {
    registry: Registry,
    bound: HashMap<(Whose, Chord), (Place, Label)>,
    /// The keys of each command; the first is the one shown.
    keys: HashMap<Place, Vec<Chord>>,
}

impl Keymap {
    /// Creates the map from the default keys and the config's bindings. A key that the config assigns to one command is removed
    /// from other commands of the same scope that have it by default.
    ///
    /// # Errors
    /// All bindings that name no command, with the accepted names, or whose key is another binding's.
    pub fn new(registry: Registry, bindings: &[KeyBinding]) -> Result<Keymap, Report> {
        let mut map = Keymap { registry, bound: HashMap::new(), keys: HashMap::new() };
        let is_rebound = |label: &Label| bindings.iter().any(|binding| binding.id == label.id);
        for (place, label) in map.registry.clone() {
            if !is_rebound(&label) {
                let chords = label.keys.iter().filter_map(|key| key.parse().ok());
                map.bind(place, label, chords.collect());
            }
        }
        let mut problems = Vec::new();
        for binding in bindings {
            let found = map.registry.iter().find(|(_, label)| label.id == binding.id).copied();
            let Some((place, label)) = found else {
                problems.push(map.unknown(binding));
                continue;
            };
            for (chord, at) in binding.chords.iter().zip(&binding.chords_at) {
                let other = map.bound.get(&(place.whose, *chord));
                if let Some((_, other)) = other.filter(|(other, label)| *other != place && is_rebound(label)) {
                    let problem = format!("'{chord}' is already a key of '{}'", other.id);
                    problems.push(Diagnostic::new(at.clone(), problem));
                }
            }
            map.bind(place, label, binding.chords.clone());
        }
        Report::check(problems).map(|()| map)
    }

    /// Removes the commands that guests do not have.
    #[must_use]
    pub fn for_guests(mut self) -> Keymap {
        self.registry.retain(|(_, label)| label.for_guests);
        self.bound.retain(|_, (_, label)| label.for_guests);
        self
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

    fn unknown(&self, binding: &KeyBinding) -> Diagnostic {
        let ids: Vec<&str> = self.registry.iter().map(|(_, label)| label.id).collect();
        let problem = Diagnostic::new(binding.location.clone(), format!("unknown command '{}'", binding.id));
        match nearest(&binding.id, ids.iter().copied()) {
            Some(near) => problem.hint(format!("did you mean '{near}'?")),
            None => problem.hint("mancalab config keys lists all"),
        }
    }

    /// Returns the command of this table for `chord`.
    pub fn command(&self, whose: Whose, chord: Chord) -> Option<(Place, Label)> {
        self.bound.get(&(whose, chord)).copied()
    }

    /// Returns all keys of a command; the first is the one shown.
    pub fn keys(&self, place: Place) -> &[Chord] {
        self.keys.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Returns the commands of a table, in its order.
    pub fn table(&self, whose: Whose) -> impl Iterator<Item = (Place, Label)> {
        self.registry.iter().copied().filter(move |(place, _)| place.whose == whose)
    }
}
