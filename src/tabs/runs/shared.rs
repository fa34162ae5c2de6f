//! The rows shared by all run tabs; [`run_commands!`](super::run_commands) builds their ids.

use super::parts::panels::Action;
use super::{Page, Runs};
use crate::app::command::Command;
use crate::app::tab::Context;

type Row = Command<Runs>;
/// The handler of a command.
type Run = fn(&mut Runs, &mut Context);

pub const fn pause(id: &'static str) -> Row {
    Row::new(id, "Pause or resume the run; in the list: mark a run", &["space"], Runs::pause_or_mark)
        .footer("pause")
        .footer_now(|tab| match tab.shows_run() {
            false => Some("mark"),
            true => (!tab.is_running()).then_some("run"),
        })
        .enabled_if(|tab| tab.shows_open_run() || tab.chooses_kept())
}

pub const fn step(id: &'static str, title: &'static str) -> Row {
    Row::new(id, title, &["s"], Runs::step).footer("step").enabled_if(Runs::shows_open_run).owner_only()
}

pub const fn open(id: &'static str) -> Row {
    Row::new(id, "Start, resume or open the selection", &["enter"], Runs::open_selected)
        .footer("open")
        .footer_now(Runs::word_for_open)
        .enabled_if(Runs::can_open)
}

pub const fn list(id: &'static str) -> Row {
    Row::new(id, "Show the list of presets, runs and plans, or go back", &["l"], Runs::turn_page)
        .footer("runs")
        .footer_now(|tab| (tab.page == Page::List).then_some("back"))
        .enabled_if(|tab| tab.page != Page::List || tab.compared.is_some() || tab.behind() != Page::List)
}

pub const fn units(id: &'static str) -> Row {
    Row::new(id, "Show a plan's units, its merged view, or both", &["u"], Runs::turn_plan)
        .footer("units")
        .footer_now(Runs::word_for_units)
        .enabled_if(|tab| tab.plan_in_front().is_some())
        .disabled_reason("open a plan first (Enter in the list)")
}

pub const fn save(id: &'static str) -> Row {
    Row::new(id, "Save a checkpoint now", &["w"], Runs::save)
        .footer("save")
        .enabled_if(Runs::shows_open_run)
        .owner_only()
}

pub const fn stop(id: &'static str) -> Row {
    Row::new(id, "Save and stop the run, or the units of the plan", &["x"], Runs::save_and_stop)
        .footer("stop")
        .footer_now(|tab| tab.computes_plan().then_some("stop"))
        .enabled_if(Runs::can_stop)
        .owner_only()
}

pub const fn edit(id: &'static str) -> Row {
    Row::new(id, "Edit a preset's settings and start, or extend the selected run", &["e"], Runs::edit)
        .footer("edit")
        .footer_now(|tab| tab.chooses_kept().then_some("extend"))
        .enabled_if(Runs::can_edit)
        .owner_only()
}

pub const fn sort(id: &'static str) -> Row {
    Row::new(id, "Sort by the next column, or compare by it", &["o"], Runs::sort)
        .footer_now(|tab| tab.compared.is_some().then_some("column"))
        .enabled_if(Runs::can_sort)
}

pub const fn reverse(id: &'static str) -> Row {
    Row::new(id, "Reverse the order, or compare by the previous column", &["O"], Runs::reverse)
        .enabled_if(Runs::can_sort)
}

pub const fn filter(id: &'static str) -> Row {
    Row::new(id, "Filter the list of runs", &["/"], Runs::ask_filter).footer("filter").enabled_if(Runs::shows_list)
}

pub const fn compare(id: &'static str) -> Row {
    Row::new(id, "Compare the marked runs", &["C"], Runs::compare)
        .footer("compare")
        .enabled_if(Runs::can_compare)
        .disabled_reason("mark two or more runs in the list first (space)")
}

pub const fn plan(id: &'static str) -> Row {
    Row::new(id, "Plan many runs of the preset; of a plan: compute the rest here, or merge it", &["p"], Runs::plan)
        .footer("plan")
        .footer_now(Runs::word_for_plan)
        .enabled_if(Runs::can_plan)
        .disabled_reason("choose a preset, or a plan that is not merged yet, in the list first")
        .owner_only()
}

pub const fn summary(id: &'static str) -> Row {
    Row::new(id, "Summarise groups: of marked runs, of a plan, or of a run with other seeds", &["S"], Runs::summarise)
        .footer("summary")
        .enabled_if(Runs::can_summarise)
        .disabled_reason("choose a run or a plan in the list first")
}

pub const fn rename(id: &'static str) -> Row {
    Row::new(id, "Rename the selected run", &["R"], Runs::ask_rename).enabled_if(Runs::chooses_kept).owner_only()
}

pub const fn fork(id: &'static str) -> Row {
    Row::new(id, "Fork the selected run: go on from one of its generations with other settings", &["F"], Runs::ask_fork)
        .enabled_if(Runs::chooses_kept)
        .owner_only()
}

pub const fn tag(id: &'static str) -> Row {
    Row::new(id, "Change the tags of the selected run or plan", &["#"], Runs::ask_tags)
        .enabled_if(Runs::chooses_kept)
        .owner_only()
}

pub const fn note(id: &'static str) -> Row {
    Row::new(id, "Write a note about the selected run or plan", &["N"], Runs::ask_note)
        .enabled_if(Runs::chooses_kept)
        .owner_only()
}

pub const fn delete(id: &'static str) -> Row {
    Row::new(id, "Delete the marked runs or the selected one", &["D"], Runs::ask_delete)
        .footer("delete")
        .enabled_if(Runs::chooses_kept)
        .owner_only()
}

pub const fn export(id: &'static str) -> Row {
    Row::new(id, "Export the marked runs or the selected one as CSV", &["X"], Runs::ask_export)
        .enabled_if(Runs::chooses_kept)
        .owner_only()
}

pub const fn challenge(id: &'static str, title: &'static str) -> Row {
    own(id, title, &["c"], |tab, cx| tab.act(Action::Challenge, cx))
        .footer("challenge")
        .enabled_if(|tab| tab.shows(|panels, view_model| panels.can_challenge(view_model)))
        .owner_only()
}

pub const fn analyse(id: &'static str, title: &'static str) -> Row {
    own(id, title, &["A"], |tab, cx| tab.act(Action::Analyse, cx))
        .footer("analyse")
        .enabled_if(|tab| tab.shows(|panels, view_model| panels.can_challenge(view_model)))
}

pub const fn details(id: &'static str, title: &'static str) -> Row {
    own(id, title, &["d"], |tab, cx| tab.act(Action::NextDetails, cx)).footer("details")
}

pub const fn measure(id: &'static str, title: &'static str) -> Row {
    own(id, title, &["m"], |tab, cx| tab.act(Action::NextDetails, cx)).footer("measure")
}

pub const fn focus(id: &'static str) -> Row {
    own(id, "Go to the next panel", &["f"], |tab, cx| tab.act(Action::NextPane, cx)).footer("panel")
}

pub const fn zoom(id: &'static str) -> Row {
    own(id, "Zoom the panel, or show all panels", &["z"], |tab, cx| tab.act(Action::Zoom, cx)).footer("zoom")
}

pub const fn span(id: &'static str) -> Row {
    let title = "Change the span: run so far, newest part, whole run";
    own(id, title, &["a"], |tab, cx| tab.act(Action::NextSpan, cx)).footer("span")
}

pub const fn shape(id: &'static str) -> Row {
    let title = "Change the curves: as they are, smoothed, logarithmic";
    own(id, title, &["v"], |tab, cx| tab.act(Action::NextShape, cx))
}

/// A command for the open run, while the run has something to show.
const fn own(id: &'static str, title: &'static str, keys: &'static [&'static str], run: Run) -> Row {
    Row::new(id, title, keys, run).enabled_if(|tab| tab.shows(|_, _| true))
}
