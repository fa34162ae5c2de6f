//! The rows that all tabs of runs share, but for their ids, which [`run_commands!`](super::run_commands) puts together.

use super::{Kind, Runs};
use crate::app::command::Command;

type Row<K> = Command<Runs<K>>;

pub const fn pause<K: Kind>(id: &'static str) -> Row<K> {
    Row::new(id, "Pause the run, or let it go on", &["space"], Runs::toggle_pause)
        .footer("pause")
        .footer_now(|tab| (!tab.is_running()).then_some("run"))
        .when(Runs::shows_open_run)
}

pub const fn step<K: Kind>(id: &'static str, title: &'static str) -> Row<K> {
    Row::new(id, title, &["s"], Runs::step).footer("step").when(Runs::shows_open_run)
}

pub const fn open<K: Kind>(id: &'static str) -> Row<K> {
    Row::new(id, "Start, go on with, or open what is selected", &["enter"], Runs::open_selected)
        .footer("open")
        .footer_now(Runs::word_for_open)
        .when(Runs::can_open)
}

pub const fn list<K: Kind>(id: &'static str) -> Row<K> {
    Row::new(id, "Go to the list of presets and runs, or back", &["l"], Runs::turn_page)
        .footer("runs")
        .footer_now(|tab| (!tab.shows_run).then_some("back"))
        .when(|tab| tab.shows_run || tab.current.is_some())
}

pub const fn save<K: Kind>(id: &'static str) -> Row<K> {
    Row::new(id, "Save a checkpoint now", &["w"], Runs::save).footer("save").when(Runs::shows_open_run)
}

pub const fn stop<K: Kind>(id: &'static str) -> Row<K> {
    Row::new(id, "Save and stop the run", &["x"], Runs::save_and_stop).footer("stop").when(Runs::shows_open_run)
}

pub const fn edit<K: Kind>(id: &'static str) -> Row<K> {
    Row::new(id, "Change the settings, then start", &["e"], Runs::edit).footer("edit").when(Runs::can_edit)
}
