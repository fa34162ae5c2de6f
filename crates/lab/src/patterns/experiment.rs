//! Learning of pattern weights as a kind of run.

use super::learnable::Learnable;
use super::{PatternLearning, Settings, View};
use crate::kinds::{AnyView, Experiment};
use crate::learners::Snapshot;
use mancalab_base::Error;

impl<G: Learnable> Experiment for PatternLearning<G> {
    const COMMAND: &'static str = "train";
    const CURVE: Option<&'static str> = Some(G::SUBJECT.curve);
    const PRESETS: &'static [(&'static str, &'static str)] = std::slice::from_ref(&G::SUBJECT.preset);

    fn preset(name: &str) -> Option<Settings> {
        (name == G::SUBJECT.preset.0).then(G::usual)
    }

    fn title(_: &Settings) -> String {
        format!("patterns of {}", G::SUBJECT.title)
    }

    fn check(settings: &Settings) -> Result<(), Error> {
        settings.check()
    }

    fn seen(_: &Settings, view: View) -> AnyView {
        AnyView::new(Snapshot::Patterns(view))
    }
}
