//! The floors of the house: nothing imports upward, and no two rooms of one folder import each other.
//!
//! What counts is what a module needs to work: comments, and what is there for tests only, may name anything.

mod house;
mod source;

use std::collections::BTreeMap;

use house::{House, Import, Module, files};

/// The floors from the ground up. A room may import from those on the floors below its own, and from none beside it.
const FLOORS: &[&[&str]] = &[
    &["step", "crew", "plain", "rng", "codec", "paths"],
    &["files"],
    &["document"],
    &["log"],
    &["game", "net"],
    &["program"],
    &["search"],
    &["player"],
    &["job"],
    &["evolve::any", "evolve::gp", "evolve::ga", "evolve::opponent", "arena", "train"],
    &["evolve::shown"],
    &["evolve::checkers", "evolve::kalah", "evolve::othello"],
    &["evolve::problems", "evolve::tasks"],
    &["reproduce"],
    &["cluster"],
    &["theme"],
    &["term", "ui"],
    &["config"],
    &["app"],
    &["tabs"],
    &["cli"],
    &["main"],
];

/// The rooms that are only lists of others.
const LISTS: &[&str] = &["", "evolve"];

/// A path's room and its floor.
fn room_of(path: &[String]) -> Option<(&'static str, usize)> {
    let is_in = |room: &str| path.iter().map(String::as_str).take(room.split("::").count()).eq(room.split("::"));
    let mut rooms = FLOORS.iter().enumerate().flat_map(|(floor, rooms)| rooms.iter().map(move |room| (*room, floor)));
    rooms.find(|(room, _)| is_in(room))
}

/// What is wrong with the house, a line each.
fn upward(files: &[(String, String)]) -> Vec<String> {
    let house = House::new(files);
    let lost =
        house.modules().filter(|(module, _)| room_of(module).is_none() && !LISTS.contains(&module.join("::").as_str()));
    let mut wrong: Vec<String> = lost.map(|(_, file)| format!("{file} is on no floor")).collect();
    wrong.extend(house.inner().iter().map(|inner| format!("{inner} wants a file of its own")));
    for Import { file, line, from, path } in house.imports() {
        let Some((room, floor)) = room_of(&from) else { continue };
        let name = path.join("::");
        match room_of(&path) {
            None => wrong.push(format!("{file}:{line} imports {name}, which is on no floor")),
            Some((other, above)) if above > floor => {
                wrong.push(format!("{file}:{line} imports {name} from above: {other} stands over {room}"));
            }
            Some((other, above)) if above == floor && other != room => {
                wrong.push(format!("{file}:{line} imports {name} from beside: {other} and {room} are on one floor"));
            }
            Some(_) => {}
        }
    }
    wrong
}

/// Modules of one folder each of which imports from the other, with a place of each.
fn circles(files: &[(String, String)]) -> Vec<String> {
    let house = House::new(files);
    let mut seen: BTreeMap<(Module, Module), String> = BTreeMap::new();
    for Import { file, line, from, path } in house.imports() {
        let to = house.home(&path);
        let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
        if from.len() > shared && to.len() > shared {
            let pair = (from[..=shared].to_vec(), to[..=shared].to_vec());
            seen.entry(pair).or_insert_with(|| format!("{file}:{line}"));
        }
    }
    let both = |((one, other), place): (&(Module, Module), &String)| {
        let back = seen.get(&(other.clone(), one.clone())).filter(|_| one < other)?;
        Some(format!("{} and {} import each other: {place}, {back}", one.join("::"), other.join("::")))
    };
    seen.iter().filter_map(both).collect()
}

#[test]
fn nothing_imports_upward() {
    let wrong = upward(&files());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_two_rooms_import_each_other() {
    let wrong = circles(&files());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The house with this added to the end of a file.
fn with(file: &str, added: &str) -> Vec<(String, String)> {
    let mut files = files();
    let (_, text) = files.iter_mut().find(|(name, _)| name == file).unwrap();
    *text += &format!("\n{added}\n");
    files
}

#[test]
fn an_upward_import_is_noticed() {
    let noticed = [
        ("src/game/record.rs", "use crate::search::Ties;", "search::Ties from above: search stands over game"),
        ("src/game/record.rs", "use super::super::app::tab::Tab as _;", "app::tab::Tab from above: app"),
        ("src/search/root.rs", "pub use crate::{\n    rng,\n    job::{self, worker::{News}},\n};", "job from above"),
        ("src/player/spec.rs", "fn f() -> Option<crate::arena::Score> { None }", "arena::Score from above"),
        ("src/rng.rs", "fn f<'a>(c: char) -> bool { c == '\"' && crate::log::is('\"') }", "log::is from above"),
        ("src/app/mod.rs", "macro_rules! m { () => { $crate::tabs::all() } }", "tabs::all from above"),
        ("src/evolve/gp/row.rs", "use crate::evolve::kalah::Settings;", "evolve::kalah::Settings from above"),
        ("src/evolve/gp/row.rs", "use crate::arena::Score;", "arena::Score from beside: arena and evolve::gp"),
        ("src/step.rs", "use crate::nowhere::Else;", "nowhere::Else, which is on no floor"),
        ("src/step.rs", "mod inner { pub use super::super::cli; }", "inner wants a file of its own"),
    ];
    for (file, added, expected) in noticed {
        let wrong = upward(&with(file, added)).join("\n");
        assert!(wrong.contains(expected) && wrong.contains(file), "{added}: '{wrong}'");
    }
    let new = [files(), vec![("src/othello.rs".to_owned(), String::new())]].concat();
    assert_eq!(upward(&new), ["src/othello.rs is on no floor"]);
}

#[test]
fn what_is_no_import_is_left_alone() {
    for added in [
        "// use crate::app::App;\n/* use crate::app::App; /* */ crate::app::run() */",
        "/// [`App`](crate::app::App)\nconst S: &str = \"\\\"use crate::app::App;\";",
        "const S: &str = r#\"\" use crate::app::App; \"#;",
        "#[cfg(test)]\nmod more {\n    use crate::app::App;\n    fn f() {}\n}\nuse crate::plain;",
        "#[cfg(test)]\npub(crate) fn f(a: [u8; 2]) { crate::app::run() }",
        "use std::app::tabs;",
    ] {
        assert_eq!(upward(&with("src/game/record.rs", added)), [""; 0], "{added}");
    }
}

#[test]
fn a_circle_is_noticed() {
    let pairs = [
        // genome imports what operators has; the other way round, under another's name, and through the folder's own list.
        ("src/evolve/ga/genome.rs", "use super::operators::Roulette;", "evolve::ga::genome and evolve::ga::operators"),
        (
            "src/evolve/ga/genome.rs",
            "use crate::evolve::ga::Operators as O;",
            "evolve::ga::genome and evolve::ga::operators",
        ),
        ("src/tabs/runs/home.rs", "use crate::tabs::weights::WeightsTab;", "tabs::runs and tabs::weights"),
    ];
    for (file, added, expected) in pairs {
        let found = circles(&with(file, added));
        assert!(found.iter().any(|circle| circle.starts_with(expected)), "{added}: {found:?}");
    }
}

/// Rooms in the order in which a text lists them go up, and all are there.
fn goes_up(rooms: &[String]) {
    let path = |room: &str| room.split("::").map(str::to_owned).collect::<Module>();
    // A list of rooms stands where its lowest does.
    let floor = |room: &String| {
        let is_of_it = |other: &&str| path(other).starts_with(&path(room));
        FLOORS.iter().position(|rooms| rooms.iter().any(&is_of_it)).expect(room)
    };
    assert!(rooms.is_sorted_by_key(floor), "{rooms:?}");
    for room in FLOORS.iter().copied().flatten().filter(|room| **room != "main") {
        assert!(rooms.iter().any(|listed| path(room).starts_with(&path(listed))), "{room} is not listed");
    }
}

#[test]
fn what_tells_of_the_floors_tells_their_order() {
    let named = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let bullets = include_str!("../../src/lib.rs").lines().filter_map(|line| line.strip_prefix("//! - "));
    goes_up(&bullets.flat_map(|line| named(line.split(": ").next().unwrap())).collect::<Vec<_>>());
    let plain =
        |name: String| name.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches('/').replace('/', "::");
    let table = include_str!("../../ARCHITECTURE.md").lines().skip_while(|line| !line.starts_with("|--")).skip(1);
    let cells = table.take_while(|line| line.starts_with('|')).filter_map(|line| line.split('|').nth(1));
    goes_up(&cells.flat_map(named).map(plain).collect::<Vec<_>>());
}
