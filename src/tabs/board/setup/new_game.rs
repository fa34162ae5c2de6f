//! The new-game dialog, and the dialog for other players in a game under way.
//!
//! Its short form asks for the game, a level, the person's part and a clock, and shows the game's board; the long one asks for rules, both
//! players and the seed, and lists the known players with description and rating. The first start has the short form.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Picker, Setup, SetupMessage};
use crate::app::overlay::{Outcome, Overlay, TaskResult};
use crate::game::{Side, Variant};
use crate::player::offers::{Level, MY_LEVEL, Opponent, about, offers, strength};
use crate::player::{Spec, check_plays};
use crate::results::MyLevels;
use crate::rights::Rights;
use crate::theme::Role;
use crate::ui::board::{self, View};
use crate::ui::form::{Field, FieldId, Form, FormKey};
use crate::ui::{Look, keys, put, row, window, wrap};

const GAME: FieldId = FieldId(0);
const LEVEL: FieldId = FieldId(1);
const PART: FieldId = FieldId(2);
const SEATS: [FieldId; 2] = [FieldId(3), FieldId(4)];
const CLOCK: FieldId = FieldId(5);
const SEED: FieldId = FieldId(6);
/// Changes between the short and the long form.
const MORE: FieldId = FieldId(7);
const MORE_VALUES: [&str; 2] = ["no", "rules, players, seed"];

/// The fields of the game's rules, by index.
const fn rule(index: usize) -> FieldId {
    FieldId(16 + index as u16)
}

const ANY_SEED: &str = "any";
const NO_CLOCK: &str = "none";
const CLOCKS: [&str; 5] = [NO_CLOCK, "3+2", "5+3", "10+5", "15+10"];

/// Width of the dialog.
const WIDE: u16 = 76;

/// Columns of the short form's fields, and the most of its board, with the most rows.
const FIELDS_WIDE: u16 = 28;
const BOARD_WIDE: u16 = 43;
const BOARD_HIGH: u16 = 10;

/// Least rows of the text about the level.
const LEVEL_ROWS: u16 = 4;

/// Digits of the largest seed.
const SEED_MOST: usize = 20;

/// A dialog that returns a [`Setup`].
pub struct NewGame {
    rights: Rights,
    form: Form,
    /// The chosen variant; its rules are the fields between game and players.
    variant: Variant,
    /// Other games as they were left.
    left: Vec<Variant>,
    my_levels: MyLevels,
    /// Rules, both players and the seed have fields.
    shows_all: bool,
    /// The first start.
    welcomes: bool,
    /// The seed where it has no field.
    seed: String,
    /// The player field chosen last; initially the second seat's.
    last_seat: usize,
    picker: Picker,
    /// The game whose players alone are chosen.
    plays_on: Option<u64>,
}

impl NewGame {
    /// A dialog for other players in a game under way.
    pub fn play_on(setup: &Setup, game: u64, rights: &Rights) -> NewGame {
        let mut dialog = NewGame::new(setup, &MyLevels::default(), rights);
        dialog.plays_on = Some(game);
        dialog.set_all(true);
        dialog.form.fields = dialog.form.fields.drain(dialog.rules()..).take(2).collect();
        dialog.form.focus = 1;
        dialog
    }

    /// The dialog of the first start.
    pub fn welcome(setup: &Setup, my_levels: &MyLevels, rights: &Rights) -> NewGame {
        let players = [Opponent::Player(Spec::Human), Opponent::Level(Level::default())];
        let setup = Setup { players, ..setup.clone() };
        let mut dialog = NewGame::new(&setup, my_levels, rights);
        dialog.welcomes = true;
        dialog.set_all(false);
        dialog.form.focus = 0;
        dialog
    }

    pub fn new(setup: &Setup, my_levels: &MyLevels, rights: &Rights) -> NewGame {
        let players = setup.players.each_ref().map(Opponent::to_string);
        let seed = setup.seed.map_or(ANY_SEED.to_owned(), |seed| seed.to_string());
        let clock = setup.clock.map_or(NO_CLOCK.to_owned(), |clock| clock.to_string());
        let [south, north] = &players;
        let is_short = setup.seed.is_none()
            && Variant::usual().contains(&setup.variant)
            && level_and_part([south, north]).is_some();
        let mut dialog = NewGame {
            rights: rights.clone(),
            form: Form::new(Vec::new()),
            variant: setup.variant,
            left: Vec::new(),
            my_levels: my_levels.clone(),
            shows_all: !is_short,
            welcomes: false,
            seed,
            last_seat: usize::MAX,
            picker: Picker::default(),
            plays_on: None,
        };
        dialog.form.fields = dialog.fields(players, clock);
        dialog
    }

    /// The fields of the short or the long form.
    fn fields(&self, players: [String; 2], clock: String) -> Vec<Field> {
        let variant = &self.variant;
        let mut fields = vec![Field::choice("Game", titles(), variant.title()).named(GAME)];
        if self.shows_all {
            fields.extend(rule_fields(variant));
            for ((id, seat), player) in SEATS.into_iter().zip(variant.seats()).zip(players) {
                fields.push(Field::text(seat, offers(variant), player).named(id));
            }
        } else {
            let [south, north] = &players;
            let usual = || (Level::default().to_string(), FIRST);
            let (level, part) = level_and_part([south, north]).unwrap_or_else(usual);
            fields.push(Field::choice("Level", levels(), level).named(LEVEL));
            fields.push(Field::choice("You", PARTS.map(str::to_owned).to_vec(), part).named(PART));
        }
        fields.push(Field::text("Clock", CLOCKS.map(str::to_owned).to_vec(), clock).named(CLOCK).at_most(12));
        if self.shows_all {
            fields.push(Field::text("Seed", vec![ANY_SEED.to_owned()], &self.seed).named(SEED).at_most(SEED_MOST));
        }
        let more = MORE_VALUES[usize::from(self.shows_all)];
        fields.push(Field::choice("More", MORE_VALUES.map(str::to_owned).to_vec(), more).named(MORE));
        fields
    }

    /// Changes to the long or the short form; the short one has the usual rules.
    fn set_all(&mut self, all: bool) {
        if all == self.shows_all {
            return;
        }
        let players = self.players();
        let clock = self.form.value(CLOCK).to_owned();
        if self.shows_all {
            self.form.value(SEED).clone_into(&mut self.seed);
            let usual = Variant::usual().into_iter().find(|usual| usual.name() == self.variant.name());
            self.variant = usual.unwrap_or(self.variant);
        }
        self.shows_all = all;
        self.form.fields = self.fields(players, clock);
        self.form.go_to(self.form.position(MORE).unwrap_or(0));
    }

    /// The texts of both players.
    fn players(&self) -> [String; 2] {
        match self.shows_all {
            true => SEATS.map(|seat| self.form.value(seat).to_owned()),
            false => players(self.form.value(LEVEL), self.form.value(PART)),
        }
    }

    /// The number of fields before the players'.
    fn rules(&self) -> usize {
        self.form.position(SEATS[0]).unwrap_or(0)
    }

    /// Applies the fields; another game brings its own rules' fields.
    fn follow(&mut self) {
        if self.plays_on.is_some() {
            return;
        }
        self.set_all(self.form.value(MORE) == MORE_VALUES[1]);
        if self.form.value(GAME) != self.variant.title() {
            // With its previous rules, if it was chosen before.
            let known = [&self.left[..], &Variant::usual()].concat();
            let usual = known.into_iter().find(|variant| variant.title() == self.form.value(GAME));
            let Some(usual) = usual else { return };
            self.left.retain(|variant| variant.title() != self.variant.title());
            self.left.push(self.variant);
            self.variant = usual;
            // The players keep their places in the other game, whatever the seats are called.
            let focus = self.form.focus;
            self.form.fields = self.fields(self.players(), self.form.value(CLOCK).to_owned());
            self.form.focus = focus;
        }
        if !self.shows_all {
            return;
        }
        for (index, choice) in self.variant.choices().into_iter().enumerate() {
            let value = self.form.value(rule(index));
            if let Some(chosen) = choice.values.iter().position(|known| *known == value) {
                self.variant = self.variant.choose(index, chosen);
            }
        }
    }

    /// Returns whether a player is being chosen.
    fn picks(&self) -> bool {
        self.form.focused().is_some_and(|field| SEATS.contains(&field.id))
    }

    /// The number of the listed player field: the current or last one.
    fn seat(&self) -> usize {
        let first = self.rules();
        if self.picks() { self.form.focus } else { self.last_seat.clamp(first, first + 1) }
    }

    /// Players may be in files, so the form is not read here.
    fn submit(&self) -> Outcome {
        let variant = self.variant;
        let seed = if self.shows_all { self.form.value(SEED).trim() } else { &self.seed }.to_owned();
        let players = self.players();
        // Without a field the seed is the game's.
        let seed = if self.plays_on.is_some() { ANY_SEED.to_owned() } else { seed };
        let clock =
            if self.plays_on.is_some() { NO_CLOCK.to_owned() } else { self.form.value(CLOCK).trim().to_owned() };
        let rights = self.rights.clone();
        Outcome::Background(Box::new(move || Box::new(read(variant, &players, (&seed, &clock), &rights))))
    }

    /// What the level chosen in the short form does, and how strong it is, in lines.
    fn level_texts(&self, look: &Look) -> Vec<String> {
        let chosen = self.form.value(LEVEL);
        let part = self.form.value(PART);
        if players(chosen, part).iter().all(|player| player != chosen) {
            return explained(part).map(str::to_owned).into_iter().collect();
        }
        let follows = chosen == MY_LEVEL;
        let level = if follows { self.my_levels.level_in(&self.variant).to_string() } else { chosen.to_owned() };
        let elo = strength(&level, &self.variant).map(|strength| format!("Elo {}", look.signed(strength.elo)));
        let about = about(&level, &self.variant).unwrap_or_default();
        let now = if follows { format!("{MY_LEVEL}, now {level}: {about}") } else { format!("{level}: {about}") };
        let rule = follows.then(|| "Two wins raise it, two losses lower it.".to_owned());
        [Some(now), elo, rule, explained(part).map(str::to_owned)].into_iter().flatten().collect()
    }

    /// Draws the short form: fields and level on the left, the game's board on the right, the game's sentence below.
    fn draw_short(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let start = self.variant.start().board();
        let fields = self.form.fields.len() as u16;
        let room = (WIDE.min(area.width).saturating_sub(4), area.height.saturating_sub(8));
        let (wide, high) =
            board::size(&start, (BOARD_WIDE.min(room.0.saturating_sub(FIELDS_WIDE + 1)), BOARD_HIGH.min(room.1)));
        let has_board = wide + FIELDS_WIDE < room.0 && high <= room.1;
        let mut texts = wrap(self.variant.about(), room.0);
        if self.welcomes {
            texts.push("Later: n new game, N tutorial, ? rules and keys".to_owned());
        }
        let left = if has_board { FIELDS_WIDE } else { room.0 };
        let about_level: Vec<String> = self.level_texts(look).iter().flat_map(|text| wrap(text, left)).collect();
        // The rows kept for other levels are given up where the texts need them.
        let level_rows = about_level.len() as u16;
        let over = (fields + 1 + LEVEL_ROWS + 6 + texts.len() as u16).saturating_sub(area.height);
        let level_rows = level_rows.max(LEVEL_ROWS.saturating_sub(over));
        let upper = (fields + 1 + level_rows).max(if has_board { high } else { 0 });
        let title = if self.welcomes { "Welcome to mancalab" } else { "New game" };
        let inner = window(area, WIDE, upper + 6 + texts.len() as u16, title, buf, look);
        let foot = inner.height.saturating_sub(1);
        let text = if self.welcomes {
            "Enter: play, arrows: choose, Esc: look around"
        } else {
            "Enter: start, arrows: choose, Esc: cancel"
        };
        put(keys(text, inner.width, look), row(inner, foot), buf);
        let blank = u16::from(foot > upper + 3);
        let upper = Rect { y: inner.y + blank, height: upper.min(foot.saturating_sub(blank)), ..inner };
        let left = Rect { width: left, ..upper };
        let cursor = self.form.draw(left, buf, look);
        let mut lines = |texts: Vec<String>, from: Rect| {
            for (index, text) in texts.into_iter().take(usize::from(from.height)).enumerate() {
                put(look.span(Role::Dim, text), row(from, index as u16), buf);
            }
        };
        if self.form.error.is_none() {
            let from = left.y + (fields + 1).min(left.height);
            lines(about_level, Rect { y: from, height: left.bottom() - from, ..left });
        }
        let from = (upper.bottom() + blank).min(inner.y + foot);
        let below = Rect { y: from, height: (inner.y + foot - from).saturating_sub(1), ..inner };
        lines(texts, below);
        if has_board {
            let view = View::new(&start, Side::South, self.variant.seats());
            let x = upper.x + FIELDS_WIDE + 1;
            board::draw(&view, Rect { x, width: upper.right() - x, ..upper }, buf, look);
        }
        cursor
    }
}

/// The setup, or the invalid field with its error.
type ReadSetup = Result<Setup, (FieldId, String)>;

fn read(variant: Variant, [south, north]: &[String; 2], (seed, clock): (&str, &str), rights: &Rights) -> ReadSetup {
    let player = |seat, text: &str| {
        let opponent = Opponent::typed(text.trim(), rights).map_err(|error| (seat, error.line()))?;
        opponent.check_rights(&variant, rights).map_err(|error| (seat, error.line()))?;
        check_plays(&opponent.player(&variant), &variant).map_err(|error| (seat, error.to_string()))?;
        Ok(opponent)
    };
    let seed = match seed {
        "" | ANY_SEED => None,
        text => {
            Some(text.parse().map_err(|_| (SEED, format!("The seed must be a whole number or 'any' (got '{text}')")))?)
        }
    };
    let clock = match clock {
        "" | NO_CLOCK => None,
        text => Some(text.parse().map_err(|error: Error| (CLOCK, error.line()))?),
    };
    let players = [player(SEATS[0], south)?, player(SEATS[1], north)?];
    Ok(Setup { seed, clock, ..Setup::new(variant, players) })
}

fn titles() -> Vec<String> {
    Variant::usual().iter().map(|variant| variant.title().to_owned()).collect()
}

fn rule_fields(variant: &Variant) -> Vec<Field> {
    let field = |(index, choice): (usize, crate::game::Choice)| {
        let values = choice.values.iter().map(|&value| value.to_owned()).collect();
        Field::choice(choice.label, values, choice.values[choice.chosen]).named(rule(index))
    };
    variant.choices().into_iter().enumerate().map(field).collect()
}

impl Overlay for NewGame {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        // In the list of players the arrows go up and down.
        let code = match key.code {
            KeyCode::Up if self.picks() => KeyCode::Left,
            KeyCode::Down if self.picks() => KeyCode::Right,
            code => code,
        };
        let outcome = self.form.key(KeyEvent { code, ..key });
        self.last_seat = self.seat();
        self.follow();
        match outcome {
            FormKey::Submit => self.submit(),
            FormKey::Cancel => Outcome::Close,
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn answer(&mut self, answer: TaskResult) -> Outcome {
        match answer.downcast::<ReadSetup>().map(|read| *read) {
            Ok(Ok(setup)) => {
                let message = match self.plays_on {
                    Some(game) => SetupMessage::PlayOn { game, setup },
                    None => SetupMessage::Chosen(setup),
                };
                return Outcome::TaskResult(Box::new(message));
            }
            Ok(Err((field, reason))) => {
                self.form.go_to(self.form.position(field).unwrap_or(0));
                self.form.error = Some(reason);
            }
            Err(_) => {}
        }
        Outcome::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let seat = self.seat();
        match (self.picker.at(mouse), self.form.fields.get_mut(seat)) {
            (Some(player), Some(field)) => {
                field.choose(&player);
                self.form.focus = seat;
                self.form.error = None;
            }
            _ => self.form.mouse(mouse),
        }
        self.last_seat = self.seat();
        Outcome::Stay
    }

    fn paste(&mut self, text: &str) {
        self.form.paste(text);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        if !self.shows_all {
            return self.draw_short(area, buf, look);
        }
        let fields = self.form.fields.len() as u16;
        // Frame, a blank row above and below the fields, the list with its head, the keys.
        let players = self.form.fields.get(self.seat()).map_or(0, |field| field.matches().len() as u16);
        let inner = window(
            area,
            WIDE,
            fields + players + 6,
            if self.plays_on.is_some() { "Play on with" } else { "New game" },
            buf,
            look,
        );
        let text = match self.picks() {
            true => format!("Enter: start, {}{}: choose, Tab: next or complete", look.glyphs.up, look.glyphs.down),
            false => "Enter: start, Esc: cancel, arrows: choose".to_owned(),
        };
        put(keys(&text, inner.width, look), row(inner, inner.height.saturating_sub(1)), buf);
        let blank = u16::from(inner.height > fields + 4);
        let body = Rect { y: inner.y + blank, height: inner.height.saturating_sub(1 + blank), ..inner };
        let error_lines = self.form.error.as_ref().map_or(0, |error| wrap(error, body.width).len() as u16);
        // An error takes the place of the list.
        let below = if error_lines > 0 { 1 + error_lines } else { 0 };
        let form = Rect { height: (fields + below.max(2)).min(body.height), ..body };
        let cursor = self.form.draw(form, buf, look);
        let used = if error_lines > 0 { form.height } else { (fields + 1).min(body.height) };
        let rest = Rect { y: body.y + used, height: body.height - used, ..body };
        if let Some(field) = self.form.fields.get(self.seat()) {
            self.picker.draw(field, self.picks(), &self.variant, rest, buf, look);
        }
        cursor
    }
}

/// The person's part, as a field shows it.
pub const FIRST: &str = "first";
const SECOND: &str = "second";
const BOTH: &str = "both sides";
const WATCH: &str = "watch";
pub const PARTS: [&str; 4] = [FIRST, SECOND, BOTH, WATCH];

const HUMAN: &str = "human";

/// Returns the words of all levels.
pub fn levels() -> Vec<String> {
    let words = Level::WORDS.iter().map(|(word, _)| *word);
    words.chain([MY_LEVEL]).map(str::to_owned).collect()
}

/// Returns the players, the one that moves first first.
pub fn players(level: &str, part: &str) -> [String; 2] {
    let players = match part {
        SECOND => [level, HUMAN],
        BOTH => [HUMAN, HUMAN],
        WATCH => [level, level],
        _ => [HUMAN, level],
    };
    players.map(str::to_owned)
}

/// Returns the level and the person's part of these players; `None` if others play.
pub fn level_and_part(players: [&str; 2]) -> Option<(String, &'static str)> {
    let is_level = |text: &str| text == MY_LEVEL || text.parse::<Level>().is_ok();
    let (level, part) = match players {
        [HUMAN, HUMAN] => return Some((Level::default().to_string(), BOTH)),
        [HUMAN, level] => (level, FIRST),
        [level, HUMAN] => (level, SECOND),
        [level, other] if level == other => (level, WATCH),
        _ => return None,
    };
    is_level(level).then(|| (level.to_owned(), part))
}

/// Returns what a part means beside its level, where that needs a sentence.
pub fn explained(part: &str) -> Option<&'static str> {
    match part {
        BOTH => Some("Two persons at this board."),
        WATCH => Some("The level plays against itself."),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_and_a_part_are_two_players_and_back() {
        for level in levels() {
            for part in PARTS {
                let [first, second] = players(&level, part);
                let level = if part == BOTH { Level::default().to_string() } else { level.clone() };
                assert_eq!(level_and_part([&first, &second]), Some((level, part)), "{first} {second}");
            }
        }
        for others in [["human", "max"], ["easy", "hard"], ["max", "max"], ["max", "human"]] {
            assert_eq!(level_and_part(others), None);
        }
    }
}
