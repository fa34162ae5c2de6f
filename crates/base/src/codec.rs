//! Binary encoding for checkpoints: a sequence of values, decoded with all lengths checked.

use crate::Error;

/// Writes values in sequence.
#[derive(Default)]
pub struct Encoder(Vec<u8>);

impl Encoder {
    pub fn new() -> Encoder {
        Encoder::default()
    }

    pub fn finish(self) -> Vec<u8> {
        self.0
    }

    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub fn u64(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub fn i64(&mut self, value: i64) {
        self.u64(value as u64);
    }

    /// Writes all 64 bits, so that the value is restored exactly.
    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    /// Writes the length and all bits of each value.
    pub fn floats(&mut self, values: &[f32]) {
        self.small(values.len() as u64);
        values.iter().for_each(|value| self.0.extend_from_slice(&value.to_le_bytes()));
    }

    /// Writes a variable-length integer, seven bits per byte (LEB128).
    pub fn small(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Appends the output of another encoder.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.small(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
}

/// Reads the output of an [`Encoder`].
pub struct Decoder<'a>(&'a [u8]);

impl<'a> Decoder<'a> {
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        Decoder(bytes)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("the state ends in the middle of a value")?;
        self.0 = rest;
        Ok(taken)
    }

    /// # Errors
    /// Of this and the other methods: the bytes end too early or are not a valid value.
    pub fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.take(1)?[0])
    }

    /// # Errors
    /// See [`u8`](Decoder::u8).
    pub fn u64(&mut self) -> Result<u64, Error> {
        let mut word = [0; 8];
        word.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(word))
    }

    /// # Errors
    /// See [`u8`](Decoder::u8).
    pub fn i64(&mut self) -> Result<i64, Error> {
        Ok(self.u64()? as i64)
    }

    /// # Errors
    /// See [`u8`](Decoder::u8).
    pub fn f64(&mut self) -> Result<f64, Error> {
        Ok(f64::from_bits(self.u64()?))
    }

    /// Fills `values`; all numbers must be finite.
    ///
    /// # Errors
    /// See [`u8`](Decoder::u8); or the length differs.
    pub fn floats_into(&mut self, values: &mut [f32]) -> Result<(), Error> {
        let count = self.small()?;
        let wanted = values.len();
        if count != wanted as u64 {
            return Err(format!("the state has {count} numbers (expected {wanted})").into());
        }
        let (words, _) = self.take(4 * wanted)?.as_chunks::<4>();
        values.iter_mut().zip(words).for_each(|(value, word)| *value = f32::from_le_bytes(*word));
        if values.iter().all(|value| value.is_finite()) {
            Ok(())
        } else {
            Err("a number of the state is not finite".into())
        }
    }

    /// # Errors
    /// See [`u8`](Decoder::u8).
    pub fn small(&mut self) -> Result<u64, Error> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            value |= u64::from(byte & 0x7f) << shift;
            // The tenth byte may hold one bit; overlong encodings are invalid.
            if (shift == 63 && byte > 1) || (shift > 0 && byte == 0) {
                break;
            }
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a number in the state is too long".into())
    }

    /// # Errors
    /// See [`u8`](Decoder::u8).
    pub fn small_u32(&mut self) -> Result<u32, Error> {
        self.small()?.try_into().map_err(|_| "a number in the state is too large".into())
    }

    /// Reads a number of items of at least one byte each, limited by the bytes left.
    ///
    /// # Errors
    /// See [`u8`](Decoder::u8).
    pub fn count(&mut self) -> Result<usize, Error> {
        let count = self.small()?;
        usize::try_from(count)
            .ok()
            .filter(|&count| count <= self.0.len())
            .ok_or_else(|| format!("the state ends before its {count} values").into())
    }

    /// # Errors
    /// See [`u8`](Decoder::u8).
    pub fn bytes(&mut self) -> Result<&'a [u8], Error> {
        let count = self.count()?;
        self.take(count)
    }

    /// # Errors
    /// See [`u8`](Decoder::u8).
    pub fn text(&mut self) -> Result<String, Error> {
        String::from_utf8(self.bytes()?.to_vec()).map_err(|_| "a text in the state is not UTF-8".into())
    }

    /// Returns whether all bytes are read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that all bytes are read.
    ///
    /// # Errors
    /// Bytes are left.
    pub fn end(self) -> Result<(), Error> {
        if self.0.is_empty() { Ok(()) } else { Err(format!("{} bytes too many after the state", self.0.len()).into()) }
    }
}

/// Returns a 64-bit checksum that detects damage.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Checksum::new(bytes.len() as u64);
    sum.add(bytes);
    sum.finish()
}

/// Computes the [`checksum`] of bytes that arrive in pieces.
pub struct Checksum {
    sum: u64,
    /// The bytes after the last complete word.
    rest: [u8; 8],
    count: usize,
}

impl Checksum {
    /// Begins the checksum of `length` bytes in all.
    pub fn new(length: u64) -> Checksum {
        Checksum { sum: length ^ 0x243f_6a88_85a3_08d3, rest: [0; 8], count: 0 }
    }

    pub fn add(&mut self, mut bytes: &[u8]) {
        while self.count > 0 && !bytes.is_empty() {
            self.rest[self.count] = bytes[0];
            (self.count, bytes) = (self.count + 1, &bytes[1..]);
            if self.count == 8 {
                self.mix(u64::from_le_bytes(self.rest));
                self.count = 0;
            }
        }
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(word.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)));
        }
        for &byte in words.remainder() {
            self.rest[self.count] = byte;
            self.count += 1;
        }
    }

    pub fn finish(mut self) -> u64 {
        for at in 0..self.count {
            self.mix(self.rest[at].into());
        }
        self.sum
    }

    fn mix(&mut self, word: u64) {
        self.sum = (self.sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.sum ^= self.sum >> 29;
    }
}

/// Returns the checksum of consecutive pieces, which also depends on their boundaries.
pub fn joined(pieces: &[&[u8]]) -> u64 {
    let sums: Vec<u8> = pieces.iter().flat_map(|piece| checksum(piece).to_le_bytes()).collect();
    checksum(&sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        let mut out = Encoder::new();
        for small in [0, 1, 127, 128, 300, u64::MAX] {
            out.small(small);
        }
        out.f64(-0.1);
        out.i64(-7);
        out.text("tape");
        let bytes = out.finish();
        let mut from = Decoder::new(&bytes);
        for small in [0, 1, 127, 128, 300, u64::MAX] {
            assert_eq!(from.small(), Ok(small));
        }
        assert_eq!((from.f64(), from.i64(), from.text()), (Ok(-0.1), Ok(-7), Ok("tape".to_owned())));
        assert_eq!(from.end(), Ok(()));
    }

    #[test]
    fn what_ends_too_soon_is_refused() {
        assert!(Decoder::new(&[0xff; 20]).small().is_err());
        assert!(Decoder::new(&[200, 1, 7]).bytes().is_err());
        assert!(Decoder::new(&[1, 2]).u64().is_err());
        assert!(Decoder::new(&[1]).end().is_err());
    }

    #[test]
    fn a_checksum_is_the_same_in_pieces() {
        let bytes: Vec<u8> = (0..61_u8).map(|byte| byte.wrapping_mul(7)).collect();
        for piece in 1..62 {
            let mut sum = Checksum::new(61);
            bytes.chunks(piece).for_each(|piece| sum.add(piece));
            assert_eq!(sum.finish(), checksum(&bytes), "{piece}");
        }
    }

    #[test]
    fn any_change_changes_the_checksum() {
        let bytes: Vec<u8> = (0..61).collect();
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert_ne!(checksum(&bytes), checksum(&other));
        }
        assert_ne!(checksum(&[0]), checksum(&[0, 0]));
    }
}
