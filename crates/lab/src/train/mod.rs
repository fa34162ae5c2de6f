//! Training a network by playing: the asynchronous advantage actor-critic, as a run.
//!
//! So many workers each have a copy of one global network. In a round every worker plays on with its copy, against opponents that
//! are drawn by their shares, until it has made so many decisions; it values them by what came of them (`worker`) and so has a
//! gradient. Then the gradients are applied to the global network one by one, in the workers' order, and each worker copies the
//! global weights right after its own. That is a schedule that workers without any order could have had too, in which a gradient is
//! at most `workers - 1` steps older than the weights it is applied to; but here it is always the same one, so that a run gives the
//! same rows whatever the number of threads and wherever it is interrupted. With `schedule=free` there is no order: each worker applies its
//! gradient, and copies the global weights, as soon as it has one, to numbers that all threads write at once and none waits for; what comes
//! of that is another network each time, and marked so wherever it is told. A generation is a number of rounds (`run`), and now and
//! then the network plays against a fixed panel of opponents (`panel`), those it trains against and others.

mod episode;
mod experiment;
mod opponents;
mod pace;
mod panel;
pub mod presets;
mod probes;
mod row;
mod run;
mod settings;
#[cfg(test)]
mod tests;
mod view;
mod worker;
mod worker_group;

pub use opponents::{Opponent, Who};
pub use panel::{Met, Replayed};
pub use presets::{PRESETS, preset};
pub use probes::Probe;
pub use row::TrainingRow;
pub use run::Training;
pub use settings::{Schedule, Settings, Total};
pub use view::{Learned, View, command};
