//! The pictures of the README and the book. `cargo test --lib pictures -- --ignored` draws all of them anew, from the program as it is.
//!
//! Each has the text of its screens as a description, with measured times and speeds masked; by it the other tests find stale pictures.

use std::path::{Path, PathBuf};

use crate::app::stage::{Frame, Stage, config, moving, svg};
use crate::budget::{Budget, Job as _};
use crate::evolve::kalah::weights::preset;
use crate::job::RunJob;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;
use crate::tabs::board::{Settings, Setup};
use crate::tabs::staged::with_runs;
use crate::tabs::{self, TabSettings};

/// A game with mistakes of both.
const GAME: &str = "[Game \"kalah\"]\n[South \"minimax:3\"]\n[North \"minimax:6\"]\n\n1. E 2. b e 3. B A 4. f 5. A 6. c 7. F 8. e d 9. B 10. c 11. E \
                    12. f 13. F A 14. b 15. B 16. c 17. D 18. a 19. F E 20. c 21. A 22. b 23. F";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)
}

fn picture(stage: &mut Stage, (width, height): (u16, u16)) -> String {
    let text = stage.screen(width, height);
    svg(&stage.buffer(width, height), &text)
}

/// A reviewed game with the analysis of a position.
fn board() -> String {
    let mut config = config();
    config.search.analysis_depth = 14;
    let mut stage = Stage::with_config(config, "human", "human");
    stage.paste(GAME);
    picture(stage.keys("r home > > > i"), (120, 40))
}

/// A run of genetic programming.
fn evolution() -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = with_runs("2", folder.path(), None);
    picture(stage.keys("down enter"), (120, 40))
}

/// The number behind a word on the screen.
fn number(stage: &mut Stage, word: &str) -> u32 {
    let screen = stage.screen(120, 40);
    screen.split(word).nth(1).and_then(|after| after.trim_start().split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// A tournament, paused.
fn arena() -> String {
    tournament(500)
}

/// The same after a few games.
fn beginning_arena() -> String {
    tournament(30)
}

fn tournament(least: u32) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = with_runs("4", folder.path(), None);
    stage.press("enter");
    stage.wait_until("enough games", |stage| number(stage, "game ") > least);
    // The stage has no clock for the remaining time.
    stage.press("space");
    stage.until("paused");
    stage.press("down").press("down").press("right").press("right").press("right");
    let picture = picture(&mut stage, (110, 32));
    stage.press("x");
    picture
}

/// Runs of three kinds of settings, one of them under way.
fn monitor() -> String {
    let folder = tempfile::tempdir().unwrap();
    let begun = |name: &str, population: &str| {
        let mut settings = preset("kalah-thesis").unwrap();
        for (key, value) in [("population", population), ("generations", "12"), ("depth", "1"), ("games", "4")] {
            settings.set(key, value).unwrap();
        }
        let mut job = RunJob::create(&folder.path().join(name), settings, &Pool::alone()).unwrap();
        (0..7).for_each(|_| _ = job.step(Budget::UNLIMITED.single()));
        job.save();
        job
    };
    begun("weights-small", "8").step(Budget::UNLIMITED);
    begun("weights-stopped", "12");
    let running = begun("weights-large", "16");
    let mut stage = with_runs("6", folder.path(), None);
    let picture = picture(stage.keys("down down enter up up"), (110, 24));
    drop(running);
    picture
}

/// The first start, a move, a hint, a review, and a mistake tried again.
fn play() -> String {
    const SIZE: (u16, u16) = (80, 24);
    let mut frames = Vec::new();
    let mut texts = String::new();
    let mut show = |stage: &mut Stage, caption: &'static str, seconds: f32| {
        texts += &format!("{caption}\n{}", stage.screen(SIZE.0, SIZE.1));
        frames.push(Frame { buffer: stage.buffer(SIZE.0, SIZE.1), caption, seconds });
    };
    let staged = |setup: Setup, welcomes: bool| {
        let mut config = config();
        (config.review.depth, config.search.analysis_depth) = (crate::config::PerGame::all(8), 8);
        let settings = Settings { welcomes, ..Settings::new(setup, None) };
        Stage::with_tabs(config, tabs::all(TabSettings::new(settings, &Paths::default())))
    };
    let mut first = staged(Setup::from_config(&config().board), true);
    show(&mut first, "The first start: choose a game and a level", 1.4);
    let players = ["human", "easy"].map(|text| text.parse().unwrap());
    let mut stage = staged(Setup { seed: Some(1), ..Setup::new(config().board.game, players) }, false);
    show(&mut stage, "A to F sow your pits", 1.0);
    show(stage.keys("C"), "C: the last seed lands in the store, so South moves again", 1.2);
    show(stage.keys("t"), "t: a hint", 1.2);
    show(stage.keys("F"), "F, and Easy answers", 1.0);
    stage.paste(GAME);
    show(stage.keys("r home"), "r: a whole game reviewed, with the chance of winning", 1.4);
    show(stage.keys(">"), "> the first mistake, and what was better", 1.4);
    show(stage.keys("Z"), "Z: try your mistakes again", 1.0);
    show(stage.keys("B"), "Another move is judged at once", 1.4);
    show(stage.keys("C"), "and this is the better one", 1.6);
    moving(&frames, &texts)
}

/// What of a picture is compared with the program of today.
#[derive(Clone, Copy)]
enum Compared {
    Whole,
    /// The titles of its panels and the columns of its tables, with those of what this draws, which may be sooner done than the picture.
    Labels(fn() -> String),
}

/// A picture: its file, what draws it, and what is compared.
type Picture = (&'static str, fn() -> String, Compared);

const PICTURES: [Picture; 5] = [
    ("play.svg", play, Compared::Whole),
    ("board.svg", board, Compared::Whole),
    ("evolution.svg", evolution, Compared::Labels(evolution)),
    ("arena.svg", arena, Compared::Labels(beginning_arena)),
    ("monitor.svg", monitor, Compared::Labels(monitor)),
];

#[test]
#[ignore = "writes the pictures in docs"]
fn pictures_are_drawn() {
    for (name, draw, _) in PICTURES {
        crate::files::write_atomic(&path(name), draw().as_bytes()).unwrap();
    }
}

/// The text of a picture's screens.
fn text(svg: &str) -> &str {
    svg.split("<desc>\n").nth(1).and_then(|rest| rest.split("</desc>").next()).expect("a description")
}

/// A text without the numbers of positions: a search that is cut into steps by the clock visits a few more.
fn steady(text: &str) -> String {
    let words = text.split(' ').collect::<Vec<_>>();
    let is_count = |index: usize| words.get(index + 1).is_some_and(|next| *next == "nodes");
    let steady = words.iter().enumerate().map(|(index, word)| if is_count(index) { "N" } else { word });
    steady.collect::<Vec<_>>().join(" ")
}

/// The words in the frames and at the heads of tables, in alphabetical order.
fn labels(text: &str) -> Vec<&str> {
    let is_label =
        |line: &&str| line.starts_with(['╭', '├', '╰', '▸']) || line.contains("rank ") || line.contains("Elo");
    let is_word = |word: &&str| word.len() > 2 && word.chars().all(char::is_alphabetic);
    let mut words: Vec<&str> = text.lines().filter(is_label).flat_map(|line| line.split(' ')).filter(is_word).collect();
    words.sort_unstable();
    words.dedup();
    assert!(words.len() > 4, "{words:?}");
    words
}

#[test]
fn pictures_are_those_of_today() {
    let stale = "is stale: cargo test --lib pictures -- --ignored";
    let tabs = Stage::new("human", "human").screen(110, 24);
    let words = |line: &str| {
        line.split("  ").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let known = words(tabs.lines().next().unwrap());
    for (name, draw, compared) in PICTURES {
        let kept = std::fs::read_to_string(path(name)).unwrap();
        match compared {
            Compared::Whole => assert_eq!(steady(text(&kept)), steady(text(&draw())), "docs/{name} {stale}"),
            Compared::Labels(draw) => assert_eq!(labels(text(&kept)), labels(text(&draw())), "docs/{name} {stale}"),
        }
        let shown: Vec<String> = text(&kept).lines().flat_map(words).collect();
        let titles = known.iter().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        titles.for_each(|title| assert!(shown.contains(title), "docs/{name} {stale}: no {title} in {shown:?}"));
    }
}
