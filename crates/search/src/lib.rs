//! Adversarial search over any [`Game`](crate::game::Game).
//!
//! Alpha-beta that gives exactly the values of plain minimax to a fixed depth, only sooner, and stops by itself once it has
//! seen every end of the game that matters. [`Search`] finds a move to play, [`Analysis`] the value of every move; both work in
//! steps, can be looked at in between and dropped at any time. Both are about the margin; [`evaluated`] and [`weighing`] are about
//! anything else that positions may be valued by.
//!
//! ```
//! use mancalab_base::step::{Budget, Status};
//! use mancalab_games::{Tabletop, kalah::Kalah};
//! use mancalab_search::{Limits, Search};
//!
//! // The best move of Kalah to a depth of ten plies, and what it is worth.
//! let mut search = Search::new(&Kalah::start(Default::default()), Limits::depth(10));
//! assert_eq!(search.step(Budget::UNLIMITED), Status::Done);
//! let report = search.report();
//! assert_eq!(search.best_move(), Some(report.lines[0].mv));
//! println!("{} seeds ahead, {} positions searched", report.lines[0].margin, report.nodes);
//! ```

use mancalab_base::{document, rng, step};
use mancalab_games as game;
use mancalab_net as net;

mod analysis;
mod best;
pub mod evaluated;
pub mod mcts;
mod move_set;
pub mod playout;
mod prove;
mod report;
mod root;
mod table;
pub mod weighing;

pub use analysis::Analysis;
pub use best::{Limits, Search, Ties};
pub use mcts::{Guided, Mcts};
pub use move_set::MoveSet;
pub use playout::playout;
pub use report::{Line, Report, Tried, Weighed};

pub use table::{Kept, Table};

/// The deepest search there is; enough to see the end of any game of Kalah that is small enough to be solved.
pub const MAX_DEPTH: u32 = 250;
