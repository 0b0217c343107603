//! Where releases are looked for: in Overture's catalog and bucket, or in a place that was set.

use std::time::Duration;

use object_store::path::Path;

use super::catalog::Index;
use super::collections::PlaceFileName;
use super::layout::{self, Layout};
use super::{OvertureSettings, collections};
use crate::Error;
use crate::location::{Folder, Location};
use crate::read::{ListedFile, Objects};
use crate::theme::Theme;

/// Where Overture publishes.
const BUCKET: &str = "s3://overturemaps-us-west-2/release";
/// The list of a release's files.
const COLLECTIONS: &str = "collections.parquet";
const CATALOG_BYTES_MAX: usize = 8 * 1024 * 1024;
const COLLECTIONS_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Time for an answer of the catalog, with all that is tried.
const CATALOG_TIME_MAX: Duration = Duration::from_secs(10);

/// Where releases are looked for.
#[derive(Debug)]
pub(super) struct Source {
    /// Overture's catalog; `None` for a folder of this machine, which is asked itself.
    catalog: Option<Catalog>,
    /// Where the files lie.
    folder: Folder,
    pub(super) objects: Objects,
    /// Whether a place was set, which then decides which releases there are.
    set: bool,
    /// Which files of a release are meant.
    theme: Theme,
}

#[derive(Debug)]
struct Catalog {
    file: Folder,
    objects: Objects,
}

impl Source {
    pub(super) fn open(settings: &OvertureSettings, theme: Theme) -> Result<Source, Error> {
        let OvertureSettings { places, catalog, endpoint, region, proxy, .. } = settings;
        let reached = Location {
            address: String::new(),
            endpoint: endpoint.clone(),
            region: region.clone(),
            proxy: proxy.clone(),
        };
        let folder = reached.with_address(places.as_deref().unwrap_or(BUCKET)).open()?;
        let objects = Objects::of(&folder);
        let catalog = if folder.near { None } else { Some(Catalog::open(&reached.with_address(catalog))?) };
        Ok(Source { catalog, folder, objects, set: places.is_some(), theme })
    }

    /// Whether it lies on this machine.
    pub(super) fn is_near(&self) -> bool {
        self.folder.near
    }

    pub(super) fn address(&self) -> String {
        self.folder.address()
    }

    /// Which releases there are.
    pub(super) async fn index(&self) -> Result<Index, Error> {
        let asked = async {
            match &self.catalog {
                Some(catalog) if !self.set => match catalog.index().await {
                    Ok(index) => Ok(index),
                    // What was said first explains more than what the fall-back says.
                    Err(error) => self.listed().await.map_err(|_| error),
                },
                _ => self.listed().await,
            }
        };
        let address = self.address();
        tokio::time::timeout(CATALOG_TIME_MAX, asked).await.unwrap_or_else(|_| {
            let reason = format!("no answer within {} seconds", CATALOG_TIME_MAX.as_secs());
            Err(Error::Unreachable { file: address, reason })
        })
    }

    async fn listed(&self) -> Result<Index, Error> {
        let nothing = || Error::malformed(self.address(), "there are no releases here");
        match layout::look(&self.objects, &self.folder).await? {
            Layout::Releases { names, .. } => Index::of(names).ok_or_else(nothing),
            Layout::Files { name: Some(name), .. } => Index::of([name]).ok_or_else(nothing),
            Layout::Files { name: None, folder } => {
                let version = layout::files(&self.objects, &folder, None, self.theme).await?.version;
                Ok(Index { latest: version.clone(), releases: vec![version] })
            }
        }
    }

    /// The files of a release.
    pub(super) async fn files(&self, release: &str) -> Result<Vec<ListedFile>, Error> {
        if !self.set {
            let folder = self.folder.below(release);
            return self.files_in(&folder, release).await;
        }
        let (folder, only) = match layout::look(&self.objects, &self.folder).await? {
            Layout::Releases { names, folder } => {
                if !names.iter().any(|name| name == release) {
                    return Err(self.absent(release, &names));
                }
                (folder.below(release), None)
            }
            Layout::Files { name, folder } => (folder, Some(name)),
        };
        match only {
            None => self.files_in(&folder, release).await,
            Some(Some(name)) if name != release => Err(self.absent(release, &[name])),
            Some(Some(_)) => self.files_in(&folder, release).await,
            Some(None) => {
                let found = layout::files(&self.objects, &folder, None, self.theme).await?;
                found.of(release).map_err(|there| self.absent(release, &[there.version]))
            }
        }
    }

    /// The files of a release that lies in this folder. A list with a box for each file is preferred: that of Overture's
    /// catalog, or a copy of it in the folder.
    async fn files_in(&self, folder: &Folder, release: &str) -> Result<Vec<ListedFile>, Error> {
        let names = if folder.near { Vec::new() } else { self.names(folder, release).await };
        if names.is_empty() {
            return Ok(layout::files(&self.objects, folder, Some(release), self.theme).await?.files);
        }
        let below =
            if folder.path.as_ref().contains("theme=") { folder.clone() } else { folder.below(self.theme.folder()) };
        let file = |found: PlaceFileName| {
            let path = below.below(&found.name).path.to_string();
            ListedFile { bounds: found.bounds, ..ListedFile::at(path) }
        };
        Ok(names.into_iter().map(file).collect())
    }

    /// The names of a release's files, as far as a list says; copies of a release may be cut into other files than the
    /// catalog knows, unless they lie on a plain web server, which cannot say what it has.
    async fn names(&self, folder: &Folder, release: &str) -> Vec<PlaceFileName> {
        if self.set {
            let copy = folder.path.clone().join(COLLECTIONS);
            let found = list_of_files(&self.objects, &copy, self.theme).await.unwrap_or_default();
            if !found.is_empty() || !folder.prefix.starts_with("http") {
                return found;
            }
        }
        match &self.catalog {
            Some(catalog) => catalog.files(release, self.theme).await.unwrap_or_default(),
            None => Vec::new(),
        }
    }

    fn absent(&self, release: &str, names: &[String]) -> Error {
        let there = names.iter().take(5).cloned().collect::<Vec<String>>().join(", ");
        Error::malformed(self.address(), format!("version {release} of the place data is not here; there is {there}"))
    }
}

impl Catalog {
    fn open(location: &Location) -> Result<Catalog, Error> {
        let file = location.open()?;
        Ok(Catalog { objects: Objects::of(&file), file })
    }

    async fn index(&self) -> Result<Index, Error> {
        let text = self.objects.whole(&self.file.path, CATALOG_BYTES_MAX).await?;
        Index::parse(&text).ok_or_else(|| Error::malformed(self.file.address(), "it names no releases of Overture"))
    }

    /// What lies beside the catalog as the list of a release's files.
    async fn files(&self, release: &str, theme: Theme) -> Result<Vec<PlaceFileName>, Error> {
        let parts: Vec<_> = self.file.path.parts().collect();
        let beside = parts[..parts.len().saturating_sub(1)].iter().cloned().collect::<Path>();
        list_of_files(&self.objects, &beside.join(release).join(COLLECTIONS), theme).await
    }
}

async fn list_of_files(objects: &Objects, path: &Path, theme: Theme) -> Result<Vec<PlaceFileName>, Error> {
    let list = objects.whole(path, COLLECTIONS_BYTES_MAX).await?;
    let parsed = tokio::task::spawn_blocking(move || collections::parse(list, theme)).await;
    parsed.map_err(|_| Error::Cancelled)
}
