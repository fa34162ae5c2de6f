//! Checksums of a run's rows, by which a checkpoint notices that one was changed, and tells which.
//!
//! There are never more than [`MOST`] of them: of a run of that many rows every row has its own, of a longer one each is that of
//! 2, 4, 8 … rows.

use crate::codec::{Decoder, Encoder, checksum};

/// How many sums there are at most.
const MOST: usize = 2048;

/// A sum of several rows is a polynomial of theirs at this place, so that the sums of neighbours can be put together.
const PLACE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The sums of rows 0, 1 and so on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sums {
    rows: u64,
    /// How many rows a sum stands for; the last may stand for fewer.
    each: u64,
    sums: Vec<u64>,
}

impl Default for Sums {
    fn default() -> Sums {
        Sums { rows: 0, each: 1, sums: Vec::new() }
    }
}

impl Sums {
    /// How many rows it is of.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Adds the next row, without its line end.
    pub(crate) fn add(&mut self, row: &[u8]) {
        let sum = checksum(row);
        if self.rows.is_multiple_of(self.each) {
            if self.sums.len() == MOST {
                self.halve();
            }
            // The last sum of so many is whole, and so is the last of half as many.
            self.sums.push(sum);
        } else if let Some(last) = self.sums.last_mut() {
            *last = last.wrapping_mul(PLACE).wrapping_add(sum);
        }
        self.rows += 1;
    }

    fn halve(&mut self) {
        let place = (0..self.each).fold(1_u64, |place, _| place.wrapping_mul(PLACE));
        self.sums = self.sums.chunks(2).map(|pair| pair[0].wrapping_mul(place).wrapping_add(pair[1])).collect();
        self.each *= 2;
    }

    /// The first rows, counted from 0, among which one is another than in `then`: from the first to the last of them. Both are
    /// of as many rows.
    pub(crate) fn first_change(&self, then: &Sums) -> Option<(u64, u64)> {
        if self.each != then.each || self.rows != then.rows {
            return Some((0, self.rows.saturating_sub(1)));
        }
        let block = self.sums.iter().zip(&then.sums).position(|(now, then)| now != then)? as u64;
        Some((block * self.each, ((block + 1) * self.each).min(self.rows) - 1))
    }

    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.small(self.rows);
        out.small(self.each);
        self.sums.iter().for_each(|&sum| out.u64(sum));
    }

    /// # Errors
    /// They are no sums of rows.
    pub(crate) fn decode(from: &mut Decoder<'_>) -> Result<Sums, String> {
        let (rows, each) = (from.small()?, from.small()?);
        let count = if each == 0 { u64::MAX } else { rows.div_ceil(each) };
        if count > MOST as u64 {
            return Err("the checksums of its rows make no sense".to_owned());
        }
        let sums = (0..count).map(|_| from.u64()).collect::<Result<_, String>>()?;
        Ok(Sums { rows, each, sums })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: u64, changed: Option<u64>) -> Sums {
        let mut sums = Sums::default();
        (0..rows)
            .for_each(|row| sums.add(format!("{row},{}", if changed == Some(row) { "x" } else { "y" }).as_bytes()));
        sums
    }

    #[test]
    fn a_change_is_found_in_its_place() {
        for rows in [1, 7, 2047, 2048, 2049, 4096, 5000, 20_000] {
            let whole = of(rows, None);
            assert!(whole.sums.len() <= MOST && whole.rows() == rows);
            assert_eq!(of(rows, None).first_change(&whole), None);
            for changed in [0, rows / 3, rows - 1] {
                let (first, last) = of(rows, Some(changed)).first_change(&whole).unwrap();
                assert!((first..=last).contains(&changed) && last < rows, "{changed} of {rows}: {first} to {last}");
                assert!(last - first < whole.each && (rows > 2048 || first == last));
            }
        }
    }

    #[test]
    fn they_come_back_from_a_checkpoint() {
        for rows in [0, 1, 3000] {
            let mut out = Encoder::new();
            of(rows, None).encode(&mut out);
            let bytes = out.finish();
            assert_eq!(Sums::decode(&mut Decoder::new(&bytes)).unwrap(), of(rows, None));
            assert!(bytes.len() < 8 * MOST + 20);
        }
        let refused = |rows: u64, each: u64| {
            let mut out = Encoder::new();
            out.small(rows);
            out.small(each);
            Sums::decode(&mut Decoder::new(&out.finish())).is_err()
        };
        assert!(refused(1, 0) && refused(u64::MAX, 1) && refused(2048, 1) && !refused(0, 1));
    }
}
