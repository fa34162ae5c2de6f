//! Adversarial search over any [`Game`](crate::game::Game).
//!
//! Alpha-beta that gives exactly the values of plain minimax to a fixed depth, only sooner, and stops by itself once it has
//! seen every end of the game that matters. [`Search`] finds a move to play, [`Analysis`] the value of every move; both work in
//! steps, can be looked at in between and dropped at any time. Both are about the margin; [`alpha_beta`] and [`pvs`] are about
//! anything else that positions may be valued by.
//!
//! ```
//! use mancalab_base::budget::{Budget, Status};
//! use mancalab_games::{BoardGame, kalah::Kalah};
//! use mancalab_search::{Limits, Search};
//!
//! // The best move of Kalah to a depth of ten plies, and what it is worth.
//! let mut search = Search::new(&Kalah::start(Default::default()), Limits::depth(10));
//! assert_eq!(search.step(Budget::UNLIMITED), Status::Done);
//! let report = search.report();
//! assert_eq!(search.best_move(), Some(report.lines[0].mv));
//! println!("{} seeds ahead, {} positions searched", report.lines[0].margin, report.nodes);
//! ```

use mancalab_base::{budget, rng, settings};
use mancalab_games as game;
use mancalab_net as net;

pub mod alpha_beta;
mod analysis;
mod best;
pub mod mcts;
mod move_set;
mod null_window;
pub mod playout;
pub mod pvs;
mod report;
mod root;
mod table;

pub use analysis::Analysis;
pub use best::{Limits, Search, Ties};
pub use mcts::{Mcts, PuctSearch};
pub use move_set::MoveSet;
pub use playout::playout;
pub use report::{Line, Report, Tried, Weighed};

pub use table::{Kept, Table};

/// The deepest search there is; enough to see the end of any game of Kalah that is small enough to be solved.
pub const MAX_DEPTH: u32 = 250;
