//! The dialog that makes a plan of a preset: seeds, settings, what varies, and who computes it.

use std::path::PathBuf;

use crossterm::event::{KeyEvent, MouseEvent};
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::submit::Engine;
use crate::app::overlay::{Outcome, Overlay, TaskResult};
use crate::cluster::create::{Wanted, make};
use crate::cluster::sweep::{Vary, seeds};
use crate::job::run_dir::free_folder;
use crate::kinds::AnySettings;
use crate::settings::KeyedSettings as _;
use crate::tabs::runs::Found;
use crate::ui::Look;
use crate::ui::form::{Field, Form, FormKey};

const SEEDS: &str = "Seeds";
const VARY: &str = "Vary";
const SET: &str = "Set";
const COMPUTE: &str = "Compute";

/// A form whose answer is a plan's folder.
pub(in crate::tabs::runs) struct NewPlan {
    form: Form,
    settings: AnySettings,
    /// The folder of saved runs.
    runs: PathBuf,
}

impl NewPlan {
    pub fn new(settings: AnySettings, runs: PathBuf) -> NewPlan {
        let generations = settings.manifest().generations;
        let set =
            if settings.kind().count == "generations" { format!("generations={generations}") } else { String::new() };
        let engines = Engine::WORDS.iter().map(|(word, _)| (*word).to_owned()).collect();
        let fields = vec![
            Field::text(SEEDS, Vec::new(), "1-10").explained("seeds of the runs, such as 1-20 or 1,4,7-9", "1-10"),
            Field::text(VARY, Vec::new(), "").explained(
                "settings with several values, such as population=100,200; separate several settings by ;",
                "",
            ),
            Field::text(SET, Vec::new(), set.clone()).explained("other settings of all runs, separated by ;", set),
            Field::choice(COMPUTE, engines, Engine::Here.to_string())
                .explained("who computes the units: this machine, HyperQueue, Slurm, or nobody yet", "here"),
        ];
        NewPlan { form: Form::new(fields), settings, runs }
    }

    fn submit(&self) -> Outcome {
        let texts = [SEEDS, VARY, SET].map(|label| self.form.value(label).trim().to_owned());
        let engine: Engine = self.form.value(COMPUTE).parse().unwrap_or_default();
        let (settings, runs) = (self.settings.clone(), self.runs.clone());
        Outcome::Background(Box::new(move || Box::new(planned(settings, &runs, &texts).map(|folder| (folder, engine)))))
    }
}

/// The folder of the plan, and who computes it; or an error with the index of its field.
type Planned = Result<(PathBuf, Engine), (usize, String)>;

fn planned(mut settings: AnySettings, runs: &std::path::Path, texts: &[String; 3]) -> Result<PathBuf, (usize, String)> {
    let [seeds_text, vary_text, set_text] = texts;
    let wrong = |field: usize| move |error: Error| (field, error.to_string());
    let seeds = seeds(seeds_text).map_err(wrong(0))?;
    let vary = parts(vary_text).map(Vary::parse).collect::<Result<Vec<_>, _>>().map_err(wrong(1))?;
    for part in parts(set_text) {
        let (key, value) = part.split_once('=').ok_or((2, format!("'{part}' is not KEY=VALUE")))?;
        settings.set(key.trim(), value.trim()).map_err(wrong(2))?;
    }
    settings.check().map_err(wrong(2))?;
    let folder = free_folder(runs, &format!("plan-{}", settings.manifest().preset));
    let wanted = Wanted { command: settings.kind().command, settings, seeds, vary, block: None };
    make(wanted, &folder).map_err(wrong(1))?;
    Ok(folder)
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim).filter(|part| !part.is_empty())
}

impl Overlay for NewPlan {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match self.form.key(key) {
            FormKey::Submit => self.submit(),
            FormKey::Cancel => Outcome::Close,
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn answer(&mut self, answer: TaskResult) -> Outcome {
        match answer.downcast::<Planned>().map(|planned| *planned) {
            Ok(Ok((folder, engine))) => return Outcome::TaskResult(Box::new(Found::Planned { folder, engine })),
            Ok(Err((field, reason))) => {
                self.form.go_to(field);
                self.form.error = Some(reason);
            }
            Err(_) => {}
        }
        Outcome::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        self.form.mouse(mouse);
        Outcome::Stay
    }

    fn paste(&mut self, text: &str) {
        self.form.paste(text);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let title = "A plan of many runs";
        self.form.dialog((title, "Enter: plan (takes some seconds), Esc: cancel"), 76, area, buf, look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds;

    #[test]
    fn a_plan_is_made_of_texts_and_errors_name_their_field() {
        let runs = tempfile::tempdir().unwrap();
        let settings = || kinds::by_command("evolve").unwrap().preset("mancala-gp-1").unwrap();
        let plan = |texts: [&str; 3]| planned(settings(), runs.path(), &texts.map(str::to_owned));
        let folder = plan(["1-2", "population=8,9; elitism=1,2", "generations=1;opponents=max"]).unwrap();
        let plan_made = crate::cluster::plan::Plan::open(&folder).unwrap();
        assert_eq!((plan_made.units(), plan_made.draft().manifest.generations), (8, 1));
        assert_eq!(plan(["x", "", ""]).unwrap_err().0, 0);
        assert_eq!(plan(["1", "population", ""]).unwrap_err().0, 1);
        assert_eq!(plan(["1", "", "populaton=8"]).unwrap_err().0, 2);
        assert!(plan(["1", "", "generations"]).unwrap_err().1.contains("KEY=VALUE"));
    }
}
