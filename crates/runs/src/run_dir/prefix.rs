//! A checksum of the first rows of a run, by which a checkpoint detects a changed row.

use crate::codec::{Decoder, Encoder, checksum};
use mancalab_base::Error;

/// The base of a polynomial of row checksums, so that sums of adjacent pieces can be combined.
const PLACE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number of rows, and their checksum.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Prefix {
    pub rows: u64,
    sum: u64,
}

impl Prefix {
    /// Adds the next row, without its line end.
    pub(crate) fn add(&mut self, row: &[u8]) {
        self.sum = self.sum.wrapping_mul(PLACE).wrapping_add(checksum(row));
        self.rows += 1;
    }

    /// Encodes it as the sum of one piece; checkpoints up to container 4 have one for every 1, 2, 4 … rows.
    pub(crate) fn encode(self, out: &mut Encoder) {
        out.small(self.rows);
        out.small(self.rows.max(1));
        if self.rows > 0 {
            out.u64(self.sum);
        }
    }

    /// # Errors
    /// The bytes are not a checksum of rows.
    pub(crate) fn decode(from: &mut Decoder<'_>) -> Result<Prefix, Error> {
        let rows = from.small()?;
        let each = from.small()?;
        let odd = || "the checksum of its rows makes no sense".to_owned();
        let mut prefix = Prefix::default();
        while prefix.rows < rows {
            let piece = u32::try_from(each.min(rows - prefix.rows)).ok().filter(|piece| *piece > 0).ok_or_else(odd)?;
            prefix.sum = prefix.sum.wrapping_mul(PLACE.wrapping_pow(piece)).wrapping_add(from.u64()?);
            prefix.rows += u64::from(piece);
        }
        Ok(prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(rows: u64, changed: Option<u64>) -> Prefix {
        let mut prefix = Prefix::default();
        (0..rows)
            .for_each(|row| prefix.add(format!("{row},{}", if changed == Some(row) { "x" } else { "y" }).as_bytes()));
        prefix
    }

    #[test]
    fn any_row_changes_it() {
        for rows in [1, 7, 2049, 20_000] {
            for changed in [0, rows / 3, rows - 1] {
                assert_ne!(new(rows, Some(changed)), new(rows, None), "{changed} of {rows}");
            }
        }
    }

    #[test]
    fn it_comes_back_from_a_checkpoint_and_from_the_pieces_of_older_ones() {
        for rows in [0, 1, 3000, 5000] {
            let mut out = Encoder::new();
            new(rows, None).encode(&mut out);
            assert_eq!(Prefix::decode(&mut Decoder::new(&out.finish())).unwrap(), new(rows, None));
            for each in [1, 2, 4, 4096] {
                let mut out = Encoder::new();
                out.small(rows);
                out.small(each);
                for first in (0..rows).step_by(each as usize) {
                    let mut piece = Prefix::default();
                    (first..rows.min(first + each)).for_each(|row| piece.add(format!("{row},y").as_bytes()));
                    out.u64(piece.sum);
                }
                assert_eq!(Prefix::decode(&mut Decoder::new(&out.finish())).unwrap(), new(rows, None));
            }
        }
        let refused = |rows: u64, each: u64| {
            let mut out = Encoder::new();
            out.small(rows);
            out.small(each);
            Prefix::decode(&mut Decoder::new(&out.finish())).is_err()
        };
        assert!(refused(1, 0) && refused(u64::MAX, 1) && refused(u64::MAX, u64::MAX) && !refused(0, 1));
    }
}
