//! Sums over rows of numbers, in one order whatever the processor: the compiler may do several at once, but never others.

/// Sums that grow side by side in [`dot`].
const LANES: usize = 8;

/// Adds `factor` times `x` to `y`, number by number.
#[inline]
pub fn add_scaled(y: &mut [f32], x: &[f32], factor: f32) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// The sum of the products of two rows of equal length: in eight lanes that are added up in pairs, then what is left over.
#[inline]
pub fn dot(x: &[f32], y: &[f32]) -> f32 {
    let (mut lanes, x, y) = ([0.0_f32; LANES], x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
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
            // Whole numbers, so that every order gives the same.
            let plain: f32 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
            assert_eq!(dot(&x, &y), plain, "{length}");
            let mut sum = y.clone();
            add_scaled(&mut sum, &x, 3.0);
            assert!(sum.iter().zip(&y).zip(&x).all(|((sum, y), x)| *sum == y + 3.0 * x));
        }
    }
}
