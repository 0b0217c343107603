//! Checks every row of a data set: it can be decoded, it is a place, and it lies where the index says.

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use futures::TryStreamExt;

use super::dataset::Dataset;
use super::file::PlaceFile;
use super::scan::{RowGroup, numbers};
use crate::schema::{self, decode};
use crate::write::{Position, position};
use crate::{Error, Place};

/// What the rows of files must be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsExpected {
    /// As others write them: each a place.
    Any,
    /// As Canvass writes them: also within their boxes, and along the curve.
    Sorted,
}

/// A place's position among others: on the curve, then by id.
type Order = (Position, String);

/// What a batch of rows is like.
#[derive(Debug)]
struct Checked {
    rows: u64,
    /// The first fault: the row within the batch, and what is wrong.
    fault: Option<(u64, String)>,
    first: Option<Order>,
    last: Option<Order>,
}

impl Dataset {
    /// Decodes every row, and gives how many there are.
    ///
    /// # Errors
    /// [`Error::Malformed`] names the first row that is not as expected.
    pub async fn verify(&self, expected: RowsExpected) -> Result<u64, Error> {
        let check = move |batch: RecordBatch| checked(&batch, expected);
        let mut groups = std::pin::pin!(self.scan(self.row_groups().await?, all_columns, check));
        let (mut total, mut last): (u64, Option<Order>) = (0, None);
        while let Some((group, batches)) = groups.try_next().await? {
            let mut row = group.rows.start;
            for Checked { rows, fault, first, last: batch_last } in batches {
                let sorted = expected == RowsExpected::Any || last.is_none() || first.is_none() || last <= first;
                let fault = if sorted { fault } else { Some((0, "it is not in order".to_owned())) };
                if let Some((within, problem)) = fault {
                    return Err(faulty(&group, row + within, &problem));
                }
                (row, last) = (row + rows, batch_last.or(last));
            }
            if row != group.rows.end {
                let problem = format!("row group {} has fewer rows than the file says", group.group);
                return Err(faulty(&group, row, &problem));
            }
            total += group.rows.end - group.rows.start;
        }
        Ok(total)
    }
}

fn all_columns(file: &PlaceFile) -> parquet::arrow::ProjectionMask {
    file.columns(&[schema::COLUMNS.as_slice(), &["bbox"]].concat())
}

fn faulty(group: &RowGroup, row: u64, problem: &str) -> Error {
    Error::malformed_at(group.file.path.as_ref(), format!("row {}", row + 1), problem)
}

fn checked(batch: &RecordBatch, expected: RowsExpected) -> Checked {
    let places = decode(batch);
    let order = |place: &Place| (position(place.point), place.id.clone());
    let (first, last) = (places.first().map(order), places.last().map(order));
    let fault = match (places.len() == batch.num_rows(), expected) {
        (false, _) => undecodable(batch),
        (true, RowsExpected::Any) => None,
        (true, RowsExpected::Sorted) => unsorted(&places).or_else(|| outside_of_box(batch, &places)),
    };
    Checked { rows: batch.num_rows() as u64, fault, first, last }
}

fn undecodable(batch: &RecordBatch) -> Option<(u64, String)> {
    let row = (0..batch.num_rows()).find(|row| decode(&batch.slice(*row, 1)).is_empty())?;
    Some((row as u64, "it has no id, no name, or no point on the globe".to_owned()))
}

fn unsorted(places: &[Place]) -> Option<(u64, String)> {
    let order = |place: &Place| (position(place.point), place.id.clone());
    let row = places.windows(2).position(|pair| order(&pair[0]) > order(&pair[1]))? + 1;
    Some((row as u64, "it is not in order".to_owned()))
}

fn outside_of_box(batch: &RecordBatch, places: &[Place]) -> Option<(u64, String)> {
    let boxes = batch.column_by_name("bbox").and_then(|column| column.as_struct_opt());
    let side = |name: &str| numbers(boxes?.column_by_name(name));
    let sides = (|| Some((side("xmin")?, side("xmax")?, side("ymin")?, side("ymax")?)))();
    let Some((west, east, south, north)) = sides else { return Some((0, "it has no box".to_owned())) };
    let outside = |(row, place): (usize, &Place)| {
        let within = (west.value(row)..=east.value(row)).contains(&place.point.longitude)
            && (south.value(row)..=north.value(row)).contains(&place.point.latitude);
        (!within).then(|| (row as u64, "it lies outside of its box".to_owned()))
    };
    places.iter().enumerate().find_map(outside)
}
