//! Theme files: lookup by name, parsing, and inheritance.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ratatui::style::{Color, Modifier, Style};

use super::{BUILT_IN, Role, Theme, quantise};
use crate::files;
use crate::paths::Paths;
use crate::settings::{self, Diagnostic, Location, Report, Source, Table, Value, nearest};

/// The content of one theme file.
pub(super) struct Definition {
    pub(super) name: Option<String>,
    inherits: Option<(String, Location)>,
    palette: Vec<(String, Color)>,
    roles: Vec<(Role, Spec)>,
}

/// A role's style, with colours by name.
struct Spec {
    fg: Option<Paint>,
    bg: Option<Paint>,
    modifiers: Modifier,
}

/// A colour as written, and its location.
struct Paint {
    text: String,
    location: Location,
}

/// The attributes of a role besides colours.
const ATTRIBUTES: &[(&str, Modifier)] = &[
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
];

/// The origin of a theme.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Origin {
    BuiltIn(&'static str),
    File(PathBuf),
}

/// Maximum length of an inheritance chain, including the theme itself.
const LONGEST: usize = 16;

impl Origin {
    /// Whether both are the same theme, possibly under different names.
    fn is(&self, other: &Origin) -> bool {
        match (self, other) {
            (Origin::File(one), Origin::File(two)) => {
                one == two || files::identity(one).is_some_and(|id| files::identity(two) == Some(id))
            }
            _ => self == other,
        }
    }

    fn name(&self) -> String {
        match self {
            Origin::BuiltIn(name) => (*name).to_owned(),
            Origin::File(path) => path.display().to_string(),
        }
    }

    fn source(&self) -> Result<Arc<Source>, Report> {
        match self {
            Origin::BuiltIn(name) => {
                built_in(name).ok_or_else(|| Diagnostic::of_file(format!("no theme `{name}`")).into())
            }
            Origin::File(path) => settings::read(path),
        }
    }
}

pub(super) fn built_in(name: &str) -> Option<Arc<Source>> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| Source::new(format!("themes/{name}.toml"), *text))
}

/// Finds a theme; those already in the chain are skipped, so that the user's `dark` can inherit from the built-in one.
fn find(name: &str, beside: Option<&Path>, paths: &Paths, chain: &[Origin]) -> Option<Origin> {
    if Theme::is_path(name) {
        let path = paths.typed(name).ok()?;
        let is_home = name.starts_with("~/");
        return Some(Origin::File(beside.filter(|_| !is_home).map_or(path, |dir| dir.join(name))));
    }
    let own = paths.themes().into_iter().map(|dir| Origin::File(dir.join(format!("{name}.toml"))));
    let own = own.filter(|origin| matches!(origin, Origin::File(path) if path.exists()));
    let built_in = BUILT_IN.iter().find(|(known, _)| *known == name).map(|(known, _)| Origin::BuiltIn(known));
    let candidates: Vec<Origin> = own.chain(built_in).collect();
    let fresh = candidates.iter().find(|origin| !chain.iter().any(|seen| seen.is(origin)));
    fresh.or(candidates.first()).cloned()
}

/// Returns the theme of this name and its ancestors, itself first.
pub(super) fn chain(name: &str, paths: &Paths) -> Result<Vec<Definition>, Report> {
    let unknown = |name: &str| {
        let known = Theme::available(paths);
        let guess = nearest(name, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
        (format!("unknown theme `{name}`"), guess, format!("accepted: {}, or a path to a file", known.join(", ")))
    };
    let Some(mut origin) = find(name, None, paths, &[]) else {
        // Named by a flag: no line of a file shows it.
        let (_, guess, accepted) = unknown(name);
        let guess = guess.map_or(String::new(), |guess| format!(" ({})", guess.replace('`', "'")));
        return Err(Diagnostic::of_file(format!("unknown theme '{name}'{guess}; {accepted}")).into());
    };
    let mut seen: Vec<Origin> = Vec::new();
    let mut chain: Vec<Definition> = Vec::new();
    loop {
        let source = origin.source()?;
        let definition = Definition::read(&source)?;
        let is_root = origin == Origin::BuiltIn(BUILT_IN[0].0);
        let parent = definition.inherits.clone();
        let beside = if let Origin::File(path) = &origin { path.parent().map(Path::to_path_buf) } else { None };
        seen.push(origin);
        chain.push(definition);
        let next = match parent {
            Some((name, at)) => find(&name, beside.as_deref(), paths, &seen)
                .ok_or_else(|| {
                    let (what, guess, accepted) = unknown(&name);
                    Diagnostic::new(at.clone(), what).hint(guess.unwrap_or_default()).note(accepted)
                })
                .map(|next| (next, Some(at)))?,
            None if is_root => return Ok(chain),
            // Themes without `inherits` inherit from the default theme, so that every role has a style.
            None => (Origin::BuiltIn(BUILT_IN[0].0), None),
        };
        let is_known = seen.iter().any(|known| known.is(&next.0));
        match next.1 {
            None if is_known => return Ok(chain),
            Some(at) if is_known => {
                let what = "a theme cannot inherit from itself, even indirectly";
                return Err(Diagnostic::new(at, what).note(way(&seen, &next.0)).into());
            }
            Some(at) if seen.len() == LONGEST => {
                let what = format!("the inheritance chain must have at most {LONGEST} themes");
                return Err(Diagnostic::new(at, what).note(way(&seen, &next.0)).into());
            }
            _ => origin = next.0,
        }
    }
}

/// Returns the inheritance chain as text.
fn way(chain: &[Origin], next: &Origin) -> String {
    let names: Vec<String> = chain.iter().chain([next]).map(Origin::name).collect();
    format!("the chain: {}", names.join(" → "))
}

/// Resolves the styles of all roles: missing ones are inherited; a theme's palette also recolours inherited roles.
pub(super) fn resolve(chain: &[Definition]) -> Result<Vec<Style>, Report> {
    let mut palette: BTreeMap<&str, Color> = BTreeMap::new();
    let mut specs: Vec<Option<&Spec>> = vec![None; Role::ALL.len()];
    for definition in chain.iter().rev() {
        palette.extend(definition.palette.iter().map(|(name, color)| (name.as_str(), *color)));
        for (role, spec) in &definition.roles {
            specs[role.index()] = Some(spec);
        }
    }
    let mut problems = Vec::new();
    let mut color = |paint: &Option<Paint>| {
        let paint = paint.as_ref()?;
        let found = palette.get(paint.text.as_str()).copied().or_else(|| literal(&paint.text));
        if found.is_none() {
            problems.push(unknown_color(paint, palette.keys().copied()));
        }
        found
    };
    let styles = specs.into_iter().map(|spec| {
        let Some(spec) = spec else { return Style::new() };
        Style { fg: color(&spec.fg), bg: color(&spec.bg), ..Style::new() }.add_modifier(spec.modifiers)
    });
    let styles = styles.collect();
    Report::check(problems).map(|()| styles)
}

/// Parses a colour that is independent of the palette.
fn literal(text: &str) -> Option<Color> {
    if text == "default" {
        return Some(Color::Reset);
    }
    if let Some((_, color)) = quantise::NAMED.iter().find(|(name, _)| *name == text) {
        return Some(*color);
    }
    if let Ok(index) = text.parse::<u8>() {
        // The first 16 by name, so that they have one representation.
        return Some(quantise::NAMED.get(usize::from(index)).map_or(Color::Indexed(index), |(_, color)| *color));
    }
    let hex = text.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()))?;
    let value = u32::from_str_radix(hex, 16).ok()?;
    let [_, r, g, b] = value.to_be_bytes();
    Some(Color::Rgb(r, g, b))
}

/// Returns the names of the colours that are independent of the palette.
fn literal_names<'a>() -> impl Iterator<Item = &'a str> {
    quantise::NAMED.iter().map(|(name, _)| *name).chain(["default"])
}

const COLOR_FORMS: &str = "\"#rrggbb\", a number from 0 to 255, \"default\", or black, red, green, yellow, blue, magenta, cyan, \
                           white, each also as bright-…";

fn unknown_color<'a>(paint: &Paint, palette: impl Iterator<Item = &'a str>) -> Diagnostic {
    // A palette may be as long as its file.
    let palette: Vec<&str> = palette.take(60).collect();
    let names = palette.iter().copied().chain(literal_names());
    let problem = Diagnostic::new(paint.location.clone(), format!("unknown colour `{}`", paint.text));
    let problem = match nearest(&paint.text, names) {
        Some(name) => problem.hint(format!("did you mean `{name}`?")),
        None => problem,
    };
    problem.note(format!("accepted: {COLOR_FORMS}")).note(format!("in [palette]: {}", palette.join(", ")))
}

impl Definition {
    pub(super) fn read(source: &Arc<Source>) -> Result<Definition, Report> {
        let mut theme = Definition { name: None, inherits: None, palette: Vec::new(), roles: Vec::new() };
        settings::parse(source, |top, problems| {
            for entry in top.entries() {
                let read = match entry.key() {
                    "name" => entry.text("a name").map(|name| theme.name = Some(name.to_string())),
                    "inherits" => entry
                        .text("the name of a theme")
                        .map(|name| theme.inherits = Some((name.to_string(), entry.at()))),
                    "palette" => entry.table().map(|table| theme.read_palette(&table, problems)),
                    "roles" => entry.table().map(|table| theme.read_roles(&table, problems)),
                    _ => Err(top.unknown(&entry, "key", ["name", "inherits", "palette", "roles"])),
                };
                problems.extend(read.err());
            }
        })?;
        Ok(theme)
    }

    fn read_palette(&mut self, table: &Table<'_>, problems: &mut Vec<Diagnostic>) {
        for entry in table.entries() {
            let color = paint(&entry).and_then(|paint| {
                literal(&paint.text).ok_or_else(|| entry.wrong("a colour").note(format!("accepted: {COLOR_FORMS}")))
            });
            match color {
                Ok(color) => self.palette.push((entry.key().to_string(), color)),
                Err(problem) => problems.push(problem),
            }
        }
    }

    fn read_roles(&mut self, table: &Table<'_>, problems: &mut Vec<Diagnostic>) {
        for entry in table.entries() {
            let Some(role) = Role::from_key(entry.key()) else {
                problems.push(table.unknown(&entry, "role", Role::ALL.iter().map(|role| role.key())));
                continue;
            };
            match Spec::read(&entry, problems) {
                Ok(spec) => self.roles.push((role, spec)),
                Err(problem) => problems.push(problem),
            }
        }
    }
}

impl Spec {
    fn read(value: &Value<'_>, problems: &mut Vec<Diagnostic>) -> Result<Spec, Diagnostic> {
        let mut spec = Spec { fg: None, bg: None, modifiers: Modifier::empty() };
        if !value.is_table() {
            spec.fg = Some(paint(value)?);
            return Ok(spec);
        }
        let table = value.table()?;
        for entry in table.entries() {
            let attribute = ATTRIBUTES.iter().find(|(name, _)| *name == entry.key());
            let read = match (entry.key(), attribute) {
                ("fg", _) => paint(&entry).map(|paint| spec.fg = Some(paint)),
                ("bg", _) => paint(&entry).map(|paint| spec.bg = Some(paint)),
                (_, Some((_, modifier))) => entry.flag().map(|on| spec.modifiers.set(*modifier, on)),
                _ => {
                    let known = ["fg", "bg"].into_iter().chain(ATTRIBUTES.iter().map(|(name, _)| *name));
                    Err(table.unknown(&entry, "key", known))
                }
            };
            problems.extend(read.err());
        }
        Ok(spec)
    }
}

/// Parses a colour: a text, or a number of the 256.
fn paint(value: &Value<'_>) -> Result<Paint, Diagnostic> {
    let text = match (value.as_text(), value.whole_number()) {
        (Some(text), _) => text.to_string(),
        (None, Some(index)) => index.to_string(),
        _ => return Err(value.wrong("a colour").note(format!("accepted: a name from [palette], {COLOR_FORMS}"))),
    };
    Ok(Paint { text, location: value.at() })
}
