//! Evolution: populations that are bred, and the runs that breed them.

pub mod ga;
