//! A game and its rules in titles.

use crate::game::Variant;
use crate::ui::Look;

/// The variant for users, without the names of usual rules: `Kalah 6×4`, `Kalah 6×4 · empty`.
pub fn variant_title(variant: &Variant, look: &Look) -> String {
    let text = variant.to_string();
    let usual = Variant::usual();
    let usual = usual.iter().find(|usual| usual.name() == variant.name()).map(ToString::to_string).unwrap_or_default();
    let is_size = |part: &&str| part.starts_with(|c: char| c.is_ascii_digit());
    let rules = text.split(':').skip(1).filter(|part| is_size(part) || !usual.split(':').any(|rule| rule == *part));
    let rules: Vec<String> = rules
        .map(|part| if is_size(&part) { part.replacen('x', look.glyphs.times, 1) } else { part.to_owned() })
        .collect();
    format!("{} {}", variant.title(), rules.join(&format!(" {} ", look.glyphs.dot))).trim_end().to_owned()
}
