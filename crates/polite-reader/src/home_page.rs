//! Finds the home page: tries the start URLs from the listing until one of them leads to a page.

use url::Url;

use crate::decompress::PlainBody;
use crate::domain::www_sibling;
use crate::fetch::ResourceKind;
use crate::fetch_error::FetchError;
use crate::links::{resolve, scan, script_target};
use crate::visit::{FetchedResource, Visit};

/// Bytes and links a page may have and still count as a mere redirect.
const REFRESH_BYTES_MAX: usize = 16 * 1024;
const REFRESH_LINKS_MAX: usize = 5;

/// The first page, decompressed immediately for its links.
pub(crate) struct HomePage {
    pub(crate) fetched: FetchedResource,
    pub(crate) plain: PlainBody,
}

/// Tries the start URLs until one leads to a page, and follows a page that is only a redirect. If no connection was
/// established, all of them are tried once more, because servers refuse connections now and then.
pub(crate) async fn find_home_page(
    visit: &mut Visit<'_>,
    first: &Url,
    others: &[Url],
) -> Result<HomePage, (Url, FetchError)> {
    match try_start_urls(visit, first, others).await {
        Err((_, failure)) if failure.is_connection_error() && visit.pause_before_retry().await => {
            try_start_urls(visit, first, others).await
        }
        outcome => outcome,
    }
}

async fn try_start_urls(visit: &mut Visit<'_>, first: &Url, others: &[Url]) -> Result<HomePage, (Url, FetchError)> {
    let mut trouble = match try_start_url(visit, first).await {
        Err(failure) if failure.may_try_other_urls() => failure,
        outcome => return outcome.map_err(|failure| (first.clone(), failure)),
    };
    let other_host_helps = matches!(
        trouble,
        FetchError::NoSuchName(_) | FetchError::Unreachable | FetchError::Tls(_) | FetchError::TlsBrokeOff
    );
    let siblings = std::iter::once(first).chain(others).filter_map(www_sibling).filter(|_| other_host_helps);
    for start_url in others.iter().cloned().chain(siblings) {
        match try_start_url(visit, &start_url).await {
            Ok(home) => return Ok(home),
            // A server that answered is more informative than one that did not.
            Err(failure) if !failure.may_try_other_urls() => return Err((start_url, failure)),
            // A certificate problem is more informative than a closed port.
            Err(failure @ FetchError::Tls(_)) => trouble = failure,
            Err(_) => {}
        }
    }
    Err((first.clone(), trouble))
}

async fn try_start_url(visit: &mut Visit<'_>, start_url: &Url) -> Result<HomePage, FetchError> {
    let home = HomePage::open(visit.fetch(start_url, ResourceKind::Page).await?)?;
    let Some(target) = home.redirect_target() else { return Ok(home) };
    match visit.fetch(&target, ResourceKind::Page).await.and_then(HomePage::open) {
        Ok(next) => Ok(next),
        Err(_) => Ok(home),
    }
}

impl HomePage {
    fn open(fetched: FetchedResource) -> Result<Self, FetchError> {
        let plain = fetched.answer.body.decompress()?;
        if plain.body.trim_ascii().is_empty() { Err(FetchError::Empty) } else { Ok(Self { fetched, plain }) }
    }

    /// The target when the page is nothing but a quick refresh or script redirect.
    fn redirect_target(&self) -> Option<Url> {
        if self.plain.body.len() > REFRESH_BYTES_MAX {
            return None;
        }
        let found = scan(&self.plain.body);
        if found.links.len() >= REFRESH_LINKS_MAX {
            return None;
        }
        let target = resolve(&self.fetched.url, found.refresh.or_else(|| script_target(&self.plain.body))?)?;
        (target != self.fetched.url).then_some(target)
    }
}
