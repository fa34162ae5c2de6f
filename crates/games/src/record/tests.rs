use super::*;

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
