use std::sync::Arc;
use std::time::Duration;

use rand::Rng as _;

use super::*;
use crate::budget::{Budget, Job as _, Status};
use crate::evolve::gp::{Genome, GpRun, Outcome, Problem, islands};
use crate::evolve::inspect::Inspect as _;
use crate::game::othello::{Othello, Rules};
use crate::game::{BoardGame, Game, GameState, Side};
use crate::job::{Progress, Run as _, RunJob};
use crate::player::{self, Spec, Turn};
use crate::pool::Pool;
use crate::program::Tree;
use crate::program::othello::OthelloLanguage;
use crate::rng;
use crate::settings::KeyedSettings as _;

fn settings(texts: &[&str]) -> Settings {
    let mut settings = Settings::default();
    settings.set_text("games=4").unwrap();
    texts.iter().for_each(|text| settings.set_text(text).unwrap_or_else(|report| panic!("{report}")));
    settings
}

fn genome(functions: &[&str]) -> Arc<Genome<OthelloLanguage>> {
    let trees = functions.iter().map(|text| Tree::parse(text).unwrap()).collect();
    Arc::new(Genome::new(trees).unwrap())
}

fn evaluated(
    settings: &Settings,
    programs: &[Arc<Genome<OthelloLanguage>>],
    generation: u64,
    pool: &Pool,
    budget: impl Fn() -> Budget,
) -> Vec<Outcome> {
    let mut problem = OthelloProblem::new(settings).unwrap();
    let mut batch = problem.begin(programs.to_vec(), generation);
    while problem.advance(&mut batch, pool, budget()) == Status::Running {}
    assert_eq!(OthelloProblem::evaluated(&batch), programs.len());
    OthelloProblem::finish(batch)
}

fn at_once(settings: &Settings, program: &Arc<Genome<OthelloLanguage>>) -> Outcome {
    evaluated(settings, &[Arc::clone(program)], 3, &Pool::alone(), || Budget::UNLIMITED)[0]
}

/// Plays a game between any two players; returns the discs of the program's side and of the other.
fn plain_game(settings: &Settings, program: &Spec, opponent: (u64, &Spec), number: u64) -> [u32; 2] {
    let seed = settings.tableau.seed;
    let (start, side) = match settings.seat {
        Seat::White => (number, Side::North),
        Seat::Black => (number, Side::South),
        Seat::Both => (number / 2, [Side::North, Side::South][number as usize % 2]),
    };
    let mut game_state = GameState::new(Othello::start(Rules::default()));
    let mut random = rng::keyed(&[seed, 3, start, 2]);
    for _ in 0..settings.opening {
        game_state.play(game_state.pos().pick(random.next_u32()));
    }
    let seed = rng::derived(&[seed, 3, number, opponent.0, 3]);
    let mut players = [program, opponent.1].map(|spec| player::build::<Othello>(spec).unwrap());
    while !game_state.is_over() {
        let who = usize::from(game_state.pos().side() != side);
        game_state.play(players[who].think(&Turn::current(&game_state, seed), Budget::UNLIMITED).unwrap());
    }
    [side, side.other()].map(|side| game_state.pos().discs()[side.index()].count_ones())
}

const FUNCTIONS: [&str; 2] =
    ["( + white ( * 10 white_corners ) )", "( - ( * 10 ( * 10 white_corners ) ) ( + white black_edges ) )"];

#[test]
fn a_program_is_worth_what_its_games_come_to() {
    let staged: Spec = format!("staged:{},75,{},25", FUNCTIONS[0], FUNCTIONS[1]).parse().unwrap();
    for (seat, opening) in [("white", 0), ("black", 3), ("both", 6)] {
        let seat = format!("seat={seat}");
        let opening = format!("opening={opening}");
        let settings = settings(&[
            "stages=75,25",
            "opponents=random,2*minimax:2,mcts:20,max",
            "fitness=discs",
            "games=16",
            &seat,
            &opening,
        ]);
        let mut discs = 0.0;
        let mut won = 0.0;
        for (number, opponent) in settings.opponents.iter().enumerate() {
            let OpponentKind::Player(spec) = &opponent.kind else { unreachable!() };
            // Each opponent's fifth of the games is 3.2; the cumulative numbers are rounded.
            for game in 0..[3, 7, 3, 3][number] {
                let [own, other] = plain_game(&settings, &staged, (number as u64, spec), game);
                discs += f64::from(other);
                won += f64::from(u8::from(own > other));
            }
        }
        let outcome = at_once(&settings, &genome(&FUNCTIONS));
        assert_eq!((outcome.scores[0], outcome.fitness), (discs, 16.0 * 64.0 - discs));
        assert!((outcome.scores[1] - won / 0.16).abs() < 1e-9);
    }
}

#[test]
fn what_is_gained_in_the_stages_adds_up_to_the_whole() {
    for (seat, opening) in [("seat=white", "opening=0"), ("seat=black", "opening=2"), ("seat=both", "opening=13")] {
        let of = |texts: &[&str]| {
            at_once(&settings(&[&[seat, "games=6", opening], texts].concat()), &genome(&FUNCTIONS[..1]))
        };
        let whole = of(&[]);
        for (stages, count) in [("stages=50,50", 2), ("stages=20,30,45,5", 4), ("stages=100", 1)] {
            let stage = |number: u32| of(&[stages, &format!("training=stage:{number}")]);
            let gained: Vec<Outcome> = (1..=count).map(stage).collect();
            assert_eq!(gained.iter().map(|outcome| outcome.scores[0]).sum::<f64>(), whole.scores[0], "{stages}");
            // The games are the same.
            assert!(
                gained
                    .iter()
                    .all(|outcome| outcome.behaviour == whole.behaviour && outcome.scores[1] == whole.scores[1])
            );
        }
    }
}

/// Large programs are called move by move and small ones play whole games in one go: the games are the same.
#[test]
fn games_against_the_random_player_are_the_same_in_one_go() {
    let small = FUNCTIONS[1].to_owned();
    // Thousands of nodes without effect.
    let large = (0..400).fold(small.clone(), |text, _| {
        format!("( + ( - {text} ( * 10 ( * 10 ( * 10 black_edges ) ) ) ) ( * 10 ( * 10 ( * 10 black_edges ) ) ) )")
    });
    for texts in [&["opening=3", "seat=both"][..], &["stages=40,60", "training=stage:2"]] {
        let [small, large] = [&small, &large].map(|text| at_once(&settings(texts), &genome(&[text])));
        assert_eq!(small, large);
    }
}

#[test]
fn neither_threads_nor_budgets_show() {
    let settings =
        settings(&["opponents=random,minimax:3,mcts:30,programs:2,champions:2", "seat=both", "opening=4", "games=15"]);
    let programs: Vec<_> =
        FUNCTIONS.iter().chain(&["( white )", "( / black_edges white )"]).map(|text| genome(&[text])).collect();
    let whole = evaluated(&settings, &programs, 1, &Pool::alone(), || Budget::UNLIMITED);
    for (threads, micros) in [(1, 0), (2, 0), (8, 200)] {
        let budget = || Budget::time(Duration::from_micros(micros));
        assert_eq!(evaluated(&settings, &programs, 1, &Pool::new(threads), budget), whole, "{threads} {micros}");
    }
}

#[test]
fn other_games_are_played_in_every_generation_only_if_they_are_to_be() {
    let program = genome(&["( white )"]);
    let of = |settings: &Settings, generation| {
        evaluated(settings, std::slice::from_ref(&program), generation, &Pool::alone(), || Budget::UNLIMITED)[0]
    };
    let (anew, same) = (settings(&["anew=true"]), settings(&["anew=false"]));
    assert_ne!(of(&anew, 1).behaviour, of(&anew, 2).behaviour);
    assert_eq!(of(&same, 1), of(&same, 2));
    let changes = |texts: &[&str]| OthelloProblem::new(&settings(texts)).unwrap().changes();
    assert!(changes(&["anew=true"]) && !changes(&["anew=false"]) && changes(&["anew=false", "opponents=champions:1"]));
}

/// A function with a definition plays like the player of its text, and its trees stay apart.
#[test]
fn trees_are_bred_each_for_its_place() {
    for (adf, stages, count) in [(0, "50,50", 2), (1, "100", 2), (2, "30,30,40", 6)] {
        let mut settings = settings(&[&format!("adf={adf}"), &format!("stages={stages}"), "mutation=20", "games=2"]);
        (settings.tableau.population, settings.tableau.generations, settings.termination) = (40, 6, 0.0);
        let mut job = RunJob::in_memory(settings.clone(), &Pool::alone()).unwrap();
        assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
        let population = job.run_as::<OthelloRun>().population().unwrap();
        let mut called = false;
        for one in &population.individuals {
            assert_eq!(one.program.trees().len(), count);
            for (place, tree) in one.program.trees().iter().enumerate() {
                let text = tree.to_notation();
                let is_body = adf > 0 && place % 2 == 1;
                assert!(!text.contains(if is_body { "adf" } else { "arg" }), "{place}: {text}");
                assert!(!is_body || !text.contains("white"), "{place}: {text}");
                called |= text.contains("adf");
            }
            // The text is that of a player with the same outcome.
            let text = OthelloProblem::text(&settings, &one.program);
            let staged: Spec = format!("staged:{text}").parse().unwrap();
            let [_, other] = plain_game(&settings, &staged, (0, &Spec::Random), 0);
            let mut single = settings.clone();
            single.games = 1;
            assert_eq!(at_once(&single, &one.program).scores[0], f64::from(other), "{text}");
            assert_eq!(OthelloProblem::read(&settings, &text).as_ref(), Ok(&*one.program));
        }
        assert_eq!(called, adf > 0);
        // The simplified program plays the same.
        let (text, nodes) = OthelloProblem::simplified(&settings, &population.best().program);
        assert!(nodes <= population.best().program.size());
        let [simple, whole] = [text, OthelloProblem::text(&settings, &population.best().program)].map(|text| {
            let spec = format!("staged:{text}").parse().unwrap();
            plain_game(&settings, &spec, (0, &Spec::Random), 1)
        });
        assert_eq!(simple, whole);
    }
}

/// Where stages overlap, a program plays like the player of its text, whose stages overlap too.
#[test]
fn stages_are_handed_over_as_players_do() {
    let program = genome(&FUNCTIONS);
    let of = |overlap: &str| {
        let settings = settings(&["stages=50,50", "games=6", "seat=both", overlap]);
        (at_once(&settings, &program), OthelloProblem::text(&settings, &program), settings)
    };
    let (abrupt, text, _) = of("overlap=0");
    assert!(!text.contains("overlap"));
    for overlap in [40, 100] {
        let (outcome, text, settings) = of(&format!("overlap={overlap}"));
        assert!(text.ends_with(&format!(",50:overlap={overlap}")), "{text}");
        assert_eq!(OthelloProblem::read(&settings, &text).as_ref(), Ok(&*program));
        assert!(OthelloProblem::simplified(&settings, &program).0.ends_with(&format!(":overlap={overlap}")));
        let player: Spec = format!("staged:{text}").parse().unwrap();
        let discs = (0..6).map(|game| f64::from(plain_game(&settings, &player, (0, &Spec::Random), game)[1]));
        assert_eq!(outcome.scores[0], discs.sum::<f64>());
        assert_ne!(outcome.behaviour, abrupt.behaviour);
        // A large program is called move by move: the games are the same.
        let nodes = (0..400).fold(FUNCTIONS[0].to_owned(), |text, _| {
            format!("( + ( - {text} ( * 10 ( * 10 ( * 10 black ) ) ) ) ( * 10 ( * 10 ( * 10 black ) ) ) )")
        });
        assert_eq!(at_once(&settings, &genome(&[&nodes, FUNCTIONS[1]])), outcome);
    }
}

/// Both functions are marked where either may play, with their probabilities.
#[test]
fn the_probability_of_each_function_is_shown() {
    let board = (0..30).fold(Othello::start(Rules::default()), |pos, _| pos.play(pos.pick(1 << 31)));
    assert_eq!(board.put(), 30);
    let of = |texts: &[&str]| {
        let valued = OthelloProblem::valued(&settings(texts), &genome(&FUNCTIONS), Some(board.into()));
        let tree = |tree: crate::evolve::inspect::ValuedTree| (tree.title + &tree.now, tree.nodes[0].taken);
        valued.trees.into_iter().map(tree).collect::<Vec<_>>()
    };
    let titled = |first: (&str, bool), second: (&str, bool)| {
        [first, second].map(|(title, taken)| (title.to_owned(), taken)).to_vec()
    };
    let abrupt = of(&["stages=50,50"]);
    assert_eq!(abrupt, titled(("stage 1, 50 %", false), ("stage 2, 50 %, in force", true)));
    // The middle of the 31st ply is half a ply behind the boundary, in an overlap of 6 plies: 7 of 12.
    let drawn = of(&["stages=50,50", "overlap=10"]);
    assert_eq!(drawn, titled(("stage 1, 50 %, in force with 42 %", true), ("stage 2, 50 %, in force with 58 %", true)));
}

/// Champions play like the players of their texts.
#[test]
fn champions_are_played_as_players_are() {
    let champions = [genome(&["( white )"]), genome(&["( black_edges )"])];
    let program = genome(&[FUNCTIONS[1]]);
    let met = |champions: &[Arc<Genome<OthelloLanguage>>]| {
        let mut problem = OthelloProblem::new(&settings(&["opponents=champions:2", "opening=4"])).unwrap();
        problem.meet(champions.to_vec());
        let mut batch = problem.begin(vec![Arc::clone(&program)], 3);
        while problem.advance(&mut batch, &Pool::alone(), Budget::UNLIMITED) == Status::Running {}
        OthelloProblem::finish(batch)[0]
    };
    let named = |opponents: &str| at_once(&settings(&[opponents, "opening=4"]), &program);
    assert_eq!(met(&champions), named("opponents=staged:( white ),staged:( black_edges )"));
    assert_eq!(met(&champions[..1]), named("opponents=staged:( white )"));
    assert_eq!(met(&[]), named("opponents=random"));
    // Opponents without games are left out.
    assert_eq!(named("opponents=random,0.01*minimax:40"), named("opponents=random"));
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    let error = |texts: &[&str]| OthelloProblem::new(&settings(texts)).map(|_| ()).unwrap_err();
    assert!(error(&["stages=50,50", "training=stage:3"]).to_string().contains("training must be at most stage:2"));
    assert!(error(&["stages=1,1,98"]).to_string().contains("stage 2 of 1,1,98 contains no ply"));
    for single in [&["overlap=40"][..], &["stages=50,50", "training=stage:1", "overlap=40"]] {
        assert!(error(single).to_string().contains("overlap must be 0 for a single function (got 40)"));
    }
    assert!(error(&["functions=add,adf1"]).to_string().contains("known: add, sub, mul, div"));
    let champions = settings(&["islands=2", "population=16", "opponents=random,champions:2"]);
    let refused = islands::check::<OthelloProblem>(&champions).unwrap_err();
    assert!(refused.to_string().starts_with("opponents must not contain champions"), "{refused}");
    let refused = |text: &str| Settings::default().set_text(text).unwrap_err().to_string();
    for (text, reason) in [
        ("opponents=program:figure5-1", "does not play Othello"),
        ("opponents=human", "a human cannot be an opponent"),
        ("opponents=minimax:4:ms=5", "plays against the clock"),
        ("opponents=champions:0", "champions takes a number from 1 to 100"),
        ("stages=50,60", "add up to 100"),
        ("training=stage:x", "the number of a stage"),
        ("adf=3", "a whole number from 0 to 2"),
        ("games=0", "a whole number from 1 to 100000"),
        ("termination=-1", "a number from 0 to"),
    ] {
        assert!(refused(text).contains(reason), "{text}: {}", refused(text));
    }
    let kalah =
        crate::evolve::kalah::Settings::default().set_text("opponents=staged:( white )").unwrap_err().to_string();
    assert!(kalah.contains("does not play Kalah"), "{kalah}");
}

/// The fitness of an unchanged function changes with the games.
#[test]
fn improvements_tell_what_the_best_was_worth_then() {
    for more in ["opponents=random", "opponents=champions:1"] {
        let settings = settings(&["population=12", "generations=8", "elitism=4", "games=3", "termination=0", more]);
        let mut run = GpRun::<OthelloProblem>::start(settings).unwrap();
        while run.advance(&Pool::alone(), Budget::UNLIMITED) != Progress::Done {}
        let view = run.view();
        assert!(view.improvements.len() > 1, "{more}");
        for improvement in view.improvements.iter() {
            let row = view.history.get(improvement.birth.generation as usize).unwrap();
            assert_eq!((improvement.birth.fitness, improvement.scores), (row.best, row.best_scores), "{more}");
        }
    }
}

#[test]
fn hashes_differ_with_the_order_of_trees_and_between_constants_and_counts() {
    let hash = |texts: &[&str]| genome(texts).hash();
    let white = "white";
    let black = "( + black 10 )";
    assert_ne!(hash(&[white, black]), hash(&[black, white]));
    assert_ne!(hash(&[white, white]), hash(&[black, black]));
    assert_eq!(hash(&[white]), Tree::<OthelloLanguage>::parse(white).unwrap().hash());
    // Constants whose highest byte is all that they have.
    let constants = (1..127_u64).step_by(2).map(|byte| f64::from_bits(byte << 56).to_string());
    let texts: Vec<String> = constants
        .chain(crate::program::othello::count_names().map(str::to_owned))
        .chain(["10", "-10", "0.5"].map(str::to_owned))
        .collect();
    let hashes: std::collections::HashSet<u64> = texts.iter().map(|text| hash(&[text])).collect();
    assert_eq!(hashes.len(), texts.len());
}

#[test]
fn all_functions_are_described_and_known() {
    use crate::program::language::{Language as _, Part};
    use crate::program::othello::OthelloLanguage;
    let described: Vec<&str> = super::FUNCTIONS.iter().map(|(name, _)| *name).collect();
    let symbols = (0..).zip(OthelloLanguage::SYMBOLS);
    let plain = symbols.filter(|(at, symbol)| symbol.arity() > 0 && OthelloLanguage::part(*at) == Part::Plain);
    assert_eq!(described, plain.map(|(_, symbol)| symbol.name).collect::<Vec<_>>());
    let settings = settings(&["functions=if,max"]);
    assert!(OthelloProblem::grammars(&settings).is_ok());
}
