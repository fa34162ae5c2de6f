//! Times of moves, and what is left on the clocks, from the marks in a record's comments.

use std::time::Duration;

use super::marks::{Marks, time};
use crate::Side;
use crate::record::{NodeId, Record};

/// Record header with the time control: the seconds of each side and of each turn, as in `300+3`.
pub const TIME_CONTROL: &str = "TimeControl";

/// The time that the move to a position took: as its comment has it, or else by the clock of its side, before and after.
#[must_use]
pub fn time_of_move(record: &Record, node: NodeId) -> Option<Duration> {
    let Marks { time, clock, .. } = Marks::parse(record.comment(node));
    time.or_else(|| {
        let clock = clock?;
        let (parent, _) = record.came(node)?;
        let side = record.position_at(parent).side();
        let control = record.header(TIME_CONTROL).and_then(time_control);
        let before = time_left(record, parent, side).or(control.map(|(base, _)| base))?;
        let has_turned = record.position_at(node).side() != side;
        let increment = control.filter(|_| has_turned).map_or(Duration::ZERO, |(_, increment)| increment);
        (before + increment).checked_sub(clock)
    })
}

/// The time that a side has left at a position: that of its last move up to there that has one.
#[must_use]
pub fn time_left(record: &Record, node: NodeId, side: Side) -> Option<Duration> {
    std::iter::successors(Some(node), |&node| record.parent(node)).find_map(|node| {
        let (parent, _) = record.came(node)?;
        let is_it = record.position_at(parent).side() == side && record.comment(node).contains("[%");
        Marks::parse(record.comment(node)).clock.filter(|_| is_it)
    })
}

/// Base and increment of a time control, `300+3` or as in GGF `05:00/00:03/02:00`.
#[must_use]
pub fn time_control(text: &str) -> Option<(Duration, Duration)> {
    let is_clock = text.split('/').next().is_some_and(|base| base.contains(':'));
    let mut parts = text.split(if is_clock { '/' } else { '+' });
    let base = time(parts.next()?)?;
    match parts.next().map(str::trim) {
        None | Some("") => Some((base, Duration::ZERO)),
        Some(increment) => Some((base, time(increment)?)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{ggf, pdn, timed};
    use super::*;
    use crate::Variant;

    proptest! {
        #[test]
        fn times_come_back_from_every_format(moves in proptest::collection::vec((0_usize..20, 0_u64..400_000, any::<bool>()), 0..40)) {
            for (game, is_pdn) in [("othello", false), ("checkers", true), ("kalah", false)] {
                let variant: Variant = game.parse().unwrap();
                let mut record = Record::new(variant, ["a".into(), "b".into()], None);
                for &(index, time, has_clock) in &moves {
                    let legal = record.position().moves();
                    if record.ending().is_some() || !record.play(legal[index % legal.len()]) {
                        break;
                    }
                    let clock = Some(Duration::from_secs(time)).filter(|_| has_clock);
                    record.set_comment(record.at(), &timed("", Duration::from_millis(100 * time), clock));
                }
                let text = super::super::write(&record);
                let again = super::super::read(&text).unwrap();
                let marks = |record: &Record, node| Marks::parse(record.comment(node));
                for step in record.line() {
                    prop_assert_eq!(marks(&again, step.node), marks(&record, step.node));
                    prop_assert_eq!(time_of_move(&again, step.node), time_of_move(&record, step.node));
                }
                prop_assert_eq!(super::super::write(&again), text);
                let other = if is_pdn {
                    pdn::write(&record).and_then(|text| pdn::FORMAT.open(vec![text.into_bytes()]).ok()?.read(0, variant).ok())
                } else {
                    ggf::write(&record).and_then(|text| ggf::read(&text).ok())
                };
                for step in other.iter().flat_map(Record::line) {
                    prop_assert_eq!(time_of_move(other.as_ref().unwrap(), step.node), time_of_move(&record, step.node));
                }
            }
        }
    }

    #[test]
    fn time_controls_are_read() {
        let seconds = |text: &str| time_control(text).map(|(base, more)| (base.as_secs(), more.as_secs()));
        for (text, control) in [
            ("300+3", Some((300, 3))),
            ("300", Some((300, 0))),
            ("05:00//02:00", Some((300, 0))),
            ("05:00/00:03", Some((300, 3))),
            ("40/7200", None),
            ("?", None),
            ("-", None),
        ] {
            assert_eq!(seconds(text), control, "{text}");
        }
    }

    #[test]
    fn a_move_took_what_its_mark_or_its_clock_gives() {
        let text = "[Game \"kalah\"]\n[TimeControl \"300+3\"]\n\nC {[%clk 0:04:58]} F {[%clk 0:04:55] [%emt 6.1]} b {[%emt 0.5]} \
                    d {[%clk 0:04:50]} A {fine} f {[%clk 0:04:51]}";
        let record = super::super::read(text).unwrap();
        let line = record.line();
        let took = line.iter().map(|step| time_of_move(&record, step.node).map(|time| time.as_millis()));
        assert_eq!(took.collect::<Vec<_>>(), [Some(2000), Some(6100), Some(500), Some(13_000), None, Some(2000)]);
        let left = |ply: usize, side| time_left(&record, line[ply].node, side).map(|time| time.as_secs());
        assert_eq!([left(1, Side::North), left(1, Side::South), left(4, Side::South)], [None, Some(295), Some(295)]);
        assert_eq!(left(5, Side::North), Some(291));
    }
}
