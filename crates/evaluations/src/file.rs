//! Files of learned weights.
//!
//! A file begins with lines of text: `mancalab othello patterns 1` or `mancalab checkers networks 1`, then `key = value` for each note of its origin, then an empty line. Compressed
//! data follow (deflate): the errors of shallow searches as four 32-bit floats, then the weights of all stages as 16-bit whole
//! numbers, first all low bytes, then all high bytes, which compresses better; all little-endian. The last eight bytes are a
//! checksum of everything before.

use super::{LearnedEvaluation, LearnedWeights};
use mancalab_base::codec::checksum;
use mancalab_base::{Error, bail};
use std::collections::BTreeMap;

/// The first line of a file.
pub fn format<G: LearnedEvaluation>() -> String {
    format!("mancalab {} {} 1", G::NAME, G::LEARNED)
}

/// The largest file that is read, in bytes; the program's own take less than one million.
pub const LARGEST: usize = 8 << 20;

/// Origin of the weights: how and with what they were learned.
pub type Notes = BTreeMap<String, String>;

/// Compression effort, 0 to 10.
const EFFORT: u8 = 8;

/// The error for a file of another kind.
fn not_ours<G: LearnedEvaluation>() -> String {
    format!("not a file of {} {}", G::TITLE, G::LEARNED)
}

/// Encodes weights, deterministically.
pub fn write<G: LearnedEvaluation>(learned: &LearnedWeights, notes: &Notes) -> Vec<u8> {
    let mut bytes = format!("{}\n", format::<G>()).into_bytes();
    for (key, value) in notes {
        bytes.extend(format!("{key} = {}\n", value.replace(['\n', '\r'], " ")).into_bytes());
    }
    bytes.push(b'\n');
    let mut data: Vec<u8> = learned.errors.0.iter().flat_map(|number| number.to_le_bytes()).collect();
    let weights = || learned.stages.iter().flatten().map(|weight| weight.to_le_bytes());
    data.extend(weights().map(|bytes| bytes[0]));
    data.extend(weights().map(|bytes| bytes[1]));
    bytes.extend(miniz_oxide::deflate::compress_to_vec(&data, EFFORT));
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// Whether the bytes claim to be weights of this game.
pub fn is_of<G: LearnedEvaluation>(bytes: &[u8]) -> bool {
    bytes.starts_with(format::<G>().as_bytes())
}

/// Decodes weights and their origin.
///
/// # Errors
/// The bytes are no such file, or damaged.
pub fn read<G: LearnedEvaluation>(bytes: &[u8]) -> Result<(LearnedWeights, Notes), Error> {
    let format = format::<G>();
    let not_ours = not_ours::<G>();
    let (bytes, sum) = bytes.split_last_chunk::<8>().ok_or(&*not_ours)?;
    if !is_of::<G>(bytes) {
        bail!("{not_ours}: it must begin with '{format}'");
    }
    if checksum(bytes) != u64::from_le_bytes(*sum) {
        bail!("the file of learned weights is damaged: its checksum does not match");
    }
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").ok_or(&*not_ours)?;
    let header = std::str::from_utf8(&bytes[..end]).map_err(|_| &*not_ours)?;
    let note = |line: &str| line.split_once(" = ").map(|(key, value)| (key.to_owned(), value.to_owned()));
    let notes = header.lines().skip(1).filter_map(note).collect();
    let count = G::STAGES * G::weights_per_stage();
    let size = 16 + 2 * count;
    let data = miniz_oxide::inflate::decompress_to_vec_with_limit(&bytes[end + 2..], size).map_err(|_| &*not_ours)?;
    if data.len() != size {
        bail!("the file of learned weights must hold {size} bytes of data (got {})", data.len());
    }
    let (errors, weights) = data.split_at(16);
    let mut learned = LearnedWeights::zero::<G>();
    for (error, bytes) in learned.errors.0.iter_mut().zip(errors.as_chunks().0) {
        *error = f32::from_le_bytes(*bytes);
    }
    let (low, high) = weights.split_at(count);
    for (weight, (&low, &high)) in learned.stages.iter_mut().flatten().zip(low.iter().zip(high)) {
        *weight = i16::from_le_bytes([low, high]);
    }
    if learned.errors.0.iter().any(|error| !error.is_finite()) {
        bail!("the file of learned weights has errors of searches that are not finite");
    }
    Ok((learned, notes))
}

#[cfg(test)]
mod tests {
    use super::super::Errors;
    use super::*;
    use mancalab_games::othello::Othello;

    #[test]
    fn files_come_back_and_damage_is_refused() {
        let mut learned = LearnedWeights::zero::<Othello>();
        learned.stages[3][7] = -300;
        learned.stages[11][1] = 12;
        learned.errors = Errors([1.0, 0.5, -0.25, 0.0]);
        let notes = Notes::from([("seed".to_owned(), "7".to_owned())]);
        let bytes = write::<Othello>(&learned, &notes);
        assert_eq!(read::<Othello>(&bytes).unwrap(), (learned, notes));
        for at in [0, 40, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(read::<Othello>(&damaged).is_err(), "byte {at}");
        }
        assert!(read::<Othello>(&bytes[..bytes.len() - 9]).is_err() && read::<Othello>(&[]).is_err());
    }
}
