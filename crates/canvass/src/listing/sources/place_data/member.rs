//! One set of place data that a source reads: Overture's releases, or an import.

use std::path::Path;
use std::sync::Arc;

use place_data::library::{Format, Manifest};
use place_data::merge::SourceTag;
use place_data::{Dataset, Error, Library, Overture, OvertureSettings};
use places::Area;

use crate::config::Settings;
use crate::listing::Has;

/// The name of Overture's releases.
pub const OVERTURE: &str = "overture";
/// Folder inside that of the imports for what is kept of releases that lie elsewhere.
const CACHE_FOLDER: &str = ".cache";

/// One set of place data.
#[derive(Clone, Debug)]
pub struct Member {
    pub(super) tag: SourceTag,
    pub(super) attribution: Option<String>,
    pub(super) has: Has,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    Releases {
        overture: Arc<Overture>,
        /// Where they lie, when the settings say so.
        places: Option<String>,
    },
    Import(Library),
}

/// Where Overture's releases lie, as the settings say.
pub fn overture_settings(settings: &Settings) -> OvertureSettings {
    OvertureSettings {
        places: settings.places.clone(),
        release: settings.places_release.clone(),
        catalog: settings.places_catalog.to_string(),
        endpoint: settings.places_endpoint.as_ref().map(ToString::to_string),
        region: Some(settings.places_region.clone()),
        proxy: settings.places_proxy.as_ref().map(ToString::to_string),
        cache: Some(settings.places_folder().join(CACHE_FOLDER)),
    }
}

impl Member {
    /// Overture's releases, where the settings say they lie.
    pub fn overture(settings: &Settings) -> Result<Member, Error> {
        let overture = Overture::new(overture_settings(settings))?;
        Ok(Member {
            tag: SourceTag::from(OVERTURE),
            attribution: Format::Overture.attribution().map(str::to_owned),
            has: Has { ratings: false, reviews: false, phones: true },
            origin: Origin::Releases { overture: Arc::new(overture), places: settings.places.clone() },
        })
    }

    /// The import with this name.
    pub fn import(settings: &Settings, name: &str) -> Result<Member, Error> {
        let library = Library::in_folder(settings.places_folder());
        let manifest = library.require(name)?;
        Ok(Member {
            tag: SourceTag::from(name),
            attribution: manifest.attribution.clone(),
            has: Has {
                ratings: manifest.tally.has_ratings,
                reviews: manifest.tally.has_reviews,
                phones: manifest.tally.has_phones,
            },
            origin: Origin::Import(library),
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.tag.as_str()
    }

    /// Its releases, when it is Overture.
    pub fn releases(&self) -> Option<&Overture> {
        match &self.origin {
            Origin::Releases { overture, .. } => Some(overture),
            Origin::Import(_) => None,
        }
    }

    /// The area it was downloaded for. `None` when it is not a download, or not one on this machine.
    pub(super) fn downloaded_area(&self) -> Option<Area> {
        let Origin::Releases { places: Some(folder), .. } = &self.origin else { return None };
        Manifest::in_folder(Path::new(folder)).ok()??.area?.restore()
    }

    /// The name and the files of the latest version.
    pub async fn latest(&self) -> Result<(String, Arc<Dataset>), Error> {
        match &self.origin {
            Origin::Releases { overture, .. } => overture.latest().await,
            Origin::Import(library) => library.latest(self.name()).await,
        }
    }

    pub(super) async fn version(&self, version: &str) -> Result<Arc<Dataset>, Error> {
        match &self.origin {
            Origin::Releases { overture, .. } => overture.version(version).await,
            Origin::Import(library) => library.version(self.name(), version).await,
        }
    }
}
