//! Which column of a table is read as what.

use std::path::Path;

use place_data::csv;
use serde::Serialize;

use super::work::Reader;
use crate::command::table::{fitted, screen_columns};

/// How a table is read.
#[derive(Debug, Serialize)]
pub(super) struct MappingView {
    encoding: &'static str,
    delimiter: char,
    columns: Vec<ColumnView>,
}

/// How a column is read.
#[derive(Debug, Serialize)]
struct ColumnView {
    column: String,
    /// The field it holds; `None` for a column that is not used.
    field: Option<&'static str>,
    /// Its value in the first row.
    example: String,
}

impl MappingView {
    /// How the file will be read; `None` for formats whose fields have names.
    pub(super) fn of(reader: &Reader, file: &Path) -> anyhow::Result<Option<MappingView>> {
        let Reader::Csv(options) = reader else { return Ok(None) };
        let csv::Inspection { encoding, delimiter, headers, mut mapping, sample } = csv::inspect(file)?;
        for assignment in &options.map {
            let wrong = |problem: String| anyhow::anyhow!("{}: {problem}", file.display());
            mapping.assign(assignment, &headers).map_err(wrong)?;
        }
        let first = sample.into_iter().next().unwrap_or_default();
        let column = |(number, column): (usize, String)| ColumnView {
            column,
            field: mapping.field(number).map(csv::Field::name),
            example: first.get(number).cloned().unwrap_or_default(),
        };
        Ok(Some(MappingView { encoding, delimiter, columns: headers.into_iter().enumerate().map(column).collect() }))
    }

    /// The columns as a table.
    pub(super) fn drawn(&self) -> String {
        let row = |view: &ColumnView| {
            vec![view.column.clone(), view.field.unwrap_or("(not used)").to_owned(), view.example.clone()]
        };
        let rows = self.columns.iter().map(row).collect();
        fitted(&["Column", "Read as", "First value"], rows, screen_columns(), &["Read as"])
    }
}
