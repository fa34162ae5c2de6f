//! The rows of a training: what became of each generation.

use serde::Serialize;

use super::panel::Met;
use super::settings::Settings;
use super::worker::Sums;

/// The header of `generations.csv`. Games and decisions are counted from the beginning; losses and entropy are means over the
/// generation's decisions, the gradient's length one over its gradients, before they were clipped; `won_percent` is what was won of
/// its games against others than itself; the panel's games are noted as [`Met`] is written, in the order of the setting.
pub const COLUMNS: &str = "generation,games_count,decisions_count,policy_loss,value_loss,entropy_nats,gradient_length,won_percent,\
                           rate,panel_won_drawn_lost";

/// A generation that has ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Past {
    pub generation: u64,
    pub games: u64,
    pub decisions: u64,
    pub policy_loss: f64,
    pub value_loss: f64,
    pub entropy: f64,
    pub gradient: f64,
    /// In percent; 50 if there were no such games.
    pub won: f64,
    pub rate: f64,
    /// Empty unless the network was measured.
    #[serde(skip)]
    pub panel: Vec<Met>,
}

impl Past {
    /// The row of a generation, of which `before` is the one before it.
    pub(super) fn row(
        settings: &Settings,
        generation: u64,
        before: Option<&Past>,
        sums: Sums,
        lengths: f64,
        panel: &[Met],
    ) -> String {
        let of = sums.decisions.max(1) as f64;
        let games = before.map_or(0, |before| before.games) + sums.games;
        let decisions = before.map_or(0, |before| before.decisions) + sums.decisions;
        let gradient = lengths / (f64::from(settings.rounds) * settings.workers as f64);
        let won = if sums.met == 0 { 50.0 } else { 50.0 * sums.halves as f64 / sums.met as f64 };
        let (rate, panel): (f64, Vec<String>) =
            (settings.rate_in(generation), panel.iter().map(Met::to_string).collect());
        let panel = if panel.is_empty() { "-".to_owned() } else { panel.join(" ") };
        let [policy, value, entropy] = [sums.policy / of, sums.value / of, sums.entropy / of];
        format!(
            "{generation},{games},{decisions},{policy:.5},{value:.5},{entropy:.5},{gradient:.5},{won:.3},{rate:.7},{panel}"
        )
    }

    /// The row that follows on so many others, with so many players in the panel.
    ///
    /// # Errors
    /// It is none, or of another generation: a sentence.
    pub(super) fn next(row: &str, before: usize, players: usize) -> Result<Past, String> {
        let past = Past::from_row(row).filter(|past| past.generation == before as u64);
        let past = past.filter(|past| past.panel.is_empty() || past.panel.len() == players);
        past.ok_or_else(|| {
            let start: String = row.chars().take(20).collect();
            format!("'{start}…' is not the row of generation {before}")
        })
    }

    fn from_row(row: &str) -> Option<Past> {
        let fields: Vec<&str> = row.split(',').collect();
        let [generation, games, decisions, policy, value, entropy, gradient, won, rate, panel] = fields[..] else {
            return None;
        };
        let real = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        let met = |text: &str| text.split(' ').map(Met::parse).collect::<Option<Vec<Met>>>();
        Some(Past {
            generation: generation.parse().ok()?,
            games: games.parse().ok()?,
            decisions: decisions.parse().ok()?,
            policy_loss: real(policy)?,
            value_loss: real(value)?,
            entropy: real(entropy)?,
            gradient: real(gradient)?,
            won: real(won)?,
            rate: real(rate)?,
            panel: if panel == "-" { Vec::new() } else { met(panel)? },
        })
    }
}
