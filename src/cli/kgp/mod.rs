//! `mancalab serve kgp` and `connect kgp`: the Kalah Game Protocol 1.0.1, in which a server sends boards and agents answer with moves.
//!
//! `wire` has the commands and the boards, `link` the connections. `connect` is an agent, around a `session` that
//! works on lines; `serve` listens for the agents of others, and `server` holds a round robin of `games` between them.

pub(super) mod connect;
mod games;
mod link;
pub(super) mod serve;
mod server;
mod session;
#[cfg(test)]
mod tests;
mod wire;

/// The port of the protocol.
const PORT: u16 = 2671;
