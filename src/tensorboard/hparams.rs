//! The settings of a run for TensorBoard's page HPARAMS: a summary with the plugin's data, a `SessionStartInfo`
//! (`tensorboard/plugins/hparams/plugin_data.proto`), in the metadata of a tensor that is empty.

use std::path::Path;

use mancalab_base::Error;

use super::{bytes, double, seconds_of, text};
use crate::job::{RunReader, run_dir};

/// The tag of the summary, and the name of the plugin.
const TAG: &str = "_hparams_/session_start_info";
const PLUGIN: &str = "hparams";

/// A `TensorProto` of no numbers: its type, and a shape of one dimension of size 0.
const NO_NUMBERS: [u8; 6] = [8, 1, 18, 2, 18, 0];

/// Returns the value of a summary with the settings of the run in a folder.
///
/// # Errors
/// The run cannot be read.
pub(super) fn of_run(folder: &Path) -> Result<Vec<u8>, Error> {
    let mut session = Vec::new();
    for (key, value) in listed(folder)? {
        let mut entry = Vec::new();
        text(1, &key, &mut entry);
        bytes(2, &encoded(&value), &mut entry);
        bytes(1, &entry, &mut session);
    }
    if let Some(started) = run_dir::entry(folder.to_owned()).started {
        double(5, seconds_of(started), &mut session);
    }
    let wrapped = |field: u8, content: &[u8]| {
        let mut message = Vec::new();
        bytes(field, content, &mut message);
        message
    };
    let mut plugin = wrapped(1, PLUGIN.as_bytes());
    bytes(2, &wrapped(3, &session), &mut plugin);
    let mut value = wrapped(1, TAG.as_bytes());
    bytes(9, &wrapped(1, &plugin), &mut value);
    bytes(8, &NO_NUMBERS, &mut value);
    Ok(value)
}

/// Returns all settings of a run, each once.
fn listed(folder: &Path) -> Result<Vec<(String, String)>, Error> {
    let reader = RunReader::open(folder)?;
    let manifest = reader.manifest();
    let own = [
        ("preset", toml::Value::from(&*manifest.preset).to_string()),
        ("seed", manifest.seed.to_string()),
        ("generations", manifest.generations.to_string()),
    ];
    let own = own.map(|(key, value)| (key.to_owned(), value));
    let is_new = |(key, _): &(String, String)| own.iter().all(|(known, _)| known != key);
    let rest = reader.listed()?.into_iter().filter(is_new).collect::<Vec<_>>();
    Ok(own.into_iter().chain(rest).collect())
}

/// Returns the text of a setting as a `google.protobuf.Value`: numbers, truth values and strings; lists as their text.
fn encoded(setting: &str) -> Vec<u8> {
    let value =
        toml::from_str::<toml::Table>(&format!("value = {setting}")).ok().and_then(|table| table.get("value").cloned());
    let mut out = Vec::new();
    match value {
        Some(toml::Value::Integer(number)) => double(2, number as f64, &mut out),
        Some(toml::Value::Float(number)) => double(2, number, &mut out),
        Some(toml::Value::Boolean(value)) => out.extend([4 << 3, u8::from(value)]),
        Some(toml::Value::String(string)) => text(3, &string, &mut out),
        _ => text(3, setting, &mut out),
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::RunJob;
    use crate::kinds::KINDS;
    use crate::pool::Pool;

    /// The fields of a message: number, and bytes, of a number those in which it is stored.
    fn fields(mut message: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let mut fields = Vec::new();
        let varint = |message: &mut &[u8]| {
            let length = message.iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
            let (number, rest) = message.split_at(length);
            *message = rest;
            number.iter().rev().fold(0, |sum, byte| sum << 7 | u64::from(byte & 0x7f))
        };
        while !message.is_empty() {
            let tag = varint(&mut message);
            let content = match tag & 7 {
                0 => varint(&mut message).to_le_bytes().to_vec(),
                1 => message.split_off(..8).unwrap().to_vec(),
                2 => {
                    let length = varint(&mut message) as usize;
                    message.split_off(..length).unwrap().to_vec()
                }
                other => panic!("type {other}"),
            };
            fields.push((tag >> 3, content));
        }
        fields
    }

    fn field(message: &[u8], number: u64) -> Vec<u8> {
        let mut found = fields(message).into_iter().filter(|(field, _)| *field == number);
        let (_, content) = found.next().unwrap_or_else(|| panic!("no field {number} in {message:?}"));
        assert!(found.next().is_none());
        content
    }

    /// A `google.protobuf.Value` as TOML.
    fn decoded(value: &[u8]) -> toml::Value {
        let [(kind, content)] = &fields(value)[..] else { panic!("{value:?}") };
        match kind {
            2 => f64::from_le_bytes(content[..].try_into().unwrap()).into(),
            3 => String::from_utf8(content.clone()).unwrap().into(),
            4 => (content[0] == 1).into(),
            other => panic!("kind {other}"),
        }
    }

    #[test]
    fn settings_of_every_kind_are_read_as_the_plugin_reads_them() {
        let home = tempfile::tempdir().unwrap();
        let mut count = 0;
        for (number, (preset, settings)) in KINDS.iter().flat_map(|kind| kind.samples()).enumerate() {
            let folder = home.path().join(number.to_string());
            // Checkers needs an endgame table.
            if RunJob::create(&folder, settings, &Pool::alone()).is_err() {
                continue;
            }
            count += 1;
            let value = of_run(&folder).unwrap();
            assert_eq!(field(&value, 1), TAG.as_bytes());
            let plugin = field(&field(&value, 9), 1);
            assert_eq!(field(&plugin, 1), b"hparams");
            let session = field(&field(&plugin, 2), 3);
            let entries = fields(&session).into_iter().filter(|(field, _)| *field == 1);
            let entry =
                |(_, entry): (u64, Vec<u8>)| (String::from_utf8(field(&entry, 1)).unwrap(), decoded(&field(&entry, 2)));
            let shown: Vec<(String, toml::Value)> = entries.map(entry).collect();
            let file: toml::Table = toml::from_str(&std::fs::read_to_string(folder.join("run.toml")).unwrap()).unwrap();
            let own = file.iter().filter(|(key, _)| ["preset", "seed", "generations"].contains(&key.as_str()));
            let all: Vec<_> = own.chain(file["settings"].as_table().unwrap()).collect();
            assert_eq!(shown.len(), all.len(), "{preset}: {shown:?}");
            for (key, expected) in all {
                let found = shown.iter().filter(|(known, _)| known == key).map(|(_, value)| value);
                let expected = match expected {
                    toml::Value::Integer(number) => (*number as f64).into(),
                    toml::Value::Array(items) if items.is_empty() => "[]".into(),
                    toml::Value::Array(_) => continue,
                    other => other.clone(),
                };
                assert_eq!(found.collect::<Vec<_>>(), [&expected], "{preset}: {key}");
            }
        }
        assert!(count >= 5, "{count}");
    }
}
