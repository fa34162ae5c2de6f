//! The new-game dialog: variant, sizes, who sits where, seed.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Setup;
use crate::app::overlay::{Answer, Outcome, Overlay};
use crate::game::Variant;
use crate::player::{Spec, check_plays};
use crate::ui::Look;
use crate::ui::form::{Field, Form, FormKey};

const GAME: &str = "Game";
const SEED: &str = "Seed";
const ANY_SEED: &str = "any";

/// Players that ← and → go through; others can be typed.
const OFFERS: [&str; 12] = [
    "human",
    "random",
    "max",
    "minimax:1",
    "minimax:2",
    "minimax:4",
    "minimax:8",
    "minimax:12",
    "minimax:30:ms=1000",
    "heuristic:4",
    "mcts:4000",
    "mcts:ms=1000",
];

/// Digits of the greatest seed.
const SEED_MOST: usize = 20;

/// Asks for a [`Setup`].
pub struct NewGame {
    form: Form,
    /// The variant as chosen so far; its rules are the fields between game and players.
    variant: Variant,
}

impl NewGame {
    pub fn new(setup: &Setup) -> NewGame {
        let [south, north] = setup.players.clone().map(|spec| spec.to_string());
        let seed = setup.seed.map_or(ANY_SEED.to_owned(), |seed| seed.to_string());
        let mut fields = vec![Field::choice(GAME, titles(), setup.variant.title())];
        fields.extend(rule_fields(&setup.variant));
        for (seat, player) in setup.variant.seats().into_iter().zip([south, north]) {
            fields.push(Field::text(seat, offers(&setup.variant), player));
        }
        fields.push(Field::text(SEED, vec![ANY_SEED.to_owned()], seed).at_most(SEED_MOST));
        NewGame { form: Form::new(fields), variant: setup.variant }
    }

    /// Takes over what was chosen in the fields; another game brings its own rules' fields.
    fn follow(&mut self) {
        if self.form.value(GAME) != self.variant.title() {
            let usual = Variant::usual().into_iter().find(|variant| variant.title() == self.form.value(GAME));
            let Some(usual) = usual else { return };
            let rules = self.variant.choices().len();
            // Whoever was to sit somewhere sits there in the other game as well, whatever the seats are called.
            let seats = self.form.fields.iter_mut().skip(1 + rules);
            seats.zip(usual.seats()).for_each(|(field, seat)| {
                field.label = seat.into();
                field.offer(offers(&usual));
            });
            self.form.fields.splice(1..=rules, rule_fields(&usual));
            self.variant = usual;
        }
        for (index, choice) in self.variant.choices().into_iter().enumerate() {
            let value = self.form.value(choice.label);
            if let Some(chosen) = choice.values.iter().position(|known| *known == value) {
                self.variant = self.variant.choose(index, chosen);
            }
        }
    }

    /// Players may be in files, so that the form is not read here.
    fn submit(&self) -> Outcome {
        let (variant, seed) = (self.variant, self.form.value(SEED).trim().to_owned());
        let players = variant.seats().map(|label| self.form.value(label).to_owned());
        Outcome::Errand(Box::new(move || Box::new(read(variant, &players, &seed))))
    }
}

/// What was asked for, or which field is wrong and why.
type Read = Result<Setup, (&'static str, String)>;

fn read(variant: Variant, [south, north]: &[String; 2], seed: &str) -> Read {
    let [first, second] = variant.seats();
    let player = |label, text: &str| {
        let spec = text.parse::<Spec>().map_err(|refusal| (label, refusal.in_a_line()))?;
        check_plays(&spec, &variant).map_err(|reason| (label, reason))?;
        Ok(spec)
    };
    let seed = match seed {
        "" | ANY_SEED => None,
        text => {
            Some(text.parse().map_err(|_| (SEED, format!("A seed is a whole number or 'any'; '{text}' is neither")))?)
        }
    };
    Ok(Setup { variant, players: [player(first, south)?, player(second, north)?], seed })
}

/// Those of the players on offer that know the game.
pub(super) fn offers(variant: &Variant) -> Vec<String> {
    let plays = |text: &str| text.parse::<Spec>().is_ok_and(|spec| check_plays(&spec, variant).is_ok());
    OFFERS.into_iter().filter(|text| plays(text)).map(str::to_owned).collect()
}

fn titles() -> Vec<String> {
    Variant::usual().iter().map(|variant| variant.title().to_owned()).collect()
}

fn rule_fields(variant: &Variant) -> Vec<Field> {
    let field = |choice: crate::game::Choice| {
        let values = choice.values.iter().map(|&value| value.to_owned()).collect();
        Field::choice(choice.label, values, choice.values[choice.chosen])
    };
    variant.choices().into_iter().map(field).collect()
}

impl Overlay for NewGame {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        let outcome = self.form.key(key);
        self.follow();
        match outcome {
            FormKey::Submit => self.submit(),
            FormKey::Cancel => Outcome::Close,
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn answer(&mut self, answer: Answer) -> Outcome {
        match answer.downcast::<Read>().map(|read| *read) {
            Ok(Ok(setup)) => return Outcome::Answer(Box::new(setup)),
            Ok(Err((label, reason))) => {
                self.form.go_to(self.form.fields.iter().position(|field| field.label == label).unwrap_or(0));
                self.form.error = Some(reason);
            }
            Err(_) => {}
        }
        Outcome::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        self.form.mouse(mouse);
        Outcome::Stay
    }

    fn paste(&mut self, text: &str) {
        self.form.paste(text);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        self.form.dialog(("New game", "Enter starts, Esc leaves, arrows choose"), 60, area, buf, look)
    }
}
