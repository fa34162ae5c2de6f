//! Checkers against an oracle: a second implementation of the rules on a plain array of 64 squares.

mod counts;
mod games;
mod oracle;
mod past;
mod positions;
mod same;
mod texts;
