//! The output of commands: `--format text|json|csv|md`, and `--json`, which is short for `--format json`.

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::Value;

use super::out;
use crate::grid::Grid;

/// The output format of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    #[default]
    Text,
    Json,
    Csv,
    Md,
}

// The arguments of a command that prints a result.
#[derive(Args, Clone, Debug, Default)]
pub struct OutputArgs {
    /// Output: text (default), json, csv or md
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_default_value = true, hide_possible_values = true)]
    format: Format,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl OutputArgs {
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    pub fn is_json(&self) -> bool {
        self.format() == Format::Json
    }

    pub fn is_text(&self) -> bool {
        self.format() == Format::Text
    }

    /// Prints a result: its text, or the object, of which CSV has a row and Markdown a table of its fields. `schema` is its definition in
    /// `docs/schema.json`.
    pub fn print(&self, schema: &str, object: &impl Serialize, text: impl FnOnce() -> String) -> bool {
        match self.format() {
            Format::Text => out::result(&text()),
            Format::Json => out::json(schema, object),
            Format::Csv => out::result(&table(&[out::value(object)]).csv()),
            Format::Md => {
                let pairs = fields(&out::value(object)).into_iter().map(|(name, value)| [name, value]);
                out::result(&Grid::new(&["Field", "Value"], &[], pairs).markdown())
            }
        }
    }

    /// Prints results of one kind: lines of text or JSON, or a table.
    pub fn print_all(&self, schema: &str, objects: &[impl Serialize], text: impl FnOnce() -> String) -> bool {
        match self.format() {
            Format::Text => out::result(&text()),
            Format::Json => objects.iter().all(|object| out::json(schema, object)),
            format => print_table(format, &objects.iter().map(out::value).collect::<Vec<_>>()),
        }
    }
}

/// Prints objects as rows of a table, in CSV or Markdown; nothing if there are none.
pub fn print_table(format: Format, objects: &[Value]) -> bool {
    let rows = || table(objects);
    objects.is_empty() || out::result(&if format == Format::Md { rows().markdown() } else { rows().csv() })
}

// The arguments of a command that prints what happens as long as it works.
#[derive(Args, Debug, Default)]
pub struct EventsArgs {
    /// Output: text (default); json, an object for each generation (round, trial or changed run) as it ends, then a summary; csv or md, a table of
    /// them (of a tournament, of its results) when the command ends
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_default_value = true, hide_possible_values = true)]
    format: Format,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl EventsArgs {
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// A table with a column for each field of any of the objects.
pub fn table(objects: &[Value]) -> Grid {
    let objects: Vec<_> = objects.iter().map(fields).collect();
    let mut head: Vec<&str> = Vec::new();
    for (name, _) in objects.iter().flatten() {
        if !head.contains(&&**name) {
            head.push(name);
        }
    }
    let cell = |object: &[(String, String)], name: &str| {
        object.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let row = |object: &Vec<(String, String)>| head.iter().map(|name| cell(object, name)).collect::<Vec<_>>();
    let rows: Vec<_> = objects.iter().map(row).collect();
    // A list of numbers is one too: it begins with none of the signs that make a formula of a cell.
    let are_numbers = |cell: &str| cell.split(' ').all(|word| word.is_empty() || word.parse::<f64>().is_ok());
    let is_number = |column: &usize| rows.iter().all(|row| are_numbers(&row[*column]));
    let numbers: Vec<usize> = (0..head.len()).filter(is_number).collect();
    Grid::new(&head, &numbers, rows)
}

/// The fields of an object: those of an object in it are named `outer.inner`, the items of a list are separated by blanks.
fn fields(object: &Value) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    collect("", object, &mut fields);
    fields
}

fn collect(name: &str, value: &Value, fields: &mut Vec<(String, String)>) {
    let Value::Object(map) = value else {
        fields.push((name.to_owned(), text(value)));
        return;
    };
    for (key, value) in map {
        let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
        collect(&name, value, fields);
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_are_rows_whose_fields_have_the_names_of_all_around_them() {
        let one = json!({"a": {"b": 1, "c": null}, "d": ["x", "y"], "e": [{"f": 2}]});
        let other = json!({"a": {"b": 0.5}, "g": true});
        assert_eq!(table(&[one, other]).csv(), "a.b,a.c,d,e,g\n1,,x y,\"{\"\"f\"\":2}\",\n0.5,,,,true\n");
    }
}
