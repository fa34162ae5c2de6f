use rand::Rng as _;

use super::*;
use crate::GameState;
use crate::checkers::Checkers;
use crate::sowing::oware::Oware;

pub(super) fn record() -> Record {
    Record::new("kalah".parse().unwrap(), ["human".into(), "human".into()], None)
}

pub(super) fn play(record: &mut Record, moves: &str) {
    for name in moves.split_whitespace() {
        let mv = record.position().move_from_text(name).unwrap();
        assert!(record.play(mv), "{name}");
    }
}

pub(super) fn line_text(record: &Record) -> String {
    let mut before = *record.start();
    let mut names = Vec::new();
    for step in record.line() {
        names.push(before.move_text(step.mv));
        before = *record.position_at(step.node);
    }
    names.join(" ")
}

#[test]
fn another_move_keeps_the_old_line_as_a_variation() {
    let mut game = record();
    play(&mut game, "C F b");
    game.back();
    play(&mut game, "a");
    assert_eq!(line_text(&game), "C F a");
    assert!(game.switch_variation(1));
    assert_eq!(line_text(&game), "C F b");
    assert_eq!(game.len(), 5);
    game.to_start();
    game.to_end();
    assert_eq!(game.ply(), 3);
    assert_eq!(line_text(&game), "C F b", "walking does not change the line");
}

#[test]
fn a_turn_holds_all_moves_of_a_chain() {
    let mut game = record();
    play(&mut game, "C F b");
    let turns: Vec<_> = game.line().iter().map(|step| (step.turn, step.opens_turn)).collect();
    assert_eq!(turns, [(1, true), (1, false), (2, true)]);
}

#[test]
fn illegal_moves_change_nothing() {
    let mut game = record();
    let before = game.clone();
    assert!(!game.play(Move(9)));
    assert_eq!(game, before);
}

#[test]
fn walking_changes_nothing_that_is_written() {
    let mut game = record();
    play(&mut game, "C F b");
    game.back();
    play(&mut game, "a");
    let version = game.version();
    game.switch_variation(1);
    game.to_start();
    game.to_end();
    assert_eq!(game.version(), version);
    let main: Vec<_> = game.main_line().iter().map(|step| step.node).collect();
    assert_eq!(main, [1, 2, 3], "the first move tried is the main line's");
}

/// Plays a random game; also returns it as a game in progress, whose history holds all moves.
fn random_game<G: Game + Into<Position> + TryFrom<Position>>(game: &str, seed: u64) -> (Record, GameState<G>) {
    let mut rng = mancalab_base::rng::keyed(&[seed]);
    let mut record = Record::new(game.parse().unwrap(), ["?".into(), "?".into()], None);
    let Ok(start) = G::try_from(*record.start()) else { panic!("{game} is another game") };
    let mut game_state = GameState::new(start);
    while game_state.ending().is_none() {
        let mv = game_state.pos().pick(rng.next_u32());
        assert!(record.play(mv), "{game} {seed}");
        game_state.play(mv);
        let history: History<G> = record.before().history(game_state.pos());
        assert_eq!(history.positions(), game_state.history().positions(), "{game} {seed}");
        assert_eq!(history.len(), game_state.history().len(), "{game} {seed}");
    }
    (record, game_state)
}

#[test]
fn games_end_as_with_all_moves_in_mind() {
    for seed in 0..40 {
        let (record, game_state) = random_game::<Checkers>("checkers", seed);
        assert_eq!(record.ending(), game_state.ending(), "{seed}");
        let (record, game_state) = random_game::<Checkers>("checkers:limit=20", seed);
        assert_eq!(record.ending(), game_state.ending(), "{seed}");
        let (record, game_state) = random_game::<Oware>("oware", seed);
        assert_eq!(record.ending(), game_state.ending(), "{seed}");
    }
}

/// Makes the line go through `node` from the start on.
fn go_the_whole_way(game: &mut Record, node: NodeId) {
    game.current = node;
    let mut child = node;
    while let Some((parent, _)) = game.nodes[child].came {
        game.nodes[parent].chosen = game.nodes[parent].children.iter().position(|&other| other == child).unwrap();
        child = parent;
    }
}

#[test]
fn the_line_goes_through_any_position_that_is_shown() {
    let mut rng = mancalab_base::rng::keyed(&[1]);
    let mut game = record();
    let mut deleted = Vec::new();
    for step in 0..4000 {
        let nodes = game.from(0);
        let node = nodes[rng.next_u32() as usize % nodes.len()];
        match rng.next_u32() % 20 {
            0 => deleted.extend(game.delete(node)),
            1 => _ = deleted.pop().is_some_and(|deleted| game.restore(deleted)),
            2 => _ = game.promote(node),
            3 => _ = game.switch_variation(1),
            4 => game.to_end(),
            5..10 => _ = game.back(),
            10..18 if game.ending().is_none() => {
                let moves = game.position().moves();
                assert!(game.play(moves[rng.next_u32() as usize % moves.len()]));
            }
            _ => {
                let mut other = game.clone();
                game.go_to(node);
                go_the_whole_way(&mut other, node);
                assert_eq!(game, other, "step {step}");
            }
        }
        let at = game.at();
        assert!(at == 0 || game.line().iter().any(|step| step.node == at), "step {step}");
    }
    assert!(game.has_variations());
}
