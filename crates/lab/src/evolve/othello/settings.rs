//! The settings and presets of runs that breed functions for Othello.
//!
//! Presets for Othello.
//!
//! The source defines the functions, the games and the termination of its runs, but not population, generations and selection;
//! those here are from J. R. Koza's first book for similar problems.

use mancalab_base::{Error, bail};
use mancalab_evolve::measures;

use super::fitness::Fitness;
use super::stages::{BredStages, Shares};
use crate::evolve::fitness_command::CommandSettings;
use crate::evolve::gp::genome::Generator;
use crate::evolve::gp::tableau::MAX_NODES;
use crate::evolve::gp::{self, Measures, Points, Scores, Selection, Tableau};
use crate::evolve::opponent::{self, Offer, Opponent, OpponentKind};
use crate::game::Variant;
use crate::game::othello::Rules;
use crate::panel::Panel;
use crate::player::Spec;
use crate::settings::{Entry, SettingsTable, entry, list_of, nearest, real, string_enum};

/// All settings of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Their origin: a name of [`PRESETS`] or another one.
    pub preset: String,
    pub tableau: Tableau,
    pub shares: Shares,
    pub training: BredStages,
    /// The width of the overlap around a boundary between stages, in which either function may play, in percent of the game, 0 to 100.
    pub overlap: u32,
    /// Number of arguments of the automatically defined function, 1 or 2; 0: none.
    pub adf: u32,
    /// Games of each program, 1 to [`MOST_GAMES`], divided among the opponents by weight.
    pub games: u32,
    pub opponents: Vec<Opponent>,
    pub seat: Seat,
    /// Random plies at the start of each game, 0 to [`MOST_OPENING`].
    pub opening: u32,
    pub fitness: Fitness,
    /// Whether every generation plays other games.
    pub anew: bool,
    pub command: CommandSettings,
    pub panel: Panel,
    /// The run ends when the best program leaves the opponent at most this many discs (its first score); 0: never.
    pub termination: f64,
}

/// The side of the programs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Seat {
    /// White, who moves second, as in the source.
    #[default]
    White,
    /// Black, who moves first.
    Black,
    /// White in the first game of two and Black in the second, which has the same opening.
    Both,
}

string_enum!(Seat { "white" => White, "black" => Black, "both" => Both });

pub const MOST_GAMES: u32 = 100_000;
/// Nearly a whole game.
pub const MOST_OPENING: u32 = 50;
const MOST_DISCS: f64 = 64.0 * MOST_GAMES as f64;

/// The available opponents.
const OFFER: Offer = Offer {
    engines: true,
    programs: true,
    champions: true,
    examples: "\"random\", \"2*minimax:2:eval=discs\", \"champions:3\" or \"programs:10\"",
};

/// The measures of a program.
static MEASURES: Measures = measures! {
    ("opponent_discs", "discs", "discs left to the opponent"),
    ("won_percent", "% won", "% of games won"),
};

/// Index of the score that the termination compares.
const DISCS: usize = 0;

impl Settings {
    /// Checks settings that depend on each other.
    ///
    /// # Errors
    /// Returns an error if settings contradict each other or there is no opponent.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.opponents.is_empty() {
            bail!("opponents must contain at least one, such as random");
        }
        let stages = self.shares.count();
        let is_empty = |stage: &usize| self.shares.span(*stage).from == self.shares.span(*stage).to;
        if let Some(stage) = (0..stages).find(is_empty) {
            bail!("stages must each have at least 2 percent (stage {} of {} contains no ply)", stage + 1, self.shares);
        }
        if self.overlap > 0 && (stages == 1 || self.training != BredStages::Together) {
            bail!(
                "overlap must be 0 for a single function (got {}); stages=50,50 with training=together breeds two",
                self.overlap
            );
        }
        match self.training {
            BredStages::Stage(number) if number as usize > stages => {
                Err(format!("training must be at most stage:{stages} for stages {} (got stage:{number})", self.shares)
                    .into())
            }
            _ => Ok(()),
        }
    }
}

/// The functions that programs may have besides the counts: (name, description).
pub const FUNCTIONS: &[(&str, &str)] = &[
    ("add", "the sum of two numbers"),
    ("sub", "their difference"),
    ("mul", "their product"),
    ("div", "their quotient; 1 if the second is 0"),
    ("if", "of four arguments: the third if the first is less than the second, else the fourth"),
    ("min", "the lesser of two numbers"),
    ("max", "the greater of two numbers"),
];

impl SettingsTable for Settings {
    fn entries() -> Vec<Entry<Settings>> {
        let mut entries = gp::problem::tableau_entries::<Settings>();
        entries.extend([
            entry!(
                "stages",
                shares: word,
                "share of each stage in percent, 1 to 10 shares that add up to 100: 100, or 50,50"
            )
            .words(["100", "50,50", "75,25"]),
            entry!(
                training: word,
                "together: one function per stage, the whole game counts; stage:N: one function, the opponent's gain in stage N counts"
            )
            .words(["together", "stage:1", "stage:2"]),
            entry!(
                overlap: whole(0, 100),
                "share of the game around a boundary of stages in which either function may play, the later one ever more often, in percent; 0: none"
            )
            .words(["0", "40", "100"])
            .before("0"),
            entry!(
                adf: whole(0, 2),
                "arguments of the automatically defined function of each function, 1 or 2; 0: none"
            )
            .words(["0", "1", "2"]),
            entry!(
                games: whole(1, MOST_GAMES.into()),
                "games of each program, 1 to 100000, divided among the opponents by weight"
            ),
            Entry::new(
                "opponents",
                "opponents: players, champions:N (the N fittest of the previous generation) or programs:N (random ones); 2*max plays double",
                |s: &Settings| list_of(s.opponents.iter().map(Opponent::to_string)),
                |s, text| opponent::list(text, &OFFER, &Variant::Othello(Rules::default())).map(|opponents| s.opponents = opponents),
            ),
            entry!(
                seat: one_of(Seat::WORDS),
                "side of the programs: white (moves second), black, or both in turn"
            ),
            entry!(opening: whole(0, MOST_OPENING.into()), "random plies at the start of each game, 0 to 50"),
            entry!(
                fitness: word,
                "adjusted (1000 / (1 + opponent's discs)), discs (64 per game less these), points (percent), strength (points and margin), a formula such as points - nodes / 10, or command:COMMAND"
            )
            .noted("adjusted (1000 / (1 + opponent's discs)), discs (64 per game less these), points (percent) or strength (points and margin)")
            .words(Fitness::WORDS.iter().map(|(word, _)| *word)),
            entry!(
                anew: flag,
                "play other games in every generation and evaluate all programs again: true or false"
            ),
            Entry::new(
                "termination",
                "end the run when the opponent gets at most this many discs in all games; 0: never",
                |s: &Settings| format!("{:?}", s.termination),
                |s, text| real(text, 0.0, MOST_DISCS).map(|discs| s.termination = discs),
            ),
        ]);
        entries.extend(CommandSettings::entries_of(
            |settings: &Settings| &settings.command,
            |settings| &mut settings.command,
        ));
        entries.extend(Panel::entries_of(|settings: &Settings| &settings.panel, |settings| &mut settings.panel));
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

    fn is_reproducible(&self) -> bool {
        opponent::are_reproducible(&self.opponents) && self.fitness.command().is_none()
    }

    const HAS_CASES: bool = true;

    fn measures(&self) -> &'static Measures {
        &MEASURES
    }

    fn is_reached(&self, scores: &Scores) -> bool {
        self.termination > 0.0 && scores.get(DISCS).is_some_and(|&discs| discs <= self.termination)
    }

    fn files(&self) -> Vec<(String, u64)> {
        [opponent::files(&self.opponents), self.panel.files()].concat()
    }
}

/// The presets: (name, description).
pub const PRESETS: &[(&str, &str)] = &[
    ("othello-gp-50", "Othello, until the random player keeps at most 50 discs in 5 games"),
    ("othello-gp-25", "the same, at most 25 discs"),
    ("othello-gp-50-staged", "one function per half, bred together, until 50 discs"),
    ("othello-gp-25-staged", "the same until 25 discs"),
    ("othello-gp-strong", "one function per half, against players that search"),
];

impl Settings {
    /// Returns the settings of a preset, with seed 1.
    ///
    /// # Errors
    /// Returns an error with the known names if the name is not one of [`PRESETS`].
    pub fn preset(name: &str) -> Result<Settings, Error> {
        let staged = |termination| Settings { shares: halves(), ..paper(name, termination) };
        match name {
            "othello-gp-50" => Ok(paper(name, 50.0)),
            "othello-gp-25" => Ok(paper(name, 25.0)),
            "othello-gp-50-staged" => Ok(staged(50.0)),
            "othello-gp-25-staged" => Ok(staged(25.0)),
            "othello-gp-strong" => Ok(strong(name)),
            _ => {
                let names: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
                let near = nearest(name, names.iter().copied());
                let hint = near.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
                Err(format!("no preset is named '{name}'{hint}; known: {}", names.join(", ")).into())
            }
        }
    }
}

impl Default for Settings {
    /// A single function against the random player.
    fn default() -> Settings {
        paper("othello-gp-50", 50.0)
    }
}

fn halves() -> Shares {
    "50,50".parse().expect("two shares")
}

fn paper(name: &str, termination: f64) -> Settings {
    Settings {
        preset: name.to_owned(),
        tableau: Tableau {
            seed: 1,
            population: 500,
            generations: 50,
            crossover: 90.0,
            points: Points::Inner,
            mutation: 0.0,
            selection: Selection::Roulette,
            elitism: 1,
            generator: Generator::Ramped,
            initial_depth: 6,
            mutation_depth: 4,
            max_depth: 17,
            max_nodes: MAX_NODES,
            parsimony: 0.0,
            prefer_small: false,
            sharing: 0.0,
            functions: ["add", "sub", "mul", "div"].map(str::to_owned).to_vec(),
            islands: 1,
            migration_every: 0,
            migrants: 0,
            initial: Default::default(),
            conduct: Default::default(),
        },
        shares: Shares::default(),
        training: BredStages::Together,
        overlap: 0,
        adf: 0,
        games: 5,
        opponents: vec![Opponent { weight: 1.0, kind: OpponentKind::Player(Spec::Random) }],
        seat: Seat::White,
        opening: 0,
        fitness: Fitness::Adjusted,
        anew: true,
        command: Default::default(),
        panel: Default::default(),
        termination,
    }
}

/// Found by trial. New games in every generation prevent functions from memorizing a few games, which deterministic opponents
/// encourage. A game against `mcts:200` takes as long as a hundred against `minimax:2:eval=discs`; champions teach what works against it.
fn strong(name: &str) -> Settings {
    let paper = paper(name, 0.0);
    let opponents = ["random", "2*minimax:2:eval=discs", "0.5*minimax:4:eval=discs", "3*champions:4"];
    Settings {
        tableau: Tableau {
            population: 300,
            generations: 100,
            crossover: 75.0,
            mutation: 25.0,
            selection: Selection::Tournament(5),
            elitism: 4,
            max_depth: 12,
            prefer_small: true,
            ..paper.tableau
        },
        shares: halves(),
        games: 100,
        opponents: opponents.iter().filter_map(|text| text.parse().ok()).collect(),
        seat: Seat::Both,
        opening: 6,
        fitness: Fitness::Strength,
        ..paper
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::checks::survive_round_trip;
    use crate::evolve::gp::Problem as _;
    use crate::evolve::othello::{OthelloProblem, PRESETS};
    use crate::settings::KeyedSettings as _;
    use proptest::prelude::*;

    fn is_kept(settings: &Settings) {
        let Tableau { seed, generations, .. } = settings.tableau;
        survive_round_trip(settings, || OthelloProblem::unread(&settings.preset, seed, generations));
    }

    #[test]
    fn every_setting_is_written_and_read_again() {
        let mut settings = Settings::default();
        let changes = [
            ("stages", "75,25"),
            ("training", "stage:2"),
            ("overlap", "40"),
            ("adf", "2"),
            ("games", "7"),
            ("opponents", "2*minimax:2, staged:( white ),75,( * 10 white ),25, 0.5*champions:3, programs:2"),
            ("seat", "both"),
            ("opening", "4"),
            ("fitness", "strength"),
            ("anew", "false"),
            ("termination", "25"),
            ("fitness_processes", "2"),
            ("fitness_timeout", "5"),
            ("panel", "random,minimax:2"),
            ("panel_games", "3"),
            ("panel_every", "4"),
            ("panel_opening", "1"),
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
