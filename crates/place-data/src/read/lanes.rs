//! Decodes columns of one row group side by side, when there are more workers than row groups.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};
use futures::future::try_join_all;
use parquet::arrow::ProjectionMask;

use super::compute::compute;
use super::file::{PlaceFile, Wanted};
use super::object::Objects;
use crate::Error;

impl PlaceFile {
    /// Decodes some rows of one row group, batch by batch, on up to so many workers.
    pub(super) async fn read_in_lanes<T: Send + 'static>(
        &self,
        objects: &Objects,
        (wanted, lanes): (Wanted<'_>, usize),
        mut each: impl FnMut(RecordBatch) -> T + Send + 'static,
    ) -> Result<Vec<T>, Error> {
        if lanes < 2 {
            return self.read(objects, wanted, each).await;
        }
        let rows = wanted.rows;
        let lanes = self.share_out(&wanted, lanes).into_iter();
        let reads = lanes.map(|columns| self.read(objects, Wanted { rows, columns }, |batch| batch));
        let lanes: Vec<Vec<RecordBatch>> = try_join_all(reads).await?;
        let (name, group) = (self.name.clone(), rows.group);
        let work = move || {
            let uneven = || Error::malformed_at(&*name, format!("row group {group}"), "its columns differ in length");
            let mut lanes: Vec<_> = lanes.into_iter().map(Vec::into_iter).collect();
            let mut all = Vec::new();
            loop {
                let batches: Vec<RecordBatch> = lanes.iter_mut().filter_map(Iterator::next).collect();
                if batches.is_empty() {
                    return Ok(all);
                }
                let whole = batches.len() == lanes.len();
                let joined = whole.then(|| joined(&batches).ok()).flatten();
                all.push(each(joined.ok_or_else(uneven)?));
            }
        };
        compute(work).await?
    }

    /// Masks of the wanted columns, of about as many bytes each. The parts of a column stay together.
    fn share_out(&self, wanted: &Wanted<'_>, lanes: usize) -> Vec<ProjectionMask> {
        let schema = self.metadata.parquet_schema();
        let chunks = self.metadata.metadata().row_group(wanted.rows.group).columns();
        let mut roots: Vec<(i64, Vec<usize>)> = vec![(0, Vec::new()); schema.root_schema().get_fields().len()];
        for leaf in (0..schema.num_columns()).filter(|leaf| wanted.columns.leaf_included(*leaf)) {
            let (bytes, leaves) = &mut roots[schema.get_column_root_idx(leaf)];
            *bytes = bytes.saturating_add(chunks[leaf].uncompressed_size().max(0));
            leaves.push(leaf);
        }
        roots.retain(|(_, leaves)| !leaves.is_empty());
        roots.sort_by_key(|(bytes, _)| std::cmp::Reverse(*bytes));
        let mut shared: Vec<(i64, Vec<usize>)> = vec![(0, Vec::new()); lanes.min(roots.len())];
        for (bytes, leaves) in roots {
            if let Some(least) = shared.iter_mut().min_by_key(|(bytes, _)| *bytes) {
                least.0 = least.0.saturating_add(bytes);
                least.1.extend(leaves);
            }
        }
        shared.into_iter().map(|(_, leaves)| ProjectionMask::leaves(schema, leaves)).collect()
    }
}

/// The same rows, with the columns of all batches.
fn joined(batches: &[RecordBatch]) -> Result<RecordBatch, ArrowError> {
    let fields: Vec<_> = batches.iter().flat_map(|batch| batch.schema().fields().to_vec()).collect();
    let columns = batches.iter().flat_map(|batch| batch.columns().to_vec()).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}
