//! The commands that all tabs of runs share.

/// The commands of a tab of runs: the shared ones in the tab's scope, then its own.
macro_rules! run_commands {
    ($scope:literal, $unit:literal, $($own:expr),* $(,)?) => {
        &[
            $crate::app::command::Command::new(concat!($scope, ".pause"), "Pause the run, or let it go on", &["space"]).footer("pause"),
            $crate::app::command::Command::new(concat!($scope, ".step"), concat!("Run one ", $unit, ", then pause"), &["s"]).footer("step"),
            $crate::app::command::Command::new(concat!($scope, ".open"), "Start, go on with, or open what is selected", &["enter"]).footer("open"),
            $crate::app::command::Command::new(concat!($scope, ".list"), "Go to the list of presets and runs, or back", &["l"]).footer("runs"),
            $($own,)*
            $crate::app::command::Command::new(concat!($scope, ".save"), "Save a checkpoint now", &["w"]).footer("save"),
            $crate::app::command::Command::new(concat!($scope, ".stop"), "Save and stop the run", &["x"]).footer("stop"),
            $crate::app::command::Command::new(concat!($scope, ".edit"), "Change the settings, then start", &["e"]).footer("edit"),
        ]
    };
}

pub(crate) use run_commands;
