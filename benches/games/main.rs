//! Speed of the rules, the searches and the players; `cargo bench --bench games -- FILTER` runs those whose names
//! contain FILTER.

use criterion::criterion_main;

mod engine;
mod mcts;
mod patterns;
mod samuel;
mod solver;
mod staged;

criterion_main!(engine::engine, mcts::mcts, patterns::patterns, samuel::samuel, solver::solver, staged::benches);
