//! Spaced repetition by SM-2: P. A. Wozniak, *Optimization of learning*, master's thesis, University of Technology in Poznan, 1990,
//! section 3.2.
//!
//! A grade is 0 to 5, from 3 on it is a pass. The interval is 1 day after the first pass in sequence, 6 days after the second, and then
//! the last one times the ease factor, rounded up. A pass of grade q changes the ease factor to EF + (0.1 − (5 − q)(0.08 + (5 − q) · 0.02)),
//! but not below 1.3. A lower grade starts the sequence again with the same ease factor.

/// The lowest grade of a pass.
pub(crate) const PASS: u8 = 3;

/// The least ease factor, in hundredths.
pub(crate) const LEAST_EASE: u32 = 130;

/// The longest interval in days: a hundred years.
pub(crate) const LONGEST: u32 = 36_500;

/// The state of an item after its last repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Schedule {
    /// Days to the next repetition.
    pub interval: u32,
    /// The ease factor in hundredths, in which all its changes are whole.
    pub ease: u32,
    /// Passes in sequence.
    pub repetitions: u32,
}

impl Schedule {
    /// An item without a repetition.
    pub const NEW: Schedule = Schedule { interval: 0, ease: 250, repetitions: 0 };

    /// The state after another repetition of this grade.
    #[must_use]
    pub fn graded(self, grade: u8) -> Schedule {
        if grade < PASS {
            return Schedule { interval: 1, repetitions: 0, ..self };
        }
        let below = 5_u32.saturating_sub(grade.into());
        let ease = (self.ease + 10).saturating_sub(below * (8 + below * 2)).max(LEAST_EASE);
        let interval = match self.repetitions {
            0 => 1,
            1 => 6,
            _ => self.interval.saturating_mul(ease).div_ceil(100).min(LONGEST),
        };
        Schedule { interval, ease, repetitions: self.repetitions.saturating_add(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Intervals and ease factors after these grades.
    fn sequence(grades: &[u8]) -> (Vec<u32>, Vec<u32>) {
        let mut item = Schedule::NEW;
        let mut graded = |grade: &u8| {
            item = item.graded(*grade);
            (item.interval, item.ease)
        };
        grades.iter().map(&mut graded).unzip()
    }

    #[test]
    fn intervals_and_ease_factors_are_those_of_the_thesis() {
        // 6 · 2.5 = 15, 15 · 2.5 = 37.5, 38 · 2.5 = 95.
        assert_eq!(sequence(&[4, 4, 4, 4, 4]), (vec![1, 6, 15, 38, 95], vec![250; 5]));
        // 6 · 2.8 = 16.8, 17 · 2.9 = 49.3.
        assert_eq!(sequence(&[5, 5, 5, 5]), (vec![1, 6, 17, 50], vec![260, 270, 280, 290]));
        // EF − 0.14 at grade 3: 6 · 2.08 = 12.48; never below 1.3.
        assert_eq!(sequence(&[3, 3, 3]), (vec![1, 6, 13], vec![236, 222, 208]));
        assert_eq!(sequence(&[3; 12]).1.last(), Some(&LEAST_EASE));
        // Grades below 3 start again and leave the ease factor.
        assert_eq!(
            sequence(&[5, 5, 5, 2, 4, 4, 4]),
            (vec![1, 6, 17, 1, 1, 6, 17], vec![260, 270, 280, 280, 280, 280, 280])
        );
        assert_eq!(sequence(&[0, 1]), (vec![1, 1], vec![250, 250]));
        assert_eq!(sequence(&[5; 60]).0.last(), Some(&LONGEST));
    }
}
