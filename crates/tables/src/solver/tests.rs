//! The solver against plain minimax to the end of the game, and against published values.

use super::*;
use crate::game::kalah::{Capture, Rules};
use crate::game::{Board, BoardGame as _, PitBoard, Side};
use mancalab_base::rng;
use rand::RngExt as _;
use std::collections::HashMap;
use std::fs;
use std::time::{Duration, SystemTime};

/// The final margin for South, with nothing but a memory.
fn minimax(pos: &Kalah, memory: &mut HashMap<Kalah, i32>) -> i32 {
    if pos.is_over() {
        return pos.margin(Side::South);
    }
    if let Some(margin) = memory.get(pos) {
        return *margin;
    }
    let margins: Vec<i32> = pos.moves().map(|mv| minimax(&pos.play(mv), memory)).collect();
    let best = if pos.side() == Side::South { margins.iter().max() } else { margins.iter().min() };
    memory.insert(*pos, *best.unwrap());
    *best.unwrap()
}

/// A board with up to `seeds` seeds in random pits and some in the stores.
fn random_board(seed: u64, seeds: u16) -> Kalah {
    let mut random = rng::keyed(&[seed]);
    let capture = if random.random() { Capture::Standard } else { Capture::Empty };
    let rules = Rules::new(random.random_range(1..=6), 1, capture).unwrap();
    let pits = usize::from(rules.pits());
    let mut board =
        PitBoard { pits: [vec![0; pits], vec![0; pits]], stores: [0, 0].map(|_| random.random_range(0..20)) };
    for _ in 0..random.random_range(1..=seeds) {
        board.pits[random.random_range(0..2)][random.random_range(0..pits)] += 1;
    }
    let side = if random.random() { Side::South } else { Side::North };
    Kalah::from_board(rules, &Board::Pits(board), side).unwrap()
}

fn solve(pos: &Kalah, megabytes: usize, budget: Budget) -> Solution {
    let mut solver = Solver::with_table(pos, megabytes, None).unwrap();
    while solver.step(budget) == Status::Running {}
    solver.solution()
}

/// Checks that a solution's line is legal, complete and ends with its margin, and returns the margin.
fn margin(pos: &Kalah, solution: &Solution) -> i32 {
    let mut end = *pos;
    for mv in &solution.line {
        assert!(end.moves().any(|legal| legal == *mv), "{mv:?} in {end:?}");
        end = end.play(*mv);
    }
    assert!(end.is_over());
    assert_eq!(solution.margins, (end.margin(pos.side()), end.margin(pos.side())), "{pos:?}");
    solution.margins.0
}

#[test]
fn margins_are_those_of_minimax() {
    for seed in 0..100 {
        let pos = random_board(seed, 12);
        let value = minimax(&pos, &mut HashMap::new());
        let value = if pos.side() == Side::South { value } else { -value };
        // A table of two buckets forgets nearly everything.
        for megabytes in [0, 1] {
            assert_eq!(margin(&pos, &solve(&pos, megabytes, Budget::UNLIMITED)), value, "{pos:?}");
        }
    }
}

/// Margins of starts by the book.
fn values() -> impl Iterator<Item = (Rules, i32)> {
    entries().iter().map(|entry| (entry.start.rules(), super::margin(&entry.start, entry.share)))
}

#[test]
fn the_book_has_the_solvers_margins() {
    for entry in entries() {
        let rules = entry.start.rules();
        assert_eq!(entry.by_move.iter().max(), Some(&entry.share), "{rules}");
        assert_eq!(entry.by_move.len() as u64, entry.start.count_moves(), "{rules}");
        if rules.pits() * rules.seeds() > 15 {
            continue;
        }
        let mut solver = MoveSolver::from_solver(Solver::new(&entry.start, 1).unwrap());
        while solver.step(Budget::UNLIMITED) == Status::Running {}
        let booked = MoveSolver::new(&entry.start, true, 1, None).unwrap();
        assert!(solver.margins().eq(booked.margins()) && booked.is_solved(), "{rules}");
    }
    assert!((1..=6).all(|pits| (1..=4).all(|seeds| {
        ["standard", "empty"].iter().all(|capture| {
            let rules: Rules = format!("{pits}x{seeds}:{capture}").parse().unwrap();
            find(&Kalah::start(rules)).is_some() && find(&Kalah::start(rules.ending(End::Mover))).is_none()
        })
    })));
}

#[test]
fn starts_have_their_margins() {
    for (rules, value) in values().filter(|(rules, _)| rules.pits() * rules.seeds() <= 15) {
        let start = Kalah::start(rules);
        assert_eq!(margin(&start, &solve(&start, 1, Budget::UNLIMITED)), value, "{rules}");
    }
}

#[test]
fn margins_agree_with_the_literature() {
    // Irving, Donkers and Uiterwijk (2000), for the empty-capture rule.
    for (size, published) in [("3x6", -10), ("6x1", 2), ("6x2", 10), ("6x3", 2), ("6x4", 10)] {
        let rules = format!("{size}:empty").parse().unwrap();
        assert!(values().any(|row| row == (rules, published)), "{size}");
    }
}

#[test]
fn steps_change_nothing() {
    let start = Kalah::start("5x3".parse().unwrap());
    let whole = solve(&start, 1, Budget::UNLIMITED);
    assert_eq!(solve(&start, 1, Budget::time(Duration::ZERO)), whole);
    let mut solver = Solver::new(&start, 1).unwrap();
    assert_eq!(solver.step(Budget::time(Duration::ZERO)), Status::Running);
    let (least, most) = solver.solution().margins;
    assert!(least <= whole.margins.0 && whole.margins.1 <= most);
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let error = |rules: &str| Solver::new(&Kalah::start(rules.parse().unwrap()), 1).err().unwrap().to_string();
    assert_eq!(error("6x12"), "a position to solve must have at most 126 seeds in its pits (got 144)");
    assert_eq!(error("8x6"), "a board of 8x6:standard with 96 seeds needs a table of more than 1 MB");
}

#[test]
fn games_with_another_end_are_refused() {
    let error = Solver::new(&Kalah::start("2x2:end=mover".parse().unwrap()), 1).err().unwrap();
    assert_eq!(error, "a game to solve must end when either side has no seeds (got 2x2:standard:end=mover)".into());
}

#[test]
fn threads_change_no_margin() {
    for (rules, value) in values().filter(|(rules, _)| (16..=20).contains(&(rules.pits() * rules.seeds()))) {
        let start = Kalah::start(rules);
        let mut solver = Solver::with_table(&start, 1, None).unwrap().on(&Pool::new(3));
        while solver.step(Budget::time(Duration::from_millis(1))) == Status::Running {}
        assert_eq!(margin(&start, &solver.solution()), value, "{rules}");
    }
}

#[test]
fn a_checkpoint_continues_the_solution() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/state.checkpoint");
    let killed = folder.path().join("deep/state.checkpoint.4194303.tmp");
    fs::create_dir(folder.path().join("deep")).unwrap();
    fs::write(&killed, "half of a state").unwrap();
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    fs::File::options().write(true).open(&killed).unwrap().set_modified(hour_ago).unwrap();
    let start = Kalah::start("5x3".parse().unwrap());
    let whole = solve(&start, 1, Budget::UNLIMITED);
    let new = |megabytes| Solver::with_table(&start, megabytes, None).unwrap();
    let mut solver = new(1);
    assert_eq!(solver.resume(&path), Ok(false));
    assert!(!killed.exists());
    // Each process searches once, after the endgames, which no checkpoint has.
    let mut before = 0;
    while solver.step(Budget::time(Duration::ZERO)) == Status::Running {
        if solver.solution().nodes > before {
            before = solver.solution().nodes;
            solver.save(&path).unwrap();
            solver = new(1);
            assert_eq!(solver.resume(&path), Ok(true));
        }
    }
    assert_eq!(margin(&start, &solver.solution()), whole.margins.0);
    // A table that may become larger.
    let mut other = new(2);
    assert_eq!(other.resume(&path), Ok(true));
    assert_eq!(other.solution().margins, whole.margins);

    let bytes = std::fs::read(&path).unwrap();
    let refused = |solver: &mut Solver, bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        solver.resume(&path).unwrap_err().to_string()
    };
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    assert!(refused(&mut new(1), &damaged).ends_with("a checksum is wrong; delete it to begin anew"));
    assert!(refused(&mut new(1), &bytes[..bytes.len() - 1]).contains("it is cut short"));
    let mut other = Solver::with_table(&Kalah::start("5x3:empty".parse().unwrap()), 1, None).unwrap();
    assert!(refused(&mut other, &bytes).contains("not the state of this solution"));
}

#[test]
fn moves_have_the_margins_of_minimax() {
    let mut before = None;
    for seed in 0..60 {
        let pos = random_board(seed, 12);
        if pos.is_over() {
            continue;
        }
        let after =
            |mv: Move| minimax(&pos.play(mv), &mut HashMap::new()) * if pos.side() == Side::South { 1 } else { -1 };
        let best = pos.moves().map(after).max().unwrap();
        let first = pos.moves().find(|&mv| after(mv) == best);
        for all in [true, false] {
            // The table of another position changes nothing.
            let mut solver = MoveSolver::new(&pos, all, 1, before.take()).unwrap();
            while solver.step(Budget::time(Duration::ZERO)) == Status::Running {}
            assert!(solver.is_solved());
            let greatest = solver.margins().map(|(_, margin)| margin).max();
            assert_eq!((solver.best(), greatest), (first, Some(best)), "{pos:?}");
            assert!(solver.margins().all(|(mv, margin)| margin == after(mv)), "{pos:?}");
            assert!(!all || solver.margins().count() as u64 == pos.count_moves());
            before = Some(solver);
        }
    }
}

#[test]
fn fair_openings_are_drawn() {
    for rules in ["2x4:empty", "3x2:empty", "4x1"] {
        let rules: Rules = rules.parse().unwrap();
        let is_draw = |pos: &Kalah| minimax_value(pos) == 0;
        let drawn: Vec<Kalah> = rules.starts(1).into_iter().filter(is_draw).collect();
        assert!(rules.fair_openings().eq(drawn.iter().copied()) && !drawn.is_empty(), "{rules}");
        for start in rules.starts(1) {
            let mut solver = Solver::new(&start, 1).unwrap();
            let ordering = solver.compare_with_draw(Budget::UNLIMITED).unwrap();
            assert_eq!(ordering, minimax_value(&start).cmp(&0), "{start:?}");
        }
    }
}

fn minimax_value(pos: &Kalah) -> i32 {
    let south = minimax(pos, &mut HashMap::new());
    if pos.side() == Side::South { south } else { -south }
}

#[test]
fn a_damaged_table_of_kalah_changes_no_solution() {
    let rules = Rules::new(6, 4, Capture::Standard).unwrap();
    let board = PitBoard { pits: [vec![0, 0, 2, 1, 1, 1], vec![1, 1, 0, 2, 1, 1]], stores: [0, 0] };
    let pos = Kalah::from_board(rules, &Board::Pits(board), Side::South).unwrap();
    let table = endgame::tests::damaged("6x4", 6);
    let mut solver = Solver::with_table(&pos, 1, Some(table.clone())).unwrap();
    while solver.step(Budget::UNLIMITED) == Status::Running {}
    let solution = solver.solution();
    assert_eq!(margin(&pos, &solution), margin(&pos, &solve(&pos, 1, Budget::UNLIMITED)));
    assert!(table.is_damaged());
}

/// A search computes boards of more seeds itself than a small table has.
#[test]
fn a_table_of_any_size_changes_no_solution() {
    let rules = Rules::new(6, 4, Capture::Standard).unwrap();
    let board = PitBoard { pits: [vec![3, 1, 2, 0, 2, 1], vec![1, 2, 0, 4, 2, 2]], stores: [0, 0] };
    let pos = Kalah::from_board(rules, &Board::Pits(board), Side::South).unwrap();
    let alone = margin(&pos, &solve(&pos, 1, Budget::UNLIMITED));
    for seeds in [1, 3, 7, 8, 9] {
        let table = endgame::tests::table("6x4", seeds);
        let mut solver = Solver::with_table(&pos, 1, Some(table)).unwrap();
        while solver.step(Budget::UNLIMITED) == Status::Running {}
        assert_eq!(margin(&pos, &solver.solution()), alone, "{seeds} seeds");
    }
}
