//! All rows of all files, row group by row group.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{ArrayRef, PrimitiveArray, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType;
use futures::{Stream, StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use parquet::arrow::ProjectionMask;

use super::dataset::{DataFile, Dataset};
use super::file::{PlaceFile, Wanted};
use super::prune::RowGroupRows;
use crate::Error;

/// Row groups that are decoded at once.
const AT_ONCE: usize = 2;

/// A row group of a file.
#[derive(Clone, Debug)]
pub(super) struct RowGroup {
    pub(super) file: Arc<PlaceFile>,
    pub(super) group: usize,
    /// Its rows among those of the file.
    pub(super) rows: Range<u64>,
}

impl Dataset {
    /// How many files there are, and their size together.
    pub async fn size(&self) -> Result<(u64, u64), Error> {
        let size = |file: &'_ DataFile| {
            let (path, known) = (Path::from(file.listed.path.as_str()), file.listed.size);
            async move {
                match known {
                    Some(size) => Ok(size),
                    None => self.objects.size(&path).await,
                }
            }
        };
        let sizes = stream::iter(&self.files).map(size).buffered(AT_ONCE);
        let bytes = sizes.try_fold(0, |sum, size| async move { Ok(sum + size) }).await?;
        Ok((self.files.len() as u64, bytes))
    }

    /// What `each` says of the batches of every row group, in order.
    pub(super) fn scan<'a, T: Send + 'static>(
        &'a self,
        groups: Vec<RowGroup>,
        columns: fn(&PlaceFile) -> ProjectionMask,
        each: impl Fn(RecordBatch) -> T + Clone + Send + 'static,
    ) -> impl Stream<Item = Result<(RowGroup, Vec<T>), Error>> + 'a {
        let read = move |group: RowGroup| {
            let each = each.clone();
            async move {
                let count = usize::try_from(group.rows.end - group.rows.start).unwrap_or(0);
                let rows = RowGroupRows { group: group.group, rows: Vec::from([Range { start: 0, end: count }]) };
                let wanted = Wanted { rows: &rows, columns: columns(&group.file) };
                let found = group.file.read(&self.objects, wanted, each).await?;
                Ok((group, found))
            }
        };
        stream::iter(groups).map(read).buffered(AT_ONCE)
    }

    /// The row groups of all files, in order.
    pub(super) async fn row_groups(&self) -> Result<Vec<RowGroup>, Error> {
        let files = stream::iter(0..self.files.len()).map(|file| self.file(file)).buffered(AT_ONCE);
        let files: Vec<Arc<PlaceFile>> = files.try_collect().await?;
        let groups = files.into_iter().flat_map(|file| {
            let mut end = 0;
            let metadata = file.metadata.metadata().clone();
            (0..metadata.num_row_groups()).map(move |group| {
                let start = end;
                end += u64::try_from(metadata.row_group(group).num_rows()).unwrap_or(0);
                RowGroup { file: file.clone(), group, rows: start..end }
            })
        });
        Ok(groups.collect())
    }
}

/// A column of numbers, whatever their width.
pub(super) fn numbers(column: Option<&ArrayRef>) -> Option<PrimitiveArray<Float64Type>> {
    cast(column?, &DataType::Float64).ok()?.as_primitive_opt().cloned()
}
