//! How this program was built, by the package's `build.rs`.

use crate::job::run_dir::processes::Build;

pub const BUILD: Build = Build {
    commit: env!("MANCALAB_COMMIT"),
    sources: env!("MANCALAB_SOURCES"),
    target: env!("MANCALAB_TARGET"),
    profile: env!("MANCALAB_PROFILE"),
    rustc: env!("MANCALAB_RUSTC"),
};
