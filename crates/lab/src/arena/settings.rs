//! Settings and presets of a tournament: the pairs, the number of games, and the openings.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use mancalab_base::{Error, bail, processor};

use super::Sprt;
use super::openings::{Cache, Deal, Opening, Openings};
use super::tournament::Tournament;
use super::view::FromRows;
use crate::codec::checksum;
use crate::game::Variant;
use crate::job::conduct::Conduct;
use crate::job::{Form, Manifest, Rows, Run, RunSettings, Watched};
use crate::player::spec::Ties;
use crate::player::{Spec, check_plays, is_solvable};
use crate::settings::{Diagnostic, Entry, KeyedSettings as _, SettingsTable, Table, entry, string_enum};

/// A number of games of one player moving first against another, or against itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// Index of the player that moves first.
    pub first: usize,
    pub second: usize,
    pub games: u32,
}

/// The pairs of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pairs {
    /// Every ordered pair, each player against itself included.
    All,
    /// These, in this order, with the number of games of the settings or their own.
    Only(Vec<(usize, usize, Option<u32>)>),
}

/// Everything that determines the games.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The preset they are based on.
    pub preset: String,
    pub variant: Variant,
    pub players: Vec<Spec>,
    pub pairs: Pairs,
    /// Games per pair, 1 to [`MAX_GAMES`].
    pub games: u32,
    /// Random moves at the start of each game.
    pub opening: Opening,
    /// Seed of all random choices; at most `i64::MAX`.
    pub seed: u64,
    /// How openings are dealt to the rounds.
    pub deal: Deal,
    /// Stops the games of two players, in both orders, once this test has a verdict.
    pub stop: Option<Sprt>,
    /// Counts what each move loses under perfect play.
    pub losses: bool,
    /// What the players' limits of time count.
    pub time: Time,
    pub conduct: Conduct,
    /// Cache of the openings that these settings determine.
    pub dealt: Cache,
}

/// What limits of time count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Time {
    /// What a clock on the wall shows.
    #[default]
    Wall,
    /// What the processor works for a player, as if the machine had nothing else to do. Where the system does not show it, wall time.
    Processor,
}

string_enum!(Time { "wall" => Wall, "processor" => Processor });

/// Maximum number of players of a tournament.
pub const MAX_PLAYERS: usize = 32;
/// Maximum number of games per pair.
pub const MAX_GAMES: u32 = 1_000_000;

impl Pairs {
    /// Returns the two orders of a match with alternating first mover; player 0 moves first in the first game.
    pub fn alternating(games: u32) -> Pairs {
        Pairs::Only(vec![(0, 1, Some(games.div_ceil(2))), (1, 0, Some(games / 2))])
    }

    /// Returns these pairs, with the settings' number of games.
    pub fn only(pairs: impl IntoIterator<Item = (usize, usize)>) -> Pairs {
        Pairs::Only(pairs.into_iter().map(|(first, second)| (first, second, None)).collect())
    }
}

/// `all`, or players by their numbers from 1, such as `1-2 2-1:500`.
impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pairs::Only(pairs) = self else { return f.write_str("all") };
        for (index, (first, second, games)) in pairs.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{}-{}", first + 1, second + 1)?;
            games.map_or(Ok(()), |games| write!(f, ":{games}"))?;
        }
        Ok(())
    }
}

impl FromStr for Pairs {
    type Err = Error;

    fn from_str(text: &str) -> Result<Pairs, Error> {
        if text.trim() == "all" {
            return Ok(Pairs::All);
        }
        let number = |text: &str| text.parse().ok().filter(|number| (1..=MAX_PLAYERS).contains(number));
        let pair = |word: &str| {
            let (players, games) = word.split_once(':').map_or((word, None), |(players, games)| (players, Some(games)));
            let games = match games {
                None => None,
                Some(games) => Some(games.parse().ok().filter(|games| *games <= MAX_GAMES)?),
            };
            let (first, second) = players.split_once('-')?;
            Some((number(first)? - 1, number(second)? - 1, games))
        };
        let pairs: Option<Vec<_>> = text.split([' ', ',']).filter(|word| !word.is_empty()).map(pair).collect();
        pairs
            .filter(|pairs| !pairs.is_empty())
            .map(Pairs::Only)
            .ok_or_else(|| Error::expected_several("all, or pairs of players' numbers such as 1-2 2-1 1-3:500"))
    }
}

impl Settings {
    /// Returns the settings of a round robin with this number of games per ordered pair.
    pub fn round_robin(variant: Variant, players: Vec<Spec>, games: u32, seed: u64) -> Settings {
        let preset = "tournament".to_owned();
        let deal = Deal::Random;
        let dealt = Cache::default();
        Settings {
            preset,
            variant,
            players,
            pairs: Pairs::All,
            games,
            opening: Opening::Moves(2),
            seed,
            deal,
            stop: None,
            losses: false,
            time: Time::Wall,
            conduct: Conduct::default(),
            dealt,
        }
    }

    /// Returns the openings of these settings.
    pub(super) fn openings(&self) -> Arc<Openings> {
        self.dealt.get(self)
    }

    /// Returns the cells, in the order in which their games are scheduled.
    pub fn cells(&self) -> Vec<Cell> {
        let games = self.games;
        match &self.pairs {
            Pairs::All => {
                let row = |first| (0..self.players.len()).map(move |second| Cell { first, second, games });
                (0..self.players.len()).flat_map(row).collect()
            }
            Pairs::Only(pairs) => {
                let cell = |&(first, second, own): &(usize, usize, Option<u32>)| Cell {
                    first,
                    second,
                    games: own.unwrap_or(games),
                };
                pairs.iter().map(cell).collect()
            }
        }
    }

    /// Returns the number of rounds, each with a game of every cell that has one left.
    pub fn rounds(&self) -> u32 {
        self.cells().iter().map(|cell| cell.games).max().unwrap_or(0)
    }

    /// Returns the settings with another number of rounds. A pair with fewer games than rounds has no game in the
    /// last rounds and must not get one there: only pairs with a game in every round get more.
    ///
    /// # Errors
    /// No settings give this number of rounds.
    fn with_rounds(&self, rounds: u64) -> Result<Settings, Error> {
        let mut more = self.clone();
        more.set("games", &rounds.to_string())?;
        let before = self.rounds();
        let late = self.cells().into_iter().zip(more.cells()).find(|(then, now)| then.games < before && then != now);
        if let Some((Cell { first, second, games }, _)) = late {
            bail!(
                "games: the pair {}-{} has {games} games, others have {before}; its next games would belong to rounds already \
                 played",
                first + 1,
                second + 1
            );
        }
        if u64::from(more.rounds()) != rounds {
            bail!("pairs: each pair has its own number of games, so `games` has no effect");
        }
        Ok(more)
    }

    /// Sets the tie-breaking of every player that has it.
    pub fn set_ties(&mut self, ties: Ties) {
        self.players.iter_mut().for_each(|player| player.set_ties(ties));
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// They cannot be played; the error describes what is accepted.
    pub fn check(&self) -> Result<(), Error> {
        if self.players.iter().any(Spec::is_human) {
            bail!("human plays on the Board only; name computer players, such as easy or minimax:8");
        }
        if self.players.is_empty() || self.players.len() > MAX_PLAYERS {
            bail!("the number of players must be 1 to {MAX_PLAYERS} (got {})", self.players.len());
        }
        self.players.iter().try_for_each(|player| check_plays(player, &self.variant))?;
        let listed = |player: &&Spec| Spec::parts(&player.to_string()).len() == 1;
        if let Some(player) = self.players.iter().find(|player| !listed(player)) {
            bail!("'{player}' cannot be in a list of players: a comma in a file's name is not allowed");
        }
        self.opening.check(&self.variant)?;
        if self.losses && !is_solvable(&self.variant.start()) {
            bail!(
                "losses: no solver knows {}, only games of Kalah of up to 126 seeds (leave out losses)",
                self.variant
            );
        }
        if self.time == Time::Processor && processor::time().is_none() {
            bail!(
                "time: this system does not show the processor time of a thread, so that limits can only be of wall time"
            );
        }
        let cells = self.cells();
        if let Some(cell) = cells.iter().find(|cell| cell.first.max(cell.second) >= self.players.len()) {
            let number = cell.first.max(cell.second) + 1;
            bail!("pairs: there is no player {number} (number of players: {})", self.players.len());
        }
        let mut seen = HashSet::new();
        if let Some(cell) = cells.iter().find(|cell| !seen.insert((cell.first, cell.second))) {
            bail!("pairs: duplicate pair {}-{}", cell.first + 1, cell.second + 1);
        }
        if self.rounds() == 0 {
            bail!("at least one game is needed");
        }
        Ok(())
    }

    /// Returns the numbers and checksums of the players that were read from files, or `none`.
    pub(crate) fn file_sums(&self) -> String {
        let texts = self.players.iter().enumerate().filter_map(|(index, player)| {
            Some(format!("{}:{:016x}", index + 1, checksum(player.contents()?.as_bytes())))
        });
        let texts: Vec<String> = texts.collect();
        if texts.is_empty() { "none".to_owned() } else { texts.join(" ") }
    }
}

impl SettingsTable for Settings {
    fn entries() -> Vec<Entry<Settings>> {
        let mut entries = vec![
            entry!(seed: whole(0, i64::MAX as u64), "decides all random choices").common(),
            entry!("game", variant: word, "the game and its rules, such as kalah:6x4:standard"),
            Entry::new(
                "players",
                "the players, separated by commas, such as random, max, minimax:4",
                |s: &Settings| s.players.iter().map(Spec::to_string).collect::<Vec<_>>().join(", "),
                |s, text| Spec::list(text).map(|players| s.players = players),
            ),
            entry!(
                pairs: word,
                "all: every pair in both orders; or player numbers, the one that moves first in front, such as 1-2 2-1"
            ),
            entry!(games: whole(1, MAX_GAMES.into()), "games per pair, 1 to 1000000"),
            Entry::new(
                "opening",
                "random moves at the start of each game, 0 to 100; or ballots: three-move ballots (checkers)",
                |s: &Settings| s.opening.to_string(),
                |s, text| text.parse().map(|opening| s.opening = opening),
            ),
            entry!(
                deal: one_of(Deal::WORDS),
                "openings: distinct, every position once before any is repeated; or random, each round independently"
            )
            .before("random"),
            entry!(losses: flag, "count what each move loses under perfect play (Kalah)").before("false"),
            entry!(time: one_of(Time::WORDS), "what limits of time count: wall time, or processor time (Linux)")
                .before("wall"),
            Entry::new(
                "sprt",
                "SPRT: stop a pair's games once one of two Elo differences is accepted, such as 0,50; or never",
                |s: &Settings| s.stop.map_or("never".to_owned(), |stop| stop.to_string()),
                |s, text| {
                    s.stop = if text == "never" { None } else { Some(text.parse()?) };
                    Ok(())
                },
            ),
        ];
        entries.extend(Conduct::entries_of(|s: &Settings| &s.conduct, |s| &mut s.conduct));
        entries
    }
}

/// The presets: (name, description).
pub const PRESETS: &[(&str, &str)] = &[
    ("round-robin", "random, max, minimax, the heuristic player and tree search, 100 games each in both orders"),
    ("othello", "random, max, minimax of 2 and 4 plies and tree search at Othello, 20 games each in both orders"),
    ("checkers", "random, max, minimax of 2, 4 and 6 plies and tree search at checkers, 20 games each in both orders"),
];

/// Returns the settings of a preset; `None` if the name is not in [`PRESETS`].
pub fn preset(name: &str) -> Option<Settings> {
    let (game, players, games) = match name {
        "round-robin" => ("kalah", "random, max, minimax:4:ties=random, heuristic:4:ties=random, mcts:1000", 100),
        "othello" => ("othello", "random, max, minimax:2:ties=random, minimax:4:ties=random, mcts:400", 20),
        "checkers" => (
            "checkers",
            "random, max, minimax:2:ties=random, minimax:4:ties=random, minimax:6:ties=random, mcts:400",
            20,
        ),
        _ => return None,
    };
    let settings = Settings::round_robin(game.parse().ok()?, Spec::list(players).ok()?, games, 1);
    Some(Settings { preset: name.to_owned(), deal: Deal::Distinct, ..settings })
}

const KIND: &str = "tournament";
const TIMING_COLUMNS: &str = "round,seconds,nanoseconds_and_moves_of_both";

/// The file format of tournaments.
pub(crate) const FORM: Form =
    Form { kind: KIND, format: 1, timing_columns: TIMING_COLUMNS, free: &[], curve: None, read };

fn read(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Box<dyn RunSettings> {
    let mut settings = Settings::round_robin(crate::game::Variant::usual()[0], Vec::new(), 1, manifest.seed);
    settings.preset.clone_from(&manifest.preset);
    settings.read(table, problems);
    if problems.is_empty() {
        let last = u64::from(settings.rounds()).saturating_sub(1);
        let fits = if last == manifest.generations {
            Ok(())
        } else {
            Err(format!("`generations` is {}, but must be {last} for these games", manifest.generations).into())
        };
        problems.extend(settings.check().and(fits).err().map(|reason| Diagnostic::new(table.at(), reason.to_string())));
    }
    settings.into()
}

impl RunSettings for Settings {
    fn boxed(&self) -> Box<dyn RunSettings> {
        self.clone().into()
    }

    fn form(&self) -> Form {
        FORM
    }

    fn manifest(&self) -> Manifest {
        let last = u64::from(self.rounds()).saturating_sub(1);
        // Other programs, and players that play by the time, play other games the next time.
        let reproducible = self.players.iter().all(|player| player.impurity().is_none());
        Manifest { reproducible, ..Manifest::new(KIND, &self.preset, self.seed, last) }
    }

    fn columns(&self) -> &'static str {
        "round,games"
    }

    fn offers(&self, key: &str) -> Vec<String> {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        match key {
            "game" => Variant::usual().iter().map(Variant::to_string).collect(),
            "pairs" => texts(&["all"]),
            "sprt" => texts(&["never", "0,50"]),
            _ => Vec::new(),
        }
    }

    fn conduct(&self) -> Conduct {
        self.conduct
    }

    fn check(&self) -> Result<(), Error> {
        Settings::check(self)
    }

    fn check_fork(&self, _parent: &dyn RunSettings) -> Result<(), Error> {
        Err("the games of a tournament do not follow from those before; start another tournament".into())
    }

    fn extended(&self, generations: u64) -> Result<Box<dyn RunSettings>, Error> {
        Ok(self.with_rounds(generations.saturating_add(1))?.into())
    }

    fn start_unmeasured(&self) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Tournament::start(self.clone())?))
    }

    fn restore_unmeasured(&self, state: &[u8], rows: Rows<'_>) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Tournament::restore(self.clone(), state, rows)?))
    }

    fn watch_unmeasured(&self) -> Box<dyn Watched> {
        Box::new(FromRows::new(self.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        let players = ["random", "max", "minimax:4"].map(|text| text.parse().unwrap()).to_vec();
        Settings::round_robin(Variant::usual()[0], players, 10, 3)
    }

    #[test]
    fn pairs_come_back_as_they_were_written() {
        for text in ["all", "1-2", "1-2 2-1 3-3:500"] {
            assert_eq!(text.parse::<Pairs>().unwrap().to_string(), text);
        }
        assert_eq!("2-1, 1-2".parse::<Pairs>().unwrap(), Pairs::only([(1, 0), (0, 1)]));
        for text in ["", "1", "0-1", "1-33", "1-2:x", "1-2:1000001"] {
            assert!(text.parse::<Pairs>().unwrap_err().to_string().starts_with("all, or pairs"), "{text}");
        }
        let cells = Settings { pairs: Pairs::alternating(3), ..settings() }.cells();
        assert_eq!((cells[0].games, cells[1].games, cells.len()), (2, 1, 2));
    }

    #[test]
    fn every_setting_is_written_and_read_again() {
        let mut one = settings();
        for (key, value) in [
            ("game", "kalah:4x3:standard"),
            ("players", "max, heuristic:2@0.1,0.2,0.3,1,0,0,0,0,0,1:ties=random, mcts:50"),
            ("pairs", "1-3 3-1:7"),
            ("games", "9"),
            ("opening", "4"),
            ("sprt", "-5,50"),
        ] {
            one.set(key, value).unwrap();
            assert!(one.list().iter().any(|(other, _, text)| (*other, text.as_str()) == (key, value)), "{key}");
        }
        assert_eq!(one.players.len(), 3);
        let source = crate::settings::Source::new("run.toml", one.to_text());
        let mut other = settings();
        crate::settings::parse(&source, |table, problems| other.read(table, problems)).unwrap();
        assert_eq!(one, other);
    }

    #[test]
    fn what_is_wrong_with_a_value_is_reported() {
        let mut one = settings();
        let mut error = |key: &str, value: &str| one.set(key, value).unwrap_err().to_string();
        assert_eq!(error("games", "0"), "games: a whole number from 1 to 1000000 is expected (got 0)");
        assert!(error("players", "max, nobody").starts_with("players: no player is named 'nobody'"));
        assert!(error("pairs", "x").ends_with("are expected (got x)"));
        assert!(error("sprt", "5").contains("two Elo differences"));
        assert!(error("rounds", "5").starts_with("no setting is named 'rounds'; known: seed, game, players"));
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let error = |settings: Settings| settings.check().unwrap_err();
        let of = |players: &[&str]| Settings {
            players: players.iter().map(|text| text.parse().unwrap()).collect(),
            ..settings()
        };
        assert_eq!(
            error(of(&["human", "random"])),
            "human plays on the Board only; name computer players, such as easy or minimax:8".into()
        );
        assert_eq!(error(of(&[])), "the number of players must be 1 to 32 (got 0)".into());
        assert_eq!(error(of(&["max"; 33])), "the number of players must be 1 to 32 (got 33)".into());
        let only = |pairs: &str| Settings { pairs: pairs.parse().unwrap(), ..settings() };
        assert_eq!(error(only("1-4")), "pairs: there is no player 4 (number of players: 3)".into());
        assert_eq!(error(only("1-2 2-2 1-2:5")), "pairs: duplicate pair 1-2".into());
        assert_eq!(error(only("1-2:0")), "at least one game is needed".into());
    }

    #[test]
    fn every_preset_can_be_played() {
        for (name, _) in PRESETS {
            let settings = preset(name).unwrap();
            assert_eq!((settings.check(), settings.preset.as_str()), (Ok(()), *name));
        }
        assert_eq!(preset("round-robin").unwrap().cells().len(), 25);
        assert_eq!(preset("ladder"), None);
    }
}
