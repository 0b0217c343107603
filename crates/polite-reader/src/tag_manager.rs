//! Public tag-manager containers: a page names its container, and the container names the pixels
//! behind it. Each is fetched once, under the same rules as a page, and remembered.

use std::sync::PoisonError;

use memchr::memmem;
use tokio::time::timeout;
use url::Url;

use crate::exchange::Want;
use crate::failure::Failure;
use crate::kept::KeptPage;
use crate::limits::{CONTAINER_DEADLINE, CONTAINERS_MAX};
use crate::reader::Inner;
use crate::report::PageKind;
use crate::site_address::site_of;
use crate::visit::Visit;

/// Letters and digits of a container's id after `GTM-`.
const ID_LENGTHS: std::ops::RangeInclusive<usize> = 4..=10;

/// Adds the containers that a page loads to those known, each once.
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

/// Fetches one container, from memory where it is known. One that does not exist, or may not be
/// read, is none; anything else that keeps it from us is the reason it is missing.
pub(crate) async fn fetch_container(inner: &Inner, id: &str) -> Result<Option<KeptPage>, String> {
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
        Ok(Err(Failure::Disallowed(_) | Failure::Status(404 | 410))) => Ok(None),
        Ok(Err(failure)) => Err(failure.to_string()),
        Err(_) => Err("it did not arrive in time".to_owned()),
    }
}

async fn fetch(inner: &Inner, url: Url) -> Result<KeptPage, Failure> {
    // Memory of its own: the site that waits for the container still holds some of the common one.
    let turn = inner.pacing.turn(site_of(&url)).await;
    let hold = inner.container_memory.reserve().await.ok_or(Failure::Closed)?;
    let kept_open = inner.tag_connection.lock().unwrap_or_else(PoisonError::into_inner).take();
    let mut visit = Visit::new(inner, hold, Some(turn)).over(kept_open);
    let fetched = visit.fetch(&url, Want::Script).await;
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
    fn containers_are_read_from_the_usual_snippets() {
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
