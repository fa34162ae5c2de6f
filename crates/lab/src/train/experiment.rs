//! Training as a kind of run.

use super::{PRESETS, Schedule, Settings, Total, Training, View, preset};
use crate::game::Variant;
use crate::kinds::{AnyView, Experiment};
use crate::learners::Snapshot;
use mancalab_base::Error;

impl Experiment for Training {
    const COMMAND: &'static str = "train";
    const CURVE: Option<&'static str> = Some("won_percent");
    const PRESETS: &'static [(&'static str, &'static str)] = PRESETS;

    fn preset(name: &str) -> Option<Settings> {
        preset(name)
    }

    fn title(_: &Settings) -> String {
        "networks".to_owned()
    }

    fn about(key: &str) -> Option<&'static str> {
        match key {
            "seed" => Some("decides all random choices; the same seed and settings give the same run"),
            "generations" => Some("generations of rounds after the initial one"),
            _ => None,
        }
    }

    fn offers(settings: &Settings, key: &str) -> Vec<String> {
        match key {
            "game" => Variant::usual().iter().map(Variant::to_string).collect(),
            "encoding" => settings.encodings().into_iter().map(str::to_owned).collect(),
            "schedule" => Schedule::WORDS.iter().map(|(word, _)| (*word).to_owned()).collect(),
            "total" => Total::WORDS.iter().map(|(word, _)| (*word).to_owned()).collect(),
            _ => Vec::new(),
        }
    }

    fn check(settings: &Settings) -> Result<(), Error> {
        settings.check()
    }

    fn seen(_: &Settings, view: View) -> AnyView {
        AnyView::new(Snapshot::Network(view))
    }
}
