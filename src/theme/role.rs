//! The roles that a theme styles.

macro_rules! roles {
    ($( #[doc = $about:literal] $name:ident = $key:literal, )+) => {
        /// The meaning of a part of the screen, styled by a [`Theme`](super::Theme).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Role { $( #[doc = $about] $name, )+ }

        impl Role {
            /// All roles in the order of the theme files.
            pub const ALL: &'static [Role] = &[$(Role::$name),+];

            /// Returns the name in theme files.
            pub fn key(self) -> &'static str {
                match self { $(Role::$name => $key),+ }
            }

            /// Returns the description of the role, for the documentation of themes.
            pub fn about(self) -> &'static str {
                match self { $(Role::$name => $about.trim_ascii()),+ }
            }
        }
    };
}

roles! {
    /// Plain text.
    Text = "text",
    /// Secondary text: units, hints, axis labels, board coordinates.
    Dim = "dim",
    /// Titles of frames and dialogs.
    Title = "title",
    /// The most important number or word, and the focus marker.
    Accent = "accent",
    /// Frames and rules.
    Border = "border",
    /// The focused frame.
    BorderFocus = "border_focus",
    /// The selected row, cell or pit.
    Selection = "selection",
    /// Key names in the footer and in help.
    Key = "key",
    /// Black on boards of squares: name, moves, score; dark.
    Black = "black",
    /// White on boards of squares: name, moves, score; light.
    White = "white",
    /// South: name, pits, score.
    South = "south",
    /// North: name, pits, score.
    North = "north",
    /// Seed counts that belong to neither side.
    Seeds = "seeds",
    /// Empty pits and illegal moves.
    Empty = "empty",
    /// The pit of the last move and the pits it sowed.
    LastMove = "last_move",
    /// Seeds being captured.
    Capture = "capture",
    /// Gains, success, normal operation.
    Good = "good",
    /// Losses, failures, errors.
    Bad = "bad",
    /// Warnings and notable differences.
    Warning = "warning",
    /// Bars of bar charts.
    Bar = "bar",
    /// Bars of negative values or of a second series.
    BarAlt = "bar_alt",
    /// The filled part of progress gauges.
    Gauge = "gauge",
    /// Inactive tabs.
    Tab = "tab",
    /// The active tab.
    TabActive = "tab_active",
    /// Text in the footer.
    Footer = "footer",
    /// The first curve of a chart, such as the best.
    Curve1 = "curve1",
    /// The second curve, such as the mean.
    Curve2 = "curve2",
    /// The third curve, such as the median.
    Curve3 = "curve3",
    /// The low end of heat maps; values between are interpolated.
    HeatLow = "heat_low",
    /// The high end of heat maps.
    HeatHigh = "heat_high",
    /// The wood of a board of pits: background and lines.
    Wood = "wood",
    /// The pits and stores in it: background.
    Hollow = "hollow",
    /// The board of Othello: background and lines. Without a background boards are drawn by lines alone.
    Felt = "felt",
    /// Dark squares of checkers: background and numbers.
    SquareDark = "square_dark",
    /// Light squares of checkers: background.
    SquareLight = "square_light",
    /// Pieces of Black on a coloured board.
    PieceDark = "piece_dark",
    /// Pieces of White on a coloured board.
    PieceLight = "piece_light",
    /// The page behind an open dialog.
    Shadow = "shadow",
    /// Background of dialogs, the command palette and help.
    Overlay = "overlay",
}

impl Role {
    pub(crate) fn from_key(key: &str) -> Option<Role> {
        Role::ALL.iter().copied().find(|role| role.key() == key)
    }

    pub(super) fn index(self) -> usize {
        self as usize
    }
}
