//! Conflicts between key bindings of the config and other bindings of the same keys.
//!
//! None of these is an error, because the key map resolves every conflict; but a command that lost its key silently would be
//! missed. A binding in the config settles its own conflicts: a command that has another key there, or none, is not reported.

use std::ops::RangeInclusive;

use super::command::{Label, Reach, Registry};
use super::place::{Place, Whose};
use crate::config::KeyBinding;
use crate::settings::{Diagnostic, Location};
use crate::term::Chord;

/// Returns the conflicts of the config's bindings, in their order; conflicts among default keys are not reported.
pub(crate) fn collisions(registry: &Registry, bindings: &[KeyBinding]) -> Vec<Diagnostic> {
    let named = |binding: &KeyBinding| registry.iter().find(|(_, label)| label.id == binding.id).copied();
    let mut problems = Vec::new();
    for (binding, one) in bindings.iter().filter_map(|binding| Some((binding, named(binding)?))) {
        for (chord, at) in binding.chords.iter().zip(&binding.chords_at) {
            problems.extend(collision_with_pit(*chord, at, one.1));
            let others = registry.iter().filter(|other| other.0 != one.0);
            problems.extend(others.filter_map(|other| collision(*chord, at, one, *other, bindings)));
        }
    }
    problems
}

type Row = (Place, Label);

/// The letters of pits on boards of the usual width.
const PIT_LETTERS: RangeInclusive<char> = 'A'..='F';

/// Returns the conflict of a command with the capital letter that sows a pit while the user is to move.
fn collision_with_pit(chord: Chord, at: &Location, label: Label) -> Option<Diagnostic> {
    let is_pit = PIT_LETTERS.into_iter().any(|letter| Ok(chord) == letter.to_string().parse());
    let is_there = ["app", "board"].contains(&label.scope());
    let problem = || Diagnostic::new(at.clone(), format!("'{chord}' also sows a pit on the Board"));
    let loss = format!("while you are to move it is not {}", label.id);
    (is_pit && is_there).then(|| problem().hint(loss).note("give the command another key"))
}

/// Returns the conflict of `one`, to which the config assigns the key, and `other`, if the key can mean both.
fn collision(chord: Chord, at: &Location, one: Row, other: Row, bindings: &[KeyBinding]) -> Option<Diagnostic> {
    let is_usual = |label: &Label| label.keys.iter().any(|key| key.parse() == Ok(chord));
    let rebound = bindings.iter().find(|binding| binding.id == other.1.id);
    let has_it = rebound.map_or_else(|| is_usual(&other.1), |binding| binding.chords.contains(&chord));
    // The app's commands work on every tab, so they conflict with those of any tab.
    let are_both_there = one.0.whose == other.0.whose || [one.0, other.0].iter().any(|place| place.whose == Whose::App);
    if !has_it || !are_both_there {
        return None;
    }
    let loss = match (one.0.whose, other.0.whose) {
        // The key map rejects two bindings of the config in one table.
        (this, that) if this == that => rebound.is_none().then(|| format!("{} loses it", other.1.id))?,
        // Repeating default keys in the config creates no new conflict.
        _ if is_usual(&one.1) && is_usual(&other.1) => return None,
        // A conflict of two bindings is reported at the second one.
        _ if comes_later(&other.1, &one.1, bindings) => return None,
        (Whose::App, _) => wins(&other.1, &one.1),
        _ => wins(&one.1, &other.1),
    };
    let what = format!("'{chord}' is also a key of '{}' ({})", other.1.id, other.1.title);
    let advice = format!("give one of them another key, or remove it with '{}' = []", other.1.id);
    Some(Diagnostic::new(at.clone(), what).hint(loss).note(advice))
}

/// Whether the config names `label` after `other`.
fn comes_later(label: &Label, other: &Label, bindings: &[KeyBinding]) -> bool {
    let place = |label: &Label| bindings.iter().position(|binding| binding.id == label.id);
    place(label) > place(other)
}

/// Returns the resolution of a conflict between a tab's command and one of the app's.
fn wins(tabs: &Label, apps: &Label) -> String {
    match apps.reach {
        Reach::Always => format!("{} loses it", tabs.id),
        _ => format!("on that tab it is {}", tabs.id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::registry;
    use crate::config::Config;
    use crate::paths::Paths;
    use crate::settings::Report;
    use crate::tabs::board::{Settings, Setup};
    use crate::tabs::{TabSettings, all};

    fn commands() -> Registry {
        let setup = Setup::from_config(&Config::default().board);
        registry(&all(TabSettings::new(Settings::new(setup, None), &Paths::default())))
    }

    fn text(keys: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.toml");
        std::fs::write(&path, format!("[keys]\n{keys}")).unwrap();
        let config = Config::check_file(&path, &Paths::default()).unwrap();
        let problems = collisions(&commands(), &config.keys);
        problems.into_iter().map(|problem| Report::from(problem).to_string()).collect()
    }

    #[test]
    fn usual_keys_collide_with_nothing_however_they_are_written() {
        assert_eq!(text(""), Vec::<String>::new());
        let lines = commands().into_iter().map(|(_, label)| format!("{} = {:?}\n", label.id, label.keys));
        assert_eq!(text(&lines.collect::<String>()), Vec::<String>::new());
    }

    #[test]
    fn a_key_taken_from_another_command_is_reported_with_its_place() {
        let text = text("board.undo = ['ctrl-u', 'n']\n");
        assert_eq!(text.len(), 1);
        assert!(text[0].starts_with("error: 'n' is also a key of 'board.new' (") && text[0].contains("keys.toml:2:"));
        assert!(text[0].contains("^ board.new loses it"), "{}", text[0]);
    }

    #[test]
    fn a_capital_letter_that_sows_a_pit_is_reported_on_the_board_only() {
        let told_of = text("board.hint = ['t', 'A']\nweights.challenge = 'A'\n");
        assert_eq!(told_of.len(), 1, "{told_of:?}");
        assert!(told_of[0].contains("'A' also sows a pit on the Board") && told_of[0].contains("keys.toml:2:"));
        assert_eq!(text("board.hint = 'E'\n").len(), 1);
        assert_eq!(text("board.hint = 'ctrl-a'\nboard.undo = 'b'\n"), Vec::<String>::new());
    }

    #[test]
    fn what_is_printed_of_both_commands_collides_with_nothing() {
        assert_eq!(text("board.undo = 'n'\nboard.new = 'ctrl-n'\n"), Vec::<String>::new());
        assert_eq!(text("board.undo = 'n'\nboard.new = []\n"), Vec::<String>::new());
        // Two tabs are never active together.
        let of = |scope: &str| {
            let own = commands().into_iter().find(|(_, label)| label.scope() == scope && label.keys.len() == 1);
            own.unwrap().1.id
        };
        assert_eq!(text(&format!("{} = 'f9'\n{} = 'f9'\n", of("evolution"), of("weights"))), Vec::<String>::new());
    }

    #[test]
    fn a_key_of_the_app_that_a_tab_takes_is_reported_once() {
        let app = |key: &str| {
            let is = |label: &Label| label.reach != Reach::Always && label.keys.contains(&key);
            commands().into_iter().find(|(place, label)| place.whose == Whose::App && is(label)).unwrap().1.id
        };
        let help = app("?");
        let told_of = text("board.undo = '?'\n");
        assert_eq!(told_of.len(), 1, "{told_of:?}");
        assert!(told_of[0].contains(&format!("'?' is also a key of '{help}'")), "{}", told_of[0]);
        assert!(told_of[0].contains("on that tab it is board.undo"), "{}", told_of[0]);
        for keys in [format!("board.undo = 'f9'\n{help} = 'f9'\n"), format!("{help} = 'f9'\nboard.undo = 'f9'\n")] {
            let text = text(&keys);
            assert!(text.len() == 1 && text[0].contains("on that tab it is board.undo"), "{text:?}");
        }
    }
}
