//! Tests of a worker's decisions against a direct implementation: sums from the start rather than the end, and values computed
//! again.

use super::*;
use crate::game::planes::encoding;
use crate::game::{Ending, with_position};
use crate::net::{Activations, Policy, Shape};
use crate::rng::keyed;
use crate::settings::KeyedSettings as _;
use crate::train::preset;

fn settings(changes: &[(&str, &str)]) -> Settings {
    let mut settings = preset("a3c-mixed").unwrap();
    let usual =
        [("hidden", "6"), ("steps", "25"), ("gamma", "0.9"), ("lambda", "0.7"), ("shaping", "0.03"), ("panel", "[]")];
    for (key, value) in usual.iter().chain(changes) {
        settings.set(key, value).unwrap();
    }
    settings.check().unwrap();
    settings
}

/// An untrained network with widely different values.
fn network(settings: &Settings) -> Network {
    let Shape { inputs, hidden, outputs } = settings.shape().unwrap();
    let mut network = Network::random(Shape { inputs, hidden, outputs }, &mut keyed(&[5])).unwrap();
    let mut rng = keyed(&[6]);
    let wide = |word: u32| word as f32 / u32::MAX as f32 - 0.5;
    network.parameters_mut().iter_mut().for_each(|weight| *weight += wide(rng.next_u32()));
    network
}

/// The events of a round, in order.
enum Event {
    Decision {
        side: Side,
        value: f64,
        margin: i32,
    },
    End {
        ending: Ending,
        margins: [i32; 2],
    },
    /// The round ended in the middle of a game with this side to move.
    Cut {
        side: Side,
        value: f64,
        margins: [i32; 2],
    },
}

/// Advances a worker by a round and records its events.
fn round<G: Planes + Playable>(worker: &mut Worker<G>, common: Common<'_, G>) -> Vec<Event> {
    let mut noted = Vec::new();
    let network = worker.network.clone();
    let value = |pos: &G| {
        let mut input = Vec::new();
        let mut printed = Activations::default();
        pos.encode(common.encoding, &mut input);
        network.forward(&input, &mut printed);
        f64::from(printed.value())
    };
    let mut made = 0;
    while !worker.is_done {
        let mut episode = worker.episode.take().unwrap_or_else(|| worker.begin(common));
        let pos = *episode.game_state.pos();
        let before = episode.moves.len();
        let ending = episode.game_state.ending();
        let (side, margins) = (pos.side(), Side::BOTH.map(|side| pos.margin(side)));
        let is_own = common.settings.opponents[episode.against].who == Who::Itself || side == episode.seat;
        assert!(worker.advance(&mut episode, common, Budget::UNLIMITED));
        match ending {
            Some(ending) => noted.push(Event::End { ending, margins }),
            None => {
                if episode.moves.len() == before {
                    assert!(is_own && worker.is_done);
                    noted.push(Event::Cut { side, value: value(&pos), margins });
                } else if is_own {
                    made += 1;
                    noted.push(Event::Decision { side, value: value(&pos), margin: margins[side.index()] });
                }
                worker.episode = Some(episode);
            }
        }
        assert_eq!(worker.count, if worker.is_done { 0 } else { made });
    }
    noted
}

/// The advantage of a decision by its definition: `Σ (γλ)ⁱ (rᵢ + γVᵢ₊₁ − Vᵢ)` over it and the same side's later decisions of
/// the game in this round.
fn advantage<G: Planes>(noted: &[Event], at: usize, settings: &Settings) -> f64 {
    let Event::Decision { side: own, mut value, mut margin } = noted[at] else { unreachable!() };
    let mut sum = 0.0;
    let mut counts = 1.0;
    for noted in &noted[at + 1..] {
        let (reward, next, ahead, is_last) = match *noted {
            Event::Decision { side, .. } if side != own => continue,
            Event::Decision { value, margin, .. } => (0.0, value, margin, false),
            Event::Cut { side, value, margins } => {
                (0.0, if side == own { value } else { -value }, margins[own.index()], true)
            }
            Event::End { ending, margins } => {
                let outcome = [-1.0, 0.0, 1.0][ending.outcome(own) as usize];
                // In a game without counting, the final margin is not a lead.
                let ahead = if G::WIN_SCORE.is_some() { margin } else { margins[own.index()] };
                (outcome, 0.0, ahead, true)
            }
        };
        let gained = f64::from(ahead - margin);
        sum += counts * (reward + settings.shaping * gained + settings.gamma * next - value);
        counts *= settings.gamma * settings.lambda;
        if is_last {
            return sum;
        }
        (value, margin) = (next, ahead);
    }
    unreachable!("neither the game nor the round has ended");
}

/// Returns how often each case occurred: decisions of each side, games ended and games cut.
fn check<G: Planes + Playable>(start: G, settings: &Settings, rounds: usize) -> [usize; 4] {
    let network = network(settings);
    let common = Common { start, settings, encoding: encoding::<G>(&settings.encoding).unwrap(), past: &[] };
    let mut worker = Worker::new(3, network, settings.opponents.len());
    let mut seen = [0; 4];
    for _ in 0..rounds {
        let noted = round(&mut worker, common);
        let mut made = worker.made.iter();
        let mut gradient = vec![0.0_f32; worker.gradient.len()];
        let mut decisions = 0;
        for (at, one) in noted.iter().enumerate() {
            let kind = match one {
                Event::Decision { side, .. } => side.index(),
                Event::End { .. } => 2,
                Event::Cut { .. } => 3,
            };
            seen[kind] += 1;
            let Event::Decision { value, .. } = one else { continue };
            let expected = advantage::<G>(&noted, at, settings);
            let made = made.next().unwrap();
            assert!((f64::from(made.advantage) - expected).abs() < 1e-4, "{}: {expected}", made.advantage);
            assert!((f64::from(made.goal) - expected - value).abs() < 1e-4, "{}: {expected} {value}", made.goal);
            decisions += 1;
            let mut slopes = Vec::new();
            let mut policy = Policy::default();
            let NetworkAnswer { input, legal, printed, .. } = &made.asked;
            policy.read(printed.logits(), legal, 1.0);
            let decision = Decision { chosen: made.chosen, advantage: made.advantage, goal: made.goal };
            losses(printed, &policy, legal, decision, settings.loss_weights(), 1.0, &mut slopes);
            worker.network.backward(input, printed, &slopes, &mut Scratch::default(), &mut gradient);
        }
        let of = if settings.total == Total::Mean { decisions as f32 } else { 1.0 };
        let most = gradient.iter().fold(0.0_f32, |most, slope| most.max(slope.abs()));
        let far = worker.gradient.iter().zip(&gradient).map(|(own, sum)| (own - sum / of).abs()).fold(0.0, f32::max);
        assert!(most > 0.0 && far <= 1e-5 * most.max(1.0), "{far} of {most}");
        worker.is_done = false;
    }
    assert_eq!(worker.sums.decisions as usize, seen[0] + seen[1]);
    assert_eq!(worker.sums.games as usize, seen[2]);
    seen
}

#[test]
fn decisions_are_judged_by_the_definition_whoever_moves_when() {
    let alone = [("opponents", "self")];
    let othello = [("game", "othello"), ("encoding", "discs"), ("opponents", "self,random")];
    let checkers = [("game", "checkers"), ("encoding", "pieces"), ("opponents", "self,random")];
    let cases: [&[(&str, &str)]; 7] = [
        &alone,
        &[("opponents", "2*self,past,max"), ("opening", "9"), ("total", "sum")],
        &[("opponents", "random,minimax:2"), ("opening", "0"), ("steps", "1")],
        &[("opponents", "self,random"), ("steps", "0"), ("lambda", "1")],
        &[("game", "kalah:3x2:empty"), ("opponents", "self,random"), ("opening", "20"), ("lambda", "0")],
        &othello,
        &checkers,
    ];
    for changes in cases {
        let settings = settings(changes);
        let seen = with_position!(settings.variant.start(), start => check(start, &settings, 80));
        assert!(seen[0] > 5 && seen[1] > 5 && seen[2] + seen[3] >= 80, "{changes:?}: {seen:?}");

        assert!((seen[3] > 0) == (settings.steps > 0), "{changes:?}: {seen:?}");
    }
}

/// Without discounting, the target of a decision is the final outcome, whatever the network's values.
#[test]
fn with_lambda_and_gamma_1_a_value_should_have_been_the_outcome_and_the_seeds_still_won() {
    let settings =
        settings(&[("opponents", "self"), ("steps", "0"), ("gamma", "1"), ("lambda", "1"), ("opening", "2")]);
    fn check<G: Planes + Playable>(start: G, settings: &Settings) {
        let encoding = encoding::<G>(&settings.encoding).unwrap();
        let common = Common { start, settings, encoding, past: &[] };
        let mut worker = Worker::new(0, network(settings), 1);
        for _ in 0..5 {
            let noted = round(&mut worker, common);
            let Some(Event::End { ending, margins }) = noted.last() else { unreachable!() };
            for (one, made) in noted.iter().zip(&worker.made) {
                let Event::Decision { side, margin, .. } = one else { break };
                let outcome = ending.outcome(*side).halves() as f32 - 1.0;
                let goal = outcome + 0.03 * (margins[side.index()] - margin) as f32;
                assert!((made.goal - goal).abs() < 1e-4, "{} instead of {goal}", made.goal);
            }
            worker.is_done = false;
        }
    }
    with_position!(settings.variant.start(), start => check(start, &settings));
}
