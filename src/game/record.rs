//! A game that was played: a tree of moves with a line through it, and its text form.
