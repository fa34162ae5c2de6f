//! The weights of Samuel's terms as a task: the genetic algorithm of a checkers program that learns.
//!
//! From the source: the tournament, the crossover, the mutation and the initial weights of 1. From its author's project page:
//! the population size, the mutation rate and the limit of 40 moves. What both leave open (search depth, crossover rate, the
//! absence of an elite) is a setting here, as are other tournaments and selections.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use mancalab_base::{Error, bail};
use mancalab_evolve::playing;
use rand::Rng as _;

use super::ga::knockout::Knockout;
use super::ga::operators::{Crossover, Mutation, Selection};
use super::ga::play::{GameKey, GameResult, Play, Seat};
use super::ga::round_robin::RoundRobin;
use super::ga::{Contest, Ga, Gene, Genome, Grain, Operators, Settings, Task, task};
use super::terms::{Terms, tied};
use crate::budget::{Budget, Status};
use crate::evolve::champion::{PanelTask, panel_of_genomes};
use crate::game::checkers::{Checkers, Rules};
use crate::game::{BoardGame as _, Game as _, GameState, Move, Side, Variant};
use crate::job::measured::Measurement;
use crate::panel::Panel;
use crate::player::Spec;
use crate::player::samuel::weights::GREATEST;
use crate::player::samuel::{COUNT, Samuel, Searcher, TERMS, Weights};
use crate::rng;
use crate::settings::{Entry, SettingsTable as _, entry};

/// A run that tunes the weights.
pub type CheckersRun = Ga<CheckersWeights>;
/// The settings of such a run.
pub type CheckersSettings = Settings<CheckersWeights>;

/// Significant digits of a weight.
const DIGITS: u32 = 6;

/// The task's settings.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckersWeights {
    /// Search depth of every player in plies, 1 to 12.
    pub depth: u32,
    /// Whether captures are searched beyond that depth.
    pub quiet: bool,
    /// Moves of each side after which a game is drawn; 0: no limit.
    pub limit: u16,
    /// Number of random moves at the start of a game.
    pub opening: u32,
    pub contest: Kind,
    /// Games per pairing.
    pub games: u32,
    pub selection: Selection,
    /// Probability that a mutation changes the sign.
    pub flip: f64,
    pub start: Start,
    pub mutation: WeightMutation,
    /// The terms that are weighted, in the order of [`TERMS`].
    pub terms: Terms<COUNT>,
    pub panel: Panel,
}

/// The format of the tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    #[default]
    Knockout,
    RoundRobin,
}

crate::settings::string_enum!(Kind { "knockout" => Knockout, "round-robin" => RoundRobin });

/// The weights of the first generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// 1 in every member.
    #[default]
    Ones,
    /// Normally distributed around 0 with deviation 1.
    Random,
}

crate::settings::string_enum!(Start { "ones" => Ones, "random" => Random });

/// The mutation of a weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WeightMutation {
    /// In proportion to the weight.
    #[default]
    Proportional,
    /// By a normally distributed number with deviation 1, whatever the weight.
    Gaussian,
    /// To any weight of Samuel's range, -2¹⁸ to 2¹⁸.
    Uniform,
}

crate::settings::string_enum!(WeightMutation { "proportional" => Proportional, "gaussian" => Gaussian, "uniform" => Uniform });

/// The greatest weight of Samuel's program.
const SAMUELS: f64 = 262_144.0;

impl CheckersWeights {
    /// Returns the games of the run.
    pub fn games(&self) -> Games {
        let rules = Rules::limited(self.limit).unwrap_or_default();
        Games { rules, depth: self.depth, plays_out: self.quiet, opening: self.opening }
    }

    /// Returns the text of the player with these weights and the members' search settings.
    pub fn player_of(&self, weights: Weights) -> String {
        self.games().samuel(weights).to_string()
    }
}

/// Returns the names of the terms.
fn names() -> [&'static str; COUNT] {
    TERMS.each_ref().map(|term| term.name)
}

static COLUMNS: LazyLock<String> = LazyLock::new(|| format!("{},{}", task::ROW, names().join(",")));

impl Task for CheckersWeights {
    const KIND: &'static str = "ga-checkers";
    const PRESETS: &'static [(&'static str, &'static str)] = PRESETS;
    const RELATIVE: bool = true;

    fn entries() -> Vec<Entry<CheckersWeights>> {
        let mut entries = vec![
            playing!(depth),
            entry!(quiet: flag, "search captures beyond that depth: true or false"),
            entry!(
                limit: whole(0, Rules::MOST_MOVES.into()),
                "moves of each side after which a game is drawn, 1 to 9999; 0: no limit"
            ),
            playing!(opening),
            entry!(
                contest: one_of(Kind::WORDS),
                "knockout (the winner of each pairing advances) or round-robin (everyone plays everyone)"
            ),
            entry!(
                games: whole(1, 100),
                "games per pairing, 1 to 100; in a round robin an even number, half of them begun by each"
            ),
            entry!(
                selection: word,
                "parent selection: points, in proportion to them, or tournament:K, the best of K random members"
            )
            .words(["points", "tournament:2", "tournament:3"]),
            entry!(flip: real(0.0, 1.0), "probability that a mutation changes the sign, 0 to 1"),
            entry!(
                start: one_of(Start::WORDS),
                "first weights: ones, or random around 0 with deviation 1"
            )
            .implied("ones"),
            entry!(
                mutation: one_of(WeightMutation::WORDS),
                "mutation: proportional to the weight, gaussian with deviation 1, or uniform from -262144 to 262144"
            )
            .implied("proportional"),
            Entry::new(
                "terms",
                "terms to weight: all, names such as ADV,MOB, or -MOB for all but MOB; 2*ADV-MOB ties weights; all others have weight 0",
                |t: &CheckersWeights| t.terms.text(names()),
                |t, text| Terms::read(names(), text).map(|terms| t.terms = terms),
            )
            .noted("terms to weight: all, names such as ADV,MOB, or -MOB for all but MOB; all others have weight 0")
            .words(["all"]),
        ];
        entries.extend(Panel::entries_of(|task: &Self| &task.panel, |task| &mut task.panel));
        entries
    }

    fn columns() -> &'static str {
        &COLUMNS
    }

    fn settings() -> CheckersSettings {
        source()
    }

    fn preset(name: &str) -> Option<CheckersSettings> {
        preset(name)
    }

    fn genes(&self) -> Vec<Gene> {
        let gene = |(index, term): (usize, &crate::player::samuel::Term)| Gene {
            name: term.name.to_owned(),
            low: -GREATEST,
            high: GREATEST,
            start: if self.terms.contains(index) && self.start == Start::Ones { 1.0 } else { 0.0 },
            spread: if self.start == Start::Ones { 0.0 } else { 1.0 },
            grain: Grain::Digits(DIGITS),
            fixed: !self.terms.contains(index),
            tie: None,
        };
        let mut genes: Vec<Gene> = TERMS.iter().enumerate().map(gene).collect();
        tied(&mut genes, &self.terms);
        genes
    }

    fn labels() -> Vec<(&'static str, &'static str)> {
        TERMS.iter().map(|term| (term.name, term.title)).collect()
    }

    fn is_knockout(&self) -> bool {
        self.contest == Kind::Knockout
    }

    fn operators(&self) -> Operators {
        Operators {
            selection: self.selection,
            crossover: Crossover::OnePoint,
            mutation: match self.mutation {
                WeightMutation::Proportional => Mutation::Proportional { flip: self.flip },
                WeightMutation::Gaussian => Mutation::Gaussian(1.0),
                WeightMutation::Uniform => Mutation::Uniform(SAMUELS),
            },
        }
    }

    fn contest(&self, seed: u64) -> Result<Box<dyn Contest>, Error> {
        if self.terms.is_empty() {
            bail!("terms must contain at least one term");
        }
        if self.opening == 0 && self.games > 2 {
            bail!(
                "games must be at most 2 without a random opening, as further games would repeat the first two \
                 (got {})",
                self.games
            );
        }
        match self.contest {
            Kind::Knockout => Ok(Box::new(Knockout::new(self.games(), self.games, seed))),
            Kind::RoundRobin if self.games % 2 == 1 => {
                Err(format!("games must be even in a round robin (got {})", self.games).into())
            }
            Kind::RoundRobin => Ok(Box::new(RoundRobin::new(self.games(), self.games / 2, seed))),
        }
    }

    fn files(&self) -> Vec<(String, u64)> {
        self.panel.files()
    }

    fn measurement(settings: &CheckersSettings) -> Result<Option<Box<dyn Measurement>>, Error> {
        panel_of_genomes(settings)
    }

    fn game(&self) -> Variant {
        Variant::Checkers(self.games().rules)
    }

    fn player(&self, genome: &Genome, _: &str) -> String {
        self.player_of(weights(genome))
    }

    fn yardstick(&self) -> String {
        format!("minimax:{}:eval=pieces", self.depth)
    }

    fn file_text(&self, genome: &Genome, origin: &[(&str, String)]) -> String {
        weights(genome).file_text(origin)
    }

    fn replay(&self, key: GameKey, genomes: [&Genome; 2]) -> Option<Vec<Move>> {
        let games = self.games();
        let players = genomes.map(|genome| games.player(genome));
        let mut game = games.begin(key);
        let seats = [0, 1].map(|number| Seat { number: number as u32, player: &players[number] });
        games.play(&mut game, seats, &mut (), Budget::UNLIMITED)?;
        Some(game.moves().to_vec())
    }
}

impl PanelTask for CheckersWeights {
    fn panel(&self) -> &Panel {
        &self.panel
    }

    fn spec(&self, genome: &Genome) -> Result<Spec, Error> {
        Ok(Spec::Samuel(Box::new(self.games().samuel(weights(genome)))))
    }
}

/// The presets: (name, description).
pub const PRESETS: &[(&str, &str)] = &[
    ("checkers-ga", "weights of Samuel's terms for checkers, as in the source: 16 genomes, knock-out"),
    ("checkers-ga-robin", "the same with our settings: round robin, random openings, an elite"),
];

/// Returns the settings of a preset, with seed 1.
pub fn preset(name: &str) -> Option<CheckersSettings> {
    match PRESETS.iter().position(|(known, _)| *known == name)? {
        0 => Some(source()),
        _ => Some(robin()),
    }
}

/// The settings of the source.
pub fn source() -> CheckersSettings {
    CheckersSettings {
        preset: PRESETS[0].0.to_owned(),
        seed: 1,
        generations: 30,
        population: 16,
        elite: 0,
        mutation_rate: 0.05,
        crossover_rate: 1.0,
        initial: Default::default(),
        conduct: Default::default(),
        task: CheckersWeights {
            depth: 4,
            quiet: false,
            limit: 40,
            opening: 0,
            contest: Kind::Knockout,
            games: 1,
            selection: Selection::Points,
            flip: 0.0,
            start: Start::Ones,
            mutation: WeightMutation::Proportional,
            terms: Terms::all_but(&[]),
            panel: Default::default(),
        },
    }
}

/// A knock-out gives little information on strength: half of the members lose their only game, and one game means almost
/// nothing. Here every two members play twice from a random opening, with each moving first once; the best are kept, and far
/// more genes mutate. Games of 40 moves a side that stop in the middle of captures have no winner, so here captures are
/// searched beyond the depth, and games may last 100 moves a side.
fn robin() -> CheckersSettings {
    let source = source();
    CheckersSettings {
        preset: PRESETS[1].0.to_owned(),
        population: 12,
        elite: 2,
        mutation_rate: 0.4,
        task: CheckersWeights {
            quiet: true,
            limit: 100,
            opening: 2,
            contest: Kind::RoundRobin,
            games: 2,
            selection: Selection::Best(3),
            flip: 0.1,
            ..source.task
        },
        ..source
    }
}

/// Purpose of the random draws in a game. The number is part of every recorded run.
const GAME: u64 = 2;

/// The games of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Games {
    pub rules: Rules,
    /// Search depth of both sides in plies.
    pub depth: u32,
    /// Whether captures are searched beyond that depth.
    pub plays_out: bool,
    /// Number of random moves at the start of a game.
    pub opening: u32,
}

/// A game in progress. Each side has its own search state, so results do not depend on earlier games.
pub struct Match {
    game_state: GameState<Checkers>,
    /// `None` before the side's first move.
    searchers: [Option<Searcher>; 2],
    /// Whether the side to move has started its search.
    is_thinking: bool,
    moves: Vec<Move>,
}

impl Match {
    /// Returns the moves so far, including the opening.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn play(&mut self, mv: Move) {
        self.game_state.play(mv);
        self.moves.push(mv);
    }
}

impl Games {
    /// Returns the player with these weights.
    pub fn samuel(&self, weights: Weights) -> Samuel {
        Samuel { plays_out: self.plays_out, ..Samuel::new(self.depth, weights) }
    }
}

/// Returns the weights of a genome.
pub fn weights(genome: &[f64]) -> Weights {
    let reals = <[f64; COUNT]>::try_from(genome).ok();
    reals.and_then(|reals| Weights::from_reals(reals).ok()).unwrap_or_default()
}

impl Play for Games {
    type Player = Samuel;
    type Game = Match;
    type Memory = ();

    fn is_certain(&self) -> bool {
        self.opening == 0
    }

    fn player(&self, genome: &Genome) -> Samuel {
        self.samuel(weights(genome))
    }

    fn memory(&self) {}

    fn clear(&self, (): &mut ()) {}

    /// Starts a game after its opening, which is the same for both games of a pairing that differ in the first mover.
    fn begin(&self, GameKey { seed, generation, pairing, opening, .. }: GameKey) -> Match {
        let mut rng = rng::keyed(&[seed, generation, pairing, opening, GAME]);
        let game_state = GameState::new(Checkers::start(self.rules));
        let mut game = Match { game_state, searchers: [None, None], is_thinking: false, moves: Vec::new() };
        for _ in 0..self.opening {
            if !game.game_state.is_over() {
                game.play(game.game_state.pos().pick(rng.next_u32()));
            }
        }
        game
    }

    fn play(
        &self,
        game: &mut Match,
        [first, second]: [Seat<'_, Samuel>; 2],
        (): &mut (),
        budget: Budget,
    ) -> Option<GameResult> {
        loop {
            if let Some(ending) = game.game_state.ending() {
                let pos = game.game_state.pos();
                let [own, other] = Side::BOTH.map(|side| pos.pieces(side).count_ones() as i32);
                return Some(GameResult { outcome: ending.outcome(Side::South), ahead: own - other });
            }
            let side = game.game_state.pos().side();
            let player = if side == Side::South { first.player } else { second.player };
            let searcher = game.searchers[side.index()].get_or_insert_with(|| Searcher::new(player));
            if !std::mem::replace(&mut game.is_thinking, true) {
                // The first of equal moves is played, so the seed has no effect.
                searcher.begin(&game.game_state, 0);
            }
            if searcher.step(budget) == Status::Running {
                return None;
            }
            let mv = searcher.best_move().unwrap_or_else(|| game.game_state.pos().pick(0));
            game.is_thinking = false;
            game.play(mv);
            if budget.is_spent() && !game.game_state.is_over() {
                return None;
            }
        }
    }
}
