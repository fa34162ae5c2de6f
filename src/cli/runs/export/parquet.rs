//! Tidy tables as Parquet files: typed columns, compressed by Snappy. The description of the package is in the metadata, under
//! `datapackage`.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use mancalab_base::Error;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type as Schema;

use super::package::create;
use crate::tidy::{Column, Table, Tables, Type};

/// Rows in memory.
const ROWS: usize = 1 << 16;

/// Writes a table of runs to a new file.
///
/// # Errors
/// The file cannot be written, or a cell does not match the type of its column.
pub(super) fn write(table: &Table, runs: &[&Tables], path: &Path, package: &str) -> Result<(), Error> {
    let fail = |error: ParquetError| Error::from(format!("cannot write {}: {error}", path.display()));
    let package = KeyValue::new("datapackage".to_owned(), package.to_owned());
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("mancalab {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(vec![package]))
        .build();
    let schema = schema(table).map_err(fail)?;
    let mut file = SerializedFileWriter::new(create(path)?, schema, Arc::new(properties)).map_err(fail)?;
    let mut rows: Vec<Vec<String>> = Vec::new();
    for run in runs {
        run.each(table.name, &mut |row| {
            rows.push(row.to_vec());
            if rows.len() == ROWS { group(&mut file, table, &std::mem::take(&mut rows), path) } else { Ok(()) }
        })?;
    }
    group(&mut file, table, &rows, path)?;
    file.close().map(drop).map_err(fail)
}

fn schema(table: &Table) -> Result<Arc<Schema>, ParquetError> {
    let field = |column: &Column| {
        let (physical, logical) = match column.kind {
            Type::Integer => (Physical::INT64, None),
            Type::Number => (Physical::DOUBLE, None),
            Type::Boolean => (Physical::BOOLEAN, None),
            Type::String => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Schema::primitive_type_builder(&column.name, physical);
        field.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build().map(Arc::new)
    };
    let fields = table.columns.iter().map(field).collect::<Result<Vec<_>, ParquetError>>()?;
    Schema::group_type_builder(table.name).with_fields(fields).build().map(Arc::new)
}

/// Writes rows as a group.
fn group(
    file: &mut SerializedFileWriter<BufWriter<File>>,
    table: &Table,
    rows: &[Vec<String>],
    path: &Path,
) -> Result<(), Error> {
    let fail = |error: ParquetError| Error::from(format!("cannot write {}: {error}", path.display()));
    let mut group = file.next_row_group().map_err(fail)?;
    for (at, column) in table.columns.iter().enumerate() {
        let cells: Vec<&str> = rows.iter().map(|row| row.get(at).map_or("", String::as_str)).collect();
        let written = match column.kind {
            Type::Integer => values::<Int64Type>(&mut group, &cells, |text| text.parse().ok()),
            Type::Number => values::<DoubleType>(&mut group, &cells, |text| text.parse().ok()),
            Type::Boolean => values::<BoolType>(&mut group, &cells, |text| text.parse().ok()),
            Type::String => values::<ByteArrayType>(&mut group, &cells, |text| Some(ByteArray::from(text))),
        };
        if let Some(odd) = written.map_err(fail)? {
            return Err(format!("{}, {}: '{odd}' is not a value of the column's type", table.name, column.name).into());
        }
    }
    group.close().map(drop).map_err(fail)
}

/// Writes a column; empty cells are missing. Returns the first cell that is not of the column's type.
fn values<'c, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, BufWriter<File>>,
    cells: &[&'c str],
    parse: impl Fn(&str) -> Option<T::T>,
) -> Result<Option<&'c str>, ParquetError> {
    let mut values = Vec::with_capacity(cells.len());
    let mut levels = Vec::with_capacity(cells.len());
    for &cell in cells {
        levels.push(i16::from(!cell.is_empty()));
        if !cell.is_empty() {
            let Some(value) = parse(cell) else { return Ok(Some(cell)) };
            values.push(value);
        }
    }
    if let Some(mut column) = group.next_column()? {
        column.typed::<T>().write_batch(&values, Some(&levels), None)?;
        column.close()?;
    }
    Ok(None)
}
