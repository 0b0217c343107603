//! Reads a website and says what stands there.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use page_facts::{Context, RawPage, SiteFacts, with_mail_servers};
use polite_reader::{FetchedPage, Freshness, Reader, SiteReport};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tracing::Instrument;
use url::Url;

use super::{CutPage, CutReason, Hints, Website};
use crate::cpu_pool;

/// Domains whose mail servers are asked for, of one site's emails.
const MAIL_DOMAINS_MAX: usize = 8;

/// Longest the finders may take with the pages of one site. Their own budget of steps ends them long before; this is for
/// what that does not foresee.
const FACTS_DEADLINE: Duration = Duration::from_secs(60);

/// Reads the pages worth reading at `url`. Never fails: what went wrong is in the status.
pub async fn read(reader: &Reader, url: &str, hints: Hints<'_>, freshness: Freshness) -> Website {
    // Without its address: traces hold nothing that others chose.
    let (status, pages) = (tracing::field::Empty, tracing::field::Empty);
    let span = tracing::info_span!("website", site.status = status, site.pages = pages);
    async {
        let report = reader.read_site(url, freshness).await;
        let mut website = understand(reader, report, hints).await;
        if has_public_name(&website.url) {
            weigh_by_mail_servers(reader, &mut website.facts).await;
        }
        span.record("site.status", website.status.as_str()).record("site.pages", website.whole_pages.len());
        website
    }
    .instrument(span.clone())
    .await
}

/// What stands on the pages of a report. The finders run on threads of their own, so that no page delays a request.
async fn understand(reader: &Reader, report: Arc<SiteReport>, hints: Hints<'_>) -> Website {
    let whole = report.pages.iter().chain(&report.scripts).filter(|page| !page.cut);
    let cut_by_reader = report.pages.iter().chain(&report.scripts).filter(|page| page.cut);
    let mut website = Website {
        status: report.status,
        url: report.url.clone(),
        complete: report.complete,
        interrupted: report.interrupted,
        detail: report.detail.clone(),
        cut_pages: cut_by_reader.map(|page| CutPage { url: page.url.clone(), reason: CutReason::Reading }).collect(),
        whole_pages: whole.map(|page| page.url.clone()).collect(),
        facts: SiteFacts::default(),
    };
    let (region, name) = (hints.region.map(str::to_owned), hints.name.map(str::to_owned));
    // The report goes as soon as its facts are known: other sites wait for the memory of its pages.
    let finding = cpu_pool::start(hints.sharer, move || facts(&report, region.as_deref(), name.as_deref())).await;
    match in_time(reader, finding, FACTS_DEADLINE).await {
        Some(facts) => website.take_facts(facts),
        None => {
            tracing::warn!(site.url = website.url, "the finders took too long; the site is left without their facts");
            website.cut(website.url.clone(), CutReason::Time);
            // Nothing was found on any of them.
            website.whole_pages.clear();
        }
    }
    website
}

fn facts(report: &SiteReport, region: Option<&str>, name: Option<&str>) -> SiteFacts {
    let pages: Vec<RawPage<'_>> = report.pages.iter().map(raw).collect();
    let scripts: Vec<RawPage<'_>> = report.scripts.iter().map(raw).collect();
    page_facts::facts(&pages, &Context { region, business_name: name, scripts: &scripts })
}

/// The result of a computation, unless it takes longer than `deadline` of time in which this process ran.
async fn in_time<T>(reader: &Reader, mut work: JoinHandle<T>, deadline: Duration) -> Option<T> {
    loop {
        let stall = reader.watch_stalls();
        match timeout(deadline, &mut work).await {
            Ok(ended) => return Some(cpu_pool::finished(ended).await),
            Err(_) if stall.has_stalled() => {}
            Err(_) => return None,
        }
    }
}

impl Website {
    /// Takes over what the finders found, and which pages they did not read whole.
    fn take_facts(&mut self, facts: SiteFacts) {
        for page in &facts.cut_pages {
            let reason = match page.reason {
                page_facts::CutReason::Size => CutReason::Size,
                page_facts::CutReason::Steps => CutReason::Steps,
            };
            self.cut(page.url.clone(), reason);
        }
        self.complete &= self.cut_pages.is_empty();
        self.facts = facts;
    }

    fn cut(&mut self, url: String, reason: CutReason) {
        self.complete = false;
        self.whole_pages.retain(|whole| *whole != url);
        self.cut_pages.push(CutPage { url, reason });
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

#[cfg(test)]
mod tests {
    use polite_reader::{ReaderSettings, SiteStatus};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Serves one page at every path but the robots rules.
    async fn site(page: String) -> (Reader, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = [0; 4096];
                let length = stream.read(&mut request).await.unwrap_or(0);
                let (status, body) =
                    if request[..length].starts_with(b"GET /robots") { (404, "") } else { (200, page.as_str()) };
                let head =
                    format!("HTTP/1.1 {status} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
                let _ = stream.write_all((head + body).as_bytes()).await;
            }
        });
        let settings =
            ReaderSettings { page_bytes_max: 10_000, allowed_addresses: vec![address], ..Default::default() };
        (Reader::new(settings).unwrap(), format!("http://{address}/"))
    }

    #[tokio::test]
    async fn a_page_cut_by_the_reader_keeps_what_was_found_and_is_named() {
        let (reader, url) = site(format!("<p>joe@acme-plumbing.com</p>{}", "<p>words</p>".repeat(2_000))).await;
        let website = read(&reader, &url, Hints::default(), Freshness::Fresh).await;
        assert_eq!((website.status, website.complete), (SiteStatus::Ok, false));
        assert_eq!(website.cut_pages, [CutPage { url, reason: CutReason::Reading }]);
        assert_eq!(website.facts.emails[0].email, "joe@acme-plumbing.com");
    }

    #[tokio::test]
    async fn a_whole_page_is_not_called_cut() {
        let (reader, url) = site("<p>joe@acme-plumbing.com</p>".to_owned()).await;
        let website = read(&reader, &url, Hints::default(), Freshness::Fresh).await;
        assert_eq!((website.status, website.complete, website.cut_pages), (SiteStatus::Ok, true, vec![]));
    }

    #[tokio::test]
    async fn finders_that_take_too_long_are_not_waited_for() {
        let (reader, _) = site(String::new()).await;
        let (end, wait) = std::sync::mpsc::channel::<()>();
        let work = tokio::task::spawn_blocking(move || wait.recv().is_ok());
        assert_eq!(in_time(&reader, work, Duration::from_millis(10)).await, None);
        end.send(()).unwrap();
        let work = tokio::task::spawn_blocking(|| 7);
        assert_eq!(in_time(&reader, work, Duration::from_secs(60)).await, Some(7));
    }
}
