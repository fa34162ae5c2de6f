//! The new-game dialog: variant, sizes, players, seed; and the dialog for other players in a game under way. While a player is
//! chosen, the known players are listed below with description and rating.

use mancalab_base::Error;

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Message;
use super::Setup;
use super::picker::Picker;
use crate::app::overlay::{Outcome, Overlay, TaskResult};
use crate::game::Variant;
use crate::player::check_plays;
use crate::player::levels::Opponent;
use crate::player::offers::offers;
use crate::rights::Rights;
use crate::ui::form::{Field, FieldId, Form, FormKey};
use crate::ui::{Look, keys, put, row, window, wrap};

const GAME: FieldId = FieldId(0);
const SEATS: [FieldId; 2] = [FieldId(1), FieldId(2)];
const CLOCK: FieldId = FieldId(3);
const SEED: FieldId = FieldId(4);

/// The fields of the game's rules, by index.
const fn rule(index: usize) -> FieldId {
    FieldId(16 + index as u16)
}

const ANY_SEED: &str = "any";
const NO_CLOCK: &str = "none";
const CLOCKS: [&str; 5] = [NO_CLOCK, "3+2", "5+3", "10+5", "15+10"];

/// Width of the dialog.
const WIDE: u16 = 76;

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
    /// The player field chosen last; initially the second seat's.
    last_seat: usize,
    picker: Picker,
    /// The game whose players alone are chosen.
    plays_on: Option<u64>,
}

impl NewGame {
    /// A dialog for other players in a game under way.
    pub fn play_on(setup: &Setup, game: u64, rights: &Rights) -> NewGame {
        let mut dialog = NewGame::new(setup, rights);
        dialog.plays_on = Some(game);
        dialog.form.fields = dialog.form.fields.drain(dialog.rules()..).take(2).collect();
        dialog.form.focus = 1;
        dialog
    }

    /// The number of fields before the players'.
    fn rules(&self) -> usize {
        self.form.position(SEATS[0]).unwrap_or(0)
    }

    pub fn new(setup: &Setup, rights: &Rights) -> NewGame {
        let [south, north] = setup.players.each_ref().map(Opponent::to_string);
        let seed = setup.seed.map_or(ANY_SEED.to_owned(), |seed| seed.to_string());
        let mut fields = vec![Field::choice("Game", titles(), setup.variant.title()).named(GAME)];
        fields.extend(rule_fields(&setup.variant));
        for ((id, seat), player) in SEATS.into_iter().zip(setup.variant.seats()).zip([south, north]) {
            fields.push(Field::text(seat, offers(&setup.variant), player).named(id));
        }
        let clock = setup.clock.map_or(NO_CLOCK.to_owned(), |clock| clock.to_string());
        fields.push(Field::text("Clock", CLOCKS.map(str::to_owned).to_vec(), clock).named(CLOCK).at_most(12));
        fields.push(Field::text("Seed", vec![ANY_SEED.to_owned()], seed).named(SEED).at_most(SEED_MOST));
        NewGame {
            rights: rights.clone(),
            form: Form::new(fields),
            variant: setup.variant,
            left: Vec::new(),
            last_seat: usize::MAX,
            picker: Picker::default(),
            plays_on: None,
        }
    }

    /// Applies the fields; another game brings its own rules' fields.
    fn follow(&mut self) {
        if self.plays_on.is_some() {
            return;
        }
        if self.form.value(GAME) != self.variant.title() {
            // With its previous rules, if it was chosen before.
            let known = [&self.left[..], &Variant::usual()].concat();
            let usual = known.into_iter().find(|variant| variant.title() == self.form.value(GAME));
            let Some(usual) = usual else { return };
            self.left.retain(|variant| variant.title() != self.variant.title());
            self.left.push(self.variant);
            let rules = self.variant.choices().len();
            // The players keep their places in the other game, whatever the seats are called.
            let seats = self.form.fields.iter_mut().skip(1 + rules);
            seats.zip(usual.seats()).for_each(|(field, seat)| {
                field.label = seat.into();
                field.offer(offers(&usual));
            });
            self.form.fields.splice(1..=rules, rule_fields(&usual));
            self.variant = usual;
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
        let seed = self.form.value(SEED).trim().to_owned();
        let players = SEATS.map(|seat| self.form.value(seat).to_owned());
        // Without a field the seed is the game's.
        let seed = if self.plays_on.is_some() { ANY_SEED.to_owned() } else { seed };
        let clock =
            if self.plays_on.is_some() { NO_CLOCK.to_owned() } else { self.form.value(CLOCK).trim().to_owned() };
        let rights = self.rights.clone();
        Outcome::Background(Box::new(move || Box::new(read(variant, &players, (&seed, &clock), &rights))))
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
                    Some(game) => Message::PlayOn { game, setup },
                    None => Message::Chosen(setup),
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
