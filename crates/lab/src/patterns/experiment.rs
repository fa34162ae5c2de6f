//! Learning of pattern weights as a kind of run.

use super::{PRESETS, PatternLearning, Settings, View, preset};
use crate::kinds::{AnyView, Experiment};
use crate::learners::Snapshot;
use mancalab_base::Error;

impl Experiment for PatternLearning {
    const COMMAND: &'static str = "train";
    const CURVE: Option<&'static str> = Some("error_discs");
    const PRESETS: &'static [(&'static str, &'static str)] = PRESETS;

    fn preset(name: &str) -> Option<Settings> {
        preset(name)
    }

    fn title(_: &Settings) -> String {
        "patterns of Othello".to_owned()
    }

    fn check(settings: &Settings) -> Result<(), Error> {
        settings.check()
    }

    fn seen(_: &Settings, view: View) -> AnyView {
        AnyView::of(Snapshot::Patterns(view))
    }
}
