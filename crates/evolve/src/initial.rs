//! Individuals from files that take the first places of a population, before random ones.

use mancalab_base::{Error, bail, csv};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use crate::codec::checksum;
use crate::files::{self, Kind};
use crate::sanitize;
use crate::settings::{list_of, texts};

/// The files, as read when the setting was.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Initial(Vec<InitialFile>);

#[derive(Clone, PartialEq, Debug)]
struct InitialFile {
    path: String,
    text: Arc<str>,
}

/// A part of a file that holds an individual, and the line it begins at.
struct Piece {
    line: usize,
    text: String,
}

impl Initial {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns names of the files for messages, with the checksums of their contents.
    pub fn files(&self) -> Vec<(String, u64)> {
        let file = |file: &InitialFile| (format!("initial {}", file.path), checksum(file.text.as_bytes()));
        self.0.iter().map(file).collect()
    }

    /// Reads the individuals of all files in their order. A file is a text that `read` accepts as a whole, a CSV file with a column
    /// `program`, of which the last generation counts, or a text of which `read` accepts every line that is no comment.
    ///
    /// # Errors
    /// The first individual that cannot be read: its file and line, and the reason; or a file has none.
    pub fn read<T>(&self, read: impl Fn(&str) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        let mut all = Vec::new();
        for InitialFile { path, text } in &self.0 {
            let path = sanitize::inline(path);
            let is_table = text.lines().next().is_some_and(|head| head.split(',').any(|name| name == COLUMN));
            let pieces = match read(text) {
                _ if is_table => programs(text),
                Ok(only) => {
                    all.push(only);
                    continue;
                }
                // A single line has no better place than the reason's own.
                Err(reason) if lines(text).len() < 2 => bail!("initial: {path}: {reason}"),
                Err(_) => lines(text),
            };
            if pieces.is_empty() {
                bail!("initial: {path}: there are no individuals in it");
            }
            for Piece { line, text } in pieces {
                let one = read(&text).map_err(|reason| format!("initial: {path}, line {line}: {reason}"))?;
                all.push(one);
            }
        }
        Ok(all)
    }
}

/// The column of a CSV file that holds the individuals.
const COLUMN: &str = "program";

/// Returns the lines that are neither empty nor comments.
fn lines(text: &str) -> Vec<Piece> {
    let is_comment = |line: &str| line.is_empty() || line.starts_with(['#', ';']);
    let lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !is_comment(line));
    lines.map(|(index, line)| Piece { line: index + 1, text: line.to_owned() }).collect()
}

/// Returns the programs of a CSV file: of its last generation, if it has several.
fn programs(text: &str) -> Vec<Piece> {
    let rows = csv::rows(text);
    let Some((head, rows)) = rows.split_first() else { return Vec::new() };
    let column = |name: &str| head.1.iter().position(|field| field == name);
    let field = |row: &[String], column: Option<usize>| column.and_then(|column| row.get(column).cloned());
    let generation = column("generation");
    let last = rows.last().and_then(|(_, row)| field(row, generation));
    let of_last = rows.iter().filter(|(_, row)| field(row, generation) == last);
    let piece = |(line, row): &(usize, Vec<String>)| Piece {
        line: *line,
        text: field(row, column(COLUMN)).unwrap_or_default(),
    };
    of_last.map(piece).collect()
}

impl fmt::Display for Initial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&list_of(self.0.iter().map(|file| &file.path)))
    }
}

impl FromStr for Initial {
    type Err = Error;

    fn from_str(text: &str) -> Result<Initial, Error> {
        let paths = texts(text, "names of files")?;
        let file = |path: String| {
            let text =
                files::read_text(Path::new(&path), Kind::Program).map_err(Error::cannot("read", Path::new(&path)))?;
            Ok(InitialFile { path, text: text.into() })
        };
        paths.into_iter().filter(|path| !path.is_empty()).map(file).collect::<Result<_, _>>().map(Initial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<i32>, Error> {
        let initial = Initial(vec![InitialFile { path: "some.txt".to_owned(), text: text.into() }]);
        initial.read(|text| text.trim().parse().map_err(|_| format!("'{text}' is no number").into()))
    }

    #[test]
    fn a_file_holds_one_individual_or_many() {
        assert_eq!(read(" 7\n"), Ok(vec![7]));
        assert_eq!(read("# mine\n7\n\n8\n; the last\n9"), Ok(vec![7, 8, 9]));
        assert_eq!(read("rank,program\n1,5\n2,\"6\"\n"), Ok(vec![5, 6]));
        assert_eq!(read("generation,rank,program\n0,1,5\n0,2,6\n1,1,\"7\n\"\n1,2,8\n"), Ok(vec![7, 8]));
        assert_eq!(read("7\nx").unwrap_err().to_string(), "initial: some.txt, line 2: 'x' is no number");
        assert_eq!(read("x").unwrap_err().to_string(), "initial: some.txt: 'x' is no number");
        let none = read("generation,rank,program\n").unwrap_err().to_string();
        assert_eq!(none, "initial: some.txt: there are no individuals in it");
        let table = read("rank,program\n1,\"1\n\"\n2,y\n").unwrap_err().to_string();
        assert_eq!(table, "initial: some.txt, line 4: 'y' is no number");
    }
}
