//! Fetches what a query will need in as few requests as possible, when it lies far away and is not too much.

use std::collections::HashMap;
use std::ops::Range;

use futures::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;

use super::dataset::GroupRows;
use super::decide;
use super::file::Wanted;
use super::object::Objects;
use crate::{Error, schema};

/// Bytes up to which everything is fetched at once, in one round of requests.
const ALL_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Bytes up to which at least what decides about the rows is fetched at once.
const DECIDING_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Files that are read at once.
const AT_ONCE: usize = 8;

/// The store with the pages of these row groups that will be needed; without any when they are too many.
pub(super) async fn fetch(objects: &Objects, groups: Vec<GroupRows>) -> Result<Objects, Error> {
    if objects.is_near() {
        return Ok(objects.clone());
    }
    for (columns, most) in [(&schema::COLUMNS[..], ALL_BYTES_MAX), (&decide::COLUMNS[..], DECIDING_BYTES_MAX)] {
        let needed = needed(&groups, columns)?;
        if needed.values().map(|ranges| Objects::cost(ranges)).sum::<u64>() <= most {
            return hold(objects, needed).await;
        }
    }
    Ok(objects.clone())
}

/// The ranges of each file with these columns of the row groups.
fn needed(groups: &[GroupRows], columns: &[&str]) -> Result<HashMap<Path, Vec<Range<u64>>>, Error> {
    let mut needed: HashMap<Path, Vec<Range<u64>>> = HashMap::new();
    for group in groups {
        let wanted = Wanted { rows: &group.rows, columns: group.file.columns(columns) };
        needed.entry(group.file.path.clone()).or_default().extend(group.file.ranges(wanted)?);
    }
    Ok(needed)
}

async fn hold(objects: &Objects, needed: HashMap<Path, Vec<Range<u64>>>) -> Result<Objects, Error> {
    let fetch = |(path, ranges): (Path, Vec<Range<u64>>)| async move {
        let found = objects.ranges(&path, &ranges).await?;
        Ok::<_, Error>(ranges.into_iter().map(|range| (path.clone(), range)).zip(found).collect::<Vec<_>>())
    };
    let found: Vec<_> = stream::iter(needed).map(fetch).buffer_unordered(AT_ONCE).try_collect().await?;
    Ok(objects.holding(found.into_iter().flatten().collect()))
}
