//! The dialog that changes a run's settings before it starts: a line per setting.

use super::form_dialog::{FormDialog, ReadValues};
use super::{Answer, RunTab};
use crate::job::RunSettings;
use crate::ui::form::{Field, Form};

/// The maximum length of a setting in characters; the longest one is a list of players.
const MOST: usize = 1 << 16;

/// Returns the form of a preset, whose values count as unchanged; the answer is the edited settings.
pub(super) fn edit(tab: &'static RunTab, settings: Box<dyn RunSettings>) -> FormDialog {
    let (keys, values): (Vec<String>, Vec<String>) = (tab.form.fields)(&*settings).into_iter().unzip();
    let field = |(key, value): (&String, String)| {
        let about = (tab.form.about)(&*settings, key);
        Field::text(key.clone(), (tab.form.offers)(&*settings, key), value.clone())
            .at_most(MOST)
            .explained(about, value)
    };
    let form = Form::new(keys.iter().zip(values).map(field).collect());
    let texts = ("Settings", "Enter: start, Esc: cancel, arrows: choose, type to replace, *: changed");
    FormDialog::new(texts, form, move |values| read(tab, settings.clone(), &keys, values))
}

fn read(tab: &RunTab, mut settings: Box<dyn RunSettings>, keys: &[String], values: &[String]) -> ReadValues {
    let fields: Vec<(&str, &str)> = keys.iter().map(String::as_str).zip(values.iter().map(String::as_str)).collect();
    (tab.form.apply)(&mut settings, &fields).map_err(|(index, reason)| (Some(index), reason))?;
    settings.check().map_err(|error| (None, error.to_string()))?;
    Ok(Answer::Wanted(settings))
}
