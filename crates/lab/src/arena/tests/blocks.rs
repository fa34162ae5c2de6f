//! Tournaments in blocks: the merged rows equal those of one machine.

use mancalab_base::Error;
use std::collections::HashMap;
use std::ops::Range;

use proptest::prelude::*;

use super::*;
use crate::job::Progress;

/// Returns a tournament's rows, played to its end on one machine.
fn rows_of(tournament: &mut Tournament) -> Vec<String> {
    let pool = Pool::new(2);
    let mut rows = Vec::new();
    loop {
        match tournament.advance(&pool, Budget::UNLIMITED) {
            Progress::Generation(row) => rows.push(row.values),
            Progress::Done => return rows,
            other => panic!("{other:?}"),
        }
    }
}

fn start(settings: &Settings) -> Tournament {
    Tournament::start(settings.clone()).unwrap()
}

/// How a block is played: number of threads, whether with tiny budgets, and whether it is saved and resumed after
/// every step.
#[derive(Clone, Copy, Debug)]
struct Way {
    threads: usize,
    cut: bool,
    resumed: bool,
}

const PLAIN: Way = Way { threads: 1, cut: false, resumed: false };

/// Plays a block to its end and returns what it saves.
fn saved(settings: &Settings, cell: usize, rounds: Range<u32>, way: Way) -> (String, String) {
    let pool = Pool::new(way.threads);
    let mut block = Block::begin(settings.clone(), cell, rounds.clone()).unwrap();
    let budget = || if way.cut { Budget::time(Duration::ZERO) } else { Budget::UNLIMITED };
    let mut done = 0;
    while block.advance(&pool, budget()) == Status::Running {
        // Games in progress are lost, so only after another game has ended; otherwise the block would never end.
        if way.resumed && block.done() > done {
            done = block.done();
            let (games, timings) = block.save();
            block = Block::resume(settings.clone(), cell, rounds.clone(), &games, &timings).unwrap();
            assert_eq!(block.done(), done);
        }
    }
    assert!(block.is_done() && block.done() as usize == rounds.len());
    block.save()
}

/// Lines of blocks, by cell in the order of rounds.
#[derive(Default)]
struct Lines {
    lines: HashMap<usize, Vec<(String, String)>>,
    positions: HashMap<usize, usize>,
    /// Requested cells and rounds.
    asked: Vec<usize>,
}

impl Lines {
    fn add(&mut self, cell: usize, (games, timings): &(String, String)) {
        assert_eq!(games.lines().count(), timings.lines().count());
        let pair = |(game, time): (&str, &str)| (game.to_owned(), time.to_owned());
        self.lines.entry(cell).or_default().extend(games.lines().zip(timings.lines()).map(pair));
    }
}

impl Source for Lines {
    fn peek(&mut self, cell: usize) -> Result<Option<GameLine<'_>>, Error> {
        self.asked.push(cell);
        let at = *self.positions.entry(cell).or_default();
        let line = self.lines.get(&cell).and_then(|lines| lines.get(at));
        line.map(|(game, timings)| GameLine::parse(game, timings)).transpose()
    }

    fn pass(&mut self, cell: usize) {
        *self.positions.entry(cell).or_default() += 1;
    }
}

fn all_rows(tournament: &mut Tournament, source: &mut Lines) -> Vec<String> {
    std::iter::from_fn(|| tournament.take_round(source).unwrap()).map(|row| row.values).collect()
}

/// Returns all blocks of a tournament, with these sizes per cell, except the omitted one.
fn lines(settings: &Settings, sizes: &[u32], ways: &[Way], left_out: Option<usize>) -> Lines {
    let mut source = Lines::default();
    let mut gap: Option<usize> = None;
    for (number, (cell, rounds)) in blocks(settings, sizes).into_iter().enumerate() {
        if Some(number) == left_out {
            gap = Some(cell);
        }
        // After a gap, nothing more of the cell can be read in order.
        if gap != Some(cell) {
            source.add(cell, &saved(settings, cell, rounds, ways[number % ways.len()]));
        }
    }
    source
}

fn settings() -> impl Strategy<Value = Settings> {
    let players = prop::collection::vec(prop::sample::select(vec!["random", "max", "minimax:2", "mcts:20"]), 1..4);
    let variants = prop::sample::select(vec!["kalah:3x2:standard", "kalah:4x3:standard"]);
    let own = prop::collection::vec(prop::option::of(0u32..30), 9);
    (players, variants, 1u32..24, 0u32..4, any::<bool>(), any::<bool>(), own, 0u64..1000).prop_map(
        |(players, variant, games, opening, stops, is_robin, own, seed)| {
            let count = players.len();
            let pairs = (0..count * count).map(|at| (at % count, at / count, own[at]));
            let pairs = if is_robin { Pairs::All } else { Pairs::Only(pairs.collect()) };
            Settings {
                variant: variant.parse().unwrap(),
                pairs,
                opening: opening.into(),
                seed,
                stop: stops.then_some(Sprt { lower: 0.0, upper: 200.0 }),
                ..robin(&players, games)
            }
        },
    )
}

fn way() -> impl Strategy<Value = Way> {
    (1usize..3, any::<bool>(), any::<bool>()).prop_map(|(threads, cut, resumed)| Way { threads, cut, resumed })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn blocks_put_together_are_the_rows_of_one_machine(
        settings in settings().prop_filter("it has games", |settings| settings.check().is_ok()),
        sizes in prop::collection::vec(1u32..9, 9),
        ways in prop::collection::vec(way(), 1..4),
        left_out in any::<prop::sample::Index>(),
    ) {
        let mut whole = start(&settings);
        let rows = rows_of(&mut whole);
        // All blocks.
        let mut merged = start(&settings);
        prop_assert_eq!(&all_rows(&mut merged, &mut lines(&settings, &sizes, &ways, None)), &rows);
        prop_assert!(merged.is_over());
        prop_assert_eq!(merged.best(), whole.best());
        prop_assert_eq!(outcome(&merged), outcome(&whole));
        // One is missing: first the rows before it, then the rest.
        let left_out = left_out.index(blocks(&settings, &sizes).len());
        let (cell, rounds) = blocks(&settings, &sizes)[left_out].clone();
        let mut source = lines(&settings, &sizes, &ways, Some(left_out));
        let mut partial = start(&settings);
        let before = all_rows(&mut partial, &mut source);
        let is_closed = |row: &String| row.split([',', ' ']).nth(1 + cell).unwrap() == "-";
        // Games after an early stop are not needed.
        let wanted = rows.iter().skip(rounds.start as usize).position(|row| !is_closed(row));
        let until = wanted.map_or(rows.len(), |_| rounds.start as usize);
        prop_assert_eq!(&before, &rows[..until]);
        prop_assert_eq!(partial.is_over(), until == rows.len());
        // A restored tournament continues by itself, and so does one that was never saved.
        let state = partial.save(&Pool::alone());
        let mut restored = Tournament::restore(settings.clone(), &state, Rows::in_memory(&before)).unwrap();
        prop_assert_eq!(outcome(&restored), outcome(&partial));
        prop_assert_eq!(&rows_of(&mut restored), &rows[until..]);
        prop_assert_eq!(restored.best(), whole.best());
        // With early stops, the machine that plays has finished some games that do not count.
        let turns = |tournament: &Tournament| {
            let all = tournament.standing().iter().map(|view| view.turns);
            settings.stop.is_none().then(|| all.collect::<Vec<_>>())
        };
        prop_assert_eq!(turns(&restored), turns(&whole));
        // The missing block arrives later.
        for (cell, rounds) in blocks(&settings, &sizes).into_iter().skip(left_out).filter(|(other, _)| *other == cell) {
            source.add(cell, &saved(&settings, cell, rounds, PLAIN));
        }
        prop_assert_eq!(&all_rows(&mut partial, &mut source), &rows[until..]);
        prop_assert_eq!(partial.best(), whole.best());
        prop_assert_eq!(turns(&partial), turns(&whole));
    }

    #[test]
    fn blocks_are_all_games_once_in_the_order_of_their_first_rounds(
        settings in settings(),
        sizes in prop::collection::vec(0u32..9, 0..9),
    ) {
        let blocks = blocks(&settings, &sizes);
        prop_assert!(blocks.is_sorted_by_key(|(cell, rounds)| (rounds.start, *cell)));
        for (index, cell) in settings.cells().iter().enumerate() {
            let own = blocks.iter().filter(|(of, _)| *of == index).map(|(_, rounds)| rounds.clone());
            prop_assert!(own.clone().all(|rounds| !rounds.is_empty()));
            prop_assert!(own.flatten().eq(0..cell.games));
        }
    }
}

#[test]
fn every_game_is_played_in_blocks() {
    for (variant, players) in [
        ("othello", &["random", "minimax:1"][..]),
        ("checkers", &["random", "minimax:1:ties=random"]),
        ("kalah:6x4:standard", &["random", "mcts:20:reuse=yes"]),
    ] {
        let settings = Settings { variant: variant.parse().unwrap(), ..robin(players, 3) };
        let rows = rows_of(&mut start(&settings));
        let ways = [PLAIN, Way { threads: 2, cut: true, resumed: true }];
        assert_eq!(all_rows(&mut start(&settings), &mut lines(&settings, &[2; 4], &ways, None)), rows, "{variant}");
    }
}

/// A tournament that took some rounds from blocks plays the others itself, also after playing some.
#[test]
fn a_tournament_that_is_playing_takes_rounds_from_elsewhere() {
    let settings = robin(&PLAYERS[..3], 6);
    let mut whole = start(&settings);
    let rows = rows_of(&mut whole);
    let mut source = lines(&settings, &[4; 9], &[PLAIN], None);
    source.lines.get_mut(&5).unwrap().truncate(4);
    let mut tournament = start(&settings);
    let pool = Pool::new(2);
    let mut seen = Vec::new();
    for _ in 0..5 {
        if let Progress::Generation(row) = tournament.advance(&pool, Budget::time(Duration::ZERO)) {
            seen.push(row.values);
            (0..9).for_each(|cell| source.pass(cell));
        }
    }
    seen.extend(all_rows(&mut tournament, &mut source));
    assert_eq!(seen, &rows[..4]);
    assert_eq!(rows_of(&mut tournament), &rows[4..]);
    assert_eq!(outcome(&tournament), outcome(&whole));
}

#[test]
fn only_open_cells_are_asked_for_games_and_in_their_order() {
    let settings = Settings { pairs: "2-1:1 1-2:3 1-1:2".parse().unwrap(), ..robin(&["random", "max"], 1) };
    let mut source = lines(&settings, &[], &[PLAIN], None);
    let mut tournament = start(&settings);
    let row = tournament.take_round(&mut source).unwrap().unwrap();
    let last = tournament.standing().iter().map(|view| view.time.iter().sum::<Duration>()).sum::<Duration>();
    let seconds: f64 = row.timings.split(',').nth(1).unwrap().parse().unwrap();
    assert!((seconds - last.as_secs_f64()).abs() < 1e-6 && tournament.view().busy == last, "{}", row.timings);
    assert_eq!(all_rows(&mut tournament, &mut source).len(), 2);
    assert_eq!(source.asked, [0, 1, 2, 1, 2, 1]);
    assert_eq!(tournament.take_round(&mut source), Ok(None));
}

/// Beyond the limit of stored moves, blocks do not contain them, and the rows equal those of a ledger that counts
/// single games.
#[test]
fn moves_end_where_those_of_one_machine_end() {
    let most = MAX_KEPT as u32;
    let one = |games, stop| Settings {
        pairs: Pairs::only([(0, 1)]),
        variant: "kalah:3x2:standard".parse().unwrap(),
        opening: 0.into(),
        stop,
        ..robin(&["max", "minimax:1"], games)
    };
    let games = |settings: &Settings, cell, rounds| saved(settings, cell, rounds, PLAIN).0;
    let tail = games(&one(most + 5, None), 0, most - 2..most + 3);
    let text: Vec<bool> = tail.lines().map(|line| line.contains(':')).collect();
    assert_eq!(text, [true, true, false, false, false]);
    let stop = Some(Sprt { lower: 0.0, upper: 1.0 });
    assert!(games(&one(most + 5, stop), 0, most..most + 3).lines().all(|line| line.contains(':')));
    // Two cells, one of which ends early: games are counted over both.
    let two = Settings { pairs: Pairs::Only(vec![(0, 1, Some(1000)), (1, 0, None)]), ..one(most, None) };
    let text: Vec<bool> = games(&two, 1, most - 1002..most - 998).lines().map(|line| line.contains(':')).collect();
    assert_eq!(text, [true, true, false, false]);
    // Without random choices all games are equal; a few more than the limit are merged.
    struct Same(String, usize);
    impl Source for Same {
        fn peek(&mut self, _: usize) -> Result<Option<GameLine<'_>>, Error> {
            GameLine::parse(&self.0, "").map(Some)
        }
        fn pass(&mut self, _: usize) {
            self.1 += 1;
        }
    }
    let settings = one(most + 5, None);
    let game = games(&settings, 0, 0..1).trim_end().to_owned();
    let mut source = Same(game.clone(), 0);
    let mut merged = start(&settings);
    for round in 0..most + 5 {
        let row = merged.take_round(&mut source).unwrap().unwrap();
        let wanted = if round < most { &game } else { game.split(':').next().unwrap() };
        assert_eq!((row.values, row.timings), (format!("{round},{wanted}"), format!("{round},0.000000,0:0:0:0")));
    }
    assert_eq!((merged.is_over(), source.1), (true, most as usize + 5));
}

#[test]
fn what_is_no_block_is_refused() {
    let settings = robin(&["random", "max"], 5);
    let begin = |cell, rounds| Block::begin(settings.clone(), cell, rounds).err().unwrap();
    assert_eq!(begin(4, 0..1), "cell must be 0 to 3 (got 4)".into());
    for rounds in [0..0, 3..6, 5..6, 6..7] {
        let wanted = format!(
            "rounds {}..{} of cell 1: at least one round is needed, and all must be below 5",
            rounds.start, rounds.end
        );
        assert_eq!(begin(1, rounds), wanted.into());
    }
    let nobody = Settings { players: Vec::new(), ..settings.clone() };
    assert_eq!(Block::begin(nobody, 0, 0..1).err().unwrap(), "the number of players must be 1 to 32 (got 0)".into());
    let (games, timings) = saved(&settings, 1, 1..4, PLAIN);
    let resume = |games: &str, timings: &str| Block::resume(settings.clone(), 1, 1..4, games, timings);
    let error = |games: &str, timings: &str| resume(games, timings).err().unwrap();
    assert!(resume(&games, "").unwrap().is_done() && resume("", &timings).unwrap().done() == 0);
    assert!(error(games.trim_end(), &timings).to_string().contains("last line of the games is incomplete"));
    assert!(
        error(&format!("{games}{games}"), &timings).to_string().starts_with("line 4: at most 3 games are expected")
    );
    assert!(error(&games, "1:2:3\n").to_string().starts_with("line 1: '1:2:3' is not a timing: nanoseconds and moves"));
    assert!(
        error("x:a\n", "")
            .to_string()
            .starts_with("line 1: 'x:a' is not a game: a margin, or a margin, a colon and moves")
    );
    assert!(error("\n", "").to_string().starts_with("line 1: '' is not a game"));
    assert!(error("5\n", "").to_string().starts_with("line 1: the game of round 1 is expected with its moves"));
    let (end, moves) = games.lines().next().unwrap().split_once(':').unwrap();
    let other = if end == "1" { "2" } else { "1" };
    for spoilt in
        [format!("{other}:{moves}"), format!("{end}:{}", &moves[1..]), format!("{end}:{moves}a"), format!("{end}:?")]
    {
        let error = error(&format!("{spoilt}\n"), "");
        assert!(
            error.to_string().contains("is not the game of player 1 against 2 in round 1: its moves are missing"),
            "{error}"
        );
    }
    assert!(error(&format!("+{end}:{moves}\n"), "").to_string().contains("is not a game"));
    let second = games.lines().nth(1).unwrap();
    // Another round's game has another opening.
    assert_ne!(second.split(':').nth(1).unwrap()[..2], moves[..2]);
    assert!(error(&format!("{second}\n"), "").to_string().contains("do not begin with that round's opening"));
}

/// A round that is not counted can be requested again and leaves nothing behind.
#[test]
fn a_bad_game_leaves_the_tournament_as_it_was() {
    let settings = robin(&["random", "max"], 3);
    let rows = rows_of(&mut start(&settings));
    let mut source = lines(&settings, &[3; 4], &[PLAIN], None);
    let mut tournament = start(&settings);
    let mut seen = vec![tournament.take_round(&mut source).unwrap().unwrap().values];
    let good = std::mem::replace(&mut source.lines.get_mut(&2).unwrap()[1].0, "3:ab".to_owned());
    let error = tournament.take_round(&mut source).unwrap_err();
    assert!(error.to_string().starts_with("'3:ab' is not the game of player 2 against 1 in round 1: "), "{error}");
    source.lines.get_mut(&2).unwrap()[1].0 = good;
    seen.extend(all_rows(&mut tournament, &mut source));
    assert_eq!(seen, rows);
}

#[test]
fn an_estimate_shows_slow_cells_from_fast_ones() {
    let settings = robin(&["random", "mcts:400"], 1000);
    for threads in [1, 2] {
        let seconds = seconds_per_game(&settings, &Pool::new(threads), Duration::from_millis(200));
        assert_eq!(seconds.len(), 4);
        assert!(seconds.iter().all(|seconds| *seconds > 0.0 && seconds.is_finite()), "{seconds:?}");
        assert!(seconds[3] > 3.0 * seconds[0], "{seconds:?}");
    }
    // All games end long before the time limit.
    let few = Settings { pairs: "1-2:0 2-1:1".parse().unwrap(), ..robin(&["random", "max"], 1) };
    assert!(seconds_per_game(&few, &Pool::alone(), Duration::from_secs(3600)).iter().all(|seconds| *seconds > 0.0));
    // Without time no game ends.
    let slow = robin(&["minimax:30"], 5);
    let seconds = seconds_per_game(&slow, &Pool::alone(), Duration::from_millis(20));
    assert!((0.01..10.0).contains(&seconds[0]), "{seconds:?}");
}
