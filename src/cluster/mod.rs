//! Plans: long work in units that any engine which runs array jobs can compute.

#[cfg_attr(not(test), expect(dead_code, reason = "the command that submits a plan comes with the plans"))]
pub(crate) mod engine;
