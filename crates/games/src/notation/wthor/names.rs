//! A file of names: players or tournaments.

use mancalab_base::{Error, bail, utc};
use std::time::SystemTime;

use super::super::collection::latin_1;
use super::HEADER;

/// Bytes of the name of a player and of a tournament.
pub(super) const PLAYER: usize = 20;
pub(super) const TOURNAMENT: usize = 26;

/// The names in a file; of none if it is empty, which stands for a missing file.
#[derive(Debug)]
pub(super) struct Names<'a> {
    names: &'a [u8],
    width: usize,
}

impl<'a> Names<'a> {
    pub fn new(file: &'a [u8], width: usize) -> Names<'a> {
        Names { names: file.get(HEADER..).unwrap_or_default(), width }
    }

    /// The name with this number.
    pub fn get(&self, number: u16) -> Option<String> {
        let name = self.names.chunks_exact(self.width).nth(usize::from(number))?;
        let end = name.iter().position(|&byte| byte == 0).unwrap_or(self.width);
        Some(latin_1(&name[..end]).trim().to_owned()).filter(|name| !name.is_empty())
    }
}

/// Returns the number of a name, which is added to the file if it is new.
///
/// # Errors
/// The file is damaged or full.
pub(super) fn number(file: &mut Vec<u8>, width: usize, name: &str) -> Result<u16, Error> {
    if file.is_empty() {
        file.extend(created());
        file.resize(HEADER, 0);
    }
    let Some(count) = file.len().checked_sub(HEADER).filter(|length| length % width == 0).map(|length| length / width)
    else {
        bail!("the file of names beside it is damaged: its length is not {HEADER} and a multiple of {width} bytes");
    };
    let wanted = fitted(name, width);
    let known = file[HEADER..]
        .chunks_exact(width)
        .position(|known| Names { names: known, width }.get(0).as_deref() == Some(&*wanted));
    if let Some(number) = known {
        return Ok(number as u16);
    }
    let (Ok(number), Ok(more)) = (u16::try_from(count), u16::try_from(count + 1)) else {
        bail!("the file of names beside it is full");
    };
    file.extend(wanted.chars().map(|c| c as u8));
    file.resize(HEADER + width * usize::from(more), 0);
    file[8..10].copy_from_slice(&more.to_le_bytes());
    Ok(number)
}

/// A name as the file has it: cut to its width, `?` for letters that Latin 1 lacks.
pub(super) fn fitted(name: &str, width: usize) -> String {
    let letter = |c: char| if u8::try_from(u32::from(c)).is_ok() && !c.is_control() { c } else { '?' };
    let fitted: String = name.trim().chars().map(letter).take(width - 1).collect();
    if fitted.is_empty() { "?".to_owned() } else { fitted.trim_end().to_owned() }
}

/// The date of today as headers begin with it: century, year, month, day.
pub(super) fn created() -> [u8; 4] {
    let today = utc(SystemTime::now());
    [0..2, 2..4, 5..7, 8..10].map(|digits| today.get(digits).and_then(|digits| digits.parse().ok()).unwrap_or(0))
}
