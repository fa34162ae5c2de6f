//! Checkers against an oracle: the rules once more, as steps from square to square over a plain board of 64.

mod counts;
mod games;
mod oracle;
mod past;
mod positions;
mod same;
mod texts;
