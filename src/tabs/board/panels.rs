//! The panels beside the board and what they know of the game.

use ratatui::layout::Rect;

use super::analysis::Analysis;
use super::coach::Warned;
use super::explorer::Explorer;
use super::judging::RecentResults;
use super::preview::Preview;
use super::reports::Reports;
use super::retry::Retry;
use super::review::Review;
use super::tab::ClickedMove;
use super::table_value::TableValue;
use super::threat::Threat;
use super::tried_lines::TriedLines;
use super::{Spot, Toggle};
use crate::config::Coach;
use crate::game::record::NodeId;
use crate::game::{Move, Place};

/// The contents of the panels.
#[derive(Default)]
pub(super) struct Panels {
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
pub(super) struct MouseAreas {
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
