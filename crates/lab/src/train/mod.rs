//! Network training by self-play and play against opponents: the asynchronous advantage actor-critic, as a run.
//!
//! Each worker has a copy of one global network. In a round every worker plays with its copy, against opponents drawn by their
//! shares, until it has made a given number of decisions; from their outcomes it computes a gradient (`worker`). The gradients
//! are then applied to the global network one by one, in the workers' order, and each worker copies the global weights right
//! after its own. This is one of the possible schedules of asynchronous workers, with gradients at most `workers - 1` steps
//! older than the weights they are applied to. As it is fixed, a run gives the same rows for any number of threads and any
//! interruptions. With `schedule=free` there is no order: each worker applies its gradient and copies the global weights as
//! soon as it has one, to numbers that all threads write without locks. The result differs each time and is marked as not
//! reproducible. A generation is a number of rounds (`run`); at intervals the network plays a fixed panel of opponents
//! (`panel`), both those it trains against and others.

pub(crate) mod opponents;
mod panel;
pub mod presets;
mod row;
mod run;
pub(crate) mod settings;
#[cfg(test)]
mod tests;
mod view;
pub(crate) mod worker;
mod worker_group;

pub use opponents::{Opponent, Who};
pub use panel::PanelReplay;
pub use presets::{PRESETS, preset};
pub use row::TrainingRow;
pub use run::Training;
pub use settings::{Schedule, Settings, Total};
pub(crate) use view::changes;
pub use view::{NetworkSnapshot, Probe, View, command};
