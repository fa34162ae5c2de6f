//! Output formats of results: the values of every `--format`.

use clap::ValueEnum;

/// The output format of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Table,
    Csv,
    Json,
    Md,
}
