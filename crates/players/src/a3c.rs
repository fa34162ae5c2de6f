//! A player that follows a network's policy, sampled or at its most likely move, without search.

use mancalab_base::{Error, bail};
use std::fmt;
use std::sync::Arc;

use rand::Rng as _;

use super::kind::{Forms, PlayerKind, Unread};
use super::network::{GameNetwork, Source};
use super::text::{
    self, Setting,
    Values::{Number, Words},
};
use super::{Built, Player, Purpose, Said, Turn, of_one};
use crate::budget::Budget;
use crate::game::{BoardGame, Move, Planes, Position, Variant, with_position};
use crate::net::file::Notes;
use crate::net::{Activations, Policy};
use crate::pool::Pool;
use crate::search::SearchHints;

/// The accepted range of temperatures.
const LEAST: f64 = 0.01;
const MOST: f64 = 100.0;

/// The settings in the player's text: the network's source and how to sample. `Display` gives the text that parses to the same.
#[derive(Clone, PartialEq, Debug)]
struct TextSettings {
    source: Source,
    /// Divisor of the policy's logits before a move is drawn: 1 samples as trained, smaller values favour likely moves.
    temperature: f32,
    /// Plays the most likely move always.
    greedy: bool,
}

// Accepted temperatures are never NaN.
impl Eq for TextSettings {}

/// A player that follows a network. `Display` gives the text that parses to the same player.
#[derive(Clone, PartialEq, Debug)]
pub struct A3c {
    settings: TextSettings,
    trained: Arc<GameNetwork>,
}

// Parameters read from a file are never NaN.
impl Eq for A3c {}

const SETTINGS: &[Setting<TextSettings>] = &[
    Setting("temp", Number("T", "a number", LEAST, MOST), |s| &mut s.temperature),
    Setting("greedy", Words("yes|no"), |s| &mut s.greedy),
];

pub(crate) const FORMS: Forms = &[
    ("a3c", "neural network: the one that comes with the program"),
    ("a3c:FILE", "a network file, such as mancalab train writes; also temp=T, greedy=yes"),
];

/// Reads the part of a player's text after `a3c`: nothing or `:FILE`, and settings. Opens no file.
///
/// # Errors
/// Names the invalid part and what is accepted.
pub(crate) fn unread(text: &str) -> Result<Unread<A3c>, Error> {
    let mut settings = TextSettings::from_source(Source::Shipped);
    let rest = text::read(text, SETTINGS, &mut settings)?;
    let known = format!("a3c takes {}", text::forms(SETTINGS));
    match rest.strip_prefix(':') {
        None if rest.is_empty() => {}
        Some(name) if !name.is_empty() => settings.source = Source::named(name),
        _ => {
            let wanted = "a3c takes nothing or a network file, as in a3c:network.safetensors";
            bail!("{wanted}; {known}");
        }
    }
    let file = settings.source.file().map(str::to_owned);
    Ok(Unread::in_file(file.clone(), "a network", move || {
        // A name with `=` may be a misspelled setting.
        let is_setting = file.is_some_and(|name| name.contains('='));
        let hint = |error: Error| if is_setting { format!("{error}; {known}").into() } else { error };
        let trained = settings.source.load().map_err(hint)?;
        Ok(A3c { settings, trained })
    }))
}

impl TextSettings {
    fn from_source(source: Source) -> TextSettings {
        TextSettings { source, temperature: 1.0, greedy: false }
    }
}

impl fmt::Display for A3c {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a3c")?;
        if let Some(name) = self.settings.source.file() {
            write!(f, ":{name}")?;
        }
        text::write(f, SETTINGS, &self.settings, TextSettings::from_source(Source::Shipped))
    }
}

impl PlayerKind for A3c {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        fn build<G: SearchHints, Of: BoardGame + Planes>(_: &Of, a3c: &A3c) -> Built<G> {
            of_one::<G, Of, _>("its network", || A3cPlayer::new(a3c.clone()))
        }
        with_position!(self.variant().start(), start => build(&start, self))
    }

    fn about(&self) -> String {
        "neural net, no search".to_owned()
    }

    fn network(&self) -> Option<&Arc<GameNetwork>> {
        Some(&self.trained)
    }

    fn is_deterministic(&self) -> bool {
        self.settings.greedy
    }

    fn explanation(&self, before: Position, mv: Move, _ply: u32, _seed: u64) -> Option<String> {
        let opinion = self.trained.opinion(&before)?;
        let ranked = opinion.ranked();
        let rank = ranked.iter().position(|output| output.mv == mv)?;
        let Said { chance, value, .. } = ranked[rank];
        let which =
            if rank == 0 { "the likeliest move".to_owned() } else { format!("choice {} of the policy", rank + 1) };
        Some(format!(
            "{which}, {:.0} % of the policy; value {:+.2}, {value:+.2} after it",
            100.0 * chance,
            opinion.value
        ))
    }
}

impl A3c {
    /// Returns the game that the network was trained for.
    pub fn variant(&self) -> Variant {
        self.trained.variant
    }

    /// Returns the player of the network file with these bytes; `name` is the file's name, which need not exist.
    ///
    /// # Errors
    /// The bytes are not a network that plays a game: the name and the reason.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<A3c, Error> {
        let settings = TextSettings::from_source(Source::File(name.to_owned()));
        let trained = GameNetwork::from_bytes(name, bytes)?;
        Ok(A3c { settings, trained })
    }

    /// Plays the most likely move always.
    #[must_use]
    pub fn greedy(mut self) -> A3c {
        self.settings.greedy = true;
        self
    }

    /// Returns the metadata of the network's file: its preset, the length of its training and so on.
    pub fn notes(&self) -> &Notes {
        &self.trained.notes
    }
}

/// A player that follows a network.
pub struct A3cPlayer {
    player: A3c,
    input: Vec<(u16, f32)>,
    legal: Vec<u16>,
    activations: Activations,
    policy: Policy,
}

impl A3cPlayer {
    pub fn new(player: A3c) -> A3cPlayer {
        let (input, legal, activations, policy) = Default::default();
        A3cPlayer { player, input, legal, activations, policy }
    }
}

impl<G: Planes> Player<G> for A3cPlayer {
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        let A3cPlayer { player, input, legal, activations, policy } = self;
        let pos = &turn.pos;
        if pos.is_over() {
            return None;
        }
        let bits = turn.rng(Purpose::Move).next_u32();
        // Plays at random under rules that the network does not know; [`check_plays`](crate::check_plays) reports these first.
        let Some(encoding) = player.trained.reads(pos) else { return Some(pos.pick(bits)) };
        input.clear();
        pos.encode(encoding, input);
        legal.clear();
        legal.extend(pos.moves().map(|mv| pos.output(mv)));
        player.trained.network.forward(input, activations);
        policy.read(activations.logits(), legal, player.settings.temperature);
        let nth = if player.settings.greedy { policy.likeliest() } else { policy.pick(bits) };
        pos.moves().nth(nth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Network, Shape, file};
    use crate::rng::keyed;
    use crate::{Spec, check_plays, choose};
    use std::path::Path;

    /// A network for Kalah whose policy ranks the second pit first and the fifth pit second.
    fn written(folder: &Path) -> String {
        let mut network = Network::new(Shape { inputs: 196, hidden: vec![], outputs: 6 }).unwrap();
        let heads = network.parameters().len() - 7;
        network.parameters_mut()[heads + 1] = 2.0;
        network.parameters_mut()[heads + 4] = 1.0;
        let notes = [("game", "kalah:6x4:standard"), ("encoding", "counts")];
        let notes = notes.map(|(key, note)| (key.to_owned(), note.to_owned())).into();
        let path = folder.join("a:b.safetensors");
        std::fs::write(&path, file::write(&network, &notes)).unwrap();
        path.display().to_string()
    }

    #[test]
    fn it_plays_what_its_network_says() {
        let folder = tempfile::tempdir().unwrap();
        let name = written(folder.path());
        let play = |settings: &str, seed: u64| {
            let spec: Spec = format!("a3c:{name}{settings}").parse().unwrap();
            assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec);
            let Position::Kalah(pos) = Variant::usual()[0].start() else { unreachable!() };
            choose(&mut *crate::build(&spec).unwrap(), &Turn::new(pos, 0, seed)).unwrap().index()
        };
        let counts = |settings: &str| {
            let mut counts = [0; 6];
            (0..2000).for_each(|seed| counts[play(settings, seed)] += 1);
            counts.map(|count| f64::from(count) / 2000.0)
        };
        assert_eq!(counts(":greedy=yes"), [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        let total = 4.0 + 1f64.exp() + 2f64.exp();
        let plain = counts("");
        assert!((plain[1] - 2f64.exp() / total).abs() < 0.04 && (plain[0] - 1.0 / total).abs() < 0.03, "{plain:?}");
        assert!(counts(":temp=0.25")[1] > 0.95 && counts(":temp=50")[1] < 0.25);
    }

    #[test]
    fn alone_it_is_the_network_that_comes_with_the_program() {
        let spec: Spec = "a3c".parse().unwrap();
        assert_eq!(check_plays(&spec, &Variant::usual()[0]), Ok(()));
        assert!(
            check_plays(&spec, &"othello".parse().unwrap())
                .unwrap_err()
                .to_string()
                .contains("its network plays kalah only")
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert!(error("a3c:").contains("a3c takes nothing or a network file"));
        assert!(error("a3c::greedy=yes").contains("a3c takes nothing"));
        assert!(error("a3c:x:temp=0").contains("temp must be a number from 0.01 to 100 (got 0)"));
        assert!(error("a3c:x:greedy=1").contains("greedy must be yes or no"));
        assert!(error("a3c:no/such").contains("cannot read no/such: "));
        let folder = tempfile::tempdir().unwrap();
        let name = written(folder.path());
        let spec: Spec = format!("a3c:{name}").parse().unwrap();
        let refused = |variant: &str| check_plays(&spec, &variant.parse().unwrap()).unwrap_err();
        assert!(refused("othello").to_string().contains("its network plays kalah only"));
        assert!(refused("kalah:5x4").to_string().contains("its network was trained for kalah:6x4:standard"));
        assert_eq!(check_plays(&spec, &"kalah:6x6:empty".parse().unwrap()), Ok(()));
        let other = folder.path().join("other");
        let mut network = Network::random(Shape { inputs: 195, hidden: vec![], outputs: 6 }, &mut keyed(&[1])).unwrap();
        let notes = [("game", "kalah:6x4:standard"), ("encoding", "counts")];
        let notes: file::Notes = notes.map(|(key, note)| (key.to_owned(), note.to_owned())).into();
        std::fs::write(&other, file::write(&network, &notes)).unwrap();
        assert!(
            error(&format!("a3c:{}", other.display()))
                .contains("has 195 inputs and 6 outputs; kalah:6x4:standard as 'counts' has 196 and 6")
        );
        network.parameters_mut()[0] = 1.0;
        std::fs::write(&other, file::write(&network, &file::Notes::new())).unwrap();
        assert!(error(&format!("a3c:{}", other.display())).contains("its metadata lack 'game'"));
    }
}
