//! Random number generators.
//!
//! Every random choice is drawn from a generator keyed by its purpose: the run's seed and a few numbers such as a
//! ply or a generation. Results therefore depend neither on the number of threads nor on the division of work.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// The generator used everywhere: small, fast, and the same on every platform.
pub type Rng = Xoshiro256PlusPlus;

/// Returns the generator for `key`. Equal keys give equal streams, different keys unrelated ones.
// Inlined, so that a caller of one number computes only the words of the state that it needs.
#[inline]
pub fn keyed(key: &[u64]) -> Rng {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ key.len() as u64;
    for &word in key {
        state = mix(state ^ mix(word));
    }
    Rng::seed_from_u64(state)
}

/// Returns a seed for one part of a run, such as one game.
#[inline]
pub fn derived(key: &[u64]) -> u64 {
    use rand::Rng as _;
    keyed(key).next_u64()
}

/// Returns a random seed from the operating system. It is below 2^32, short enough to retype.
pub fn fresh_seed() -> u64 {
    let mut bytes = [0; 4];
    match rand::TryRng::try_fill_bytes(&mut rand::rngs::SysRng, &mut bytes) {
        Ok(()) => u64::from(u32::from_le_bytes(bytes)),
        Err(_) => {
            let now = std::time::SystemTime::now();
            now.duration_since(std::time::UNIX_EPOCH).map_or(1, |d| u64::from(d.subsec_nanos()))
        }
    }
}

/// Returns a number from the normal distribution with mean 0 and standard deviation 1 (Marsaglia's polar method).
pub fn gaussian(rng: &mut Rng) -> f64 {
    use rand::Rng as _;
    // 53 bits, uniform from -1 to 1.
    let mut even = || (rng.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
    loop {
        let x = even();
        let y = even();
        let s = x * x + y * y;
        if s > 0.0 && s < 1.0 {
            return x * (-2.0 * libm::log(s) / s).sqrt();
        }
    }
}

/// The finaliser of SplitMix64: a bijection that spreads every bit.
#[inline]
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn keys_decide_the_stream() {
        let draw = |key: &[u64]| keyed(key).random::<u64>();
        assert_eq!(draw(&[1, 2, 3]), draw(&[1, 2, 3]));
        assert_ne!(draw(&[1, 2, 3]), draw(&[1, 3, 2]));
        assert_ne!(draw(&[0]), draw(&[0, 0]));
    }

    #[test]
    fn the_normal_distribution_is_normal() {
        let mut rng = keyed(&[3]);
        let drawn: Vec<f64> = (0..100_000).map(|_| gaussian(&mut rng)).collect();
        let mean = drawn.iter().sum::<f64>() / 1e5;
        let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e5;
        let beyond = |sigmas: f64| drawn.iter().filter(|x| x.abs() > sigmas).count() as f64 / 1e5;
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        assert!((beyond(1.0) - 0.3173).abs() < 0.01 && (beyond(2.0) - 0.0455).abs() < 0.004);
    }

    /// Pinned, because a change of generator would change every recorded run.
    #[test]
    fn the_stream_is_pinned() {
        assert_eq!(keyed(&[7]).random::<u64>(), PINNED);
    }
    const PINNED: u64 = 12_352_925_830_592_499_320;
}
