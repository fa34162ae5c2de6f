//! The settings of a run that breeds functions that value boards of Othello.

use super::fitness::Fitness;
use super::stages::{Shares, Training};
use crate::evolve::gp::{self, Measures, Scores, Tableau};
use crate::evolve::opponent::{self, Offer, Opponent};
use crate::game::Variant;
use crate::game::othello::Rules;
use crate::settings::{Entry, Tabled, entry, list_of, real, words_of};
use mancalab_base::{Error, bail};
use mancalab_evolve::measures;

/// All settings.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Where they started from: a name of [`PRESETS`](super::PRESETS) or another one.
    pub preset: String,
    pub tableau: Tableau,
    pub shares: Shares,
    pub training: Training,
    /// How many arguments the function takes that a function may call, 1 or 2; 0: there is none.
    pub adf: u32,
    /// Games of each program, 1 to [`MOST_GAMES`], shared out among the opponents by their weights.
    pub games: u32,
    pub opponents: Vec<Opponent>,
    pub seat: Seat,
    /// Random plies at the beginning of each game, 0 to [`MOST_OPENING`].
    pub opening: u32,
    pub fitness: Fitness,
    /// Whether every generation plays other games.
    pub anew: bool,
    /// The run ends at a program that leaves the opponent so many discs or fewer, by its first score; 0: it does not.
    pub termination: f64,
}

/// Which side programs play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Seat {
    /// White, who moves second: the source's.
    #[default]
    White,
    /// Black, who moves first.
    Black,
    /// White in the first game of two, and Black in the other, which begins with the same opening.
    Both,
}

impl Seat {
    /// The words that people write.
    pub const WORDS: &'static [(&'static str, Seat)] =
        &[("white", Seat::White), ("black", Seat::Black), ("both", Seat::Both)];
}

words_of!(Seat);

pub const MOST_GAMES: u32 = 100_000;
/// Nearly a whole game.
pub const MOST_OPENING: u32 = 50;
const MOST_DISCS: f64 = 64.0 * MOST_GAMES as f64;

/// Whom programs may be bred against.
const OFFER: Offer = Offer {
    variant: || Variant::Othello(Rules::default()),
    programs: true,
    champions: true,
    examples: "\"random\", \"2*minimax:2\", \"champions:3\" or \"programs:10\"",
};

/// What is measured of a program.
static MEASURES: Measures = measures! {
    ("opponent_discs", "discs", "discs left to the opponent"),
    ("won_percent", "% won", "games won in percent"),
};

/// Which of the scores the termination is about.
const DISCS: usize = 0;

impl Settings {
    /// What no single setting shows.
    ///
    /// # Errors
    /// Two settings do not go together, or there is no opponent: a sentence.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.opponents.is_empty() {
            bail!("programs need an opponent, such as random");
        }
        let stages = self.shares.count();
        let is_empty = |stage: &usize| self.shares.span(*stage).from == self.shares.span(*stage).to;
        if let Some(stage) = (0..stages).find(is_empty) {
            bail!("stage {} of {} has no ply of its own; 2 percent and more are accepted", stage + 1, self.shares);
        }
        match self.training {
            Training::Stage(number) if number as usize > stages => Err(format!(
                "training stage:{number} names no stage of {}; up to stage:{stages} is accepted here",
                self.shares
            )
            .into()),
            _ => Ok(()),
        }
    }
}

impl Tabled for Settings {
    fn entries() -> Vec<Entry<Settings>> {
        let mut entries = gp::problem::tableau_entries::<Settings>();
        entries.extend([
            entry!(
                "stages",
                shares: word,
                "each stage's share of the game in percent, 1 to 10 of them that add up to 100: 100, or 50,50"
            )
            .words(["100", "50,50", "75,25"]),
            entry!(
                training: word,
                "together: a function a stage, and all of the game counts; stage:N: one function, by what the opponent gains in stage N"
            )
            .words(["together", "stage:1", "stage:2"]),
            entry!(
                adf: whole(0, 2),
                "arguments of the function that is bred with each function and that it may call, 1 or 2; 0 is none"
            )
            .words(["0", "1", "2"]),
            entry!(
                games: whole(1, MOST_GAMES.into()),
                "games of each program, 1 to 100000, shared out among the opponents by their weights"
            ),
            Entry::new(
                "opponents",
                "whom programs play: players, champions:N (the N fittest of the generation before) or programs:N (random ones); 2*max plays double",
                |s: &Settings| list_of(s.opponents.iter().map(Opponent::to_string)),
                |s, text| opponent::list(text, &OFFER).map(|opponents| s.opponents = opponents),
            ),
            entry!(
                seat: one_of(Seat::WORDS),
                "which side programs play: white, who moves second, black, or both in turn"
            ),
            entry!(opening: whole(0, MOST_OPENING.into()), "random plies at the beginning of each game, 0 to 50"),
            entry!(
                fitness: one_of(Fitness::WORDS),
                "adjusted (1000 / (1 + the opponent's discs)), discs (64 a game less them), points (percent) or strength (points and margin)"
            ),
            entry!(
                anew: flag,
                "whether every generation plays other games, and all programs are evaluated again: true or false"
            ),
            Entry::new(
                "termination",
                "the run ends when its best leaves the opponent so many discs or fewer, all games together; 0 is never",
                |s: &Settings| format!("{:?}", s.termination),
                |s, text| real(text, 0.0, MOST_DISCS).map(|discs| s.termination = discs),
            ),
        ]);
        entries
    }
}

impl gp::problem::Settings for Settings {
    fn tableau(&self) -> &Tableau {
        &self.tableau
    }

    fn tableau_mut(&mut self) -> &mut Tableau {
        &mut self.tableau
    }

    fn preset(&self) -> &str {
        &self.preset
    }

    fn measures(&self) -> &'static Measures {
        &MEASURES
    }

    fn is_reached(&self, scores: &Scores) -> bool {
        self.termination > 0.0 && scores.get(DISCS).is_some_and(|&discs| discs <= self.termination)
    }

    fn files(&self) -> Vec<(String, u64)> {
        opponent::files(&self.opponents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::gp::Problem as _;
    use crate::evolve::gp_tests::kept;
    use crate::evolve::othello::{OthelloProblem, PRESETS};
    use crate::settings::Listed as _;
    use proptest::prelude::*;

    fn is_kept(settings: &Settings) {
        let Tableau { seed, generations, .. } = settings.tableau;
        kept(settings, || OthelloProblem::unread(&settings.preset, seed, generations));
    }

    #[test]
    fn every_setting_is_written_and_read_again() {
        let mut settings = Settings::default();
        let changes = [
            ("stages", "75,25"),
            ("training", "stage:2"),
            ("adf", "2"),
            ("games", "7"),
            ("opponents", "2*minimax:2, staged:( white ),75,( * 10 white ),25, 0.5*champions:3, programs:2"),
            ("seat", "both"),
            ("opening", "4"),
            ("fitness", "strength"),
            ("anew", "false"),
            ("termination", "25"),
        ];
        let keys: Vec<&str> = settings.list().iter().map(|(key, ..)| *key).collect();
        assert_eq!(keys[keys.len() - changes.len()..], changes.map(|(key, _)| key));
        for (key, value) in changes {
            let before = settings.clone();
            settings.set(key, value).unwrap();
            assert_ne!(settings, before, "{key}");
            is_kept(&settings);
        }
        assert_eq!(settings.opponents.iter().map(|opponent| opponent.weight).collect::<Vec<_>>(), [2.0, 1.0, 0.5, 1.0]);
        PRESETS.iter().for_each(|(name, _)| is_kept(&Settings::preset(name).unwrap()));
        assert!(Settings::preset("othello-gp-5").unwrap_err().to_string().contains("othello-gp-50"));
    }

    proptest! {
        #[test]
        fn whatever_is_accepted_comes_back(preset: String, key in 0..64usize, text: String) {
            let mut settings = Settings { preset, ..Settings::default() };
            let keys = settings.list();
            if settings.set(keys[key % keys.len()].0, &text).is_ok() {
                is_kept(&settings);
            }
        }

        #[test]
        fn shares_come_back(cuts in proptest::collection::btree_set(1..100u32, 0..9), termination in 0.0..=1e6f64) {
            let ends = cuts.iter().copied().chain([100]);
            let shares: Vec<String> = ends.scan(0, |before, end| Some((end - std::mem::replace(before, end)).to_string())).collect();
            let mut settings = Settings { termination, ..Settings::default() };
            settings.set("stages", &shares.join(",")).unwrap();
            prop_assert_eq!(settings.shares.count(), shares.len());
            is_kept(&settings);
        }
    }
}
