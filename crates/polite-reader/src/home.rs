//! The way into a site: tries what the listing gives until one way leads to a first page.

use url::Url;

use crate::decode::Decoded;
use crate::exchange::Want;
use crate::failure::Failure;
use crate::links::{resolve, scan, script_target};
use crate::site_address::www_sibling;
use crate::visit::{Fetched, Visit};

/// Bytes and links a page may have and still count as one that only sends on.
const REFRESH_BYTES_MAX: usize = 16 * 1024;
const REFRESH_LINKS_MAX: usize = 5;

/// The first page, which is opened at once for its links.
pub(crate) struct Home {
    pub(crate) fetched: Fetched,
    pub(crate) plain: Decoded,
}

/// Tries the ways to a site until one leads to a page, and goes through a page that only sends on. Where no
/// connection came about, all ways are tried once more: servers refuse now and then.
pub(crate) async fn find_home(visit: &mut Visit<'_>, first: &Url, others: &[Url]) -> Result<Home, (Url, Failure)> {
    match try_ways(visit, first, others).await {
        Err((_, failure)) if failure.is_connection_trouble() && visit.pause_before_retry().await => {
            try_ways(visit, first, others).await
        }
        outcome => outcome,
    }
}

async fn try_ways(visit: &mut Visit<'_>, first: &Url, others: &[Url]) -> Result<Home, (Url, Failure)> {
    let mut trouble = match try_way(visit, first).await {
        Err(failure) if failure.leaves_other_ways() => failure,
        outcome => return outcome.map_err(|failure| (first.clone(), failure)),
    };
    let other_host_helps =
        matches!(trouble, Failure::NoSuchName(_) | Failure::Unreachable | Failure::Tls(_) | Failure::TlsBrokeOff);
    let siblings = std::iter::once(first).chain(others).filter_map(www_sibling).filter(|_| other_host_helps);
    for way in others.iter().cloned().chain(siblings) {
        match try_way(visit, &way).await {
            Ok(home) => return Ok(home),
            // A server that answered says more than one that did not.
            Err(failure) if !failure.leaves_other_ways() => return Err((way, failure)),
            // A certificate problem says more than a closed port.
            Err(failure @ Failure::Tls(_)) => trouble = failure,
            Err(_) => {}
        }
    }
    Err((first.clone(), trouble))
}

async fn try_way(visit: &mut Visit<'_>, way: &Url) -> Result<Home, Failure> {
    let home = Home::open(visit.fetch(way, Want::Page).await?)?;
    let Some(target) = home.sends_on_to() else { return Ok(home) };
    match visit.fetch(&target, Want::Page).await.and_then(Home::open) {
        Ok(next) => Ok(next),
        Err(_) => Ok(home),
    }
}

impl Home {
    fn open(fetched: Fetched) -> Result<Self, Failure> {
        let plain = fetched.answer.body.open()?;
        if plain.body.trim_ascii().is_empty() { Err(Failure::Empty) } else { Ok(Self { fetched, plain }) }
    }

    /// Where the page leads when it is nothing but a quick refresh to another.
    fn sends_on_to(&self) -> Option<Url> {
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
