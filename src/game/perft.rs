//! Counting move sequences, the yardstick of a move generator.
