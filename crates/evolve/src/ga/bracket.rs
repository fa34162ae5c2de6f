//! The pairings and results of a knock-out tournament.

use mancalab_base::{Error, bail};
use std::cmp::Ordering;
use std::collections::HashMap;

use super::genome::Member;
use super::play::GameResult;
use crate::codec::{Decoder, Encoder};
use crate::game::Outcome;

/// Points for winning a pairing.
pub const WIN: u64 = 10;
/// Points for the member that advances from a tied pairing.
pub const TIE: u64 = 5;

/// The rounds of a knock-out tournament, from the first to the final.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bracket {
    pub generation: u64,
    /// In the order of the draw. The winners keep this order in the next round.
    pub rounds: Vec<Vec<Slot>>,
}

/// A slot of a round. Members are identified by their ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slot {
    Met(Pairing),
    /// The odd member advances without a game and without points.
    Bye(u64),
}

/// A pairing of two members.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Its number in the generation, from 0.
    pub number: u64,
    pub members: [u64; 2],
    /// The member (0 or 1) that moves first in the first game. The members then alternate.
    pub first: usize,
    /// Results of the games from the first member's side.
    pub games: Vec<GameResult>,
    /// The member (0 or 1) that advances.
    pub winner: usize,
    pub how: How,
}

/// The criterion that decided a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// More points in the games.
    Won,
    /// Equal points, more pieces at the end of the games.
    Pieces,
    /// Equal points and pieces: a coin toss drawn from the run's seed.
    Coin,
}

impl How {
    const ALL: [How; 3] = [How::Won, How::Pieces, How::Coin];

    /// Returns the points of the member that advances.
    pub fn points(self) -> u64 {
        if self == How::Won { WIN } else { TIE }
    }
}

impl Slot {
    /// Returns the member that advances.
    pub fn winner(&self) -> u64 {
        match self {
            Slot::Met(pairing) => pairing.members[pairing.winner],
            Slot::Bye(member) => *member,
        }
    }

    /// Returns the members in this slot.
    fn members(&self) -> &[u64] {
        match self {
            Slot::Met(pairing) => &pairing.members,
            Slot::Bye(member) => std::slice::from_ref(member),
        }
    }
}

impl Pairing {
    /// Returns the member (0 or 1) that advances after these `games`, given from the first member's side, and the criterion.
    /// Calls `coin` if points and pieces are equal.
    pub fn decide(games: &[GameResult], coin: impl FnOnce() -> usize) -> (usize, How) {
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

    /// Returns the member (0 or 1) that moves first in a game.
    pub fn first_in(&self, game: usize) -> usize {
        (self.first + game) % 2
    }

    /// Returns the half points of both members: 2 for a win, 1 for a draw.
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

    /// Returns the number of tied pairings.
    pub fn ties(&self) -> u64 {
        self.pairings().filter(|pairing| pairing.how != How::Won).count() as u64
    }

    /// Returns the points of all members that have any.
    pub fn points(&self) -> HashMap<u64, u64> {
        let mut points = HashMap::new();
        for pairing in self.pairings() {
            *points.entry(pairing.members[pairing.winner]).or_default() += pairing.how.points();
        }
        points
    }

    /// Returns the number of rounds that each member survived, byes included, for members that survived at least one. The
    /// winner of the final survived all rounds, the other finalist all but one.
    pub fn survived(&self) -> HashMap<u64, usize> {
        let mut rounds = HashMap::new();
        for slot in self.rounds.iter().flatten() {
            *rounds.entry(slot.winner()).or_default() += 1;
        }
        rounds
    }

    /// Returns the members of a round, in order.
    fn entrants(round: &[Slot]) -> Vec<u64> {
        round.iter().flat_map(Slot::members).copied().collect()
    }

    /// Checks that this is the bracket of this generation and agrees with its ranking.
    ///
    /// # Errors
    /// Returns an error if it does not.
    pub(super) fn check(&self, generation: u64, ranking: &[Member]) -> Result<(), Error> {
        let points = self.points();
        let are_points = |ranked: &Member| points.get(&ranked.individual.id).copied().unwrap_or(0) == ranked.points;
        let mut entrants = self.rounds.first().map_or(Vec::new(), |round| Bracket::entrants(round));
        crate::sort::sort(&mut entrants);
        let mut members: Vec<u64> = ranking.iter().map(|ranked| ranked.individual.id).collect();
        crate::sort::sort(&mut members);
        let goes_on = |rounds: &[Vec<Slot>]| {
            rounds[0].iter().map(Slot::winner).collect::<Vec<_>>() == Bracket::entrants(&rounds[1])
        };
        let is_final = self.rounds.last().is_some_and(|round| round.len() == 1);
        let is_right = self.generation == generation
            && entrants == members
            && is_final
            && self.rounds.windows(2).all(goes_on)
            && ranking.iter().all(are_points);
        if is_right { Ok(()) } else { Err("its bracket does not belong to the generation".into()) }
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

    /// Decodes a bracket.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid bracket.
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

/// Outcomes, indexed by half points.
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
        let number = from.small()?;
        let members = [from.small()?, from.small()?];
        let mut one_of = |count: u8| match from.u8()? {
            byte if byte < count => Ok(usize::from(byte)),
            byte => bail!("a pairing of its bracket holds {byte}, expected less than {count}"),
        };
        let first = one_of(2)?;
        let winner = one_of(2)?;
        let how = How::ALL[one_of(3)?];
        let game = |from: &mut Decoder<'_>| {
            let outcome =
                OUTCOMES.get(usize::from(from.u8()?)).copied().ok_or("a game of its bracket has an invalid outcome")?;
            let ahead = i32::try_from(from.i64()?).map_err(|_| "a game of its bracket has too many pieces")?;
            Ok(GameResult { outcome, ahead })
        };
        let games = (0..from.count()?).map(|_| game(from)).collect::<Result<Vec<_>, Error>>()?;
        let pairing = Pairing { number, members, first, games, winner, how };
        // A coin toss allows either winner.
        if Pairing::decide(&pairing.games, || winner) != (winner, how) {
            bail!("a pairing of its bracket disagrees with its games");
        }
        Ok(pairing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(outcome: Outcome, ahead: i32) -> GameResult {
        GameResult { outcome, ahead }
    }

    #[test]
    fn points_then_pieces_then_a_coin_decide() {
        use Outcome::{Drawn, Lost, Won};
        let decide = |games: &[GameResult]| Pairing::decide(games, || 1);
        assert_eq!(decide(&[game(Won, -3)]), (0, How::Won));
        assert_eq!(decide(&[game(Lost, 3)]), (1, How::Won));
        assert_eq!(decide(&[game(Drawn, 2)]), (0, How::Pieces));
        assert_eq!(decide(&[game(Drawn, -1)]), (1, How::Pieces));
        assert_eq!(decide(&[game(Drawn, 0)]), (1, How::Coin));
        assert_eq!(Pairing::decide(&[game(Drawn, 0)], || 0), (0, How::Coin));
        // Of several games: a win and a draw are more than half, a win and a loss are exactly half.
        assert_eq!(decide(&[game(Lost, 0), game(Won, 0), game(Won, 0), game(Drawn, 0)]), (0, How::Won));
        assert_eq!(decide(&[game(Won, -5), game(Lost, 2)]), (1, How::Pieces));
        assert_eq!(How::ALL.map(How::points), [10, 5, 5]);
    }
}
