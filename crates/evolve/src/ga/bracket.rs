//! Who met whom in a knock-out, how it ended, and who went on.

use mancalab_base::{Error, bail};
use std::cmp::Ordering;
use std::collections::HashMap;

use super::genome::Ranked;
use super::play::Played;
use crate::codec::{Decoder, Encoder};
use crate::game::Outcome;

/// Points of a pairing for whoever has won more of its games.
pub const WIN: u64 = 10;
/// Points of a pairing without a winner, for whoever goes on.
pub const TIE: u64 = 5;

/// The rounds of a knock-out, from the first to the final.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bracket {
    pub generation: u64,
    /// Within a round in the order of the draw: those who go on stand in the next round in the same order.
    pub rounds: Vec<Vec<Slot>>,
}

/// A place in a round. Members are called by their ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slot {
    Met(Pairing),
    /// The odd one out goes on without a game and without points.
    Bye(u64),
}

/// Two who have met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Its number in the generation, from 0.
    pub number: u64,
    pub members: [u64; 2],
    /// Which of the two moves first in the first game; then they take turns.
    pub first: usize,
    /// How the games ended for the first of the two members.
    pub games: Vec<Played>,
    /// Which of the two goes on.
    pub winner: usize,
    pub how: How,
}

/// What decided a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// More points in its games.
    Won,
    /// A tie in points, but more pieces in the end.
    Pieces,
    /// A tie in both: a coin, drawn from the run's seed.
    Coin,
}

impl How {
    const ALL: [How; 3] = [How::Won, How::Pieces, How::Coin];

    /// What it is worth to whoever goes on.
    pub fn points(self) -> u64 {
        if self == How::Won { WIN } else { TIE }
    }
}

impl Slot {
    /// Who goes on.
    pub fn winner(&self) -> u64 {
        match self {
            Slot::Met(pairing) => pairing.members[pairing.winner],
            Slot::Bye(member) => *member,
        }
    }

    /// Who has come to this place.
    fn members(&self) -> &[u64] {
        match self {
            Slot::Met(pairing) => &pairing.members,
            Slot::Bye(member) => std::slice::from_ref(member),
        }
    }
}

impl Pairing {
    /// What `games` decide between two, as the first of them sees them: which goes on, and why. `coin` is asked where nothing else
    /// decides.
    pub fn decide(games: &[Played], coin: impl FnOnce() -> usize) -> (usize, How) {
        let halves: u32 = games.iter().map(|game| game.outcome.halves()).sum();
        let ahead: i64 = games.iter().map(|game| i64::from(game.ahead)).sum();
        let half = games.len() as u32;
        match (halves.cmp(&half), ahead.cmp(&0)) {
            (Ordering::Greater, _) => (0, How::Won),
            (Ordering::Less, _) => (1, How::Won),
            (Ordering::Equal, Ordering::Greater) => (0, How::Pieces),
            (Ordering::Equal, Ordering::Less) => (1, How::Pieces),
            (Ordering::Equal, Ordering::Equal) => (coin(), How::Coin),
        }
    }

    /// Which of the two moves first in a game of theirs.
    pub fn first_in(&self, game: usize) -> usize {
        (self.first + game) % 2
    }

    /// Points in halves of each of the two: 2 for a game that was won, 1 for a draw.
    pub fn halves(&self) -> [u32; 2] {
        let won: u32 = self.games.iter().map(|game| game.outcome.halves()).sum();
        [won, 2 * self.games.len() as u32 - won]
    }
}

impl Bracket {
    pub fn pairings(&self) -> impl Iterator<Item = &Pairing> {
        self.rounds.iter().flatten().filter_map(|slot| match slot {
            Slot::Met(pairing) => Some(pairing),
            Slot::Bye(_) => None,
        })
    }

    /// Pairings that nobody has won.
    pub fn ties(&self) -> u64 {
        self.pairings().filter(|pairing| pairing.how != How::Won).count() as u64
    }

    /// The points of everyone who has some.
    pub fn points(&self) -> HashMap<u64, u64> {
        let mut points = HashMap::new();
        for pairing in self.pairings() {
            *points.entry(pairing.members[pairing.winner]).or_default() += pairing.how.points();
        }
        points
    }

    /// The rounds that each member came through, with a game or sitting out, of everyone who came through one. The winner of the final
    /// came through all, and the other finalist through all but one.
    pub fn survived(&self) -> HashMap<u64, usize> {
        let mut rounds = HashMap::new();
        for slot in self.rounds.iter().flatten() {
            *rounds.entry(slot.winner()).or_default() += 1;
        }
        rounds
    }

    /// Who is in a round, in their order.
    fn entrants(round: &[Slot]) -> Vec<u64> {
        round.iter().flat_map(Slot::members).copied().collect()
    }

    /// # Errors
    /// It is not the bracket of this generation, judged so: a sentence.
    pub(super) fn check(&self, generation: u64, ranking: &[Ranked]) -> Result<(), Error> {
        let points = self.points();
        let are_points = |ranked: &Ranked| points.get(&ranked.individual.id).copied().unwrap_or(0) == ranked.points;
        let mut entrants = self.rounds.first().map_or(Vec::new(), |round| Bracket::entrants(round));
        entrants.sort_unstable();
        let mut members: Vec<u64> = ranking.iter().map(|ranked| ranked.individual.id).collect();
        members.sort_unstable();
        let goes_on = |rounds: &[Vec<Slot>]| {
            rounds[0].iter().map(Slot::winner).collect::<Vec<_>>() == Bracket::entrants(&rounds[1])
        };
        let is_final = self.rounds.last().is_some_and(|round| round.len() == 1);
        let is_right = self.generation == generation
            && entrants == members
            && is_final
            && self.rounds.windows(2).all(goes_on)
            && ranking.iter().all(are_points);
        if is_right { Ok(()) } else { Err("its bracket is not that of the generation".into()) }
    }

    pub(super) fn write(&self, out: &mut Encoder) {
        out.small(self.generation);
        out.small(self.rounds.len() as u64);
        for round in &self.rounds {
            out.small(round.len() as u64);
            for slot in round {
                match slot {
                    Slot::Bye(member) => {
                        out.u8(0);
                        out.small(*member);
                    }
                    Slot::Met(pairing) => {
                        out.u8(1);
                        pairing.write(out);
                    }
                }
            }
        }
    }

    /// # Errors
    /// It is none: a sentence.
    pub(super) fn read(from: &mut Decoder<'_>) -> Result<Bracket, Error> {
        let generation = from.small()?;
        let slot = |from: &mut Decoder<'_>| match from.u8()? {
            0 => Ok::<Slot, Error>(Slot::Bye(from.small()?)),
            _ => Ok(Slot::Met(Pairing::read(from)?)),
        };
        let round = |from: &mut Decoder<'_>| (0..from.count()?).map(|_| slot(from)).collect::<Result<Vec<_>, Error>>();
        let rounds = (0..from.count()?).map(|_| round(from)).collect::<Result<Vec<_>, Error>>()?;
        Ok(Bracket { generation, rounds })
    }
}

/// Outcomes by their halves.
const OUTCOMES: [Outcome; 3] = [Outcome::Lost, Outcome::Drawn, Outcome::Won];

impl Pairing {
    fn write(&self, out: &mut Encoder) {
        out.small(self.number);
        self.members.iter().for_each(|&member| out.small(member));
        out.u8(self.first as u8);
        out.u8(self.winner as u8);
        out.u8(self.how as u8);
        out.small(self.games.len() as u64);
        for game in &self.games {
            out.u8(game.outcome.halves() as u8);
            out.i64(game.ahead.into());
        }
    }

    fn read(from: &mut Decoder<'_>) -> Result<Pairing, Error> {
        let (number, members) = (from.small()?, [from.small()?, from.small()?]);
        let mut one_of = |count: u8| match from.u8()? {
            byte if byte < count => Ok(usize::from(byte)),
            byte => bail!("a pairing of its bracket says {byte} where less than {count} is expected"),
        };
        let (first, winner, how) = (one_of(2)?, one_of(2)?, How::ALL[one_of(3)?]);
        let game = |from: &mut Decoder<'_>| {
            let outcome =
                OUTCOMES.get(usize::from(from.u8()?)).copied().ok_or("a game of its bracket has no outcome")?;
            let ahead = i32::try_from(from.i64()?).map_err(|_| "a game of its bracket has too many pieces")?;
            Ok(Played { outcome, ahead })
        };
        let games = (0..from.count()?).map(|_| game(from)).collect::<Result<Vec<_>, Error>>()?;
        let pairing = Pairing { number, members, first, games, winner, how };
        // A coin may have fallen either way.
        if Pairing::decide(&pairing.games, || winner) != (winner, how) {
            bail!("a pairing of its bracket did not end as its games did");
        }
        Ok(pairing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(outcome: Outcome, ahead: i32) -> Played {
        Played { outcome, ahead }
    }

    #[test]
    fn points_then_pieces_then_a_coin_decide() {
        use Outcome::{Drawn, Lost, Won};
        let decide = |games: &[Played]| Pairing::decide(games, || 1);
        assert_eq!(decide(&[game(Won, -3)]), (0, How::Won));
        assert_eq!(decide(&[game(Lost, 3)]), (1, How::Won));
        assert_eq!(decide(&[game(Drawn, 2)]), (0, How::Pieces));
        assert_eq!(decide(&[game(Drawn, -1)]), (1, How::Pieces));
        assert_eq!(decide(&[game(Drawn, 0)]), (1, How::Coin));
        assert_eq!(Pairing::decide(&[game(Drawn, 0)], || 0), (0, How::Coin));
        // Of several games: a win and a draw are more than a half, a win and a loss are as much.
        assert_eq!(decide(&[game(Lost, 0), game(Won, 0), game(Won, 0), game(Drawn, 0)]), (0, How::Won));
        assert_eq!(decide(&[game(Won, -5), game(Lost, 2)]), (1, How::Pieces));
        assert_eq!(How::ALL.map(How::points), [10, 5, 5]);
    }
}
