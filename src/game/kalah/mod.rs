//! Kalah(m, n): m pits a side, n seeds a pit.
