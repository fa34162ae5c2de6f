//! The forms in which results are printed, by the same flag everywhere.

use clap::ValueEnum;

/// How a result is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Table,
    Csv,
    Json,
    Md,
}
