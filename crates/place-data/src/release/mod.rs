//! Releases of Overture's places and addresses: which there are, and their files, wherever these lie.
//!
//! Without a setting, Overture's catalog says which release is the latest, and the files are read from its public bucket. What
//! does not change is kept on disk, so that a release that was opened once can be opened without a connection.

mod catalog;
mod collections;
#[cfg(fuzzing)]
pub mod fuzzing;
mod layout;
mod name;
mod source;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use self::catalog::Index;
use self::source::Source;
use crate::Error;
use crate::disk_cache::{Cached, DiskCache};
use crate::read::{Dataset, ListedFile};
use crate::theme::Theme;

/// Where Overture says which releases there are.
const CATALOG: &str = "https://stac.overturemaps.org/catalog.json";
/// How long an answer is used before the catalog is asked again.
const ANSWER_TIME: Duration = Duration::from_secs(60 * 60);
/// How long to wait after a failure.
const RETRY_TIME: Duration = Duration::from_secs(60);
/// Opened releases that are kept; a search that uses another one keeps that itself.
const OPENED_MAX: usize = 3;
/// Name of the catalog's answer in the cache.
const INDEX_ENTRY: &str = "releases.json";
/// Name of a release's list of files in the cache.
const FILES_ENTRY: &str = "files.json";

/// Where releases are looked for.
#[derive(Clone, Debug)]
pub struct OvertureSettings {
    /// A folder or an address, of a release, of several, or of any files of places (or addresses, for [`Overture::addresses`]);
    /// Overture's bucket unless set.
    pub places: Option<String>,
    /// The release to use; the latest unless set.
    pub release: Option<String>,
    /// Where Overture says which releases there are.
    pub catalog: String,
    /// Another server than Amazon's, or Microsoft's for Azure.
    pub endpoint: Option<String>,
    /// The region of the bucket.
    pub region: Option<String>,
    /// A proxy for requests to other machines.
    pub proxy: Option<String>,
    /// A folder for what is kept; nothing is kept without one.
    pub cache: Option<PathBuf>,
}

impl Default for OvertureSettings {
    fn default() -> OvertureSettings {
        OvertureSettings {
            places: None,
            release: None,
            catalog: CATALOG.to_owned(),
            endpoint: None,
            region: None,
            proxy: None,
            cache: None,
        }
    }
}

/// A release that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseInfo {
    /// Such as `2026-10-21.0`; for files that are no release, a name that changes with them.
    pub name: String,
    /// Whether it is the newest one.
    pub is_latest: bool,
}

/// What is known of the source, without asking it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OvertureStatus {
    /// Where the files lie.
    pub address: String,
    /// The latest release as far as is known; `None` before the first question.
    pub latest: Option<String>,
    /// How old that knowledge is.
    pub age: Option<Duration>,
    /// Why the last question failed; `None` when it did not.
    pub offline: Option<String>,
}

/// Overture's places, or its addresses.
#[derive(Debug)]
pub struct Overture {
    source: Source,
    theme: Theme,
    pinned: Option<String>,
    cache: DiskCache,
    answer: Mutex<Option<Answer>>,
    /// Held while the source is asked, so that it is asked once.
    asking: tokio::sync::Mutex<()>,
    opened: Mutex<Vec<Opened>>,
}

/// Which releases there are, as far as is known.
#[derive(Clone, Debug)]
struct Answer {
    index: Index,
    /// How old it was when it was taken over, and when that was.
    age: Duration,
    since: Instant,
    /// When and why the last question failed.
    failed: Option<(Instant, String)>,
}

#[derive(Debug)]
struct Opened {
    release: String,
    files: Vec<ListedFile>,
    dataset: Arc<Dataset>,
}

impl Overture {
    /// Overture's places. Checks the settings; nothing is requested yet.
    pub fn new(settings: OvertureSettings) -> Result<Overture, Error> {
        Overture::of_theme(settings, Theme::Places)
    }

    /// Overture's addresses, which [`Dataset::addresses`] searches. Checks the settings; nothing is requested yet.
    pub fn addresses(settings: OvertureSettings) -> Result<Overture, Error> {
        Overture::of_theme(settings, Theme::Addresses)
    }

    fn of_theme(settings: OvertureSettings, theme: Theme) -> Result<Overture, Error> {
        let source = Source::open(&settings, theme)?;
        if let Some(release) = settings.release.as_ref().filter(|release| !name::is_release(release)) {
            let problem = "it is not the name of a release, which is like 2026-10-21.0";
            return Err(Error::malformed(release.clone(), problem));
        }
        let mut of_source = format!("{} {}", source.address(), settings.catalog);
        if theme == Theme::Addresses {
            of_source.push_str(" addresses");
        }
        let cache = settings.cache.map(DiskCache::in_folder).unwrap_or_default().part(&of_source);
        let (answer, opened) = (Mutex::default(), Mutex::default());
        let asking = tokio::sync::Mutex::default();
        Ok(Overture { source, theme, pinned: settings.release, cache, answer, asking, opened })
    }

    /// The name and the files of the latest release, or of the one that was set.
    pub async fn latest(&self) -> Result<(String, Arc<Dataset>), Error> {
        let release = match &self.pinned {
            Some(release) => release.clone(),
            None => self.index().await?.latest,
        };
        let dataset = self.version(&release).await?;
        Ok((release, dataset))
    }

    /// The files of a certain release, also when it is no longer the latest.
    pub async fn version(&self, release: &str) -> Result<Arc<Dataset>, Error> {
        // On this machine, files may be replaced at any time.
        let known = if self.source.is_near() { None } else { self.opened(|opened| opened.release == release) };
        if let Some(dataset) = known {
            return Ok(dataset);
        }
        let kept = self.cache.part(release);
        let listed = if self.source.is_near() { None } else { kept.read_json::<Vec<ListedFile>>(FILES_ENTRY) };
        let files = match listed {
            Some(Cached { value, .. }) => value,
            None => {
                let files = self.source.files(release).await?;
                if !self.source.is_near() {
                    kept.write_json(FILES_ENTRY, &files);
                }
                files
            }
        };
        self.open(release, files, kept)
    }

    /// Which releases there are, newest first.
    pub async fn releases(&self) -> Result<Vec<ReleaseInfo>, Error> {
        let Index { latest, releases } = self.index().await?;
        Ok(releases.into_iter().map(|name| ReleaseInfo { is_latest: name == latest, name }).collect())
    }

    /// What is known of the source, without asking it.
    pub fn status(&self) -> OvertureStatus {
        let answer = self.known();
        OvertureStatus {
            address: self.source.address(),
            latest: self.pinned.clone().or_else(|| answer.as_ref().map(|answer| answer.index.latest.clone())),
            age: answer.as_ref().map(Answer::age),
            offline: answer.and_then(|answer| answer.failed).map(|(_, reason)| reason),
        }
    }

    /// Requests made and bytes fetched from where the files lie.
    pub fn fetched(&self) -> (u64, u64) {
        self.source.objects.fetched()
    }

    fn open(&self, release: &str, files: Vec<ListedFile>, footers: DiskCache) -> Result<Arc<Dataset>, Error> {
        if let Some(dataset) = self.opened(|opened| opened.release == release && opened.files == files) {
            return Ok(dataset);
        }
        let objects = self.source.objects.clone();
        let records = self.theme.records();
        let empty = || Error::malformed(self.source.address(), format!("release {release} has no files of {records}"));
        let dataset = Dataset::of(objects, files.clone(), footers).ok_or_else(empty)?;
        let dataset = Arc::new(dataset.of_theme(self.theme));
        let mut all = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|opened| opened.release != release);
        all.push(Opened { release: release.to_owned(), files, dataset: dataset.clone() });
        if all.len() > OPENED_MAX {
            all.remove(0);
        }
        Ok(dataset)
    }

    fn opened(&self, fits: impl Fn(&Opened) -> bool) -> Option<Arc<Dataset>> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.iter().find(|opened| fits(opened)).map(|opened| opened.dataset.clone())
    }

    fn known(&self) -> Option<Answer> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn know(&self, answer: Answer) -> Index {
        let index = answer.index.clone();
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        index
    }

    /// Which releases there are: asked at most once an hour, or once a minute after a failure.
    async fn index(&self) -> Result<Index, Error> {
        let _asking = self.asking.lock().await;
        let known = self.known().or_else(|| self.kept());
        let fresh = |answer: &&Answer| !self.source.is_near() && !answer.is_due();
        if let Some(answer) = known.as_ref().filter(fresh) {
            return Ok(self.know(answer.clone()));
        }
        match (self.source.index().await, known) {
            (Ok(index), _) => {
                if !self.source.is_near() {
                    self.cache.write_json(INDEX_ENTRY, &index);
                }
                Ok(self.know(Answer { index, age: Duration::ZERO, since: Instant::now(), failed: None }))
            }
            (Err(error), Some(known)) if !self.source.is_near() => {
                Ok(self.know(Answer { failed: Some((Instant::now(), error.to_string())), ..known }))
            }
            (Err(error), _) => Err(error),
        }
    }

    /// What an earlier process was told.
    fn kept(&self) -> Option<Answer> {
        let Cached { value, age } = self.cache.read_json::<Index>(INDEX_ENTRY)?;
        Some(Answer { index: value, age, since: Instant::now(), failed: None })
    }
}

impl Answer {
    fn age(&self) -> Duration {
        self.age + self.since.elapsed()
    }

    fn is_due(&self) -> bool {
        match &self.failed {
            Some((when, _)) => when.elapsed() >= RETRY_TIME,
            None => self.age() >= ANSWER_TIME,
        }
    }
}
