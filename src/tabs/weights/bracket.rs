//! The bracket of the newest generation: one column per round, one row per member, from all members to the winner of the final. The
//! game of the pairing under the cursor can be opened on the Board.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::ViewModel;
use crate::evolve::ga::bracket::{How, Pairing, Slot};
use crate::evolve::ga::{Bracket, GaView};
use crate::tabs::runs::parts::panels::Part;
use crate::theme::Role;
use crate::ui::list::scrollbar;
use crate::ui::{Canvas, Look, hit_test, panel, put, row, width};

/// Widths in cells of a member with its result, and of the lines to the next column.
const MEMBER: u16 = 14;
const LINES: u16 = 2;

/// The cursor, and the areas of the pairings.
#[derive(Default)]
pub struct Cursor {
    /// Rounds before the final: 0 is the final, so that the cursor stays there in later generations.
    back: usize,
    /// The index of the pairing in the round.
    place: usize,
    /// The index of the game in the pairing.
    game: usize,
    places: Vec<(Rect, (usize, usize))>,
}

/// The bracket of a run for display; members are named by their ranks.
#[derive(Clone, Copy)]
pub struct Inspect<'a> {
    bracket: &'a Bracket,
    view: &'a GaView,
}

impl<'a> Inspect<'a> {
    /// Returns the bracket; `None` in round-robin runs, or before the first generation has been evaluated.
    pub fn find(view_model: &'a ViewModel) -> Option<Inspect<'a>> {
        let view = view_model.view.as_ref()?;
        let bracket = view.bracket.as_deref().filter(|bracket| !bracket.rounds.is_empty())?;
        Some(Inspect { bracket, view })
    }

    /// Returns the rank of a member, from 1.
    fn rank(&self, id: u64) -> usize {
        self.view.ranking.iter().position(|ranked| ranked.individual.id == id).map_or(0, |place| place + 1)
    }

    fn rounds(&self) -> &'a [Vec<Slot>] {
        &self.bracket.rounds
    }
}

/// Returns the name of a round, given the number of rounds to the final.
fn name(back: usize, round: usize) -> String {
    match back {
        0 => "final".to_owned(),
        1 => "semi-finals".to_owned(),
        2 => "quarter-finals".to_owned(),
        _ => format!("round {}", round + 1),
    }
}

/// Returns the number of members of a slot.
fn members(slot: &Slot) -> usize {
    match slot {
        Slot::Met(_) => 2,
        Slot::Bye(_) => 1,
    }
}

impl Cursor {
    /// Returns the cursor's position in the current bracket, which may differ from the one when the cursor was moved.
    fn at(&self, rounds: &[Vec<Slot>]) -> (usize, usize) {
        let round = rounds.len().saturating_sub(1 + self.back);
        (round, self.place.min(rounds.get(round).map_or(0, |slots| slots.len().saturating_sub(1))))
    }

    fn put_at(&mut self, rounds: &[Vec<Slot>], (round, place): (usize, usize)) {
        (self.back, self.place, self.game) = (rounds.len().saturating_sub(1 + round), place, 0);
    }

    /// Returns the pairing under the cursor, and the index of its selected game.
    pub fn chosen<'a>(&self, shown: &Inspect<'a>) -> Option<(&'a Pairing, usize)> {
        let (round, place) = self.at(shown.rounds());
        match shown.rounds().get(round)?.get(place)? {
            Slot::Met(pairing) => Some((pairing, self.game.min(pairing.games.len().saturating_sub(1)))),
            Slot::Bye(_) => None,
        }
    }

    pub fn draw(&mut self, shown: Option<Inspect<'_>>, canvas: Canvas<'_>) {
        let Canvas { area, focused, buf, look } = canvas;
        self.places.clear();
        let title = shown.map_or("Bracket".to_owned(), |shown| {
            format!("Bracket of generation {} (numbers are ranks)", shown.bracket.generation)
        });
        let inner = panel(area, Line::from(look.span(Role::Title, title)), focused, buf, look);
        let Some(shown) = shown else {
            return put(look.span(Role::Dim, " playing the first knock-out"), inner, buf);
        };
        if inner.height < 4 || inner.width < MEMBER {
            return;
        }
        let (round, place) = self.at(shown.rounds());
        let line = self.pairing_line(&shown, (round, place), look);
        put(line, row(inner, inner.height - 1), buf);
        let tree = Rect { y: inner.y + 1, height: inner.height - 2, ..inner };
        let first = first_column(shown.rounds(), round, tree);
        let rows = rows_of(shown.rounds(), first, tree.height);
        let here = &rows[round - first];
        let at = here.get(shown.rounds()[round].iter().take(place).map(members).sum::<usize>()).copied().unwrap_or(0);
        // Scrolls a bracket that does not fit, with the cursor in the middle.
        let deepest = rows[0].iter().copied().max().unwrap_or(0) + 1;
        let most = deepest.saturating_sub(usize::from(tree.height));
        let top = at.saturating_sub(usize::from(tree.height) / 2).min(most);
        scrollbar(tree, &(top..deepest.min(top + usize::from(tree.height))), deepest, buf, look);
        for (column, rows) in rows.iter().enumerate() {
            let x = tree.x + column as u16 * (MEMBER + LINES);
            if x + MEMBER > tree.x + tree.width {
                break;
            }
            self.column(&shown, first + column, (x, top), rows, (inner.y, tree), (round, place), buf, look);
        }
    }

    /// Draws a round from top to bottom, or the winner after the final.
    #[expect(clippy::too_many_arguments, reason = "what is drawn, and where")]
    fn column(
        &mut self,
        shown: &Inspect<'_>,
        round: usize,
        (x, top): (u16, usize),
        rows: &[usize],
        (head, tree): (u16, Rect),
        chosen: (usize, usize),
        buf: &mut Buffer,
        look: &Look,
    ) {
        let seen = |y: usize| {
            let line = y.checked_sub(top).filter(|line| *line < usize::from(tree.height))?;
            Some(Rect { x, y: tree.y + line as u16, width: MEMBER, height: 1 })
        };
        let count = shown.rounds().len();
        let title = if round == count { "winner".to_owned() } else { name(count - 1 - round, round) };
        put(look.span(Role::Dim, title), Rect { x, y: head, width: MEMBER, height: 1 }, buf);
        let Some(slots) = shown.rounds().get(round) else {
            let winner = shown.rounds()[count - 1][0].winner();
            let text = format!(" {} {:>4}", look.glyphs.check, shown.rank(winner));
            return rows.first().and_then(|&y| seen(y)).into_iter().for_each(|place| {
                put(look.span(Role::Accent, text.clone()), place, buf);
            });
        };
        let mut at = rows.iter().copied();
        for (place, slot) in slots.iter().enumerate() {
            let is_chosen = (round, place) == chosen;
            let ys: Vec<usize> = at.by_ref().take(members(slot)).collect();
            for (which, &y) in ys.iter().enumerate() {
                let Some(cells) = seen(y) else { continue };
                let (won, text) = text(shown, slot, which, look);
                if is_chosen && which == 0 {
                    look.cursor_place.set(cells);
                }
                let role = match (is_chosen, won) {
                    (true, _) => Role::Selection,
                    (false, true) => Role::Text,
                    (false, false) => Role::Dim,
                };
                put(look.span(role, format!("{text:<wide$}", wide = usize::from(MEMBER))), cells, buf);
                self.places.push((cells, (round, place)));
            }
            lines(&ys, (x + MEMBER, top), tree, buf, look);
        }
    }

    /// Returns a line about the pairing under the cursor.
    fn pairing_line(&self, shown: &Inspect<'_>, (round, place): (usize, usize), look: &Look) -> Line<'static> {
        let title = name(shown.rounds().len() - 1 - round, round);
        let line = |text: String| Line::from(look.span(Role::Dim, text));
        let Some((pairing, game)) = self.chosen(shown) else {
            let out = shown.rounds()[round].get(place).map_or(0, Slot::winner);
            return line(format!(" {title}: rank {} has a bye and advances without points", shown.rank(out)));
        };
        let [winner, loser] = [pairing.winner, 1 - pairing.winner].map(|which| shown.rank(pairing.members[which]));
        let ahead: i32 = pairing.games.iter().map(|game| game.ahead).sum();
        let how = match pairing.how {
            How::Won => format!("{winner} beat {loser}"),
            How::Pieces => format!("{winner} and {loser} tied; {winner} advances, {} pieces up", ahead.abs()),
            How::Coin => format!("{winner} and {loser} tied, also in pieces; lot chose {winner}"),
        };
        let first = shown.rank(pairing.members[pairing.first_in(game)]);
        let games = pairing.games.len();
        let which = if games > 1 { format!("game {} of {games}: ", game + 1) } else { String::new() };
        line(format!(" {title}: {how}; {which}{first} moved first"))
    }
}

impl Part<ViewModel> for Cursor {
    /// Moves the cursor; returns whether the key was handled.
    fn key(&mut self, code: KeyCode, view_model: &ViewModel) -> bool {
        let Some(shown) = &Inspect::find(view_model) else { return false };
        let rounds = shown.rounds();
        let (round, place) = self.at(rounds);
        let before = |place: usize| rounds[round].iter().take(place).map(members).sum::<usize>();
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.put_at(rounds, (round, place.saturating_sub(1))),
            KeyCode::Down | KeyCode::Char('j') => {
                self.put_at(rounds, (round, (place + 1).min(rounds[round].len() - 1)));
            }
            KeyCode::Left if round > 0 => self.put_at(rounds, (round - 1, before(place))),
            KeyCode::Right if round + 1 < rounds.len() => {
                let mut room = rounds[round + 1].iter().scan(0, |sum, slot| {
                    *sum += members(slot);
                    Some(*sum)
                });
                let next = room.position(|until| place < until).unwrap_or(0);
                self.put_at(rounds, (round + 1, next));
            }
            KeyCode::Left | KeyCode::Right => {}
            KeyCode::Home => self.put_at(rounds, (0, 0)),
            KeyCode::End => self.put_at(rounds, (rounds.len() - 1, 0)),
            KeyCode::PageDown => {
                let games = self.chosen(shown).map_or(1, |(pairing, _)| pairing.games.len());
                self.game = (self.game + 1).min(games - 1);
            }
            KeyCode::PageUp => self.game = self.chosen(shown).map_or(0, |(_, game)| game.saturating_sub(1)),
            _ => return false,
        }
        true
    }

    /// Selects the pairing at a position; returns whether there is one.
    fn click(&mut self, at: (u16, u16), view_model: &ViewModel) -> bool {
        let hit = hit_test(&self.places, at).zip(Inspect::find(view_model));
        if let Some((chosen, shown)) = &hit {
            self.put_at(shown.rounds(), *chosen);
        }
        hit.is_some()
    }
}

/// Returns the text of a member, and whether it advanced.
fn text(shown: &Inspect<'_>, slot: &Slot, which: usize, look: &Look) -> (bool, String) {
    let pairing = match slot {
        Slot::Bye(member) => return (true, format!("  {:>3} bye", shown.rank(*member))),
        Slot::Met(pairing) => pairing,
    };
    let won = pairing.winner == which;
    let rank = shown.rank(pairing.members[which]);
    let ahead: i32 = pairing.games.iter().map(|game| game.ahead).sum();
    let why = match pairing.how {
        _ if !won => String::new(),
        How::Won if pairing.games.len() == 1 => "won".to_owned(),
        How::Won => {
            let halves = pairing.halves().map(|halves| f64::from(halves) / 2.0);
            format!("{}:{}", halves[which], halves[1 - which])
        }
        How::Pieces => format!("tie +{}", ahead.abs()),
        How::Coin => "by lot".to_owned(),
    };
    let mark = if won { look.glyphs.check } else { " " };
    (won, format!("{mark} {rank:>3} {why}"))
}

/// Returns the first displayed column: as early as possible, and no later than the cursor's.
fn first_column(rounds: &[Vec<Slot>], cursor: usize, tree: Rect) -> usize {
    let columns = usize::from((tree.width + LINES) / (MEMBER + LINES)).max(1);
    let entrants = |round: usize| rounds[round].iter().map(members).sum::<usize>();
    let fitting =
        (0..rounds.len()).find(|&round| entrants(round) <= usize::from(tree.height)).unwrap_or(rounds.len() - 1);
    fitting.max((rounds.len() + 1).saturating_sub(columns)).min(cursor)
}

/// Returns the row of each member, round by round from `first`, and last that of the winner.
fn rows_of(rounds: &[Vec<Slot>], first: usize, height: u16) -> Vec<Vec<usize>> {
    let entrants: usize = rounds[first].iter().map(members).sum();
    let apart = if 2 * entrants <= usize::from(height) + 1 { 2 } else { 1 };
    let mut all = vec![(0..entrants).map(|entrant| entrant * apart).collect::<Vec<usize>>()];
    for round in &rounds[first..] {
        let mut before = all[all.len() - 1].iter().copied();
        let middle = |slot: &Slot| {
            let rows: Vec<usize> = before.by_ref().take(members(slot)).collect();
            rows.iter().sum::<usize>() / rows.len().max(1)
        };
        let next = round.iter().map(middle).collect();
        all.push(next);
    }
    all
}

/// Draws the lines from a pairing's members to its winner.
fn lines(ys: &[usize], (x, top): (u16, usize), tree: Rect, buf: &mut Buffer, look: &Look) {
    let (Some(&from), Some(&to)) = (ys.first(), ys.last()) else { return };
    let next = ys.iter().sum::<usize>() / ys.len();
    let line = &look.glyphs.line;
    for y in from..=to {
        let Some(row) = y.checked_sub(top).filter(|row| *row < usize::from(tree.height)) else { continue };
        let text = match y {
            _ if from == to => [line.horizontal, line.horizontal].concat(),
            y if y == from && y == next => [line.horizontal_down, line.horizontal].concat(),
            y if y == to && y == next => [line.horizontal_up, line.horizontal].concat(),
            y if y == next => [line.vertical_right, line.horizontal].concat(),
            y if y == from => line.top_right.to_owned(),
            y if y == to => line.bottom_right.to_owned(),
            _ => line.vertical.to_owned(),
        };
        let cells = width(&text);
        let right = tree.x + tree.width;
        if x + cells <= right {
            put(look.span(Role::Border, text), Rect { x, y: tree.y + row as u16, width: cells, height: 1 }, buf);
        }
    }
}
