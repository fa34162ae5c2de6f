//! What a theme can colour.

macro_rules! roles {
    ($( #[doc = $about:literal] $name:ident = $key:literal, )+) => {
        /// What a piece of the screen means; a [`Theme`](super::Theme) says what that looks like.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Role { $( #[doc = $about] $name, )+ }

        impl Role {
            /// In the order in which the theme files list them.
            pub const ALL: &'static [Role] = &[$(Role::$name),+];

            /// The name in theme files.
            pub fn key(self) -> &'static str {
                match self { $(Role::$name => $key),+ }
            }

            /// What the role colours, for the documentation of themes.
            pub fn about(self) -> &'static str {
                match self { $(Role::$name => $about.trim_ascii()),+ }
            }
        }
    };
}

roles! {
    /// Plain text.
    Text = "text",
    /// What is secondary: units, hints, labels of axes, coordinates of a board.
    Dim = "dim",
    /// Titles in frames and of dialogs.
    Title = "title",
    /// The number or word that matters most, and the mark of what has the focus.
    Accent = "accent",
    /// Frames and rules.
    Border = "border",
    /// The frame that has the focus.
    BorderFocus = "border_focus",
    /// The chosen row, cell or pit.
    Selection = "selection",
    /// Names of keys in the footer and in help.
    Key = "key",
    /// South: name, pits, score.
    South = "south",
    /// North: name, pits, score.
    North = "north",
    /// Counts of seeds that belong to no side in particular.
    Seeds = "seeds",
    /// Pits without seeds, and moves that are not legal.
    Empty = "empty",
    /// The pit of the last move, and where its seeds fell.
    LastMove = "last_move",
    /// Seeds being captured.
    Capture = "capture",
    /// Gains, success, what runs well.
    Good = "good",
    /// Losses, failure, errors.
    Bad = "bad",
    /// What deserves a look before it becomes bad.
    Warning = "warning",
    /// Bars of a bar chart.
    Bar = "bar",
    /// Bars for what is below zero, or of a second kind.
    BarAlt = "bar_alt",
    /// The filled part of progress gauges.
    Gauge = "gauge",
    /// Tabs that are not open.
    Tab = "tab",
    /// The tab that is open.
    TabActive = "tab_active",
    /// The words of the footer.
    Footer = "footer",
    /// The first curve of a chart, such as the best.
    Curve1 = "curve1",
    /// The second curve, such as the mean.
    Curve2 = "curve2",
    /// The third curve, such as the median.
    Curve3 = "curve3",
    /// The low end of heat maps; what lies between is mixed.
    HeatLow = "heat_low",
    /// The high end of heat maps.
    HeatHigh = "heat_high",
    /// What lies under an open dialog.
    Shadow = "shadow",
    /// The face of dialogs, the palette and help.
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
