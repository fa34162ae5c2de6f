//! The game of a run: Kalah or another game of pits.

use mancalab_base::Error;

use crate::game::{BoardGame as _, Variant, of_pits};

/// Reads a game of pits with its rules, such as `oware` or `oware:slam=all`.
///
/// # Errors
/// The text is not a game, or one without pits or with more than eight a side; the error lists the games that are accepted.
pub(super) fn read(text: &str) -> Result<Variant, Error> {
    let refused = |error: String| {
        let known = Variant::KNOWN.iter().filter(|(name, _)| names().contains(name));
        let name = text.split(':').next().unwrap_or_default();
        Err(Error::unknown(error, known.map(|(name, rules)| format!("{name}{rules}"))).near(name, names()))
    };
    let (name, _) = text.split_once(':').unwrap_or((text, ""));
    if !Variant::KNOWN.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return refused(format!("unknown game '{name}'"));
    }
    let variant: Variant = text.parse()?;
    let start = variant.start();
    if of_pits!(Pits => Pits::try_from(start).ok().map(|_| ())).is_some() {
        return Ok(variant);
    }
    match variant {
        Variant::LargeKalah(_) => Err("Kalah has at most 8 pits a side here".into()),
        _ => refused(format!("{} has no pits", variant.title())),
    }
}

/// Returns the text that [`read`] reads: the name, with rules other than the default.
pub(super) fn text(game: &Variant) -> String {
    if Variant::usual().contains(game) { game.name().to_owned() } else { game.to_string() }
}

/// Returns the names of the games of pits.
pub(super) fn names() -> Vec<&'static str> {
    let mut names = Vec::new();
    let _: Option<()> = of_pits!(Pits => {
        names.push(Pits::NAME);
        None
    });
    names
}
