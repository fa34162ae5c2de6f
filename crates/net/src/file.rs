//! Networks as safetensors files, readable by other programs, with a description as metadata.
//!
//! A file contains, for each hidden layer, `hidden.0.weight` (inputs × units) and `hidden.0.bias` (units), then
//! `policy.weight` (units × outputs), `policy.bias`, `value.weight` (units × 1) and `value.bias`, all of them 32-bit
//! floats: `y = x @ weight + bias`.

use mancalab_base::{Error, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;

use safetensors::{Dtype, SafeTensors};

use super::network::Network;
use super::shape::Shape;
use crate::codec::checksum;

/// Metadata key and value with the format and its version.
pub const FORMAT: (&str, &str) = ("format", "mancalab network 1");

/// Metadata by key: the purpose and origin of the network.
pub type Notes = BTreeMap<String, String>;

/// The largest header that is read, in bytes; that of a network of this program takes some thousand.
const LONGEST_HEADER: u64 = 1 << 20;

/// Returns the names and shapes of the tensors of such a network, in file order.
fn tensors(shape: &Shape) -> Vec<(String, Vec<usize>)> {
    let mut tensors = Vec::new();
    let mut inputs = shape.inputs;
    for (number, &units) in shape.hidden.iter().enumerate() {
        tensors.push((format!("hidden.{number}.weight"), vec![inputs, units]));
        tensors.push((format!("hidden.{number}.bias"), vec![units]));
        inputs = units;
    }
    tensors.push(("policy.weight".to_owned(), vec![inputs, shape.outputs]));
    tensors.push(("policy.bias".to_owned(), vec![shape.outputs]));
    tensors.push(("value.weight".to_owned(), vec![inputs, 1]));
    tensors.push(("value.bias".to_owned(), vec![1]));
    tensors
}

/// Returns the numbers of each of a network's [`tensors`].
fn numbers(network: &Network) -> Vec<Vec<f32>> {
    let hidden = network.shape().hidden.len();
    let outputs = network.shape().outputs;
    let mut all = Vec::new();
    for (number, (layer, weights, bias)) in network.layers().enumerate() {
        if number < hidden {
            all.extend([weights.to_vec(), bias.to_vec()]);
            continue;
        }
        let heads = |row: &[f32]| (row[..outputs].to_vec(), row[outputs]);
        let (policy, value): (Vec<Vec<f32>>, Vec<f32>) = weights.chunks_exact(layer.outputs).map(heads).unzip();
        all.extend([policy.concat(), bias[..outputs].to_vec(), value, vec![bias[outputs]]]);
    }
    all
}

/// Encodes a network with notes, deterministically. The keys `format`, `inputs`, `hidden`, `outputs` and `checksum`
/// are set by this function.
pub fn write(network: &Network, notes: &Notes) -> Vec<u8> {
    let tensors = tensors(network.shape());
    let data: Vec<u8> = numbers(network).concat().iter().flat_map(|number| number.to_le_bytes()).collect();
    let Shape { inputs, hidden, outputs } = network.shape();
    let hidden: Vec<String> = hidden.iter().map(usize::to_string).collect();
    let own = [
        (FORMAT.0, FORMAT.1.to_owned()),
        ("inputs", inputs.to_string()),
        ("hidden", hidden.join(",")),
        ("outputs", outputs.to_string()),
        ("checksum", format!("{:016x}", checksum(&data))),
    ];
    let mut notes = notes.clone();
    notes.extend(own.map(|(key, value)| (key.to_owned(), value)));
    // The crate would write the notes in random order.
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let notes: Vec<String> = notes.iter().map(|(key, value)| format!("{}:{}", text(key), text(value))).collect();
    let mut header = format!("{{\"__metadata__\":{{{}}}", notes.join(","));
    let mut at = 0;
    for (name, shape) in &tensors {
        let end = at + 4 * shape.iter().product::<usize>();
        let _ =
            write!(header, ",{}:{{\"dtype\":\"F32\",\"shape\":{shape:?},\"data_offsets\":[{at},{end}]}}", text(name));
        at = end;
    }
    header.push('}');
    // Tensor data are aligned to eight bytes.
    while !header.len().is_multiple_of(8) {
        header.push(' ');
    }
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat()
}

/// Decodes a network and all of its notes.
///
/// # Errors
/// The bytes are not a safetensors file, not a network of this program, damaged, or contain tensors of other shapes
/// than their metadata. The message does not contain the file's name.
pub fn read(bytes: &[u8]) -> Result<(Network, Notes), Error> {
    let damaged = |error| format!("it is not a safetensors file, or is damaged ({error})");
    // Parsing a header takes about twelve times its size.
    let length = bytes.first_chunk().map_or(0, |length| u64::from_le_bytes(*length));
    if length > LONGEST_HEADER && length < bytes.len() as u64 {
        bail!("its header takes {length} bytes (at most {LONGEST_HEADER})");
    }
    let (header, metadata) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
    let file = SafeTensors::deserialize(bytes).map_err(damaged)?;
    let notes: Notes = metadata.metadata().iter().flatten().map(|(key, note)| (key.clone(), note.clone())).collect();
    let format = notes.get(FORMAT.0).map_or("none", String::as_str);
    if format != FORMAT.1 {
        bail!("its format is '{format}' (expected '{}')", FORMAT.1);
    }
    let sum = format!("{:016x}", checksum(bytes.get(8 + header..).unwrap_or_default()));
    if notes.get("checksum").is_some_and(|noted| *noted != sum) {
        bail!("it is damaged: the checksum does not match");
    }
    let shape = shape(&notes)?;
    shape.check()?;
    let expected = tensors(&shape);
    if let Some(name) = file.names().into_iter().find(|name| !expected.iter().any(|(known, _)| known == name)) {
        bail!("it contains an unexpected tensor '{name}'");
    }
    let read = expected.iter().map(|(name, shape)| tensor(&file, name, shape)).collect::<Result<Vec<_>, _>>()?;
    // Allocated only now, so that a file cannot request memory for a network it does not contain.
    let mut network = Network::new(shape)?;
    fill(&mut network, &read);
    Ok((network, notes))
}

/// Reads the network's shape from the notes.
fn shape(notes: &Notes) -> Result<Shape, Error> {
    let sizes = |key: &str| {
        let text = notes.get(key).ok_or_else(|| format!("its metadata lack '{key}'"))?;
        let sizes: Option<Vec<usize>> =
            text.split(',').filter(|size| !text.is_empty() || !size.is_empty()).map(|size| size.parse().ok()).collect();
        sizes.ok_or_else(|| format!("its metadata have {key} = '{text}' (expected whole numbers)"))
    };
    let one = |key: &str| match sizes(key)?[..] {
        [size] => Ok(size),
        _ => bail!("its metadata must have a single number '{key}'"),
    };
    Ok(Shape { inputs: one("inputs")?, hidden: sizes("hidden")?, outputs: one("outputs")? })
}

/// Returns the numbers of the tensor `name`, which must have this shape.
fn tensor(file: &SafeTensors<'_>, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
    let tensor = file.tensor(name).map_err(|_| format!("it lacks the tensor '{name}'"))?;
    if tensor.dtype() != Dtype::F32 {
        bail!("its tensor '{name}' has type {} (expected F32)", tensor.dtype());
    }
    if tensor.shape() != shape {
        bail!("its tensor '{name}' has shape {:?} (expected {shape:?})", tensor.shape());
    }
    let (words, _) = tensor.data().as_chunks::<4>();
    let numbers: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(number) => Err(format!("its tensor '{name}' contains {number}").into()),
        None => Ok(numbers),
    }
}

/// Copies [`numbers`] back into the parameters.
fn fill(network: &mut Network, read: &[Vec<f32>]) {
    let outputs = network.shape().outputs;
    let (layers, heads) = read.split_at(read.len() - 4);
    let mut parameters: Vec<f32> = layers.concat();
    for (policy, value) in heads[0].chunks_exact(outputs).zip(&heads[2]) {
        parameters.extend_from_slice(policy);
        parameters.push(*value);
    }
    parameters.extend_from_slice(&heads[1]);
    parameters.extend_from_slice(&heads[3]);
    network.parameters_mut().copy_from_slice(&parameters);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::keyed;
    use proptest::prelude::*;

    fn network(hidden: &[usize]) -> Network {
        let shape = Shape { inputs: 5, hidden: hidden.to_vec(), outputs: 3 };
        let mut network = Network::random(shape, &mut keyed(&[7])).unwrap();
        network.parameters_mut().iter_mut().enumerate().for_each(|(n, number)| *number += n as f32 / 128.0);
        network
    }

    fn written(hidden: &[usize]) -> Vec<u8> {
        write(&network(hidden), &Notes::from([("game".to_owned(), "a \"game\"\n".to_owned())]))
    }

    #[test]
    fn networks_come_back_with_their_notes() {
        for hidden in [&[4, 2][..], &[6], &[]] {
            let (read, notes) = read(&written(hidden)).unwrap();
            assert_eq!(read, network(hidden));
            assert_eq!((notes["game"].as_str(), notes["outputs"].as_str()), ("a \"game\"\n", "3"));
            assert_eq!(written(hidden), written(hidden));
        }
    }

    /// Replaces a text in the header by one of the same length; returns the error.
    fn with(from: &str, to: &str) -> String {
        let mut bytes = written(&[4]);
        let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
        bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        read(&bytes).unwrap_err().to_string()
    }

    #[test]
    fn a_header_of_many_tensors_is_not_parsed() {
        let header = vec![b' '; 2 << 20];
        let bytes = [&(header.len() as u64).to_le_bytes()[..], &header].concat();
        assert!(read(&bytes).unwrap_err().to_string().contains("its header takes 2097152 bytes (at most 1048576)"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(read(b"").unwrap_err().to_string().contains("not a safetensors file"));
        assert!(read(b"# weights of the heuristic player").unwrap_err().to_string().contains("not a safetensors file"));
        let cut = written(&[4]);
        assert!(read(&cut[..cut.len() - 4]).unwrap_err().to_string().contains("damaged"));
        assert!(
            with("mancalab network 1", "mancalab network 9")
                .contains("format is 'mancalab network 9' (expected 'mancalab")
        );
        assert_eq!(with("policy.bias", "policy.bios"), "it contains an unexpected tensor 'policy.bios'");
        assert!(with("\"hidden\":\"4\"", "\"hidden\":\"x\"").contains("hidden = 'x'"));
        let other = with("\"hidden\":\"4\"", "\"hidden\":\"5\"");
        assert_eq!(other, "its tensor 'hidden.0.weight' has shape [5, 4] (expected [5, 5])");
        assert!(with("\"inputs\":\"5\"", "\"inputs\":\"0\"").contains("must be 1 to 4096 (got 0)"));
        let mut flipped = written(&[4]);
        *flipped.last_mut().unwrap() ^= 1;
        assert!(read(&flipped).unwrap_err().to_string().contains("checksum"));
        let mut infinite = network(&[4]);
        infinite.parameters_mut()[3] = f32::INFINITY;
        let refused = read(&write(&infinite, &Notes::new())).unwrap_err();
        assert_eq!(refused, "its tensor 'hidden.0.weight' contains inf".into());
    }

    /// A file that claims half a gigabyte does not cause its allocation.
    #[test]
    fn a_network_that_is_not_there_is_not_made_room_for() {
        let bytes = written(&[4]);
        let wide = ["4096"; 8].join(",");
        let header = String::from_utf8(bytes[8..8 + bytes[0] as usize + 256 * bytes[1] as usize].to_vec()).unwrap();
        let mut other = header.replace("\"hidden\":\"4\"", &format!("\"hidden\":\"{wide}\""));
        assert_ne!(other, header);
        other.push_str(&" ".repeat(8 - other.len() % 8));
        let file = [&(other.len() as u64).to_le_bytes()[..], other.as_bytes(), &bytes[8 + header.len()..]].concat();
        assert_eq!(
            read(&file).unwrap_err(),
            "its tensor 'hidden.0.weight' has shape [5, 4] (expected [5, 4096])".into()
        );
        let endless = other.replace(&wide, &["4096"; 9].join(","));
        let file = [&(endless.len() as u64).to_le_bytes()[..], endless.as_bytes(), &bytes[8 + header.len()..]].concat();
        assert_eq!(read(&file).unwrap_err(), "a network has at most 8 hidden layers (got 9)".into());
    }

    proptest! {
        #[test]
        fn whatever_a_file_holds_it_is_read_or_refused(at in 0_usize..900, bytes in prop::collection::vec(any::<u8>(), 1..9), cut in 0_usize..900) {
            let mut file = written(&[4, 2]);
            let end = file.len();
            for (n, byte) in bytes.iter().enumerate() {
                file[(at + n) % end] = *byte;
            }
            if let Ok((network, _)) = read(&file) {
                prop_assert!(network.parameters().iter().all(|number| number.is_finite()));
            }
            prop_assert!(read(&file[..cut.min(end - 1)]).is_err());
            prop_assert!(read(&bytes).is_err());
        }
    }
}
