//! The sources' pages have the pinned results: what they print of them is the same number, rounded.

use crate::work::pinned;

fn page(name: &str) -> String {
    let path = format!("{}/../../docs/{name}.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap()
}

/// Returns the cells of the rows that begin with a label, without emphasis.
fn rows(page: &str, label: &str) -> Vec<Vec<String>> {
    let start = format!("| {label} |");
    let cells = |row: &str| row.split('|').skip(1).map(|cell| cell.trim().replace('*', "")).collect();
    page.lines().filter(|row| row.starts_with(&start)).map(cells).collect()
}

/// Returns the number with which a cell begins.
fn number(cell: &str) -> &str {
    let end = cell.find(|c: char| !c.is_ascii_digit() && !"-.,".contains(c)).unwrap_or(cell.len());
    &cell[..end]
}

/// Checks that a cell begins with this value, rounded to as many decimals as it has.
fn has(cell: &str, value: f64) {
    let printed = number(cell).replace(',', "");
    let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let printed: f64 = printed.parse().unwrap_or_else(|_| panic!("no number in '{cell}', for {value}"));
    // Half a unit of the last digit, and what is lost in binary.
    assert!(
        (printed - value).abs() <= 0.5 * 0.1_f64.powi(decimals as i32) + 1e-9,
        "{cell} is printed, {value} is pinned"
    );
}

fn values(target: &str) -> Vec<f64> {
    values_of_size(target, "full")
}

fn values_of_size(target: &str, size: &str) -> Vec<f64> {
    let values: Vec<f64> = pinned(target, size).iter().map(|value| value.parse().unwrap()).collect();
    assert!(!values.is_empty(), "{target} is not pinned at the size {size}");
    values
}

/// Checks the cells of the matrix of six players that comes after `before` others on the thesis' page; an empty one was not played.
fn check_matrix(before: usize, values: &[f64]) {
    let page = page("kalah-thesis");
    let mut values = values.iter();
    for player in ["random", "max", "minimax:4", "heuristic:4", "mcts", "a3c"] {
        let mut matrices = rows(&page, &format!("`{player}`")).into_iter().filter(|row| row.len() == 8);
        let row = matrices.nth(before).unwrap();
        let cells = row[1..7].iter().filter(|cell| !cell.is_empty());
        cells.for_each(|cell| has(cell, *values.next().unwrap()));
    }
    assert_eq!(values.next(), None);
}

#[test]
fn the_matrices_of_the_kalah_thesis() {
    check_matrix(0, &values("kalah-thesis/table1"));
    let opening = values("kalah-thesis/opening");
    check_matrix(1, &opening[opening.len() / 2..]);
}

#[test]
fn the_rows_of_the_kalah_thesis_as_players() {
    let page = page("kalah-thesis");
    let values = values("kalah-thesis/rows");
    let player = "`heuristic:4`";
    let first = ["`random`", "`max`", "`minimax:4`", "itself", "`a3c`"].map(|other| format!("{player} v {other}"));
    let second = ["`random`", "`max`", "`minimax:4`", "`mcts`", "`a3c`"].map(|other| format!("{other} v {player}"));
    for (label, cell) in first.iter().chain(&second).zip(values.chunks(4)) {
        // Published, mean (lowest to highest), ours.
        let row = rows(&page, label).into_iter().find(|row| row[2].contains('(')).unwrap();
        let texts = row[2].split(['(', ')']).flat_map(|text| text.split(" to ")).filter(|text| !text.is_empty());
        texts.chain([row[3].as_str()]).zip(cell).for_each(|(text, value)| has(text, *value));
    }
}

#[test]
fn both_tables_of_othello() {
    let page = page("othello-gp");
    let labels = [
        [
            "`( white )`",
            "`( white_corners )`",
            "`( white ),50,( white_corners ),50`",
            "`( white ),75,( white_corners ),25`",
            "",
            "",
        ],
        [
            "fitness 50, tree 1",
            "fitness 50, tree 2",
            "fitness 50, 50\\|50",
            "fitness 25, tree 1",
            "fitness 25, tree 2",
            "fitness 25, 50\\|50",
        ],
    ];
    for (table, labels) in labels.iter().enumerate() {
        let values = values(&format!("othello-gp/table{}", table + 1));
        for (label, pair) in labels.iter().filter(|label| !label.is_empty()).zip(values.chunks(2)) {
            // Of 50 games: half of the percentage. A label with a bar in it is two cells.
            let row = rows(&page, label).into_iter().find(|row| row.len() >= 6).unwrap();
            let first = row.len() - 5;
            has(&row[first], pair[0] / 2.0);
            has(&row[first + 2], pair[1] / 2.0);
        }
    }
}

#[test]
fn overlaps_of_othello() {
    let page = page("othello-gp");
    let values = values_of_size("othello-gp/overlap", "100000-games");
    let labels = [
        "`( white ),50,( white_corners ),50`",
        "`( white ),75,( white_corners ),25`",
        "fitness 50, 50\\|50",
        "fitness 25, 50\\|50",
    ];
    // A reading has four hypotheses, each with six overlaps. A label with a bar in it is two cells; the last cell is the gain of the last.
    for (reading, values) in values.chunks(24).enumerate() {
        for (label, values) in labels.iter().zip(values.chunks(6)) {
            let mut rows = rows(&page, label)
                .into_iter()
                .filter(|row| row.last().is_some_and(|cell| cell.is_empty()) && row.len() >= 9);
            let row = rows.nth(reading).unwrap();
            let first = row.len() - 8;
            row[first..].iter().zip(values).for_each(|(cell, value)| has(cell, *value));
            let gain = row[first + 6].replace('−', "-");
            has(gain.trim_start_matches('+'), values[5] - values[0]);
        }
    }
}

#[test]
fn numbers_of_stages_of_othello() {
    let page = page("othello-gp");
    let labels = ["`100`", "`50,50`", "`33,34,33`", "five of 20", "ten of 10", "`25,75`", "`75,25`"];
    for (label, value) in labels.iter().zip(values("othello-gp/stages")) {
        let row = rows(&page, label).into_iter().find(|row| row.len() == 7).unwrap();
        has(&row[1], value);
    }
}

#[test]
fn gains_by_half_of_othello() {
    let page = page("othello-gp");
    let labels = [
        "the first half, tree 1",
        "the second half, tree 2",
        "the whole game, single",
        "own half less than the other's function",
    ];
    for (label, pair) in labels.iter().zip(values("othello-gp/epochs").chunks(2)) {
        let row = &rows(&page, label)[0];
        row[1..].iter().zip(pair).for_each(|(cell, value)| has(cell, *value));
    }
}

#[test]
fn sizes_by_points_of_mancala_gp() {
    let page = page("mancala-gp");
    let values = values("mancala-gp/figures6-9");
    // After the six of the first seed, for each way to draw the points three of each run.
    let medians = values[6..].chunks(6);
    for (points, medians) in ["uniform", "walk", "walk:25", "depth", "inner"].iter().zip(medians) {
        let tables = rows(&page, &format!("`{points}`"));
        for (cells, medians) in [6, 7].into_iter().zip(medians.chunks(3)) {
            let row = tables.iter().find(|row| row.len() == cells).unwrap();
            let [best, improvement, size] = [3, 2, 1].map(|column| &row[column]);
            [best, improvement, size].into_iter().zip(medians).for_each(|(cell, median)| has(cell, *median));
        }
    }
}

#[test]
fn wins_and_draws_of_mancala_gp() {
    let page = page("mancala-gp");
    let values = values("mancala-gp/figure10");
    let (stones, results) = values.split_at(6);
    let players = ["minimax:8", "first run's best", "second run's best"];
    let labels = players.iter().flat_map(|player| ["first", "second"].map(|seat| format!("{player} moving {seat}")));
    for (label, (stones, pair)) in labels.zip(stones.iter().zip(results.chunks(2))) {
        let row = &rows(&page, &label)[0];
        row[1..].iter().zip([*stones, pair[0], pair[1]]).for_each(|(cell, value)| has(cell, value));
    }
}

#[test]
fn the_claims_and_functions_of_mancala_gp() {
    let page = page("mancala-gp");
    let labels = [
        "minimax, 8 plies: positions a move",
        "of these leaves",
        "alpha-beta, moves in their order: positions a move",
        "`minimax:8` of this project: positions a move",
        "branching factor",
        "moves again, of the moves searched",
        "moves in a turn, in the four games",
        "first program: nodes evaluated a move",
        "second program: nodes evaluated a move",
    ];
    let claims = values("mancala-gp/claims");
    assert_eq!(labels.len(), claims.len());
    for (label, value) in labels.iter().zip(claims) {
        has(&rows(&page, label)[0][1], value);
    }
    let values = values("mancala-gp/without-if");
    for (run, values) in ["first", "second"].iter().zip(values.chunks(6)) {
        let features = ["best sum, stones", "last improvement, generation", "largest mean size, nodes"];
        for (feature, pair) in features.iter().zip(values.chunks(2)) {
            let row = &rows(&page, &format!("{run} run: {feature}"))[0];
            has(&row[1], pair[0]);
            has(&row[2], pair[1]);
        }
    }
}

#[test]
fn programs_bred_against_several_opponents() {
    let page = page("mancala-gp");
    let labels =
        ["minimax:3", "minimax:5", "minimax:6", "heuristic:2", "mcts:100", "programs:1000", "minimax:8, bred against"];
    let ways = values("mancala-gp/opponents");
    assert_eq!(ways.len(), 3 * (labels.len() + 1));
    for (column, way) in ways.chunks(8).enumerate() {
        for (label, value) in labels.iter().chain(["**mean of these**"].iter()).zip(way) {
            has(&rows(&page, label)[0][column + 1], *value);
        }
    }
}

#[test]
fn runs_populations_and_definitions_of_othello() {
    let page = page("othello-gp");
    let evolved = values("othello-gp/evolve");
    for (fitness, seeds) in evolved.chunks(25).enumerate() {
        for (seed, columns) in seeds.chunks(5).enumerate() {
            let row = &rows(&page, &format!("seed {}", seed + 1))[fitness];
            row[1..6].iter().zip(columns).for_each(|(cell, percent)| has(cell, percent / 2.0));
        }
        let mean = |column: usize| seeds.iter().skip(column).step_by(5).sum::<f64>() / 10.0;
        (0..5).for_each(|column| has(&rows(&page, "mean")[fitness][column + 1], mean(column)));
    }
    // The usual population comes first.
    let populations = values("othello-gp/population");
    let functions = values("othello-gp/adf");
    assert_eq!((evolved.len(), populations.len(), functions.len()), (50, 4, 3));
    for (label, value) in ["500", "100", "250", "1,000"].iter().zip(populations) {
        let row = rows(&page, label).into_iter().find(|row| row.len() == 5).unwrap();
        has(&row[1], value);
    }
    for (label, value) in ["`adf=0`", "`adf=1`", "`adf=2`"].iter().zip(functions) {
        has(&rows(&page, label)[0][1], value);
    }
}

#[test]
fn starts_mutations_and_pruning_of_checkers() {
    let page = page("checkers-ga");
    // The third limit is a time.
    let pruning = values("checkers-ga/pruning");
    assert_eq!(pruning.len(), 2);
    let values = values("checkers-ga/claims");
    let labels = ["the source's", "`start=random`", "`mutation=gaussian`", "`mutation=uniform`"];
    assert_eq!(values.len(), 2 * labels.len() + 3);
    for (label, pair) in labels.iter().zip(values.chunks(2)) {
        rows(&page, label)[0][1..].iter().zip(pair).for_each(|(cell, value)| has(cell, *value));
    }
    for (label, value) in ["6 plies", "5,000 nodes a move"].iter().zip(pruning) {
        has(&rows(&page, label)[0][1], value);
    }
    let [starts, gaussian, uniform] = values[8..] else { panic!("{values:?}") };
    let told = [format!("{starts:.1} points"), format!("{gaussian:.1} points"), format!("+{uniform:.1}")];
    let text = page.replace('−', "-");
    told.iter().for_each(|told| assert!(text.contains(&format!(": {told}")), "{told}"));
}

#[test]
fn what_checkers_learns() {
    let page = page("checkers-ga");
    let values = values("checkers-ga/learning");
    let (columns, last) = values.as_chunks::<7>();
    assert_eq!((columns.len(), last.len()), (4, 1));
    for point in 0..7 {
        let rows = rows(&page, &(5 * point).to_string());
        let row = rows.iter().find(|row| row.len() == 6).unwrap();
        columns.iter().zip(&row[1..5]).for_each(|(column, cell)| has(cell, column[point]));
    }
    assert!(page.contains(&format!("pieces alone: {:.1} ±", columns[1][6])));
    assert!(page.contains(&format!("the last generation scored {:.1} ±", last[0])));
}

#[test]
fn the_networks_of_the_thesis() {
    const PRINTED: [f64; 9] = [97.6, 89.3, 71.4, 67.1, 79.0, 4.0, 26.4, 48.0, 53.5];
    let page = page("network-experiments");
    let values = values("kalah-thesis/a3c");
    let (presets, rest) = values.as_chunks::<72>();
    assert_eq!((presets.len(), rest.len()), (2, 0));
    for (index, (preset, values)) in ["kalah-thesis-a3c", "a3c-mixed"].iter().zip(presets).enumerate() {
        let (curves, from_start) = values.as_chunks::<7>();
        // Nine columns of seven numbers of games, and as many figures from the start.
        let (curves, from_start) = (&curves[..9], [&curves[9][..], from_start].concat());
        let check = |label: &str, nth: usize, values: &[f64]| {
            let wide = |row: &Vec<String>| row.len() == values.len() + 2;
            let row = rows(&page, label).into_iter().filter(wide).nth(nth).unwrap();
            row[1..].iter().zip(values).for_each(|(cell, value)| has(cell, *value));
        };
        let after = |point: usize| curves.iter().map(|curve| curve[point]).collect::<Vec<_>>();
        check(&format!("`{preset}` after 40,000"), 0, &after(2)[..5]);
        check("after 160,000", index, &after(4)[..5]);
        check("after 640,000", index, &after(6)[..5]);
        check(&format!("`{preset}` after 640,000"), 0, &after(6)[5..]);
        let label = format!("`{preset}` after 640,000, from the start");
        check(&label, 0, &from_start[..5]);
        check(&label, 0, &from_start[5..]);
        // As many of the published figures are reached as the page says.
        let is_reached =
            |(at, (own, printed)): (usize, (&f64, &f64))| if at < 5 { own >= printed } else { own <= printed };
        let reached = |own: &[f64]| own.iter().zip(&PRINTED).enumerate().filter(|pair| is_reached(*pair)).count();
        assert_eq!([reached(&after(6)), reached(&from_start)], [[1, 6], [8, 8]][index], "{preset}");
    }
    let own = |preset: usize, at: usize| presets[preset][63 + at];
    assert!(page.contains(&format!("networks win {:.1} %", own(0, 4))));
    let thesis = self::page("kalah-thesis");
    let heuristic = format!("{:.1} and {:.1} % from the start", own(0, 3), own(0, 8));
    assert!(thesis.contains(&heuristic), "{heuristic}");
}

#[test]
fn six_players_in_other_games() {
    let page = page("kalah-thesis");
    let values = values("kalah-thesis/variants");
    let (games, rest) = values.as_chunks::<36>();
    let names = ["Oware", "Awari", "Vai Lung Thlan", "Ohvalhu", "Érhérhé"];
    assert_eq!((games.len(), rest.len()), (names.len(), 0));
    for (name, cells) in names.iter().zip(games) {
        let row = &rows(&page, name)[0];
        for (player, cell) in row[1..7].iter().enumerate() {
            // Against the five others.
            let against = (0..6).filter(|other| *other != player).map(|other| cells[6 * player + other]);
            let (_, won) = cell.split_once('(').unwrap();
            has(won, against.sum::<f64>() / 5.0);
        }
    }
}

#[test]
fn the_epsilon_of_mcts() {
    const PUBLISHED: [f64; 5] = [100.0, 87.4, 59.3, 44.7, 61.3];
    let page = page("kalah-thesis");
    let values = values("kalah-thesis/epsilon");
    let (tried, _) = values.as_chunks::<5>();
    let rms = |row: &[f64; 5]| {
        (row.iter().zip(PUBLISHED).map(|(own, other)| (own - other).powi(2)).sum::<f64>() / 5.0).sqrt()
    };
    let [none, .., seven, _, nine, _] = &tried[..10] else { panic!("{tried:?}") };
    assert!(tried[..10].iter().all(|row| rms(row) >= rms(none)));
    let [none_rms, seven_rms, nine_rms] = [none, seven, nine].map(rms);
    for told in [
        format!("with {none_rms:.1} percentage\npoints (0.9 has {nine_rms:.1}, 0.7 {seven_rms:.1})"),
        format!("best, 0, they are {:.1} and {:.1} %: no", none[2], none[3]),
    ] {
        assert!(page.contains(&told), "{told}");
    }
}

#[test]
fn players_without_h8() {
    let values = values("kalah-thesis/without-h8");
    let page_of_weights = page("weights");
    for (player, pair) in ["`random`", "`max`", "`minimax:4`", "`minimax:6`"].iter().zip(values[1..].chunks(2)) {
        let row = rows(&page_of_weights, player).into_iter().find(|row| row.len() == 4).unwrap();
        row[1..].iter().zip(pair).for_each(|(cell, value)| has(cell, *value));
    }
    let against_all = format!("{:.1} (", values[0]);
    assert!(page_of_weights.contains(&format!("| all ten | | {against_all}")));
    assert!(page("kalah-thesis").contains(&format!("without it {:.1} % (", values[0])));
}

/// The numbers in the sentences about the thesis, where its text makes a claim.
#[test]
fn the_claims_of_the_kalah_thesis() {
    let page = page("kalah-thesis");
    let claims = values("kalah-thesis/claims");
    let [draws, _, advantage, .., eight, heuristic_eight, visited, branching, sowings, matches, counts, best, h3] =
        claims[..]
    else {
        panic!("{claims:?}")
    };
    let counts = ["six", "seven", "eight", "nine", "ten"][counts as usize - 6];
    let best = ["none", "one", "two", "three"][best as usize];
    let ninth = ["seventh", "eighth", "ninth", "tenth"][h3 as usize - 7];
    for told in [
        format!("{draws:.1} % of 36,000 games"),
        format!("{advantage:+.1} points"),
        format!("moving first; `claims` | {eight:.1} % ("),
        format!("against `minimax:8`, {heuristic_eight:.1} ("),
        format!("visits {visited:.2} of the positions"),
        format!("{branching:.1} moves in a position"),
        format!("10^{sowings:.1}"),
        format!("{matches} of 45 matches in that order, {counts} different counts"),
        format!("{best} of H4, H6 and H7 are among the best three, and H3 is {ninth}"),
    ] {
        assert!(page.contains(&told), "{told}");
    }
    let table3 = values("kalah-thesis/table3");
    let [.., fitness, _, _, distance, weights, of_fitness, _, _, _, _] = table3[..] else { panic!("{table3:?}") };
    let row = &rows(&page, "`near=indicator result=highest`")[0];
    row[1..].iter().zip([fitness, distance, weights, of_fitness]).for_each(|(cell, value)| has(cell, value));
    assert!(
        page.contains(&format!("energy distance {distance:.2} ("))
            && page.contains(&format!("`table3` | {fitness:.1} %;"))
    );
    // A game of `heuristic:4` against `minimax:8`, and both with pruned bounds for ties.
    let depth = values("kalah-thesis/depth");
    assert!(page.contains(&format!("| {:.1} % of 500 games", depth[0])), "{depth:?}");
    assert!(page.contains(&format!("If both players do, `heuristic:4` wins {:.1} % (", depth[21])), "{depth:?}");
    // From 2,000 playouts on, against `minimax:4` and `minimax:8`.
    let figure4 = values("kalah-thesis/figure4");
    for curve in [&figure4[17..21], &figure4[24..28]] {
        let [two, four, eight, sixteen] = curve else { panic!("{figure4:?}") };
        let told = format!("{two:.1}, {four:.1}, {eight:.1} and {sixteen:.1}");
        assert!(page.contains(&told), "{told}");
    }
}

/// Variants of Table 3 on the page, in the order of the target.
const VARIANTS: [&str; 6] =
    ["as Table 3", "`crossover=linear`", "`crossover=blend`", "`sigma=0.05`", "`sigma=0.2`", "`fix_w4=false`"];

#[test]
fn other_operators_of_the_kalah_thesis() {
    let page = page("kalah-thesis");
    for (variant, values) in VARIANTS.iter().zip(values("kalah-thesis/operators").chunks(4)) {
        let row = rows(&page, variant).into_iter().next().unwrap();
        row[1..].iter().zip(values).for_each(|(cell, value)| has(cell, *value));
    }
}

/// Sets of readings on the page, in the order of the target.
const SETS: [&str; 22] = [
    "base",
    "`max=first`",
    "`max=random`",
    "`max=chain`",
    "`minimax=own`",
    "`ties=last`",
    "`ties=first`",
    "`ties=window`",
    "`judged=path`",
    "`near=indicator`",
    "`near=printed`",
    "`near=harmful`",
    "`ahead=text`",
    "`end=mover`",
    "`result=highest`",
    "`near=indicator result=highest`",
    "`near=printed result=highest`",
    "`near=indicator ahead=text`",
    "`near=printed ahead=text`",
    "`near=harmful ahead=text`",
    "`near=indicator judged=path`",
    "`near=indicator end=mover`",
];

#[test]
fn readings_of_the_kalah_thesis() {
    let page = page("kalah-thesis").replace("**", "");
    let (_, page) = page.split_once("## Which readings").unwrap();
    let values = values("kalah-thesis/readings");
    for (set, values) in SETS.iter().zip(values.chunks(3)) {
        let row = rows(page, set).into_iter().find(|row| row.len() == 6).unwrap();
        // Those that choose, and those that judge, which are pinned.
        let judged = row[1..4].iter().map(|cell| cell.split_once(", ").unwrap().1);
        judged.zip(values).for_each(|(cell, value)| has(cell, *value));
    }
}
