//! Tests of breeding in every game of pits: games of programs and of weights are games under all rules.

use std::sync::Arc;

use super::BredGame;
use super::duel::Games;
use super::problem::KalahProblem;
use super::settings::Settings;
use super::weights::{HeuristicWeights, Ten};
use super::{settings, weights};
use crate::budget::{Budget, Status};
use crate::evolve::ga::play::{GameKey, Play as _, Seat};
use crate::evolve::ga::{Genome as Weights, Task as _};
use crate::evolve::gp::{Genome, Outcome, Problem};
use crate::game::kalah::Kalah;
use crate::game::referee::Why;
use crate::game::sowing::awari::Awari;
use crate::game::sowing::erherhe::Erherhe;
use crate::game::sowing::ohvalhu::Ohvalhu;
use crate::game::sowing::oware::Oware;
use crate::game::sowing::vai_lung_thlan::VaiLungThlan;
use crate::game::{BoardGame, Ending, GameState, PitGame, Side, of_pits};
use crate::player::heuristic::Heuristic;
use crate::player::{self, Playable, Spec, Turn};
use crate::pool::Pool;
use crate::program::Node;
use crate::program::kalah::{ProgramReading, random_program};
use crate::search::Ties;
use crate::settings::KeyedSettings as _;

/// Plays a game between two players, South's first; returns its ending and its last position.
fn played<G: PitGame + Playable>(start: G, specs: [&Spec; 2], seed: u64) -> (Ending, G) {
    let mut players = specs.map(|spec| player::build::<G>(spec).unwrap());
    let mut game_state = GameState::new(start);
    loop {
        if let Some(ending) = game_state.ending() {
            return (ending, *game_state.pos());
        }
        let turn = Turn::current(&game_state, seed);
        game_state.play(player::choose(&mut *players[turn.pos.side().index()], &turn).unwrap());
    }
}

/// The score of a side: its seeds in the store, and those that the end of the game gives it.
fn score<G: PitGame>(ending: &Ending, pos: &G, side: Side) -> f64 {
    let all: i32 = Side::BOTH.map(|side| pos.seeds(side)).iter().map(|all| i32::from(all.pits + all.store)).sum();
    f64::from((all + ending.margin(side)) / 2)
}

fn outcomes(settings: &Settings, programs: &[Arc<Genome<<KalahProblem as Problem>::Language>>]) -> Vec<Outcome> {
    let mut problem = KalahProblem::new(settings).unwrap();
    let mut batch = problem.begin(programs.to_vec(), 0);
    while problem.advance(&mut batch, &Pool::alone(), Budget::UNLIMITED) == Status::Running {}
    KalahProblem::finish(batch)
}

/// The walks in the graphs score as the games that the referee ends; returns how many of these a repetition ended.
fn walks_are_games<G: BredGame>(start: G, text: &str) -> usize {
    let mut settings = Settings::preset("mancala-gp-1").unwrap();
    settings.set("game", text).unwrap();
    settings.set("capture", "standard").unwrap();
    let programs: Vec<_> = (0..12).map(|one| Arc::new(Genome::from(random_program(9, one)))).collect();
    let mut repeated = 0;
    for opponent in ["minimax:2", "max", "program:random:4"] {
        settings.set("opponents", opponent).unwrap();
        let opponent: Spec = opponent.parse().unwrap();
        let outcomes = outcomes(&settings, &programs);
        for (program, outcome) in programs.iter().zip(outcomes) {
            let program = Spec::program("bred".to_owned(), program.first().clone());
            for seat in Side::BOTH {
                let specs = if seat == Side::South { [&program, &opponent] } else { [&opponent, &program] };
                let seed = crate::rng::derived(&[1, 0, seat.index() as u64]);
                let (ending, pos) = played(start, specs, seed);
                assert_eq!(outcome.scores[seat.index()], score(&ending, &pos, seat), "{text} {opponent} {seat}");
                repeated += usize::from(matches!(ending.why, Why::Rule(_)));
            }
        }
    }
    repeated
}

#[test]
fn programs_play_by_all_rules_of_their_game() {
    assert_eq!(walks_are_games(Kalah::start("6x4:standard".parse().unwrap()), "kalah"), 0);
    assert!(walks_are_games(Oware::start("".parse().unwrap()), "oware") > 0);
    assert!(walks_are_games(Oware::start("slam=all".parse().unwrap()), "oware:slam=all") > 0);
    assert!(walks_are_games(Awari::start("".parse().unwrap()), "awari") > 0);
    walks_are_games(Erherhe::start("".parse().unwrap()), "erherhe");
    walks_are_games(VaiLungThlan::start("".parse().unwrap()), "vai-lung-thlan");
    walks_are_games(VaiLungThlan::start("sowing=counter".parse().unwrap()), "vai-lung-thlan:sowing=counter");
    assert_eq!(walks_are_games(Ohvalhu::start("".parse().unwrap()), "ohvalhu"), 0);
}

/// Contests of weights play as their players do; returns how many games a repetition ended.
fn contests_are_games<G: PitGame + Playable>(start: G, depth: u32) -> usize {
    let task = HeuristicWeights::settings().task;
    let games = Games { weigher: Ten(task.reading), start, depth, ties: Ties::First, opening: 0 };
    let genomes: Vec<Weights> = (0..8)
        .map(|one| (0..10).map(|gene| f64::from((one * 37 + gene * 113) % 101) / 100.0).collect::<Vec<f64>>().into())
        .collect();
    let players: Vec<_> = genomes.iter().map(|genome| games.player(genome)).collect();
    let mut memory = games.memory();
    let mut repeated = 0;
    for (first, second) in (0..8).flat_map(|first| (0..8).map(move |second| (first, second))) {
        let key = GameKey { seed: 1, generation: 0, pairing: 0, game: 0, opening: 0 };
        let mut playing = games.begin(key);
        let seats = [first, second].map(|number| Seat { number: number as u32, player: &players[number] });
        let result = games.play(&mut playing, seats, &mut memory, Budget::UNLIMITED).unwrap();
        let specs =
            [first, second].map(|number| Spec::Heuristic(Heuristic::new(depth, weights::weights(&genomes[number]))));
        let (ending, _) = played(start, [&specs[0], &specs[1]], 1);
        assert_eq!((result.outcome, result.ahead), (ending.outcome(Side::South), ending.margin(Side::South)));
        repeated += usize::from(matches!(ending.why, Why::Rule(_)));
    }
    repeated
}

/// The cache of best moves leaves out positions in which a search may come to an earlier one.
#[test]
fn weights_play_by_all_rules_of_their_game() {
    for depth in [1, 3] {
        assert_eq!(contests_are_games(Kalah::start("".parse().unwrap()), depth), 0);
        assert!(contests_are_games(Oware::start("".parse().unwrap()), depth) > 0, "{depth}");
        assert!(contests_are_games(Awari::start("".parse().unwrap()), depth) > 0, "{depth}");
        contests_are_games(Erherhe::start("".parse().unwrap()), depth);
        contests_are_games(VaiLungThlan::start("".parse().unwrap()), depth);
        contests_are_games(Ohvalhu::start("".parse().unwrap()), depth);
    }
}

/// On a board of eight pits a side, numbers of bowls and remainders go further.
#[test]
fn programs_reach_every_pit_of_a_large_board() {
    let mut settings = Settings::default();
    settings.set("game", "ohvalhu").unwrap();
    let constants = |settings: &Settings| {
        let [grammar] = &KalahProblem::grammars(settings).unwrap()[..] else { panic!() };
        let tree = grammar.full(6, usize::MAX, &mut crate::rng::keyed(&[1])).unwrap();
        let constants = tree.nodes().iter().filter_map(|node| match node {
            Node::Constant(constant) => Some(*constant),
            Node::Symbol(_) => None,
        });
        constants.max()
    };
    assert_eq!((constants(&settings), constants(&Settings::default())), (Some(17), Some(13)));
    assert_eq!(settings.rows().iter().find(|(name, _)| *name == "terminal set").unwrap().1, "integers from 0 to 17");
    let start = Ohvalhu::start(Default::default());
    let reading = ProgramReading::default();
    assert_eq!(reading.choices(&start).unwrap(), [0, 0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(reading.bowls(&start), [0, 8, 8, 8, 8, 8, 8, 8, 8, 0, 8, 8, 8, 8, 8, 8, 8, 8]);
    let explained = |text: &str| reading.explain(&crate::program::Tree::parse(text).unwrap(), &start).unwrap();
    assert_eq!((explained("17").played, explained("(@ 18)").value, explained("(@ 17)").value), (7, 0, 8));
    let text = |text: &str| KalahProblem::simplified(&settings, &crate::program::Tree::parse(text).unwrap().into()).0;
    assert_eq!((text("(@ 17)"), text("(@ 20)")), ("(@ 17)".to_owned(), "(@ 2)".to_owned()));
}

#[test]
fn the_setting_accepts_games_of_pits() {
    let names = settings::names();
    assert_eq!(names, ["kalah", "oware", "awari", "vai-lung-thlan", "ohvalhu", "erherhe"]);
    let mut settings = Settings::default();
    for name in &names {
        settings.set("game", name).unwrap();
        assert_eq!((settings.variant().name(), settings::text(&settings.game)), (*name, (*name).to_owned()));
    }
    settings.set("game", "oware:slam=all").unwrap();
    assert!(settings.to_text().contains("game = \"oware:slam=all\""));
    // Files of Kalah stay as they were.
    settings.set("game", "kalah").unwrap();
    assert!(!settings.to_text().contains("game"), "{}", settings.to_text());
    assert!(settings.list().iter().any(|(key, _, value)| *key == "game" && value == "kalah"));
    let mut error = |text: &str| settings.set("game", text).unwrap_err().to_string();
    let all = ["oware[:slam=none|all|illegal]", "awari", "ohvalhu", "erherhe[:chain=no|yes]"];
    for (text, why) in [("othello", "Othello has no pits"), ("owari", "did you mean 'oware'?"), ("", "unknown game ''")]
    {
        let message = error(text);
        assert!(message.contains(why) && all.iter().all(|game| message.contains(game)), "{message}");
    }
    assert!(error("kalah:8x4").contains("with the setting capture"), "{}", error("kalah:8x4"));
    assert!(error("kalah:12x12").contains("at most 8 pits"), "{}", error("kalah:12x12"));
    assert!(error("oware:slam=some").contains("slam=none|all|illegal"), "{}", error("oware:slam=some"));
    // A player of one game only is refused for another, whichever is set first.
    settings.set("opponents", "perfect").unwrap();
    settings.set("game", "oware").unwrap();
    let refused = KalahProblem::new(&settings).err().unwrap().to_string();
    assert_eq!(refused, "opponents: 'perfect' does not play Oware: perfect plays kalah only");
    assert!(settings.set("opponents", "perfect").is_err());
}

#[test]
fn weights_of_a_game_are_named_by_it() {
    let settings = HeuristicWeights::preset("oware-weights").unwrap();
    assert_eq!((settings.task.game().name(), settings.task.published()), ("oware", None));
    assert!(HeuristicWeights::settings().task.published().is_some());
    let genome: Weights = settings.task.genes().iter().map(|gene| gene.start).collect::<Vec<f64>>().into();
    assert!(settings.task.file_text(&genome, &[("seed", "1".to_owned())]).contains("game = \"oware\""));
    let mut settings = settings;
    for (text, name) in [
        ("6x4", "6x4:standard"),
        ("kalah:5x3:empty", "5x3:empty"),
        ("awari", "awari"),
        ("oware:slam=all", "oware:slam=all"),
    ] {
        settings.set("game", text).unwrap();
        assert_eq!(settings.list().iter().find(|(key, ..)| *key == "game").unwrap().2, name);
    }
    let mut error = |text: &str| settings.set("game", text).unwrap_err().to_string();
    assert!(error("checkers").contains("Checkers has no pits; known: kalah"), "{}", error("checkers"));
    assert!(error("6y4").contains("such as 6x4"), "{}", error("6y4"));
    assert!(error("kalah:12x12").contains("at most 8 pits"), "{}", error("kalah:12x12"));
    let all: usize = settings::names().len();
    let mut contests = 0;
    let _: Option<()> = of_pits!(Pits => {
        let mut settings = HeuristicWeights::settings();
        settings.set("game", Pits::NAME).unwrap();
        contests += usize::from(settings.task.contest(1).is_ok());
        None
    });
    assert_eq!(contests, all);
}
