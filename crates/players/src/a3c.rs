//! The player that asks a network: its policy, sampled or at its likeliest, without looking ahead.

use std::fmt;
use std::sync::Arc;

use rand::Rng as _;

use super::network::{Source, Trained};
use super::{Opinion, Player, Purpose, Said, Turn};
use crate::document::Refusal;
use crate::game::{Move, Planes, Position, Variant};
use crate::net::file::Notes;
use crate::net::{Activations, Policy};
use crate::step::Budget;

const SETTINGS: &str = "a3c takes temp=T and greedy=yes|no";

/// The temperatures that can be asked for.
const LEAST: f32 = 0.01;
const MOST: f32 = 100.0;

/// What stands in a player's text: where the network is, and the settings. `Display` gives the text that parses to the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Unread {
    source: Source,
    /// What the policy's logits are divided by before a move is drawn: 1 as it was trained, less prefers the likeliest.
    temperature: f32,
    /// Always the likeliest move.
    greedy: bool,
}

// No temperature that can be asked for is no number.
impl Eq for Unread {}

/// A player by a network. `Display` gives the text that parses to the same player.
#[derive(Clone, PartialEq, Debug)]
pub struct A3c {
    asked: Unread,
    trained: Arc<Trained>,
}

// No number that is read from a file is none.
impl Eq for A3c {}

impl Unread {
    /// Reads what stands behind `a3c` in a player's text: nothing or `:FILE`, and settings. Opens nothing.
    ///
    /// # Errors
    /// Which part makes no sense, and what would be accepted.
    pub(super) fn from_text(text: &str) -> Result<Unread, Refusal> {
        let mut unread = Unread { source: Source::Shipped, temperature: 1.0, greedy: false };
        let mut rest = text;
        // Settings stand at the end, and a path may hold colons of its own.
        while let Some((before, setting)) = rest.rsplit_once(':') {
            match setting.split_once('=') {
                Some(("temp", value)) => {
                    let known = value.parse().ok().filter(|temperature| (LEAST..=MOST).contains(temperature));
                    unread.temperature = known
                        .ok_or_else(|| format!("temp takes a number from {LEAST} to {MOST}; '{value}' is none"))?;
                }
                Some(("greedy", "yes")) => unread.greedy = true,
                Some(("greedy", "no")) => unread.greedy = false,
                Some(("greedy", value)) => return Err(format!("greedy takes yes or no; '{value}' is neither").into()),
                _ => break,
            }
            rest = before;
        }
        match rest.strip_prefix(':') {
            None if rest.is_empty() => Ok(unread),
            Some(name) if !name.is_empty() => Ok(Unread { source: Source::named(name), ..unread }),
            _ => Err(format!(
                "a3c stands alone, or names the file of a network, as in a3c:network.safetensors; {SETTINGS}"
            )
            .into()),
        }
    }

    /// The file that [`load`](Unread::load) opens, if any.
    pub(super) fn file(&self) -> Option<&str> {
        self.source.file()
    }

    /// The player, with its network.
    ///
    /// # Errors
    /// See [`Source::load`].
    pub(super) fn load(self) -> Result<A3c, Refusal> {
        // What looks like a setting may be one that was mistyped.
        let is_setting = self.file().is_some_and(|name| name.contains('='));
        let told = |refusal: Refusal| if is_setting { format!("{refusal}; {SETTINGS}").into() } else { refusal };
        let trained = self.source.load().map_err(told)?;
        Ok(A3c { asked: self, trained })
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a3c")?;
        if let Some(name) = self.source.file() {
            write!(f, ":{name}")?;
        }
        if self.temperature != 1.0 {
            write!(f, ":temp={}", self.temperature)?;
        }
        if self.greedy { f.write_str(":greedy=yes") } else { Ok(()) }
    }
}

impl fmt::Display for A3c {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.asked.fmt(f)
    }
}

impl A3c {
    /// The game that the network was trained for.
    pub fn variant(&self) -> Variant {
        self.trained.variant
    }

    /// The player by the network that a file holds, which is called `name`, whether it is there or not.
    ///
    /// # Errors
    /// It holds no network that plays a game: the name, and why.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<A3c, Refusal> {
        let asked = Unread { source: Source::File(name.to_owned()), temperature: 1.0, greedy: false };
        let trained = Trained::from_bytes(name, bytes)?;
        Ok(A3c { asked, trained })
    }

    /// What the file of the network says of it: of what preset it is, how long it was trained, and the like.
    pub fn notes(&self) -> &Notes {
        &self.trained.notes
    }

    pub(super) fn shaping(&self) -> f32 {
        self.trained.shaping
    }

    /// What the network says of a position; `None` where the game is over, and of positions that it cannot be told.
    pub(super) fn opinion(&self, position: &Position) -> Option<Opinion> {
        Opinion::of(&self.trained.network, &self.trained.encoding, position)
    }

    /// What the network said of a move that it made, in a line.
    pub(super) fn why(&self, before: &Position, mv: Move) -> Option<String> {
        let opinion = self.opinion(before)?;
        let ranked = opinion.ranked();
        let rank = ranked.iter().position(|said| said.mv == mv)?;
        let Said { chance, value, .. } = ranked[rank];
        let which =
            if rank == 0 { "the likeliest move".to_owned() } else { format!("move {} by its chance", rank + 1) };
        Some(format!(
            "{which}, {:.0} % of the policy; value {:+.2}, {value:+.2} behind it",
            100.0 * chance,
            opinion.value
        ))
    }

    /// What was read from the file, in short: another network gives another text.
    pub(super) fn contents(&self) -> String {
        self.trained.contents()
    }

    /// # Errors
    /// The network is for other rules, whose positions it cannot be told: a sentence.
    pub(super) fn check_plays(&self, variant: &Variant) -> Result<(), String> {
        self.trained.check_plays(self, variant)
    }
}

/// Plays by a network.
pub struct A3cPlayer {
    player: A3c,
    input: Vec<(u16, f32)>,
    legal: Vec<u16>,
    said: Activations,
    policy: Policy,
}

impl A3cPlayer {
    pub fn new(player: A3c) -> A3cPlayer {
        let (input, legal, said, policy) = Default::default();
        A3cPlayer { player, input, legal, said, policy }
    }
}

impl<G: Planes> Player<G> for A3cPlayer {
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        let A3cPlayer { player, input, legal, said, policy } = self;
        let pos = &turn.pos;
        if pos.is_over() {
            return None;
        }
        let bits = turn.rng(Purpose::Move).next_u32();
        // With other rules than its own it plays as whoever knows nothing; [`check_plays`](A3c::check_plays) says so before.
        let Some(encoding) = player.trained.reads(pos) else { return Some(pos.pick(bits)) };
        input.clear();
        pos.encode(encoding, input);
        legal.clear();
        legal.extend(pos.moves().map(|mv| pos.output(mv)));
        player.trained.network.forward(input, said);
        policy.read(said.logits(), legal, player.asked.temperature);
        let nth = if player.asked.greedy { policy.likeliest() } else { policy.pick(bits) };
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

    /// A network for Kalah whose policy puts the second pit first and the fifth next.
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
        for (text, told) in
            [("a3c", "a3c"), ("A3C:best:greedy=yes", "a3c:greedy=yes"), ("a3c:temp=0.5", "a3c:temp=0.5")]
        {
            let spec: Spec = text.parse().unwrap();
            assert_eq!((spec.to_string().as_str(), Spec::file_in(text).unwrap()), (told, None));
            assert_eq!(check_plays(&spec, &Variant::usual()[0]), Ok(()));
            assert!(
                check_plays(&spec, &"othello".parse().unwrap()).unwrap_err().contains("its network plays kalah only")
            );
        }
        assert_eq!(Spec::file_in("a3c:./best").unwrap().unwrap().display().to_string(), "./best");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert!(error("a3c:").contains("a3c stands alone, or names the file of a network"));
        assert!(error("a3c::greedy=yes").contains("a3c stands alone"));
        assert!(error("a3c:x:temp=0").contains("temp takes a number from 0.01 to 100; '0' is none"));
        assert!(error("a3c:x:greedy=1").contains("greedy takes yes or no"));
        assert!(error("a3c:no/such").contains("cannot read no/such: "));
        assert_eq!(Spec::file_in("a3c:no/such:a:temp=2").unwrap().unwrap().display().to_string(), "no/such:a");
        let folder = tempfile::tempdir().unwrap();
        let name = written(folder.path());
        let spec: Spec = format!("a3c:{name}").parse().unwrap();
        let refused = |variant: &str| check_plays(&spec, &variant.parse().unwrap()).unwrap_err();
        assert!(refused("othello").contains("its network plays kalah only"));
        assert!(refused("kalah:5x4").contains("its network was trained for kalah:6x4:standard"));
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
