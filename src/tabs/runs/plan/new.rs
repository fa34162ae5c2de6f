//! The dialog that makes a plan of a preset: seeds, settings, what varies, and who computes it.

use std::path::{Path, PathBuf};

use mancalab_base::Error;

use super::submit::Engine;
use crate::cluster::create::{PlanSpec, make};
use crate::cluster::sweep::{Vary, seeds};
use crate::job::{RunSettings, run_dir::free_folder};
use crate::kinds::KindOf as _;
use crate::tabs::runs::Answer;
use crate::tabs::runs::form_dialog::{FormDialog, ReadValues};
use crate::ui::form::{Field, Form};

/// Returns the form of a plan with these settings, made in the folder of saved `runs`.
pub(in crate::tabs::runs) fn new(settings: Box<dyn RunSettings>, runs: PathBuf) -> FormDialog {
    let generations = settings.manifest().generations;
    let set = if settings.kind().count == "generations" { format!("generations={generations}") } else { String::new() };
    let engines = Engine::WORDS.iter().map(|(word, _)| (*word).to_owned()).collect();
    let vary = "settings with several values, such as population=100,200; separate several settings by ;";
    let form = Form::new(vec![
        Field::text("Seeds", Vec::new(), "1-10").explained("seeds of the runs, such as 1-20 or 1,4,7-9", "1-10"),
        Field::text("Vary", Vec::new(), "").explained(vary, ""),
        Field::text("Set", Vec::new(), set.clone()).explained("other settings of all runs, separated by ;", set),
        Field::choice("Compute", engines, Engine::Here.to_string())
            .explained("who computes the units: this machine, HyperQueue, Slurm, or nobody yet", "here"),
    ]);
    let texts = ("A plan of many runs", "Enter: plan (takes some seconds), Esc: cancel");
    FormDialog::new(texts, form, move |values| read(settings.clone(), &runs, values))
}

fn read(mut settings: Box<dyn RunSettings>, runs: &Path, values: &[String]) -> ReadValues {
    let wrong = |field: usize| move |error: Error| (Some(field), error.to_string());
    let [seeds_text, vary_text, set_text, engine] = values else { return Err((None, "a field is missing".to_owned())) };
    let seeds = seeds(seeds_text).map_err(wrong(0))?;
    let vary = parts(vary_text).map(Vary::parse).collect::<Result<Vec<_>, _>>().map_err(wrong(1))?;
    for part in parts(set_text) {
        let (key, value) = part.split_once('=').ok_or((Some(2), format!("'{part}' is not KEY=VALUE")))?;
        settings.set(key.trim(), value.trim()).map_err(wrong(2))?;
    }
    settings.check().map_err(wrong(2))?;
    let folder = free_folder(runs, &format!("plan-{}", settings.manifest().preset));
    let wanted = PlanSpec { command: settings.kind().command, settings, seeds, vary, block: None };
    make(wanted, &folder).map_err(wrong(1))?;
    Ok(Answer::Planned { folder, engine: engine.parse().unwrap_or_default() })
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds;

    #[test]
    fn a_plan_is_made_of_texts_and_errors_name_their_field() {
        let runs = tempfile::tempdir().unwrap();
        let settings = || kinds::by_command("evolve").unwrap().preset("mancala-gp-1").unwrap();
        let plan = |[seeds, vary, set]: [&str; 3]| match read(
            settings(),
            runs.path(),
            &[seeds, vary, set, "slurm"].map(str::to_owned),
        ) {
            Ok(Answer::Planned { folder, engine: Engine::Slurm }) => Ok(folder),
            Ok(_) => panic!("no plan"),
            Err((field, reason)) => Err((field.unwrap(), reason)),
        };
        let folder = plan(["1-2", "population=8,9; elitism=1,2", "generations=1;opponents=max"]).unwrap();
        let plan_made = crate::cluster::plan::Plan::open(&folder).unwrap();
        assert_eq!((plan_made.units(), plan_made.draft().manifest.generations), (8, 1));
        assert_eq!(plan(["x", "", ""]).unwrap_err().0, 0);
        assert_eq!(plan(["1", "population", ""]).unwrap_err().0, 1);
        assert_eq!(plan(["1", "", "populaton=8"]).unwrap_err().0, 2);
        assert!(plan(["1", "", "generations"]).unwrap_err().1.contains("KEY=VALUE"));
    }
}
