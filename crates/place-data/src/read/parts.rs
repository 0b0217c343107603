//! All places of an area, in parts that can be read one by one.

use places::Area;

use super::dataset::{Dataset, GroupRows};
use super::file::Wanted;
use crate::schema::{self, decode};
use crate::{Error, Place};

/// A part of the places of an area: rows of one row group. The parts of an area in one version of the data are always the
/// same, in the same order.
#[derive(Clone, Debug)]
pub struct AreaPart(GroupRows);

impl AreaPart {
    /// Rows that are read, within the area or near it.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.0.rows.count() as u64
    }
}

impl Dataset {
    /// The parts of an area.
    ///
    /// # Errors
    /// As [`Dataset::find`].
    pub async fn parts(&self, area: &Area) -> Result<Vec<AreaPart>, Error> {
        Ok(self.groups(&area.boxes()).await?.into_iter().map(AreaPart).collect())
    }

    /// The places of a part that lie within the area, of every kind.
    ///
    /// # Errors
    /// As [`Dataset::find`].
    pub async fn places_in(&self, part: &AreaPart, area: &Area) -> Result<Vec<Place>, Error> {
        let GroupRows { file, rows, .. } = &part.0;
        let (wanted, area) = (Wanted { rows, columns: file.columns(&schema::COLUMNS) }, area.clone());
        let places = file.read(&self.objects, wanted, move |batch| {
            let places = decode(&batch).into_iter();
            places.filter(|place| area.contains(place.point)).collect::<Vec<Place>>()
        });
        Ok(places.await?.into_iter().flatten().collect())
    }

    /// Whether any place lies within the area, of whatever kind.
    ///
    /// # Errors
    /// As [`Dataset::find`].
    pub async fn has_places_in(&self, area: &Area) -> Result<bool, Error> {
        for part in self.parts(area).await? {
            if !self.places_in(&part, area).await?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
