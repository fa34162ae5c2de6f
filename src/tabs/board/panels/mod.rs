//! The panels beside the board and what they know of the game.

pub(super) mod analysis;
pub(super) mod card;
pub(super) mod coach;
mod curve;
pub(super) mod explorer;
pub(super) mod figures;
mod findings;
pub(super) mod judging;
mod large_clocks;
pub(super) mod layout;
mod mistakes;
mod moves;
pub(super) mod network;
pub(super) mod preview;
pub(super) mod reports;
pub(super) mod review;
pub(super) mod samuel;
pub(super) mod table_value;
pub(super) mod terms;
pub(super) mod threat;
pub(super) mod why;

use ratatui::layout::Rect;

use crate::config::Coach;
use crate::game::record::NodeId;
use crate::game::{Move, Place};
use crate::tabs::board::practice::retry::Retry;
use crate::tabs::board::practice::tried_lines::TriedLines;
use crate::tabs::board::tab::ClickedMove;
use crate::tabs::board::{Spot, Toggle};
use analysis::Analysis;
use coach::Warned;
use explorer::Explorer;
use judging::RecentResults;
use preview::Preview;
use reports::Reports;
use review::Review;
use table_value::TableValue;
use threat::Threat;

/// The contents of the panels.
#[derive(Default)]
pub(in crate::tabs::board) struct Panels {
    pub analysis: Analysis,
    /// The analysis was drawn, not dropped for space or for the terms.
    pub shows_analysis: bool,
    /// The explorer of openings, and whether it was drawn.
    pub explorer: Explorer,
    pub shows_explorer: bool,
    pub review: Review,
    /// Mistakes being tried again.
    pub retry: Option<Retry>,
    /// The game whose own mistakes were tried: the computer's come next.
    pub retried: Option<u64>,
    /// The game whose mistakes are to be tried when its review is complete.
    pub retry_after_review: Option<u64>,
    pub tried_lines: Option<TriedLines>,
    pub threat: Option<Threat>,
    pub coach: Coach,
    /// The blunder that the coach warned of last.
    pub warned: Option<Warned>,
    /// A line that is shown on the board.
    pub preview: Option<Preview>,
    /// The terms panel is on, and was switched on after the analysis.
    pub terms: bool,
    pub terms_last: bool,
    /// The value of the position by an endgame table, for the panel of terms.
    pub table_value: Option<TableValue>,
    /// Cached values of function players.
    pub known: RecentResults,
    /// Variations are hidden, but marked.
    pub folded: bool,
    /// The clocks are drawn large.
    pub large_clocks: bool,
    /// Narrow lists of moves have times instead of values.
    pub times: bool,
    /// The reports of the computer players.
    pub reports: Reports,
    /// The end of a game that is shown on a card.
    pub card: Option<Spot>,
}

/// The areas of the last frame that a click reaches.
#[derive(Default)]
pub(in crate::tabs::board) struct MouseAreas {
    pub places: Vec<(Rect, Place)>,
    /// The moves of the list.
    pub rows: Vec<(Rect, NodeId)>,
    /// The moves of the analysis.
    pub findings_rows: Vec<(Rect, Move)>,
    /// The moves of the explorer.
    pub opening_rows: Vec<(Rect, Move)>,
    /// The card at the end of a game.
    pub card: Rect,
    /// The titles of panels.
    pub titles: Vec<(Rect, Toggle)>,
    /// A move selected in the analysis, and when.
    pub picked: Option<ClickedMove>,
}
