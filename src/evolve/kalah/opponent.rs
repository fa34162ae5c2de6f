//! Whom programs are bred against, and the texts that name them.

use std::fmt;
use std::str::FromStr;

use crate::document::{Refusal, texts};
use crate::player::Spec;

/// Whom programs play against, and how much it counts. Text: `minimax:8`, `2*max`, `programs:10`.
#[derive(Clone, PartialEq, Debug)]
pub struct Opponent {
    /// Above 0, at most 1000.
    pub weight: f64,
    pub kind: OpponentKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum OpponentKind {
    Player(Spec),
    /// So many programs grown at random, 1 to 1000, which share the weight.
    Programs(u32),
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match &self.kind {
            OpponentKind::Player(spec) => spec.to_string(),
            OpponentKind::Programs(count) => format!("programs:{count}"),
        };
        // What stands before the first star is the weight: a file whose name has one needs it written.
        if self.weight != 1.0 || name.contains('*') {
            write!(f, "{}*", self.weight)?;
        }
        f.write_str(&name)
    }
}

impl FromStr for Opponent {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Opponent, Refusal> {
        // A player's functions may multiply, too.
        let weighted = text.split_once('*').filter(|(weight, _)| !weight.contains(':'));
        let (weight, name) = match weighted {
            Some((weight, name)) => (weight.trim().parse().ok(), name.trim()),
            None => (Some(1.0), text.trim()),
        };
        let weight = weight.filter(|weight: &f64| *weight > 0.0 && *weight <= 1000.0);
        let weight =
            weight.ok_or_else(|| format!("'{text}': a weight is a number above 0, up to 1000, as in 2*max"))?;
        if let Some(count) = name.strip_prefix("programs:") {
            let count = count.parse().ok().filter(|count| (1..=1000).contains(count));
            let count = count.ok_or_else(|| format!("'{text}': programs takes a number from 1 to 1000"))?;
            return Ok(Opponent { weight, kind: OpponentKind::Programs(count) });
        }
        match name.parse::<Spec>()? {
            Spec::Human => Err("a human cannot be bred against; any other player can, and programs:N".into()),
            Spec::Minimax(minimax) if minimax.time.is_some() => {
                Err(format!("'{text}' plays against the clock, which would decide what is bred; leave out ms=").into())
            }
            Spec::Mcts(mcts) if !mcts.is_pure() => Err(format!(
                "'{text}' plays by the clock or by its past, which would decide what is bred; leave out ms= and reuse="
            )
            .into()),
            spec => Ok(Opponent { weight, kind: OpponentKind::Player(spec) }),
        }
    }
}

/// A single opponent, a list of TOML, or opponents with commas between them, of which some may stand in a player's text.
pub(super) fn list(text: &str) -> Result<Vec<Opponent>, Refusal> {
    let expected = "players such as \"minimax:8\", \"2*max\" or \"programs:10\"";
    if !text.starts_with(['[', '"', '\'']) {
        let one = text.parse();
        let parts = Spec::parts(text);
        return match one {
            Ok(one) => Ok(vec![one]),
            Err(refusal) if parts.len() < 2 => Err(refusal),
            Err(_) => Ok(parts.iter().map(|part| part.parse()).collect::<Result<_, Refusal>>()?),
        };
    }
    let items = texts(text, expected)?;
    if items.is_empty() {
        return Err(Refusal::expected(format!("at least one of {expected}")));
    }
    let item = |(index, text): (usize, &String)| text.parse().map_err(|refusal: Refusal| refusal.in_item(index));
    items.iter().enumerate().map(item).collect()
}
