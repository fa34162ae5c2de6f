//! The position of a command in the tables of commands.

/// The owner of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Whose {
    App,
    /// The tab with this index.
    Tab(usize),
}

/// The position of a command: table and row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub whose: Whose,
    /// The index of its row.
    pub row: usize,
}
