//! Reads a website and says what stands there.

use std::collections::HashMap;

use page_facts::{Context, RawPage, SiteFacts, with_mail_servers};
use polite_reader::{FetchedPage, Freshness, Reader, SiteReport};

use url::Url;

use super::{Hints, Website};

/// Domains whose mail servers are asked for, of one site's emails.
const MAIL_DOMAINS_MAX: usize = 8;

/// Reads the pages worth reading at `url`. Never fails: what went wrong is in the status.
pub async fn read(reader: &Reader, url: &str, hints: Hints<'_>, freshness: Freshness) -> Website {
    // The report goes as soon as its facts are known: other sites wait for the memory of its pages.
    let mut website = understand(&*reader.read_site(url, freshness).await, hints);
    if has_public_name(&website.url) {
        weigh_by_mail_servers(reader, &mut website.facts).await;
    }
    website
}

/// What stands on the pages of a report.
fn understand(report: &SiteReport, hints: Hints<'_>) -> Website {
    let pages: Vec<RawPage<'_>> = report.pages.iter().map(raw).collect();
    let scripts: Vec<RawPage<'_>> = report.scripts.iter().map(raw).collect();
    let context = Context { region: hints.region, business_name: hints.name, scripts: &scripts };
    Website {
        status: report.status,
        url: report.url.clone(),
        complete: report.complete,
        interrupted: report.interrupted,
        detail: report.detail.clone(),
        facts: page_facts::facts(&pages, &context),
    }
}

fn raw(page: &FetchedPage) -> RawPage<'_> {
    RawPage { url: &page.url, content_type: page.content_type.as_deref(), body: &page.body }
}

/// Whether DNS knows this site. What it says of the mail of a site it does not know means nothing: on a closed network,
/// or in the sandbox, every domain would seem to take none.
fn has_public_name(url: &str) -> bool {
    let host = Url::parse(url).ok();
    host.as_ref().and_then(Url::domain).is_some_and(|name| !name.trim_end_matches('.').ends_with("localhost"))
}

/// An email is surer when its domain takes mail, and hardly worth anything when it takes none.
async fn weigh_by_mail_servers(reader: &Reader, facts: &mut SiteFacts) {
    let mut known: HashMap<String, Option<bool>> = HashMap::new();
    for email in &mut facts.emails {
        let Some((_, domain)) = email.email.rsplit_once('@') else { continue };
        if !known.contains_key(domain) && known.len() < MAIL_DOMAINS_MAX {
            known.insert(domain.to_owned(), reader.has_mx(domain).await);
        }
        email.confidence = with_mail_servers(email.confidence, known.get(domain).copied().flatten());
    }
}
