//! Proof, in tests, of what the registries promise: another game is a file and a line, another tab is a file and a line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Opening;
use crate::app::command::{Command, Commanded};
use crate::app::effect::{Context, Tone};
use crate::app::stage::{Stage, config};
use crate::app::tab::Tab;
use crate::job::{JobId, News};
use crate::paths::Paths;
use crate::step::{Budget, Job, Status};
use crate::tabs::board::{Settings, Setup};
use crate::theme::Role;
use crate::ui::{Look, put};

/// Counts to a hundred when asked to.
#[derive(Default)]
struct Counting {
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

impl Commanded for Counting {
    const COMMANDS: &'static [Command<Counting>] =
        &[Command::new("counting.start", "Start counting", &["s"], Counting::start).footer("start")];
}

impl Counting {
    fn start(&mut self, cx: &mut Context) {
        self.job = Some(cx.start(Count(0)));
    }
}

impl Tab for Counting {
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
    let board = Settings { setup, opened: None, games: None };
    let mut tabs = super::all(Opening::new(board, &Paths::default()));
    tabs.push(Box::<Counting>::default());
    let number = tabs.len().to_string();
    let mut stage = Stage::with_tabs(config(), tabs);
    assert!(stage.shows(&format!("{number} Counting")));
    stage.keys(&number);
    assert!(stage.shows("the count is 0") && stage.shows("s start") && stage.shows("to a hundred"));
    assert!(stage.keys("?").shows("Start counting"));
    assert!(stage.keys("esc :").text("start c").keys("enter").shows("the count is 100"));
    assert!(stage.shows("counted"));
}

#[test]
fn another_game_is_a_file_and_a_line() {
    let mut config = config();
    config.board.game = "take".parse().unwrap();
    let mut stage = Stage::with_config(config, "human", "minimax:4");
    assert!(stage.shows("Take plain"));
    assert!(stage.keys("i").shows("+1"), "{}", stage.screen(120, 40));
    stage.keys("B A");
    assert!(stage.shows("Game over · South wins 4 : 3"), "{}", stage.screen(120, 40));
    let text = crate::game::notation::write(&stage_record());
    assert_eq!(crate::game::notation::read(&text).unwrap(), stage_record());
    stage.keys("n right right");
    assert!(stage.shows("Pits a side"), "another game brings its own rules into the dialog");
}

fn stage_record() -> crate::game::record::Record {
    let mut record = crate::game::record::Record::new("take".parse().unwrap(), ["max".into(), "max".into()], Some(3));
    assert!([1, 0, 0, 1].map(crate::game::Move).into_iter().all(|mv| record.play(mv)));
    record
}
