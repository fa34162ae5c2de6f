//! The rows that all tabs of runs share, but for their ids, which [`run_commands!`](super::run_commands) puts together.

use super::{Page, Runs};
use crate::app::command::Command;
use crate::app::effect::Context;

type Row = Command<Runs>;
/// What a command does.
type Run = fn(&mut Runs, &mut Context);

pub const fn pause(id: &'static str) -> Row {
    Row::new(id, "Pause the run, or let it go on; in the list: mark a run", &["space"], Runs::pause_or_mark)
        .footer("pause")
        .footer_now(|tab| match tab.shows_run() {
            false => Some("mark"),
            true => (!tab.is_running()).then_some("run"),
        })
        .when(|tab| tab.shows_open_run() || tab.chooses_kept())
}

pub const fn step(id: &'static str, title: &'static str) -> Row {
    Row::new(id, title, &["s"], Runs::step).footer("step").when(Runs::shows_open_run)
}

pub const fn open(id: &'static str) -> Row {
    Row::new(id, "Start, go on with, or open what is selected", &["enter"], Runs::open_selected)
        .footer("open")
        .footer_now(Runs::word_for_open)
        .when(Runs::can_open)
}

pub const fn list(id: &'static str) -> Row {
    Row::new(id, "Go to the list of presets, runs and plans, or back", &["l"], Runs::turn_page)
        .footer("runs")
        .footer_now(|tab| (tab.page == Page::List).then_some("back"))
        .when(|tab| tab.page != Page::List || tab.compared.is_some() || tab.behind() != Page::List)
}

pub const fn units(id: &'static str) -> Row {
    Row::new(id, "Show a plan's units with what they give so far, or only one of them", &["u"], Runs::turn_plan)
        .footer("units")
        .footer_now(Runs::word_for_units)
        .when(|tab| tab.plan_in_front().is_some())
        .otherwise("this is for a plan: Enter in the list opens one")
}

pub const fn save(id: &'static str) -> Row {
    Row::new(id, "Save a checkpoint now", &["w"], Runs::save).footer("save").when(Runs::shows_open_run)
}

pub const fn stop(id: &'static str) -> Row {
    Row::new(id, "Save and stop the run", &["x"], Runs::save_and_stop).footer("stop").when(Runs::shows_open_run)
}

pub const fn edit(id: &'static str) -> Row {
    Row::new(id, "Change a preset's settings, then start; or extend the chosen run", &["e"], Runs::edit)
        .footer("edit")
        .footer_now(|tab| tab.chooses_kept().then_some("extend"))
        .when(Runs::can_edit)
}

pub const fn sort(id: &'static str) -> Row {
    Row::new(id, "Sort by the next column", &["o"], Runs::sort).when(Runs::can_sort)
}

pub const fn reverse(id: &'static str) -> Row {
    Row::new(id, "Sort the other way round", &["O"], Runs::reverse).when(Runs::can_sort)
}

pub const fn filter(id: &'static str) -> Row {
    Row::new(id, "List only some of the runs", &["/"], Runs::ask_filter).footer("filter").when(Runs::shows_list)
}

pub const fn compare(id: &'static str) -> Row {
    Row::new(id, "Set the marked runs side by side", &["C"], Runs::compare)
        .footer("compare")
        .when(Runs::can_compare)
        .otherwise("two runs or more are compared: in the list, space marks one")
}

pub const fn rename(id: &'static str) -> Row {
    Row::new(id, "Rename the chosen run", &["R"], Runs::ask_rename).when(Runs::chooses_kept)
}

pub const fn delete(id: &'static str) -> Row {
    Row::new(id, "Delete the marked runs, or the chosen one", &["D"], Runs::ask_delete)
        .footer("delete")
        .when(Runs::chooses_kept)
}

pub const fn export(id: &'static str) -> Row {
    Row::new(id, "Export the marked runs, or the chosen one, as CSV", &["X"], Runs::ask_export).when(Runs::chooses_kept)
}

pub const fn challenge(id: &'static str, title: &'static str, run: Run) -> Row {
    own(id, title, &["c"], run).footer("challenge")
}

pub const fn details(id: &'static str, title: &'static str, run: Run) -> Row {
    own(id, title, &["d"], run).footer("details")
}

pub const fn focus(id: &'static str, run: Run) -> Row {
    own(id, "Go to the next panel", &["f"], run).footer("panel")
}

pub const fn zoom(id: &'static str, run: Run) -> Row {
    own(id, "Give the panel the whole page, or all panels again", &["z"], run).footer("zoom")
}

pub const fn span(id: &'static str, run: Run) -> Row {
    own(id, "Show the run so far, its newest part, or up to its end", &["a"], run).footer("span")
}

/// One of a tab's own commands, for the run in front. It applies while there is something of the run to be seen; where that is
/// not enough, `when` has to ask [`Runs::shows_own`].
pub const fn own(id: &'static str, title: &'static str, keys: &'static [&'static str], run: Run) -> Row {
    Row::new(id, title, keys, run).when(|tab| tab.shows(|_, _| true))
}
