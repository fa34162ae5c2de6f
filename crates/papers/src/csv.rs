//! Comma-separated values: the lines of a table as rows.

pub use mancalab_base::csv::row;
use serde_json::Value;

use super::Line;

/// The columns of every line, after those that identify it.
const COLUMNS: [&str; 13] = [
    "games",
    "wins",
    "draws",
    "losses",
    "won_percent",
    "low_percent",
    "high_percent",
    "published_percent",
    "published_games",
    "difference",
    "published_inside",
    "p_value",
    "remark",
];

/// Formats lines with the same names, under a header.
pub fn lines(lines: &[Line]) -> String {
    let names = lines.first().map(|line| line.names.iter().map(|(name, _)| *name));
    let header = row(names.into_iter().flatten().chain(COLUMNS));
    header + &lines.iter().map(|line| row(fields(line))).collect::<String>()
}

fn fields(line: &Line) -> Vec<String> {
    let real = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.3}"));
    let names = line.names.iter().map(|(_, value)| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let counts = match line.score {
        Some(score) => [score.games(), score.wins, score.draws, score.losses].map(|count| count.to_string()),
        None => Default::default(),
    };
    let (low, high) = line.interval.unzip();
    let measured = [line.measured, low, high].map(real);
    let published = line.published.map_or(String::new(), |published| published.to_string());
    let inside = line.is_inside().map_or(String::new(), |inside| inside.to_string());
    let remark = line.remark.clone().unwrap_or_default();
    let games = line.published_games.map_or(String::new(), |games| games.to_string());
    let chance = line.chance().map_or(String::new(), |chance| format!("{chance:.2e}"));
    let rest = [published, games, real(line.difference()), inside, chance, remark];
    names.chain(counts).chain(measured).chain(rest).collect()
}

/// Parses the output of [`row`], for tests.
#[cfg(test)]
pub fn parse(text: &str) -> Vec<Vec<String>> {
    let rows = mancalab_base::csv::rows(text);
    assert!(text.is_empty() || text.ends_with('\n'), "the last row has no end");
    rows.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Score;
    use serde_json::json;

    #[test]
    fn lines_are_rows_under_a_header() {
        let score = Score { wins: 3, draws: 0, losses: 1 };
        let mut played =
            Line::new("a v b", Some(70.0), 75.0, "% won").within(30.0, 95.0).over_games(1000).remarked("well, good");
        (played.names, played.score) = (vec![("iterations", json!(250))], Some(score));
        let absent = Line { measured: None, interval: None, score: None, ..played.clone() };
        let rows = parse(&lines(&[played, absent]));
        assert_eq!(rows[0][..3], ["iterations", "games", "wins"]);
        assert_eq!(
            rows[1],
            [
                "250",
                "4",
                "3",
                "0",
                "1",
                "75.000",
                "30.000",
                "95.000",
                "70",
                "1000",
                "5.000",
                "true",
                "8.28e-1",
                "well, good"
            ]
        );
        assert_eq!(rows[2], ["250", "", "", "", "", "", "", "", "70", "1000", "", "", "", "well, good"]);
    }
}
