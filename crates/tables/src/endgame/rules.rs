//! The games and rules that have endgame tables.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::layer_file::BlockEncoding;
use super::{checkers, retrograde};
use crate::game::Variant;
use crate::game::kalah::{self, Capture, End, MAX_PITS};
use crate::game::sowing::{Rules, awari, oware};
use crate::rank::MAX_SEEDS;
use mancalab_base::{Error, bail};

/// The rules of a table. Of Kalah, the number of seeds at the start does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableRules {
    Kalah(kalah::Rules),
    Oware(Rules<oware::Rule>),
    Awari(Rules<awari::Rule>),
    /// English checkers; the move limit does not matter.
    Checkers,
}

/// Maximal number of seeds in tables of bounds, whose build takes about fifty bytes of memory a board.
const MAX_BOUNDED: u8 = 16;

impl TableRules {
    /// The first bytes of the files of each game.
    pub(super) const MAGICS: [&'static [u8; 16]; 4] =
        [b"mancalab kalah\n\0", b"mancalab oware\n\0", b"mancalab awari\n\0", b"mancalab checker"];

    /// The name of a table: the rules without the seeds at the start, such as `kalah-6-standard` or `oware-slam-all`.
    pub fn name(self) -> String {
        match self {
            TableRules::Kalah(rules) => {
                let capture = if rules.capture() == Capture::Empty { "empty" } else { "standard" };
                format!("kalah-{}-{capture}", rules.pits())
            }
            TableRules::Oware(rules) => rules.table(),
            TableRules::Awari(rules) => rules.table(),
            TableRules::Checkers => checkers::NAME.into(),
        }
    }

    /// The path of the table in a folder.
    pub fn path(self, folder: &Path) -> PathBuf {
        super::path(folder, &self.name())
    }

    /// Pits a side; 0 in checkers.
    pub fn pits(self) -> u8 {
        match self {
            TableRules::Kalah(rules) => rules.pits(),
            TableRules::Oware(_) | TableRules::Awari(_) => 6,
            TableRules::Checkers => 0,
        }
    }

    /// Whether results under these rules are those under `other`.
    pub(super) fn is_for(self, other: TableRules) -> bool {
        let is_known = |rules: kalah::Rules| rules.end() == End::Either;
        self.name() == other.name() && if let TableRules::Kalah(rules) = other { is_known(rules) } else { true }
    }

    /// Bytes of a board.
    pub(super) fn width(self) -> usize {
        match self {
            TableRules::Kalah(_) | TableRules::Checkers => 1,
            TableRules::Oware(_) | TableRules::Awari(_) => retrograde::WIDTH,
        }
    }

    pub(super) fn encoding(self) -> BlockEncoding {
        if self == TableRules::Checkers { BlockEncoding::Deflate } else { BlockEncoding::Plain }
    }

    /// What a table's extent counts.
    pub fn unit(self) -> &'static str {
        if self == TableRules::Checkers { "pieces" } else { "seeds" }
    }

    /// The numbers of seeds, or of pieces, that a table may have.
    pub(super) fn extents(self) -> RangeInclusive<u8> {
        match self {
            TableRules::Kalah(_) => 1..=MAX_SEEDS,
            TableRules::Oware(_) | TableRules::Awari(_) => 1..=MAX_BOUNDED,
            TableRules::Checkers => checkers::PIECES,
        }
    }

    /// What the number of seeds in a table depends on, for messages.
    pub(super) fn extent(self) -> String {
        match self {
            TableRules::Kalah(rules) => format!("{} pits a side", rules.pits()),
            TableRules::Oware(_) => "oware".into(),
            TableRules::Awari(_) => "awari".into(),
            TableRules::Checkers => "checkers".into(),
        }
    }

    pub(super) fn magic(self) -> &'static [u8; 16] {
        TableRules::MAGICS[match self {
            TableRules::Kalah(_) => 0,
            TableRules::Oware(_) => 1,
            TableRules::Awari(_) => 2,
            TableRules::Checkers => 3,
        }]
    }

    /// The choice that distinguishes tables of one game and size.
    pub(super) fn choice(self) -> u8 {
        match self {
            TableRules::Kalah(rules) => rules.capture() as u8,
            TableRules::Oware(rules) => rules.chosen(0),
            TableRules::Awari(rules) => rules.chosen(0),
            TableRules::Checkers => 0,
        }
    }

    /// The rules with this [magic](TableRules::magic), this number of pits and this [choice](TableRules::choice); `None`
    /// if there are none.
    pub(super) fn from_header(magic: &[u8], pits: u8, choice: u8) -> Option<TableRules> {
        let capture = if choice == 0 { Capture::Standard } else { Capture::Empty };
        let kalah = kalah::Rules::new(pits, 1, capture).ok().map(TableRules::Kalah);
        let all = [
            TableRules::Oware(Rules::default().choose(0, choice.into())),
            TableRules::Awari(Rules::default().choose(0, choice.into())),
            TableRules::Checkers,
        ];
        let is_right = |rules: &TableRules| {
            let header = (rules.magic() as &[u8], rules.pits(), rules.choice());
            header == (magic, pits, choice)
        };
        kalah.into_iter().chain(all).find(is_right)
    }
}

impl From<kalah::Rules> for TableRules {
    fn from(rules: kalah::Rules) -> TableRules {
        TableRules::Kalah(rules)
    }
}

impl fmt::Display for TableRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name())
    }
}

/// A game with its rules, such as `oware:slam=all`; without a name, Kalah.
impl FromStr for TableRules {
    type Err = Error;

    fn from_str(text: &str) -> Result<TableRules, Error> {
        let is_bare = text.starts_with(|first: char| first.is_ascii_digit());
        let variant: Variant = if is_bare { format!("kalah:{text}") } else { text.to_owned() }.parse()?;
        match variant {
            Variant::Kalah(rules) if rules.end() != End::Either => {
                bail!("endgame tables are for games that end when either side has no seeds (got {rules})")
            }
            Variant::Kalah(rules) => Ok(TableRules::Kalah(rules)),
            Variant::Oware(rules) => Ok(TableRules::Oware(rules)),
            Variant::Awari(rules) => Ok(TableRules::Awari(rules)),
            Variant::Checkers(_) => Ok(TableRules::Checkers),
            other if other.to_string().starts_with("kalah:") => {
                bail!("endgame tables of kalah are for at most {MAX_PITS} pits a side (got {other})")
            }
            other => bail!("endgame tables are for kalah, oware, awari and checkers (got {other})"),
        }
    }
}
