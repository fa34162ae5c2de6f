//! Speed of runs: evolution, tuning and training; `cargo bench --bench lab -- FILTER` runs those whose names contain
//! FILTER.

use criterion::criterion_main;

mod evolve;
mod net;
mod weights;

criterion_main!(evolve::evolve, net::benches, weights::weights);
