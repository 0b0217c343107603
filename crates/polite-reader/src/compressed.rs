//! Pages and reports in compressed form, as they are kept during a visit and in the cache: a quarter of the memory or less.
//! They are decompressed when someone wants to read them.

use bytes::Bytes;

use crate::decompress::{CompressedBody, PlainBody};
use crate::fetch_error::FetchError;
use crate::limits::SITE_BYTES_MAX;
use crate::report::{FetchedPage, PageKind, SiteReport, shortened};
use crate::report_budget::ReportBudget;

#[derive(Debug, Clone)]
pub(crate) struct CompressedPage {
    pub(crate) url: String,
    pub(crate) content_type: Option<String>,
    pub(crate) body: CompressedBody,
    pub(crate) kind: PageKind,
    /// The body decompressed earlier, while memory allows keeping it.
    pub(crate) plain: Option<PlainBody>,
}

#[derive(Debug, Clone)]
pub(crate) struct CompressedReport {
    /// The report without its pages.
    pub(crate) outline: SiteReport,
    pub(crate) pages: Vec<CompressedPage>,
    pub(crate) scripts: Vec<CompressedPage>,
    /// Whether the same read may end differently at another time.
    pub(crate) transient: bool,
}

impl CompressedPage {
    /// The page with its body decompressed.
    pub(crate) fn decompress(&self) -> Result<FetchedPage, FetchError> {
        let PlainBody { body, cut } = match &self.plain {
            Some(plain) => plain.clone(),
            None => self.body.decompress()?,
        };
        Ok(FetchedPage { url: self.url.clone(), content_type: self.content_type.clone(), body, cut, kind: self.kind })
    }

    /// Approximate memory use.
    pub(crate) fn weight_bytes(&self) -> usize {
        self.body.len()
            + self.plain.as_ref().map_or(0, |plain| plain.body.len())
            + self.url.len()
            + self.content_type.as_ref().map_or(0, String::len)
            + 200
    }

    /// The page without its body, for callers who only need to know that it exists.
    pub(crate) fn without_body(self) -> Self {
        Self { body: CompressedBody::default(), plain: None, ..self }
    }

    /// Drops the decompressed copy.
    pub(crate) fn without_plain(self) -> Self {
        Self { plain: None, ..self }
    }
}

impl CompressedReport {
    pub(crate) fn without_pages(outline: SiteReport) -> Self {
        Self { outline, pages: Vec::new(), scripts: Vec::new(), transient: false }
    }

    /// The decompressed report; its memory counts until the report is dropped.
    pub(crate) async fn decompress(&self, pages: &ReportBudget, scripts: &ReportBudget) -> SiteReport {
        let mut report = self.outline.clone();
        report.add_decompressed(&self.pages, pages).await;
        report.add_decompressed(&self.scripts, scripts).await;
        report
    }

    /// The report as it goes into the cache.
    pub(crate) fn without_plain(mut self) -> Self {
        self.pages = self.pages.into_iter().map(CompressedPage::without_plain).collect();
        self
    }

    /// Approximate memory use.
    pub(crate) fn weight_bytes(&self) -> usize {
        let pages: usize = self.pages.iter().chain(&self.scripts).map(CompressedPage::weight_bytes).sum();
        pages + self.outline.url.len() + self.outline.detail.as_ref().map_or(0, String::len) + 256
    }
}

impl FetchedPage {
    fn cut_to(self, room: usize) -> Self {
        let kept = self.body.len().min(room);
        let cut = self.cut || kept < self.body.len();
        // A truncated body is copied so that the rest can be freed.
        let body = if kept < self.body.len() { Bytes::copy_from_slice(&self.body[..kept]) } else { self.body };
        Self { body, cut, ..self }
    }
}

impl SiteReport {
    /// Adds pages or scripts, decompressed once there is room for all of them.
    pub(crate) async fn add_decompressed(&mut self, pages: &[CompressedPage], budget: &ReportBudget) {
        let reserved = budget.reserve(pages.iter().map(|page| page.body.plain_bytes_max()).sum()).await;
        let mut room = SITE_BYTES_MAX;
        for page in pages {
            // A body that is small when compressed may be large when decompressed, up to six of them per site.
            let plain = page.decompress().map(|open| open.cut_to(room));
            room -= plain.as_ref().map_or(0, |open| open.body.len());
            self.add(plain, &page.url);
        }
        self.share.add(reserved, SITE_BYTES_MAX - room);
    }

    /// Adds a page, or the error of decompressing it.
    pub(crate) fn add(&mut self, page: Result<FetchedPage, FetchError>, url: &str) {
        match page {
            Ok(page) => {
                self.complete &= !page.cut;
                let list = if page.kind == PageKind::Script { &mut self.scripts } else { &mut self.pages };
                list.push(page);
            }
            Err(failure) => {
                self.complete = false;
                self.detail = Some(shortened(format!("{url}: {failure}")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompress::ContentEncoding;
    use crate::report::SiteStatus;

    #[tokio::test]
    async fn a_report_of_large_pages_is_truncated_at_the_site_limit() {
        let page = |at: usize| CompressedPage {
            url: format!("http://shop.com/{at}"),
            content_type: None,
            body: CompressedBody::new(
                Bytes::from(vec![b'x'; SITE_BYTES_MAX / 2 - 1]),
                ContentEncoding::Identity,
                usize::MAX,
            ),
            kind: PageKind::About,
            plain: None,
        };
        let outline =
            SiteReport { complete: true, ..SiteReport::without_pages(SiteStatus::Ok, "http://shop.com/", None) };
        let budget = ReportBudget::new(SITE_BYTES_MAX);
        let mut report = outline.clone();
        report.add_decompressed(&[page(1), page(2)], &budget).await;
        assert!(report.complete);
        drop(report);
        let mut report = outline;
        report.add_decompressed(&[page(1), page(2), page(3)], &budget).await;
        assert_eq!(report.pages.iter().map(|page| page.body.len()).sum::<usize>(), SITE_BYTES_MAX);
        assert!(!report.complete && report.pages[2].cut);
    }
}
