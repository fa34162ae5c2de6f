//! The puzzles that come with the program: positions with one best move, for when no mistake of one's own is due.
//!
//! `shipped.txt` has a section for each game, and on each line the position, a tempting move and the exact values of all moves as in
//! reviewed games. Exactly one move keeps the result; a test compares all with the solvers. The file is made by the test
//! `the_file_is_made` below, from games of a player that is half greedy and half random; those
//! of Oware and Awari are boards of few seeds with stores that make the best move win.

use super::puzzles::{Puzzle, of_game};
use crate::config::Config;
use crate::game::Variant;
use crate::tabs::board::library::game_file::OpenedGame;

/// The name of their origin, in place of a file.
pub const NAME: &str = "shipped";

const TEXT: &str = include_str!("shipped.txt");

/// The puzzles of a game; none if it has none.
pub fn puzzles(variant: Variant, config: &Config) -> Vec<Puzzle> {
    let name = variant.to_string();
    let section = TEXT.split("# ").find_map(|section| section.strip_prefix(name.as_str())?.strip_prefix('\n'));
    let lines = section.into_iter().flat_map(str::lines).filter(|line| !line.is_empty());
    let puzzle = |(number, line): (u32, &str)| {
        let opened = read(variant, line)?;
        Some(Puzzle { own: false, turn: number, ..of_game(&opened, NAME, config).pop()? })
    };
    (1..).zip(lines).filter_map(puzzle).collect()
}

/// The game with a line's move and values.
fn read(variant: Variant, line: &str) -> Option<OpenedGame> {
    let mut parts = line.split(" | ");
    let position = parts.next()?;
    let played = parts.next()?;
    let values = parts.next()?;
    let text = format!("[Game \"{variant}\"]\n[Start \"{position}\"]\n\n{{[%values {values}]}} {played}\n");
    OpenedGame::read(&text, variant).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rand::RngExt as _;

    use super::*;
    use crate::budget::{Budget, Job as _, Status};
    use crate::game::{Board, Move, Position};
    use crate::paths::Paths;
    use crate::player::Analysing;
    use crate::player::analysing::Question;
    use crate::pool::Pool;
    use crate::rng;
    use crate::search::{Line, MoveValue, Report};
    use crate::tables::endgame;

    /// The games with puzzles.
    const GAMES: [&str; 5] = ["kalah", "othello", "checkers", "oware", "awari"];
    const EACH: usize = 24;

    #[test]
    fn every_game_has_puzzles_with_one_best_move() {
        let config = Config::default();
        for game in GAMES {
            let variant: Variant = game.parse().unwrap();
            let all = puzzles(variant, &config);
            assert_eq!(all.len(), EACH, "{game}");
            let terms = config.review.terms(&variant, 1);
            for puzzle in &all {
                assert!(puzzle.values.solved && !puzzle.answer().contains(' '), "{puzzle:?}");
                let others = puzzle.values.moves.iter().skip(1);
                assert!(
                    others.clone().count() >= 2
                        && others.clone().all(|line| puzzle.values.mark(line.mv, &terms).is_some()),
                    "{puzzle:?}"
                );
            }
        }
        assert!(puzzles("kalah:4x3".parse().unwrap(), &config).is_empty());
    }

    /// The exact values of all moves.
    fn solved(position: &Position) -> Option<Report> {
        let mut job = Analysing::after(None, *position, &Default::default(), Question::Perfect, &Pool::alone());
        let until = std::time::Instant::now() + std::time::Duration::from_millis(200);
        while job.step(Budget::time(std::time::Duration::from_millis(20))) == Status::Running {
            if std::time::Instant::now() > until {
                return None;
            }
        }
        let report = job.view().report;
        (report.lines.len() == position.moves().len() && report.lines.iter().all(|line| line.solved)).then_some(report)
    }

    /// A search's line as in files.
    fn text_of(position: &Position, line: &Line) -> String {
        let plies = match line.weighed {
            Some(MoveValue::Wins(plies) | MoveValue::Loses(plies)) => format!("#{plies}"),
            _ => String::new(),
        };
        let mut now = *position;
        let names = line.pv.iter().map(|mv| {
            let name = now.move_text(*mv);
            now = now.play(*mv);
            name
        });
        let names: Vec<String> = names.collect();
        let (first, rest) = names.split_first().unwrap();
        format!("{first}={:+}{plies}! {}", line.margin, rest.join(" ")).trim_end().to_owned()
    }

    /// The pieces or seeds on the board, and the empty squares of Othello.
    fn left(position: &Position) -> u32 {
        match position.board() {
            Board::Pits(board) => board.pits.iter().flatten().map(|seeds| u32::from(*seeds)).sum(),
            Board::Squares(board) if position.variant().name() == "othello" => {
                board.pieces.iter().filter(|piece| piece.is_none()).count() as u32
            }
            Board::Squares(board) => board.pieces.iter().flatten().count() as u32,
        }
    }

    /// A position of Oware with this many seeds, anywhere.
    fn with_few_seeds(variant: Variant, seeds: u32, rng: &mut impl rand::Rng) -> Position {
        let Board::Pits(mut board) = variant.start().board() else { unreachable!("a game of pits") };
        board.pits.iter_mut().flatten().for_each(|pit| *pit = 0);
        (0..seeds).for_each(|_| board.pits[rng.random_range(0..2)][rng.random_range(0..6)] += 1);
        board.stores = [(48 - seeds as u16) / 2, (49 - seeds as u16) / 2];
        variant.from_board(&Board::Pits(board), crate::game::Side::South).unwrap()
    }

    /// A position of pits with other stores, by which only the best move wins.
    fn balanced(position: Position) -> Option<Position> {
        let Board::Pits(mut board) = position.board() else { return Some(position) };
        if position.variant().name() == "kalah" {
            return Some(position);
        }
        if position.moves().len() < 3 {
            return None;
        }
        let mut margins: Vec<i32> = solved(&position)?.lines.iter().map(|line| line.margin).collect();
        margins.sort_unstable();
        let shift = margins[margins.len().checked_sub(2)?] / 2;
        let side = position.side().index();
        for (store, change) in [(side, -shift), (1 - side, shift)] {
            board.stores[store] = u16::try_from(i32::from(board.stores[store]) + change).ok()?;
        }
        position.variant().from_board(&Board::Pits(board), position.side()).ok()
    }

    /// The move that leads most at once.
    fn greedy(position: &Position) -> Move {
        let side = position.side();
        position.moves().into_iter().max_by_key(|mv| position.play(*mv).margin(side)).unwrap()
    }

    /// A line of the file, if the position is a puzzle.
    fn line_of(position: &Position, config: &Config) -> Option<(u32, String)> {
        let variant = position.variant();
        let moves = position.moves();
        if moves.len() < if matches!(variant.name(), "kalah" | "othello") { 4 } else { 3 } {
            return None;
        }
        let report = solved(position)?;
        let mut lines = report.lines;
        lines.sort_by_key(|line| std::cmp::Reverse(line.rank()));
        let tempting = Some(greedy(position))
            .filter(|mv| *mv != lines[0].mv)
            .or((variant.name() == "checkers").then_some(lines[1].mv))?;
        let values: Vec<String> = lines.iter().map(|line| text_of(position, line)).collect();
        let values = format!("{}! {}", report.depth, values.join(", "));
        let text = format!("{} | {} | {values}", position.to_text(), position.move_text(tempting));
        let opened = read(variant, &text)?;
        let puzzle = of_game(&opened, NAME, config).pop()?;
        let terms = config.review.terms(&variant, 1);
        let is_one = puzzle.values.moves.iter().skip(1).all(|line| puzzle.values.mark(line.mv, &terms).is_some());
        let depth = lines[0].pv.len() as u32;
        let plies = match lines[0].weighed {
            Some(MoveValue::Wins(plies)) => plies,
            _ => depth,
        };
        let text = format!(
            "{} | {} | {}",
            position.to_text(),
            position.move_text(tempting),
            puzzle.values.to_text(position, &[tempting])
        );
        (is_one && plies <= 25).then_some((left(position) * 100 + plies, text))
    }

    /// Writes the file. It needs the tables of checkers (4 pieces), Oware and Awari (8 seeds) in the data folder:
    /// `cargo test --lib the_file_is_made -- --ignored`.
    #[test]
    #[ignore = "writes the file"]
    fn the_file_is_made() {
        endgame::set_folder(Paths::of_process().tables());
        let config = Config::default();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tabs/board/practice/shipped.txt");
        let mut text = String::new();
        let known = std::fs::read_to_string(&path).unwrap();
        for game in GAMES {
            let variant: Variant = game.parse().unwrap();
            // Sections that are there stay.
            if let Some(section) =
                known.split_inclusive("\n# ").find(|section| section.contains(&format!("{variant}\n")))
            {
                let lines = section.trim_end_matches("# ").trim_start_matches("# ");
                text += &format!("# {lines}");
                continue;
            }
            let wanted = match game {
                "kalah" => 10..=24,
                "othello" => 8..=13,
                "checkers" => 2..=4,
                _ => 6..=8,
            };
            let mut found: Vec<(u32, String)> = Vec::new();
            let mut rng = rng::keyed(&[20]);
            while found.len() < EACH {
                let mut add = |position: Position| {
                    let line = balanced(position).and_then(|position| line_of(&position, &config));
                    let line = line.filter(|line| !found.contains(line));
                    let is_found = line.is_some();
                    found.extend(line);
                    is_found
                };
                let mut record = crate::game::record::Record::new(variant, Default::default(), None);
                if matches!(game, "oware" | "awari") {
                    add(with_few_seeds(variant, rng.random_range(wanted.clone()), &mut rng));
                    continue;
                }
                while record.ending().is_none() {
                    let position = *record.position();
                    if wanted.contains(&left(&position)) && rng.random_range(0..3) == 0 && add(position) {
                        break;
                    }
                    let moves = position.moves();
                    let is_greedy = rng.random_range(0..2) == 0;
                    let mv = if is_greedy { greedy(&position) } else { moves[rng.random_range(0..moves.len())] };
                    record.play(mv);
                }
            }
            found.sort();
            text += &format!("# {variant}\n");
            found.iter().for_each(|(_, line)| text += &format!("{line}\n"));
            std::fs::write(&path, &text).unwrap();
        }
    }
}
