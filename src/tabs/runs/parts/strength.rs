//! The curves of a run's strength against a panel of players that it never meets otherwise.

use crate::arena::Score;
use crate::measuring::{PanelResult, Strength};
use crate::theme::Role;
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Band, Chart, Pattern, Series};

/// Players with a curve of their own; more could not be told apart.
const CURVES: [(Role, Pattern); 3] =
    [(Role::Curve2, Pattern::Dashed), (Role::Curve3, Pattern::Mixed), (Role::Dim, Pattern::Dotted)];

/// Returns the score against all players of a panel.
fn of_all(results: &[PanelResult]) -> Score {
    results.iter().map(PanelResult::both).fold(Score::default(), Score::plus)
}

/// Returns the chart of a run at generation `newest` of `last`: the points against all players with their interval, and against each.
pub fn chart(strength: &Strength, (newest, last): (u64, u64), lens: &Lens) -> Chart {
    let points = |score: &dyn Fn(&[PanelResult]) -> Option<Score>| -> Vec<(f64, f64)> {
        let point = |(at, results): &(u64, Vec<PanelResult>)| Some((*at as f64, 100.0 * score(results)?.share()));
        strength.results.iter().filter_map(point).collect()
    };
    let mut series = Vec::new();
    let several = strength.players.len() > 1;
    if several {
        series.push(Series::new("all", Role::Curve1, Pattern::Solid, points(&|results| Some(of_all(results)))));
    }
    for (index, player) in strength.players.iter().enumerate().take(if several { CURVES.len() } else { 1 }) {
        let (role, pattern) = if several { CURVES[index] } else { (Role::Curve1, Pattern::Solid) };
        let own = |results: &[PanelResult]| results.get(index).map(PanelResult::both);
        series.push(Series::new(player.clone(), role, pattern, points(&own)));
    }
    let bounds = |(at, results): &(u64, Vec<PanelResult>)| {
        let (low, high) = of_all(results).interval();
        (*at as f64, 100.0 * low, 100.0 * high)
    };
    let band = Band { label: "95 %".to_owned(), points: strength.results.iter().map(bounds).collect() };
    Chart { is_percent: true, band: Some(band), ..lens.chart((newest, last), series) }
}

/// Returns the title for a panel of this width.
pub fn title(cells: u16) -> &'static str {
    if cells < 44 { "Panel, %" } else { "Points against the panel, %" }
}

/// Returns the text of the cursor: the newest measurement up to a generation.
pub fn read(strength: &Strength, at: usize) -> String {
    let before = strength.results.iter().take_while(|(generation, _)| *generation <= at as u64).last();
    let Some((generation, results)) = before else { return format!("generation {at}: not measured yet") };
    let (low, high) = of_all(results).interval();
    let each = |(player, result): (&String, &PanelResult)| format!("{player} {:.0}", 100.0 * result.both().share());
    let each = strength.players.iter().zip(results).map(each).collect::<Vec<_>>().join(", ");
    let share = 100.0 * of_all(results).share();
    format!("generation {generation}: {share:.0} % ({:.0} to {:.0}); {each}", 100.0 * low, 100.0 * high)
}
