//! Public tag-manager containers: a page names its container, and the container names the pixels behind it. Each is fetched
//! once, under the same rules as a page, and cached.

use std::sync::PoisonError;

use memchr::memmem;
use tokio::time::timeout;
use url::Url;

use crate::compressed::CompressedPage;
use crate::domain::site_of;
use crate::fetch::ResourceKind;
use crate::fetch_error::FetchError;
use crate::limits::{CONTAINER_DEADLINE, CONTAINERS_MAX};
use crate::memory::SiteShare;
use crate::reader_state::ReaderState;
use crate::report::PageKind;
use crate::visit::Visit;

/// Length of a container id after `GTM-`.
const ID_LENGTHS: std::ops::RangeInclusive<usize> = 4..=10;

/// Adds the ids of containers a page loads, each once.
pub(crate) fn add_container_ids(ids: &mut Vec<String>, body: &[u8]) {
    if memmem::find(body, b"googletagmanager.com").is_none() {
        return;
    }
    for at in memmem::find_iter(body, b"GTM-") {
        if ids.len() >= CONTAINERS_MAX {
            return;
        }
        let letters = body[at + 4..].iter().take_while(|byte| is_id_letter(**byte)).take(ID_LENGTHS.end() + 1);
        let id: String = "GTM-".chars().chain(letters.map(|byte| char::from(*byte))).collect();
        if ID_LENGTHS.contains(&(id.len() - 4)) && !ids.contains(&id) {
            ids.push(id);
        }
    }
}

fn is_id_letter(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

/// Fetches one container, or takes it from the cache. `None` when it does not exist or is disallowed; any other problem is the
/// error.
pub(crate) async fn fetch_container(inner: &ReaderState, id: &str) -> Result<Option<CompressedPage>, String> {
    if let Some(known) = inner.containers.get(id) {
        return Ok(Some(known));
    }
    let mut url = inner.tag_manager.clone().ok_or("containers are left alone")?;
    url.query_pairs_mut().append_pair("id", id);
    match timeout(CONTAINER_DEADLINE, fetch(inner, url)).await {
        Ok(Ok(page)) => {
            if page.body.is_whole() {
                inner.containers.put(id, page.clone(), page.weight_bytes());
            }
            Ok(Some(page))
        }
        Ok(Err(FetchError::Disallowed(_) | FetchError::Status(404 | 410))) => Ok(None),
        Ok(Err(failure)) => Err(failure.to_string()),
        Err(_) => Err("it did not arrive in time".to_owned()),
    }
}

async fn fetch(inner: &ReaderState, url: Url) -> Result<CompressedPage, FetchError> {
    // A separate budget: the site that waits for the container still holds part of the common one.
    let slot = inner.pacing.slot(site_of(&url)).await;
    let reservation = inner.container_memory.reserve(SiteShare::Usual).await.ok_or(FetchError::Closed)?;
    let kept_open = inner.tag_connection.lock().unwrap_or_else(PoisonError::into_inner).take();
    let mut visit = Visit::new(inner, reservation, Some(slot)).over(kept_open);
    let fetched = visit.fetch(&url, ResourceKind::Script).await;
    *inner.tag_connection.lock().unwrap_or_else(PoisonError::into_inner) = visit.give_connection();
    Ok(fetched?.keep(PageKind::Script))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, expected: &[&str]) {
        let mut ids = Vec::new();
        add_container_ids(&mut ids, page.as_bytes());
        assert_eq!(ids, expected, "{page}");
    }

    #[test]
    fn container_ids_are_found_in_common_snippets() {
        check("<script src=https://www.googletagmanager.com/gtm.js?id=GTM-AB12CD></script>", &["GTM-AB12CD"]);
        check(
            "'https://www.googletagmanager.com/gtm.js?id='+i;})(window,document,'script','dataLayer','GTM-WXYZ12');",
            &["GTM-WXYZ12"],
        );
        check("www.googletagmanager.com GTM-AAAA11 GTM-AAAA11 GTM-BBBB22 GTM-CCCC33", &["GTM-AAAA11", "GTM-BBBB22"]);
        check("www.googletagmanager.com/gtag/js?id=G-12345", &[]);
        check("a part number GTM-AB12CD in a shop", &[]);
        check("googletagmanager.com GTM-AB GTM-ABCDEFGHIJKLMNOP gtm-abcdef", &[]);
    }
}
