//! Tests that a tab needs only a file and a line, and that every tab supports a game from its folder alone.
//! `tests/additions` tests every kind of addition.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::TabSettings;
use crate::app::command::{Command, CommandTable};
use crate::app::stage::{Stage, config, config_of};
use crate::app::tab::{Context, Tab, Tone};
use crate::budget::{Budget, Job, Status};
use crate::game::notation;
use crate::job::{JobId, News};
use crate::paths::Paths;
use crate::tabs::board::{Settings, Setup};
use crate::theme::Role;
use crate::ui::{Look, put};

/// A tab that counts to a hundred on request.
#[derive(Default)]
struct CountingTab {
    job: Option<JobId>,
    count: u32,
}

struct Count(u32);

impl Job for Count {
    type View = u32;

    fn step(&mut self, _: Budget) -> Status {
        self.0 += 1;
        if self.0 < 100 { Status::Running } else { Status::Done }
    }

    fn view(&self) -> u32 {
        self.0
    }
}

impl CommandTable for CountingTab {
    const COMMANDS: &'static [Command<CountingTab>] =
        &[Command::new("counting.start", "Start counting", &["s"], CountingTab::start).footer("start")];
}

impl CountingTab {
    fn start(&mut self, cx: &mut Context) {
        self.job = Some(cx.start(Count(0)));
    }
}

impl Tab for CountingTab {
    fn scope(&self) -> &'static str {
        "counting"
    }

    fn title(&self) -> &'static str {
        "Counting"
    }

    fn subtitle(&self, _: &Look) -> String {
        "to a hundred".to_owned()
    }

    fn news(&mut self, job: JobId, news: News, cx: &mut Context) {
        assert_eq!(Some(job), self.job);
        self.count = *news.view.downcast().unwrap();
        cx.notice(Tone::Good, "counted");
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        put(look.span(Role::Text, format!("the count is {}", self.count)), area, buf);
    }
}

#[test]
fn another_tab_is_a_file_and_a_line() {
    let setup = Setup::from_config(&config().board);
    let board = Settings::new(setup, None);
    let mut tabs = super::all(TabSettings::new(board, &Paths::default()));
    tabs.push(Box::<CountingTab>::default());
    let number = tabs.len().to_string();
    let mut stage = Stage::with_tabs(config(), tabs);
    assert!(stage.shows(&format!("{number} Counting")), "the tab bar has its number: {}", stage.screen(120, 40));
    stage.keys(&number);
    assert_eq!((stage.tab(), &*stage.subject()), ("Counting", "to a hundred"));
    assert!(stage.body(80, 24).starts_with("the count is 0\n") && stage.offers("counting.start"));
    assert!(stage.keys("?").dialog_has("s Start counting"));
    assert_eq!(stage.keys("esc :").text("start c").keys("enter").notice(), "counted");
    assert!(stage.body(80, 24).starts_with("the count is 100\n"));
}

/// Tournaments and commands without a screen are in `tests/games/othello.rs`.
#[test]
fn othello_is_chosen_in_the_dialog_played_analysed_copied_and_pasted() {
    let mut stage = Stage::new("human", "human");
    stage.keys("n right");
    assert_eq!(stage.dialog_row("Pits a side"), "", "another game brings its own rules into the dialog");
    assert_ne!(stage.dialog_row("Start"), "");
    let mut config = config_of("othello");
    config.search.analysis_depth = 2;
    let mut stage = Stage::with_config(config, "minimax:2", "mcts:20");
    stage.keys("i");
    while stage.record().ending().is_none() {
        stage.pass(Duration::from_secs(1));
    }
    let text = stage.keys("y").copied().unwrap();
    let record = notation::read(&text).unwrap();
    assert!(record.result().is_some() && record.ply() > 30, "{text}");
    assert_eq!(notation::write(&record), text);
    let moves = stage.keys("ctrl-y").copied().unwrap();
    let mut other = Stage::new("human", "human");
    other.paste(&moves).wait();
    assert_eq!(other.subject(), "Othello 8×8");
    assert_eq!(other.story()[1], "Game over · Black wins 52 : 12");
    assert_eq!(other.keys("ctrl-y").copied().unwrap(), moves);
    assert_eq!(other.keys("Y").copied().unwrap(), record.position().to_text());
}
