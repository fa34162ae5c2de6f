//! The games whose evaluations are learned, and what differs between them.

use super::run_settings::RunFunctions;
use super::settings::Settings;
use crate::budget::Budget;
use crate::game::checkers::Checkers;
use crate::game::othello::{Othello, PASS};
use crate::game::{BoardGame as _, Game as _, GameState, Move};
use crate::job::run_dir::{CHECKERS_NETWORKS, OTHELLO_PATTERNS};
use crate::player::Playable;
use crate::rng::Rng;
use crate::search::pvs::WON;
use crate::search::selective::SelectiveGame;
use crate::search::{Limits, Search, Table};
use crate::tables::endgame::checkers::{PIECES, Tables, Value};
use mancalab_base::{Error, bail};
use mancalab_evaluations::checkers::POINT;
use mancalab_evaluations::othello::DISC;
use rand::RngExt as _;
use std::ops::RangeInclusive;

/// Names and units of a game's runs.
#[derive(Debug)]
pub struct Subject {
    /// The game's variant.
    pub game: &'static str,
    /// The game's title, for sentences.
    pub title: &'static str,
    /// The kind of run, which is also the name of its preset, with the preset's description.
    pub preset: (&'static str, &'static str),
    /// Name of the file of weights in a run's folder.
    pub file: &'static str,
    pub columns: &'static str,
    /// The column that is a run's curve.
    pub curve: &'static str,
    /// Units of the errors on held-out games, and of the error of shallow searches.
    pub unit: &'static str,
    pub shallow_unit: &'static str,
    /// What the stages count.
    pub staged_by: &'static str,
    pub stages: &'static [Stage],
    pub(super) runs: RunFunctions,
}

// Functions cannot be compared; a preset belongs to one game.
impl PartialEq for Subject {
    fn eq(&self, other: &Subject) -> bool {
        self.preset == other.preset
    }
}

impl Eq for Subject {}

/// How a stage is shown: its name in a list, what its positions have, and its place on an axis of what the stages count.
pub type Stage = (&'static str, &'static str, u32);

/// A game whose evaluation is learned from games of its own.
pub trait Learnable: SelectiveGame + Playable {
    const SUBJECT: &'static Subject;

    /// Progress of the shallow error in the rows.
    const SHOWN: u32;

    /// Hundredths of the unit of errors in 1 of the learned values.
    const PER_UNIT: f64;

    /// What solves positions near the end.
    type Solver: Default + Send;

    /// The default settings.
    fn usual() -> Settings;

    /// The starting position.
    fn begin() -> Self;

    /// Checks that what this setting needs is there.
    ///
    /// # Errors
    /// It is missing.
    fn check_exact(_exact: u32) -> Result<(), Error> {
        Ok(())
    }

    /// The best move and its exact value of a position near enough to the end.
    fn solved(&self, exact: u32, solver: &mut Self::Solver) -> Option<(Move, i32)>;

    /// The value of a position at which a game ends early.
    fn known(_state: &GameState<Self>, _exact: u32, _solver: &mut Self::Solver) -> Option<i32> {
        None
    }

    /// Whether the position is one to learn from.
    fn is_sample(&self) -> bool;

    /// Random moves before a position whose searches are compared, and searched moves after those.
    fn before_comparison(random: &mut Rng) -> (u32, u32);

    /// Whether the searches of a position are compared.
    fn is_comparable(&self) -> bool;

    /// Values beyond this do not count in comparisons: those of decided games.
    const COMPARED: i32;
}

/// Megabytes of the exact searches' table.
const EXACT_MB: usize = 4;

/// Depth of a search that solves the rest.
const TO_THE_END: u32 = 60;

/// Fewest empty squares of a position whose searches are compared: the deepest of them must not see the end.
const EMPTY: u32 = 12;

/// Searched moves after random ones. Random moves lead to positions with discs to take at once, which games seldom reach; a few
/// searched moves take them.
const SETTLING: u32 = 4;

impl Learnable for Othello {
    const SUBJECT: &'static Subject = &Subject {
        game: "othello",
        runs: RunFunctions::new::<Othello>(),
        title: "Othello",
        preset: ("othello-patterns", "Othello, pattern weights from own games"),
        file: OTHELLO_PATTERNS,
        columns: "generation,games_count,positions_count,error_discs,shallow_error_discs,errors_by_stage_discs,\
                  panel_won_drawn_lost",
        curve: "error_discs",
        unit: "discs",
        shallow_unit: "discs",
        staged_by: "discs placed",
        stages: &[
            ("0-4", "0 to 4 discs placed", 2),
            ("5-9", "5 to 9 discs placed", 7),
            ("10-14", "10 to 14 discs placed", 12),
            ("15-19", "15 to 19 discs placed", 17),
            ("20-24", "20 to 24 discs placed", 22),
            ("25-29", "25 to 29 discs placed", 27),
            ("30-34", "30 to 34 discs placed", 32),
            ("35-39", "35 to 39 discs placed", 37),
            ("40-44", "40 to 44 discs placed", 42),
            ("45-49", "45 to 49 discs placed", 47),
            ("50-54", "50 to 54 discs placed", 52),
            ("55-60", "55 to 60 discs placed", 57),
        ],
    };
    const SHOWN: u32 = 30;
    const PER_UNIT: f64 = DISC as f64;

    type Solver = Option<Table<Othello>>;

    fn usual() -> Settings {
        super::settings::othello()
    }

    fn begin() -> Othello {
        Othello::start(Default::default())
    }

    fn solved(&self, exact: u32, solver: &mut Self::Solver) -> Option<(Move, i32)> {
        let empty = 60_u32.saturating_sub(self.put());
        if empty > exact {
            return None;
        }
        let table = solver.take().unwrap_or_else(|| Table::new(EXACT_MB));
        let mut search = Search::with_table(self, Limits::depth(TO_THE_END), table);
        search.step(Budget::UNLIMITED);
        let found = search.report().lines.first().map(|line| (line.mv, DISC * line.margin));
        *solver = Some(search.into_table());
        found
    }

    /// The value of a position whose mover must pass is that of the next one, which is a sample too.
    fn is_sample(&self) -> bool {
        self.count_moves() > 0 && self.moves().next() != Some(PASS)
    }

    fn before_comparison(random: &mut Rng) -> (u32, u32) {
        (random.random_range(4..=60 - EMPTY), SETTLING)
    }

    fn is_comparable(&self) -> bool {
        self.put() + EMPTY <= 60
    }

    const COMPARED: i32 = i32::MAX;
}

/// Random moves before a position of checkers whose searches are compared, and the most searched moves after those.
const RANDOM: RangeInclusive<u32> = 4..=10;
const SEARCHED: RangeInclusive<u32> = 4..=60;

/// Moves of both sides without a capture or a man's move after which a game to learn from counts as drawn.
const WITHOUT_PROGRESS: usize = 40;

/// Fewest pieces of such a position.
const FEWEST: u32 = 5;

impl Learnable for Checkers {
    const SUBJECT: &'static Subject = &Subject {
        game: "checkers",
        runs: RunFunctions::new::<Checkers>(),
        title: "checkers",
        preset: ("checkers-networks", "Checkers, networks from own games"),
        file: CHECKERS_NETWORKS,
        columns: "generation,games_count,positions_count,error_points,shallow_error_men,errors_by_stage_points,\
                  panel_won_drawn_lost",
        curve: "error_points",
        unit: "points",
        shallow_unit: "men",
        staged_by: "pieces taken",
        stages: &[
            ("0-6", "0 to 6 pieces taken", 3),
            ("7-10", "7 to 10 pieces taken", 8),
            ("11-14", "11 to 14 pieces taken", 12),
            ("15-17", "15 to 17 pieces taken", 16),
            ("18-24", "18 or more pieces taken", 19),
        ],
    };
    const SHOWN: u32 = 8;
    const PER_UNIT: f64 = 1.0;

    type Solver = Option<Tables>;

    fn usual() -> Settings {
        super::settings::checkers()
    }

    fn begin() -> Checkers {
        Checkers::start(Default::default())
    }

    fn check_exact(exact: u32) -> Result<(), Error> {
        let largest = u32::from(*PIECES.end());
        if exact > largest {
            bail!("exact must be 0 to {largest} in checkers (got {exact})");
        }
        let most = Tables::open().map_or(0, |tables| tables.pieces().into());
        if exact > most {
            bail!(
                "exact={exact} needs an endgame table of checkers with as many pieces (mancalab tables build checkers \
                 --pieces {exact}); without a table exact must be 0"
            );
        }
        Ok(())
    }

    fn solved(&self, _: u32, _: &mut Self::Solver) -> Option<(Move, i32)> {
        None
    }

    fn known(state: &GameState<Checkers>, exact: u32, solver: &mut Self::Solver) -> Option<i32> {
        let pos = state.pos();
        if (!pos.empty()).count_ones() > exact {
            return (state.history().positions().len() >= WITHOUT_PROGRESS).then_some(0);
        }
        if solver.is_none() {
            *solver = Tables::open();
        }
        Some(match solver.as_ref()?.probe(pos)? {
            Value::Wins(_) => WON,
            Value::Draws => 0,
            Value::Loses(_) => -WON,
        })
    }

    fn is_sample(&self) -> bool {
        !self.must_jump()
    }

    fn before_comparison(random: &mut Rng) -> (u32, u32) {
        (random.random_range(RANDOM), random.random_range(SEARCHED))
    }

    fn is_comparable(&self) -> bool {
        !self.must_jump() && (!self.empty()).count_ones() >= FEWEST
    }

    const COMPARED: i32 = 2 * POINT;
}
