//! The columns of Table 2: what a run of each evolves, and with which settings.

use crate::Options;
use crate::evolve::othello::Settings;
use crate::settings::KeyedSettings as _;
use mancalab_base::{Error, bail};

/// The settings that a column determines.
const FIXED: [&str; 4] = ["seed", "stages", "training", "termination"];

/// The rows of Table 2: the fitness at which runs end, and the games won of 50 by tree 1, tree 2 and both staged.
pub(super) const PRINTED: [(u32, [u32; 3]); 2] = [(50, [46, 49, 45]), (25, [44, 46, 50])];

/// The column of a result; each has its own run except [`Column::Halves`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::othello_gp) enum Column {
    /// A function for the first half of the game, measured by the opponent's gain in it.
    Tree1,
    /// The same for the second half.
    Tree2,
    /// Both, each in its half.
    Halves,
    /// A function for the whole game.
    Single,
    /// Two functions, evolved together in play.
    Together,
}

impl Column {
    pub const ALL: [Column; 5] = [Column::Tree1, Column::Tree2, Column::Halves, Column::Single, Column::Together];

    pub fn name(self) -> &'static str {
        match self {
            Column::Tree1 => "tree 1",
            Column::Tree2 => "tree 2",
            Column::Halves => "50|50",
            Column::Single => "single",
            Column::Together => "together",
        }
    }

    /// Returns the suffix of the run's preset after its fitness, and the column's own settings; `None` without a run.
    fn run(self) -> Option<(&'static str, &'static [(&'static str, &'static str)])> {
        match self {
            Column::Tree1 => Some(("", &[("stages", "50,50"), ("training", "stage:1")])),
            Column::Tree2 => Some(("", &[("stages", "50,50"), ("training", "stage:2")])),
            Column::Halves => None,
            Column::Single => Some(("", &[])),
            Column::Together => Some(("-staged", &[])),
        }
    }

    pub fn settings(self, fitness: u32, seed: u64, options: &Options) -> Result<Option<Settings>, Error> {
        let Some((ending, own)) = self.run() else { return Ok(None) };
        let mut settings = Settings::preset(&format!("othello-gp-{fitness}{ending}"))?;
        settings.set("seed", &seed.to_string())?;
        for (key, value) in own {
            settings.set(key, value)?;
        }
        if let Some((key, _)) = options.set.iter().find(|(key, _)| FIXED.contains(&key.as_str())) {
            bail!("'{key}' is set by the column; all other settings of a run are accepted");
        }
        options.change(&mut settings, &[])?;
        Ok(Some(settings))
    }
}
