//! The command palette: commands, runs, presets, players, games and themes by name. Type a few letters; Enter runs the selection.
//!
//! Match ranking of typed words against names.
//!
//! Every typed word must match, and the worst match counts: a complete name ranks before a prefix of the name, a prefix of one of
//! its words, and letters within a word. Filler words (`the`, `of`) do not count as words for prefixes. If none of these match, the
//! letters in their order suffice.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Outcome, Overlay, TaskResult};
use crate::app::CommandEntry;
use crate::app::place::Place;
use crate::app::tab::{PaletteItem, PaletteSource};
use crate::app::theme_catalog::ThemeCatalog;
use crate::job::background::Work;
use crate::theme::Role;
use crate::ui::list::{Choice, Chooser};
use crate::ui::{Look, clip, put, row, tail, width, window};

/// Maximum length of the input; no name is longer.
const MOST: usize = 200;

/// Width in columns on normal and on wide screens, and the maximum number of rows.
const WIDE: [u16; 2] = [76, 100];
const HIGH: u16 = 36;

/// An entry of the palette.
struct Entry {
    name: String,
    /// Additional search words.
    beside: String,
    /// The description after the name.
    about: String,
    /// The keys, or the kind of entry; for commands that do not apply, the reason.
    right: String,
    applies: bool,
    does: Does,
}

enum Does {
    Command(Place),
    /// Sent once to the tab with this index.
    PaletteItem(usize, Option<TaskResult>),
    Theme(String),
}

/// The entries of the tabs, and the themes, by name.
struct Things {
    palette_items: Vec<(usize, PaletteItem)>,
    themes: Vec<String>,
}

/// The command palette.
pub struct Palette {
    entries: Vec<Entry>,
    /// The sources of the tabs' entries, with the tabs' indices, until they are read.
    palette_items: Vec<(usize, PaletteSource)>,
    looks: Arc<dyn ThemeCatalog>,
    chooser: Chooser,
    /// The error of the last choice.
    error: Option<String>,
    place: Rect,
}

impl Palette {
    /// Creates the palette with these commands, in this order, then the entries of `palette_items` and the themes.
    pub fn new(
        commands: Vec<CommandEntry>,
        palette_items: Vec<(usize, PaletteSource)>,
        looks: Arc<dyn ThemeCatalog>,
    ) -> Palette {
        let mut entries: Vec<Entry> = commands.into_iter().map(command).collect();
        crate::sort::sort_by_key(&mut entries, |entry| !entry.applies);
        Palette { entries, palette_items, looks, chooser: Chooser::default(), error: None, place: Rect::ZERO }
    }

    /// Returns the indices of the entries that match the input, the best first. Scattered letters count only if nothing else
    /// matches.
    fn found(&self) -> Vec<usize> {
        let ranked = |(index, entry): (usize, &Entry)| {
            let rank = rank(&self.chooser.typed, &entry.name, &entry.beside)?;
            // Among equal matches, applicable entries are first, and commands before others.
            let is_thing = !matches!(entry.does, Does::Command(_));
            Some(((rank.how, !entry.applies, is_thing), rank, index))
        };
        let mut found: Vec<((How, bool, bool), Rank, usize)> =
            self.entries.iter().enumerate().filter_map(ranked).collect();
        crate::sort::sort(&mut found);
        let likely = found.iter().filter(|(_, rank, _)| is_likely(*rank)).count();
        if likely > 0 {
            found.truncate(likely);
        }
        found.into_iter().map(|(.., index)| index).collect()
    }

    fn choose(&mut self, choice: Choice) -> Outcome {
        match choice {
            Choice::Leave => Outcome::Close,
            Choice::Take => self.take(),
            Choice::None | Choice::Moved | Choice::Ignored => Outcome::Stay,
        }
    }

    fn take(&mut self) -> Outcome {
        let Some(&index) = self.found().get(self.chooser.selected()) else { return Outcome::Stay };
        match &mut self.entries[index].does {
            Does::Command(place) => Outcome::Run(*place),
            Does::PaletteItem(tab, answer) => {
                answer.take().map_or(Outcome::Close, |answer| Outcome::Give(*tab, answer))
            }
            Does::Theme(name) => {
                let name = name.clone();
                let looks = Arc::clone(&self.looks);
                Outcome::Background(Box::new(move || Box::new(looks.load(&name).map(|look| (name, look)))))
            }
        }
    }
}

fn command(one: CommandEntry) -> Entry {
    let applies = one.why_not.is_none();
    let right = one.why_not.unwrap_or_else(|| one.keys.join(" "));
    let beside = format!("{} command", one.label.id);
    Entry { name: one.title, beside, about: String::new(), right, applies, does: Does::Command(one.place) }
}

fn thing(tab: usize, item: PaletteItem) -> Entry {
    let PaletteItem { kind, name, about, pick } = item;
    let beside = format!("{kind} {about}");
    Entry { name, beside, about, right: kind.to_owned(), applies: true, does: Does::PaletteItem(tab, Some(pick)) }
}

fn theme(name: String) -> Entry {
    let does = Does::Theme(name.clone());
    Entry { name, beside: "theme".into(), about: String::new(), right: "theme".into(), applies: true, does }
}

impl Overlay for Palette {
    fn begin(&mut self) -> Option<Work> {
        let palette_items = std::mem::take(&mut self.palette_items);
        let looks = Arc::clone(&self.looks);
        Some(Box::new(move || {
            let of_tab = |(tab, find): (usize, PaletteSource)| find().into_iter().map(move |item| (tab, item));
            Box::new(Things {
                palette_items: palette_items.into_iter().flat_map(of_tab).collect(),
                themes: looks.names(),
            })
        }))
    }

    fn answer(&mut self, answer: TaskResult) -> Outcome {
        let answer = match answer.downcast::<Things>() {
            Ok(things) => {
                self.entries.extend(things.palette_items.into_iter().map(|(tab, item)| thing(tab, item)));
                self.entries.extend(things.themes.into_iter().map(theme));
                return Outcome::Stay;
            }
            Err(answer) => answer,
        };
        match answer.downcast::<Result<(String, Look), Error>>().map(|loaded| *loaded) {
            Ok(Ok((name, look))) => return Outcome::ApplyTheme(name, Box::new(look)),
            Ok(Err(error)) => self.error = Some(error.to_string()),
            Err(_) => {}
        }
        Outcome::Stay
    }

    fn key(&mut self, key: KeyEvent) -> Outcome {
        self.error = None;
        if key.code == KeyCode::Backspace && self.chooser.typed.is_empty() {
            return Outcome::Close;
        }
        let len = self.found().len();
        let choice = self.chooser.key(key, len, MOST);
        self.choose(choice)
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let at = (mouse.column, mouse.row).into();
        if mouse.kind == MouseEventKind::Down(MouseButton::Left) && !self.place.contains(at) {
            return Outcome::Close;
        }
        let len = self.found().len();
        let choice = self.chooser.mouse(mouse, len, true);
        self.choose(choice)
    }

    fn paste(&mut self, text: &str) {
        self.chooser.paste(text, MOST);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        // Leaves the header and the footer visible on screens that are high enough.
        let most = if area.height < 20 { area.height } else { area.height - 4 };
        let height = (self.entries.len() as u16).saturating_add(4).min(most).min(HIGH);
        let wide = (area.width / 2).clamp(WIDE[0], WIDE[1]);
        let inner = window(area, wide, height, "Find", buf, look);
        self.place = inner;
        let wanted = tail(&self.chooser.typed, inner.width.saturating_sub(3)).to_owned();
        let cursor = (inner.x + 2 + width(&wanted), inner.y);
        put(Line::from(vec![look.span(Role::Key, ": "), look.span(Role::Text, wanted)]), inner, buf);
        let found = self.found();
        let below = row(inner, 1);
        match &self.error {
            Some(error) => put(look.span(Role::Bad, clip(&error.replace('\n', " "), below.width, look)), below, buf),
            None if found.is_empty() => put(look.span(Role::Dim, "No match"), below, buf),
            None => {}
        }
        let rows = Rect { y: inner.y + 2.min(inner.height), height: inner.height.saturating_sub(2), ..inner };
        let entries = &self.entries;
        self.chooser.draw(rows, found.len(), buf, look, |index, at, role, buf| {
            draw_entry(&entries[found[index]], at, role, buf, look);
        });
        self.chooser.caret(cursor).filter(|&(x, y)| area.contains((x, y).into()))
    }
}

/// Draws the name, the dimmed description, and at the right end the keys, the kind, or the reason why it does not apply.
fn draw_entry(entry: &Entry, at: Rect, role: Role, buf: &mut Buffer, look: &Look) {
    let selected = role == Role::Selection;
    let role_of = |usual: Role| if selected { role } else { usual };
    let is_command = matches!(entry.does, Does::Command(_));
    let name_role = role_of(if entry.applies { Role::Text } else { Role::Dim });
    // The name has priority; the text at the right end gets the remaining width.
    let right = clip(&entry.right, at.width.saturating_sub(width(&entry.name) + 2).max(at.width / 2), look);
    let room = at.width.saturating_sub(width(&right) + 2);
    let name = clip(&entry.name, room, look);
    let about = clip(&entry.about, room.saturating_sub(width(&name) + 2), look);
    let line = Line::from(vec![look.span(name_role, name), look.span(role_of(Role::Dim), format!("  {about}"))]);
    put(line, Rect { width: room, ..at }, buf);
    let right_role = role_of(if is_command && entry.applies { Role::Key } else { Role::Dim });
    let place = Rect { x: at.right() - width(&right), width: width(&right), ..at };
    put(look.span(right_role, right), place, buf);
}

/// The rank of a match: lower is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Rank {
    /// The worst match of the typed words.
    pub how: How,
    /// The position of the first typed word's match, in words.
    position: usize,
    /// Length of the name in characters.
    length: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum How {
    /// The complete name.
    Whole,
    /// A prefix of the name.
    Begins,
    /// A prefix of a word of the name.
    Word,
    /// A prefix of an additional search word, such as of the id or the kind.
    Beside,
    /// Within the name.
    Within,
    /// Within an additional search word or a filler word.
    WithinBeside,
    /// The letters occur in the name in this order.
    Scattered,
}

/// Filler words.
const FILLERS: &[&str] = &[
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "it", "of", "on", "one", "or", "that", "the",
    "there", "this", "to", "with",
];

/// Ranks `typed` against a name with additional search words; `None` if it does not match. Empty input matches everything equally.
pub(super) fn rank(typed: &str, name: &str, beside: &str) -> Option<Rank> {
    let typed = typed.trim().to_lowercase();
    let name = name.to_lowercase();
    let beside = beside.to_lowercase();
    let length = name.chars().count();
    if typed.is_empty() {
        return Some(Rank { how: How::Whole, position: 0, length: 0 });
    }
    if name == typed {
        return Some(Rank { how: How::Whole, position: 0, length });
    }
    let begins = name.starts_with(&typed) && !is_filler(words(&name).next().unwrap_or_default());
    if begins {
        return Some(Rank { how: How::Begins, position: 0, length });
    }
    let found: Option<Vec<(How, usize)>> = typed.split_whitespace().map(|word| find(word, &name, &beside)).collect();
    let how = found.as_ref().and_then(|found| found.iter().map(|(how, _)| *how).max());
    match (how, found) {
        (Some(how), Some(found)) => Some(Rank { how, position: found.first().map_or(0, |(_, at)| *at), length }),
        _ => scattered(&typed, &name).then_some(Rank { how: How::Scattered, position: 0, length }),
    }
}

/// Whether the match is more than scattered letters.
fn is_likely(rank: Rank) -> bool {
    rank.how < How::Scattered
}

fn find(word: &str, name: &str, beside: &str) -> Option<(How, usize)> {
    let at = |text: &str| words(text).position(|one| one.starts_with(word) && (!is_filler(one) || one == word));
    if let Some(at) = at(name) {
        let filler = words(name).nth(at).is_some_and(is_filler);
        return Some((if filler { How::WithinBeside } else { How::Word }, at));
    }
    if at(beside).is_some() {
        return Some((How::Beside, 0));
    }
    let counts = |text: &str| words(text).filter(|one| !is_filler(one)).any(|one| one.contains(word));
    match (counts(name) || is_compound(word) && name.contains(word), beside.contains(word) || name.contains(word)) {
        (true, _) => Some((How::Within, 0)),
        (false, true) => Some((How::WithinBeside, 0)),
        (false, false) => None,
    }
}

/// Whether the word has several parts, such as `minimax:8` or `gp-1`.
fn is_compound(word: &str) -> bool {
    word.contains(|c: char| !c.is_alphanumeric())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// Whether the letters, at least three, occur in the name in their order, the first at the start of a word.
fn scattered(typed: &str, name: &str) -> bool {
    let letters: Vec<char> = typed.chars().filter(|c| !c.is_whitespace()).collect();
    let starts =
        words(name).filter(|word| !is_filler(word)).filter(|word| word.chars().next() == letters.first().copied());
    let from = starts.map(|word| &name[word.as_ptr() as usize - name.as_ptr() as usize..]);
    letters.len() >= 3
        && from.into_iter().any(|rest| {
            let mut rest = rest.chars();
            letters.iter().all(|letter| rest.any(|c| c == *letter))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the matching names, the best first.
    fn found<'a>(typed: &str, names: &[&'a str]) -> Vec<&'a str> {
        let mut ranked: Vec<(Rank, &str)> =
            names.iter().filter_map(|name| Some((rank(typed, name, "")?, *name))).collect();
        crate::sort::sort_by_key(&mut ranked, |(rank, _)| *rank);
        ranked.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn words_count_from_their_beginning_and_fillers_hardly() {
        let names = [
            "Go to the next tab",
            "Show the keys",
            "Analyse by the other search",
            "Choose a theme",
            "Have the path shown",
        ];
        assert_eq!(found("th", &names)[0], "Choose a theme");
        assert_eq!(found("the", &names)[0], "Choose a theme");
        assert_eq!(found("keys", &names), ["Show the keys"]);
        assert_eq!(found("next the", &names), ["Go to the next tab"]);
    }

    #[test]
    fn what_is_typed_whole_comes_before_what_begins_so_and_that_before_the_middle() {
        let names = ["mono", "monochrome", "Choose mono", "kimono"];
        assert_eq!(found("mono", &names), names);
        assert_eq!(found("minimax:8", &["minimax:8", "minimax:80", "heuristic:8"]), ["minimax:8", "minimax:80"]);
        assert_eq!(found("gp-2", &["mancala-gp-1", "mancala-gp-2"]), ["mancala-gp-2"]);
        assert_eq!(found("zzz", &names), Vec::<&str>::new());
    }

    #[test]
    fn letters_in_their_order_are_enough_where_nothing_else_fits() {
        assert_eq!(found("ngm", &["Start a new game", "Load a game"]), ["Start a new game"]);
        assert_eq!(found("ng", &["Start a new game"]), Vec::<&str>::new(), "two letters are too few");
        assert!(!is_likely(rank("ngm", "Start a new game", "").unwrap()));
    }

    #[test]
    fn ids_and_kinds_count_less_than_names() {
        let name = rank("undo", "Undo a move", "board.back").unwrap();
        let id = rank("undo", "Take your last move back", "board.undo").unwrap();
        let both = rank("run gp", "gp-seed1", "run").unwrap();
        assert!(name < id && is_likely(both));
        assert_eq!(rank("", "anything", ""), rank("", "else", ""));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_ranked_and_a_name_always_fits_itself(typed in "\\PC{0,12}", name in "\\PC{1,20}") {
            let _ = rank(&typed, &name, &typed);
            proptest::prop_assert!(rank(&name, &name, "").is_some());
        }
    }
}
