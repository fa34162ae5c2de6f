//! Keys that the config gives to one command while another has them, where both could be meant.
//!
//! The key map has a rule for each such case, so that nothing here is an error; but a command that has lost its key without a
//! word is one that a person looks for. What is said explicitly collides with nothing: whoever gives the other command a key of
//! its own, or none, has decided.

use super::command::{Label, Place, Reach, Registry, Whose};
use crate::config::KeyBinding;
use crate::settings::{Location, Problem};
use crate::term::Chord;

/// What is to be told of the config's bindings, in their order; nothing of usual keys among themselves.
pub(crate) fn collisions(registry: &Registry, bindings: &[KeyBinding]) -> Vec<Problem> {
    let named = |binding: &KeyBinding| registry.iter().find(|(_, label)| label.id == binding.id).copied();
    let mut problems = Vec::new();
    for (binding, one) in bindings.iter().filter_map(|binding| Some((binding, named(binding)?))) {
        for (chord, at) in binding.chords.iter().zip(&binding.chords_at) {
            let others = registry.iter().filter(|other| other.0 != one.0);
            problems.extend(others.filter_map(|other| collision(*chord, at, one, *other, bindings)));
        }
    }
    problems
}

type Row = (Place, Label);

/// Whether `one`, to which the config gives the key, and `other` can both be meant by it, and what is said of that then.
fn collision(chord: Chord, at: &Location, one: Row, other: Row, bindings: &[KeyBinding]) -> Option<Problem> {
    let is_usual = |label: &Label| label.keys.iter().any(|key| key.parse() == Ok(chord));
    let rebound = bindings.iter().find(|binding| binding.id == other.1.id);
    let has_it = rebound.map_or_else(|| is_usual(&other.1), |binding| binding.chords.contains(&chord));
    // The app's commands work on every tab, so that a row of a table of its own is meant by it there, too.
    let are_both_there = one.0.whose == other.0.whose || [one.0, other.0].iter().any(|place| place.whose == Whose::App);
    if !has_it || !are_both_there {
        return None;
    }
    let loss = match (one.0.whose, other.0.whose) {
        // Two bindings of the config in one table are refused by the key map.
        (this, that) if this == that => rebound.is_none().then(|| format!("{} loses it", other.1.id))?,
        // Usual keys that are written out collide no more than before.
        _ if is_usual(&one.1) && is_usual(&other.1) => return None,
        // Two bindings collide where the second stands.
        _ if comes_later(&other.1, &one.1, bindings) => return None,
        (Whose::App, _) => wins(&other.1, &one.1),
        _ => wins(&one.1, &other.1),
    };
    let what = format!("'{chord}' is a key of '{}' as well ({})", other.1.id, other.1.title);
    let advice = format!("give one of them another key; '{}' = [] leaves it without any", other.1.id);
    Some(Problem::new(at.clone(), what).hint(loss).note(advice))
}

/// Whether the config names `label` behind `other`.
fn comes_later(label: &Label, other: &Label, bindings: &[KeyBinding]) -> bool {
    let place = |label: &Label| bindings.iter().position(|binding| binding.id == label.id);
    place(label) > place(other)
}

/// What becomes of a key of a tab's command and of one of the app's.
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
    use crate::tabs::{Opening, all};

    fn commands() -> Registry {
        let setup = Setup::from_config(&Config::default().board);
        registry(&all(Opening::new(Settings { setup, opened: None, games: None }, &Paths::default())))
    }

    fn told(keys: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.toml");
        std::fs::write(&path, format!("[keys]\n{keys}")).unwrap();
        let config = Config::check_file(&path, &Paths::default()).unwrap();
        let problems = collisions(&commands(), &config.keys);
        problems.into_iter().map(|problem| Report::from(problem).to_string()).collect()
    }

    #[test]
    fn usual_keys_collide_with_nothing_however_they_are_written() {
        assert_eq!(told(""), Vec::<String>::new());
        let lines = commands().into_iter().map(|(_, label)| format!("{} = {:?}\n", label.id, label.keys));
        assert_eq!(told(&lines.collect::<String>()), Vec::<String>::new());
    }

    #[test]
    fn a_key_taken_from_another_command_is_told_with_its_place() {
        let told = told("board.undo = ['ctrl-u', 'n']\n");
        assert_eq!(told.len(), 1);
        assert!(
            told[0].starts_with("error: 'n' is a key of 'board.new' as well (") && told[0].contains("keys.toml:2:")
        );
        assert!(told[0].contains("^ board.new loses it"), "{}", told[0]);
    }

    #[test]
    fn what_is_said_of_both_commands_collides_with_nothing() {
        assert_eq!(told("board.undo = 'n'\nboard.new = 'ctrl-n'\n"), Vec::<String>::new());
        assert_eq!(told("board.undo = 'n'\nboard.new = []\n"), Vec::<String>::new());
        // Tabs are never in front together.
        let of = |scope: &str| {
            let own = commands().into_iter().find(|(_, label)| label.scope() == scope && label.keys.len() == 1);
            own.unwrap().1.id
        };
        assert_eq!(told(&format!("{} = 'f9'\n{} = 'f9'\n", of("evolution"), of("weights"))), Vec::<String>::new());
    }

    #[test]
    fn a_key_of_the_app_that_a_tab_takes_is_told_once() {
        let app = |key: &str| {
            let is = |label: &Label| label.reach != Reach::Always && label.keys.contains(&key);
            commands().into_iter().find(|(place, label)| place.whose == Whose::App && is(label)).unwrap().1.id
        };
        let help = app("?");
        let told_of = told("board.undo = '?'\n");
        assert_eq!(told_of.len(), 1, "{told_of:?}");
        assert!(told_of[0].contains(&format!("'?' is a key of '{help}' as well")), "{}", told_of[0]);
        assert!(told_of[0].contains("on that tab it is board.undo"), "{}", told_of[0]);
        for keys in [format!("board.undo = 'f9'\n{help} = 'f9'\n"), format!("{help} = 'f9'\nboard.undo = 'f9'\n")] {
            let told = told(&keys);
            assert!(told.len() == 1 && told[0].contains("on that tab it is board.undo"), "{told:?}");
        }
    }
}
