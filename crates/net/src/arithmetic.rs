//! Vector arithmetic with a fixed order of summation on every processor; SIMD may not change it.

/// Number of parallel sums in [`dot`].
const LANES: usize = 8;

/// Adds `factor` times `x` to `y`, element by element.
#[inline]
pub fn add_scaled(y: &mut [f32], x: &[f32], factor: f32) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// Returns the dot product of two slices of equal length: eight partial sums, added in pairs, then the remainder.
#[inline]
pub fn dot(x: &[f32], y: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let x = x.as_chunks::<LANES>();
    let y = y.as_chunks::<LANES>();
    for (x, y) in x.0.iter().zip(y.0) {
        for lane in 0..LANES {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    let whole = ((a + e) + (c + g)) + ((b + f) + (d + h));
    x.1.iter().zip(y.1).fold(whole, |sum, (x, y)| sum + x * y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_plain_loops() {
        for length in [0, 1, 7, 8, 9, 64, 67] {
            let x: Vec<f32> = (0..length).map(|n| n as f32 - 3.0).collect();
            let y: Vec<f32> = (0..length).map(|n| 2.0 * n as f32 + 1.0).collect();
            // Whole numbers, so that every order gives the same sum.
            let plain: f32 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
            assert_eq!(dot(&x, &y), plain, "{length}");
            let mut sum = y.clone();
            add_scaled(&mut sum, &x, 3.0);
            assert!(sum.iter().zip(&y).zip(&x).all(|((sum, y), x)| *sum == y + 3.0 * x));
        }
    }
}
