//! The Pareto front of fitness and size: the programs that no other one dominates.

/// Returns the indices of the points that no other dominates, fittest first. Points are fitness and nodes; one point dominates
/// another if it is at least as fit and at most as large, and better in one of them. Of equal points the first is returned.
pub fn front(points: &[(f64, u32)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    crate::sort::sort_by(&mut order, |&a, &b| points[b].0.total_cmp(&points[a].0).then(points[a].1.cmp(&points[b].1)));
    let mut smallest = u32::MAX;
    order.retain(|&at| {
        let is_smaller = points[at].1 < smallest;
        smallest = smallest.min(points[at].1);
        is_smaller
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::keyed;
    use rand::RngExt as _;

    #[test]
    fn of_equal_points_the_first_is_on_the_front() {
        assert_eq!(front(&[(3.0, 9), (3.0, 5), (3.0, 5), (2.0, 5), (2.0, 4), (1.0, 4), (0.0, 1)]), [1, 4, 6]);
        assert!(front(&[]).is_empty());
    }

    /// The definition, for each point alone.
    #[test]
    fn a_front_has_exactly_what_nothing_dominates() {
        for key in 0..50 {
            let mut rng = keyed(&[key]);
            let point = |_| (f64::from(rng.random_range(0..20_u32)), rng.random_range(1..20_u32));
            let points: Vec<(f64, u32)> = (0..60).map(point).collect();
            let dominates = |a: (f64, u32), b: (f64, u32)| a.0 >= b.0 && a.1 <= b.1 && a != b;
            let on_front = |at: usize| {
                let point = points[at];
                !points.iter().any(|&other| dominates(other, point)) && !points[..at].contains(&point)
            };
            let mut found = front(&points);
            assert!(found.windows(2).all(|pair| points[pair[0]].0 > points[pair[1]].0));
            found.sort_unstable();
            assert_eq!(found, (0..points.len()).filter(|&at| on_front(at)).collect::<Vec<_>>());
        }
    }
}
