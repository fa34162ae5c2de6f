//! How fast the rules, the searches and the players are; `cargo bench --bench games -- FILTER` runs those whose names hold FILTER.

use criterion::criterion_main;

mod engine;
mod mcts;
mod samuel;
mod staged;

criterion_main!(engine::engine, mcts::mcts, samuel::samuel, staged::benches);
