//! The network encoding that games of pits share.
//!
//! Seed counts of pits are one-hot, not proportional: the effect of one more seed depends on where the sowing ends,
//! which is not gradual.

/// Seed counts with inputs of their own: 0 to 14, and more.
const BUCKETS: u16 = 16;

/// Inputs after the pits: both stores, the margin, and 1.
const REST: usize = 4;

/// Name and description of the encoding.
pub(crate) const COUNTS: (&str, &str) = ("counts", "seeds of each pit (one-hot), the stores and the margin");

pub(crate) fn inputs(pits: u8) -> usize {
    2 * usize::from(pits) * usize::from(BUCKETS) + REST
}

/// Appends the inputs of the mover's pits and the opponent's; `half` are the seeds that each side starts with.
#[inline]
pub(crate) fn encode(pits: impl Iterator<Item = u16>, stores: [u16; 2], half: u8, input: &mut Vec<(u16, f32)>) {
    let mut at = 0;
    for count in pits {
        input.push((at + count.min(BUCKETS - 1), 1.0));
        at += BUCKETS;
    }
    let stores = stores.map(f32::from);
    let half = f32::from(half);
    let rest = [stores[0] / half, stores[1] / half, (stores[0] - stores[1]) / half, 1.0];
    let message = rest.into_iter().enumerate().filter(|(_, number)| *number != 0.0);
    input.extend(message.map(|(n, number)| (at + n as u16, number)));
}
