//! The view of either kind of learner.

use std::ops::Deref;

use crate::evaluations;
use crate::job::View;
use crate::measuring::Learner;
use crate::train;

/// A snapshot of a run of `train`.
#[derive(Clone, PartialEq, Debug)]
pub enum Snapshot {
    Network(train::View),
    Evaluation(evaluations::View),
}

impl Deref for Snapshot {
    type Target = dyn Learner;

    fn deref(&self) -> &Self::Target {
        match self {
            Snapshot::Network(view) => view,
            Snapshot::Evaluation(view) => view,
        }
    }
}

impl Snapshot {
    /// Returns the view of a run, if it is one of `train`.
    pub fn from_view(view: &View) -> Option<Snapshot> {
        let network = view.get::<train::View>().cloned().map(Snapshot::Network);
        network.or_else(|| view.get::<evaluations::View>().cloned().map(Snapshot::Evaluation))
    }
}
